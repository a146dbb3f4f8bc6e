"""Keys of requests of programs, so that a retry returns what the first try kept."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "request_keys",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("body", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.String(length=40), nullable=False),
        sa.Column("numbers", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_request_keys_created_at", "request_keys", ["created_at"])


def downgrade() -> None:
    op.drop_table("request_keys")
