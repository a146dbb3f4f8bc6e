"""Audits of several answers at once, whose pairs the models read in common batches.

Each answer has a thread, and one of them prepares texts at a time. Once every answer of a half
waits for a model, the model reads all that they ask, while the other half prepares texts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from dataclasses import astuple, dataclass, field, replace
from threading import Lock
from typing import TypeVar

import numpy as np

from provenance_core.audit.pipeline import Provenance
from provenance_core.detectors import asked_model
from provenance_core.errors import failing_alone
from provenance_core.models.pair_memory import Logits, Pair, PairMemory
from provenance_core.models.protocol import PairScorer
from provenance_core.progress import SILENT, Progress
from provenance_core.text.checked_texts import CheckedTexts
from provenance_core.types import Audit, Parameters, Timings

T = TypeVar("T")
# Answers that are audited at once, and characters of their texts. Longer texts fill batches alone.
_MOST = 16
_MOST_CHARACTERS = 40_000
# A source of rows that takes longer gives answers to audit one by one.
_MOST_SECONDS = 0.5


def attempt(work: Callable[[], T]) -> Future[T]:
    """What ``work`` gives, or the error that it raises: of one row of many, which fails alone."""
    done: Future[T] = Future()
    try:
        with failing_alone():
            done.set_result(work())
    except Exception as error:
        done.set_exception(error)
    return done


def in_groups(
    rows: Iterable[Future[CheckedTexts]], parameters: Parameters
) -> Iterator[list[Future[CheckedTexts]]]:
    """Rows that are worth auditing at once, in their order. The first group has one row, so that
    its result comes soon, and each next one twice as many, up to a limit of rows and characters.
    Where ``rows`` raises, the rows before come first. A judge outside of this process is asked for
    one row at a time. Raises JudgeError where none is set."""
    most_ever = _MOST if asked_model(parameters) is None else 1
    most, size, started = 1, 0, time.monotonic()
    group: list[Future[CheckedTexts]] = []
    try:
        for row in rows:
            own = 0 if row.exception() else _characters(row.result())
            if group and size + own > _MOST_CHARACTERS:
                yield group
                most, size, group = min(2 * most, most_ever), 0, []
            if not group:
                started = time.monotonic()
            group.append(row)
            size += own
            if len(group) >= most or time.monotonic() - started > _MOST_SECONDS:
                yield group
                most, size, group = min(2 * most, most_ever), 0, []
    except Exception:
        if group:
            yield group
        raise
    if group:
        yield group


def _characters(texts: CheckedTexts) -> int:
    return len(texts.query) + len(texts.answer) + sum(len(item.text) for item in texts.items)


def audit_together(
    provenance: Provenance,
    texts: Sequence[Future[CheckedTexts]],
    parameters: Parameters | None = None,
    progress: Progress = SILENT,
    memory: PairMemory | None = None,
) -> list[Future[Audit]]:
    """Audit some answers, each as :meth:`Provenance.audit_texts` would alone but for the rounding
    of another batch. Their audits, in their order, or the errors that they or their texts raised.
    What ``progress`` raises, all of them raise that were not ready."""
    memory = PairMemory() if memory is None else memory
    if len(texts) == 1:
        work = provenance.audit_texts
        return [attempt(lambda: work(texts[0].result(), parameters, progress, memory))]
    turns = _Turns(len(texts), memory, progress.stage("Entailment"))
    middle = len(texts) // 2
    halves = [_Half(turns, each) for each in (middle, len(texts) - middle)]
    with ThreadPoolExecutor(len(texts)) as threads:
        try:
            audits = [
                threads.submit(halves[at >= middle].audit, provenance, each, parameters)
                for at, each in enumerate(texts)
            ]
            wait(audits)
            return audits
        except BaseException:  # Ctrl+C
            turns.ended = CancelledError()
            raise


@dataclass(slots=True)
class _Turns:
    """What all the ``answers`` share. ``preparing``: held by the one that is worked on.
    ``reading``: held while a model reads. ``ended``: what ended the work on all of them."""

    answers: int
    memory: PairMemory
    progress: Progress
    preparing: Lock = field(default_factory=Lock)
    reading: Lock = field(default_factory=Lock)
    ended: BaseException | None = None

    def told(self, share: float) -> None:
        """A model has read this share of what it was asked."""
        try:
            if self.ended is None:
                self.progress(share)
        except BaseException as error:
            self.ended = error
        if self.ended is not None:
            raise self.ended


@dataclass(frozen=True, slots=True)
class _Asked:
    """What an answer asks of a model, and what that says."""

    model: PairScorer
    pairs: Sequence[Pair]
    logits: Future[Logits] = field(default_factory=Future)


class _Half(PairMemory):
    """Some answers that wait for one another where they ask a model, ``left`` so far. To each it
    is a memory of pairs."""

    def __init__(self, turns: _Turns, left: int) -> None:
        super().__init__()
        self._turns = turns
        self._left = left
        self._waiting: list[_Asked] = []
        self._changing = Lock()

    def audit(
        self, provenance: Provenance, texts: Future[CheckedTexts], parameters: Parameters | None
    ) -> Audit:
        """Audit one of the answers, in a thread of its own."""
        self._turns.preparing.acquire()
        try:
            with failing_alone():
                audit = provenance.audit_texts(texts.result(), parameters, memory=self)
                return _with_own_seconds(audit, self._turns.answers)
        finally:
            self._turns.preparing.release()
            self._meet([], leaving=1)

    def predict(
        self,
        model: PairScorer,
        pairs: Sequence[Pair],
        progress: Callable[[float], None] | None = None,
    ) -> Logits:
        """As :meth:`PairMemory.predict`, once every answer waits or has left."""
        mine = _Asked(model, pairs)
        self._turns.preparing.release()
        try:
            self._meet([mine])
            return mine.logits.result()
        finally:
            self._turns.preparing.acquire()

    def _meet(self, asked: list[_Asked], leaving: int = 0) -> None:
        """Wait with the others, or leave them; the last one has the models read for all."""
        with self._changing:
            self._left -= leaving
            self._waiting += asked
            if len(self._waiting) < self._left:
                return
            waiting, self._waiting = self._waiting, []
        with self._turns.reading:
            for together in _by_model(waiting):
                self._read(together)

    def _read(self, asked: Sequence[_Asked]) -> None:
        """Answer what was asked of one model. Where it fails, each fails or succeeds alone."""
        turns = self._turns
        pairs = [pair for each in asked for pair in each.pairs]
        try:
            if turns.ended is not None:
                raise turns.ended
            logits = turns.memory.predict(asked[0].model, pairs, turns.told)
        except BaseException as error:
            if turns.ended is None and len(asked) > 1:
                for each in asked:
                    self._read([each])
            else:
                for each in asked:
                    each.logits.set_exception(error)
            return
        ends = np.cumsum([len(each.pairs) for each in asked])
        for each, own in zip(asked, np.split(logits, ends[:-1]), strict=True):
            each.logits.set_result(own)


def _with_own_seconds(audit: Audit, answers: int) -> Audit:
    """Each of so many answers counts its share of the seconds in which it mostly waited."""
    own = (seconds / answers for seconds in astuple(audit.evidence.timings))
    return replace(audit, evidence=replace(audit.evidence, timings=Timings(*own)))


def _by_model(asked: Sequence[_Asked]) -> Iterator[list[_Asked]]:
    """What is read in one call: all that one model is asked. The relevance model reads each
    answer's pairs by themselves, as it rounds all pairs of a batch by one scale."""
    together: dict[int, list[_Asked]] = {}
    for each in asked:
        if each.model.info.task == "relevance":
            yield [each]
        else:
            together.setdefault(id(each.model), []).append(each)
    yield from together.values()
