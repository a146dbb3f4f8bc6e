"""Writes the fixtures of this folder with the real libraries.

``python tests/files/written_by/write.py`` in the environment of requirements-integrations.txt. Each
library writes its own file of the same two rows; versions.json keeps which version wrote which. A
library that is not installed leaves its file as it was.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
VERSIONS = HERE / "versions.json"
QUERY = "How fast may a cargo bike ride?"
CONTEXT = ["Cargo bikes | e-bikes may ride at 25 km/h.", "A helmet is advised."]
ANSWERS = ("It may ride at 25 km/h.", "It may ride at 45 km/h.")


def ragas() -> None:
    """An evaluation data set as JSON lines, and as the table of a result."""
    from ragas import EvaluationDataset, SingleTurnSample

    samples = [
        SingleTurnSample(user_input=QUERY, retrieved_contexts=CONTEXT, response=answer)
        for answer in ANSWERS
    ]
    dataset = EvaluationDataset(samples=samples)
    dataset.to_jsonl(HERE / "ragas.jsonl")
    dataset.to_csv(HERE / "ragas.csv")


def deepeval() -> None:
    """Goldens and test cases, in the three forms of ``save_as``."""
    from deepeval.dataset import EvaluationDataset, Golden

    goldens = [
        Golden(input=QUERY, actual_output=answer, retrieval_context=CONTEXT, name=f"bike-{at}")
        for at, answer in enumerate(ANSWERS)
    ]
    for kind in ("json", "jsonl", "csv"):
        with tempfile.TemporaryDirectory() as folder:
            EvaluationDataset(goldens=goldens).save_as(kind, folder, file_name="deepeval")
            (HERE / f"deepeval.{kind}").write_bytes(
                (Path(folder) / f"deepeval.{kind}").read_bytes()
            )


def llamaindex() -> None:
    """Results of an evaluator, one a line."""
    from llama_index.core.evaluation import EvaluationResult

    results = [
        EvaluationResult(
            query=QUERY, contexts=CONTEXT, response=answer, passing=not at, score=float(not at)
        )
        for at, answer in enumerate(ANSWERS)
    ]
    _lines("llamaindex.jsonl", [result.model_dump_json() for result in results])


def langsmith() -> None:
    """The runs of two traces, as the client's schema writes them."""
    from datetime import UTC, datetime
    from uuid import UUID

    from langsmith.schemas import Run

    runs = []
    for at, answer in enumerate(ANSWERS):
        root = UUID(int=100 * at + 1)
        common = {
            "trace_id": root,
            "start_time": datetime(2026, 1, 1, 12, at, tzinfo=UTC),
            "end_time": datetime(2026, 1, 1, 12, at, 5, tzinfo=UTC),
            "session_id": UUID(int=7),
            "serialized": {},
            "extra": {},
        }
        documents = [{"page_content": text, "metadata": {}, "type": "Document"} for text in CONTEXT]
        runs += [
            Run(
                id=root, name="chain", run_type="chain", inputs={"question": QUERY},
                outputs={"output": answer}, dotted_order=f"20260101T1200000000000Z{root}", **common,
            ),
            Run(
                id=UUID(int=100 * at + 2), name="VectorStoreRetriever", run_type="retriever",
                parent_run_id=root, inputs={"query": QUERY}, outputs={"documents": documents},
                dotted_order=f"20260101T1200000000000Z{root}.1", **common,
            ),
        ]  # fmt: skip
    _lines("langsmith.jsonl", [run.model_dump_json() for run in runs])


def inspect() -> None:
    """The log of an evaluation, in both formats; a solver gives the answers."""
    import inspect_ai
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import includes
    from inspect_ai.solver import Generate, Solver, TaskState, solver

    @solver
    def given_answer() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            answer = ANSWERS[int(str(state.sample_id)[-1])]
            state.output = ModelOutput.from_content("mockllm/model", answer)
            state.messages.append(state.output.message)
            return state

        return solve

    samples = [
        Sample(id=f"bike-{at}", input=QUERY, target="25 km/h", metadata={"context": CONTEXT})
        for at in range(len(ANSWERS))
    ]
    for form in ("json", "eval"):
        with tempfile.TemporaryDirectory() as folder:
            task = inspect_ai.Task(
                dataset=MemoryDataset(samples), solver=given_answer(), scorer=includes()
            )
            inspect_ai.eval(
                task, model="mockllm/model", log_dir=folder, log_format=form, display="none"
            )
            (written,) = Path(folder).glob(f"*.{form}")
            (HERE / f"inspect.{form}").write_bytes(written.read_bytes())


