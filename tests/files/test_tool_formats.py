"""Files of other tools, in the shapes that they export: the rows that each gives."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import inspect_batch_file, read_batch_file
from provenance_core.files.formats.registry import BATCH_FORMATS, UNREAD
from tests.files.written import write, write_lines, write_parquet, write_table

QUESTION, FACT, OTHER, SAID = "How high is it?", "The tower is 40 m high.", "It is red.", "40 m."
Row = tuple[str, tuple[str, ...], str]


def rows(path: Path, format: str) -> list[Row]:
    assert inspect_batch_file(path).format == format
    file = read_batch_file(path)
    assert file.format == format
    return [(row.query, row.context, row.answer) for row in file.rows]


TURNS = [
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": QUESTION},
    {"role": "tool", "content": json.dumps([{"text": FACT}, {"text": OTHER}])},
    {"role": "assistant", "content": SAID},
    {"role": "user", "content": "What colour?"},
    {"role": "tool", "content": OTHER},
    {"role": "assistant", "content": "Red."},
]

WHOLE: list[Row] = [(QUESTION, (FACT, OTHER), SAID)]


# promptfoo


def promptfoo(number: int, output: str | None, success: bool, provider: str) -> dict[str, object]:
    return {
        "id": f"r{number}", "success": success, "score": float(success), "promptIdx": number,
        "testIdx": 0, "provider": {"id": provider, "label": ""},
        "prompt": {"raw": "...", "label": "prompts/rag.txt"},
        "vars": {"question": QUESTION, "context": f"{FACT} {OTHER}"},
        **({"response": {"output": output}} if output is not None else {"error": "API error: 529"}),
    }  # fmt: skip


def test_promptfoo_results_keep_the_tools_own_verdict_to_compare_with(tmp_path: Path) -> None:
    records = [
        promptfoo(0, SAID, True, "openai:a"), promptfoo(1, "50 m.", False, "anthropic:b"),
        promptfoo(2, None, False, "anthropic:b"),
    ]  # fmt: skip
    document = {"evalId": "e", "results": {"version": 3, "prompts": [], "results": records}}
    for path in (
        write(tmp_path / "results.json", json.dumps(document, indent=1)),
        write_lines(tmp_path / "results.jsonl", *records),
    ):
        file = read_batch_file(path)
        assert file.format == "promptfoo"
        found = [(r.answer, r.source_model, r.label, r.passed, r.id) for r in file.rows]
        assert found == [
            (SAID, "openai:a", None, 1, "r0"), ("50 m.", "anthropic:b", None, 0, "r1"),
        ]  # fmt: skip
        assert [row.line for row in file.rejected] == [3]
        assert file.rejected[0].reason.startswith("no answer: the provider failed")


def test_promptfoo_outputs_that_are_objects_give_their_text(tmp_path: Path) -> None:
    outputs: list[object] = [
        {"answer": SAID, "context": [OTHER]}, {"summary": SAID, "size": 3}, {"height": 40},
    ]  # fmt: skip
    records = [
        {**promptfoo(n, None, True, "a"), "response": {"output": output}}
        for n, output in enumerate(outputs)
    ]
    file = read_batch_file(write_lines(tmp_path / "results.jsonl", *records))
    assert [(row.line, row.answer) for row in file.rows] == [(1, SAID), (2, SAID)]
    (refused,) = file.rejected
    assert refused.reason.startswith("the output is an object with height, and no text under")
    # Without a variable, the context is what the provider returned beside its answer.
    records[0]["vars"] = {"question": QUESTION}
    (row,) = read_batch_file(write_lines(tmp_path / "results.jsonl", records[0])).rows
    assert row.context == (OTHER,)


def test_promptfoo_table_has_a_row_for_each_output_without_its_mark(tmp_path: Path) -> None:
    path = write_table(
        tmp_path / "output.csv",
        {
            "question": QUESTION,
            "context": FACT,
            "[openai:a] rag.txt": f"[PASS] {SAID}",
            "[openai:b] rag.txt": "[FAIL] Faithfulness 0.2 is < 0.8\n---\n50 m.",
            "[openai:c] rag.txt": "[ERROR] API call error: 529\n---\n",
            # As 0.118 has it, by its source.
            "[openai:d] rag.txt": f"[PASS] (1.00)\n\n{SAID}\n\nPass Reason: All passed",
            "[openai:e] rag.txt": "[FAIL] (0.50, tone (a): 1.00)\n\n50 m.\n\nFail Reason: no\n\n40",
            "[openai:f] rag.txt": "[ERROR] (0.00)\n\nAPI call error: 529",
        },
    )
    file = read_batch_file(path)
    assert file.format == "promptfoo_table"
    assert [(r.answer, r.source_model, r.passed) for r in file.rows] == [
        (SAID, "openai:a", 1), ("50 m.", "openai:b", 0),
        (SAID, "openai:d", 1), ("50 m.", "openai:e", 0),
    ]  # fmt: skip
    assert len(file.rejected) == 2
    for each in file.rejected:
        assert "the provider failed (API call error: 529): there is no answer" in each.reason


# Traces


def attributes(given: Mapping[str, object]) -> list[dict[str, object]]:
    """Attributes as OpenTelemetry's JSON writes them."""

    def value(each: object) -> dict[str, object]:
        if isinstance(each, list):
            return {"arrayValue": {"values": [value(inner) for inner in each]}}
        return {"intValue": str(each)} if isinstance(each, int) else {"stringValue": each}

    return [{"key": key, "value": value(each)} for key, each in given.items()]


