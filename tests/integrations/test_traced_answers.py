"""Spans of the real OpenTelemetry SDK: audited as they end, the score beside the answer."""

from __future__ import annotations

import pytest

pytest.importorskip("opentelemetry.sdk", reason="the extra opentelemetry is not installed")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from integrations.traced_answers import SPAN_NAME, AuditingSpanProcessor
from provenance_core.audit.loaded_profiles import loaded_profiles

FACT = "The Sydney Harbour Bridge was opened on 19 March 1932."
OTHER = "Ferries cross the harbour."


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def provider(exporter, loaded_once) -> TracerProvider:
    loaded_profiles.cache_clear()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    provider.add_span_processor(AuditingSpanProcessor(provider))
    return provider


def answered(provider: TracerProvider, answer: str, documents=(FACT,), reranked=()) -> None:
    """One trace: retrieval, and the answer as its root."""
    tracer = provider.get_tracer("test")
    with tracer.start_as_current_span("query") as root:
        root.set_attribute("openinference.span.kind", "CHAIN")
        root.set_attribute("input.value", "When was the bridge opened?")
        for kind, prefix, texts in (
            ("RETRIEVER", "retrieval.documents", documents),
            ("RERANKER", "reranker.output_documents", reranked),
        ):
            if texts:
                with tracer.start_as_current_span(kind) as span:
                    span.set_attribute("openinference.span.kind", kind)
                    for number, text in enumerate(texts):
                        span.set_attribute(f"{prefix}.{number}.document.content", text)
        root.set_attribute("output.value", answer)


def audits(provider: TracerProvider, exporter: InMemorySpanExporter) -> list[ReadableSpan]:
    assert provider.force_flush(60_000)
    return [span for span in exporter.get_finished_spans() if span.name == SPAN_NAME]


def test_the_score_stands_below_the_answer(provider, exporter):
    answered(provider, "It was opened in 1932.")
    answered(provider, "It was opened in 1923.")
    good, bad = audits(provider, exporter)
    roots = [span for span in exporter.get_finished_spans() if span.name == "query"]
    for audit, root in zip((good, bad), roots, strict=True):
        assert audit.parent.span_id == root.context.span_id
        assert audit.context.trace_id == root.context.trace_id
        assert audit.attributes["openinference.span.kind"] == "EVALUATOR"
    value = "gen_ai.evaluation.score.value"
    assert good.attributes[value] > 0.5 > bad.attributes[value]
    assert good.attributes["gen_ai.evaluation.score.label"] == "supported"
    assert (
        "contradicted: It was opened in 1923." in (bad.attributes["gen_ai.evaluation.explanation"])
    )


def test_what_was_ranked_again_counts_and_traces_do_not_mix(provider, exporter):
    answered(provider, "It was opened in 1932.", documents=(OTHER, FACT), reranked=(OTHER,))
    answered(provider, "It was opened in 1932.", documents=(OTHER, FACT))
    labels = [
        span.attributes["gen_ai.evaluation.score.label"] for span in audits(provider, exporter)
    ]
    assert labels == ["hallucinated", "supported"]


def test_a_trace_without_documents_or_answer_is_not_audited(provider, exporter):
    answered(provider, "It was opened in 1932.", documents=())
    answered(provider, "")
    assert audits(provider, exporter) == []


def test_an_answer_that_cannot_be_audited_says_why(provider, exporter):
    answered(provider, "…")
    (audit,) = audits(provider, exporter)
    assert "no letter and no digit" in audit.status.description
    assert "gen_ai.evaluation.score.value" not in audit.attributes


def test_an_answer_after_the_end_is_not_audited_and_stops_nobody(provider, exporter):
    provider.shutdown()
    answered(provider, "It was opened in 1923.")
    assert not audits(provider, exporter)
