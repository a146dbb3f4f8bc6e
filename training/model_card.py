"""Writes the MODEL_CARD.md of both models: ``python -m training.model_card``.

Counts come from the built files, the recipe from the logs, origins and licences from the data's
README. The results are what ``training.calibrate`` printed last (``training/logs``).
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from training import nli_data, nli_third
from training.data_folder import add_data_option
from training.export import REVISIONS
from training.nli import SECOND_SHARE
from training.relevance import TEACHER_MIDDLE, TEACHER_SHARE, TEACHER_SLOPE

LOGS = Path("training/logs")
MODELS = Path("provenance_core/models")
STAGES = {
    "nli": ("nli", "nli_second", "nli_third", "nli_distil"),
    "relevance": ("relevance", "relevance_second", "relevance_third", "relevance_fourth"),
}
# The fourth stage of the relevance model reads the files of the two before it.
WITHOUT_FILE = ("relevance_fourth",)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a set was found, and the licence found there."""

    place: str
    licence: str


def origins(data: Path) -> dict[str, Origin]:
    """Every training set of the data's README."""
    found = {}
    for line in (data / "README.md").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"\| train/(?:nli|relevance)/(\S+) \|", line):
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            found[match[1]] = Origin(cells[3], cells[4])
    return found


def kinds(path: Path) -> Counter[str]:
    """Rows of each kind in a built file; documents count to their set."""
    with path.open(encoding="utf-8") as lines:
        return Counter(json.loads(line)["kind"].removesuffix(" (long)") for line in lines)


