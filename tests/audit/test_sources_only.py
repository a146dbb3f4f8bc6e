"""Audits of which the NLI model read only the chunks that selection keeps: nothing is silently
wrong."""

import json
from dataclasses import replace

import numpy as np
import pytest

from provenance_core import InputError, Parameters, default_parameters, recompute
from provenance_core.audit.assembly import assemble
from provenance_core.audit.digest import evidence_digest
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.errors import NotReadError
from provenance_core.types import Aggregation, Cells, Entailment, PairScores, SentenceLabel
from tests.conftest import hand_evidence
from tests.partly_read import partly_read

# The first two chunks are the most relevant; the last says what the second sentence states.
RELEVANCE = [3.0, 2.0, 0.0]
ENTAILMENT = [[0.9, 0.1, 0.2], [0.1, 0.2, 0.9]]
SOURCES = replace(default_parameters(), top_k=2, cells=Cells.SOURCES)


def whole():
    return hand_evidence(RELEVANCE, ENTAILMENT)


def part():
    return partly_read(whole(), [0, 1])


@pytest.mark.parametrize("aggregation", list(Aggregation))
def test_the_score_is_that_of_all_cells(aggregation):
    given = replace(SOURCES, aggregation=aggregation)
    every = assemble(whole(), replace(given, cells=Cells.ALL))
    sources = assemble(part(), given)
    assert sources.score == every.score
    assert [claim.score for claim in sources.claims] == [claim.score for claim in every.claims]
    assert [s.contribution for s in sources.sources] == [s.contribution for s in every.sources]


def test_a_chunk_that_was_not_read_has_no_number():
    audit = assemble(part(), SOURCES)
    assert [source.factuality is None for source in audit.sources] == [False, False, True]
    assert audit.sources[2].contribution == audit.sources[2].weight == 0
    assert all(claim.factuality[2] is None for claim in audit.claims)
    assert audit.contradicts[2] == ()


def test_a_source_selection_miss_is_not_computed_and_not_denied():
    every = assemble(whole(), replace(SOURCES, cells=Cells.ALL))
    assert [traced.selection_miss for traced in every.sentences] == [False, True]
    audit = assemble(part(), SOURCES)
    assert [traced.selection_miss for traced in audit.sentences] == [False, None]
    assert audit.sentences[1].label is SentenceLabel.NOT_FOUND
    assert audit.sentences[1].evidence_chunk in (0, 1)


def test_fewer_sources_are_recomputed_and_others_are_refused():
    audit = assemble(part(), SOURCES)
    every = assemble(whole(), replace(SOURCES, cells=Cells.ALL))
    assert recompute(audit, top_k=1).score == recompute(every, top_k=1).score
    assert recompute(audit, threshold=0.9).score == audit.score
    with pytest.raises(NotReadError, match=r"did not read C3, which .* as a source.*cells=all"):
        recompute(audit, top_k=3)
    with pytest.raises(NotReadError, match="C3"):
        recompute(audit, selection="top_p", top_p=1.0)


@pytest.mark.parametrize(
    "other", [Parameters(detector="summac"), Parameters(top_k=2), Parameters(detector="nli-matrix")]
)
def test_settings_that_need_every_cell_are_refused(other):
    with pytest.raises(NotReadError, match="audit again with cells=all"):
        assemble(part(), other)


def test_evidence_refuses_scores_that_do_not_fit_the_chunks_read():
    with pytest.raises(ValueError, match="its scores, and no other"):
        replace(whole(), chunks_read=(True, True, False))
    with pytest.raises(ValueError, match="its scores, and no other"):
        replace(part(), chunks_read=())
    with pytest.raises(ValueError, match="3 values, not 2"):
        replace(whole(), chunks_read=(True, False))
    with pytest.raises(ValueError, match="empty where all chunks were read"):
        replace(whole(), chunks_read=(True, True, True))
    with pytest.raises(ValueError, match="its support, and no other"):
        replace(part(), support=((0.5, 0.5, 0.5), (0.5, 0.5, None)))
    with pytest.raises(ValueError, match="its support, and no other"):
        replace(part(), support=((0.5, None, None), (0.5, 0.5, None)))


def test_a_pair_that_was_not_read_has_three_times_no_number():
    read = Entailment(0.5, 0.25, 0.25)
    scores = PairScores.of_rows([[read, None]])
    assert scores.read.tolist() == [[True, False]]
    assert scores.cell(0, 0) == read
    assert scores == PairScores.of_rows([[read, None]]) != PairScores.of_rows([[read, read]])
    with pytest.raises(ValueError, match="was not read"):
        scores.cell(0, 1)
    with pytest.raises(ValueError, match="no finite number"):
        PairScores(np.array([[[0.5, np.nan, 0.5]]]))


def test_json_has_null_and_gives_the_audit_back():
    audit = assemble(part(), SOURCES)
    raw = json.loads(audit_to_json(audit))
    assert raw["evidence"]["sentence_scores"][0][2] is None
    assert raw["sources"][2]["factuality"] is None
    assert raw["sentences"][1]["selection_miss"] is None
    assert audit_from_json(json.dumps(raw)) == audit
    # A score that no model gave is not taken for one.
    raw["evidence"]["sentence_scores"][0][2] = raw["evidence"]["sentence_scores"][0][0]
    with pytest.raises(InputError, match="its scores, and no other"):
        audit_from_json(json.dumps(raw))


def test_an_audit_of_before_reads_all_cells():
    raw = json.loads(audit_to_json(assemble(whole(), default_parameters())))
    del raw["parameters"]["cells"], raw["evidence"]["chunks_read"]
    assert audit_from_json(json.dumps(raw)).parameters.cells is Cells.ALL


def test_audits_of_other_cells_are_not_taken_for_each_other():
    every = evidence_digest(whole(), default_parameters())
    sources = evidence_digest(part(), SOURCES)
    assert sources not in (every, evidence_digest(part(), replace(SOURCES, top_k=1)))
    # The detector reads all of them whatever the parameter says.
    judged = Parameters(detector="summac")
    assert evidence_digest(whole(), judged) == evidence_digest(
        whole(), replace(judged, cells=Cells.SOURCES)
    )
