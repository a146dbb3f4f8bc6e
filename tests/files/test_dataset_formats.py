"""The owners' files of every known data set: recognised, read, held against what is published."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.files.formats.registry import FORMATS, count_warnings
from provenance_core.files.labelled import dataset_name, read_labelled_file
from provenance_core.files.records.opening import entries_of
from provenance_core.files.text_groups import text_group
from provenance_core.files.types import Counts, GoldSpan, LabelledFile, LabelledRow
from tests.files.written import write, write_lines


def write_table(path: Path, *records: Mapping[str, object], delimiter: str = ",") -> Path:
    """As ``DataFrame.to_csv`` of pandas does: row numbers under an empty heading."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, delimiter=delimiter)
        table.writerow(["", *records[0]])
        table.writerows([number, *record.values()] for number, record in enumerate(records))
    return path


def write_parquet(path: Path, *records: Mapping[str, object]) -> Path:
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(records), path)
    return path


def refused(file: LabelledFile) -> list[tuple[int, str]]:
    """Line and reason of every row that cannot be used."""
    return [(row.line, row.reason) for row in file.unreadable]


# The registry


def test_every_format_says_its_files_and_its_label_rule() -> None:
    assert all(name == known.name for name, known in FORMATS.items())
    titles = [known.title for known in FORMATS.values()]
    assert len(set(titles)) == len(titles)
    for known in FORMATS.values():
        assert known.files
        assert known.label_rule.endswith(".")
        assert known.keys
        assert "://" not in known.repository
        assert bool(known.repository) == (known.name != "rows")
        subsets = [subset for subset, _ in known.published]
        assert len(set(subsets)) == len(subsets)


def test_published_counts_are_those_of_the_paper() -> None:
    totals = {
        name: counts.hallucinated + counts.supported
        for name, known in FORMATS.items()
        for subset, counts in known.published
        if not subset
    }
    assert totals == {
        "vitaminc": 63054, "begin": 836, "dialfact": 8689, "fever": 18209, "frank": 671,
        "mnbm": 2500, "paws": 8000, "q2": 1088, "qags_cnndm": 235, "qags_xsum": 239,
        "summeval": 1600, "msmarco": 504, "hotpotqa": 110447, "halubench": 14900,
        "truthfulqa": 2976, "halueval_dialogue": 20000, "halueval_qa": 20000,
        "halueval_summarization": 20000, "halueval_general": 4507, "ragtruth": 17790,
    }  # fmt: skip
    test = [counts for subset, counts in FORMATS["ragtruth"].published if subset]
    assert sum(counts.hallucinated + counts.supported for counts in test) == 2700


def test_kin_is_said_where_training_rows_are_related() -> None:
    related = {"paws", "fever", "vitaminc", "begin", "q2", "dialfact", "hotpotqa"}
    related |= {"frank", "mnbm", "qags_cnndm", "qags_xsum", "summeval"}
    assert related <= {name for name, known in FORMATS.items() if known.training_overlap}
    assert not FORMATS["ragtruth"].training_overlap


# Our own rows

OWN = {
    "id": "r1", "query": "q", "context": ["c"], "answer": "a lie", "label": 0,
    "spans": [{"start": 2, "end": 5, "type": "Evident Conflict", "text": "lie"}],
    "meta": {"task": "QA", "model": "gpt", "source_id": 14300},
}  # fmt: skip


def test_own_rows_keep_id_spans_and_meta(tmp_path: Path) -> None:
    plain = {**OWN, "id": 7, "label": 1, "spans": [], "meta": {"bbcid": "34"}}
    file = read_labelled_file(write_lines(tmp_path / "mine.jsonl.gz", OWN, plain))
    assert (file.dataset, file.format, file.warnings) == ("mine", "rows", ())
    assert file.rows == (
        LabelledRow(
            1, "q", ("c",), "a lie", 0, "r1", "14300", "", "QA", "gpt",
            (GoldSpan(2, 5, "Evident Conflict"),),
        ),
        LabelledRow(2, "q", ("c",), "a lie", 1, "7", "34", spans=()),
    )  # fmt: skip


