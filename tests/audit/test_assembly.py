"""Aggregation, calibration, tracing and recomputation on evidence built by hand."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

from provenance_core import Parameters, assemble, recompute
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.parameters import PARAMETERS, RecomputedParameters
from provenance_core.scoring.support import calibrated_support
from provenance_core.scoring.tracing import evidence_span, sentence_matrix
from provenance_core.types import Entailment, EvidenceSentence, PairScores, SentenceLabel, Verdict
from tests.conftest import hand_evidence

# Softmax of these is 1/8, 2/8, 5/8: TopP 0.9 keeps all three, TopP 0.7 the last two.
RELEVANCE = [0.0, math.log(2), math.log(5)]
ENTAILMENT = [[0.9, 0.2, 0.4], [0.1, 0.6, 0.3]]


def audit(**parameters):
    return assemble(hand_evidence(RELEVANCE, ENTAILMENT), Parameters(**parameters))


@pytest.mark.parametrize(
    ("aggregation", "claims"),
    [
        ("max", [0.9, 0.6]),
        ("min", [0.2, 0.1]),
        (
            "weighted_average",
            [0.9 / 8 + 0.2 * 2 / 8 + 0.4 * 5 / 8, 0.1 / 8 + 0.6 * 2 / 8 + 0.3 * 5 / 8],
        ),
    ],
)
def test_aggregation_by_hand(aggregation, claims):
    result = audit(aggregation=aggregation, claim_aggregation="harmonic_mean")
    assert [c.score for c in result.claims] == pytest.approx(claims)
    assert result.score == pytest.approx(2 / sum(1 / claim for claim in claims))
    assert sum(s.contribution for s in result.sources) == pytest.approx(result.score)
    lowest = audit(aggregation=aggregation, claim_aggregation="min")
    assert lowest.score == pytest.approx(min(claims))
    assert sum(s.contribution for s in lowest.sources) == pytest.approx(lowest.score)


def test_selection_changes_what_is_aggregated():
    result = audit(selection="top_p", top_p=0.7)
    assert [s.selected for s in result.sources] == [False, True, True]
    assert [s.weight for s in result.sources] == pytest.approx([0, 2 / 7, 5 / 7])
    assert [c.score for c in result.claims] == pytest.approx([0.4, 0.6])
    assert [c.decided_by for c in result.claims] == [2, 1]


def test_threshold_decides_at_equality():
    score = audit().score
    assert audit(threshold=score).verdict is Verdict.SUPPORTED
    assert audit(threshold=score + 1e-9).verdict is Verdict.HALLUCINATED
    assert audit(threshold=0.5).margin == pytest.approx(score - 0.5)


def test_source_selection_miss_names_the_dropped_chunk():
    first = audit(selection="top_p", top_p=0.7).sentences[0]
    assert first.label is SentenceLabel.NOT_FOUND
    assert first.selection_miss and first.evidence_chunk == 0
    assert not audit(selection="top_p", top_p=0.9).sentences[0].selection_miss


def test_the_nearest_evidence_of_what_is_not_found_may_lie_in_a_dropped_chunk():
    result = assemble(
        hand_evidence([9.0, 0.0], [[0.1, 0.3]]), Parameters(selection="top_p", top_p=0.5)
    )
    first = result.sentences[0]
    assert first.label is SentenceLabel.NOT_FOUND and not first.selection_miss
    assert first.evidence_chunk == 1 and first.support == pytest.approx(0.1)


def test_contradicted_sentence_points_at_the_contradicting_chunk():
    evidence = hand_evidence([0.0, 0.0], [[0.1, 0.2]], [[0.8, 0.1]])
    result = assemble(evidence, Parameters())
    assert result.sentences[0].label is SentenceLabel.CONTRADICTED
    assert result.sentences[0].evidence_chunk == 0
    assert result.contradicts == ((0,), ())


def test_shared_words_do_not_make_a_chunk_that_contradicts_a_support():
    evidence = hand_evidence([2.0, -2.0], [[0.1, 0.1]], [[0.3, 0.3]])
    model = replace(evidence.nli_model, calibration_coverage=9.0)
    traced = assemble(
        replace(evidence, nli_model=model), Parameters(selection="top_p", top_p=0.5)
    ).sentences[0]
    assert traced.support > 0.5
    assert traced.label is SentenceLabel.NOT_FOUND and not traced.selection_miss


def test_a_contradicted_sentence_quotes_what_contradicts_and_a_supported_one_what_entails():
    context = "It is red. It is old."
    for entailment, contradiction, quoted in ((0.9, 0.05, "red"), (0.1, 0.8, "old")):
        evidence = hand_evidence([0.0], [[entailment]], [[contradiction]])
        chunk = replace(evidence.chunks[0], text=context, end=len(context))
        evidence = replace(
            evidence,
            context=(replace(evidence.context[0], text=context),),
            chunks=(chunk,),
            evidence_sentences=(
                EvidenceSentence(0, 0, 0, 10, Entailment(0.6, 0.3, 0.1)),
                EvidenceSentence(0, 0, 11, 21, Entailment(0.1, 0.1, 0.8)),
            ),
        )
        traced = assemble(evidence, Parameters()).sentences[0]
        assert quoted in context[traced.evidence_start : traced.evidence_end]


def test_an_evidence_sentence_that_was_not_scored_is_the_one_that_shares_most_words():
    context = "Nothing here. A claim of number zero or 0. Nothing there."
    evidence = hand_evidence([0.0], [[0.5]])
    chunk = replace(evidence.chunks[0], text=context, end=len(context))
    evidence = replace(evidence, chunks=(chunk,), evidence_sentences=())
    start, end = evidence_span(evidence, 0, 0, contradiction=False)
    assert context[start:end] == "A claim of number zero or 0."


def test_calibration_by_hand():
    model = replace(
        hand_evidence([0.0], [[0.5]]).nli_model,
        calibration_slope=2.0,
        calibration_intercept=1.0,
        calibration_coverage=3.0,
    )
    # Coverage 0.5 counts for 0.9 of itself beside a contradiction of 0.1.
    expected = 1 / (1 + math.exp(-(2 * math.log(0.8 / 0.2) + 1 + 3 * 0.9 * 0.5)))
    assert calibrated_support(0.8, 0.1, 0.5, model) == pytest.approx(expected)


def test_coverage_counts_the_claims_own_words():
    evidence = hand_evidence([0.0, 0.0], [[0.5, 0.5]])
    model = replace(evidence.nli_model, calibration_coverage=4.0)
    result = assemble(replace(evidence, nli_model=model), Parameters())
    # "Claim number 0." against "Chunk number 0." and "Chunk number 1.": 2 and 1 of 3 words,
    # and 2 of 3 in both together.
    expected = [1 / (1 + math.exp(-4 * share)) for share in (2 / 3, 1 / 2)]
    assert result.claims[0].factuality == pytest.approx(expected)
    assert sentence_matrix(result.evidence)[0][0] == pytest.approx(expected)


def test_recompute_equals_a_fresh_audit_and_keeps_the_evidence():
    fresh = audit(aggregation="min", threshold=0.3, selection="top_k", top_k=1)
    again = recompute(audit(), aggregation="min", threshold=0.3, selection="top_k", top_k=1)
    assert replace(again, created_at=fresh.created_at) == fresh


def test_json_round_trip_is_exact():
    result = audit(aggregation="weighted_average", threshold=1 / 3)
    assert audit_from_json(audit_to_json(result)) == result


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Not JSON"),
        ("{}", "schema"),
        ('{"schema": "provenance-audit/1", "evidence": {}}', "parameters"),
    ],
)
def test_unfit_json_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        audit_from_json(text)


@pytest.mark.parametrize(
    "wrong",
    [{"top_p": 0}, {"top_p": 1.1}, {"top_k": 0}, {"threshold": 2}, {"aggregation": "mean"}],
)
def test_parameters_out_of_range(wrong):
    with pytest.raises(ValueError):
        Parameters(**wrong)


def test_the_scores_of_pairs_cannot_be_written_to_also_after_pickling():
    scores = hand_evidence([0.0], [[0.2]]).claim_scores
    for each in (scores, pickle.loads(pickle.dumps(scores))):
        assert each == scores
        with pytest.raises(ValueError, match="read-only"):
            each.values[0, 0, 0] = 1.0


def test_evidence_refuses_scores_of_another_shape_and_scores_that_are_no_number():
    evidence = hand_evidence([0.0], [[0.2]])
    with pytest.raises(ValueError, match=r"claim_scores must have the shape \(1, 1, 3\)"):
        replace(evidence, claim_scores=PairScores(np.zeros((1, 2, 3))))
    with pytest.raises(ValueError, match="no finite number"):
        PairScores(np.array([[[0.5, np.nan, 0.5]]]))
    with pytest.raises(ValueError, match="must be read against a chunk"):
        replace(evidence, claim_scores=PairScores(np.full((1, 1, 3), np.nan)))


def test_the_types_of_what_is_recomputed_are_of_the_parameters_that_are():
    recomputed = {name for name, info in PARAMETERS.items() if info.recomputed}
    assert set(RecomputedParameters.__annotations__) == recomputed
