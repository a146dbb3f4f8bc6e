"""Scores of pairs, kept so that later audits need not ask the models again."""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from provenance_core.environment import Setting
from provenance_core.models.pair_memory import Logits, Pair, PairMemory, model_digest, text_digest
from provenance_core.text.claims import claim_texts
from provenance_core.types import Evidence, ModelInfo
from storage.database import DatabaseAccess, in_parts
from storage.days import days_of
from storage.errors import StorageError
from storage.models import PairLogitsRecord

PAIR_SCORE_DAYS = Setting(
    "PROVENANCE_PAIR_SCORE_DAYS",
    "days that scores of pairs are kept for later audits of the same texts; 0 keeps none",
    "30",
)
_LOG = logging.getLogger(__name__)
_READ_AT_ONCE = 300
# Bytes of the digest of a pair's other text: two texts beside one claim do not share it by chance.
_DIGEST_BYTES = 8
# A claim of many answers, such as "Yes.", keeps only its latest pairs.
_MOST_PAIRS = 2_000
_RELEVANCE = "relevance"


class PairScoreStore(DatabaseAccess):
    """Logits by model, engine and both texts, in one database. No text is kept, only digests. A
    :class:`provenance_core.models.pair_memory.PairStore`: an error of the database is logged, and
    the models are asked instead. Cheap to create; safe to use from several threads."""

    def known(self, model: ModelInfo, pairs: Sequence[Pair]) -> Mapping[Pair, Logits]:
        """Look up the logits of pairs, shape (labels,) each; only those that are kept."""
        if not kept_days():
            return {}
        wanted = _by_asked(model, pairs)
        try:
            rows = self._read(model_digest(model), list(wanted))
        except StorageError as error:
            _LOG.warning("event=pair_scores_not_read error=%s", type(error).__name__)
            return {}
        found: dict[Pair, Logits] = {}
        for asked, packed in rows.items():
            kept = _unpacked(packed)
            found.update(
                {pair: kept[other] for other, pair in wanted[asked].items() if other in kept}
            )
        return found

    def keep(self, model: ModelInfo, scored: Mapping[Pair, Logits]) -> None:
        """Keep the logits of pairs, shape (labels,) each, and forget those that are too old."""
        days = kept_days()
        if not days or not scored:
            return
        try:
            self._write(model, scored, days)
        except StorageError as error:
            _LOG.warning("event=pair_scores_not_kept error=%s", type(error).__name__)

    def _read(self, model: bytes, asked: Sequence[bytes]) -> dict[bytes, bytes]:
        with self._reading("The kept scores cannot be read") as session:
            return _rows(session, model, asked)

    def _write(self, model: ModelInfo, scored: Mapping[Pair, Logits], days: int) -> None:
        wanted = _by_asked(model, list(scored))
        name = model_digest(model)
        today = datetime.now(UTC).date()
        with self._writing("The scores were not kept") as session:
            before = _rows(session, name, list(wanted))
            for asked, pairs in wanted.items():
                kept = _unpacked(before[asked]) if asked in before else {}
                kept.update({other: scored[pair] for other, pair in pairs.items()})
                last = dict(list(kept.items())[-_MOST_PAIRS:])
                session.merge(
                    PairLogitsRecord(
                        asked=asked, model=name, day=today.isoformat(), pairs=_packed(last)
                    )
                )
            oldest = (today - timedelta(days=days)).isoformat()
            session.execute(delete(PairLogitsRecord).where(PairLogitsRecord.day < oldest))

    def count(self) -> int:
        """Count the scores that are kept."""
        with self._reading("The kept scores cannot be counted") as session:
            rows = session.scalars(select(PairLogitsRecord.pairs).execution_options(yield_per=500))
            return sum(len(_unpacked(packed)) for packed in rows)

    def clear(self) -> None:
        """Forget every score."""
        with self._writing("The kept scores were not deleted") as session:
            session.execute(delete(PairLogitsRecord))


def kept_days(environment: Mapping[str, str] = os.environ) -> int:
    """Read for how many days scores are kept; 0 keeps none. Raises StorageError where the setting
    is no whole number."""
    return days_of(PAIR_SCORE_DAYS, environment)


def forget_pairs(session: Session, texts: Iterable[str]) -> None:
    """Delete the scores of what was asked about texts."""
    for part in in_parts({text_digest(text) for text in texts}, _READ_AT_ONCE):
        session.execute(delete(PairLogitsRecord).where(PairLogitsRecord.asked.in_(part)))


def asked_texts(evidence: Evidence) -> set[str]:
    """The claims, sentences, answer and queries that an audit asked its models about."""
    return {
        evidence.query,
        evidence.relevance_query,
        evidence.answer.strip(),
        *(claim.text for claim in evidence.claims),
        *claim_texts(evidence.answer, evidence.sentences),
    }


def _by_asked(model: ModelInfo, pairs: Sequence[Pair]) -> dict[bytes, dict[bytes, Pair]]:
    """Pairs by the digest of what is asked about the context (the query of relevance, else the
    hypothesis), then by that of the part of the context."""
    at = 0 if model.task == _RELEVANCE else 1
    found: dict[bytes, dict[bytes, Pair]] = defaultdict(dict)
    for pair in pairs:
        found[text_digest(pair[at])][text_digest(pair[1 - at])[:_DIGEST_BYTES]] = pair
    return found


def _rows(session: Session, model: bytes, asked: Sequence[bytes]) -> dict[bytes, bytes]:
    table = PairLogitsRecord
    found: dict[bytes, bytes] = {}
    for part in in_parts(asked, _READ_AT_ONCE):
        wanted = select(table.asked, table.pairs).where(table.asked.in_(part), table.model == model)
        found.update({bytes(row.asked): bytes(row.pairs) for row in session.execute(wanted)})
    return found


def _packed(kept: Mapping[bytes, Logits]) -> bytes:
    """Number of labels, bytes of a logit, then of each pair the digest and the logits."""
    values = np.stack(list(kept.values())).astype("<f8")
    short = values.astype("<f4")
    # Engines give single precision; sums of several outputs need double.
    exact = short if (short.astype("<f8") == values).all() else values
    head = bytes((values.shape[1], exact.dtype.itemsize))
    return head + b"".join(key + row.tobytes() for key, row in zip(kept, exact, strict=True))


def _unpacked(packed: bytes) -> dict[bytes, Logits]:
    labels, size = packed[0], packed[1]
    step = _DIGEST_BYTES + labels * size
    found = {}
    for start in range(2, len(packed), step):
        key = packed[start : start + _DIGEST_BYTES]
        row = np.frombuffer(packed, f"<f{size}", labels, start + _DIGEST_BYTES)
        found[key] = row.astype(np.float64)
    return found


def pair_memory() -> PairMemory:
    """A memory for one request that knows the pairs of earlier audits; none of them where the
    database cannot be read."""
    try:
        return PairMemory(PairScoreStore.open())
    except StorageError:
        # The audit itself needs no database; saving it says what is wrong.
        return PairMemory()
