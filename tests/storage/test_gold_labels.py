"""Gold labels: what settles a disagreement, beside the judgements."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest

from provenance_core import InputError, Parameters, assemble
from provenance_core.review.types import JudgedVerdict, Judgement
from storage import (
    AuditNotFound,
    AuditStore,
    GoldLabelStore,
    ItemFilter,
    ItemStore,
    Reviewed,
    ReviewStore,
    SeenAuditStore,
)
from storage.exports import ExportFormat
from storage.gold_labels import GoldProgress
from storage.imports import Importer
from storage.returned_labels import import_labels
from tests.conftest import hand_evidence
from tests.exports_data import exported

S, H, C = JudgedVerdict


@pytest.fixture
def gold(url) -> GoldLabelStore:
    """Audits 1 and 2 are of one answer, which ann and bob disagree about; audit 3 is not judged."""
    audits, reviews = AuditStore.open(url), ReviewStore.open(url)
    for threshold, query in ((0.5, "a"), (0.6, "a"), (0.5, "b")):
        evidence = replace(hand_evidence([0.1], [[0.7]]), query=query)
        audits.save(assemble(evidence, Parameters(threshold=threshold)))
    reviews.save(1, "ann", Judgement(S))
    reviews.save(2, "bob", Judgement(H))
    return GoldLabelStore.open(url)


def listed(url: str, reviewed: Reviewed) -> set[int]:
    page = ItemStore.open(url).page(ItemFilter(reviewed=reviewed))
    return {item.audit_id for item in page.items}


def test_a_gold_label_settles_every_audit_of_the_answer_and_replaces_no_judgement(gold, url):
    assert listed(url, Reviewed.UNSETTLED) == {1, 2}
    assert gold.progress(ItemFilter()) == GoldProgress(1, 0)
    first = gold.save(1, "cy", H, "page 2")
    assert [(s.reviewer, s.verdict) for s in first.settled] == [("ann", S), ("bob", H)]
    assert listed(url, Reviewed.UNSETTLED) == set()
    assert listed(url, Reviewed.SETTLED) == listed(url, Reviewed.DISPUTED) == {1, 2}
    second = gold.save(2, "dan", S)
    assert gold.of(1) == gold.of(2) == (first, second)
    assert gold.of(3) == ()
    assert gold.progress(ItemFilter()) == GoldProgress(1, 1)
    items = ItemStore.open(url).of_audits([1, 2, 3])
    assert [(item.gold, item.opinion) for item in items] == [("supported", 1)] * 2 + [(None, None)]
    assert [r.judgement.verdict for r in ReviewStore.open(url).opinions(ItemFilter())] == [S, H]
    labels = ItemStore.open(url).labels(ItemFilter(reviewed=Reviewed.REVIEWED))
    assert {each.opinion for each in labels} == {1}
    gold.save(1, "cy", C)
    assert ItemStore.open(url).of_audits([1])[0].opinion is None


def test_what_cannot_be_settled_is_refused(gold):
    with pytest.raises(InputError, match="Nobody has judged"):
        gold.save(3, "cy", S)
    with pytest.raises(AuditNotFound):
        gold.save(9, "cy", S)
    with pytest.raises(InputError, match="name is empty"):
        gold.save(1, " ", S)
    with pytest.raises(InputError, match="10,001 characters"):
        gold.save(1, "cy", S, "x" * 10_001)


def test_gold_labels_are_exported_and_come_back(gold, url, tmp_path):
    gold.save(1, "cy", S, "first")
    gold.save(1, "cy", H, "page 2")
    whole = exported(url)
    lines = sorted(map(json.loads, whole.splitlines()), key=lambda line: line["id"])
    assert [[g["verdict"] for g in line["gold"]] for line in lines] == [
        ["supported", "hallucinated"], [], [],
    ]  # fmt: skip
    rows = csv.DictReader(exported(url, ExportFormat.CSV).decode("utf-8-sig").splitlines())
    told = sorted((row["gold_label"], row["gold_by"], row["state"]) for row in rows)
    assert told == [("", "", "supported"), *[("hallucinated", "cy", "supported")] * 2]
    other = f"sqlite:///{tmp_path}/other.db"
    importer = Importer.open(other)
    for _ in range(2):  # nothing is kept twice
        assert not importer.read(whole.splitlines()).rejected
    items = ItemStore.open(other).page(ItemFilter(reviewed=Reviewed.SETTLED)).items
    found = GoldLabelStore.open(other).of(items[0].audit_id)
    assert [(g.decided_by, g.verdict, g.comment) for g in found] == [
        ("cy", S, "first"), ("cy", H, "page 2"),
    ]  # fmt: skip
    assert [item.gold for item in items] == ["hallucinated"] * 2


def test_the_tools_for_labelling_get_the_gold_label_and_no_judgement_of_it(gold, url, tmp_path):
    gold.save(1, "cy", H, "page 2")
    tasks = json.loads(exported(url, ExportFormat.LABEL_STUDIO))
    assert sorted(task["data"]["gold"] for task in tasks) == [
        "", *["hallucinated, decided by cy: page 2"] * 2,
    ]  # fmt: skip
    notes = json.loads(exported(url, ExportFormat.PHOENIX))["data"]
    settled = [note for note in notes if note["name"] == "gold_label"]
    assert len(settled) == 2
    assert settled[0]["metadata"]["decided_by"] == "cy"
    assert settled[0]["result"] == {"label": "hallucinated", "score": 0.0, "explanation": "page 2"}
    scores = [json.loads(line) for line in exported(url, ExportFormat.LANGFUSE).splitlines()]
    given = [(s["value"], s["comment"], s["metadata"]) for s in scores if s["name"] == "gold_label"]
    assert [(value, why, of["source"], of["reviewer"]) for value, why, of in given] == [
        ("hallucinated", "page 2", "gold", "cy")
    ] * 2
    for wanted in (ExportFormat.LABEL_STUDIO, ExportFormat.PHOENIX, ExportFormat.LANGFUSE):
        (tmp_path / "labels.json").write_bytes(exported(url, wanted))
        back = import_labels(tmp_path / "labels.json", url)
        assert (back.reviews, back.rejected) == (0, ()), wanted


def test_what_was_seen_is_kept_by_the_folded_name(gold, url):
    seen = SeenAuditStore.open(url)
    for _ in range(2):
        seen.note("Ann", [1, 99])
    assert SeenAuditStore.open(url).any_seen(" ann ", [1, 2])
    assert not seen.any_seen("bob", [1])
    assert not seen.any_seen("ann", [2, 3])
    AuditStore.open(url).delete(1)
    assert not seen.any_seen("ann", [1])