def stage_line(name: str) -> str:
    """Steps and tokens of a stage, from its log; tokens are counted anew after a resume."""
    lines = (LOGS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    pairs = zip(entries, [*entries[1:], {"tokens": 0}], strict=True)
    tokens = sum(one["tokens"] for one, after in pairs if after["tokens"] < one["tokens"])
    return f"`{name}`: {entries[-1]['step']} steps, {tokens / 1e6:.1f}M tokens"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def made(counts: Counter[str]) -> str:
    """The made pairs among ``counts``, by kind: public sets have a dot in their name."""
    kinds = sorted(kind for kind in counts if "." not in kind)
    return ", ".join(f"{kind} {counts[kind]}" for kind in kinds)


def sets_table(task: str, runs: Path, data: Path) -> str:
    """Rows of each public set in each stage, with origin and licence."""
    stages = [stage for stage in STAGES[task] if stage not in WITHOUT_FILE]
    counts = [kinds(runs / f"{stage}_train.jsonl") for stage in stages]
    found = origins(data)
    names = sorted({kind for count in counts for kind in count if "." in kind})
    return table(
        ("set", *stages, "from (public repository: path)", "licence found"),
        ((n, *(c[n] for c in counts), found[n].place, found[n].licence) for n in names),
    )


def nli_card(runs: Path, data: Path) -> str:
    """The NLI model's card."""
    counts = {stage: kinds(runs / f"{stage}_train.jsonl") for stage in STAGES["nli"]}
    found = origins(data)
    passages = sorted({*nli_data.PASSAGE_SETS, *nli_third.QUESTION_SETS})
    totals = "\n".join(
        f"- `{stage}`: {count.total():,} pairs, of them made from passages: {made(count)}."
        for stage, count in counts.items()
    )
    return NLI.format(
        revision=REVISIONS["nli"],
        totals=totals,
        sets=sets_table("nli", runs, data),
        passages=table(
            ("set", "from (public repository: path)", "licence found"),
            ((n, found[n].place, found[n].licence) for n in passages),
        ),
        stages="; ".join(map(stage_line, STAGES["nli"])),
        share=f"{100 * (1 - SECOND_SHARE):.0f} % second stage, {100 * SECOND_SHARE:.0f} % third",
        calibration=", ".join(f"{n} ({found[n].licence})" for n in ("healthver.test",)),
        results=(LOGS / "nli_results.txt").read_text(encoding="utf-8").strip(),
    )


def relevance_card(runs: Path, data: Path) -> str:
    """The relevance model's card."""
    return RELEVANCE.format(
        revision=REVISIONS["relevance"],
        slope=TEACHER_SLOPE,
        middle=TEACHER_MIDDLE,
        teacher=", ".join(f"{100 * share:.0f} % in the {s}" for s, share in TEACHER_SHARE.items()),
        sets=sets_table("relevance", runs, data),
        stages="; ".join(map(stage_line, STAGES["relevance"])),
        results=(LOGS / "relevance_results.txt").read_text(encoding="utf-8").strip(),
    )


NLI = """\
# NLI model: provenance-nli-minilm-22m, revision {revision}

(premise, hypothesis) -> probabilities of entailment, neutral, contradiction. A cross-encoder of
22.7M parameters, window 256 tokens, ONNX with weights in 8 bits and activations as floats. Licence
of the weights: Apache-2.0. Made from all-MiniLM-L6-v2 (Apache-2.0) by `training/` of this
repository on the sets below alone. Its last stage learns from what our own large model says (made
here too, `nli_large`): no other teacher, and no weights or text of another model's training.

Made for: whether a passage of a context supports a claim of an answer, in English. Not for: other
languages, facts that need two passages, arithmetic, or a verdict that no person looks at.

A second output gives a logit for every token of the claim, by a linear layer on the last hidden
states (`training/span_head.py`): how likely that token is what the passage does not support.

## Data

Four stages, each on from the one before (training/README.md says what is in each). The
last has pairs of the other stages, and pairs without a label (`answer`, `other_chunk` and
`other_premise`):

{totals}

Binary sets train P(entailment) against the sum of the other two. No pair or claim of an
evaluation set is among them: `python -m training.contamination` exits 1 on a hit, and training
stops on one.

Several of these files are other people's dev or test splits (their names say so): these weights
must not be evaluated on VitaminC, FEVER, MNLI, PAWS-Wiki, RTE or Fool Me Twice as if unseen.
Licences are as found at the source; where it says that there is no licence file, that is what is
known. Rows used of each set:

{sets}

Passages, questions and answers for the made pairs:

{passages}

For the calibration, rows of sets above that training did not use, and {calibration}.

## Recipe

AdamW, weight decay 0.01 on matrices, gradient norm 1, 60 steps of warm-up and a linear decay over
the last 40 % of the steps, batches of about 2,048 padded tokens, float32 on two CPU cores, seed
20261121, no dropout; the rate of each stage is in `training/nli.py`. {stages}. Revisions 3 and
4 are an average: {share}. The last stage begins with it, learns the large
model's logits and the labels, half and half (`training/distil.py`, bfloat16), and revision 5 is the
mean of the weights before and after it (`training/distil_figures.py`). The curves are in
`training/logs`. The weights have 8 bits and a scale for each output (`training/eight_bits.py`).

## Results on held-out rows

Printed by `python -m training.span_head`, `python -m training.calibrate nli` and
`python -m training.claim_aggregation`. `both` is what the app uses: entailment and the share of the
claim's content words that the chunk and the context hold, weighed by a logistic map that was
fitted on one half of the calibration rows; the table is of the other half. Rows called (long) are
documents of 150 to 700 words, cut into chunks as the app does; of every row the best chunk counts.
Calibrated on rows whose claims are written from or for their passage, as answers are; MNLI and its
like are left out of the calibration, and so is every claim that a training row has.

```
{results}
```

On public evaluation sets: `benchmarks/RESULTS.md`.

## Limits

- Dev rows of the synthetic kinds are made as the training rows are, so their figures say how well
  the making was learnt. A name is at times exchanged for one of another type, which is easier to
  see than a real mistake; so it is for the span head.
- Of the shortened sentences of the third stage, one or two in a hundred lost a clause that
  restricts them, and are labelled entailment all the same.
- Dev rows were held out by premise. FactCG pairs one claim with two documents that differ in a
  name: the other one of such a pair may have been trained on, with the opposite label.
- A window of 256 tokens; a pronoun whose antecedent lies outside the premise is not resolved.
- Scores of a pair move a little from one engine and processor to another: the engines round
  activations in groups of their own (`python -m benchmarks.engines` prints by how much).
"""

RELEVANCE = """\
# Relevance model: provenance-relevance-minilm-22m, revision {revision}

(query, passage) -> one logit, larger for a passage that answers the query. Two encoders on one
matrix of words (33M parameters, window 256 tokens, int8 ONNX): all-MiniLM-L6-v2 (Apache-2.0) as it
is, which gives each text a vector, and a cross-encoder that reads both texts and was trained to
correct it. The logit is the cross-encoder's plus {slope:g} x (cosine - {middle:g}). Licence of the
weights: Apache-2.0. The cross-encoder was made from the same base by `training/` of this repository
on the sets below alone.

Made for: ordering and weighing the chunks of one context, in English. The logit is comparable
between chunks of one query, not between queries.

## Data

Four stages; the first three build files (`training/relevance_data.py`,
`training/relevance_second.py`, `training/relevance_third.py`): for each query up to three relevant
passages and others, the same article's first, cut to 80 words around the answer, in the third stage
to 165. The fourth reads the files of the second and third. No pair of an
evaluation set is among them (`python -m training.contamination`). Files called dev or test are
other people's splits: these weights must not be evaluated on them as if unseen. Licences are as
found at the source. Rows used of each set:

{sets}

## Recipe

Binary cross-entropy, in the later stages against targets that lie part of the way to what the base
encoder's cosine says ({teacher}); in the fourth, of the sum with the base encoder's part, the words
frozen as the base has them; AdamW, warm-up 60 steps, linear decay over the last 40 % of the
steps, float32, seed 20261121, no dropout; rates and batches in `training/relevance.py`. {stages}.
The curves are in `training/logs`. int8 by dynamic quantisation a
channel with reduced range, so that CPUs without VNNI give the right result.

## Results

Printed by `python -m training.calibrate relevance --queries 250 --file FILE`. MAP: mean average
precision by query.

```
{results}
```

## Limits

- Where the base encoder's cosine orders the passages of a set better, the table above shows it.
- Negatives are mostly passages of the same article or random ones; near-duplicates that differ in
  one fact are for the NLI model to tell apart.
"""


def main() -> None:
    """Runs the command that the module describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--runs", type=Path, default=Path("training/runs"))
    arguments = parser.parse_args()
    for task, write in (("nli", nli_card), ("relevance", relevance_card)):
        card = write(arguments.runs, arguments.data)
        (MODELS / task / "MODEL_CARD.md").write_text(card, encoding="utf-8")


if __name__ == "__main__":
    main()
