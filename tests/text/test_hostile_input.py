"""Texts that broke an audit, and what is said of them now."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count

import pytest

from provenance_core import InputError, Provenance, default_parameters
from provenance_core.audit.mitigation import suggest
from provenance_core.findings.details import other_writings
from provenance_core.findings.phrases import exchangeable_details, find_clauses, word_bounds
from provenance_core.findings.quantities import find_quantities
from provenance_core.text.input_checks import check_context
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.structured_context import is_data, verbalise
from provenance_core.types import ContextItem

NEW = count()  # Readers remember a text: each time, another one is read.


def read_quantities(text: str) -> object:
    return find_quantities(f"{text} {next(NEW)}")


def read_premise(text: str) -> object:
    return other_writings("It is 1240 m off.", [f"{text} {next(NEW)}"])


@pytest.mark.parametrize(
    "item",
    [r'{"a": "\ud800 x", "b": 3}', r"""['\ud800 red', 'x y']""", r'{"\udfff": 1, "b": "\u0000"}'],
)
def test_half_characters_that_data_escapes(provenance: Provenance, item: str) -> None:
    audit = provenance.audit(answer="It is red.", context=[item])
    (said,) = [item.text for item in audit.evidence.context]
    said.encode("utf-8")
    assert "\x00" not in said
    assert "\ufffd" in said
    assert "replaced_characters" in {notice.code for notice in audit.evidence.notices}


@pytest.mark.parametrize("context", [None, 5, 1.5, object()])
def test_context_that_is_no_list(context: object) -> None:
    with pytest.raises(InputError, match="The context must be a list of texts"):
        check_context(context)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("opening", "inner", "closing"), [("[", "", "]"), ('{"a":', "1", "}"), ("[", "x", "]")]
)
def test_data_nested_without_end(opening: str, inner: str, closing: str) -> None:
    deep = opening * 100_000 + inner + closing * 100_000
    started = time.monotonic()
    with pytest.raises(InputError, match="Context item 2 is data nested too deeply"):
        verbalise([ContextItem(0, "prose"), ContextItem(1, deep)])
    assert not is_data(deep)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("read", "piece"),
    [
        (exchangeable_details, "1 "),
        (exchangeable_details, "$1"),
        (exchangeable_details, "12 May "),
        (find_clauses, " "),
        (find_clauses, "\n"),
        (sentence_bounds, " "),
        (sentence_bounds, "| "),
        (sentence_bounds, "- "),
        (sentence_bounds, "A. "),
        (word_bounds, "a-b-"),
    ],
)
def test_time_is_linear_in_the_text(read: Callable[[str], object], piece: str) -> None:
    check_linear(read, piece, 16_000)


@pytest.mark.parametrize(
    ("read", "piece"),
    [(read_quantities, "7 m "), (read_premise, "7 Al ")],
)
def test_time_is_linear_in_the_numbers_of_a_context(
    read: Callable[[str], object], piece: str
) -> None:
    check_linear(read, piece, 16_000)


def check_linear(read: Callable[[str], object], piece: str, most: int) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length] + "!"
        best = float("inf")
        for _ in range(2):
            started = time.process_time()
            read(text)
            best = min(best, time.process_time() - started)
        return best

    # Eight times the text: 64 times as long where the time is quadratic.
    assert seconds(most) < 24 * seconds(most // 8) + 0.05


def test_a_list_of_numbers_is_not_tried_against_another(provenance: Provenance) -> None:
    answer = "It has " + ", ".join(str(n) for n in range(100, 150)) + " parts."
    context = "It has " + ", ".join(str(n) for n in range(200, 250)) + " parts."
    audit = provenance.audit(
        answer=answer, context=[context], parameters=default_parameters(detector="spans")
    )
    assert audit.evidence.tokens.pairs < 600
    assert "substitutes_left_out" in {notice.code for notice in audit.evidence.notices}


def test_corrections_of_a_claim_that_is_a_full_stop(provenance: Provenance) -> None:
    for answer in ("The car is blue. . It is fast.", "1.\n.\n2 . It is blue", ". A", "A\n\n.\n\n."):
        audit = provenance.audit(answer=answer, context=["The car is red and slow."])
        suggest(audit, provenance)
