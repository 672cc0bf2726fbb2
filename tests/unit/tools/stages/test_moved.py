"""Lines of two programs that a pass changed, apart from the names of values."""

from __future__ import annotations

import pytest

import hlokit
from hlokit.display.listing import Listing
from hlokit.tools.stages.moved import grouped_changes

BEFORE = """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<i1>) {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  %1 = stablehlo.multiply %x, %y : tensor<2xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<2xf32>
  %c = stablehlo.constant dense<true> : tensor<i1>
  %3:2 = stablehlo.while(%a = %2, %b = %c) : tensor<2xf32>, tensor<i1>
    cond {
      stablehlo.return %b : tensor<i1>
    } do {
      %4 = stablehlo.divide %a, %1 : tensor<2xf32>
      %5 = stablehlo.not %b : tensor<i1>
      stablehlo.return %4, %5 : tensor<2xf32>, tensor<i1>
    }
  return %3#0, %3#1 : tensor<2xf32>, tensor<i1>
}
"""


@pytest.mark.parametrize(
    ("old", "new", "removed", "added"),
    [
        ("", "", [], []),
        ("  %c =", "  %d = stablehlo.sine %y : tensor<2xf32>\n  %c =", [], ["stablehlo.sine"]),
        ("subtract %0, %1", "subtract %1, %0", ["stablehlo.subtract"], ["stablehlo.subtract"]),
        ("divide %a, %1", "divide %1, %a", ["stablehlo.divide"], ["stablehlo.divide"]),
        ("multiply", "power", ["stablehlo.multiply"], ["stablehlo.power"]),
        ("return %3#0, %3#1", "return %2, %3#1", ["return"], ["return"]),
    ],
    ids=["nothing", "an operation", "operands", "operands in a loop", "another operation", "a result"],
)
def test_changed_lines(old: str, new: str, removed: list[str], added: list[str]) -> None:
    before, after = (
        Listing(hlokit.load(text).text()) for text in (BEFORE, BEFORE.replace(old, new) if old else BEFORE)
    )
    lines: list[list[str]] = [[], []]
    for group in grouped_changes(before, after, context=1):
        for tag, first, last, start, end in group:
            if tag != "equal":
                lines[0] += before.lines[first:last]
                lines[1] += after.lines[start:end]
    for changed, names in zip(lines, (removed, added), strict=True):
        assert len(changed) == len(names)
        assert all([name in line for name, line in zip(names, changed, strict=True)]), changed
