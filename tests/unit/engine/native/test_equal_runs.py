"""Runs of steps with the same structure, such as the layers of a network, have the same straight-line code."""

from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.straight_line import with_straight_line_code
from hlokit.engine.plan.executors import generate as compiled
from tests.generate.same import assert_same
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import plan_of

FREE_CALLS = DEFAULTS._replace(straight_line_cost=0, straight_line_value_cost=0)


class Layer(NamedTuple):
    """What layers differ in; `returns_quotient` says whether the value before the last step is a result, too."""

    first: str = "add"
    last: str = "tanh"
    constant: str = "2.0"
    returns_quotient: bool = False


EQUAL = Layer()
OTHERS = [
    Layer(first="multiply"),
    Layer(last="negate"),
    Layer(constant="0.5"),
    Layer(constant="0.0"),
    Layer(constant="-0.0"),
    Layer(returns_quotient=True),
]


# Two runs that differ in which steps read one constant twice and which two equal ones, and in what is added last.
ONE_CONSTANT_OR_TWO = """
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<2.0> : tensor<4xf32>
    %d = stablehlo.constant dense<2.0> : tensor<4xf32>
    %a0 = stablehlo.add %c, %c : tensor<4xf32>
    %a1 = stablehlo.multiply %x, %x : tensor<4xf32>
    %a2 = stablehlo.subtract %a1, %x : tensor<4xf32>
    %a3 = stablehlo.add %c, %d : tensor<4xf32>
    %a4 = stablehlo.multiply %a2, %a3 : tensor<4xf32>
    %wide = stablehlo.broadcast_in_dim %a4, dims = [1] : (tensor<4xf32>) -> tensor<9000x4xf32>
    %rows = stablehlo.reverse %wide, dims = [1] : tensor<9000x4xf32>
    %b0 = stablehlo.add %c, %d : tensor<4xf32>
    %b1 = stablehlo.multiply %x, %x : tensor<4xf32>
    %b2 = stablehlo.subtract %b0, %x : tensor<4xf32>
    %b3 = stablehlo.add %c, %c : tensor<4xf32>
    %b4 = stablehlo.multiply %b1, %b3 : tensor<4xf32>
    %row = stablehlo.slice %rows [0:1, 0:4] : (tensor<9000x4xf32>) -> tensor<1x4xf32>
    %flat = stablehlo.reshape %row : (tensor<1x4xf32>) -> tensor<4xf32>
    return %flat, %b4 : tensor<4xf32>, tensor<4xf32>
  }"""


def text_of(layers: list[Layer]) -> str:
    """Layers of steps on four numbers. After each is an array that straight-line code cannot contain."""
    lines: list[str] = []
    results: list[str] = []
    x = "%x"
    for n, layer in enumerate(layers):
        lines += [
            f"%constant{n} = stablehlo.constant dense<{layer.constant}> : tensor<4xf32>",
            f"%first{n} = stablehlo.{layer.first} {x}, %constant{n} : tensor<4xf32>",
            f"%sine{n} = stablehlo.sine %first{n} : tensor<4xf32>",
            f"%quotient{n} = stablehlo.divide %constant{n}, %sine{n} : tensor<4xf32>",
            f"%last{n} = stablehlo.{layer.last} %quotient{n} : tensor<4xf32>",
            f"%wide{n} = stablehlo.broadcast_in_dim %last{n}, dims = [1] : (tensor<4xf32>) -> tensor<9000x4xf32>",
            f"%rows{n} = stablehlo.reverse %wide{n}, dims = [1] : tensor<9000x4xf32>",
            f"%row{n} = stablehlo.slice %rows{n} [8999:9000, 0:4] : (tensor<9000x4xf32>) -> tensor<1x4xf32>",
            f"%x{n} = stablehlo.reshape %row{n} : (tensor<1x4xf32>) -> tensor<4xf32>",
        ]
        x = f"%x{n}"
        results += [f"%last{n}", *([f"%quotient{n}"] if layer.returns_quotient else [])]
    types = ", ".join(["tensor<4xf32>"] * len(results))
    body = "\n".join(lines)
    return (
        f"func.func @main(%x: tensor<4xf32>) -> ({types}) {{ {body}\nreturn {', '.join(results)} : {types} }}"
    )


def test_equal_layers_have_the_same_code() -> None:
    # The first layer has no row to read, and is a run of its own.
    layers = [EQUAL, EQUAL, EQUAL, *OTHERS, EQUAL]
    plan = plan_of(text_of(layers))
    code = with_straight_line_code(plan, FREE_CALLS)
    kernels = [id(step.kernel) for step in code.steps if is_native(step)]
    assert len(kernels) >= len(layers)
    codes = kernels[: len(layers)]
    assert codes[1] == codes[2] == codes[-1]
    assert len(set(codes)) == len(layers) - 2
    x = np.array([0.25, -0.0, 3, np.inf], np.float32)
    with np.errstate(all="ignore"):
        assert_same(compiled(code)(x), compiled(plan)(x), text_of(layers))


def test_equal_constants_do_not_make_other_steps_equal() -> None:
    plan = plan_of(ONE_CONSTANT_OR_TWO)
    x = np.array([0.25, -0.0, 3, np.inf], np.float32)
    assert_same(
        compiled(with_straight_line_code(plan, FREE_CALLS))(x), compiled(plan)(x), ONE_CONSTANT_OR_TWO
    )
