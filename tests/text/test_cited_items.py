"""A citation points to a context item by its label, a list of references, its place or name."""

from __future__ import annotations

import pytest

from provenance_core.text.cited_items import find_cited, points_to_no_item
from provenance_core.text.claims import split_answer
from provenance_core.types import ContextItem

TEXTS = ("The mill has twelve wheels.", "A ticket costs nine euros.", "It is closed on Mondays.")
FILES = ("data/history.pdf, page 3", "prices.md", "hours.html")


def _items(names=("", "", ""), texts=TEXTS):
    return [
        ContextItem(at, text, name)
        for at, (text, name) in enumerate(zip(texts, names, strict=True))
    ]


def _cited(answer, items):
    sentences = split_answer(answer, 400, lambda texts: [len(text.split()) for text in texts])
    return find_cited(answer, sentences, items)


@pytest.mark.parametrize(
    ("citation", "names", "wanted"),
    [
        ("[2]", ("", "", ""), (1,)),
        ("[1, 3]", ("", "", ""), (0, 2)),
        ("[1-3]", ("", "", ""), (0, 1, 2)),
        ("[^2]", ("", "", ""), (1,)),
        ("<sup>2</sup>", ("", "", ""), (1,)),
        ("[^2^]", ("", "", ""), (1,)),
        ("{{2}}", ("", "", ""), (1,)),
        ('<cite id="2">[2]</cite>', ("", "", ""), (1,)),
        ("\u00b2", ("", "", ""), (1,)),
        ("[Source 2]", FILES, (1,)),
        ("(see document 2)", FILES, (1,)),
        ("[[2]](https://example.org)", FILES, (1,)),
        ("[chunk_3]", ("chunk_1", "chunk_2", "chunk_3"), (2,)),
        ("[chunk_2]", ("chunk_0", "chunk_1", "chunk_2"), (2,)),
        ("(doc-7)", ("doc-4", "doc-7", "doc-9"), (1,)),
        ("(Source: history.pdf, p. 3)", FILES, (0,)),
        ("(Quelle: prices.md)", FILES, (1,)),
        ("[hours.html]", FILES, (2,)),
        ("(p. 3)", FILES, (0,)),
        ("(Source: Parking policy)", ("Opening hours", "Parking policy", "Fees"), (1,)),
        ("[1](https://example.org/b)", ("", "https://example.org/b", ""), (1,)),
        ("(Meyer, 2019)", ("Kim 2020", "Meyer 2019", "Lee 2021"), (1,)),
        ("(Meyer et al., 2019; Lee, 2021)", ("Kim 2020", "Meyer 2019", "Lee 2021"), (1, 2)),
    ],
)
def test_a_citation_names_context_items(citation, names, wanted):
    (found,) = _cited(f"It is so {citation}.", _items(names))
    assert (found.items, found.unclear) == (wanted, "")


def test_pages_of_one_file_are_told_apart_and_a_file_alone_means_all_of_them():
    items = _items(("a.pdf p. 1", "a.pdf p. 2", "b.pdf p. 1"))
    assert [each.items for each in _cited("So (a.pdf, p. 2). And (Source: a.pdf).", items)] == [
        (1,),
        (0, 1),
    ]


def test_the_label_in_an_item_counts_before_its_position():
    items = _items(texts=("[7] One.", "[4] Two.", "[9] Three."))
    assert [each.items for each in _cited("So [4]. And [9].", items)] == [(1,), (2,)]
    (unknown,) = _cited("So [2].", items)
    assert unknown.unclear == "no context item has the number 2"


def test_the_list_of_references_counts_before_the_position():
    answer = "It costs nine euros [1]. It turns [2].\n\nReferences:\n[1] prices.md\n[2] history.pdf"
    assert [each.items for each in _cited(answer, _items(FILES))] == [(1,), (0,)]
    foreign = "It costs nine euros [1].\n\nReferences:\n[1] Lee, Rivers of the North, 1999"
    (found,) = _cited(foreign, _items(FILES))
    assert found.unclear == "the list of references names no context item there"


@pytest.mark.parametrize(
    ("answer", "names", "why"),
    [
        ("So [5]. And [7].", ("", "", ""), "the context has no item "),
        ("So (chunk 0). And [2].", ("", "", ""), "the answer seems to count the items from 0"),
        ("So [1].", ("doc_0", "doc_1", "doc_2"), "the number may be an item's position or"),
        ("So (Source: x.pdf, p. 17).", FILES, "no context item is called x.pdf"),
        ("So (Lee et al., 2020).", FILES, "no context item names these authors and this year"),
        ("So (p. 9).", FILES, "no context item is named as page 9"),
    ],
)
def test_what_is_unclear_says_why(answer, names, why):
    for found in _cited(answer, _items(names)):
        assert found.items == () and found.unclear.startswith(why)


@pytest.mark.parametrize(
    ("answer", "items", "why"),
    [
        ("So [1]. And [9].", [(0,), ()], ["", "the context has no item 9"]),
        ("So [1][9].", [(0,), ()], ["", "the context has no item 9"]),
        (
            "So [1]. And [7][9].",
            [(), (), ()],
            [
                "the answer cites up to number 9, and the context has 3 items",
                "the context has no item 7",
                "the context has no item 9",
            ],
        ),
    ],
)
def test_a_number_beyond_the_items_leaves_the_others_where_they_are_most(answer, items, why):
    found = _cited(answer, _items(("", "", "")))
    assert [each.items for each in found] == items
    assert [each.unclear for each in found] == why
    assert [points_to_no_item(each) for each in found] == ["no item" in each for each in why]


def test_a_citation_behind_a_full_stop_is_of_the_sentence_before():
    answer = "It turns.\u00b9 It costs nine euros. [2] It is closed.<sup>3</sup>"
    found = _cited(answer, _items())
    assert [(each.sentence, each.items) for each in found] == [(0, (0,)), (1, (1,)), (2, (2,))]
    assert _cited("[1] It turns.\n[2] It is closed.", _items()) == ()
    assert [answer[each.start : each.end] for each in found] == ["\u00b9", "[2]", "<sup>3</sup>"]
