"""Batch runs"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("audits", schema=None) as batch_op:
        # Older audits have none, so no rows share them. Nothing else depends on it.
        batch_op.add_column(sa.Column("digest", sa.String(length=64), nullable=True))
        batch_op.create_index(batch_op.f("ix_audits_digest"), ["digest"], unique=False)

    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.String(length=40), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("format", sa.String(length=40), nullable=False),
        sa.Column("mapping", sa.JSON(), nullable=False),
        sa.Column("profile", sa.String(length=64), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.String(length=40), nullable=True),
        sa.Column("finished_at", sa.String(length=40), nullable=True),
        sa.Column("worker", sa.String(length=80), nullable=True),
        sa.Column("heartbeat_at", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_runs_status"), ["status"], unique=False)

    op.create_table(
        "run_rows",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("row_id", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("context", sa.JSON(), nullable=False),
        sa.Column("label", sa.Integer(), nullable=True),
        sa.Column("subset", sa.Text(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("source_model", sa.Text(), nullable=False),
        sa.Column("source_group", sa.Text(), nullable=False),
        sa.Column("spans", sa.JSON(), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("audit_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("run_rows", schema=None) as batch_op:
        batch_op.create_index("ix_run_rows_run_status", ["run_id", "status", "id"], unique=False)
        batch_op.create_index("ix_run_rows_run_line", ["run_id", "line"], unique=False)
        batch_op.create_index(batch_op.f("ix_run_rows_audit_id"), ["audit_id"], unique=False)

    op.create_table(
        "run_rejects",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("run_rejects", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_rejects_run_id"), ["run_id"], unique=False)


def downgrade() -> None:
    op.drop_table("run_rejects")
    op.drop_table("run_rows")
    op.drop_table("runs")
    op.drop_index("ix_audits_digest", "audits")
    # Not in a batch, which makes the table anew: dropping the old one would drop all it owns.
    op.drop_column("audits", "digest")
