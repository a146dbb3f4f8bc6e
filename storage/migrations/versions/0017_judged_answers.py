"""The answer that a judgement speaks of, beside the audit in which it was given: the other audits
of the answer find it by an index. A copy of the audit's digests, which never change. Judgements of
older audits, without digests, speak of their own audit alone."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_DIGESTS = ("source_digest", "text_digest")
_INDEX = "ix_reviews_answer"


def upgrade() -> None:
    for name in _DIGESTS:
        op.add_column("reviews", sa.Column(name, sa.String(length=32), nullable=True))
    of_audit = ", ".join(
        f"{name} = (SELECT audits.{name} FROM audits WHERE audits.id = reviews.audit_id)"
        for name in _DIGESTS
    )
    op.execute(f"UPDATE reviews SET {of_audit}")
    op.create_index(
        _INDEX,
        "reviews",
        [*_DIGESTS, "latest", "reviewer", "created_at", "id", "verdict", "audit_id"],
    )


def downgrade() -> None:
    op.drop_index(_INDEX, "reviews")
    for name in _DIGESTS:
        op.drop_column("reviews", name)
