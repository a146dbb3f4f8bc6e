"""A graph whose last layer computes the first token alone, where only that token counts.

A classifier reads the last layer's state of one token, "[CLS]" or "<s>". In that layer every other
token gives the first one its key and value, and its own query, feed-forward part and norms go
nowhere. They are a sixth of the work of six layers. The scores stay the same.

:func:`with_first_token_alone` goes upwards from where the first token is taken out of the last
states, and takes it out of each operation's inputs instead, up to the states that the layer began
with. An operation that it does not know keeps all of its tokens, so that any graph stays right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from openvino import Model, Node, Output

_ELEMENTWISE = frozenset({"Add", "Multiply", "Divide", "Subtract"})
_OF_EACH_VALUE = frozenset({"Erf", "Tanh", "Relu"})
_TOKENS = 1  # the axis of the tokens in states, shape (batch, tokens, values)


def with_first_token_alone(model: Model, output: str) -> Model:
    """Compute one output of a graph, with the first token alone in its last layer. A graph with
    that output alone, which has the same values. It is not cut down where no attention is found, or
    where the output takes no first token out."""
    import openvino

    results = [each for each in model.get_results() if output in each.input_value(0).get_names()]
    alone = openvino.Model(results, model.get_parameters(), f"{output} alone")
    nodes = alone.get_ordered_ops()
    softmaxes = [at for at, node in enumerate(nodes) if node.get_type_name() == "Softmax"]
    if not softmaxes:
        return alone
    states = _states_before(nodes[softmaxes[-1]])
    taken = [node for node in nodes[softmaxes[-1] :] if _takes_first_token(node)]
    if states is None or len(taken) != 1:
        return alone
    first = _FirstToken(states).of(taken[0].input_value(0), _TOKENS)
    taken[0].input(0).replace_source_output(first)
    alone.validate_nodes_and_infer_types()
    return alone


def _takes_first_token(node: Node) -> bool:
    """Whether a node takes the first token out of states."""
    return (
        node.get_type_name() == "Gather"
        and len(_shape(node.input_value(0))) == 3
        and _constant(node.input_value(1)) == [0]
        and _constant(node.input_value(2)) == [_TOKENS]
    )


def _states_before(softmax: Node) -> Output | None:
    """The states that the layer of an attention begins with: what its values are made of."""
    products = [
        each.get_node()
        for each in softmax.output(0).get_target_inputs()
        if each.get_node().get_type_name() == "MatMul"
    ]
    if len(products) != 1:
        return None
    values = products[0].input_value(1)
    while True:
        node = values.get_node()
        kind = node.get_type_name()
        if kind == "MatMul":
            states: Output = node.input_value(0)
            return states if len(_shape(states)) == 3 else None
        if kind in ("Transpose", "Reshape"):
            values = node.input_value(0)
            continue
        made = [each for each in node.input_values() if _constant(each) is None]
        if kind != "Add" or len(made) != 1:
            return None
        values = made[0]


@dataclass(frozen=True, slots=True)
class _FirstToken:
    """Takes the first token out of what is made of ``states``."""

    states: Output
    found: dict[tuple[str, int, int], Output] = field(default_factory=dict)

    def of(self, whole: Output, axis: int) -> Output:
        """What ``whole`` has at place 0 of ``axis``, which stays, with one place."""
        key = (whole.get_node().get_friendly_name(), whole.get_index(), axis)
        if key not in self.found:
            made = self._made_of_inputs(whole, axis)
            self.found[key] = _first(whole, axis) if made is None else made
        return self.found[key]

    def _made_of_inputs(self, whole: Output, axis: int) -> Output | None:
        """The same, computed of the first token of the inputs; None where that is not known."""
        from openvino import opset13 as graph

        node = whole.get_node()
        kind = node.get_type_name()
        if node.get_friendly_name() == self.states.get_node().get_friendly_name():
            return None
        last = len(_shape(whole)) - 1
        if kind in _ELEMENTWISE:
            left, right = (self._aligned(each, axis, last) for each in node.input_values())
            return getattr(graph, kind.lower())(left, right).output(0)
        if kind in _OF_EACH_VALUE:
            return getattr(graph, kind.lower())(self.of(node.input_value(0), axis)).output(0)
        attributes = node.get_attributes()
        if kind == "Softmax" and axis != last and attributes["axis"] in (-1, last):
            return graph.softmax(self.of(node.input_value(0), axis), last).output(0)
        if kind == "MVN" and _constant(node.input_value(1)) in ([-1], [last]) and axis != last:
            return graph.mvn(
                self.of(node.input_value(0), axis),
                node.input_value(1),
                attributes["normalize_variance"],
                attributes["eps"],
                attributes["eps_mode"],
            ).output(0)
        if kind == "MatMul" and axis == last - 1 and not attributes["transpose_a"]:
            of_input = self.of(node.input_value(0), axis)
            return graph.matmul(
                of_input, node.input_value(1), False, attributes["transpose_b"]
            ).output(0)
        if kind == "Transpose" and (order := _constant(node.input_value(1))) is not None:
            of_input = self.of(node.input_value(0), order[axis])
            return graph.transpose(of_input, node.input_value(1)).output(0)
        if kind == "Reshape" and axis == _TOKENS:
            kept = _shape(whole)[_TOKENS + 1 :]
            if kept.count(-1) > 1 or len(_shape(node.input_value(0))) <= _TOKENS + 1:
                return None
            shape = graph.constant(np.array([0, 1, *kept], dtype=np.int64))
            of_input = self.of(node.input_value(0), _TOKENS)
            return graph.reshape(of_input, shape, special_zero=True).output(0)
        return None

    def _aligned(self, each: Output, axis: int, last: int) -> Output:
        """The first token of an operand of a node whose output has ``last + 1`` axes; the operand
        itself where it is the same for all tokens."""
        own = axis - (last + 1 - len(_shape(each)))
        return each if own < 0 or _shape(each)[own] == 1 else self.of(each, own)


def _first(whole: Output, axis: int) -> Output:
    from openvino import opset13 as graph

    place = graph.constant(np.array([0], dtype=np.int64))
    taken: Output = graph.gather(whole, place, graph.constant(np.int64(axis))).output(0)
    return taken


def _shape(of: Output) -> tuple[int, ...]:
    """The lengths of the axes; -1 where one may have any length."""
    return tuple(each.get_length() if each.is_static else -1 for each in of.get_partial_shape())


def _constant(of: Output) -> list[int] | None:
    """The whole numbers of a constant of one or no axes, or of a range; None of anything else."""
    node = of.get_node()
    if node.get_type_name() == "Range":
        ends = [_constant(each) for each in node.input_values()]
        return None if None in ends else list(range(*(end[0] for end in ends if end)))
    if node.get_type_name() != "Constant" or len(_shape(of)) > 1:
        return None
    return [int(each) for each in np.atleast_1d(node.get_data())]
