"""The methods that score labelled rows; each gives one or more columns of scores."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import provenance_core
from provenance_core.audit.assembly import assemble
from provenance_core.audit.pipeline import Provenance
from provenance_core.audit.serialization import to_plain
from provenance_core.detectors import (
    CONTEXT,
    DETECTORS,
    asked_model,
    default_parameters,
    get_detector,
)
from provenance_core.errors import InputError
from provenance_core.evaluation.baselines import length_score, rouge_l, rouge_n, word_overlap
from provenance_core.evaluation.types import (
    BASELINE_METHODS,
    DENSE_EXPERIMENTS,
    RUN_SIZES,
    Column,
    Method,
    RowScores,
)
from provenance_core.files.types import LabelledRow
from provenance_core.models.catalogue.profiles import default_profile
from provenance_core.models.pair_memory import PairMemory
from provenance_core.text.checked_texts import check_texts
from provenance_core.text.splitting import strip_bounds
from provenance_core.types import (
    UNSUPPORTED_LABELS,
    Aggregation,
    Audit,
    ClaimForm,
    ContextItem,
    ModelInfo,
    Parameters,
    SelectionStrategy,
    current_detector,
)

# The paper's Table 5: each selection strategy with each aggregation.
GRID = tuple(
    (selection, aggregation) for selection in SelectionStrategy for aggregation in Aggregation
)

# What a score depends on, by its place in the core.
SCORED_BY = (
    "audit",
    "detectors",
    "models",
    "scoring",
    "text",
    "types.py",
    "evaluation/baselines.py",
    "evaluation/scorers.py",
)

# Between a detector and the profile that it was measured with, in the name of a method.
OF_PROFILE = "@"

# The self-check is about several answers: one other cannot tell which of the two is wrong.
LEAST_OTHER_ANSWERS = 2


class Scorer(Protocol):
    """One method with its settings."""

    @property
    def method(self) -> str: ...

    @property
    def columns(self) -> tuple[Column, ...]:
        """One a score of :meth:`score`, the method's own first."""

    @property
    def fingerprint(self) -> str:
        """Changes with anything that a score depends on but the row."""

    def score(self, row: LabelledRow) -> RowScores:
        """Score a row: the larger, the more the answer is supported. A score for each of
        ``columns``, and the unsupported spans where the method finds them. Raises InputError where
        the method cannot score the row."""


def grid_column(selection: SelectionStrategy, aggregation: Aggregation) -> str:
    """Name the column of a cell of the paper's Table 5, with the size of the selection."""
    size = "0.9" if selection is SelectionStrategy.TOP_P else "5"
    return f"{selection} {size}, {aggregation}"


@dataclass(frozen=True, slots=True)
class DetectorScorer:
    """The factuality score of a whole audit under ``parameters``, in [0, 1], by the detector that
    they name; for the paper's, also under every cell of its Table 5, which the same evidence gives
    without another model call."""

    provenance: Provenance
    parameters: Parameters
    memory: PairMemory | None = None  # of pairs that another detector scored

    @property
    def method(self) -> str:
        """The detector; with its profile where that is not the default: ``two-stage@embedded``."""
        detector, profile = self.parameters.detector, self.provenance.profile
        return detector if profile == default_profile() else f"{detector}{OF_PROFILE}{profile}"

    @property
    def _grid(self) -> tuple[tuple[SelectionStrategy, Aggregation], ...]:
        detector = get_detector(self.parameters.detector)
        return GRID if detector.scores_sources(self.parameters) else ()

    @property
    def columns(self) -> tuple[Column, ...]:
        threshold = self.parameters.threshold
        own = Column(self.parameters.detector, threshold, True)
        return (own, *(Column(grid_column(*cell), threshold, True) for cell in self._grid))

    @property
    def fingerprint(self) -> str:
        parts = [
            to_plain(self.provenance.relevance.info),
            to_plain(self.provenance.nli_info),
            to_plain(self.parameters),
        ]
        if judge := asked_model(self.parameters):
            parts.append(to_plain(judge))
        return _digest(json.dumps(parts), code_digest())

    def score(self, row: LabelledRow) -> RowScores:
        """Audit a row, and score it under every cell of Table 5 where the detector has them.
        Factuality scores in [0, 1], one for each of ``columns``, and the unsupported spans. Raises
        InputError if the row cannot be audited, or has fewer than two other answers where the
        detector reads these."""
        texts = check_texts(query=row.query, answer=row.answer, context=self._context(row))
        evidence = self.provenance.measure(texts, self.parameters, memory=self.memory)
        audit = assemble(evidence, self.parameters)
        cells = [
            assemble(
                evidence,
                replace(
                    self.parameters,
                    selection=selection,
                    aggregation=aggregation,
                    top_p=0.9,
                    top_k=5,
                ),
            ).score
            for selection, aggregation in self._grid
        ]
        return RowScores((audit.score, *cells), unsupported_spans(audit))

    def _context(self, row: LabelledRow) -> tuple[str | ContextItem, ...]:
        if reads_context(self.parameters.detector):
            require_context(row)
            return row.context
        if len(row.other_answers) < LEAST_OTHER_ANSWERS:
            raise InputError(
                f"the file has fewer than {LEAST_OTHER_ANSWERS} other answers to its query and "
                "context, so there is nothing to check its consistency with"
            )
        return row.other_answers


