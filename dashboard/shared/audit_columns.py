"""The columns of every list of audits, wide and narrow: what their cells say and how wide they are.

What a list is read for stands within a window of 1280 pixels beside the open sidebar: answer and
query share what the other columns leave. The rest follows to the right.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from provenance_core.explain.names import detector_title
from provenance_core.types import VerdictState
from reports.directions import shown_turns
from reports.glossary import tooltip
from reports.listed_audits import ListedAudit, VerdictChange, state_text
from reports.tables import shortened
from reports.unread_language import UNREAD_SHORT, UNREAD_SYMBOL
from reports.wording import STATES
from storage import Item

_ROW = 35  # pixels of a row of one line
# Lines of a cell, and pixels of its row: of the narrow form, and where a verdict is compared with
# another, which leaves an answer less width. Below 65 Streamlit breaks no line.
_NARROW_LINES, _NARROW_ROW = 4, 84
_COMPARED_LINES, _COMPARED_ROW = 3, 70
_NARROW_COMPARED_LINES, _NARROW_COMPARED_ROW = 5, 105
# Pixels of the letters of a cell, and of every other one: an average would cut a text of wide ones.
_OTHER_LETTER = 7.6
_LETTERS = {
    letter: pixels
    for pixels, letters in (
        (3.5, " ',.:;ij|"), (4.8, "!()-I[]fl{}/\\rt"), (6.6, "\"*?JYcsvxyz–“”"),
        (9.4, "&BCDGHKNOPQRUß"), (12.0, "MW%@mw…"),
    )
    for letter in letters
}  # fmt: skip
# What the tool that wrote a run's file said of the answer; no label.
_PASSED = {1: "passed", 0: "failed", None: ""}
_OTHER_SCORE = "other score"
_REVIEWERS, _DATE, _TIME, _THRESHOLD = "reviewers", "date (UTC)", "time (UTC)", "threshold"
_LABEL_SYMBOLS = {
    1: STATES[VerdictState.SUPPORTED][0],
    0: STATES[VerdictState.HALLUCINATED][0],
    None: "",
}
# Pixels: what a table has of 1280, of one letter, and of what is beside a text in its cell.
ROOM, _LETTER, _AROUND = 890, 6.6, 18
_PADDING = 16  # pixels of a cell beside its text
# Pixels of the columns that are read together.
_WIDTHS = {
    "flagged": 62,
    "score": 58,
    _OTHER_SCORE: 73,
    "label": 94,
    "mistake": 88,
    _DATE: 86,
    _TIME: 122,
    _THRESHOLD: 78,
}
_VERDICT, _VERDICT_WIDTHS = 104, {VerdictState.FLAGGED: 144, VerdictState.NOTHING_TO_CHECK: 136}
# At least and at most, of those that grow with their cells, and of the texts that share the rest.
_GROWING = {_REVIEWERS: (76, 120), "task": (48, 96), "change": (66, 104)}
_MOST_REVIEWERS = 240
_WHY = "why"
_TEXTS = {"answer": (120, 320), _WHY: (120, 320), "query": (100, 220)}
# Of 390 pixels, and of these the columns beside an answer.
_NARROW_ROOM = 306
_NARROW_WIDTHS = {"score": 58, _REVIEWERS: 58, "label": 50}
_NARROW_VERDICT, _NARROW_CHANGE = 74, (58, 80)
# Of a reason: what it says of a sentence stands behind the sentence, and the panel has all of it.
_LONG_QUOTE = re.compile(r"“([^”]{16,24})\b\s[^”]{12,}”")
_TEXTS_FIRST = 80  # pixels that they have more before the names of reviewers, or another column
# What stands in view where there is room, the first first; the panel has it all.
_IN_VIEW = (_REVIEWERS, "task", "mistake", _DATE)
_FLAGGED_SHORT = f"{STATES[VerdictState.FLAGGED][0]} Supported, flagged"
_LINE_HELP = "Line of a text file, row of a sheet, or number of the record in a list."
_DATE_HELP = "The day of the audit. The panel of a row shows the time."
_WHY_HELP = "What is wrong, as the page of the audit says it. The panel of a row has all of it."
_THRESHOLD_HELP = "The threshold that the verdict follows from."
_NUMBERS = ("audit", "line", "corrected from")


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a verdict and of its change are called, which others are left out, and
    which come before the rest, beside the verdict: a narrow window shows those alone.
    ``narrow_verdict`` and ``narrow_change``: what a narrow window, which has room for about eight
    characters, calls the two; "" as a wide one does. ``scores``: what both scores are called,
    where these differ. ``flagged``: what the count of flagged sentences is called, which is of the
    first verdict. ``tall``: whether a row has three lines."""

    verdict: str = "verdict"
    change: str = ""
    narrow_verdict: str = ""
    narrow_change: str = ""
    scores: tuple[str, str] = ("score", _OTHER_SCORE)
    flagged: str = "flagged"
    tall: bool = False
    without: tuple[str, ...] = ()
    beside: tuple[str, ...] = ("answer",)


