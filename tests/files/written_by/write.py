"""Writes the fixtures of this folder with the real libraries.

``python tests/files/written_by/write.py`` in the environment of requirements-integrations.txt. Each
library writes its own file of the same two rows; versions.json keeps which version wrote which. A
library that is not installed leaves its file as it was.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor

HERE = Path(__file__).parent
VERSIONS = HERE / "versions.json"
QUERY = "How fast may a cargo bike ride?"
CONTEXT = ["Cargo bikes | e-bikes may ride at 25 km/h.", "A helmet is advised."]
_PROMPTFOO = os.environ.get("PROMPTFOO", "promptfoo")  # of npm
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


def conversations() -> None:
    """Conversational goldens of DeepEval, and multi-turn samples of ragas."""
    from deepeval.dataset import ConversationalGolden
    from deepeval.dataset import EvaluationDataset as Goldens
    from deepeval.test_case import Turn
    from ragas import EvaluationDataset, MultiTurnSample
    from ragas.messages import AIMessage, HumanMessage, ToolCall, ToolMessage

    asked, called = HumanMessage(content=QUERY), ToolCall(name="search", args={"q": QUERY})
    goldens = [
        ConversationalGolden(
            scenario="A rider asks.",
            turns=[
                Turn(role="user", content=QUERY),
                Turn(role="assistant", content=answer, retrieval_context=CONTEXT),
            ],
        )
        for answer in ANSWERS
    ]
    for kind in ("jsonl", "csv"):
        with tempfile.TemporaryDirectory() as folder:
            Goldens(goldens=goldens).save_as(kind, folder, file_name="goldens")
            written = Path(folder, f"goldens.{kind}").read_bytes()
            (HERE / f"conversations.deepeval.{kind}").write_bytes(written)
    samples = [
        MultiTurnSample(
            user_input=[
                asked,
                AIMessage(content="", tool_calls=[called]),
                ToolMessage(content="\n".join(CONTEXT)),
                AIMessage(content=answer),
            ]
        )
        for answer in ANSWERS
    ]
    EvaluationDataset(samples=samples).to_jsonl(HERE / "conversations.ragas.jsonl")


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


def langfuse() -> None:
    """The observations of two traces, as the client's schema of the API's answer writes them."""
    from datetime import UTC, datetime

    from langfuse.api.commons.types.observation_v2 import ObservationV2
    from langfuse.api.observations.types import ObservationsV2Meta, ObservationsV2Response

    found = []
    for at, answer in enumerate(ANSWERS):
        given: list[tuple[str, str | None, object, object]] = [
            ("CHAIN", None, {"question": QUERY}, {"answer": answer}),
            ("RETRIEVER", "0", QUERY, [{"page_content": text} for text in CONTEXT]),
            ("GENERATION", "0", [{"role": "user", "content": f"{CONTEXT} {QUERY}"}], answer),
        ]
        found += [
            ObservationV2(
                id=f"{at}-{number}", trace_id=f"trace-{at}", project_id="bikes", type=kind,
                parent_observation_id=above and f"{at}-{above}", input=asked, output=said,
                start_time=datetime(2026, 1, 1, 12, at, number, tzinfo=UTC),
                end_time=datetime(2026, 1, 1, 12, at, 20 - number, tzinfo=UTC),
            )
            for number, (kind, above, asked, said) in enumerate(given)
        ]  # fmt: skip
    answered = ObservationsV2Response(data=found, meta=ObservationsV2Meta())
    (HERE / "langfuse.json").write_text(answered.json() + "\n", encoding="utf-8")


def azure() -> None:
    """The results of ``evaluate`` with an evaluator that is a function."""
    from azure.ai.evaluation import evaluate

    def groundedness(*, response: str) -> dict[str, object]:
        passed = response == ANSWERS[0]
        return {"groundedness": 4.0 * passed + 1, "groundedness_result": ("fail", "pass")[passed]}

    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "rows.jsonl")
        rows = [{"query": QUERY, "context": "\n".join(CONTEXT), "response": a} for a in ANSWERS]
        data.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        evaluate(
            data=str(data),
            evaluators={"groundedness": groundedness},
            output_path=str(HERE / "azure.json"),
        )


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


def _send_spans(processor: SpanProcessor) -> None:
    """A chain with a retriever and a model for each answer, in OpenInference's attributes."""
    from openinference.semconv.trace import OpenInferenceSpanKindValues as Kinds
    from openinference.semconv.trace import SpanAttributes
    from opentelemetry.sdk.trace import TracerProvider

    provider = TracerProvider()
    provider.add_span_processor(processor)
    tracer = provider.get_tracer("tests")
    asked, said = SpanAttributes.INPUT_VALUE, SpanAttributes.OUTPUT_VALUE
    kind = SpanAttributes.OPENINFERENCE_SPAN_KIND
    documents = {
        f"{SpanAttributes.RETRIEVAL_DOCUMENTS}.{at}.document.content": text
        for at, text in enumerate(CONTEXT)
    }
    messages = {
        f"{SpanAttributes.LLM_INPUT_MESSAGES}.0.message.role": "user",
        f"{SpanAttributes.LLM_INPUT_MESSAGES}.0.message.content": "\n".join([*CONTEXT, QUERY]),
        SpanAttributes.LLM_MODEL_NAME: "a-model",
    }
    for answer in ANSWERS:
        given = {kind: Kinds.CHAIN.value, asked: QUERY, said: answer}
        with tracer.start_as_current_span("chain", attributes=given):
            given = {kind: Kinds.RETRIEVER.value, asked: QUERY, **documents}
            with tracer.start_as_current_span("retrieve", attributes=given):
                pass
            given = {kind: Kinds.LLM.value, **messages, said: answer}
            with tracer.start_as_current_span("answer", attributes=given):
                pass
    provider.shutdown()


