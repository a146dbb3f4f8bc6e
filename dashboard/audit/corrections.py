"""Corrections of an answer: offered, accepted one by one, and the corrected answer audited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard.audit import correction_markup as markup
from dashboard.audit.save_audit import keep_audit
from dashboard.shared.audit_run import (
    RunPlace,
    audited_with_bar,
    problems_at,
    run_place,
    wait_with_bar,
)
from dashboard.shared.links import open_link
from dashboard.shared.privacy_notice import draw_sending
from dashboard.shared.problems import draw_problem, shown_problems
from provenance_core import Audit, Provenance
from provenance_core.audit.mitigation import (
    Suggestion,
    SuggestionKind,
    corrected,
    has_evidence,
    removals,
    suggest,
)
from provenance_core.audit.shared_models import shared_models
from provenance_core.detectors import chunk_name
from provenance_core.explain.names import detector_title, sentence_name
from provenance_core.explain.quotes import quoted
from provenance_core.explain.sentences import LEAST_RELEVANCE, evidence_relevance
from provenance_core.findings.answers import bare_statement
from provenance_core.progress import Progress
from provenance_core.text.structured_context import given_context
from provenance_core.types import UNSUPPORTED_LABELS, ModelInfo, RelevanceMethod, TracedSentence
from reports.markup import small_text
from storage import AuditStore, Corrections, SavedAudit, StorageError

_STATE = "offered_corrections"
_MOST_SENTENCES = 50
_ACCEPT = {
    SuggestionKind.DETAIL: "Accept this replacement",
    SuggestionKind.SENTENCE: "Replace the whole sentence with the evidence's sentence",
    SuggestionKind.REMOVAL: "Remove this sentence",
}


@dataclass(frozen=True, slots=True)
class Offered:
    """The suggestions for one saved audit. ``created_at``: of that audit, since the number of a
    deleted one may be given again. ``other_models``: the audit is not by the models as they are
    installed now."""

    audit_id: int
    created_at: str
    suggestions: tuple[Suggestion, ...]
    other_models: bool

    def key(self, suggestion: Suggestion) -> str:
        """Of the box that accepts ``suggestion``."""
        place = f"{suggestion.kind}_{suggestion.start}_{suggestion.end}"
        return f"accept_{self.audit_id}_{self.created_at}_{place}"

    def accepted(self) -> list[Suggestion]:
        """Those whose boxes are ticked."""
        return [s for s in self.suggestions if st.session_state.get(self.key(s), False)]


def draw_corrections(saved: SavedAudit) -> None:
    """Suggestions for the sentences that are not supported in the audit as it was saved, a box to
    accept each, and a button that audits the answer with those accepted; a word on why there is
    none where every sentence is supported or the context is no evidence."""
    audit = saved.audit
    wrong = [traced for traced in audit.sentences if traced.label in UNSUPPORTED_LABELS]
    if not has_evidence(audit):
        st.caption(
            "Nothing is suggested: the detector compares the answer with other answers, and "
            "those are not evidence."
        )
        return
    if not wrong:
        st.caption("Nothing to correct: the audit found no unsupported sentence.")
        return
    st.header("Corrections")
    offered = _offered(saved)
    if offered is None:
        st.caption(
            "Provenance can look in the evidence for a replacement for each unsupported sentence, "
            "or remove the sentence. The answer changes only where you accept a suggestion."
        )
        pressed = st.button("Suggest corrections", key="suggest", icon=":material/auto_fix_high:")
        place = run_place("suggestions")
        if pressed:
            _look_for_suggestions(saved, place)
        return
    found = [each for each in offered.suggestions if each.kind is not SuggestionKind.REMOVAL]
    replaced = len({each.sentence for each in found})
    st.caption(
        f"Replacements found in the evidence: {len(found)}, for {replaced} of {len(wrong)} "
        f"unsupported sentence{'' if len(wrong) == 1 else 's'}."
        + (
            " Each is what the evidence says about the same thing. Accept the ones that are right; "
            "nothing else in the answer changes. You decide whether the answer should say it."
            if found
            else ""
        )
    )
    for traced in wrong[:_MOST_SENTENCES]:
        _draw_sentence(audit, traced, offered)
    if len(wrong) > _MOST_SENTENCES:
        st.caption(f"The first {_MOST_SENTENCES} of {len(wrong)} sentences are shown.")
    if offered.suggestions:
        _draw_corrected(saved, offered)


def read_corrections(saved: SavedAudit) -> Corrections | None:
    """The original of a corrected answer and the corrections of an original; None, with a word on
    the page, where they cannot be read."""
    with shown_problems("The corrections of this audit cannot be read.", say=st.warning):
        return AuditStore.open().corrections(saved.id)
    return None


def draw_correction_links(saved: SavedAudit, found: Corrections) -> None:
    """The audits that corrections link with this one, with their scores; nothing where there is
    none."""
    if found.original is None and not found.corrected:
        return
    try:
        (own,) = AuditStore.open().rows([saved.id])
    except (StorageError, ValueError) as error:
        draw_problem("The corrections of this audit cannot be read.", error, st.warning)
        return
    if found.original is not None:
        st.header("Corrected answer")
        st.caption(
            f"This answer corrects the answer of audit {found.original.id}, which stays as it was "
            "audited."
        )
        st.html(markup.corrections_table(found.original, [own], saved.id))
        _draw_links([found.original.id])
    if found.corrected:
        st.header("Corrections of this answer")
        st.html(markup.corrections_table(own, found.corrected, saved.id))
        _draw_links([row.id for row in found.corrected])


def _draw_links(numbers: Sequence[int]) -> None:
    for column, number in zip(st.columns(max(len(numbers), 4)), numbers, strict=False):
        open_link(column, number, f"Open audit {number}")


def _offered(saved: SavedAudit) -> Offered | None:
    offered: Offered | None = st.session_state.get(_STATE)
    if offered is None:
        return None
    same = (offered.audit_id, offered.created_at) == (saved.id, saved.audit.created_at)
    return offered if same else None


def _look_for_suggestions(saved: SavedAudit, place: RunPlace) -> None:
    with problems_at(place, "No corrections can be suggested."):
        st.session_state[_STATE] = wait_with_bar(
            lambda report: _suggested(saved, report),
            "You stopped the search for corrections. The audit is unchanged.",
            place,
        )
        st.rerun()


def _suggested(saved: SavedAudit, progress: Progress) -> Offered:
    """Needs no session."""
    audit = saved.audit
    with shared_models().use(audit.evidence.profile, progress) as models:
        found = suggest(audit, models, progress)
    offered = (*found, *removals(audit))
    return Offered(saved.id, audit.created_at, offered, _others(models, audit))


def _others(models: Provenance, audit: Audit) -> bool:
    """Whether the audit was made with other weights than the profile's now."""
    evidence = audit.evidence
    if _weights(evidence.nli_model) != _weights(models.nli_info):
        return True
    # Dense retrieval has an encoder of its own in the place of the profile's relevance model.
    dense = audit.parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER
    return not dense and _weights(evidence.relevance_model) != _weights(models.relevance.info)