def with_threshold(rows: Sequence[ListedAudit], columns: Columns) -> Columns:
    """The columns, with that of the threshold in view where the rows have several. Where two
    verdicts are compared, the page says what they follow from."""
    if columns.change or len(_thresholds(rows)) < 2:
        return columns
    without = tuple(name for name in columns.without if name != _THRESHOLD)
    beside = tuple(dict.fromkeys((*columns.beside, _THRESHOLD)))
    return replace(columns, without=without, beside=beside)


def _thresholds(rows: Sequence[ListedAudit]) -> list[float]:
    """The different thresholds of the verdicts of rows, the lowest first."""
    return sorted({row.item.threshold for row in rows if row.shown_score is not None})


def narrow_legend(rows: Sequence[ListedAudit], columns: Columns) -> str:
    """What the symbols and numbers of the narrow form of these rows mean."""
    shown = {row.state for row in rows} | {row.change.state for row in rows if row.change}
    said = [
        f"{symbol} {name.lower()}" for state, (symbol, name) in STATES.items() if state in shown
    ]
    if any(row.unread or (row.change and row.change.unread) for row in rows):
        said.append(f"{UNREAD_SYMBOL} {UNREAD_SHORT}")
    reviewers = any(row.item.label is None and _label_symbol(row.item) for row in rows)
    brackets = (
        " A label in brackets is what most reviewers say, or the gold label." if reviewers else ""
    )
    counted = " “✗ 2”: two reviewers say so." if _REVIEWERS in columns.beside else ""
    thresholds = [f"{each:.3f}" for each in _thresholds(rows)]
    several = (
        f" These verdicts have several thresholds ({', '.join(thresholds)}): the panel of a row "
        "says which."
        if len(thresholds) > 1 and not columns.change
        else ""
    )
    said_of = f"{', '.join(said)}. “1 of 2”: one of two sentences is flagged."
    return f"{said_of}{counted}{brackets}{several}"


def _label_symbol(item: Item) -> str:
    """Of the data set; without one that of the reviewers, in brackets."""
    if item.label is None and item.opinion is not None:
        return f"({_LABEL_SYMBOLS[item.opinion]})"
    return _LABEL_SYMBOLS[item.label]


def narrow_frame(rows: Sequence[ListedAudit], columns: Columns) -> pd.DataFrame:
    """What matters most of each row, for a window that has room for no more: the verdict with the
    flagged sentences, the score, the answer's beginning and the label; in place of the score what
    the verdict is compared with, another verdict or the reviewers'. Verdicts and labels are symbols
    alone. The panel has the rest."""
    cells: dict[str, list[object]] = {
        columns.verdict: [f"{_symbols(row)} {row.flagged}".rstrip() for row in rows]
    }
    if columns.change:
        cells[columns.change] = [_symbols(row.change) if row.change else "" for row in rows]
    elif _REVIEWERS in columns.beside:
        cells[_REVIEWERS] = [row.reviewer_counts for row in rows]
    else:
        cells["score"] = [row.shown_score for row in rows]
    lines = _NARROW_COMPARED_LINES if columns.change else _NARROW_LINES
    width = _narrow_answer(columns)
    cells["answer"] = [_in_lines(row.item.answer, width, lines) for row in rows]
    cells["label"] = [_label_symbol(row.item) for row in rows]
    return _frame(_shown(cells, columns))


def wide_row(columns: Columns) -> int:
    """Pixels of a row of the wide form."""
    return _COMPARED_ROW if columns.change or columns.tall else _ROW


def narrow_row(columns: Columns) -> int:
    """Pixels of a row of the narrow form."""
    return _NARROW_COMPARED_ROW if columns.change else _NARROW_ROW


def _narrow_answer(columns: Columns) -> int:
    """Pixels of the answer in the narrow form: what the other columns leave."""
    beside = _NARROW_WIDTHS["score"]
    if columns.change:
        beside = _narrow_change(columns)
    return _NARROW_ROOM - _NARROW_VERDICT - beside - _NARROW_WIDTHS["label"]


