"""Answers as the interfaces of models give them, with the passages that a search of theirs found:
OpenAI's Responses, and Gemini's grounded answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from provenance_core.errors import InputError
from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._steps import Fields, by_record
from provenance_core.files.formats._values import last_question
from provenance_core.files.records.entries import Record
from provenance_core.files.traces import ANSWER_KEYS, QUESTION_KEYS, text_under
from provenance_core.files.values.fields import identifier
from provenance_core.files.values.record_keys import value_at
from provenance_core.files.values.scalars import scalar_text

# Where a response stands in a record: alone, beside its request, in the output of a batch.
_PLACES = ("response.body.", "response.", "")
_ASKED = (
    "query", "question", "user_input", "prompt", "input", "contents", "request.input",
    "request.contents",
)  # fmt: skip
_INSTEAD = "write query, context and answer of each as one record"
_COLUMNS = tuple(
    column(name, name) for name in ("query", "context", "answer", "id", "source_model")
)


def _objects(value: object) -> list[Mapping[str, object]]:
    return [e for e in value if isinstance(e, Mapping)] if isinstance(value, list) else []


def _texts(value: object) -> list[str]:
    return [e for e in value if isinstance(e, str)] if isinstance(value, list) else []


def _either(fields: Mapping[str, object], camel: str, snake: str) -> object:
    """A value under its name in JSON, or under that of Python."""
    return fields.get(camel) or fields.get(snake)


def _part(record: Record, key: str) -> tuple[Mapping[str, object], object]:
    """The response of a record, and what it has under a key."""
    for place in _PLACES:
        if (found := value_at(record.fields, place + key)) is not None:
            whole = value_at(record.fields, place.rstrip(".")) if place else record.fields
            return (whole if isinstance(whole, Mapping) else {}), found
    failure = value_at(record.fields, "error.message") or value_at(record.fields, "error.code")
    why = f" ({scalar_text(failure)})" if failure else ""
    raise InputError(f"the request failed{why}: there is no answer")


def _asked(record: Record, searched: list[str]) -> str:
    """The question beside a response, else what was searched for."""
    given = (last_question(value_at(record.fields, key)) for key in _ASKED)
    found = (text_under(each, QUESTION_KEYS) if each is not None else "" for each in given)
    return next(filter(str.strip, found), "") or next(iter(searched), "")


def _row(record: Record, response: Mapping[str, object], **fields: object) -> Fields:
    name = identifier(record.fields, "custom_id", "key", "id", "responseId", "response_id")
    model = identifier(response, "model", "modelVersion", "model_version")
    return {"id": name, "source_model": model, **fields}


def _responses(record: Record) -> Iterator[Fields]:
    """The answer of a response, with what its searches and tools returned."""
    response, output = _part(record, "output")
    items = _objects(output)
    said = [text_under(each.get("content"), ANSWER_KEYS) for each in _of(items, "message")]
    searches = _of(items, "file_search_call")
    found = [hit for each in searches for hit in _objects(each.get("results"))]
    context: list[object] = [
        {"text": hit.get("text"), "title": hit.get("filename")} for hit in found if hit.get("text")
    ]
    for each in (*_of(items, "mcp_call"), *_of(items, "function_call_output")):
        context += filter(None, [scalar_text(each.get("output"))])
    if not context and searches:
        raise InputError(
            "the file search holds no results; ask for them with "
            'include=["file_search_call.results"]'
        )
    if not context:
        raise InputError(
            "no context: of OpenAI's responses, only those with results of a file search or of a "
            f"tool hold passages; {_INSTEAD}"
        )
    queries = [query for each in searches for query in _texts(each.get("queries"))]
    yield _row(
        record,
        response,
        query=_asked(record, queries),
        context=context,
        answer="\n".join(filter(None, said)),
    )


def _of(items: list[Mapping[str, object]], kind: str) -> list[Mapping[str, object]]:
    return [each for each in items if each.get("type") == kind]


def _candidates(record: Record) -> Iterator[Fields]:
    """Each candidate with the texts that it was grounded on."""
    response, found = _part(record, "candidates")
    candidates = _objects(found)
    contexts = [_grounds(each) for each in candidates]
    if candidates and not any(contexts):
        raise InputError(
            "no context: of Gemini's answers, only those with retrievedContext and its text in "
            f"groundingChunks hold passages (Google Search gives back addresses); {_INSTEAD}"
        )
    for number, (each, context) in enumerate(zip(candidates, contexts, strict=True), 1):
        metadata = _metadata(each)
        searched = _either(metadata, "retrievalQueries", "retrieval_queries") or _either(
            metadata, "webSearchQueries", "web_search_queries"
        )
        parts = _objects(value_at(each, "content.parts"))
        said = (scalar_text(part.get("text")) or "" for part in parts if not part.get("thought"))
        row = _row(
            record,
            response,
            query=_asked(record, _texts(searched)),
            context=context,
            answer="".join(said),
        )
        several = len(candidates) > 1
        yield {**row, "id": f"{row['id'] or record.line}-{number}"} if several else row


def _metadata(candidate: Mapping[str, object]) -> Mapping[str, object]:
    found = _either(candidate, "groundingMetadata", "grounding_metadata")
    return found if isinstance(found, Mapping) else {}


def _grounds(candidate: Mapping[str, object]) -> list[object]:
    """The passages of a candidate, with their titles."""
    chunks = _objects(_either(_metadata(candidate), "groundingChunks", "grounding_chunks"))
    retrieved = [_either(each, "retrievedContext", "retrieved_context") for each in chunks]
    found: list[object] = []
    for each in _objects(retrieved):
        ragged = _either(each, "ragChunk", "rag_chunk")
        text = each.get("text") or (ragged.get("text") if isinstance(ragged, Mapping) else None)
        if text:
            found.append({"text": text, "title": each.get("title")})
    return found


def _anywhere(*names: str) -> tuple[frozenset[str], ...]:
    return tuple(keys(*(place + name for name in names)) for place in _PLACES)


RESPONSES = Format(
    name="openai",
    title="OpenAI responses",
    files="answers of the Responses API, one a record, also in the output of its Batch API or "
    "beside their request, as .jsonl or .json: with the results of their file searches "
    '(include=["file_search_call.results"]) or what tools returned. The question stands beside '
    "the response, under question or input; without one, the query is what was searched for",
    keys=_anywhere("object", "output", "created_at"),
    columns=_COLUMNS,
    step=by_record(_responses),
    versions="shape from the documentation",
    source="`Response` and `ResponseFileSearchToolCall` of OpenAI's Python package",
)
GEMINI = Format(
    name="gemini",
    title="Gemini answers",
    files="answers of generateContent, one a record, also of a batch or beside their request, as "
    ".jsonl or .json: grounded on a data store or a file search, with the texts in "
    "groundingChunks. Each candidate is a row",
    keys=tuple(
        found
        for name in ("usageMetadata", "usage_metadata", "modelVersion", "model_version")
        for found in _anywhere("candidates", name)
    ),
    known=lambda held: any(
        f"{place}candidates" in held
        and any(
            key.startswith((f"{place}usageMetadata", f"{place}usage_metadata"))
            or key in (f"{place}modelVersion", f"{place}model_version")
            for key in held
        )
        for place in _PLACES
    ),
    columns=_COLUMNS,
    step=by_record(_candidates),
    versions="shape from the documentation",
    source="`GenerateContentResponse` and `GroundingMetadata`",
)
