"""Why an audit says what it says: one sentence for the verdict, one for each sentence of the
answer, one summary. Pages, reports, commands, the REST interface and the integrations use these."""

from provenance_core.explain.citations import (
    CitationState,
    CitedSentence,
    citation_texts,
    citations_text,
    cited_sentences,
)
from provenance_core.explain.sentences import (
    SentenceReason,
    reason_texts,
    sentence_doubt,
    sentence_reasons,
)
from provenance_core.explain.summary import AuditSummary, audit_summary
from provenance_core.explain.verdict import figures_text, verdict_sentence

__all__ = [
    "AuditSummary",
    "CitationState",
    "CitedSentence",
    "SentenceReason",
    "audit_summary",
    "citation_texts",
    "citations_text",
    "cited_sentences",
    "figures_text",
    "reason_texts",
    "sentence_doubt",
    "sentence_reasons",
    "verdict_sentence",
]
