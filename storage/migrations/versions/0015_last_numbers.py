"""The highest numbers that were deleted, so that SQLite gives none of them again.

A later migration that makes audits, runs or presets anew on SQLite loses the triggers: it has to
make them again."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_TABLES = ("audits", "runs", "presets")


def upgrade() -> None:
    op.create_table(
        "last_numbers",
        sa.Column("table_name", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("table_name"),
    )
    if op.get_bind().dialect.name != "sqlite":
        return  # Its sequences never give a number again.
    for table in _TABLES:
        op.execute(
            f"CREATE TRIGGER last_number_{table} AFTER DELETE ON {table} BEGIN "
            f"INSERT INTO last_numbers (table_name, number) VALUES ('{table}', old.id) "
            "ON CONFLICT (table_name) DO UPDATE SET number = max(number, excluded.number); END"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in _TABLES:
            op.execute(f"DROP TRIGGER last_number_{table}")
    op.drop_table("last_numbers")
