"""Which spans of a trace answer, and with which documents.

1. A span with an output and documents below it answers; of such spans within each other, the
   outermost.
2. Below a span where there is none, the last outermost span with an output answers which began
   after documents had been retrieved: beside it, or below what stands beside it.
3. So no document counts for two answers, and no answer is found twice. What stands below a span of
   kind EVALUATOR or GUARDRAIL is passed over.
4. Of retrievers within each other the outermost with documents counts. A reranker takes away the
   documents that it was given, and puts those that it returned. One that does not say what it was
   given takes away all.
5. The query is the input of the answering span; of a language model, and by the second rule, it is
   the input of a span above it, or what the first retriever was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from provenance_core.files.traces.types import JUDGING, NO_ANSWER_BELOW, TracedAnswer, TraceSpan


@dataclass(slots=True)
class _Node:
    """A span in its tree. ``above`` is None for the outermost. ``silent``: no answer, nor below.
    ``has_documents``, ``has_answers``: this span or one below it. ``closed``: within an answer.
    ``done``: an answer was found in it."""

    span: TraceSpan
    above: _Node | None = None
    below: list[_Node] = field(default_factory=list)
    silent: bool = False
    has_documents: bool = False
    has_answers: bool = False
    closed: bool = False
    done: bool = False

    @property
    def answers(self) -> bool:
        return not self.silent and self.span.answers


def answers_of(spans: Iterable[TraceSpan]) -> tuple[TracedAnswer, ...]:
    """Find the answers of one trace, each once. In the order in which their spans began; none where
    there is no answer or no document."""
    nodes = _tree(spans)
    found: list[tuple[_Node, TracedAnswer]] = []
    for node in nodes:  # from above to below
        if node.above is not None and node.above.closed:
            node.closed = True
        elif node.answers and node.has_documents:
            node.closed = node.done = True
            own = "" if node.span.kind == "llm" else node.span.query
            found.append((node, _answer(node, _retrieved(node, inf), own)))
    for node in reversed(nodes):  # from below to above
        if not node.closed and (answer := _among(node.below)):
            node.done = True
            found.append(answer)
        if node.done and node.above is not None:
            node.above.done = True
    if answer := _among([node for node in nodes if node.above is None]):
        found.append(answer)
    order = {id(node): place for place, node in enumerate(nodes)}
    found.sort(key=lambda each: (_began(each[0].span), order[id(each[0])]))
    return tuple(answer for _, answer in found)


def _tree(spans: Iterable[TraceSpan]) -> list[_Node]:
    """The spans, each after the one above it, without those that judge an answer."""
    every = [_Node(span) for span in spans]
    named = {node.span.id: node for node in reversed(every) if node.span.id}
    for node in every:
        node.above = named.get(node.span.parent)
    _open_circles(every)
    tops = [node for node in every if node.above is None]
    for node in sorted(every, key=lambda each: _began(each.span)):
        if node.above is not None:
            node.above.below.append(node)
    nodes = _outwards(tops)
    for node in reversed(nodes):
        node.has_documents |= bool(node.span.documents)
        node.has_answers |= node.answers
        if node.above is not None:
            node.above.has_documents |= node.has_documents
            node.above.has_answers |= node.has_answers
    return nodes


def _open_circles(nodes: Sequence[_Node]) -> None:
    """Make outermost what a damaged file puts below itself."""
    seen: set[int] = set()
    for node in nodes:
        path: set[int] = set()
        at: _Node | None = node
        while at is not None and id(at) not in seen:
            seen.add(id(at))
            path.add(id(at))
            if at.above is not None and id(at.above) in path:
                at.above = None
            at = at.above


def _outwards(tops: Sequence[_Node]) -> list[_Node]:
    nodes: list[_Node] = []
    waiting = [node for node in tops if node.span.kind not in JUDGING]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        node.silent |= node.span.kind in NO_ANSWER_BELOW
        if node.span.kind == "retriever" and node.span.documents:
            node.below = []  # what it asked others for is in what it returned
        node.below = [each for each in node.below if each.span.kind not in JUDGING]
        for each in node.below:
            each.silent = node.silent
        waiting.extend(reversed(node.below))
    return nodes


def _among(nodes: Sequence[_Node]) -> tuple[_Node, TracedAnswer] | None:
    """The last answer beside each other's documents; None where there is none."""
    free = [node for node in nodes if not node.done]
    if not any(n.has_documents for n in free) or not any(n.has_answers for n in free):
        return None
    outermost = [found for node in free for found in _outermost_answers(node)]
    # Of those that began together, the one that is listed last.
    for last in sorted(outermost, key=lambda each: _began(each.span))[::-1]:
        documents = [span for n in free for span in _retrieved(n, _began(last.span))]
        if documents:
            return last, _answer(last, documents, "")
    return None


def _outermost_answers(top: _Node) -> list[_Node]:
    found, waiting = [], [top]
    while waiting:
        node = waiting.pop()
        if node.answers:
            found.append(node)
        else:
            waiting.extend(reversed([each for each in node.below if each.has_answers]))
    return found


def _retrieved(top: _Node, until: float) -> list[TraceSpan]:
    """The spans with documents in and below ``top`` that had ended by then."""
    found, waiting = [], [top]
    while waiting:
        node = waiting.pop()
        if node.span.documents and _ended(node.span) <= until:
            found.append(node.span)
        waiting.extend(reversed([each for each in node.below if each.has_documents]))
    return found


def _answer(node: _Node, retrieved: Sequence[TraceSpan], own: str) -> TracedAnswer:
    """``own``: the input of the span, "" where another's is better. That of a language model is a
    prompt with the documents in it: it is the last resort."""
    texts: dict[str, None] = {}
    in_order = sorted(retrieved, key=_ended)
    for span in in_order:
        for text in (span.given or tuple(texts)) if span.kind == "reranker" else ():
            texts.pop(text, None)
        texts |= dict.fromkeys(span.documents)
    asked = next((span.query for span in in_order if span.query.strip()), "")
    query = own or _asked_above(node) or asked or node.span.query
    return TracedAnswer(node.span, query, tuple(texts))


def _asked_above(node: _Node) -> str:
    above = node.above
    while above is not None:
        if above.span.query.strip() and above.span.kind != "llm":
            return above.span.query
        above = above.above
    return ""


def _began(span: TraceSpan) -> float:
    """A span without times counts as begun last, and its documents as retrieved first."""
    return inf if span.start is None else span.start


def _ended(span: TraceSpan) -> float:
    return -inf if span.end is None else span.end