def test_own_rows_without_any_span_have_none_at_all(tmp_path: Path) -> None:
    file = read_labelled_file(write_lines(tmp_path / "mine.jsonl", {**OWN, "spans": []}))
    assert [row.spans for row in file.rows] == [None]


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        ("lie", "spans is not a list of"),
        ([{"start": 2}], "span 1 has no start and end"),
        ([{"start": 2, "end": 6}], "span 1 is 2:6, but the answer has 5 characters"),
    ],
)
def test_own_row_with_a_bad_span_is_refused(tmp_path: Path, spans: object, reason: str) -> None:
    file = read_labelled_file(write_lines(tmp_path / "mine.jsonl", OWN, {**OWN, "spans": spans}))
    assert [row.line for row in file.rows] == [1]
    assert reason in file.unreadable[0].reason


def test_own_rows_are_held_against_the_set_of_their_name_only(tmp_path: Path) -> None:
    assert read_labelled_file(write_lines(tmp_path / "mine.jsonl", OWN)).warnings == ()
    (said,) = read_labelled_file(write_lines(tmp_path / "begin.jsonl", OWN)).warnings
    assert said == (
        "BEGIN: 282 supported and 554 hallucinated rows are published, this file has 0 and 1: "
        "it may be another version or cut"
    )


# RAGTruth

RESPONSE = {
    "id": "11904", "source_id": "14300", "model": "gpt-4-0613", "temperature": 0.7,
    "labels": [], "split": "test", "quality": "good", "response": "Bake them. Then freeze them.",
}  # fmt: skip
FROZEN = {
    "start": 11, "end": 28, "text": "Then freeze them.", "meta": "HIGH INTRO OF NEW INFO",
    "label_type": "Evident Baseless Info", "implicit_true": True, "due_to_null": False,
}  # fmt: skip
SOURCE = {
    "source_id": "14300", "task_type": "QA", "source": "MARCO", "prompt": "Briefly answer ...",
    "source_info": {
        "question": "how to prepare beets",
        "passages": "passage 1:Bake the beets.\n\npassage 2:Serve hot.\nSee passage 1: it.\n\n",
    },
}  # fmt: skip


def write_ragtruth(folder: Path, *responses: object, source: object = SOURCE) -> Path:
    write_lines(folder / "source_info.jsonl", source, "{")
    return write_lines(folder / "response.jsonl", *responses)


def test_ragtruth_from_the_folder_and_from_either_file(tmp_path: Path) -> None:
    other = {**RESPONSE, "id": "11905", "labels": [FROZEN, {**FROZEN, "start": 99, "end": 120}]}
    path = write_ragtruth(tmp_path, RESPONSE, other, {**RESPONSE, "source_id": "1"}, "{")
    file = read_labelled_file(tmp_path)
    assert file.dataset == file.format == "ragtruth"
    good, bad = file.rows
    context = ("Bake the beets.", "Serve hot.\nSee passage 1: it.")
    assert good == LabelledRow(
        1, "how to prepare beets", context, "Bake them. Then freeze them.", 1,
        "11904", "14300", "test QA", "QA", "gpt-4-0613", (),
    )  # fmt: skip
    assert (bad.label, bad.spans) == (0, (GoldSpan(11, 28, "Evident Baseless Info"),))
    assert [row.line for row in file.unreadable] == [3, 4]
    assert file.unreadable[0].reason == "no source '1' in source_info.jsonl"
    assert "1 span(s) lie outside their response" in file.warnings[0]
    assert any(
        said.startswith("RAGTruth, test QA: 740 supported and 160 hall") for said in file.warnings
    )
    for either in (path, tmp_path / "source_info.jsonl"):
        again = read_labelled_file(either)
        assert (again.rows, again.unreadable) == (file.rows, file.unreadable)


@pytest.mark.parametrize(
    ("task", "info", "context"),
    [
        ("Summary", "An article.\n", "An article."),
        ("Data2txt", {"name": "Café", "WiFi": None}, '{"name": "Café", "WiFi": null}'),
    ],
)
def test_ragtruth_sources_without_question(
    tmp_path: Path, task: str, info: object, context: str
) -> None:
    source = {**SOURCE, "task_type": task, "source_info": info}
    (row,) = read_labelled_file(write_ragtruth(tmp_path, RESPONSE, source=source)).rows
    assert (row.query, row.context, row.subset) == ("", (context,), f"test {task}")


