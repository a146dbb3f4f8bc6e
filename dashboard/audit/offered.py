"""Query and answer of uploaded files: taken into empty boxes, else offered.

What was entered is never overwritten unasked, and what an offer replaces becomes the next offer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from provenance_core.files.context_answers import Asked
from reports.tables import shortened


@dataclass(frozen=True, slots=True)
class Offer:
    """A query and an answer that the form can take. ``file``: where they are from; "" for what
    stood in the form before."""

    file: str
    asked: Asked


def take_asked(found: Sequence[Offer]) -> None:
    """Fill the form, where its query and answer are empty, with the first of ``found``; offer the
    others."""
    state = st.session_state
    offers = list(_offers())
    for offer in found:
        if not state.query.strip() and not state.answer.strip():
            _fill(offer.asked)
            state.filled_from = offer.file
        elif offer.asked != Asked(state.query, state.answer) and offer not in offers:
            offers.append(offer)
    state.offers = tuple(offers)


def forget_offers() -> None:
    """The form is about something else now."""
    st.session_state.pop("offers", None)


def draw_offers() -> None:
    """What was filled from a file, and a button for each offer."""
    if name := st.session_state.pop("filled_from", ""):
        with st.container(border=True, gap="xsmall"):
            st.markdown("**Query and answer come from this file.**")
            st.text(name)
    for number, offer in enumerate(_offers()):
        with st.container(border=True, gap="xsmall"):
            st.markdown(
                "**This file has another query and answer.** Yours were not changed."
                if offer.file
                else "**Your previous query and answer.**"
            )
            st.text(_summary(offer))
            with st.container(horizontal=True, gap="small"):
                st.button(
                    "Use this query and answer" if offer.file else "Restore them",
                    key=f"offer_{number}",
                    on_click=_swap,
                    args=(number,),
                    icon=":material/swap_horiz:",
                )
                st.button("Dismiss", key=f"dismiss_{number}", on_click=_dismiss, args=(number,))


def _offers() -> tuple[Offer, ...]:
    offers: tuple[Offer, ...] = st.session_state.get("offers", ())
    return offers


def _summary(offer: Offer) -> str:
    asked = offer.asked
    lines = [offer.file, f"Query: {shortened(asked.query)}", f"Answer: {shortened(asked.answer)}"]
    return "\n".join(filter(None, lines))


def _fill(asked: Asked) -> None:
    st.session_state.query, st.session_state.answer = asked.query, asked.answer


def _swap(number: int) -> None:
    """Take an offer; what stood in the form is offered in its place."""
    state = st.session_state
    offers = list(_offers())
    before = Asked(state.query, state.answer)
    _fill(offers[number].asked)
    offers[number] = Offer("", before)
    state.offers = tuple(offers)


def _dismiss(number: int) -> None:
    offers = _offers()
    st.session_state.offers = (*offers[:number], *offers[number + 1 :])
