"""The classes of an NLI model, told from the names that its files give them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from provenance_core.errors import ModelError
from provenance_core.types import Floats, ModelInfo


class NliClass(StrEnum):
    """A class of an NLI model. ``NOT_ENTAILED`` is neutral or contradiction, where the model does
    not tell them apart."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"
    NOT_ENTAILED = "not_entailed"


# Negatives come first: "not entailment" contains "entailment", "not enough info" contains "not".
_PATTERNS = (
    (NliClass.NEUTRAL, r"neutral|nei$|not enough|unknown|unverifi|no info|insufficient"),
    (NliClass.CONTRADICTION, r"contradict|refut|conflict"),
    (
        NliClass.NOT_ENTAILED,
        r"(not|non|no|un|in|dis)[ ]?(entail|support|consisten|factual|faithful|ground|attribut)"
        r"|hallucinat|false|inaccura",
    ),
    (
        NliClass.ENTAILMENT,
        r"entail|support|consisten|factual|faithful|grounded|attributable|true|accura",
    ),
)
_NAMELESS = re.compile(r"label[ ]?\d+|\d+")
_SETS = (
    (NliClass.ENTAILMENT,),
    (NliClass.ENTAILMENT, NliClass.NOT_ENTAILED),
    (NliClass.CONTRADICTION, NliClass.ENTAILMENT),
    (NliClass.CONTRADICTION, NliClass.ENTAILMENT, NliClass.NEUTRAL),
)


def read_classes(
    names: Sequence[str], model_id: str, entailment_label: int | None = None
) -> tuple[NliClass, ...]:
    """Tell the class of each logit from its name. A single logit is the support itself. The class
    of each logit, in order. Raises ModelError where there are more than three classes or none, or
    the names do not tell, or they contradict ``entailment_label``.

    >>> [str(each) for each in read_classes(("contradiction", "entailment", "neutral"), "a model")]
    ['contradiction', 'entailment', 'neutral']
    """
    if not 1 <= len(names) <= 3:
        raise ModelError(
            f"{model_id} has {len(names)} classes; a model that checks claims has one, two or "
            "three."
        )
    if len(names) == 1:
        return (NliClass.ENTAILMENT,)
    if entailment_label is not None and not 0 <= entailment_label < len(names):
        raise ModelError(
            f"{model_id} has no class {entailment_label}: its classes are 0 to {len(names) - 1}."
        )
    plain = [re.sub(r"[^a-z0-9]+", " ", name.lower()).strip() for name in names]
    if any(_NAMELESS.fullmatch(name) for name in plain):
        if entailment_label is None:
            raise ModelError(
                f"{model_id} does not say what its classes mean: config.json calls them "
                f"{', '.join(names)}. Look in the model's description which of them means that "
                "the hypothesis is supported, and give its index (entailment label, from 0)."
            )
        return _others_not_entailed(len(names), entailment_label)
    found = tuple(_class_of(name) for name in plain)
    classes = tuple(each for each in found if each is not None)
    if len(classes) < len(names) or tuple(sorted(classes)) not in _SETS:
        if entailment_label is not None:
            return _others_not_entailed(len(names), entailment_label)
        raise ModelError(
            f"{model_id}: the classes {', '.join(names)} are not those of a model that checks "
            "claims (entailment, neutral and contradiction, or supported and not). If one of them "
            "means that the hypothesis is supported, give its index (entailment label, from 0)."
        )
    if entailment_label is not None and classes[entailment_label] is not NliClass.ENTAILMENT:
        raise ModelError(
            f"{model_id}: class {entailment_label} was given as the one that means supported, but "
            f"config.json calls it {names[entailment_label]!r}."
        )
    return classes


def nli_probabilities(logits: Floats, labels: Sequence[str]) -> Floats:
    """Turn the logits of an NLI model into three probabilities. Two or three logits go through a
    softmax, one through a sigmoid. A model that does not tell neutral from contradiction has both
    under neutral, and :attr:`ModelInfo.tells_contradiction` is false. Entailment, neutral and
    contradiction, shape (n, 3); rows sum to 1.

    >>> from math import log
    >>> labels = (NliClass.ENTAILMENT, NliClass.NEUTRAL, NliClass.CONTRADICTION)
    >>> nli_probabilities(np.array([[log(2), 0.0, 0.0]]), labels).round(2).tolist()
    [[0.5, 0.25, 0.25]]
    """
    wanted = [NliClass.ENTAILMENT, NliClass.NEUTRAL, NliClass.CONTRADICTION]
    if len(labels) == 1:
        entailment = 1.0 / (1.0 + np.exp(-logits[:, 0]))
        return np.stack([entailment, 1.0 - entailment, np.zeros_like(entailment)], axis=1)
    if set(labels) == set(wanted):
        return _softmax(logits[:, [labels.index(label) for label in wanted]])
    found = _softmax(logits)
    result = np.zeros((len(logits), 3))
    for column, label in enumerate(labels):
        into = NliClass.NEUTRAL if label == NliClass.NOT_ENTAILED else NliClass(label)
        result[:, wanted.index(into)] += found[:, column]
    return result


def tells_contradiction(labels: Sequence[str]) -> bool:
    """Whether a model of these classes gives a probability of contradiction. ``labels``: the class
    of each logit. True where one of them is contradiction."""
    return NliClass.CONTRADICTION in labels


def contradiction_text(value: float, model: ModelInfo) -> str:
    """Write a probability of contradiction for a reader. ``value``: the probability, in [0, 1].
    Three decimals, or "not measured" where the model does not tell contradiction."""
    return f"{value:.3f}" if model.tells_contradiction else "not measured"


def _softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: Floats = shifted / shifted.sum(axis=1, keepdims=True)
    return result


def _class_of(name: str) -> NliClass | None:
    for kind, pattern in _PATTERNS:
        if re.search(rf"\b(?:{pattern})", name):
            return kind
    return None


def _others_not_entailed(count: int, entailment: int) -> tuple[NliClass, ...]:
    return tuple(
        NliClass.ENTAILMENT if index == entailment else NliClass.NOT_ENTAILED
        for index in range(count)
    )