def test_ragtruth_needs_both_files(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "response.jsonl", RESPONSE)
    with pytest.raises(InputError, match=r"source_info\.jsonl is not beside this one; put"):
        read_labelled_file(path)
    with pytest.raises(InputError, match=r"a folder is read only with RAGTruth's"):
        read_labelled_file(write_lines(tmp_path / "a.jsonl", OWN).parent / "..")


# HaluEval


@pytest.mark.parametrize(
    ("name", "record", "query", "context"),
    [
        (
            "qa",
            {"knowledge": "K", "question": "Q", "right_answer": "R", "hallucinated_answer": "H"},
            "Q",
            "K",
        ),
        (
            "dialogue",
            {
                "knowledge": "K",
                "dialogue_history": "[Human]: Hi",
                "right_response": "R",
                "hallucinated_response": "H",
            },
            "[Human]: Hi",
            "K",
        ),
        (
            "summarization",
            {"document": "D", "right_summary": "R", "hallucinated_summary": "H"},
            "",
            "D",
        ),
    ],
)
def test_halueval_gives_two_rows_a_record(
    tmp_path: Path, name: str, record: object, query: str, context: str
) -> None:
    file = read_labelled_file(write_lines(tmp_path / f"{name}_data.json", record, "{", record))
    assert file.dataset == f"halueval_{name}"
    assert [(row.line, row.answer, row.label) for row in file.rows] == [
        (1, "R", 1), (1, "H", 0), (3, "R", 1), (3, "H", 0),
    ]  # fmt: skip
    assert {(row.query, row.context, row.task) for row in file.rows} == {(query, (context,), name)}
    assert len({row.group for row in file.rows}) == 1
    assert len({row.id for row in file.rows}) == 4
    assert [row.line for row in file.unreadable] == [2]
    assert f"HaluEval {name}: 10000 supported and 10000" in file.warnings[0]


def test_halueval_general_has_no_context(tmp_path: Path) -> None:
    record = {"ID": "1", "user_query": "Q", "chatgpt_response": "A", "hallucination_label": "no"}
    later = {
        "ID": "2", "user_query": "Q", "chatgpt_response": "A", "hallucination": "yes",
        "hallucination_spans": ["A"],
    }  # fmt: skip
    wrong = {**record, "hallucination_label": "perhaps"}
    file = read_labelled_file(write_lines(tmp_path / "general_data.json", record, later, wrong))
    assert file.rows == (
        LabelledRow(1, "Q", (), "A", 1, "1", task="general", source_model="ChatGPT"),
        LabelledRow(2, "Q", (), "A", 0, "2", task="general", source_model="ChatGPT"),
    )
    assert refused(file) == [(3, 'hallucination_label is "perhaps", not no or yes')]


# TRUE

GROUNDED: dict[str, object] = {"grounding": "A.\nB, é", "generated_text": 'the "a"', "label": 1}


@pytest.mark.parametrize(
    ("file_name", "dataset", "title"),
    [
        ("begin_dev_download.csv", "begin", "BEGIN"),
        ("dialfact_valid_download.csv", "dialfact", "DialFact"),
        ("q2_download.csv", "q2", "Q2"),
        ("frank_valid_download.csv", "frank", "FRANK"),
        ("mnbm_download.csv", "mnbm", "MNBM"),
        ("qags_cnndm_download.csv", "qags_cnndm", "QAGS-CNN/DM"),
        ("qags-xsum.csv", "qags_xsum", "QAGS-XSum"),
        ("summeval_download.csv", "summeval", "SummEval"),
        ("paws_download.csv", "paws", "PAWS"),
        ("fever_dev_download.csv", "fever", "FEVER"),
        ("vitc_dev_download.csv", "vitaminc", "VitaminC"),
        ("VitaminC.csv", "vitaminc", "VitaminC"),
    ],
)
def test_true_subset_is_told_by_the_file_name(
    tmp_path: Path, file_name: str, dataset: str, title: str
) -> None:
    path = write_table(tmp_path / file_name, GROUNDED, {**GROUNDED, "label": 0})
    file = read_labelled_file(path)
    assert file.dataset == file.format == dataset
    group = text_group("A.\nB, é")
    task = file.rows[0].task
    assert file.rows == (
        LabelledRow(2, "", ("A.\nB, é",), 'the "a"', 1, "0", group, task=task),
        LabelledRow(4, "", ("A.\nB, é",), 'the "a"', 0, "1", group, task=task),
    )
    (said,) = file.warnings
    assert said.startswith(f"{title}: ")


