"""Of a long context each sentence is read against the chunks nearest to it, wherever they stand."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance_core import Provenance, check_texts, default_parameters, recompute
from provenance_core.audit.nearest_chunks import NEAREST, READ_WHOLE, LongContext
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.errors import NotReadError
from provenance_core.explain.sentences import reason_texts
from provenance_core.explain.summary import audit_summary
from provenance_core.progress import Progress
from provenance_core.text.nearest import nearest, shared_words
from provenance_core.types import Cells, SentenceLabel
from reports.audit_report import audit_report
from reports.charts import heatmap, shown_part
from reports.quantities import Quantity, cell_values
from reports.tables import audit_csv
from reports.wording import UNREAD
from storage import AuditStore
from storage.stored_scores import BulkScoreStore, scores_under

_WORDS = ("mill", "bridge", "station", "library", "quarry", "depot", "school", "chapel", "granary")
_PLACES = ("Lorne", "Tarn", "Marden", "Eskdale", "Selby", "Norby", "Rothe", "Harrow", "Bellow")
_words = st.sampled_from(_WORDS)
_COUNT = 190  # some 47 chunks


def _statement(number: int) -> str:
    thing, place = _WORDS[number % 9], _PLACES[number % 8]
    cost, people = (number * 7) % 911, (number * 13) % 97 + 3
    return (
        f"The {thing} of {place} was opened in {1600 + number} at a cost of {cost} thousand crowns "
        f"and {people} people work there."
    )


def _context() -> str:
    return " ".join(map(_statement, range(_COUNT)))


@settings(max_examples=25)
@given(st.lists(_words, min_size=4, max_size=9), st.integers(0, 79), st.integers(0, 1000))
def test_a_sentence_is_read_against_the_chunk_that_states_it(sentence, at, seed):
    drawn = random.Random(seed)
    # All chunks have the words of the sentence, so that its words alone tell nothing.
    chunks = [" ".join(drawn.sample(_WORDS, len(_WORDS))) + "." for _ in range(80)]
    text = " ".join(sentence) + "."
    chunks[at] = f"{chunks[at]} {text} {chunks[at]}"
    long = LongContext((text,), shared_words([text], chunks), tuple(chunks))
    cells = long.to_read([3])
    assert cells[0, at]
    assert cells.sum() == len({3, at})  # and against the sources, nothing else


@given(st.lists(st.lists(_words, min_size=1, max_size=6), min_size=1, max_size=30), st.data())
def test_what_is_shared_counts_by_how_rare_it_is(others, data):
    texts = [" ".join(words) for words in others]
    text = " ".join(data.draw(st.lists(_words, min_size=1, max_size=4)))
    (row,) = shared_words([text], texts)
    for at, other in enumerate(texts):
        common = set(text.split()) & set(other.split())
        expected = sum(np.log1p(len(texts) / sum(w in t.split() for t in texts)) for w in common)
        assert row[at] == pytest.approx(expected)
    assert all(row[at] > 0 for at in nearest(row, 5))


def test_a_text_that_shares_nothing_is_read_all_the_same():
    chunks = tuple(f"chunk number {n}" for n in range(50))
    long = LongContext(("xyzzy",), shared_words(["xyzzy"], chunks), chunks)
    assert long.to_read([]).sum() == 1
    assert len(long.to_score("xyzzy", 10)) == READ_WHOLE


@pytest.fixture(scope="module")
def embedded():
    return Provenance.load("embedded")


@pytest.fixture(scope="module")
def long_audit(embedded):
    """With a query that names none of its sentences: the last statement of the context word for
    word, and one of another year."""
    wrong = _statement(70).replace("1670", "1534")
    answer = f"{_statement(_COUNT - 1)} {wrong}"
    texts = check_texts(answer=answer, context=[_context()], query="Tell me about the region.")
    return embedded.audit_texts(texts, default_parameters("embedded"))


def test_a_word_for_word_sentence_is_supported_whatever_the_query(long_audit):
    right, wrong = long_audit.sentences
    assert right.label is SentenceLabel.SUPPORTED
    assert recompute(long_audit, top_k=1).sentences[0].label is SentenceLabel.SUPPORTED
    assert wrong.label is not SentenceLabel.SUPPORTED
    reason = reason_texts(long_audit)[1]
    assert reason and "nothing in the context" not in reason and "no single passage" not in reason


def test_few_pairs_are_read_and_the_audit_says_so(long_audit):
    evidence = long_audit.evidence
    sources = sum(source.selected for source in long_audit.sources)
    assert len(evidence.chunks) > READ_WHOLE
    assert not evidence.read.all()
    assert (evidence.read.sum(axis=1) <= NEAREST + sources + 1).all()
    assert [each is None for each in evidence.relevance].count(False) == READ_WHOLE
    assert "nearest_chunks" in {notice.code for notice in evidence.notices}
    assert (np.array(evidence.pair_tokens.sentences) > 0).tolist() == evidence.read.tolist()


def test_the_summary_looks_at_each_chunk_once(long_audit, monkeypatch):
    """A look at all chunks for each of them took minutes where there are thousands."""
    asked = []
    sentences = Cells.sentences
    monkeypatch.setattr(
        Cells, "sentences", lambda *given: asked.append(given[1]) or sentences(*given)
    )
    assert audit_summary(long_audit).sources
    assert len(asked) <= len(long_audit.evidence.chunks)


def test_pairs_that_were_not_read_stay_so_in_files_and_charts(long_audit):
    assert audit_from_json(audit_to_json(long_audit)) == long_audit
    unread = ~long_audit.evidence.read
    assert (np.isnan(cell_values(long_audit, Quantity.SUPPORT)) == unread).all()
    shown = shown_part(long_audit)
    drawn = heatmap(long_audit, shown, Quantity.SUPPORT).data[0].z
    empty = [[cell is None for cell in row] for row in drawn]
    assert empty == unread[:, list(shown.chunks)].tolist()
    assert UNREAD in audit_report(long_audit)
    assert audit_csv(long_audit)


def test_a_selection_of_chunks_that_were_not_read_is_refused(long_audit):
    assert recompute(long_audit, top_k=3).score <= long_audit.score
    with pytest.raises(NotReadError, match=r"Audit the answer again"):
        recompute(long_audit, top_k=45)


def test_stored_scores_make_the_same_score(long_audit, tmp_path):
    url = f"sqlite:///{tmp_path}/long.db"
    number = AuditStore.open(url).save(long_audit)
    assert AuditStore.open(url).load(number).audit == long_audit
    measured = BulkScoreStore.open(url).measured([number])
    assert scores_under(measured, long_audit.parameters) == (long_audit.score,)


class _Stopped(Exception):
    """What Stop raises."""


def test_it_can_be_stopped_while_it_reads(embedded):
    def stop(stage, share):
        if stage == "Relevance":
            raise _Stopped

    texts = check_texts(answer=_statement(3), context=[_context()], query="The region?")
    with pytest.raises(_Stopped):
        embedded.audit_texts(texts, default_parameters("embedded"), Progress(stop))
