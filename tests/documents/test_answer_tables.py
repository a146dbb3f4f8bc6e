"""The tables of what the text around an answer gives: the page has what the code gives today."""

from __future__ import annotations

import pytest

from docs.answer_tables import CITING, PHRASES, citations, encodings, phrases
from tests.documents.pages import PAGES

PAGE = PAGES["docs/explanation/files-and-answers.md"]


@pytest.mark.parametrize("made", [encodings, citations, phrases])
def test_the_page_has_the_table(made):
    assert made() in PAGE, "put what `python -m docs.answer_tables` prints into the page"


def test_no_encoding_changes_letters_and_a_damaged_file_is_refused_whole():
    *whole, damaged = encodings().splitlines()[2:]
    assert len(whole) == 16 and all("as written" in each for each in whole)
    assert "| refused |" in damaged


def test_what_is_no_citation_is_none_and_twenty_phrases_are_shown():
    found = citations().splitlines()[2:]
    assert [each.endswith("| none |") for each in found] == [False] * 16 + [True] * 5
    assert len(found) == len(CITING) and len(PHRASES) == 20
    assert [each.endswith("| a claim |") for each in phrases().splitlines()[2:]] == [False] * 14 + [
        True
    ] * 6
