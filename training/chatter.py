"""Train the classifier of chatter: ``python -m training.chatter --data FOLDER`` writes its weights;
without ``--data`` it prints their precision and recall, as docs/explanation/chatter.md has them.

Trained on ``chatter_sentences.jsonl`` (written for the purpose: chatter, and claims that look like
it), ``claim_filter_sentences.jsonl``, and sentences that people judged for support, which are
claims, from the sets :data:`JUDGED`. The threshold is chosen on the written sentences, in folds.
With ``--data`` the command counts how many sentences of other judged sets, :data:`UNSEEN`, the
classifier takes for chatter.

Shown on ``chatter_answers.jsonl``: sentences of answers of several chat models (RAGTruth,
HaluEval), none of them trained on. One reader labelled them before the classifier read them, and
left out what could not be decided. That reader had looked through them before writing the first
thousand sentences to train on; who wrote the others had not seen them.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from provenance_core.text import chatter
from provenance_core.text.set_aside import by_rules, is_left, why_set_aside
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
    "judged/dialsummeval",
    "judged/ramprasad_dialogue",
    "train/rag/written_rag",
)
UNSEEN = (
    "judged/xsum_mistral_gpt",
    "judged/factcheckgpt_stance",
    "judged/refmatters",
    "judged/lfqa_sentence",
)
OF_EACH = 2500  # sentences of a set
PRECISION = 0.98  # that the threshold is chosen for
_SCALE, _COST, _FOLDS = 100, 1.0, 5
_OFTEN = 3  # sentences of chatter that have a word which chatter often has
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


def judged(data: Path, names: Sequence[str] = JUDGED) -> Iterator[Labelled]:
    """Sentences of answers that people judged: claims, but for what the rules set aside."""
    for name in names:
        answers = sorted({row["answer"] for row in read(data / f"{name}.jsonl.gz")})
        texts = [text[a:b].strip() for text in answers for a, b in sentence_bounds(text)]
        random.Random(0).shuffle(texts)
        for text in texts[:OF_EACH]:
            if by_rules(text) is None and not text.endswith((":", "?")):
                yield Labelled(text, False, name)


def often(rows: Iterable[Labelled]) -> frozenset[str]:
    """The words that chatter often has."""
    counts = Counter(
        word for row in rows if row.is_chatter for word in set(chatter.tokens(row.text))
    )
    return frozenset(word for word, count in counts.items() if count >= _OFTEN)


def fit(rows: Sequence[Labelled], known: frozenset[str]) -> LogisticRegression:
    """A logistic regression, each class as heavy as the other."""
    wanted = [row.is_chatter for row in rows]
    model = LogisticRegression(C=_COST, class_weight="balanced", max_iter=500)
    return model.fit(_seen([row.text for row in rows], known), wanted)


def _seen(texts: Sequence[str], known: frozenset[str]) -> csr_matrix:
    places = [chatter.features(text, known) for text in texts]
    ends = np.cumsum([0, *map(len, places)])
    flat = [place for each in places for place in each]
    return csr_matrix((np.ones(len(flat)), flat, ends), (len(texts), chatter.BUCKETS))


def chosen(own: Sequence[Labelled], others: Sequence[Labelled]) -> float:
    """The lowest threshold, in hundredths, from which on :data:`PRECISION` of what is set aside of
    the sentences ``own`` is chatter, each read by a classifier that did not see it."""
    found = []
    for fold in range(_FOLDS):
        rest = [row for row in own if _fold(row) != fold]
        left = [row for row in own if _fold(row) == fold and is_left(row.text)]
        known = often(rest)
        model = fit([*rest, *others], known)
        likely = model.predict_proba(_seen([row.text for row in left], known))[:, 1]
        found += [(each, row.is_chatter) for each, row in zip(likely, left, strict=True)]
    right, lowest = 0, 1.0
    for at, (likely, is_chatter) in enumerate(sorted(found, reverse=True), 1):
        right += is_chatter
        if right >= PRECISION * at:
            lowest = likely
    return math.ceil(lowest * 100) / 100


def _fold(row: Labelled) -> int:
    return chatter.crc32(row.text.encode()) // _HELD_OUT % _FOLDS


def train(own: Sequence[Labelled], others: Sequence[Labelled]) -> None:
    """Chooses the threshold, and writes it with the weights."""
    known = often(own)
    model = fit([*own, *others], known)
    found = {
        "scale": _SCALE,
        "bias": round(float(model.intercept_[0]), 3),
        "threshold": chosen(own, others),
        "words": " ".join(sorted(known)),
        "weights": np.rint(model.coef_[0] * _SCALE).astype(int).tolist(),
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


def shown() -> str:
    """The table of the answers of chat models and of the written sentences that were held out."""
    held = [replace(row, source=f"{row.source}, held out") for row in written() if is_held_out(row)]
    return table([*written(ANSWERS), *held])


def main() -> None:
    """Runs the command that the module describes."""
    parser = options(__doc__)
    parser.add_argument("--data", type=Path, help="the folder with judged/ and train/: train anew")
    data = parser.parse_args().data
    if data is not None:
        own = [row for row in written() if not is_held_out(row)]
        trained = [*filtered(), *judged(data)]
        train(own, trained)
        texts = {row.text for row in judged(data, UNSEEN)} - {row.text for row in trained}
        aside = sum(map(chatter.is_chatter, texts))
        print(
            f"threshold {chatter.weights().threshold}; {aside} of {len(texts)} judged sentences\n"
        )
    print(shown())


if __name__ == "__main__":
    main()
