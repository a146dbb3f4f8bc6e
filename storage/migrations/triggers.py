"""What the databases do by themselves: the index of the texts, the count of answers and sources,
and numbers that are given once.

A later migration that makes audits, context_items, runs or presets anew on SQLite loses these
triggers: it has to make them again. On PostgreSQL one that writes audits has to end with SET
CONSTRAINTS ALL IMMEDIATE before it changes the table: the triggers there wait for the end of the
transaction.
"""

import logging

import sqlalchemy as sa
from sqlalchemy import Connection

_LOG = logging.getLogger(__name__)

# Letters that are two in lower case, which FTS5 does not know.
TWO_LETTERS = {
    "ß": "ss", "ẞ": "ss", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st",
    "ﬆ": "st",
}  # fmt: skip


def _as_read(text: str) -> str:
    """What is indexed of the text that an SQL expression gives. FTS5 stops at a NUL: three
    characters that no text has say so."""
    found = text
    for letter, two in TWO_LETTERS.items():
        found = f"replace({found}, '{letter}', '{two}')"
    return f"iif(instr({text}, char(0)) > 0, char(1, 2, 3), '') || {found}"


# One row of the index for each audit, under its number: neighbours are a byte apart.
_TEXTS = (
    "(audits.query || char(10) || audits.answer || char(10) || coalesce((SELECT "
    "group_concat(context_items.text, char(10)) FROM context_items WHERE context_items.audit_id = "
    "audits.id), ''))"
)
_INDEX_PUT = (
    "INSERT INTO text_index (rowid, text) SELECT audit, text FROM audit_texts WHERE audit = {};"
)
_INDEX_TAKE = (
    "INSERT INTO text_index (text_index, rowid, text) SELECT 'delete', audit, text "
    "FROM audit_texts WHERE audit = {};"
)
# The storage puts a new audit in, once its context is there. What leaves or is exchanged does so by
# itself: before and after, with the number of its audit.
_TRIGGERS = {
    "text_index_delete": "BEFORE DELETE ON audits BEGIN " + _INDEX_TAKE.format("old.id"),
    "text_index_audit_before": "BEFORE UPDATE OF id, query, answer ON audits BEGIN "
    + _INDEX_TAKE.format("old.id"),
    "text_index_audit_after": "AFTER UPDATE OF id, query, answer ON audits BEGIN "
    + _INDEX_PUT.format("new.id"),
    "text_index_item_before": "BEFORE UPDATE OF text ON context_items BEGIN "
    + _INDEX_TAKE.format("old.audit_id"),
    "text_index_item_after": "AFTER UPDATE OF text ON context_items BEGIN "
    + _INDEX_PUT.format("new.audit_id"),
}
_POSTGRESQL = {
    "ix_audits_query_text": "audits USING gin (query gin_trgm_ops)",
    "ix_audits_answer_text": "audits USING gin (answer gin_trgm_ops)",
    "ix_context_items_text": "context_items USING gin (text gin_trgm_ops)",
}
_WATCHED = "source_digest, text_digest, detector"
_ANSWER = "source_digest = {0}.source_digest AND text_digest = {0}.text_digest"
_SOURCE = "source_digest = {0}.source_digest AND detector = {0}.detector"
_OF_SOURCE = f"FROM audits WHERE {_SOURCE}"
# The first and the last in the order of an index: nothing between them is read.
_SEVERAL = f"(SELECT min(text_digest) {_OF_SOURCE}) <> (SELECT max(text_digest) {_OF_SOURCE})"
_ADD = (
    "INSERT INTO answers (source_digest, text_digest, audits) "
    "SELECT {0}.source_digest, {0}.text_digest, 1 WHERE {0}.source_digest IS NOT NULL "
    "ON CONFLICT (source_digest, text_digest) DO UPDATE SET audits = answers.audits + 1",
    "INSERT INTO candidate_sources (source_digest, detector, last, several) "
    "SELECT {0}.source_digest, {0}.detector, {0}.id, {no} WHERE {0}.source_digest IS NOT NULL "
    "ON CONFLICT (source_digest, detector) DO UPDATE SET "
    "last = {greatest}(candidate_sources.last, excluded.last), "
    # Unknown where the audit was deleted in its own transaction.
    f"several = candidate_sources.several OR coalesce({_SEVERAL}, {{no}})",
)
_TAKE = (
    f"UPDATE answers SET audits = audits - 1 WHERE {_ANSWER}",
    f"DELETE FROM answers WHERE {_ANSWER} AND audits = 0",
    f"DELETE FROM candidate_sources WHERE {_SOURCE} AND NOT EXISTS (SELECT 1 {_OF_SOURCE})",
    # What one answer less changes: only where there were several.
    f"UPDATE candidate_sources SET several = {_SEVERAL} WHERE {_SOURCE} AND several",
    f"UPDATE candidate_sources SET last = (SELECT max(id) {_OF_SOURCE}) "
    f"WHERE {_SOURCE} AND last = {{0}}.id",
)
# Nobody else's audits may be overlooked. Taken last in its transaction, the lock is held while that
# ends, and those who wait for it hold nothing that its holder still needs.
_LOCK = 730_411_905
_NUMBERED = ("audits", "runs", "presets")


