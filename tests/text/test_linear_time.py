"""Every reader of a user's text takes time in proportion to its length.

Processor time of this thread is compared, at a length where a quadratic reader takes sixteen times
as long for four times the text. A reader that is slow once is asked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count

import pytest

from provenance_core.findings.answers import find_mismatches, whole_amount
from provenance_core.findings.clauses import read_clauses
from provenance_core.findings.copied import copied_shares, stands_verbatim
from provenance_core.findings.details import compare_details, other_writings
from provenance_core.findings.phrases import (
    exchangeable_details,
    find_clauses,
    find_details,
    word_bounds,
)
from provenance_core.findings.quantities import find_quantities
from provenance_core.findings.read_texts import read_text
from provenance_core.findings.replacements import without
from provenance_core.findings.same_subject import is_of_the_same, says_the_same_of_it
from provenance_core.lexicon.numerals import normal_words
from provenance_core.lexicon.words import word_list
from provenance_core.text.chatter import is_chatter
from provenance_core.text.chunking import chunk_context
from provenance_core.text.claims import build_claims, split_answer
from provenance_core.text.framing import is_citation, without_frame
from provenance_core.text.languages import foreign_language
from provenance_core.text.list_markers import marker_length
from provenance_core.text.markdown_tables import find_tables
from provenance_core.text.premises import split_premises
from provenance_core.text.recursive_chunks import split_into_claims
from provenance_core.text.references import is_fragment, subject_of, without_pronoun
from provenance_core.text.set_aside import find_set_aside, why_set_aside
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.structured_context import verbalise
from provenance_core.text.yes_no import answers_nothing, is_bare, statement_of
from provenance_core.types import ClaimForm, ContextItem, Granularity, Sentence

CLAIM = "The mill in Tarn is not 12 km away, it rose."
QUERY = "Is the mill in Tarn 12 km away?"
SHORT, TIMES = 2_500, 4
MOST = 9.0  # times as long; 4 where the time is linear, 16 where it is quadratic
NEVER_MIND = 0.02  # seconds: a quadratic reader takes longer than that
NEW = count()  # readers remember a text: each time, another one is read

PIECES = (
    "\n", " ", "\t", "1", "a", "A", "-", "|", ".", ",", "(", "[", "\"", "'", "*", "_", "#", "$",
    "?", ";", "\u201c", "{", "<", "1 ", "1,", "1.", "1/", "A ", "a. ", "- ", "| ", "[1]", "**a",
    "a-", "and ", "one ", "The ", "no ", "not ", "'s ", "\n1. ", "x\n", "http://a", "(a, 19",
    "a b c, ", "| a | b |\n",
)  # fmt: skip


def _tokens(texts: list[str]) -> list[int]:
    return [len(text) // 4 + 1 for text in texts]


def _claims(text: str) -> object:
    sentences = split_answer(text, 60, _tokens)
    return build_claims(QUERY, text, sentences, ClaimForm.AUTO, 60, _tokens)


def _chunks(text: str) -> object:
    items = [ContextItem(0, text)]
    split_premises(items, Granularity.SENTENCE, max_tokens=60, count_tokens=_tokens)
    return chunk_context(items, max_tokens=60, overlap_sentences=1, count_tokens=_tokens)


def _letters(text: str) -> object:
    items = [ContextItem(at, letter) for at, letter in enumerate(text[::4])]
    return chunk_context(items, max_tokens=60, overlap_sentences=1, count_tokens=_tokens)


READERS: dict[str, Callable[[str], object]] = {
    "amounts": lambda text: whole_amount(text, len(text) // 2, len(text) // 2 + 1),
    "chunks": _chunks,
    "claims": _claims,
    "clauses": read_clauses,
    "copied": lambda text: copied_shares(text, [text, CLAIM]),
    "verbatim": lambda text: (stands_verbatim(text, CLAIM), stands_verbatim(text[:99], text)),
    "details of a context": lambda text: compare_details(CLAIM, [text]),
    "writings of a context": lambda text: other_writings(CLAIM, [text]),
    "frames": lambda text: (without_frame(text), is_citation(text)),
    "items of one letter": _letters,
    "language": foreign_language,
    "markers": marker_length,
    "mismatches": lambda text: (find_mismatches(text, [CLAIM]), find_mismatches(CLAIM, [text])),
    "numerals": normal_words,
    "phrases": lambda text: (exchangeable_details(text), find_details(text), find_clauses(text)),
    "quantities": find_quantities,
    "read text": read_text,
    "recursive claims": lambda text: split_into_claims(text, 60, _tokens),
    "references": lambda text: (
        without_pronoun(text, CLAIM), without_pronoun("It is red.", text), is_fragment(text),
        subject_of(text),
    ),
    "replacements": lambda text: without(text, [(0, 1), (len(text) // 2, len(text) // 2 + 1)]),
    "sentences": sentence_bounds,
    "set aside": lambda text: (
        why_set_aside(text), find_set_aside(text, [Sentence(0, 0, len(text), text)], QUERY)
    ),
    "chatter": is_chatter,
    "subjects": lambda text: (is_of_the_same(text, CLAIM), says_the_same_of_it(CLAIM, text)),
    "tables": find_tables,
    "data": lambda text: verbalise([ContextItem(0, text)]),
    "words": lambda text: (word_list(text), word_bounds(text)),
    "yes or no": lambda text: (
        statement_of(text, "Yes."), statement_of(QUERY, text), is_bare(text),
        answers_nothing(text, "Yes"),
    ),
}  # fmt: skip


def _seconds(read: Callable[[str], object], piece: str, length: int) -> float:
    text = f"{(piece * length)[:length]}!{next(NEW)}"
    started = time.thread_time()
    read(text)
    return time.thread_time() - started


def _is_linear(read: Callable[[str], object], piece: str) -> bool:
    for _ in range(3):
        long = _seconds(read, piece, TIMES * SHORT)
        if long < NEVER_MIND or long < MOST * _seconds(read, piece, SHORT):
            return True
    return False


@pytest.mark.parametrize("name", READERS)
def test_time_grows_with_the_length_of_the_text(name: str) -> None:
    READERS[name](CLAIM)  # what loads once is loaded
    assert [piece for piece in PIECES if not _is_linear(READERS[name], piece)] == []


def test_a_quadratic_reader_is_found() -> None:
    def read(text: str) -> object:
        # Eight times over: a fast processor does it once in less than NEVER_MIND.
        return [text[at:].count("a") for at in range(len(text)) for _ in range(8)]

    assert not _is_linear(read, "a")
