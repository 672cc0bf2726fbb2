"""The comparisons of floats in a program, which decide what exact numbers cannot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.plan.locations import source_text
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import operations_within
from hlokit.mlir.queries.types import value_type
from hlokit.operations.cards import card_of
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.equal.rules.meanings import Chosen, Exactly
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# Constants are the same if they differ by at most this part of their size: by the rounding of narrow types.
_SAME = 2.0**-8

# On which side of an operand floats count that equal it, by the direction of a comparison with the second
# operand and with the first. For extrema, it does not matter.
_EQUAL_ONES = {
    "LT": ("above", "below"),
    "GE": ("above", "below"),
    "GT": ("below", "above"),
    "LE": ("below", "above"),
    "EQ": ("alone", "alone"),
    "NE": ("alone", "alone"),
}


class Comparison(NamedTuple):
    """An operation that compares floats.

    Attributes:
      operands: the positions of the floats, and of what they are compared with; None for the 0 of `abs` and
        `sign`.
      constant: what they are compared with, if it is a constant.
      equal_ones: where floats that equal it count: above, below or alone; "" if it does not matter.
    """

    operation: ir.Operation
    operands: tuple[int, int | None]
    constant: float | None
    equal_ones: str

    def has_constant_of(self, other: Comparison) -> bool:
        """Whether the constant is that of another comparison."""
        if self.constant is None or other.constant is None:
            return self.constant is other.constant
        return abs(self.constant - other.constant) <= _SAME * abs(self.constant)

    @property
    def key(self) -> tuple[float | None, str]:
        """What comparisons that divide floats in the same way have in common, but for rounded constants."""
        return self.constant, self.equal_ones

    def divides_as(self, other: Comparison) -> bool:
        """Whether floats lie on the same side of the constants of both comparisons."""
        counted = {self.equal_ones, other.equal_ones}
        return self.has_constant_of(other) and (len(counted) == 1 or "" in counted)

    def decided(self, gap: Any) -> Any:
        """How the operation decides, by how far the floats are above what they are compared with."""
        match self.equal_ones:
            case "alone":
                return gap == 0
            case "below":
                return gap > 0
            case _:
                return gap >= 0

    def __str__(self) -> str:
        where = source_text(str(self.operation.location))
        constant = "" if self.constant is None else f" with {self.constant:.9g}"
        return f"{self.operation.name}{constant}{f' at {where}' if where else ''}"


def comparisons_of(program: Program) -> list[Comparison]:
    """The comparisons of floats in a program, but those with infinity; of extrema, those with constants."""
    operations = operations_within(program.module.operation)
    calls = _calls(operations)
    return [
        comparison
        for operation in operations
        for one, other in _compared(operation.name)
        if _kind(operation.operands[one]) is Kind.FLOAT
        for comparison in _comparisons(operation, one, other, calls)
    ]


@cache
def _compared(name: str) -> Sequence[tuple[int, int | None]]:
    """The positions of the operands that an operation compares."""
    card = card_of(name)
    return card.exact.compared if card is not None and isinstance(card.exact, Chosen | Exactly) else ()


def _comparisons(
    operation: ir.Operation, one: int, other: int | None, calls: dict[str, list[ir.Operation]]
) -> list[Comparison]:
    if other is None:
        return [Comparison(operation, (one, None), 0.0, "")]
    if operation.operands[one] == operation.operands[other]:  # whether it is NaN
        return []
    pairs = (one, other), (other, one)
    constants = [_constant(operation.operands[pair[1]], calls) for pair in pairs]
    if all(constant is None for constant in constants):
        equal_ones = _equal_ones(operation, one)
        return [Comparison(operation, pairs[0], None, equal_ones)] if equal_ones else []
    return [
        Comparison(operation, pair, constant, _equal_ones(operation, pair[0]))
        for pair, constant in zip(pairs, constants, strict=True)
        if constant is not None and np.isfinite(constant)
    ]


def _equal_ones(operation: ir.Operation, position: int) -> str:
    if "comparison_direction" not in operation.attributes:
        return ""
    direction = str(operation.attributes["comparison_direction"]).removesuffix(">")[-2:]
    return _EQUAL_ONES[direction][position]


def _calls(operations: Sequence[ir.Operation]) -> dict[str, list[ir.Operation]]:
    calls: dict[str, list[ir.Operation]] = {}
    for operation in operations:
        if operation.name == "func.call":
            calls.setdefault(ir.FlatSymbolRefAttr(operation.attributes["callee"]).value, []).append(operation)
    return calls


def _kind(value: ir.Value) -> Kind | None:
    type_ = value_type(value.type)
    return type_.element_type.kind if isinstance(type_, TensorType) else None


def _constant(value: ir.Value, calls: dict[str, list[ir.Operation]]) -> float | None:
    """The constant that a value consists of, moved and converted, or passed to a function by all calls."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        function = owner.owner.operation
        if function.name != "func.func":
            return None
        number = ir.BlockArgument(value).arg_number
        callers = calls.get(ir.StringAttr(function.attributes["sym_name"]).value, [])
        constants = {_constant(caller.operands[number], calls) for caller in callers}
        return constants.pop() if len(constants) == 1 else None
    traits = traits_of(owner.name)
    if traits.constant and "value" in owner.attributes and _kind(value) is not Kind.COMPLEX:
        elements = ir.DenseElementsAttr(owner.attributes["value"])
        return float(read_elements(owner, "value").flat[0]) if elements.is_splat else None
    if traits.view or owner.name == "stablehlo.convert":
        return _constant(owner.operands[0], calls)
    return None
