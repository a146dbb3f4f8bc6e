"""The sentence that the page is about. Chosen in the answer, in a tab or in the heatmap, it is the
same everywhere."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboard.shared.components import component
from provenance_core import Audit
from provenance_core.explain.names import sentence_name
from provenance_core.explain.quotes import quoted
from provenance_core.explain.sentences import SentenceReason
from reports.side_by_side import evidence_shown, opened_first
from reports.wording import LABELS

_FOLLOWER = "follow_answer"


@dataclass(frozen=True, slots=True)
class ChosenCell:
    """A sentence of the answer and a chunk of the context, by index."""

    sentence: int
    chunk: int


class SentenceChoice:
    """Which sentence of one audit is chosen, kept in the session."""

    def __init__(
        self, audit: Audit, reasons: tuple[SentenceReason, ...], first: int | None = None
    ) -> None:
        """``reasons``: why sentences are not supported. ``first``: the index of the sentence that
        is chosen at first; None for the one of :func:`opened_first`."""
        self._audit = audit
        self._reasons = {reason.traced.sentence.index: reason for reason in reasons}
        # The time of the audit tells it from another, whose number may be given again.
        self._key = f"chosen_{audit.created_at}"
        if self._key not in st.session_state:
            self.choose(opened_first(audit, self._reasons) if first is None else first)

    @property
    def cell(self) -> ChosenCell:
        """The chosen sentence, and the chunk that is looked at with it."""
        chosen: ChosenCell = st.session_state[self._key]
        return chosen

    def choose(self, sentence: int, chunk: int | None = None) -> None:
        """Choose a sentence; ``chunk`` None takes the one that stands beside it."""
        if chunk is None:
            traced = self._audit.sentences[sentence]
            chunk = evidence_shown(self._audit, traced, self._reasons.get(sentence))
        st.session_state[self._key] = ChosenCell(sentence, chunk)

    def draw_box(self, key: str) -> None:
        """A box that says which sentence is chosen, and chooses another."""
        st.session_state[key] = self.cell.sentence
        st.selectbox(
            "Sentence",
            range(len(self._audit.sentences)),
            format_func=self._named,
            key=key,
            on_change=lambda: self.choose(st.session_state[key]),
        )

    def follow_answer(self) -> None:
        """Choose the sentence that is clicked in the answer, and show there which is chosen."""

        def chosen() -> None:
            sentence = st.session_state[_FOLLOWER].sentence
            if isinstance(sentence, int) and 0 <= sentence < len(self._audit.sentences):
                self.choose(sentence)

        component(__file__, "follow_answer")(
            data={"chosen": self.cell.sentence, "audit": self._audit.created_at},
            key=_FOLLOWER,
            on_sentence_change=chosen,
            height=1,
        )

    def _named(self, sentence: int) -> str:
        traced = self._audit.sentences[sentence]
        symbol = LABELS[traced.label][0]
        return f"{symbol} {sentence_name(sentence)} {quoted(traced.sentence.text)}"