def opentelemetry() -> None:
    """Spans in OpenInference's attributes, by the SDK and the encoder of OTLP, as JSON."""
    from google.protobuf.json_format import MessageToDict
    from openinference.semconv.trace import OpenInferenceSpanKindValues, SpanAttributes
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    memory, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    tracer, kinds = provider.get_tracer("tests"), OpenInferenceSpanKindValues
    for answer in ANSWERS:
        with tracer.start_as_current_span("chain") as chain:
            chain.set_attributes(
                {
                    SpanAttributes.OPENINFERENCE_SPAN_KIND: kinds.CHAIN.value,
                    SpanAttributes.INPUT_VALUE: QUERY,
                    SpanAttributes.OUTPUT_VALUE: answer,
                }
            )
            with tracer.start_as_current_span("retrieve") as retriever:
                retriever.set_attribute(
                    SpanAttributes.OPENINFERENCE_SPAN_KIND, kinds.RETRIEVER.value
                )
                retriever.set_attribute(SpanAttributes.INPUT_VALUE, QUERY)
                for at, text in enumerate(CONTEXT):
                    key = f"{SpanAttributes.RETRIEVAL_DOCUMENTS}.{at}.document.content"
                    retriever.set_attribute(key, text)
    found = MessageToDict(encode_spans(memory.get_finished_spans()))
    (HERE / "opentelemetry.json").write_text(json.dumps(found), encoding="utf-8")


def trulens_events() -> None:
    """The events of an app that retrieves and answers, as a table, in two forms."""
    import os

    os.environ["TRULENS_OTEL_TRACING"] = "1"
    from trulens.apps.app import TruApp
    from trulens.core import TruSession
    from trulens.core.otel.instrument import instrument
    from trulens.otel.semconv.trace import SpanAttributes

    kinds, retrieval, root = (
        SpanAttributes.SpanType,
        SpanAttributes.RETRIEVAL,
        SpanAttributes.RECORD_ROOT,
    )

    class Rag:
        """Gives the next answer."""

        def __init__(self) -> None:
            self.left = list(ANSWERS)

        @instrument(
            span_type=kinds.RETRIEVAL,
            attributes={retrieval.QUERY_TEXT: "query", retrieval.RETRIEVED_CONTEXTS: "return"},
        )
        def retrieve(self, query: str) -> list[str]:
            return CONTEXT

        @instrument(span_type=kinds.GENERATION)
        def generate(self, query: str, contexts: list[str]) -> str:
            return self.left.pop(0)

        @instrument(
            span_type=kinds.RECORD_ROOT, attributes={root.INPUT: "query", root.OUTPUT: "return"}
        )
        def query(self, query: str) -> str:
            return self.generate(query, self.retrieve(query))

    with tempfile.TemporaryDirectory() as folder:
        session = TruSession(database_url=f"sqlite:///{folder}/events.sqlite")
        rag = Rag()
        app = TruApp(rag, app_name="bikes", app_version="v1", main_method=rag.query)
        for _ in ANSWERS:
            with app:
                rag.query(QUERY)
        session.force_flush()
        events = session.get_events(app_name="bikes", app_version="v1")
    events.to_csv(HERE / "trulens_events.csv", index=False)
    events.to_json(HERE / "trulens_events.jsonl", orient="records", lines=True)


def _lines(name: str, lines: list[str]) -> None:
    (HERE / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# The package whose version the table of formats names, of each.
WRITERS: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = {
    "ragas": (ragas, ("ragas",)),
    "deepeval": (deepeval, ("deepeval",)),
    "llamaindex": (llamaindex, ("llama-index-core",)),
    "langsmith": (langsmith, ("langsmith",)),
    "inspect": (inspect, ("inspect_ai",)),
    "opentelemetry": (
        opentelemetry,
        ("opentelemetry-sdk", "opentelemetry-proto", "openinference-semantic-conventions"),
    ),
    "trulens_events": (trulens_events, ("trulens-core", "trulens-otel-semconv")),
}


def main(wanted: list[str]) -> None:
    """Writes the files of the libraries that are named, or of all."""
    found = json.loads(VERSIONS.read_text(encoding="utf-8")) if VERSIONS.exists() else {}
    for name in wanted or WRITERS:
        write, packages = WRITERS[name]
        try:
            write()
        except Exception:
            traceback.print_exc()
            continue
        found[name] = {package: version(package) for package in packages}
        VERSIONS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(name, found[name])


if __name__ == "__main__":
    main(sys.argv[1:])
