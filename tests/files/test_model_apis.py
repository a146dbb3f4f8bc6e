"""Responses of OpenAI and answers of Gemini, in their documented shapes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import read_batch_file
from tests.files.written import write, write_lines

FACT = "The tower is 330 m tall."
QUESTION = "How tall is it?"
HIT = {"attributes": {}, "file_id": "f", "filename": "tower.pdf", "score": 0.9, "text": FACT}
SAID = {
    "id": "msg", "type": "message", "role": "assistant", "status": "completed", "content": [
        {"type": "output_text", "text": "330 m.", "annotations": [
            {"type": "file_citation", "index": 3, "file_id": "f", "filename": "tower.pdf"}]}],
}  # fmt: skip


def response(*items: Mapping[str, object]) -> dict[str, object]:
    return {
        "id": "resp_1", "object": "response", "created_at": 1741476777, "model": "gpt-4o",
        "error": None, "instructions": None, "output": [*items, SAID], "parallel_tool_calls": True,
    }  # fmt: skip


def search(*results: object) -> dict[str, object]:
    found = list(results) or None
    return {"id": "fs", "type": "file_search_call", "queries": ["height"], "results": found}


WHOLE = response(search(HIT))
IN_BATCH = {"id": "batch_req_1", "custom_id": "r1", "error": None,
            "response": {"status_code": 200, "request_id": "x", "body": WHOLE}}  # fmt: skip


@pytest.mark.parametrize(
    ("record", "query", "name"),
    [
        (WHOLE, "height", "resp_1"),
        ({"question": QUESTION, "response": WHOLE}, QUESTION, ""),
        ({"request": {"input": [{"role": "user", "content": QUESTION}]}, "response": WHOLE},
         QUESTION, ""),
        (IN_BATCH, "height", "r1"),
    ],
)  # fmt: skip
def test_responses_of_openai(
    tmp_path: Path, record: Mapping[str, object], query: str, name: str
) -> None:
    for path in (
        write_lines(tmp_path / "a.jsonl", record, record),
        write(tmp_path / "a.json", json.dumps([record, record], indent=1)),
    ):
        file = read_batch_file(path)
        assert (file.format, len(file.rows), file.rejected) == ("openai", 2, ())
        row = file.rows[0]
        assert (row.query, row.texts, row.answer) == (query, (FACT,), "330 m.")
        assert (row.items[0].name, row.id, row.source_model) == ("tower.pdf", name, "gpt-4o")


def test_what_tools_returned_is_context_and_a_response_without_any_is_refused(
    tmp_path: Path,
) -> None:
    tool = {"type": "mcp_call", "name": "find", "output": FACT}
    failed = {"custom_id": "r2", "response": None, "error": {"code": "batch_expired"}}
    web = {"type": "web_search_call", "action": {"type": "search", "query": "height"}}
    lines = [response(tool), response(search()), response(web), failed]
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", *lines))
    assert [row.texts for row in file.rows] == [(FACT,)]
    reasons = [row.reason for row in file.rejected]
    assert 'include=["file_search_call.results"]' in reasons[0]
    assert reasons[1].startswith("no context: of OpenAI's responses")
    assert reasons[2] == "the request failed (batch_expired): there is no answer"


def gemini(chunk: Mapping[str, object], *answers: str) -> dict[str, object]:
    grounded = {"groundingChunks": [chunk], "retrievalQueries": ["height"]}
    parts = [[{"text": "Let me think.", "thought": True}, {"text": each}] for each in answers]
    return {
        "candidates": [{"content": {"parts": each, "role": "model"}, "finishReason": "STOP",
                        "groundingMetadata": grounded} for each in parts],
        "usageMetadata": {"promptTokenCount": 3}, "modelVersion": "gemini-2.5", "responseId": "r",
    }  # fmt: skip


TEXT = {"retrievedContext": {"uri": "gs://b/t.pdf", "title": "Tower", "text": FACT}}
CHUNK = {"retrievedContext": {"title": "Tower", "ragChunk": {"text": FACT}}}
SNAKE = {
    "candidates": [{"content": {"parts": [{"text": "330 m."}]}, "grounding_metadata": {
        "grounding_chunks": [{"retrieved_context": {"title": "Tower", "text": FACT}}],
        "retrieval_queries": ["height"]}}],
    "model_version": "gemini-2.5",
}  # fmt: skip
REQUEST = {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}]}


@pytest.mark.parametrize(
    ("record", "query"),
    [
        (gemini(TEXT, "330 m."), "height"),
        (gemini(CHUNK, "330 m."), "height"),
        (SNAKE, "height"),
        ({"request": REQUEST, "response": gemini(TEXT, "330 m."), "status": ""}, QUESTION),
    ],
)
def test_answers_of_gemini(tmp_path: Path, record: Mapping[str, object], query: str) -> None:
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", record))
    assert file.format == "gemini"
    (row,) = file.rows
    assert (row.query, row.texts, row.answer) == (query, (FACT,), "330 m.")
    assert (row.items[0].name, row.source_model) == ("Tower", "gemini-2.5")


def test_each_candidate_of_gemini_is_a_row_and_addresses_are_no_context(tmp_path: Path) -> None:
    web = {"web": {"uri": "https://example.org", "title": "example.org"}}
    lines = [gemini(TEXT, "330 m.", "300 m."), gemini(web, "330 m.")]
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", *lines))
    assert [(row.id, row.answer) for row in file.rows] == [("r-1", "330 m."), ("r-2", "300 m.")]
    (refused,) = file.rejected
    assert refused.line == 2 and "Google Search gives back addresses" in refused.reason


CHAT = {"id": "c", "object": "chat.completion", "created": 1, "model": "gpt", "choices": [
    {"index": 0, "message": {"role": "assistant", "content": "330 m."}}]}  # fmt: skip


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"custom_id": "r", "response": {"status_code": 200, "body": CHAT}, "error": None},
         "the output of OpenAI's Batch API"),
        ({"custom_id": "r", "response": None, "error": {"code": "batch_expired"}},
         "errors of OpenAI's Batch API"),
        ({"custom_id": "r", "method": "POST", "url": "/v1/chat/completions",
          "body": {"messages": [{"role": "user", "content": "q"}]}},
         "the requests of OpenAI's Batch API"),
        (CHAT, "responses of OpenAI's chat completions"),
    ],
)  # fmt: skip
def test_what_holds_no_context_is_named_with_the_way_on(
    tmp_path: Path, record: Mapping[str, object], said: str
) -> None:
    with pytest.raises(InputError, match=rf"{said}.*write query, context and answer of each as"):
        read_batch_file(write_lines(tmp_path / "a.jsonl", record))
