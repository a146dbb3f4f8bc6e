"""Files of records, as the tests write them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path


def write(path: Path, text: str) -> Path:
    """``text`` in UTF-8, packed where the name ends in .gz; half characters are written too."""
    data = text.encode("utf-8", "surrogatepass")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def write_lines(path: Path, *records: object) -> Path:
    """A line each: a text as it is, another record as JSON."""
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    return write(path, "".join(f"{line}\n" for line in lines))
