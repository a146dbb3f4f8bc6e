"""How well bare weights rank held-out rows: ``python -m training.window_figures --weights FOLDER``.

Bare means: windows of the whole context, no map, no rule, no relevance. Each sentence of an answer,
and the whole answer, is read by the windows that share most content words with it, and the best of
them counts. The rows are those of ``judged/`` and ``dev/`` whose documents no weights saw
(:mod:`training.held_out`), the held-out written answers and twins, and ``dev/fresh_rag``; none is
of ``eval/``. Beside it stands what counting shared word pairs gives. Scores are kept row by row: a
call goes on where one stopped.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from provenance_core.findings.copied import copied_shares
from provenance_core.lexicon.words import content_words
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import windows
from training.areas import by_set, table
from training.command import RUNS, SEED, Row, append, kept, options, rows_of, tokenizer_of
from training.held_out import document, is_held_out
from training.judged_mixture import FRESH, held_out_written
from training.judged_units import SPECIAL, Counter
from training.judged_verdicts import RAG, WRITTEN
from training.large import begun
from training.loop import half
from training.twins import KIND, rows_of_twins, written_twins

COLUMNS = ("mean", "least", "whole", "pairs")
# Longest pair, in tokens, that the encoder reads.
MOST_TOKENS = 512


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
            nearest = sorted(found, key=lambda w: -len(wanted & content_words(w.text)))
            pairs += [(window.text, text) for window in nearest[: self._most]]
            owners += [number] * (len(pairs) - len(owners))
        best = [0.0] * len(texts)
        for owner, support in zip(owners, self._read(pairs), strict=True):
            best[owner] = max(best[owner], support)
        return best

    def _read(self, pairs: Sequence[tuple[str, str]]) -> Iterator[float]:
        for pair in pairs:
            ids = self._tokenizer.encode(*pair).ids
            # An answer of several hundred tokens: its end is not read, in any of the columns.
            ids = ids[:MOST_TOKENS]
            with torch.inference_mode(), half():
                logits = self._model(
                    input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)).long()
                ).logits
            yield float(torch.softmax(logits.float(), dim=-1)[0, 0])


def _held_out(data: Path) -> Iterator[Row]:
    """The rows that no weights saw."""
    for folder in ("dev", "judged"):
        for path in sorted((data / folder).glob("*.jsonl.gz")):
            for row in rows_of(path):
                if row["dataset"] == FRESH or is_held_out(row["context"]):
                    yield row
    yield from held_out_written(data)
    yield from (row for each in written_twins() if each.held_out for row in rows_of_twins(each))


def held_rows(data: Path, most: int, sets: Sequence[str] | None) -> list[Row]:
    """At most ``most`` rows of each set, the same ones each time, of both labels where it has
    them; all of ``fresh_rag`` if ``most`` allows."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in _held_out(data):
        if not sets or row["dataset"] in sets:
            found[row["dataset"]].append(row)
    chosen: list[Row] = []
    for kind in sorted(found, key=lambda kind: (kind != FRESH, kind)):
        rows = found[kind]
        random.Random(SEED).shuffle(rows)
        # Half of either label as far as there are so many: an interval is narrowest there.
        halves = [[r for r in rows if r["label"] == label] for label in (0, 1)]
        few = min(len(half) for half in halves)
        each = [min(len(half), max(most // 2, most - few)) for half in halves]
        chosen += [row for half, count in zip(halves, each, strict=True) for row in half[:count]]
    return chosen


def scored(reader: Reader, row: Row) -> Row:
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


def main() -> None:
    """Score what is not scored yet, and print the figures."""
    parser = options(__doc__, "data", "base")
    parser.add_argument("--weights", type=Path, required=True, help="shipped or float folder")
    parser.add_argument("--name", required=True, help="of the file of scores")
    parser.add_argument("--out", type=Path, default=RUNS / "window_figures")
    parser.add_argument("--rows", type=int, default=200, help="of each set (%(default)s)")
    parser.add_argument("--sets", nargs="*", help="these sets alone")
    parser.add_argument("--length", type=int, default=400, help="tokens of a pair (%(default)s)")
    parser.add_argument("--windows", type=int, default=4, help="that a text is read by")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    path: Path = arguments.out / f"{arguments.name}.jsonl"
    known = {(row["set"], row["id"]) for row in kept(path)}
    model = begun(arguments.base, arguments.weights)
    reader = Reader(model, tokenizer_of(arguments.base), arguments.length, arguments.windows)
    rows = held_rows(arguments.data, arguments.rows, arguments.sets)
    wanted = {(row["dataset"], row["id"]): row for row in rows}
    append(path, (scored(reader, row) for key, row in wanted.items() if key not in known))
    scores = {(row["set"], row["id"]): row for row in kept(path)}
    areas = by_set((scores[key] for key in wanted), COLUMNS)
    means = {
        "sets": lambda kind: True,
        "sets that people judged": lambda kind: kind not in (FRESH, WRITTEN, KIND),
        "RAG sets that people judged": lambda kind: kind in RAG,
    }
    print(*table(areas, means), sep="\n")


if __name__ == "__main__":
    main()
