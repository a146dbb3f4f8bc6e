"""A language model as third reader: it is asked about the sentences whose support is in doubt.

The models here read every sentence first. Their verdict stands where they are sure, and where the
language model gives no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from provenance_core.detectors._interface import AnswerScore, Models
from provenance_core.detectors._set_aside import left_out, scored_claims
from provenance_core.detectors.judge.client import Endpoint, TokenReply, open_endpoint
from provenance_core.detectors.judge.reply import MalformedReply
from provenance_core.detectors.judge.settings import (
    JudgeSettings,
    how_it_is_sent,
    read_judge_settings,
)
from provenance_core.detectors.judge.yes_or_no import claim_prompt, read_yes_or_no
from provenance_core.errors import JudgeError, JudgeReplyError
from provenance_core.lexicon.words import content_words
from provenance_core.parameters import PARAMETERS
from provenance_core.scoring.aggregation import claim_shares
from provenance_core.scoring.features import hypotheses
from provenance_core.scoring.support import claims_are_sentences
from provenance_core.text.splitting import sentence_bounds
from provenance_core.text.windows import Window, windows
from provenance_core.types import Evidence, Floats, ModelAnswer, Notice, Parameters, ThirdReading

# In doubt is a support from the first to under the second. Chosen on judged rows by folds of
# documents: docs/llm-judge.md has the figures.
DOUBTFUL = (0.4, 0.7)
# Sentences that are asked about in one audit, those closest to even first.
MOST_ASKED = 20
# Tokens of the passages that go with a sentence: what small local models hold beside a question.
PASSAGE_TOKENS = 1000
_EVEN = 0.5
# Tokens at the place of the word, among which "yes" and "no" stand in many writings.
_LIKELIEST = 10


def asks_third_reader(parameters: Parameters) -> bool:
    """Whether an audit asks a language model about the sentences in doubt."""
    info = PARAMETERS["third_reader"]
    return parameters.third_reader and info.is_read(parameters)


def what_the_third_reader_sends() -> str:
    """Say what goes to the language model, where to, and how many questions there are at most.
    Raises JudgeError if none is set."""
    settings, (low, high) = read_judge_settings(), DOUBTFUL
    return (
        f"Each sentence of the answer whose support lies between {low:g} and {high:g} goes to "
        f"{settings.host} with the passages of the context closest to it (up to about "
        f"{PASSAGE_TOKENS:,} tokens), to be read by the model {settings.model_id}. That is at most "
        f"one question for each sentence, and {MOST_ASKED} in an audit. {how_it_is_sent(settings)}"
    )


def read_doubtful(
    evidence: Evidence,
    scored: AnswerScore,
    parameters: Parameters,
    models: Models,
    progress: Callable[[float], None],
) -> Evidence:
    """Ask the language model about the sentences whose support is in doubt. ``scored``: by the
    models here. ``progress`` is called with the share that is done, in [0, 1], again and again
    while the endpoint is waited for; what it raises ends the waiting. The evidence with the answers
    and a notice of what was asked, or why something was not. Raises JudgeError if no model is
    set."""
    settings = read_judge_settings()
    doubtful = doubtful_sentences(evidence, scored.claims, parameters)
    asked = sorted(doubtful[:MOST_ASKED])
    answers, problem = _ask_about(asked, evidence, scored, models, settings, progress)
    found = ThirdReading(
        model=settings.model,
        low=DOUBTFUL[0],
        high=DOUBTFUL[1],
        answers=tuple(answers),
        unread=tuple(sorted({*doubtful} - {each.sentence for each in answers})),
        problem=problem,
    )
    notice = Notice("third_reader", _what_was_read(found, len(evidence.sentences)))
    return replace(evidence, third=found, notices=(*evidence.notices, notice))


def _ask_about(
    sentences: Sequence[int],
    evidence: Evidence,
    scored: AnswerScore,
    models: Models,
    settings: JudgeSettings,
    progress: Callable[[float], None],
) -> tuple[list[ModelAnswer], str]:
    """The answers about sentences, and why the first of those without one has none; "" where all
    have one. An endpoint that fails is not asked about the rest."""
    answers: list[ModelAnswer] = []
    problems: list[str] = []
    if not sentences:
        return answers, ""
    sent = _closest_windows(evidence, sentences, models)
    with open_endpoint(settings) as endpoint:
        reader = _Reader(endpoint, hypotheses(evidence), scored.claims)
        for at, (sentence, window) in enumerate(zip(sentences, sent, strict=True)):
            try:
                answers.append(reader.ask(sentence, window, partial(progress, at / len(sentences))))
            except JudgeReplyError as error:  # about this sentence: others may pass
                problems.append(str(error))
            except JudgeError as error:
                problems.append(str(error))
                break
    return answers, problems[0] if problems else ""


def doubtful_sentences(evidence: Evidence, claims: Floats, parameters: Parameters) -> list[int]:
    """Find the sentences whose support is in doubt, those closest to even first. ``claims``: the
    score of each claim, (M,). Their indices; none where sentences are no claims of their own. What
    is set aside is not in doubt."""
    if not claims_are_sentences(evidence):
        return []
    low, high = DOUBTFUL
    aside = left_out(evidence, parameters)
    found = [
        index
        for index, support in enumerate(claims.tolist())
        if low <= support < high and index not in aside
    ]
    return sorted(found, key=lambda index: abs(float(claims[index]) - _EVEN))


def third_model_id(evidence: Evidence, sentence: int) -> str:
    """The language model whose answer counts as the support of a sentence; "" where none does."""
    if evidence.third is None or evidence.third.of_sentence(sentence) is None:
        return ""
    return evidence.third.model.model_id


def with_answers(scored: AnswerScore, evidence: Evidence, parameters: Parameters) -> AnswerScore:
    """Let the answers of a language model count as the support of the sentences that it read. The
    chunk that decided such a sentence says of it what the language model says."""
    if evidence.third is None or not evidence.third.answers:
        return scored
    claims, factuality = scored.claims.copy(), scored.factuality.copy()
    for each in evidence.third.answers:
        row, decided_by = each.sentence, scored.decided_by[each.sentence]
        claims[row] = each.probability
        factuality[row, list(scored.selected) if decided_by is None else decided_by] = (
            each.probability
        )
    counted = scored_claims(evidence, parameters)
    shares = claim_shares(claims, parameters.claim_aggregation, counted)
    score = float(np.clip(shares @ claims, 0.0, 1.0))
    return replace(scored, factuality=factuality, claims=claims, shares=shares, score=score)


@dataclass
class _Reader:
    """Asks one endpoint about the sentences of one answer. ``claims``: what stands for each.
    ``supports``: of each, by the models here, (S,). ``likeliest``: how many tokens are asked for at
    a place; 0 from an endpoint that refused."""

    endpoint: Endpoint
    claims: Sequence[str]
    supports: Floats
    likeliest: int = _LIKELIEST

    def ask(self, sentence: int, window: Window, progress: Callable[[], None]) -> ModelAnswer:
        """What the model answers about a sentence. JudgeError and JudgeReplyError as of
        :meth:`Endpoint.yes_or_no`."""
        settings = self.endpoint.settings
        prompt = claim_prompt(settings.model_id, window.text, self.claims[sentence])
        reply = self._reply(prompt, progress)
        try:
            said = read_yes_or_no(reply.text, reply.tokens)
        except MalformedReply as error:
            raise JudgeReplyError(
                f"{settings.host}: a reply of {settings.model_id} cannot be used: {error}"
            ) from None
        return ModelAnswer(
            sentence=sentence,
            support=float(self.supports[sentence]),
            passages=window.parts,
            probability=said.probability,
            by_tokens=said.by_tokens,
            text=reply.text,
        )

    def _reply(self, prompt: str, progress: Callable[[], None]) -> TokenReply:
        try:
            return self.endpoint.reply_with_tokens(prompt, progress, likeliest=self.likeliest)
        except JudgeReplyError:
            if not self.likeliest:
                raise
        # Some endpoints refuse a request for log-probabilities.
        reply = self.endpoint.reply_with_tokens(prompt, progress, likeliest=0)
        self.likeliest = 0
        return reply


def _closest_windows(evidence: Evidence, sentences: Sequence[int], models: Models) -> list[Window]:
    """The window of whole sentences that shares most words with each sentence; a context that fits
    is one window."""
    items = [item.text for item in evidence.context]
    found = windows(
        items,
        [sentence_bounds(text) for text in items],
        most_tokens=PASSAGE_TOKENS,
        count_tokens=models.nli.count_tokens,
    )
    held = [content_words(window.text) for window in found]
    texts = hypotheses(evidence)

    def closest(sentence: int) -> Window:
        wanted = content_words(texts[sentence])
        return found[max(range(len(found)), key=lambda at: len(wanted & held[at]))]

    return [closest(sentence) for sentence in sentences]


def _what_was_read(found: ThirdReading, sentences: int) -> str:
    model = f"{found.model.model_id} at {found.model.host}"
    doubtful = len(found.answers) + len(found.unread)
    if not doubtful:
        return f"{model} was asked nothing: no sentence's support is in doubt."
    band = f"whose support by the models here is in doubt ({found.low:g} to {found.high:g})"
    text = f"{model} read {len(found.answers)} of the {doubtful} sentences {band}."
    if sentences == 1:
        text = f"{model} read the sentence, {band}." if found.answers else ""
    if not found.unread:
        return text
    why = found.problem or f"at most {MOST_ASKED} are asked about in an audit."
    return (
        f"{text} {'It' if sentences == 1 else 'The others'} kept the reading of the models here: "
        f"{why}"
    ).strip()
