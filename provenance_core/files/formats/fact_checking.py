"""LLM-AggreFact, SummaC and HaluBench: one text, one claim or answer, one label a record."""

from __future__ import annotations

from provenance_core.files.formats._format import Format, column, keys
from provenance_core.files.formats._values import flag_words, one_text
from provenance_core.files.types import Counts

AGGREFACT = Format(
    name="llm_aggrefact",
    title="LLM-AggreFact",
    files="a dev or test .parquet file, or the same rows as .csv or .jsonl",
    keys=(keys("dataset", "doc", "claim", "label"), keys("doc", "claim", "label")),
    columns=(
        column("context", "doc", value=one_text),
        column("answer", "claim"),
        column("label", "label"),
        column("id", "contamination_identifier"),
        column("subset", "dataset"),
    ),
    optional=keys("label"),
    task="fact checking",
    label_rule="As given: 1 is supported by the document, 0 is not.",
    repository="lytang/LLM-AggreFact",
    training_overlap="its ExpertQA and LFQA parts come from the same sources as the "
    "AttributionBench rows that were trained on",
)

SUMMAC = Format(
    name="summac",
    title="SummaC",
    files="the entries that the owners' benchmark loader builds, saved as .jsonl or .json",
    keys=(keys("document", "claim", "label", "dataset"),),
    columns=(
        column("context", "document", value=one_text),
        column("answer", "claim"),
        column("label", "label"),
        column("id", "id", "ID"),
        column("subset", "dataset", "cut", joined=True),
        column("source_model", "model_name"),
    ),
    optional=keys("label"),
    task="summarization",
    label_rule="As the owners' loader gives it: 1 is consistent with the document, 0 is not.",
    repository="tingofurro/summac",
)

HALUBENCH = Format(
    name="halubench",
    title="HaluBench",
    files="data/test-00000-of-00001.parquet, or the same rows as .jsonl or .csv",
    keys=(keys("passage", "question", "answer", "label"),),
    columns=(
        column("query", "question"),
        column("context", "passage", value=one_text),
        column("answer", "answer"),
        column("label", "label", value=flag_words("PASS", "FAIL")),
        column("id", "id"),
        column("subset", "source_ds"),
    ),
    optional=keys("label"),
    task="qa",
    label_rule="As given: PASS is 1, FAIL is 0.",
    repository="PatronusAI/HaluBench",
    published=(("", Counts(7170, 7730)),),
    training_overlap="its HaluEval, PubMedQA and CovidQA parts are drawn from HotpotQA, PubMedQA "
    "and COVID-QA, of which some questions and texts were trained on",
)