def _narrow_change(columns: Columns) -> int:
    """Pixels of the second verdict in the narrow form: its heading is longer than its symbol."""
    return _wide_enough([columns.narrow_change or columns.change], *_NARROW_CHANGE)


def _in_lines(text: str, width: int, lines: int) -> str:
    """``text`` to its end, or with an ellipsis where so many lines of a column of ``width`` pixels
    have no more room: the cell would cut it without one. The panel has all of it."""
    room = width - _PADDING
    beginning = shortened(text, int(lines * room / min(_LETTERS.values())))
    if _lines_needed(beginning, room) <= lines:
        return beginning
    # The first length that has no room, by halves: a longer one has none either.
    most = bisect_right(
        range(1, len(beginning)),
        lines,
        key=lambda length: _lines_needed(beginning[:length].rstrip(" …") + "…", room),
    )
    whole = beginning[:most].rpartition(" ")[0] if beginning[most] != " " else beginning[:most]
    return (whole or beginning[:most]).rstrip(" …") + "…"


def _lines_needed(text: str, room: int) -> int:
    """Lines of a cell with ``room`` pixels for letters, where only longer words are broken."""
    lines, used = 1, 0.0
    for word in text.split():
        pixels = sum(_LETTERS.get(letter, _OTHER_LETTER) for letter in word)
        if used and used + _LETTERS[" "] + pixels > room:
            lines, used = lines + 1, 0.0
        used += pixels + (_LETTERS[" "] if used else 0.0)
        if used > room:
            lines, used = lines + int(used // room), room
    return lines


def _wide_enough(cells: Sequence[object], least: int, most: int) -> int:
    """Pixels that the longest of these cells needs, within these bounds."""
    letters = max((len(str(cell or "")) for cell in cells), default=0)
    return min(max(ceil(letters * _LETTER) + _AROUND, least), most)


def verdict_text(state: VerdictState) -> str:
    """Symbol and words of a verdict, short enough for a column: the next says how many sentences
    are flagged."""
    return _FLAGGED_SHORT if state is VerdictState.FLAGGED else state_text(state)


def _verdict_cell(given: ListedAudit | VerdictChange) -> str:
    return verdict_text(given.state) + (f", {UNREAD_SHORT}" if given.unread else "")


def _symbols(given: ListedAudit | VerdictChange) -> str:
    """Of a verdict, where there is no room for words."""
    return (f"{UNREAD_SYMBOL} " if given.unread else "") + STATES[given.state][0]


def _cells(rows: Sequence[ListedAudit], columns: Columns) -> dict[str, list[object]]:
    """What the columns say of each row, texts in full; columns in which no row has anything, and
    those that the table is without, are left out."""
    changes = [row.change for row in rows]
    cells: dict[str, list[object]] = {columns.verdict: [_verdict_cell(row) for row in rows]}
    if columns.change:
        cells[columns.change] = [_verdict_cell(each) if each else "" for each in changes]
        if any(
            each and each.score != row.shown_score for row, each in zip(rows, changes, strict=True)
        ):
            cells[_OTHER_SCORE] = [each.score if each else None for each in changes]
        cells["change"] = [each.said if each else "" for each in changes]
    cells |= {
        "flagged": [row.flagged for row in rows],
        "score": [row.shown_score for row in rows],
        "answer": [row.item.answer for row in rows],
        _WHY: [_LONG_QUOTE.sub(r"“\1…”", row.why) for row in rows],
        "other answer": [_other_answer(row) for row in rows],
        "label": [row.label for row in rows],
        "mistake": [str(row.mistake or "") for row in rows],
        "query": [row.item.query for row in rows],
        "task": [row.item.task for row in rows],
        _REVIEWERS: [row.reviewers for row in rows],
        _TIME if _TIME in columns.beside else _DATE: [
            datetime.fromisoformat(row.date) for row in rows
        ],
        _THRESHOLD: [row.item.threshold for row in rows],
        "also by": [row.also_by for row in rows],
        "audit": [row.item.audit_id for row in rows],
        "line": [row.item.line for row in rows],
        "row id": [row.item.row_id for row in rows],
        "passed by its tool": [_PASSED[row.item.passed] for row in rows],
        "run": [row.item.run for row in rows],
        "detector": [detector_title(row.item.detector) for row in rows],
        "corrected from": [row.item.corrected_from for row in rows],
    }
    return _shown(cells, columns)


def _other_answer(row: ListedAudit) -> str:
    other = row.change.answer if row.change else ""
    return "" if other == row.item.answer else other


def column_widths(rows: Sequence[ListedAudit], columns: Columns) -> dict[str, int]:
    """Pixels of the columns that stand within a window of 1280, from left to right: no more than
    ``ROOM`` together, whatever the rows say."""
    cells = _cells(rows, columns)
    states = {columns.verdict: [row.state for row in rows]}
    if columns.change:
        states[columns.change] = [row.change.state for row in rows if row.change]
    # Streamlit takes a width from the first rows alone, and cuts a longer verdict below them.
    found = {
        name: max([_VERDICT, *(_VERDICT_WIDTHS.get(state, 0) for state in given)])
        for name, given in states.items()
    }
    if columns.change:  # whose name is longer than a verdict, which takes two lines
        found = {
            name: _wide_enough([name], _VERDICT, _VERDICT_WIDTHS[VerdictState.FLAGGED])
            for name in found
        }
    always = ("flagged", "score", _OTHER_SCORE, "label")
    found |= {name: _WIDTHS[name] for name in always if name in cells}
    if "flagged" in found and columns.flagged != "flagged":
        found["flagged"] = _wide_enough([columns.flagged], found["flagged"], _VERDICT)
    if _OTHER_SCORE in cells:  # whose headings say of which run each is
        found["score"] = _WIDTHS[_OTHER_SCORE]
    if "change" in cells:
        found["change"] = _wide_enough(cells["change"], *_GROWING["change"])
    found |= {name: least for name, (least, _) in _TEXTS.items() if name in cells}
    left = ROOM - sum(found.values())
    kept = _TEXTS_FIRST if columns.change else 0
    for name in dict.fromkeys((*columns.beside, *_IN_VIEW)):
        if name in found or name not in cells:
            continue
        growing = _GROWING.get(name)
        width = _wide_enough(cells[name], *growing) if growing else _WIDTHS[name]
        if growing and growing[0] <= left - kept < width:
            width = left - kept
        if width <= left - kept:
            found[name] = width
            left -= width
    if _REVIEWERS in found:
        wanted = _wide_enough(cells[_REVIEWERS], found[_REVIEWERS], _MOST_REVIEWERS)
        first = 0 if _REVIEWERS in columns.beside else _TEXTS_FIRST
        grown = min(wanted - found[_REVIEWERS], max(left - first, 0))
        found[_REVIEWERS] += grown
        left -= grown
    _share(left, found, 0.0 if columns.change else 0.15 if columns.tall else 0.4)
    return {name: found[name] for name in _in_order([*found], columns)}


def _share(left: int, found: dict[str, int], query_part: float) -> None:
    """Give the texts among ``found`` what is ``left``: ``query_part`` of it to the query, the rest
    to the answer. Less than nothing may be left, and both are narrower."""
    if "query" in found:
        query = min(_TEXTS["query"][1] - found["query"], int(left * query_part))
        found["query"] += query
        left -= query
    if _WHY in found:
        why = min(_TEXTS[_WHY][1] - found[_WHY], left // 2)
        found[_WHY] += why
        left -= why
    if "answer" in found:
        found["answer"] += min(_TEXTS["answer"][1] - found["answer"], left)


def _in_order(names: Sequence[str], columns: Columns) -> list[str]:
    """The names from left to right."""
    first = [columns.verdict, columns.change, *columns.beside]
    order = [
        *first, "flagged", "score", _OTHER_SCORE, "change", "answer", _WHY, "label", "mistake",
        "query", "task", _REVIEWERS, _DATE, _TIME, _THRESHOLD,
    ]  # fmt: skip
    return [name for name in dict.fromkeys(order) if name in names]


def audits_frame(
    rows: Sequence[ListedAudit], columns: Columns, widths: Mapping[str, int] | None = None
) -> pd.DataFrame:
    """A line for each row: what stands in a window of 1280 pixels comes first. Columns in which no
    row has anything are left out. ``widths``: of :func:`column_widths`, where they are known."""
    cells = _cells(rows, columns)
    widths = widths or column_widths(rows, columns)
    for name in ("answer", _WHY, "other answer", "query", "task", "change"):
        if name in cells:
            width = widths.get(name, _TEXTS["answer"][1])
            cells[name] = [_within(str(cell or ""), width, columns) for cell in cells[name]]
    if _REVIEWERS in widths:
        cells[_REVIEWERS] = [_reviewers_within(row, widths[_REVIEWERS], columns) for row in rows]
    return _frame({name: cells[name] for name in dict.fromkeys((*widths, *cells))})


def _within(text: str, width: int, columns: Columns) -> str:
    if columns.tall or columns.change:
        return _in_lines(text, width, _COMPARED_LINES)
    return _in_lines(text, width, 1)


def _reviewers_within(row: ListedAudit, width: int, columns: Columns) -> str:
    """What the reviewers say; where there is no room for all names, how many say what: else the
    last verdict would be cut."""
    for said in (row.reviewers, row.reviewer_counts_where):
        if _within(said, width, columns) == said:
            return said
    return row.reviewer_counts


def _shown(cells: dict[str, list[object]], columns: Columns) -> dict[str, list[object]]:
    """Without columns in which no row has anything, and those that the table is without."""
    return {
        name: values
        for name, values in cells.items()
        if name not in columns.without and any(value not in (None, "") for value in values)
    }


def _frame(cells: dict[str, list[object]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            name: pd.array(values, dtype="Int64") if name in _NUMBERS else _turns_shown(values)
            for name, values in cells.items()
        }
    )


def _turns_shown(values: Sequence[object]) -> list[object]:
    return [shown_turns(value) if isinstance(value, str) else value for value in values]


def table_configuration(
    rows: Sequence[ListedAudit], columns: Columns, widths: Mapping[str, int] | None = None
) -> dict[str, ColumnConfig]:
    """How the columns of the wide form of these rows are drawn. ``widths``: of
    :func:`column_widths`, where they are known."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    widths = widths or column_widths(rows, columns)
    changes = {columns.change: text(width=widths[columns.change])} if columns.change else {}
    return changes | {
        columns.verdict: text(width=widths[columns.verdict], help=tooltip("verdict")),
        "score": number(
            columns.scores[0] if _OTHER_SCORE in widths else None,
            format="%.3f",
            width=widths.get("score", _WIDTHS["score"]),
            help=tooltip("factuality score"),
        ),
        _OTHER_SCORE: number(
            columns.scores[1],
            format="%.3f",
            width=_WIDTHS[_OTHER_SCORE],
            help=tooltip("factuality score"),
        ),
        "change": text(width=widths.get("change")),
        "mistake": text(width=_WIDTHS["mistake"], help=tooltip("mistake")),
        "flagged": text(columns.flagged, width=widths.get("flagged"), help=tooltip("flagged")),
        "label": text(width=_WIDTHS["label"], help=tooltip("label of the data set")),
        "answer": text(width=widths.get("answer")),
        _WHY: text(width=widths.get(_WHY), help=_WHY_HELP),
        "other answer": text(width=_TEXTS["answer"][1]),
        "query": text(width=widths.get("query")),
        "task": text(width=widths.get("task")),
        _REVIEWERS: text(width=widths.get(_REVIEWERS, _MOST_REVIEWERS), help=tooltip("reviewers")),
        _DATE: st.column_config.DatetimeColumn(
            format="YYYY-MM-DD", width=_WIDTHS[_DATE], help=_DATE_HELP
        ),
        _TIME: st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", width=_WIDTHS[_TIME]),
        _THRESHOLD: number(format="%.3f", width=_WIDTHS[_THRESHOLD], help=_THRESHOLD_HELP),
        "audit": number(format="%d", width=60),
        "line": number(format="%d", width=60, help=_LINE_HELP),
        "also by": text(
            width=150, help="Other audits of the same answer, each with the symbol of its verdict."
        ),
        "corrected from": number(format="%d", help="The audit whose answer this one corrects."),
    }


def narrow_configuration(columns: Columns) -> dict[str, ColumnConfig]:
    """How the columns of the narrow form are drawn."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    widths = _NARROW_WIDTHS
    return {
        columns.verdict: text(
            columns.narrow_verdict or None, width=_NARROW_VERDICT, help=tooltip("verdict")
        ),
        columns.change: text(
            columns.narrow_change or None, width=_narrow_change(columns), help=tooltip("verdict")
        ),
        "score": number(format="%.3f", width=widths["score"], help=tooltip("factuality score")),
        _REVIEWERS: text(width=widths[_REVIEWERS], help=tooltip("reviewers")),
        "answer": text(width=_narrow_answer(columns)),
        "label": text(width=widths["label"], help=tooltip("label")),
    }
