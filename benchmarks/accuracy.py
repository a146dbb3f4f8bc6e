"""AUC of the default settings on every labelled set, beside the bar and the trivial baselines.

    python benchmarks/accuracy.py --data ../shared/data/eval

One rule for all sets: the default parameters of the ``embedded`` profile, whose threshold and
calibration come from training-side data only. Every scored row goes at once to a cache of JSON
lines outside the repository, keyed by the weights, the parameters and the scorer's code, so an
interrupted run goes on where it stopped. ``--write`` writes benchmarks/RESULTS.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from provenance_core import Provenance, default_parameters  # noqa: E402
from provenance_core.cli.evaluate_command import percent  # noqa: E402
from provenance_core.errors import InputError  # noqa: E402
from provenance_core.evaluation.datasets import LabelledRow  # noqa: E402
from provenance_core.evaluation.run import (  # noqa: E402
    EvaluationResult,
    Method,
    ProvenanceScorer,
    evaluate_file,
)
from provenance_core.serialization import to_plain  # noqa: E402

RESULTS = REPOSITORY / "benchmarks" / "RESULTS.md"


@dataclass(frozen=True, slots=True)
class Bar:
    """AUC x 100 to reach on a set: the best cell of its rows in the table of ``recipe.md``.

    That file belongs to the project's data folder, and its cells are measured on the first rows
    of a shuffle (80 to 400 a set). ``models``: the best of the earlier weights under any rule;
    ``overlap``: its word overlap column, with its own tokeniser.
    """

    dataset: str
    models: float
    overlap: float

    @property
    def best(self) -> float:
        return max(self.models, self.overlap)


# The length column is left out: no rule reads it, and it is printed for every set.
BARS = {
    bar.dataset: bar
    for bar in (
        Bar("begin", 83.4, 86.4),
        Bar("q2", 73.6, 63.3),
        Bar("qags_xsum", 71.4, 67.2),
        Bar("qags_cnndm", 64.0, 65.9),
        Bar("ragtruth_partial", 69.5, 59.6),
        Bar("mnbm", 79.4, 73.4),
        Bar("halueval_qa_gen500", 88.6, 60.4),
    )
}

# Sets with kin among the training pairs, so their figures are not zero-shot.
KIN = {
    "paws": "PAWS-Wiki rows were trained on",
    "begin": "Wikipedia sentences shared with FEVER and VitaminC rows that were trained on",
    "q2": "Wikipedia sentences shared with FEVER and VitaminC rows that were trained on",
}


class ScoreCache:
    """Scores by row, one JSON object a line, appended as they come.

    A line cut off by an interruption is ignored; its row is scored again.
    """

    def __init__(self, path: Path, fingerprint: str) -> None:
        self._fingerprint = fingerprint
        self._scores: dict[str, float] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    entry = json.loads(line)
                    self._scores[entry["row"]] = float(entry["score"])
                except (ValueError, KeyError, TypeError):
                    continue
        self._file = path.open("a", encoding="utf-8")
        self._file.write("\n")  # ends a line that was cut off

    def key(self, row: LabelledRow) -> str:
        text = json.dumps([self._fingerprint, row.query, row.context, row.answer])
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> float | None:
        return self._scores.get(key)

    def put(self, key: str, score: float) -> None:
        self._scores[key] = score
        self._file.write(json.dumps({"row": key, "score": score}) + "\n")
        self._file.flush()


@dataclass(frozen=True, slots=True)
class CachedScorer:
    """The scorer of ``evaluate``, asked once a row."""

    inner: ProvenanceScorer
    cache: ScoreCache

    @property
    def method(self) -> Method:
        return self.inner.method

    @property
    def threshold(self) -> float | None:
        return self.inner.threshold

    def score(self, row: LabelledRow) -> float:
        key = self.cache.key(row)
        known = self.cache.get(key)
        if known is None:
            known = self.inner.score(row)
            self.cache.put(key, known)
        return known


def fingerprint(scorer: ProvenanceScorer) -> str:
    """Changes with the weights, the parameters or the code that a score depends on."""
    parts = [
        to_plain(scorer.provenance.relevance.info),
        to_plain(scorer.provenance.nli.info),
        to_plain(scorer.parameters),
    ]
    digest = hashlib.sha256(json.dumps(parts).encode())
    for path in sorted((REPOSITORY / "provenance_core").glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def against_bar(result: EvaluationResult) -> str:
    """Where the bar lies: below the AUC, within its interval, or above it."""
    bar = BARS.get(result.dataset)
    if bar is None or result.auc is None or result.auc_high is None:
        return "-"
    if 100 * result.auc >= bar.best:
        return "reached"
    return "within interval" if 100 * result.auc_high >= bar.best else "MISSED"


COLUMNS = (
    "dataset", "n", "base rate", "AUC", "95 % interval", "bar", "bar reached", "overlap",
    "length", "average precision", "balanced accuracy", "skipped",
)  # fmt: skip


def cells(result: EvaluationResult) -> list[str]:
    """The row of a table for ``result``; rates and areas x 100."""
    bar = BARS.get(result.dataset)
    interval = f"{percent(result.auc_low)} - {percent(result.auc_high)}"
    return [
        result.dataset + (" *" if result.dataset in KIN else ""),
        str(result.n),
        percent(result.base_rate),
        percent(result.auc),
        "-" if result.auc_low is None else interval,
        "-" if bar is None else f"{bar.best:.1f}",
        against_bar(result),
        percent(result.overlap_auc),
        percent(result.length_auc),
        percent(result.average_precision),
        percent(result.balanced_accuracy),
        str(result.skipped),
    ]


def plain_table(results: list[EvaluationResult]) -> str:
    """Aligned columns for a terminal."""
    rows = [list(COLUMNS), *map(cells, results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def notes(results: list[EvaluationResult]) -> list[str]:
    """What a reader of the table must know."""
    found = [
        "All figures x 100; base rate is the share of supported rows; the interval is a bootstrap "
        "over rows (1000 resamples). overlap and length are the AUC of two trivial baselines on "
        "the same rows: the share of the answer's content words found in the context, and short "
        "= supported.",
        "bar: the best cell of the set in the table of recipe.md, its word overlap column "
        "included, its length column not: "
        + ", ".join(
            f"{bar.dataset} {bar.best} ({'overlap' if bar.overlap > bar.models else 'weights'})"
            for bar in BARS.values()
        )
        + ". Length alone has 94.1 there on halueval_qa_gen500.",
    ]
    found += [
        f"\\* {result.dataset}: not zero-shot ({KIN[result.dataset]})."
        for result in results
        if result.dataset in KIN
    ]
    found += [f"{result.dataset}: {result.note}." for result in results if result.note]
    return found


def markdown(results: list[EvaluationResult], command: str, scorer: ProvenanceScorer) -> str:
    """The whole of RESULTS.md."""
    rows = [list(COLUMNS), ["---"] * len(COLUMNS), *map(cells, results)]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    models = "\n".join(
        f"- {info.task}: {info.model_id}, revision {info.revision}, SHA-256 `{info.sha256}`"
        for info in (scorer.provenance.nli.info, scorer.provenance.relevance.info)
    )
    settings = ", ".join(f"{k} {v}" for k, v in to_plain(scorer.parameters).items())
    body = "\n".join(f"- {note}" for note in notes(results))
    return (
        f"# Accuracy\n\nWritten by `{command}`.\n\n{models}\n- parameters: {settings}\n\n"
        f"{table}\n\n{body}\n"
    )


def default_cache() -> Path:
    """In the user's cache folder, outside any repository."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "provenance" / "accuracy.jsonl"


