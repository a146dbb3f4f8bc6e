"""The models read only the cells of the sources, and the score stays."""

from dataclasses import replace

import numpy as np
import pytest

from dashboard.audit.examples import CONTRADICTED, SUPPORTED
from provenance_core import DETECTORS, default_parameters
from provenance_core.types import Cells, RelevanceMethod

SOURCES = replace(default_parameters(), cells=Cells.SOURCES)
# More than the ten that are selected.
BRIDGES = [
    f"Bridge {i} was opened in 19{30 + i} and is {100 + i} metres long. It crosses the river at "
    f"town {i}."
    for i in range(14)
]
ANSWERS = [
    ("When was bridge 3 opened?", "Bridge 3 was opened in 1933. It is 104 metres long."),
    ("When was bridge 3 opened?", "Bridge 3 was opened in 1934."),
    ("Was bridge 5 opened in 1935?", "Yes."),
    ("Was bridge 5 opened in 1935?", "No."),
]


def both(provenance, **given):
    """The audit of all cells, and that of the sources alone."""
    return (
        provenance.audit(**given, parameters=replace(SOURCES, cells=Cells.ALL)),
        provenance.audit(**given, parameters=SOURCES),
    )


@pytest.mark.parametrize(("query", "answer"), ANSWERS)
def test_the_score_is_that_of_all_cells(provenance, query, answer):
    every, sources = both(provenance, query=query, answer=answer, context=BRIDGES)
    assert sources.score == every.score
    assert [t.label for t in sources.sentences] == [t.label for t in every.sentences]
    assert sources.verdict is every.verdict


def test_only_the_cells_of_the_sources_are_read(provenance):
    query, answer = ANSWERS[0]
    every, sources = both(provenance, query=query, answer=answer, context=BRIDGES)
    evidence = sources.evidence
    assert not every.evidence.chunks_read
    assert evidence.chunks_read == tuple(source.selected for source in sources.sources)
    assert evidence.tokens.pairs < every.evidence.tokens.pairs
    read = evidence.read
    assert np.array_equal(
        evidence.sentence_scores.values[:, read], every.evidence.sentence_scores.values[:, read]
    )
    assert np.isnan(evidence.sentence_scores.values[:, ~read]).all()
    assert evidence.pair_tokens is not None
    tokens = np.array(evidence.pair_tokens.sentences)
    assert (tokens[:, read] > 0).all()
    assert not tokens[:, ~read].any()


@pytest.mark.parametrize("example", [SUPPORTED, CONTRADICTED])
def test_where_every_chunk_is_a_source_nothing_is_left_out(provenance, example):
    every, sources = both(
        provenance, query=example.query, answer=example.answer, context=list(example.context)
    )
    assert sources.score == every.score
    assert not sources.evidence.chunks_read
    assert sources.evidence.sentence_scores == every.evidence.sentence_scores


def test_only_the_two_stage_detector_reads_the_parameter():
    assert [name for name in DETECTORS if "cells" in DETECTORS[name].traits.uses] == ["provenance"]


def test_other_detectors_and_dense_retrieval_read_every_cell(provenance):
    for given in (
        default_parameters(detector="summac"),
        replace(default_parameters(), relevance_method=RelevanceMethod.COSINE, top_k=1),
    ):
        audit = provenance.audit(
            answer="Bridge 3 was opened in 1933.",
            context=BRIDGES[:3],
            parameters=replace(given, cells=Cells.SOURCES),
        )
        assert not audit.evidence.chunks_read
