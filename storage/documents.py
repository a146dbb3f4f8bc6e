"""An audit as one compressed document: what was measured, under which parameters, and when.

The JSON is that of :mod:`provenance_core.audit.serialization`, which reads what earlier versions of
it wrote. The first byte names the compression, so that another one can follow: 1 is zlib, 2 is zlib
with the dictionary of what documents have in common.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provenance_core import Audit
from provenance_core.audit.read_later import with_later
from provenance_core.audit.serialization import SCHEMA, audit_from_plain, to_plain
from provenance_core.types import LaterReading

# What most documents have in common. Never changed: what was written with it needs it.
DICTIONARY = Path(__file__).with_name("document_dictionary.json").read_bytes()
_DICTIONARIES = {1: b"", 2: DICTIONARY}
_NEWEST = 2
# The models and parameters of an audit: many audits share them.
_SETTINGS = ("relevance_model", "nli_model", "parameters")


def to_document(audit: Audit) -> bytes:
    """Write what an audit is assembled from. Raises UnicodeError if a text holds half a character,
    ValueError if a score is no number."""
    return pack_document(
        {
            "schema": SCHEMA,
            "created_at": audit.created_at,
            "parameters": to_plain(audit.parameters),
            "evidence": to_plain(audit.evidence),
        }
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """The audit of a document, and the document with the findings that it lacked; None where it had
    them."""

    audit: Audit
    completed: bytes | None


def from_document(document: bytes | None) -> Audit:
    """Assemble the audit of a document. Raises ValueError if it is damaged or of a newer version;
    None stands for an audit that an upgrade could not convert."""
    return audit_from_plain(unpack_document(document))


def open_document(document: bytes | None) -> Opened:
    """Assemble the audit of a document, and complete a document of an earlier version. Once found,
    findings are kept: the reasons of an audit do not change with the code. Raises ValueError as
    :func:`from_document` does."""
    plain = unpack_document(document)
    audit = audit_from_plain(plain)
    evidence = plain["evidence"]
    if evidence.get("words") is not None:
        return Opened(audit, None)
    found = {"findings": to_plain(audit.evidence.findings), "words": to_plain(audit.evidence.words)}
    return Opened(audit, pack_document({**plain, "evidence": {**evidence, **found}}))


def with_reading(document: bytes | None, reading: LaterReading) -> bytes:
    """Add to a document a pair that was read after the audit. Raises ValueError as
    :func:`from_document` does, and where the audit has read the pair."""
    audit = with_later(from_document(document), reading)
    plain = unpack_document(document)
    later = to_plain(audit.evidence.read_later)
    return pack_document({**plain, "evidence": {**plain["evidence"], "read_later": later}})


def pack_document(plain: dict[str, Any]) -> bytes:
    """Compress the JSON of a document."""
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    packer = zlib.compressobj(zdict=_DICTIONARIES[_NEWEST])
    return bytes([_NEWEST]) + packer.compress(text.encode()) + packer.flush()


def unpack_document(document: bytes | None) -> Any:
    """Read the JSON of a document. Raises ValueError as :func:`from_document` does."""
    if not document:
        raise ValueError("its document is missing")
    dictionary = _DICTIONARIES.get(document[0])
    if dictionary is None:
        raise ValueError(
            f"its document has format {document[0]}, this version reads 1 to {_NEWEST}"
        )
    reader = zlib.decompressobj(zdict=dictionary)
    try:
        text = reader.decompress(document[1:]) + reader.flush()
    except zlib.error as error:
        raise ValueError(f"its document is damaged: {error}") from error
    if not reader.eof:
        raise ValueError("its document is damaged: its end is missing")
    return json.loads(text)


def settings_digest(
    relevance_model: Any, nli_model: Any, parameters: Any, second_model: Any = None
) -> str:
    """Digest of the models and parameters, each as JSON values: 32 hexadecimal digits. None: no
    second model."""
    given = dict(zip(_SETTINGS, (relevance_model, nli_model, parameters), strict=True))
    if second_model is not None:
        given["second_model"] = second_model
    text = json.dumps(given, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
