"""What a reviewer has open is a reservation; a claim is a statement of an answer alone."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_OLD, _NEW = "review_claims", "reservations"


def _rename(old: str, new: str) -> None:
    """A new table with the rows of the old one: to rename it would leave PostgreSQL's names of
    its constraints as they were."""
    table = op.create_table(
        new,
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("expires_at", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("audit_id", "reviewer"),
    )
    columns = [column.name for column in table.columns]
    before = sa.table(old, *map(sa.column, columns))
    op.execute(sa.insert(table).from_select(columns, sa.select(before)))
    op.drop_index(f"ix_{old}_expires_at", old)
    op.drop_table(old)
    op.create_index(f"ix_{new}_expires_at", new, ["expires_at"])


def upgrade() -> None:
    _rename(_OLD, _NEW)


def downgrade() -> None:
    _rename(_NEW, _OLD)