def promptfoo() -> None:
    """The results of an evaluation, as a document and as lines."""
    _promptfoo("promptfoo.json", "promptfoo.jsonl")


def promptfoo_table() -> None:
    """The same results as a table."""
    _promptfoo("promptfoo_table.csv")


def _promptfoo(*names: str) -> None:
    """An evaluation whose providers are programs of this machine: one answers well, one wrongly,
    one fails."""
    provider = (
        "module.exports = class {{ id() {{ return {name}; }} "
        "async callApi() {{ return {given}; }} }};"
    )
    given = {
        **{f"answer-{at}": {"output": answer} for at, answer in enumerate(ANSWERS)},
        "broken": {"error": "API error: 529"},
    }
    config = {
        "prompts": ["{{context}}\n\n{{question}}"],
        "providers": [f"file://{name}.js" for name in given],
        "tests": [
            {
                "description": "speed",
                "vars": {"question": QUERY, "context": "\n".join(CONTEXT)},
                "assert": [
                    {"type": "contains", "value": "25 km/h"},
                    {"type": "javascript", "value": "output.length < 99", "metric": "length"},
                ],
            }
        ],
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, value in given.items():
            text = provider.format(name=json.dumps(name), given=json.dumps(value))
            Path(folder, f"{name}.js").write_text(text, encoding="utf-8")
        Path(folder, "config.json").write_text(json.dumps(config), encoding="utf-8")
        settings = {"PROMPTFOO_CONFIG_DIR": folder, "PROMPTFOO_DISABLE_TELEMETRY": "1"}
        outputs = [part for name in names for part in ("-o", name)]
        # It exits with 100 where an answer does not pass.
        subprocess.run(
            [_PROMPTFOO, "eval", "-c", "config.json", "--no-cache", "--no-share", *outputs],
            cwd=folder, env={**os.environ, **settings}, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        for name in names:
            (HERE / name).write_bytes(Path(folder, name).read_bytes())
    if names[0].endswith(".json"):  # without the white space, which is half of it
        whole = json.loads((HERE / names[0]).read_text(encoding="utf-8"))
        (HERE / names[0]).write_text(json.dumps(whole) + "\n", encoding="utf-8")


def _promptfoo_version() -> str:
    said = subprocess.run([_PROMPTFOO, "--version"], capture_output=True, text=True, check=True)
    return said.stdout.split()[-1]


def opentelemetry() -> None:
    """The spans by the SDK and the encoder of OTLP, as JSON."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    memory = InMemorySpanExporter()
    _send_spans(SimpleSpanProcessor(memory))
    found = MessageToDict(encode_spans(memory.get_finished_spans()))
    (HERE / "opentelemetry.json").write_text(json.dumps(found), encoding="utf-8")


def openinference() -> None:
    """The spans as a server of Phoenix gives them back: its data frame, and its own JSON."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from phoenix.client import Client

    with tempfile.TemporaryDirectory() as folder, _phoenix(folder) as address:
        _send_spans(SimpleSpanProcessor(OTLPSpanExporter(f"{address}/v1/traces")))
        client = Client(base_url=address)
        for _ in range(60):  # it keeps spans a little later than it takes them
            spans = client.spans.get_spans(project_identifier="default")
            if len(spans) == 3 * len(ANSWERS):
                break
            time.sleep(0.5)
        frame = client.spans.get_spans_dataframe(project_identifier="default")
    frame.to_parquet(HERE / "openinference.parquet")
    frame.to_csv(HERE / "openinference.csv")
    frame.to_json(HERE / "openinference.json", orient="records", date_format="iso")
    _lines("openinference.jsonl", [json.dumps(span) for span in spans])


@contextmanager
def _phoenix(folder: str) -> Iterator[str]:
    """A server of Phoenix on this machine alone, with its database in ``folder``: its address."""
    port, other = _free_port(), _free_port()
    settings = {
        "PHOENIX_WORKING_DIR": folder, "PHOENIX_HOST": "127.0.0.1", "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(other), "PHOENIX_TELEMETRY_ENABLED": "false",
        "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
    }  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "phoenix.server.main", "serve"]
    server = subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urlopen(f"{address}/healthz").close()
                break
            except OSError:
                time.sleep(1)
        yield address
    finally:
        server.terminate()
        server.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def trulens_events() -> None:
    """The events of an app that retrieves and answers, as a table, in two forms."""
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


def haystack() -> None:
    """The answers that a builder makes, one a line, and as the result of a pipeline."""
    from haystack import Document, Pipeline
    from haystack.components.builders import AnswerBuilder

    pipeline = Pipeline()
    pipeline.add_component("answer_builder", AnswerBuilder())
    documents = [Document(content=text, meta={"page": 3}) for text in CONTEXT]
    result = pipeline.run({"query": QUERY, "replies": list(ANSWERS), "documents": documents})
    answers = [answer.to_dict() for answer in result["answer_builder"]["answers"]]
    _lines("haystack.jsonl", [json.dumps(answer) for answer in answers])
    document = json.dumps({"answer_builder": {"answers": answers}})
    (HERE / "haystack.json").write_text(document, encoding="utf-8")


def cohere() -> None:
    """Responses of both versions of the API, from the schemas of the client, without a server."""
    from cohere.types import (
        AssistantMessageResponse,
        ChatCitation,
        Citation,
        DocumentSource,
        NonStreamedChatResponse,
        TextAssistantMessageResponseContentItem,
        UserMessage,
    )
    from cohere.v2.types import V2ChatResponse

    documents = [{"id": f"doc_{at}", "snippet": text} for at, text in enumerate(CONTEXT)]
    asked = [{"role": "user", "content": QUERY}]
    first, second = [], []
    for answer in ANSWERS:
        first.append(
            NonStreamedChatResponse(
                text=answer,
                generation_id="g",
                documents=documents,
                citations=[ChatCitation(start=0, end=2, text="It", document_ids=["doc_0"])],
                chat_history=[UserMessage(message=QUERY)],
            ).json()
        )
        sources = [DocumentSource(id=each["id"], document=each) for each in documents]
        said = AssistantMessageResponse(
            content=[TextAssistantMessageResponseContentItem(text=answer)],
            citations=[Citation(start=0, end=2, text="It", sources=sources) for _ in range(2)],
        )
        response = V2ChatResponse(id="r", finish_reason="COMPLETE", message=said)
        second.append(json.dumps({"messages": asked, **json.loads(response.json())}))
    _lines("cohere.v1.jsonl", first)
    _lines("cohere.v2.jsonl", second)


def _lines(name: str, lines: list[str]) -> None:
    (HERE / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# The package whose version the table of formats names, of each.
WRITERS: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = {
    "ragas": (ragas, ("ragas",)),
    "deepeval": (deepeval, ("deepeval",)),
    "llamaindex": (llamaindex, ("llama-index-core",)),
    "langsmith": (langsmith, ("langsmith",)),
    "langfuse": (langfuse, ("langfuse",)),
    "conversations": (conversations, ("deepeval", "ragas")),
    "azure": (azure, ("azure-ai-evaluation",)),
    "inspect": (inspect, ("inspect_ai",)),
    "opentelemetry": (
        opentelemetry,
        ("opentelemetry-sdk", "opentelemetry-proto", "openinference-semantic-conventions"),
    ),
    "openinference": (openinference, ("arize-phoenix", "arize-phoenix-client")),
    "promptfoo": (promptfoo, ("promptfoo",)),
    "promptfoo_table": (promptfoo_table, ("promptfoo",)),
    "haystack": (haystack, ("haystack-ai",)),
    "cohere": (cohere, ("cohere",)),
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
        found[name] = {
            package: _promptfoo_version() if package == "promptfoo" else version(package)
            for package in packages
        }
        VERSIONS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(name, found[name])


if __name__ == "__main__":
    main(sys.argv[1:])
