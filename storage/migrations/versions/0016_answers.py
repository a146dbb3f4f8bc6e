"""Answers and their sources, kept by triggers: what counts or groups audits reads a row for each of
these instead of every audit. Where a filter leaves audits out, an index has what it asks of them.

A later migration that makes audits anew on SQLite loses the triggers: it has to make them again. On
PostgreSQL one that writes audits has to end with SET CONSTRAINTS ALL IMMEDIATE before it changes
the table: the triggers there wait for the end of the transaction."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_BEFORE = ["source_digest", "detector", "text_digest", "id"]
_MORE = ["verdict", "created_at", "unsupported_sentences", "score"]
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


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("source_digest", sa.String(length=32), nullable=False),
        sa.Column("text_digest", sa.String(length=32), nullable=False),
        sa.Column("audits", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("source_digest", "text_digest"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "candidate_sources",
        sa.Column("source_digest", sa.String(length=32), nullable=False),
        sa.Column("detector", sa.String(length=32), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("several", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("source_digest", "detector"),
        sqlite_with_rowid=False,
    )
    # Triggers first: they keep other writers out until what is there is counted.
    if op.get_bind().dialect.name == "sqlite":
        _watch_on_sqlite()
    else:
        _watch_on_postgresql()
    op.execute(
        "INSERT INTO answers (source_digest, text_digest, audits) "
        "SELECT source_digest, text_digest, count(*) FROM audits "
        "WHERE source_digest IS NOT NULL GROUP BY source_digest, text_digest"
    )
    op.execute(
        "INSERT INTO candidate_sources (source_digest, detector, last, several) "
        "SELECT source_digest, detector, max(id), min(text_digest) <> max(text_digest) "
        "FROM audits WHERE source_digest IS NOT NULL GROUP BY source_digest, detector"
    )
    op.create_index("ix_candidate_sources_several", "candidate_sources", ["several", "last"])
    op.drop_index("ix_audits_answers", "audits")
    op.create_index("ix_audits_answers", "audits", [*_BEFORE, *_MORE])


def _add(greatest: str, no: str) -> str:
    return "; ".join(each.format("new", greatest=greatest, no=no) for each in _ADD)


def _take() -> str:
    return "; ".join(each.format("old") for each in _TAKE)


def _watch_on_sqlite() -> None:
    add, take = _add("max", "0"), _take()
    for name, event, done in (
        ("insert", "INSERT", add),
        ("delete", "DELETE", take),
        ("update", f"UPDATE OF {_WATCHED}", f"{take}; {add}"),
    ):
        op.execute(f"CREATE TRIGGER answers_{name} AFTER {event} ON audits BEGIN {done}; END")


def _watch_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION keep_answers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"PERFORM pg_advisory_xact_lock({_LOCK}); "
        f"IF TG_OP <> 'INSERT' THEN {_take()}; END IF; "
        f"IF TG_OP <> 'DELETE' THEN {_add('greatest', 'false')}; END IF; "
        "RETURN NULL; END $$"
    )
    op.execute(
        "CREATE CONSTRAINT TRIGGER answers_kept AFTER INSERT OR DELETE OR "
        f"UPDATE OF {_WATCHED} ON audits DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION keep_answers()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for name in ("insert", "delete", "update"):
            op.execute(f"DROP TRIGGER answers_{name}")
    else:
        op.execute("DROP TRIGGER answers_kept ON audits")
        op.execute("DROP FUNCTION keep_answers()")
    op.drop_table("candidate_sources")
    op.drop_table("answers")
    op.drop_index("ix_audits_answers", "audits")
    op.create_index("ix_audits_answers", "audits", _BEFORE)
