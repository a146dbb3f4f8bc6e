"""DeepEval: goldens and test cases of one turn."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys

FORMAT = Format(
    name="deepeval",
    title="DeepEval",
    files="test cases or goldens with a retrieval context, as EvaluationDataset.save_as writes "
    "them (.json, .jsonl or .csv), or a saved test run (.json); | parts the items of a retrieval "
    "context that is one text, where it is not inside a table, code or a formula",
    keys=(
        keys("input", "actual_output", "retrieval_context"),
        keys("input", "actualOutput", "retrievalContext"),
        keys("testCases"),
    ),
    columns=(
        column("query", "input"),
        column("context", "retrieval_context", "retrievalContext"),
        column("answer", "actual_output", "actualOutput"),
        column("id", "name"),
        column("passed", "success"),
    ),
    inside=("testCases", "test_cases"),
    parted="|",
    versions="DeepEval 4.3.1",
    source="the fields of `LLMTestCase` and their aliases, and `EvaluationDataset.save_as`",
)
