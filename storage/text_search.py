"""Texts that hold what is looked for, whatever its case, by the database's own index.

The index knows which audits have which three characters in a row. What it finds is then looked at
in full, so that it decides nothing alone. A text of fewer than three characters is looked for in
every audit.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import (
    ColumnElement,
    Engine,
    LargeBinary,
    Select,
    case,
    cast,
    column,
    exists,
    func,
    or_,
    select,
    table,
    text,
    union,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from storage.migrations.triggers import TWO_LETTERS
from storage.models import AuditRecord, ContextItemRecord

_CHARACTERS = 3
# More of them hardly leave out another audit.
_MOST_PARTS = 64
# Audits that are looked at in full within some tenths of a second.
_FEW = 5_000
# As the migrations write it: what marks a text that the index does not know to its end, because it
# has a NUL.
_NOT_WHOLE = "\x01\x02\x03"
_INDEX = table("text_index", column("rowid"), column("text_index"))


def many_may_hold(session: Session, wanted: str, engine: Engine) -> bool:
    """Whether so many audits may hold a text that looking at one after the other finds the newest
    sooner. True also where the index knows nothing of the text."""
    if engine.dialect.name == "sqlite":
        looked_for = index_query(wanted)
        if not looked_for:
            return True
        known = select(_INDEX.c.rowid).where(_INDEX.c.text_index.op("MATCH")(looked_for))
    else:
        known = select(ContextItemRecord.audit_id).where(
            contains(ContextItemRecord.text, wanted, engine)
        )
    found = select(func.count()).select_from(known.limit(_FEW + 1).subquery())
    return (session.scalar(found) or 0) > _FEW


def holds_text(
    wanted: str, engine: Engine, *, alone: bool, in_turn: bool = False
) -> ColumnElement[bool]:
    """Whether query, answer or context of an audit hold a text."""
    if engine.dialect.name == "sqlite":
        return _on_sqlite(wanted, engine, alone, in_turn)
    if in_turn:
        return _in_any(wanted, engine)
    parts: list[Select[int]] = [
        select(AuditRecord.id).where(contains(AuditRecord.query, wanted, engine)),
        select(AuditRecord.id).where(contains(AuditRecord.answer, wanted, engine)),
        select(ContextItemRecord.audit_id).where(contains(ContextItemRecord.text, wanted, engine)),
    ]
    # Each of them by the index of its column, which one condition with OR would not go through.
    return AuditRecord.id.in_(select(union(*parts).subquery().c.id))


def _on_sqlite(wanted: str, engine: Engine, alone: bool, in_turn: bool) -> ColumnElement[bool]:
    in_any = _in_any(wanted, engine)
    looked_for = index_query(wanted)
    if not looked_for:
        # All contexts in one pass, in the order that they lie in.
        return _in_any(wanted, engine, at_once=True) if alone and not in_turn else in_any
    known = select(_INDEX.c.rowid).where(_INDEX.c.text_index.op("MATCH")(looked_for))
    # SQLite looks up the numbers of a column, and only compares those of a sum.
    number = AuditRecord.id + 0 if in_turn else AuditRecord.id.expression
    return number.in_(known) & in_any


def _in_any(wanted: str, engine: Engine, *, at_once: bool = False) -> ColumnElement[bool]:
    """Whether one of an audit's texts holds it; ``at_once``: all contexts are read first."""
    holds = contains(ContextItemRecord.text, wanted, engine)
    in_context: ColumnElement[bool] = exists().where(
        ContextItemRecord.audit_id == AuditRecord.id, holds
    )
    if at_once:
        in_context = AuditRecord.id.in_(select(ContextItemRecord.audit_id).where(holds))
    return or_(
        contains(AuditRecord.query, wanted, engine),
        contains(AuditRecord.answer, wanted, engine),
        in_context,
    )


def index_texts(session: Session, numbers: Sequence[int]) -> None:
    """Put the texts of new audits into SQLite's index, once their context is there."""
    if session.get_bind().dialect.name == "sqlite":
        put = text(
            "INSERT INTO text_index (rowid, text) SELECT audit, text FROM audit_texts "
            "WHERE audit = :audit"
        )
        # In this order: the index keeps what is new together as long as numbers grow.
        session.execute(put, [{"audit": number} for number in sorted(numbers)])


def index_query(wanted: str) -> str:
    """What SQLite's index is asked for a text. A query of FTS5; "" where the index knows nothing of
    so short a text."""
    for letter, two in TWO_LETTERS.items():
        wanted = wanted.replace(letter, two)
    parts = dict.fromkeys(
        wanted[at : at + _CHARACTERS] for at in range(len(wanted) - _CHARACTERS + 1)
    )
    known = [part for part in parts if "\0" not in part][:_MOST_PARTS]
    if not known:
        return ""
    quoted = ['"' + part.replace('"', '""') + '"' for part in known]
    return f'({" AND ".join(quoted)}) OR "{_NOT_WHOLE}"'


def contains(
    column: InstrumentedAttribute[str], wanted: str, engine: Engine
) -> ColumnElement[bool]:
    """Whether a column holds a text, whatever the case; every character stands for itself."""
    if engine.dialect.name == "sqlite":
        folded = func.instr(func.casefold(column), wanted.casefold()) > 0
        if not wanted.isascii():
            return folded
        # SQLite's own LIKE knows the case of ASCII letters: it is right, and many times faster,
        # where text and pattern have no others (as many bytes as characters).
        ascii_text = func.length(cast(column, LargeBinary)) == func.length(column)
        return case((ascii_text, column.contains(wanted, autoescape=True)), else_=folded)
    return column.icontains(wanted, autoescape=True)
