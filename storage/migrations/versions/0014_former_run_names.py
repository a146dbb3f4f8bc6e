"""Names that runs had before they were renamed, which exported files have."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "former_run_names",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "name"),
    )
    op.create_index("ix_former_run_names_name", "former_run_names", ["name"])


def downgrade() -> None:
    op.drop_table("former_run_names")
