"""Conversations: each turn of the assistant is a row, with what was retrieved for it.

The query is the turns before; where that is one question, the question alone. What was retrieved
stands in the turn itself, in messages of a tool since the turn before, or beside the messages. A
turn may be one object with question and answer; one that calls a tool is no answer. Where the
messages end with a question and an answer stands beside them, that answer is a row, with what
stands beside them as its context.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

from provenance_core.errors import InputError
from provenance_core.files.field_names import field_of
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._messages import message_list, message_text
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.formats._traces import documents_in
from provenance_core.files.formats._values import from_json
from provenance_core.files.records.entries import Entry, Note, Record
from provenance_core.files.traces import ANSWER_KEYS, text_under
from provenance_core.files.types import BatchOptions
from provenance_core.files.values.context_texts import context_items, context_texts
from provenance_core.files.values.fields import identifier
from provenance_core.files.values.labels import read_label
from provenance_core.files.values.record_keys import value_at
from provenance_core.files.values.scalars import scalar_text
from provenance_core.types import ContextItem

_LISTS = (
    "messages", "conversation", "conversation.messages", "inputs.conversation.messages",
    "conversations", "turns", "user_input", "chat", "dialog", "input",
)  # fmt: skip
_ROLES = ("role", "from", "type", "speaker", "sender")
_ASSISTANT = ("assistant", "ai", "gpt", "bot", "model", "chatbot", "agent")
_USER = ("user", "human", "customer", "question")
# The number of a message in its conversation.
_PLACES = ("turn", "turn_id", "turn_index", "turn_number", "message_index", "position")
_PAIR = "of a turn"  # marks the answer of a turn with both sides; its label stands there
_TOOL = ("tool", "function", "retriever", "context", "documents")
_PASSAGES = (
    "retrieval_context", "retrieved_contexts", "retrieved_context", "retrieved_documents",
    "contexts", "context.citations", "context", "documents", "sources", "citations", "passages",
)  # fmt: skip
_TEXTS = ("content", "value", "text", "parts", "message")
_BESIDE = ("response", "answer", "output", "prediction", "predictions", "completion")
_CONVERSATION = ("conversation_id", "thread_id", "session_id", "chat_id", "dialog_id", "trace_id")


def _turns(record: Record) -> Iterator[Fields]:
    found = (_messages(value_at(record.fields, key)) for key in _LISTS)
    messages: list[Mapping[str, object]] = next(filter(None, found), [])
    name = identifier(record.fields, "id", "conversation_id", "name")
    whole = _passages(record.fields)
    beside = _answer_beside(record.fields)
    before: list[tuple[str, str]] = []
    documents: list[str | ContextItem] = []
    retrieved: list[str] = []
    number = 0
    for message in messages:
        role = _role(message)
        said = "" if role in _TOOL else _said(message)
        if role in _TOOL:
            retrieved += _returned(_first(message))
        elif role in _ASSISTANT and (said.strip() or _PAIR in message) and not _calls_tool(message):
            number += 1
            own = (*documents, *retrieved, *_passages(message))
            context = own or (() if beside else whole)
            if not any(asker in _USER for asker, _ in before):
                raise InputError("the assistant speaks before anybody asked; leave the row out")
            if context or not beside:
                row = _row(record, name, number, before, context, said)
                label = message.get(_PAIR)
                yield row if label is None else {**row, "label": label}
            retrieved = []
        if said.strip() and role in (*_ASSISTANT, *_USER) and not _calls_tool(message):
            before.append((role, said))
        if role in _USER:
            retrieved += [*_passages(message), *_results(message)]
            documents += _documents(message)
    if beside and before and before[-1][0] in _USER:
        number += 1
        yield _row(record, name, number, before, (*documents, *retrieved, *whole), beside)
    if not number:
        raise InputError("the conversation has no turn of an assistant; leave it out")


def _row(
    record: Record,
    name: str,
    number: int,
    before: list[tuple[str, str]],
    context: tuple[str | ContextItem, ...],
    said: str,
) -> Fields:
    return {
        "query": _asked(before), "context": tuple(dict.fromkeys(context)), "answer": said,
        "id": f"{name}-{number}" if name else f"{record.line}-{number}", "group": name, "label": "",
    }  # fmt: skip


def _messages(value: object) -> list[Mapping[str, object]]:
    """The messages of a list, of an object with one, or of either written into a text."""
    found = from_json(value)
    if isinstance(found, str) and found.lstrip().startswith("["):
        found = message_list(found)
    if isinstance(found, Mapping):
        found = found.get("messages")
    listed = [e for e in found if isinstance(e, Mapping)] if isinstance(found, list) else []
    return [message for turn in _in_order(listed) for message in _sides(turn)]


def _in_order(messages: list[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Messages by their numbers, where each has one; else as they stand."""
    for key in _PLACES:
        places = [_number(message.get(key)) for message in messages]
        if None not in places:
            order = sorted(zip(places, range(len(messages)), strict=True), key=itemgetter(0))
            return [messages[at] for _, at in order]
    return messages


