"""A standalone HTML report of the items of a filter: a run, a part of it, or the history."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import IO

import numpy as np
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from provenance_core import Verdict
from provenance_core.explain.names import detector_title, sentence_name
from provenance_core.review.types import Judgement
from provenance_core.statistics.agreement import Agreement, AgreementReport, agreement_report
from provenance_core.statistics.bootstrap import bootstrap_auc
from provenance_core.statistics.metrics import no_ranking, roc_auc, roc_points
from provenance_core.statistics.types import Curve, Interval
from provenance_core.types import UNSUPPORTED_LABELS, TracedSentence
from reports.colours import LABEL_COLOURS
from reports.environment import TEMPLATES
from reports.listed_audits import LABELS, ListedAudit, filter_lines, listed, opinion_text
from reports.page import render_page
from reports.review_wording import gold_decides_text, gold_text
from reports.roc import add_chance, add_roc_curve, name_roc_axes, of_hallucinated
from reports.settings_table import MadeRow, model_row, parameter_rows, second_row
from reports.unread_language import UNREAD_SHORT
from reports.wording import LABELS as SENTENCE_LABELS
from reports.wording import (
    VERDICTS,
    day_text,
    few_labels_text,
    mistakes_text,
    moment_text,
    status,
    unchecked_text,
)
from storage import (
    Item,
    ItemFilter,
    ItemOrder,
    ItemStore,
    MadeWith,
    ReviewStore,
    Run,
    RunStore,
    StorageError,
)
from storage.engine import database_url, get_engine
from storage.exports import Correction, ExportItem, ExportSummary

MOST_ITEMS = 500
_BINS = 20
_MOST_CHARACTERS = 600  # of a text in the table of items
_BY_LABEL = {1: "labelled supported", 0: "labelled hallucinated", None: "without label"}
_PATTERNS = {1: "", 0: "/", None: "."}


@dataclass(frozen=True, slots=True)
class VerdictCount:
    """Items with a verdict of the machine, by their label. ``flagged``: those with a sentence that
    is not supported."""

    verdict: Verdict
    supported: int
    hallucinated: int
    unlabelled: int
    flagged: int = 0

    @property
    def items(self) -> int:
        """All of them."""
        return self.supported + self.hallucinated + self.unlabelled


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """``items``: audits; an answer that was audited twice is two of them, but one of ``answers``.
    ``by_verdict``: nothing to check is among them where an item has that verdict.
    ``overruled``: a majority of reviewers against the machine; ``undecided``: neither a
    majority nor a gold label. ``by_gold``: a gold label decides where the majority does not."""

    items: int
    by_verdict: tuple[VerdictCount, ...]
    reviewed: int
    overruled: int
    undecided: int
    answers: int
    by_gold: int = 0

    @property
    def mistakes(self) -> str:
        """How many verdicts differ from their labels, in a sentence; "" without labels."""
        checked = [row for row in self.by_verdict if row.verdict is not Verdict.NOTHING_TO_CHECK]
        supported = sum(row.supported for row in checked)
        hallucinated = sum(row.hallucinated for row in checked)
        if not supported + hallucinated:
            return ""
        misses = sum(r.hallucinated for r in checked if r.verdict is Verdict.SUPPORTED)
        alarms = sum(r.supported for r in checked if r.verdict is Verdict.HALLUCINATED)
        return mistakes_text(misses, alarms, hallucinated, supported)

    @property
    def unchecked(self) -> str:
        """That labelled items with nothing to check do not count, in a sentence; "" without any."""
        labelled = sum(
            row.supported + row.hallucinated
            for row in self.by_verdict
            if row.verdict is Verdict.NOTHING_TO_CHECK
        )
        return unchecked_text(labelled) if labelled else ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How well the score ranks ``n`` items against ``truth``, supported being the positive class.
    ``interval``: over groups, the source documents where the file names them. ``auc`` and
    ``interval`` are None where ``reason`` says why."""

    truth: str
    n: int
    groups: int
    base_rate: float | None
    auc: float | None
    interval: Interval | None
    curve: Curve | None
    reason: str


@dataclass(frozen=True, slots=True)
class ReportRow:
    """An item with its flagged sentences; ``problem``: why they cannot be named, "" mostly.
    ``judgements``: those that count and were given in this audit, by reviewer. ``gold``: the gold
    label in words, "" without one. ``correction``: the last of the answer."""

    audit: ListedAudit
    sentences: tuple[TracedSentence, ...]
    problem: str = ""
    judgements: Mapping[str, Judgement] = field(default_factory=dict)
    gold: str = ""
    correction: Correction | None = None


