"""How an audit was made, as rows to read: each setting, model and figure with what it means."""

from __future__ import annotations

from dataclasses import dataclass

from provenance_core import DETECTORS, Audit
from provenance_core.explain.names import detector_title
from provenance_core.models.catalogue.profiles import short_revision
from provenance_core.parameters import PARAMETERS
from provenance_core.types import ModelInfo, Parameters
from reports.directions import without_turns
from reports.glossary import tooltip
from reports.wording import depends_on, moment_text, profile_title


@dataclass(frozen=True, slots=True)
class MadeRow:
    """``name`` and ``value`` of something that an audit was made with, and what it means in a
    sentence. Plain text."""

    name: str
    value: str
    meaning: str


def setting_rows(audit: Audit) -> tuple[MadeRow, ...]:
    """List the settings that an audit depends on: detector, profile and threshold, then what the
    detector reads."""
    detector, *rest = parameter_rows(audit.parameters)
    return (
        detector,
        MadeRow("Profile", profile_title(audit.evidence.profile), tooltip("profile")),
        *rest,
    )


def parameter_rows(given: Parameters) -> tuple[MadeRow, ...]:
    """List the parameters that a score and its verdict depend on: detector and threshold, then what
    the detector reads."""
    known = DETECTORS.get(given.detector)
    meaning = known.explanation if known else tooltip("detector")
    detector = MadeRow("Detector", detector_title(given.detector), meaning)
    names = [name for name in PARAMETERS if name != "threshold" and depends_on(given, name)]
    return (detector, *(_setting(given, name) for name in ("threshold", *names)))


def _setting(given: Parameters, name: str) -> MadeRow:
    info, value = PARAMETERS[name], getattr(given, name)
    chosen = next((choice.help for choice in info.choices if choice.value == value), "")
    meaning = chosen or info.help or f"{info.meaning[:1].upper()}{info.meaning[1:]}."
    return MadeRow(info.label, info.text(value), meaning)


_TASKS = {
    "relevance": ("Relevance model", "Scores how relevant each chunk is to the query."),
    "nli": ("NLI model", "Judges whether a chunk entails or contradicts a sentence."),
    "spans": ("Span model", "Marks the parts of the answer that the context does not support."),
}
_SECOND = ("Second NLI model", "Reads again the pairs that can change a verdict.")


def model_rows(audit: Audit) -> tuple[MadeRow, ...]:
    """List the models that measured an audit. In the order in which they read; a judge last."""
    evidence = audit.evidence
    second = evidence.second.model.model_id if evidence.second is not None else None
    rows, nli = [], 0
    for model in evidence.models:
        name, meaning = _TASKS[model.task]
        if model.task == "nli":
            nli += 1
            if nli > 1 and model.model_id == second:
                name, meaning = _SECOND
        rows.append(MadeRow(name, _model(model), meaning))
    if evidence.judge is not None:
        judge = evidence.judge.model
        warmth = "" if judge.temperature is None else f", temperature {judge.temperature:g}"
        attempts = evidence.judge.attempts
        rows.append(
            MadeRow(
                "Judge",
                f"{without_turns(judge.model_id)} at {judge.host}{warmth}",
                "Marked what the context does not support, "
                f"{'in its first reply' if attempts == 1 else f'in reply {attempts}'}.",
            )
        )
    return tuple(rows)


def model_row(model: ModelInfo) -> MadeRow:
    """Describe a model. Its name and version, and what it does."""
    name, meaning = _TASKS[model.task]
    return MadeRow(name, _model(model), meaning)


def second_row(model: ModelInfo) -> MadeRow:
    """Describe the model that reads pairs again."""
    name, meaning = _SECOND
    return MadeRow(name, _model(model), meaning)


def _model(model: ModelInfo) -> str:
    parts = [
        without_turns(f"{model.model_id} {short_revision(model.revision)}".strip()),
        " ".join(filter(None, (model.device, model.precision))),
        f"pairs of up to {model.max_length:,} tokens",
        f"SHA-256 {model.sha256[:12]}…" if model.sha256 else "",
    ]
    return ", ".join(filter(None, parts))


def figure_rows(audit: Audit) -> tuple[MadeRow, ...]:
    """List when an audit was made, how long its texts are and how long it took."""
    tokens, seconds = audit.evidence.tokens, audit.evidence.timings
    rows = [
        MadeRow("Made at", moment_text(audit.created_at), "When the models read the texts."),
        MadeRow(
            "Tokens",
            f"context {tokens.context:,}, answer {tokens.answer:,}, query {tokens.query:,}",
            "How long the texts are for the models.",
        ),
        MadeRow(
            "Pairs read",
            f"{tokens.pairs:,}, the longest of {tokens.longest_pair:,} tokens",
            "How often the NLI model compared a chunk with a sentence or claim.",
        ),
        MadeRow(
            "Seconds",
            f"{seconds.total:.2f}: cutting {seconds.split:.2f}, relevance {seconds.relevance:.2f}, "
            f"NLI {seconds.nli:.2f}",
            "How long the audit took on the machine that made it.",
        ),
    ]
    return tuple(row for row in rows if row.name != "Pairs read" or tokens.pairs)
