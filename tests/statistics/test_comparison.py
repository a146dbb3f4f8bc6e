"""Comparing runs and candidate answers: matching, figures, flips, suppression by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import text

from provenance_core import ContextItem, Parameters, Verdict, assemble
from provenance_core.files.types import BatchRow
from provenance_core.statistics.bootstrap import resampled_means
from provenance_core.statistics.candidates import (
    Candidate,
    CandidateSource,
    Strategy,
    candidate_rates,
    eligible,
    ranked,
)
from provenance_core.statistics.comparison import (
    ComparedRow,
    FlipOutcome,
    Matching,
    RunRows,
    compare,
    flips,
    match_runs,
)
from storage import AuditFilter, ComparisonStore, ItemFilter, NewRun, RunStore
from storage.engine import get_engine
from tests.conftest import hand_evidence


def row(
    number: int,
    score: float,
    label: int | None = None,
    *,
    row_id: str = "",
    texts: str = "",
    source: str = "",
    group: str = "",
) -> ComparedRow:
    verdict = Verdict.SUPPORTED if score >= 0.5 else Verdict.HALLUCINATED
    return ComparedRow(
        number, number, row_id, texts or f"t{number}", source or f"s{number}", group, label,
        score, 0.5, verdict,
    )  # fmt: skip


def run(name: str, *rows: ComparedRow) -> RunRows:
    return RunRows(len(name), name, rows)


def pairs(matched) -> list[tuple[int, ...]]:
    return [tuple(r.audit_id for r in item.rows) for item in matched.items]


# ---- matching


def test_rows_are_matched_by_id_when_every_id_is_unique():
    first = run("a", *(row(i, 0.5, row_id=f"r{i}") for i in (1, 2, 3)))
    second = run(
        "bb",
        row(13, 0.5, row_id="r3"),
        row(11, 0.5, row_id="r1", texts="t1", source="s1"),
        row(14, 0.5, row_id="r4"),
    )
    matched = match_runs([first, second])
    assert matched.by is Matching.ROW_ID
    assert pairs(matched) == [(1, 11), (3, 13)]
    assert [(c.rows, c.matched, c.unmatched, c.repeated) for c in matched.runs] == [
        (3, 2, 1, 0),
        (3, 2, 1, 0),
    ]
    assert matched.other_texts == 1, "r3 has other texts in the second run"


def test_rows_without_unique_ids_are_matched_by_text_and_repeats_are_counted():
    first = run("a", row(1, 0.5, row_id="x"), row(2, 0.5, row_id="x"), row(3, 0.5, texts="same"),
                row(4, 0.5, texts="same"))  # fmt: skip
    second = run("bb", row(12, 0.5, texts="t2"), row(13, 0.5, texts="same"))
    matched = match_runs([first, second])
    assert (matched.by, pairs(matched)) == (Matching.TEXT, [(2, 12)])
    assert "id of its own" in matched.why
    one, two = matched.runs
    assert (one.rows, one.matched, one.repeated, one.unmatched) == (4, 1, 2, 1)
    assert (two.rows, two.matched, two.repeated, two.unmatched) == (2, 1, 0, 1)


def test_unique_ids_of_two_files_with_none_in_common_fall_back_to_text():
    first = run("a", row(1, 0.5, row_id="a1", texts="t"))
    second = run("bb", row(2, 0.5, row_id="b1", texts="t"))
    matched = match_runs([first, second])
    assert (matched.by, pairs(matched)) == (Matching.TEXT, [(1, 2)])
    assert "no row id is in all runs" in matched.why


def test_answers_of_other_systems_are_matched_by_source_then_by_group():
    first = run("a", row(1, 0.9, 1, source="q"), row(2, 0.1, 0, group="doc"))
    second = run("bb", row(3, 0.2, 0, source="q"), row(4, 0.3, 1, group="doc"))
    by_source = match_runs([first, second])
    assert (by_source.by, pairs(by_source)) == (Matching.SOURCE, [(1, 3)])
    assert by_source.items[0].labels == (1, 0) and by_source.other_texts == 1
    by_group = match_runs([run("a", first.rows[1]), run("bb", second.rows[1])])
    assert (by_group.by, pairs(by_group)) == (Matching.GROUP, [(2, 4)])
    assert pairs(match_runs([first, second], Matching.GROUP)) == [(2, 4)]
    assert match_runs([first, second], Matching.GROUP).runs[0].without_key == 1


def test_three_runs_keep_what_all_have():
    runs = [run("a" * n, *(row(i, 0.5) for i in numbers))
            for n, numbers in ((1, (1, 2, 3)), (2, (2, 3)), (3, (3, 4)))]  # fmt: skip
    matched = match_runs(runs)
    assert pairs(matched) == [(3, 3, 3)]
    assert [c.unmatched for c in matched.runs] == [2, 1, 1]


def test_one_run_is_refused_and_disjoint_runs_match_nothing():
    with pytest.raises(ValueError, match="two runs"):
        match_runs([run("a", row(1, 0.5))])
    matched = match_runs([run("a", row(1, 0.5)), run("bb", row(2, 0.5))])
    assert matched.items == () and matched.runs[0].unmatched == 1
    result = compare(matched)
    assert result.runs[0].auc is None and "no row of this run" in result.runs[0].reason
    assert result.differences[0].difference is None and result.differences[0].reason


def test_a_label_known_in_one_run_is_the_label_of_the_same_answer():
    known = match_runs([run("a", row(1, 0.9, 0)), run("bb", row(1, 0.9))]).items[0]
    assert known.same and known.labels == (0, 0)
    against = match_runs([run("a", row(1, 0.9, 0)), run("bb", row(1, 0.9, 1))])
    assert against.items[0].labels == (None, None)
    assert compare(against).disagreeing == 1
    assert compare(against).runs[0].labelled == 0


# ---- figures

FIRST = run("a", row(1, 0.9, 1, group="x"), row(2, 0.6, 0, group="x"), row(3, 0.4, 1, group="y"),
            row(4, 0.1, 0, group="y"), row(5, 0.8, group="z"))  # fmt: skip
SECOND = run("bb", row(1, 0.7, 1), row(2, 0.3, 0), row(3, 0.8, 1), row(4, 0.2, 0), row(5, 0.2))


def test_figures_by_hand():
    result = compare(match_runs([FIRST, SECOND]))
    one, two = result.runs
    # Of the four pairs (supported, hallucinated), 0.4 < 0.6 alone is the wrong way round.
    assert (one.auc, two.auc) == (0.75, 1.0)
    assert (one.items, one.labelled, one.hallucinated) == (5, 4, 0.5)
    assert one.said_hallucinated == pytest.approx(2 / 5)
    assert two.said_hallucinated == pytest.approx(3 / 5)
    assert (one.by_verdict.accuracy, two.by_verdict.accuracy) == (0.5, 1.0)
    difference = result.differences[0]
    assert (difference.first, difference.second, difference.difference) == ("a", "bb", 0.25)
    # Draws of (x, x) and of (y, y) differ by 0, those of both by 0.25.
    assert (difference.interval.low, difference.interval.high) == (0.0, 0.25)
    assert result.groups == 2


def test_runs_drawn_together_do_not_differ_from_themselves():
    again = replace(FIRST, name="again")
    difference = compare(match_runs([FIRST, again])).differences[0]
    assert (difference.interval.low, difference.interval.high) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("labels", "group", "said"),
    [
        ((None, None), "", "there is no matched row with a label"),
        ((1, 1), "", "every matched row with a label is supported"),
        ((1, 0), "doc", "one source document"),
    ],
)
def test_figures_that_cannot_be_computed_say_why(labels, group, said):
    rows = [row(i, i / 10, label, group=group) for i, label in enumerate(labels, 1)]
    result = compare(match_runs([run("a", *rows), run("bb", *rows)]))
    assert said in result.runs[0].reason
    assert said in result.differences[0].reason
    assert result.runs[0].interval is None and result.differences[0].interval is None
    assert (result.runs[0].auc is None) == ("no interval" not in result.runs[0].reason)


# ---- flips


def test_flips_by_hand():
    found = flips(match_runs([FIRST, SECOND]), 0, 1)
    assert [(f.first.audit_id, f.to, f.outcome) for f in found] == [
        (5, Verdict.HALLUCINATED, FlipOutcome.NO_LABEL),
        (3, Verdict.SUPPORTED, FlipOutcome.CORRECTED),
        (2, Verdict.HALLUCINATED, FlipOutcome.CORRECTED),
    ]
    back = flips(match_runs([SECOND, FIRST]), 0, 1)
    assert [f.outcome for f in back[1:]] == [FlipOutcome.BROKEN] * 2


def test_flips_between_answers_of_two_systems():
    first = run("a", row(1, 0.9, 1, source="p"), row(2, 0.9, 0, source="q"))
    second = run("bb", row(3, 0.1, 0, source="p"), row(4, 0.1, 1, source="q"))
    found = flips(match_runs([first, second]), 0, 1)
    assert [f.outcome for f in found] == [FlipOutcome.BOTH_RIGHT, FlipOutcome.BOTH_WRONG]


# ---- candidates


def source(name: str, *answers: tuple[float, int, int | None], group: str = "") -> CandidateSource:
    return CandidateSource(
        name, group, tuple(Candidate(i, *answer) for i, answer in enumerate(answers))
    )


def test_each_strategy_chooses_by_hand():
    candidates = source("s", (0.9, 1, 1), (0.6, 0, 0), (0.4, 0, 1), (0.9, 2, 1)).candidates

    def numbers(strategy):
        return [c.audit_id for c in eligible(candidates, strategy)]

    assert numbers(Strategy.HIGHEST_SCORE) == [0, 3]
    assert numbers(Strategy.FEWEST_SPANS) == numbers(Strategy.NO_SPANS) == [1, 2]
    assert eligible(candidates[:1], Strategy.NO_SPANS) == ()
    assert eligible((), Strategy.HIGHEST_SCORE) == ()
    assert [c.audit_id for c in ranked(candidates)] == [0, 3, 1, 2]


def test_rates_before_and_after_by_hand():
    sources = [
        source("p", (0.9, 0, 1), (0.2, 2, 0)),
        source("q", (0.9, 1, 0), (0.8, 1, 1), (0.1, 3, 0)),
        source("one", (0.9, 0, 0)),
        source("unlabelled", (0.9, 0, 0), (0.8, 0, None)),
    ]
    rates = candidate_rates(sources)
    assert (rates.sources, rates.answers, rates.left_out, rates.groups) == (2, 5, 1, 2)
    assert rates.before == pytest.approx((1 / 2 + 2 / 3) / 2)
    score, fewest, none = rates.strategies
    assert (score.after, fewest.after, none.after) == (0.5, 0.25, 0.0)
    assert fewest.suppressed == pytest.approx(1 - 0.25 / (7 / 12))
    assert (none.sources, none.without, none.before, none.suppressed) == (1, 1, 0.5, 1.0)
    assert (score.answers, none.answers) == (5, 2)
    # Draws of (p, p), (q, q) and both.
    assert (fewest.interval.low, fewest.interval.high) == (0.0, 0.5)
    assert none.interval is None and "one source document" in none.reason


def test_rates_that_cannot_be_computed_say_why():
    none = candidate_rates([source("p", (0.9, 0, 1))])
    assert none.before is None and none.interval is None and "several answers" in none.reason
    right = candidate_rates([source(n, (0.9, 0, 1), (0.8, 1, 1)) for n in "pq"])
    assert right.strategies[0].after == 0.0 and right.strategies[0].suppressed is None
    assert "nothing to suppress" in right.strategies[0].reason


def test_means_are_drawn_by_group():
    means = resampled_means([1, 0, 0], ["a", "a", "b"], resamples=200)
    assert set(np.round(means, 6)) == {0.5, 0.0, round(1 / 3, 6)}
    assert np.isnan(resampled_means([1, 0], ["a", "a"])).all()
    assert np.isnan(resampled_means([], [])).all()


# ---- in the database


def an_audit(query: str, answer: str, context: str, entailment: float, threshold: float = 0.5):
    evidence = hand_evidence([0.1], [[entailment]])
    text_ = f"{answer:<16}"[:16]  # as long as the one claim, whose offsets stay
    evidence = replace(
        evidence, query=query, answer=text_, context=(ContextItem(0, f"{context:<20}"),)
    )
    return assemble(evidence, Parameters(threshold=threshold))


def a_run(url: str, name: str, rows, threshold: float = 0.5, detector: str = "two-stage") -> None:
    """Rows of (id, query, answer, context, entailment, label)."""
    given = Parameters(threshold=threshold, detector=detector)
    runs = RunStore.open(url)
    number = runs.create(
        NewRun(name, "rows.jsonl", "rows", (), "embedded", given),
        [
            BatchRow(i, query, (context,), answer, label, row_id)
            for i, (row_id, query, answer, context, _, label) in enumerate(rows, 1)
        ],
        [],
    )
    runs.take(number, "w")
    for _, query, answer, context, entailment, _ in rows:
        pending = runs.next_row(number)
        audit = replace(an_audit(query, answer, context, entailment, threshold), parameters=given)
        assert runs.finish(pending.id, "w", audit)


def test_runs_of_the_same_file_match_by_text(url):
    rows = [("", "q", "one", "c", 0.9, 1), ("", "q", "two", "c", 0.2, 0)]
    a_run(url, "low", rows)
    a_run(url, "high", [(*r[:4], 1 - r[4], r[5]) for r in rows])
    store, runs = ComparisonStore.open(url), RunStore.open(url)
    read = [store.rows(runs.named(name), ItemFilter()) for name in ("low", "high")]
    matched = match_runs(read)
    assert (matched.by, pairs(matched)) == (Matching.TEXT, [(1, 3), (2, 4)])
    assert all(item.same for item in matched.items)
    assert compare(matched).runs[0].auc == 1.0
    assert len(flips(matched, 0, 1)) == 2
    assert [r.audit_id for r in store.rows(runs.named("low"), ItemFilter(label=0)).rows] == [2]


def test_candidates_are_grouped_by_source_and_counted_once(url):
    a_run(
        url,
        "first",
        [
            ("1", "q", "one", "c", 0.2, 0),
            ("2", "q", "two", "c", 0.9, 1),
            ("3", "q", "one", "other context", 0.9, 1),
            ("4", "p", "one", "c", 0.9, None),
            ("5", "p", "two", "c", 0.3, None),
        ],
    )
    a_run(url, "again", [("1", "q", "one", "c", 0.4, 0)])
    store = ComparisonStore.open(url)
    page = store.candidates(ItemFilter())
    assert (page.total, page.sources) == (2, 2)
    assert [[i.audit_id for i in g.items] for g in page.groups] == [[2, 6], [4, 5]]
    assert [[c.spans for c in g.source.candidates] for g in page.groups] == [[0, 1], [0, 1]]
    assert [g.items[0].query for g in store.candidates(ItemFilter(), 1, 1).groups] == ["p"]
    beyond = store.candidates(ItemFilter(), 20, 1)
    assert (beyond.groups, beyond.total) == ((), 2)
    assert store.candidates(ItemFilter(runs=(2,))).total == 0
    assert store.candidates(ItemFilter(audits=AuditFilter(text="two"))).total == 0
    labelled = store.labelled_candidates(ItemFilter())
    assert [[(c.audit_id, c.label) for c in s.candidates] for s in labelled] == [[(2, 1), (6, 0)]]
    rates = candidate_rates(labelled)
    assert (rates.before, rates.strategies[0].after) == (0.5, 0.0)


@pytest.mark.parametrize("chosen", [ItemFilter(), ItemFilter(runs=(1, 2))])
def test_a_query_that_two_detectors_scored_is_one_query(url, chosen):
    rows = [("1", "q", "one", "c", 0.2, 0), ("2", "q", "two", "c", 0.9, 1)]
    a_run(url, "first", rows)
    a_run(url, "second", rows, detector="summac")
    store = ComparisonStore.open(url)
    page, beyond = store.candidates(chosen), store.candidates(chosen, 20)
    assert (len(page.groups), page.total, page.sources) == (2, 2, 1)
    assert (beyond.total, beyond.sources) == (2, 1)


def test_labels_that_contradict_each_other_are_none(url):
    a_run(url, "first", [("1", "q", "one", "c", 0.2, 0), ("2", "q", "two", "c", 0.9, 1)])
    a_run(url, "other", [("1", "q", "one", "c", 0.2, 1)])
    (found,) = ComparisonStore.open(url).labelled_candidates(ItemFilter())
    assert [c.label for c in found.candidates] == [1, None]


def test_spans_of_an_audit_of_before_are_counted_from_its_scores(url):
    a_run(url, "first", [("1", "q", "one", "c", 0.2, 0), ("2", "q", "two", "c", 0.9, 1)])
    with get_engine(url).begin() as connection:
        connection.execute(text("UPDATE audits SET unsupported_sentences = NULL"))
    (group,) = ComparisonStore.open(url).candidates(ItemFilter()).groups
    assert [c.spans for c in group.source.candidates] == [0, 1]
