"""OpenTelemetry: answers are audited as their traces end, and the score stands beside them.

Spans follow the OpenInference conventions. :mod:`provenance_core.files.traces.answers` has the rule
which of them answer, and with which documents.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from time import monotonic

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.sdk.trace import TracerProvider as SdkTracerProvider
from opentelemetry.trace import SpanContext, Status, StatusCode, TracerProvider

from provenance_core.audit.shared_models import shared_models
from provenance_core.errors import ProvenanceError
from provenance_core.explain import verdict_sentence
from provenance_core.files.traces import TracedAnswer, TraceSpan, answers_of, read_span
from provenance_core.integrations.outcome import SCORE_NAME
from provenance_core.text.checked_texts import check_texts
from provenance_core.types import Audit, Parameters

_LOG = logging.getLogger(__name__)
SPAN_NAME = "provenance.audit"
_KIND = "openinference.span.kind"
# Traces whose outermost span has not ended; the oldest is forgotten for another.
_MOST_TRACES = 1_000
# Spans that are kept of one trace; what comes later is taken for a trace of its own.
_MOST_SPANS = 10_000


@dataclass(slots=True)
class _Open:
    """A trace whose outermost span of this process has not ended. ``spans``: those that have ended.
    ``numbers``: of all its spans."""

    spans: list[TraceSpan] = field(default_factory=list)
    contexts: dict[str, SpanContext] = field(default_factory=dict)
    numbers: set[int] = field(default_factory=set)


class AuditingSpanProcessor(SpanProcessor):
    """Audits each answer of a trace that retrieved documents, in a thread of its own.

    It looks for them when the outermost span of this process ends, by the rule of
    :mod:`provenance_core.files.traces.answers`. The audit is a span of kind ``EVALUATOR`` below the
    one with the answer, with the attributes of ``gen_ai.evaluation``: name, score in [0, 1], label
    (the state of the verdict) and explanation. An answer that cannot be audited has such a span
    too, with the reason as its status. A trace with documents in which no answer is found is logged
    as a warning. No text but the unsupported sentences is written.

    The provider's ``shutdown`` and ``force_flush`` wait for the audits first, so that exporters
    which were added before this processor get them too.

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
        self._traces: OrderedDict[int, _Open] = OrderedDict()
        # The outermost span of each span whose trace is open, by their numbers.
        self._outermost: dict[int, int] = {}
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="provenance-audit")
        self._jobs: set[Future[None]] = set()
        if isinstance(provider, SdkTracerProvider):
            self._end_before_exporters(provider)
        # A program that ends without a shutdown. Nothing public comes early enough: what atexit and
        # weakref.finalize call, and the end of a thread that is no daemon, come after
        # concurrent.futures refuses new work, which loading and scoring hand to its threads.
        threading._register_atexit(self.shutdown)  # type: ignore[attr-defined]

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Remember which trace of this process a span belongs to.

        Parameters
        ----------
        span : Span
            A span that begins.
        parent_context : Context | None, default None
            Not read.
        """
        context = span.get_span_context()
        if context is None or (span.attributes or {}).get(_KIND) == "EVALUATOR":
            return
        number = context.span_id
        with self._lock:
            above = span.parent.span_id if span.parent is not None else 0
            # A span is the outermost one too where the one above is of another process.
            outermost = self._outermost.get(above, number)
            if outermost != number and len(self._traces[outermost].numbers) >= _MOST_SPANS:
                outermost = number
            self._outermost[number] = outermost
            self._traces.setdefault(outermost, _Open()).numbers.add(number)
            if len(self._traces) > _MOST_TRACES:
                self._forget(next(iter(self._traces)))
                _LOG.warning("event=trace_forgotten most=%d", _MOST_TRACES)

    def on_end(self, span: ReadableSpan) -> None:
        """Keep a span; have the answers of a trace audited as its outermost span ends.

        Parameters
        ----------
        span : ReadableSpan
            A span that has ended.
        """
        context = span.get_span_context()
        if context is None:
            return
        number, read = context.span_id, _read(span, context)
        with self._lock:
            outermost = self._outermost.get(number)
            if outermost is None:  # The outermost span has ended before, or the trace is forgotten.
                return
            self._traces[outermost].spans.append(read)
            self._traces[outermost].contexts[read.id] = context
            ended = self._forget(number) if number == outermost else None
        if ended is None:
            return
        answers = answers_of(ended.spans)
        if not answers and any(each.documents for each in ended.spans):
            _LOG.warning("event=trace_not_audited reason=no_answer trace=%032x", context.trace_id)
        for answer in answers:
            self._submit(ended.contexts[answer.span.id], answer)

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
            jobs = set(self._jobs)
        return not wait(jobs, timeout_millis / 1000).not_done

    def shutdown(self) -> None:
        """Make the audits that are open, and no more."""
        self._thread.shutdown(wait=True)

    def _end_before_exporters(self, provider: SdkTracerProvider) -> None:
        """The SDK ends its processors in the order in which they were added."""
        end, flush = provider.shutdown, provider.force_flush

        def shutdown() -> None:
            self.shutdown()
            end()

        def force_flush(timeout_millis: int = 30_000) -> bool:
            until = monotonic() + timeout_millis / 1000
            done = self.force_flush(timeout_millis)
            return flush(max(0, int((until - monotonic()) * 1000))) and done

        # mypy takes a method for one that cannot be replaced.
        provider.shutdown = shutdown  # type: ignore[method-assign]
        provider.force_flush = force_flush  # type: ignore[method-assign]

    def _forget(self, outermost: int) -> _Open:
        ended = self._traces.pop(outermost)
        for number in ended.numbers:
            self._outermost.pop(number, None)
        return ended

    def _submit(self, context: SpanContext, answer: TracedAnswer) -> None:
        try:
            job = self._thread.submit(self._audit, context, answer)
        except RuntimeError:  # Shut down: the traced program goes on.
            _LOG.warning("event=trace_not_audited reason=shut_down")
            return
        with self._lock:
            self._jobs.add(job)
        job.add_done_callback(self._done)

    def _done(self, job: Future[None]) -> None:
        with self._lock:
            self._jobs.discard(job)

    def _audit(self, context: SpanContext, answer: TracedAnswer) -> None:
        above = trace.set_span_in_context(trace.NonRecordingSpan(context), Context())
        kind = {_KIND: "EVALUATOR"}  # from the start, so that it is never taken for an answer
        with self._tracer.start_as_current_span(SPAN_NAME, above, attributes=kind) as written:
            try:
                texts = check_texts(
                    answer=answer.span.answer, context=answer.documents, query=answer.query
                )
                audit = shared_models().audit(texts, self._profile, self._parameters)
            except ProvenanceError as error:
                written.set_status(Status(StatusCode.ERROR, str(error)))
                return
            written.set_attributes(_evaluation(audit))


def _evaluation(audit: Audit) -> Mapping[str, str | float]:
    return {
        "gen_ai.evaluation.name": SCORE_NAME,
        "gen_ai.evaluation.score.value": audit.score,
        "gen_ai.evaluation.score.label": str(audit.state),
        "gen_ai.evaluation.explanation": verdict_sentence(audit),
    }


def _read(span: ReadableSpan, context: SpanContext) -> TraceSpan:
    return read_span(
        span.attributes or {},
        span_id=f"{context.span_id:016x}",
        parent="" if span.parent is None else f"{span.parent.span_id:016x}",
        start=span.start_time,
        end=span.end_time,
    )
