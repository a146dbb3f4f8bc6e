"""Spans of the real OpenTelemetry SDK: audited as they end, the score beside the answer."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("opentelemetry.sdk", reason="the extra opentelemetry is not installed")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    TraceFlags,
    set_span_in_context,
    use_span,
)

from benchmarks.served_app import ROOT
from provenance_core.audit.shared_models import shared_models
from provenance_core.integrations.traced_answers import SPAN_NAME, AuditingSpanProcessor
from tests.integrations.conftest import FACT, OTHER, QUESTION, RIGHT, WRONG


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def provider(exporter, loaded_once) -> TracerProvider:
    shared_models.cache_clear()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    provider.add_span_processor(AuditingSpanProcessor(provider))
    return provider


def answered(provider: TracerProvider, answer: str, documents=(FACT,), reranked=()) -> None:
    """One trace: retrieval, and the answer as its root."""
    tracer = provider.get_tracer("test")
    with tracer.start_as_current_span("query") as root:
        root.set_attribute("openinference.span.kind", "CHAIN")
        root.set_attribute("input.value", QUESTION)
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
    answered(provider, RIGHT)
    answered(provider, WRONG)
    good, bad = audits(provider, exporter)
    roots = [span for span in exporter.get_finished_spans() if span.name == "query"]
    for audit, root in zip((good, bad), roots, strict=True):
        assert audit.parent.span_id == root.context.span_id
        assert audit.context.trace_id == root.context.trace_id
        assert audit.attributes["openinference.span.kind"] == "EVALUATOR"
    value = "gen_ai.evaluation.score.value"
    assert good.attributes[value] > 0.5 > bad.attributes[value]
    assert good.attributes["gen_ai.evaluation.score.label"] == "supported"
    assert "“1923” is not in the context" in (bad.attributes["gen_ai.evaluation.explanation"])


def test_what_was_ranked_again_counts_and_traces_do_not_mix(provider, exporter):
    answered(provider, RIGHT, documents=(OTHER, FACT), reranked=(OTHER,))
    answered(provider, RIGHT, documents=(OTHER, FACT))
    labels = [
        span.attributes["gen_ai.evaluation.score.label"] for span in audits(provider, exporter)
    ]
    assert labels == ["hallucinated", "supported"]


def test_a_trace_without_documents_or_answer_is_not_audited(provider, exporter):
    answered(provider, RIGHT, documents=())
    answered(provider, "")
    assert audits(provider, exporter) == []


def test_an_answer_that_cannot_be_audited_says_why(provider, exporter):
    answered(provider, "…")
    (audit,) = audits(provider, exporter)
    assert "no letter and no digit" in audit.status.description
    assert "gen_ai.evaluation.score.value" not in audit.attributes


@pytest.mark.parametrize("end", ["shutdown", "force_flush"])
@pytest.mark.parametrize("exporter_first", [True, False], ids=["exporter first", "exporter last"])
def test_no_waiting_audit_is_lost_at_the_end(exporter, loaded_once, end, exporter_first):
    shared_models.cache_clear()
    provider = TracerProvider()
    processors = [BatchSpanProcessor(exporter), AuditingSpanProcessor(provider)]
    for processor in processors if exporter_first else reversed(processors):
        provider.add_span_processor(processor)
    for number in range(5):
        answered(provider, f"{WRONG} It has {number} doors.")
    getattr(provider, end)()
    names = [span.name for span in exporter.get_finished_spans()]
    assert names.count(SPAN_NAME) == 5
    shared_models.cache_clear()


UNENDED = f"""
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter
from provenance_core.integrations.traced_answers import AuditingSpanProcessor
from tests.integrations.test_traced_answers import answered

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(ConsoleSpanExporter()))
provider.add_span_processor(AuditingSpanProcessor(provider, profile="embedded"))
answered(provider, "{WRONG}")
answered(provider, "{WRONG} It is old.")
"""


def test_a_program_that_ends_without_a_shutdown_loses_no_audit():
    done = subprocess.run(
        [sys.executable, "-c", UNENDED],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert done.stdout.count(f'"name": "{SPAN_NAME}"') == 2
    assert done.stdout.count('"gen_ai.evaluation.score.label": "hallucinated"') == 2, done.stdout


def test_an_answer_after_the_end_is_not_audited_and_stops_nobody(provider, exporter):
    provider.shutdown()
    answered(provider, WRONG)
    assert not audits(provider, exporter)


@contextmanager
def step(provider: TracerProvider, name: str, kind: str = "", **texts: str) -> Iterator[None]:
    """A span; ``asked`` and ``said`` are its input and output."""
    with provider.get_tracer("test").start_as_current_span(name) as span:
        if kind:
            span.set_attribute("openinference.span.kind", kind)
        if "asked" in texts:
            span.set_attribute("input.value", texts["asked"])
        yield
        if "said" in texts:
            span.set_attribute("output.value", texts["said"])


def retrieve(provider: TracerProvider, *texts: str) -> None:
    with provider.get_tracer("test").start_as_current_span("retrieve") as span:
        span.set_attribute("openinference.span.kind", "RETRIEVER")
        span.set_attribute("input.value", QUESTION)
        for number, text in enumerate(texts):
            span.set_attribute(f"retrieval.documents.{number}.document.content", text)


def audited(provider: TracerProvider, exporter: InMemorySpanExporter) -> list[tuple[str, str]]:
    """The name of each span with an audit below it, and the label of the audit."""
    made = audits(provider, exporter)
    names = {span.context.span_id: span.name for span in exporter.get_finished_spans()}
    return [
        (names[span.parent.span_id], span.attributes["gen_ai.evaluation.score.label"])
        for span in made
    ]


def test_chains_below_a_request_are_audited_each_with_its_own_documents(provider, exporter):
    with step(provider, "POST /answers"):  # of a web framework: no kind and no output
        with step(provider, "first", "CHAIN", asked=QUESTION, said=RIGHT):
            retrieve(provider, FACT)
            with step(provider, "model", "LLM", said=RIGHT):
                pass
        with step(provider, "second", "CHAIN", asked=QUESTION, said=RIGHT):
            retrieve(provider, OTHER)
    assert audited(provider, exporter) == [("first", "supported"), ("second", "hallucinated")]


def test_an_agent_is_audited_once_with_what_its_tools_retrieved(provider, exporter):
    with step(provider, "agent", "AGENT", asked=QUESTION, said=RIGHT):
        for text in (OTHER, FACT):
            with (
                step(provider, "tool", "TOOL", said=text),
                step(provider, "search", "CHAIN", asked=QUESTION, said=text),
            ):
                retrieve(provider, text)
        with step(provider, "model", "LLM", said=RIGHT):
            pass
    assert audited(provider, exporter) == [("agent", "supported")]


def test_a_model_beside_its_retriever_is_audited(provider, exporter):
    with step(provider, "session", "CHAIN", asked=QUESTION):
        with step(provider, "rewrite", "LLM", said="bridge opened year"):
            pass
        retrieve(provider, FACT)
        with step(provider, "model", "LLM", asked="a long prompt", said=WRONG):
            pass
    assert audited(provider, exporter) == [("model", "hallucinated")]


def test_a_chain_whose_caller_is_another_process_is_audited(provider, exporter):
    caller = SpanContext(trace_id=7, span_id=8, is_remote=True, trace_flags=TraceFlags(1))
    with provider.get_tracer("test").start_as_current_span(
        "served", set_span_in_context(NonRecordingSpan(caller))
    ) as span:
        span.set_attribute("input.value", QUESTION)
        retrieve(provider, FACT)
        span.set_attribute("output.value", RIGHT)
    (audit,) = audits(provider, exporter)
    assert audit.context.trace_id == 7 and audit.parent.span_id == span.context.span_id


def test_documents_without_an_answer_are_said(provider, exporter, caplog):
    with caplog.at_level(logging.WARNING), step(provider, "search", "CHAIN", asked=QUESTION):
        retrieve(provider, FACT)
    assert audits(provider, exporter) == []
    assert "event=trace_not_audited reason=no_answer" in caplog.text
    assert FACT not in caplog.text and QUESTION not in caplog.text


def test_nothing_is_kept_of_what_has_ended(provider, exporter):
    processor = AuditingSpanProcessor(provider)
    provider.add_span_processor(processor)
    with step(provider, "outer"):
        late = provider.get_tracer("test").start_span("late")
        retrieve(provider, FACT)
    late.end()
    answered(provider, RIGHT)
    audits(provider, exporter)
    assert not processor._traces and not processor._outermost


def test_the_oldest_of_too_many_traces_is_forgotten(provider, exporter, monkeypatch, caplog):
    monkeypatch.setattr("provenance_core.integrations.traced_answers._MOST_TRACES", 2)
    tracer = provider.get_tracer("test")
    spans = []
    for number in range(3):
        spans.append(tracer.start_span(f"answer {number}"))
        with use_span(spans[-1]):
            retrieve(provider, FACT)
        spans[-1].set_attribute("output.value", RIGHT)
    for span in spans:
        span.end()
    made = audited(provider, exporter)
    assert made == [("answer 1", "supported"), ("answer 2", "supported")]
    assert "event=trace_forgotten" in caplog.text


def test_real_chains_of_langchain_are_audited(provider, exporter):
    """The spans that OpenInference's own instrumentation writes."""
    instrumentation = pytest.importorskip("openinference.instrumentation.langchain")
    from langchain_core.documents import Document
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnablePassthrough

    class Shelf(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document(FACT), Document(OTHER)]

    written = ChatPromptTemplate.from_template("{context} {question}") | FakeListChatModel(
        responses=[WRONG]
    )
    given = {"context": Shelf(), "question": RunnablePassthrough()}
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        (given | written | StrOutputParser()).invoke(QUESTION)
        (given | written).invoke(QUESTION)  # its output is a message, as JSON
        (RunnablePassthrough.assign(context=lambda _: Shelf().invoke(QUESTION))
         | RunnablePassthrough.assign(answer=written | StrOutputParser())
        ).invoke({"question": QUESTION})  # fmt: skip
    finally:
        instrumentor.uninstrument()
    assert audited(provider, exporter) == [("RunnableSequence", "hallucinated")] * 3


def test_real_query_engines_of_llamaindex_are_audited(provider, exporter):
    """The spans that OpenInference's own instrumentation writes."""
    instrumentation = pytest.importorskip("openinference.instrumentation.llama_index")
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, TextNode

    class Shelf(BaseRetriever):
        def _retrieve(self, query):
            return [NodeWithScore(node=TextNode(text=text)) for text in (FACT, OTHER)]

    instrumentor = instrumentation.LlamaIndexInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        RetrieverQueryEngine.from_args(Shelf(), llm=MockLLM(max_tokens=2)).query(QUESTION)
    finally:
        instrumentor.uninstrument()
    assert audited(provider, exporter) == [("RetrieverQueryEngine.query", "hallucinated")]
