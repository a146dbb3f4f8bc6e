"""Batch files of other programs and of the owners of data sets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import (
    BatchOptions,
    FieldMapping,
    inspect_batch_file,
    read_batch_file,
)
from provenance_core.files.labelled import read_labelled_file
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import BatchRow, GoldSpan
from tests.files.written import reasons, write_lines, write_table

# RAGTruth

RESPONSE = {
    "id": "1", "source_id": "14", "model": "gpt-4", "split": "test", "response": "Bake. Freeze.",
}  # fmt: skip
MARK = {"start": 6, "end": 12, "label_type": "Evident Baseless Info", "implicit_true": True}
SOURCE = {
    "source_id": "14", "task_type": "QA",
    "source_info": {"question": "how", "passages": "passage 1:Bake it.\n\npassage 2:Serve.\n"},
}  # fmt: skip


def test_ragtruth_needs_its_other_file(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "response.jsonl", {**RESPONSE, "labels": []})
    shape = inspect_batch_file(path)
    assert (shape.format, shape.mapping) == ("ragtruth", None)
    assert shape.companion == "source_info.jsonl"
    with pytest.raises(InputError, match=r"source_info\.jsonl is not beside this one"):
        read_batch_file(path)
    sources = write_lines(tmp_path / "source_info.jsonl", SOURCE)
    assert inspect_batch_file(path).companion == inspect_batch_file(sources).companion == ""
    assert read_batch_file(path).rows == read_batch_file(sources).rows
    path.unlink()
    assert inspect_batch_file(sources).companion == "response.jsonl"


def test_ragtruth_rows_labels_and_flags(tmp_path: Path) -> None:
    write_lines(tmp_path / "source_info.jsonl", SOURCE)
    null = {**MARK, "implicit_true": False, "due_to_null": True}
    path = write_lines(
        tmp_path / "response.jsonl",
        {**RESPONSE, "labels": []},
        {**RESPONSE, "labels": [MARK]},
        {**RESPONSE, "labels": [null]},
        {**RESPONSE, "labels": [MARK, {**MARK, "implicit_true": False, "start": 0, "end": 4}]},
        RESPONSE,
        {**RESPONSE, "source_id": "15", "labels": []},
    )
    file = read_batch_file(path)
    assert file.rows[0] == BatchRow(
        1, "how", ("Bake it.", "Serve."), "Bake. Freeze.", id="1", label=1, group="14",
        subset="test QA", task="QA", source_model="gpt-4", spans=(),
    )  # fmt: skip
    assert [row.label for row in file.rows] == [1, 0, 0, 0, None]
    assert [row.spans and len(row.spans) for row in file.rows] == [(), 1, 1, 2, None]
    assert reasons(file) == [(6, "no source '15' in source_info.jsonl")]
    without = read_batch_file(path, options=BatchOptions(implicit_true=False))
    assert [row.label for row in without.rows] == [1, 1, 0, 0, None]
    assert without.rows[3].spans == (GoldSpan(0, 4, "Evident Baseless Info"),)
    neither = read_batch_file(path, options=BatchOptions(implicit_true=False, due_to_null=False))
    assert [row.label for row in neither.rows] == [1, 1, 1, 0, None]
    labelled = read_labelled_file(path)
    assert [row.label for row in labelled.rows] == [1, 0, 0, 0]
    assert [(row.line, row.reason) for row in labelled.unreadable] == [
        (5, "no label"), (6, "no source '15' in source_info.jsonl"),
    ]  # fmt: skip


# The other programs' formats


@pytest.mark.parametrize(
    ("format", "record", "row"),
    [
        (
            "ragas",
            {"user_input": "q", "retrieved_contexts": ["c", "d"], "response": "a"},
            BatchRow(1, "q", ("c", "d"), "a"),
        ),
        (
            "ragas",
            {"question": "q", "contexts": ["c"], "answer": "a", "ground_truth": "r"},
            BatchRow(1, "q", ("c",), "a"),
        ),
        (
            "deepeval",
            {
                "input": "q", "actual_output": "a", "expected_output": "e",
                "context": ["ideal"], "retrieval_context": ["c"],
            },
            BatchRow(1, "q", ("c",), "a"),
        ),
        (
            "lettucedetect",
            {
                "prompt": "p", "answer": "a lie", "split": "dev", "task_type": "QA",
                "labels": [{"start": 2, "end": 5, "label": "conflict"}], "context": None,
            },
            BatchRow(
                1, "", ("p",), "a lie", label=0, subset="dev", task="QA",
                spans=(GoldSpan(2, 5, "conflict"),),
            ),
        ),
        (
            "lettucedetect",
            {"prompt": "q c", "question": "q", "context": "c", "answer": "a", "labels": []},
            BatchRow(1, "q", ("c",), "a", label=1),
        ),
        (
            "lettucedetect",
            {"question": "q", "contexts": ["c"], "answer": "a", "labels": []},
            BatchRow(1, "q", ("c",), "a", label=1),
        ),
        (
            "llm_aggrefact",
            {"doc": "c", "claim": "a", "label": 1},
            BatchRow(1, "", ("c",), "a", label=1, task="fact checking"),
        ),
        (
            "llm_aggrefact",
            {"dataset": "ExpertQA", "doc": "c", "claim": "a", "label": 0},
            BatchRow(1, "", ("c",), "a", label=0, task="fact checking", subset="ExpertQA"),
        ),
        (
            "halubench",
            {"id": "x", "passage": "c", "question": "q", "answer": "a", "label": "FAIL"},
            BatchRow(1, "q", ("c",), "a", id="x", label=0, task="qa"),
        ),
        (
            "halubench",
            {"passage": "c", "question": "q", "answer": "a"},
            BatchRow(1, "q", ("c",), "a", task="qa"),
        ),
        (
            "summac",
            {"document": "c", "claim": "a", "label": 1, "dataset": "s", "model_name": "m"},
            BatchRow(
                1, "", ("c",), "a", label=1, subset="s", task="summarization", source_model="m"
            ),
        ),
        (
            "true",
            {"grounding": "c", "generated_text": "a", "label": 0, "model": "m"},
            BatchRow(1, "", ("c",), "a", label=0, source_model="m"),
        ),
    ],
)  # fmt: skip
def test_one_record_is_one_row(
    tmp_path: Path, format: str, record: dict[str, object], row: BatchRow
) -> None:
    path = write_lines(tmp_path / "a.jsonl", record)
    shape = inspect_batch_file(path)
    assert shape.format == format
    assert shape.mapping is not None
    file = read_batch_file(path)
    assert (file.format, file.mapping) == (format, shape.mapping)
    assert file.rows == (replace(row, group=text_group(*row.context)),)
    assert file.warnings == file.rejected == ()
    assert read_batch_file(path, format, shape.mapping).rows == file.rows


def test_lettucedetect_with_labels_written_into_a_table(tmp_path: Path) -> None:
    record = {"prompt": "c", "answer": "a lie", "labels": "[{'start': 2, 'end': 5, 'label': 'x'}]"}
    file = read_batch_file(write_table(tmp_path / "a.csv", record, {**record, "labels": "[]"}))
    assert [(row.label, row.spans) for row in file.rows] == [(0, (GoldSpan(2, 5, "x"),)), (1, ())]


def test_true_subset_by_its_file_name(tmp_path: Path) -> None:
    record = {"grounding": "c", "generated_text": "a", "label": 0}
    file = read_batch_file(write_table(tmp_path / "begin_dev_download.csv", record))
    assert (file.format, file.rows[0].task) == ("begin", "dialogue")


def test_halueval_gives_two_rows_and_general_none(tmp_path: Path) -> None:
    pair = {"knowledge": "K", "question": "Q", "right_answer": "R", "hallucinated_answer": "H"}
    path = write_lines(tmp_path / "qa_data.json", pair)
    assert inspect_batch_file(path).mapping is None
    file = read_batch_file(path, mapping=FieldMapping(context="knowledge", answer="right_answer"))
    assert [(row.answer, row.label, row.context) for row in file.rows] == [
        ("R", 1, ("K",)), ("H", 0, ("K",)),
    ]  # fmt: skip
    assert file.warnings[0].startswith("The chosen keys were not used, as HaluEval qa says itself")
    one = read_batch_file(path, "columns", FieldMapping(context="knowledge", answer="right_answer"))
    assert [(row.answer, row.label) for row in one.rows] == [("R", None)]

    record = {"user_query": "Q", "chatgpt_response": "A", "hallucination": "no"}
    general = read_batch_file(write_lines(tmp_path / "general.jsonl", record))
    assert (general.format, general.rows) == ("halueval_general", ())
    (refused,) = general.rejected
    assert refused.reason.startswith("no context, so there is nothing to check")
    assert json.loads(refused.raw)["chatgpt_response"] == "A"


@pytest.mark.parametrize(
    ("name", "record", "rows"),
    [
        ("dialogue", {
            "knowledge": "K", "dialogue_history": "D", "right_response": "R",
            "hallucinated_response": "H",
        }, [("R", 1), ("H", 0)]),
        ("summarization", {
            "document": "K", "right_summary": "R", "hallucinated_summary": "H",
        }, [("R", 1), ("H", 0)]),
        ("truthfulqa", {
            "question": "Q", "best_answer": "B", "correct_answers": ["R"],
            "incorrect_answers": ["H"],
        }, [("R", 1), ("H", 0)]),
        ("hotpotqa", {
            "question": "Q", "answer": "R", "context": [["T", ["S."]]], "supporting_facts": [],
        }, [("R", 1)]),
        ("msmarco", {
            "query": "Q", "passages": [{"passage_text": "P"}], "answers": ["R"], "query_id": 1,
        }, [("R", 1)]),
        ("faithbench", {
            "samples": [{"source": "S", "summary": "R", "annotations": []}],
        }, [("R", 1)]),
    ],
)  # fmt: skip
def test_owners_formats_that_fix_their_rows(
    tmp_path: Path, name: str, record: object, rows: list[tuple[str, int]]
) -> None:
    path = write_lines(tmp_path / "a.json", record)
    shape = inspect_batch_file(path)
    assert name in shape.format
    assert shape.mapping is None
    assert [(row.answer, row.label) for row in read_batch_file(path).rows] == rows


def test_open_rag_eval_joins_the_passages_of_a_query_and_run(tmp_path: Path) -> None:
    def passage(query: str, run: int, number: int, answer: str) -> dict[str, object]:
        return {
            "query_id": query, "query": f"{query}?", "query_run": run,
            "passage_id": f"[{number}]", "passage": f"{query} {number}", "generated_answer": answer,
        }  # fmt: skip

    path = write_table(
        tmp_path / "answers.csv",
        passage("x", 1, 1, "X [1]."),
        passage("y", 1, 1, "Y."),
        passage("x", 1, 2, ""),
        passage("x", 2, 1, "X again."),
        passage("y", 1, 2, "Other."),
        passage("z", 1, 1, "NO_ANSWER"),
        {**passage("v", 1, 1, ""), "query_id": "v"},
    )
    shape = inspect_batch_file(path)
    assert (shape.format, shape.mapping) == ("open_rag_eval", None)
    file = read_batch_file(path)
    assert file.rows == (
        BatchRow(2, "x?", ("x 1", "x 2"), "X [1].", id="x", group="x"),
        BatchRow(3, "y?", ("y 1", "y 2"), "Y.", id="y", group="y"),
        BatchRow(5, "x?", ("x 1",), "X again.", id="x-2", group="x"),
    )
    assert [line for line, _ in reasons(file)] == [7, 8]
    assert file.rejected[0].reason.startswith("generated_answer is NO_ANSWER: there was no answer")
    assert file.rejected[1].reason.startswith("no answer; ")
    assert "1 query(s) have passages with different answers" in file.warnings[-1]


NESTED = {
    "name": "rag", "context": {"trace_id": "t", "span_id": "s"}, "parent_id": None,
    "attributes": {
        "input": {"value": "q"}, "output": {"value": "a"}, "llm": {"model_name": "m"},
        "retrieval": {"documents": [{"document": {"content": text}} for text in "cd"]},
    },
}  # fmt: skip
FLAT = {
    "context.trace_id": "t", "context.span_id": "s", "attributes.input.value": "q",
    "attributes.output.value": "a", "attributes.llm.model_name": "m",
    "attributes.retrieval.documents.1.document.content": "d",
    "attributes.retrieval.documents.0.document.content": "c",
}  # fmt: skip
FRAME = {
    "context.span_id": "s", "attributes.input.value": "q", "attributes.output.value": "a",
    "attributes.llm.model_name": "m",
    "attributes.retrieval.documents": [{"document.content": "c"}, {"document.content": "d"}],
}  # fmt: skip
ATTRIBUTES = {
    "span_id": "s",
    "attributes": {
        key.removeprefix("attributes."): value
        for key, value in FLAT.items()
        if key.startswith("attributes.")
    },
}


@pytest.mark.parametrize("span", [NESTED, FLAT, FRAME, ATTRIBUTES])
def test_openinference_span_that_has_everything(tmp_path: Path, span: dict[str, object]) -> None:
    path = write_lines(tmp_path / "spans.jsonl", span)
    assert inspect_batch_file(path).format == "openinference"
    file = read_batch_file(path)
    group = text_group("c", "d")
    assert file.rows == (BatchRow(1, "q", ("c", "d"), "a", id="s", group=group, source_model="m"),)


def test_openinference_documents_written_into_a_table(tmp_path: Path) -> None:
    record = {**FRAME, "attributes.retrieval.documents": "[{'document.content': 'c'}]"}
    file = read_batch_file(write_table(tmp_path / "spans.csv", record))
    assert [row.context for row in file.rows] == [("c",)]


def test_openinference_joins_the_spans_of_a_trace(tmp_path: Path) -> None:
    def span(trace: str, number: int, parent: int | None, kind: str, **more: object) -> object:
        return {
            "trace_id": trace, "span_id": f"{trace}{number}", "span_kind": kind,
            "parent_id": None if parent is None else f"{trace}{parent}", "attributes": more,
        }  # fmt: skip

    documents = {"documents": [{"document": {"content": "c"}}]}
    asked, said = {"value": "q"}, {"value": "a"}
    path = write_lines(
        tmp_path / "spans.jsonl",
        span("t", 3, 1, "LLM", input={"value": "prompt"}, output={"value": "draft"}),
        span("t", 2, 1, "RETRIEVER", input=asked, output={"value": "[]"}, retrieval=documents),
        span("t", 1, None, "CHAIN", input=asked, output=said),
        span("u", 1, None, "CHAIN", input=asked, output=said),
        span("v", 1, None, "RETRIEVER", input=asked, retrieval=documents),
    )
    file = read_batch_file(path)
    assert [(r.line, r.query, r.context, r.answer, r.id) for r in file.rows] == [
        (3, "q", ("c",), "a", "t1")
    ]
    assert [line for line, _ in reasons(file)] == [4, 5]
    assert "no retrieved documents; export all spans" in file.rejected[0].reason
    assert "no span with an answer (a text in its output)" in file.rejected[1].reason
