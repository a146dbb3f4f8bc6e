"""The detector of each audit, its own measurements, and the audit that a correction is of."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Audits that are older than the other detectors are by the paper's method.
    op.add_column(
        "audits",
        sa.Column("detector", sa.String(length=32), nullable=False, server_default="provenance"),
    )
    op.add_column("audits", sa.Column("detector_evidence", sa.JSON(), nullable=True))
    op.create_index("ix_audits_detector_created_at", "audits", ["detector", "created_at", "id"])
    # In the statement that adds the column, because SQLite takes a constraint nowhere else.
    original = sa.ForeignKey("audits.id", ondelete="SET NULL")
    op.add_column(
        "audits",
        sa.Column("corrected_from", sa.Integer(), original, nullable=True),
        inline_references=True,
    )
    op.create_index("ix_audits_corrected_from", "audits", ["corrected_from"])


def downgrade() -> None:
    op.drop_index("ix_audits_corrected_from", "audits")
    op.drop_index("ix_audits_detector_created_at", "audits")
    # Not in a batch, which makes the table anew: dropping the old one would drop all it owns.
    op.drop_column("audits", "corrected_from")
    op.drop_column("audits", "detector_evidence")
    op.drop_column("audits", "detector")