def test_true_keeps_model_and_article_and_reads_labels_as_pandas_writes_them(
    tmp_path: Path,
) -> None:
    row = {"bbcid": 34687720, "model": "BERTS2S", **GROUNDED, "label": 1.0}
    path = write_table(tmp_path / "mnbm_download.csv", row, {**row, "label": ""}, delimiter=",")
    file = read_labelled_file(path)
    assert [(row.group, row.source_model) for row in file.rows] == [("34687720", "BERTS2S")]
    assert file.unreadable[0].reason == "no label"


def test_true_file_of_unknown_name(tmp_path: Path) -> None:
    path = write_table(tmp_path / "download.tsv", GROUNDED, delimiter="\t")
    file = read_labelled_file(path)
    assert (file.dataset, file.format, len(file.rows)) == ("download", "true", 1)
    assert "does not say which of TRUE's data sets" in file.warnings[0]
    named = read_labelled_file(path, "q2")
    assert (named.dataset, named.format) == ("q2", "q2")
    assert "Q2: 628 supported and 460 hallucinated" in named.warnings[0]


# The other data sets


def test_halubench(tmp_path: Path) -> None:
    record = {
        "id": "d3fb", "passage": "P", "question": "Q", "answer": "['5']", "label": "PASS",
        "source_ds": "DROP",
    }  # fmt: skip
    records = (record, {**record, "label": "FAIL"}, {**record, "label": "MAYBE"})
    file = read_labelled_file(write_parquet(tmp_path / "test-00000-of-00001.parquet", *records))
    assert file.dataset == "halubench"
    row = LabelledRow(1, "Q", ("P",), "['5']", 1, "d3fb", text_group("P"), "DROP", "qa")
    assert file.rows[0] == row
    assert file.rows[1].label == 0
    assert refused(file) == [(3, 'label is "MAYBE", not PASS or FAIL')]
    assert file.warnings[0].startswith("HaluBench: 7730 supported and 7170 hallucinated")
    again = read_labelled_file(write_lines(tmp_path / "halubench.jsonl", *records))
    assert again.rows == file.rows


def test_truthfulqa_checks_the_other_answers_against_the_best(tmp_path: Path) -> None:
    record: dict[str, object] = {
        "Type": "Adversarial", "Category": "Nutrition", "Question": "Seeds?",
        "Best Answer": "They pass through you",
        "Correct Answers": "They pass through you.; Nothing happens; ",
        "Incorrect Answers": "You die;You get sick", "Source": "https",
    }  # fmt: skip
    file = read_labelled_file(
        write_table(tmp_path / "TruthfulQA.csv", record, {**record, "Best Answer": ""})
    )
    assert [(row.answer, row.label) for row in file.rows] == [
        ("Nothing happens", 1), ("You die", 0), ("You get sick", 0),
    ]  # fmt: skip
    assert {(row.query, row.context, row.group) for row in file.rows} == {
        ("Seeds?", ("They pass through you",), "truthfulqa-2")
    }
    assert refused(file) == [(3, "no best answer")]
    generation = {
        "question": "Seeds?", "best_answer": "They pass through you",
        "correct_answers": ["They pass through you", "Nothing happens"],
        "incorrect_answers": ["You die", "You get sick"],
    }  # fmt: skip
    again = read_labelled_file(write_parquet(tmp_path / "validation.parquet", generation))
    assert [row.answer for row in again.rows] == [row.answer for row in file.rows]


HOTPOT = {
    "_id": "5a8b", "question": "Which came first? ", "answer": "Arthur's Magazine",
    "context": [
        ["Arthur's Magazine", ["It was a periodical.", " It began in 1844."]],
        ["First for Women", ["It is a magazine."]],
    ],
    "supporting_facts": [["Arthur's Magazine", 0]], "type": "comparison", "level": "medium",
}  # fmt: skip


