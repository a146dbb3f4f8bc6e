"""The cascade: the large model reads again what can change a verdict, and one support is shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dashboard.audit.result import cell_text
from provenance_core import default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.scoring.features import ENTAILED_ALONE, measured_support
from provenance_core.types import SentenceLabel, VerdictState
from reports.markup import evidence_markup
from reports.quantities import counted_reading
from storage import AuditStore

CONTEXT = [
    "The Sund bridge runs nearly 8 kilometres from the coast to the island. It was opened in 2000.",
    "A double-track railway runs on the lower deck, and cars use the upper deck.",
    "Ferries still run every twenty minutes further north.",
]
ANSWER = "It was opened in 2000. The bridge runs for about 16 kilometres. It carries no railway."


@pytest.fixture(scope="module")
def audit(cascade):
    return cascade.audit(answer=ANSWER, context=CONTEXT)


def test_the_large_model_reads_some_pairs_again_and_says_which(audit):
    second = audit.evidence.second
    assert second is not None
    assert second.model.model_id == "provenance-nli-mpnet-109m"
    read = audit.evidence.second.scores.read
    # The first sentence stands in the context word for word: nothing can change its support.
    assert not read[0].any()
    assert read[1].any() and read[2].any()
    assert read.sum() <= 2 * len(audit.sentences)


def test_a_sentence_has_one_support_in_claim_trace_and_heatmap(audit):
    support = audit.evidence.support.values
    chosen = [source.chunk.index for source in audit.sources if source.selected]
    for traced, result in zip(audit.sentences, audit.claims, strict=True):
        assert traced.support == result.score
        assert traced.support == pytest.approx(support[traced.sentence.index, chosen].max())
        is_supported = traced.support >= audit.parameters.threshold
        assert (traced.label is SentenceLabel.SUPPORTED) == is_supported
    supports = np.array([traced.support for traced in audit.sentences])
    assert audit.score == pytest.approx((1 / supports).sum() / (1 / supports**2).sum())


def test_wrong_facts_are_found_and_a_copied_sentence_is_supported(audit):
    labels = [traced.label for traced in audit.sentences]
    assert labels[0] is SentenceLabel.SUPPORTED
    assert audit.sentences[0].support >= 0.99
    assert labels[1] is SentenceLabel.CONTRADICTED
    assert audit.state is VerdictState.HALLUCINATED
    assert audit.checked == 3


@pytest.mark.xfail(strict=True, reason="a chunk that says nothing of it entails it to revision 6")
def test_what_another_chunk_denies_is_found(audit):
    assert audit.sentences[2].label is not SentenceLabel.SUPPORTED


def test_a_supported_verdict_over_a_flagged_sentence_is_a_state_of_its_own(audit):
    lenient = assemble(
        audit.evidence, replace(audit.parameters, claim_aggregation="mean", threshold=0.4)
    )
    assert lenient.flagged
    assert lenient.state is VerdictState.FLAGGED


def test_the_page_names_of_a_cell_the_reading_that_counted(audit):
    evidence, second = audit.evidence, audit.evidence.second
    cell = tuple(np.argwhere(second.scores.read)[0].tolist())
    again = second.scores.cell(*cell)
    assert counted_reading(evidence, *cell) == (again, second.model)
    said = cell_text(audit, *cell)
    assert said.endswith(
        f"entailment {again.entailment:.3f}), read again by {second.model.model_id}"
    )
    # The first sentence stands in the context word for word and is not read again.
    assert counted_reading(evidence, 0, 0) == (
        evidence.sentence_scores.cell(0, 0),
        evidence.nli_model,
    )
    assert "read again" not in cell_text(audit, 0, 0)


def test_no_first_impression_outweighs_what_was_read_again(audit):
    evidence = audit.evidence
    read, support = evidence.second.scores.read, evidence.support.values
    for row in range(len(support)):
        if read[row].any():
            assert support[row].max() == support[row][read[row]].max()


def test_the_support_of_a_stored_audit_is_computed_again_without_a_model(audit):
    assert measured_support(audit.evidence) == audit.evidence.support


def test_comes_back_from_json_and_database_as_it_was(audit, url):
    assert audit_from_json(audit_to_json(audit)) == audit
    store = AuditStore.open(url)
    assert store.load(store.save(audit)).audit.evidence == audit.evidence


def test_its_pages_default_is_the_profile_of_the_setting(monkeypatch):
    monkeypatch.setenv("PROVENANCE_PROFILE", "cascade")
    assert default_parameters() == default_parameters("cascade")


HALL = "The town hall stands on the market square. The hall seats 410 people."
ORGAN = "Concerts are given every Friday. The organ was built in 1974. It has 40 stops."
JOINED = "The hall seats 410 people and the organ was built in 1974."


@pytest.mark.parametrize("query", ["", "Tell me about the hall."])
def test_a_sentence_that_joins_two_items_is_supported_by_both_together(cascade, query):
    found = cascade.audit(query=query, answer=JOINED, context=[HALL, ORGAN])
    (traced,) = found.sentences
    assert traced.label is SentenceLabel.SUPPORTED
    assert traced.together == (0, 1)
    assert "Read together with" in evidence_markup(found, traced)
    assert audit_from_json(audit_to_json(found)) == found


# Revision 5 of the large model lets another noun pass that revision 4 found.
_ANOTHER_NOUN = pytest.param(
    ("organ", "bridge"), marks=pytest.mark.xfail(strict=True, reason="supported by revision 5")
)


@pytest.mark.parametrize("wrong", [("410", "300"), ("1974", "1947"), _ANOTHER_NOUN])
def test_a_wrong_half_is_found(cascade, wrong):
    found = cascade.audit(answer=JOINED.replace(*wrong), context=[HALL, ORGAN])
    assert found.state is VerdictState.HALLUCINATED
    assert found.sentences[0].together == ()


def test_windows_are_read_for_what_no_chunk_entails_alone(cascade):
    answer = f"{JOINED} The organ has forty stops. It has 40 stops."
    again = cascade.audit(answer=answer, context=[HALL, ORGAN]).evidence.second
    read = again.together.scores.read.any(axis=1).tolist()
    assert read[0]
    assert not read[2]  # it stands there word for word
    assert read[1] == bool(again.scores.entailment[1][again.scores.read[1]].max() < ENTAILED_ALONE)
    one = cascade.audit(answer="It has 41 stops.", context=[ORGAN]).evidence.second
    assert one.together.windows == ()  # its one chunk is the whole context