def otlp(*spans: Mapping[str, object]) -> dict[str, object]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": spans}]}]}


def span(number: int, parent: int | None, given: Mapping[str, object]) -> dict[str, object]:
    return {
        "traceId": "t", "spanId": f"s{number}", "name": "x", "kind": 1,
        "parentSpanId": "" if parent is None else f"s{parent}",
        "startTimeUnixNano": f"{number}000", "endTimeUnixNano": str(9000 - number),
        "attributes": attributes(given),
    }  # fmt: skip


def said(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


GENAI = [
    {"gen_ai.operation.name": "invoke_agent", "gen_ai.input.messages": said("user", QUESTION),
     "gen_ai.output.messages": said("assistant", SAID)},
    {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": QUESTION,
     "gen_ai.retrieval.documents": json.dumps([{"id": 1, "content": FACT}, {"content": OTHER}])},
    {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
     "gen_ai.input.messages": said("user", f"{FACT} {QUESTION}"),
     "gen_ai.output.messages": said("assistant", SAID)},
]  # fmt: skip
OPENINFERENCE = [
    {"openinference.span.kind": "CHAIN", "input.value": QUESTION, "output.value": SAID},
    {"openinference.span.kind": "RETRIEVER", "input.value": QUESTION,
     "retrieval.documents.0.document.content": FACT,
     "retrieval.documents.1.document.content": OTHER},
    {"openinference.span.kind": "LLM", "input.value": "...", "output.value": SAID},
]  # fmt: skip


@pytest.mark.parametrize("given", [GENAI, OPENINFERENCE], ids=["genai", "openinference"])
def test_opentelemetrys_own_json_as_a_document_and_as_lines(
    tmp_path: Path, given: list[dict[str, object]]
) -> None:
    spans = [span(n, None if n == 0 else 0, each) for n, each in enumerate(given)]
    whole = write(tmp_path / "trace.json", json.dumps(otlp(*spans), indent=1))
    assert rows(whole, "opentelemetry") == WHOLE
    # A collector writes the spans of a trace as they end, in several lines.
    lines = write_lines(tmp_path / "trace.jsonl", *(otlp(each) for each in reversed(spans)))
    assert rows(lines, "opentelemetry") == WHOLE


def test_genai_spans_flat_and_in_a_table(tmp_path: Path) -> None:
    spans = [
        {"trace_id": "t", "span_id": f"s{n}", "parent_id": "" if n == 0 else "s0",
         "start_time": float(n), "end_time": 20.0 - n, "attributes": each}
        for n, each in enumerate(GENAI)
    ]  # fmt: skip
    assert rows(write_lines(tmp_path / "a.jsonl", *spans), "opentelemetry") == WHOLE
    names = list(dict.fromkeys(key for each in GENAI for key in each))
    table = [
        {**{k: v for k, v in each.items() if k != "attributes"},
         **{f"attributes.{name}": each["attributes"].get(name, "") for name in names}}  # type: ignore[attr-defined]
        for each in spans
    ]  # fmt: skip
    assert rows(write_table(tmp_path / "a.csv", *table), "opentelemetry") == WHOLE


def phoenix_frame() -> list[dict[str, object]]:
    """What get_spans_dataframe has: a column for each attribute, documents as one cell."""
    documents = [{"document.content": FACT, "document.score": 0.9}, {"document.content": OTHER}]
    common = {"context.trace_id": "t", "name": "x", "start_time": "2026-01-01T10:00:00+00:00"}
    return [
        {"context.span_id": "a", "parent_id": None, "span_kind": "CHAIN", **common,
         "attributes.input.value": QUESTION, "attributes.output.value": SAID,
         "attributes.retrieval.documents": None},
        {"context.span_id": "b", "parent_id": "a", "span_kind": "RETRIEVER", **common,
         "attributes.input.value": QUESTION, "attributes.output.value": None,
         "attributes.retrieval.documents": documents},
    ]  # fmt: skip


def test_phoenix_frames_through_parquet_and_csv(tmp_path: Path) -> None:
    frame = phoenix_frame()
    assert rows(write_parquet(tmp_path / "a.parquet", *frame), "openinference") == WHOLE
    # pandas writes an array of objects by str(), without commas.
    cell = "[{'document.content': 'The tower is 40 m high.', 'document.score': 0.9}\n {'document.content': 'It is red.'}]"  # noqa: E501
    written = [
        {key: "" if value is None else cell if isinstance(value, list) else value
         for key, value in each.items()}
        for each in frame
    ]  # fmt: skip
    assert rows(write_table(tmp_path / "a.csv", *written), "openinference") == WHOLE


def observation(number: int, type: str, parent: str | None, **more: object) -> dict[str, object]:
    return {
        "id": f"o{number}", "traceId": "t", "parentObservationId": parent, "type": type,
        "name": "x", "startTime": f"2026-01-01T10:00:0{number}.000Z",
        "endTime": f"2026-01-01T10:00:{20 - number}.000Z", "model": None, **more,
    }  # fmt: skip


OBSERVATIONS = [
    observation(0, "SPAN", None, input={"question": QUESTION}, output={"answer": SAID}),
    observation(
        1, "RETRIEVER", "o0", input=QUESTION,
        output=[{"page_content": FACT, "metadata": {"source": "a.pdf"}}, {"page_content": OTHER}],
    ),
    observation(
        2, "GENERATION", "o0", input=[{"role": "user", "content": f"{FACT} {QUESTION}"}],
        output={"role": "assistant", "content": SAID},
    ),
]  # fmt: skip


def test_langfuse_observations_traces_and_tables(tmp_path: Path) -> None:
    assert rows(write_lines(tmp_path / "a.jsonl", *OBSERVATIONS), "langfuse") == WHOLE
    api = write(tmp_path / "a.json", json.dumps({"data": OBSERVATIONS, "meta": {"page": 1}}))
    assert rows(api, "langfuse") == WHOLE
    cells = [
        {k: json.dumps(v) if isinstance(v, dict | list) else ("" if v is None else v)
         for k, v in each.items()}
        for each in OBSERVATIONS
    ]  # fmt: skip
    assert rows(write_table(tmp_path / "a.csv", *cells), "langfuse") == WHOLE
    below = [{**each, "parentObservationId": None} for each in OBSERVATIONS[1:]]
    trace = {"id": "t", "timestamp": "2026-01-01T10:00:00Z", "name": "qa", "input": QUESTION,
             "output": SAID, "scores": [], "observations": below}  # fmt: skip
    assert rows(write(tmp_path / "trace.json", json.dumps(trace)), "langfuse") == WHOLE
    alone = {"id": "t", "timestamp": "2026-01-01T10:00:00Z", "sessionId": None, "name": "qa",
             "input": {"question": QUESTION, "contexts": [FACT, OTHER]},
             "output": SAID}  # fmt: skip
    path = write_lines(tmp_path / "traces.jsonl", {**alone, "release": None, "bookmarked": False})
    assert rows(path, "langfuse") == WHOLE
    called = {"args": [QUESTION], "kwargs": {}}
    metadata = {**alone, "input": called, "public": True}
    metadata |= {"metadata": {"contexts": [FACT, OTHER]}, "bookmarked": False}
    assert rows(write_lines(tmp_path / "metadata.jsonl", metadata), "langfuse") == WHOLE
    named = [OBSERVATIONS[0], {**OBSERVATIONS[1], "type": "SPAN", "name": "retrieve"}]
    assert rows(write_lines(tmp_path / "named.jsonl", *named), "langfuse") == WHOLE


def test_langsmith_runs(tmp_path: Path) -> None:
    def run(number: int, type: str, inputs: object, outputs: object) -> dict[str, object]:
        return {
            "id": f"r{number}", "trace_id": "r0", "parent_run_id": None if number == 0 else "r0",
            "name": "x", "run_type": type, "start_time": f"2026-01-01T10:00:0{number}",
            "end_time": f"2026-01-01T10:00:{20 - number}", "inputs": inputs, "outputs": outputs,
        }  # fmt: skip

    documents = [{"page_content": FACT, "metadata": {}, "type": "Document"}]
    documents.append({"page_content": OTHER, "metadata": {}, "type": "Document"})
    runs = [
        run(0, "chain", {"question": QUESTION}, {"answer": SAID}),
        run(1, "retriever", {"query": QUESTION}, {"documents": documents}),
        run(2, "llm", {"messages": []}, {"generations": [[{"text": SAID}]]}),
    ]
    assert rows(write_lines(tmp_path / "a.jsonl", *runs), "langsmith") == WHOLE
    cells = [
        {k: json.dumps(v) if isinstance(v, dict) else v or "" for k, v in r.items()} for r in runs
    ]
    assert rows(write_table(tmp_path / "a.csv", *cells), "langsmith") == WHOLE
    nested = {**runs[0], "child_runs": runs[1:]}
    assert rows(write(tmp_path / "a.json", json.dumps([nested])), "langsmith") == WHOLE


def test_trulens_records_and_events(tmp_path: Path) -> None:
    calls = [
        {"stack": [{"method": {"name": "query"}}], "args": {"q": QUESTION}, "rets": SAID},
        {"stack": [{"method": {"name": "query"}}, {"method": {"name": "retrieve"}}],
         "args": {"q": QUESTION}, "rets": [FACT, OTHER]},
    ]  # fmt: skip
    record = {"app_name": "rag", "app_version": "v1", "record_id": "r", "input": QUESTION,
              "output": SAID, "record_json": json.dumps({"calls": calls}),
              "Groundedness": 0.5}  # fmt: skip
    file = write_table(tmp_path / "a.csv", record)
    assert rows(file, "trulens") == WHOLE
    at = "ai.observability"
    root = {f"{at}.span_type": "record_root", f"{at}.record_id": "r",
            f"{at}.record_root.input": QUESTION, f"{at}.record_root.output": SAID}  # fmt: skip
    found = {f"{at}.span_type": "retrieval", f"{at}.record_id": "r",
             f"{at}.retrieval.query_text": QUESTION,
             f"{at}.retrieval.retrieved_contexts": [FACT, OTHER]}  # fmt: skip
    events = [
        {"event_id": f"s{n}", "record_attributes": given,
         "start_timestamp": f"2026-01-01T10:0{n}:00",
         "timestamp": f"2026-01-01T10:{20 - n}:00",
         "trace": {"trace_id": "t", "span_id": f"s{n}", "parent_id": "s0" if n else ""}}
        for n, given in enumerate((root, found))
    ]  # fmt: skip
    assert rows(write_lines(tmp_path / "a.jsonl", *events), "trulens_events") == WHOLE


# Tables and documents of one record a row


@pytest.mark.parametrize(
    ("format", "record", "passed"),
    [
        ("llamaindex", {"query": QUESTION, "contexts": [FACT, OTHER], "response": SAID,
                        "passing": False, "feedback": "no", "score": 0.0}, 0),
        ("azure", {"inputs.query": QUESTION, "inputs.context": [FACT, OTHER],
                   "inputs.response": SAID, "outputs.groundedness.groundedness": 5,
                   "outputs.groundedness.groundedness_result": "pass"}, 1),
        ("azure", {"inputs.query": QUESTION, "outputs.context": [FACT, OTHER],
                   "outputs.response": SAID, "outputs.groundedness.groundedness_result": "fail"},
         0),
        ("llamaindex", {"query": QUESTION, "response": SAID, "source_nodes": [
            {"node": {"text": FACT, "metadata": {"page": 3}}, "score": 0.8},
            {"node": {"text": OTHER}, "score": 0.7}]}, None),
        ("bedrock", {"input": {"text": QUESTION}, "output": {"text": SAID}, "citations": [
            {"retrievedReferences": [{"content": {"text": FACT}}, {"content": {"text": OTHER}}]}]},
         None),
        ("langchain", {"query": QUESTION, "result": SAID, "source_documents": [
            {"page_content": FACT, "metadata": {"page": 3}}, {"page_content": OTHER}]}, None),
        ("lettucedetect_predictions", {"question": QUESTION, "context": [FACT, OTHER],
                                       "answer": SAID, "predictions": [
            {"start": 0, "end": 2, "confidence": 0.9, "text": "40"}]}, 0),
        ("ragbench", {"id": "1", "question": QUESTION, "documents": [FACT, OTHER], "response": SAID,
                      "adherence_score": True, "dataset_name": "techqa", "trulens_groundedness": 0},
         None),
        ("ragas", {"user_input": QUESTION, "retrieved_contexts": [FACT, OTHER], "response": SAID,
                   "faithfulness": 0.5}, None),
    ],
)  # fmt: skip
def test_one_record_is_one_row(
    tmp_path: Path, format: str, record: dict[str, object], passed: int | None
) -> None:
    path = write_lines(tmp_path / "a.jsonl", record)
    assert rows(path, format) == WHOLE
    (row,) = read_batch_file(path).rows
    assert row.passed == passed
    assert row.label == (1 if format == "ragbench" else None)
    if format == "azure":
        document = write(tmp_path / "a.json", json.dumps({"rows": [record], "metrics": {}}))
        assert rows(document, format) == WHOLE
    if format == "bedrock":  # it writes no table
        return
    table = {k: json.dumps(v) if isinstance(v, list) else v for k, v in record.items()}
    assert rows(write_table(tmp_path / "a.csv", table), format) == WHOLE
    assert rows(write_parquet(tmp_path / "a.parquet", record), format) == WHOLE


def test_haystack_answers_as_both_versions_write_them(tmp_path: Path) -> None:
    documents = [{"id": "1", "content": text, "meta": {"page": 3}} for text in (FACT, OTHER)]
    found = {"data": "40 m", "query": QUESTION, "document": documents[0], "context": "It is 40 m.",
             "score": 0.9, "document_offset": {"start": 0, "end": 4}, "meta": {}}  # fmt: skip
    made = {"data": SAID, "query": QUESTION, "documents": documents, "meta": {"model": "m"}}
    nothing = {**found, "data": None, "document": None, "context": None}
    for each in (found, {"type": "ExtractedAnswer", "init_parameters": found}):
        file = read_batch_file(write_lines(tmp_path / "a.jsonl", each, nothing))
        assert (file.format, len(file.rejected)) == ("haystack", 1)
        assert [(r.query, r.context, r.answer) for r in file.rows] == [(QUESTION, (FACT,), "40 m")]
    wrapped = {"type": "GeneratedAnswer", "init_parameters": made}
    for several in ([made], [wrapped], [{"answer_builder": {"answers": [made]}}]):
        assert rows(write_lines(tmp_path / "a.jsonl", *several), "haystack") == WHOLE


def inspect_sample(answer: str, score: str) -> dict[str, object]:
    return {
        "id": "s1", "epoch": 1, "target": "40 m",
        "input": TURNS[:2],
        "messages": [], "metadata": {"sources": [FACT, OTHER]}, "events": [{"event": "model"}],
        "output": {"model": "openai/m", "completion": answer, "choices": [
            {"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}]},
        "scores": {"match": {"value": score, "answer": answer}},
    }  # fmt: skip


@pytest.mark.parametrize("packed", [zipfile.ZIP_DEFLATED, 93], ids=["deflate", "zstandard"])
def test_inspect_logs(tmp_path: Path, packed: int) -> None:
    samples = [inspect_sample(SAID, "C"), inspect_sample("50 m.", "I")]
    log = {"version": 2, "status": "success", "eval": {"task": "qa"}, "samples": samples}
    document = write(tmp_path / "log.json", json.dumps(log))
    archive = inspect_archive(tmp_path / "log.eval", samples, packed)
    for path in (document, archive):
        file = read_batch_file(path)
        assert file.format == "inspect"
        assert [(r.query, r.context, r.answer, r.passed, r.source_model) for r in file.rows] == [
            (QUESTION, (FACT, OTHER), SAID, 1, "openai/m"),
            (QUESTION, (FACT, OTHER), "50 m.", 0, "openai/m"),
        ]
    empty = inspect_archive(tmp_path / "none.eval", [], zipfile.ZIP_DEFLATED)
    with pytest.raises(InputError, match=r"none\.eval: the log holds no samples"):
        read_batch_file(empty)


def inspect_archive(path: Path, samples: Iterable[object], packed: int) -> Path:
    """An archive as Inspect writes it; Python packs no Zstandard before 3.14, so by hand."""
    import pyarrow

    texts = {f"samples/{n}_epoch_1.json": json.dumps(s) for n, s in enumerate(samples)}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if packed != 93 else 0) as archive:
        archive.writestr("header.json", "{}")
        for name, text in texts.items():
            data = text.encode()
            if packed == 93:
                data = pyarrow.compress(data, "zstd", asbytes=True)
            archive.writestr(name, data)
    if packed == 93:
        data = bytearray(path.read_bytes())
        for at in range(len(data) - 4):
            # The method stands at 8 of a local header and at 10 of one of the directory.
            for mark, offset, name_at in ((b"PK\x03\x04", 8, 30), (b"PK\x01\x02", 10, 46)):
                if data[at : at + 4] == mark and data[at + name_at :].startswith(b"samples/"):
                    data[at + offset] = 93
        path.write_bytes(data)
    return path


# Conversations


def test_each_turn_of_an_assistant_is_a_row_with_its_own_passages(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl", {"id": "c", "messages": TURNS}, {"messages": TURNS[:2]}
    )
    file = read_batch_file(path)
    assert file.format == "conversations"
    assert [(r.query, r.context, r.answer, r.id, r.group) for r in file.rows] == [
        (QUESTION, (FACT, OTHER), SAID, "c-1", "c"),
        (f"User: {QUESTION}\nAssistant: {SAID}\nUser: What colour?", (OTHER,), "Red.", "c-2", "c"),
    ]
    assert "no turn of an assistant" in file.rejected[0].reason


@pytest.mark.parametrize(
    "record",
    [
        {"turns": [{"role": "user", "content": QUESTION},
                   {"role": "assistant", "content": SAID, "retrieval_context": [FACT, OTHER]}]},
        {"messages": TURNS[1:2] + TURNS[3:4], "context": [FACT, OTHER]},
        {"conversations": [{"from": "human", "value": QUESTION}, {"from": "gpt", "value": SAID}],
         "documents": [FACT, OTHER]},
        {"user_input": [{"content": QUESTION, "type": "human"},
                        {"content": json.dumps([FACT, OTHER]), "type": "tool"},
                        {"content": SAID, "type": "ai"}], "reference_topics": ["towers"]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}]},
                      {"role": "assistant", "content": [{"type": "text", "text": SAID}],
                       "context": {"citations": [{"content": FACT}, {"content": OTHER}]}}]},
        {"conversation": {"messages": [{"role": "user", "content": QUESTION},
                                       {"role": "assistant", "content": SAID}]},
         "context": [FACT, OTHER]},
        {"messages": [{"role": "user", "content": QUESTION},
                      {"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "c"}]},
                      {"role": "tool", "content": json.dumps({"results": [
                          {"title": "t", "content": FACT}, {"content": OTHER}]})},
                      {"role": "assistant", "content": SAID}]},
        {"messages": [{"role": "user", "content": QUESTION},
                      {"role": "assistant", "content": [
                          {"type": "text", "text": "Let me look."}, {"type": "tool_use"}]},
                      {"role": "user", "content": [{"type": "tool_result", "content": [
                          {"type": "text", "text": FACT}, {"type": "text", "text": OTHER}]}]},
                      {"role": "assistant", "content": [{"type": "text", "text": SAID}]}]},
        {"messages": [{"role": "user", "content": QUESTION}], "contexts": [FACT, OTHER],
         "response": SAID},
        {"user_input": [{"content": QUESTION, "type": "human"},
                        {"content": json.dumps([FACT, OTHER]), "type": "tool"},
                        {"content": SAID, "type": "ai"}], "reference": "40"},
        {"input": [{"speaker": "user", "text": QUESTION}], "predictions": [{"text": SAID}],
         "contexts": [{"text": FACT, "document_id": "d"}, {"text": OTHER}]},
    ],
    ids=["deepeval", "openai", "sharegpt", "ragas", "azure openai", "azure", "tool data",
         "tool result", "answer beside", "ragas turns", "mtrag"],
)  # fmt: skip
def test_conversations_of_several_tools(tmp_path: Path, record: dict[str, object]) -> None:
    assert rows(write_lines(tmp_path / "a.jsonl", record), "conversations") == WHOLE


