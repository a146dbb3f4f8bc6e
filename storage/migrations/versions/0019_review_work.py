"""What a team of reviewers needs: gold labels, who has seen which audit, shares of runs, labels of
its own, who typed a correction, and runs under another threshold."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def _audit(**more: Any) -> sa.Column[int]:
    audits = sa.ForeignKey("audits.id", ondelete="CASCADE")
    return sa.Column("audit_id", sa.Integer, audits, **more)


def upgrade() -> None:
    op.create_table(
        "gold_labels",
        sa.Column("id", sa.Integer, primary_key=True),
        _audit(nullable=False),
        sa.Column("latest", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("decided_by", sa.String(80), nullable=False),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("settled", sa.JSON, nullable=False),
        sa.Column("source_digest", sa.String(32)),
        sa.Column("text_digest", sa.String(32)),
    )
    op.create_index(
        "ix_gold_labels_answer",
        "gold_labels",
        ["source_digest", "text_digest", "latest", "verdict"],
    )
    op.create_index("ix_gold_labels_audit", "gold_labels", ["audit_id", "latest", "verdict"])
    op.create_table(
        "seen_audits",
        _audit(primary_key=True),
        sa.Column("reviewer", sa.String(80), primary_key=True),
    )
    op.create_table(
        "review_shares",
        sa.Column(
            "run_id", sa.Integer, sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("reviewer", sa.String(80), primary_key=True),
        _audit(primary_key=True),
    )
    op.create_index("ix_review_shares_audit", "review_shares", ["audit_id", "reviewer", "run_id"])
    op.create_table(
        "own_labels",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("key", sa.String(1), nullable=False, unique=True),
    )
    op.create_table(
        "review_labels",
        sa.Column(
            "review_id",
            sa.Integer,
            sa.ForeignKey("reviews.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("name", sa.String(40), primary_key=True),
    )
    op.create_table(
        "typed_corrections",
        _audit(primary_key=True),
        sa.Column("reviewer", sa.String(80), nullable=False),
    )
    # In SQL of both databases: Alembic would make the table of SQLite anew, without its triggers.
    op.execute(
        "ALTER TABLE runs ADD COLUMN verdicts_of INTEGER REFERENCES runs (id) ON DELETE SET NULL"
    )
