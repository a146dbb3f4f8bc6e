"""Scores data sets row by row, keeps every score at once, and goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from provenance_core.errors import InputError, failing_alone
from provenance_core.evaluation.scorers import Scorer, known_method
from provenance_core.evaluation.types import Column, RowScores, ScoredSet
from provenance_core.files.labelled import first_shuffled
from provenance_core.files.types import LabelledFile, LabelledRow, RejectedRow
from provenance_core.statistics.metrics import span_counts
from provenance_core.statistics.types import ScoredRow, SkipReason, SpanCounts
from provenance_core.types import current_detector

OnSkip = Callable[[LabelledFile, RejectedRow], None]
OnProgress = Callable[[int, int], None]
_DIGITS = 5


class ScoreLog:
    """Scores of one method by row, one JSON object a line, appended as they come. A line cut off by
    an interruption is ignored: its row is scored again. So are lines that another state of the
    weights, parameters or code has written."""

    def __init__(self, path: Path | None, fingerprint: str) -> None:
        self._fingerprint = fingerprint
        self._known: dict[str, RowScores] = {}
        self._path = path
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                self._read(line)
            self._append("\n")  # ends a line that was cut off

    def _read(self, line: str) -> None:
        try:
            entry = json.loads(line)
            if entry["by"] != self._fingerprint:
                return
            spans = entry["spans"]
            self._known[entry["row"]] = RowScores(
                tuple(map(float, entry["scores"])),
                None if spans is None else tuple((int(a), int(b)) for a, b in spans),
            )
        except (ValueError, KeyError, TypeError):
            return

    def get(self, key: str) -> RowScores | None:
        """The scores of a row; None where it was not scored before."""
        return self._known.get(key)

    def put(self, key: str, scores: RowScores) -> None:
        """Keep the scores of a row, on disk if there is a file."""
        self._known[key] = scores
        entry = {"row": key, "by": self._fingerprint, **asdict(scores)}
        self._append(json.dumps(entry) + "\n")

    def _append(self, text: str) -> None:
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text)


def score_file(
    file: LabelledFile,
    scorers: Sequence[Scorer],
    *,
    limit: int | None = None,
    seed: int = 0,
    log_folder: Path | None = None,
    on_skip: OnSkip = lambda file, row: None,
    on_progress: OnProgress = lambda done, total: None,
) -> ScoredSet:
    """Score the rows of a file. A row that one of the scorers cannot score is left out for all of
    them, so that every column is of the same rows."""
    logs = [
        ScoreLog(
            log_folder / f"{file.dataset}.{scorer.method}.jsonl" if log_folder else None,
            scorer.fingerprint,
        )
        for scorer in scorers
    ]
    skipped = list(file.unreadable)
    for unreadable in file.unreadable:
        on_skip(file, unreadable)
    rows = first_shuffled(file.rows, limit, seed)
    tasks = len({row.task for row in file.rows}) > 1
    scored: list[ScoredRow] = []
    for done, row in enumerate(rows, start=1):
        try:
            key = row_key(row)
            with failing_alone():
                found = [_scores(key, row, *pair) for pair in zip(scorers, logs, strict=True)]
        except InputError as error:
            skipped.append(RejectedRow(row.line, str(error), unit=file.unit))
            on_skip(file, skipped[-1])
        else:
            scored.append(_scored(key, row, found, _subset(row, tasks)))
        on_progress(done, len(rows))
    reasons = Counter(row.reason for row in skipped)
    return ScoredSet(
        dataset=file.dataset,
        format=file.format,
        method=scorers[0].method,
        columns=tuple(column for scorer in scorers for column in scorer.columns),
        rows=tuple(scored),
        skipped=tuple(SkipReason(reason, count) for reason, count in reasons.most_common()),
        warnings=file.warnings,
        of=len(file.rows) + len(file.unreadable),
    )


def write_scored_set(scored: ScoredSet, folder: Path) -> Path:
    """Write the scores of a data set, without any text of it, to
    ``folder/<dataset>.<method>.jsonl``."""
    folder.mkdir(parents=True, exist_ok=True)
    head = {
        "dataset": scored.dataset,
        "format": scored.format,
        "method": str(scored.method),
        "columns": [asdict(column) for column in scored.columns],
        "skipped": [asdict(reason) for reason in scored.skipped],
        "warnings": scored.warnings,
        "of": scored.of,
        "command": scored.command,
        "made_with": scored.made_with,
    }
    lines = [json.dumps(head)]
    for row in scored.rows:
        spans = row.spans and [row.spans.gold, row.spans.found, row.spans.both]
        lines.append(
            json.dumps(
                [row.key, row.id, row.label, row.group, row.source, row.subset, row.scores, spans],
                separators=(",", ":"),
            )
        )
    path = folder / f"{scored.dataset}.{scored.method}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read_scored_set(path: Path) -> ScoredSet:
    """Read what :func:`write_scored_set` wrote. Raises InputError for any other file."""
    try:
        head, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        rows = tuple(
            ScoredRow(
                key, id_, label, group, source, subset, tuple(scores), spans and SpanCounts(*spans)
            )
            for key, id_, label, group, source, subset, scores, spans in lines
        )
        return ScoredSet(
            dataset=head["dataset"],
            format=head["format"],
            method=known_method(head["method"]),
            columns=tuple(_column(**column) for column in head["columns"]),
            rows=rows,
            skipped=tuple(SkipReason(**reason) for reason in head["skipped"]),
            warnings=tuple(head["warnings"]),
            of=head["of"],
            command=head["command"],
            made_with=tuple(head["made_with"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: cannot be read as the scores of a data set ({error}); write it again with "
            "`python -m provenance_core evaluate ... --report DIR`"
        ) from error


def _column(name: str, threshold: float | None, probability: bool) -> Column:
    return Column(current_detector(name), threshold, probability)


def digest(*texts: str) -> str:
    """A short name of texts, 12 hexadecimal digits, by which rows are recognised without them."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _scores(key: str, row: LabelledRow, scorer: Scorer, log: ScoreLog) -> RowScores:
    known = log.get(key)
    if known is None:
        known = scorer.score(row)
        log.put(key, known)
    return known


def row_key(row: LabelledRow) -> str:
    """The digest of a row's query, context and answer."""
    return digest(row.query, *row.texts, "", row.answer)


def _subset(row: LabelledRow, tasks: bool) -> str:
    """The row's own subset, else its task and source model in a file of several tasks."""
    if row.subset or not tasks:
        return row.subset
    return ", ".join(filter(None, (row.task, row.source_model)))


def _scored(key: str, row: LabelledRow, found: Sequence[RowScores], subset: str) -> ScoredRow:
    spans = next((scores.spans for scores in found if scores.spans is not None), None)
    counts = None
    if row.spans is not None and spans is not None:
        gold = [(span.start, span.end) for span in row.spans]
        counts = span_counts(len(row.answer), gold, spans)
    return ScoredRow(
        key=key,
        id=row.id or str(row.line),
        label=row.label,
        group=digest(row.group) if row.group else digest(*row.texts),
        source=digest(row.query, *row.texts),
        subset=subset,
        # Rounded here, not on writing, so that figures now and from the file are the same.
        scores=tuple(round(score, _DIGITS) for scores in found for score in scores.scores),
        spans=counts,
    )
