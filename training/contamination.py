"""Checks whether a training pair is in an evaluation set; the build of a model fails if so."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from training.command import options, rows_of

_WORD = re.compile(r"[^\W_]+")
# Shorter texts, such as "yes" or "in 1999", recur by chance.
MIN_WORDS = 6
BUILT = (
    *(f"nli{stage}_train" for stage in ("", "_second", "_third", "_written", "_distil")),
    *("judged_mixture_train", "twins_train", "nli_dev", "nli_calibration", "nli_documents"),
    *(f"relevance{stage}_train" for stage in ("", "_second", "_third")),
    "relevance_dev",
)


def normal(text: str) -> str:
    """Lower case, letters and digits only, single spaces."""
    return " ".join(_WORD.findall(text.lower()))


def _long(text: str) -> bool:
    return text.count(" ") + 1 >= MIN_WORDS


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Normalised texts of every evaluation set."""

    answers: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    passages: frozenset[str]
    relevance: frozenset[tuple[str, str]]

    @classmethod
    def read(cls, folder: Path) -> Evaluated:
        """Read ``folder/*.jsonl.gz`` and ``folder/relevance/*.jsonl.gz``."""
        answers, pairs, passages = set(), set(), set()
        for path in sorted(folder.glob("*.jsonl.gz")):
            for row in rows_of(path):
                answer = normal(row["answer"])
                if _long(answer):
                    answers.add(answer)
                for item in map(normal, row["context"]):
                    passages.add(item)
                    pairs.add((item, answer))
                    if "paws" in path.name:
                        pairs.add((answer, item))
                        if _long(item):
                            answers.add(item)
        relevance = {
            (normal(row["query"]), normal(row["passage"]))
            for path in sorted((folder / "relevance").glob("*.jsonl.gz"))
            for row in rows_of(path)
        }
        return cls(frozenset(answers), frozenset(pairs), frozenset(passages), frozenset(relevance))

    def holds_claim(self, premise: str, hypothesis: str) -> bool:
        """Whether the claim, or the pair, is one of an evaluation set."""
        claim = normal(hypothesis)
        return claim in self.answers or (normal(premise), claim) in self.pairs

    def holds_relevance(self, query: str, passage: str) -> bool:
        """Whether the (query, passage) pair is one of an evaluation set."""
        return (normal(query), normal(passage)) in self.relevance


def check(runs: Path, data: Path) -> int:
    """Print hits of the built files against ``data/eval``; return their number."""
    evaluated = Evaluated.read(data / "eval")
    hits = 0
    for path in (runs / f"{name}.jsonl" for name in BUILT):
        if not path.exists():
            continue
        found = shared = total = 0
        for row in rows_of(path):
            total += 1
            if path.name.startswith("relevance"):
                passage = row["passage"]
                found += evaluated.holds_relevance(row["query"], passage)
            else:
                passage = row["premise"]
                found += evaluated.holds_claim(passage, row["hypothesis"])
            shared += normal(passage) in evaluated.passages
        print(
            f"{path.name}: {total} pairs, {found} in an evaluation set, "
            f"{shared} share only a passage with one"
        )
        hits += found
    return hits


def stop_on_hits(runs: Path, data: Path) -> None:
    """Exit with a message when a training pair occurs in an evaluation set."""
    if check(runs, data):
        sys.exit("Training pairs occur in an evaluation set: not training.")


if __name__ == "__main__":
    arguments = options(__doc__, "data", "runs").parse_args()
    sys.exit(1 if check(arguments.runs, arguments.data) else 0)
