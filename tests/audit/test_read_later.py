"""A pair that an audit left out is read when asked for, and changes nothing that was found."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace

import pytest

from provenance_core.audit.read_later import read_later, with_later
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.errors import ModelError
from provenance_core.types import Entailment, ModelInfo
from reports.audit_report import audit_report
from reports.charts import heatmap, shown_part
from reports.quantities import Quantity, pair_numbers
from reports.wording import READ_LATER, UNREAD
from storage import AuditNotFound, AuditStore, StorageError
from tests.app_page import open_page
from tests.audit.test_partly_read import an_older_audit

LEFT_OUT = (1, 2)
SAID = Entailment(0.7, 0.2, 0.1)


@dataclass
class _Nli:
    info: ModelInfo


class _Models:
    """What the NLI model of the audit would say of any pair; it notes the pairs."""

    def __init__(self, info: ModelInfo) -> None:
        self.nli = _Nli(info)
        self.asked: list[tuple[str, str]] = []

    def entailment(self, pairs):
        self.asked += pairs
        return [SAID for _ in pairs]


@pytest.fixture
def audit():
    return audit_from_json(an_older_audit())


@pytest.fixture
def reading(audit):
    return read_later(audit, *LEFT_OUT, _Models(audit.evidence.nli_model))


def test_the_sentence_is_read_against_the_chunk(audit):
    models = _Models(audit.evidence.nli_model)
    reading = read_later(audit, *LEFT_OUT, models)
    chunk, sentence = audit.evidence.chunks[2].text, audit.evidence.claims[1].text
    assert models.asked == [(chunk, sentence)]
    assert (reading.sentence, reading.chunk, reading.scores) == (*LEFT_OUT, SAID)


def test_other_weights_are_refused(audit):
    with pytest.raises(ModelError, match=r"Audit the answer again"):
        read_later(audit, *LEFT_OUT, _Models(replace(audit.evidence.nli_model, sha256="other")))


def test_it_changes_no_score_label_or_cell_and_says_so(audit, reading):
    after = with_later(audit, reading)
    for name in ("score", "verdict", "sentences", "claims", "sources", "cells"):
        assert getattr(after, name) == getattr(audit, name)
    assert pair_numbers(audit, *LEFT_OUT) == (UNREAD,)
    assert pair_numbers(after, *LEFT_OUT) == (READ_LATER, "E 0.70", "C 0.10", "N 0.20")
    shown = shown_part(after)
    before, drawn = (heatmap(each, shown, Quantity.SUPPORT) for each in (audit, after))
    assert before.data[0].z == drawn.data[0].z
    assert any(READ_LATER in text for text in drawn.data[1].text)
    assert READ_LATER in audit_report(after)
    assert with_later(after, reading) == after
    assert audit_from_json(audit_to_json(after)) == after


@pytest.mark.parametrize("place", [(0, 0), (1, 9), (9, 2), (-1, 2)])
def test_only_a_pair_that_was_left_out_can_be_added(audit, reading, place):
    with pytest.raises(ValueError, match=r"left out"):
        with_later(audit, type(reading)(*place, SAID))


def test_it_is_kept_with_the_saved_audit(audit, reading, url):
    store = AuditStore.open(url)
    number = store.save(audit)
    store.keep_later(number, reading)
    assert store.load(number).audit == with_later(audit, reading)
    with pytest.raises(StorageError):
        store.keep_later(number, type(reading)(0, 0, SAID))
    with pytest.raises(AuditNotFound):
        store.keep_later(number + 1, reading)


def test_the_page_offers_it_and_keeps_it(audit, url, monkeypatch):
    class _Shared:
        def use(self, profile, progress):
            return nullcontext(_Models(audit.evidence.nli_model))

    monkeypatch.setattr("dashboard.audit.unread_cell.shared_models", _Shared)
    number = AuditStore.open(url).save(audit)
    app = open_page(audit=str(number))
    assert not [each for each in app.button if each.key == "read_this_chunk"]
    app.selectbox(key="matrix_sentence").set_value(1).run()
    app.selectbox(key="matrix_chunk").set_value(2).run()
    app.button(key="read_this_chunk").click().run()
    assert not app.exception
    assert any(READ_LATER in each.value for each in app.caption)
    assert AuditStore.open(url).load(number).audit.evidence.later(*LEFT_OUT) == SAID
