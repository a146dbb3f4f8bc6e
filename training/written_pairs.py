"""Pairs that were written for the purpose: contexts about invented things, each with ten claims.

``training/written/*.txt`` has a block for each context, blocks apart by an empty line::

    # the context, on one line
    ? a query (may be missing)
    e a claim that the context supports
    c a claim that it contradicts
    n a claim that it neither supports nor contradicts

The claims of a block differ in what they say and not in how they say it, so that a model has to
read the context. A tenth of the blocks is held out (:func:`held`): no model sees them in training.
``python -m training.written_pairs`` prints the counts, what a model without the context could tell,
and with ``--model FOLDER`` the AUC of a shipped model on the held-out blocks.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import roc_auc_score

from provenance_core.findings.copied import copied_shares
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder
from provenance_core.text.claims import claim_prompt
from provenance_core.text.yes_no import statement_of
from training.command import SEED, options
from training.nli_data import held_out

FOLDER = Path(__file__).parent / "written"
LABELS = {"e": "entailment", "c": "contradiction", "n": "neutral"}
HELD_IN = 10  # one block of so many is held out
# Of the later files more blocks are held out: with ten the smallest file would have five.
LATER_FILES = frozenset(
    ["chat", "digest", "gazette", "inferences", "lead", "minutes", "recap", "retrieved", "wire"]
)
LATER_HELD_IN = 4
# Shares of the claims: read in the claim prompt, where the block has a query; with a context of
# another block before or behind their own; read again with another block's context alone.
PROMPTED, BESIDE, ELSEWHERE = 0.4, 0.05, 0.03
# A claim of fewer words is no sentence, and is always read with its query.
SENTENCE_WORDS = 6


@dataclass(frozen=True, slots=True)
class Block:
    """A context and its claims with their labels ("entailment", "contradiction", "neutral").
    ``query`` is "" where there is none; ``kind``: the file's name without its ending."""

    kind: str
    context: str
    query: str
    claims: tuple[tuple[str, str], ...]


def read_blocks(folder: Path = FOLDER) -> list[Block]:
    """The blocks of every file. ValueError names the line that is no part of one."""
    found: list[Block] = []
    for path in sorted(folder.glob("*.txt")):
        number = 1
        for part in path.read_text(encoding="utf-8").split("\n\n"):
            lines = part.split("\n")
            first = number
            number += len(lines) + 1
            if part.strip():
                found.append(_block(path, first, lines))
    return found


def _block(path: Path, first: int, lines: Sequence[str]) -> Block:
    context = query = ""
    claims: list[tuple[str, str]] = []
    for number, line in enumerate(lines, first):
        mark, _, text = line.partition(" ")
        text = text.strip()
        if not line.strip():
            continue
        if mark in LABELS and text and context:
            claims.append((text, LABELS[mark]))
        elif mark == "#" and text and not context:
            context = text
        elif mark == "?" and text and not query:
            query = text
        else:
            raise ValueError(f"{path.name}, line {number}: no part of a block: {line[:60]!r}")
    if not claims:
        raise ValueError(f"{path.name}, line {first}: a block without claims")
    return Block(path.stem, context, query, tuple(claims))


def held(block: Block) -> bool:
    """Whether no model is trained on the block."""
    return held_out(block.context, LATER_HELD_IN if block.kind in LATER_FILES else HELD_IN)


def hypothesis(block: Block, claim: str, *, prompted: bool) -> str:
    """The claim as the app reads it: alone, or with its query where it is ``prompted`` or is no
    sentence."""
    if not block.query or not (prompted or len(claim.split()) < SENTENCE_WORDS):
        return claim
    return statement_of(block.query, claim) or claim_prompt(block.query, claim)


def training_pairs(blocks: Sequence[Block], rng: random.Random) -> Iterator[dict[str, str]]:
    """Rows of premise, hypothesis, label and kind, of the blocks that are not held out."""
    used = [block for block in blocks if not held(block)]
    for block in used:
        for claim, label in block.claims:
            premise = block.context
            if rng.random() < BESIDE:
                both = [premise, rng.choice(used).context]
                rng.shuffle(both)
                premise = " ".join(both)
            said = hypothesis(block, claim, prompted=rng.random() < PROMPTED)
            yield {"premise": premise, "hypothesis": said, "label": label, "kind": "written"}
            other = rng.choice(used)
            if other is not block and rng.random() < ELSEWHERE:
                yield {
                    "premise": other.context,
                    "hypothesis": said,
                    "label": "neutral",
                    "kind": "written",
                }


def held_pairs(blocks: Sequence[Block]) -> list[tuple[Block, str, str]]:
    """Block, hypothesis and label of every claim of a held-out block; those without a verb of
    their own are read with the query."""
    return [
        (block, hypothesis(block, claim, prompted=False), label)
        for block in blocks
        if held(block)
        for claim, label in block.claims
    ]


def area(name: str, labels: ArrayLike, scores: ArrayLike) -> str:
    """A line: the AUC of a score."""
    return f"{name:<40} n {np.size(labels):>5}  AUC {100 * roc_auc_score(labels, scores):.1f}"


def main() -> None:
    """Print the counts and the figures."""
    parser = options(__doc__)
    parser.add_argument("--model", type=Path, help="folder of a shipped model")
    arguments = parser.parse_args()
    blocks = read_blocks()
    counts = Counter((block.kind, label) for block in blocks for _, label in block.claims)
    for (kind, label), count in sorted(counts.items()):
        print(f"{kind:<16} {label:<14} {count:>6}")
    earlier = [block for block in blocks if block.kind not in LATER_FILES]
    rows, before = (
        sum(1 for _ in training_pairs(some, random.Random(SEED))) for some in (blocks, earlier)
    )
    pairs = held_pairs(blocks)
    labels = [int(label == "entailment") for _, _, label in pairs]
    print(f"{len(blocks)} blocks, {rows} training pairs, {len(pairs)} held-out claims")
    print(f"without the later files, which no shipped model has read: {before} training pairs")
    print(area("length (short = supported)", labels, [-len(said) for _, said, _ in pairs]))
    copied = [float(copied_shares(said, [b.context])[0]) for b, said, _ in pairs]
    print(area("words of the claim in the context", labels, copied))
    if arguments.model:
        model = CrossEncoder.load(arguments.model)
        texts = [(block.context, said) for block, said, _ in pairs]
        fits = [size <= model.info.max_length for size in model.pair_tokens(texts)]
        logits = model.predict([text for text, fit in zip(texts, fits, strict=True) if fit])
        scores = logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])
        kept = np.array(labels)[fits]
        kinds = np.array([block.kind for block, _, _ in pairs])[fits]
        print(area(f"{model.info.model_id}, revision {model.info.revision}", kept, scores))
        for kind in np.unique(kinds):
            print(area(f"    {kind}", kept[kinds == kind], scores[kinds == kind]))


if __name__ == "__main__":
    main()
