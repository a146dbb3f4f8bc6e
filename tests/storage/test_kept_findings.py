"""A saved audit says what was found when it was first read, whatever the code has become."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from provenance_core import Audit, Parameters, SentenceLabel, assemble
from provenance_core.explain import reason_texts, verdict_sentence
from provenance_core.scoring import words
from provenance_core.types import Chunk, ContextItem, Evidence, Scores, Sentence, WordShares
from storage import AuditFilter, AuditStore
from storage.documents import pack_document, unpack_document
from storage.engine import get_engine
from tests.conftest import hand_evidence

FOLDER = Path(__file__).parent / "databases"
EARLIER = sorted(file.name.removesuffix(".sql.gz") for file in FOLDER.glob("*.sql.gz"))


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "p.db"


@pytest.fixture
def url(file) -> str:
    return f"sqlite:///{file}"


def what_is_said(audit: Audit) -> tuple[object, ...]:
    """Label, evidence and reason of each sentence, and the verdict's reason."""
    traced = [(each.label, each.evidence_start, each.evidence_end) for each in audit.sentences]
    return traced, reason_texts(audit), verdict_sentence(audit)


def find_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code has become such that it finds nothing."""
    monkeypatch.setattr(words, "find_in_answer", lambda _: ())
    monkeypatch.setattr(words, "word_shares", nothing)


def nothing(evidence: Evidence) -> WordShares:
    count = len(evidence.sentences)
    return WordShares((), (0.0,) * count, (1.0,) * count)


def bridge() -> Audit:
    evidence = hand_evidence([1.0], [[0.2]])
    answer, context = "The bridge is 16 km long.", "It rained. The bridge is 8 km long."
    return assemble(
        replace(
            evidence,
            answer=answer,
            context=(ContextItem(0, context),),
            chunks=(Chunk(0, 0, 0, len(context), context, 9),),
            sentences=(Sentence(0, 0, len(answer), answer),),
            claims=(replace(evidence.claims[0], end=len(answer), text=answer),),
            evidence_sentences=(),
            support=Scores([[0.2]]),
        ),
        Parameters(),
    )


def strip_findings(url: str) -> None:
    """As versions before findings wrote it."""
    with get_engine(url).begin() as connection:
        for number, document in connection.execute(text("SELECT id, document FROM audits")).all():
            plain = unpack_document(document)
            for name in ("findings", "words"):
                del plain["evidence"][name]
            connection.execute(
                text("UPDATE audits SET document = :made WHERE id = :id"),
                {"made": pack_document(plain), "id": number},
            )


def test_what_was_found_is_kept_with_an_audit(url, monkeypatch):
    store = AuditStore.open(url)
    number = store.save(bridge())
    said = what_is_said(bridge())
    assert said[0][0][0] is SentenceLabel.CONTRADICTED and "C1 has “8 km”" in said[2]
    find_nothing(monkeypatch)
    assert what_is_said(store.load(number).audit) == said


def test_an_audit_without_findings_gets_them_when_it_is_opened_and_keeps_them(url, monkeypatch):
    store = AuditStore.open(url)
    number = store.save(bridge())
    strip_findings(url)
    said = what_is_said(store.load(number).audit)
    assert said == what_is_said(bridge())
    find_nothing(monkeypatch)
    assert what_is_said(store.load(number).audit) == said


@pytest.mark.parametrize("name", EARLIER)
def test_audits_of_every_version_keep_label_and_reason(url, file, name, monkeypatch):
    with closing(sqlite3.connect(file)) as made:
        made.executescript(gzip.decompress((FOLDER / f"{name}.sql.gz").read_bytes()).decode())
    store = AuditStore.open(url)
    numbers = [row.id for row in store.page(AuditFilter()).rows]
    said = [what_is_said(store.load(number).audit) for number in numbers]
    find_nothing(monkeypatch)
    assert [what_is_said(store.load(number).audit) for number in numbers] == said
