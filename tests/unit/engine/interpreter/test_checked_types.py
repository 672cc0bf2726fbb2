"""Unknown dimensions: shapes that the verifier could not check are errors at run time, in every tier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.errors import EvaluationError
from hlokit.operations.cards import cards
from tests.unit.engine.plan.plans import plan_of

X, Y = "tensor<?xf32>", "tensor<?x?xf32>"
ADD = "({^bb0(%a: tensor<f32>, %b: tensor<f32>): %r = stablehlo.add %a, %b : tensor<f32> stablehlo.return %r : tensor<f32>})"


class Nothing:
    """An observer, for observed runs."""

    def before(self, plan: Any, step: Any, operands: Any) -> None: ...

    def after(self, plan: Any, step: Any, operands: Any, results: Any) -> None: ...


def one(name: str, attributes: str, operands: list[str], *results: str) -> str:
    """A function of one operation."""
    arguments = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(operands))
    names = ", ".join(f"%a{index}" for index in range(len(operands)))
    several = f":{len(results)}" if len(results) > 1 else ""
    returned = ", ".join(f"%r#{index}" for index in range(len(results))) if several else "%r"
    return f"""func.func @main({arguments}) -> ({", ".join(results)}) {{
      %r{several} = "{name}"({names}) {attributes} : ({", ".join(operands)}) -> ({", ".join(results)})
      return {returned} : {", ".join(results)}
    }}"""


def errors(text: str, *arguments: Any) -> list[str]:
    """The message of each tier: first and later runs, observed, and the reference."""
    program = hlokit.load(text)
    settings: list[dict[str, Any]] = [{}, {}, {}, {}, {"observer": Nothing()}, {"tier": "reference"}]
    messages: list[str] = []
    for setting in settings:
        with pytest.raises(EvaluationError) as error:
            program(*arguments, **setting)
        messages.append(str(error.value))
    return messages


def ones(*sizes: int) -> Any:
    return np.ones(sizes, np.float32)


WRONG = {
    "add": (one("stablehlo.add", "", [X, X], X), [ones(2), ones(3)]),
    "add of one": (one("stablehlo.add", "", [X, X], X), [ones(1), ones(3)]),
    "power": (one("stablehlo.power", "", [X, X], X), [ones(2), ones(3)]),
    "clamp": (one("stablehlo.clamp", "", [X, X, X], X), [ones(2), ones(3), ones(3)]),
    "slice": (
        one(
            "stablehlo.slice",
            "{start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 1>}",
            [X],
            "tensor<4xf32>",
        ),
        [ones(3)],
    ),
    "dot_general": (
        one(
            "stablehlo.dot_general",
            "{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}",
            [Y, Y],
            Y,
        ),
        [ones(2, 3), ones(4, 2)],
    ),
    "concatenate": (
        one("stablehlo.concatenate", "{dimension = 0 : i64}", [Y, Y], Y),
        [ones(2, 3), ones(4, 2)],
    ),
    "reshape": (one("stablehlo.reshape", "", [X], "tensor<4xf32>"), [ones(3)]),
    "reshape of none": (one("stablehlo.reshape", "", [Y], "tensor<5xf32>"), [ones(0, 5)]),
    "broadcast_in_dim": (
        one("stablehlo.broadcast_in_dim", "{broadcast_dimensions = array<i64: 1>}", [X], "tensor<2x4xf32>"),
        [ones(3)],
    ),
    "bitcast_convert": (one("stablehlo.bitcast_convert", "", [Y], "tensor<?xf64>"), [ones(2, 0)]),
    "convert": (one("stablehlo.convert", "", [X], "tensor<4xf64>"), [ones(3)]),
    "optimization_barrier": (one("stablehlo.optimization_barrier", "", [X], X), None),
    "map": (one("stablehlo.map", f"{ADD} {{dimensions = array<i64: 0>}}", [X, X], X), [ones(2), ones(3)]),
    "einsum of integers": (
        one("stablehlo.einsum", '{einsum_config = "a,a->a"}', ["tensor<?xi32>"] * 2, "tensor<?xi32>"),
        [np.ones(2, np.int32), np.ones(3, np.int32)],
    ),
    "fft": (
        one(
            "stablehlo.fft",
            "{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>}",
            ["tensor<?xcomplex<f32>>"],
            "tensor<?xcomplex<f32>>",
        ),
        [np.ones(3, np.complex64)],
    ),
    "a bound": (
        one("stablehlo.concatenate", "{dimension = 0 : i64}", [X, X], "tensor<?xf32, #stablehlo.bounds<4>>"),
        [ones(3), ones(3)],
    ),
}


@pytest.mark.parametrize("name", [name for name, (_, arguments) in WRONG.items() if arguments])
def test_shapes_that_disagree_are_errors_with_operation_and_shapes(name: str) -> None:
    text, arguments = WRONG[name]
    assert arguments is not None
    operation = text.partition('= "')[2].partition('"')[0]
    for message in errors(text, *arguments):
        assert message.startswith(f"{operation}: ")
        assert "at loc(" in message
    first, *_ = errors(text, *arguments)
    if name in ("add", "slice", "map"):
        assert str([f"tensor<{size}xf32>" for size in arguments[0].shape])[2:-2] in first


CONVOLUTION = """{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
  batch_group_count = 1 : i64, feature_group_count = 1 : i64}"""
GATHER = """{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
  start_index_map = [0], index_vector_dim = 1>}"""
SIZES, SIZE = "tensor<1xi32>", "tensor<i32>"
# Operations whose operands are sizes: types, attributes, and arguments whose result has another shape than the
# static type says.
CONTRADICTED: dict[str, tuple[list[str], str, str, list[Any]]] = {
    "stablehlo.dynamic_broadcast_in_dim": (
        ["tensor<1xf32>", SIZES],
        "{broadcast_dimensions = array<i64: 0>}",
        "tensor<4xf32>",
        [ones(1), [3]],
    ),
    "stablehlo.dynamic_conv": (
        ["tensor<1x1x4xf32>", "tensor<1x1x2xf32>", "tensor<1x2xi32>"],
        CONVOLUTION,
        "tensor<1x1x4xf32>",
        [ones(1, 1, 4), ones(1, 1, 2), [[1, 1]]],
    ),
    "stablehlo.dynamic_gather": (
        ["tensor<8x3xf32>", "tensor<2x1xi32>", "tensor<2xi32>"],
        GATHER,
        "tensor<2x3xf32>",
        [ones(8, 3), [[0], [1]], [1, 2]],
    ),
    "stablehlo.dynamic_iota": ([SIZES], "{iota_dimension = 0 : i64}", "tensor<4xf32>", [[3]]),
    "stablehlo.dynamic_pad": (
        ["tensor<4xf32>", "tensor<f32>", SIZES, SIZES, SIZES],
        "",
        "tensor<6xf32>",
        [ones(4), ones(), [0], [1], [0]],
    ),
    "stablehlo.dynamic_reshape": (["tensor<4xf32>", SIZES], "", "tensor<4xf32>", [ones(4), [3]]),
    "stablehlo.real_dynamic_slice": (
        ["tensor<8xf32>", SIZES, SIZES, SIZES],
        "",
        "tensor<4xf32>",
        [ones(8), [0], [3], [1]],
    ),
    "stablehlo.set_dimension_size": (
        ["tensor<4xf32>", SIZE],
        "{dimension = 0 : i64}",
        "tensor<4xf32>",
        [ones(4), 3],
    ),
}


def test_sizes_that_contradict_static_types_are_errors() -> None:
    sized = {card.name for card in cards() if card.traits.sizes and not card.name.startswith("chlo.")}
    assert sized == set(CONTRADICTED)
    for name, (operands, attributes, result, arguments) in CONTRADICTED.items():
        for message in errors(one(name, attributes, operands, result), *arguments):
            assert message.startswith(f"{name}: ")


def test_shapes_that_agree_are_no_errors_and_types_need_not_become_equal() -> None:
    text, _ = WRONG["optimization_barrier"]
    assert hlokit.load(text)(ones(3)).tolist() == [1.0, 1.0, 1.0]
    assert hlokit.load(WRONG["add"][0])(ones(3), ones(3)).tolist() == [2.0, 2.0, 2.0]


def test_the_message_has_the_rule_and_the_shapes_in_every_tier() -> None:
    rule = (
        "stablehlo.add: types at run time must be valid, got (tensor<2xf32>, tensor<3xf32>) -> (tensor<?xf32>): "
        "requires the same shape for all operands and results"
    )
    assert {message.splitlines()[0] for message in errors(*_flat("add"))} == {rule}


def _flat(name: str) -> tuple[Any, ...]:
    text, arguments = WRONG[name]
    assert arguments is not None
    return text, *arguments


def test_static_operations_have_no_checks() -> None:
    text = one("stablehlo.add", "", [X, X], X)
    checked, *_ = plan_of(text).steps
    static, *_ = plan_of(text.replace("?", "3")).steps
    assert checked.kernel.ufunc is None
    assert static.kernel.ufunc is np.add


def test_many_shapes_are_remembered_up_to_a_limit() -> None:
    program = hlokit.load(one("stablehlo.add", "", [X, X], X))
    for size in (*range(1100), *range(1100)):
        assert program(ones(size), ones(size)).shape == (size,)
    with pytest.raises(EvaluationError, match="same shape"):
        program(ones(7), ones(8))


# Control flow ----------------------------------------------------------------------------------------

LOOP = """func.func @main(%x: OPERAND) -> RESULT {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %most = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = "stablehlo.while"(%n, %x) ({
  ^bb0(%i: tensor<i32>, %a: STATE):
    %p = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %a: STATE):
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.concatenate %a, %a, dim = 0 : (STATE, STATE) -> tensor<?xf32>
    stablehlo.return %j, %b : tensor<i32>, tensor<?xf32>
  }) : (tensor<i32>, OPERAND) -> (tensor<i32>, RESULT)
  return %0#1 : RESULT
}"""


def loop(operand: str, state: str, result: str) -> str:
    sizes = {"OPERAND": operand, "STATE": state, "RESULT": result}
    text = LOOP
    for name, size in sizes.items():
        text = text.replace(name, f"tensor<{size}xf32>")
    return text


@pytest.mark.parametrize(
    ("operand", "state", "result", "size"),
    [("3", "3", "3", 3), ("?", "4", "?", 3), ("?", "4", "?", 4), ("?", "?", "4", 2), ("2", "?", "2", 2)],
)
def test_a_state_that_contradicts_the_types_of_a_loop(
    operand: str, state: str, result: str, size: int
) -> None:
    for message in errors(loop(operand, state, result), ones(size)):
        assert message.startswith("stablehlo.while: ")


@pytest.mark.parametrize(("operand", "state", "result"), [("?", "?", "?"), ("?", "?", "8")])
def test_a_state_that_grows_within_its_types(operand: str, state: str, result: str) -> None:
    program = hlokit.load(loop(operand, state, result))
    assert program(ones(2)).shape == (8,)
    assert program(ones(2), tier="reference").shape == (8,)


def test_a_branch_that_contradicts_the_type_of_the_result() -> None:
    text = """func.func @main(%p: tensor<i1>, %x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "stablehlo.if"(%p) ({ stablehlo.return %x : tensor<?xf32> }, { stablehlo.return %y : tensor<4xf32> })
        : (tensor<i1>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    for message in errors(text, True, ones(3), ones(4)):
        assert message.startswith("stablehlo.if: ")
        assert "0 must be a tensor<4xf32>, got a tensor<3xf32>" in message
    program = hlokit.load(text)
    assert program(False, ones(3), ones(4)).shape == (4,)
    assert program(True, ones(4), ones(4)).shape == (4,)


# Sizes of results that follow from the operand ---------------------------------------------------------

BOUNDED = "tensor<?x2xf32, #stablehlo.bounds<4, ?>>"


def test_a_size_of_a_reshaped_result_follows_from_the_number_of_elements() -> None:
    text = one("stablehlo.reshape", "", [X], BOUNDED)
    for setting in ({}, {"tier": "reference"}):
        assert hlokit.load(text)(ones(6), **setting).shape == (3, 2)
    for message in errors(text, ones(5)):
        assert "the shape must have 5 elements, got ?x2" in message
    for message in errors(text, ones(10)):
        assert f"result 0 must be a {BOUNDED}, got a tensor<5x2xf32>" in message


def test_sizes_that_do_not_follow_are_errors() -> None:
    empty = one("stablehlo.reshape", "", [X], "tensor<?x0xf32, #stablehlo.bounds<4, ?>>")
    for message in errors(empty, ones(0)):
        assert "must follow from 0 elements, got ?x0" in message
    none = one("stablehlo.broadcast_in_dim", "{broadcast_dimensions = array<i64: 1>}", [X], BOUNDED)
    for message in errors(none, ones(2)):
        assert "dimension 0 of the result must follow from the operand" in message


def test_a_size_of_a_broadcast_result_follows_from_the_operand() -> None:
    text = one("stablehlo.broadcast_in_dim", "{broadcast_dimensions = array<i64: 0>}", [X], BOUNDED)
    for setting in ({}, {"tier": "reference"}):
        assert hlokit.load(text)(ones(3), **setting).shape == (3, 2)


def test_a_shape_beyond_all_memory_is_an_error_of_the_program() -> None:
    """Regression: NumPy's ValueError about such a shape was an internal error."""
    text = one(
        "stablehlo.rng",
        "{rng_distribution = #stablehlo<rng_distribution UNIFORM>}",
        ["tensor<f32>", "tensor<f32>", "tensor<1xi64>"],
        X,
    )
    for message in errors(text, 0.0, 1.0, [1 << 62]):
        assert "stablehlo.rng: out of memory" in message
