"""Scoring row by row: the log that a run goes on from, rows left out, and the kept scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from provenance_core.errors import InputError
from provenance_core.evaluation.scorers import BASELINES
from provenance_core.evaluation.scoring import (
    read_scored_set,
    row_key,
    score_file,
    write_scored_set,
)
from provenance_core.evaluation.types import Column, Method, RowScores, ScoredSet
from provenance_core.files.types import GoldSpan, LabelledFile, LabelledRow, RejectedRow
from provenance_core.statistics.types import SkipReason, SpanCounts
from tests.conftest import scored_row

LOG = "set.two-stage.jsonl"


@dataclass
class Counting:
    """Scores an answer by its length, refuses the answers named, and notes what it is asked."""

    fingerprint: str = "first"
    refuses: tuple[str, ...] = ()
    method: Method = "two-stage"
    columns: tuple[Column, ...] = (Column("two-stage", 0.5),)
    asked: list[str] = field(default_factory=list)

    def score(self, row: LabelledRow) -> RowScores:
        self.asked.append(row.answer)
        if row.answer in self.refuses:
            raise InputError("the answer is refused")
        return RowScores((len(row.answer) / 3,), ((0, 2),))


def rows_file(count: int = 4, **changes: object) -> LabelledFile:
    rows = tuple(
        LabelledRow(n + 1, "q", (f"context {n}",), "a" * (n + 1), n % 2, **changes)
        for n in range(count)
    )
    return LabelledFile(Path("set.jsonl"), "set", rows, ())


# The log


def test_a_row_in_the_log_is_not_scored_again(tmp_path):
    first = score_file(rows_file(), [Counting()], log_folder=tmp_path)
    again = Counting()
    assert score_file(rows_file(), [again], log_folder=tmp_path) == first
    assert again.asked == []
    longer = Counting()
    score_file(rows_file(6), [longer], log_folder=tmp_path)
    assert longer.asked == ["a" * 5, "a" * 6]


def test_what_was_scored_before_an_interruption_is_kept(tmp_path):
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_file(rows_file(), [Counting()], log_folder=tmp_path, on_progress=stop)
    rest = Counting()
    score_file(rows_file(), [rest], log_folder=tmp_path)
    assert rest.asked == ["aaaa"]


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_last_line_is_scored_again(tmp_path, cut):
    whole = score_file(rows_file(), [Counting()], log_folder=tmp_path)
    log = tmp_path / LOG
    log.write_bytes(log.read_bytes()[: -1 - cut])
    again = Counting()
    assert score_file(rows_file(), [again], log_folder=tmp_path) == whole
    assert again.asked == ["aaaa"]
    last = Counting()
    assert score_file(rows_file(), [last], log_folder=tmp_path) == whole
    assert last.asked == []


@pytest.mark.parametrize("line", ["[1]", "null", "{}", '{"row": [], "by": "first"}', "\udc80"])
def test_foreign_lines_of_a_log_are_ignored(tmp_path, line):
    score_file(rows_file(), [Counting()], log_folder=tmp_path)
    with (tmp_path / LOG).open("a", encoding="utf-8", errors="surrogateescape") as log:
        log.write(line + "\n")
    again = Counting()
    score_file(rows_file(), [again], log_folder=tmp_path)
    assert again.asked == []


def test_scores_of_another_state_of_the_method_are_not_reused(tmp_path):
    score_file(rows_file(), [Counting("first")], log_folder=tmp_path)
    second, first = Counting("second"), Counting("first")
    score_file(rows_file(), [second], log_folder=tmp_path)
    assert len(second.asked) == 4
    score_file(rows_file(), [first], log_folder=tmp_path)
    assert first.asked == [], "its own scores are still there"


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    score_file(rows_file(), [Counting()])
    assert list(tmp_path.iterdir()) == []


# Rows


def test_a_row_that_one_method_refuses_is_left_out_for_all():
    length = Counting(method=Method.LENGTH, columns=(Column("length"),))
    heard: list[tuple[int, str]] = []
    progress: list[tuple[int, int]] = []
    scored = score_file(
        rows_file(),
        [Counting(refuses=("aa", "aaa")), length],
        on_skip=lambda _, row: heard.append((row.line, row.reason)),
        on_progress=lambda done, total: progress.append((done, total)),
    )
    assert [row.scores for row in scored.rows] == [(0.33333, 0.33333), (1.33333, 1.33333)]
    assert [column.name for column in scored.columns] == ["two-stage", "length"]
    assert scored.skipped == (SkipReason("the answer is refused", 2),)
    assert heard == [(2, "the answer is refused"), (3, "the answer is refused")]
    assert progress == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_unreadable_rows_are_counted_with_the_rest():
    heard: list[RejectedRow] = []
    torn = RejectedRow(9, "not JSON")
    file = LabelledFile(Path("set.jsonl"), "set", rows_file().rows, (torn, torn))
    scored = score_file(file, [Counting()], limit=1, on_skip=lambda _, row: heard.append(row))
    assert heard == [torn, torn]
    assert (len(scored.rows), scored.of) == (1, 6)
    assert scored.skipped == (SkipReason("not JSON", 2),)


def test_limit_takes_the_first_of_a_seeded_shuffle():
    def ids(**options: int) -> list[str]:
        return [row.id for row in score_file(rows_file(40), [Counting()], **options).rows]

    assert ids() == [str(n) for n in range(1, 41)]
    assert ids(limit=10) == ids(limit=20)[:10]
    assert ids(limit=10, seed=1) != ids(limit=10)


def test_sources_and_groups_are_recognised_without_their_text():
    rows = (
        LabelledRow(1, "q", ("c",), "one", 1),
        LabelledRow(2, "q", ("c",), "two", 0),
        LabelledRow(3, "other", ("c",), "three", 0),
        LabelledRow(4, "q", ("d",), "four", 0, group="document 7", id="r4"),
        LabelledRow(5, "q", ("e",), "five", 0, group="document 7"),
    )
    scored = score_file(LabelledFile(Path("x"), "x", rows, ()), [Counting()]).rows
    sources, groups = [row.source for row in scored], [row.group for row in scored]
    assert sources[0] == sources[1]
    assert len(set(sources)) == 4
    assert groups[0] == groups[1] == groups[2]
    assert groups[3] == groups[4] != groups[0]
    assert len({row.key for row in scored}) == 5
    assert [row.id for row in scored] == ["1", "2", "3", "r4", "5"]


def test_the_key_of_a_row_is_of_query_context_and_answer():
    row = LabelledRow(1, "q", ("c", "d"), "a", 1)
    others = (("x", ("c", "d"), "a"), ("q", ("c",), "a"), ("q", ("c",), "d"), ("q", ("c", "d"), ""))
    assert row_key(row) == row_key(LabelledRow(9, "q", ("c", "d"), "a", 0, id="other"))
    assert len({row_key(row), *(row_key(LabelledRow(1, *other, 1)) for other in others)}) == 5


def test_a_file_of_several_tasks_has_a_subset_a_task_and_model():
    rows = (
        LabelledRow(1, "", ("c",), "a", 1, task="QA", source_model="gpt"),
        LabelledRow(2, "", ("c",), "b", 1, task="Summary"),
        LabelledRow(3, "", ("c",), "d", 1, task="QA", subset="own"),
    )
    scored = score_file(LabelledFile(Path("x"), "x", rows, ()), [Counting()])
    assert [row.subset for row in scored.rows] == ["QA, gpt", "Summary", "own"]
    one_task = score_file(LabelledFile(Path("x"), "x", rows[:1], ()), [Counting()])
    assert one_task.rows[0].subset == ""


def test_spans_are_counted_where_annotators_and_method_have_them():
    marked = rows_file(spans=(GoldSpan(1, 3),))
    counted = [row.spans for row in score_file(marked, [Counting()]).rows]
    # Answers of 1 to 4 characters; the method finds [0, 2).
    assert counted == [
        SpanCounts(0, 1, 0), SpanCounts(1, 2, 1), SpanCounts(2, 2, 1), SpanCounts(2, 2, 1)
    ]  # fmt: skip
    assert {row.spans for row in score_file(rows_file(), [Counting()]).rows} == {None}
    assert {row.spans for row in score_file(marked, BASELINES).rows} == {None}


# Kept scores


def test_kept_scores_come_back(tmp_path):
    scored = ScoredSet(
        dataset="set",
        format="rows",
        method=Method.DENSE,
        columns=(Column("one", 0.25, True), Column("two")),
        rows=(
            scored_row(1, 0.12346, -9.0, group="g", source="s", subset="Größe"),
            scored_row(0, 1.0, 0.0, spans=SpanCounts(3, 2, 1)),
        ),
        skipped=(SkipReason("why", 2),),
        warnings=("a warning",),
        of=4,
        command="python -m provenance_core evaluate set.jsonl --report out",
        made_with=("nli: model",),
    )
    path = write_scored_set(scored, tmp_path / "new" / "scores")
    assert path == tmp_path / "new" / "scores" / "set.dense.jsonl"
    read = read_scored_set(path)
    assert read == scored
    again = write_scored_set(read, tmp_path / "copy")
    assert again.read_bytes() == path.read_bytes()
    assert read_scored_set(again) == read


@pytest.mark.parametrize("name", ["a\u2028b", "a\x85b", "\ud800", "一"])
def test_kept_scores_stand_any_id(tmp_path, name):
    file = LabelledFile(Path("x"), "x", (LabelledRow(1, "", ("c",), "a", 1, id=name),), ())
    scored = score_file(file, [Counting()])
    assert read_scored_set(write_scored_set(scored, tmp_path)).rows[0].id == name


def test_kept_scores_hold_no_text_of_the_rows(tmp_path):
    row = LabelledRow(1, "SECRET query", ("SECRET context",), "SECRET answer", 1, group="SECRET")
    file = LabelledFile(Path("x"), "x", (row,), ())
    path = write_scored_set(score_file(file, [Counting()], log_folder=tmp_path), tmp_path / "kept")
    for written in (path, tmp_path / "x.two-stage.jsonl"):
        assert "SECRET" not in written.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: "not json",
        lambda text: "[]\n",
        lambda text: text.replace('"columns"', '"rows"'),
        lambda text: text.replace('"method": "two-stage"', '"method": "guess"'),
        lambda text: text[:-8],
        lambda text: text + "[1, 2]\n",
    ],
)
def test_damaged_scores_name_the_file(tmp_path, change):
    path = write_scored_set(score_file(rows_file(), [Counting()]), tmp_path)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(InputError, match=r"set\.two-stage\.jsonl: cannot be read as the scores"):
        read_scored_set(path)


def test_absent_scores_name_the_file(tmp_path):
    with pytest.raises(InputError, match=r"absent\.jsonl: cannot be read"):
        read_scored_set(tmp_path / "absent.jsonl")
