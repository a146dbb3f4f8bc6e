"""The settings of an audit, in one table: what each is called, means, may be and depends on.

The command line's options, the sidebar, the documents and
:func:`provenance_core.recompute` are made from it. ``Parameters`` holds the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypedDict

from provenance_core.types import (
    Aggregation,
    ClaimAggregation,
    ClaimForm,
    ContradictionRule,
    Granularity,
    Parameters,
    RelevanceMethod,
    SelectionStrategy,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a setting, what it is called, and what it does in one sentence."""

    value: StrEnum
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A setting is read only where the setting ``name`` has ``value``."""

    name: str
    value: StrEnum

    def holds(self, given: Parameters) -> bool:
        """Whether a setting under this condition is read in ``given``."""
        return bool(getattr(given, self.name) == self.value)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers that the sidebar offers, both ends included."""

    low: float
    high: float
    step: float


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """A field of ``Parameters``. ``label``: on the page. ``meaning``: a phrase for the command line
    and the documents. ``help``: sentences for the page; of a setting with ``choices`` each choice
    has its own. ``said``: how a line of settings names its value, with ``{}`` in its place; ""
    where no line does. ``recomputed``: whether a saved audit can be seen under another value
    without a model. ``of_every_detector``: whether every detector reads it."""

    name: str
    label: str
    meaning: str
    help: str = ""
    said: str = ""
    recomputed: bool = False
    choices: tuple[Choice, ...] = ()
    bounds: Bounds | None = None
    condition: Condition | None = None
    of_every_detector: bool = False

    def text(self, value: object) -> str:
        """``value`` in words, a threshold with the three decimals of scores; values read from JSON
        are plain strings."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | float) and self.name == "threshold":
            return f"{value:.3f}"
        return next((each.label for each in self.choices if each.value == value), str(value))

    def is_read(self, given: Parameters) -> bool:
        """Whether the other settings in ``given`` let this one count."""
        return self.condition is None or self.condition.holds(given)


_DENSE = (
    "Dense retrieval: the sentences of the context most similar to the claim, joined {order}, are "
    "one premise."
)
_BY_SIMILARITY = _DENSE.format(order="by similarity")
_IN_ORDER = _DENSE.format(order="in their order in the context")

_TABLE = (
    ParameterInfo(
        name="relevance_method",
        label="Relevance",
        meaning="what a source's relevance is",
        said="relevance by {}",
        choices=(
            Choice(
                RelevanceMethod.CROSS_ENCODER,
                "cross-encoder",
                "The relevance model reads the query with each chunk.",
            ),
            Choice(RelevanceMethod.DOT, "dot product", _BY_SIMILARITY),
            Choice(RelevanceMethod.DOT_TEMPORAL, "dot product, temporal order", _IN_ORDER),
            Choice(RelevanceMethod.COSINE, "cosine", _BY_SIMILARITY),
            Choice(RelevanceMethod.COSINE_TEMPORAL, "cosine, temporal order", _IN_ORDER),
        ),
    ),
    ParameterInfo(
        name="selection",
        label="Selection of sources",
        meaning="how sources are chosen",
        said="{}",
        recomputed=True,
        choices=(
            Choice(
                SelectionStrategy.TOP_P,
                "TopP",
                "Keeps the fewest chunks, the most relevant first, whose probabilities reach "
                "top_p.",
            ),
            Choice(SelectionStrategy.TOP_K, "TopK", "Keeps the top_k most relevant chunks."),
        ),
    ),
    ParameterInfo(
        name="top_p",
        label="top_p",
        meaning="cumulative probability of the selected sources, in (0, 1]",
        said="top_p {}",
        recomputed=True,
        bounds=Bounds(0.05, 1.0, 0.05),
        condition=Condition("selection", SelectionStrategy.TOP_P),
    ),
    ParameterInfo(
        name="top_k",
        label="top_k",
        meaning="number of selected sources, 1 or more",
        said="top_k {}",
        recomputed=True,
        bounds=Bounds(1, 20, 1),
        condition=Condition("selection", SelectionStrategy.TOP_K),
    ),
    ParameterInfo(
        name="aggregation",
        label="Aggregation",
        meaning="how the sources' scores become one",
        said="{}",
        recomputed=True,
        choices=(
            Choice(
                Aggregation.MAX,
                "max",
                "A claim counts as much as its best source says: one good source is enough.",
            ),
            Choice(
                Aggregation.MIN,
                "min",
                "A claim counts as little as its worst source says: every source must agree.",
            ),
            Choice(
                Aggregation.WEIGHTED_AVERAGE,
                "weighted average",
                "Every source counts by its weight, the most relevant most.",
            ),
        ),
        # Of dense retrieval each claim has one premise, so that there is nothing to aggregate.
        condition=Condition("relevance_method", RelevanceMethod.CROSS_ENCODER),
    ),
    ParameterInfo(
        name="claim_aggregation",
        label="Combine claims by",
        meaning="how the claims become one score",
        said="{}",
        recomputed=True,
        choices=(
            Choice(
                ClaimAggregation.HARMONIC_MEAN,
                "harmonic mean of the claims",
                "Claims with less support count more.",
            ),
            Choice(
                ClaimAggregation.INVERSE_SQUARE_MEAN,
                "inverse square mean of the claims",
                "A claim counts by 1 / score²: one that is not supported outweighs several.",
            ),
            Choice(ClaimAggregation.MEAN, "mean of the claims", "Every claim counts the same."),
            Choice(ClaimAggregation.MIN, "worst claim", "The least supported claim decides."),
        ),
    ),
    ParameterInfo(
        name="claim_form",
        label="Claim form",
        meaning="what is put to the NLI model",
        choices=(
            Choice(
                ClaimForm.AUTO,
                "automatic",
                "One sentence is put into the claim prompt with its query; several are claims of "
                "their own.",
            ),
            Choice(
                ClaimForm.PROMPT,
                "claim prompt",
                "The whole answer in the paper's prompt, “The answer to question … is …”.",
            ),
            Choice(
                ClaimForm.SENTENCES,
                "sentences",
                "Every sentence of the answer is a claim of its own.",
            ),
        ),
    ),
    ParameterInfo(
        name="granularity",
        label="Granularity",
        meaning="what of the context is a premise",
        said="granularity {}",
        choices=(
            Choice(
                Granularity.SENTENCE,
                "sentence",
                "Each sentence of the context is a premise of its own.",
            ),
            Choice(
                Granularity.PARAGRAPH, "paragraph", "Each paragraph of the context is a premise."
            ),
            Choice(
                Granularity.DOCUMENT,
                "document",
                "Each context item is one premise, as far as the model's window goes.",
            ),
        ),
    ),
    ParameterInfo(
        name="contradiction_rule",
        label="Contradictions that count",
        meaning="which contradictions count in the score",
        said="counts {}",
        recomputed=True,
        choices=(
            Choice(
                ContradictionRule.ABOUT_SENTENCE,
                "only by chunks about the sentence",
                "A sentence counts by its largest entailment, and less where a chunk that shares "
                "words with it contradicts it. The score is the mean of the sentences.",
            ),
            Choice(
                ContradictionRule.ANY,
                "every contradiction",
                "The document's rule: one chunk that contradicts a sentence is enough.",
            ),
            Choice(
                ContradictionRule.UNLESS_ENTAILED,
                "only where no chunk entails",
                "What one chunk contradicts and another entails counts as supported.",
            ),
        ),
    ),
    ParameterInfo(
        name="count_set_aside",
        label="Count what was set aside",
        meaning="count what states nothing to check (greetings, titles, ...)",
        help="What states nothing to check (a title, a greeting, a question) is set aside. Unless "
        "it is counted, it does not enter the score.",
        said="count sentences with nothing to check: {}",
        recomputed=True,
    ),
    ParameterInfo(
        name="third_reader",
        label="Ask a language model about doubtful sentences",
        meaning="ask the language model of PROVENANCE_JUDGE_URL about the sentences whose support "
        "is in doubt",
        help="Each sentence whose support is in doubt goes to the language model at your endpoint "
        "with the passages closest to it. Its probability of “yes” then counts as the sentence's "
        "support.",
        said="a language model asked about doubtful sentences",
        # Of dense retrieval no support is measured chunk by chunk.
        condition=Condition("relevance_method", RelevanceMethod.CROSS_ENCODER),
    ),
    ParameterInfo(
        name="threshold",
        label="Threshold",
        meaning="supported from this score on, in [0, 1]",
        help="The verdict is “supported” when the score reaches the threshold.",
        recomputed=True,
        bounds=Bounds(0.0, 1.0, 0.001),
        of_every_detector=True,
    ),
    ParameterInfo(
        name="chunk_tokens",
        label="Tokens of a chunk",
        meaning="most tokens of a chunk, 16 or more",
        of_every_detector=True,
    ),
    ParameterInfo(
        name="overlap_sentences",
        label="Overlap",
        meaning="sentences that two chunks of an item share, 0 or more",
        of_every_detector=True,
    ),
)


class RecomputedParameters(TypedDict, total=False):
    """The parameters with ``recomputed``, as :func:`provenance_core.recompute` takes them. What is
    None stays as it is."""

    selection: SelectionStrategy | str | None
    top_p: float | None
    top_k: int | None
    aggregation: Aggregation | str | None
    claim_aggregation: ClaimAggregation | str | None
    contradiction_rule: ContradictionRule | str | None
    count_set_aside: bool | None
    threshold: float | None


# Each field of ``Parameters`` but the detector, by its name, in the order that they are shown in.
PARAMETERS: Mapping[str, ParameterInfo] = MappingProxyType({each.name: each for each in _TABLE})
