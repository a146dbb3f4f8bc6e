"""The scorer end to end on the shipped weights: results, notices, refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from provenance_core import InputError, ModelError, Parameters, Provenance, recompute
from provenance_core.audit.serialization import audit_from_json, audit_to_json
from provenance_core.models.catalogue.profiles import embedded_folder, get_profile
from provenance_core.models.onnx_models.cross_encoder import CrossEncoder, read_manifest
from provenance_core.progress import Progress

CONTEXT = [
    "The Eiffel Tower is 330 metres tall, about the same height as an 81-storey building.",
    "Construction was completed in March 1889. The company of Gustave Eiffel built the tower.",
    "The Louvre is the most visited museum in the world.",
]
QUERY = "How tall is the Eiffel Tower?"


def test_a_copied_sentence_scores_above_a_changed_one(provenance):
    right = provenance.audit(query="", answer=CONTEXT[0], context=CONTEXT)
    wrong = provenance.audit(
        query="",
        answer="The Eiffel Tower is 510 metres tall, as a 12-storey building.",
        context=CONTEXT,
    )
    assert right.score > wrong.score
    assert right.verdict == "supported"
    assert {d.text for d in wrong.sentences[0].missing_details} >= {"510 metres"}


def test_every_chunk_is_scored_and_offsets_are_exact(provenance):
    answer = "It is 330 metres tall. It was completed in 1889.\n\nThe Louvre is a museum."
    audit = provenance.audit(query=QUERY, answer=answer, context=CONTEXT)
    evidence = audit.evidence
    assert "".join(s.sentence.text for s in audit.sentences) == answer
    assert evidence.sentence_scores.values.shape == (3, 3, 3)
    assert sum(s.weight for s in audit.sources) == pytest.approx(1)
    assert sum(s.contribution for s in audit.sources) == pytest.approx(audit.score)
    assert evidence.sentence_scores.values.sum(axis=-1) == pytest.approx(np.ones((3, 3)))
    for traced in audit.sentences:
        chunk = evidence.chunks[traced.evidence_chunk]
        assert chunk.start <= traced.evidence_start < traced.evidence_end <= chunk.end


def test_recompute_equals_a_fresh_audit(provenance):
    base = provenance.audit(
        query=QUERY, answer="It is 330 metres tall. It is red.", context=CONTEXT
    )
    for changed in ({"aggregation": "min"}, {"selection": "top_k", "top_k": 1}, {"threshold": 0.9}):
        fresh = provenance.audit(
            query=QUERY,
            answer="It is 330 metres tall. It is red.",
            context=CONTEXT,
            parameters=replace(base.parameters, **changed),
        )
        again = recompute(base, **changed)
        assert again.score == pytest.approx(fresh.score, abs=1e-6)
        assert again.verdict is fresh.verdict
        assert [s.label for s in again.sentences] == [s.label for s in fresh.sentences]


def test_json_round_trip_of_a_real_audit(provenance):
    audit = provenance.audit(query=QUERY, answer="330 metres", context=CONTEXT)
    assert audit_from_json(audit_to_json(audit)) == audit
    assert audit.claims[0].claim.text == f"The answer to question {QUERY} is 330 metres."


def test_no_query_is_said(provenance):
    audit = provenance.audit(answer="The tower is tall.", context=CONTEXT)
    assert "no_query" in {n.code for n in audit.evidence.notices}
    assert audit.evidence.relevance_query == "The tower is tall."


def test_without_a_query_every_sentence_asks_for_its_chunk(provenance):
    answer = "The Eiffel Tower is 330 metres tall. The Louvre is the most visited museum."
    both = provenance.audit(answer=answer, context=CONTEXT).evidence.relevance
    alone = [
        provenance.audit(answer=part, context=CONTEXT).evidence.relevance
        for part in (answer[:36], answer[37:])
    ]
    # Dynamic int8 scales activations by the batch, so equality holds to its step only.
    assert both == pytest.approx([max(pair) for pair in zip(*alone, strict=True)], abs=0.35)


def test_nothing_is_cut_silently(provenance):
    long_sentence = "word " * 900 + "."
    audit = provenance.audit(
        query="why " * 400,
        answer=long_sentence,
        context=CONTEXT,
        parameters=Parameters(claim_form="prompt"),
    )
    codes = {n.code for n in audit.evidence.notices}
    assert {"sentence_cut", "claim_too_long", "query_in_parts", "shorter_chunks"} <= codes
    assert "".join(s.sentence.text for s in audit.sentences) == long_sentence


@pytest.mark.parametrize(
    ("answer", "context", "message"),
    [
        ("", CONTEXT, "answer is empty"),
        (" \n\t", CONTEXT, "answer is empty"),
        ("\x00", CONTEXT, "answer is empty"),
        ("Yes.", [], "context is empty"),
        ("Yes.", ["", "  "], "context is empty"),
        ("Yes.", "one text", "list of texts"),
        ("Yes.", ["x " * 5_000_000], "10,000,000 characters"),
        ("y " * 100_000, CONTEXT, "200,000 characters"),
        (None, CONTEXT, "must be text"),
    ],
)
def test_unfit_input_is_refused_with_a_reason(provenance, answer, context, message):
    with pytest.raises(InputError, match=message):
        provenance.audit(query=QUERY, answer=answer, context=context)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> **bold** [x](y)",
        "المدينة كبيرة. שלום עולם.",
        "broken \ud800 half and \x00 nul",
        "👩‍👩‍👧 emoji. 数字一二三。",
    ],
)
def test_odd_text_is_scored_and_kept(provenance, text):
    audit = provenance.audit(query=text, answer=text, context=[text, "", text])
    assert 0.0 <= audit.score <= 1.0
    assert len(audit.evidence.answer) == len(text)
    assert "empty_items" in {n.code for n in audit.evidence.notices}
    json.loads(audit_to_json(audit).encode("utf-8"))


def test_three_hundred_items(provenance):
    items = [f"Item {i} is about number {i}." for i in range(300)]
    audit = provenance.audit(query="", answer="Item 17 is about number 17.", context=items)
    assert len(audit.sources) == 300
    assert sum(s.weight for s in audit.sources) == pytest.approx(1)


def test_progress_reaches_the_end(provenance):
    seen: list[tuple[str, float]] = []
    provenance.audit(
        query=QUERY,
        answer="330 metres",
        context=CONTEXT,
        progress=Progress(lambda stage, done: seen.append((stage, done))),
    )
    assert seen[0][0] == "Splitting"
    assert seen[-1] == ("Evidence", 1.0)
    assert {"Relevance", "Entailment"} <= {stage for stage, _ in seen}
    splitting = [done for stage, done in seen if stage == "Splitting"]
    assert splitting == sorted(splitting)
    assert splitting[0] == 0 and 0.5 < splitting[-1] <= 1


def test_batching_changes_no_score(provenance):
    pairs = [(text, "The tower is tall. " * n) for n in (1, 6) for text in CONTEXT]
    together = provenance.nli.predict(pairs)
    alone = np.vstack([provenance.nli.predict([pair]) for pair in pairs])
    # Engines round the activations of another batch in other groups.
    assert np.abs(together - alone).max() < 0.06


def test_an_overlong_pair_is_refused_not_cut(provenance):
    with pytest.raises(InputError, match="tokens"):
        provenance.nli.predict([("word " * 400, "claim")])


def test_a_changed_weight_file_is_refused(tmp_path):
    source = embedded_folder(get_profile("embedded").relevance)
    for path in source.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / "model.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelError, match="SHA-256"):
        CrossEncoder.load(tmp_path)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(ModelError, match=r"manifest\.json"):
        read_manifest(tmp_path)


def test_unknown_profile_lists_the_known():
    with pytest.raises(ModelError, match="embedded"):
        Provenance.load("enormous")


@pytest.mark.parametrize(("profile", "megabytes"), [("embedded", 60), ("embedded-large", 120 + 60)])
def test_weights_stay_small_enough_for_a_repository(profile, megabytes):
    models = get_profile(profile)
    files = [
        path
        for model in (models.relevance, models.nli)
        for path in embedded_folder(model).iterdir()
        if path.is_file()
    ]
    assert sum(path.stat().st_size for path in files) < megabytes * 1_000_000
    assert all(path.stat().st_size < 95_000_000 for path in files)


def test_the_core_imports_neither_torch_nor_streamlit_nor_storage():
    code = (
        "import sys, provenance_core; provenance_core.Provenance.load();"
        "print([m for m in ('torch', 'streamlit', 'storage', 'transformers') if m in sys.modules])"
    )
    root = Path(__file__).parents[2]
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert out.stdout.strip() == "[]"


def test_span_head_marks_the_words_that_the_premise_does_not_support(provenance):
    premise = "The bridge was opened on 19 March 1932 by Jack Lang, the premier of the state."
    claims = ["The bridge was opened in 1958 by Jack Lang.", "The bridge was opened by Jack Lang."]
    assert provenance.nli.finds_spans
    wrong, right = provenance.nli.unsupported_tokens([(premise, claim) for claim in claims])
    worst = max(wrong, key=lambda token: token.probability)
    assert claims[0][worst.start : worst.end] in "1958"
    assert worst.probability > 0.5 > max(token.probability for token in right)
    assert all(0 <= token.probability <= 1 for token in wrong)
    with pytest.raises(ModelError, match="no span head"):
        provenance.relevance.unsupported_tokens([(premise, claims[0])])
