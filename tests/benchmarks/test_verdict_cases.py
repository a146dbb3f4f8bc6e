"""The hand-made cases are well-formed, and the table counts what it says."""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.verdict_cases import FOLDER, Case, document, judged, main, read_cases, table
from provenance_core import Parameters, assemble
from provenance_core.types import SentenceLabel, Verdict
from tests.conftest import hand_evidence
from training.written_pairs import read_blocks

CASES = read_cases()
FAMILIES = {
    "all_some",
    "cause",
    "date",
    "derived",
    "edges",
    "joined",
    "list_markers",
    "name",
    "negation",
    "number",
    "ordinal",
    "paraphrase",
    "percentage",
    "pronouns",
    "roles",
    "rows",
    "tables",
    "titles",
    "unit",
    "unrelated",
    "verbatim",
    "yes_no",
}
# The real answers and summaries that results are reported on, where they lie beside the project.
EVALUATION = next(
    (
        folder / "shared" / "data" / "eval"
        for folder in Path(__file__).resolve().parents
        if (folder / "shared" / "data" / "eval").is_dir()
    ),
    None,
)


def test_every_family_has_thirty_cases_of_both_labels():
    labels = defaultdict(Counter)
    for case in CASES:
        labels[case.family][case.label] += 1
    assert set(labels) == FAMILIES
    for family, counts in labels.items():
        assert counts.total() >= 30, family
        if family != "verbatim":  # what stands in the context is always right
            assert abs(counts[0] - counts[1]) <= 0.2 * counts.total(), family


def test_no_case_comes_twice_and_none_is_empty():
    assert len({(case.query, case.context, case.answer) for case in CASES}) == len(CASES)
    for case in CASES:
        assert 1 <= len(case.context) <= 6
        assert all(text.strip() for text in (case.query, case.answer, *case.context))
        assert case.note.strip() or case.label == 1 or case.family in ("titles", "yes_no")


def test_answers_and_contexts_are_of_all_sizes():
    assert {len(case.context) for case in CASES} >= {1, 2, 3, 4, 5}
    assert sum(case.answer.count(".") > 1 for case in CASES) >= 60


@pytest.mark.skipif(EVALUATION is None, reason="shared/data/eval is not beside the project")
@pytest.mark.slow
def test_no_text_is_from_the_evaluation_sets():
    ours = {text for case in CASES for text in (case.answer, *case.context) if len(text) > 30}
    for path in EVALUATION.glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                theirs = "\n".join([row["answer"], *row["context"]])
                assert not [text for text in ours if text in theirs], path.name


@pytest.mark.parametrize(("folder", "of_each"), [("fresh_cases", 16), ("unread_cases", 8)])
def test_fresh_cases_are_in_pairs_and_nothing_of_them_is_trained_on(folder, of_each):
    fresh = read_cases(FOLDER.with_name(folder))
    sizes = Counter((case.family, case.label) for case in fresh)
    assert len(fresh) == 20 * of_each
    assert set(sizes.values()) == {of_each}
    texts = {text for case in fresh for text in case.context}
    assert texts.isdisjoint(text for case in CASES for text in case.context)
    assert texts.isdisjoint(block.context for block in read_blocks())


def test_a_bad_line_is_named(tmp_path):
    (tmp_path / "number.jsonl").write_text('{"family": "number"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"number\.jsonl, line 1"):
        read_cases(tmp_path)
    row = {"family": "date", "query": "", "context": [], "answer": "a", "label": 1, "note": ""}
    (tmp_path / "number.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="family"):
        read_cases(tmp_path)


def audit_of(verdict, label):
    audit = assemble(hand_evidence([0.1], [[0.5]]), Parameters())
    sentences = tuple(replace(each, label=label) for each in audit.sentences)
    return replace(audit, verdict=verdict, sentences=sentences)


@pytest.mark.parametrize(
    ("family", "label", "verdict", "sentence", "right"),
    [
        ("number", 1, Verdict.SUPPORTED, SentenceLabel.NOT_FOUND, True),
        ("number", 0, Verdict.SUPPORTED, SentenceLabel.NOT_FOUND, False),
        ("number", 0, Verdict.HALLUCINATED, SentenceLabel.CONTRADICTED, True),
        ("verbatim", 1, Verdict.SUPPORTED, SentenceLabel.SUPPORTED, True),
        ("verbatim", 1, Verdict.SUPPORTED, SentenceLabel.NOT_FOUND, False),
        ("unrelated", 0, Verdict.HALLUCINATED, SentenceLabel.NOT_FOUND, True),
        ("unrelated", 0, Verdict.HALLUCINATED, SentenceLabel.CONTRADICTED, False),
    ],
)
def test_what_counts_as_right(family, label, verdict, sentence, right):
    case = Case(family, "Q?", ("C.",), "A.", label, "")
    assert judged(case, audit_of(verdict, sentence)).right is right


def test_the_table_counts_by_family_profile_and_label():
    rows = tuple(
        judged(
            Case("number", "Q?", ("C.",), "A.", label, ""),
            audit_of(Verdict.SUPPORTED, SentenceLabel.NOT_FOUND),
        )
        for label in (1, 1, 0)
    )
    lines = table({"embedded": rows}).splitlines()
    assert lines[2] == "| number | 3 | **2 of 3** | 2 of 2 | 0 of 1 |"
    assert lines[3] == "| all | 3 | **2 of 3** | 2 of 2 | 0 of 1 |"
    assert "With 3 to 3 cases a family" in document({"embedded": rows})
    assert "2 of 2 of the supported and 1 of 1" in document({"embedded": rows})


def test_an_unknown_profile_is_said(tmp_path, capsys):
    assert main(["--profile", "no-such-profile", "--output", str(tmp_path / "page.md")]) == 1
    assert "no-such-profile" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
