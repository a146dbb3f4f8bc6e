"""The five steps of the demonstration (``?demo=1`` to ``?demo=5``), read-only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dashboard.audit.correction_markup import answers_beside
from dashboard.demo.prepared import PreparedAnswer, prepared_audit
from dashboard.shared.charts import draw_chart, heatmap_room, is_dark
from dashboard.shared.copy_link import draw_copy_link
from dashboard.shared.links import open_demo
from provenance_core import recompute
from provenance_core.detectors import chunk_name
from provenance_core.explain.names import sentence_name
from provenance_core.explain.sentences import sentence_reasons
from provenance_core.explain.verdict import verdict_sentence
from reports import markup
from reports.charts import heatmap, shown_part
from reports.quantities import own_quantity
from reports.side_by_side import first_changed, side_by_side


@dataclass(frozen=True, slots=True)
class DemoStep:
    """``title`` and ``caption`` in plain words; ``draw`` shows the step's picture."""

    title: str
    caption: str
    draw: Callable[[], None]


def _draw_result(name: PreparedAnswer) -> None:
    audit = prepared_audit(name)
    reasons = sentence_reasons(audit)
    st.html(markup.verdict_banner(audit, verdict_sentence(audit, reasons)))
    st.html(markup.small_text(f"Query: {audit.evidence.query}"))
    st.html(side_by_side(audit, reasons))


def _draw_corrected() -> None:
    wrong, corrected = (
        prepared_audit(PreparedAnswer.WRONG),
        prepared_audit(PreparedAnswer.CORRECTED),
    )
    st.html(answers_beside(wrong, corrected))
    st.html(markup.verdict_banner(corrected, verdict_sentence(corrected)))
    changed = first_changed(wrong.evidence.answer, corrected)
    st.html(side_by_side(corrected, sentence_reasons(corrected), chosen=changed))


def _draw_threshold() -> None:
    audit = prepared_audit(PreparedAnswer.RIGHT)
    chosen = st.slider(
        "Threshold", 0.0, 1.0, audit.parameters.threshold, 0.01, "%.3f", key="demo_threshold"
    )
    shown = recompute(audit, threshold=chosen)
    st.html(markup.verdict_banner(shown, verdict_sentence(shown)))
    st.html(markup.answer_markup(shown))


def _draw_heatmap() -> None:
    audit = prepared_audit(PreparedAnswer.WRONG)
    (first, *_) = sentence_reasons(audit)
    chosen = first.traced.sentence.index, first.traced.evidence_chunk
    figure = heatmap(audit, shown_part(audit), own_quantity(audit), chosen, dark=is_dark())
    draw_chart(figure, "demo_heatmap", heatmap_room())
    st.caption(
        f"Framed: what {chunk_name(chosen[1])} says about {sentence_name(chosen[0])}. Point at "
        "a cell, or tap it, to read both texts."
    )


STEPS = (
    DemoStep(
        "A right answer",
        "A shop's assistant answered a customer. The passages it was given state every sentence "
        "of the answer. Click a sentence to see the passage that supports it.",
        lambda: _draw_result(PreparedAnswer.RIGHT),
    ),
    DemoStep(
        "A wrong number",
        "This answer reads as well as the other one. The verdict says in a sentence what is wrong; "
        "the wrong words are framed, and the passage that says otherwise is shown with them.",
        lambda: _draw_result(PreparedAnswer.WRONG),
    ),
    DemoStep(
        "Its correction",
        "Provenance suggested replacements from the passages, and the first for each sentence was "
        "accepted. The corrected answer was audited again; the first audit stays as it was.",
        _draw_corrected,
    ),
    DemoStep(
        "The threshold",
        "The threshold says how sure is sure enough. Move it above the answer's score: the verdict "
        "changes at once, because scores are stored and no model runs. The Thresholds page "
        "finds the one that fits your data.",
        _draw_threshold,
    ),
    DemoStep(
        "The whole picture",
        "A row for each sentence, a column for each passage. Blue supports the sentence, orange "
        "contradicts it. Grey says nothing about the sentence. A stronger colour says more.",
        _draw_heatmap,
    ),
)


def wanted_step() -> int | None:
    """The step that the address names, from 0; the first for one that there is not; None without
    a demonstration."""
    given = st.query_params.get("demo", "")
    if not given:
        return None
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 4 else 1
    return number - 1 if 1 <= number <= len(STEPS) else 0


def draw_demo(index: int) -> None:
    """One step, with the ways to the others and out."""
    step = STEPS[index]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(f"{index + 1}. {step.title}", anchor=False)
        with st.container(
            horizontal=True, width="content", vertical_alignment="center", gap="xsmall"
        ):
            draw_copy_link(f"demo={index + 1}", key="copy_demo")
            st.button(
                "Back", key="demo_back", disabled=not index, on_click=open_demo, args=(index,)
            )
            last = index == len(STEPS) - 1
            if last:
                st.button(
                    "Audit your own answer",
                    key="demo_end",
                    type="primary",
                    on_click=st.query_params.clear,
                )
            else:
                st.button(
                    "Next", key="demo_next", type="primary", on_click=open_demo, args=(index + 2,)
                )
    st.markdown(step.caption)
    step.draw()
    audit = prepared_audit(PreparedAnswer.WRONG)
    models = ", ".join(model.model_id for model in audit.evidence.models)
    st.caption(
        f"Step {index + 1} of {len(STEPS)} over prepared audits, which cannot be changed. They are "
        f"real: made on {audit.created_at[:10]} with the profile {audit.evidence.profile} "
        f"({models})."
    )
    if not last:
        st.button("Leave the demonstration", key="demo_leave", on_click=st.query_params.clear)