def _number(value: object) -> float | None:
    try:
        return float(scalar_text(value) or "")
    except ValueError:  # an InputError is one
        return None


def _sides(turn: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The two messages of a turn that holds question and answer, the second with its passages and
    label; any other message alone."""
    by_field = {field_of(key): turn[key] for key in reversed([*turn])}
    asked = by_field.get("query", turn.get("user"))
    said = by_field.get("answer", turn.get("assistant"))
    if any(turn.get(key) for key in _ROLES) or not isinstance(asked, str):
        return [turn]
    answer = {"role": "assistant", "content": said or "", "context": by_field.get("context")}
    question = {"role": "user", "content": asked}
    return [question, {**answer, _PAIR: _label(turn)}]


def _label(turn: Mapping[str, object]) -> object:
    key = next((key for key in turn if field_of(key) == "label"), "")
    try:
        return read_label(turn.get(key), key)  # what a 1 means, its key says
    except InputError:
        return turn.get(key)


def _role(message: Mapping[str, object]) -> str:
    return str(next((message[key] for key in _ROLES if message.get(key)), "")).casefold()


def _first(message: Mapping[str, object]) -> object:
    return next((message[key] for key in _TEXTS if message.get(key)), "")


def _said(message: Mapping[str, object]) -> str:
    """The text of a message; none where it holds nothing but what a tool returned."""
    returned = _parts(message, "tool_result") and not _parts(message, "text")
    return "" if returned else text_under(_first(message), ANSWER_KEYS)


def _parts(message: Mapping[str, object], kind: str) -> list[Mapping[str, object]]:
    """The parts of a message that are of a kind: a call of a tool, or what it returned."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return [each for each in parts if isinstance(each, Mapping) and each.get("type") == kind]


def _calls_tool(message: Mapping[str, object]) -> bool:
    return bool(message.get("tool_calls") or _parts(message, "tool_use"))


def _documents(message: Mapping[str, object]) -> list[str | ContextItem]:
    """The documents and results of a search that a message holds beside its text. They are read in
    each later turn, too."""
    blocks = [part for kind in ("document", "search_result") for part in _parts(message, kind)]
    items = context_items(blocks, "content")
    return [replace(item, index=0) if item.name else item.text for item in items]


def _results(message: Mapping[str, object]) -> list[str]:
    """What tools returned, where it stands in a message of the user."""
    found = (_returned(part.get("content")) for part in _parts(message, "tool_result"))
    return [text for texts in found for text in texts]


def _returned(value: object) -> tuple[str, ...]:
    """The passages that a tool returned; of any other data, the data as one."""
    found = from_json(value)
    try:
        return documents_in(found) or context_texts(found, "content")
    except InputError:
        text = scalar_text(value)
        return (json.dumps(value, ensure_ascii=False) if text is None else text,)


def _answer_beside(fields: Mapping[str, object]) -> str:
    found = (scalar_text(message_text(fields.get(key))) or "" for key in _BESIDE)
    given = next(filter(str.strip, found), "")
    return given or text_under(fields.get("predictions"), ANSWER_KEYS)


def _passages(fields: Mapping[str, object]) -> tuple[str, ...]:
    found = next(filter(None, (value_at(fields, key) for key in _PASSAGES)), None)
    return () if found is None else context_texts(from_json(found), "context")


def _asked(before: list[tuple[str, str]]) -> str:
    if len(before) == 1:
        return before[0][1]
    return "\n".join(f"{'User' if role in _USER else 'Assistant'}: {said}" for role, said in before)


def _joined(_path: Path, entries: Iterable[Entry], options: BatchOptions) -> Iterator[Entry | Note]:
    """The rows of messages that stand one a record: those of a conversation follow each other."""
    found: dict[str, Record] = {}
    for entry in entries:
        if not isinstance(entry, Record):
            yield entry
            continue
        name = identifier(entry.fields, *_CONVERSATION)
        whole = found.setdefault(name, Record(entry.line, {"id": name, "messages": []}, entry.unit))
        messages = whole.fields["messages"]
        if isinstance(messages, list):
            messages.append(entry.fields)
    for whole in found.values():
        whole.fields["messages"] = _messages(whole.fields["messages"])
    yield from by_record(_turns)(_path, found.values(), options)


def _one_by_one(
    path: Path, entries: Iterable[Entry], options: BatchOptions
) -> Iterator[Entry | Note]:
    """The rows of conversations, also where one record holds several."""
    yield from by_record(_turns)(path, _single(entries), options)


def _single(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        found = (
            _messages(value_at(entry.fields, key)) for key in _LISTS if isinstance(entry, Record)
        )
        inner = next(filter(None, found), [])
        if inner and all(any(isinstance(one.get(key), list) for key in _LISTS) for one in inner):
            yield from (Record(entry.line, dict(one), entry.unit) for one in inner)
        else:
            yield entry


_KEYS = (
    *(keys(name) for name in _LISTS if name not in ("user_input", "input")),
    keys("input", "contexts", "predictions"),
    keys("user_input", "reference_topics"),
    keys("user_input", "reference_tool_calls"),
)
# Multi-turn samples of ragas have no other keys; their messages are the user's input.
_TURNS_OF_RAGAS = keys(
    "", "user_input", "reference", "reference_topics", "reference_tool_calls", "rubrics"
)


def _known(held: Set[str]) -> bool:
    return any(held >= wanted for wanted in _KEYS) or (
        "user_input" in held and held <= _TURNS_OF_RAGAS
    )


FORMAT = Format(
    name="conversations",
    title="Conversations",
    files="messages with role and content as OpenAI has them, conversational goldens and test "
    "cases of DeepEval (turns), multi-turn samples of ragas, ShareGPT: one conversation a record, "
    "as .jsonl, .json, .csv or .parquet; passages in the turn, in a tool's message, or beside the "
    "list; conversations of Azure's evaluators",
    keys=_KEYS,
    known=_known,
    columns=tuple(
        column(name, name) for name in ("query", "context", "answer", "id", "group", "label")
    ),
    step=_one_by_one,
    versions="DeepEval 4.3.1, ragas 0.4.3; OpenAI's chat completions from the documentation",
    source="`messages` of OpenAI's API, `ConversationalTestCase`, `MultiTurnSample`",
)

MESSAGES = Format(
    name="messages",
    title="Messages",
    files="one message a record with its role, in the order in which they were said, as .jsonl, "
    f".json, .csv or .parquet; those with the same {', '.join(_CONVERSATION)} are one conversation",
    keys=tuple(
        keys(*pair)
        for pair in (
            ("role", "content"), ("role", "message"), ("sender", "message"), ("from", "value"),
            ("speaker", "text"),
        )
    ),
    columns=FORMAT.columns,
    step=_joined,
    versions="shape from the documentation (OpenAI chat completions)",
    source="`role` and `content` of a message",
)  # fmt: skip