@dataclass(frozen=True, slots=True)
class DenseScorer:
    """The default detector's score by dense retrieval, under each experiment of appendix A: the
    whole answer in the claim prompt, and the sentences that TopP 0.9 selects by similarity."""

    provenance: Provenance
    memory: PairMemory | None = None  # of pairs that another detector scored
    method: Method = field(default=Method.DENSE, init=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(map(Column, DENSE_EXPERIMENTS.values()))

    @property
    def parameters(self) -> Parameters:
        """Those of the first experiment; the others differ in ``relevance_method`` alone."""
        return replace(
            default_parameters(self.provenance.profile),
            relevance_method=next(iter(DENSE_EXPERIMENTS)),
            claim_form=ClaimForm.PROMPT,
            selection=SelectionStrategy.TOP_P,
            top_p=0.9,
        )

    @property
    def fingerprint(self) -> str:
        parts = [*map(to_plain, self.models), to_plain(self.parameters)]
        return _digest(json.dumps(parts), code_digest())

    @property
    def models(self) -> tuple[ModelInfo, ...]:
        """The encoder and the NLI model."""
        return self.provenance.models_of(self.parameters)

    def score(self, row: LabelledRow) -> RowScores:
        """Audit a row under each experiment of the paper's appendix A. Factuality scores in [0, 1],
        one for each of ``columns``. Raises InputError where the row has no context, or cannot be
        audited."""
        require_context(row)
        audits = [
            self.provenance.audit(
                query=row.query,
                answer=row.answer,
                context=row.context,
                parameters=replace(self.parameters, relevance_method=method),
                memory=self.memory,
            )
            for method in DENSE_EXPERIMENTS
        ]
        return RowScores(tuple(audit.score for audit in audits))


@dataclass(frozen=True, slots=True)
class BaselineScorer:
    """One of the baselines; reads no model."""

    method: Method

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column(str(self.method)),)

    @property
    def fingerprint(self) -> str:
        return _digest(str(self.method), code_digest())

    def score(self, row: LabelledRow) -> RowScores:
        """Score a row by the baseline. One score; in [0, 1] but for the length, which is 0 or less.
        Raises InputError where the row has no context, and the baseline reads it."""
        if self.method == Method.LENGTH:
            return RowScores((length_score(row.answer),))
        require_context(row)
        if size := RUN_SIZES.get(self.method):
            return RowScores((rouge_n(row.texts, row.answer, size),))
        measure = rouge_l if self.method == Method.ROUGE_L else word_overlap
        return RowScores((measure(row.texts, row.answer),))


BASELINES = tuple(map(BaselineScorer, BASELINE_METHODS))


def unsupported_spans(audit: Audit) -> tuple[tuple[int, int], ...]:
    """Find the parts of the answer that are not supported, without the white space about them: the
    detector's spans where it finds them, else whole sentences."""
    if get_detector(audit.parameters.detector).traits.finds_spans:
        return tuple((span.start, span.end) for span in audit.spans)
    return tuple(
        strip_bounds(audit.evidence.answer, traced.sentence.start, traced.sentence.end)
        for traced in audit.sentences
        if traced.label in UNSUPPORTED_LABELS
    )


def known_method(name: str) -> str:
    """The name of today of a detector or a ``Method``. Raises ValueError where it is neither."""
    detector, at, profile = name.partition(OF_PROFILE)
    known = current_detector(detector)
    return f"{known}{at}{profile}" if known in DETECTORS else str(Method(name))


def reads_context(method: str) -> bool:
    """Whether a method reads the context of a row, and not other answers in its place."""
    return method not in DETECTORS or DETECTORS[method].traits.context == CONTEXT


def require_context(row: LabelledRow) -> None:
    """Check that the context of a row has text. Raises InputError where it has none."""
    if not any(item.strip() for item in row.texts):
        raise InputError("the context is empty, so there is nothing to check the answer against")


def code_digest() -> str:
    """Name the code that a score depends on, in 64 hexadecimal digits: no score of older code is
    reused."""
    folder = Path(provenance_core.__file__).parent
    digest = hashlib.sha256()
    for part in SCORED_BY:
        for path in sorted((folder / part).rglob("*.py") if "." not in part else [folder / part]):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