def test_messages_one_a_record_are_joined_to_their_conversations(tmp_path: Path) -> None:
    said = [("a", "user", QUESTION, ""), ("a", "assistant", SAID, FACT), ("b", "user", "Q?", ""),
            ("b", "assistant", "Red.", OTHER)]  # fmt: skip
    table = [
        dict(zip(("conversation_id", "role", "content", "context"), each, strict=True))
        for each in said
    ]
    assert rows(write_table(tmp_path / "a.csv", *table), "messages") == [
        (QUESTION, (FACT,), SAID), ("Q?", (OTHER,), "Red."),
    ]  # fmt: skip


# What is known and not read


def test_a_file_that_is_known_and_not_read_is_named_with_the_way_on(tmp_path: Path) -> None:
    for each in UNREAD:
        path = write_lines(tmp_path / "a.jsonl", dict.fromkeys(sorted(each.keys), "x"))
        with pytest.raises(InputError) as caught:
            read_batch_file(path)
        assert str(caught.value) == f"{path}: {each.advice}"


def test_every_format_is_a_table_of_our_fields() -> None:
    fields = {"query", "context", "answer", "label", "id", "group", "subset", "task",
              "source_model", "passed"}  # fmt: skip
    for known in BATCH_FORMATS.values():
        assert {each.field for each in known.columns} <= fields
        assert all(each.paths for each in known.columns)
