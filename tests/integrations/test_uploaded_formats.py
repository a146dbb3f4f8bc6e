"""Files that the libraries of others write, read as uploads: by their real classes and names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provenance_core.files.batch import BatchFile, inspect_batch_file, read_batch_file
from provenance_core.files.formats.registry import BATCH_FORMATS
from provenance_core.files.traces import read_span
from tests.integrations.conftest import FACT, OTHER, QUESTION, RIGHT


def read(path: Path, format: str) -> BatchFile:
    assert inspect_batch_file(path).format == format
    file = read_batch_file(path)
    assert not file.rejected
    return file


def rows(path: Path, format: str) -> list[tuple[str, tuple[str, ...], str]]:
    return [(row.query, row.texts, row.answer) for row in read(path, format).rows]


def test_the_files_of_ragas(tmp_path):
    schema = pytest.importorskip("ragas.dataset_schema", reason="ragas is not installed")
    from ragas.utils import REQUIRED_COLS_v1

    data = schema.EvaluationDataset(
        samples=[
            schema.SingleTurnSample(
                user_input=QUESTION,
                retrieved_contexts=[FACT, OTHER],
                response=RIGHT,
                reference="1932",
                reference_contexts=["ideal"],
            )
        ]
    )
    data.to_jsonl(str(tmp_path / "rows.jsonl"))
    data.to_csv(str(tmp_path / "rows.csv"))
    expected = [(QUESTION, (FACT, OTHER), RIGHT)]
    assert rows(tmp_path / "rows.jsonl", "ragas") == expected
    assert rows(tmp_path / "rows.csv", "ragas") == expected
    now, before = BATCH_FORMATS["ragas"].keys
    assert now <= set(schema.SingleTurnSample.model_fields)
    assert before == {REQUIRED_COLS_v1[name] for name in now}


def test_the_files_of_deepeval(tmp_path):
    pytest.importorskip("deepeval", reason="deepeval is not installed")
    from deepeval.dataset import EvaluationDataset, Golden
    from deepeval.test_case import LLMTestCase, RetrievedContextData

    sourced = RetrievedContextData(source="bridges.txt", context=FACT)
    golden = Golden(
        input=QUESTION,
        actual_output=RIGHT,
        expected_output="1932",
        context=["ideal"],
        retrieval_context=[sourced, OTHER],
    )
    for kind in ("json", "jsonl", "csv"):
        EvaluationDataset(goldens=[golden]).save_as(
            kind, str(tmp_path), file_name="rows", include_test_cases=False
        )
        assert rows(tmp_path / f"rows.{kind}", "deepeval") == [(QUESTION, (FACT, OTHER), RIGHT)]
    parted = read(tmp_path / "rows.csv", "deepeval").warnings
    assert any("is one text; it was parted at |" in said for said in parted)
    case = LLMTestCase(
        input=QUESTION, actual_output=RIGHT, retrieval_context=["a | b"], context=["ideal"]
    )
    path = tmp_path / "case.jsonl"
    for by_alias in (True, False):
        path.write_text(json.dumps(case.model_dump(by_alias=by_alias)) + "\n", encoding="utf-8")
        # A list is a list: what stands between its items is not looked for.
        assert rows(path, "deepeval") == [(QUESTION, ("a | b",), RIGHT)]


def test_the_names_of_openinference():
    trace = pytest.importorskip("openinference.semconv.trace", reason="openinference is missing")
    kinds = {kind.value.casefold() for kind in trace.OpenInferenceSpanKindValues}
    ours = ("retriever", "reranker", "embedding", "tool", "prompt", "evaluator", "guardrail", "llm")
    assert kinds >= set(ours)
    of, message = trace.SpanAttributes, trace.MessageAttributes
    content = trace.DocumentAttributes.DOCUMENT_CONTENT
    ranked = trace.RerankerAttributes
    retriever = read_span(
        {
            of.OPENINFERENCE_SPAN_KIND: trace.OpenInferenceSpanKindValues.RETRIEVER.value,
            of.INPUT_VALUE: QUESTION,
            f"{of.RETRIEVAL_DOCUMENTS}.0.{content}": FACT,
        },
        span_id="a",
        parent="",
    )
    assert (retriever.query, retriever.documents) == (QUESTION, (FACT,))
    reranker = read_span(
        {
            of.OPENINFERENCE_SPAN_KIND: trace.OpenInferenceSpanKindValues.RERANKER.value,
            f"{ranked.RERANKER_INPUT_DOCUMENTS}.0.{content}": OTHER,
            f"{ranked.RERANKER_OUTPUT_DOCUMENTS}.0.{content}": FACT,
        },
        span_id="a",
        parent="",
    )
    assert (reranker.given, reranker.documents) == ((OTHER,), (FACT,))
    part = trace.MessageContentAttributes.MESSAGE_CONTENT_TEXT
    for said in (message.MESSAGE_CONTENT, f"{message.MESSAGE_CONTENTS}.0.{part}"):
        model = read_span(
            {
                of.OPENINFERENCE_SPAN_KIND: trace.OpenInferenceSpanKindValues.LLM.value,
                of.OUTPUT_VALUE: json.dumps({"generations": []}),
                of.OUTPUT_MIME_TYPE: trace.OpenInferenceMimeTypeValues.JSON.value,
                f"{of.LLM_OUTPUT_MESSAGES}.0.{said}": RIGHT,
            },
            span_id="a",
            parent="",
        )
        assert model.answer == RIGHT


def test_the_spans_of_phoenix_as_a_list_and_as_a_table(tmp_path):
    pytest.importorskip("phoenix.client", reason="arize-phoenix-client is not installed")
    import pandas
    from phoenix.client.__generated__ import v1
    from phoenix.client.helpers.spans import dataframe_to_spans

    moments = [f"2026-01-01T00:00:0{second}+00:00" for second in range(4)]
    documents = [{"document.content": FACT}, {"document.content": OTHER}]
    kept = {
        "context.span_id": ["r", "d", "l"],
        "context.trace_id": ["t"] * 3,
        "parent_id": [None, "r", "r"],
        "name": ["request", "search", "model"],
        "span_kind": ["CHAIN", "RETRIEVER", "LLM"],
        "start_time": [moments[0], moments[0], moments[2]],
        "end_time": [moments[3], moments[1], moments[3]],
        "status_code": ["OK"] * 3,
        "attributes.input.value": [QUESTION, QUESTION, "a prompt"],
        "attributes.output.value": [None, "[]", RIGHT],
        "attributes.retrieval.documents": [None, documents, None],
    }
    table = pandas.DataFrame(kept).set_index("context.span_id", drop=False)
    spans = dataframe_to_spans(table)
    # The names that we read are those of the client's own type.
    assert {"context", "parent_id", "span_kind", "start_time", "end_time", "attributes"} <= (
        v1.Span.__annotations__.keys()
    )
    assert {"trace_id", "span_id"} <= v1.SpanContext.__annotations__.keys()
    listed, parquet = tmp_path / "spans.json", tmp_path / "spans.parquet"
    listed.write_text(json.dumps(spans, default=str), encoding="utf-8")
    table.reset_index(drop=True).to_parquet(parquet)
    csv = tmp_path / "spans.csv"
    table.to_csv(csv, index=False)
    for path in (listed, parquet, csv):
        assert rows(path, "openinference") == [(QUESTION, (FACT, OTHER), RIGHT)]
        assert [row.id for row in read(path, "openinference").rows] == ["l"]
