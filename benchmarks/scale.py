"""How long the dashboard's lists take in a database of many audits.

    python -m benchmarks.scale --out benchmarks/scale.txt

Makes a SQLite database in a temporary folder: ``--audits`` audits of generated texts and scores,
each assembled and inserted as any other; two runs over the same rows; reviews. Then measures every
query that a page makes, ``--times`` times each, and prints the median and the worst in ms. What
was read before is in memory, as in an app that is in use. ``--plans`` prints how SQLite goes about
each query. Depends on what else the machine does: run it on an idle one.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import batched
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, insert, update
from sqlalchemy.orm import Session

from provenance_core import Audit, Parameters, Verdict, assemble
from provenance_core.evaluation.comparison import compare, match_runs
from provenance_core.evaluation.types import BatchRow
from provenance_core.types import (
    Chunk,
    Claim,
    ClaimForm,
    ContextItem,
    Entailment,
    Evidence,
    EvidenceSentence,
    ModelInfo,
    Sentence,
)
from storage import (
    AuditFilter,
    AuditStore,
    ComparisonStore,
    ItemColumn,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    Reviewed,
    RowStatus,
    RunStore,
)
from storage._engine import get_engine
from storage.models import ReviewRecord, RunRowRecord
from storage.store import insert_audit

ITEMS, SENTENCES, ITEM_WORDS, SENTENCE_WORDS = 5, 3, 80, 15
INSERT_AT_ONCE = 500
PAGE = 20
WORKER = "scale"
TASKS = ("QA", "Summary", "Data2txt")
MODELS = ("model-a", "model-b", "model-c", "model-d")
START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is put into the database."""

    audits: int
    run_rows: int
    reviews: int


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of one operation."""

    name: str
    median: float
    worst: float


def generated_audit(number: int, *, words: list[str], threshold: float, seed: int) -> Audit:
    """An audit whose texts follow from ``number`` and whose scores follow from ``seed``.

    Two audits with numbers 2n and 2n + 1 are answers to the same query and context.
    """
    of_source, of_answer = random.Random(number // 2), random.Random(-number - 1)
    query = f"{_text(of_source, words, 10)[:-1]}?"
    context = tuple(ContextItem(i, _text(of_source, words, ITEM_WORDS)) for i in range(ITEMS))
    chunks = tuple(
        Chunk(item.index, item.index, 0, len(item.text), item.text, ITEM_WORDS) for item in context
    )
    answer, sentences = "", []
    for index in range(SENTENCES):
        text = f"{_text(of_answer, words, SENTENCE_WORDS)} "
        sentences.append(Sentence(index, len(answer), len(answer) + len(text), text))
        answer += text
    claims = tuple(
        Claim(s.index, s.start, s.end - 1, s.text.strip(), ClaimForm.SENTENCES, SENTENCE_WORDS)
        for s in sentences
    )
    scores = random.Random(f"{number} {seed}")
    matrix = tuple(tuple(_entailment(scores) for _ in chunks) for _ in sentences)
    model = ModelInfo("nli", "generated", "1", "0" * 64, 256)
    evidence = Evidence(
        query=query,
        answer=answer,
        context=context,
        chunks=chunks,
        relevance_query=query,
        relevance=tuple(scores.uniform(-5, 5) for _ in chunks),
        claims=claims,
        claim_scores=matrix,
        sentences=tuple(sentences),
        sentence_scores=matrix,
        evidence_sentences=tuple(
            EvidenceSentence(s.index, c.index, 0, len(c.text), matrix[s.index][c.index])
            for s in sentences
            for c in chunks
        ),
        missing_details=(),
        relevance_model=model,
        nli_model=model,
    )
    when = START + timedelta(minutes=number, seconds=seed)
    return assemble(
        evidence, Parameters(threshold=threshold), when.isoformat(timespec="milliseconds")
    )


def _text(drawn: random.Random, words: list[str], length: int) -> str:
    return f"{' '.join(drawn.choices(words, k=length))}."


def _entailment(drawn: random.Random) -> Entailment:
    entailment = drawn.betavariate(0.5, 0.7)
    contradiction = drawn.random() * (1 - entailment)
    return Entailment(entailment, 1 - entailment - contradiction, contradiction)


def fill(url: str, sizes: Sizes) -> None:
    """Audits, two runs over the first of them, and reviews."""
    drawn = random.Random(0)
    words = ["".join(drawn.choices("abcdefghijklmnoprstuvw", k=drawn.randint(2, 9)))
             for _ in range(5_000)]  # fmt: skip
    runs, engine = RunStore.open(url), get_engine(url)
    # The second run judges the rows of the first under another threshold.
    alone = sizes.audits - 2 * sizes.run_rows
    for name, threshold, seed in (("first run", 0.5, 0), ("second run", 0.4, 1)):
        audits = (
            generated_audit(n, words=words, threshold=threshold, seed=seed)
            for n in range(sizes.run_rows)
        )
        _fill_run(runs, engine, name, threshold, _inserted(engine, audits), sizes.run_rows, words)
    rest = (
        generated_audit(n, words=words, threshold=0.5, seed=0)
        for n in range(sizes.run_rows, sizes.run_rows + alone)
    )
    for _ in _inserted(engine, rest):
        pass
    _fill_reviews(engine, sizes)


def _inserted(engine: Engine, audits: Iterator[Audit]) -> Iterator[int]:
    writing = engine.execution_options(provenance_write=True)
    while True:
        with Session(writing) as session, session.begin():
            numbers = []
            for audit in audits:
                numbers.append(insert_audit(session, audit))
                if len(numbers) == INSERT_AT_ONCE:
                    break
        if not numbers:
            return
        yield from numbers


def _fill_run(
    runs: RunStore,
    engine: Engine,
    name: str,
    threshold: float,
    audits: Iterator[int],
    rows: int,
    words: list[str],
) -> None:
    drawn = random.Random(1)
    parameters = Parameters(threshold=threshold)
    numbers = list(audits)
    given = (
        BatchRow(
            line,
            "",
            (),
            "",
            id=f"row-{line}",
            label=drawn.randint(0, 1),
            group=f"document {line // 4}",
            task=drawn.choice(TASKS),
            source_model=drawn.choice(MODELS),
        )
        for line in range(1, rows + 1)
    )
    number = runs.create(
        NewRun(name, "rows.jsonl", "rows", (), "embedded", parameters), given, []
    )
    runs.claim(number, WORKER)
    done = [{"line": line, "audit": audit} for line, audit in enumerate(numbers, start=1)]
    table = RunRowRecord.__table__
    return
