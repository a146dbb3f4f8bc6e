"""The formula shown beside an audit: each detector's own, with the audit's numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from provenance_core import DETECTORS, Parameters, assemble, default_parameters, recompute
from provenance_core.detectors import MOST_TERMS, parameters_read
from provenance_core.types import (
    Entailment,
    Evidence,
    JoinedPremise,
    JudgeModel,
    JudgePrompt,
    JudgeReply,
    MeasuredSpan,
    SetAside,
)
from reports.formulas import alternatives, formula_lines
from reports.wording import depends_on, parameters_text, setting_text
from tests.conftest import hand_evidence
from tests.wording import assert_shows

ENTAILMENT = [[0.8, 0.3], [0.1, 0.7]]
CONTRADICTION = [[0.1, 0.2], [0.6, 0.1]]


def lines(**parameters) -> list[str]:
    evidence = hand_evidence([0.0, 0.0], ENTAILMENT, CONTRADICTION)
    return formula_lines(assemble(evidence, Parameters(**parameters)))


def test_the_nli_matrix_counts_entailment_less_contradiction():
    assert lines(detector="nli-matrix") == snapshot(
        [
            "claim 1 = max entailment(0.800 [C1], 0.300 [C2]) × (1 − max contradiction(0.100 [C1], 0.200 [C2])) = 0.640",
            "claim 2 = max entailment(0.100 [C1], 0.700 [C2]) × (1 − max contradiction(0.600 [C1], 0.100 [C2])) = 0.280",
            "score = mean of 2 claims = 0.460",
            "0.460 < threshold 0.500 → hallucinated",
        ]
    )


def test_the_nli_matrix_says_where_no_chunk_is_about_a_claim():
    evidence = hand_evidence([0.0], [[0.2]], [[0.6]])
    chunk = replace(evidence.chunks[0], text="Tea at five.")
    item = replace(evidence.context[0], text="Tea at five.")
    audit = assemble(
        replace(evidence, chunks=(chunk,), context=(item,)), Parameters(detector="nli-matrix")
    )
    assert formula_lines(audit)[0] == snapshot(
        "claim 1 = max entailment(0.200 [C1]) × (1 − 0, as no chunk is about it) = 0.200"
    )


def test_the_nli_matrix_counts_the_largest_contradiction():
    assert lines(detector="nli-matrix", contradiction_rule="any") == snapshot(
        [
            "claim 1 = 1 − max contradiction(0.100 [C1], 0.200 [C2]) = 0.800",
            "claim 2 = 1 − max contradiction(0.600 [C1], 0.100 [C2]) = 0.400",
            "score = lowest of 2 claims = 0.400",
            "0.400 < threshold 0.500 → hallucinated",
        ]
    )


def test_the_nli_matrix_says_what_entails_under_the_other_rule():
    found = lines(detector="nli-matrix", contradiction_rule="unless_entailed")
    assert found[1] == snapshot("claim 2 = max entailment(0.100 [C1], 0.700 [C2]) = 0.700")
    assert found[2] == snapshot("score = lowest of 2 claims = 0.700")


def test_where_no_chunk_entails_the_contradiction_counts_under_both_rules():
    evidence = hand_evidence([0.0], [[0.2]], [[0.6]])
    for rule in ("any", "unless_entailed"):
        audit = assemble(evidence, Parameters(detector="nli-matrix", contradiction_rule=rule))
        assert formula_lines(audit)[0] == snapshot(
            "claim 1 = 1 − max contradiction(0.600 [C1]) = 0.400"
        )


def test_both_readings_of_the_rule_are_there_and_one_is_the_audits():
    evidence = hand_evidence([0.0, 0.0], ENTAILMENT, CONTRADICTION)
    audit = assemble(evidence, Parameters(detector="nli-matrix", contradiction_rule="any"))
    found = alternatives(audit)
    assert [each.score for each in found] == pytest.approx([0.46, 0.4, 0.7])
    assert [str(each.state) for each in found] == ["hallucinated", "hallucinated", "supported"]
    assert [each.shown for each in found] == [False, True, False]
    assert alternatives(assemble(evidence, Parameters(detector="summac"))) == ()


def test_summac_is_a_mean_of_largest_entailments():
    assert lines(detector="summac")[:3] == snapshot(
        [
            "claim 1 = max entailment(0.800 [C1], 0.300 [C2]) = 0.800",
            "claim 2 = max entailment(0.100 [C1], 0.700 [C2]) = 0.700",
            "score = mean of 2 claims = 0.750",
        ]
    )


def test_selfcheck_is_a_mean_of_contradictions_without_neutral():
    # 0.1 / (0.8 + 0.1) and 0.2 / (0.3 + 0.2); 0.6 / 0.7 and 0.1 / 0.8.
    assert lines(detector="selfcheck")[:3] == snapshot(
        [
            "claim 1 = 1 − mean contradiction without neutral(0.111 [C1], 0.400 [C2]) = 0.744",
            "claim 2 = 1 − mean contradiction without neutral(0.857 [C1], 0.125 [C2]) = 0.509",
            "score = mean of 2 claims = 0.627",
        ]
    )


def test_the_paper_keeps_its_own():
    assert lines(aggregation="min", top_p=1.0)[0].startswith("claim 1 = min(")
    weighted = lines(aggregation="weighted_average", top_p=1.0)[0]
    assert weighted.startswith("claim 1 = 0.500×") and " + 0.500×" in weighted


def test_the_premise_that_decides_is_written_out_however_many_there_are():
    scores = [0.1] * 40 + [0.9]
    audit = assemble(hand_evidence([0.0] * 41, [scores]), Parameters(detector="summac"))
    line = formula_lines(audit)[0]
    assert "0.900 [C41]" in line
    assert f"… {41 - MOST_TERMS} more" in line


def measured(entailment=ENTAILMENT, **others) -> Evidence:
    """Evidence with all that a detector may measure: "Claim number 0. Claim number 1. " has the
    measured parts "Claim" and "number 0", and the chunks of each claim say 0.8 and 0.1 together."""
    judge = JudgeModel("host", "judge-1", 0.0)
    given = {
        "spans": (MeasuredSpan(0, 5, 0.3), MeasuredSpan(6, 14, 0.9), MeasuredSpan(16, 30, 0.25)),
        "judge": JudgeReply(judge, JudgePrompt.SUMMARIZATION, "{}", 1),
        "joined_scores": tuple(
            JoinedPremise((0, 1)[: row + 1], Entailment(value, 0.1, 0.1))
            for row, value in enumerate((0.8, 0.1))
        )[: len(entailment)],
        **others,
    }
    return replace(hand_evidence([0.0, 0.0], entailment, CONTRADICTION), **given)


def test_grounded_in_context_is_by_the_joined_chunks_and_the_claims_that_count():
    greeting = (SetAside(1, "a greeting"),)
    audit = assemble(
        measured(set_aside=greeting), default_parameters(detector="grounded-in-context")
    )
    assert formula_lines(audit) == snapshot(
        [
            "claim 1 = entailment by C1 together = 0.800",
            "claim 2 = entailment by C1 + C2 together = 0.100 (set aside, not counted)",
            "score = harmonic mean of 1 of 2 claims = 0.800",
            "0.800 ≥ threshold 0.500 → supported",
        ]
    )
    # 2 / (1 / 0.8 + 1 / 0.1)
    counted = formula_lines(recompute(audit, count_set_aside=True))
    assert counted[1] == snapshot("claim 2 = entailment by C1 + C2 together = 0.100")
    assert counted[2] == snapshot("score = harmonic mean of 2 claims = 0.178")


def test_dense_retrieval_is_by_the_joined_sentences_whatever_the_aggregation():
    audit = assemble(measured(), Parameters(relevance_method="cosine", aggregation="min"))
    assert formula_lines(audit)[:2] == snapshot(
        [
            "claim 1 = support by C1 together = 0.800",
            "claim 2 = support by C1 + C2 together = 0.100",
        ]
    )


def test_where_all_is_set_aside_the_score_is_1_by_definition():
    evidence = hand_evidence([0.0], [[0.2]])
    joined = (JoinedPremise((0,), Entailment(0.2, 0.7, 0.1)),)
    evidence = replace(evidence, joined_scores=joined, set_aside=(SetAside(0, "a question"),))
    assert formula_lines(assemble(evidence, Parameters(detector="grounded-in-context")))[
        :2
    ] == snapshot(
        [
            "claim 1 = entailment by C1 together = 0.200 (set aside, not counted)",
            "score = 1 by definition, since nothing is to be checked = 1.000",
        ]
    )


def test_spans_are_by_the_least_supported_part():
    assert formula_lines(assemble(measured(), Parameters(detector="spans")))[:3] == snapshot(
        [
            "claim 1 = 1 − max unsupported(0.900 [characters 6–14], 0.300 [characters 0–5]) "
            "= 0.100",
            "claim 2 = 1 − max unsupported(0.250 [characters 16–30]) = 0.750",
            "score = lowest of 2 claims = 0.100",
        ]
    )
    nothing = assemble(measured(spans=()), Parameters(detector="spans"))
    assert formula_lines(nothing)[0] == snapshot("claim 1 = 1 − max unsupported(0) = 1.000")


def test_the_judge_is_by_the_characters_that_it_marks():
    # "Claim number 0." has 13 characters that are no white space; "Claim" and "number" are 11.
    spans = (MeasuredSpan(0, 12, 1.0),)
    audit = assemble(measured(spans=spans), Parameters(detector="llm-judge", threshold=1.0))
    assert formula_lines(audit)[:3] == snapshot(
        [
            "claim 1 = 1 − 11 of 13 characters marked by the judge = 0.154",
            "claim 2 = 1 − 0 of 13 characters marked by the judge = 1.000",
            "score = 1 − 11 of 26 characters marked by the judge = 0.577",
        ]
    )


@pytest.mark.parametrize("name", DETECTORS)
def test_every_detectors_formula_ends_with_its_score(name):
    audit = assemble(measured(), Parameters(detector=name))
    found = formula_lines(audit)
    assert [line.rsplit("= ", 1)[1] for line in found[:2]] == [
        f"{claim.score:.3f}" for claim in audit.claims
    ]
    assert found[-2].endswith(f"= {audit.score:.3f}")


def test_what_was_set_aside_is_in_the_settings_in_words():
    given = default_parameters(detector="grounded-in-context")
    assert "nothing to check" not in parameters_text(given)
    assert parameters_text(replace(given, count_set_aside=True)).endswith(
        "threshold 0.500, count sentences with nothing to check: yes"
    )
    assert setting_text("count_set_aside", True) == snapshot("count what was set aside: yes")
    assert "set aside" not in parameters_text(Parameters(detector="summac"))


def test_settings_in_words_are_those_that_the_detector_reads():
    matrix = Parameters(detector="nli-matrix", threshold=0.5, aggregation="min")
    assert parameters_text(matrix) == snapshot("NLI matrix, threshold 0.500")
    assert parameters_text(replace(matrix, contradiction_rule="unless_entailed")) == snapshot(
        "NLI matrix, threshold 0.500, counts only where no chunk entails"
    )
    assert parameters_read(matrix) == ("contradiction_rule", "count_set_aside")
    assert not depends_on(matrix, "aggregation")
    paper = default_parameters()
    assert "top_k" in parameters_read(paper) and "top_p" not in parameters_read(paper)
    assert parameters_text(paper) == "Two-stage, threshold 0.500"
    assert parameters_text(replace(paper, top_k=3)) == snapshot(
        "Two-stage, threshold 0.500, the 3 most relevant chunks"
    )
    other = replace(paper, selection="top_p", top_p=0.9, aggregation="weighted_average")
    assert_shows(
        parameters_text(other),
        snapshot(
            "the most relevant chunks up to 90 % of the relevance, a claim by the weighted average "
            "of its sources"
        ),
    )
    assert parameters_text(replace(paper, top_k=1)).endswith(", the most relevant chunk")
