"""OpenTelemetry: answers are audited as their spans end, and the score stands beside them.

Spans follow the OpenInference conventions: ``RETRIEVER`` and ``RERANKER`` spans hold the documents,
the root span of a trace holds query and answer as ``input.value`` and ``output.value``.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.trace import Status, StatusCode, TracerProvider

from integrations.outcome import SCORE_NAME, reason
from provenance_core.audit.loaded_profiles import audit_with_shared_models
from provenance_core.errors import ProvenanceError
from provenance_core.types import Audit, Parameters

_LOG = logging.getLogger(__name__)
SPAN_NAME = "provenance.audit"
_KIND, _MIME = "openinference.span.kind", "mime_type"
_DOCUMENTS = {"RETRIEVER": "retrieval.documents.", "RERANKER": "reranker.output_documents."}
_CONTENT = ".document.content"
# Traces whose root has not ended; the oldest is forgotten for another.
_MOST_TRACES = 1_000


class AuditingSpanProcessor(SpanProcessor):
    """Audits the answer of each trace that retrieved documents, in a thread of its own.

    The audit is a span of kind ``EVALUATOR`` below the one with the answer, with the attributes of
    ``gen_ai.evaluation``: name, score in [0, 1], label (the state of the verdict) and explanation.
    An answer that cannot be audited has such a span too, with the reason as its status. No text but
    the unsupported sentences is written.

    Parameters
    ----------
    provider : TracerProvider
        Where the span of an audit is written.
    parameters : Parameters | None, default None
        Every setting; None means the default ones of the profile.
    profile : str | None, default None
        Name of a profile of models; None means the default one.
    """

    def __init__(
        self,
        provider: TracerProvider,
        parameters: Parameters | None = None,
        profile: str | None = None,
    ) -> None:
        self._tracer = provider.get_tracer("provenance")
        self._parameters = parameters
        self._profile = profile
        self._retrieved: OrderedDict[int, dict[str, list[str]]] = OrderedDict()
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="provenance-audit")
        self._open: set[Future[None]] = set()

    def on_end(self, span: ReadableSpan) -> None:
        """Keep the documents of a span, or have its answer audited.

        Parameters
        ----------
        span : ReadableSpan
            A span that has ended. One that is neither a root nor a retriever's is passed over.
        """
        attributes = span.attributes or {}
        kind = str(attributes.get(_KIND, ""))
        context = span.get_span_context()
        if context is None or kind == "EVALUATOR":
            return
        if kind in _DOCUMENTS:
            self._keep(context.trace_id, kind, _documents(attributes, _DOCUMENTS[kind]))
        if span.parent is not None:
            return
        with self._lock:
            retrieved = self._retrieved.pop(context.trace_id, {})
        # What was ranked again is what the answer was made from.
        documents = retrieved.get("RERANKER") or retrieved.get("RETRIEVER")
        answer = _text(attributes, "output")
        if not documents or not answer:
            return
        query = _text(attributes, "input")
        try:
            job = self._thread.submit(self._audit, context, query, answer, documents)
        except RuntimeError:  # Shut down: the traced program goes on.
            _LOG.warning("event=trace_not_audited reason=shut_down")
            return
        with self._lock:
            self._open.add(job)
        job.add_done_callback(self._done)

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Wait for the audits that are open.

        Parameters
        ----------
        timeout_millis : int, default 30000
            The longest time to wait, in milliseconds.

        Returns
        -------
        bool
            Whether all are done.
        """
        with self._lock:
            jobs = set(self._open)
        return not wait(jobs, timeout_millis / 1000).not_done

    def shutdown(self) -> None:
        """Make the audits that are open, and no more."""
        self._thread.shutdown(wait=True)

    def _keep(self, trace_id: int, kind: str, documents: list[str]) -> None:
        with self._lock:
            self._retrieved.setdefault(trace_id, {}).setdefault(kind, []).extend(documents)
            if len(self._retrieved) > _MOST_TRACES:
                self._retrieved.popitem(last=False)
                _LOG.warning("event=trace_forgotten most=%d", _MOST_TRACES)

    def _done(self, job: Future[None]) -> None:
        with self._lock:
            self._open.discard(job)

    def _audit(
        self, context: trace.SpanContext, query: str, answer: str, documents: list[str]
    ) -> None:
        above = trace.set_span_in_context(trace.NonRecordingSpan(context), Context())
        with self._tracer.start_as_current_span(SPAN_NAME, above) as written:
            written.set_attribute(_KIND, "EVALUATOR")
            try:
                audit = audit_with_shared_models(
                    answer=answer,
                    context=documents,
                    query=query,
                    parameters=self._parameters,
                    profile=self._profile,
                )
            except ProvenanceError as error:
                written.set_status(Status(StatusCode.ERROR, str(error)))
                return
            written.set_attributes(_evaluation(audit))


def _evaluation(audit: Audit) -> Mapping[str, str | float]:
    return {
        "gen_ai.evaluation.name": SCORE_NAME,
        "gen_ai.evaluation.score.value": audit.score,
        "gen_ai.evaluation.score.label": str(audit.state),
        "gen_ai.evaluation.explanation": reason(audit),
    }


def _documents(attributes: Mapping[str, Any], prefix: str) -> list[str]:
    """The texts of the documents, in the order of their numbers."""
    found = {
        int(number): str(value)
        for name, value in attributes.items()
        if name.startswith(prefix) and name.endswith(_CONTENT)
        if (number := name.removeprefix(prefix).removesuffix(_CONTENT)).isdecimal()
    }
    return [found[number] for number in sorted(found)]


def _text(attributes: Mapping[str, Any], side: str) -> str:
    """``input.value`` or ``output.value``; of JSON that is one text, that text."""
    value = str(attributes.get(f"{side}.value", ""))
    if attributes.get(f"{side}.{_MIME}") == "application/json":
        try:
            read = json.loads(value)
        except ValueError:
            return value
        if isinstance(read, str):
            return read
    return value
