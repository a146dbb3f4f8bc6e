"""Texts that broke an audit, and what is said of them now."""

from __future__ import annotations

import time

import pytest

from provenance_core import InputError, Provenance, default_parameters
from provenance_core.audit.mitigation import suggest
from provenance_core.text.input_checks import check_context
from provenance_core.text.structured_context import is_data, verbalise
from provenance_core.types import ContextItem


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
