"""What is scored: real pairs and an audit, out of the rows of evaluation sets."""

from __future__ import annotations

import random
from pathlib import Path

from provenance_core import default_parameters
from provenance_core.files.labelled import LabelledRow, read_labelled_file
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.text.chunking import chunk_context
from provenance_core.text.splitting import sentence_bounds, strip_bounds
from provenance_core.types import ContextItem

SETS = ("ragtruth_partial", "qags_cnndm", "qags_xsum", "halueval_qa_gen500", "begin", "q2")


def real_rows(data: Path) -> list[LabelledRow]:
    """Rows of the sets at hand, shuffled by seed 0. Empty when there are none."""
    rows: list[LabelledRow] = []
    for name in SETS:
        for path in data.glob(f"{name}.jsonl*"):
            rows.extend(row for row in read_labelled_file(path).rows if row.context)
    random.Random(0).shuffle(rows)
    return rows


def real_pairs(rows: list[LabelledRow], nli: CrossEncoder, most: int) -> list[tuple[str, str]]:
    """``most`` (chunk, answer sentence) pairs as an audit makes them, within the model's window."""
    limit = default_parameters().chunk_tokens
    count = nli.count_tokens
    pairs: list[tuple[str, str]] = []
    for row in rows:
        items = [ContextItem(i, text) for i, text in enumerate(row.texts)]
        chunks = chunk_context(items, max_tokens=limit, overlap_sentences=1, count_tokens=count)
        bounds = [strip_bounds(row.answer, a, b) for a, b in sentence_bounds(row.answer)]
        for a, b in bounds[:2]:
            claim = row.answer[a:b]
            if 0 < count([claim])[0] <= nli.text_budget - limit:
                pairs.extend((chunk.text, claim) for chunk in chunks[:2])
        if len(pairs) >= most:
            return pairs[:most]
    return pairs


def audit_input(rows: list[LabelledRow]) -> tuple[str, str, list[str]]:
    """Query, 3-sentence answer and 10 context items of 100 words, out of real rows."""
    words = " ".join(text for row in rows[:400] for text in row.texts).split()
    context = [" ".join(words[i * 100 : (i + 1) * 100]) for i in range(10)]
    return "What is reported?", answer_of(rows, 3), context


def answer_of(rows: list[LabelledRow], sentences: int) -> str:
    """An answer of so many sentences of 8 to 30 words: the first of as many answers."""
    found = [
        row.answer[a:b].strip()
        for row in rows
        for a, b in sentence_bounds(row.answer)[:1]
        if 8 <= len(row.answer[a:b].split()) <= 30 and row.answer[a:b].strip().endswith(".")
    ]
    return " ".join(found[:sentences])


def long_context(rows: list[LabelledRow], chunks: int) -> list[str]:
    """Context items of 80 words out of real rows, each within a chunk as a rule, as many as
    ``chunks``; each with its number, so that no two are equal."""
    words = " ".join(text for row in rows[:400] for text in row.texts).split()
    found = []
    for number in range(chunks):
        start = 80 * number % max(1, len(words) - 80)
        found.append(f"Part {number}. {' '.join(words[start : start + 80])}")
    return found
