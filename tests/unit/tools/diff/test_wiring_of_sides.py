"""A side that hands on other values: the call, the loop or the `return` is named, and what is read there instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.queries.module import walk
from hlokit.tools.backends.side import Array
from unit.tools.diff.sides import Here

PROGRAM = """func.func private @slope(%p: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %p : tensor<4xf32>
  %1 = stablehlo.subtract %0, %q : tensor<4xf32>
  %2 = stablehlo.multiply %1, %p : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.sine %x : tensor<4xf32>
  %b = stablehlo.cosine %y : tensor<4xf32>
  %r:3 = stablehlo.while(%i = %c0, %u = %a, %v = %b) : tensor<i32>, tensor<4xf32>, tensor<4xf32> cond {
    %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.add %u, %v : tensor<4xf32>
    %t = func.call @slope(%u, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %w = stablehlo.exponential %v : tensor<4xf32>
    %d = stablehlo.subtract %w, %t : tensor<4xf32>
    stablehlo.return %j, %t, %d : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>
}"""
X, Y = np.linspace(-1, 1, 4, dtype=np.float32), np.linspace(0.3, 2, 4, dtype=np.float32)


class Rewired(Here):
    """hlokit, with an operation of every module changed."""

    def __init__(self, change: Callable[[Any], None]) -> None:
        super().__init__()
        self._change_of = change

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        assert isinstance(module, bytes)
        parsed = parse_bytecode(None, module, "-", is_trusted=True)
        with parsed.context:
            walk(parsed.operation, self._change_of)
        return super().run_each(write_bytecode(parsed), inputs, function)


def exchanged(name: str, first: int, second: int, source: str = "") -> Callable[[Any], None]:
    """A change that exchanges operands; of operations whose first of these operands is computed by a source."""

    def change(operation: Any) -> None:
        if operation.name != name or len(operation.operands) <= second:
            return
        one, other = operation.operands[first], operation.operands[second]
        is_meant = one.type == other.type and (not source or getattr(one.owner, "name", "") == source)
        if is_meant and (name != "stablehlo.return" or operation.parent.name == "stablehlo.while"):
            operation.operands[first], operation.operands[second] = other, one

    return change


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (exchanged("func.call", 0, 1), 19, "operand 0 is argument 1 of region 1 of stablehlo.while here, stablehlo.add"),
        (exchanged("stablehlo.while", 1, 2), 13, "operand 1 is stablehlo.sine (-:11:8) here, stablehlo.cosine (-:12:8)"),
        (exchanged("stablehlo.return", 1, 2), 22, "operand 1 is func.call (-:19:10) here, stablehlo.subtract"),
    ],
    ids=["call", "loop", "iteration"],
)  # fmt: skip
def test_what_hands_on_other_values_is_named(change: Callable[[Any], None], line: int, words: str) -> None:
    report = hlokit.diff(hlokit.load(PROGRAM), X, Y, against=Rewired(change))
    assert report.first is not None, report
    assert (report.status, report.first.comparison.verdict) == (1, "wiring"), report
    assert report.first.source.split(":")[1] == str(line), report
    assert words in report.first.comparison.note


def test_an_operation_that_reads_something_else_in_its_context_is_named_with_what_it_reads() -> None:
    change = exchanged("stablehlo.subtract", 0, 1, "stablehlo.tanh")
    report = hlokit.diff(hlokit.load(PROGRAM), X, Y, against=Rewired(change))
    assert report.first is not None, report
    assert (report.first.op, report.first.source) == ("stablehlo.subtract", "-:3:8"), report
    assert report.first.comparison.explanation == "the two operands are exchanged: fits"


def test_an_argument_with_a_right_reader_is_right() -> None:
    """One of two operations of a called function reads another argument: the call hands on the right one."""

    def change(operation: Any) -> None:
        if operation.name == "stablehlo.tanh" and len(operation.block.arguments) == 2:
            operation.operands[0] = operation.block.arguments[1]

    report = hlokit.diff(hlokit.load(PROGRAM), X, Y, against=Rewired(change))
    assert report.first is not None, report
    assert (report.first.op, report.first.source) == ("stablehlo.tanh", "-:2:8"), report


def test_tuples_among_the_values_are_no_obstacle() -> None:
    """They are no other operands, and the explanations change no part of them."""
    tuples = """  %0 = stablehlo.tuple %p, %n : tuple<tensor<4xf32>, tensor<i32>>
    %p0 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>"""
    text = f"""func.func @main(%p: tensor<4xf32>, %q: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {{
    {tuples}
    %1 = stablehlo.subtract %p0, %q : tensor<4xf32>
    return %1 : tensor<4xf32>
    }}"""

    def wrong(module: str, results: list[Array]) -> list[Array]:
        return [result + 1 if result.shape == (4,) else result for result in results]

    one = np.int32(1)
    report = hlokit.diff(hlokit.load(text), X, Y, one, against=Rewired(exchanged("stablehlo.subtract", 0, 1)))
    assert report.first is not None and report.first.op == "stablehlo.subtract", report
    report = hlokit.diff(hlokit.load(text), X, Y, one, against=Here(change=wrong), mode="values")
    assert report.status == 1, report


def test_a_fault_that_shows_only_if_a_value_is_no_result_is_named() -> None:
    """As of a compiler that fuses an operation with the only one that reads its value."""

    def change(operation: Any) -> None:
        if operation.name == "stablehlo.subtract" and len(list(operation.operands[0].uses)) == 1:
            exchanged("stablehlo.subtract", 0, 1, "stablehlo.tanh")(operation)

    report = hlokit.diff(hlokit.load(PROGRAM), X, Y, against=Rewired(change))
    assert report.first is not None, report
    assert (report.first.op, report.first.source) == ("stablehlo.subtract", "-:3:8"), report
    assert (
        "stablehlo.subtract is right if the value of stablehlo.tanh at -:2:8 is a result" in report.notes[0]
    )


def test_a_right_side_is_not_accused() -> None:
    assert hlokit.diff(hlokit.load(PROGRAM), X, Y, against=Rewired(lambda _: None), mode="values").status == 0
