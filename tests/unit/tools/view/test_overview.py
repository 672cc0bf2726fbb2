"""The overview: facts that a small program has by construction."""

from __future__ import annotations

from typing import Any

import numpy as np

import hlokit
from hlokit.tools.view.overview import flops_of, producer
from unit.tools.view.test_page import data_of

# A product of 4x3 and 3x5: 2 * 4 * 3 * 5 FLOPs; weights of 15 numbers; a bias that is one number many times.
TEXT = """
func.func @main(%x: tensor<4x3xf32>) -> tensor<4x5xf32> {
  %w = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<3x5xf32>
  %b = stablehlo.constant dense<1.0> : tensor<4x5xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %z = stablehlo.add %y, %b : tensor<4x5xf32>
  return %z : tensor<4x5xf32>
}
"""
X = np.arange(12, dtype=np.float32).reshape(4, 3)


def overview(program: hlokit.Program, *arguments: Any) -> dict[str, Any]:
    return data_of(program.view(*arguments).html)["overview"]


def test_facts_of_a_program() -> None:
    facts = overview(hlokit.load(TEXT))
    assert facts["inputs"] == [["x", "tensor<4x3xf32>", 48, None]]
    assert facts["outputs"] == [["output 0", "tensor<4x5xf32>", 80, None]]
    weights = facts["weights"]
    assert (weights["constants"], weights["elements"], weights["bytes"]) == (1, 15, 60)
    assert facts["flops"] == 2 * 4 * 3 * 5 + 4 * 5
    assert facts["peak"] == 48 + 3 * 80  # at the sum: x, the product, b and z
    assert facts["kinds"] == [
        ["stablehlo.constant", 2, 0],
        ["stablehlo.dot_general", 1, 120],
        ["stablehlo.add", 1, 20],
    ]


def test_a_run_adds_the_ranges_of_inputs_and_outputs() -> None:
    facts = overview(hlokit.load(TEXT), X)
    assert facts["inputs"][0][3] == [0, 11, 5.5, 0, 0]
    expected = X @ np.array([[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [0, 2, 3, 4, 5]], np.float32) + 1
    assert facts["outputs"][0][3][:2] == [expected.min(), expected.max()]


def test_unknown_sizes_have_no_work() -> None:
    text = TEXT.replace("4x3", "?x3").replace("tensor<4x5xf32>", "tensor<?x5xf32>")
    lines = [line for line in text.splitlines() if "%b" not in line]
    listing = hlokit.load("\n".join(lines).replace("return %z", "return %y")).listing
    assert flops_of(listing) == {}


def test_jax_is_a_producer() -> None:
    module = hlokit.load("module attributes {jax.uses_shape_polymorphism = false} {\n" + TEXT + "}").module
    assert producer(module, "-") == "JAX"
    assert producer(hlokit.load(TEXT).module, "-") == ""


def test_functions_that_call_each_other_many_times_are_counted_once() -> None:
    """Each of 40 functions calls the next one twice: 2^40 calls."""
    functions = [
        f"func.func private @f{n}(%x: tensor<2xf32>) -> tensor<2xf32> {{\n"
        f"  %0 = call @f{n + 1}(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
        f"  %1 = call @f{n + 1}(%0) : (tensor<2xf32>) -> tensor<2xf32>\n  return %1 : tensor<2xf32>\n}}"
        for n in range(40)
    ]
    last = "func.func private @f40(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %x, %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"
    main = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = call @f0(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"
    assert overview(hlokit.load("\n".join([main, *functions, last])))["flops"] == 2 * 2**40


def test_a_declaration_has_no_costs() -> None:
    program = hlokit.load("func.func private @main(tensor<2xf32>) -> tensor<2xf32>\n")
    facts = overview(program)
    assert facts["inputs"] == [["input 0", "tensor<2xf32>", 8, None]] and facts["flops"] is None
