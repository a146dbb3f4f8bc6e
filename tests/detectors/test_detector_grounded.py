"""Grounded in Context, step by step, against its document (section 3.2)."""

from dataclasses import replace
from itertools import pairwise

import pytest

from provenance_core import assemble, default_parameters, recompute
from provenance_core.text.claims import split_answer
from provenance_core.text.recursive_chunks import (
    chunk_recursively,
    joined_text,
    split_into_claims,
    split_recursively,
)
from provenance_core.text.set_aside import REASONS, find_set_aside, why_set_aside
from provenance_core.types import (
    ContextItem,
    Entailment,
    JoinedPremise,
    SentenceLabel,
    SetAside,
    Verdict,
)
from storage import AuditStore
from storage.engine import get_engine
from tests.conftest import count_words, hand_evidence
from training.claim_filter import decide, precision, recall

NAME = "grounded-in-context"


def grounded(joined, aside=(), retrieved=None, **parameters):
    """An audit of claims that the retrieved chunks together entail as ``joined`` says: of each
    (entailment, contradiction). Two chunks, each of which alone entails everything by 0.2."""
    evidence = hand_evidence([1.0, 0.0], [[0.2, 0.2] for _ in joined])
    chosen = retrieved or [(0, 1)] * len(joined)
    evidence = replace(
        evidence,
        joined_scores=tuple(
            JoinedPremise(chunks, Entailment(e, 1 - e - c, c))
            for chunks, (e, c) in zip(chosen, joined, strict=True)
        ),
        set_aside=tuple(SetAside(index, "a greeting") for index in aside),
    )
    return assemble(evidence, replace(default_parameters(detector=NAME), **parameters))


# Step 1: claims of at most 60 tokens.


def test_claims_are_sentences_and_lines_that_tile_the_answer():
    answer = "Opening Hours\nThe shop opens at nine. It\ncloses at six.\n\n- Paris\n2.\n- Rome"
    claims = split_into_claims(answer, 60, count_words)
    assert [claim.text for claim in claims] == [
        "Opening Hours\n",
        "The shop opens at nine. ",
        "It\ncloses at six.\n\n",  # wrapped, not ended
        "- Paris\n",
        "2.\n- Rome",
    ]
    assert [answer[c.start : c.end] for c in claims] == [c.text for c in claims]


def test_a_sentence_over_the_limit_is_cut_at_its_clauses():
    answer = "Short one. The old mill burnt down in May, the new one stands by the river, empty."
    claims = split_into_claims(answer, 7, count_words)
    assert [claim.text for claim in claims] == [
        "Short one. ",
        "The old mill burnt down in May, ",
        "the new one stands by the river, ",
        "empty.",
    ]
    assert "".join(claim.text for claim in claims) == answer


def test_chunks_do_not_overlap_and_lose_nothing():
    text = "One two three. Four five six seven eight nine ten.\n\nEleven, twelve; thirteen.  "
    bounds = split_recursively(text, 5, count_words)
    assert all(len(text[a:b].split()) <= 5 for a, b in bounds)
    assert " ".join(text[a:b] for a, b in bounds).split() == text.split()
    assert all(end <= start for (_, end), (start, _) in pairwise(bounds))


# Step 2: what is no factual claim is set aside.


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("I could not find this in the provided documents.", "an abstention"),
        ("Hello there!", "a greeting"),
        ("I hope this helps!", "a remark to the reader"),
        ("Would you like to know more?", "a question"),
        ("The treaty does not mention fishing rights.", None),
        ("The text does not name the price, but it says that entry was free in 2019.", None),
        ('He asked, "Who is there?"', None),
        ("1932", None),
    ],
)
def test_reasons(sentence, reason):
    assert why_set_aside(sentence) == reason


def whole_sentences(answer):
    return split_answer(answer, 60, count_words)


def test_titles_are_lines_over_others_and_never_the_answer_itself():
    answer = "## History\nThe town is old.\n\n**Trade**\nIt sells salt."
    claims = split_into_claims(answer, 60, count_words)
    assert find_set_aside(answer, claims) == (
        SetAside(0, "a title or an introduction"),
        SetAside(2, "a title or an introduction"),
    )
    assert find_set_aside("Edward IV", split_into_claims("Edward IV", 60, count_words)) == ()
    # As every other method splits, with the line breaks at either end of a part.
    for spaced in (answer, "The town is old.\n\n## Trade\n\nIt sells salt.\n"):
        titles = [each.sentence for each in find_set_aside(spaced, whole_sentences(spaced))]
        assert titles == ([0, 2] if spaced == answer else [1])
    cities = "Paris\nRome\nBerlin"
    assert find_set_aside(cities, split_into_claims(cities, 60, count_words)) == ()


def test_a_yes_that_answers_nothing_is_set_aside_at_the_head_alone():
    sentences = whole_sentences("Yes. It opened in 1911. Yes.")
    found = find_set_aside("Yes. It opened in 1911. Yes.", sentences, "When did the bridge open?")
    assert found == (SetAside(0, "a yes or no to a query that asks for something else"),)
    assert find_set_aside("Yes.", whole_sentences("Yes."), "Did it open in 1911?") == ()


def test_the_filter_is_as_good_as_is_said():
    rows = decide()
    assert len(rows) == 294
    assert {row.wanted for row in rows} == {None, *REASONS}
    assert precision(rows).part / precision(rows).whole >= 0.97
    assert recall(rows).part / recall(rows).whole >= 0.80


