"""One name for what the models were asked: the same texts, measured in the same way."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from provenance_core.audit.assembly import SELECTION_PARAMETERS
from provenance_core.detectors import get_detector
from provenance_core.text.structured_context import given_context, is_data
from provenance_core.types import (
    DEFAULT_DETECTOR,
    Evidence,
    JudgeModel,
    ModelInfo,
    Parameters,
    RelevanceMethod,
)

# The parameters that decide what is measured; the others are arithmetic on what was.
MEASURED = ("claim_form", "chunk_tokens", "overlap_sentences")


# With dense retrieval also these: what they select is one premise.
MEASURED_IF_DENSE = ("relevance_method", *SELECTION_PARAMETERS)


# 128 bits: no two of a million texts share one by chance.
_TEXT_DIGITS = 32


def source_digest(query: str, context: Sequence[str]) -> str:
    """Name a query with its context: the first 32 hexadecimal digits of a SHA-256."""
    return _of_texts([query, list(context)])


def text_digest(query: str, answer: str) -> str:
    """Name a query with an answer: the first 32 hexadecimal digits of a SHA-256."""
    return _of_texts([query, answer])


def _of_texts(texts: list[str | list[str]]) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:_TEXT_DIGITS]


def measurement_digest(
    query: str,
    answer: str,
    context: Sequence[str],
    parameters: Parameters,
    models: Sequence[ModelInfo],
    judge: JudgeModel | None = None,
    measured_by: int | None = None,
) -> str:
    """Name everything that decides what an audit measures, as a SHA-256 in hexadecimal digits.
    Names of context items do not count, nor does a parameter that only decides the verdict."""
    dense = parameters.relevance_method is not RelevanceMethod.CROSS_ENCODER
    parts: list[object] = [
        query,
        answer,
        list(context),
        [str(getattr(parameters, name)) for name in MEASURED],
        [_weights(model) for model in models],
    ]
    if dense:
        parts.append([str(getattr(parameters, name)) for name in MEASURED_IF_DENSE])
    # The default detector adds nothing, so that audits older than the others keep their digests.
    if parameters.detector != DEFAULT_DETECTOR:
        parts.append([str(parameters.detector), str(parameters.granularity)])
    # A softmax of another slope is another selection, though the scores are the same.
    slopes = [m.calibration_slope for m in models if m.task == "relevance"]
    if slopes != [1.0] * len(slopes):
        parts.append(slopes)
    if judge is not None:
        parts.append([judge.host, judge.model_id, judge.temperature])
    # Audits older than the reading of data as statements measured other texts.
    if any(map(is_data, context)):
        parts.append("structured")
    version = get_detector(parameters.detector).measured_by if measured_by is None else measured_by
    if version != 1:  # Audits older than versions keep their digests.
        parts.append(f"measured by {version}")
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _weights(model: ModelInfo) -> str:
    """Half precision gives other scores, and so does another class taken for "supported"."""
    parts = [model.sha256]
    if model.precision not in ("", "float32"):
        parts.append(model.precision)
    if model.entailment_label is not None:
        parts.append(f"label {model.entailment_label}")
    if model.support is not None:
        parts.append(repr(model.support))
    return " ".join(parts)


def evidence_digest(evidence: Evidence, parameters: Parameters) -> str:
    """The :func:`measurement_digest` of evidence."""
    return measurement_digest(
        evidence.query,
        evidence.answer,
        [item.text for item in given_context(evidence)],
        parameters,
        evidence.models,
        _asked(evidence),
        evidence.measured_by,
    )


def _asked(evidence: Evidence) -> JudgeModel | None:
    """The model that was asked. One that failed has no name that an audit is looked for by."""
    if evidence.third is None:
        return None if evidence.judge is None else evidence.judge.model
    model = evidence.third.model
    return replace(model, model_id=f"{model.model_id} failed") if evidence.third.problem else model
