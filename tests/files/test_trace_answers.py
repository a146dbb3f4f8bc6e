"""Which spans of a trace answer, and with which documents."""

from __future__ import annotations

import pytest

from provenance_core.files.traces import TraceSpan, answers_of, read_span


def span(
    name: str,
    kind: str,
    answer: str = "",
    *documents: str,
    at: tuple[int, int] | None = None,
    query: str = "",
    given: tuple[str, ...] = (),
) -> TraceSpan:
    """``name`` is a path: the span "a/b" is below "a"."""
    start, end = at or (None, None)
    above = name.rpartition("/")[0]
    return TraceSpan(name, above, kind, start, end, query, answer, documents, given)


def found(*spans: TraceSpan) -> list[tuple[str, str, tuple[str, ...]]]:
    """Of each answer: its text, its query, its documents. In either order of the spans."""
    either = [
        [(each.span.answer, each.query, each.documents) for each in answers_of(given)]
        for given in (spans, spans[::-1])
    ]
    if all(each.start is not None for each in spans):
        assert either[0] == either[1]
    return either[0]


def test_a_chain_answers_with_what_was_retrieved_below_it():
    assert found(
        span("a", "chain", "said", query="asked", at=(0, 9)),
        span("a/r", "retriever", "[]", "c", "d", at=(1, 2), query="searched"),
        span("a/l", "llm", "draft", at=(3, 4), query="prompt"),
    ) == [("said", "asked", ("c", "d"))]


def test_of_chains_within_each_other_the_outermost_answers_once():
    assert found(
        span("a", "agent", "last", query="asked", at=(0, 20)),
        span("a/t", "tool", "found", at=(1, 9)),
        span("a/t/c", "chain", "inner", query="part", at=(2, 8)),
        span("a/t/c/r", "retriever", "", "c", at=(3, 4)),
        span("a/t/c/l", "llm", "inner", at=(5, 6)),
        span("a/u", "tool", "found", at=(10, 15)),
        span("a/u/r", "retriever", "", "d", "c", at=(11, 12)),
        span("a/l", "llm", "last", at=(16, 18)),
    ) == [("last", "asked", ("c", "d"))]


def test_below_a_span_without_an_answer_each_chain_answers_for_itself():
    assert found(
        span("request", "", at=(0, 30)),
        span("request/a", "chain", "one", query="q1", at=(1, 9)),
        span("request/a/r", "retriever", "", "c", at=(2, 3)),
        span("request/b", "chain", "two", query="q2", at=(10, 19)),
        span("request/b/r", "retriever", "", "d", at=(11, 12)),
        # Neither has documents of its own, and those of the others are used.
        span("request/c", "llm", "title", query="t", at=(20, 21)),
    ) == [("one", "q1", ("c",)), ("two", "q2", ("d",))]


def test_a_model_beside_its_retriever_answers_with_what_came_before():
    spans = (
        span("s", "chain", query="asked", at=(0, 30)),
        span("s/w", "llm", "rewritten", at=(1, 2), query="prompt"),
        span("s/r", "retriever", "", "c", at=(3, 4), query="rewritten"),
        span("s/m", "llm", "more?", at=(5, 6), query="prompt"),
        span("s/n", "retriever", "", "d", at=(7, 8)),
        span("s/l", "llm", "said", at=(9, 20), query="prompt with c and d"),
        span("s/z", "retriever", "", "late", at=(21, 22)),
    )
    assert found(*spans) == [("said", "asked", ("c", "d"))]
    assert found(*(each for each in spans if each.id != "s/l")) == [("more?", "asked", ("c",))]
    without = [span("s", "chain", at=(0, 30)), *spans[1:]]
    assert found(*without) == [("said", "rewritten", ("c", "d"))]


def test_steps_in_chains_of_their_own_are_beside_each_other_too():
    assert found(
        span("g", "chain", at=(0, 30)),
        span("g/find", "chain", at=(1, 5)),
        span("g/find/r", "retriever", "", "c", at=(2, 4), query="asked"),
        span("g/write", "chain", at=(6, 20)),
        span("g/write/p", "prompt", "a prompt", at=(7, 8)),
        span("g/write/l", "llm", "said", at=(9, 10)),
    ) == [("said", "asked", ("c",))]


def test_what_only_passes_its_input_on_answers_nothing():
    passed_on = [
        span("a", "chain", at=(0, 9)),
        span("a/p", "chain", at=(1, 6)),
        span("a/p/r", "retriever", "", "c", at=(2, 3)),
        span("a/p/same", "chain", "asked", query="asked", at=(4, 5)),
    ]
    assert found(*passed_on) == []
    assert found(*passed_on, span("a/l", "llm", "said", at=(7, 8))) == [("said", "", ("c",))]


