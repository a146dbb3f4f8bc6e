"""Citations claim nothing; an index, an interval, a power and code are none."""

from __future__ import annotations

import pytest

from provenance_core.findings.quantities import find_quantities
from provenance_core.text.citations import find_citations, find_reference_lists
from provenance_core.text.claims import claim_texts, split_answer
from provenance_core.text.set_aside import REFERENCE, find_set_aside

PLAIN = "The mill has 12 wheels."


def count(texts):
    return [len(text.split()) for text in texts]


@pytest.mark.parametrize(
    "citation",
    [
        " [1]",
        "[1]",
        "[1][2]",
        " [1, 3-5]",
        " [^3]",
        "[^1^]",
        "[^1^][^2^]",
        " {{2}}",
        ' <cite id="2">[2]</cite>',
        "<cite>2</cite>",
        " [1](https://example.org/a)",
        " [chunk_3]",
        " [doc 2]",
        " [Source: mills of Tarn.pdf, p. 17]",
        " [mills.pdf]",
        " \u30101\u2020source\u3011",
        " (Meyer et al., 2019)",
        " (Meyer & Lee, 2019; Kim et al., 2020, p. 4)",
        " (Source: mills.pdf, p. 17)",
        " (see document 2)",
        " (p. 17)",
        " (chunk_3)",
        " (doc 1, doc 2)",
        " [Source 1, Source 2]",
        " [[1]](https://example.org/a)",
        " (Source: Parking policy)",
        " (Quelle: m\u00fchle.pdf, Seite 3)",
        " (vgl. Meyer 2019, S. 12)",
        " (Meyer, 2019)",
        " (from the handbook, p. 3)",
        "\u00b9",
        "\u00b9\u00b2",
        "<sup>1</sup>",
        "<sup>[2]</sup>",
    ],
)
def test_a_citation_is_neither_a_claim_nor_a_number(citation):
    for answer in (f"{PLAIN[:-1]}{citation}.", f"{PLAIN}{citation}"):
        assert claim_texts(answer, split_answer(answer, 100, count))[0].strip() == PLAIN
        assert [answer[q.start : q.end] for q in find_quantities(answer)] == ["12"]


@pytest.mark.parametrize(
    "text",
    [
        "Use items[1] for the first one.",
        "Use items[1] and items[0].",
        "It is a[1] = 3.",
        "Use `items[1]`.",
        "Use items[1].",
        "The element rows[2].",
        "It reads my_rows[1].",
        "It opened (August, 2019).",
        "```\nx = items [1]\n```",
        "It lies in the interval [1, 5].",
        "x in [0, 1]",
        "The set [1, 2, 3] is closed.",
        "list = [1, 2]",
        "It has 5 m\u00b2.",
        "It is 10\u2076 km off.",
        "It is 10<sup>6</sup> km off.",
        "The Games (Paris, 1924) were cold.",
        "It opened (in 1924).",
        "The mill (source of the brook) is old.",
        "The plan [2019] is new.",
    ],
)
def test_what_says_something_is_no_citation(text):
    assert find_citations(text) == []


def test_a_link_says_its_words():
    answer = "[The mill](https://example.org/mill) has 12 wheels."
    assert claim_texts(answer, split_answer(answer, 100, count)) == [PLAIN]


def test_a_list_of_references_is_set_aside():
    answer = (
        f"{PLAIN} It is old.\n\n**Sources:**\n1. Meyer, Mills of Tarn, 2019\n2. https://example.org"
    )
    (found,) = find_reference_lists(answer)
    assert answer[slice(*found)].startswith("**Sources:**")
    sentences = split_answer(answer, 100, count)
    aside = {each.sentence: each.reason for each in find_set_aside(answer, sentences)}
    assert {index for index, reason in aside.items() if reason == REFERENCE} == set(
        range(2, len(sentences))
    )


def test_a_footnote_is_set_aside_and_a_list_of_sources_of_a_river_is_not():
    note = f"{PLAIN}\n[^1]: Meyer, 2019\n"
    assert [note[a:b] for a, b in find_reference_lists(note)] == ["[^1]: Meyer, 2019"]
    assert find_reference_lists("The river has two sources:\n- the Tarn\n- the Ulm") == []
