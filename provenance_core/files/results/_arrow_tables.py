"""Rows of results as Arrow tables, and what they are of in the metadata of each Parquet file."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from provenance_core.audit.serialization import from_plain, to_plain
from provenance_core.errors import InputError
from provenance_core.files.results.types import Origin, ResultRow

SCHEMA = "provenance-results/1"
_METADATA = b"provenance"
_TEXTS = (
    "reason", "raw", "query", "answer", "group", "subset", "task", "source_model", "profile",
    "detector",
)  # fmt: skip


def arrow(location: str, module: str = "pyarrow") -> Any:
    """Import a module of pyarrow, which is an extra.

    The module. Raises InputError where it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(
            f"{location}: Parquet needs pyarrow, which is not installed: "
            "pip install 'provenance-check[files]'"
        ) from error


def schema_of(location: str, origin: Origin) -> Any:
    """Make the schema of a Parquet file of results.

    A ``pyarrow.Schema`` with the columns of :class:`ResultRow`. Raises InputError pyarrow is not
    installed.
    """
    pa = arrow(location)
    said = json.dumps({"schema": SCHEMA, **to_plain(origin)}, ensure_ascii=False)
    return pa.schema(
        [
            pa.field("row", pa.int64()),
            pa.field("line", pa.int64(), nullable=False),
            pa.field("id", pa.string(), nullable=False),
            pa.field("outcome", pa.string(), nullable=False),
            pa.field("verdict", pa.string()),
            pa.field("state", pa.string()),
            pa.field("score", pa.float64()),
            pa.field("threshold", pa.float64(), nullable=False),
            pa.field("flagged", pa.int32()),
            pa.field("sentences", pa.int32()),
            pa.field("label", pa.int8()),
            pa.field("passed", pa.int8()),
            *(pa.field(name, pa.string(), nullable=False) for name in _TEXTS),
            pa.field("notices", pa.list_(pa.string()), nullable=False),
            pa.field("models", pa.list_(pa.string()), nullable=False),
            pa.field("parameters", pa.string(), nullable=False),
            pa.field("audit", pa.string()),
        ],
        metadata={_METADATA: said.encode()},
    )


def table_of(location: str, rows: Sequence[ResultRow], schema: Any) -> Any:
    """Put rows of results into a table.

    A ``pyarrow.Table``, len(rows) rows. Raises InputError pyarrow is not installed.
    """
    plain = [{**asdict(row), "outcome": str(row.outcome)} for row in rows]
    return arrow(location).Table.from_pylist(plain, schema=schema)


def origin_of(location: str, schema: Any) -> Origin:
    """What the results of a Parquet file are of.

    Data set, settings and models of the results. Raises InputError where another program, or
    another version of this one, wrote the file.
    """
    said = (schema.metadata or {}).get(_METADATA, b"")
    try:
        found = json.loads(said)
        if found.pop("schema") != SCHEMA:
            raise InputError(f"{location}: results of another version of this program")
        return from_plain(Origin, found)
    except InputError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{location}: no results of this program; name a folder that holds nothing else"
        ) from error
