"""The terms of the support map, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from provenance_core.audit.assembly import assemble
from provenance_core.scoring import words
from provenance_core.scoring.features import (
    NOT_LIFTED_PAIRS,
    answer_kind,
    applied_map,
    contradiction,
    measured_support,
    terms,
)
from provenance_core.scoring.words import with_words
from provenance_core.types import (
    NO_SUPPORT,
    AnswerKind,
    Chunk,
    ContextItem,
    Entailment,
    EvidenceSentence,
    PairScores,
    Parameters,
    SecondReading,
    Sentence,
    SentenceLabel,
    SupportMap,
    SupportTerm,
    SupportWeight,
)
from tests.conftest import hand_evidence

MAP = SupportMap(0.0, (SupportWeight(SupportTerm.ENTAILMENT, 1.0),))


def compared(answer: str, context: str, entailment: float = 0.5, against: float = 0.0):
    """Evidence of one sentence beside one chunk."""
    evidence = hand_evidence([0.0], [[entailment]], [[against]])
    scores = PairScores(np.array([[[entailment, 1 - entailment - against, against]]]))
    sentence = Sentence(0, 0, len(answer), answer)
    claim = replace(evidence.claims[0], start=0, end=len(answer), text=answer)
    return replace(
        evidence,
        answer=answer,
        context=(ContextItem(0, context),),
        chunks=(Chunk(0, 0, 0, len(context), context, 9),),
        sentences=(sentence,),
        claims=(claim,),
        claim_scores=scores,
        sentence_scores=scores,
        evidence_sentences=(),
        missing_details=(),
        nli_model=replace(evidence.nli_model, support=MAP),
    )


def test_support_is_the_logistic_map_of_its_terms():
    found = measured_support(compared("Cats sleep a lot here.", "Dogs bark.", 0.8))
    assert found.values == pytest.approx(np.array([[0.8]]))


def test_a_model_without_a_map_measures_no_support():
    evidence = compared("Cats sleep.", "Dogs bark.")
    plain = replace(evidence, nli_model=replace(evidence.nli_model, support=None))
    assert measured_support(plain) == NO_SUPPORT


def test_a_sentence_that_stands_in_the_context_is_supported_and_never_contradicted():
    evidence = compared(
        "The bridge was opened in May.", "The bridge was opened in May. It is old.", 0.01, 0.98
    )
    support = measured_support(evidence)
    assert support.values.tolist() == [[0.99]]
    assert contradiction(replace(evidence, support=support))[0, 0] == 0


def test_an_unrelated_chunk_contradicts_nothing():
    evidence = compared("The bridge was opened in May.", "Bread is baked at dawn.", 0.01, 0.98)
    found = contradiction(replace(evidence, support=measured_support(evidence)))
    assert found[0, 0] == 0


@pytest.mark.parametrize(
    ("answer", "against", "lifted"),
    [
        ("The bridge across the sound was opened in 1932 by the king and others.", 0.0, True),
        ("The bridge across the sound was opened in 1932 by the king and others.", 0.9, False),
        ("The bridge across the sound was opened in 1999 by the king and others.", 0.0, False),
    ],
)
def test_copying_lifts_nothing_that_is_contradicted_or_has_another_number(answer, against, lifted):
    context = "The bridge across the sound was opened in 1932 by the king and the queen."
    found = terms(compared(answer, context, 0.05, against))
    assert bool(found[SupportTerm.COPIED][0, 0] > 0) is lifted
    assert bool(found[SupportTerm.COPIED_PAIRS][0, 0] > NOT_LIFTED_PAIRS) is lifted


def test_copied_pairs_lift_the_chunk_that_holds_them():
    evidence = compared("The bridge is long.", "The bridge is old.", 0.5, 0.1)
    other = "The ferry sails."
    rows = np.repeat(evidence.sentence_scores.values, 2, axis=1)
    evidence = replace(
        evidence,
        context=(*evidence.context, ContextItem(1, other)),
        chunks=(*evidence.chunks, Chunk(1, 1, 0, len(other), other, 9)),
        sentence_scores=PairScores(rows),
        claim_scores=PairScores(rows),
    )
    evidence = with_words(evidence)
    assert (evidence.words.pairs, evidence.words.paired) == ((2 / 3,), ((0,),))
    older = replace(evidence, words=replace(evidence.words, pairs=(), paired=()))
    for each in (evidence, older):
        assert terms(each)[SupportTerm.COPIED_PAIRS].tolist() == [[2 / 3, NOT_LIFTED_PAIRS]]


@pytest.mark.parametrize(
    ("entailment", "other", "against"),
    [
        (0.3, "The tram carries no railway along the bridge.", 0.98),
        (0.6, "The tram carries no railway along the bridge.", 0.02),  # it entails the sentence
        (0.3, "Bread is baked at dawn.", 0.02),  # the other passage is about something else
    ],
)
def test_a_chunk_that_says_nothing_does_not_clear_what_another_contradicts(
    entailment, other, against
):
    evidence = compared("The bridge carries a railway.", "The bridge is long.")
    rows = np.array([[[entailment, 0.98 - entailment, 0.02], [0.01, 0.01, 0.98]]])
    chunks = (*evidence.chunks, Chunk(1, 1, 0, len(other), other, 9))
    evidence = replace(
        evidence,
        context=(*evidence.context, ContextItem(1, other)),
        chunks=chunks,
        sentence_scores=PairScores(rows),
        claim_scores=PairScores(rows),
    )
    found = terms(evidence)
    assert found[SupportTerm.CONTRADICTION][0].tolist() == [-0.02, -0.98]
    assert found[SupportTerm.CONTRADICTION_ANYWHERE][0].tolist() == [-against, -0.98]


def test_a_sentence_that_the_second_model_read_contradicts_beside_other_chunks_too():
    evidence = compared("The bridge carries a railway.", "The bridge is long.")
    other = "The bridge carries no railway."
    rows = np.array([[[0.1, 0.88, 0.02], [0.1, 0.88, 0.02]]])
    read = EvidenceSentence(0, 1, 0, len(other), Entailment(0.01, 0.01, 0.98))
    cells = PairScores(np.array([[[0.4, 0.55, 0.05], [np.nan] * 3]]))
    evidence = replace(
        evidence,
        context=(*evidence.context, ContextItem(1, other)),
        chunks=(*evidence.chunks, Chunk(1, 1, 0, len(other), other, 9)),
        sentence_scores=PairScores(rows),
        claim_scores=PairScores(rows),
        second=SecondReading(evidence.nli_model, MAP, cells, (read,)),
    )
    found = terms(evidence)
    assert found[SupportTerm.SECOND_CONTRADICTION][0].tolist() == [-0.05, -0.98]
    assert found[SupportTerm.SECOND_CONTRADICTION_ANYWHERE][0].tolist() == [-0.98, -0.98]


@pytest.mark.parametrize(
    ("query", "words", "kind"),
    [
        ("How long is it?", 500, AnswerKind.REPLY),
        ("", 151, AnswerKind.SUMMARY),
        ("", 150, AnswerKind.CLAIM),
    ],
)
def test_a_kind_of_answer_has_a_map_of_its_own(query, words, kind):
    never = SupportMap(-50.0, ())
    maps = {"replies": never if kind is AnswerKind.REPLY else None}
    maps["summaries"] = never if kind is AnswerKind.SUMMARY else None
    evidence = compared("Cats sleep a lot here.", "dog " * words, 0.8)
    support = replace(MAP, **maps)
    evidence = replace(
        evidence, query=query, nli_model=replace(evidence.nli_model, support=support)
    )
    assert answer_kind(evidence) is kind
    assert applied_map(evidence, 0, 0) is (support if kind is AnswerKind.CLAIM else never)
    expected = 0.8 if kind is AnswerKind.CLAIM else 0.0
    assert measured_support(evidence).values[0, 0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("answer", "counted"),
    [
        ("The Vale tramway opened in 1911.", 0),
        ("The tramway opened in 1921.", 3),  # every other word stands beside 1911
        ("The tramway opened to the public in 1921.", 1),
        ("The tramway opened before 1910.", 1),  # a date with an edge
        ("The tramway opened in 1921 and has 16 stops.", 2),  # in two sentences of the context
        ("It has 16 stops.", 1),  # one word alone may be meant of something else
    ],
)
def test_another_value_in_the_same_words_counts_three_times(answer, counted):
    evidence = compared(answer, "The Vale tramway opened in 1911. It has 14 stops.")
    assert terms(evidence)[SupportTerm.CONFLICTING_DETAILS][0][0] == -counted


@pytest.mark.parametrize(
    ("query", "answer", "missing"),
    [
        ("", "The bridges opened.", 0.0),  # another form of a word is that word
        ("", "The tunnel opened.", 0.5),
        ("Where is the tunnel?", "The tunnel opened.", 0.0),  # the query has it
        ("Is it open?", "Yes.", 0.0),
        ("Is it open?", "No.", 0.0),
        ("", "According to the passage, the bridge opened.", 0.0),
    ],
)
def test_missing_words_are_those_that_neither_context_nor_query_has(query, answer, missing):
    evidence = replace(compared(answer, "They open the bridge."), query=query)
    assert terms(evidence)[SupportTerm.MISSING_WORDS][0][0] == -missing


def test_missing_words_count_as_far_as_the_last_model_does_not_entail_them():
    evidence = compared("The tunnel opened.", "They open the bridge.", 0.2)
    found = terms(evidence)[SupportTerm.UNENTAILED_WORDS]
    assert found[0][0] == pytest.approx(-0.5 * 0.8)
    read = PairScores(np.array([[[0.9, 0.1, 0.0]]]))
    again = SecondReading(evidence.nli_model, MAP, read, ())
    found = terms(replace(evidence, second=again))[SupportTerm.UNENTAILED_WORDS]
    assert found[0][0] == pytest.approx(-0.5 * 0.1)


def test_a_chunk_that_states_another_value_contradicts_the_sentence():
    evidence = compared("The bridge is 16 km long.", "The bridge is 8 km long.", 0.2, 0.1)
    audit = assemble(replace(evidence, support=measured_support(evidence)), Parameters())
    assert audit.sentences[0].label is SentenceLabel.CONTRADICTED
    assert audit.contradicts == ((0,),)


def test_the_words_of_an_answer_are_read_once_for_all_that_asks(monkeypatch):
    evidence = with_words(
        compared("The bridge is 16 km long.", "The bridge is 8 km long.", 0.2, 0.1)
    )
    monkeypatch.setattr(words, "find_in_answer", lambda _: pytest.fail("read again"))
    measured = replace(evidence, support=measured_support(evidence))
    contradiction(measured)
    terms(measured)
    assert assemble(measured, Parameters()).sentences[0].label is SentenceLabel.CONTRADICTED


@pytest.mark.parametrize("written", ["1240 guests", "1 240 guests", "1.240 guests"])
def test_a_number_in_another_writing_is_no_missing_word(written):
    context = ["The hall seats 1,240 guests on 12 rows at 3.50 a seat."]
    claim = f"The hall seats {written} on twelve rows at 3.5 a seat."
    assert words._missing([claim], context) == (0.0,)
    assert words._missing(["The hall seats 1250 guests."], context) == (0.25,)
