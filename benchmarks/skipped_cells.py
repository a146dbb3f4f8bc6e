"""What an audit would save by reading fewer cells: ``python -m benchmarks.skipped_cells``.

Reads rows that were measured in full by both models of the cascade
(``training/runs/support_rows_second.jsonl``, by ``python -m training.support_rows`` and then
``training.second_rows``), leaves cells of the sentence x chunk matrix out by each rule, and prints
the seconds of a core that a rule saves and the AUC of the scores that are left. No model runs: the
seconds are tokens by the rate of each model, which ``--rates`` gives in tokens a second and core.

The rules are best cases: each is told what the whole matrix says. A rule that is not worth it here
is not worth it where it has to find that out.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from provenance_core import default_parameters
from provenance_core.audit.serialization import audit_from_plain
from provenance_core.detectors.two_stage import score_sources
from provenance_core.models.catalogue.profiles import (
    EMBEDDED_NLI,
    EMBEDDED_NLI_LARGE,
    embedded_folder,
)
from provenance_core.models.onnx_models.cross_encoder import read_manifest
from provenance_core.scoring.features import (
    applied_map,
    cells_read_again,
    measured_support,
    verbatim_sentences,
)
from provenance_core.scoring.selection import relevance_probabilities, select
from provenance_core.types import Bools, Evidence, Floats, SupportTerm

ROWS = Path("training/runs/support_rows_second.jsonl")
DEV = ("summac", "summedits", "tofueval")
TOLERANCE = 0.05
# Measured on one core of an AMD EPYC with AVX-512 beside other work: relevance, NLI, large NLI.
RATES = (3_430.0, 6_620.0, 1_750.0)
# No logit of a probability is beyond it (provenance_core.scoring.features).
_MOST_LOGIT = 9.21


@dataclass(frozen=True, slots=True)
class Measured:
    """A row with all of its cells: support (S, N) of each reading, tokens of each cell (S, N), of
    everything else that is read, the selected chunks, and which sentences need no reading."""

    evidence: Evidence
    tokens: Floats
    relevance_tokens: float
    sentence_tokens: float
    large_tokens: float
    support: Floats
    selected: tuple[int, ...]
    verbatim: tuple[bool, ...]


Rule = Callable[[Measured], Bools]


def everything(row: Measured) -> Bools:
    """Every cell, as an audit reads today."""
    return np.ones(row.support.shape, dtype=np.bool_)


def sources(row: Measured) -> Bools:
    """The cells of the selected chunks: under a maximum, a minimum or a weighted mean over the
    sources no other cell enters the score by itself."""
    read = np.zeros(row.support.shape, dtype=np.bool_)
    read[:, list(row.selected)] = True
    return read


def until_certain(row: Measured) -> Bools:
    """By falling relevance, until no further chunk can raise the support by the tolerance, which a
    maximum over the sources allows: by the map's greatest possible value of the cell."""
    read = np.zeros(row.support.shape, dtype=np.bool_)
    most = greatest_support(row.evidence)
    order = np.argsort(-np.array(row.evidence.relevance), kind="stable")
    for sentence in range(len(read)):
        best = 0.0
        for chunk in order:
            if row.verbatim[sentence] or most[sentence] - best <= TOLERANCE:
                break
            read[sentence, chunk] = True
            best = max(best, row.support[sentence, chunk])
    return read


def both(row: Measured) -> Bools:
    """The cells of the selected chunks, until certain."""
    return sources(row) & until_certain(row)


def words_apart(row: Measured) -> Bools:
    """But those of chunks whose words leave the support no room above the tolerance."""
    most = greatest_support(row.evidence)
    return np.repeat(most[:, None] > TOLERANCE, row.support.shape[1], axis=1)


RULES: dict[str, Rule] = {
    "every cell": everything,
    "cells of the sources": sources,
    "until certain": until_certain,
    "sources, until certain": both,
    "bound by words": words_apart,
}


def greatest_support(evidence: Evidence) -> Floats:
    """The most that any cell of each sentence can be worth, whatever a model says, (S,)."""
    found = []
    for sentence in range(len(evidence.sentences)):
        support = applied_map(evidence, sentence, 0)
        assert support is not None
        total = support.intercept
        for each in support.weights:
            if each.term in (SupportTerm.ENTAILMENT, SupportTerm.SENTENCE):
                total += each.weight * _MOST_LOGIT
            elif each.term is SupportTerm.COPIED:
                total += each.weight
        found.append(1 / (1 + np.exp(-total)))
    return np.array(found)


