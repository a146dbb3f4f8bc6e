"""A language model as judge (RAGTruth, Niu et al. 2024, section 5.1 and appendix C)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from provenance_core.detectors._arithmetic import is_contradicted
from provenance_core.detectors._interface import AnswerScore, Detector, MeasurementPlan, Models
from provenance_core.detectors._set_aside import (
    beside_claims,
    counted_spans,
    left_out,
    traced_aside,
)
from provenance_core.detectors.judge.client import ask_judge, judge_problem
from provenance_core.detectors.judge.prompts import choose_prompt, fill_prompt
from provenance_core.detectors.judge.reply import beginning
from provenance_core.detectors.judge.settings import read_judge_settings, what_is_sent
from provenance_core.detectors.two_stage import TwoStageDetector
from provenance_core.errors import InputError
from provenance_core.scoring.cells import EVEN, CellMeasure
from provenance_core.scoring.support import sentence_support
from provenance_core.scoring.tracing import trace_sentences
from provenance_core.text.structured_context import given_context
from provenance_core.types import (
    Audit,
    Bools,
    ClaimResult,
    Evidence,
    FindingType,
    HallucinatedSpan,
    JudgeModel,
    JudgeReply,
    MeasuredSpan,
    Notice,
    Parameters,
    TracedSentence,
)

_SOURCES = TwoStageDetector()


class LlmJudgeDetector(Detector):
    """Asks a language model at an endpoint of the user's for the exact hallucinated spans. The
    score is the share of the answer's characters, white space left out, that lie outside the spans
    which the judge names; by the threshold of 1 any span makes the answer hallucinated, as in
    RAGTruth. Sources and matrix are measured as by the paper's method, for the reader: they do not
    enter the score."""

    name = "llm-judge"
    title = "LLM judge"
    explanation = (
        "Sends query, context and answer to a language model at an endpoint that you set, and asks "
        "it for the exact hallucinated parts; off until one is set."
    )
    source = "RAGTruth, appendix C"
    measured_by = 7  # since then what states nothing to check is set aside
    # Of the paper's method, by which the sources are shown; their relevance is always that of the
    # relevance model, and the judge has read every sentence already.
    traits = replace(
        _SOURCES.traits,
        uses=tuple(
            name
            for name in _SOURCES.traits.uses
            if name not in ("relevance_method", "third_reader")
        ),
        order_matters=True,
        finds_spans=True,
        sends_texts=True,
    )

    def unavailable(self) -> str:
        return judge_problem()

    def judge(self) -> JudgeModel | None:
        return read_judge_settings().model

    def what_is_sent(self) -> str:
        return what_is_sent(read_judge_settings())

    def plan(self, parameters: Parameters) -> MeasurementPlan:
        return MeasurementPlan(parameters.claim_form)

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        """Ask the judge, and keep its reply and its spans. ``progress``: Called with the share that
        is done, in [0, 1], again and again while the judge is waited for. What it raises ends the
        waiting. Raises JudgeError where the judge is not set, or cannot be asked, and
        JudgeReplyError where no reply of it can be used."""
        settings = read_judge_settings()
        # Data as they were given, which the prompt for data to text is about.
        texts = [item.text for item in given_context(evidence)]
        prompt = choose_prompt(evidence.query, texts)
        asked = fill_prompt(prompt, evidence.query, texts, evidence.answer)
        found = ask_judge(settings, asked, evidence.answer, progress)
        notices = (
            Notice(
                "judged",
                f"The verdict is that of {settings.model_id} at {settings.host}, which was sent "
                "the texts. Sources and their figures are of the models here and do not enter it.",
            ),
            *(
                Notice(
                    "span_repeated",
                    "The answer holds this text more than once, and the judge does not say where "
                    f"it is meant, so that every place is marked: {beginning(text)}",
                )
                for text in found.read.repeated
            ),
        )
        evidence = beside_claims(evidence)
        return replace(
            evidence,
            spans=tuple(MeasuredSpan(start, end, 1.0) for start, end in found.read.spans),
            judge=JudgeReply(settings.model, prompt, found.text, found.attempts),
            notices=(*evidence.notices, *notices),
        )

    def threshold(self, profile: str) -> float:
        return 1.0

    def score(self, evidence: Evidence, parameters: Parameters) -> AnswerScore:
        """Score the answer by the share of its characters that the judge leaves unmarked. The score
        in [0, 1]. Raises InputError where the evidence has no judge's reply: no reply is no
        verdict."""
        if evidence.judge is None:
            raise InputError("No judge was asked about this answer. Audit it by llm-judge.")
        marked, counted = marked_characters(evidence, parameters)
        bounds = [(claim.start, claim.end) for claim in evidence.claims]
        sizes = np.array([counted[a:b].sum() for a, b in bounds], dtype=np.float64)
        hit = np.array([(marked & counted)[a:b].sum() for a, b in bounds], dtype=np.float64)
        return replace(
            _SOURCES.score(evidence, parameters),
            claims=1.0 - hit / np.maximum(sizes, 1.0),
            decided_by=(None,) * len(bounds),
            shares=sizes / sizes.sum(),
            score=float(1.0 - (marked & counted).sum() / counted.sum()),
            by_sources=False,
        )

    def spans(self, evidence: Evidence, parameters: Parameters) -> tuple[HallucinatedSpan, ...]:
        """Find the judge's spans. The prompts ask for no type: a span is a conflict where a chunk
        contradicts a sentence that it lies in, else baseless, and evident either way. The spans, in
        the order of the answer."""
        return tuple(
            HallucinatedSpan(span.start, span.end, span.type or _type(evidence, span), 1.0)
            for span in counted_spans(evidence, parameters)
        )

    def trace(
        self, evidence: Evidence, parameters: Parameters, scored: AnswerScore
    ) -> tuple[TracedSentence, ...]:
        """Label a sentence as supported unless the judge marks a part of it. What supports it, or
        contradicts it, the models here say. One for each sentence, in order."""
        selected = list(scored.selected)
        marked, _ = marked_characters(evidence, parameters)
        supported = trace_sentences(evidence, selected, 0.0)
        unsupported = trace_sentences(evidence, selected, math.inf)
        traced = (
            after if marked[after.sentence.start : after.sentence.end].any() else before
            for before, after in zip(supported, unsupported, strict=True)
        )
        return traced_aside(traced, evidence, parameters)

    def cell_measure(self, evidence: Evidence, parameters: Parameters) -> CellMeasure:
        """The support by the sources, of which the judge's threshold is none."""
        return CellMeasure("support", sentence_support(evidence), EVEN)

    def claim_formula(self, audit: Audit, result: ClaimResult) -> str:
        return _marked_part(audit, result.claim.start, result.claim.end)

    def answer_formula(self, audit: Audit) -> str:
        return _marked_part(audit, 0, len(audit.evidence.answer))


