"""Scores of pairs that later audits need not ask the models for again."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pair_logits",
        sa.Column("asked", sa.LargeBinary(length=16), nullable=False),
        sa.Column("model", sa.LargeBinary(length=16), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("pairs", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("asked", "model"),
    )
    op.create_index("ix_pair_logits_day", "pair_logits", ["day"])


def downgrade() -> None:
    op.drop_table("pair_logits")