def measured_rows(path: Path) -> Iterator[tuple[str, int, Measured, Measured]]:
    """Data set, label, and the row as the profiles ``embedded`` and ``cascade`` measure it."""
    first = read_manifest(embedded_folder(EMBEDDED_NLI)).info.support
    large = read_manifest(embedded_folder(EMBEDDED_NLI_LARGE)).info.support
    assert first is not None and large is not None
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            raw = json.loads(line)
            if "audit" not in raw:
                continue
            evidence = audit_from_plain(raw["audit"]).evidence
            again = evidence.second
            assert again is not None
            nli = replace(evidence.nli_model, support=first)
            alone = replace(evidence, nli_model=nli, second=None, support=())
            twice = replace(alone, second=replace(again, support=large))
            yield raw["dataset"], raw["label"], measured(alone), measured(twice)


def measured(evidence: Evidence) -> Measured:
    """The row with what it costs. Sentences of the context that were read for a sentence are
    counted in full under every rule, and so is what is read again."""
    shape = (len(evidence.sentences), len(evidence.chunks))
    given = evidence.pair_tokens
    assert given is not None
    tokens = np.array(given.sentences, dtype=np.float64).reshape(shape)
    parameters = default_parameters()
    relevance = relevance_probabilities(
        np.array(evidence.relevance), evidence.relevance_model.calibration_slope
    )
    large = float(tokens[cells_read_again(evidence)].sum())
    if evidence.second is not None:
        mean = float(np.mean(given.evidence_sentences)) if given.evidence_sentences else 0.0
        large += mean * len(evidence.second.sentences)
    return Measured(
        evidence=evidence,
        tokens=tokens,
        relevance_tokens=float(np.sum(np.ravel(given.relevance))),
        sentence_tokens=float(np.sum(given.evidence_sentences)),
        large_tokens=large,
        support=np.array(measured_support(evidence)),
        selected=tuple(select(relevance, parameters)),
        verbatim=tuple(verbatim_sentences(evidence)),
    )


def score(row: Measured, read: Bools) -> float:
    """The score with the default parameters; a cell that is not read supports nothing."""
    support = np.where(read | np.array(row.verbatim)[:, None], row.support, 0.0)
    relevance = relevance_probabilities(
        np.array(row.evidence.relevance), row.evidence.relevance_model.calibration_slope
    )
    return score_sources(support, relevance, default_parameters()).score


@dataclass(slots=True)
class Figures:
    """Of one rule: seconds of a core, cells read, and score and label of each row by set."""

    seconds: float = 0.0
    cells: int = 0
    largest: float = 0.0
    scores: dict[str, list[tuple[float, int]]] = field(default_factory=lambda: defaultdict(list))

    def auc(self) -> float:
        """Mean over the sets with both labels, x 100."""
        found = []
        for rows in self.scores.values():
            scores, labels = zip(*rows, strict=True)
            if len(set(labels)) == 2:
                found.append(100 * roc_auc_score(labels, scores))
        return float(np.mean(found))


def table(rows: Sequence[tuple[str, int, Measured]], rates: Sequence[float]) -> list[str]:
    """A line a rule."""
    found = {name: Figures() for name in RULES}
    for dataset, label, row in rows:
        whole = score(row, everything(row))
        for name, rule in RULES.items():
            figures, read = found[name], rule(row)
            at = score(row, read)
            figures.cells += int(read.sum())
            figures.seconds += row.relevance_tokens / rates[0] + row.large_tokens / rates[2]
            figures.seconds += (float(row.tokens[read].sum()) + row.sentence_tokens) / rates[1]
            figures.largest = max(figures.largest, abs(at - whole))
            figures.scores[dataset].append((at, label))
    before = found["every cell"]
    return [
        f"{name:<24} cells {figures.cells:>6} ({figures.cells / before.cells:4.0%})  "
        f"factor {before.seconds / figures.seconds:4.2f}  AUC {figures.auc():5.1f}  "
        f"largest difference of a score {figures.largest:.3f}"
        for name, figures in found.items()
    ]


def main() -> None:
    """Print a table for each profile."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=Path, default=ROWS)
    parser.add_argument("--rates", type=float, nargs=3, default=RATES)
    parser.add_argument("--least-chunks", type=int, default=1, help="rows of so many and more")
    options = parser.parse_args()
    rows = [
        row
        for row in measured_rows(options.rows)
        if row[0].startswith(DEV) and len(row[2].evidence.chunks) >= options.least_chunks
    ]
    print(
        f"{len(rows)} rows of data/dev with {options.least_chunks} chunks or more; tokens a second "
        f"and core: {options.rates}"
    )
    tables = {
        "embedded": [(name, label, row) for name, label, row, _ in rows],
        "cascade": [(name, label, row) for name, label, _, row in rows],
    }
    for profile, found in tables.items():
        print("\n".join([profile, *table(found, options.rates)]))


if __name__ == "__main__":
    main()
