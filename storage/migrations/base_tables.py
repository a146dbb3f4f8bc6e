"""The tables and indexes of the base migration, as they were made; later migrations change them."""

from __future__ import annotations

import sqlalchemy as sa

TABLES = sa.MetaData()

sa.Table(
    "answers",
    TABLES,
    sa.Column("source_digest", sa.String(32), primary_key=True),
    sa.Column("text_digest", sa.String(32), primary_key=True),
    sa.Column("audits", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
sa.Table(
    "audits",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("profile", sa.String(64), nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("verdict", sa.String(16), nullable=False),
    sa.Column("score", sa.Float(53), nullable=False),
    sa.Column("threshold", sa.Float(53), nullable=False),
    sa.Column("aggregation", sa.String(32), nullable=False),
    sa.Column("selection", sa.String(16), nullable=False),
    sa.Column("detector", sa.String(32), nullable=False, server_default="provenance"),
    sa.Column("digest", sa.String(64)),
    sa.Column("source_digest", sa.String(32)),
    sa.Column("text_digest", sa.String(32)),
    sa.Column("settings_digest", sa.String(32), nullable=False, server_default=""),
    sa.Column("unsupported_sentences", sa.Integer),
    sa.Column("checked_sentences", sa.Integer, nullable=False, server_default="0"),
    sa.Column("corrected_from", sa.ForeignKey("audits.id", ondelete="SET NULL")),
    sa.Column("document", sa.LargeBinary),
    sa.Index(
        "ix_audits_answers", "source_digest", "detector", "text_digest", "id", "verdict",
        "created_at", "unsupported_sentences", "score",
    ),
    sa.Index("ix_audits_closest", sa.text("abs(score - threshold)"), sa.text("id DESC")),
    sa.Index("ix_audits_corrected_from", "corrected_from"),
    sa.Index("ix_audits_created_at_id", "created_at", "id"),
    sa.Index("ix_audits_detector_created_at", "detector", "created_at", "id"),
    sa.Index("ix_audits_digest", "digest"),
    sa.Index("ix_audits_score", "score", "id", "threshold", "verdict", "created_at"),
    sa.Index(
        "ix_audits_source", "source_digest", "text_digest", "id", "verdict", "detector",
        "created_at", "unsupported_sentences", "score",
    ),
    sa.Index("ix_audits_uncertain", sa.text("abs(score - 0.5)"), sa.text("id DESC")),
    sa.Index("ix_audits_verdict_created_at", "verdict", "created_at", "id"),
)  # fmt: skip
sa.Table(
    "candidate_sources",
    TABLES,
    sa.Column("source_digest", sa.String(32), primary_key=True),
    sa.Column("detector", sa.String(32), primary_key=True),
    sa.Column("last", sa.Integer, nullable=False),
    sa.Column("several", sa.Boolean, nullable=False),
    sa.Index("ix_candidate_sources_several", "several", "last"),
    sqlite_with_rowid=False,
)
sa.Table(
    "fitted_profiles",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(64), nullable=False, unique=True),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("created_by", sa.String(80), nullable=False),
    sa.Column("fitted", sa.JSON, nullable=False),
    sa.Column("evidence", sa.JSON, nullable=False),
)
sa.Table(
    "last_numbers",
    TABLES,
    sa.Column("table_name", sa.String(64), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
)
sa.Table(
    "pair_logits",
    TABLES,
    sa.Column("asked", sa.LargeBinary(16), primary_key=True),
    sa.Column("model", sa.LargeBinary(16), primary_key=True),
    sa.Column("day", sa.String(10), nullable=False),
    sa.Column("pairs", sa.LargeBinary, nullable=False),
    sa.Index("ix_pair_logits_day", "day"),
)
sa.Table(
    "presets",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("created_by", sa.String(80), nullable=False),
    sa.Column("profile", sa.String(64), nullable=False),
    sa.Column("parameters", sa.JSON, nullable=False),
    sa.Column("evidence", sa.JSON, nullable=False),
    sa.Column("is_default", sa.Boolean, nullable=False),
)
sa.Table(
    "request_keys",
    TABLES,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("body", sa.String(64), nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("numbers", sa.JSON),
    sa.Index("ix_request_keys_created_at", "created_at"),
)
sa.Table(
    "runs",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("file_name", sa.Text, nullable=False),
    sa.Column("format", sa.String(40), nullable=False),
    sa.Column("mapping", sa.JSON, nullable=False),
    sa.Column("profile", sa.String(64), nullable=False),
    sa.Column("parameters", sa.JSON, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("started_at", sa.String(40)),
    sa.Column("finished_at", sa.String(40)),
    sa.Column("worker", sa.String(80)),
    sa.Column("heartbeat_at", sa.String(40)),
    sa.Column("message", sa.Text, nullable=False),
    sa.Index("ix_runs_status", "status"),
)
sa.Table(
    "context_items",
    TABLES,
    sa.Column("audit_id", sa.ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
sa.Table(
    "former_run_names",
    TABLES,
    sa.Column("run_id", sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Index("ix_former_run_names_name", "name"),
)
sa.Table(
    "reservations",
    TABLES,
    sa.Column("audit_id", sa.ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("reviewer", sa.String(80), primary_key=True),
    sa.Column("expires_at", sa.String(40), nullable=False),
    sa.Index("ix_reservations_expires_at", "expires_at"),
)
sa.Table(
    "reviews",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("audit_id", sa.ForeignKey("audits.id", ondelete="CASCADE"), nullable=False),
    sa.Column("reviewer", sa.String(80), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("latest", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("verdict", sa.String(16), nullable=False),
    sa.Column("finding_type", sa.String(40)),
    sa.Column("comment", sa.Text, nullable=False),
    sa.Column("blind", sa.Boolean, nullable=False),
    sa.Column("machine_score", sa.Float(53), nullable=False),
    sa.Column("machine_threshold", sa.Float(53), nullable=False),
    sa.Column("machine_verdict", sa.String(16), nullable=False),
    sa.Column("machine_labels", sa.JSON, nullable=False),
    sa.Column("source_digest", sa.String(32)),
    sa.Column("text_digest", sa.String(32)),
    sa.UniqueConstraint("audit_id", "reviewer", "version"),
    sa.Index(
        "ix_reviews_answer", "source_digest", "text_digest", "latest", "reviewer", "created_at",
        "id", "verdict", "audit_id",
    ),
    sa.Index("ix_reviews_latest", "latest", "audit_id", "verdict"),
    sa.Index("ix_reviews_reviewer", "reviewer"),
)  # fmt: skip
sa.Table(
    "run_rejects",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("run_id", sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("raw", sa.Text, nullable=False),
    sa.Index("ix_run_rejects_run_id", "run_id"),
)
sa.Table(
    "run_rows",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("run_id", sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("row_id", sa.Text, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("context", sa.JSON, nullable=False),
    sa.Column("label", sa.Integer),
    sa.Column("subset", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False),
    sa.Column("source_model", sa.Text, nullable=False),
    sa.Column("source_group", sa.Text, nullable=False),
    sa.Column("spans", sa.JSON),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("audit_id", sa.ForeignKey("audits.id", ondelete="SET NULL")),
    sa.Index("ix_run_rows_audit_id", "audit_id"),
    sa.Index(
        "ix_run_rows_filters", "run_id", "audit_id", "label", "task", "subset", "source_model", "id"
    ),
    sa.Index("ix_run_rows_run_line", "run_id", "line"),
    sa.Index("ix_run_rows_run_status", "run_id", "status", "id"),
)
sa.Table(
    "supports",
    TABLES,
    sa.Column("audit_id", sa.ForeignKey("audits.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("context", sa.String(64), nullable=False),
    sa.Column("by_sources", sa.Boolean, nullable=False),
    sa.Column("probabilities", sa.LargeBinary, nullable=False),
    sa.Column("factuality", sa.LargeBinary, nullable=False),
)
sa.Table(
    "review_chunks",
    TABLES,
    sa.Column("review_id", sa.ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("mark", sa.String(16), nullable=False),
)
sa.Table(
    "review_sentences",
    TABLES,
    sa.Column("review_id", sa.ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("verdict", sa.String(16), nullable=False),
    sa.Column("finding_type", sa.String(40)),
)
sa.Table(
    "review_spans",
    TABLES,
    sa.Column("review_id", sa.ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("start_offset", sa.Integer, primary_key=True),
    sa.Column("end_offset", sa.Integer, primary_key=True),
    sa.Column("finding_type", sa.String(40), primary_key=True),
)