def _weights(model: ModelInfo) -> tuple[str, int | None]:
    """What a model's scores come from: its weights, and the class taken for "supported"."""
    return model.sha256, model.entailment_label


def _draw_sentence(audit: Audit, traced: TracedSentence, offered: Offered) -> None:
    own = [s for s in offered.suggestions if s.sentence == traced.sentence.index]
    accepted = offered.accepted()
    with st.container(border=True):
        st.html(markup.sentence_markup(traced))
        if all(each.kind is SuggestionKind.REMOVAL for each in own):
            st.html(small_text(f"No replacement: {_why_none(audit, traced)}"))
        for suggestion in own:
            place = sentence_name(suggestion.sentence)
            if suggestion.kind is not SuggestionKind.REMOVAL:
                st.html(markup.suggestion_markup(audit, suggestion))
                place += f", characters {suggestion.start}–{suggestion.end}"
            over = [
                s
                for s in accepted
                if s is not suggestion and s.start < suggestion.end and suggestion.start < s.end
            ]
            st.checkbox(
                f"{_ACCEPT[suggestion.kind]} ({place})",
                key=offered.key(suggestion),
                disabled=bool(over) and suggestion not in accepted,
                help="Another accepted suggestion changes the same words. Untick it first."
                if over
                else None,
            )


def _why_none(audit: Audit, traced: TracedSentence) -> str:
    if (stated := bare_statement(audit.evidence)) is not None:
        return (
            f"{quoted(traced.sentence.text)} alone has no words to replace. It is read as "
            f"“{stated}” Write the answer as a full sentence so that its wrong words can be "
            "replaced."
        )
    if traced.selection_miss:
        return f"{chunk_name(traced.evidence_chunk)}, which was not selected, supports it."
    if evidence_relevance(audit, traced.sentence.index) < LEAST_RELEVANCE:
        return "no passage that was read is close to this sentence."
    return (
        "no sentence of the context says the same thing with another number, date or name, and "
        "none can replace it."
    )


def _draw_corrected(saved: SavedAudit, offered: Offered) -> None:
    audit, accepted = saved.audit, offered.accepted()
    try:
        answer = corrected(audit.evidence.answer, accepted)
    except ValueError as error:
        draw_problem("The accepted suggestions conflict with each other.", error, st.warning)
        return
    if accepted:
        st.markdown("**The corrected answer**")
        st.html(markup.changed_answer_markup(audit, accepted))
    name = audit.parameters.detector
    st.caption(
        f"The corrected answer is audited by {detector_title(name)} with the parameters and the "
        "profile of this audit, and saved as a separate audit. This audit and its score do not "
        "change."
    )
    if offered.other_models:
        st.info(
            "The models of its profile have changed since this audit. The current models audit "
            "the corrected answer, so the two scores come from different models."
        )
    draw_sending(audit.parameters)
    missing = "" if accepted else "Accept a suggestion first."
    if not answer.strip():
        missing = "Nothing would be left of the answer to audit."
        st.caption(missing)
    pressed = st.button(
        "Audit the corrected answer",
        key="audit_corrected",
        type="primary",
        icon=":material/fact_check:",
        disabled=bool(missing),
        help=missing or None,
    )
    place = run_place("corrected")
    if pressed:
        _audit_corrected(saved, answer, place)


def _audit_corrected(saved: SavedAudit, answer: str, place: RunPlace) -> None:
    evidence = saved.audit.evidence
    found = audited_with_bar(
        evidence.profile,
        evidence.query,
        answer,
        given_context(evidence),
        saved.audit.parameters,
        failure="The corrected answer was not audited. What you accepted is still here.",
        stopped="The audit was stopped, and nothing was saved. What you accepted is still here.",
        place=place,
    )
    if found is not None:
        keep_audit(found, saved.id)
        st.rerun()
