"""Names, symbols and one-sentence explanations, the same on page and in report."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

from provenance_core import DETECTORS, ModelError, Parameters, SentenceLabel, Verdict
from provenance_core.detectors import CONTEXT, default_parameters, parameters_read
from provenance_core.explain.names import detector_title
from provenance_core.models.catalogue.profiles import PROFILES, get_profile
from provenance_core.parameters import PARAMETERS
from provenance_core.review.types import Review
from provenance_core.types import (
    Aggregation,
    FindingType,
    RelevanceMethod,
    TracedSentence,
    VerdictState,
    verdict_state,
)
from reports.directions import without_turns

VERDICTS = {
    Verdict.SUPPORTED: ("✓", "Supported"),
    Verdict.HALLUCINATED: ("✗", "Hallucinated"),
    Verdict.NOTHING_TO_CHECK: ("–", "Nothing to check"),
}
STATES = {
    VerdictState.SUPPORTED: VERDICTS[Verdict.SUPPORTED],
    VerdictState.FLAGGED: ("!", "Supported, with flagged sentences"),
    VerdictState.HALLUCINATED: VERDICTS[Verdict.HALLUCINATED],
    VerdictState.NOTHING_TO_CHECK: VERDICTS[Verdict.NOTHING_TO_CHECK],
}
LABELS = {
    SentenceLabel.SUPPORTED: ("✓", "supported"),
    SentenceLabel.CONTRADICTED: ("✗", "contradicted"),
    SentenceLabel.NOT_FOUND: ("?", "not found"),
    SentenceLabel.SET_ASIDE: ("–", "set aside"),
}
# Of a pair that no model read.
UNREAD = "not read: other chunks are nearer to the sentence"
# Of a pair that was read when somebody asked for it.
READ_LATER = "read after the audit, does not count"
# Of a sentence whose only support is in a dropped chunk.
SELECTION_MISS = "supported only by a chunk that was not selected"
FINDINGS = {
    FindingType.EVIDENT_CONFLICT: "evident conflict",
    FindingType.SUBTLE_CONFLICT: "subtle conflict",
    FindingType.EVIDENT_BASELESS: "evident baseless information",
    FindingType.SUBTLE_BASELESS: "subtle baseless information",
    FindingType.ABSTENTION: "abstention",
    FindingType.NOT_CHECKWORTHY: "nothing to check",
}


# The same on a machine of any language.
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def profile_title(name: str) -> str:
    """What a profile is called, as plain text: a custom one by its models, a fitted one by its
    title."""
    if name in PROFILES:
        return name
    try:
        profile = get_profile(name)
    except ModelError:
        return name
    if profile.fitted is not None:
        return f"{without_turns(profile.fitted.title)} (fit of {profile.fitted.base})"
    models = [PurePath(model.model_id).name for model in profile.public_models]
    return f"custom: {' + '.join(models)}"


def day_text(moment: str) -> str:
    """Write the day of a moment for people. ``moment``: ISO 8601 in UTC, as audits keep it."""
    day = datetime.fromisoformat(moment)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def moment_text(moment: str) -> str:
    """Write a moment for people, to the minute. ``moment``: ISO 8601 in UTC, as audits keep it."""
    return f"{day_text(moment)}, {datetime.fromisoformat(moment):%H:%M} UTC"


def depends_on(given: Parameters, name: str) -> bool:
    """Whether an audit depends on a parameter: its detector reads it, and no other setting leaves
    it unread."""
    of_every = name in PARAMETERS and PARAMETERS[name].of_every_detector
    return name == "detector" or of_every or name in parameters_read(given)


def items_called(detector: str) -> str:
    """What stands before the number of a context item."""
    what = DETECTORS[detector].traits.context
    return "context item" if what == CONTEXT else f"{what}, item"


def status(traced: TracedSentence) -> str:
    """The label of a sentence in words, and whether only a chunk that was not selected supports
    it."""
    text = LABELS[traced.label][1]
    return f"{text}, {SELECTION_MISS}" if traced.selection_miss else text


def verdict_text(
    verdict: Verdict, score: float, threshold: float, flagged: int | None = None
) -> str:
    """Write symbol, verdict, score and threshold, the same in every list; where there is nothing to
    check, no score decides."""
    symbol, name = STATES[verdict_state(verdict, flagged)]
    if verdict is Verdict.NOTHING_TO_CHECK:
        return f"{symbol} {name}"
    return f"{symbol} {name} · score {score:.3f} / {threshold:.3f}"


def verdict_then(review: Review) -> str:
    """Write :func:`verdict_text` of the machine's verdict when a judgement was given."""
    return verdict_text(
        review.machine_verdict,
        review.machine_score,
        review.machine_threshold,
        review.machine_flagged,
    )


