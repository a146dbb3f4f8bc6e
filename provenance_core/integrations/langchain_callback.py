"""LangChain: the answer of a chain is audited with the documents that its retrievers returned."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langsmith import Client

from provenance_core.audit.shared_models import shared_models
from provenance_core.errors import ProvenanceError
from provenance_core.explain import verdict_sentence
from provenance_core.integrations.outcome import SCORE_NAME
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Audit, ContextItem, Parameters

_LOG = logging.getLogger(__name__)
# Where chains keep question and answer, in this order.
_QUESTIONS = ("input", "question", "query", "user_input", "messages")
_ANSWERS = ("answer", "output", "result", "response", "output_text", "text", "messages")
_NO_DOCUMENTS = (
    "No retriever of the chain returned a document: there is nothing to check the answer against. "
    "Pass the callback where the whole chain is called, and let a LangChain retriever fetch the "
    'documents: chain.invoke(question, {"callbacks": [callback]}).'
)
# Chains that are not done; the oldest is forgotten for another.
_MOST_OPEN = 1_000


@dataclass(frozen=True, slots=True)
class AuditedRun:
    """A run of a chain and the audit of its answer.

    ``run_id``: of the chain's outermost run. ``answer``: "" where none was found. ``audit``: None
    where there is no answer, no document, or an answer that cannot be audited; ``error`` says which
    and how to fix it then, else it is ""."""

    run_id: UUID
    query: str
    answer: str
    audit: Audit | None
    error: str = ""


@dataclass(slots=True)
class _Open:
    """A chain that is not done. ``asked``: what its first retriever was asked. ``runs``: its runs,
    and whether each is a retriever."""

    query: str
    asked: str = ""
    documents: list[Document] = field(default_factory=list)
    runs: dict[UUID, bool] = field(default_factory=dict)


class AuditingCallback(BaseCallbackHandler):
    """Audits the answer of each chain with the documents that it retrieved, as the chain ends.

    Pass it where the chain is called: ``chain.invoke(question, {"callbacks": [callback]})``. Of
    retrievers within each other, as in compression or reranking, the outermost one's documents
    count. A run without an answer, without documents or whose answer cannot be audited is logged as
    a warning, and :attr:`runs` has the reason. One callback may serve many chains and threads.

    Parameters
    ----------
    parameters : Parameters | None, default None
        Every setting; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    answer : Callable[[Any], str] | None, default None
        Takes the answer from the chain's output. None means a text, a message, or the first of the
        keys that LangChain's own chains use.
    langsmith : langsmith.Client | None, default None
        Where the score is written as feedback of the run, with the key ``factuality``; None writes
        none.
    project : UUID | None, default None
        The LangSmith project (session) that the runs are in; LangSmith wants it with feedback.
    keep : int, default 1000
        How many runs are kept in :attr:`runs`.
    """

    def __init__(
        self,
        parameters: Parameters | None = None,
        profile: str | None = None,
        *,
        answer: Callable[[Any], str] | None = None,
        langsmith: Client | None = None,
        project: UUID | None = None,
        keep: int = 1_000,
    ) -> None:
        self._parameters = parameters
        self._profile = profile
        self._answer = answer or answer_text
        self._langsmith = langsmith
        self._project = project
        self._open: OrderedDict[UUID, _Open] = OrderedDict()
        self._roots: dict[UUID, UUID] = {}
        self._done: deque[AuditedRun] = deque(maxlen=keep)
        self._lock = threading.Lock()

    @property
    def runs(self) -> tuple[AuditedRun, ...]:
        """The runs that have ended, the oldest first: audited, or with the reason why not. A chain
        that raised an error is not among them."""
        with self._lock:
            return tuple(self._done)

    def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Remember the outermost chain and its question."""
        self._begin(run_id, parent_run_id, question_text(inputs))

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Remember which chain the tool belongs to, or the tool as the outermost chain."""
        self._begin(run_id, parent_run_id, question_text(kwargs.get("inputs")))

    def on_tool_end(
        self, output: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Audit the answer of a tool that no chain called, where it retrieved documents."""
        chain = self._finished(run_id, parent_run_id)
        if chain is not None and chain.documents:
            self._end(output, run_id, chain)

    def on_retriever_start(
        self,
        serialized: dict[str, Any],
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Remember which chain the retriever belongs to. One that no chain called answers
        nothing."""
        if parent_run_id is not None:
            self._begin(run_id, parent_run_id, query, retriever=True)

    def on_retriever_end(
        self,
        documents: Sequence[Document],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Keep the documents, unless another retriever asked for them."""
        with self._lock:
            chain = self._chain_of(run_id)
            if chain is not None and not (parent_run_id and chain.runs.get(parent_run_id)):
                chain.documents.extend(documents)

    def on_chain_end(
        self, outputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Audit the answer of the outermost chain."""
        chain = self._finished(run_id, parent_run_id)
        if chain is not None:
            self._end(outputs, run_id, chain)

    def on_chain_error(
        self,
        error: BaseException,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Forget a chain that failed, or a tool that no chain called."""
        self._finished(run_id, parent_run_id)

    on_tool_error = on_chain_error

    def _begin(
        self, run_id: UUID, parent: UUID | None, query: str = "", *, retriever: bool = False
    ) -> None:
        with self._lock:
            root = run_id if parent is None else self._roots.get(parent)
            if root is None:
                return
            if parent is None:
                self._open[root] = _Open(query)
                if len(self._open) > _MOST_OPEN:
                    self._forget(next(iter(self._open)))
                    _LOG.warning("event=chain_forgotten most=%d", _MOST_OPEN)
            chain = self._open[root]
            self._roots[run_id] = root
            chain.runs[run_id] = retriever
            if retriever and not chain.asked:
                chain.asked = query

    def _end(self, outputs: Any, run_id: UUID, chain: _Open) -> None:
        run = self._audit(run_id, chain, outputs)
        with self._lock:
            self._done.append(run)
        self._write_feedback(run)

    def _finished(self, run_id: UUID, parent: UUID | None) -> _Open | None:
        """The chain that ended with this run; None where it is a part of one."""
        with self._lock:
            return self._forget(run_id) if parent is None else None

    def _forget(self, root: UUID) -> _Open | None:
        chain = self._open.pop(root, None)
        for run in chain.runs if chain is not None else ():
            self._roots.pop(run, None)
        return chain

    def _chain_of(self, run_id: UUID) -> _Open | None:
        root = self._roots.get(run_id)
        return None if root is None else self._open.get(root)

    def _audit(self, run_id: UUID, chain: _Open, outputs: Any) -> AuditedRun:
        query, answer = chain.query or chain.asked, self._answer(outputs)

        def refused(why: str, error: str) -> AuditedRun:
            # No text of a user is logged.
            _LOG.warning("event=chain_not_audited reason=%s run=%s", why, run_id)
            return AuditedRun(run_id, query, answer, None, error)

        if not answer.strip():
            return refused("no_answer", _no_answer(outputs))
        if not chain.documents:
            return refused("no_documents", _NO_DOCUMENTS)
        try:
            texts = check_texts(answer=answer, context=context_items(chain.documents), query=query)
            audit = shared_models().audit(texts, self._profile, self._parameters)
        except ProvenanceError as error:
            return refused("cannot_be_audited", str(error))
        return AuditedRun(run_id, query, answer, audit)

    def _write_feedback(self, run: AuditedRun) -> None:
        if self._langsmith is None or run.audit is None:
            return
        self._langsmith.create_feedback(
            run.run_id,
            SCORE_NAME,
            trace_id=run.run_id,
            session_id=self._project,
            score=run.audit.score,
            value=str(run.audit.state),
            comment=verdict_sentence(run.audit),
            feedback_source_type="model",
        )


def _no_answer(outputs: Any) -> str:
    if isinstance(outputs, Mapping):
        found = f"an object with the keys {', '.join(map(str, outputs)) or '(none)'}"
    elif isinstance(outputs, str | BaseMessage):
        return "The chain's answer is empty: there is nothing to audit."
    else:
        found = f"of the type {type(outputs).__name__}"
    return (
        f"No answer is found in the chain's output, which is {found}. A text, a message or one of "
        f"the keys {', '.join(_ANSWERS)} is read. Give the callback answer=, a function that takes "
        "the answer from the output."
    )


def context_items(documents: Sequence[Document]) -> list[ContextItem]:
    """The documents as context items, each text once, named by their metadata's ``source``.

    Parameters
    ----------
    documents : Sequence[Document]
        Documents as a retriever returns them.

    Returns
    -------
    list[ContextItem]
        One item for each text, in the order of its first document.
    """
    texts: dict[str, str] = {}
    for document in documents:
        texts.setdefault(document.page_content, str(document.metadata.get("source", "")))
    return [ContextItem(index, text, name) for index, (text, name) in enumerate(texts.items())]


def question_text(inputs: Any) -> str:
    """The question in what a chain is called with; "" where it has none that is known.

    Parameters
    ----------
    inputs : Any
        A text, a message, a list of messages, or a mapping with one of these.

    Returns
    -------
    str
        The question, whole.
    """
    return _found(inputs, _QUESTIONS)


def answer_text(outputs: Any) -> str:
    """The answer in what a chain returns; "" where it has none that is known.

    Parameters
    ----------
    outputs : Any
        A text, a message, a list of messages, or a mapping with one of these.

    Returns
    -------
    str
        The answer, whole.
    """
    return _found(outputs, _ANSWERS)


def _found(value: Any, keys: Sequence[str]) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, BaseMessage):
        return str(value.text)
    if isinstance(value, Mapping):
        return next((text for key in keys if (text := _found(value.get(key), keys))), "")
    if isinstance(value, list | tuple) and value:
        return _found(value[-1], keys)
    return ""
