"""A judge is tried: one short example, of which the wrong words are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from provenance_core.detectors.judge.client import ask_judge
from provenance_core.detectors.judge.prompts import choose_prompt, fill_prompt
from provenance_core.detectors.judge.settings import JudgeSettings

TRIAL_QUERY = "When did the bridge open?"
TRIAL_CONTEXT = "The bridge over the river opened in 1932."
TRIAL_ANSWER = "The bridge opened in 1987."
_WRONG = "1987"


@dataclass(frozen=True, slots=True)
class JudgeTrial:
    """What a judge said of the example. ``spans``: the words that it calls hallucinated.
    ``attempts``: replies until one could be read."""

    reply: str
    spans: tuple[str, ...]
    attempts: int

    @property
    def right(self) -> bool:
        """Whether it found the wrong year."""
        return any(_WRONG in span for span in self.spans)


def try_judge(settings: JudgeSettings, progress: Callable[[float], None]) -> JudgeTrial:
    """Have the judge read the example, as an audit would. Raises JudgeError as an audit does."""
    context = (TRIAL_CONTEXT,)
    prompt = fill_prompt(choose_prompt(TRIAL_QUERY, context), TRIAL_QUERY, context, TRIAL_ANSWER)
    judged = ask_judge(settings, prompt, TRIAL_ANSWER, progress)
    spans = tuple(TRIAL_ANSWER[start:end] for start, end in judged.read.spans)
    return JudgeTrial(judged.text, spans, judged.attempts)
