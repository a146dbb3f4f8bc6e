"""Names, symbols and keys of the review, the same wherever they are shown."""

from __future__ import annotations

from enum import StrEnum

from provenance_core.review.types import ChunkMark, GoldLabel, JudgedVerdict
from reports.wording import FINDINGS
from storage import ItemOrder, ReviewCount
from storage.returned_labels import KeptLabels

JUDGED = {
    JudgedVerdict.SUPPORTED: ("✓", "Supported"),
    JudgedVerdict.HALLUCINATED: ("✗", "Hallucinated"),
    JudgedVerdict.CANNOT_TELL: ("?", "Cannot tell"),
}
TYPES = FINDINGS
CHUNK_MARKS = {
    ChunkMark.SUPPORTS: ("+", "supports"),
    ChunkMark.CONTRADICTS: ("−", "contradicts"),
    # No digit, which beside the keys would look like one of them.
    ChunkMark.IRRELEVANT: ("○", "irrelevant"),
}
ORDERS = {
    ItemOrder.CLOSEST: "closest to the threshold first",
    ItemOrder.UNCERTAIN: "most useful for a fit first",
    ItemOrder.RANDOM: "random",
    ItemOrder.DISPUTED: "reviewers disagree first",
    ItemOrder.FILE: "as in the file",
}


class Key(StrEnum):
    """A key of the review page. Streamlit keeps C and R to itself, and labels of the team's own
    have :data:`provenance_core.review.checks.LABEL_KEYS`."""

    SUPPORTED = "1"
    HALLUCINATED = "2"
    CANNOT_TELL = "3"
    TYPE = "Shift+T"
    PREVIOUS_SENTENCE = "K"
    NEXT_SENTENCE = "J"
    SENTENCE_SUPPORTED = "Q"
    SENTENCE_HALLUCINATED = "W"
    SENTENCE_CANNOT_TELL = "E"
    SENTENCE_TYPE = "T"
    PREVIOUS_CHUNK = "H"
    NEXT_CHUNK = "L"
    CHUNK_SUPPORTS = "A"
    CHUNK_CONTRADICTS = "S"
    CHUNK_IRRELEVANT = "D"
    SAVE = "V"
    SAVE_AND_NEXT = "Ctrl+Enter"
    COMMENT = "N"
    SPAN = "M"
    SKIP = "X"
    PREVIOUS = "P"


VERDICT_KEYS = {
    JudgedVerdict.SUPPORTED: Key.SUPPORTED,
    JudgedVerdict.HALLUCINATED: Key.HALLUCINATED,
    JudgedVerdict.CANNOT_TELL: Key.CANNOT_TELL,
}
SENTENCE_KEYS = {
    JudgedVerdict.SUPPORTED: Key.SENTENCE_SUPPORTED,
    JudgedVerdict.HALLUCINATED: Key.SENTENCE_HALLUCINATED,
    JudgedVerdict.CANNOT_TELL: Key.SENTENCE_CANNOT_TELL,
}
CHUNK_KEYS = {
    ChunkMark.SUPPORTS: Key.CHUNK_SUPPORTS,
    ChunkMark.CONTRADICTS: Key.CHUNK_CONTRADICTS,
    ChunkMark.IRRELEVANT: Key.CHUNK_IRRELEVANT,
}
# What the cheat-sheet says, a line each: in the queue, of one audit by its link, in Adjudication.
_MARK_KEYS = (
    (
        (Key.SUPPORTED, Key.HALLUCINATED, Key.CANNOT_TELL),
        "answer: supported, hallucinated, cannot tell",
    ),
    ((Key.TYPE,), "answer: next type"),
    ((Key.NEXT_SENTENCE, Key.PREVIOUS_SENTENCE), "next, previous sentence"),
    (tuple(SENTENCE_KEYS.values()), "sentence: supported, hallucinated, cannot tell"),
    ((Key.SENTENCE_TYPE,), "sentence: next type"),
    ((Key.NEXT_CHUNK, Key.PREVIOUS_CHUNK), "next, previous chunk"),
    (tuple(CHUNK_KEYS.values()), "chunk: supports, contradicts, irrelevant"),
    ((Key.COMMENT,), "write a comment; Esc leaves its box"),
    (
        (Key.SPAN,),
        "mark words of the sentence: ← → choose a word, Shift+→ more words, Enter marks them. "
        "Or drag over words with the mouse",
    ),
)
QUEUE_SHEET = (
    *_MARK_KEYS,
    ((Key.SAVE_AND_NEXT,), "save and go to the next answer, also from a text box"),
    ((Key.SAVE,), "save and stay (shows the machine's view)"),
    ((Key.SKIP, Key.PREVIOUS), "skip, back to the previous answer"),
)
LINK_SHEET = (
    *_MARK_KEYS,
    ((Key.SAVE_AND_NEXT,), "save, also from a text box"),
    ((Key.SAVE,), "save"),
)
GOLD_SHEET = (
    (tuple(VERDICT_KEYS.values()), "settle the answer: supported, hallucinated, cannot tell"),
    ((Key.SKIP,), "skip"),
)


