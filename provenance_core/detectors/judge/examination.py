"""A cross-examination (LMvLM: Cohen et al. 2023, "LM vs LM"; RAGTruth, section 5.1).

One model, the examiner, has the statements of an answer and not the context. It questions another
model, the examinee, which has the context and not the answer, and then decides which statements the
replies bear out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from provenance_core.detectors.judge.client import Endpoint, Judged, read_or_ask_again
from provenance_core.detectors.judge.reply import MalformedReply, json_object
from provenance_core.types import ExaminationTurn

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

# The first questions and at most two follow-ups: in the paper most examinations end by then.
MOST_TURNS = 3
DONE = "DONE"

OPENING = """\
You check an answer by questioning a witness. The witness has read the source documents and has \
not seen the answer. You have the answer and have not read the documents.
{query}Statements of the answer:
{statements}
Ask the witness short questions whose replies will show whether each statement agrees with the \
documents. Do not reveal what the answer states. Write the questions alone, one on each line.\
"""
TESTIMONY = """\
Documents:
{context}

Reply to each of these questions from the documents alone, one reply on each line. Where the \
documents do not say, reply: The documents do not say.
{questions}\
"""
FOLLOW_UP = """\
The witness replied:
{replies}
If you need more to decide, write your further questions alone, one on each line. If not, write \
DONE and nothing else.\
"""
DECISION = """\
{replies}Decide now. A statement is incorrect if a reply contradicts it, or if the replies do not \
bear it out. Reply with a JSON object alone, in this format:
{{"incorrect_statements": [the numbers of the incorrect statements; empty if there are none]}}\
"""


@dataclass(frozen=True, slots=True)
class Examined:
    """``turns``: in order. ``decision``: the examiner's conclusion, with the indices of the
    incorrect statements from 0, in order."""

    turns: tuple[ExaminationTurn, ...]
    decision: Judged[tuple[int, ...]]


def examine(
    endpoint: Endpoint,
    query: str,
    context: Sequence[str],
    statements: Sequence[str],
    progress: Callable[[float], None],
) -> Examined:
    """Question the examinee about the context, and decide which statements are incorrect.
    ``progress`` is called with the share that is done, in [0, 1]. Raises JudgeReplyError if the
    conclusion cannot be read or the endpoint refuses the texts, and JudgeError if it fails."""
    asked = f"Query: {query}\n" if query.strip() else ""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(statements, start=1))
    messages = [_user(OPENING.format(query=asked, statements=numbered))]
    turns: list[ExaminationTurn] = []
    while len(turns) < MOST_TURNS:
        at = partial(progress, len(turns) / (MOST_TURNS + 1))
        questions = endpoint.reply(messages, at).strip()
        messages.append({"role": "assistant", "content": questions})
        if turns and _is_done(questions):
            break
        replies = _testimony(endpoint, context, questions, at)
        turns.append(ExaminationTurn(questions, replies))
        if len(turns) < MOST_TURNS:
            messages.append(_user(FOLLOW_UP.format(replies=replies)))
    last = f"The witness replied:\n{turns[-1].replies}\n" if len(turns) == MOST_TURNS else ""
    messages.append(_user(DECISION.format(replies=last)))
    share = MOST_TURNS / (MOST_TURNS + 1)
    decision = read_or_ask_again(
        endpoint,
        messages,
        partial(read_decision, count=len(statements)),
        lambda done: progress(share + done * (1 - share)),
    )
    return Examined(tuple(turns), decision)


def read_decision(reply: str, count: int) -> tuple[int, ...]:
    """Indices from 0 of the statements, of ``count``, that a conclusion calls incorrect, in order.

    Raises MalformedReply for anything but the JSON object that was asked for.

    >>> read_decision('{"incorrect_statements": [2]}', count=3)
    (1,)
    """
    found = json_object(reply).get("incorrect_statements")
    if not isinstance(found, list):
        raise MalformedReply('"incorrect_statements" is not a list of numbers')
    for number in found:
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= count:
            raise MalformedReply(
                f"there is no statement {json.dumps(number)}: they are 1 to {count}"
            )
    return tuple(sorted({number - 1 for number in found}))


def _testimony(
    endpoint: Endpoint, context: Sequence[str], questions: str, progress: Callable[[], None]
) -> str:
    """What the examinee replies. It is asked anew each time, so that it has the context alone."""
    texts = "\n\n".join(text for text in context if text.strip())
    asked = _user(TESTIMONY.format(context=texts, questions=questions))
    return endpoint.reply([asked], progress, endpoint.settings.examinee_id).strip()


def _user(text: str) -> ChatCompletionMessageParam:
    return {"role": "user", "content": text}


def _is_done(questions: str) -> bool:
    return questions.strip(" .*`\"'\n").upper() == DONE