@dataclass(frozen=True, slots=True)
class ItemsReport:
    """All that the report says. ``histogram``: by label, the items in each of twenty bins of equal
    width over [0, 1]. ``agreement``: two raters, and what both say. ``items``: the first of the
    filter, misses and false alarms before the others, ``left_out`` the rest."""

    title: str
    written_at: str
    filter_lines: tuple[str, ...]
    runs: tuple[Run, ...]
    made_with: tuple[MadeWith, ...]
    counts: ItemCounts
    histogram: Mapping[int | None, tuple[int, ...]]
    rankings: tuple[Ranking, ...]
    agreement: tuple[tuple[str, Agreement], ...]
    items: tuple[ReportRow, ...]
    left_out: int


@dataclass(slots=True)
class _Truth:
    """Scores with the truth about them, collected item by item."""

    name: str
    unit: str
    labels: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    detectors: set[str] = field(default_factory=set)

    def add(self, item: Item, label: int | None) -> None:
        # Of an answer with nothing to check the score decides nothing.
        if label is not None and item.verdict is not Verdict.NOTHING_TO_CHECK:
            self.labels.append(label)
            self.scores.append(item.score)
            self.detectors.add(item.detector)
            # An audit that rows share, or one of no group, is a group of its own.
            self.groups.append(item.group or f"audit {item.audit_id}")

    def ranking(self) -> Ranking:
        n, groups = len(self.labels), len(set(self.groups))
        base_rate = sum(self.labels) / n if n else None
        if len(self.detectors) > 1:
            named = ", ".join(sorted(map(detector_title, self.detectors)))
            reason = (
                f"no figure: these {n:,} items were scored by several detectors ({named}), whose "
                "scores are on different scales; choose one in the filter and write the report "
                "again"
            )
            return Ranking(self.name, n, groups, base_rate, None, None, None, reason)
        auc = roc_auc(self.labels, self.scores)
        interval = bootstrap_auc(self.labels, self.scores, self.groups)
        reason = no_ranking(self.labels, self.unit)
        if not reason and interval is None:
            reason = "no interval: all items come from one source document"
        return Ranking(
            self.name,
            n,
            groups,
            base_rate,
            auc,
            interval,
            roc_points(self.labels, self.scores),
            reason,
        )


def build_items_report(
    chosen: ItemFilter, most_items: int = MOST_ITEMS, url: str | None = None
) -> ItemsReport:
    """Read the items that pass: the scores of all, and the texts and flagged sentences of the first
    ``most_items``, misses and false alarms before the others. Raises StorageError where they cannot
    be read."""
    store = ItemStore.open(url)
    runs = tuple(RunStore.open(url).get(run) for run in chosen.runs)
    labels = _Truth("the labels of the file", "item with a label of a file")
    said = _Truth(
        "what most reviewers or a gold label say",
        "item of which most reviewers, or a gold label, say supported or hallucinated",
    )
    counted = {(v, label): 0 for v in Verdict for label in LABELS}
    flagged = dict.fromkeys(Verdict, 0)
    scores: dict[int | None, list[float]] = {label: [] for label in LABELS}
    answers: set[str | int] = set()
    reviewed = overruled = undecided = by_gold = total = 0
    for item in store.each(chosen):
        total += 1
        # Audits of before the digests have only themselves.
        answers.add(f"{item.source} {item.texts}" if item.source else item.audit_id)
        counted[item.verdict, item.label] += 1
        flagged[item.verdict] += bool(item.unsupported_sentences)
        scores[item.label].append(item.score)
        labels.add(item, item.label)
        said.add(item, item.opinion)
        if item.reviewers:
            reviewed += 1
            undecided += item.opinion is None
            by_gold += item.by_gold
            overruled += item.verdict is not Verdict.NOTHING_TO_CHECK and (
                item.opinion == int(item.verdict is Verdict.HALLUCINATED)
            )
    names = [run.name for run in runs]
    first = listed(store.page(chosen, ItemOrder.MISTAKES, limit=most_items).items, url)
    return ItemsReport(
        title=", ".join(names) or "audits",
        written_at=moment_text(datetime.now(UTC).isoformat()),
        filter_lines=tuple(filter_lines(chosen, names)),
        runs=runs,
        made_with=store.made_with(chosen),
        counts=ItemCounts(
            total,
            tuple(
                VerdictCount(v, counted[v, 1], counted[v, 0], counted[v, None], flagged[v])
                for v in Verdict
                if v is not Verdict.NOTHING_TO_CHECK or any(counted[v, each] for each in LABELS)
            ),
            reviewed,
            overruled,
            undecided,
            len(answers),
            by_gold,
        ),
        histogram={label: _histogram(values) for label, values in scores.items() if values},
        rankings=(labels.ranking(), said.ranking()),
        agreement=tuple(_raters(agreement_report(ReviewStore.open(url).opinions(chosen)))),
        items=tuple(_report_row(row, url) for row in first),
        left_out=total - len(first),
    )


