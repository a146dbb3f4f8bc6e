"""The base: every table, index and trigger. Databases of 0001 to 0017 are converted to it
(storage/migrations/earlier.py)."""

from alembic import op

from storage.migrations.base_tables import TABLES
from storage.migrations.triggers import create_triggers

revision = "0018"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    TABLES.create_all(op.get_bind())
    create_triggers(op.get_bind())
