"""Indexes for the orders of the review queue, and for sources with several answers."""

from alembic import op
from sqlalchemy import TextClause, text

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_INDEXES: dict[str, list[str | TextClause]] = {
    "ix_audits_answers": ["source_digest", "detector", "text_digest", "id"],
    "ix_audits_closest": [text("abs(score - threshold)"), text("id DESC")],
    "ix_audits_uncertain": [text("abs(score - 0.5)"), text("id DESC")],
}


def upgrade() -> None:
    for name, columns in _INDEXES.items():
        op.create_index(name, "audits", columns)


def downgrade() -> None:
    for name in _INDEXES:
        op.drop_index(name, "audits")
