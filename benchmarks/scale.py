"""How long the dashboard's lists take in a database of many audits.

    python -m benchmarks.scale --out benchmarks/scale.txt

Makes a SQLite database in a temporary folder: ``--audits`` audits of generated texts and scores;
two runs over the same rows; reviews. The audits of the runs and ``ASSEMBLED`` others are assembled
and inserted as any other; what is wanted beyond them asks other questions about the contexts of
those others (:mod:`benchmarks.copied_audits`). Then measures every query that a page makes,
``--times`` times each, and prints the median and the worst in ms. What was read before is in
memory, as in an app that is in use. Then opens every page of the app and prints seconds; a page
that shows an error ends it with status 1.
Depends on what else the machine does, so that the table begins with its processor and its load.

    python -m benchmarks.scale --audits 1000000 --database /tmp/million.db

goes on where an earlier call was stopped.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Engine, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from benchmarks.copied_audits import CopiedAudit, copy_audits
from benchmarks.machine import machine_lines
from benchmarks.page_openings import Opening, PageFailed, openings, page_views
from provenance_core import Audit, Parameters, Verdict, assemble
from provenance_core.files.types import BatchRow
from provenance_core.review.types import JudgedVerdict
from provenance_core.types import (
    Chunk,
    Claim,
    ClaimForm,
    ContextItem,
    Entailment,
    Evidence,
    EvidenceSentence,
    ModelInfo,
    PairScores,
    Sentence,
)
from storage import (
    AuditFilter,
    AuditStore,
    ComparisonStore,
    ItemFilter,
    ItemOrder,
    ItemStore,
    NewRun,
    Reviewed,
    ReviewStore,
    RowStatus,
    RunStatus,
    RunStore,
)
from storage.audits import insert_audits
from storage.engine import get_engine
from storage.models import AuditRecord, ReviewRecord, RunRowRecord

ITEMS, SENTENCES, ITEM_WORDS, SENTENCE_WORDS = 5, 3, 80, 15
INSERT_AT_ONCE = 500
ASSEMBLED = 20_000
PAGE = 20
WORKER = "scale"
RUNS = (("first run", 0.5), ("second run", 0.4))
TASKS = ("QA", "Summary", "Data2txt")
MODELS = ("model-a", "model-b", "model-c", "model-d")
START = datetime(2026, 1, 1, tzinfo=UTC)
MODEL = ModelInfo("nli", "generated", "1", "0" * 64, 256)


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


@dataclass(frozen=True, slots=True)
class Texts:
    """What an audit is of."""

    query: str
    context: tuple[str, ...]
    sentences: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The sentences, each with the blank after it."""
        return "".join(f"{sentence} " for sentence in self.sentences)


