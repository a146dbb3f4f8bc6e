"""Tables. An audit owns its rows: deleting it deletes them (foreign keys, on delete cascade)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from provenance_core.types import FORMER_DETECTORS, current_detector

_FORMER_NAME = {now: before for before, now in FORMER_DETECTORS.items()}


class DetectorName(TypeDecorator[str]):
    """The name of a detector. A renamed one keeps its former name in the column, so that a filter
    and a group find its audits of before and of today."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else _FORMER_NAME.get(value, value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else current_detector(value)


class Base(DeclarativeBase):
    """Declarative base of all tables."""


class AuditRecord(Base):
    """One audit: its document, and what lists, filters and thresholds ask of many."""

    __tablename__ = "audits"
    __table_args__ = (
        Index("ix_audits_created_at_id", "created_at", "id"),
        # Audits of one answer, with what lists are filtered by: answers are counted by it alone.
        Index(
            "ix_audits_source", "source_digest", "text_digest", "id", "verdict", "detector",
            "created_at", "unsupported_sentences", "score",
        ),
        Index("ix_audits_verdict_created_at", "verdict", "created_at", "id"),
        Index("ix_audits_score", "score", "id", "threshold", "verdict", "created_at"),
        Index("ix_audits_detector_created_at", "detector", "created_at", "id"),
        # Sources with several answers by one detector, with what lists are filtered by.
        Index(
            "ix_audits_answers", "source_digest", "detector", "text_digest", "id", "verdict",
            "created_at", "unsupported_sentences", "score",
        ),
        # Orders of the queue: nearest to the threshold, and to even odds.
        Index("ix_audits_closest", text("abs(score - threshold)"), text("id DESC")),
        Index("ix_audits_uncertain", text("abs(score - 0.5)"), text("id DESC")),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    created_at: Mapped[str] = mapped_column(String(40))  # ISO 8601, UTC: sorts as text
    profile: Mapped[str] = mapped_column(String(64))
    query: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    verdict: Mapped[str] = mapped_column(String(16))
    score: Mapped[float] = mapped_column(Float(53))
    threshold: Mapped[float] = mapped_column(Float(53))
    aggregation: Mapped[str] = mapped_column(String(32))
    selection: Mapped[str] = mapped_column(String(16))
    detector: Mapped[str] = mapped_column(DetectorName, server_default="provenance")
    # Of what was measured and with which models: rows of the same text share their scores.
    digest: Mapped[str | None] = mapped_column(String(64), index=True)
    # Of query and context, and of query and answer: answers to one source, and the same answer.
    source_digest: Mapped[str | None] = mapped_column(String(32))
    text_digest: Mapped[str | None] = mapped_column(String(32))
    # Of models and parameters: audits that were made alike share it.
    settings_digest: Mapped[str] = mapped_column(String(32), server_default="")
    # Sentences traced as not supported; None in older audits.
    unsupported_sentences: Mapped[int | None] = mapped_column(Integer)
    # Sentences that state something to check.
    checked_sentences: Mapped[int] = mapped_column(Integer, server_default="0")
    # The audit whose answer this one's is a correction of.
    corrected_from: Mapped[int | None] = mapped_column(
        ForeignKey("audits.id", ondelete="SET NULL"), index=True
    )
    # All that was measured (storage.documents). Last in the row, so that no query passes over it.
    # None of a damaged audit that an upgrade could not convert.
    document: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)


class AnswerRecord(Base):
    """An answer to a query and context, and how many ``audits`` are of it, 1 or more. Triggers keep
    it (:mod:`storage.migrations.triggers`): answers are counted by it."""

    __tablename__ = "answers"
    __table_args__ = ({"sqlite_with_rowid": False},)

    source_digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    text_digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    audits: Mapped[int] = mapped_column(Integer)


class CandidateSourceRecord(Base):
    """A query and context whose answers a detector scored. ``last``: the number of the last of
    these audits. ``several``: whether they are of different answers. Triggers keep it
    (:mod:`storage.migrations.triggers`)."""

    __tablename__ = "candidate_sources"
    __table_args__ = (
        Index("ix_candidate_sources_several", "several", "last"),
        {"sqlite_with_rowid": False},
    )

    source_digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    detector: Mapped[str] = mapped_column(DetectorName, primary_key=True)
    last: Mapped[int] = mapped_column(Integer)
    several: Mapped[bool] = mapped_column(Boolean)


