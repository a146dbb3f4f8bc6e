"""Rows, metrics, baselines and the summary of an evaluation."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest
from provenance_core.evaluation.run import (
    LengthScorer,
    Method,
    SkipReason,
    WordOverlapScorer,
    evaluate_file,
)
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score

from provenance_core.errors import InputError
from provenance_core.evaluation.baselines import length_score, word_overlap
from provenance_core.evaluation.datasets import (
    dataset_name,
    first_shuffled,
    read_labelled_file,
)
from provenance_core.evaluation.metrics import (
    Interval,
    average_precision,
    balanced_accuracy,
    bootstrap_auc,
    roc_auc,
)
from provenance_core.evaluation.types import LabelledRow

GOOD = {"query": "", "context": ["The cat sat."], "answer": "The cat sat.", "label": 1}


def write_rows(path: Path, *rows: object) -> Path:
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


# Rows


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_reads_plain_and_gzipped_rows(tmp_path, name):
    file = read_labelled_file(write_rows(tmp_path / name, GOOD, {**GOOD, "label": 0}))
    assert file.dataset == "rows"
    assert file.rows == (
        LabelledRow(1, "", ("The cat sat.",), "The cat sat.", 1),
        LabelledRow(2, "", ("The cat sat.",), "The cat sat.", 0),
    )
    assert file.unreadable == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.jsonl", "a"), ("a.jsonl.gz", "a"), ("a.b.gz", "a.b"), ("a", "a"), (".gz", ".gz")],
)
def test_dataset_name_drops_the_suffixes(name, expected):
    assert dataset_name(Path(name)) == expected


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"a": ' + "9" * 5000 + "}", "beyond what can be read"),
        ({"answer": "a"}, "no context and no label"),
        ({**GOOD, "label": 2}, "label is 2, not 1"),
        ({**GOOD, "label": True}, "label is true, not 1"),
        ({**GOOD, "label": "supported"}, 'label is "supported", not 1'),
        ({**GOOD, "context": "one text"}, "context is not a list of strings"),
        ({**GOOD, "context": ["a", 1]}, "context is not a list of strings"),
        ({**GOOD, "answer": None}, "answer is not a string"),
        ({**GOOD, "query": ["q"]}, "query is not a string"),
    ],
)
def test_bad_row_is_kept_with_line_and_reason(tmp_path, row, reason):
    file = read_labelled_file(write_rows(tmp_path / "rows.jsonl", GOOD, "", row, GOOD))
    assert [good.line for good in file.rows] == [1, 4]
    (bad,) = file.unreadable
    assert bad.line == 3
    assert reason in bad.reason


def test_row_in_another_encoding_is_refused_alone(tmp_path):
    path = tmp_path / "rows.jsonl"
    good = json.dumps(GOOD).encode()
    path.write_bytes(b"\xef\xbb\xbf" + good + b"\n" + good.replace(b"cat", b"c\xe4t") + b"\n")
    file = read_labelled_file(path)
    assert [row.line for row in file.rows] == [1]
    assert "not UTF-8" in file.unreadable[0].reason


def test_query_may_be_missing_or_null(tmp_path):
    without = {key: value for key, value in GOOD.items() if key != "query"}
    file = read_labelled_file(write_rows(tmp_path / "rows.jsonl", without, {**GOOD, "query": None}))
    assert [row.query for row in file.rows] == ["", ""]


def test_missing_file_and_damaged_gzip_name_the_file(tmp_path):
    with pytest.raises(InputError, match=r"absent\.jsonl: cannot be read"):
        read_labelled_file(tmp_path / "absent.jsonl")
    whole = write_rows(tmp_path / "rows.jsonl.gz", *[GOOD] * 100).read_bytes()
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(whole[:-12])
    with pytest.raises(InputError, match=r"cut\.jsonl\.gz: the gzip stream is damaged"):
        read_labelled_file(cut)


def test_limit_takes_the_first_of_a_seeded_shuffle():
    rows = tuple(LabelledRow(i, "", ("c",), "a", 1) for i in range(50))
    assert first_shuffled(rows, None, 0) == rows
    ten = first_shuffled(rows, 10, 0)
    assert ten == first_shuffled(rows, 20, 0)[:10]
    assert ten != rows[:10]
    assert ten != first_shuffled(rows, 10, 1)
    assert len(first_shuffled(rows, 80, 0)) == 50


# Metrics


def test_auc_by_hand():
    # Pairs (supported, hallucinated): 0.9 beats both, 0.4 beats 0.1 and ties 0.4: 3.5 of 4.
    assert roc_auc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]) == pytest.approx(3.5 / 4)


def test_balanced_accuracy_by_hand():
    # At 0.5: 1 of 2 supported and 2 of 3 hallucinated are right; 0.5 itself is supported.
    labels, scores = [1, 1, 0, 0, 0], [0.5, 0.4, 0.6, 0.2, 0.1]
    assert balanced_accuracy(labels, scores, 0.5) == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_metrics_agree_with_scikit_learn():
    generator = np.random.default_rng(3)
    labels = generator.integers(0, 2, 200).tolist()
    scores = generator.normal(size=200).round(1).tolist()
    assert roc_auc(labels, scores) == pytest.approx(roc_auc_score(labels, scores))
    assert average_precision(labels, scores) == pytest.approx(
        average_precision_score(labels, scores)
    )
    assert balanced_accuracy(labels, scores, 0.0) == pytest.approx(
        balanced_accuracy_score(labels, np.array(scores) >= 0.0)
    )


@pytest.mark.parametrize("labels", [[], [1, 1], [0, 0, 0]])
def test_one_class_has_no_figure(labels):
    scores = [0.5] * len(labels)
    assert roc_auc(labels, scores) is None
    assert average_precision(labels, scores) is None
    assert balanced_accuracy(labels, scores, 0.5) is None
    assert bootstrap_auc(labels, scores) is None


def test_bootstrap_equals_a_loop_over_scikit_learn():
    generator = np.random.default_rng(5)
    labels = generator.integers(0, 2, 60)
    scores = (labels + generator.normal(size=60)).round(1)
    found = bootstrap_auc(labels.tolist(), scores.tolist(), resamples=50, seed=11)

    # The same draws: rows in the order of their scores, one block of 50 resamples.
    order = np.argsort(scores, kind="stable")
    drawn = np.random.default_rng(11).integers(0, 60, size=(50, 60))
    areas = [roc_auc_score(labels[order][row], scores[order][row]) for row in drawn]
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(areas, [0.025, 0.975])))


def test_bootstrap_interval_has_the_width_that_theory_gives():
    # Hanley and McNeil (1982): standard error of an AUC of about 0.76 with 500 and 500 rows.
    generator = np.random.default_rng(0)
    labels = np.repeat([0, 1], 500)
    scores = labels + generator.normal(size=1000)
    auc = float(roc_auc_score(labels, scores))
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    error = math.sqrt((auc * (1 - auc) + 499 * (q1 - auc**2) + 499 * (q2 - auc**2)) / 250_000)
    found = bootstrap_auc(labels.tolist(), scores.tolist())
    assert found is not None
    assert found.low == pytest.approx(auc - 1.96 * error, abs=0.005)
    assert found.high == pytest.approx(auc + 1.96 * error, abs=0.005)


def test_bootstrap_is_seeded_and_perfect_ranking_gives_one():
    labels, scores = [0, 1] * 20, [float(i % 7) for i in range(40)]
    assert bootstrap_auc(labels, scores, seed=1) == bootstrap_auc(labels, scores, seed=1)
    assert bootstrap_auc(labels, scores, seed=1) != bootstrap_auc(labels, scores, seed=2)
    assert bootstrap_auc([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]) == Interval(1.0, 1.0)


# Baselines


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The CAT sat.", 1.0),
        ("The dog sat.", 1 / 2),  # dog, sat
        ("It cost 1,250 euro", 2 / 3),  # cost, 1,250, euro
        ("It is.", 1 / 2),  # function words alone: it, is
        ("?!", 0.0),
    ],
)
def test_word_overlap_by_hand(answer, expected):
    assert word_overlap(["The cat", "sat; it cost 1,250 pounds."], answer) == expected


def test_length_prefers_the_short_answer():
    assert length_score("short") > length_score("a longer answer")


# Summary of a file


def test_summary_by_hand(tmp_path):
    rows = [
        {"context": ["red green blue"], "answer": "red", "label": 1},  # overlap 1
        {"context": ["red green blue"], "answer": "green yellow", "label": 1},  # 1/2
        {"context": ["red green blue"], "answer": "black white yellow pink", "label": 0},  # 0
        {"context": ["red green blue"], "answer": "blue grey", "label": 0},  # 1/2
        {"context": [], "answer": "red", "label": 0},
        "{",
    ]
    path = write_rows(tmp_path / "colours.jsonl", *rows)
    heard: list[int] = []
    result = evaluate_file(
        path, WordOverlapScorer(), on_skip=lambda _file, row: heard.append(row.line)
    )
    assert (result.dataset, result.method) == ("colours", Method.WORD_OVERLAP)
    assert (result.n, result.positives, result.base_rate) == (4, 2, 0.5)
    assert result.auc == result.overlap_auc == pytest.approx(3.5 / 4)
    assert result.length_auc == pytest.approx(3 / 4)  # green yellow is longer than blue grey
    assert result.threshold is None
    assert result.balanced_accuracy is None
    assert result.auc_low is not None
    assert result.auc_high is not None
    assert 0.0 <= result.auc_low <= result.auc <= result.auc_high <= 1.0
    assert heard == [6, 5]
    assert result.skipped == 2
    assert {reason.rows for reason in result.skip_reasons} == {1}
    assert result.note == ""


def test_rows_without_context_give_no_figure_and_the_reason(tmp_path):
    path = write_rows(tmp_path / "bare.jsonl", *[{**GOOD, "context": []}] * 3)
    result = evaluate_file(path, WordOverlapScorer())
    assert (result.n, result.auc, result.skipped, result.base_rate) == (0, None, 3, None)
    assert result.skip_reasons == (SkipReason(result.skip_reasons[0].reason, 3),)
    assert "the context is empty" in result.note
    assert evaluate_file(path, LengthScorer()).n == 3


def test_one_class_is_said(tmp_path):
    result = evaluate_file(write_rows(tmp_path / "one.jsonl", GOOD, GOOD), LengthScorer())
    assert result.auc is None
    assert "every row scored is supported" in result.note


def test_empty_file_is_said(tmp_path):
    result = evaluate_file(write_rows(tmp_path / "none.jsonl"), LengthScorer())
    assert (result.n, result.auc) == (0, None)
    assert "no row" in result.note