def judgements_of(count: ReviewCount) -> str:
    """The judgements that are lost with an audit, as the end of a sentence; "" without any."""
    if not count.reviews:
        return ""
    earlier = count.versions - count.reviews
    more = f" and {earlier} earlier version{'' if earlier == 1 else 's'}" if earlier else ""
    return f", and with {count.reviews} judgement{'' if count.reviews == 1 else 's'}{more}"


def no_longer_shown(count: ReviewCount) -> str:
    """Where the judgements of a deleted audit no longer show; "" where they show on no other
    audit."""
    if not count.shown_on:
        return ""
    said = "judgement no longer shows" if count.reviews == 1 else "judgements no longer show"
    others = "audit" if count.shown_on == 1 else "audits"
    return f"The {said} on {count.shown_on:,} other {others} of the same answer."


def label_counts(kept: KeptLabels) -> str:
    """What became of the labels that another tool gave back; what there was none of is left out."""
    told = [
        (kept.already_there, *_same("already here")),
        (kept.older, *_same("older than the reviewer's review here")),
        (kept.machine, "score of a machine left out", "scores of machines left out"),
        (kept.unlabelled, "task without an annotation", "tasks without an annotation"),
        (kept.others, *_same("under another name left out")),
        (len(kept.rejected), *_same("rejected")),
    ]
    parts = [f"{count:,} {one if count == 1 else many}" for count, one, many in told if count]
    return ", ".join([f"{kept.reviews:,} new review{'' if kept.reviews == 1 else 's'}", *parts])


def _same(words: str) -> tuple[str, str]:
    return words, words


def gold_decides_text(count: int, unit: str) -> str:
    """How many labels are of gold labels and of no majority of the reviewers; "" for none.
    ``unit``: one of what is counted.

    >>> gold_decides_text(3, "answer")
    'Gold labels decide 3 answers that have no majority of the reviewers, or another one.'
    """
    if not count:
        return ""
    decided = (
        f"A gold label decides 1 {unit} that has"
        if count == 1
        else f"Gold labels decide {count:,} {unit}s that have"
    )
    return f"{decided} no majority of the reviewers, or another one."


def gold_text(gold: GoldLabel) -> str:
    """A gold label on one line: "✗ Hallucinated, decided by Cy on 2026-01-02 (Ann ✓, Bob ✗): page
    2"."""
    symbol, name = JUDGED[gold.verdict]
    settled = ", ".join(f"{each.reviewer} {JUDGED[each.verdict][0]}" for each in gold.settled)
    said = f"{symbol} {name}, decided by {gold.decided_by} on {gold.created_at[:10]}"
    said += f" ({settled})" if settled else ""
    return f"{said}: {gold.comment}" if gold.comment else said