def _audit_key() -> Mapped[int]:
    return mapped_column(ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True)


class ContextItemRecord(Base):
    """The text of a context item, for the search: the document, which is compressed, has it too."""

    __tablename__ = "context_items"

    audit_id: Mapped[int] = _audit_key()
    index: Mapped[int] = mapped_column("position", Integer, primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class SupportRecord(Base):
    """What the scores of many audits are made from at once
    (:class:`storage.stored_scores.MeasuredAudit`): Thresholds and Compare read it of thousands, too
    many documents to open. Made again from the document where it is missing. ``probabilities``,
    ``factuality``: little-endian float64; the sign bit of a factuality marks a chunk that is a
    source of the claim whatever is selected. ``by_sources``: whether selection and aggregation make
    the score."""

    __tablename__ = "supports"

    audit_id: Mapped[int] = _audit_key()
    context: Mapped[str] = mapped_column(String(64))
    by_sources: Mapped[bool] = mapped_column(Boolean)
    probabilities: Mapped[bytes] = mapped_column(LargeBinary)
    factuality: Mapped[bytes] = mapped_column(LargeBinary)


class RunRecord(Base):
    """A batch run: the file it came from, how it was read, and how far it is."""

    __tablename__ = "runs"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    created_at: Mapped[str] = mapped_column(String(40))
    file_name: Mapped[str] = mapped_column(Text)
    format: Mapped[str] = mapped_column(String(40))
    mapping: Mapped[dict[str, Any]] = mapped_column(JSON)
    profile: Mapped[str] = mapped_column(String(64))
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    status: Mapped[str] = mapped_column(String(16), index=True)
    total: Mapped[int] = mapped_column(Integer)
    started_at: Mapped[str | None] = mapped_column(String(40))
    finished_at: Mapped[str | None] = mapped_column(String(40))
    # Who works on it, and when it last said so: a worker that is silent is taken for dead.
    worker: Mapped[str | None] = mapped_column(String(80))
    heartbeat_at: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str] = mapped_column(Text)
    # The run whose rows this one has under another threshold.
    verdicts_of: Mapped[int | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"))
    # Long where many rows were refused, and in no list.
    file_summary: Mapped[dict[str, Any] | None] = mapped_column(
        JSON(none_as_null=True), deferred=True
    )


class FormerRunNameRecord(Base):
    """A name that a run had before: files that were exported under it still find their run."""

    __tablename__ = "former_run_names"

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(200), primary_key=True, index=True)


class RunRowRecord(Base):
    """A row of a run, with the truth about it where the file has one, and its audit when done."""

    __tablename__ = "run_rows"
    __table_args__ = (
        Index("ix_run_rows_run_status", "run_id", "status", "id"),
        Index("ix_run_rows_run_line", "run_id", "line"),
        # What lists are filtered by: read without the rows, which hold whole contexts.
        Index(
            "ix_run_rows_filters", "run_id", "audit_id", "label", "task", "subset", "source_model",
            "id",
        ),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    line: Mapped[int] = mapped_column(Integer)
    row_id: Mapped[str] = mapped_column(Text)
    query: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    context: Mapped[list[Any]] = mapped_column(JSON)
    label: Mapped[int | None] = mapped_column(Integer)
    subset: Mapped[str] = mapped_column(Text)
    task: Mapped[str] = mapped_column(Text)
    source_model: Mapped[str] = mapped_column(Text)
    group: Mapped[str] = mapped_column("source_group", Text)
    spans: Mapped[list[Any] | None] = mapped_column(JSON)
    passed: Mapped[int | None] = mapped_column(Integer)
    status: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    audit_id: Mapped[int | None] = mapped_column(
        ForeignKey("audits.id", ondelete="SET NULL"), index=True
    )


class RunRejectRecord(Base):
    """A row of the file that could not be used, with its place, the reason and its text."""

    __tablename__ = "run_rejects"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), index=True)
    line: Mapped[int] = mapped_column(Integer)
    reason: Mapped[str] = mapped_column(Text)
    raw: Mapped[str] = mapped_column(Text)