def test_hotpotqa_with_the_hallucinated_answers_of_halueval(tmp_path: Path) -> None:
    pair = {
        "knowledge": "K", "question": "Which came first?", "right_answer": "Arthur's Magazine",
        "hallucinated_answer": "First for Women was first.",
    }  # fmt: skip
    path = write(tmp_path / "hotpot_train_v1.1.json", json.dumps([HOTPOT, HOTPOT, {"_id": "x"}]))
    alone = read_labelled_file(path)
    assert [row.label for row in alone.rows] == [1, 1]
    assert "qa_data.json is not beside hotpot_train_v1.1.json" in alone.warnings[0]
    write_lines(tmp_path / "qa_data.json", pair, {**pair, "question": "Elsewhere?"}, "{")
    file = read_labelled_file(path)
    assert file.dataset == "hotpotqa"
    context = (
        "Arthur's Magazine. It was a periodical. It began in 1844.",
        "First for Women. It is a magazine.",
    )
    right = LabelledRow(
        1, "Which came first?", context, "Arthur's Magazine", 1, "5a8b", "5a8b", task="qa",
        other_answers=("First for Women was first.",),
    )  # fmt: skip
    wrong = LabelledRow(
        1, "Which came first?", context, "First for Women was first.", 0,
        "5a8b-hallucinated-1", "5a8b", task="qa", other_answers=("Arthur's Magazine",),
    )  # fmt: skip
    assert file.rows[:2] == (right, wrong)
    assert [(row.line, row.label) for row in file.rows[2:]] == [(2, 1)]
    assert refused(file) == [(3, "no question")]
    assert file.warnings[0] == "qa_data.json: 1 record(s) could not be read"
    assert file.warnings[1].startswith("qa_data.json: 1 of 2 questions are not in the data set's")


def test_hotpotqa_paragraphs_of_the_parquet_form(tmp_path: Path) -> None:
    record = {
        **HOTPOT, "context": {"title": ["T"], "sentences": [["One.", " Two."]]},
        "supporting_facts": {"title": ["T"], "sent_id": [0]},
    }  # fmt: skip
    (row,) = read_labelled_file(write_parquet(tmp_path / "validation.parquet", record)).rows
    assert row.context == ("T. One. Two.",)


def test_msmarco_of_the_owners_columns_and_of_lines(tmp_path: Path) -> None:
    passages = [{"is_selected": 1, "url": "u", "passage_text": text} for text in ("P1", "P2")]
    records: list[dict[str, object]] = [
        {"query": "q1", "query_id": 9652, "passages": passages, "answers": ["A", "B"]},
        {
            "query": "q2", "query_id": 2, "passages": passages,
            "answers": ["No Answer Present."],
        },
        {"query": "q3", "query_id": 3, "passages": [], "answers": ["A"]},
    ]  # fmt: skip
    columns = {
        key: {str(number): record[key] for number, record in enumerate(records)}
        for key in records[0]
    }
    path = write(tmp_path / "dev_v2.1.json", json.dumps(columns))
    file = read_labelled_file(path)
    row = LabelledRow(1, "q1", ("P1", "P2"), "A", 1, "9652", "9652", task="qa")
    assert (file.dataset, file.rows) == ("msmarco", (row,))
    assert refused(file) == [(3, "passages is not a list of {passage_text, ...}")]
    assert file.warnings[0].startswith("MS MARCO: 1 queries have no answer in the file")
    assert "hallucinated_answers.jsonl" in file.warnings[1]

    assert read_labelled_file(write_lines(tmp_path / "dev.jsonl", *records)).rows == file.rows
    write_lines(
        tmp_path / "hallucinated_answers.jsonl", {"query_id": 9652, "hallucinated_answer": "Z"}
    )
    both = read_labelled_file(path).rows
    assert [(row.answer, row.label, row.group) for row in both] == [
        ("A", 1, "9652"), ("Z", 0, "9652"),
    ]  # fmt: skip