def generated_texts(number: int, words: list[str]) -> Texts:
    """2n and 2n + 1 are answers to the same query and context."""
    of_source, of_answer = random.Random(number // 2), random.Random(-number - 1)
    return Texts(
        f"{_sentence(of_source, words, 10)[:-1]}?",
        tuple(_sentence(of_source, words, ITEM_WORDS) for _ in range(ITEMS)),
        tuple(_sentence(of_answer, words, SENTENCE_WORDS) for _ in range(SENTENCES)),
    )


def generated_audit(number: int, words: list[str], threshold: float) -> Audit:
    """An audit of the texts of ``number``; its scores follow from number and threshold."""
    texts = generated_texts(number, words)
    context = tuple(ContextItem(i, text) for i, text in enumerate(texts.context))
    chunks = tuple(
        Chunk(item.index, item.index, 0, len(item.text), item.text, ITEM_WORDS) for item in context
    )
    sentences, position = [], 0
    for index, text in enumerate(texts.sentences):
        end = position + len(text) + 1
        sentences.append(Sentence(index, position, end, f"{text} "))
        position = end
    claims = tuple(
        Claim(s.index, s.start, s.end - 1, s.text.strip(), ClaimForm.SENTENCES, SENTENCE_WORDS)
        for s in sentences
    )
    scores = random.Random(f"{number} {threshold}")
    matrix = tuple(tuple(_entailment(scores) for _ in chunks) for _ in sentences)
    pairs = PairScores(np.array([[astuple(cell) for cell in row] for row in matrix]))
    evidence = Evidence(
        query=texts.query,
        answer=texts.answer,
        context=context,
        chunks=chunks,
        relevance_query=texts.query,
        relevance=tuple(scores.uniform(-5, 5) for _ in chunks),
        claims=claims,
        claim_scores=pairs,
        sentences=tuple(sentences),
        sentence_scores=pairs,
        evidence_sentences=tuple(
            EvidenceSentence(s.index, c.index, 0, len(c.text), matrix[s.index][c.index])
            for s in sentences
            for c in chunks
        ),
        missing_details=(),
        relevance_model=MODEL,
        nli_model=MODEL,
    )
    created = _created(number).isoformat(timespec="milliseconds")
    return assemble(evidence, Parameters(threshold=threshold), created)


def _created(number: int) -> datetime:
    return START + timedelta(minutes=number)


def copied_audit(
    number: int, copy: int, originals: int, texts: Texts, words: list[str]
) -> CopiedAudit:
    """Another question about the texts of ``number``, the same for 2n and 2n + 1."""
    query = f"{_sentence(random.Random(f'{number // 2} {copy}'), words, 10)[:-1]}?"
    return CopiedAudit(query, texts.answer, texts.context, _created(number + copy * originals))


def _sentence(drawn: random.Random, words: list[str], length: int) -> str:
    return f"{' '.join(drawn.choices(words, k=length))}."


def _entailment(drawn: random.Random) -> Entailment:
    entailment = drawn.betavariate(0.5, 0.7)
    contradiction = drawn.random() * (1 - entailment)
    return Entailment(entailment, 1 - entailment - contradiction, contradiction)


def vocabulary() -> list[str]:
    """5,000 made-up words, always the same."""
    drawn = random.Random(0)
    letters = "abcdefghijklmnoprstuvw"
    return ["".join(drawn.choices(letters, k=drawn.randint(2, 9))) for _ in range(5_000)]


def fill(url: str, sizes: Sizes, words: list[str]) -> None:
    """Audits, two runs over the first of them (the second with another threshold), reviews. Goes on
    where an earlier call was stopped: what is there is neither made nor inserted again."""
    runs, engine = RunStore.open(url), get_engine(url)
    there = AuditStore.open(url).count()
    assembled = min(sizes.audits, 2 * sizes.run_rows + ASSEMBLED)
    missing = islice(_numbered(sizes), there, assembled)
    audits = (generated_audit(n, words, threshold) for n, threshold in missing)
    _insert(engine, audits, there, sizes.audits)
    if sizes.audits > max(there, assembled):
        originals = range(2 * sizes.run_rows + 1, assembled + 1)
        texts_of = lru_cache(len(originals))(lambda number: generated_texts(number, words))

        def own(original: int, copy: int) -> CopiedAudit:
            number = original - 1 - sizes.run_rows
            return copied_audit(number, copy, len(originals), texts_of(number), words)

        first = max(there, assembled) + 1
        copy_audits(engine, originals, first, sizes.audits, own, [MODEL, MODEL])
    ended = {run.name for run in runs.page().runs if run.status is RunStatus.DONE}
    for at, (name, threshold) in enumerate(RUNS):
        if name not in ended:
            for half in (run for run in runs.page().runs if run.name == name):
                runs.delete(half.id)
            first = 1 + at * sizes.run_rows
            numbers = range(first, first + sizes.run_rows)
            _keep_run(runs, engine, name, threshold, numbers, words)
    with Session(_writing(engine)) as session, session.begin():
        if not session.scalar(select(func.count(ReviewRecord.id))):
            session.execute(insert(ReviewRecord), list(_reviews(sizes)))
        # Of the answers that they speak of; reviews of an earlier version have none.
        of_audit = AuditRecord.id == ReviewRecord.audit_id
        digests = {
            name: select(getattr(AuditRecord, name)).where(of_audit).scalar_subquery()
            for name in ("source_digest", "text_digest")
        }
        without = ReviewRecord.source_digest.is_(None)
        session.execute(update(ReviewRecord).where(without).values(**digests))


def _numbered(sizes: Sizes) -> Iterator[tuple[int, float]]:
    """Of each audit, in the order of their numbers in the database: which texts, and the
    threshold."""
    for _, threshold in RUNS:
        yield from ((n, threshold) for n in range(sizes.run_rows))
    yield from ((n, 0.5) for n in range(sizes.run_rows, sizes.audits - sizes.run_rows))


def _writing(engine: Engine) -> Engine:
    return engine.execution_options(provenance_write=True)


def _insert(engine: Engine, audits: Iterator[Audit], there: int, wanted: int) -> None:
    """Insert them, a part in one transaction, and say every 10,000 how many there are."""
    while part := list(islice(audits, INSERT_AT_ONCE)):
        with Session(_writing(engine)) as session, session.begin():
            there = insert_audits(session, part)[-1]
        if there % 10_000 == 0:
            print(f"{there:,} of {wanted:,} audits", file=sys.stderr, flush=True)


def _keep_run(
    runs: RunStore,
    engine: Engine,
    name: str,
    threshold: float,
    audits: Sequence[int],
    words: list[str],
) -> None:
    drawn = random.Random(1)
    run = NewRun(name, "rows.jsonl", "rows", (), "embedded", Parameters(threshold=threshold))
    number = runs.create(run, (_row(line, drawn, words) for line in range(1, len(audits) + 1)), [])
    runs.take(number, WORKER)
    done = (
        update(RunRowRecord)
        .where(RunRowRecord.run_id == number, RunRowRecord.line == bindparam("of_line"))
        .values(status=str(RowStatus.DONE), audit_id=bindparam("audit"))
    )
    with _writing(engine).begin() as connection:
        connection.execute(
            done, [{"of_line": line, "audit": audit} for line, audit in enumerate(audits, 1)]
        )
    runs.end(number, WORKER)


def _row(line: int, drawn: random.Random, words: list[str]) -> BatchRow:
    texts = generated_texts(line - 1, words)
    return BatchRow(
        line,
        texts.query,
        texts.context,
        texts.answer,
        id=f"row-{line}",
        label=drawn.randint(0, 1),
        group=f"document {line // 8}",
        task=drawn.choice(TASKS),
        source_model=drawn.choice(MODELS),
    )


def _reviews(sizes: Sizes) -> Iterator[dict[str, Any]]:
    """Two reviewers; each has judged half as many audits as there are reviews."""
    drawn = random.Random(2)
    for reviewer in ("first", "second"):
        for audit in drawn.sample(range(1, sizes.audits + 1), sizes.reviews // 2):
            yield {
                "audit_id": audit,
                "reviewer": reviewer,
                "version": 1,
                "latest": True,
                "created_at": "2026-06-01T00:00:00.000+00:00",
                "verdict": drawn.choice([*map(str, JudgedVerdict)]),
                "comment": "",
                "blind": False,
                "machine_score": 0.5,
                "machine_threshold": 0.5,
                "machine_verdict": str(Verdict.SUPPORTED),
            }


Operation = tuple[str, Callable[[], object]]


def operations(url: str, sizes: Sizes, words: list[str]) -> list[Operation]:
    """What is measured: names and calls, those of lists first."""
    audits, items = AuditStore.open(url), ItemStore.open(url)
    runs = RunStore.open(url)
    deep = sizes.audits - 10 * PAGE
    word = words[7]
    both = runs.page().runs
    numbers = iter(range(sizes.audits, 2 * sizes.audits))
    one_run = ItemFilter(runs=(both[-1].id,))
    everything, supported = ItemFilter(), AuditFilter(verdict=Verdict.SUPPORTED)

    def page(chosen: ItemFilter, order: ItemOrder, offset: int = 0) -> Callable[[], object]:
        return lambda: items.page(chosen, order, offset, PAGE)

    found: list[Operation] = [
        ("History: first page", lambda: audits.page(AuditFilter(), 0, PAGE)),
        ("History: first page of answers",
         lambda: audits.page(AuditFilter(), 0, PAGE, by_answer=True)),
        ("History: deep page", lambda: audits.page(AuditFilter(), deep, PAGE)),
        ("History: by verdict", lambda: audits.page(supported, 0, PAGE)),
        ("History: a word", lambda: audits.page(AuditFilter(word), 0, PAGE)),
        ("History: a text that no audit has", lambda: audits.page(AuditFilter("0 0"), 0, PAGE)),
        ("Open an audit", lambda: audits.load(sizes.audits // 2)),
        ("Save an audit", lambda: audits.save(generated_audit(next(numbers), words, 0.5))),
        ("Make the audit that is saved", lambda: generated_audit(0, words, 0.5)),
        ("Runs", runs.page),
        ("Names of the runs", runs.names),
    ]  # fmt: skip
    found += [(f"All audits, {order}", page(everything, order)) for order in ItemOrder]
    found += [
        (f"All audits, {order}, deep page", page(everything, order, deep))
        for order in (ItemOrder.NEWEST, ItemOrder.LOWEST_SCORE, ItemOrder.CLOSEST)
    ]
    found += [(f"One run, {order}", page(one_run, order)) for order in ItemOrder]
    filters = {
        "label": ItemFilter(label=0),
        "labelled": ItemFilter(labelled=True),
        "task": ItemFilter(task=TASKS[0]),
        "source model": ItemFilter(source_model=MODELS[0]),
        "verdict": ItemFilter(audits=AuditFilter(verdict=Verdict.HALLUCINATED)),
        "score": ItemFilter(score_from=0.4, score_to=0.6),
        "a word": ItemFilter(audits=AuditFilter(word)),
        **{f"{reviewed}": ItemFilter(reviewed=reviewed) for reviewed in Reviewed},
    }
    found += [(f"All audits, newest, filter: {n}", page(f, ItemOrder.NEWEST))
              for n, f in filters.items()]  # fmt: skip
    return found + work_operations(url, one_run) + label_operations(url, one_run)


def label_operations(url: str, one_run: ItemFilter) -> list[Operation]:
    """What asks for labels that reviewers gave, in whichever audit of an answer."""
    items, reviews, everything = ItemStore.open(url), ReviewStore.open(url), ItemFilter()
    judged = ItemFilter(reviewed=Reviewed.REVIEWED)
    of_run = replace(one_run, reviewed=Reviewed.REVIEWED)

    def rows(chosen: ItemFilter, order: ItemOrder) -> None:
        page = items.page(chosen, order, 0, PAGE)
        items.details({item.audit_id for item in page.items})

    def next_answer(chosen: ItemFilter, *, again: bool) -> None:
        found = reviews.reserve_next(
            chosen, ItemOrder.CLOSEST, "third", by_answer=True, again=again
        )
        if found is not None:
            reviews.release(found.audit_id, "third")

    return [
        ("Batch: rows with what reviewers say", lambda: rows(one_run, ItemOrder.FILE)),
        ("Batch: rows that reviewers judged", lambda: rows(of_run, ItemOrder.FILE)),
        ("Batch: export with what reviewers say", lambda: deque(items.each(one_run), maxlen=0)),
        ("History: rows with what reviewers say", lambda: rows(everything, ItemOrder.NEWEST)),
        ("Thresholds: labels of reviewers", lambda: items.labels(judged)),
        ("Thresholds: labels of reviewers, one run", lambda: items.labels(of_run)),
        ("Thresholds: labels of reviewers, else data set",
         lambda: items.labels(ItemFilter(labelled_or_judged=True))),
        ("Thresholds: settings of what reviewers judged", lambda: items.made_with(judged)),
        ("Review: next answer, none that was judged", lambda: next_answer(everything, again=False)),
        ("Review: next answer, one run", lambda: next_answer(one_run, again=False)),
        ("Review: next answer, judged ones again", lambda: next_answer(everything, again=True)),
        ("Review: progress by answer, one run", lambda: reviews.progress(one_run, by_answer=True)),
        ("Agreement: all audits", lambda: reviews.opinions(everything)),
        ("Agreement: one run", lambda: reviews.opinions(one_run)),
        ("Judgements of other audits", lambda: reviews.elsewhere(1)),
    ]  # fmt: skip


def work_operations(url: str, one_run: ItemFilter) -> list[Operation]:
    """What Review, the filter bar and Compare ask for."""
    items, comparison = ItemStore.open(url), ComparisonStore.open(url)
    reviews, both, everything = ReviewStore.open(url), RunStore.open(url).page().runs, ItemFilter()
    found: list[Operation] = [
        (f"Review: progress, {reviewed}", lambda f=f: reviews.progress(f))  # type: ignore[misc]
        for reviewed, f in (*((r, ItemFilter(reviewed=r)) for r in Reviewed), ("one run", one_run))
    ]
    return [
        *found,
        ("Review: progress by answer", lambda: reviews.progress(everything, by_answer=True)),
        ("Review: judgements in force", lambda: reviews.each(everything)),
        ("Values to filter by, all runs", items.filter_values),
        ("Values to filter by, one run", lambda: items.filter_values(one_run.runs)),
        ("Compare: detectors", lambda: items.detectors(everything)),
        ("Compare: rows of two runs", lambda: [comparison.rows(r, everything) for r in both]),
        ("Compare: candidate answers, all audits", lambda: comparison.candidates(everything)),
        ("Compare: candidate answers, one run", lambda: comparison.candidates(one_run)),
        ("Compare: labelled candidates", lambda: comparison.labelled_candidates(everything)),
    ]


def measured(name: str, call: Callable[[], object], times: int) -> Timing:
    """Median and worst of ``times`` calls."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(1000 * (time.perf_counter() - start))
    return Timing(name, statistics.median(taken), max(taken))


def query_lines(timings: Sequence[Timing], times: int) -> list[str]:
    """A table of the queries."""
    width = max((len(timing.name) for timing in timings), default=0)
    return [
        f"Queries: ms of {times} calls, pages of {PAGE}",
        f"{'':<{width}}  {'median':>9}  {'worst':>9}",
        *(f"{t.name:<{width}}  {t.median:9.1f}  {t.worst:9.1f}" for t in timings),
    ]


def page_lines(opened: Sequence[Opening], times: int) -> list[str]:
    """A table of the pages."""
    width = max((len(opening.name) for opening in opened), default=0)
    return [
        f"Pages: s to open with nothing cached, and the median of {times} more openings; "
        "statements and rows read of the first",
        f"{'':<{width}}  {'first':>9}  {'median':>9}  {'statements':>10}  {'rows':>9}",
        *(
            f"{o.name:<{width}}  {o.first:9.2f}  {o.median:9.2f}  {o.statements:10,}  {o.rows:9,}"
            for o in opened
        ),
    ]


def parser_of_arguments() -> argparse.ArgumentParser:
    """What the command takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--audits", type=int, default=100_000)
    parser.add_argument("--run-rows", type=int, default=10_000)
    parser.add_argument("--reviews", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--page-times", type=int, default=5, help="openings of a page")
    parser.add_argument("--only", default="", help="only what has this in its name")
    parser.add_argument(
        "--database",
        type=Path,
        help="keep it here; what one that is there lacks of --audits is added",
    )
    parser.add_argument("--out", type=Path, help="write the table here too")
    return parser


def main() -> int:
    """Fill, measure, print."""
    parser = parser_of_arguments()
    options = parser.parse_args()
    sizes = Sizes(options.audits, options.run_rows, options.reviews)
    if sizes.audits < 2 * sizes.run_rows or sizes.reviews > 2 * sizes.audits:
        parser.error("--audits must be at least twice --run-rows and half of --reviews")
    words = vocabulary()
    with tempfile.TemporaryDirectory() as scratch:
        path = options.database or Path(scratch) / "scale.db"
        url = f"sqlite:///{path}"
        known = path.exists()
        start = time.perf_counter()
        fill(url, sizes, words)
        filled = time.perf_counter() - start
        wanted = [(n, c) for n, c in operations(url, sizes, words) if options.only in n]
        machine = machine_lines()
        timings = [measured(name, call, options.times) for name, call in wanted]
        views = page_views(sizes.audits // 2, [name for name, _ in RUNS], words[7])
        try:
            opened = openings(url, [v for v in views if options.only in v.name], options.page_times)
        except PageFailed as failure:
            print(failure, file=sys.stderr)
            return 1
        # The log that SQLite has not written into the file yet belongs to it.
        size = sum(part.stat().st_size for part in path.parent.glob(f"{path.name}*")) / 2**20
    lines = [
        f"{sizes.audits:,} audits of {ITEMS} context items x {ITEM_WORDS} words and {SENTENCES} "
        f"sentences; two runs of {sizes.run_rows:,} rows; {sizes.reviews:,} reviews",
        f"SQLite {sqlite3.sqlite_version}, {size:,.0f} MiB"
        + ("" if known else f", filled in {filled:,.0f} s"),
        *machine,
        "",
        *query_lines(timings, options.times),
        "",
        *page_lines(opened, options.page_times),
    ]
    print("\n".join(lines))
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
