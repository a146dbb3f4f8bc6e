"""The hallucination detection prompts of RAGTruth's appendix C (its Table 10), word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from provenance_core.types import JudgePrompt

_FORMAT = """\
Please provide a response in the following format:
{"hallucination_detected": "yes/no",
"hallucinated_span": "If yes, the exact span of every hallucinated text part in list format; \
if no, leave this empty."}"""

PROMPTS: Mapping[JudgePrompt, str] = MappingProxyType(
    {
        JudgePrompt.SUMMARIZATION: """\
Article: {context}
Summary: {answer}
Please analyze the provided summary and indicate whether there are any hallucinated (invented or \
incorrect) parts. If there are, please specify the exact span that is hallucinated.
"""
        + _FORMAT,
        JudgePrompt.QUESTION_ANSWERING: """\
Passages: {context}
Question: {query}
Answer: {answer}
Please analyze the provided Passages, Question, and Answer, and indicate whether there are any \
hallucinated (invented or incorrect) parts in the answer. If there are, please specify the exact \
span that is hallucinated.
"""
        + _FORMAT,
        JudgePrompt.DATA_TO_TEXT: """\
Information: {context}
Overview: {answer}
Please analyze the provided business information and its overview, and indicate whether there are \
any hallucinated (invented or incorrect) parts in the answer. If there are, please specify the \
exact span that is hallucinated.
"""
        + _FORMAT,
    }
)
_PLACE = re.compile(r"\{(context|query|answer)\}")


def choose_prompt(query: str, context: Sequence[str]) -> JudgePrompt:
    """Choose the prompt of RAGTruth that fits the texts. Question answering with a query; without
    one, data-to-text where every context item with text is a JSON object or list, else
    summarization.

    >>> choose_prompt("Who built it?", ["Ann built it."]).name
    'QUESTION_ANSWERING'
    >>> choose_prompt("", ['{"builder": "Ann"}']).name
    'DATA_TO_TEXT'
    """
    if query.strip():
        return JudgePrompt.QUESTION_ANSWERING
    filled = [text for text in context if text.strip()]
    if filled and all(map(_is_data, filled)):
        return JudgePrompt.DATA_TO_TEXT
    return JudgePrompt.SUMMARIZATION


def fill_prompt(prompt: JudgePrompt, query: str, context: Sequence[str], answer: str) -> str:
    """Put the texts into a prompt, none of them changed. Several context items are parted by an
    empty line, and for a question numbered as RAGTruth numbers them ("passage 1:"). Items without
    text are left out."""
    filled = [text for text in context if text.strip()]
    if prompt is JudgePrompt.QUESTION_ANSWERING and len(filled) > 1:
        filled = [f"passage {number}:{text}" for number, text in enumerate(filled, start=1)]
    texts = {"context": "\n\n".join(filled), "query": query, "answer": answer}
    # One pass, so that a text which holds "{answer}" stays as it is.
    return _PLACE.sub(lambda place: texts[place[1]], PROMPTS[prompt])


def _is_data(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