def test_summac(tmp_path: Path) -> None:
    record = {
        "document": "D", "claim": "C", "label": 0, "model_name": "M11", "cnndm_id": "dm-test-8764",
        "cut": "val", "annotations": [1, 1, 1], "dataset": "summeval", "origin": "cnndm",
    }  # fmt: skip
    file = read_labelled_file(write_lines(tmp_path / "summac.jsonl", record))
    assert (file.dataset, file.warnings) == ("summac", ())
    assert file.rows == (
        LabelledRow(
            1, "", ("D",), "C", 0, "", text_group("D"), "summeval val", "summarization", "M11"
        ),
    )


def test_llm_aggrefact(tmp_path: Path) -> None:
    record: dict[str, object] = {
        "dataset": "ExpertQA", "doc": "D", "claim": "C", "label": 1,
        "contamination_identifier": "f3",
    }  # fmt: skip
    file = read_labelled_file(write_parquet(tmp_path / "test-00000-of-00001.parquet", record))
    row = LabelledRow(1, "", ("D",), "C", 1, "f3", text_group("D"), "ExpertQA", "fact checking")
    assert (file.dataset, file.rows, file.warnings) == ("llm_aggrefact", (row,), ())
    table = read_labelled_file(write_table(tmp_path / "test.csv", record))
    assert [row.label for row in table.rows] == [1]


def sample(labels: list[list[str]]) -> dict[str, object]:
    return {
        "sample_id": 0, "source": "S", "summary": "a production budget",
        "annotations": [
            {"annot_id": 1, "label": label, "summary_start": 2, "summary_end": 12,
             "summary_span": "production"}
            for label in labels
        ],
        "metadata": {"summarizer": "openai/gpt-4o", "raw_sample_id": 15},
    }  # fmt: skip


def test_faithbench_from_a_batch_a_folder_and_the_table(tmp_path: Path) -> None:
    batch = {
        "samples": [
            sample([["Questionable"], ["Unwanted", "Unwanted.Intrinsic"]]),
            sample([["Benign"], ["Questionable"]]),
            sample([]),
            "damaged",
        ]
    }
    path = write(tmp_path / "batch_1.json", json.dumps(batch, indent=2))
    file = read_labelled_file(path)
    assert (file.dataset, file.warnings) == ("faithbench", ())
    assert file.rows[0] == LabelledRow(
        1, "", ("S",), "a production budget", 0, "15", text_group("S"), "", "summarization",
        "openai/gpt-4o", (GoldSpan(2, 12, "Unwanted.Intrinsic"),),
    )  # fmt: skip
    assert [(row.label, row.spans) for row in file.rows[1:]] == [(1, ()), (1, ())]
    assert refused(file) == [(4, "no source")]

    write(tmp_path / "batch_2.json", json.dumps(batch))
    assert [row.line for row in read_labelled_file(tmp_path).rows] == [1, 2, 3, 5, 6, 7]

    worst: dict[str, object] = {
        "source": "S", "summary": "a", "LLM": "m", "worst-label": "Unwanted", "best-label": "Benign"
    }  # fmt: skip
    labels = ("Unwanted", "Benign", "Questionable", "Consistent", "Bad")
    table = write_table(
        tmp_path / "FaithBench.csv", *({**worst, "worst-label": label} for label in labels)
    )
    rows = read_labelled_file(table)
    assert [(row.label, row.spans) for row in rows.rows] == [(0, None)] + [(1, None)] * 3
    assert 'worst-label is "Bad"' in rows.unreadable[0].reason


# Published counts


def test_counts_as_published_are_not_warned_of() -> None:
    rows = [LabelledRow(1, "", (), "a", 0)] * 122 + [LabelledRow(1, "", (), "a", 1)] * 113
    known = FORMATS["qags_cnndm"]
    assert known.published == (("", Counts(122, 113)),)
    assert count_warnings(known, "qags_cnndm", rows) == []
    assert count_warnings(FORMATS["rows"], "qags_cnndm", rows) == []
    assert count_warnings(FORMATS["rows"], "ragtruth", rows) == []
    (said,) = count_warnings(known, "qags_cnndm", rows[1:])
    assert "113 supported and 122 hallucinated rows are published" in said
    assert "this file has 113 and 121" in said


# Recognition and damage


