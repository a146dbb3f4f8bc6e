"""The rows that the support map is fitted on, measured once: ``python -m training.support_rows``.

Human-labelled summaries of ``data/dev``, and held-out training-side rows: made answers, answers
to questions, claims of long documents, single claims, and answers made of written claims. Every
row is measured by the embedded profile and kept as JSON in ``training/runs/support_rows.jsonl``; a
second call goes on.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from provenance_core import InputError, Provenance, default_parameters
from provenance_core.audit.serialization import audit_to_plain
from provenance_core.files.text_groups import text_group
from training.calibrate import read
from training.data_folder import add_data_option
from training.detector_rows import document_rows, made_rows, question_rows, supported
from training.nli_data import SEED
from training.written_pairs import LATER_FILES, Block, held, read_blocks

DEV = {
    "summac_cogensumm_val": 240,
    "summac_factcc_val": 182,
    "summac_polytope_val": 114,
    "summedits_half": 200,
    "tofueval_partial_sentences": 264,
}
# Every row that there is; of SummEdits a fifth, because its documents are long.
WHOLE_DEV = {**dict.fromkeys(DEV, 1400), "summedits_half": 400}
CLAIMS = {
    "lingnli.dev": 30,
    "mnli_olora.dev": 30,
    "healthver.test": 30,
    "rte.train": 50,
    "control.dev": 30,
    "fever_covidfact.dev": 30,
}
MADE, QUESTIONS, DOCUMENTS = 70, 180, 70
# Rows made of held-out written blocks, and claims of an answer of several sentences.
WRITTEN, WRITTEN_SENTENCES = 240, 3
# Of the later files each claim is an answer of its own, and these have answers of two or three.
SEVERAL = frozenset({"digest", "gazette", "lead", "minutes", "recap", "retrieved", "wire"})


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """``dataset``: the set that it is of. ``label``: 1 for an answer that the context supports."""

    dataset: str
    query: str
    context: tuple[str, ...]
    answer: str
    label: int


def dev_rows(
    data: Path, rng: random.Random, wanted: Mapping[str, int] = DEV
) -> Iterator[LabelledAnswer]:
    """Rows of every dev set, as many of either label as there are, up to half of the wanted."""
    for name, most in wanted.items():
        with gzip.open(data / "dev" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        rng.shuffle(rows)
        for label in (0, 1):
            of_label = [row for row in rows if row["label"] == label][: most // 2]
            for row in of_label:
                yield LabelledAnswer(
                    name, row["query"], tuple(row["context"]), row["answer"], label
                )


def training_side_rows(data: Path, runs: Path, rng: random.Random) -> Iterator[LabelledAnswer]:
    """Held-out rows of training sets, which no model saw."""
    calibration = read(runs / "nli_calibration.jsonl")
    held = read(runs / "nli_documents.jsonl") + calibration
    rng.shuffle(held)
    for name, found, most in (
        ("made", made_rows(data, MADE), MADE),
        ("questions", question_rows(data, held), QUESTIONS),
        ("documents", document_rows(held), DOCUMENTS),
    ):
        rng.shuffle(found)
        for given in found[:most]:
            yield LabelledAnswer(name, given.query, given.context, given.answer, given.label)
    for name, most in CLAIMS.items():
        of_set = [row for row in calibration if row["kind"] == name]
        rng.shuffle(of_set)
        for row in of_set[:most]:
            yield LabelledAnswer(name, "", (row["premise"],), row["hypothesis"], supported(row))


def claims_by_label(block: Block) -> dict[bool, list[str]]:
    """The claims that the context supports, and the others."""
    return {
        wanted: [text for text, label in block.claims if (label == "entailment") == wanted]
        for wanted in (True, False)
    }


def written_rows(blocks: Sequence[Block], rng: random.Random) -> Iterator[LabelledAnswer]:
    """Answers made of the claims of held-out written blocks, one sentence or several, half of them
    supported; the context of another block lies beside their own."""
    used = [block for block in blocks if held(block) and block.kind not in LATER_FILES]
    for at, block in enumerate(used * (1 + WRITTEN // max(1, len(used)))):
        if at == WRITTEN:
            return
        claims = claims_by_label(block)
        size, label = rng.choice((1, 1, WRITTEN_SENTENCES)), at % 2
        right = rng.sample(claims[True], min(len(claims[True]), size))
        if not label:
            right = [*right[: size - 1], rng.choice(claims[False])]
            rng.shuffle(right)
        beside = rng.choice([other for other in used if other is not block])
        context = [block.context, beside.context]
        rng.shuffle(context)
        yield LabelledAnswer("written", block.query, tuple(context), " ".join(right), label)


def later_rows(blocks: Sequence[Block], rng: random.Random) -> Iterator[LabelledAnswer]:
    """Answers made of the held-out blocks of the later files, each to its own context: every claim
    alone, a chat's without its query too, and two answers a block of two or three claims."""
    used = [block for block in blocks if held(block) and block.kind in LATER_FILES]
    for block in used:
        context = (block.context,)
        for claim, label in block.claims:
            right = int(label == "entailment")
            yield LabelledAnswer(f"written_{block.kind}", block.query, context, claim, right)
            if block.kind == "chat":
                yield LabelledAnswer("written_alone", "", context, claim, right)
    for block in used:
        if block.kind in SEVERAL:
            claims = claims_by_label(block)
            for right in (0, 1):
                said = rng.sample(claims[True], rng.choice((2, 3)))
                if not right:
                    said[0] = rng.choice(claims[False])
                    rng.shuffle(said)
                answer = " ".join(said)
                yield LabelledAnswer(
                    "written_several", block.query, (block.context,), answer, right
                )


def main() -> None:
    """Measure the rows that are not measured yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    parser.add_argument(
        "--whole",
        action="store_true",
        help="behind them the other rows of dev, and answers of the later written files: the "
        "shipped maps were fitted without, and intervals are narrower with them",
    )
    arguments = parser.parse_args()
    rng = random.Random(SEED + 20)
    rows = list(dev_rows(arguments.data, rng))
    rows += training_side_rows(arguments.data, arguments.runs, rng)
    rng.shuffle(rows)
    blocks = read_blocks()
    rows += written_rows(blocks, random.Random(SEED + 21))
    if arguments.whole:
        whole = dev_rows(arguments.data, random.Random(SEED + 20), WHOLE_DEV)
        known = set(rows)
        # In the same order each time: a second call goes on behind what is measured.
        rows += [row for row in dict.fromkeys(whole) if row not in known]
        rows += later_rows(blocks, random.Random(SEED + 22))
    path = arguments.runs / "support_rows.jsonl"
    done = 0
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            done = sum(1 for _ in lines)
    provenance = Provenance.load("embedded")
    parameters = default_parameters("embedded")
    with path.open("a", encoding="utf-8") as out:
        for at, row in enumerate(rows[done:], start=done):
            kept: dict[str, object] = {
                "dataset": row.dataset,
                "label": row.label,
                "group": text_group(*row.context),
            }
            try:
                audit = provenance.audit(
                    query=row.query, answer=row.answer, context=row.context, parameters=parameters
                )
                kept["audit"] = audit_to_plain(audit)
            except InputError as error:
                kept["refused"] = str(error)
            out.write(json.dumps(kept) + "\n")
            out.flush()
            if at % 100 == 0:
                print(f"{at} of {len(rows)}", flush=True)


if __name__ == "__main__":
    main()
