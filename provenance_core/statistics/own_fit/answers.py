"""Labelled audits as what a fit reads, and the score that a map gives each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from provenance_core.detectors._set_aside import scored_claims
from provenance_core.detectors.two_stage import score_sources
from provenance_core.files.text_groups import text_group
from provenance_core.models.catalogue.profiles import SupportMaps
from provenance_core.scoring.features import map_input
from provenance_core.scoring.fitting import cells_to_fit
from provenance_core.scoring.selection import relevance_probabilities
from provenance_core.scoring.support import claims_are_sentences
from provenance_core.scoring.words import joining_claims
from provenance_core.statistics.own_fit.types import FitAnswer
from provenance_core.statistics.types import SkipReason
from provenance_core.types import DEFAULT_DETECTOR, Audit, Evidence, Parameters, Verdict


@dataclass(frozen=True, slots=True)
class LabelledAudit:
    """An audit whose truth is known. ``label``: 1 = supported. ``group``: the name of its source
    document where it has one, else ""."""

    audit: Audit
    label: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class FitSample:
    """What a fit reads, and what it had to leave out."""

    answers: tuple[FitAnswer, ...]
    left_out: tuple[SkipReason, ...]


def fit_sample(
    given: Iterable[LabelledAudit], maps: SupportMaps, parameters: Parameters
) -> FitSample:
    """Read from labelled audits what a fit needs. Answers with the same context, or with the same
    name of their source, are of one document. The answers that can be used, and why others
    cannot."""
    answers, groups, contexts = [], [], []
    reasons: Counter[str] = Counter()
    for each in given:
        if why := why_unfit(each.audit, maps):
            reasons[why] += 1
            continue
        answers.append(fit_answer(each.audit, each.label, "", parameters))
        groups.append(each.group)
        contexts.append(text_group(*(item.text for item in each.audit.evidence.context)))
    documents = source_documents(groups, contexts)
    return FitSample(
        tuple(
            replace(answer, group=group) for answer, group in zip(answers, documents, strict=True)
        ),
        tuple(SkipReason(*each) for each in reasons.most_common()),
    )


def source_documents(groups: Sequence[str], contexts: Sequence[str]) -> list[str]:
    """Name the source document of each answer: one for all that share a name or a context. They may
    share it through others. As many names as answers."""
    first: dict[tuple[str, str], int] = {}
    parent = list(range(len(groups)))

    def root(at: int) -> int:
        while parent[at] != at:
            at = parent[at]
        return at

    for at, (group, context) in enumerate(zip(groups, contexts, strict=True)):
        for key in (("group", group), ("context", context)):
            if key[1]:
                parent[root(at)] = root(first.setdefault(key, at))
    return [str(root(at)) for at in range(len(groups))]


def why_unfit(audit: Audit, maps: SupportMaps) -> str:
    """Why a support map can learn nothing from an audit. A phrase; "" where it can."""
    evidence = audit.evidence
    if audit.verdict is Verdict.NOTHING_TO_CHECK:
        return "no sentence of the answer is to be checked"
    if audit.parameters.detector != DEFAULT_DETECTOR:
        return "scored by another detector than the two-stage one"
    if evidence.joined_scores:
        return "scored with dense retrieval, which a support map does not enter"
    if not evidence.read.all():
        return "of a long context, of which not every chunk was read"
    if not evidence.support:
        return "audited with a model without a support map"
    weights = [evidence.nli_model.sha256]
    if evidence.second is not None:
        weights.append(evidence.second.model.sha256)
    if tuple(weights) != maps.weights:
        return "audited with other models than the profile's"
    if _lacks_windows(evidence):
        return "audited before the second model read chunks together: audit it again"
    if not claims_are_sentences(evidence):
        return "scored by one claim for several sentences, which a support map does not enter"
    return ""


def _lacks_windows(evidence: Evidence) -> bool:
    """Whether a second model read several chunks, before it read windows of them."""
    again = evidence.second
    return again is not None and again.together is None and len(evidence.chunks) > 1


def fit_answer(audit: Audit, label: int, group: str, parameters: Parameters) -> FitAnswer:
    """Read from an audit what a fit needs."""
    evidence = audit.evidence
    counted = scored_claims(evidence, parameters)
    return FitAnswer(
        label=label,
        group=group,
        given=map_input(evidence),
        read=cells_to_fit(evidence) & counted[:, None],
        probabilities=relevance_probabilities(
            np.array(evidence.relevance, dtype=np.float64),
            evidence.relevance_model.calibration_slope,
        ),
        counted=counted,
        also=joining_claims(evidence),
    )


def score_by(maps: SupportMaps, answer: FitAnswer, parameters: Parameters) -> float:
    """Score an answer, in [0, 1], by other maps, as an audit under the parameters would."""
    support = answer.given.support(maps.first, maps.second)
    found = score_sources(support, answer.probabilities, parameters, answer.counted, answer.also)
    return found.score