DETECTOR = LlmJudgeDetector()


def _marked_part(audit: Audit, start: int, end: int) -> str:
    marked, counted = marked_characters(audit.evidence, audit.parameters)
    hit = int((marked & counted)[start:end].sum())
    return f"1 − {hit} of {int(counted[start:end].sum())} characters marked by the judge"


def marked_characters(evidence: Evidence, parameters: Parameters) -> tuple[Bools, Bools]:
    """Find which characters the judge marks, and which count. White space does not count, nor does
    a sentence that is set aside beside others. ``evidence``: what was measured, with the judge's
    reply, for an answer of n characters. Whether each character lies in a span, and whether it
    counts; shape (n,) each."""
    marked = np.zeros(len(evidence.answer), dtype=np.bool_)
    for span in counted_spans(evidence, parameters):
        marked[span.start : span.end] = True
    counted = np.array([not character.isspace() for character in evidence.answer], dtype=np.bool_)
    aside = left_out(evidence, parameters)
    if len(aside) < len(evidence.sentences):
        for sentence in evidence.sentences:
            if sentence.index in aside:
                counted[sentence.start : sentence.end] = False
    return marked, counted


def _type(evidence: Evidence, span: MeasuredSpan) -> FindingType:
    if is_contradicted(evidence, span.start, span.end):
        return FindingType.EVIDENT_CONFLICT
    return FindingType.EVIDENT_BASELESS
