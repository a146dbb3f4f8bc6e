"""How well bare weights rank held-out rows: ``python -m training.window_figures --weights FOLDER``.

Bare means: windows of the whole context, no map, no rule, no relevance. Each sentence of an answer,
and the whole answer, is read by the windows that share most content words with it, and the best of
them counts. The rows are those of ``judged/`` and ``dev/`` whose documents no weights saw
(:mod:`training.held_out`), and ``dev/fresh_rag``; none is of ``eval/``. Beside it stands what
counting shared word pairs gives. Scores are kept row by row: a call goes on where one stopped.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import rankdata
from tokenizers import Tokenizer

from provenance_core.findings.copied import copied_shares
from provenance_core.lexicon.words import content_words
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import windows
from training.data_folder import add_data_option
from training.held_out import document, is_held_out
from training.judged_mixture import FRESH
from training.judged_units import SPECIAL, Counter, read_rows
from training.large import begun
from training.nli_data import SEED

COLUMNS = ("mean", "least", "whole", "pairs")
RESAMPLES = 1000
# Longest pair, in tokens, that the encoder reads.
MOST_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Area:
    """AUC x 100 with its 95 % interval over documents; ``rate``: share of supported rows."""

    auc: float
    low: float
    high: float
    count: int
    rate: float


def area(labels: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """The AUC x 100 of scores, nan where all labels are the same."""
    right = int(labels.sum())
    wrong = len(labels) - right
    if not right or not wrong:
        return float("nan")
    ranks = float(rankdata(scores)[labels].sum())
    return 100 * (ranks - right * (right + 1) / 2) / (right * wrong)


def measured(rows: Sequence[Mapping[str, Any]], column: str) -> Area:
    """The AUC of a column; rows of a document are drawn together."""
    labels = np.array([row["label"] == 1 for row in rows])
    scores = np.array([row[column] for row in rows], dtype=np.float64)
    by_document: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        by_document[row["document"]].append(at)
    groups = [np.array(places) for places in by_document.values()]
    rng = np.random.default_rng(SEED)
    drawn = []
    for _ in range(RESAMPLES):
        places = np.concatenate([groups[i] for i in rng.integers(len(groups), size=len(groups))])
        drawn.append(area(labels[places], scores[places]))
    low, high = np.nanpercentile(drawn, (2.5, 97.5)) if len(groups) > 1 else (np.nan, np.nan)
    return Area(area(labels, scores), float(low), float(high), len(rows), float(labels.mean()))


class Reader:
    """Reads texts against windows of a context with bare weights."""

    def __init__(
        self, model: torch.nn.Module, tokenizer: Tokenizer, length: int, most_windows: int
    ) -> None:
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._count = Counter(tokenizer)
        self._length = length
        self._most = most_windows

    def supports(self, context: Sequence[str], texts: Sequence[str]) -> list[float]:
        """P(entailment) of each text by the best of its windows; 0 without a context."""
        bounds = [sentence_bounds(item) for item in context]
        pairs: list[tuple[str, str]] = []
        owners: list[int] = []
        for number, text in enumerate(texts):
            own = self._count([text])[0] + SPECIAL
            room = max(self._length // 4, self._length - own)
            found = windows(context, bounds, most_tokens=room, count_tokens=self._count)
            wanted = content_words(text)
            found = tuple(
                sorted(found, key=lambda w: len(wanted & content_words(w.text)), reverse=True)
            )
            for window in found[: self._most]:
                pairs.append((window.text, text))
                owners.append(number)
        best = [0.0] * len(texts)
        for owner, support in zip(owners, self._read(pairs), strict=True):
            best[owner] = max(best[owner], support)
        return best

    def _read(self, pairs: Sequence[tuple[str, str]]) -> Iterator[float]:
        for pair in pairs:
            ids = self._tokenizer.encode(*pair).ids
            # An answer of several hundred tokens: its end is not read, in any of the columns.
            ids = ids[:MOST_TOKENS]
            with torch.inference_mode():
                logits = self._model(
                    input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)).long()
                ).logits
            yield float(torch.softmax(logits.float(), dim=-1)[0, 0])


def held_rows(data: Path, most: int, sets: Sequence[str] | None) -> list[dict[str, Any]]:
    """At most ``most`` rows of each set, the same ones each time, of both labels where it has
    them; all of ``fresh_rag`` if ``most`` allows."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for folder in ("dev", "judged"):
        for path in sorted((data / folder).glob("*.jsonl.gz")):
            for row in read_rows(path):
                kind = row["dataset"]
                if (not sets or kind in sets) and (kind == FRESH or is_held_out(row["context"])):
                    found[kind].append(row)
    chosen: list[dict[str, Any]] = []
    for kind in sorted(found, key=lambda kind: (kind != FRESH, kind)):
        rows = found[kind]
        random.Random(SEED).shuffle(rows)
        # Half of either label as far as there are so many: an interval is narrowest there.
        halves = [[r for r in rows if r["label"] == label] for label in (0, 1)]
        few = min(len(half) for half in halves)
        each = [min(len(half), max(most // 2, most - few)) for half in halves]
        chosen += [row for half, count in zip(halves, each, strict=True) for row in half[:count]]
    return chosen


def scored(reader: Reader, row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row of the kept scores holds."""
    answer = row["answer"].strip()
    texts = [answer[a:b].strip() for a, b in sentence_bounds(answer)] or [answer]
    several = [*texts, answer] if len(texts) > 1 else texts
    supports = reader.supports(row["context"], several)
    sentences = supports[: len(texts)]
    return {
        "set": row["dataset"],
        "id": row["id"],
        "label": row["label"],
        "document": document(row["context"]),
        "mean": float(np.mean(sentences)),
        "least": min(sentences),
        "whole": supports[-1],
        "pairs": copied_shares(answer, row["context"])[1],
    }


def report(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each set and column, and the means over the sets."""
    by_set: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_set[row["set"]].append(row)
    areas = {kind: {c: measured(some, c) for c in COLUMNS} for kind, some in by_set.items()}
    yield "| set | n | supported | " + " | ".join(COLUMNS) + " |"
    yield "|---|" + "---|" * (len(COLUMNS) + 2)
    for kind, columns in areas.items():
        first = columns[COLUMNS[0]]
        cells = [f"{a.auc:.1f} ({a.low:.0f} to {a.high:.0f})" for a in columns.values()]
        yield f"| {kind} | {first.count} | {first.rate:.2f} | {' | '.join(cells)} |"
    means = [np.nanmean([columns[c].auc for columns in areas.values()]) for c in COLUMNS]
    yield f"| mean of {len(areas)} sets | | | " + " | ".join(f"{m:.1f}" for m in means) + " |"


def main() -> None:
    """Score what is not scored yet, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_data_option(parser)
    parser.add_argument("--base", type=Path, required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--weights", type=Path, required=True, help="shipped or float folder")
    parser.add_argument("--name", required=True, help="of the file of scores")
    parser.add_argument("--out", type=Path, default=Path("training/runs/window_figures"))
    parser.add_argument("--rows", type=int, default=200, help="of each set (%(default)s)")
    parser.add_argument("--sets", nargs="*", help="these sets alone")
    parser.add_argument("--length", type=int, default=400, help="tokens of a pair (%(default)s)")
    parser.add_argument("--windows", type=int, default=4, help="that a text is read by")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    path: Path = arguments.out / f"{arguments.name}.jsonl"
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            kept[row["set"], row["id"]] = row
    tokenizer = Tokenizer.from_file(str(arguments.base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = begun(arguments.base, arguments.weights)
    reader = Reader(model, tokenizer, arguments.length, arguments.windows)
    rows = held_rows(arguments.data, arguments.rows, arguments.sets)
    with path.open("a", encoding="utf-8") as out:
        for row in rows:
            key = row["dataset"], row["id"]
            if key not in kept:
                kept[key] = scored(reader, row)
                out.write(json.dumps(kept[key]) + "\n")
                out.flush()
    for line in report(kept[row["dataset"], row["id"]] for row in rows):
        print(line)


if __name__ == "__main__":
    main()
