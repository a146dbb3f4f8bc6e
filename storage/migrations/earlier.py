"""Converts a database of any earlier version to the base migration, where it stands.

The tables, indexes and triggers become those of the base. What was measured for an audit, spread
over up to nine tables, becomes its document. Nothing here follows the code of today but the digests
of texts: a document says what the database said, in the JSON of ``provenance-audit/1``.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from provenance_core.audit.digest import source_digest, text_digest
from storage.documents import pack_document, settings_digest
from storage.migrations.base_tables import TABLES
from storage.migrations.triggers import create_triggers, drop_triggers

_LOG = logging.getLogger(__name__)
BASE = "0018"
EARLIER = frozenset(f"{number:04}" for number in range(1, 18))
Row = Mapping[str, Any]

_AT_ONCE = 200  # audits in memory
# Tables that a document takes the place of; the scores of pairs were rows before 0008.
_PARTS = ("chunks", "claims", "sentences", "evidence_sentences", "missing_details")
_SCORES = ("pair_scores", "score_matrices")
_OTHERS = {"review_claims": "reservations"}  # names of tables before 0006
_PAIR = ("entailment", "neutral", "contradiction")
_JSON = (
    "detector_evidence", "parameters", "relevance_model", "nli_model", "notices", "tokens",
    "timings",
)  # fmt: skip


def convert_earlier(connection: Connection, revision: str) -> None:
    """Convert a database of ``revision``, one of ``EARLIER``, in the connection's transaction. An
    audit whose rows do not fit together keeps its texts, score and judgements, without a document;
    the log names it."""
    _LOG.info("event=database_conversion from=%s to=%s", revision, BASE)
    drop_triggers(connection)
    _drop_indexes(connection)
    change = Operations(MigrationContext.configure(connection))
    tables = {*sa.inspect(connection).get_table_names()}
    _add_missing(connection, change, tables)
    for old, new in _OTHERS.items():
        if old in tables:
            names = ", ".join(TABLES.tables[new].columns.keys())
            connection.exec_driver_sql(f"INSERT INTO {new} ({names}) SELECT {names} FROM {old}")
    _write_documents(connection, tables)
    connection.exec_driver_sql(
        "UPDATE reviews SET (source_digest, text_digest) = (SELECT source_digest, text_digest "
        "FROM audits WHERE audits.id = reviews.audit_id)"
    )
    for name in sorted(tables & {*_PARTS, *_SCORES, *_OTHERS}):
        change.drop_table(name)
    for table in TABLES.sorted_tables:
        for column in _columns(connection, table.name) - {*table.columns.keys()}:
            change.drop_column(table.name, column)
        for index in table.indexes:
            index.create(connection)
    create_triggers(connection)
    connection.execute(sa.text("UPDATE alembic_version SET version_num = :base"), {"base": BASE})


def _columns(connection: Connection, table: str) -> set[str]:
    return {column["name"] for column in sa.inspect(connection).get_columns(table)}


def _drop_indexes(connection: Connection) -> None:
    """Those with a name of ours: they are made again, since their columns differ by version."""
    named = (
        "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'ix!_%' ESCAPE '!'"
        if connection.dialect.name == "sqlite"
        else "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() "
        "AND indexname LIKE 'ix!_%' ESCAPE '!'"
    )
    for name in connection.scalars(sa.text(named)).all():
        connection.exec_driver_sql(f'DROP INDEX "{name}"')


def _add_missing(connection: Connection, change: Operations, tables: set[str]) -> None:
    for table in TABLES.sorted_tables:
        if table.name not in tables:
            connection.execute(sa.schema.CreateTable(table))
            continue
        known = _columns(connection, table.name)
        for column in table.columns:
            if column.name not in known:
                change.add_column(
                    table.name,
                    sa.Column(
                        column.name,
                        column.type,
                        *(
                            sa.ForeignKey(key.target_fullname, ondelete=key.ondelete)
                            for key in column.foreign_keys
                        ),
                        nullable=column.nullable,
                        server_default=column.server_default,
                    ),
                    inline_references=True,
                )


def _write_documents(connection: Connection, tables: set[str]) -> None:
    last, parts = 0, [name for name in (*_PARTS, *_SCORES) if name in tables]
    write = sa.text(
        "UPDATE audits SET document = :document, settings_digest = :settings, "
        "checked_sentences = :checked, source_digest = :source, text_digest = :texts WHERE id = :id"
    )
    while audits := _rows(
        connection, f"SELECT * FROM audits WHERE id > {last} ORDER BY id LIMIT {_AT_ONCE}"
    ):
        first, last = audits[0]["id"], audits[-1]["id"]
        of_audits: dict[int, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for name in ("context_items", *parts):
            for row in _rows(
                connection, f"SELECT * FROM {name} WHERE audit_id BETWEEN {first} AND {last}"
            ):
                of_audits[row["audit_id"]][name].append(row)
        connection.execute(write, [_converted(audit, of_audits[audit["id"]]) for audit in audits])


def _rows(connection: Connection, statement: str) -> list[Row]:
    """Rows as the driver gives them: a damaged value ends no reading."""
    return [dict(row) for row in connection.exec_driver_sql(statement).mappings()]


def _in_order(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: row["position"])


def _converted(audit: Row, parts: Mapping[str, Sequence[Row]]) -> dict[str, Any]:
    """The new values of an audit."""
    items = _in_order(parts["context_items"])
    values = {
        "id": audit["id"],
        "document": None,
        "settings": "",
        "checked": len(parts["sentences"]),
        # Older audits have none.
        "source": audit["source_digest"]
        or source_digest(audit["query"], [item["text"] for item in items]),
        "texts": audit["text_digest"] or text_digest(audit["query"], audit["answer"]),
    }
    try:
        plain = _plain(audit, items, parts)
        parameters, evidence = plain["parameters"], plain["evidence"]
        aside = [] if parameters.get("count_set_aside") else evidence.get("set_aside", [])
        values["checked"] -= len(aside)
        models = (evidence["relevance_model"], evidence["nli_model"])
        values["settings"] = settings_digest(*models, parameters)
        values["document"] = pack_document(plain)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        _LOG.warning(
            "event=audit_not_converted audit=%d error=%s", audit["id"], type(error).__name__
        )
    return values


def _plain(audit: Row, items: Sequence[Row], parts: Mapping[str, Sequence[Row]]) -> dict[str, Any]:
    given = {name: _json(audit.get(name)) for name in _JSON}
    texts = [item["text"] for item in items]
    chunks, claims, sentences = (_in_order(parts[name]) for name in _PARTS[:3])
    matrices = _matrices(parts)
    none = np.zeros(0)
    shape = (len(chunks), 3)
    of_claims = matrices.get("claim", none).reshape(len(claims), *shape)
    of_sentences = of_claims
    if "sentence" in matrices or len(sentences) != len(claims):
        of_sentences = matrices.get("sentence", none).reshape(len(sentences), *shape)
    evidence = {
        **_named(audit, "query", "answer", "relevance_query", "profile"),
        "context": [
            {"index": item["position"], "text": item["text"], "name": item["name"]}
            for item in items
        ],
        "chunks": [
            {
                "index": chunk["position"],
                **_named(chunk, "item", "tokens"),
                **_placed(chunk, texts[chunk["item"]]),
            }
            for chunk in chunks
        ],
        "relevance": [chunk["relevance"] for chunk in chunks],
        "claims": [
            {
                "index": claim["position"],
                **_placed(claim, audit["answer"]),
                **_named(claim, "text", "form", "tokens"),
            }
            for claim in claims
        ],
        "sentences": [
            {"index": sentence["position"], **_placed(sentence, audit["answer"])}
            for sentence in sentences
        ],
        "claim_scores": _cells(of_claims),
        "sentence_scores": _cells(of_sentences),
        "answer_scores": _cells(matrices.get("answer", none).reshape(-1, 3)),
        "evidence_sentences": [
            {
                **_named(row, "sentence", "chunk"),
                "start": row["start_offset"],
                "end": row["end_offset"],
                "scores": _named(row, *_PAIR),
            }
            for row in _in_order(parts["evidence_sentences"])
        ],
        "missing_details": [
            {**_named(row, "kind", "text"), "start": row["start_offset"], "end": row["end_offset"]}
            for row in _in_order(parts["missing_details"])
        ],
        **{name: given[name] for name in _JSON[2:]},
        **(given["detector_evidence"] or {}),
    }
    return {
        "schema": "provenance-audit/1",
        "created_at": audit["created_at"],
        "parameters": given["parameters"],
        "evidence": evidence,
    }


def _json(value: Any) -> Any:
    """SQLite keeps JSON as text; the driver of PostgreSQL reads it."""
    return json.loads(value) if isinstance(value, str) else value


def _named(row: Row, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _placed(row: Row, text: str) -> dict[str, Any]:
    start, end = row["start_offset"], row["end_offset"]
    return {"start": start, "end": end, "text": text[start:end]}


def _matrices(parts: Mapping[str, Sequence[Row]]) -> dict[str, np.ndarray[Any, Any]]:
    """By kind of text, the three scores of each pair in a row. Raises ValueError if a pair is
    missing."""
    found = {
        row["kind"]: np.frombuffer(bytes(row["scores"]), "<f8") for row in parts["score_matrices"]
    }
    by_kind: dict[str, dict[tuple[int, int], list[float]]] = defaultdict(dict)
    for row in parts["pair_scores"]:
        by_kind[row["kind"]][row["row_position"], row["chunk"]] = [row[name] for name in _PAIR]
    for kind, cells in by_kind.items():
        found[kind] = np.array([cells[place] for place in sorted(cells)])
    return found


def _cells(values: np.ndarray[Any, Any]) -> list[Any]:
    """Lists of pairs, each an object; None of a pair that was not read."""
    if values.ndim > 1:
        return [_cells(each) for each in values]
    return None if np.isnan(values[0]) else dict(zip(_PAIR, values.tolist(), strict=True))  # type: ignore[return-value]
