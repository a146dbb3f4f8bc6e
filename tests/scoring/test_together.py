"""Chunks that support a sentence together, and none alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from provenance_core.audit.serialization import (
    SecondReadingCells,
    from_plain,
    read_again,
    to_plain,
)
from provenance_core.scoring.features import terms, with_windows
from provenance_core.scoring.label_rules import LABELLED_BY
from provenance_core.scoring.tracing import read_together, trace_sentences
from provenance_core.types import (
    Chunk,
    ContextItem,
    Entailment,
    Evidence,
    Floats,
    PairScores,
    PassagePlace,
    Scores,
    SecondReading,
    Sentence,
    SetAside,
    SupportMap,
    SupportTerm,
    WholeReading,
    WindowReading,
)
from tests.conftest import hand_evidence

ANSWER = "The hall seats 410 people and the organ was built in 1974."
HALL, CAFE, ORGAN = "The hall seats 410 people.", "A cafe is near.", "The organ was built in 1974."


def joined(
    alone: float, by_window: float, texts: tuple[str, ...] = (HALL, CAFE, ORGAN)
) -> Evidence:
    """A sentence over three chunks, of which one window holds all."""
    count = len(texts)
    evidence = hand_evidence([0.0] * count, [[0.1] * count])
    again = np.full((1, count, 3), np.nan)
    again[0, 0] = alone, 1 - alone, 0.0
    window = PairScores(np.array([[[by_window, 1 - by_window, 0.0]]]))
    parts = tuple(PassagePlace(at, 0, len(text)) for at, text in enumerate(texts))
    claim = replace(evidence.claims[0], end=len(ANSWER), text=ANSWER)
    return replace(
        evidence,
        answer=ANSWER,
        claims=(claim,),
        sentences=(Sentence(0, 0, len(ANSWER), ANSWER),),
        context=tuple(ContextItem(at, text) for at, text in enumerate(texts)),
        chunks=tuple(Chunk(at, at, 0, len(text), text, 9) for at, text in enumerate(texts)),
        evidence_sentences=(),
        support=Scores(np.full((1, count), 0.9)),
        second=SecondReading(
            evidence.nli_model,
            SupportMap(0.0, ()),
            PairScores(again),
            (),
            WindowReading((parts,), window),
        ),
    )


def test_chunks_with_the_words_of_the_sentence_are_named_and_no_other() -> None:
    assert read_together(joined(0.1, 0.9), 0, 0) == (0, 2)
    assert read_together(joined(0.1, 0.9), 0, 2) == (0, 2)


def test_words_that_one_chunk_has_alone_need_what_stands_around_it() -> None:
    evidence = joined(0.1, 0.9, (f"It is true: {ANSWER}", CAFE))
    assert read_together(evidence, 0, 0) == (0, 1)  # by the rules of that audit
    today = replace(evidence, labelled_by=LABELLED_BY)
    assert read_together(today, 0, 0) == ()  # another context item stands nowhere around it
    first, second = today.chunks
    of_one = replace(today, chunks=(first, replace(second, item=first.item)))
    places = tuple(PassagePlace(0, each.start, each.end) for each in of_one.chunks)
    assert of_one.second and of_one.second.together
    reading = replace(of_one.second.together, windows=(places,))
    of_one = replace(of_one, second=replace(of_one.second, together=reading))
    assert read_together(of_one, 0, 0) == (0, 1)


@pytest.mark.parametrize(("alone", "by_window"), [(0.85, 0.9), (0.7, 0.6), (0.1, 0.4)])
def test_no_chunk_is_named_where_one_is_enough_or_all_are_not(
    alone: float, by_window: float
) -> None:
    assert read_together(joined(alone, by_window), 0, 0) == ()


def test_nothing_is_read_together_in_audits_without_windows() -> None:
    evidence = joined(0.1, 0.9)
    assert evidence.second
    older = replace(evidence, second=replace(evidence.second, together=None))
    assert read_together(older, 0, 0) == ()
    assert terms(older)[SupportTerm.SECOND_ENTAILMENT][0, 0] == pytest.approx(-np.log(9.0))


def test_the_trace_names_them_for_a_supported_sentence_alone() -> None:
    evidence = joined(0.1, 0.9)
    (supported,) = trace_sentences(evidence, [0, 1, 2], 0.5)
    assert supported.together == (0, 2)
    (unsupported,) = trace_sentences(evidence, [0, 1, 2], 0.95)
    assert unsupported.together == ()


@pytest.mark.parametrize(("alone", "by_window", "counted"), [(0.1, 0.9, 0.9), (0.6, 0.4, 0.6)])
def test_a_chunk_that_was_read_again_counts_with_its_window_where_that_entails_more(
    alone: float, by_window: float, counted: float
) -> None:
    found = terms(joined(alone, by_window))[SupportTerm.SECOND_ENTAILMENT][0]
    assert found[0] == pytest.approx(np.log(counted / (1 - counted)))
    # The other chunks were read by the first model alone.
    assert found[1:] == pytest.approx([-np.log(9.0)] * 2)


@pytest.mark.parametrize(("against", "counted"), [(0.9, 0.2), (0.4, 0.8)])
def test_where_two_chunks_differ_the_window_decides(against: float, counted: float) -> None:
    evidence = joined(0.8, 0.2)
    assert evidence.second is not None
    again = evidence.second.scores.values.copy()
    again[0, 2] = 0.05, 0.95 - against, against
    second = replace(evidence.second, scores=PairScores(again))
    found = with_windows(second)
    assert found.entailment[0, 0] == pytest.approx(counted)
    # The other keeps what it says; where they do not differ, the window entails it more.
    assert found.contradiction[0, 2] == pytest.approx(against if against > 0.5 else 0.0)
    # Nothing was read of the second chunk, and nothing is said of it.
    assert not found.read[0, 1]


def test_windows_come_back_from_json_and_older_evidence_has_none() -> None:
    evidence = joined(0.1, 0.9)
    plain = to_plain(evidence)
    assert from_plain(Evidence, plain) == evidence
    del plain["second"]["together"]
    older = from_plain(Evidence, plain).second
    assert older is not None and older.together is None


def test_windows_without_their_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="2 windows have no scores of shape"):
        WindowReading(((), ()), PairScores(np.zeros((1, 1, 3))))


def test_a_window_counts_for_itself_where_it_was_read() -> None:
    by_window = terms(joined(0.6, 0.2))[SupportTerm.SECOND_WINDOW][0]
    assert by_window == pytest.approx([np.log(0.2 / 0.8)] * 3)
    evidence = joined(0.6, 0.2)
    assert evidence.second is not None
    unread = replace(evidence, second=replace(evidence.second, together=None))
    found = terms(unread)
    assert (found[SupportTerm.SECOND_WINDOW] == found[SupportTerm.SECOND_ENTAILMENT]).all()


def whole_of(evidence: Evidence, entailment: float) -> Floats:
    """The term of the whole answer where it was read so."""
    assert evidence.second is not None
    scores = Entailment(entailment, 1 - entailment, 0.0)
    whole = WholeReading((PassagePlace(0, 0, len(HALL)),), scores)
    second = replace(evidence.second, whole=whole)
    assert from_plain(SecondReadingCells, to_plain(read_again(second))).whole == whole
    return terms(replace(evidence, second=second))[SupportTerm.SECOND_WHOLE]


def test_the_whole_answer_speaks_against_the_sentence_that_is_entailed_least() -> None:
    evidence = joined(0.6, 0.3)
    assert evidence.second is not None
    found = terms(evidence)
    assert (found[SupportTerm.SECOND_WHOLE] == found[SupportTerm.SECOND_ENTAILMENT]).all()
    assert whole_of(evidence, 0.9)[0] == pytest.approx([np.log(9)] * 3)
    assert whole_of(evidence, 0.1)[0] == pytest.approx([-np.log(9)] * 3)


def test_another_sentence_keeps_what_its_own_chunks_say() -> None:
    one = joined(0.6, 0.3)
    assert one.second is not None and one.second.together is not None
    weak = one.second.scores.values[0]
    strong = np.where(np.isnan(weak), np.nan, (0.8, 0.2, 0.0))
    windows = np.full((2, *one.second.together.scores.values.shape[1:]), np.nan)
    second = replace(
        one.second,
        scores=PairScores(np.stack([weak, strong])),
        together=WindowReading(one.second.together.windows, PairScores(windows)),
    )
    doubled = replace(
        one,
        answer=f"{one.answer} {one.answer}",
        sentences=(*one.sentences, replace(one.sentences[0], index=1)),
        claims=(*one.claims, one.claims[0]),
        claim_scores=PairScores(np.tile(one.claim_scores.values, (2, 1, 1))),
        sentence_scores=PairScores(np.tile(one.sentence_scores.values, (2, 1, 1))),
        support=Scores(np.tile(one.support.values, (2, 1))),
        second=second,
    )
    against, kept = whole_of(doubled, 0.1)
    assert against == pytest.approx([-np.log(9)] * 3)
    assert kept == pytest.approx([np.log(4)] * 3)
    # What is set aside does not count in the answer: the other is the least of those that do.
    aside = replace(doubled, set_aside=(SetAside(0, "a question"),))
    assert whole_of(aside, 0.1)[1] == pytest.approx([-np.log(9)] * 3)
