"""The form of a list of audits that a narrow window shows."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from dashboard.audit.methods import MethodResult, methods_table
from dashboard.review.agreement import COLUMNS
from dashboard.shared.audit_columns import (
    ROOM,
    Columns,
    audits_frame,
    column_widths,
    narrow_configuration,
    narrow_frame,
    narrow_legend,
    narrow_row,
    table_configuration,
    wide_row,
    with_threshold,
)
from provenance_core import Parameters
from provenance_core.audit.assembly import assemble
from provenance_core.review.types import JudgedVerdict
from provenance_core.types import SentenceLabel, VerdictState
from reports.listed_audits import VerdictChange, listed
from storage import AuditStore, ItemStore
from storage.opinions import Opinion
from tests.conftest import hand_evidence
from tests.wording import assert_shows


def saved(url):
    store = AuditStore.open(url)
    audit = assemble(hand_evidence([0.0], [[0.1], [0.9]]), Parameters())
    (row,) = listed(ItemStore.open(url).of_audits([store.save(audit)]), url)
    return replace(row, item=replace(row.item, label=0, answer="Long answer. " * 50))


def test_it_has_what_matters_most(url):
    row = saved(url)
    frame = narrow_frame([row], Columns())
    assert [*frame] == ["verdict", "score", "answer", "label"]
    verdict, score, answer, label = frame.iloc[0]
    assert verdict == f"✗ {row.flagged}" and score == row.item.score
    assert answer.startswith("Long answer.") and len(answer) <= 53
    assert label == "✗"


def test_what_the_verdict_is_compared_with_stands_in_place_of_the_score(url):
    row = saved(url)
    change = VerdictChange(VerdictState.SUPPORTED, 0.9, 2, "hallucinated to supported")
    frame = narrow_frame([replace(row, change=change)], Columns("first run", "second run"))
    assert [*frame] == ["first run", "second run", "answer", "label"]
    assert frame["second run"][0] == "✓"
    assert 45 <= len(frame["answer"][0]) <= 60, "the column is narrower, and holds five lines of it"
    short = Columns("first run", "second run", "first", "second")
    made = narrow_configuration(short)
    assert sum(made[name]["width"] for name in frame) <= 306, "of 310 in a window of 390 pixels"
    assert (
        made["answer"]["width"]
        > narrow_configuration(Columns(change="at 0.500"))["answer"]["width"]
    )
    assert narrow_row(short) > narrow_row(Columns())
    opinion = Opinion(row.item.audit_id, "Ann", JudgedVerdict.SUPPORTED, "2026-11-25T12:00:00Z")
    said = replace(row, details=replace(row.details, opinions=(opinion,)))
    by_people = narrow_frame([said], Columns("machine", beside=("reviewers", "answer")))
    assert [*by_people] == ["machine", "reviewers", "answer", "label"]
    # How many say what: their names would be cut.
    assert by_people["reviewers"][0] == "✓ 1"
    assert_shows(
        narrow_legend([said], Columns(beside=("reviewers",))), snapshot("two reviewers say so")
    )


def test_it_says_what_its_symbols_mean(url):
    row = saved(url)
    flagged = "“1 of 2”: one of two sentences is flagged."
    assert narrow_legend([row], Columns()) == f"✗ hallucinated. {flagged}"
    change = VerdictChange(VerdictState.SUPPORTED, 0.9, 2, "hallucinated to supported")
    said = narrow_legend([replace(row, change=change)], Columns())
    assert said == f"✓ supported, ✗ hallucinated. {flagged}"


def test_the_wide_form_has_room_for_the_longest_verdict(url):
    row = saved(url)
    flagged = replace(row, state=VerdictState.FLAGGED)
    columns = Columns("first run", "second run")
    change = VerdictChange(VerdictState.FLAGGED, 0.9, 2, "hallucinated to supported")
    several = [row, replace(flagged, change=change)]
    made = table_configuration(several, columns)
    longest = max(map(len, audits_frame(several, columns)["first run"]))
    assert made["first run"]["width"] == made["second run"]["width"] > 6.3 * longest / 2
    # Streamlit breaks no line in a row that is lower.
    assert wide_row(columns) > 64 > wide_row(Columns())
    alone = table_configuration([flagged], Columns())["verdict"]["width"]
    assert alone > 6.3 * longest, "in one line"


@pytest.mark.parametrize("columns", [Columns(), COLUMNS])
def test_a_long_answer_ends_in_an_ellipsis_within_its_cell(url, columns):
    row = saved(url)
    opinion = Opinion(row.item.audit_id, "Ann", JudgedVerdict.SUPPORTED, "2026-11-25T12:00:00Z")
    row = replace(row, details=replace(row.details, opinions=(opinion,)))
    (answer,) = audits_frame([row], columns)["answer"]
    width = table_configuration([row], columns)["answer"]["width"]
    # A letter takes about six pixels.
    assert answer.endswith("…") and width - 60 < 6 * len(answer) < width
    short = replace(row, item=replace(row.item, answer="Yes."))
    assert [*audits_frame([short], columns)["answer"]] == ["Yes."]


def test_the_mistake_of_a_disagreement_stands_before_what_a_window_cuts(url):
    row = saved(url)
    opinion = Opinion(row.item.audit_id, "Ann", JudgedVerdict.SUPPORTED, "2026-11-25T12:00:00Z")
    said = replace(
        row,
        item=replace(row.item, label=1, unsupported_sentences=None),
        details=replace(row.details, opinions=(opinion,)),
    )
    frame = audits_frame([said], COLUMNS)
    assert [*frame][:4] == ["machine", "reviewers", "mistake", "answer"]
    flagged = replace(said, state=VerdictState.FLAGGED)
    made = table_configuration([said, flagged], COLUMNS)
    assert sum(made[name]["width"] for name in [*frame][:4]) < 880


def test_a_narrow_window_has_room_for_the_headings_of_two_verdicts(url):
    row = saved(url)
    columns = Columns("at the threshold", "at the second", "at 0.700", "at 0.500")
    made = narrow_configuration(columns)
    assert made["at the threshold"]["label"] == "at 0.700"
    assert made["at the second"]["label"] == "at 0.500"
    assert table_configuration([row], columns)["at the threshold"]["label"] is None
    assert narrow_configuration(Columns("machine"))["machine"]["label"] is None


ESSENTIAL = ["flagged", "score", "answer", "label", "query", "task", "reviewers"]
DATED = Columns(beside=("answer", "date (UTC)"))
TIMED = Columns(tall=True, beside=("answer", "time (UTC)", "threshold"))  # of the History


def crowded(url):
    """A row with something in every column."""
    row = saved(url)
    opinion = Opinion(
        row.item.audit_id, "Ann" * 20, JudgedVerdict.SUPPORTED, "2026-11-25T12:00:00Z"
    )
    said = replace(row.item, label=1, query="Long query? " * 50, task="a task of many words " * 5)
    details = replace(row.details, opinions=(opinion,))
    return replace(row, state=VerdictState.FLAGGED, item=said, details=details)


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        (DATED, ["verdict", *ESSENTIAL, "date (UTC)"]),
        (TIMED, ["verdict", "flagged", "score", "answer", "query", "time (UTC)", "threshold"]),
        (Columns(without=("run",)), ["verdict", *ESSENTIAL]),
        (COLUMNS, ["machine", "mistake", *ESSENTIAL[:-2], "reviewers"]),
    ],
)
def test_what_a_list_is_read_for_is_seen_at_1280_pixels(url, columns, wanted):
    row = crowded(url)
    widths = column_widths([row], columns)
    assert set(wanted) <= set(widths)
    assert sum(widths.values()) <= ROOM
    assert [*audits_frame([row], columns)][: len(widths)] == [*widths], "the rest comes after"
    made = table_configuration([row], columns)
    assert {name: made[name]["width"] for name in widths} == widths


@pytest.mark.parametrize("answers_differ", [True, False])
def test_both_verdicts_and_what_their_change_means_are_seen_at_1280_pixels(url, answers_differ):
    other = "Another answer." if answers_differ else ""
    change = VerdictChange(VerdictState.FLAGGED, 0.9, 2, "only the second run is right", other)
    row = replace(crowded(url), change=change)
    columns = Columns("first run", "second run", without=("mistake", "run"))
    widths = column_widths([row], columns)
    wanted = {"first run", "second run", "flagged", "score", "other score", "change", "label"}
    assert wanted | {"answer", "query"} <= set(widths)
    assert sum(widths.values()) <= ROOM
    # Three lines of it; the query has its beginning.
    assert widths["answer"] >= 176 and widths["query"] == 100
    (answer,) = audits_frame([row], columns)["answer"]
    assert 50 < len(answer) < 3 * widths["answer"] / 6


def test_the_history_has_room_for_where_an_answer_was_judged(url):
    row = crowded(url)
    opinion = replace(row.details.opinions[0], audit_id=312)
    judged = replace(
        row,
        item=replace(row.item, task="", group="", source_model=""),
        details=replace(row.details, opinions=(opinion,)),
    )
    widths = column_widths([judged], TIMED)
    assert {"reviewers", "time (UTC)", "threshold", "label", "query"} <= set(widths)
    assert sum(widths.values()) <= ROOM
    assert [*audits_frame([judged], TIMED)["reviewers"]] == ["✓ 1 (judged in audit 312)"]


def test_a_list_of_several_thresholds_shows_them(url):
    row = crowded(url)
    other = replace(row, item=replace(row.item, threshold=row.item.threshold + 0.125))
    for given in (Columns(), COLUMNS, Columns(without=("run", "threshold"))):
        assert with_threshold([row, row], given) == given
        shown = with_threshold([row, other], given)
        assert "threshold" in column_widths([row, other], shown)
        assert sum(column_widths([row, other], shown).values()) <= ROOM
        named = f"({row.item.threshold:.3f}, {other.item.threshold:.3f})"
        assert named in narrow_legend([row, other], shown)
        assert "several thresholds" not in narrow_legend([row, row], given)


def test_two_scores_name_their_runs(url):
    row = crowded(url)
    change = VerdictChange(VerdictState.FLAGGED, 0.9, 2, "only the second run is right")
    columns = Columns("first run", "second run", scores=("1st score", "2nd score"))
    made = table_configuration([replace(row, change=change)], columns)
    assert (made["score"]["label"], made["other score"]["label"]) == (
        "1st score", "2nd score",
    )  # fmt: skip
    same = replace(change, score=row.shown_score)
    assert table_configuration([replace(row, change=same)], columns)["score"]["label"] is None


def test_a_text_whose_words_take_more_lines_than_a_row_has_ends_with_an_ellipsis(url):
    row = saved(url)
    query = "How many pupils does the school have?"
    asked = replace(row, item=replace(row.item, query=query))
    (cell,) = audits_frame([asked], TIMED, {**column_widths([asked], TIMED), "query": 104})["query"]
    assert cell == "How many pupils does the school…"


def test_a_reason_has_room_for_what_it_says_of_a_long_sentence(url):
    said = "“Yes, bicycles travel free of charge on the ferry” has the support 0.705"
    row = replace(saved(url), why=f"{said}; “two boats” is not in the context")
    columns = Columns(tall=True, beside=("answer", "why"))
    (cell,) = audits_frame([row], columns, {**column_widths([row], columns), "why": 400})["why"]
    assert cell == (
        "“Yes, bicycles travel…” has the support 0.705; “two boats” is not in the context"
    )


def test_each_of_two_verdicts_says_whether_its_language_is_read(url):
    columns = Columns("first run", "second run")
    change = VerdictChange(VerdictState.SUPPORTED, 0.9, 2, "long " * 30, "ответ", unread=True)
    row = replace(saved(url), change=change)
    wide, narrow = audits_frame([row], columns), narrow_frame([row], columns)
    assert "language not read" not in wide["first run"][0] and "⚠" not in narrow["first run"][0]
    assert wide["second run"][0] == "✓ Supported, language not read"
    assert narrow["second run"][0] == "⚠ ✓"
    assert "⚠ language not read" in narrow_legend([row], columns)
    assert wide["change"][0].endswith("…"), "what has no room is not cut without a sign"


def test_names_of_reviewers_that_have_no_room_are_counted(url):
    row = crowded(url)
    assert [*audits_frame([row], DATED)["reviewers"]] == ["✓ 1"]
    opinion = replace(row.details.opinions[0], reviewer="Ann")
    short = replace(row, details=replace(row.details, opinions=(opinion,)))
    assert [*audits_frame([short], DATED)["reviewers"]] == ["✓ Ann"]


def test_the_day_of_an_audit_sorts_by_its_time(url):
    row = saved(url)
    (date,) = audits_frame([row], DATED)["date (UTC)"]
    assert f"{date:%Y-%m-%d %H:%M}" == row.date
    made = table_configuration([row], DATED)["date (UTC)"]
    assert made["type_config"]["format"] == "YYYY-MM-DD" and "time" in made["help"]


def test_the_cells_of_a_detector_name_their_columns_where_no_heading_is_seen():
    labels = (SentenceLabel.NOT_FOUND, None)
    result = MethodResult(1, "summac", 0.25, 0.7, VerdictState.HALLUCINATED, labels)
    shown = methods_table([result], 1)
    for name, said in (("score", "0.250"), ("threshold", "0.700"), ("S2", "– set aside")):
        assert f'<td data-name="{name}">{said}</td>' in shown
    assert '<td data-name="S1" class="not_found">? not found</td>' in shown
    assert 'class="pv-methods pv-detectors"' in shown and ".pv-detectors thead" in shown


def test_the_help_of_a_column_says_what_its_cells_say(url):
    row = crowded(url)
    wide = table_configuration([row], DATED)
    assert "judgements of reviewers do not count here" in wide["label"]["help"], (
        "the data set's alone"
    )
    assert "the reviewers" in narrow_configuration(DATED)["label"]["help"], "theirs in brackets"
    assert "“1 of 3”" in wide["flagged"]["help"]
    assert "“✓ 2 ✗ 1”" in wide["reviewers"]["help"]


def test_widths_that_are_known_are_not_made_again(url, monkeypatch):
    row = crowded(url)
    widths = column_widths([row], DATED)
    frame, made = audits_frame([row], DATED), table_configuration([row], DATED)
    monkeypatch.setattr("dashboard.shared.audit_columns.column_widths", None)
    assert audits_frame([row], DATED, widths).equals(frame)
    assert table_configuration([row], DATED, widths) == made


@pytest.mark.parametrize(("words", "least", "most"), [("mom ", 15, 31), ("till ", 45, 70)])
def test_a_compared_cell_ends_with_the_three_lines_that_its_letters_need(url, words, least, most):
    row = saved(url)
    change = VerdictChange(VerdictState.SUPPORTED, 0.9, 2, "only the second run is right")
    row = replace(row, item=replace(row.item, query=words * 60), change=change)
    columns = Columns("first run", "second run", flagged="1st flagged")
    cell = audits_frame([row], columns, {"query": 100})["query"][0]
    assert cell.endswith(f"{words.strip()}…") and least <= len(cell) <= most
    # It is of the first run's sentences.
    assert table_configuration([row], columns)["flagged"]["label"] == "1st flagged"
