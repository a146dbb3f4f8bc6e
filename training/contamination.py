"""Checks whether a training pair is in an evaluation set; the build of a model fails if so."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from training.data_folder import add_data_option

_WORD = re.compile(r"[^\W_]+")
# Shorter texts, such as "yes" or "in 1999", recur by chance.
MIN_WORDS = 6


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
        answers, pairs, passages, relevance = set(), set(), set(), set()
        for path in sorted(folder.glob("*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    row = json.loads(line)
                    answer = normal(row["answer"])
                    if _long(answer):
                        answers.add(answer)
                    for item in row["context"]:
                        passages.add(normal(item))
                        pairs.add((normal(item), answer))
                        if "paws" in path.name:
                            pairs.add((answer, normal(item)))
                            if _long(normal(item)):
                                answers.add(normal(item))
        for path in sorted((folder / "relevance").glob("*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    row = json.loads(line)
                    relevance.add((normal(row["query"]), normal(row["passage"])))
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
    for name, first, second in (
        ("nli_train.jsonl", "premise", "hypothesis"),
        ("nli_second_train.jsonl", "premise", "hypothesis"),
        ("nli_third_train.jsonl", "premise", "hypothesis"),
        ("nli_written_train.jsonl", "premise", "hypothesis"),
        ("nli_distil_train.jsonl", "premise", "hypothesis"),
        ("judged_mixture_train.jsonl", "premise", "hypothesis"),
        ("nli_dev.jsonl", "premise", "hypothesis"),
        ("nli_calibration.jsonl", "premise", "hypothesis"),
        ("nli_documents.jsonl", "premise", "hypothesis"),
        ("relevance_train.jsonl", "query", "passage"),
        ("relevance_second_train.jsonl", "query", "passage"),
        ("relevance_third_train.jsonl", "query", "passage"),
        ("relevance_dev.jsonl", "query", "passage"),
    ):
        path = runs / name
        if not path.exists():
            continue
        found = shared = total = 0
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                a, b = row[first], row[second]
                total += 1
                test = evaluated.holds_claim if first == "premise" else evaluated.holds_relevance
                found += test(a, b)
                shared += normal(a if first == "premise" else b) in evaluated.passages
        print(
            f"{name}: {total} pairs, {found} in an evaluation set, "
            f"{shared} share only a passage with one"
        )
        hits += found
    return hits


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    arguments = parser.parse_args()
    sys.exit(1 if check(arguments.runs, arguments.data) else 0)
