"""The attributes of the OpenInference and the GenAI conventions, read into a span.

The names are those of ``openinference.semconv.trace`` (openinference-semantic-conventions 0.1.42):
https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
and of OpenTelemetry's GenAI conventions (``gen_ai.*``, semantic-conventions 1.37, with the
numbered prompts and completions that OpenLLMetry wrote before):
https://opentelemetry.io/docs/specs/semconv/gen-ai/
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from provenance_core.files.traces.types import TraceSpan
from provenance_core.files.values.context_texts import context_texts
from provenance_core.files.values.scalars import scalar_text

# Where chains keep question and answer, in this order. The conventions leave that open: these are
# the keys of LangChain's chains, of LangGraph's tutorials and of LlamaIndex's query engines.
QUESTION_KEYS = (
    "input",
    "question",
    "query",
    "user_input",
    "query_bundle",
    "query_str",
    "messages",
    "prompt",
)
ANSWER_KEYS = (
    "answer",
    "output",
    "result",
    "response",
    "output_text",
    "generation",
    "text",
    "messages",
)
# Where a message that was written as JSON keeps its text.
_MESSAGE_KEYS = ("kwargs", "data", "content", "parts", "text", "message", "choices", "value")
_TEXT_PARTS = ("text", "output_text", "input_text")
# What GenAI spans do, as kinds of OpenInference.
_OPERATIONS = {
    "retrieval": "retriever",
    "chat": "llm",
    "generate_content": "llm",
    "text_completion": "llm",
    "embeddings": "embedding",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "create_agent": "agent",
}

_DOCUMENT = re.compile(r"retrieval\.documents\.(\d+)(?:\.(?:document\.)?content)?")
_RERANKED = re.compile(r"reranker\.output_documents\.(\d+)(?:\.(?:document\.)?content)?")
_GIVEN = re.compile(r"reranker\.input_documents\.(\d+)(?:\.(?:document\.)?content)?")
_PROMPT = re.compile(r"gen_ai\.prompt\.(\d+)\.content")
_COMPLETION = re.compile(r"gen_ai\.completion\.(\d+)\.content")
_SAID = re.compile(
    r"llm\.output_messages\.(\d+)\.message\."
    r"(?:content|contents\.\d+\.message_content\.text)"
)


def read_span(
    attributes: Mapping[str, object],
    *,
    span_id: str,
    parent: str,
    kind: str = "",
    start: float | None = None,
    end: float | None = None,
) -> TraceSpan:
    """Read what a span says of query, answer and documents. Query and answer are "" where no text
    is found in them."""
    operation = _OPERATIONS.get(_text(attributes.get("gen_ai.operation.name")).casefold(), "")
    kind = (kind or _text(attributes.get("openinference.span.kind")) or operation).casefold()
    reranker = kind == "reranker"
    said = "\n".join(_numbered(attributes, _SAID)) if kind == "llm" else ""
    return TraceSpan(
        span_id,
        parent,
        kind,
        start,
        end,
        query=_side(attributes, "input", QUESTION_KEYS) or _asked(attributes),
        answer=said or _side(attributes, "output", ANSWER_KEYS) or _answered(attributes),
        documents=_numbered(attributes, _RERANKED if reranker else _DOCUMENT)
        or _documents(attributes),
        given=_numbered(attributes, _GIVEN) if reranker else (),
    )


def _asked(attributes: Mapping[str, object]) -> str:
    """What a GenAI span was asked."""
    given = attributes.get("gen_ai.retrieval.query.text") or attributes.get("gen_ai.input.messages")
    return text_under(given, QUESTION_KEYS) or _last(_numbered(attributes, _PROMPT))


def _answered(attributes: Mapping[str, object]) -> str:
    """What a GenAI span answered."""
    said = text_under(attributes.get("gen_ai.output.messages"), ANSWER_KEYS)
    return said or _last(_numbered(attributes, _COMPLETION))


def _documents(attributes: Mapping[str, object]) -> tuple[str, ...]:
    """What a GenAI span retrieved, where it keeps that in one attribute."""
    given = attributes.get("gen_ai.retrieval.documents")
    return () if given is None else context_texts(given, "gen_ai.retrieval.documents")


def _last(texts: Sequence[str]) -> str:
    return texts[-1] if texts else ""


def _text(value: object) -> str:
    return scalar_text(value) or ""


def _numbered(attributes: Mapping[str, object], pattern: re.Pattern[str]) -> tuple[str, ...]:
    """The texts of the attributes that the pattern fits, in the order of their numbers."""
    found = [
        (int(match[1]), _text(value))
        for name, value in attributes.items()
        if (match := pattern.fullmatch(name))
    ]
    return tuple(text for _, text in sorted(found, key=lambda each: each[0]) if text.strip())


def _side(attributes: Mapping[str, object], side: str, keys: Sequence[str]) -> str:
    """``input.value`` or ``output.value``; of JSON, the text that stands under one of the keys."""
    value = _text(attributes.get(f"{side}.value"))
    if attributes.get(f"{side}.mime_type") != "application/json":
        return value
    return text_under(value, keys)


def text_under(value: object, keys: Sequence[str]) -> str:
    """The text under one of the keys in a value, which may be written as JSON; of a list of
    messages, that of the last. A text that is no JSON is the text itself."""
    try:
        read = json.loads(value) if isinstance(value, str) else value
        return (
            _text(value) if isinstance(read, int | float) else _found(read, (*keys, *_MESSAGE_KEYS))
        )
    except ValueError:
        return _text(value)
    except RecursionError:  # far deeper than any message
        return ""


def _found(value: object, keys: Sequence[str]) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return next((text for key in keys if (text := _found(value.get(key), keys))), "")
    if isinstance(value, list) and _are_parts(value):
        return "".join(_found(each, keys) for each in value if each["type"] in _TEXT_PARTS)
    # A list of texts is what a splitter returns: no answer.
    if isinstance(value, list) and value and isinstance(value[-1], dict):
        return _found(value[-1], keys)
    return ""


def _are_parts(value: list[object]) -> bool:
    """Whether a list is the parts of one message (text, a call of a tool, an image)."""
    kinds = [each.get("type") for each in value if isinstance(each, dict) and "role" not in each]
    return len(kinds) == len(value) and any(kind in _TEXT_PARTS for kind in kinds)