class ReviewRecord(Base):
    """One version of what a reviewer says of an audit, and what the machine had said."""

    __tablename__ = "reviews"
    __table_args__ = (
        UniqueConstraint("audit_id", "reviewer", "version"),
        Index("ix_reviews_latest", "latest", "audit_id", "verdict"),
        # What was said of an answer in any audit of it.
        Index(
            "ix_reviews_answer", "source_digest", "text_digest", "latest", "reviewer", "created_at",
            "id", "verdict", "audit_id",
        ),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    audit_id: Mapped[int] = mapped_column(ForeignKey("audits.id", ondelete="CASCADE"))
    reviewer: Mapped[str] = mapped_column(String(80), index=True)
    version: Mapped[int] = mapped_column(Integer)
    # Whether no later version of the same reviewer is there, so that a list needs no grouping.
    latest: Mapped[bool] = mapped_column(Boolean)
    created_at: Mapped[str] = mapped_column(String(40))
    verdict: Mapped[str] = mapped_column(String(16))
    type: Mapped[str | None] = mapped_column("finding_type", String(40))
    comment: Mapped[str] = mapped_column(Text)
    blind: Mapped[bool] = mapped_column(Boolean)
    machine_score: Mapped[float] = mapped_column(Float(53))
    machine_threshold: Mapped[float] = mapped_column(Float(53))
    machine_verdict: Mapped[str] = mapped_column(String(16))
    # The label that the machine gives each sentence of the answer, in its order.
    machine_labels: Mapped[list[str]] = mapped_column(JSON, default=list)
    # Of the audit, which never changes: the judgement speaks of every audit of its answer.
    source_digest: Mapped[str | None] = mapped_column(String(32))
    text_digest: Mapped[str | None] = mapped_column(String(32))


def _review_key() -> Mapped[int]:
    return mapped_column(ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True)


class ReviewSentenceRecord(Base):
    """A sentence of the answer as judged."""

    __tablename__ = "review_sentences"

    review_id: Mapped[int] = _review_key()
    index: Mapped[int] = mapped_column("position", Integer, primary_key=True)
    verdict: Mapped[str] = mapped_column(String(16))
    type: Mapped[str | None] = mapped_column("finding_type", String(40))


class ReviewChunkRecord(Base):
    """A chunk as judged."""

    __tablename__ = "review_chunks"

    review_id: Mapped[int] = _review_key()
    index: Mapped[int] = mapped_column("position", Integer, primary_key=True)
    mark: Mapped[str] = mapped_column(String(16))


class ReviewSpanRecord(Base):
    """A span of the answer as marked."""

    __tablename__ = "review_spans"

    review_id: Mapped[int] = _review_key()
    start: Mapped[int] = mapped_column("start_offset", Integer, primary_key=True)
    end: Mapped[int] = mapped_column("end_offset", Integer, primary_key=True)
    type: Mapped[str] = mapped_column("finding_type", String(40), primary_key=True)


class GoldLabelRecord(Base):
    """One version of the verdict that settles what reviewers say of an answer, beside what each of
    them said. Of an answer one is the ``latest``, in whichever audit it was given."""

    __tablename__ = "gold_labels"
    __table_args__ = (
        Index("ix_gold_labels_answer", "source_digest", "text_digest", "latest", "verdict"),
        Index("ix_gold_labels_audit", "audit_id", "latest", "verdict"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    audit_id: Mapped[int] = mapped_column(ForeignKey("audits.id", ondelete="CASCADE"))
    latest: Mapped[bool] = mapped_column(Boolean)
    created_at: Mapped[str] = mapped_column(String(40))
    decided_by: Mapped[str] = mapped_column(String(80))
    verdict: Mapped[str] = mapped_column(String(16))
    comment: Mapped[str] = mapped_column(Text)
    # What each reviewer had said by then: reviewer and verdict.
    settled: Mapped[list[dict[str, str]]] = mapped_column(JSON, default=list)
    source_digest: Mapped[str | None] = mapped_column(String(32))
    text_digest: Mapped[str | None] = mapped_column(String(32))


class SeenAuditRecord(Base):
    """A person has seen the machine's view of an audit. ``reviewer``: the folded name."""

    __tablename__ = "seen_audits"

    audit_id: Mapped[int] = _audit_key()
    reviewer: Mapped[str] = mapped_column(String(80), primary_key=True)


class OwnLabelRecord(Base):
    """A label of the team's own set. Judgements keep the names that they were given, also of a
    label that is no longer in the set."""

    __tablename__ = "own_labels"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    key: Mapped[str] = mapped_column(String(1), unique=True)


class ReviewLabelRecord(Base):
    """A label of the team's own set as given to an answer."""

    __tablename__ = "review_labels"

    review_id: Mapped[int] = _review_key()
    name: Mapped[str] = mapped_column(String(40), primary_key=True)


class TypedCorrectionRecord(Base):
    """An audit of an answer that a person typed as a correction of another audit's."""

    __tablename__ = "typed_corrections"

    audit_id: Mapped[int] = _audit_key()
    reviewer: Mapped[str] = mapped_column(String(80))


class ReviewShareRecord(Base):
    """An audit of a run that a reviewer is to judge."""

    __tablename__ = "review_shares"
    __table_args__ = (Index("ix_review_shares_audit", "audit_id", "reviewer", "run_id"),)

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    reviewer: Mapped[str] = mapped_column(String(80), primary_key=True)
    audit_id: Mapped[int] = _audit_key()


class ReservationRecord(Base):
    """A reviewer has an audit open until ``expires_at``, so that no one else is given it."""

    __tablename__ = "reservations"

    audit_id: Mapped[int] = _audit_key()
    reviewer: Mapped[str] = mapped_column(String(80), primary_key=True)
    expires_at: Mapped[str] = mapped_column(String(40), index=True)


class PairLogitsRecord(Base):
    """What a model said of pairs with one text in common, for later audits
    (:mod:`storage.pair_scores`). ``asked``: digest of the claim, or of the query of relevance.
    ``model``: digest of weights and engine. ``day``: ISO 8601, UTC, of the last pair."""

    __tablename__ = "pair_logits"

    asked: Mapped[bytes] = mapped_column(LargeBinary(16), primary_key=True)
    model: Mapped[bytes] = mapped_column(LargeBinary(16), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), index=True)
    pairs: Mapped[bytes] = mapped_column(LargeBinary)


class FittedProfileRecord(Base):
    """A support map and a threshold fitted to labels, with the labels and the figures of the fit.
    It is not changed once it is there, and no audit depends on it: an audit holds its map."""

    __tablename__ = "fitted_profiles"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)  # of the profile, of its contents
    created_at: Mapped[str] = mapped_column(String(40))
    created_by: Mapped[str] = mapped_column(String(80))
    fitted: Mapped[dict[str, Any]] = mapped_column(JSON)  # title, base, map, threshold
    evidence: Mapped[dict[str, Any]] = mapped_column(JSON)  # which labels, every figure


class PresetRecord(Base):
    """A threshold chosen from labelled audits, with the evidence it came from."""

    __tablename__ = "presets"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    created_at: Mapped[str] = mapped_column(String(40))
    created_by: Mapped[str] = mapped_column(String(80))
    profile: Mapped[str] = mapped_column(String(64))  # whose models the scores are of
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)  # the threshold among them
    evidence: Mapped[dict[str, Any]] = mapped_column(JSON)  # filter, n, base rate, figures
    is_default: Mapped[bool] = mapped_column(Boolean)


class LastNumberRecord(Base):
    """The highest number that SQLite has deleted from a table, by a trigger, so that no new row is
    given it again (:mod:`storage.numbers`). PostgreSQL needs none: its sequences only grow."""

    __tablename__ = "last_numbers"

    name: Mapped[str] = mapped_column("table_name", String(64), primary_key=True)
    number: Mapped[int] = mapped_column(Integer)


class RequestKeyRecord(Base):
    """A request of a program that may be sent again (:mod:`storage.request_keys`). ``key``: digest
    of who asked for what under which key. ``body``: digest of what was asked. ``numbers``: of the
    audits, or the run, that it made; none while it is worked on."""

    __tablename__ = "request_keys"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    body: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[str] = mapped_column(String(40), index=True)
    # SQL's own NULL, which "is not done yet" is asked by.
    numbers: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