def _report_row(row: ListedAudit, url: str | None) -> ReportRow:
    given = ExportItem(row.item, get_engine(url or database_url()))
    gold = given.gold_label()
    said = ReportRow(
        row,
        (),
        judgements={each.reviewer: each.judgement for each in given.latest_reviews()},
        gold=gold_text(gold) if gold else "",
        correction=given.correction(),
    )
    if row.item.unsupported_sentences == 0:
        return said
    try:
        sentences = given.audit().sentences
    except StorageError as error:
        return replace(said, problem=str(error))
    flagged = tuple(each for each in sentences if each.label in UNSUPPORTED_LABELS)
    return replace(said, sentences=flagged)


def write_items_report(chosen: ItemFilter, file: IO[bytes]) -> ExportSummary:
    """Write the report of a filter's items. Raises StorageError where they cannot be read."""
    report = build_items_report(chosen)
    file.write(items_report(report).encode("utf-8"))
    return ExportSummary(report.counts.items, ())


def items_report(report: ItemsReport) -> str:
    """Write a report of many items. One HTML document with plotly.js in it, which loads nothing."""
    plotly = get_plotlyjs()
    drawing = (TEMPLATES / "draw_figures.js").read_text(encoding="utf-8")
    return render_page(
        "items_report.html",
        scripts=(plotly, drawing),
        report=report,
        plotly=plotly,
        drawing=drawing,
        # In an element of data, where only a tag could end it.
        figures=json.dumps(_figures(report)).replace("<", "\\u003c"),
        verdicts=VERDICTS,
        unread=UNREAD_SHORT,
        opinion_text=opinion_text,
        few=few_labels_text,
        note=_note,
        gold_decides=gold_decides_text,
        sentence_name=sentence_name,
        sentence_labels=SENTENCE_LABELS,
        status=status,
        day=day_text,
        made=[_made_rows(made) for made in report.made_with],
        shorten=_shorten,
        detector_title=detector_title,
        several=len({made.parameters.detector for made in report.made_with}) > 1,
    )


def _made_rows(made: MadeWith) -> tuple[MadeRow, ...]:
    return (
        MadeRow("Items", f"{made.items:,}", "How many items were audited with these settings."),
        *parameter_rows(made.parameters),
        model_row(made.relevance_model),
        model_row(made.nli_model),
        *([] if made.second_model is None else [second_row(made.second_model)]),
    )


def _figures(report: ItemsReport) -> dict[str, object]:
    """Plotly's own JSON of each figure, by the id of its element."""
    figures = {"histogram": _histogram_figure(report.histogram)} if report.histogram else {}
    for number, ranking in enumerate(report.rankings, 1):
        if ranking.curve is not None:
            figures[f"roc-{number}"] = _roc_figure(ranking.curve)
    return {name: json.loads(figure.to_json()) for name, figure in figures.items()}


def _histogram(scores: list[float]) -> tuple[int, ...]:
    counts, _ = np.histogram(scores, bins=_BINS, range=(0.0, 1.0))
    return tuple(int(count) for count in counts)


def _histogram_figure(bars: Mapping[int | None, tuple[int, ...]]) -> go.Figure:
    middles = [(i + 0.5) / _BINS for i in range(_BINS)]
    figure = go.Figure()
    for label, counts in bars.items():
        figure.add_bar(
            name=_BY_LABEL[label],
            x=middles,
            y=counts,
            width=1 / _BINS,
            marker={"color": LABEL_COLOURS[label], "pattern": {"shape": _PATTERNS[label]}},
            hovertemplate="score %{x:.3f} ± 0.025: %{y} items<extra></extra>",
        )
    figure.update_layout(
        barmode="stack",
        height=320,
        margin={"l": 50, "r": 10, "t": 30, "b": 45},
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        template="none",
    )
    figure.update_xaxes(title="factuality score", range=[0, 1])
    figure.update_yaxes(title="items")
    return figure


def _roc_figure(curve: Curve) -> go.Figure:
    figure = go.Figure()
    add_chance(figure)
    add_roc_curve(figure, *of_hallucinated(curve), "ROC", {"color": "#2490b5", "width": 3})
    figure.update_layout(
        height=400, margin={"l": 60, "r": 10, "t": 10, "b": 50}, showlegend=False, template="none"
    )
    name_roc_axes(figure)
    return figure


def _raters(report: AgreementReport) -> Iterator[tuple[str, Agreement]]:
    for pair in report.pairs:
        yield f"{pair.first} and {pair.second}", pair.answers
    for against in report.machine:
        yield f"{against.reviewer} and the machine", against.answers


def _note(found: Agreement) -> str:
    notes = [found.reason] if found.reason else []
    if found.cannot_tell:
        notes.append(f"{found.cannot_tell} left out: the reviewer cannot tell")
    if found.undecided:
        notes.append(f"{found.undecided} left out: no majority")
    return "; ".join(notes)


def _shorten(text: str) -> str:
    if len(text) <= _MOST_CHARACTERS:
        return text
    left = len(text) - _MOST_CHARACTERS
    return f"{text[:_MOST_CHARACTERS]}… ({left:,} more characters, which the exports have)"
