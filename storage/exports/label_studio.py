"""Label Studio: tasks with the machine's predictions and the reviewers' annotations.

One JSON array, to be imported into a project whose labelling configuration is
``LABELING_CONFIG``. The structure is that of Label Studio's guides ("Import pre-annotated data",
"Task format"): offsets are characters (code points) of the answer. Users of Label Studio are
numbers of its own, so that a reviewer's name stands in a text area of the annotation. So do the
labels of the team's own set, which the configuration cannot know. Gold label and correction are
shown with the task, since no annotator of the project gave them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provenance_core import Audit
from provenance_core.explain.language import language_note
from provenance_core.review.types import GoldLabel, JudgedVerdict, Review
from provenance_core.text.structured_context import given_context
from provenance_core.types import UNSUPPORTED_LABELS, FindingType
from storage.exports._export_item import ExportItem
from storage.exports._marked_spans import UNTYPED, MarkedSpan, machine_spans, reviewer_spans

LABELS = (*(str(label) for label in UNSUPPORTED_LABELS), *map(str, FindingType), UNTYPED)
LABELING_CONFIG = "\n".join(
    (
        "<View>",
        '  <Header value="Query"/>',
        '  <Text name="query" value="$query"/>',
        '  <Header value="Answer"/>',
        '  <Labels name="label" toName="answer">',
        *(f'    <Label value="{label}"/>' for label in LABELS),
        "  </Labels>",
        '  <Text name="answer" value="$answer"/>',
        '  <Choices name="verdict" toName="answer" choice="single">',
        *(f'    <Choice value="{verdict}"/>' for verdict in JudgedVerdict),
        "  </Choices>",
        '  <TextArea name="labels" toName="answer"/>',
        '  <TextArea name="comment" toName="answer"/>',
        '  <TextArea name="reviewer" toName="answer" maxSubmissions="1"/>',
        '  <Header value="Gold label"/>',
        '  <Text name="gold" value="$gold"/>',
        '  <Header value="Correction"/>',
        '  <Text name="correction" value="$correction"/>',
        '  <Header value="Context"/>',
        '  <Text name="context" value="$context"/>',
        "</View>",
    )
)


@dataclass(frozen=True, slots=True)
class LabelsValue:
    """A labelled span: ``answer[start:end] == text``."""

    start: int
    end: int
    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChoicesValue:
    """A choice for the whole answer."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextAreaValue:
    """What was written about the answer."""

    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One region or choice; ``from_name`` and ``to_name`` are tags of the configuration."""

    id: str
    from_name: str
    to_name: str
    type: str
    value: LabelsValue | ChoicesValue | TextAreaValue


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the machine says. ``score``: factuality score in [0, 1]. ``model_version``: the NLI
    model, or the language model that judged. ``result``: the spans of a detector that finds them,
    else the unsupported sentences; and the verdict."""

    model_version: str
    score: float
    result: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a reviewer says."""

    result: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class TaskData:
    """What the configuration shows, and where it came from. ``context``: the items with a blank
    line between, each below its title. ``gold``: the verdict that settled the answer, who decided
    and why; "" without one. ``note``: that the models do not read the language of the texts; ""
    where they do. ``correction``, ``correction_audit`` and ``correction_by``: the last corrected
    text of the answer, the audit of it and who typed it. ``corrected_from`` and ``corrected_by``:
    the audit whose answer is corrected in this one, and by whom."""

    query: str
    answer: str
    context: str
    audit_id: int
    run: str
    row_id: str
    task: str
    gold: str
    note: str
    correction: str
    correction_audit: int | None
    correction_by: str
    corrected_from: int | None
    corrected_by: str


@dataclass(frozen=True, slots=True)
class LabelStudioTask:
    """An element of the file."""

    data: TaskData
    predictions: tuple[Prediction, ...]
    annotations: tuple[Annotation, ...]


def label_studio_tasks(given: ExportItem) -> Iterator[LabelStudioTask]:
    """The task of an item: a prediction of the machine, and an annotation for each reviewer. Raises
    StorageError where audit or reviews cannot be read."""
    item, audit, correction = given.item, given.audit(), given.correction()
    evidence = audit.evidence
    yield LabelStudioTask(
        TaskData(
            evidence.query,
            evidence.answer,
            "\n\n".join(
                "\n".join(filter(None, (context.name, context.text)))
                for context in given_context(evidence)
            ),
            item.audit_id,
            item.run,
            item.row_id,
            item.task,
            _gold(given.gold_label()),
            language_note(audit.evidence.notices),
            correction.answer if correction else "",
            correction.audit_id if correction else None,
            correction.author if correction else "",
            item.corrected_from,
            given.corrected_by(),
        ),
        (_prediction(given, audit),),
        tuple(
            _annotation(f"r{given.item.run_id or 0}-{item.line or 0}-{review.id}", audit, review)
            for review in given.latest_reviews()
        ),
    )


def _gold(gold: GoldLabel | None) -> str:
    if gold is None:
        return ""
    why = f": {gold.comment}" if gold.comment else ""
    return f"{gold.verdict}, decided by {gold.decided_by}{why}"


def _prediction(given: ExportItem, audit: Audit) -> Prediction:
    # A row of a run is a task of its own, even where rows share an audit.
    key = f"m{given.item.run_id or 0}-{given.item.line or 0}-{given.item.audit_id}"
    model, judge = audit.evidence.nli_model, audit.evidence.judge
    return Prediction(
        f"{model.model_id} {model.revision}" if judge is None else judge.model.model_id,
        audit.score,
        (*_regions(key, machine_spans(audit)), _verdict(key, str(audit.verdict))),
    )


def _annotation(key: str, audit: Audit, review: Review) -> Annotation:
    comment, own = review.judgement.comment, review.judgement.labels
    return Annotation(
        (
            *_regions(key, reviewer_spans(audit, review)),
            _verdict(key, str(review.judgement.verdict)),
            *([_text(key, "labels", *own)] if own else []),
            *([_text(key, "comment", comment)] if comment else []),
            _text(key, "reviewer", review.reviewer),
        )
    )


def _regions(key: str, spans: tuple[MarkedSpan, ...]) -> tuple[Result, ...]:
    return tuple(
        Result(
            f"{key}-{number}",
            "label",
            "answer",
            "labels",
            LabelsValue(span.start, span.end, span.text, (span.kind,)),
        )
        for number, span in enumerate(spans)
    )


def _verdict(key: str, verdict: str) -> Result:
    return Result(f"{key}-verdict", "verdict", "answer", "choices", ChoicesValue((verdict,)))


def _text(key: str, name: str, *texts: str) -> Result:
    return Result(f"{key}-{name}", name, "answer", "textarea", TextAreaValue(texts))