def main() -> int:
    """Score, print, and write when asked; status 2 when there is nothing to score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of .jsonl.gz files")
    parser.add_argument("--only", nargs="+", metavar="SET", help="these sets alone")
    parser.add_argument("--limit", type=int, help="first N rows of a shuffle by seed 0")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="(%(default)s)")
    parser.add_argument("--write", action="store_true", help="write benchmarks/RESULTS.md")
    options = parser.parse_args()
    files = sorted([*options.data.glob("*.jsonl"), *options.data.glob("*.jsonl.gz")])
    if options.only:
        files = [path for path in files if path.name.split(".")[0] in options.only]
    if not files:
        print(f"error: no .jsonl or .jsonl.gz file to score in {options.data}", file=sys.stderr)
        return 2
    scorer = ProvenanceScorer(Provenance.load(), default_parameters())
    cached = CachedScorer(scorer, ScoreCache(options.cache, fingerprint(scorer)))
    results: list[EvaluationResult] = []
    for path in sorted(files, key=lambda path: path.stat().st_size):
        try:
            result = evaluate_file(path, cached, limit=options.limit)
        except InputError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        results.append(result)
        print(
            f"{result.dataset}: {result.n} rows, AUC {percent(result.auc)}, {result.seconds:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    results.sort(key=lambda result: (result.dataset in KIN, result.dataset))
    print(plain_table(results), *(note.removeprefix("\\") for note in notes(results)), sep="\n")
    if options.write:
        limit = f" --limit {options.limit}" if options.limit else ""
        only = f" --only {' '.join(options.only)}" if options.only else ""
        command = f"python benchmarks/accuracy.py --data DATA/eval{only}{limit} --write"
        RESULTS.write_text(markdown(results, command, scorer), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
