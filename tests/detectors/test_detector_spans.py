"""The spans detector against hand-worked examples of RAGTruth."""

from dataclasses import replace

import pytest

from provenance_core import Parameters, Provenance, assemble, default_parameters, recompute
from provenance_core.detectors import get_detector
from provenance_core.detectors._span_measurement import (
    ClauseReading,
    PhraseReading,
    SentenceReading,
)
from provenance_core.detectors.spans import (
    EVIDENT,
    finding_type,
    measured_spans,
    phrase_unsupported,
)
from provenance_core.evaluation.scorers import DetectorScorer, unsupported_spans
from provenance_core.explain.method import contributions_text
from provenance_core.files.types import GoldSpan, LabelledRow
from provenance_core.statistics.metrics import span_counts, span_figures
from provenance_core.types import FindingType, MeasuredSpan, SentenceLabel, Verdict
from tests.conftest import hand_evidence

# The first example is of the kind of the document's conflicts: a number that the source has not.
CONTEXT = [
    "Facebook bought Instagram in 2012. The company had 30 million users at that time, and 13 "
    "employees.",
    "Instagram was founded in 2010 by Kevin Systrom and Mike Krieger in San Francisco.",
]
WRONG = "Instagram had 69 million users when Facebook bought it in 2012."
RIGHT = "Instagram had 30 million users when Facebook bought it in 2012."
BASELESS = "Its most popular photo showed a brown egg on a white table."
SPANS = default_parameters(detector="spans")


def named(audit):
    return [audit.evidence.answer[span.start : span.end] for span in audit.spans]


@pytest.fixture(scope="module")
def audited(provenance: Provenance):
    return provenance.audit(answer=f"{WRONG} {RIGHT} {BASELESS}", context=CONTEXT, parameters=SPANS)


def test_names_the_number_and_not_the_sentence(audited):
    assert named(audited)[0] == "69 million"
    assert audited.spans[0].type in (FindingType.EVIDENT_CONFLICT, FindingType.SUBTLE_CONFLICT)


def test_names_a_sentence_of_which_nothing_is_supported(audited):
    assert named(audited)[1:] == [BASELESS]
    assert audited.spans[1].type in (FindingType.EVIDENT_BASELESS, FindingType.SUBTLE_BASELESS)


def test_labels_follow_the_spans(audited):
    assert [s.label for s in audited.sentences] == [
        SentenceLabel.CONTRADICTED,
        SentenceLabel.SUPPORTED,
        SentenceLabel.NOT_FOUND,
    ]
    assert audited.verdict is Verdict.HALLUCINATED
    first = audited.sentences[0]
    item = audited.evidence.chunks[first.evidence_chunk].item
    assert "30 million" in CONTEXT[item][first.evidence_start : first.evidence_end]


def test_the_sources_tab_says_why_one_chunk_contributes_the_whole_score(audited):
    assert sorted(s.contribution for s in audited.sources) == pytest.approx([0, audited.score])
    assert contributions_text(audited) == "Contributions sum to the score."


def test_a_supported_answer_has_no_span(provenance):
    found = provenance.audit(answer=RIGHT, context=CONTEXT, parameters=SPANS)
    assert found.spans == ()
    assert found.verdict is Verdict.SUPPORTED
    assert found.score == pytest.approx(1 - max(s.unsupported for s in found.evidence.spans))


def test_a_one_word_answer_is_read_with_its_query(provenance):
    query = "How many users had Instagram when Facebook bought it?"
    wrong, right = (
        provenance.audit(query=query, answer=answer, context=CONTEXT, parameters=SPANS)
        for answer in ("69 million", "30 million")
    )
    assert named(wrong) == ["69 million"]
    assert right.spans == ()


def test_two_wrong_parts_of_a_sentence_are_two_spans(provenance):
    answer = (
        "Facebook bought Instagram in 2016, when the company had 30 million users and 99 employees."
    )
    found = provenance.audit(answer=answer, context=CONTEXT, parameters=SPANS)
    assert named(found) == ["2016", "99"]


LENGTH = "It runs for about 16 kilometres from the coast to the artificial island of Peberholm."
BRIDGE = "The bridge runs nearly 8 kilometres from the coast to the artificial island of Peberholm."


@pytest.mark.parametrize(
    ("context", "kind", "label"),
    [
        (BRIDGE, "conflict", SentenceLabel.CONTRADICTED),
        ("The bridge has two decks.", "baseless", SentenceLabel.NOT_FOUND),
    ],
)
def test_a_sentence_whose_value_the_context_states_otherwise_is_in_conflict(
    provenance, context, kind, label
):
    found = provenance.audit(answer=LENGTH, context=[context], parameters=SPANS)
    assert found.spans and all(kind in span.type.value for span in found.spans)
    assert found.sentences[0].label is label


def test_another_value_makes_a_conflict_of_the_parts_that_hold_it():
    clauses = (ClauseReading(0, 30, 0.9, differs=True), ClauseReading(32, 60, 0.9))
    reading = SentenceReading(0, 60, 0.1, 0.2, False, (), clauses, differs=True)
    kinds = ["conflict" in part.type.value for part in measured_spans(reading)]
    assert kinds == [True, False, True]
    plain = replace(reading, differs=False, clauses=clauses[1:])
    assert not any("conflict" in part.type.value for part in measured_spans(plain))


def phrase(start, end, alone=0.1, rest=0.9, missing=True, conflict=True):
    return PhraseReading(start, end, missing, alone, rest, conflict)


