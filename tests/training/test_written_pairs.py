"""Written pairs: what a block becomes, what a wrong line says, what is held out."""

from __future__ import annotations

import random

import pytest

from training.support_rows import written_rows
from training.written_pairs import (
    FOLDER,
    Block,
    held,
    held_pairs,
    hypothesis,
    read_blocks,
    training_pairs,
)

TEXT = """\
# The mill in Orvale has twelve rooms. It opens on Mondays.
? How many rooms does it have?
e Twelve
c It is closed on the first day of the week.
n The rooms were painted by Ida Holm.

# Cats of the Nerr sleep for nine hours.
e A cat of the Nerr sleeps less than half of the day.
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mills.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_a_block_has_a_context_a_query_and_labelled_claims(folder):
    mill, cats = read_blocks(folder)
    assert mill == Block(
        "mills",
        "The mill in Orvale has twelve rooms. It opens on Mondays.",
        "How many rooms does it have?",
        (
            ("Twelve", "entailment"),
            ("It is closed on the first day of the week.", "contradiction"),
            ("The rooms were painted by Ida Holm.", "neutral"),
        ),
    )
    assert cats.query == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# One.\ne Right.\n\n# Two.\nx Wrong.\n", "mills.txt, line 5: no part of a block: 'x W"),
        ("e No context.\n", "line 1: no part of a block"),
        ("# One.\n? What?\n", "line 1: a block without claims"),
        ("# One.\n# Two.\ne Right.\n", "line 2: no part of a block"),
    ],
)
def test_a_line_that_is_none_is_named(tmp_path, text, message):
    (tmp_path / "mills.txt").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_blocks(tmp_path)


def test_what_is_no_sentence_is_read_with_its_query(folder):
    mill, cats = read_blocks(folder)
    assert hypothesis(mill, "Twelve", prompted=False) == (
        "The answer to question How many rooms does it have? is Twelve."
    )
    long = "It is closed on the first day of the week."
    assert hypothesis(mill, long, prompted=False) == long
    assert hypothesis(mill, long, prompted=True).endswith(f"? is {long}")
    assert hypothesis(cats, "Nine hours.", prompted=True) == "Nine hours."


def many(count: int, kind: str = "made", query: str = "") -> list[Block]:
    claims = (("It holds.", "entailment"), ("It does not.", "contradiction"))
    return [Block(kind, f"Context number {n} holds.", query, claims) for n in range(count)]


def test_nothing_of_a_held_out_block_is_trained_on():
    blocks = many(200)
    kept = {block.context for block in blocks if held(block)}
    assert 5 < len(kept) < 50
    rows = list(training_pairs(blocks, random.Random(1)))
    assert len(rows) >= 2 * (200 - len(kept))
    assert not any(context in row["premise"] for context in kept for row in rows)
    assert {block.context for block, _, _ in held_pairs(blocks)} == kept


def test_answers_of_held_out_blocks_are_right_where_all_their_claims_are():
    rows = list(written_rows(many(200), random.Random(1)))
    assert {row.label for row in rows} == {0, 1}
    for row in rows:
        assert ("It does not." in row.answer) == (row.label == 0)
        assert len(set(row.context)) == 2


def test_more_blocks_of_the_later_files_are_held_out():
    assert sum(map(held, many(400))) < 60 < sum(map(held, many(400, "wire"))) < 140


def test_the_blocks_of_the_repository_can_be_read():
    blocks = read_blocks(FOLDER)
    assert len({block.context for block in blocks}) == len(blocks)
    counts = [label for block in blocks for _, label in block.claims]
    share = counts.count("entailment") / len(counts)
    assert 0.4 < share < 0.6
