"""Files that people have: sheets with dates and merged cells, tables in Markdown, several JSON
texts, what a search engine returned, letters that were decoded wrongly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from provenance_core.errors import InputError
from provenance_core.files.batch import read_batch_file
from provenance_core.files.batch.cell_format import shown_moment
from provenance_core.files.uploaded_context import read_context_file
from provenance_core.files.values.garbled import garbled_word
from tests.files.written import OWN, reasons, write, write_lines, write_sheet, write_table

# Sheets

MOMENT = datetime(2024, 3, 5, 14, 30, 15, 600_000)


@pytest.mark.parametrize(
    ("value", "format", "shown"),
    [
        (datetime(2024, 3, 5), "dd.mm.yyyy", "05.03.2024"),
        (datetime(2024, 3, 5), "ddd, mmm d yy", "Tue, Mar 5 24"),
        (datetime(2024, 3, 5), "d/m/yyyy h:mm", "5/3/2024 0:00"),
        (MOMENT, "m/d/yy h:mm AM/PM", "3/5/24 2:30 PM"), (MOMENT, "DD/MM/YYYY", "05/03/2024"),
        (MOMENT, r"d\ mmmm\ yyyy;@", "5 March 2024"),
        (MOMENT, '[$-409]dddd "at" h AM/PM', "Tuesday at 2 PM"),
        (MOMENT, "hh:mm", "14:30"), (MOMENT, "mm:ss.0", "30:15.6"), (MOMENT, "h:mm:ss", "14:30:16"),
        (time(0, 5, 7), "h:mm a/p", "12:05 A"), (date(2024, 3, 5), "mmm-yy", "Mar-24"),
        (timedelta(hours=26, minutes=5), "[h]:mm", "26:05"), (timedelta(minutes=90), "[mm]", "90"),
        # A program writes its dates so, and the machine or another language decides the rest.
        (datetime(2024, 3, 5), "yyyy-mm-dd hh:mm:ss", date(2024, 3, 5)),
        (MOMENT, "mm-dd-yy", date(2024, 3, 5)), (MOMENT, "[$-407]d. mmmm yyyy", date(2024, 3, 5)),
        (MOMENT, "[$-F400]h:mm:ss AM/PM", datetime(2024, 3, 5, 14, 30, 16)),
        (timedelta(hours=-1), "h:mm", timedelta(hours=-1)),
    ],
)  # fmt: skip
def test_a_moment_is_what_its_cell_shows(value: date, format: str, shown: object) -> None:
    assert shown_moment(value, format) == shown


def test_dates_of_a_sheet_are_read_as_it_shows_them(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["question", "context", "answer"])
    book.active.append(["When?", datetime(2024, 3, 5), time(14, 30)])
    book.active["B2"].number_format, book.active["C2"].number_format = "d mmmm yyyy", "h:mm AM/PM"
    book.save(tmp_path / "a.xlsx")
    (row,) = read_batch_file(tmp_path / "a.xlsx").rows
    assert (row.context, row.answer) == (("5 March 2024",), "2:30 PM")


QUESTIONS = (
    ("question", "context", "answer", "label"),
    ("Who?", "It was built by Eiffel.", "Eiffel.", 1), (None, "It is of iron.", None, None),
    (None, "It opened in 1877.", None, 0), ("Where?", "In Porto.", "Porto.", 1),
)  # fmt: skip


@pytest.mark.parametrize(
    ("merged", "answers", "said"),
    [
        (("A2:A4", "C2:C4"), [(2, "Who?", "Eiffel.", 3), (5, "Where?", "Porto.", 1)], "2 row(s)"),
        # Tall cells are one row.
        (("A2:A3", "C2:C3"), [(2, "Who?", "Eiffel.", 2), (5, "Where?", "Porto.", 1)], "1 row(s)"),
    ],
)
def test_merged_cells_hold_for_each_of_their_rows(
    tmp_path: Path, merged: Sequence[str], answers: object, said: str
) -> None:
    path = write_sheet(tmp_path / "a.xlsx", QUESTIONS)
    book = openpyxl.load_workbook(path)
    for each in merged:
        book.active.merge_cells(each)
    book.save(path)
    file = read_batch_file(path)
    assert [(r.line, r.query, r.answer, len(r.context)) for r in file.rows] == answers
    assert said in " ".join(file.warnings)


def test_a_question_merged_over_its_answers_is_that_of_each(tmp_path: Path) -> None:
    rows = [
        ("question", "context", "answer"), ("Who?", "It was Eiffel.", "Eiffel."),
        (None, None, "Gustave."), (None, None, None), ("Where?", "In Porto.", "Porto."),
    ]  # fmt: skip
    path = write_sheet(tmp_path / "a.xlsx", rows)
    book = openpyxl.load_workbook(path)
    for each in ("A2:A4", "B2:B4"):
        book.active.merge_cells(each)
    book.save(path)
    file = read_batch_file(path)
    assert [(r.line, r.query, r.context, r.answer) for r in file.rows] == [
        (2, "Who?", ("It was Eiffel.",), "Eiffel."),
        (3, "Who?", ("It was Eiffel.",), "Gustave."),
        (5, "Where?", ("In Porto.",), "Porto."),
    ]
    assert file.rejected == ()
    assert "in these columns: question, context." in " ".join(file.warnings)


# Several JSON texts in one file


def test_objects_written_over_several_lines_are_read_one_by_one(tmp_path: Path) -> None:
    whole, other = ({**OWN, "answer": answer} for answer in ("a", "b"))
    damaged = json.dumps(whole, indent=2).replace('"a"', "oops")
    texts = [json.dumps(whole, indent=2), damaged, json.dumps(other, indent=2) + json.dumps(other)]
    file = read_batch_file(write(tmp_path / "a.jsonl", "\n".join(texts)))
    assert [(row.line, row.answer) for row in file.rows] == [(1, "a"), (15, "b"), (21, "b")]
    ((line, reason),) = reasons(file)
    assert (line, reason.split(" (")[0]) == (8, "not JSON at line 13, column 13")


def test_lines_behind_a_damaged_first_one_are_refused_one_by_one(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", '{"answer": "a"', OWN, "oops", f"{json.dumps(OWN)},")
    file = read_batch_file(path)
    assert [row.line for row in file.rows] == [2]
    assert [line for line, _ in reasons(file)] == [1, 3, 4]


# What a search returned, and documents of messages

CHROMA = {
    "ids": [["a", "b"]], "documents": [["It was Eiffel.", "In Porto."]],
    "metadatas": [[{"title": "Bridge"}, None]], "distances": [[0.1, 0.2]],
}  # fmt: skip
PINECONE = {
    "matches": [
        {"id": "a", "score": 0.9, "metadata": {"text": "It was Eiffel.", "title": "Bridge"}},
        {"id": "b", "score": 0.8, "metadata": {"text": "In Porto."}},
    ]
}
ELASTIC = {
    "took": 5,
    "hits": {
        "total": {"value": 2},
        "hits": [
            {"_id": "a", "_source": {"content": "It was Eiffel.", "title": "Bridge"}},
            {"_id": "b", "_source": {"content": "In Porto."}},
        ],
    },
}
QDRANT = {"result": {"points": [{"id": "b", "payload": {"text": "In Porto."}}]}, "status": "ok"}
WEAVIATE = {"data": {"Get": {"Page": [{"title": "b", "content": "In Porto."}]}}}
FOUND = [("Bridge", "It was Eiffel."), ("b", "In Porto.")]


@pytest.mark.parametrize(
    ("response", "found"),
    [
        (CHROMA, FOUND), (PINECONE, FOUND), (PINECONE["matches"], FOUND), (ELASTIC, FOUND),
        (ELASTIC["hits"], FOUND), (QDRANT, FOUND[1:]), (WEAVIATE, FOUND[1:]),
        ([[{"id": "b", "entity": {"text": "In Porto."}}]], FOUND[1:]),
        ({"documents": ["It was Eiffel.", "In Porto."]}, [("", text) for _, text in FOUND]),
    ],
)  # fmt: skip
def test_of_what_a_search_returned_the_texts_are_the_context(
    tmp_path: Path, response: object, found: object
) -> None:
    row = {"query": "q", "context": response, "answer": "a"}
    for path in (
        write_lines(tmp_path / "a.jsonl", row),
        write_table(tmp_path / "a.csv", {**row, "context": json.dumps(response)}),
    ):
        (read,) = read_batch_file(path).rows
        assert [(item.name, item.text) for item in read.items] == found


@pytest.mark.parametrize("response", [CHROMA, PINECONE, ELASTIC])
def test_what_a_search_returned_is_an_uploaded_context(response: object) -> None:
    read = read_context_file("a.json", json.dumps(response).encode())
    assert [(item.name, item.text) for item in read.items] == [
        (f"{name} · a.json, record 1, context {number}", text)
        for number, (name, text) in enumerate(FOUND, 1)
    ]


@pytest.mark.parametrize("response", [CHROMA, PINECONE, ELASTIC])
def test_what_a_search_returned_is_one_value_of_a_record(tmp_path: Path, response: object) -> None:
    row = {"question": "q", "retrieved_contexts": response, "response": "a"}
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", row))
    assert [(item.name, item.text) for item in file.rows[0].items] == FOUND
    assert file.warnings == ()


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ({"hits": {"total": 0, "hits": []}}, "no context"),
        (
            {"hits": {"hits": [{"_source": {"abstract": "In Porto."}}]}},
            "context holds what a search",
        ),
    ],
)
def test_a_search_without_a_text_is_no_context(
    tmp_path: Path, response: object, reason: str
) -> None:
    cell = {"query": "q", "context": json.dumps(response), "answer": "a"}
    ((_, said),) = reasons(read_batch_file(write_table(tmp_path / "a.csv", cell)))
    assert said.startswith(reason)


def test_documents_and_search_results_of_a_message_are_the_context(tmp_path: Path) -> None:
    def talk(*blocks: object) -> dict[str, object]:
        asked = {"role": "user", "content": [*blocks, {"type": "text", "text": "Who?"}]}
        said = {"role": "assistant", "content": [{"type": "text", "text": "Eiffel."}]}
        more = [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": "Porto."}]
        return {"id": "t", "messages": [asked, said, *more]}

    text = {"type": "text", "media_type": "text/plain", "data": "It was Eiffel."}
    parts = {"type": "content", "content": [{"type": "text", "text": "In Porto."}]}
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
    found = {"type": "search_result", "source": "b", "title": "b", "content": parts["content"]}
    path = write_lines(
        tmp_path / "a.jsonl",
        talk({"type": "document", "source": text, "title": "Bridge"}, found),
        talk({"type": "document", "source": parts}),
        talk({"type": "document", "source": pdf}),
    )
    file = read_batch_file(path)
    items = [[(item.name, item.text) for item in row.items] for row in file.rows]
    assert items == [FOUND, FOUND, [("", "In Porto.")], [("", "In Porto.")]]
    ((line, reason),) = reasons(file)
    assert line == 3 and reason.startswith("a document in content is given as application/pdf, and")


# Tables of text

MARKDOWN = (
    "# Answers\n\n| question | context | answer |\n|---|:---:|---|\n"
    "| q | one \\| two<br>three | a |\n| q | c |\n\nThe end.\n"
)


@pytest.mark.parametrize("name", ["a.md", "a.csv", "a.txt"])
def test_a_markdown_table_is_read_whatever_its_file_is_called(tmp_path: Path, name: str) -> None:
    file = read_batch_file(write(tmp_path / name, MARKDOWN))
    assert [(row.line, row.context, row.answer) for row in file.rows] == [
        (5, ("one | two\nthree",), "a")
    ]
    assert [(line, reason[:9]) for line, reason in reasons(file)] == [(6, "2 columns")]
    assert "2 other line(s) of the file were not" in " ".join(file.warnings)


@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_bars_may_part_the_cells_of_a_table(tmp_path: Path, name: str) -> None:
    text = "question|context|answer\nWho, and when?|Eiffel, in 1877, did.|Eiffel, 1877.\n"
    (row,) = read_batch_file(write(tmp_path / name, text)).rows
    assert (row.query, row.answer) == ("Who, and when?", "Eiffel, 1877.")


def test_a_table_within_a_cell_and_a_text_are_no_markdown_table(tmp_path: Path) -> None:
    cell = "| question | answer |\n|---|---|\n| a | b |"
    (row,) = read_batch_file(write_table(tmp_path / "a.csv", {**OWN, "context": cell})).rows
    assert row.context == (cell,)
    with pytest.raises(InputError, match="it is a text, without a table that names two"):
        read_batch_file(write(tmp_path / "a.txt", "It was a long day, in March.\n"))


@pytest.mark.parametrize(
    ("groups", "names", "answer"),
    [
        ("Input,,Output,", "question,context,answer,model", "answer"),
        ("Request,Request,System A,System A", "question,context,answer,model", "answer"),
        ("Question,Context,System A,", ",,answer,model", "answer"),
        ("Input,Input,A,B", "question,context,answer,answer", "answer (A)"),
    ],
)
def test_a_row_of_groups_stands_above_the_names_of_columns(
    tmp_path: Path, groups: str, names: str, answer: str
) -> None:
    file = read_batch_file(write(tmp_path / "a.csv", f"{groups}\n{names}\nq,c,a,b\n"))
    assert [(row.line, row.query, row.answer) for row in file.rows] == [(3, "q", "a")]
    assert file.mapping is not None and file.mapping.answer == answer
    assert "was taken for a title or groups of columns above the heading" in file.warnings[0]


# Traces

SAID = json.dumps({"role": "assistant", "content": "Eiffel."})
ASKED = json.dumps(
    [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Who?"}]
)


@pytest.mark.parametrize(
    "events",
    [
        {"gen_ai.user.message": {"content": "Who?"}, "gen_ai.choice": {"message": SAID}},
        {
            "gen_ai.content.prompt": {"gen_ai.prompt": ASKED},
            "gen_ai.content.completion": {"gen_ai.completion": f"[{SAID}]"},
        },
        {
            "gen_ai.user.message": {"gen_ai.event.content": json.dumps({"content": "Who?"})},
            "gen_ai.choice": {"gen_ai.event.content": json.dumps({"message": json.loads(SAID)})},
        },
        {
            "gen_ai.client.inference.operation.details": {
                "gen_ai.input.messages": ASKED, "gen_ai.output.messages": f"[{SAID}]"
            }
        },
    ],
)  # fmt: skip
def test_events_of_a_span_say_what_was_asked_and_answered(
    tmp_path: Path, events: dict[str, dict[str, str]]
) -> None:
    documents = json.dumps([{"content": "It was Eiffel."}])
    kinds = [{"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": documents},
             {"gen_ai.operation.name": "chat"}]  # fmt: skip
    of_chat = [{"name": name, "attributes": said} for name, said in events.items()]
    spans: list[dict[str, Any]] = [
        {"trace_id": "t", "span_id": f"s{at}", "parent_id": "r", "start_time": str(at),
         "end_time": str(at), "attributes": kind, "events": of_chat if at else []}
        for at, kind in enumerate(kinds)
    ]  # fmt: skip

    def pairs(of: Any) -> dict[str, Any]:
        given = of["attributes"].items()
        attributes = [{"key": key, "value": {"stringValue": value}} for key, value in given]
        return {**of, "attributes": attributes}

    otlp = [{**pairs(span), "events": [*map(pairs, span["events"])]} for span in spans]
    whole = {"resourceSpans": [{"scopeSpans": [{"spans": otlp}]}]}
    for path in (
        write_lines(tmp_path / "a.jsonl", *spans),
        write(tmp_path / "a.json", json.dumps(whole)),
    ):
        (row,) = read_batch_file(path).rows
        assert (row.query, row.context, row.answer) == ("Who?", ("It was Eiffel.",), "Eiffel.")


def test_a_run_that_failed_says_so_with_its_error(tmp_path: Path) -> None:
    failed = {
        "id": "1", "run_type": "chain", "trace_id": "1", "inputs": {"question": "Who?"},
        "outputs": None, "error": "RateLimitError('429')\n\nTraceback (most recent call last): ...",
    }  # fmt: skip
    found = {**failed, "id": "2", "parent_run_id": "1", "run_type": "retriever", "error": None,
             "outputs": {"documents": [{"page_content": "It was Eiffel."}]}}  # fmt: skip
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", failed, found))
    said = "the run failed (RateLimitError('429')); run it again, or leave it out"
    assert (file.rows, reasons(file)) == ((), [(1, said)])


# Conversations

FIRST = {"turn": 1, "question": "Who?", "answer": "Eiffel.", "contexts": ["It was Eiffel."]}
SECOND = {"turn": 2, "question": "When?", "answer": "1877.", "contexts": ["In 1877."]}
EMPTY = {"turn": 3, "question": "Why?", "answer": None, "contexts": ["In 1877."]}


@pytest.mark.parametrize(
    "record",
    [
        {"id": "c", "turns": [FIRST, SECOND, EMPTY]}, {"id": "c", "turns": [EMPTY, SECOND, FIRST]},
        {"conversations": [{"id": "c", "turns": [FIRST, SECOND, EMPTY]}, {"turns": [FIRST]}]},
    ],
)  # fmt: skip
def test_each_turn_of_a_conversation_is_a_row_in_order(tmp_path: Path, record: object) -> None:
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", record))
    assert [(row.context, row.answer, row.label) for row in file.rows[:2]] == [
        (("It was Eiffel.",), "Eiffel.", None), (("In 1877.",), "1877.", None)
    ]  # fmt: skip
    assert [row.query for row in file.rows[:2]] == [
        "Who?", "User: Who?\nAssistant: Eiffel.\nUser: When?"
    ]  # fmt: skip
    assert len(file.rows) == (3 if "conversations" in str(record) else 2)
    assert [reason[:9] for _, reason in reasons(file)] == ["no answer"]
    assert file.warnings == ()


def test_a_turn_may_have_a_label(tmp_path: Path) -> None:
    turns = [{**FIRST, "hallucinated": 1}, {**SECOND, "hallucinated": 0}]
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", {"id": "c", "turns": turns}))
    assert [row.label for row in file.rows] == [0, 1]


def test_messages_of_a_table_are_read_by_their_numbers(tmp_path: Path) -> None:
    said = [("user", "Who?", ""), ("assistant", "Eiffel.", "It was Eiffel.")]
    rows = [
        {"conversation_id": "c", "turn": at, "role": role, "content": text, "context": context}
        for at, (role, text, context) in enumerate(said, 1)
    ]
    (row,) = read_batch_file(write_table(tmp_path / "a.csv", *rows[::-1])).rows
    assert (row.query, row.context, row.answer) == ("Who?", ("It was Eiffel.",), "Eiffel.")


# Letters that stand for others


@pytest.mark.parametrize(
    ("text", "word"),
    [
        *((" ".join(("a", word, "b")), word) for word in (
            "fÃ¼r", "itâ€™s", "â€œyesâ€\x9d", "Ã‰cole", "20Â°C", "ZÅ‚oty", "Ð¿Ñ€Ð¸", "ðŸ˜€",
            "naÃ¯ve", "CAFÃ‰",
        )),
        ("São Paulo, MÃE, “É”, CAFÉ”, IRMÃ”, «Â», ÂNGELA, für, it’s, 20 °C", ""),
        ("Äpfel – Ärger… Åre’s Ñandú, Ø–Å, Français « À » 漢字 при", ""),
    ],
)  # fmt: skip
def test_words_whose_letters_stand_for_others_are_known(text: str, word: str) -> None:
    assert garbled_word(text) == word


def test_rows_with_letters_that_stand_for_others_are_counted(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", OWN, {**OWN, "answer": "Das ist fÃ¼r Porto."})
    file = read_batch_file(path)
    assert [row.answer for row in file.rows] == ["a", "Das ist fÃ¼r Porto."]
    (said,) = file.warnings
    assert "1 row(s) have letters that stand for others, as in fÃ¼r (für): 2." in said
