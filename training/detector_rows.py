"""Held-out training-side rows for choosing between detectors: ``python -m training.detector_rows``.

Writes three files of our own rows, none of which the models were trained on: answers of two to
four sentences made of passages (:mod:`training.made_answers`), long documents with one claim each,
and answers to questions with the passages that were found for them. The command ``evaluate`` scores
them as our own rows.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from training.calibrate import read
from training.data_folder import add_data_option
from training.made_answers import made_answers
from training.minimal_pairs import SUPPORTING
from training.nli_data import SEED, rows
from training.span_head import PASSAGES

QUESTIONS = ("attributionbench.dev", "attributionbench.test")
DOCUMENTS = "factcg_cg2c_doc.train"


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """``label``: 1 for an answer that the context supports."""

    query: str
    context: tuple[str, ...]
    answer: str
    label: int

    def line(self) -> str:
        """As our own rows are read by ``evaluate``."""
        return json.dumps(
            {
                "query": self.query,
                "context": self.context,
                "answer": self.answer,
                "label": self.label,
            }
        )


def supported(row: dict) -> int:
    """The label of a training-side row."""
    return int(row["label"] in SUPPORTING)


def made_rows(data: Path, most: int) -> list[ChoiceRow]:
    """Answers made of passages; supported where no character of them was changed."""
    rng = random.Random(SEED + 9)
    made = islice(made_answers(data, rng, -(-most // len(PASSAGES))), most)
    return [ChoiceRow("", (each.context,), each.answer, int(not each.spans)) for each in made]


def question_rows(data: Path, held: Iterable[dict]) -> list[ChoiceRow]:
    """Held-out rows whose answer has its question in the public file."""
    asked = {
        row["hypothesis"].strip(): row["question"].strip()
        for name in QUESTIONS
        for row in rows(data / "train/nli" / f"{name}.jsonl.gz")
        if row["question"].strip()
    }
    return [
        ChoiceRow(asked[answer], (row["premise"],), answer, supported(row))
        for row in held
        if row["kind"].split(" ")[0] in QUESTIONS and (answer := row["hypothesis"].strip()) in asked
    ]


def document_rows(held: Iterable[dict]) -> list[ChoiceRow]:
    """Held-out long documents, each with one claim."""
    return [
        ChoiceRow("", (row["premise"],), row["hypothesis"], supported(row))
        for row in held
        if row["kind"].split(" ")[0] == DOCUMENTS
    ]


def write(folder: Path, name: str, found: Sequence[ChoiceRow]) -> None:
    """One file of rows."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(row.line() + "\n" for row in found), encoding="utf-8")
    print(f"{path}: {len(found)} rows, {sum(row.label for row in found)} supported")


def main() -> None:
    """Runs the command that the module describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument("--made", type=int, default=100, help="made answers (%(default)s)")
    parser.add_argument("--most", type=int, default=100, help="rows of a file (%(default)s)")
    arguments = parser.parse_args()
    folder = arguments.runs / "detector_rows"
    folder.mkdir(parents=True, exist_ok=True)
    held = read(arguments.runs / "nli_documents.jsonl")
    held += read(arguments.runs / "nli_calibration.jsonl")
    rng = random.Random(SEED)
    for name, found in (
        ("made", made_rows(arguments.data, arguments.made)),
        ("questions", question_rows(arguments.data, held)),
        ("documents", document_rows(held)),
    ):
        rng.shuffle(found)
        write(folder, name, found[: arguments.most])


if __name__ == "__main__":
    main()
