"""Chains of the real LangChain: audited as they end, with what their retrievers returned."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

import pytest

pytest.importorskip("langchain_core", reason="the extra langchain is not installed")

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.tools import tool
from langsmith import Client

from provenance_core.integrations.langchain_callback import (
    AuditingCallback,
    answer_text,
    question_text,
)
from tests.integrations.conftest import FACT, OTHER, QUESTION, RIGHT, WRONG


class Shelf(BaseRetriever):
    """Returns its texts, or those that another retriever returns and that name the bridge."""

    texts: tuple[str, ...] = ()
    below: BaseRetriever | None = None

    def _get_relevant_documents(self, query, *, run_manager):
        if self.below is not None:
            found = self.below.invoke(query, {"callbacks": run_manager.get_child()})
            return [each for each in found if "Bridge" in each.page_content]
        return [
            Document(text, metadata={"source": f"{n}.txt"}) for n, text in enumerate(self.texts)
        ]


def chain(answer, retriever=None):
    """A chain in LangChain's own form; what answers is a line of text, not a model."""
    retriever = retriever or Shelf(texts=(FACT, OTHER))
    return {"context": retriever, "question": RunnablePassthrough()} | RunnableLambda(
        lambda given: answer(given["question"]) if callable(answer) else answer
    )


def test_the_caller_gets_the_audit_of_each_answer():
    callback = AuditingCallback()
    for answer in (RIGHT, WRONG):
        assert chain(answer).invoke(QUESTION, {"callbacks": [callback]}) == answer
    good, bad = callback.runs
    assert (good.query, good.answer, good.error) == (QUESTION, RIGHT, "")
    assert str(good.audit.verdict) == "supported" and str(bad.audit.verdict) == "hallucinated"
    items = good.audit.evidence.context
    assert [(item.text, item.name) for item in items] == [(FACT, "0.txt"), (OTHER, "1.txt")]


def test_of_retrievers_within_each_other_the_outermost_counts():
    callback = AuditingCallback()
    nested = Shelf(below=Shelf(texts=(FACT, OTHER, FACT)))
    chain(RIGHT, nested).invoke(QUESTION, {"callbacks": [callback]})
    (run,) = callback.runs
    assert [item.text for item in run.audit.evidence.context] == [FACT]


def test_chains_side_by_side_do_not_mix():
    callback = AuditingCallback()
    question = "{} Answer in a sentence."
    years = [1932, 1923, 1931, 1932]
    chain(lambda asked: f"It was opened in {asked.split()[0]}.").batch(
        [question.format(year) for year in years], {"callbacks": [callback]}
    )
    verdicts = {run.query.split()[0]: str(run.audit.verdict) for run in callback.runs}
    assert len(callback.runs) == 4
    assert verdicts == {"1932": "supported", "1923": "hallucinated", "1931": "hallucinated"}
    for run in callback.runs:
        assert run.query.split()[0] in run.answer


def test_an_asynchronous_chain_is_audited():
    callback = AuditingCallback()
    asyncio.run(chain(RIGHT).ainvoke(QUESTION, {"callbacks": [callback]}))
    assert str(callback.runs[0].audit.verdict) == "supported"


def test_a_streamed_answer_is_audited_whole():
    callback = AuditingCallback()
    pieces = {"context": Shelf(texts=(FACT,)), "question": RunnablePassthrough()} | RunnableLambda(
        lambda _: RIGHT
    )
    assert "".join(pieces.stream(QUESTION, {"callbacks": [callback]})) == RIGHT
    assert callback.runs[0].answer == RIGHT


def test_a_chain_without_an_answer_or_documents_is_said_with_the_reason(caplog):
    callback = AuditingCallback()
    config = {"callbacks": [callback]}
    chain("").invoke(QUESTION, config)
    (RunnablePassthrough() | Shelf(texts=(FACT,)) | RunnableLambda(lambda _: {"mine": 7})).invoke(
        QUESTION, config
    )
    (Shelf(texts=(FACT,)) | RunnableLambda(lambda _: 7)).invoke(QUESTION, config)
    RunnableLambda(lambda _: RIGHT).invoke(QUESTION, config)
    chain(RIGHT, Shelf()).invoke(QUESTION, config)
    empty, other, number, alone, nothing_found = callback.runs
    assert all(run.audit is None for run in callback.runs)
    assert "answer is empty" in empty.error
    assert "an object with the keys mine" in other.error and "answer=" in other.error
    assert "of the type int" in number.error
    assert alone.error == nothing_found.error
    assert "No retriever of the chain returned a document" in alone.error
    assert (alone.query, alone.answer) == (QUESTION, RIGHT)
    warned = [record.getMessage() for record in caplog.records]
    reasons = ["no_answer"] * 3 + ["no_documents"] * 2
    assert warned == [
        f"event=chain_not_audited reason={reason} run={run.run_id}"
        for reason, run in zip(reasons, callback.runs, strict=True)
    ]


