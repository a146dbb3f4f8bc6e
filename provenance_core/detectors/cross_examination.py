"""Cross-examination of two language models (LMvLM: Cohen et al. 2023; RAGTruth, section 5.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from provenance_core.detectors._interface import Models
from provenance_core.detectors._set_aside import beside_claims
from provenance_core.detectors.judge.client import open_endpoint
from provenance_core.detectors.judge.examination import Examined, examine
from provenance_core.detectors.judge.settings import (
    JudgeSettings,
    read_judge_settings,
    what_is_sent,
)
from provenance_core.detectors.llm_judge import LlmJudgeDetector
from provenance_core.text.structured_context import given_context
from provenance_core.types import (
    Evidence,
    JudgeModel,
    JudgePrompt,
    JudgeReply,
    MeasuredSpan,
    Notice,
    Parameters,
    Sentence,
)


class CrossExaminationDetector(LlmJudgeDetector):
    """Lets one language model question another about the context. The examiner has the answer,
    sentence by sentence, and the examinee has the context. A sentence that the examiner calls
    incorrect is a span, and the score is that of the LLM judge: the share of the answer's
    characters outside the spans."""

    name = "cross-examination"
    title = "Cross-examination"
    explanation = (
        "Lets a language model at an endpoint that you set question a second one, which has the "
        "context alone, and decide which sentences its replies do not bear out; off until an "
        "endpoint is set."
    )
    source = "LM vs LM (Cohen et al. 2023), RAGTruth, section 5.1"

    def judge(self) -> JudgeModel | None:
        return read_judge_settings().both_models

    def what_is_sent(self) -> str:
        settings = read_judge_settings()
        return (
            f"{what_is_sent(settings)} The context goes to {settings.examinee_id} there, the "
            f"answer to {settings.model_id}, in up to 7 requests or a few more where a reply "
            "cannot be read."
        )

    def extend(
        self,
        evidence: Evidence,
        parameters: Parameters,
        models: Models,
        progress: Callable[[float], None],
    ) -> Evidence:
        """Examine the sentences that state something, and keep every turn. ``progress``: called
        with the share that is done, in [0, 1], again and again while a reply is waited for; what it
        raises ends the waiting. Raises JudgeError if the endpoint is not set or cannot be asked,
        and JudgeReplyError if no conclusion of it can be read."""
        settings = read_judge_settings()
        evidence = beside_claims(evidence)
        aside = {each.sentence for each in evidence.set_aside}
        asked = [sentence for sentence in evidence.sentences if sentence.index not in aside]
        if not asked:  # then there is nothing to check, and nothing is sent
            asked = list(evidence.sentences)
        context = [item.text for item in given_context(evidence)]
        with open_endpoint(settings) as endpoint:
            found = examine(
                endpoint, evidence.query, context, [each.text for each in asked], progress
            )
        return _with_examination(evidence, settings, asked, found)


def _with_examination(
    evidence: Evidence, settings: JudgeSettings, asked: list[Sentence], found: Examined
) -> Evidence:
    incorrect = [asked[index] for index in found.decision.read]
    notice = Notice(
        "judged",
        f"The verdict is that of {settings.model_id} at {settings.host}, which questioned "
        f"{settings.examinee_id} there in {len(found.turns)} rounds. Sources and their figures are "
        "of the models here and do not enter it.",
    )
    decision = found.decision
    return replace(
        evidence,
        spans=tuple(MeasuredSpan(each.start, each.end, 1.0) for each in incorrect),
        judge=JudgeReply(
            settings.both_models, JudgePrompt.CROSS_EXAMINATION, decision.text, decision.attempts
        ),
        examination=found.turns,
        notices=(*evidence.notices, notice),
    )


DETECTOR = CrossExaminationDetector()
