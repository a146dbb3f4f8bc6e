"""What the tools' own libraries make of our exports, and what we read of what they write."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from storage import ReviewStore
from storage.exports import LABELING_CONFIG, ExportFormat
from storage.returned_labels import import_labels
from tests.exports_data import exported

TIME = "2026-11-20T10:11:12.123456+00:00"
Answer = Callable[[str, str, bytes], object]


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Starts a server on this machine that answers as it is told; its address."""
    servers = []

    def start(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def _answer(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                found = json.dumps(answer(self.command, self.path, body)).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(found)))
                self.end_headers()
                self.wfile.write(found)

            do_GET = do_POST = _answer

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_label_studio_accepts_the_tasks_and_its_converter_gives_them_back(filled, tmp_path):
    pytest.importorskip("label_studio_sdk", reason="label-studio-sdk is not installed")
    from label_studio_sdk.converter import Converter
    from label_studio_sdk.label_interface import LabelInterface

    interface = LabelInterface(LABELING_CONFIG)
    interface.validate()
    tasks = json.loads(exported(filled, ExportFormat.LABEL_STUDIO))
    for task in tasks:
        assert interface.validate_task({"data": task["data"]}, validate_regions_only=False)
        for prediction in task["predictions"]:
            assert interface.validate_prediction(prediction)
        for annotation in task["annotations"]:
            assert interface.validate_annotation(annotation)
    for number, task in enumerate(tasks, 1):
        for annotation in task["annotations"]:
            annotation |= {"id": number, "completed_by": 1, "was_cancelled": False}
            annotation |= {"created_at": TIME, "updated_at": TIME, "lead_time": 3.5}
        task["id"] = number
    (tmp_path / "in").mkdir()
    for task in tasks:
        (tmp_path / "in" / f"{task['id']}.json").write_text(json.dumps(task), encoding="utf-8")
    converter = Converter(LABELING_CONFIG, str(tmp_path))
    converter.convert_to_json(str(tmp_path / "in"), str(tmp_path / "out"))
    kept = import_labels(tmp_path / "out" / "result.json", filled)
    assert (kept.reviews, kept.already_there, kept.rejected) == (0, 3, ())
    converter.convert_to_json_min(str(tmp_path / "in"), str(tmp_path / "least"))
    kept = import_labels(tmp_path / "least" / "result.json", filled)
    assert (kept.reviews, kept.already_there, kept.rejected) == (0, 3, ())
    converter.convert_to_csv(str(tmp_path / "in"), str(tmp_path / "table"))
    kept = import_labels(tmp_path / "table" / "result.csv", filled)
    assert (kept.reviews, kept.already_there, kept.rejected) == (0, 3, ())


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "json"])
def test_phoenix_gives_back_what_its_client_reads(filled, tmp_path, serve, form):
    pytest.importorskip("phoenix.client", reason="arize-phoenix-client is not installed")
    from phoenix.client import Client

    held = json.loads(exported(filled, ExportFormat.PHOENIX))["data"]
    held.append(
        {"span_id": "r1", "name": "factuality", "annotator_kind": "HUMAN", "identifier": "",
         "metadata": {}, "result": {"label": "hallucinated", "score": 0.0, "explanation": "no"}}
    )  # fmt: skip
    given = [
        {**each, "id": f"a{n}", "created_at": TIME, "updated_at": TIME, "source": "APP",
         "user_id": None}
        for n, each in enumerate(held)
    ]  # fmt: skip
    address = serve(lambda *_: {"data": given, "next_cursor": None})
    spans = Client(base_url=address).spans
    path = tmp_path / f"annotations.{form}"
    if form == "json":
        found = spans.get_span_annotations(span_ids=["r1"], project_identifier="default")
        path.write_text(json.dumps(found), encoding="utf-8")
    else:
        table = spans.get_span_annotations_dataframe(span_ids=["r1"], project_identifier="default")
        if form == "csv":
            table.reset_index().to_csv(path, index=False)
        elif form == "parquet":
            table.to_parquet(path)
        else:
            table.reset_index().to_json(path, orient="records", lines=True)
    kept = import_labels(path, filled)
    assert (kept.reviews, kept.already_there, kept.machine, kept.rejected) == (1, 3, 3, ())
    (review,) = ReviewStore.open(filled).of(1)
    assert (review.reviewer, review.judgement.verdict) == ("Phoenix user", "hallucinated")


