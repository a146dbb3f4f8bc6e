"""The last layer computes the first token alone: the same logits, for less work."""

from __future__ import annotations

import numpy as np
import pytest

from provenance_core.models.catalogue.profiles import (
    EMBEDDED_NLI,
    EMBEDDED_NLI_LARGE,
    embedded_folder,
)
from provenance_core.models.onnx_models.cross_encoder import MODEL_FILE
from provenance_core.models.onnx_models.engines import OpenVinoEngine
from provenance_core.models.onnx_models.first_token import with_first_token_alone

openvino = pytest.importorskip("openvino")
graph = pytest.importorskip("openvino.opset13")

EXACT = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}


def model_file(model: str) -> str:
    return str(embedded_folder(model) / MODEL_FILE)


def batch(names: set[str]) -> dict[str, np.ndarray]:
    """Three texts of 24, 17 and 9 tokens."""
    rng = np.random.default_rng(7)
    ids = rng.integers(1000, 20000, (3, 24))
    mask = np.ones((3, 24), dtype=np.int64)
    for row, length in enumerate((24, 17, 9)):
        mask[row, length:] = 0
    types = np.zeros((3, 24), dtype=np.int64)
    types[:, 6:] = mask[:, 6:]
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    return {name: feed[name] for name in feed if name in names}


def computed(model, output: str) -> np.ndarray:
    compiled = openvino.Core().compile_model(model, "CPU", EXACT)
    request = compiled.create_infer_request()
    request.infer(batch({each.get_any_name() for each in compiled.inputs}))
    return np.array(request.get_tensor(output).data)


def products_of_one_token(model) -> int:
    """How many matrix products have one row for each text instead of one for each token."""
    return sum(
        node.get_type_name() == "MatMul"
        and len(shape := node.output(0).get_partial_shape()) == 3
        and shape[1] == openvino.Dimension(1)
        for node in model.get_ordered_ops()
    )


@pytest.mark.parametrize("model", [EMBEDDED_NLI, EMBEDDED_NLI_LARGE])
def test_the_logits_stay_and_the_last_layer_has_one_token(model):
    path = model_file(model)
    cut = with_first_token_alone(openvino.Core().read_model(path), "logits")
    # Query, what attention gives, and both halves of the feed-forward part.
    assert products_of_one_token(cut) == 4
    assert products_of_one_token(openvino.Core().read_model(path)) == 0
    np.testing.assert_allclose(computed(cut, "logits"), computed(path, "logits"), atol=1e-4)


def test_what_marks_the_tokens_keeps_them_all():
    path = model_file(EMBEDDED_NLI)
    tokens = with_first_token_alone(openvino.Core().read_model(path), "token_logits")
    assert products_of_one_token(tokens) == 0
    found = computed(tokens, "token_logits")
    assert found.shape == (3, 24)
    np.testing.assert_allclose(found, computed(path, "token_logits"), atol=1e-4)


def test_an_engine_gives_both_outputs_in_any_order():
    first, second = (OpenVinoEngine(model_file(EMBEDDED_NLI), exact=True) for _ in range(2))
    feed = batch(first.inputs)
    logits = first.run("logits", feed)
    marks = first.run("token_logits", feed)
    assert (logits.shape, marks.shape) == ((3, 3), (3, 24))
    np.testing.assert_array_equal(second.run("token_logits", feed), marks)
    np.testing.assert_array_equal(second.run("logits", feed), logits)


def attention(states, *, shared_query: bool = False):
    """A layer of attention with one head, its residual and a product for each token."""
    width = 8
    rng = np.random.default_rng(1)

    def product(of):
        weights = rng.normal(size=(width, width)).astype(np.float32)
        return graph.matmul(of, graph.constant(weights), False, False)

    query, key, value = (product(states) for _ in range(3))
    if shared_query:  # an operation that is not known: each token gets all before it
        query = graph.cum_sum(query, graph.constant(np.int64(1)))
    weights = graph.softmax(graph.matmul(query, key, False, True), 2)
    return graph.add(product(graph.matmul(weights, value, False, False)), states)


def small_model(name: str, *, place: int = 0, shared_query: bool = False) -> object:
    """Two layers, and the state of the token at ``place``."""
    states = graph.parameter([-1, -1, 8], np.float32, name="states")
    layers = attention(attention(states), shared_query=shared_query)
    axis, at = graph.constant(np.int64(1)), graph.constant(np.int64(place))
    taken = graph.gather(layers, at, axis)
    taken.output(0).get_tensor().set_names({name})
    return openvino.Model([taken], [states], "small")


@pytest.mark.parametrize(
    ("place", "shared_query", "products"), [(0, False, 2), (0, True, 1), (2, False, 0)]
)
def test_any_graph_keeps_its_values(place, shared_query, products):
    """Another token, or an operation that reads other tokens, is not cut."""
    given = np.random.default_rng(3).normal(size=(2, 5, 8)).astype(np.float32)
    whole = small_model("logits", place=place, shared_query=shared_query)
    cut = with_first_token_alone(whole.clone(), "logits")
    assert products_of_one_token(cut) >= products
    assert bool(products_of_one_token(cut)) is bool(products)
    one, other = (openvino.Core().compile_model(model, "CPU", EXACT) for model in (whole, cut))
    np.testing.assert_allclose(one(given)[0], other(given)[0], atol=1e-5)


def test_a_graph_without_attention_is_left():
    states = graph.parameter([-1, -1, 8], np.float32, name="states")
    axis, at = graph.constant(np.int64(1)), graph.constant(np.int64(0))
    taken = graph.gather(graph.tanh(states), at, axis)
    taken.output(0).get_tensor().set_names({"logits"})
    cut = with_first_token_alone(openvino.Model([taken], [states], "none"), "logits")
    given = np.random.default_rng(3).normal(size=(2, 5, 8)).astype(np.float32)
    compiled = openvino.Core().compile_model(cut, "CPU", EXACT)
    np.testing.assert_allclose(compiled(given)[0], np.tanh(given[:, 0]), atol=1e-6)
