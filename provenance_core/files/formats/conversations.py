"""Conversations: each turn of the assistant is a row, with what was retrieved for it.

The query is the turns before; where that is one question, the question alone. What was retrieved
stands in the turn itself, or in messages of a tool since the turn before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.formats._values import from_json
from provenance_core.files.records.entries import Record
from provenance_core.files.traces import ANSWER_KEYS, text_under
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.fields import identifier
from provenance_core.files.values.record_keys import value_at

_LISTS = ("messages", "conversation", "conversations", "turns", "user_input", "chat", "dialog")
_ROLES = ("role", "from", "type", "speaker")
_ASSISTANT = ("assistant", "ai", "gpt", "bot", "model", "chatbot")
_USER = ("user", "human", "customer", "question")
_TOOL = ("tool", "function", "retriever", "context", "documents")
_PASSAGES = (
    "retrieval_context", "retrieved_contexts", "retrieved_documents", "contexts",
    "context.citations", "context", "documents", "sources", "citations", "passages",
)  # fmt: skip
_TEXTS = ("content", "value", "text", "parts", "message")


def _turns(record: Record) -> Iterator[Fields]:
    messages = next(filter(_is_list, (from_json(record.fields.get(key)) for key in _LISTS)), [])
    if not isinstance(messages, list):
        messages = []
    name = identifier(record.fields, "id", "conversation_id", "name")
    whole = _passages(record.fields)
    before: list[tuple[str, str]] = []
    retrieved: list[str] = []
    number = 0
    for message in filter(lambda each: isinstance(each, Mapping), messages):
        role = str(next((message[key] for key in _ROLES if message.get(key)), "")).casefold()
        said = "" if role in _TOOL else text_under(_first(message), ANSWER_KEYS)
        if role in _TOOL:
            retrieved += context_texts(from_json(_first(message)), "content")
        elif role in _ASSISTANT and said.strip():
            number += 1
            context = (*retrieved, *_passages(message)) or whole
            if not any(asker in _USER for asker, _ in before):
                raise InputError("the assistant speaks before anybody asked; leave the row out")
            yield {
                "query": _asked(before), "context": tuple(dict.fromkeys(context)), "answer": said,
                "id": f"{name}-{number}" if name else f"{record.line}-{number}", "group": name,
            }  # fmt: skip
            retrieved = []
        if said.strip() and role in (*_ASSISTANT, *_USER):
            before.append((role, said))
        if role in _USER:
            retrieved += _passages(message)
    if not number:
        raise InputError("the conversation has no turn of an assistant; leave it out")


def _is_list(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(each, Mapping) for each in value)


def _first(message: Mapping[str, object]) -> object:
    return next((message[key] for key in _TEXTS if message.get(key)), "")


def _passages(fields: Mapping[str, object]) -> tuple[str, ...]:
    found = next(filter(None, (value_at(fields, key) for key in _PASSAGES)), None)
    return () if found is None else context_texts(from_json(found), "context")


def _asked(before: list[tuple[str, str]]) -> str:
    if len(before) == 1:
        return before[0][1]
    return "\n".join(f"{'User' if role in _USER else 'Assistant'}: {said}" for role, said in before)


FORMAT = Format(
    name="conversations",
    title="Conversations",
    files="messages with role and content as OpenAI has them, conversational goldens and test "
    "cases of DeepEval (turns), multi-turn samples of ragas, ShareGPT: one conversation a record, "
    "as .jsonl, .json, .csv or .parquet; passages in the turn, in a tool's message, or beside the "
    "list",
    keys=(
        *(keys(name) for name in _LISTS if name != "user_input"),
        keys("user_input", "reference_topics"),
        keys("user_input", "reference_tool_calls"),
    ),
    columns=tuple(column(name, name) for name in ("query", "context", "answer", "id", "group")),
    step=by_record(_turns),
    versions="shape from the documentation (OpenAI chat completions, DeepEval 4.3.1, ragas 0.4.3)",
    source="`messages` of OpenAI's API, `ConversationalTestCase`, `MultiTurnSample`",
)
