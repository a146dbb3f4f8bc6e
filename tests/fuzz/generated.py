"""Texts, values and records that are hard to read."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import strategies as st

from provenance_core.files.formats.registry import FORMATS

HARD = [
    "\x00", "\ud800", "\udfff", "\u202e", "\u2028", "\x85", "\ufeff", "\u200b", "e\u0301",
    "\U0001f469\u200d\U0001f680", "|", "---", "\n|---|\n", "\n- ", "\n1. ", "\n\n", "# ", "**",
    "`", "\t", '"', "'", "\\", "[", "]", "{", "}", ".", "...", "…", "?!", ";", ":", ",", "e.g. ",
    "p. 3 ", "U.S. ", "1,000.5", "-3 %", "$5m", "12 May 1990", "1932", "no ", "not ", "Yes.",
    "Anna Berg", "16km", "<script>", "=1+1", "null", "NaN", "1e999", "مرحبا", "漢字。", "สวัสดี", "ß",
    "İ", "ﬁ", "Ⅻ", "½", "a" * 300,
]  # fmt: skip
WORDS = [" the", " bridge", " was", " opened", " in", " by", " Anna", " and", " it is red"]
# Text of hard parts, of words, and of anything that Python calls a text, half characters included.
texts = st.lists(
    st.one_of(
        st.sampled_from(HARD),
        st.text(st.characters(codec=None), max_size=8),
        st.sampled_from(WORDS),
    ),
    max_size=25,
).map("".join)
# One piece again and again, where an expression that backtracks would never end.
repeated_texts = st.builds(
    lambda piece, times, end: piece * times + end,
    st.lists(st.sampled_from([*HARD, *WORDS, " ", "a", "1"]), min_size=1, max_size=3).map("".join),
    st.integers(50, 400),
    st.sampled_from(["", "!", "\n", "x"]),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
NAMES = [
    "query", "question", "context", "contexts", "documents", "answer", "response", "label",
    "labels", "id", "spans", "text", "claim", "doc", "source_info", "task_type", "user_input",
    "retrieved_contexts", "attributes.input.value", "attributes.output.value", "passage",
]  # fmt: skip
records = st.dictionaries(st.sampled_from(NAMES) | texts, values, max_size=8)


@st.composite
def format_records(draw: st.DrawFn) -> tuple[str, list[dict[str, object]]]:
    """The name of a data set's format, and records with the keys by which it is known."""
    known = FORMATS[draw(st.sampled_from(sorted(FORMATS)))]
    keys = draw(st.sampled_from(known.keys))
    row = st.fixed_dictionaries(dict.fromkeys(sorted(keys), values | st.sampled_from([0, 1, "0"])))
    return known.name, draw(st.lists(row, min_size=1, max_size=3))


def as_csv(rows: list[dict[str, object]]) -> bytes:
    out = io.StringIO()
    names = sorted({name for row in rows for name in row})
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([str(row.get(name, "")) for name in names] for row in rows)
    return out.getvalue().encode("utf-8", "surrogatepass")


def as_files(rows: list[dict[str, object]]) -> list[tuple[str, bytes]]:
    return [
        ("a.jsonl", "\n".join(map(json.dumps, rows)).encode()),
        ("a.json", json.dumps(rows, indent=1).encode()),
        ("a.csv", as_csv(rows)),
    ]
