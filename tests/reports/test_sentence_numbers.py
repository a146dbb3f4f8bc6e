"""A sentence has one number for one thing: two that differ are named for what they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance_core import DETECTORS, default_parameters
from provenance_core.audit.assembly import assemble
from provenance_core.types import SentenceLabel
from reports.markup import evidence_markup
from reports.score_charts import score_bars
from reports.sentence_numbers import numbers_text, two_numbers_text
from reports.side_by_side import side_by_side
from tests.conftest import hand_evidence

# What the detectors read beside the scores of pairs needs models: they have tests of their own.
BY_HAND = ("provenance", "nli-matrix", "summac", "selfcheck")


@pytest.mark.parametrize("name", BY_HAND)
def test_the_number_of_the_chart_stands_beside_the_sentence_with_its_name(name):
    evidence = hand_evidence([0.0, 0.0], [[0.60, 0.21], [0.90, 0.10]], [[0.30, 0.05], [0.02, 0.70]])
    audit = assemble(evidence, default_parameters("embedded", name))
    chart = score_bars(audit)
    title = DETECTORS[name].title
    assert chart.layout.yaxis.title.text == f"score by {title}"
    for traced, score in zip(audit.sentences, chart.data[0].y, strict=False):
        for card in (evidence_markup(audit, traced), side_by_side(audit, ())):
            assert f"support {traced.support:.3f}" in card
            if f"{score:.3f}" != f"{traced.support:.3f}":
                assert f"score by {title} {score:.3f} · by the sources: support" in card
                assert title in two_numbers_text(audit)


def test_one_number_is_not_said_twice():
    audit = assemble(hand_evidence([0.0], [[0.6]]), default_parameters("embedded"))
    card = side_by_side(audit, ())
    assert ("score by" in card) == bool(two_numbers_text(audit))


def test_a_contradicted_sentence_names_the_source_that_gives_its_support():
    evidence = hand_evidence([0.0, 0.0], [[0.20, 0.01]], [[0.05, 0.98]])
    audit = assemble(evidence, default_parameters("embedded"))
    (traced,) = audit.sentences
    assert traced.evidence_chunk == 1
    said = numbers_text(audit, traced)
    assert said == f"support {traced.support:.3f} by C1 · contradiction 0.980"


def test_words_that_contradict_without_a_model_are_said_to():
    evidence = hand_evidence([0.0], [[0.20]], [[0.10]])
    audit = assemble(evidence, default_parameters("embedded"))
    by_words = replace(audit.sentences[0], label=SentenceLabel.CONTRADICTED)
    assert numbers_text(audit, by_words).endswith(
        "contradiction 0.100 by the model; the words contradict it"
    )
