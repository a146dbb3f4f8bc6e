"""Train the classifier of chatter: ``python -m training.chatter --data FOLDER`` writes its weights;
without ``--data`` it prints their precision and recall, as docs/explanation/chatter.md has them.

Trained on ``chatter_sentences.jsonl`` (written for the purpose: chatter, and claims that look like
it), ``claim_filter_sentences.jsonl``, and sentences that people judged for support, which are
claims, from the sets :data:`JUDGED`. Shown on ``chatter_answers.jsonl``: sentences of answers of
several chat models (RAGTruth, HaluEval), none of them trained on. One reader labelled them before
the classifier read them, and left out what could not be decided; the same reader had looked through
them before writing the sentences to train on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from provenance_core.text import chatter
from provenance_core.text.set_aside import by_rules, why_set_aside
from provenance_core.text.splitting import sentence_bounds
from training.claim_filter import SENTENCES as FILTERED
from training.claim_filter import Share
from training.command import options, read

WRITTEN = Path(__file__).with_name("chatter_sentences.jsonl")
ANSWERS = Path(__file__).with_name("chatter_answers.jsonl")
WEIGHTS = Path(chatter.__file__).with_name("chatter_weights.json")
JUDGED = (
    "judged/lfqa_answer",
    "judged/expertqa",
    "judged/attributionbench",
    "train/rag/written_rag",
)
OF_EACH = 900  # sentences of a set
THRESHOLD = 0.88
PRECISION = 0.95  # that a threshold is chosen for
_SCALE, _RATE, _STEPS, _PENALTY = 100, 2.0, 400, 3e-4
_HELD_OUT = 5  # one written sentence in so many is not trained on


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence, whether it is chatter, and where it comes from."""

    text: str
    is_chatter: bool
    source: str


def written(path: Path = WRITTEN) -> list[Labelled]:
    """The labelled sentences of a file."""
    return [Labelled(row["text"], row["chatter"], row["source"]) for row in read(path)]


def filtered() -> list[Labelled]:
    """Those of the filter's own set that their words alone decide."""
    return [
        Labelled(row["text"], row["reason"] is not None, "claim_filter")
        for row in read(FILTERED)
        if "next" not in row and row["reason"] != "an abstention"
    ]


def judged(data: Path) -> Iterator[Labelled]:
    """Sentences of answers that people judged: claims, but for what the rules set aside."""
    for name in JUDGED:
        answers = sorted({row["answer"] for row in read(data / f"{name}.jsonl.gz")})
        texts = [text[a:b].strip() for text in answers for a, b in sentence_bounds(text)]
        random.Random(0).shuffle(texts)
        for text in texts[:OF_EACH]:
            if by_rules(text) is None and not text.endswith((":", "?")):
                yield Labelled(text, False, name)


def train(rows: Sequence[Labelled]) -> None:
    """Fits the weights by logistic regression, each class as heavy as the other, and writes
    them."""
    seen = np.zeros((len(rows), chatter.BUCKETS), dtype=np.float32)
    for at, row in enumerate(rows):
        seen[at, chatter.features(row.text)] = 1.0
    wanted = np.array([row.is_chatter for row in rows], dtype=np.float32)
    weigh = np.where(wanted > 0, 0.5 / wanted.mean(), 0.5 / (1 - wanted.mean())) / len(rows)
    weights, bias = np.zeros(chatter.BUCKETS, dtype=np.float32), 0.0
    for _ in range(_STEPS):
        wrong = weigh * (1 / (1 + np.exp(-(seen @ weights + bias))) - wanted)
        weights -= _RATE * (seen.T @ wrong + _PENALTY * weights)
        bias -= _RATE * float(wrong.sum())
    found = {
        "scale": _SCALE,
        "bias": round(bias, 3),
        "threshold": THRESHOLD,
        "weights": np.rint(weights * _SCALE).astype(int).tolist(),
    }
    WEIGHTS.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
    chatter.weights.cache_clear()


def is_held_out(row: Labelled) -> bool:
    """Whether a written sentence is kept out of training."""
    return chatter.crc32(row.text.encode()) % _HELD_OUT == 0


def table(rows: Iterable[Labelled]) -> str:
    """Precision and recall by source, in Markdown: of the classifier alone, and of all that sets a
    sentence aside."""
    given = list(rows)
    lines = [
        "| answers of | sentences | chatter | classifier: precision | recall "
        "| with the rules: precision | recall |",
        "|---|--:|--:|---|---|---|---|",
    ]
    for source in [*dict.fromkeys(row.source for row in given), "all"]:
        of_it = [row for row in given if source in ("all", row.source)]
        cells = [source, str(len(of_it)), str(sum(row.is_chatter for row in of_it))]
        for decide in (chatter.is_chatter, lambda text: why_set_aside(text) is not None):
            said = [decide(row.text) for row in of_it]
            right = sum(a and row.is_chatter for a, row in zip(said, of_it, strict=True))
            cells += [_cell(right, sum(said)), _cell(right, sum(row.is_chatter for row in of_it))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(part: int, whole: int) -> str:
    return f"{part} of {whole}" if whole < 20 else str(Share(part, whole))


def chosen_on(rows: Sequence[Labelled]) -> float:
    """The lowest threshold from which on :data:`PRECISION` of what is set aside is chatter."""
    found = sorted(((chatter.probability(row.text), row.is_chatter) for row in rows), reverse=True)
    right, chosen = 0, 1.0
    for at, (likely, is_chatter) in enumerate(found, 1):
        right += is_chatter
        if right >= PRECISION * at:
            chosen = likely
    return chosen


def unseen_table(rows: Sequence[Labelled]) -> str:
    """Precision and recall of the classifier on each source, with the threshold that the other
    sources alone would choose."""
    lines = [
        "| answers of | threshold by the others | precision | recall |",
        "|---|--:|---|---|",
    ]
    totals = [0, 0, 0]
    for source in dict.fromkeys(row.source for row in rows):
        of_it = [row for row in rows if row.source == source]
        threshold = chosen_on([row for row in rows if row.source != source])
        said = [row for row in of_it if chatter.probability(row.text) >= threshold]
        counts = [sum(r.is_chatter for r in said), len(said), sum(r.is_chatter for r in of_it)]
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        lines.append(_unseen_row(source, f"{threshold:.2f}", counts))
    return "\n".join([*lines, _unseen_row("all", "", totals)])


def _unseen_row(source: str, threshold: str, counts: Sequence[int]) -> str:
    right, said, chatter_there = counts
    cells = (source, threshold, _cell(right, said), _cell(right, chatter_there))
    return f"| {' | '.join(cells)} |"


def shown() -> str:
    """The table of the answers of chat models and of the written sentences that were held out, and
    the table of the thresholds that others chose."""
    held = [replace(row, source=f"{row.source}, held out") for row in written() if is_held_out(row)]
    rows = [*written(ANSWERS), *held]
    return f"{table(rows)}\n\n{unseen_table(rows)}"


def main() -> None:
    """Runs the command that the module describes."""
    parser = options(__doc__)
    parser.add_argument("--data", type=Path, help="the folder with judged/ and train/: train anew")
    data = parser.parse_args().data
    if data is not None:
        own = [row for row in written() if not is_held_out(row)]
        train([*own, *filtered(), *judged(data)])
    print(shown())


if __name__ == "__main__":
    main()
