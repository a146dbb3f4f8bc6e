"""Audits"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=40), nullable=False),
        sa.Column("profile", sa.String(length=64), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("score", sa.Float(precision=53), nullable=False),
        sa.Column("threshold", sa.Float(precision=53), nullable=False),
        sa.Column("aggregation", sa.String(length=32), nullable=False),
        sa.Column("selection", sa.String(length=16), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("relevance_query", sa.Text(), nullable=False),
        sa.Column("relevance_model", sa.JSON(), nullable=False),
        sa.Column("nli_model", sa.JSON(), nullable=False),
        sa.Column("notices", sa.JSON(), nullable=False),
        sa.Column("tokens", sa.JSON(), nullable=False),
        sa.Column("timings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("audits", schema=None) as batch_op:
        batch_op.create_index("ix_audits_created_at_id", ["created_at", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_audits_verdict"), ["verdict"], unique=False)

    op.create_table(
        "chunks",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("relevance", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "position"),
    )
    op.create_table(
        "claims",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "position"),
    )
    op.create_table(
        "context_items",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "position"),
    )
    op.create_table(
        "evidence_sentences",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("sentence", sa.Integer(), nullable=False),
        sa.Column("chunk", sa.Integer(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("entailment", sa.Float(precision=53), nullable=False),
        sa.Column("neutral", sa.Float(precision=53), nullable=False),
        sa.Column("contradiction", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "position"),
    )
    op.create_table(
        "missing_details",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "position"),
    )
    op.create_table(
        "pair_scores",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("row_position", sa.Integer(), nullable=False),
        sa.Column("chunk", sa.Integer(), nullable=False),
        sa.Column("entailment", sa.Float(precision=53), nullable=False),
        sa.Column("neutral", sa.Float(precision=53), nullable=False),
        sa.Column("contradiction", sa.Float(precision=53), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "kind", "row_position", "chunk"),
    )
    op.create_table(
        "sentences",
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "position"),
    )


def downgrade() -> None:
    op.drop_table("sentences")
    op.drop_table("pair_scores")
    op.drop_table("missing_details")
    op.drop_table("evidence_sentences")
    op.drop_table("context_items")
    op.drop_table("claims")
    op.drop_table("chunks")
    with op.batch_alter_table("audits", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audits_verdict"))
        batch_op.drop_index("ix_audits_created_at_id")

    op.drop_table("audits")
