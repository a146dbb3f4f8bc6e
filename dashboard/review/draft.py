"""What a reviewer has entered and not saved yet: every change makes a new draft."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace

from provenance_core import InputError
from provenance_core.review.types import (
    ChunkMark,
    FindingType,
    JudgedChunk,
    JudgedSentence,
    JudgedSpan,
    JudgedVerdict,
    Judgement,
)
from provenance_core.types import ADDED_LATER, Sentence


@dataclass(frozen=True, slots=True)
class Draft:
    """As :class:`Judgement`, but the verdict may be open still."""

    verdict: JudgedVerdict | None = None
    type: FindingType | None = None
    comment: str = ""
    sentences: tuple[JudgedSentence, ...] = ()
    chunks: tuple[JudgedChunk, ...] = ()
    spans: tuple[JudgedSpan, ...] = ()
    labels: tuple[str, ...] = field(default=(), metadata=ADDED_LATER)

    def sentence(self, index: int) -> JudgedSentence | None:
        """What is said of a sentence; None when nothing is."""
        return next((s for s in self.sentences if s.index == index), None)

    def chunk(self, index: int) -> ChunkMark | None:
        """What is said of a chunk; None when nothing is."""
        return next((c.mark for c in self.chunks if c.index == index), None)


def draft_of(judgement: Judgement) -> Draft:
    """A saved judgement, to be changed into its next version."""
    return Draft(**{each.name: getattr(judgement, each.name) for each in fields(Draft)})


def judgement_of(draft: Draft, *, blind: bool) -> Judgement:
    """The draft as a judgement. InputError when its verdict is open."""
    if draft.verdict is None:
        raise InputError("Choose a verdict first: Supported, Hallucinated or Cannot tell.")
    entered = {each.name: getattr(draft, each.name) for each in fields(Draft)}
    return Judgement(**entered, blind=blind)


def toggle_sentence(draft: Draft, index: int, verdict: JudgedVerdict) -> Draft:
    """Say ``verdict`` of a sentence; saying the same again takes it back."""
    before = draft.sentence(index)
    others = [s for s in draft.sentences if s.index != index]
    if before is None or before.verdict is not verdict:
        others.append(JudgedSentence(index, verdict, before.type if before else None))
    return replace(draft, sentences=tuple(sorted(others, key=lambda s: s.index)))


def type_sentence(draft: Draft, index: int, kind: FindingType | None) -> Draft:
    """Set the type of a sentence that is judged; nothing changes for another."""
    return replace(
        draft,
        sentences=tuple(replace(s, type=kind) if s.index == index else s for s in draft.sentences),
    )


def toggle_chunk(draft: Draft, index: int, mark: ChunkMark) -> Draft:
    """Say ``mark`` of a chunk; saying the same again takes it back."""
    others = [c for c in draft.chunks if c.index != index]
    if draft.chunk(index) is not mark:
        others.append(JudgedChunk(index, mark))
    return replace(draft, chunks=tuple(sorted(others, key=lambda c: c.index)))


def toggle_label(draft: Draft, name: str) -> Draft:
    """Give the answer a label; giving the same again takes it back."""
    others = tuple(label for label in draft.labels if label != name)
    given = others if name in draft.labels else tuple(sorted((*others, name)))
    return replace(draft, labels=given)


def next_type(kind: FindingType | None) -> FindingType | None:
    """The type after ``kind``; None comes after the last and before the first."""
    types = [None, *FindingType]
    return types[(types.index(kind) + 1) % len(types)]


def add_span(draft: Draft, sentence: Sentence, words: str, kind: FindingType) -> Draft:
    """Mark ``words`` of ``sentence``: their first place there that is not marked so already.
    InputError when the sentence does not hold these exact words, or all of their places are
    marked."""
    wanted = words.strip()
    place = sentence.text.find(wanted) if wanted else -1
    if place < 0:
        raise InputError(
            f"Sentence {sentence.index + 1} does not contain these exact words: {wanted!r}. Copy "
            "them from the sentence in focus."
        )
    while place >= 0:
        start = sentence.start + place
        end = start + len(wanted)
        if JudgedSpan(start, end, kind) not in draft.spans:
            return mark_span(draft, start, end, kind)
        place = sentence.text.find(wanted, place + 1)
    raise InputError(f"{wanted!r} is marked with that type already.")


def mark_span(draft: Draft, start: int, end: int, kind: FindingType) -> Draft:
    """Mark ``answer[start:end]``; marking the same again takes it back."""
    span = JudgedSpan(start, end, kind)
    if span in draft.spans:
        return remove_span(draft, span)
    spans = sorted((*draft.spans, span), key=lambda s: (s.start, s.end, str(s.type)))
    return replace(draft, spans=tuple(spans))


def remove_span(draft: Draft, span: JudgedSpan) -> Draft:
    """Take a mark back."""
    return replace(draft, spans=tuple(s for s in draft.spans if s != span))