def test_unrecognised_file_says_what_it_has_and_what_is_known(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "mine.jsonl", {"prompt": "p", "completion": "c"})
    with pytest.raises(InputError) as caught:
        read_labelled_file(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: no known format fits; its first record has the keys prompt")
    assert "rows (answer, context, label)" in message
    assert all(name in message for name in FORMATS)


def test_the_format_asked_for_must_exist_and_fit(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "mine.jsonl", OWN)
    with pytest.raises(InputError, match="no data set format is called 'halubnch'; the formats: r"):
        read_labelled_file(path, "halubnch")
    with pytest.raises(InputError, match="not of the format halubench, whose records have answer"):
        read_labelled_file(path, "halubench")
    assert read_labelled_file(path, "rows").format == "rows"


def test_damaged_rows_in_front_do_not_hide_the_format(tmp_path: Path) -> None:
    file = read_labelled_file(write_lines(tmp_path / "mine.jsonl", "{", "[1]", OWN, '"text"'))
    assert [row.line for row in file.rows] == [3]
    assert [row.line for row in file.unreadable] == [1, 2, 4]


def test_file_without_any_record(tmp_path: Path) -> None:
    path = write(tmp_path / "notes.txt", "Some notes\nof no format\n")
    with pytest.raises(InputError, match=r"it is a text, without a table that names two"):
        read_labelled_file(path)
    assert read_labelled_file(write(tmp_path / "empty.jsonl", "")).rows == ()
    assert read_labelled_file(write(tmp_path / "none.json", " [ ]\n")).rows == ()


@pytest.mark.parametrize("indent", [None, 1])
def test_json_array_counts_records(tmp_path: Path, indent: int | None) -> None:
    text = json.dumps([OWN, 5, OWN], indent=indent)
    file = read_labelled_file(write(tmp_path / "mine.json.gz", text))
    assert file.dataset == "mine"
    assert [row.line for row in file.rows] == [1, 3]
    assert refused(file) == [(2, "not a JSON object")]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (json.dumps([OWN, OWN])[:-30], "line 1, column "),
        (json.dumps([OWN]) + "\nmore", "line 2, column 1: not JSON .something follows the end"),
        (json.dumps({"samples": []}, indent=1)[:-2] + "]", "line 2, column "),
        ("[{} {}]", "line 1, column 5: not JSON .a comma or a closing bracket is missing"),
    ],
)
def test_damaged_json_document_is_refused_with_the_place(
    tmp_path: Path, text: str, place: str
) -> None:
    with pytest.raises(InputError, match=rf"mine\.json, {place}"):
        read_labelled_file(write(tmp_path / "mine.json", text))


def test_damaged_table_rows_cost_themselves_only(tmp_path: Path) -> None:
    path = tmp_path / "q2_download.csv"
    good = b"0,memnet,Know,Text,1\n"
    path.write_bytes(
        b"\xef\xbb\xbf,model,grounding,generated_text,label\n"
        + good
        + b"1,memnet,Know\n"  # too short
        + b'3,memnet,"Know"ing,Text,1\n'  # text after a closing quote
        + b"\n"
        + good.replace(b"Know", b'"' + b"x" * 200_000 + b'"')  # over csv's default field limit
        + good
        + b'9,memnet,"never closed,Text,1\n'
    )
    file = read_labelled_file(path)
    assert [row.line for row in file.rows] == [2, 6, 7]
    assert len(file.rows[1].context[0]) == 200_000
    assert [row.line for row in file.unreadable] == [3, 4, 8]
    reasons = [row.reason for row in file.unreadable]
    assert reasons[0] == "3 columns, but the heading names 5"
    assert reasons[1].startswith("not CSV")
    assert reasons[2].startswith("not CSV")


def test_parquet_that_is_cut_or_cannot_be_read_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_parquet(tmp_path / "a.parquet", {"passage": "P"})
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"cut\.parquet: not a whole Parquet file"):
        read_labelled_file(cut)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="needs pyarrow, which is not installed; install pyarrow"):
        list(entries_of(path))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("begin_dev.csv", "begin_dev"), ("a.tsv.gz", "a"), ("test-0.parquet", "test-0")],
)
def test_dataset_name_of_tables(name: str, expected: str) -> None:
    assert dataset_name(Path(name)) == expected