def test_a_chain_that_fails_raises_its_own_error_and_is_no_run():
    callback = AuditingCallback()
    with pytest.raises(ZeroDivisionError):
        chain(lambda _: 1 / 0).invoke(QUESTION, {"callbacks": [callback]})
    assert callback.runs == ()
    assert not callback._open and not callback._roots


def test_a_chain_in_a_tool_is_audited_and_a_retriever_alone_is_not():
    @tool
    def look_up(question: str) -> str:
        """Answer from the shelf."""
        return chain(WRONG).invoke(question)

    @tool
    def broken(question: str) -> str:
        """Fail."""
        raise ZeroDivisionError

    callback = AuditingCallback()
    config = {"callbacks": [callback]}
    look_up.invoke({"question": QUESTION}, config)
    Shelf(texts=(FACT,)).invoke(QUESTION, config)
    with pytest.raises(ZeroDivisionError):
        broken.invoke({"question": QUESTION}, config)
    (run,) = callback.runs
    assert (run.query, run.answer) == (QUESTION, WRONG)
    assert str(run.audit.verdict) == "hallucinated"
    assert not callback._open and not callback._roots


def test_an_answer_that_cannot_be_audited_says_why_and_the_chain_goes_on(caplog):
    callback = AuditingCallback()
    assert chain("…").invoke(QUESTION, {"callbacks": [callback]}) == "…"
    (run,) = callback.runs
    assert run.audit is None and "no letter and no digit" in run.error
    assert "event=chain_not_audited reason=cannot_be_audited" in caplog.text


@pytest.mark.parametrize(
    "output",
    [RIGHT, AIMessage(RIGHT), {"answer": RIGHT, "context": [FACT]}, {"result": RIGHT},
     {"messages": [HumanMessage(QUESTION), AIMessage(RIGHT)]}],
)  # fmt: skip
def test_the_answer_is_found_where_chains_keep_it(output):
    assert answer_text(output) == RIGHT


def test_the_question_is_found_where_chains_keep_it():
    assert question_text({"input": QUESTION, "chat_history": []}) == QUESTION
    assert question_text({"messages": [HumanMessage(QUESTION)]}) == QUESTION
    assert question_text({"x": 1}) == ""
    callback = AuditingCallback(answer=lambda output: output["mine"])
    own = RunnableLambda(lambda given: given["x"]) | Shelf(texts=(FACT,))
    both = RunnablePassthrough.assign(found=own) | RunnableLambda(lambda _: {"mine": RIGHT})
    both.invoke({"x": QUESTION}, {"callbacks": [callback]})
    assert (callback.runs[0].query, callback.runs[0].answer) == (QUESTION, RIGHT)


@pytest.fixture
def langsmith() -> Iterator[tuple[Client, list[tuple[str, bytes]]]]:
    """The real client, and what it sends to a server of this machine."""
    received: list[tuple[str, bytes]] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self):
            self._reply(b"{}")

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            received.append((self.path, body))
            self._reply(b"{}")

        def _reply(self, body):
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    yield Client(api_url=address, api_key="none", info={}), received
    server.shutdown()
    server.server_close()


def test_the_score_becomes_feedback_of_the_run(langsmith):
    client, received = langsmith
    project = uuid4()
    callback = AuditingCallback(langsmith=client, project=project)
    chain(WRONG).invoke(QUESTION, {"callbacks": [callback]})
    client.flush()
    until = time.monotonic() + 30
    while not received and time.monotonic() < until:
        time.sleep(0.05)
    (run,) = callback.runs
    sent = b"".join(body for _, body in received)
    assert str(run.run_id).encode() in sent and str(project).encode() in sent
    assert b'"factuality"' in sent and json.dumps(round(run.audit.score, 4)).encode() in sent
    assert "“1923” is not in the context".encode() in sent
