"""What became of a run's file, and what the tool that wrote the file said of each answer itself."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # In SQL of both databases: Alembic would make the table of SQLite anew, without its triggers.
    op.execute("ALTER TABLE runs ADD COLUMN file_summary JSON")
    op.execute("ALTER TABLE run_rows ADD COLUMN passed INTEGER")