def create_triggers(connection: Connection) -> None:
    """Make them for the rows that are there and those to come."""
    if connection.dialect.name == "sqlite":
        _watch_on_sqlite(connection)
    else:
        _watch_on_postgresql(connection)
    # After the triggers, which keep other writers out until what is there is counted.
    for statement in (
        "DELETE FROM answers",
        "DELETE FROM candidate_sources",
        "INSERT INTO answers (source_digest, text_digest, audits) "
        "SELECT source_digest, text_digest, count(*) FROM audits "
        "WHERE source_digest IS NOT NULL GROUP BY source_digest, text_digest",
        "INSERT INTO candidate_sources (source_digest, detector, last, several) "
        "SELECT source_digest, detector, max(id), min(text_digest) <> max(text_digest) "
        "FROM audits WHERE source_digest IS NOT NULL GROUP BY source_digest, detector",
    ):
        connection.exec_driver_sql(statement)


def drop_triggers(connection: Connection) -> None:
    """Take away those of this version and of every earlier one."""
    if connection.dialect.name == "sqlite":
        kinds = "('trigger', 'view')"
        found = connection.exec_driver_sql(
            f"SELECT type, name FROM sqlite_master WHERE type IN {kinds}"
        )
        for kind, name in found.all():
            connection.exec_driver_sql(f'DROP {kind} "{name}"')
        connection.exec_driver_sql("DROP TABLE IF EXISTS text_index")
        return
    connection.exec_driver_sql("DROP TRIGGER IF EXISTS answers_kept ON audits")
    connection.exec_driver_sql("DROP FUNCTION IF EXISTS keep_answers()")
    for name in _POSTGRESQL:
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {name}")


def _watch_on_sqlite(connection: Connection) -> None:
    run = connection.exec_driver_sql
    run(f"CREATE VIEW audit_texts AS SELECT id AS audit, {_as_read(_TEXTS)} AS text FROM audits")
    # Holds no text of its own: of each three characters, only which audits have them.
    run(
        "CREATE VIRTUAL TABLE text_index USING fts5(text, content = 'audit_texts', "
        "content_rowid = 'audit', tokenize = 'trigram', detail = none, columnsize = 0)"
    )
    run("INSERT INTO text_index (text_index) VALUES ('rebuild')")
    for name, what in _TRIGGERS.items():
        run(f"CREATE TRIGGER {name} {what} END")
    add, take = _add("max", "0"), _take()
    for name, event, done in (
        ("insert", "INSERT", add),
        ("delete", "DELETE", take),
        ("update", f"UPDATE OF {_WATCHED}", f"{take}; {add}"),
    ):
        run(f"CREATE TRIGGER answers_{name} AFTER {event} ON audits BEGIN {done}; END")
    for table in _NUMBERED:
        run(
            f"CREATE TRIGGER last_number_{table} AFTER DELETE ON {table} BEGIN "
            f"INSERT INTO last_numbers (table_name, number) VALUES ('{table}', old.id) "
            "ON CONFLICT (table_name) DO UPDATE SET number = max(number, excluded.number); END"
        )


def _watch_on_postgresql(connection: Connection) -> None:
    run = connection.exec_driver_sql
    run(
        "CREATE FUNCTION keep_answers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM "
        f"pg_advisory_xact_lock({_LOCK}); IF TG_OP <> 'INSERT' THEN {_take()}; END IF; IF TG_OP <> "
        f"'DELETE' THEN {_add('greatest', 'false')}; END IF; RETURN NULL; END $$"
    )
    run(
        f"CREATE CONSTRAINT TRIGGER answers_kept AFTER INSERT OR DELETE OR UPDATE OF {_WATCHED} ON "
        "audits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_answers()"
    )
    known = connection.scalar(
        sa.text("SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_trgm'")
    )
    try:
        if not known:
            raise LookupError("the server does not have it")
        with connection.begin_nested():
            run("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except (LookupError, sa.exc.DBAPIError) as error:
        _LOG.warning(
            "event=search_without_index reason=%s hint=%s",
            str(error).splitlines()[0],
            "have an administrator install the extension pg_trgm and create the indexes",
        )
        return
    for name, of in _POSTGRESQL.items():
        run(f"CREATE INDEX {name} ON {of}")


def _add(greatest: str, no: str) -> str:
    return "; ".join(each.format("new", greatest=greatest, no=no) for each in _ADD)


def _take() -> str:
    return "; ".join(each.format("old") for each in _TAKE)