# Steps 3 and 4: chunks of the context, as many as fit beside the claim.


def test_neighbours_are_joined_as_they_stand():
    items = [ContextItem(0, "One two.\n\nThree four. Five six."), ContextItem(1, "Seven.")]
    chunks = chunk_recursively(items, max_tokens=2, count_tokens=count_words)
    assert [chunk.text for chunk in chunks] == ["One two.", "Three four.", "Five six.", "Seven."]
    assert joined_text(items, chunks) == "One two.\n\nThree four. Five six.\nSeven."
    assert joined_text(items, [chunks[0], chunks[2]]) == "One two.\nFive six."


def test_k_is_the_most_that_fits_and_the_premise_keeps_the_original_order(provenance):
    facts = [
        f"The {name} was built in {1800 + 10 * n} by the town of {name}ville, which paid for it "
        "with a tax on salt, and it stands on the left bank of the river to this day."
        for n, name in enumerate(["mill", "church", "bridge", "harbour", "castle", "school"] * 2)
    ]
    audit = provenance.audit(
        answer="The bridge was built in 1820. The castle was built in 1840.",
        context=[" ".join(facts)],
        parameters=default_parameters(detector=NAME),
    )
    evidence = audit.evidence
    window = provenance.nli.text_budget
    assert max(chunk.tokens for chunk in evidence.chunks) <= (window - 10) // 3
    assert len(evidence.chunks) > 3
    for claim, joined, row in zip(
        evidence.claims, evidence.joined_scores, evidence.claim_relevance, strict=True
    ):
        assert list(joined.chunks) == sorted(joined.chunks)
        ranked = sorted(range(len(row)), key=lambda index: -row[index])
        k = len(joined.chunks)
        assert 3 <= k < len(row)
        assert set(joined.chunks) == set(ranked[:k])

        def tokens(chosen):
            text = joined_text(evidence.context, [evidence.chunks[i] for i in sorted(chosen)])
            return provenance.nli.count_tokens([text])[0]

        assert tokens(ranked[:k]) + claim.tokens <= window < tokens(ranked[: k + 1]) + claim.tokens
    assert evidence.tokens.longest_pair <= provenance.nli.info.max_length


# Step 5 and 6: entailment by the joined chunks; what is less supported weighs more.


def test_the_score_is_the_harmonic_mean_of_the_joined_entailment():
    found = grounded([(0.8, 0.0), (0.2, 0.6)])
    assert [claim.score for claim in found.claims] == [0.8, 0.2]
    # Weights 1/0.8 : 1/0.2 = 0.2 : 0.8, so 0.2 x 0.8 + 0.8 x 0.2.
    assert found.score == pytest.approx(0.32)
    assert found.verdict is Verdict.HALLUCINATED
    assert recompute(found, claim_aggregation="mean").score == pytest.approx(0.5)
    assert recompute(found, claim_aggregation="min").score == pytest.approx(0.2)
    assert [s.label for s in found.sentences] == [
        SentenceLabel.SUPPORTED,
        SentenceLabel.CONTRADICTED,
    ]


def test_what_is_set_aside_counts_by_the_switch_alone():
    found = grounded([(0.8, 0.0), (0.2, 0.0)], aside=[1])
    assert found.score == pytest.approx(0.8)
    assert found.verdict is Verdict.SUPPORTED
    assert [s.label for s in found.sentences] == [SentenceLabel.SUPPORTED, SentenceLabel.SET_ASIDE]
    counted = recompute(found, count_set_aside=True)
    assert counted.score == pytest.approx(0.32)
    assert counted.sentences[1].label is SentenceLabel.NOT_FOUND


def test_sources_are_what_was_retrieved_and_weigh_by_how_often():
    found = grounded([(0.8, 0.0), (0.9, 0.0), (0.1, 0.0)], [2], [(0,), (0, 1), (1,)])
    # Of the claims that count, chunk 0 was retrieved twice and chunk 1 once.
    assert [source.weight for source in found.sources] == pytest.approx([2 / 3, 1 / 3])
    assert all(source.selected for source in found.sources)


def test_a_chunk_that_was_not_retrieved_and_entails_is_a_miss():
    found = grounded([(0.1, 0.0)], retrieved=[(0,)], threshold=0.2)
    (sentence,) = found.sentences
    assert sentence.selection_miss
    assert sentence.evidence_chunk == 1


def test_an_answer_that_states_nothing_has_a_defined_score_and_says_so(provenance, tmp_path):
    parameters = default_parameters(detector=NAME)
    audit = provenance.audit(
        query="When did it close?",
        answer="I'm sorry. I could not find this in the provided documents.",
        context=["The bridge was opened in 1932."],
        parameters=parameters,
    )
    assert [each.reason for each in audit.evidence.set_aside][-1] == "an abstention"
    assert len(audit.evidence.set_aside) == len(audit.sentences) == 2
    assert (audit.score, audit.verdict) == (1.0, Verdict.NOTHING_TO_CHECK)
    assert {s.label for s in audit.sentences} == {SentenceLabel.SET_ASIDE}
    assert "nothing_to_check" in [notice.code for notice in audit.evidence.notices]
    assert sum(source.weight for source in audit.sources) == pytest.approx(1)
    assert recompute(audit, count_set_aside=True).score < 1
    # Kept with all that it was measured by.
    store = AuditStore(get_engine(f"sqlite:///{tmp_path / 'audits.db'}"))
    assert store.load(store.save(audit)).audit == audit