def test_langfuse_takes_the_scores_and_gives_them_back(filled, tmp_path, serve):
    pytest.importorskip("langfuse", reason="langfuse is not installed")
    from langfuse.api import LangfuseAPI
    from langfuse.api.scores.types.create_score_request import CreateScoreRequest

    sent = [json.loads(line) for line in exported(filled, ExportFormat.LANGFUSE).splitlines()]
    for each in sent:
        request = CreateScoreRequest.model_validate(each)
        assert (request.name, request.value) == (each["name"], each["value"])
    common = {"projectId": "p", "timestamp": TIME, "createdAt": TIME, "updatedAt": TIME,
              "environment": "default", "source": "API"}  # fmt: skip
    held = []
    for each in sent:
        subject = {"kind": "trace", "id": each.pop("traceId")}
        held.append({**each, **common, "subject": subject})
    held.append(
        {"id": "x", "name": "verdict", "value": False, "dataType": "BOOLEAN", "comment": "no",
         **common, "source": "ANNOTATION", "authorUserId": "cm1",
         "subject": {"kind": "observation", "id": "o", "traceId": "r1"}}
    )  # fmt: skip
    address = serve(lambda *_: {"data": held, "meta": {"limit": 100}})
    api = LangfuseAPI(base_url=address, username="public", password="secret")
    found = api.scores.get_many(limit=100, fields="details,annotation,subject")
    path = tmp_path / "scores.json"
    path.write_text(json.dumps([json.loads(s.json()) for s in found.data]), encoding="utf-8")
    kept = import_labels(path, filled)
    assert (kept.reviews, kept.already_there, kept.machine, kept.rejected) == (1, 3, 6, ())
    (review,) = ReviewStore.open(filled).of(1)
    assert (review.reviewer, review.judgement.verdict) == ("Langfuse user cm1", "hallucinated")


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "labelling-tools.md"
EXAMPLES = dict(
    re.findall(
        r"<!-- runs-with: ([\w.]+) -->\n```python\n(.*?)^```",
        PAGE.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
HELD = {
    "phoenix.client": {
        "span_id": "r1", "name": "factuality", "annotator_kind": "HUMAN", "identifier": "",
        "metadata": {}, "result": {"label": "hallucinated"}, "id": "a", "created_at": TIME,
        "updated_at": TIME, "source": "APP", "user_id": "ann",
    },
    "langfuse": {
        "id": "x", "name": "verdict", "value": False, "dataType": "BOOLEAN", "projectId": "p",
        "timestamp": TIME, "createdAt": TIME, "updatedAt": TIME, "environment": "default",
        "source": "ANNOTATION", "authorUserId": "ann", "subject": {"kind": "trace", "id": "r1"},
    },
}  # fmt: skip


@pytest.mark.parametrize("library", HELD)
def test_the_examples_of_the_page_write_a_file_that_comes_in(
    filled, tmp_path, serve, monkeypatch, library
):
    pytest.importorskip(library, reason=f"{library} is not installed")

    def answer(_: str, path: str, __: bytes) -> object:
        if path.startswith("/v1/projects/default/spans"):
            context = {"trace_id": "t", "span_id": "r1"}
            return {"data": [{"id": "s", "name": "s", "context": context}], "next_cursor": None}
        return {"data": [HELD[library]], "meta": {"limit": 100}, "next_cursor": None}

    address = serve(answer)
    monkeypatch.setenv("PHOENIX_COLLECTOR_ENDPOINT", address)
    monkeypatch.setenv("LANGFUSE_BASE_URL", address)
    monkeypatch.setenv("LANGFUSE_PUBLIC_KEY", "pk-lf-1")
    monkeypatch.setenv("LANGFUSE_SECRET_KEY", "sk-lf-1")
    exec(compile(EXAMPLES[library], f"{PAGE.name}: {library}", "exec"), {"__name__": "example"})
    name = re.search(r"core import (\S+)`", PAGE.read_text().split(library)[-1])
    assert name is not None
    kept = import_labels(tmp_path / name[1], filled)
    assert (kept.reviews, kept.rejected) == (1, ())
    (review,) = ReviewStore.open(filled).of(1)
    assert review.reviewer.endswith("user ann") and review.judgement.verdict == "hallucinated"


def test_the_exports_need_no_library(filled, tmp_path):
    path = Path(tmp_path / "tasks.json")
    path.write_bytes(exported(filled, ExportFormat.LABEL_STUDIO))
    assert import_labels(path, filled).already_there == 3
