"""Cells as programs and people write them: nothing, lists by str(), labels, separators, doubles."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import numbers

from provenance_core.errors import InputError
from provenance_core.files.batch import BatchOptions, inspect_batch_file, read_batch_file
from provenance_core.files.batch.cell_format import shown_number
from provenance_core.files.batch.summary import summarise
from provenance_core.files.types import Doubt, FieldMapping
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.labels import read_label
from provenance_core.files.values.parted import parted_at_bars
from provenance_core.types import ContextItem
from tests.files.written import OWN, reasons, write, write_lines, write_table

FACT, OTHER = "The depot moved to Varn in 2011.", "It is closed on Mondays."

# Nothing

NOTHING = [
    "", " ", "nan", "NaN", "None", "null", "N/A", "<NA>", "-", "[]", "[ ]", "[nan]", "[None]",
    "['']", '[""]', "[null]", "['', '  ']", "['N/A']", "['None']", "[None, nan]",
    "array([], dtype=object)", "()", "{}",
]  # fmt: skip


@pytest.mark.parametrize("cell", NOTHING)
def test_a_word_that_says_nothing_is_no_context(tmp_path: Path, cell: str) -> None:
    file = read_batch_file(
        write_table(tmp_path / "a.csv", {**OWN, "context": cell}, {**OWN, "context": f"['{FACT}']"})
    )
    assert [row.context for row in file.rows] == [(FACT,)]
    assert [line for line, _ in reasons(file)] == [2]
    assert file.rejected[0].reason.startswith("no context, so there is nothing to check")


@pytest.mark.parametrize(
    "value", [None, [], [None], [""], ["nan", "None"], [" "], "", float("nan")]
)
def test_nothing_in_json_is_no_context(tmp_path: Path, value: object) -> None:
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", {**OWN, "context": value}, OWN))
    assert [line for line, _ in reasons(file)] == [1]
    assert len(file.rows) == 1


def test_nothing_among_texts_is_left_out_and_a_word_of_an_answer_stays() -> None:
    assert context_texts(["nan", FACT, None, "-"], "context") == (FACT,)
    assert context_texts("None of the halls is open.", "context") == ("None of the halls is open.",)


def test_an_answer_that_may_stand_for_none_is_audited_and_named(tmp_path: Path) -> None:
    rows = [{**OWN, "answer": answer} for answer in ("None", "nan", "<NA>", "a")]
    file = read_batch_file(write_lines(tmp_path / "a.jsonl", *rows))
    assert [row.answer for row in file.rows] == ["None", "a"]
    assert [(doubt.line, doubt.kind) for doubt in file.doubts] == [(1, Doubt.ANSWER)]


@pytest.mark.parametrize(
    "cell",
    [
        "(none)", "empty", "No context", "(No context found.)", "aucun", "Keine", "ninguno",
        "nessuno", "k. A.", "[Leer]", "#NV", "\\N", '["empty"]', "['No documents found']",
        ["keine", "aucun"], {"text": "empty"},
    ],
)  # fmt: skip
def test_a_whole_context_that_says_there_is_none_is_nothing(cell: object) -> None:
    assert context_texts(cell, "context") == ()


@pytest.mark.parametrize(
    "cell",
    [
        "Empty bottles are taken back at the depot.", "No context menu is shown on a telephone.",
        "Keine Parkplätze vor dem Haus.", "None of the halls is open.",
        "Not found: the page moved to /help.",
    ],
)  # fmt: skip
def test_a_text_that_begins_like_nothing_is_a_text(cell: str) -> None:
    assert context_texts(cell, "context") == (cell,)


def test_a_word_for_nothing_among_passages_stays() -> None:
    assert context_texts(["empty", FACT], "context") == ("empty", FACT)


# Lists by str()

NODE = (
    "[NodeWithScore(node=TextNode(id_='a', embedding=None, metadata={'file': 'varn.pdf'}, "
    "relationships={<NodeRelationship.SOURCE: '1'>: RelatedNodeInfo(node_id='d', hash='h')}, "
    f"text='{FACT}', metadata_template='{{key}}: {{value}}'), score=0.8)]"
)


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        (f"['{FACT}', '{OTHER}']", (FACT, OTHER)),
        (f"['{FACT}'\n '{OTHER}']", (FACT, OTHER)),
        (f"array(['{FACT}', '{OTHER}'], dtype=object)", (FACT, OTHER)),
        (f"[array(['{FACT}'], dtype=object)]", (FACT,)),
        (f"('{FACT}', '{OTHER}')", (FACT, OTHER)),
        (json.dumps(json.dumps([FACT, OTHER])), (FACT, OTHER)),
        (f"[Document(metadata={{'source': 'varn.pdf'}}, page_content='{FACT}')]", (FACT,)),
        (f"page_content='{FACT}' metadata={{'source': 'varn.pdf', 'year': 2019}}", (FACT,)),
        (f"[\"page_content='{FACT}' metadata={{'source': 'varn.pdf'}}\"]", (FACT,)),
        (NODE, (FACT,)),
        (f"{{'doc1': '{FACT}', 'doc2': '{OTHER}'}}", (FACT, OTHER)),
        (f"[{{'document.content': '{FACT}'}}\n {{'document.content': '{OTHER}'}}]", (FACT, OTHER)),
        (json.dumps([{"text": FACT, "metadata": {"year": 2019}}]), (FACT,)),
        (json.dumps([{"id": ["Document"], "kwargs": {"page_content": FACT}}]), (FACT,)),
        (f"[('{FACT}', 0.8), ('{OTHER}', 0.4)]", (FACT, OTHER)),
        (f"page_content='{FACT}' metadata={{'p': 3}}\n\npage_content='{OTHER}' metadata={{}}",
         (FACT, OTHER)),
        (f"Node ID: 7f\nText: {FACT}\nScore:  0.800\n\n\nNode ID: 8a\nText: {OTHER}\nScore: None\n",
         (FACT, OTHER)),
        (json.dumps([f"Node ID: 7f\nText: {FACT}\nScore:  0.800\n"]), (FACT,)),
        (f"> Source (Doc id: 7f): {FACT}\n\n> Source (Doc id: 8a): {OTHER}", (FACT, OTHER)),
        (json.dumps([f"file_name: a.pdf\npage_label: 3\n\n{FACT}"]), (FACT,)),
        ("[1] A note, not a list.", ("[1] A note, not a list.",)),
        ("[Applause] It is a text.", ("[Applause] It is a text.",)),
        ('"Varn", she said, "is far."', ('"Varn", she said, "is far."',)),
        ('{"name": "Rosa", "stars": 4}', ('{"name": "Rosa", "stars": 4}',)),
    ],
)  # fmt: skip
def test_a_list_that_a_program_wrote_becomes_its_texts(cell: str, texts: tuple[str, ...]) -> None:
    assert context_texts(cell, "context") == texts


@pytest.mark.parametrize(
    "answer",
    [
        f"content='{OTHER}' additional_kwargs={{}} response_metadata={{'year': 2019}} id='run-1'",
        f"AIMessage(content='{OTHER}', additional_kwargs={{}})",
        f"{{'content': '{OTHER}', 'additional_kwargs': {{}}, 'type': 'ai'}}",
        {"role": "assistant", "content": OTHER},
        [{"role": "assistant", "tool_calls": [], "content": None},
         {"role": "assistant", "content": [{"type": "text", "text": OTHER[:5]},
                                           {"type": "text", "text": OTHER[5:]}]}],
    ],
)  # fmt: skip
def test_an_answer_that_is_a_message_is_its_text(tmp_path: Path, answer: object) -> None:
    record = {"query": "Q?", "context": [FACT], "answer": answer}
    assert [
        row.answer for row in read_batch_file(write_lines(tmp_path / "a.jsonl", record)).rows
    ] == [OTHER]


def test_an_answer_that_is_data_stays_as_it_is(tmp_path: Path) -> None:
    said = '{"content": "It is red.", "stars": 4}'
    record = {"query": "Q?", "context": [FACT], "answer": said}
    assert read_batch_file(write_lines(tmp_path / "a.jsonl", record)).rows[0].answer == said


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (f'["{FACT}", "It is', "cut before its closing bracket"),
        (f"['{FACT}', 'It is", "cut before its closing bracket"),
        (f"['{FACT}' ... '{OTHER}']", "left items out"),
        (f"> Source (Doc id: 7f): {FACT}...", "cut the text of a node"),
        (
            f"page_content='{FACT}' metadata={{}} page_content='It is",
            "its quotes are open|cut before",
        ),
        ("[<Document object at 0x7f2a>]", "cannot be read as one"),
        ("[" * 2_000 + "]" * 2_000, "nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", "a number in it has more than 4,300 digits"),
        (f"[Document(page_content='{FACT}', metadata=", "cut before its closing bracket"),
        (f"[hidden('{FACT}'.strip())]", "cannot be read as one"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_and_never_one_text(cell: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        context_texts(cell, "context")


@pytest.mark.parametrize("cell", ["[0x" + "f" * 5000 + "]", "[" + "9" * 5000 + "]", "[" * 5000])
def test_no_cell_ends_a_batch(tmp_path: Path, cell: str) -> None:
    records = [{**OWN, "context": cell}, {**OWN, "answer": cell, "label": cell}, OWN]
    for path in (
        write_table(tmp_path / "a.csv", *records),
        write_lines(tmp_path / "a.jsonl", *records),
    ):
        file = read_batch_file(path)
        assert file.rows[-1].answer == "a"
        assert len(file.rows) + len(file.rejected) == 3


def test_a_row_fails_alone_whatever_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(value: object, key: str) -> tuple[ContextItem, ...]:
        if value == "break":
            raise ZeroDivisionError("by nothing")
        return (ContextItem(0, str(value)),)

    monkeypatch.setattr("provenance_core.files.formats._reading.context_items", broken)
    path = write_lines(tmp_path / "a.jsonl", {**OWN, "context": "break"}, {**OWN, "context": "c"})
    file = read_batch_file(path)
    assert [row.line for row in file.rows] == [2]
    assert reasons(file) == [
        (1, "it cannot be read (ZeroDivisionError: by nothing); leave the row out")
    ]


# Labels


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("SUPPORTS", 1), ("REFUTES", 0), ("NOT ENOUGH INFO", 0), ("contradicted", 0),
        ("baseless", 0), ("[PASS]", 1), ("[FAIL]", 0), ("Y", 1), ("N", 0), ("✓", 1), ("✗", 0),
        ("✔️", 1), ("ja", 1), ("nein", 0), ("1,0", 1), ("0,0", 0), ("non-hallucinated", 1),
        ("Not Hallucinated", 1), ("Faithful ", 1), ("true", 1), ("N/A", None), ("nan", None),
        ("None", None), ("-", None), ("?", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_words_of_a_label(word: object, label: int | None) -> None:
    assert read_label(word, "label") == label


def test_an_unknown_label_loses_the_label_and_never_the_row(tmp_path: Path) -> None:
    words = ["supported", "partially supported", "5", "0,85", "N/A"]
    path = write_table(tmp_path / "a.csv", *({**OWN, "context": "c", "label": w} for w in words))
    file = read_batch_file(path)
    assert [row.label for row in file.rows] == [1, None, None, None, None]
    assert [(d.line, d.kind) for d in file.doubts] == [
        (3, Doubt.LABEL),
        (4, Doubt.LABEL),
        (5, Doubt.LABEL),
    ]
    assert 'label is "partially supported", which is not a known label' in file.doubts[0].reason


def test_a_column_that_looks_like_a_label_is_named(tmp_path: Path) -> None:
    record = {"frage": "q", "context": "c", "answer": "a", "lisas_urteil": "ja", "note": "gut"}
    file = read_batch_file(
        write_lines(tmp_path / "a.jsonl", record, {**record, "lisas_urteil": "nein"})
    )
    assert file.warnings[-1] == (
        "No column was recognised as the label; lisas_urteil looks like one (--map "
        "label=lisas_urteil)."
    )


# Guesses


@pytest.mark.parametrize(
    "heading",
    [
        "frage;kontext;antwort;urteil", "Frage;Kontext;Antwort;Gestützt",
        "Question;Contexte;Réponse;Étiquette", "pregunta;contexto;respuesta;veredicto",
        "Domanda;Contesto;Risposta;Verdetto", "Pergunta;Contexto;Resposta;Rótulo",
        "Vraag;Context;Antwoord;Label", "Вопрос;Контекст;Ответ;label", "问题;上下文;答案;label",
    ],
)  # fmt: skip
def test_headings_of_other_languages_are_a_guess_that_is_shown(
    tmp_path: Path, heading: str
) -> None:
    text = f"{heading}\nWohin?;{FACT};Nach Varn.;1\n"
    file = read_batch_file(write(tmp_path / "a.csv", text))
    (row,) = file.rows
    assert (row.query, row.context, row.answer, row.label) == ("Wohin?", (FACT,), "Nach Varn.", 1)
    query, context, answer, *_ = heading.split(";")
    (said,) = (each for each in file.warnings if each.startswith("Guessed by their names: "))
    assert f"answer from {answer}" in said
    for part in ("--map", f"query={query}", f"context={context}", f"answer={answer}"):
        assert part in said
    assert "answer" in inspect_batch_file(file.path).guessed


def test_a_yes_under_a_german_name_for_hallucinations_means_hallucinated(tmp_path: Path) -> None:
    text = f"frage;kontext;antwort;halluziniert\nq;{FACT};a;ja\nq;{FACT};b;nein\n"
    file = read_batch_file(write(tmp_path / "a.csv", text))
    assert [row.label for row in file.rows] == [0, 1]
    assert read_label("ja", "keine Halluzination") == 1
    assert read_label("sí", "sin alucinación") == 1


def test_a_translated_name_is_no_label_where_its_values_are_none(tmp_path: Path) -> None:
    text = f"frage;kontext;antwort;urteil\nq;{FACT};a;Das Urteil folgt.\n"
    file = read_batch_file(write(tmp_path / "a.csv", text))
    assert file.rows[0].label is None and file.doubts == ()


def test_a_guess_by_the_last_part_of_a_key_is_said_with_the_whole_map(tmp_path: Path) -> None:
    record = {
        "item": {"question": "q", "context": "c"},
        "out": {"answer": "a b"},
        "of": {"label": "x"},
    }
    path = write_lines(tmp_path / "a.jsonl", record)
    shape = inspect_batch_file(path)
    # What no value of is a label is no label.
    assert shape.mapping == FieldMapping("item.question", "item.context", "out.answer")
    assert shape.guessed == ("answer", "context", "query")
    (said,) = read_batch_file(path).warnings
    assert "query from item.question" in said
    assert "--map query=item.question context=item.context answer=out.answer label=" in said


def test_one_column_is_never_both_answer_and_context(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", OWN)
    both = FieldMapping(context="answer", answer="answer")
    with pytest.raises(InputError, match="answer is chosen for both the answer and the context"):
        read_batch_file(path, mapping=both)


# Separators

TABLE = "| Plan | Price |\n| --- | --- |\n| Solo | 9 euros |\n| Team | 24 euros |"


@pytest.mark.parametrize(
    ("items", "kept", "in_doubt"),
    [
        ((FACT, OTHER), (FACT, OTHER), False),
        ((TABLE, "Prices are per month."), (TABLE, "Prices are per month."), False),
        (("Prices are per month.", TABLE), ("Prices are per month.", TABLE), False),
        ((TABLE,), (TABLE,), False),
        (("Run `ls | grep x` there.",), ("Run `ls | grep x` there.",), True),
        (("P(a|b) = 0.3 and P(b|a) = 0.1.",), ("P(a|b) = 0.3 and P(b|a) = 0.1.",), True),
        (("one", "two"), ("one|two",), True),
    ],
)
def test_bars_part_items_only_where_that_is_certain(
    items: tuple[str, ...], kept: tuple[str, ...], in_doubt: bool
) -> None:
    parted = parted_at_bars("|".join(items))
    assert (parted.items, parted.in_doubt) == (kept, in_doubt)


def test_goldens_are_the_same_rows_from_every_file_and_rows_in_doubt_are_named(
    tmp_path: Path,
) -> None:
    contexts = [(TABLE, "Prices are per month."), ("Run `ls | grep x` there.",), (FACT, OTHER)]
    goldens = [
        {"input": "q", "actual_output": "a", "retrieval_context": list(items), "name": f"p{n}"}
        for n, items in enumerate(contexts)
    ]
    joined = [{**g, "retrieval_context": "|".join(g["retrieval_context"])} for g in goldens]  # type: ignore[arg-type]
    files = [
        read_batch_file(write(tmp_path / "a.json", json.dumps(goldens))),
        read_batch_file(write_lines(tmp_path / "a.jsonl", *joined)),
        read_batch_file(write_table(tmp_path / "a.csv", *joined)),
    ]
    for file in files:
        assert file.format == "deepeval"
        assert [(row.context, row.id) for row in file.rows] == [
            (items, f"p{n}") for n, items in enumerate(contexts)
        ]
    assert not files[0].doubts
    assert [(d.line, d.kind) for d in files[1].doubts] == [(2, Doubt.SEPARATOR)]


# What is lost inside a record


def test_a_key_twice_in_json_refuses_the_record(tmp_path: Path) -> None:
    twice = '{"query": "q", "context": ["c"], "answer": "a", "answer": "b"}'
    for path in (
        write_lines(tmp_path / "a.jsonl", OWN, twice),
        write(tmp_path / "a.json", f"[{json.dumps(OWN)}, {twice}]"),
    ):
        file = read_batch_file(path)
        assert len(file.rows) == 1
        assert file.rejected[0].reason.startswith("the key 'answer' stands twice; remove one")


def test_a_column_twice_in_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pyarrow.table([["c"], ["a"], ["b"]], names=["context", "answer", "answer"])
    pyarrow.parquet.write_table(table, path)
    with pytest.raises(InputError, match=r"the columns 2 and 3 .* have the same heading, answer"):
        read_batch_file(path)


def test_a_bad_cell_of_parquet_costs_its_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    answers = pyarrow.array([b"a", b"\xff\xfe", b"c"], pyarrow.binary()).view(pyarrow.string())
    pyarrow.parquet.write_table(pyarrow.table({"context": ["x"] * 3, "answer": answers}), path)
    file = read_batch_file(path)
    assert [row.answer for row in file.rows] == ["a", "c"]
    assert [(r.line, r.reason.split(" (")[0]) for r in file.rejected] == [
        (2, "answer cannot be read")
    ]


# Sheets and tables


@pytest.mark.parametrize(
    ("value", "format", "shown"),
    [
        (0.15, "0%", "15%"), (0.153, "0.0 %", "15.3 %"), (42, "0000", "0042"), (7.0, "General", 7),
        (3.14159, "0.00", "3.14"), (3.1, '0.00" EUR"', "3.10 EUR"), (2.5, None, 2.5),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"), (-0.5, "0%", "-50%"), (2.5, "0", "3"),
        (1234567, "#,##0", "1,234,567"), (999, "#,##0", 999), (1234567, '0.0,,"M"', "1.2M"),
        (-1234.5, "#,##0.00;(#,##0.00)", "-1,234.50"), (-5, "0;[Red]0", -5),
        (-5, '"$"#,##0.00_);[Red]("$"#,##0.00)', "-$5.00"), (5, '0.00" CR";0.00" DR"', "5.00 CR"),
        (-5, '0.00" CR";0.00" DR"', "5.00 DR"), (0, '0;-0;"none"', "none"), (0, '0;-0;"-"??', 0),
        (123456789, "000-00-0000", "123-45-6789"), (1, '[=1]"yes";"no"', 1),
        (0.123, "0.0#", "0.12"),
        (-1234.5, numbers.BUILTIN_FORMATS[44], "-$1,234.50"),
    ],
)  # fmt: skip
def test_a_number_is_what_its_cell_shows(value: float, format: str | None, shown: object) -> None:
    assert shown_number(value, format) == shown


def test_a_workbook_with_a_title_a_chart_and_several_sheets(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Answers in March"])
    sheet.append(["question", "context", "answer", "id"])
    sheet.append(["q", "c", 0.15, 42])
    sheet["C3"].number_format, sheet["D3"].number_format = "0%", "0000"
    second = book.create_sheet("April")
    for row in (["question", "context", "answer"], ["q", "c", "in April"]):
        second.append(row)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=4, min_row=2, max_row=3), titles_from_data=True)
    book.create_chartsheet("Chart", 0).add_chart(chart)
    path = tmp_path / "a.xlsx"
    book.save(path)
    file = read_batch_file(path)
    assert [(row.line, row.answer, row.id) for row in file.rows] == [(3, "15%", "0042")]
    assert "Line 1 ('Answers in March') was taken for a title" in " ".join(file.warnings)
    assert "Only the first sheet was read, not April" in " ".join(file.warnings)
    assert inspect_batch_file(path).sheets == ("Sheet", "April")
    april = read_batch_file(path, options=BatchOptions(sheet="April"))
    assert [row.answer for row in april.rows] == ["in April"]
    with pytest.raises(InputError, match="no sheet is called 'May'; its sheets: Sheet, April"):
        read_batch_file(path, options=BatchOptions(sheet="May"))


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nquestion;context;answer\nq;c, d;a\n",
        '"question, in full";question;context;answer\nx;q;c, d;a\n',
        "Answers in March\nquestion;context;answer\nq;c, d;a\n",
        "Answers in March;;\nquestion;context;answer\nq;c, d;a\n",
        "Answers in March;;\n;;\nquestion;context;answer\nq;c, d;a\n",
        "Exported;2026-03-01;\nModel;m;\n;;\nquestion;context;answer\nq;c, d;a\n",
        "question, in English;context, all passages;answer (final)\nq;c, d;a\n",
        'question, context, answer\n"q", "c, d", "a"\n',
        "question;context;answer\nq;c, d;a;\n",
    ],
    ids=[
        "sep",
        "comma in a heading",
        "title",
        "padded title",
        "blank rows",
        "block",
        "remarks",
        "spaces",
        "empty at the end",
    ],
)
def test_what_stands_above_or_in_a_heading_does_not_mislead(tmp_path: Path, text: str) -> None:
    file = read_batch_file(write(tmp_path / "a.csv", text))
    assert [(row.query, row.context, row.answer) for row in file.rows] == [("q", ("c, d",), "a")]
    assert file.rows[0].line == text.count("\n")


@pytest.mark.parametrize(
    "heading",
    ["question,context_1,context_2,answer", "question,contexts[0],contexts[1],answer",
     "question,Context 1,Context 2,answer", "question,context,context_2,answer"],
)  # fmt: skip
def test_numbered_columns_are_the_items_of_one_context(tmp_path: Path, heading: str) -> None:
    text = f"{heading}\nq,c,d,a\nq,c,,a\n,,,\n"
    file = read_batch_file(write(tmp_path / "a.csv", text))
    assert [row.context for row in file.rows] == [("c", "d"), ("c",)]
    assert "were taken as the items of one context" in file.warnings[0]
    assert not file.rejected


def test_the_sheet_with_a_table_is_read_and_durations_are_texts(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Instructions"])
    book.active.append(["See the next sheet."])
    data = book.create_sheet("Data")
    data.append(["question", "context", "answer"])
    data.append(["q", "c", timedelta(hours=30, minutes=5)])
    path = tmp_path / "a.xlsx"
    book.save(path)
    file = read_batch_file(path)
    assert [row.answer for row in file.rows] == ["30:05:00"]
    assert "Only the sheet Data was read, not Sheet" in " ".join(file.warnings)


def test_the_columns_of_a_wide_table_are_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from provenance_core.files import field_names
    from provenance_core.files.batch import column_names

    seen: list[str] = []

    def counted(key: str) -> str:
        seen.append(key)
        return field_names.plain_name(key)

    monkeypatch.setattr(column_names, "plain_name", counted)
    wide = {**{f"column {n}": "x" for n in range(3000)}, "context": "c", "answer": "a"}
    assert len(read_batch_file(write_table(tmp_path / "a.csv", wide)).rows) == 1
    assert len(seen) <= 4 * len(wide)


@pytest.mark.parametrize("alone", [True, False])
def test_an_empty_chart_is_passed_over(tmp_path: Path, alone: bool) -> None:
    book = openpyxl.Workbook()
    book.create_chartsheet("Chart", 0)
    if alone:
        del book["Sheet"]
    else:
        for row in (["query", "context", "answer"], ["q", "c", "a"]):
            book["Sheet"].append(row)
    path = tmp_path / "a.xlsx"
    book.save(path)
    if alone:
        with pytest.raises(InputError, match="the workbook has no sheet of cells; give one with"):
            inspect_batch_file(path)
    else:
        assert [row.answer for row in read_batch_file(path).rows] == ["a"]


def test_a_table_of_too_many_columns_says_so(tmp_path: Path) -> None:
    wide = {**OWN, **{f"column {n}": "x" for n in range(20_000)}}
    for path in (write_lines(tmp_path / "a.jsonl", wide), write_table(tmp_path / "a.csv", wide)):
        with pytest.raises(InputError, match="20,003 columns or keys; the most is 20,000"):
            read_batch_file(path)


# The summary


def test_the_summary_of_a_file(tmp_path: Path) -> None:
    german = "Das Depot wurde im Jahr 2011 nach Varn verlegt und ist montags geschlossen."
    path = write_lines(
        tmp_path / "a.jsonl",
        {**OWN, "label": 1}, {**OWN, "context": []}, {**OWN, "context": "nan"}, "{",
        {**OWN, "label": "maybe"}, {**OWN, "answer": german}, {**OWN, "answer": ""},
    )  # fmt: skip
    found = summarise(read_batch_file(path))
    assert (found.read, found.rows, found.without_label) == (7, 3, 2)
    assert found.without_context == (2, 3)
    first = found.refused[0]
    assert first.what.startswith("no context, so there is nothing") and first.lines == (2, 3)
    assert {group.lines for group in found.refused} == {(2, 3), (4,), (7,)}
    assert [group.lines for group in found.in_doubt] == [(5,)]
    assert [(group.what, group.lines) for group in found.other_languages] == [("German", (6,))]
    said = found.sentences()
    assert said[0] == "7 rows read, 3 to audit, 4 refused"
    assert said[1].startswith("refused (lines 2, 3): no context, so there is nothing to check")
    assert said[1].endswith(f"First: answer “{OWN['answer']}”")
    assert not found.complete


def test_the_first_refused_row_is_shown_by_its_answer_else_its_query(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl",
        {**OWN, "answer": "", "query": "Where is it?"}, {**OWN, "context": [], "answer": "x" * 500},
        OWN, "{",
    )  # fmt: skip
    firsts = [group.first for group in summarise(read_batch_file(path)).refused]
    assert firsts == ["query “Where is it?”", f"answer “{'x' * 112}…", "{"]


def test_a_context_in_another_language_is_named_in_the_summary(tmp_path: Path) -> None:
    german = "Das Depot wurde im Jahr 2011 nach Varn verlegt und ist montags geschlossen."
    found = summarise(
        read_batch_file(write_lines(tmp_path / "a.jsonl", OWN, {**OWN, "context": german}))
    )
    assert found.sentences()[-1] == (
        "in English, the context in German (line 2): the models read English"
    )


@pytest.mark.parametrize("piece", ["\\'", "'", '"', "['", "| ", "||", " text='", "} {", "<a.b: "])
def test_the_time_of_a_cell_grows_with_its_length(piece: str) -> None:
    """Each would take minutes if a pattern looked at a place again for every quote before it."""
    for start in ("[", "['", "page_content='"):
        cell = start + piece * (100_000 // len(piece))
        try:
            assert context_texts(cell, "context")
        except InputError as error:
            assert "cannot be read as one" in str(error)
    assert parted_at_bars(piece * (100_000 // len(piece))).items
