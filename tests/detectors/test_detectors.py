"""Each detector against a hand-worked example of its own document, and what all must hold."""

from dataclasses import replace

import numpy as np
import pytest

from provenance_core import (
    DETECTORS,
    Parameters,
    Provenance,
    assemble,
    default_parameters,
    recompute,
)
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.detectors import Quantity
from provenance_core.errors import InputError
from provenance_core.text.checked_texts import check_texts
from provenance_core.text.premises import split_premises
from provenance_core.types import ContextItem, Granularity, SentenceLabel, Verdict
from reports.quantities import cell_values
from tests.conftest import hand_evidence

CONTEXT = [
    "The bridge was opened in 1932. It took eight years to build.\n\nPeople walk over it.",
    "The town lies at the river. Its market is held on Mondays.",
]
ANSWER = "The bridge was opened in 1932. The market is held on Fridays."
OTHERS = ["The bridge opened in 1932.", "It was opened in 1932, and the market is on Mondays."]


def matrix(**parameters):
    """Two sentences, two chunks: the second sentence is contradicted by the first chunk and
    entailed by the second, as the document complains."""
    evidence = hand_evidence([0.0, 0.0], [[0.8, 0.3], [0.1, 0.7]], [[0.1, 0.2], [0.6, 0.1]])
    return assemble(evidence, Parameters(detector="nli-matrix", **parameters))


def test_nli_matrix_counts_entailment_less_contradiction():
    found = matrix()
    # Every chunk shares words with every sentence: 0.8 x (1 - 0.2) and 0.7 x (1 - 0.6).
    assert [c.score for c in found.claims] == pytest.approx([0.64, 0.28])
    assert [c.decided_by for c in found.claims] == [0, 1]
    assert found.score == pytest.approx((0.64 + 0.28) / 2)
    assert found.verdict is Verdict.HALLUCINATED
    first, second = found.sentences
    assert (first.label, first.evidence_chunk) == (SentenceLabel.SUPPORTED, 0)
    assert (second.label, second.evidence_chunk) == (SentenceLabel.CONTRADICTED, 0)
    assert [first.support, second.support] == pytest.approx([0.64, 0.28])
    assert found.contradicts == ((1,), ())


def test_nli_matrix_counts_no_contradiction_by_a_chunk_about_something_else():
    evidence = hand_evidence([0.0, 0.0], [[0.9, 0.1]], [[0.1, 0.95]])
    other = replace(evidence.chunks[1], text="Tea at five.")
    items = (evidence.context[0], replace(evidence.context[1], text="Tea at five."))
    evidence = replace(evidence, chunks=(evidence.chunks[0], other), context=items)
    found = assemble(evidence, Parameters(detector="nli-matrix"))
    assert found.score == pytest.approx(0.9 * (1 - 0.1))
    assert found.sentences[0].contradiction == pytest.approx(0.1)
    assert found.contradicts == ((), ())
    assert recompute(found, contradiction_rule="any").score == pytest.approx(1 - 0.95)
    # The cell is coloured by what counts.
    assert cell_values(found, Quantity.VERDICT).tolist() == [[0.0, 1.0]]
    assert found.cells.support.values == pytest.approx(np.array([[0.81, 0.09]]))
    assert found.cells.contradiction.values == pytest.approx(np.array([[0.1, 0.0]]))


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5, 0.7])
def test_the_label_of_the_only_sentence_is_the_verdict_of_the_nli_matrix(threshold):
    rng = np.random.default_rng(7)
    for _ in range(50):
        for_it, _, against = rng.dirichlet([0.4, 0.4, 0.4], 3).T
        evidence = hand_evidence([0.0] * 3, [for_it.tolist()], [against.tolist()])
        found = assemble(evidence, Parameters(detector="nli-matrix", threshold=threshold))
        supported = found.sentences[0].label is SentenceLabel.SUPPORTED
        assert supported == (found.verdict is Verdict.SUPPORTED)
        assert found.sentences[0].support == pytest.approx(found.cells.support.values.max())


def test_nli_matrix_is_the_documents_rule():
    found = matrix(contradiction_rule="any")
    # The largest contradiction of any cell is 0.6: over 50 %, so hallucinated.
    assert found.score == pytest.approx(1 - 0.6)
    assert found.verdict is Verdict.HALLUCINATED
    assert [c.score for c in found.claims] == pytest.approx([0.8, 0.4])
    assert [c.decided_by for c in found.claims] == [1, 0]
    assert [s.label for s in found.sentences] == [
        SentenceLabel.SUPPORTED,
        SentenceLabel.CONTRADICTED,
    ]
    assert found.sentences[1].evidence_chunk == 0


def test_a_contradiction_of_even_odds_is_not_over_half():
    evidence = hand_evidence([0.0], [[0.2]], [[0.5]])
    given = Parameters(detector="nli-matrix", contradiction_rule="any")
    assert assemble(evidence, given).verdict is Verdict.SUPPORTED


def test_nli_matrix_can_leave_out_what_another_chunk_entails():
    found = matrix(contradiction_rule="unless_entailed")
    assert found.score == pytest.approx(0.7)
    assert found.verdict is Verdict.SUPPORTED
    assert [s.label for s in found.sentences] == [SentenceLabel.SUPPORTED] * 2
    # Both readings come from one measurement.
    assert recompute(matrix(), contradiction_rule="unless_entailed").score == found.score


def test_summac_is_the_mean_of_the_largest_entailments():
    evidence = hand_evidence([0.0, 0.0, 0.0], [[0.9, 0.2, 0.4], [0.1, 0.6, 0.3]])
    found = assemble(evidence, Parameters(detector="summac"))
    assert found.score == pytest.approx((0.9 + 0.6) / 2)
    assert [c.decided_by for c in found.claims] == [0, 1]


