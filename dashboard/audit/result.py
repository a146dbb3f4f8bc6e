"""The result of an audit, drawn: verdict, formula, answer, hallucinations; heatmap, sources."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from dashboard.audit.chosen_sentence import SentenceChoice
from dashboard.audit.examination import draw_examination
from dashboard.audit.unread_cell import draw_unread_cell
from dashboard.shared.charts import draw_chart, heatmap_room, is_dark
from dashboard.shared.sidebar import draw_threshold
from dashboard.shared.text_table import frame_table, text_table
from provenance_core import Audit
from provenance_core.audit.serialization import audit_to_json, to_plain
from provenance_core.detectors import chunk_name
from provenance_core.explain.method import contributions_text, sources_text
from provenance_core.explain.names import sentence_name
from provenance_core.explain.numbers import two_numbers_text
from provenance_core.explain.sentences import sentence_reasons
from provenance_core.explain.verdict import verdict_sentence
from provenance_core.findings.coverage import word_coverage
from provenance_core.review.types import Review
from provenance_core.scoring.tracing import evidence_span
from provenance_core.types import Stance
from reports import markup
from reports.audit_report import audit_report
from reports.charts import (
    NO_SENTENCE,
    WHOLE_ANSWER,
    Shown,
    heatmap,
    shown_part,
    source_bars,
    stars_text,
)
from reports.formulas import formula_lines
from reports.pair_tokens import cut_lines, pair_size
from reports.quantities import (
    Quantity,
    counted_reading,
    own_quantity,
    pair_numbers,
    shown_quantities,
    why_neither,
)
from reports.score_charts import score_bars, support_waterfall
from reports.score_steps import answer_text, has_steps, sentence_steps, sentence_text
from reports.settings_table import MadeRow, figure_rows, model_rows, setting_rows
from reports.side_by_side import first_changed, side_by_side
from reports.tables import audit_csv, shortened, shown_sources
from storage import AuditStore, ReviewStore

TABS = (
    "How the score came about",
    "Heatmap",
    "Sources",
    "Corrections",
    "Detectors",
    "Judgements",
    "Parameters",
)
_NARROW_SOURCES = 20  # that a narrow window shows
_MOST_TITLE = 80  # characters of a title in a box


def draw_verdict(audit: Audit, original: str = "") -> SentenceChoice:
    """The verdict in a sentence with the threshold beside it, and the answer with the evidence of
    each sentence; which sentence of it is chosen. Where the answer corrects ``original`` and all is
    supported, the evidence of the first sentence that was changed is open."""
    reasons = sentence_reasons(audit)
    changed = first_changed(original, audit) if original and not reasons else None
    verdict, threshold = st.columns([11, 5], gap="medium", vertical_alignment="center")
    with verdict:
        st.html(markup.verdict_banner(audit, verdict_sentence(audit, reasons)))
    with threshold:
        draw_threshold()
    st.html(side_by_side(audit, reasons, chosen=changed))
    choice = SentenceChoice(audit, reasons, changed)
    with st.container(key="follow_answer_room"):
        choice.follow_answer()
    if audit.evidence.notices:
        st.html(markup.notices_markup(audit.evidence.notices))
    return choice


def draw_score(audit: Audit, choice: SentenceChoice) -> None:
    """How the score came about: a chosen sentence from its source to its support, and the answer's
    score against the threshold; the formula with every number below."""
    if has_steps(audit):
        _draw_sentence_steps(audit, choice)
    st.markdown("**From the sentences to the answer**")
    st.caption(answer_text(audit))
    draw_chart(score_bars(audit, dark=is_dark()), "score_bars")
    if two_numbers := two_numbers_text(audit):
        st.caption(two_numbers)
    draw_spans(audit)
    draw_set_aside(audit)
    draw_examination(audit)
    with st.expander("The formula with every number"):
        st.code("\n".join(formula_lines(audit)), language=None, wrap_lines=True)
        st.html(markup.claims_markup(audit) + markup.alternatives_markup(audit))


def _draw_sentence_steps(audit: Audit, choice: SentenceChoice) -> None:
    st.markdown("**From the source to the sentence**")
    choice.draw_box("steps_sentence")
    index = choice.cell.sentence
    steps = sentence_steps(audit, index)
    st.html(markup.small_text(sentence_text(audit, steps)))
    figure = support_waterfall(steps, audit.parameters.threshold, dark=is_dark())
    draw_chart(figure, "support_waterfall")
    st.caption(
        "Each bar raises (blue) or lowers (orange) the support, starting from that of a "
        "sentence about which nothing is known. The last bar is the support. The axis is "
        "stretched towards 0 and 1 so that the bars add up. Point at a bar to see its share."
    )


def draw_spans(audit: Audit) -> None:
    """The hallucinated parts of the answer, from a detector that finds them."""
    if not audit.spans:
        return
    st.markdown(f"**Hallucinated spans: {len(audit.spans)}**")
    st.html(markup.spans_markup(audit))


def draw_set_aside(audit: Audit) -> None:
    """The sentences that state nothing to check, and why; nothing where there is none."""
    aside = audit.evidence.set_aside
    if not aside:
        return
    counted = "counted" if audit.parameters.count_set_aside else "not counted"
    if len(audit.sentences) == 1:
        st.markdown("**Set aside: the one sentence of the answer**")
        st.caption(
            f"It states nothing to check and is {counted}. The answer above gives the reason."
        )
        return
    st.markdown(f"**Set aside: {len(aside)} of {len(audit.sentences)} sentences**")
    st.caption(
        f"They state nothing to check and are {counted} in the score. The answer above gives "
        "the reason for each."
    )


def draw_matrix(audit: Audit, choice: SentenceChoice, audit_id: int) -> None:
    """The heatmap, with the cell chosen by click, in the answer or by the two boxes above it.
    ``audit_id``: 0 of an audit that is not saved."""
    shown = shown_part(audit)
    detector = audit.parameters.detector
    # Another detector's matrix shows first what that one's score is made from.
    quantity = st.segmented_control(
        "Show",
        list(shown_quantities(audit)),
        default=own_quantity(audit),
        required=True,
        key=f"quantity_{detector}",
    )
    if not shown.complete:
        st.caption(
            f"{len(shown.chunks)} of {shown.all_chunks} chunks (evidence first, then the most "
            f"relevant) and {len(shown.sentences)} of {shown.all_sentences} sentences are "
            "shown. The downloads have all of them."
        )
    sentences, chunks = st.columns([3, 1])
    with sentences:
        choice.draw_box("matrix_sentence")
    with chunks:
        _draw_chunk_box(audit, choice)
    _draw_heatmap(audit, shown, Quantity(quantity), choice)
    if audit.evidence.answer_scores:
        st.caption(
            f"The row “{WHOLE_ANSWER}” compares the whole answer with each chunk. The score "
            "comes from the sentences; this row does not count."
        )
    said = "Click a cell to read its chunk below with the evidence marked."
    # Streamlit would read a star as emphasis.
    st.caption(f"{said} {stars_text(audit, shown.chunks)}".strip().replace("*", r"\*"))
    draw_cell(audit, choice.cell.sentence, choice.cell.chunk)
    draw_unread_cell(audit, audit_id, choice.cell.sentence, choice.cell.chunk)


def chunk_choice(audit: Audit, index: int) -> str:
    """A chunk as it is chosen: whether it was dropped, and the title of its context item."""
    title = audit.evidence.context[audit.evidence.chunks[index].item].name
    dropped = "" if audit.sources[index].selected else " (dropped)"
    return f"{chunk_name(index)}{dropped} {shortened(title, _MOST_TITLE)}".rstrip()


def _draw_chunk_box(audit: Audit, choice: SentenceChoice) -> None:
    state, key = st.session_state, "matrix_chunk"
    state[key] = choice.cell.chunk

    st.selectbox(
        "Chunk",
        range(len(audit.sources)),
        format_func=lambda index: chunk_choice(audit, index),
        key=key,
        on_change=lambda: choice.choose(choice.cell.sentence, state[key]),
    )


def _draw_heatmap(audit: Audit, shown: Shown, quantity: Quantity, choice: SentenceChoice) -> None:
    """The heatmap with the chosen cell framed; a click on another cell chooses that."""
    chart = f"heatmap_{audit.created_at}"

    def choose_cell() -> None:
        points = st.session_state[chart].selection.points
        if points:
            sentence, chunk = (int(value) for value in points[0]["customdata"][:2])
            choice.choose(choice.cell.sentence if sentence == NO_SENTENCE else sentence, chunk)

    chosen = (choice.cell.sentence, choice.cell.chunk)
    figure = heatmap(audit, shown, quantity, chosen, dark=is_dark())
    draw_chart(figure, chart, heatmap_room(), on_select=choose_cell, selection_mode="points")


def cell_text(audit: Audit, sentence: int, chunk: int) -> str:
    """What a chunk says of a sentence and the numbers that counted, in a line: as the heatmap."""
    lead = f"{sentence_name(sentence)} × {chunk_name(chunk)}:"
    stance, *numbers = pair_numbers(audit, sentence, chunk)
    if not audit.evidence.read[sentence, chunk]:
        return f"{lead} {stance}" + (f" ({', '.join(numbers)})" if numbers else "")
    second, model = audit.evidence.second, counted_reading(audit.evidence, sentence, chunk)[1]
    again = second is not None and model == second.model
    read = f", read again by {model.model_id}" if again else ""
    why = why_neither(audit, sentence, chunk)
    return f"{lead} {stance} ({', '.join(numbers)}){f': {why}' if why else ''}{read}"


def _marked(audit: Audit, sentence: int, chunk: int) -> tuple[int, int]:
    """The sentence of a chunk that is marked as evidence: offsets in the context item."""
    traced = audit.sentences[sentence]
    if traced.evidence_chunk == chunk:
        return traced.evidence_start, traced.evidence_end
    contradicts = audit.cells.stances[sentence][chunk] is Stance.CONTRADICTS
    return evidence_span(audit.evidence, sentence, chunk, contradiction=contradicts)


def draw_cell(audit: Audit, sentence: int, chunk: int) -> None:
    """The chosen sentence's scores for the chosen chunk, and the chunk's text."""
    chunks = [c.text for c in audit.evidence.chunks]
    shares = word_coverage(
        [audit.evidence.sentences[sentence].text], [chunks[chunk], " ".join(chunks)]
    )[0]
    size = pair_size(audit.evidence, sentence, chunk)
    st.caption(
        f"{cell_text(audit, sentence, chunk)}; {shares[0]:.0%} of its content words in the chunk, "
        f"{shares[1]:.0%} in the context" + (f"; {size}" if size else "")
    )
    start, end = _marked(audit, sentence, chunk)
    st.html(markup.cell_markup(audit, sentence, chunk, start, end))
    if not audit.evidence.read[sentence, chunk]:
        st.caption("The sentence that shares the most words is marked.")
    elif not any(
        (e.sentence, e.chunk) == (sentence, chunk) for e in audit.evidence.evidence_sentences
    ):
        st.caption(
            "Only the strongest chunks of a sentence are scored sentence by sentence. In this "
            "chunk, the sentence that shares the most words is marked."
        )


def _share_column() -> ColumnConfig:
    return st.column_config.ProgressColumn(min_value=0.0, max_value=1.0, format="%.3f", width=92)


def draw_sources(audit: Audit) -> None:
    """Table and bars of the sources."""
    selected = sum(s.selected for s in audit.sources)
    st.caption(f"{sources_text(audit)} {contributions_text(audit)}")
    shown = shown_part(audit)
    drawn = sum(audit.sources[c].selected for c in shown.chunks)
    if drawn < selected:
        st.caption(f"{drawn} of the {selected} sources are shown; the table has all of them.")
    draw_chart(source_bars(audit, shown), "source_bars")
    number = st.column_config.NumberColumn(format="%.2f", width=75)
    table = shown_sources(audit)
    with st.container(key="wide_audits_sources"):
        st.dataframe(
            table,
            hide_index=True,
            column_config={
                "chunk": st.column_config.TextColumn(width=50),
                "title": st.column_config.TextColumn(width=120),
                "text": st.column_config.TextColumn(width=225),
                "selected": st.column_config.CheckboxColumn(width=70),
                "relevance": number,
                "weight": _share_column(),
                "factuality": _share_column(),
                "contribution": _share_column(),
                "supports": st.column_config.TextColumn(width=80),
                "contradicts": st.column_config.TextColumn(width=80),
            },
        )
    with st.container(key="narrow_audits_sources"):
        # A block of lines for each: a narrow window has no room for so many columns.
        few = table.head(_NARROW_SOURCES)
        few = few.assign(selected=["yes" if each else "no" for each in few["selected"]])
        st.html(frame_table(few, decimals=3))
        if len(table) > len(few):
            st.caption(f"The first {len(few)} of {len(table):,}; a wide window shows all.")


def draw_details(audit: Audit, audit_id: int) -> None:
    """Settings, models and figures in tables, what was read in parts, and all of it as JSON.
    ``audit_id``: 0 of one that is not saved."""
    evidence = audit.evidence
    st.markdown("**Settings that the score depends on**")
    _draw_made(setting_rows(audit))
    st.markdown("**Models**")
    _draw_made(model_rows(audit))
    st.markdown("**Size and time**")
    _draw_made(figure_rows(audit))
    if cuts := cut_lines(evidence):
        st.text("These texts did not fit the model's window and were read in parts:")
        st.text("\n".join(cuts))
    stored = json.dumps(_stored(audit), indent=2, ensure_ascii=False)
    with st.container(horizontal=True, gap="small"):
        with st.popover("As JSON", icon=":material/data_object:"):
            st.caption("Everything that is stored, including the tokens of each pair.")
            st.code(stored, language="json", height=320)
        st.download_button(
            "Download as JSON",
            stored.encode("utf-8"),
            file_name=f"audit-{audit_id}-parameters.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/download:",
        )


def _draw_made(rows: Sequence[MadeRow]) -> None:
    head = ("what", "value", "what it means")
    st.html(text_table(head, [(row.name, row.value, row.meaning) for row in rows]))


def _stored(audit: Audit) -> dict[str, object]:
    """Parameters, models, tokens and times, as stored."""
    evidence = audit.evidence
    return {
        "created_at": audit.created_at,
        "profile": evidence.profile,
        "parameters": to_plain(audit.parameters),
        "relevance_model": to_plain(evidence.relevance_model),
        "nli_model": to_plain(evidence.nli_model),
        "judge": to_plain(evidence.judge),
        "third": to_plain(evidence.third),
        **({"span_model": to_plain(evidence.span_model)} if evidence.span_model else {}),
        **({"second_model": to_plain(evidence.second.model)} if evidence.second else {}),
        "tokens": to_plain(evidence.tokens),
        "pair_tokens": to_plain(evidence.pair_tokens),
        "seconds": to_plain(evidence.timings),
    }


def reviews_in_force(audit_id: int) -> tuple[Review, ...]:
    """The judgements of an audit that count; none of one that is not saved (number 0)."""
    return ReviewStore.open().counted(audit_id) if audit_id else ()


def draw_downloads(audit: Audit, audit_id: int) -> None:
    """JSON, CSV and report of the audit as it is shown; made when clicked."""

    def report() -> bytes:
        found = audit_report(audit, reviews_in_force(audit_id), _corrected_from(audit_id))
        return found.encode("utf-8")

    for label, ending, mime, made in (
        ("JSON", "json", "application/json", lambda: audit_to_json(audit, indent=1).encode()),
        ("CSV", "csv", "text/csv", lambda: audit_csv(audit)),
        ("HTML report", "html", "text/html", report),
    ):
        st.download_button(
            f"Download {label}",
            made,
            file_name=f"audit-{audit_id}.{ending}",
            mime=mime,
            on_click="ignore",
            width="stretch",
        )


def _corrected_from(audit_id: int) -> int | None:
    """The number of the audit whose answer is corrected in this one; that is saved (not 0)."""
    original = AuditStore.open().corrections(audit_id).original if audit_id else None
    return original.id if original else None
