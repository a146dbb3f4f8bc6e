"""Two indexes have what lists are filtered by: answers are counted, and audits of some scores are
listed by their dates, without a look at the audits."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_BEFORE = {
    "ix_audits_source": ["source_digest", "text_digest", "id"],
    "ix_audits_score": ["score", "id", "threshold", "verdict"],
}
_MORE = {
    "ix_audits_source": ["verdict", "detector", "created_at", "unsupported_sentences", "score"],
    "ix_audits_score": ["created_at"],
}


def upgrade() -> None:
    for name, columns in _BEFORE.items():
        op.drop_index(name, "audits")
        op.create_index(name, "audits", [*columns, *_MORE[name]])


def downgrade() -> None:
    for name, columns in _BEFORE.items():
        op.drop_index(name, "audits")
        op.create_index(name, "audits", columns)