def test_selfcheck_is_the_mean_contradiction_without_neutral():
    # Entailment and contradiction of two sentences by two answers of other systems.
    evidence = hand_evidence([0.0, 0.0], [[0.6, 0.3], [0.1, 0.2]], [[0.2, 0.3], [0.3, 0.6]])
    found = assemble(evidence, Parameters(detector="selfcheck"))
    inconsistent = [(0.2 / 0.8 + 0.3 / 0.6) / 2, (0.3 / 0.4 + 0.6 / 0.8) / 2]
    assert [c.score for c in found.claims] == pytest.approx([1 - x for x in inconsistent])
    assert found.score == pytest.approx(1 - np.mean(inconsistent))


@pytest.mark.parametrize(
    ("granularity", "texts"),
    [
        (
            "sentence",
            [
                "The bridge was opened in 1932.",
                "It took eight years to build.",
                "People walk over it.",
                "The town lies at the river.",
                "Its market is held on Mondays.",
            ],
        ),
        (
            "paragraph",
            [
                "The bridge was opened in 1932. It took eight years to build.",
                "People walk over it.",
                "The town lies at the river. Its market is held on Mondays.",
            ],
        ),
        ("document", CONTEXT),
    ],
)
def test_summac_reads_the_context_in_the_parts_asked_for(provenance, granularity, texts):
    parameters = replace(default_parameters(detector="summac"), granularity=granularity)
    evidence = provenance.measure(check_texts(answer=ANSWER, context=CONTEXT), parameters)
    assert [chunk.text for chunk in evidence.chunks] == texts
    for chunk in evidence.chunks:
        assert evidence.context[chunk.item].text[chunk.start : chunk.end] == chunk.text
    assert len(evidence.claims) == 2


def test_parts_over_the_limit_are_cut_and_lose_nothing():
    text = "One two three four five. Six seven eight.\n\nNine ten eleven twelve thirteen fourteen."
    count = lambda texts: [len(t.split()) for t in texts]  # noqa: E731
    for granularity in Granularity:
        parts = split_premises(
            [ContextItem(0, text)], granularity, max_tokens=4, count_tokens=count
        )
        assert "".join("".join(part.text for part in parts).split()) == "".join(text.split())
        assert all(part.tokens <= 4 for part in parts)


def test_a_document_over_the_window_says_so(provenance):
    long = " ".join(f"Sentence number {n} is about the bridge over the river." for n in range(60))
    parameters = replace(default_parameters(detector="summac"), granularity="document")
    found = provenance.audit(answer=ANSWER, context=[long], parameters=parameters)
    assert "document_in_parts" in [notice.code for notice in found.evidence.notices]


def test_the_matrix_keeps_the_whole_answer_too(provenance):
    parameters = default_parameters(detector="nli-matrix")
    evidence = provenance.measure(check_texts(answer=ANSWER, context=CONTEXT), parameters)
    assert len(evidence.answer_scores) == len(evidence.chunks) == 2
    assert evidence.answer_scores.values.sum(axis=-1) == pytest.approx([1.0, 1.0])
    # And the paper's method does not ask for it.
    assert not provenance.audit(answer=ANSWER, context=CONTEXT).evidence.answer_scores


def test_the_paper_is_the_default():
    assert Parameters().detector == "two-stage"
    assert default_parameters().threshold != default_parameters(detector="summac").threshold


def audit_by(provenance: Provenance, name, answer=ANSWER, context=None):
    if reason := DETECTORS[name].unavailable():
        pytest.skip(reason)
    given = context or (OTHERS if name == "selfcheck" else CONTEXT)
    return provenance.audit(
        query="When was it opened?",
        answer=answer,
        context=given,
        parameters=default_parameters(detector=name),
    )


@pytest.mark.parametrize("name", DETECTORS)
class TestEveryDetector:
    def test_scores_lie_between_0_and_1(self, provenance, name):
        found = audit_by(provenance, name)
        assert 0 <= found.score <= 1
        assert all(0 <= claim.score <= 1 for claim in found.claims)
        assert sum(source.weight for source in found.sources) == pytest.approx(1)

    def test_the_order_of_the_context_does_not_matter(self, provenance, name):
        given = OTHERS if name == "selfcheck" else CONTEXT
        forth = audit_by(provenance, name, context=given)
        back = audit_by(provenance, name, context=given[::-1])
        if not DETECTORS[name].traits.order_matters:
            assert back.score == pytest.approx(forth.score, abs=1e-5)

    def test_a_copied_answer_is_supported(self, provenance, name):
        text = "The bridge was opened in 1932. It took eight years to build."
        found = audit_by(provenance, name, text, [text, text])
        assert found.verdict is Verdict.SUPPORTED
        assert {s.label for s in found.sentences} == {SentenceLabel.SUPPORTED}

    def test_an_empty_context_supports_nothing(self, provenance, name):
        with pytest.raises(InputError, match="context"):
            audit_by(provenance, name, context=[" "])

    def test_comes_back_from_json_as_it_was(self, provenance, name):
        found = audit_by(provenance, name)
        assert audit_from_json(audit_to_json(found)) == found

    def test_says_what_it_is(self, provenance, name):
        detector = DETECTORS[name]
        assert detector.name is name
        assert detector.title
        assert detector.source
        assert detector.explanation.endswith(".")
        assert ". " not in detector.explanation  # one sentence
        unknown = set(detector.traits.uses) - set(Parameters.__dataclass_fields__)
        assert not unknown
