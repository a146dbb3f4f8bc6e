"""Audits imported from a full export."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from provenance_core import InputError, recompute
from provenance_core.audit.serialization import audit_to_json
from provenance_core.cli.main import main
from provenance_core.files.apart import read_apart
from storage import AuditStore, ItemFilter, ItemStore, ReviewStore
from storage.exports import ExportFormat
from storage.imports import Importer, ImportResult, holds_audits, import_audits
from tests.exports_data import SCRIPT, exported, fill


@pytest.fixture
def source(tmp_path) -> str:
    url = f"sqlite:///{tmp_path / 'source.db'}"
    fill(url)
    return url


@pytest.fixture
def target(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'target.db'}"


def full_export(url: str, chosen: ItemFilter | None = None) -> list[bytes]:
    return exported(url, chosen=chosen or ItemFilter()).splitlines(keepends=True)


def stored_reviews(url: str, audit: int) -> list:
    return [replace(r, id=0, audit_id=0) for r in ReviewStore.open(url).of(audit)]


def test_what_was_taken_away_comes_back_the_same(source, target, tmp_path):
    path = tmp_path / "full.jsonl"
    path.write_bytes(b"".join(full_export(source)))
    assert import_audits(path, target) == ImportResult(3, 0, 4, (), left_behind=2)
    numbers = {json.loads(line)["item"]["audit_id"]: n for n, line in
               enumerate(path.read_bytes().splitlines(), 1)}  # fmt: skip
    for there, here in numbers.items():
        original = AuditStore.open(source).load(there).audit
        assert AuditStore.open(target).load(here).audit == original
        assert stored_reviews(target, here) == stored_reviews(source, there)
    counted = {i.audit_id: i.reviews for i in ItemStore.open(target).page(ItemFilter()).items}
    assert counted == {numbers[1]: 0, numbers[2]: 2, numbers[3]: 1}, "old versions do not count"


def test_importing_twice_doubles_nothing(source, target):
    lines = full_export(source)
    Importer.open(target).read(lines)
    assert Importer.open(target).read(lines) == ImportResult(0, 3, 0, (), left_behind=2)
    assert Importer.open(source).read(lines) == ImportResult(0, 3, 0, (), left_behind=2)
    assert AuditStore.open(target).count() == 3


def test_rows_that_share_an_audit_make_one(source, target):
    lines = full_export(source, ItemFilter(runs=(1,)))
    assert Importer.open(target).read(lines) == ImportResult(2, 1, 3, (), left_behind=3)


def test_the_same_answer_under_other_parameters_is_another_audit(source, target):
    other = recompute(AuditStore.open(source).load(1).audit, threshold=0.9)
    AuditStore.open(source).save(other)
    assert Importer.open(target).read(full_export(source)).imported == 4


def test_new_reviews_of_a_known_audit_are_added(source, target):
    lines = full_export(source)
    bare = [json.dumps({**json.loads(line), "reviews": []}).encode() for line in lines]
    assert Importer.open(target).read(bare) == ImportResult(3, 0, 0, (), left_behind=2)
    assert Importer.open(target).read(lines) == ImportResult(0, 3, 4, (), left_behind=2)


def test_only_kept_lines_with_a_run_or_a_label_leave_something_behind(source, target):
    line = json.loads(full_export(source, ItemFilter(runs=(1,)))[0])
    item = line["item"]
    assert (item["run_id"], item["label"] is None) == (1, False)
    cases = (
        ({"run_id": None}, 1),
        ({"label": None}, 1),
        ({"run_id": None, "label": 0}, 1),
        ({"run_id": None, "label": None}, 0),
    )
    for changed, count in cases:
        raw = json.dumps({**line, "item": {**item, **changed}}).encode()
        assert Importer.open(target).read([raw]).left_behind == count, changed
    refused = Importer.open(target).read([json.dumps({**line, "audit": {}}).encode()])
    assert (len(refused.rejected), refused.left_behind) == (1, 0)


def test_another_review_in_the_same_place_is_rejected_and_nothing_changes(source, target):
    lines = full_export(source)
    Importer.open(target).read(lines)
    changed = []
    for line in lines:
        row = json.loads(line)
        for review in row["reviews"]:
            review["judgement"]["comment"] = "something else"
        changed.append(json.dumps(row).encode())
    result = Importer.open(target).read(changed)
    assert (result.imported, result.already_there, result.reviews) == (0, 1, 0)
    assert all("another review by 'ann'" in row.reason for row in result.rejected)
    assert "something else" not in {r.judgement.comment for r in stored_reviews(target, 2)}


def changed(line: bytes, *path, value) -> bytes:
    row = json.loads(line)
    place = row
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(row).encode()


EVIDENCE = ("audit", "evidence")
REVIEW = ("reviews", 0)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("schema",), "other/1", "must be 'provenance-export/1'"),
        (("audit",), None, "its schema must be"),
        (("reviews",), None, "'reviews'"),
        ((*EVIDENCE, "answer"), None, "'answer' is missing"),
        ((*EVIDENCE, "answer"), "cut", "evidence.claims[0]: characters 0 to"),
        ((*EVIDENCE, "answer"), "half \ud800 a character" * 9, "evidence.sentences[0]: the text"),
        ((*EVIDENCE, "chunks", 0, "item"), 7, "evidence.chunks[0].item: there is no item 7"),
        ((*EVIDENCE, "chunks", 0, "end"), 3, "evidence.chunks[0]: the text is not that"),
        ((*EVIDENCE, "chunks", 0, "index"), 3, "evidence.chunks[0].index: 3 is not its place"),
        ((*EVIDENCE, "relevance_model", "task"), "bogus", "evidence.relevance_model.task: 'bogus'"),
        ((*EVIDENCE, "nli_model", "max_length"), -1, "evidence.nli_model.max_length: -1"),
        (
            (*EVIDENCE, "evidence_sentences"),
            [
                {
                    "sentence": 0,
                    "chunk": 0,
                    "start": 0,
                    "end": 5,
                    "scores": {"entailment": 1.5, "neutral": 0.0, "contradiction": -0.5},
                }
            ],
            "evidence.evidence_sentences[0].scores.entailment: 1.5 is no probability",
        ),
        (
            (*EVIDENCE, "missing_details"),
            [{"kind": "number", "text": "17", "start": 6, "end": 999}],
            "evidence.missing_details[0]: characters 6 to 999 are no part of the answer",
        ),
        ((*EVIDENCE, "claim_scores"), [], "do not fit together"),
        ((*EVIDENCE, "relevance"), [], "do not fit together"),
        ((*EVIDENCE, "relevance"), [10**400], "Evidence.relevance[0]: int too large"),
        ((*EVIDENCE, "sentences"), [], "do not fit together"),
        ((*EVIDENCE, "chunks", 0, "tokens"), 10**30, "evidence.chunks[0].tokens: 1000"),
        ((*EVIDENCE, "profile"), "other", "not a profile"),
        (("audit", "parameters", "top_p"), 7, "top_p"),
        (("audit", "score"), "high", "a number was expected"),
        (("audit", "created_at"), "yesterday", "ISO 8601"),
        (("audit", "created_at"), "2026-01-01T00:00:00+05:00", "UTC"),
        ((*REVIEW, "reviewer"), " ", "name is empty"),
        ((*REVIEW, "version"), 0, "count from 1"),
        ((*REVIEW, "judgement", "verdict"), "perhaps", "perhaps"),
        (
            (*REVIEW, "judgement", "spans"),
            [{"start": 0, "end": 999, "type": "evident_conflict"}],
            "not a part of the answer",
        ),
        (
            (*REVIEW, "judgement", "sentences"),
            [{"index": 9, "verdict": "supported", "type": None}],
            "There is no sentence 10",
        ),
    ],
)
def test_a_damaged_line_is_rejected_with_its_reason(source, target, path, value, reason):
    lines = full_export(source)
    wanted = 2 if path[:2] == REVIEW else 3
    whole = next(line for line in lines if json.loads(line)["item"]["audit_id"] == wanted)
    other = next(line for line in lines if line != whole)
    result = Importer.open(target).read([changed(whole, *path, value=value), b"\n", other])
    assert [row.line for row in result.rejected] == [1]
    assert reason in result.rejected[0].reason
    assert result.imported == AuditStore.open(target).count() == 1


@pytest.mark.parametrize(
    "line", [b"{", b"[" * 100_000, b"\xff\xfe", b"null", b'{"schema": NaN}', b"3"]
)
def test_what_is_no_line_of_an_export_is_rejected(target, line):
    (row,) = Importer.open(target).read([line]).rejected
    assert row.line == 1 and row.reason
    assert len(row.raw) <= 2_000


def test_a_score_that_this_version_does_not_compute_is_said(source, target):
    line = changed(full_export(source)[0], "audit", "score", value=0.123)
    assert Importer.open(target).read([line]).imported == 1
    notices = AuditStore.open(target).load(1).audit.evidence.notices
    assert [n.code for n in notices] == ["hand", "score_differs"]
    assert Importer.open(target).read([line]).already_there == 1


@pytest.mark.parametrize("indent", [None, 1])
def test_the_json_of_one_audit_is_taken_as_its_page_gives_it(source, target, tmp_path, indent):
    audit = AuditStore.open(source).load(2).audit
    path = tmp_path / "audit-2.json"
    path.write_text(audit_to_json(audit, indent=indent), encoding="utf-8")
    assert holds_audits(path)
    assert import_audits(path, target) == ImportResult(1, 0, 0, ())
    assert AuditStore.open(target).load(1).audit == audit
    assert import_audits(path, target) == ImportResult(0, 1, 0, ())


def test_a_file_without_whole_audits_is_refused_with_what_has_them(source, target):
    tasks = io.BytesIO(exported(source, ExportFormat.LABEL_STUDIO))
    lines = io.BytesIO(exported(source, ExportFormat.LANGFUSE))
    for file in (tasks, lines):
        with pytest.raises(InputError, match=r"^The file holds no whole audits\.") as caught:
            Importer.open(target).read_file(file)
        assert "“Full export (JSONL)”" in str(caught.value)
        assert "“Download JSON”" in str(caught.value)


def test_a_picture_under_the_name_of_an_export_is_named(target, tmp_path):
    path = tmp_path / "e.jsonl"
    path.write_bytes(b"\x89PNG\r\n")
    said = r"e\.jsonl: This is a PNG image, not a text file\. Choose"
    with pytest.raises(InputError, match=said):
        import_audits(path, target)


def test_a_file_that_is_not_there_is_a_message(target):
    with pytest.raises(InputError, match=r"none\.jsonl cannot be read"):
        import_audits(Path("none.jsonl"), target)


@pytest.mark.parametrize("name", [*ExportFormat, "html"])
def test_every_format_goes_to_standard_output(source, monkeypatch, capfdbinary, name):
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", source)
    assert main(["export", "--run", f"first {SCRIPT}", "--format", name]) == 0
    written, said = capfdbinary.readouterr()
    assert b"standard output: " in said
    if name == "html":
        assert written.startswith(b"<!doctype html>")
    elif name == "csv":
        assert written.count(b"\r\n") == 4
    elif name in (ExportFormat.PHOENIX, ExportFormat.LABEL_STUDIO):
        assert json.loads(written)
    else:
        rows = [json.loads(line) for line in written.splitlines()]
        assert rows
        if name == ExportFormat.JSONL:
            assert all(
                {"id", "verdict", "score", "sentences", "reviews"} <= row.keys() for row in rows
            )
            texts = [row["audit"]["evidence"]["answer"] for row in rows]
            assert ["".join(s["text"] for s in row["sentences"]) for row in rows] == texts


def test_the_commands_export_and_import(source, target, tmp_path, monkeypatch, capsys):
    path = tmp_path / "full.jsonl"
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", source)
    assert main(["export", "--out", str(path)]) == 0
    assert "3 items" in capsys.readouterr().err
    assert main(["export", "--out", str(path)]) == 2, "no file is written over"
    assert main(["export", "--out", str(tmp_path / "x"), "--format", "xls"]) == 2
    assert "known are: csv, html, jsonl" in capsys.readouterr().err
    assert main(["export", "--out", str(tmp_path / "x"), "--run", "none"]) == 1
    assert not list(tmp_path.glob("x*"))
    monkeypatch.setenv("PROVENANCE_DATABASE_URL", target)
    assert main(["import", str(path)]) == 0
    assert (
        f"{path}: 2 rows' runs and labels are not imported: audits and reviews are kept without "
        "the run, id and label of their row"
    ) in capsys.readouterr().err
    with path.open("ab") as file:
        file.write(b"{\n")
    capsys.readouterr()
    assert main(["import", str(path)]) == 2
    said = capsys.readouterr()
    assert "0 audits imported, 3 already there, 0 new reviews, 1 rejected" in said.out
    assert f"{path}:4: Not JSON" in said.err
    assert main(["import", str(tmp_path / "none")]) == 2


def test_a_long_line_is_parsed_by_a_process_of_its_own_and_is_the_same(
    source, target, tmp_path, monkeypatch
):
    path = tmp_path / "full.jsonl"
    lines = full_export(source)
    path.write_bytes(b"".join(lines))
    small = (min(map(len, lines)) + max(map(len, lines))) / 2
    parsed_apart = []

    def watched(name, read, *arguments, limits):
        parsed_apart.append(len(arguments[0]))
        return read_apart(name, read, *arguments, limits=limits)

    monkeypatch.setattr("storage.imports.read_apart", watched)
    monkeypatch.setenv("PROVENANCE_FILE_SMALL_MB", f"{small / 1e6:.6f}")
    assert import_audits(path, target) == ImportResult(3, 0, 4, (), left_behind=2)
    assert 0 < len(parsed_apart) < 3
    here, there = (
        sorted((AuditStore.open(url).load(n).audit for n in (1, 2, 3)), key=lambda a: a.score)
        for url in (target, source)
    )
    assert here == there


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PROVENANCE_FILE_MEMORY_MB", "40", "The line has more than 5 MB, .*MEMORY_MB"),
        ("PROVENANCE_FILE_MEMORY_MB", "400", "needs more .*PROVENANCE_FILE_MEMORY_MB"),
        ("PROVENANCE_FILE_SECONDS", "0.3", "more than 0.3 seconds.*PROVENANCE_FILE_SECONDS"),
    ],
)
def test_a_line_that_explodes_is_refused_and_the_others_are_kept(
    source, target, tmp_path, monkeypatch, variable, value, said
):
    path = tmp_path / "full.jsonl"
    lines = full_export(source)
    path.write_bytes(lines[0] + b"[" + b"{}," * 5_000_000 + b"{}]\n" + b"".join(lines[1:]))
    monkeypatch.setenv("PROVENANCE_FILE_SMALL_MB", "1")
    monkeypatch.setenv(variable, value)
    found = import_audits(path, target)
    assert (found.imported, [row.line for row in found.rejected]) == (3, [2])
    assert re.search(said, found.rejected[0].reason), found.rejected[0].reason
