"""What search engines and vector stores return, and blocks of messages: where the passages are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from provenance_core.errors import InputError

# Where a response has its passages: Elasticsearch, OpenSearch, Pinecone, Qdrant, Azure AI Search.
_LISTS = (
    "hits.hits", "hits", "matches", "result.points", "result", "points", "results", "value",
    "objects", "documents", "passages", "chunks", "nodes",
)  # fmt: skip
_TEXT_LISTS = ("documents", "passages", "chunks")
_BESIDE = frozenset(("metadatas", "ids"))  # documents of Chroma
# Where a passage of one has its fields, and these its text.
FIELDS = ("_source", "payload", "entity", "properties", "metadata", "fields")
FIELD_TEXTS = ("text", "content", "page_content", "chunk", "chunk_text", "passage", "body")
_NAMES = ("source", "file_name")


def passages_in(response: Mapping[str, object]) -> list[object] | None:
    """The passages of what a search returned, as objects; None for any other object."""
    if _has_columns(response):
        return list(_columns(response))
    named = [_at(response, key) for key in _LISTS]
    by_class = _at(response, "data.Get")  # Weaviate
    named += by_class.values() if isinstance(by_class, Mapping) else ()
    lists = (each for each in named if isinstance(each, list))
    found = next((each for each in lists if all(isinstance(one, Mapping) for one in each)), None)
    texts = (response.get(key) for key in _TEXT_LISTS) if found is None else ()
    plain = (each for each in texts if isinstance(each, list))
    return next((each for each in plain if all(isinstance(one, str) for one in each)), found)


def is_response(value: Mapping[str, object]) -> bool:
    """Whether an object is, as a whole, what a search returned: Chroma, Elasticsearch, Pinecone."""
    lists = (_at(value, "hits.hits"), value.get("matches"))
    return _has_columns(value) or any(isinstance(each, list) for each in lists)


def _has_columns(response: Mapping[str, object]) -> bool:
    return isinstance(response.get("documents"), list) and not _BESIDE.isdisjoint(response)


def _at(value: object, path: str) -> object:
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def are_results(found: object) -> bool:
    """Whether passages have their fields where those of a search have them."""
    items = found if isinstance(found, list) else []
    return bool(items) and all(
        isinstance(each, Mapping) and any(isinstance(each.get(key), Mapping) for key in FIELDS)
        for each in items
    )


def _columns(response: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Texts, metadata and ids that Chroma returns side by side, a list for each query."""
    metadata, ids = _flat(response.get("metadatas")), _flat(response.get("ids"))
    for at, text in enumerate(_flat(response.get("documents"))):
        about = metadata[at] if at < len(metadata) else None
        fields = {**about, "text": text} if isinstance(about, Mapping) else {"text": text}
        yield {"id": ids[at] if at < len(ids) else "", "payload": fields}


def _flat(value: object) -> list[object]:
    found = value if isinstance(value, list) else []
    return [one for each in found for one in (each if isinstance(each, list) else [each])]


def passage_name(passage: Mapping[str, object], fields: str) -> str:
    """The source of a passage without a title, else its id."""
    about = passage.get(fields)
    sources = [about.get(name) for name in _NAMES] if isinstance(about, Mapping) else []
    found = (*sources, passage.get("id"), passage.get("_id"))
    return next((str(each) for each in found if isinstance(each, str | int) and each != ""), "")


def block_text(block: Mapping[str, object], key: str) -> str | None:
    """The text of a block of a message that holds a document or a result of a search; None for any
    other object. Raises InputError where the text is not in the file."""
    source = block.get("source")
    if block.get("type") == "search_result":
        return _joined(block.get("content"))
    if block.get("type") != "document" or not isinstance(source, Mapping):
        return None
    if source.get("type") not in ("text", "content"):
        raise InputError(
            f"a document in {key} is given as {source.get('media_type') or source.get('type')}, "
            "and its text is not in the file; write its text as the context"
        )
    return _joined(source.get("data") or source.get("content"))


def _joined(value: object) -> str | None:
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str)) or None
