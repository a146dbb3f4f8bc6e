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


# One row of the index for each audit, under its number: neighbours are a byte apart.
_TEXTS = (
    "(audits.query || char(10) || audits.answer || char(10) || coalesce((SELECT "
    "group_concat(context_items.text, char(10)) FROM context_items WHERE context_items.audit_id = "
    "audits.id), ''))"
)
_PUT = "INSERT INTO text_index (rowid, text) SELECT audit, text FROM audit_texts WHERE audit = {};"
_TAKE = (
    "INSERT INTO text_index (text_index, rowid, text) SELECT 'delete', audit, text "
    "FROM audit_texts WHERE audit = {};"
)
# The storage puts a new audit in, once its context is there. What leaves or is exchanged does so by
# itself: before and after, with the number of its audit.
_TRIGGERS = {
    "text_index_delete": "BEFORE DELETE ON audits BEGIN " + _TAKE.format("old.id"),
    "text_index_audit_before": "BEFORE UPDATE OF id, query, answer ON audits BEGIN "
    + _TAKE.format("old.id"),
    "text_index_audit_after": "AFTER UPDATE OF id, query, answer ON audits BEGIN "
    + _PUT.format("new.id"),
    "text_index_item_before": "BEFORE UPDATE OF text ON context_items BEGIN "
    + _TAKE.format("old.audit_id"),
    "text_index_item_after": "AFTER UPDATE OF text ON context_items BEGIN "
    + _PUT.format("new.audit_id"),
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
    op.execute(
        f"CREATE VIEW audit_texts AS SELECT id AS audit, {_as_read(_TEXTS)} AS text FROM audits"
    )
    # Holds no text of its own: of each three characters, only which audits have them.
    op.execute(
        "CREATE VIRTUAL TABLE text_index USING fts5(text, content = 'audit_texts', "
        "content_rowid = 'audit', tokenize = 'trigram', detail = none, columnsize = 0)"
    )
    op.execute("INSERT INTO text_index (text_index) VALUES ('rebuild')")
    for name, what in _TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {what} END")


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
            "event=search_without_index reason=%s hint=%s",
            str(error).splitlines()[0],
            "have an administrator install the extension pg_trgm and create the indexes",
        )
        return
    for name, of in _POSTGRESQL.items():
        op.execute(f"CREATE INDEX {name} ON {of}")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for name in _TRIGGERS:
            op.execute(f"DROP TRIGGER {name}")
        op.execute("DROP TABLE text_index")
        op.execute("DROP VIEW audit_texts")
    else:
        for name in _POSTGRESQL:
            op.execute(f"DROP INDEX IF EXISTS {name}")
