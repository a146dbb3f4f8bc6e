"""Audits of the sources alone beside audits of every chunk: what is counted, with real models."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from benchmarks.sources_only import both_ways, lines, long_rows, main
from provenance_core import Provenance

FILLER = " ".join(f"Room {n} on the second floor holds {n} chairs." for n in range(100, 330))
CONTEXT = f"{FILLER} The library was opened in 1912."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = [
        {"context": [CONTEXT], "answer": "The library was opened in 1912.", "label": 1},
        {"context": [CONTEXT], "answer": "The library was opened in 1913.", "label": 0},
        {"context": ["Tea is served at five."], "answer": "Tea is served.", "label": 1},
    ]
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return tmp_path


def test_only_answers_with_more_chunks_than_are_selected_are_read(data: Path) -> None:
    provenance = Provenance.load("embedded")
    rows = long_rows(data, provenance, 5)
    assert sorted(row.label for _, row in rows) == [0, 1]
    found = both_ways(provenance, rows, timed=False)
    assert all(each.sources.evidence.chunks_read.count(True) == 10 for each in found)
    assert not any(each.every.evidence.chunks_read for each in found)
    said = "\n".join(lines("embedded", found, timed=False))
    read, every = map(int, re.search(r"cells read +(\d+) of (\d+)", said).groups())
    assert read == 20 < every
    assert "factor" not in said


def test_a_folder_without_long_contexts_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main([str(tmp_path), "--profiles", "embedded"]) == 2
    assert "holds no rows with long contexts" in capsys.readouterr().err
