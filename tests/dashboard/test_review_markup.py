"""The chunks of the Review page say of a sentence what the Audit page says."""

from __future__ import annotations

from inline_snapshot import snapshot

from dashboard.review.draft import Draft, draft_of
from dashboard.review.markup import chunks_markup, review_markup, sentences_markup
from provenance_core import Provenance, Verdict
from provenance_core.explain.sentences import foreign_sentences
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.review.types import JudgedSentence, JudgedVerdict, Judgement, Review
from tests.wording import assert_shows


def test_a_chunk_that_has_nothing_to_do_with_a_sentence_is_no_evidence(provenance: Provenance):
    audit = provenance.audit(
        answer="Bees make honey. Zurich hosted parliament.", context=["Bees make honey."]
    )
    assert_shows(
        verdict_sentence(audit),
        snapshot("no single passage of the context was found to state “Zurich hosted parliament”"),
    )
    shown = chunks_markup(audit, [0], Draft(), 0, 1, machine=True, foreign=foreign_sentences(audit))
    assert_shows(shown, snapshot("nearest evidence for S1 · not about, but nearest to S2"))
    assert "pv-now" not in shown
    blind = chunks_markup(audit, [0], Draft(), 0, 1, machine=False)
    assert "S1" not in blind and "S2" not in blind


def test_a_judgement_that_is_read_is_nobody_s_in_particular(provenance: Provenance):
    audit = provenance.audit(answer="Bees make honey.", context=["Bees make honey."])
    said = Judgement(
        JudgedVerdict.SUPPORTED, sentences=(JudgedSentence(0, JudgedVerdict.SUPPORTED),)
    )
    review = Review(1, 1, "Cleo", 1, "2026-11-26T12:00:00Z", said, 0.9, 0.5, Verdict.SUPPORTED)
    assert '<span class="pv-you">✓</span>' in review_markup(review, audit)
    own = sentences_markup(audit, draft_of(said), 0, machine=False)
    assert '<span class="pv-you">you ✓</span>' in own
