"""What must hold of splitter, structured context and the phrases of corrections."""

from __future__ import annotations

import json
from itertools import pairwise

from provenance_core import InputError
from provenance_core.findings.phrases import exchangeable_details, find_clauses, word_bounds
from provenance_core.findings.replacements import exchanged, merged, substitutes, without
from provenance_core.text.input_checks import check_context
from provenance_core.text.splitting import fitting_bounds, sentence_bounds, split_long
from provenance_core.text.structured_context import verbalise


def tiles(bounds: list[tuple[int, int]], text: str) -> None:
    assert "".join(text[a:b] for a, b in bounds) == text
    assert all(a < b for a, b in bounds)
    assert all(b == c for (_, b), (c, _) in pairwise(bounds))


def _words(parts: list[str]) -> list[int]:
    return [len(part.split()) + len(part) // 8 for part in parts]


def sentences_tile(text: str, limit: int) -> None:
    bounds = sentence_bounds(text)
    tiles(bounds, text)
    tiles(split_long(text, bounds, limit, _words), text)
    if text:
        tiles(fitting_bounds(text, limit, _words), text)


def structured_context(value: object, text: str) -> None:
    dumped = [json.dumps(value), repr(value), text]
    try:
        items, _ = check_context(dumped)
        found, _, _ = verbalise(items)
    except InputError as error:
        assert "Context item" in str(error) or "ontext" in str(error)
        return
    for item in found:
        item.text.encode("utf-8")
        assert "\x00" not in item.text


def phrases(text: str, source: str) -> None:
    for a, b in [*word_bounds(text), *find_clauses(text)]:
        assert 0 <= a < b <= len(text)
    details = exchangeable_details(text)
    spans = [(each.start, each.end) for each in details]
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    for span in spans[:4]:
        others = [other for other in spans if other != span]
        for new in substitutes(text, span, source)[:3]:
            exchanged(text, span, new, others)
    without(text, merged(spans))
