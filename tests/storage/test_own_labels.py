"""The team's own labels: the set, and the judgements that have them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from provenance_core import InputError, Parameters, assemble
from provenance_core.review.types import JudgedVerdict, Judgement, OwnLabel
from storage import AuditStore, OwnLabelStore, ReviewStore
from storage.exports import ExportFormat
from storage.imports import Importer
from storage.returned_labels import import_labels
from tests.conftest import hand_evidence
from tests.exports_data import exported

LABELLED = Judgement(JudgedVerdict.SUPPORTED, labels=("off topic", "outdated"))


def test_a_label_has_a_name_and_a_key_of_its_own(url):
    store = OwnLabelStore.open(url)
    assert store.add(" outdated ", "4") == OwnLabel("outdated", "4")
    for name, key, why in (
        ("Outdated", "5", "already"),
        ("new", "4", "Choose another"),
        ("", "5", "empty"),
        ("a; b", "5", "separate labels"),
        ("x" * 41, "5", "41 characters"),
        ("new", "45", "gives no label"),
        ("new", "q", "gives no label"),
    ):
        with pytest.raises(InputError, match=why):
            store.add(name, key)
    assert store.all() == (OwnLabel("outdated", "4"),)
    store.remove("outdated")
    assert store.all() == ()


def test_judgements_keep_their_labels_here_in_exports_and_elsewhere(url, tmp_path):
    AuditStore.open(url).save(assemble(hand_evidence([0.1], [[0.7]]), Parameters()))
    reviews = ReviewStore.open(url)
    assert reviews.save(1, "ann", LABELLED).judgement == LABELLED
    with pytest.raises(InputError, match="given twice"):
        reviews.save(1, "ann", Judgement(JudgedVerdict.SUPPORTED, labels=("a", "a")))
    assert reviews.of(1)[0].judgement.labels == ("off topic", "outdated")
    assert "ann: off topic; outdated" in exported(url, ExportFormat.CSV).decode("utf-8-sig")
    (task,) = json.loads(exported(url, ExportFormat.LABEL_STUDIO))
    (own,) = [r for r in task["annotations"][0]["result"] if r["from_name"] == "labels"]
    assert own["value"]["text"] == ["off topic", "outdated"]
    _, note = json.loads(exported(url, ExportFormat.PHOENIX))["data"]
    assert note["metadata"]["labels"] == ["off topic", "outdated"]
    scores = map(json.loads, exported(url, ExportFormat.LANGFUSE).splitlines())
    given = [(s["value"], s["metadata"]["reviewer"]) for s in scores if s["name"] == "label"]
    assert given == [("off topic", "ann"), ("outdated", "ann")]
    line = json.loads(exported(url))
    other = f"sqlite:///{tmp_path}/other.db"
    assert Importer.open(other).read([json.dumps(line).encode()]).reviews == 1
    assert ReviewStore.open(other).of(1)[0].judgement == LABELLED
    del line["reviews"][0]["judgement"]["labels"], line["gold"]  # as an earlier version wrote it
    earlier = f"sqlite:///{tmp_path}/earlier.db"
    assert not Importer.open(earlier).read([json.dumps(line).encode()]).rejected
    assert ReviewStore.open(earlier).of(1)[0].judgement.labels == ()


def test_a_verdict_that_changes_in_label_studio_leaves_the_labels_of_the_team(url, tmp_path):
    AuditStore.open(url).save(assemble(hand_evidence([0.1], [[0.7]]), Parameters()))
    ReviewStore.open(url).save(1, "ann", LABELLED)
    (task,) = json.loads(exported(url, ExportFormat.LABEL_STUDIO))
    (said,) = [r for r in task["annotations"][0]["result"] if r["from_name"] == "verdict"]
    said["value"]["choices"] = ["cannot_tell"]
    (tmp_path / "back.json").write_text(json.dumps([task]), encoding="utf-8")
    assert import_labels(tmp_path / "back.json", url).reviews == 1
    changed = ReviewStore.open(url).of(1)[-1].judgement
    assert (changed.verdict, changed.labels) == (JudgedVerdict.CANNOT_TELL, LABELLED.labels)


def test_who_typed_a_correction_is_kept_exported_and_comes_back(url, tmp_path):
    audits, audit = AuditStore.open(url), assemble(hand_evidence([0.1], [[0.7]]), Parameters())
    audits.save(audit)
    number = audits.save(
        replace(audit, created_at="2026-01-02T03:04:05.678+00:00"), 1, corrected_by="ann"
    )
    assert audits.corrected_by([1, number]) == {number: "ann"}
    csv = exported(url, ExportFormat.CSV).decode("utf-8-sig")
    assert ",ann,,," in csv
    other = f"sqlite:///{tmp_path}/other.db"
    for _ in range(2):
        assert not Importer.open(other).read(exported(url).splitlines()).rejected
    assert [*AuditStore.open(other).corrected_by([1, 2]).values()] == ["ann"]
