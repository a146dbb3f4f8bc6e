"""The public models themselves, where they are in the cache: what their descriptions promise."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from provenance_core.models.catalogue.profiles import PROFILES
from provenance_core.models.checkpoints.golden_scores import GOLDEN_SCORES, TOLERANCE
from provenance_core.models.hub.cache import is_ready, model_folder
from provenance_core.models.loading import load_nli, load_relevance, load_spans
from provenance_core.models.nli_classes import nli_probabilities
from provenance_core.models.torch_models.devices import Device, DeviceKind, Precision

CPU = Device(DeviceKind.CPU, "", Precision.FLOAT32)
PREMISE = "The Sydney Harbour Bridge was opened on 19 March 1932."
SUPPORTED, CONTRADICTED = "The bridge was opened in 1932.", "The bridge was opened in 1950."


def folder_of(model):
    if not is_ready(model):
        pytest.skip(f"not downloaded: {model.model_id}")
    return model_folder(model)


def test_hhem_gives_the_scores_of_its_description():
    model = PROFILES["hhem-2.1"].nli
    scorer = load_nli(model, folder_of(model), CPU)
    golden = GOLDEN_SCORES[model.model_id, "hhem-2"]
    logits = scorer.predict([(each.premise, each.hypothesis) for each in golden])
    found = nli_probabilities(logits, scorer.labels)[:, 0]
    assert found == pytest.approx([each.score for each in golden], abs=TOLERANCE)


@pytest.mark.parametrize("profile", ["paper", "hhem-2.1", "nli-deberta", "vitaminc", "minicheck"])
def test_an_nli_model_tells_support(profile):
    model = PROFILES[profile].nli
    scorer = load_nli(model, folder_of(model), CPU)
    assert scorer.info.max_length == model.window
    found = nli_probabilities(
        scorer.predict([(PREMISE, SUPPORTED), (PREMISE, CONTRADICTED)]), scorer.labels
    )
    assert found[0, 0] > 0.5 > found[1, 0]
    if scorer.info.tells_contradiction:
        assert found[:, 2].argmax() == 1
        assert found[1].argmax() == 2


def test_the_relevance_model_of_the_paper_ranks():
    model = PROFILES["paper"].relevance
    scorer = load_relevance(model, folder_of(model), CPU)
    query = "When was the Sydney Harbour Bridge opened?"
    texts = [PREMISE, "Bread is made of flour and water.", "Sydney is a city in Australia."]
    logits = scorer.predict([(query, text) for text in texts])
    assert logits.shape == (3, 1)
    assert int(np.argmax(logits)) == 0


def test_lettucedetect_marks_the_sentence_of_its_description():
    model = PROFILES["lettucedetect"].spans
    scorer = load_spans(model, folder_of(model), CPU)
    prompt = (
        "Briefly answer the following question:\nWhat is the capital of France? What is the "
        "population of France?\nBear in mind that your response should be strictly based on the "
        "following 1 passages:\npassage 1: France is a country in Europe. The capital of France is "
        "Paris. The population of France is 67 million.\nIn case the passages do not contain the "
        'necessary information to answer the question, please reply with: "Unable to answer based '
        'on given passages."\noutput:'
    )
    answer = "The capital of France is Paris. The population of France is 69 million."
    (tokens,) = scorer.unsupported_tokens([(prompt, answer)])
    marked = [token for token in tokens if token.probability > 0.5]
    assert marked[0].start in (31, 32)
    assert marked[-1].end == 71
    assert max(token.probability for token in marked) == pytest.approx(0.99, abs=0.02)
