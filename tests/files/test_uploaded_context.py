"""Uploaded files: what each kind becomes, and what a bad one is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest

from provenance_core import ContextItem, InputError
from provenance_core.files.context_answers import Asked
from provenance_core.files.uploaded_context import (
    _read_here,
    pasted_items,
    pasted_texts,
    read_context_file,
    split_paragraphs,
)
from provenance_core.text.structured_context import is_data
from tests.office_files import pdf, word


def texts(name: str, data: bytes, **options: bool) -> list[str]:
    return [item.text for item in read_context_file(name, data, **options).items]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.txt", "Grüße\n\nzwei".encode(), ["Grüße\n\nzwei"]),
        ("a.MD", b"# Title\ntext", ["# Title\ntext"]),
        ("a.txt", "\ufeffmark".encode(), ["mark"]),
        ("a.txt", "wide".encode("utf-16"), ["wide"]),
        ("a.json", b'["one", {"text": "two"}]', ["one", "two"]),
        ("a.json", b'{"contexts": ["one", {"page_content": "two"}]}', ["one", "two"]),
        ("a.jsonl", b'{"passage": "one"}\n\n"two"\n', ["one", "two"]),
        ("a.csv", b'id,text\n1,one\n2,"two, with comma"\n', ["one", "two, with comma"]),
        ("a.csv", b"id;Content\n1;one\n2;two\n", ["one", "two"]),
    ],
)
def test_texts_become_items(name, data, expected):
    assert texts(name, data) == expected


def test_pages_paragraphs_and_tables():
    assert texts("a.pdf", pdf("First page.", "Second page.")) == ["First page.", "Second page."]
    read = read_context_file("a.pdf", pdf("First page.", "Second page."))
    assert [item.name for item in read.items] == ["a.pdf, page 1", "a.pdf, page 2"]
    assert texts("a.docx", word("One.", "Two.")) == ["One.\n\nTwo.\n\nleft | right"]
    assert texts("a.txt", b"one\n\ntwo", split_at_blank_lines=True) == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b'{"name": "Rosa\'s Cafe", "stars": 4.5}'),
        ("a.json", b'[{"name": "Rosa", "stars": 4.5}, {"name": "Luigi", "stars": 3}]'),
        ("a.csv", b"name,stars\nRosa,4.5\nLuigi,3\n"),
    ],
)
def test_data_that_can_be_pasted_can_be_uploaded(name, data):
    (item,) = read_context_file(name, data).items
    assert item.text == data.decode().strip() and is_data(item.text)
    assert item.name == name


def test_jsonl_keeps_a_line_separator_inside_a_text():
    line = json.dumps({"text": "a\u2028b"}, ensure_ascii=False)
    assert texts("a.jsonl", line.encode()) == ["a\u2028b"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", r"a\.txt: the file is empty"),
        ("a.txt", b" \n ", "no text, only blanks"),
        ("a.txt", b"%PDF-1.7", r"a PDF.*\.pdf"),
        ("a.txt", b"\x89PNG\r\n", "a PNG image, not a text file"),
        ("a.json", b"SQLite format 3\x00", "an SQLite database, not a text file"),
        ("a.jsonl", b"GIF89a", "a GIF image, not a text file"),
        ("a.csv", b"PAR1", "a Parquet file, not a text file"),
        ("a.txt", b"ab\x00cd", "NUL byte at line 1, column 3, so this is not a text file"),
        ("a.exe", b"x", r"type \.exe"),
        ("a.csv", b"body\nx\n", r"line 1: no column.*'body'"),
        ("a.json", b'[{"text": "a"}, {"title": "b"}]', r"record 2: no field.*'title'"),
        ("a.csv", b"id,text\n1,x\n2\n", r"line 3: 1 columns, but the heading names 2"),
        ("a.csv", b"id,text\n", "heading but no rows"),
        ("a.json", b'["a",\n "b"', "line 2, column"),
        ("a.json", b"[1]", r"record 1.*a number"),
        ("a.jsonl", b'"a"\n{"title": "x"}\n', r"line 2: no field.*'title'"),
        ("a.jsonl", b'"a"\n{bad\n', "line 2, column 2"),
        ("a.pdf", b"%PDF-1.7 broken", "not a PDF that can be read"),
        ("a.pdf", pdf("Secret.", password="pw"), "encrypted"),
        ("a.pdf", pdf("Secret.", password="pw", algorithm="AES-256"), "encrypted"),
        (
            "a.csv",
            b"id,text\n1,Paris is in France, not Italy\n",
            r"line 2: 3 columns, but the heading names 2",
        ),
        ("a.json", b"[" + b"9" * 5000 + b"]", "thousands of digits"),
        ("a.jsonl", b'"a"\n' + b"9" * 5000, "line 2: .*thousands of digits"),
        ("a.pdf", pdf(""), r"OCR"),
        ("a.docx", b"PK\x03\x04 broken", "not a Word document"),
        ("a.docx", b"\xd0\xcf\x11\xe0", "encrypted, or an old"),
    ],
)
def test_a_bad_file_is_told_what_where_and_the_cure(name, data, message):
    with pytest.raises(InputError, match=message) as caught:
        read_context_file(name, data)
    assert str(caught.value).startswith(name)


def test_another_encoding_is_read_and_said():
    data = "Das Café öffnet um acht Uhr, größere Gruppen melden sich bitte an.".encode("cp1252")
    read = read_context_file("alt.txt", data)
    assert "Café" in read.items[0].text
    assert [n.code for n in read.notices] == ["guessed_encoding"]
    assert "byte 0xE9" in read.notices[0].message


def test_a_pdf_that_only_forbids_printing_is_read():
    data = pdf("Open.", owner="owner", algorithm="AES-256")
    assert [item.text for item in read_context_file("a.pdf", data).items] == ["Open."]


def test_a_pdf_that_needs_a_missing_library_says_so_and_not_that_it_has_a_password(monkeypatch):
    data = pdf("Open.", owner="owner", algorithm="AES-256")

    def refuse(self, password):
        raise pypdf.errors.DependencyError("cryptography>=3.1 is required for AES algorithm")

    monkeypatch.setattr(pypdf.PdfReader, "decrypt", refuse)
    with pytest.raises(InputError, match=r"a\.pdf: .*cryptography.*requirements\.txt"):
        _read_here("a.pdf", data, False)


def test_what_is_not_in_the_heading_does_not_part_the_columns():
    rows = [f"item {n}; more" for n in range(30)]
    assert texts("a.csv", "\n".join(["text", *rows]).encode()) == rows


def test_an_apostrophe_is_no_quote_in_csv():
    data = b"id,text\n1,\"the 'big' house, and 'x'\"\n2,\"it's here, 'so'\"\n"
    items = read_context_file("a.csv", data).items
    assert [item.text for item in items] == ["the 'big' house, and 'x'", "it's here, 'so'"]


def test_a_page_without_text_is_said():
    read = read_context_file("a.pdf", pdf("Words.", ""))
    assert len(read.items) == 1
    assert "page(s) 2" in read.notices[0].message


def test_paragraphs_are_split_at_blank_lines_of_any_system():
    assert split_paragraphs("a\r\n\r\nb\rc\n \n\nd") == ["a", "b\nc", "d"]


def test_the_library_reads_plain_text_without_the_readers_of_other_files():
    script = (
        "import sys; sys.modules.update(dict.fromkeys(('pypdf', 'docx', 'charset_normalizer')))\n"
        "from provenance_core.files.uploaded_context import read_context_file\n"
        "assert read_context_file('a.txt', b'A text.').items[0].text == 'A text.'\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('["The museum is closed.", "Tickets cost\\n\\n9 euros."]',
         ["The museum is closed.", "Tickets cost\n\n9 euros."]),
        (' [{"text": "One.", "id": 3},\n\n {"text": "Two."}] ', ["One.", "Two."]),
        ('["One.", ""]', ["One."]),
        ('[{"day": "Monday", "from": 9}]', ['[{"day": "Monday", "from": 9}]']),
        ("[1, 2]", ["[1, 2]"]),
        ("[]", ["[]"]),
        ("[1] A footnote.\n\n[2]", ["[1] A footnote.", "[2]"]),
        ('["half', ['["half']),
    ],
)  # fmt: skip
def test_a_pasted_list_has_an_item_for_each_entry(text, expected):
    assert pasted_texts(text) == expected


def test_a_pasted_list_keeps_its_titles():
    found = pasted_items('[{"title": "Tickets", "text": "9 euros."}, "", "Closed."]')
    assert found == [ContextItem(0, "9 euros.", "Tickets"), ContextItem(1, "Closed.")]


def test_the_answer_of_a_file_keeps_the_titles_of_its_context():
    context = [{"title": "Tickets", "text": "9 euros."}, "Closed."]
    record = {"query": "q", "answer": "a", "context": context}
    found = read_context_file("a.json", json.dumps([record]).encode())
    names = ["Tickets · a.json, record 1, context 1", "a.json, record 1, context 2"]
    assert [item.name for item in found.items] == names


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b'[{"query": "Who?", "answer": "Me."}, {"query": "Who?", "answer": "I."}]'),
        ("a.json", b'{"query": "Who?", "answer": "Me.", "stars": 4}'),
        ("a.csv", b"query,answer\nWho?,Me.\nWho?,I.\n"),
    ],
)
def test_a_file_that_would_put_the_answer_into_its_own_context_says_so(name, data):
    (notice,) = read_context_file(name, data).notices
    assert notice.code == "answers_in_context"
    assert notice.message.startswith(f"{name}: the whole file is one context item")
    assert "remove the item" in notice.message and "Batch page" in notice.message


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "a.json",
            b'[{"query": "Who?", "answer": "Me.", "context": ["It is I."]}, {"text": "B."}]',
        ),
        ("a.jsonl", b'{"query": "Who?", "answer": "Me.", "context": ["It is I."]}\n"B."\n'),
        ("a.csv", b"query,answer,context\nWho?,Me.,It is I.\nWho?,Me.,B.\n"),
    ],
)
def test_of_several_rows_the_first_is_taken_and_the_others_are_said(name, data):
    read = read_context_file(name, data)
    assert [item.text for item in read.items] == ["It is I."] and read.asked == Asked("Who?", "Me.")
    (notice,) = read.notices
    assert notice.message.startswith(
        f"{name}: the file holds 2 rows. The first that can be audited"
    )


TRULENS = {
    "record_id": "r", "input": "Who?", "output": "Me.",
    "record_json": {"calls": [{"stack": [{"method": {"name": "retrieve"}}],
                               "rets": ["It is I.", "B."]}]},
}  # fmt: skip
LANGFUSE = {
    "id": "t", "name": "rag", "input": "Who?", "output": "Me.",
    "observations": [
        {"id": "o", "type": "RETRIEVER", "startTime": "2026-03-01T10:00:00Z", "input": "Who?",
         "output": [{"page_content": "It is I."}, {"page_content": "B."}]},
    ],
}  # fmt: skip
AZURE = {"inputs.query": "Who?", "inputs.context": "[\"It is I.\", \"B.\"]",
         "inputs.response": "Me.", "outputs.groundedness.groundedness": 5}  # fmt: skip


@pytest.mark.parametrize("record", [TRULENS, LANGFUSE, {"rows": [AZURE], "metrics": {}}])
def test_a_document_that_batch_reads_fills_the_form(record):
    read = read_context_file("a.json", json.dumps(record).encode())
    assert read.asked == Asked("Who?", "Me.") and not read.notices
    assert [item.text for item in read.items] == ["It is I.", "B."]


def test_a_trace_without_documents_says_what_it_lacks():
    data = json.dumps({**LANGFUSE, "observations": []}).encode()
    with pytest.raises(InputError, match=r"a\.json, line 1 \(Langfuse\): the trace has no retri"):
        read_context_file("a.json", data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b'{"query": "Who?", "answer": "Me.", "context": ["It is I.", "B."]}'),
        ("a.json", b'[{"user_input": "Who?", "response": "Me.", "label": 1,'
                   b' "retrieved_contexts": [{"page_content": "It is I."}, "B."]}]'),
        ("a.json", b'{"rows": [{"question": "Who?", "response": "Me.",'
                   b' "context": ["It is I.", "B."]}]}'),
        ("a.jsonl", b'\n{"question": "Who?", "answer": "Me.", "knowledge": ["It is I.", "B."]}\n'),
        ("a.json", b'{"input": "Who?", "actual_output": {"role": "assistant", "content": "Me."},'
                   b' "context": null, "retrieval_context": ["It is I.", "B."]}'),
        ("a.csv", b'Query;Answer;Contexts\nWho?;Me.;"[""It is I."", ""B.""]"\n'),
    ],
)  # fmt: skip
def test_one_record_gives_its_query_and_its_answer_beside_its_context(name, data):
    read = read_context_file(name, data)
    assert read.asked == Asked("Who?", "Me.") and not read.notices
    assert [item.text for item in read.items] == ["It is I.", "B."]
    assert all(item.name.startswith(f"{name}, ") for item in read.items)


def test_numbered_columns_of_a_context_are_its_items():
    read = read_context_file("a.csv", b"query,answer,context_1,context_2\nWho?,Me.,It is I.,B.\n")
    assert read.asked == Asked("Who?", "Me.")
    assert [item.text for item in read.items] == ["It is I.", "B."]


@pytest.mark.parametrize("context", ["", ', "context": ""', ', "context": []'])
def test_one_record_without_a_context_gives_its_answer_and_says_what_is_missing(context):
    data = f'{{"query": "Who?", "answer": "Me."{context}}}'.encode()
    read = read_context_file("a.json", data)
    assert (read.asked, read.items) == (Asked("Who?", "Me."), ())
    assert "Add the texts that the answer was made from" in read.notices[0].message


def test_one_record_without_an_answer_is_context_alone():
    data = b'{"query": "Who?", "answer": " ", "text": "It is I."}'
    read = read_context_file("a.json", data)
    assert (read.asked, [item.text for item in read.items]) == (None, ["It is I."])
    with pytest.raises(InputError, match=r"a\.json, record 1: item 1 of context is neither"):
        read_context_file("a.json", b'{"query": "q", "answer": "a", "context": [{"b": 1}]}')


def test_a_list_in_a_cell_is_as_many_items_as_the_same_list_in_json():
    record = {"question": "Who?", "contexts": ["It is I.", {"text": "It is you."}]}
    cell = json.dumps(record["contexts"]).replace('"', '""')
    data = f'question,contexts\nWho?,"{cell}"\n'.encode()
    assert texts("a.csv", data) == texts("a.json", json.dumps(record).encode())
    names = [item.name for item in read_context_file("a.csv", data).items]
    assert names == ["a.csv, line 2, contexts 1", "a.csv, line 2, contexts 2"]


@pytest.mark.parametrize("cell", ["[1, 2]", "[sic] it is I"])
def test_a_cell_in_brackets_that_is_no_list_of_texts_is_one_item(cell):
    assert texts("a.csv", f'id,text\n1,"{cell}"\n'.encode()) == [cell]


@pytest.mark.parametrize("text", ["José Müller built it café", "a “naïve” – €5"])
def test_accents_of_a_short_text_from_windows_are_kept(text):
    assert texts("a.txt", text.encode("cp1252")) == [text]


def test_letters_side_by_side_are_not_taken_for_accents():
    text = "Мост был открыт в 1932 году, и его длина 503 метра."
    assert texts("a.txt", text.encode("cp1251")) == [text]


def test_a_long_text_of_another_alphabet_is_read_at_once():
    # The pattern for Windows' letters once tried every way to cut the text before the last one.
    text = "a " * 5_000 + "Ωμέγα και άλφα, τα γράμματα του αλφαβήτου"
    (item,) = texts("a.txt", text.encode("cp1253"))
    assert item.startswith("a a a")


def test_the_titles_of_records_stay_in_the_names_of_their_items():
    data = json.dumps(
        [
            {"title": " Doors\n", "text": "One."},
            {"text": "Two.", "metadata": {"title": "x" * 121}},
            {"contexts": [{"name": "A", "text": "Three."}, {"text": "Four."}]},
        ]
    ).encode()
    names = [item.name for item in read_context_file("a.json", data).items]
    assert names == [
        "Doors · a.json, record 1",
        f"{'x' * 119}… · a.json, record 2",
        "A · a.json, record 3, contexts 1",
        "a.json, record 3, contexts 2",
    ]