def test_a_reranker_replaces_what_it_was_given_and_no_other():
    def agent(given: tuple[str, ...]) -> list[TraceSpan]:
        return [
            span("a", "agent", "said", at=(0, 20)),
            span("a/t", "tool", at=(1, 6)),
            span("a/t/r", "retriever", "", "c", "d", at=(2, 3)),
            span("a/u", "retriever", "", "e", at=(4, 5)),
            span("a/t/k", "reranker", "", "d", at=(6, 7), given=given),
            span("a/v", "retriever", "", "f", at=(8, 9)),
        ]

    assert found(*agent(("c", "d")))[0][2] == ("e", "d", "f")
    assert found(*agent(()))[0][2] == ("d", "f")


def test_of_retrievers_within_each_other_the_outermost_counts():
    def nested(*outer: str) -> list[TraceSpan]:
        return [
            span("a", "chain", "said", at=(0, 20)),
            span("a/r", "retriever", "", *outer, at=(1, 9)),
            span("a/r/i", "retriever", "", "c", "d", at=(2, 3)),
            span("a/r/w", "llm", "more words", at=(4, 5)),
        ]

    assert found(*nested("d"))[0][2] == ("d",)
    # LlamaIndex writes the documents to one of its two spans alone.
    assert found(*nested())[0][2] == ("c", "d")


def test_what_judges_an_answer_is_passed_over():
    judged = [
        span("a", "chain", at=(0, 20)),
        span("a/r", "retriever", "", "c", at=(1, 2)),
        span("a/l", "llm", "said", at=(3, 4)),
        span("a/e", "evaluator", "good", "x", at=(5, 9)),
        span("a/e/l", "llm", "yes", at=(6, 7)),
        span("a/g", "guardrail", "", at=(10, 11)),
        span("a/g/l", "llm", "safe", at=(10, 11)),
    ]
    assert found(*judged) == [("said", "", ("c",))]


def test_without_times_the_last_that_is_listed_answers():
    assert found(
        span("a", "chain"),
        span("a/r", "retriever", "", "c"),
        span("a/l", "llm", "one"),
        span("a/m", "llm", "two"),
    ) == [("two", "", ("c",))]


def test_no_document_or_no_answer_is_no_answer():
    assert found(span("a", "chain", "said")) == []
    assert found(span("a", "retriever", "[]", "c")) == []
    assert found() == []


def test_a_damaged_trace_is_read_to_its_end():
    circle = [
        TraceSpan("a", "b", "chain", None, None, "", "said"),
        TraceSpan("b", "a", "tool", None, None, "", "", ("c",)),
        TraceSpan("s", "s", "chain", None, None, "", ""),
    ]
    assert [each.documents for each in answers_of(circle)] == [("c",)]
    same = [
        span("a", "chain", "said"),
        span("a", "chain", "said"),
        span("a/r", "retriever", "", "c"),
    ]
    assert len(answers_of(same)) == 1
    deep = [
        TraceSpan(str(n), str(n - 1), "chain", n, 10_000 - n, "", "")
        for n in range(1, 3_000)
    ]  # fmt: skip
    deep += [
        TraceSpan("r", "2999", "retriever", 3_000, 3_001, "", "", ("c",)),
        TraceSpan("l", "2999", "llm", 3_002, 3_003, "", "said"),
    ]
    assert [each.span.id for each in answers_of(deep)] == ["l"]


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ('{"answer": "said", "context": ["c"]}', "said"),
        ('{"input": "asked", "output": {"content": "said", "type": "ai"}}', "said"),
        ('{"messages": [{"type": "human", "content": "asked"}, {"type": "ai", "content": "said"}]}',
         "said"),
        ('{"type": "ai", "data": {"content": "said"}}', "said"),
        ('{"content": [{"type": "text", "text": "said"}]}', "said"),
        ('"said"', "said"),
        ("42", "42"),
        ("{not JSON", "{not JSON"),
        # A state, documents and the texts of a splitter.
        ('{"status": "ok"}', ""),
        ('[{"page_content": "c", "metadata": {}}]', ""),
        ('["c", "d"]', ""),
        ("null", ""),
        ('{"answer":' * 500 + '""' + "}" * 500, ""),
    ],
)  # fmt: skip
def test_the_answer_in_an_output_of_json(output: str, answer: str) -> None:
    attributes = {"output.value": output, "output.mime_type": "application/json"}
    assert read_span(attributes, span_id="a", parent="").answer == answer
    assert read_span({"output.value": output}, span_id="a", parent="").answer == output


def test_the_answer_of_a_model_is_its_message() -> None:
    read = read_span(
        {
            "openinference.span.kind": "LLM",
            "output.value": '{"generations": [[{"text": "said"}]]}',
            "output.mime_type": "application/json",
            "llm.output_messages.0.message.contents.0.message_content.text": "said",
            "llm.output_messages.0.message.role": "assistant",
        },
        span_id="a",
        parent="",
    )
    assert (read.kind, read.answer) == ("llm", "said")
