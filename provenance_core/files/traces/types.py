"""A span of a trace as the rule of its answers needs it."""

from __future__ import annotations

from dataclasses import dataclass

# Kinds whose output is no answer, and below which there is none.
_NO_ANSWER = frozenset({"retriever", "reranker", "embedding", "tool", "prompt"})
# What stands below these judges an answer, and retrieves for the judgement alone.
JUDGING = frozenset({"evaluator", "guardrail"})
# A tool can hold a chain that answers.
NO_ANSWER_BELOW = _NO_ANSWER - {"tool"} | JUDGING


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """A span that has ended. ``id``, ``parent``: "" where there is none. ``kind``:
    ``openinference.span.kind`` in lower case, "" where there is none. ``start``, ``end``: times in
    one unit of any kind, None where they are not known. ``query``, ``answer``: the texts of input
    and output, "" where no text is found in them. ``documents``: what a retriever or reranker
    returned. ``given``: what a reranker was given."""

    id: str
    parent: str
    kind: str
    start: float | None
    end: float | None
    query: str
    answer: str
    documents: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def answers(self) -> bool:
        """Whether its output can be an answer: a text that is not its input passed on."""
        return (
            bool(self.answer.strip())
            and self.answer.strip() != self.query.strip()
            and self.kind not in _NO_ANSWER | JUDGING
        )


@dataclass(frozen=True, slots=True)
class TracedAnswer:
    """An answer of a trace. ``span`` holds its text. ``query``: "" where none is known.
    ``documents``: one or more, each text once, in the order in which they were retrieved."""

    span: TraceSpan
    query: str
    documents: tuple[str, ...]
