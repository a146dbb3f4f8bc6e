"""How often does a detail in conflict mean what it says? ``python -m training.detail_counts``

Counts, without a model, the answers of ``data/dev`` and the held-out training-side pairs
(``training/runs/nli_dev.jsonl``) that have a detail in conflict with their context, a
denial or an opposite word, by their label. A rule that fires on supported rows is wrong there.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from provenance_core.findings.details import conflicts, in_same_words
from provenance_core.findings.mismatches import find_mismatches
from provenance_core.text.splitting import sentence_bounds
from training.data_folder import add_data_option
from training.minimal_pairs import SUPPORTING

RULES = ("conflict", "conflict in the same words", "denial", "opposite")


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text, what it is judged against, and whether that supports it. ``of``: its rows' name."""

    of: str
    text: str
    context: tuple[str, ...]
    is_supported: bool


def dev_answers(data: Path) -> Iterator[LabelledText]:
    """The answers of every dev set."""
    for path in sorted((data / "dev").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield LabelledText("dev", row["answer"], tuple(row["context"]), bool(row["label"]))


def held_out_pairs(runs: Path) -> Iterator[LabelledText]:
    """The pairs that no training saw."""
    with (runs / "nli_dev.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            supported = row["label"] in SUPPORTING
            yield LabelledText("held-out", row["hypothesis"], (row["premise"],), supported)


def fired(given: LabelledText) -> set[str]:
    """The rules that find something wrong in a text."""
    found: set[str] = set()
    for start, end in sentence_bounds(given.text):
        sentence = given.text[start:end]
        if conflicts(sentence, given.context):
            found.add("conflict")
        if in_same_words(sentence, conflicts(sentence, given.context), given.context):
            found.add("conflict in the same words")
        found |= {str(each.kind) for each in find_mismatches(sentence, given.context)}
    return found


def main() -> None:
    """Print the counts of each rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    arguments = parser.parse_args()
    rows: Counter[tuple[str, bool]] = Counter()
    hits: Counter[tuple[str, str, bool]] = Counter()
    for given in (*dev_answers(arguments.data), *held_out_pairs(arguments.runs)):
        rows[given.of, given.is_supported] += 1
        hits.update((given.of, rule, given.is_supported) for rule in fired(given))
    for of in dict.fromkeys(name for name, _ in rows):
        for rule in RULES:
            counts = [f"{hits[of, rule, label]} of {rows[of, label]}" for label in (False, True)]
            print(f"{of}: {rule} in {counts[0]} unsupported and {counts[1]} supported")


if __name__ == "__main__":
    main()
