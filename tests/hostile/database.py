"""A database in whose every field a hostile text stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from provenance_core import Audit, Parameters, Provenance
from provenance_core.cli.output import visible
from provenance_core.files.types import BatchRow, RejectedRow
from provenance_core.review.types import FindingType, JudgedSentence, JudgedVerdict, Judgement
from provenance_core.types import ContextItem, Notice
from storage import (
    AuditStore,
    FitEvidence,
    FittedProfileStore,
    NewRun,
    PresetEvidence,
    PresetStore,
    ReviewStore,
    RunStatus,
    RunStore,
)
from tests.hand_fit import hand_fit

# Around each text, to find it on a page and to see what stands beside it.
OPEN, CLOSE = "⟦", "⟧"
_SHOWN_FITS = 12


def marked(text: str) -> str:
    return f"{OPEN}{text}{CLOSE}"


def named(number: int, text: str, most: int = 80) -> str:
    """A name of one line, as a person may give it, that no other number has."""
    return f"{number} {marked(' '.join(text.split())[: most - 12])}"


def hostile_audit(models: Provenance, texts: Sequence[str]) -> Audit:
    """An audit of ``texts``: in query, answer, context, items' names, notices and models."""
    first = texts[0]
    items = [ContextItem(0, "The bridge was opened in 1932.", marked(first))]
    items += [
        ContextItem(n, f"The bridge is red. {marked(t)}", marked(t)) for n, t in enumerate(texts, 1)
    ]
    audit = models.audit(
        query="\n".join(map(marked, texts)),
        answer="\n\n".join(marked(f"{text} It is blue.") for text in texts),
        context=items,
    )
    found = audit.evidence
    evidence = replace(
        found,
        notices=(*found.notices, *(Notice("hand", marked(text)) for text in texts)),
        nli_model=replace(found.nli_model, model_id=marked(first), revision=marked(texts[-1])),
        relevance_model=replace(found.relevance_model, model_id=marked(texts[-1])),
    )
    return replace(audit, evidence=evidence)


def fill(url: str, models: Provenance, payloads: Sequence[str], group: int) -> list[int]:
    """Runs, audits, reviews, presets and fitted profiles of ``payloads``.

    Every one has a run, a reviewer with a comment and a preset of its own. ``group`` of them at a
    time share an audit, and the first of their runs has rows and refused rows of all.

    Returns
    -------
    list[int]
        The numbers of those audits.
    """
    audits, runs = AuditStore.open(url), RunStore.open(url)
    reviews, presets = ReviewStore.open(url), PresetStore.open(url)
    parts = [payloads[start : start + group] for start in range(0, len(payloads), group)]
    groups = [audits.save(hostile_audit(models, part)) for part in parts]
    short = models.audit(answer="It is red.", context=["It is blue."])
    for number, text in enumerate(payloads):
        first = number % group == 0
        _run(runs, short, number, text, parts[number // group] if first else [text], groups[0])
        said = marked(text)
        judgement = Judgement(
            JudgedVerdict.HALLUCINATED if number % 2 else JudgedVerdict.SUPPORTED,
            type=FindingType.EVIDENT_CONFLICT if number % 2 else None,
            comment=said,
            sentences=(JudgedSentence(0, JudgedVerdict.HALLUCINATED),) if number % 2 else (),
        )
        reviews.save(groups[number // group], named(number, visible(text)), judgement)
        evidence = PresetEvidence(said, "runs=1", said, 10, 0.5, said, ())
        name, author = named(number, text, 200), named(number, text)
        presets.save(name, "embedded", Parameters(), evidence, author)
    _fit(url, payloads)
    return groups


def _run(
    runs: RunStore, short: Audit, number: int, text: str, texts: Sequence[str], shared: int
) -> None:
    """A run of ``texts`` in rows of their own, and of a row that every run has."""
    said = marked(text)
    rows = [
        BatchRow(line, each, (each,), each, line % 2, each, each, each, each, each)
        for line, each in enumerate(map(marked, texts), 1)
    ]
    same = BatchRow(len(rows) + 1, "", ("It is blue.",), "It is red.", 0, "same")
    refused = [RejectedRow(len(rows) + 2, marked(each), marked(each)) for each in texts]
    mapping = (("query", said), ("answer", said))
    new = NewRun(
        named(number, text, 120), f"{said}.jsonl", "rows", mapping, "embedded", Parameters()
    )
    run = runs.create(new, [*rows, same], refused)
    runs.take(run, "w")
    for row in rows:
        pending = runs.next_row(run)
        assert pending is not None
        evidence = replace(
            short.evidence,
            query=row.query,
            nli_model=replace(short.evidence.nli_model, model_id=row.query),
            notices=(Notice("hand", row.query),),
        )
        assert runs.finish(pending.id, "w", replace(short, evidence=evidence))
    pending = runs.next_row(run)
    assert pending is not None
    assert runs.share(pending.id, "w", shared)
    if number % 3 == 0:
        runs.stop(run, "w", RunStatus.STOPPED, said)
    else:
        runs.end(run, "w")


def _fit(url: str, payloads: Sequence[str]) -> None:
    """Fitted profiles with such titles: each takes a profile's place on the page, so not of all."""
    store = FittedProfileStore.open(url)
    step = max(1, len(payloads) // _SHOWN_FITS)
    for number, text in enumerate(payloads[::step]):
        fit = hand_fit(0.5, 0.1 * (number + 1))
        evidence = FitEvidence.of(fit, marked(text), marked(text), "runs=1")
        store.save(named(number, text), fit, evidence, named(number, text))
