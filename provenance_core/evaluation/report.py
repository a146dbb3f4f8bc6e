"""RESULTS.md and results.json from the kept scores: the only way in which either is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from provenance_core.audit.serialization import from_plain, to_plain
from provenance_core.detectors import DETECTORS
from provenance_core.errors import InputError
from provenance_core.evaluation.scorers import reads_context
from provenance_core.evaluation.scoring import read_scored_set
from provenance_core.evaluation.summary import summarise
from provenance_core.evaluation.tables import Cell, Table, all_tables
from provenance_core.evaluation.types import EvaluationResult, Results, ScoredSet
from provenance_core.files.formats.registry import FORMATS
from provenance_core.statistics.bootstrap import DEFAULT_RESAMPLES

SCORES, RESULTS, TABLES = "scores", "results.json", "RESULTS.md"

NOTES = (
    "All figures x 100. n: rows scored, of those in the file. Base rate: share of supported rows. "
    "Low and high: 95 % interval of a bootstrap over source documents ({resamples:,} resamples, "
    "seed {seed}). Overlap (share of the answer's content words in the context), ROUGE-2 "
    "(precision against the context) and length (short = supported) are baselines on the same rows."
)


def training_overlap_of(dataset: str) -> str:
    """Why figures on a data set are not zero-shot for the embedded models; "" where they are."""
    whole = [name for name in FORMATS if dataset == name or dataset.startswith(f"{name}_")]
    return FORMATS[max(whole, key=len)].training_overlap if whole else ""


def compute_results(folder: Path, *, seed: int = 0) -> Results:
    """Compute every figure of the scores that are kept, without a model. Raises InputError where
    there is no file of scores, or a file holds none."""
    paths = sorted((folder / SCORES).glob("*.jsonl"))
    if not paths:
        raise InputError(f"{folder / SCORES}: holds no scores; evaluate a set with --report first")
    scored = [read_scored_set(path) for path in paths]
    return Results(
        commands=tuple(dict.fromkeys(one.command for one in scored)),
        made_with=tuple(dict.fromkeys(line for one in scored for line in one.made_with)),
        resamples=DEFAULT_RESAMPLES,
        seed=seed,
        sets=tuple(
            summarise(
                _marked(one, scored), training_overlap=training_overlap_of(one.dataset), seed=seed
            )
            for one in scored
        ),
        compared=tuple(
            replace(
                summarise(one, training_overlap=training_overlap_of(one.dataset), seed=seed),
                subsets=(),
            )
            for one in _on_common_rows(scored)
        ),
    )


def _on_common_rows(scored: Sequence[ScoredSet]) -> Iterator[ScoredSet]:
    """The scores of each set that several detectors scored, of the rows that all of them have.
    Self-check, which reads other answers in the place of the context, scores fewer rows than the
    others and takes none from them."""
    for dataset in dict.fromkeys(one.dataset for one in scored):
        found = [one for one in scored if one.dataset == dataset and one.method in DETECTORS]
        by_context = [one for one in found if reads_context(one.method) and one.rows]
        if len(by_context) < 2:
            continue
        rows = ({(row.key, row.id) for row in one.rows} for one in by_context)
        common = set.intersection(*rows)
        for one in sorted(found, key=lambda one: list(DETECTORS).index(one.method)):
            yield replace(one, rows=tuple(r for r in one.rows if (r.key, r.id) in common))


def _marked(one: ScoredSet, every: Sequence[ScoredSet]) -> ScoredSet:
    """``one`` with a warning where most sets of its method were scored with other models or
    parameters."""
    made = [other.made_with for other in every if other.method == one.method]
    usual = max(made, key=made.count)
    if one.made_with == usual:
        return one
    different = "; ".join(line for line in one.made_with if line not in usual)
    warning = f"scored with other models or parameters than most sets here: {different}"
    return replace(one, warnings=(*one.warnings, warning))


def write_results(results: Results, folder: Path) -> None:
    """Write ``results.json`` (for the Benchmarks page) and ``RESULTS.md`` (for people). Raises
    OSError where a file cannot be written."""
    plain = json.dumps(to_plain(results), ensure_ascii=False, separators=(",", ":"))
    (folder / RESULTS).write_text(plain + "\n", encoding="utf-8")
    (folder / TABLES).write_text(markdown(results), encoding="utf-8")


def read_results(folder: Path) -> Results:
    """Read what :func:`write_results` wrote. Raises InputError where ``results.json`` is missing or
    cannot be read."""
    path = folder / RESULTS
    try:
        return from_plain(Results, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot be read ({error}); write it with `python -m provenance_core evaluate "
            "... --report DIR`"
        ) from error


DIFFERENCES = """\
- The models: 22M parameters each, and 109M where a pair is read again, trained on this project's
  public pairs, against about 300M. The NLI model of the paper had seen FEVER, VitaminC and PAWS;
  ours have seen related rows too. The results name the sets that are related to the training data.
- The sources: the paper splits the context into sentences; ours are chunks of up to 128 tokens,
  because single sentences lost 10 to 20 points on held-out documents (training/EXPERIMENTS.md).
- The claims: the paper puts every whole answer into its claim prompt; ours does so for an answer
  of one sentence to a query, and scores the sentences of any other answer one by one.
- The score: entailment is calibrated together with word coverage, fitted on training-side data.
- Table 5: the paper's minimum and weighted average fall far below its maximum on HotpotQA, since
  a distractor entails nothing; on sets with one short context the cells can only agree.
- Table 7: the paper ranks sentences with UAE-Large-V1 and judges with DeBERTa-v2-xxlarge-MNLI;
  here all-MiniLM-L6-v2 ranks and the embedded NLI model judges. Its vectors have nearly equal
  lengths, so that dot product and cosine differ by a scale, which decides how many sentences TopP
  selects.
- halueval_general and TruthfulQA have no context: nothing can be checked against it, and no score
  is invented. The paper does not say what stood for the sources there (AUC 54 and 59).
- halueval_qa_gen500 is HaluEval's generation stage, not the 10,000 filtered answers of the paper;
  ragtruth_partial is a biased half of RAGTruth's test split, to compare methods on, never to
  compare with others' figures."""


def notes(results: Results) -> str:
    """Write what a reader of any of the tables must know."""
    return NOTES.format(resamples=results.resamples, seed=results.seed)


def markdown(results: Results) -> str:
    """Write the whole of RESULTS.md."""
    blocks = [
        "# Accuracy",
        "Written by",
        "\n".join(f"- `{command}`" for command in results.commands),
        "with",
        "\n".join(f"- {line}" for line in results.made_with),
        notes(results),
        *(part for table in all_tables(results) for part in _section(table)),
        "## Where our figures differ from the paper's, and why",
        DIFFERENCES,
        _remarks(results.sets),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _section(table: Table) -> tuple[str, str, str]:
    if not table.rows:
        return f"## {table.title}", "", "Not measured: no data at hand."
    lines = [table.head, ("---",) * len(table.head), *(map(_text, row) for row in table.rows)]
    body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"## {table.title}", table.caption, body


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.1f}" if isinstance(cell, float) else str(cell).replace("|", "\\|")


def _remarks(sets: Sequence[EvaluationResult]) -> str:
    found = [f"- {r.dataset}: {text}." for r in sets for text in (*r.warnings, r.note) if text]
    return "\n".join(dict.fromkeys(found))
