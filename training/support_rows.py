"""The rows that the support map is fitted on, measured once: ``python -m training.support_rows``.

Human-labelled summaries of ``data/dev``, and held-out training-side rows: made answers, answers
to questions, claims of long documents, single claims, and answers made of written claims. Every
row is measured by the embedded profile and kept as JSON in ``training/runs/support_rows.jsonl``.
With ``--second``, what is there is read again into ``support_rows_second.jsonl``, with what the
large model says of the pairs that the cascade asks it. A second call of either goes on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from provenance_core import InputError, Provenance, default_parameters
from provenance_core.audit.serialization import audit_from_plain, audit_to_plain
from provenance_core.detectors._second_reading import read_again
from provenance_core.files.text_groups import text_group
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder, read_manifest
from provenance_core.scoring.features import measured_support
from provenance_core.types import NO_SUPPORT, SupportMap
from training.command import MODELS, SEED, Row, append, kept, options, read, rows_of
from training.made_answers import made_answers
from training.minimal_pairs import SUPPORTING
from training.span_head import PASSAGES
from training.written_pairs import LATER_FILES, Block, held, read_blocks

DEV = {
    "summac_cogensumm_val": 240,
    "summac_factcc_val": 182,
    "summac_polytope_val": 114,
    "summedits_half": 200,
    "tofueval_partial_sentences": 264,
}
CLAIMS = {
    "lingnli.dev": 30,
    "mnli_olora.dev": 30,
    "healthver.test": 30,
    "rte.train": 50,
    "control.dev": 30,
    "fever_covidfact.dev": 30,
}
QUESTION_SETS = ("attributionbench.dev", "attributionbench.test")
DOCUMENT_SET = "factcg_cg2c_doc.train"
MADE, QUESTIONS, DOCUMENTS = 70, 180, 70
# Rows made of held-out written blocks, and claims of an answer of several sentences.
WRITTEN, WRITTEN_SENTENCES = 240, 3


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """``dataset``: the set that it is of. ``label``: 1 for an answer that the context supports."""

    dataset: str
    query: str
    context: tuple[str, ...]
    answer: str
    label: int


def dev_rows(data: Path, rng: random.Random) -> Iterator[LabelledAnswer]:
    """Rows of every dev set, as many of either label as there are, up to half of the wanted."""
    for name, most in DEV.items():
        rows = read(data / "dev" / f"{name}.jsonl.gz")
        rng.shuffle(rows)
        for label in (0, 1):
            for row in [row for row in rows if row["label"] == label][: most // 2]:
                context = tuple(row["context"])
                yield LabelledAnswer(name, row["query"], context, row["answer"], label)


def of_claim(name: str, row: Row, query: str = "") -> LabelledAnswer:
    """The answer that a held-out training-side row makes."""
    label = int(row["label"] in SUPPORTING)
    return LabelledAnswer(name, query, (row["premise"],), row["hypothesis"].strip(), label)


def made_rows(data: Path) -> list[LabelledAnswer]:
    """Answers made of passages; supported where no character of them was changed."""
    made = made_answers(data, random.Random(SEED + 9), -(-MADE // len(PASSAGES)))
    return [
        LabelledAnswer("made", "", (each.context,), each.answer, int(not each.spans))
        for each in islice(made, MADE)
    ]


def question_rows(data: Path, rows: Sequence[Row]) -> list[LabelledAnswer]:
    """Held-out rows whose answer has its question in the public file."""
    asked = {
        row["hypothesis"].strip(): row["question"].strip()
        for name in QUESTION_SETS
        for row in rows_of(data / "train/nli" / f"{name}.jsonl.gz")
        if row["question"].strip()
    }
    return [
        of_claim("questions", row, asked[answer])
        for row in rows
        if row["kind"].split(" ")[0] in QUESTION_SETS
        and (answer := row["hypothesis"].strip()) in asked
    ]


def training_side_rows(data: Path, runs: Path, rng: random.Random) -> Iterator[LabelledAnswer]:
    """Held-out rows of training sets, which no model saw."""
    calibration = read(runs / "nli_calibration.jsonl")
    rows = read(runs / "nli_documents.jsonl") + calibration
    rng.shuffle(rows)
    documents = [row for row in rows if row["kind"].split(" ")[0] == DOCUMENT_SET]
    for found, most in (
        (made_rows(data), MADE),
        (question_rows(data, rows), QUESTIONS),
        ([of_claim("documents", row) for row in documents], DOCUMENTS),
    ):
        rng.shuffle(found)
        yield from found[:most]
    for name, most in CLAIMS.items():
        of_set = [row for row in calibration if row["kind"] == name]
        rng.shuffle(of_set)
        yield from (of_claim(name, row) for row in of_set[:most])


def written_rows(blocks: Sequence[Block], rng: random.Random) -> Iterator[LabelledAnswer]:
    """Answers made of the claims of held-out written blocks, one sentence or several, half of them
    supported; the context of another block lies beside their own."""
    used = [block for block in blocks if held(block) and block.kind not in LATER_FILES]
    for at, block in enumerate(used * (1 + WRITTEN // max(1, len(used)))):
        if at == WRITTEN:
            return
        supported, others = (
            [text for text, label in block.claims if (label == "entailment") == wanted]
            for wanted in (True, False)
        )
        size, label = rng.choice((1, 1, WRITTEN_SENTENCES)), at % 2
        chosen = rng.sample(supported, min(len(supported), size))
        if not label:
            chosen = [*chosen[: size - 1], rng.choice(others)]
            rng.shuffle(chosen)
        beside = rng.choice([other for other in used if other is not block])
        context = [block.context, beside.context]
        rng.shuffle(context)
        yield LabelledAnswer("written", block.query, tuple(context), " ".join(chosen), label)


def all_rows(data: Path, runs: Path) -> list[LabelledAnswer]:
    """The rows, the same ones in the same order each time."""
    rng = random.Random(SEED + 20)
    rows = [*dev_rows(data, rng), *training_side_rows(data, runs, rng)]
    rng.shuffle(rows)
    return [*rows, *written_rows(read_blocks(), random.Random(SEED + 21))]


def measured(rows: Sequence[LabelledAnswer]) -> Iterator[Row]:
    """What is kept of each row: its audit by the embedded profile."""
    provenance = Provenance.load("embedded")
    parameters = default_parameters("embedded")
    for row in rows:
        found = {"dataset": row.dataset, "label": row.label, "group": text_group(*row.context)}
        try:
            audit = provenance.audit(
                query=row.query, answer=row.answer, context=row.context, parameters=parameters
            )
            yield found | {"audit": audit_to_plain(audit)}
        except InputError as error:
            yield found | {"refused": str(error)}


def read_twice(rows: Sequence[Row], model: CrossEncoder) -> Iterator[Row]:
    """The rows with what the large model says of the pairs that the cascade asks it."""
    first = read_manifest(MODELS / "nli").info.support
    for row in rows:
        if "audit" in row:
            audit = audit_from_plain(row["audit"])
            nli = replace(audit.evidence.nli_model, support=first)
            evidence = replace(audit.evidence, nli_model=nli)
            evidence = replace(evidence, support=measured_support(evidence))
            second = read_again(evidence, model, SupportMap(0.0, ()), lambda done: None)
            evidence = replace(evidence, second=second, support=NO_SUPPORT)
            row["audit"] = audit_to_plain(replace(audit, evidence=evidence))
        yield row


def main() -> None:
    """Read the rows that are not read yet."""
    parser = options(__doc__, "data", "runs")
    parser.add_argument("--second", action="store_true", help="read again by the large model")
    parser.add_argument("--model", type=Path, default=MODELS / "nli_large", help="that reads again")
    arguments = parser.parse_args()
    first: Path = arguments.runs / "support_rows.jsonl"
    second: Path = arguments.runs / "support_rows_second.jsonl"
    if arguments.second:
        left = read(first)[len(kept(second)) :]
        append(second, read_twice(left, CrossEncoder.load(arguments.model)))
    else:
        append(first, measured(all_rows(arguments.data, arguments.runs)[len(kept(first)) :]))


if __name__ == "__main__":
    main()