def setting_text(name: str, value: object) -> str:
    """Say a profile or a parameter with its value."""
    if name == "detector":
        return f"detector {detector_title(str(value))}"
    if name == "profile":
        return f"profile {profile_title(str(value))}"
    if name not in PARAMETERS:
        return f"{name} {value}"
    called = setting_name(name)
    return f"{called}{':' if ' ' in called else ''} {PARAMETERS[name].text(value)}"


def setting_name(name: str) -> str:
    """Name a parameter as the sidebar calls it."""
    if name not in PARAMETERS:
        return name
    label = PARAMETERS[name].label
    return label[0].lower() + label[1:]


def parameters_text(given: Parameters) -> str:
    """Say the detector, its threshold, and what else of the settings is not as built in."""
    parts = [detector_title(given.detector), setting_text("threshold", given.threshold)]
    built_in = default_parameters(detector=given.detector)
    of_selection = given.selection is not built_in.selection
    for name in parameters_read(given):
        value, info = getattr(given, name), PARAMETERS[name]
        if value == getattr(built_in, name) and not (of_selection and name in _OF_SELECTION):
            continue
        if name == "top_k":
            parts.append(f"the {value} most relevant chunks" if value > 1 else _MOST_RELEVANT)
        elif name == "top_p":
            parts.append(f"the most relevant chunks up to {100 * value:g} % of the relevance")
        elif name == "aggregation":
            parts.append(_BY_SOURCES[value])
        # The selection is in the words of what it is by, and the relevance model is the method as
        # it is.
        elif info.said and name != "selection" and value is not RelevanceMethod.CROSS_ENCODER:
            parts.append(info.said.format(info.text(value)))
    return ", ".join(parts)


_OF_SELECTION = ("top_k", "top_p")
_MOST_RELEVANT = "the most relevant chunk"
_BY_SOURCES = {
    Aggregation.MAX: "a claim by its best source",
    Aggregation.MIN: "a claim by its worst source",
    Aggregation.WEIGHTED_AVERAGE: "a claim by the weighted average of its sources",
}


def mistakes_text(misses: int, false_alarms: int, hallucinated: int, supported: int) -> str:
    """How many labelled answers have the right verdict and how many a wrong one of each kind."""
    if not misses + false_alarms:
        return f"Every verdict agrees with its label ({hallucinated + supported:,} labelled)."
    said = []
    if hallucinated:
        said.append(
            f"{hallucinated - misses:,} of {hallucinated:,} hallucinated answers are caught"
            + (f", {misses:,} missed (called supported)" if misses else "")
        )
    if supported:
        alarms = "is a false alarm" if false_alarms == 1 else "are false alarms"
        said.append(
            f"{false_alarms:,} of {supported:,} supported answers {alarms} (called hallucinated)"
        )
    return f"By the labels, {'; '.join(said)}."


def unchecked_text(labelled: int) -> str:
    """Say that labelled answers with nothing to check count in no figure."""
    if labelled == 1:
        return "1 labelled answer has nothing to check and does not count in these figures."
    return f"{labelled:,} labelled answers have nothing to check and do not count in these figures."


FEW_LABELS = 50


def few_labels_text(n: int) -> str:
    """Say that a figure is of too few labelled answers. Two sentences; "" from ``FEW_LABELS``
    on."""
    if n >= FEW_LABELS:
        return ""
    return (
        f"Only {n} labelled answer{'' if n == 1 else 's'}: with fewer than {FEW_LABELS} the "
        "intervals are uncertain: often wide, or of no width where no answer is ranked wrong. "
        "Label more before you rely on these figures."
    )


def few_labels_note(n: int) -> str:
    """Say the same beside a figure, where there is no room for sentences. A clause; "" from
    ``FEW_LABELS`` on."""
    if n >= FEW_LABELS:
        return ""
    return (
        f"only {n} labelled answer{'' if n == 1 else 's'}, fewer than {FEW_LABELS}: do not rely on "
        "this figure"
    )