def test_phrase_alone_where_the_rest_is_supported():
    reading = SentenceReading(0, 60, 0.1, 0.9, True, (phrase(14, 24),), ())
    part, sentence = measured_spans(reading)
    assert (part.start, part.end) == (14, 24)
    assert part.unsupported == pytest.approx(phrase_unsupported(phrase(14, 24)))
    assert part.unsupported > 0.5
    # 1 - the support of the sentence without the phrase.
    assert sentence.unsupported == pytest.approx(1 - 0.9)


def test_clause_where_the_sentence_is_supported_without_it():
    clauses = (ClauseReading(0, 30, 0.05), ClauseReading(32, 60, 0.9))
    reading = SentenceReading(0, 60, 0.1, 0.2, False, (), clauses)
    first, second, sentence = measured_spans(reading)
    assert first.unsupported == pytest.approx(0.05 * (1 - 0.2))
    assert second.unsupported == pytest.approx(0.9 * (1 - 0.2))
    assert sentence.unsupported == pytest.approx(1 - 0.9)


def test_a_phrase_is_the_more_suspect_the_less_it_is_supported():
    assert phrase_unsupported(phrase(0, 5, alone=0.1)) > phrase_unsupported(phrase(0, 5, alone=0.8))


@pytest.mark.parametrize(
    ("conflict", "unsupported", "type_"),
    [
        (True, EVIDENT, FindingType.EVIDENT_CONFLICT),
        (True, EVIDENT - 0.01, FindingType.SUBTLE_CONFLICT),
        (False, EVIDENT, FindingType.EVIDENT_BASELESS),
        (False, EVIDENT - 0.01, FindingType.SUBTLE_BASELESS),
    ],
)
def test_types(conflict, unsupported, type_):
    assert finding_type(unsupported, conflict=conflict) is type_


def hand(*spans, **parameters):
    evidence = replace(
        hand_evidence([0.0], [[0.9], [0.2]], [[0.0], [0.7]]),
        spans=tuple(
            MeasuredSpan(a, b, u, FindingType.EVIDENT_CONFLICT if conflict else kind)
            for a, b, u, conflict in spans
            for kind in [FindingType.SUBTLE_BASELESS]
        ),
    )
    return assemble(evidence, Parameters(detector="spans", **parameters))


def test_spans_are_what_is_over_the_threshold_and_the_larger_takes_the_smaller():
    # "Claim number 0. Claim number 1. ": two sentences of 16 characters.
    measured = [(0, 15, 0.2, False), (16, 31, 0.7, True), (22, 28, 0.9, False)]
    found = hand(*measured, threshold=0.4)
    assert [(s.start, s.end, s.type, s.unsupported) for s in found.spans] == [
        (16, 31, FindingType.EVIDENT_CONFLICT, 0.9)
    ]
    assert [(s.start, s.end) for s in hand(*measured, threshold=0.2).spans] == [(22, 28)]
    assert [c.score for c in found.claims] == pytest.approx([0.8, 0.1])
    assert found.score == pytest.approx(0.1)
    assert [s.label for s in found.sentences] == [
        SentenceLabel.SUPPORTED,
        SentenceLabel.CONTRADICTED,
    ]


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.3, 0.30000000000000004, 0.5, 0.8, 0.9, 1.0])
def test_hallucinated_just_when_there_is_a_span(threshold):
    found = hand((0, 15, 0.7, True), (16, 31, 0.1, False), threshold=threshold)
    assert (found.verdict is Verdict.HALLUCINATED) == bool(found.spans)
    labels = [s.label is SentenceLabel.SUPPORTED for s in found.sentences]
    inside = [any(s.start < e and s.end > b for s in found.spans) for b, e in ((0, 16), (16, 32))]
    assert labels == [not any_ for any_ in inside]


def test_ragtruths_metric_in_characters():
    # 10 characters marked, 8 found of which 6 are right: precision 6/8, recall 6/10.
    counts = span_counts(40, [(0, 4), (10, 16)], [(2, 4), (12, 18)])
    figures = span_figures([counts])
    assert (figures.precision, figures.recall) == (0.75, 0.6)
    assert figures.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))


def test_the_evaluation_scores_spans_and_not_sentences(provenance):
    start = WRONG.index("69")
    row = LabelledRow(
        1, "", tuple(CONTEXT), WRONG, 0, spans=(GoldSpan(start, start + len("69 million")),)
    )
    scored = DetectorScorer(provenance, SPANS).score(row)
    assert scored.spans == ((start, start + len("69 million")),)
    # The paper's method has whole sentences.
    paper = provenance.audit(answer=WRONG, context=CONTEXT)
    assert unsupported_spans(paper) == ((0, len(WRONG)),)


def test_every_measured_part_lies_in_a_sentence(audited):
    evidence = audited.evidence
    assert evidence.spans
    for span in evidence.spans:
        assert 0.0 <= span.unsupported <= 1.0
        assert any(s.start <= span.start < span.end <= s.end for s in evidence.sentences)
    assert get_detector("spans").traits.finds_spans


def test_what_states_nothing_to_check_has_no_span_unless_it_counts(provenance):
    parameters = default_parameters(detector="spans")
    context = ["The tower is 330 metres tall."]
    answer = "The tower is 330 metres tall. Would you like to know more?"
    audit = provenance.audit(answer=answer, context=context, parameters=parameters)
    assert [each.sentence for each in audit.evidence.set_aside] == [1]
    assert [t.label for t in audit.sentences] == ["supported", "set_aside"]
    assert (audit.spans, audit.verdict) == ((), "supported")
    counted = recompute(audit, count_set_aside=True)
    assert [answer[s.start : s.end] for s in counted.spans] == ["Would you like to know more?"]
    assert counted.verdict == "hallucinated"
    assert counted.sentences[1].label != "set_aside"
