"""The chunks of the Review page say of a sentence what the Audit page says."""

from __future__ import annotations

from dashboard.review.draft import Draft
from dashboard.review.markup import chunks_markup
from provenance_core import Provenance
from reports.explanation import foreign_sentences, verdict_sentence


def test_a_chunk_that_has_nothing_to_do_with_a_sentence_is_no_evidence(provenance: Provenance):
    audit = provenance.audit(
        answer="Bees make honey. Zurich hosted parliament.", context=["Bees make honey."]
    )
    assert "nothing in the context is about “Zurich hosted parliament”" in verdict_sentence(audit)
    shown = chunks_markup(audit, [0], Draft(), 0, 1, machine=True, foreign=foreign_sentences(audit))
    assert "nearest evidence for S1 · nothing in the context is about S2" in shown
    assert "pv-now" not in shown
    blind = chunks_markup(audit, [0], Draft(), 0, 1, machine=False)
    assert "S1" not in blind and "S2" not in blind
