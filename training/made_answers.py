"""Answers made of held-out passages, which no weights saw, with what is unsupported in them marked.

Sentences are shortened (supported), have a number, name or detail exchanged or a foreign clause,
are of another passage, or of a part of the passage that the context lacks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.answer_styles import detail_pairs
from training.minimal_pairs import NEUTRAL, inside, names_in, sentences_of, swapped
from training.nli_data import held_out, passage_rows
from training.rewrites import shortened
from training.span_head import PASSAGES, changed_span

_JOINTS = (", and ", ", which means that ", " because ", ", while ")


@dataclass(frozen=True, slots=True)
class MadeAnswer:
    """``spans``: the parts of ``answer`` that ``context`` does not support."""

    context: str
    answer: str
    spans: tuple[tuple[int, int], ...]


def _wrong(
    sentence: str, passage: str, foreign: str, rng: random.Random, names: list[str]
) -> tuple[str, tuple[int, int]] | None:
    """``sentence`` with something unsupported in it, and where."""
    right = shortened(sentence, rng)
    roll = rng.random()
    if roll < 0.45:
        changed = swapped(right, passage, rng, names)
        span = changed_span(right, changed) if changed else None
        return (changed, span) if changed and span and not inside(changed, passage) else None
    if roll < 0.6:
        for pair in detail_pairs(sentence, foreign, rng):
            span = changed_span(sentence, pair.hypothesis)
            if pair.label == NEUTRAL and span:
                return pair.hypothesis, span
        return None
    clauses = [s for s in sentences_of(foreign) if len(s.split()) <= 18 and not inside(s, passage)]
    if not clauses:
        return None
    clause = shortened(rng.choice(clauses), rng)
    if roll < 0.75:
        return clause, (0, len(clause))
    joint = rng.choice(_JOINTS)
    start = right.rstrip(". ") + joint
    wrong = start + clause
    return wrong, (len(start), len(wrong))


def made_answers(data: Path, rng: random.Random, most: int) -> Iterator[MadeAnswer]:
    """Answers of two to four sentences, about a third of which are not wholly supported; at most
    ``most`` of each set of passages."""
    for name in PASSAGES:
        loaded, _ = passage_rows(data, name, rng)
        names = sorted(names_in(" ".join(row["passage"] for row in loaded[:400])))
        seen: set[str] = set()
        for index, row in enumerate(loaded):
            passage = " ".join(row["passage"].split()[:220])
            if len(seen) == most:
                break
            if passage in seen or not held_out(passage, 20):
                continue
            sentences = sentences_of(passage)
            short = [s for s in sentences if 6 <= len(s.split()) <= 40]
            if len(short) < 3:
                continue
            seen.add(passage)
            chosen = rng.sample(short, min(len(short) - 1, rng.choice((2, 3, 4))))
            left_out: set[str] = set()
            parts: list[str] = []
            spans: list[tuple[int, int]] = []
            for sentence in chosen:
                at = sum(len(part) + 1 for part in parts)
                text, span = shortened(sentence, rng), None
                roll = rng.random()
                if roll < 0.28:
                    found = _wrong(sentence, passage, loaded[index - 1]["passage"], rng, names)
                    text, span = found or (text, None)
                elif roll < 0.36:
                    left_out.add(sentence)
                    span = (0, len(text))
                if span:
                    spans.append((at + span[0], at + span[1]))
                parts.append(text)
            context = " ".join(s for s in sentences if s not in left_out)
            yield MadeAnswer(context, " ".join(parts), tuple(spans))
