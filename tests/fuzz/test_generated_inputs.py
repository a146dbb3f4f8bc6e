"""Generated inputs for importers, splitter, offsets, corrections and audits.

2,000 in the ordinary tests; ``FUZZ_INPUTS=100000 python -m pytest tests/fuzz`` tries as many. What
must hold: no error that is not ours, offsets exact, weights that sum to 1, sentences that tile the
answer, and an error that names the file.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from provenance_core import DETECTORS, InputError, Provenance, default_parameters
from provenance_core.audit.mitigation import corrected, suggest
from provenance_core.files.batch import inspect_batch_file, read_batch_file
from provenance_core.files.formats._records import entries_of
from provenance_core.files.labelled import read_labelled_file
from provenance_core.files.uploaded_context import read_context_file
from provenance_core.text.input_checks import check_context
from provenance_core.text.phrases import (
    exchangeable_details,
    exchanged,
    find_clauses,
    merged,
    substitutes,
    without,
    word_bounds,
)
from provenance_core.text.splitting import fitting_bounds, sentence_bounds, split_long
from provenance_core.text.structured_context import verbalise

INPUTS = int(os.environ.get("FUZZ_INPUTS", "2000"))
# Detectors that ask a server are left out.
LOCAL = [name for name, each in DETECTORS.items() if not each.traits.sends_texts]
SHARES = {
    "split": 700, "structure": 300, "phrases": 300, "context_files": 260, "batch_files": 160,
    "bytes": 70, "audits": 210,
}  # fmt: skip


def tried(target: str, parts: int = 1):
    """As many inputs as the target's share; the same ones each time in the ordinary tests."""
    return settings(
        max_examples=max(1, SHARES[target] * INPUTS // 2000 // parts),
        deadline=None,
        derandomize=INPUTS == 2000,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


HARD = [
    "\x00", "\ud800", "\udfff", "\u202e", "\u2028", "\x85", "\ufeff", "\u200b", "e\u0301",
    "\U0001f469\u200d\U0001f680", "|", "---", "\n|---|\n", "\n- ", "\n1. ", "\n\n", "# ", "**",
    "`", "\t", '"', "'", "\\", "[", "]", "{", "}", ".", "...", "…", "?!", ";", ":", ",", "e.g. ",
    "p. 3 ", "U.S. ", "1,000.5", "-3 %", "$5m", "12 May 1990", "1932", "no ", "not ", "Yes.",
    "Anna Berg", "16km", "<script>", "=1+1", "null", "NaN", "1e999", "مرحبا", "漢字。", "สวัสดี", "ß",
    "İ", "ﬁ", "Ⅻ", "½", "a" * 300,
]  # fmt: skip
WORDS = [" the", " bridge", " was", " opened", " in", " by", " Anna", " and", " it is red"]
# Text of hard parts, of words, and of anything that Python calls a text, half characters included.
texts = st.lists(
    st.one_of(
        st.sampled_from(HARD),
        st.text(st.characters(codec=None), max_size=8),
        st.sampled_from(WORDS),
    ),
    max_size=25,
).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
NAMES = [
    "query", "question", "context", "contexts", "documents", "answer", "response", "label",
    "labels", "id", "spans", "text", "claim", "doc", "source_info", "task_type", "user_input",
    "retrieved_contexts", "attributes.input.value", "attributes.output.value", "passage",
]  # fmt: skip
records = st.dictionaries(st.sampled_from(NAMES) | texts, values, max_size=8)


def tiles(bounds: list[tuple[int, int]], text: str) -> None:
    assert "".join(text[a:b] for a, b in bounds) == text
    assert all(a < b for a, b in bounds)
    assert all(b == c for (_, b), (c, _) in pairwise(bounds))


def words(parts: list[str]) -> list[int]:
    return [len(part.split()) + len(part) // 8 for part in parts]


@tried("split")
@given(texts, st.integers(3, 40))
def test_sentences_tile_the_text(text: str, limit: int) -> None:
    bounds = sentence_bounds(text)
    tiles(bounds, text)
    tiles(split_long(text, bounds, limit, words), text)
    if text:
        tiles(fitting_bounds(text, limit, words), text)


@tried("structure")
@given(values, texts)
@example({"a": "\ud800"}, "['\\ud800']")
def test_structured_context(value: object, text: str) -> None:
    dumped = [json.dumps(value), repr(value), text]
    try:
        items, _ = check_context(dumped)
        found, _, _ = verbalise(items)
    except InputError:
        return
    for item in found:
        item.text.encode("utf-8")
        assert "\x00" not in item.text


@tried("phrases")
@given(texts, texts)
def test_phrases(text: str, source: str) -> None:
    for a, b in [*word_bounds(text), *find_clauses(text)]:
        assert 0 <= a < b <= len(text)
    details = exchangeable_details(text)
    spans = [(each.start, each.end) for each in details]
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    for span in spans[:4]:
        others = [other for other in spans if other != span]
        for new in substitutes(text, span, source)[:3]:
            exchanged(text, span, new, others)
    without(text, merged(spans))


def as_csv(rows: list[dict[str, object]]) -> bytes:
    out = io.StringIO()
    names = sorted({name for row in rows for name in row})
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([str(row.get(name, "")) for name in names] for row in rows)
    return out.getvalue().encode("utf-8", "surrogatepass")


def as_files(rows: list[dict[str, object]]) -> list[tuple[str, bytes]]:
    return [
        ("a.jsonl", "\n".join(map(json.dumps, rows)).encode()),
        ("a.json", json.dumps(rows, indent=1).encode()),
        ("a.csv", as_csv(rows)),
    ]


@tried("context_files", parts=2)
@given(st.lists(records, max_size=4), st.integers(0, 2))
def test_uploaded_context(rows: list[dict[str, object]], which: int) -> None:
    read_upload(*as_files(rows)[which])


@tried("context_files", parts=2)
@given(st.sampled_from(["txt", "md", "json", "jsonl", "csv"]), st.binary(max_size=200) | texts)
def test_uploaded_anything(kind: str, data: bytes | str) -> None:
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    read_upload(f"a.{kind}", raw)


def read_upload(name: str, data: bytes) -> None:
    try:
        read = read_context_file(name, data, split_at_blank_lines=True)
    except InputError as error:
        assert name in str(error)
        return
    for index, item in enumerate(read.items):
        assert item.index == index
        assert item.text.strip()
        item.text.encode("utf-8")


@tried("batch_files")
@given(st.lists(records, max_size=5), st.integers(0, 2))
def test_batch_and_labelled_files(folder: Path, rows: list[dict[str, object]], which: int) -> None:
    name, data = as_files(rows)[which]
    read_files(folder / name, data)


@tried("bytes")
@given(
    st.sampled_from(["a.jsonl", "a.json", "a.csv", "a.tsv", "a.json.gz"]),
    st.binary(max_size=300),
    st.booleans(),
)
def test_files_of_any_bytes(folder: Path, name: str, data: bytes, packed: bool) -> None:
    path = folder / name
    if packed:
        # What a process of its own would run.
        path.write_bytes(gzip.compress(data)[: len(data) + 10])
        try:
            list(entries_of(path))
        except InputError as error:
            assert str(path) in str(error)
    elif not data.startswith((b"\x1f\x8b", b"PAR1")):
        read_files(path, data)


def read_files(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    for read in (inspect_batch_file, read_labelled_file):
        try:
            read(path)
        except InputError as error:
            assert path.name in str(error)
    try:
        file = read_batch_file(path)
    except InputError as error:
        assert path.name in str(error)
        return
    for row in file.rows:
        for text in (row.query, row.answer, *row.context):
            text.encode("utf-8")
        assert row.answer.strip()
        assert all(0 <= s.start < s.end <= len(row.answer) for s in row.spans or ())
    assert all(each.reason for each in file.rejected)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.mark.parametrize("detector", LOCAL)
@tried("audits", parts=len(LOCAL))
@given(texts, st.lists(texts, max_size=3), texts)
def test_audits(
    provenance: Provenance, detector: str, answer: str, context: list[str], query: str
) -> None:
    try:
        audit = provenance.audit(
            answer=answer,
            context=context,
            query=query,
            parameters=default_parameters(detector=detector),
        )
    except InputError as error:
        assert str(error)
        return
    evidence = audit.evidence
    assert 0 <= audit.score <= 1
    assert sum(source.weight for source in audit.sources if source.selected) == pytest.approx(1)
    tiles([(s.start, s.end) for s in evidence.sentences], evidence.answer)
    for chunk in evidence.chunks:
        assert evidence.context[chunk.item].text[chunk.start : chunk.end] == chunk.text
    for span in audit.spans:
        assert 0 <= span.start < span.end <= len(evidence.answer)
    for traced in audit.sentences:
        item = evidence.chunks[traced.evidence_chunk].item
        assert 0 <= traced.evidence_start <= traced.evidence_end <= len(evidence.context[item].text)
    for suggestion in suggest(audit, provenance):
        assert corrected(evidence.answer, [suggestion]) != evidence.answer
