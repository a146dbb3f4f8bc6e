"""An index of what stands in the texts of audits: three characters at a time.

A later migration that makes audits or context_items anew on SQLite loses the triggers: it has to
make them again."""

import logging

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_LOG = logging.getLogger(__name__)

# Letters that are two in lower case, which FTS5 does not know.
_TWO_LETTERS = {
    "ß": "ss", "ẞ": "ss", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st",
    "ﬆ": "st",
}  # fmt: skip


def _as_read(text: str) -> str:
    """What is indexed of the text that an SQL expression gives. FTS5 stops at a NUL: three
    characters that no text has say so."""
    found = text
    for letter, two in _TWO_LETTERS.items():
        found = f"replace({found}, '{letter}', '{two}')"
    return f"iif(instr({text}, char(0)) > 0, char(1, 2, 3), '') || {found}"


# A row of the index is of query and answer of an audit, (audit << 20), or of a context item,
# (audit << 20) + 1 + its position. Implicit rowids do not survive VACUUM. Of each table: the number
# of a row's piece, its text, and the columns of both.
_TABLES = {
    "audits": ("{row}.id << 20", "({row}.query || char(10) || {row}.answer)", "id, query, answer"),
    "context_items": (
        "({row}.audit_id << 20) + 1 + {row}.position",
        "{row}.text",
        "audit_id, position, text",
    ),
}
_POSTGRESQL = {
    "ix_audits_query_text": "audits USING gin (query gin_trgm_ops)",
    "ix_audits_answer_text": "audits USING gin (answer gin_trgm_ops)",
    "ix_context_items_text": "context_items USING gin (text gin_trgm_ops)",
}


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _upgrade_sqlite()
    else:
        _upgrade_postgresql()


def _upgrade_sqlite() -> None:
    pieces = " UNION ALL ".join(
        f"SELECT {piece.format(row=table)} AS piece, {_as_read(text.format(row=table))} AS text "
        f"FROM {table}"
        for table, (piece, text, _) in _TABLES.items()
    )
    op.execute(f"CREATE VIEW text_pieces AS {pieces}")
    # Holds no text of its own: of each three characters, only which pieces have them.
    op.execute(
        "CREATE VIRTUAL TABLE text_index USING fts5(text, content = 'text_pieces', "
        "content_rowid = 'piece', tokenize = 'trigram', detail = none, columnsize = 0)"
    )
    op.execute("INSERT INTO text_index (text_index) VALUES ('rebuild')")
    for table, (piece, text, columns) in _TABLES.items():
        new, old = (
            f"{piece.format(row=row)}, {_as_read(text.format(row=row))}" for row in ("new", "old")
        )
        put = f"INSERT INTO text_index (rowid, text) VALUES ({new});"
        take = f"INSERT INTO text_index (text_index, rowid, text) VALUES ('delete', {old});"
        op.execute(f"CREATE TRIGGER {table}_put AFTER INSERT ON {table} BEGIN {put} END")
        op.execute(f"CREATE TRIGGER {table}_take AFTER DELETE ON {table} BEGIN {take} END")
        op.execute(
            f"CREATE TRIGGER {table}_exchange AFTER UPDATE OF {columns} ON {table} "
            f"BEGIN {take} {put} END"
        )


def _upgrade_postgresql() -> None:
    bind = op.get_bind()
    known = bind.scalar(
        sa.text("SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_trgm'")
    )
    try:
        if not known:
            raise LookupError("the server does not have it")
        with bind.begin_nested():
            bind.execute(sa.text("CREATE EXTENSION IF NOT EXISTS pg_trgm"))
    except (LookupError, sa.exc.DBAPIError) as error:
        _LOG.warning(
            "event=search_without_index reason=%s cure=%s",
            str(error).splitlines()[0],
            "have an administrator install the extension pg_trgm and create the indexes",
        )
        return
    for name, of in _POSTGRESQL.items():
        op.execute(f"CREATE INDEX {name} ON {of}")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in _TABLES:
            for what in ("put", "take", "exchange"):
                op.execute(f"DROP TRIGGER {table}_{what}")
        op.execute("DROP TABLE text_index")
        op.execute("DROP VIEW text_pieces")
    else:
        for name in _POSTGRESQL:
            op.execute(f"DROP INDEX IF EXISTS {name}")
