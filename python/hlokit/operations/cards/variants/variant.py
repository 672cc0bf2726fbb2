"""Variants of operations: the shapes and attributes with which the conformance kit tries an operation.

A variant is written as a probe (`probes`): types of operands and results with `$` for the element type, then
attributes or regions. Elementwise operations need none: the kit tries their probes with all its shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

# What operands hold: pairs of values that matter; moderate numbers; moderate numbers and special values;
# numbers that cancel; few numbers, most of them several times.
Style = Literal["values", "random", "special", "cancel", "ties"]


class Variant(NamedTuple):
    """One way to use an operation.

    Attributes:
      name: a part of the ids of cases: it never changes.
      types: operands -> results; "" if the variant is a whole program.
      attributes: the text between operands and types, or the program.
      values: the values of operands that say sizes, indices or initial values, by position, as JSON; or an
        end of the type: `lowest`, `highest`; or `ones`: all bits set.
      styles: what other operands hold (`tools.kit.values`), if not what all operations of its kind get.
    """

    name: str
    types: str
    attributes: str = ""
    values: tuple[tuple[int, str], ...] = ()
    styles: tuple[Style, ...] = ()


# Rows of an orthogonal array: any two columns have all pairs of three levels.
PAIRS = (
    *((0, 0, 0, 0), (0, 1, 1, 2), (0, 2, 2, 1)),
    *((1, 0, 1, 1), (1, 1, 2, 0), (1, 2, 0, 2)),
    *((2, 0, 2, 2), (2, 1, 0, 1), (2, 2, 1, 0)),
)


def shaped(sizes: Sequence[int], element: str = "$") -> str:
    """A shape before an element type: `2x3x$`."""
    return "".join(f"{size}x" for size in sizes) + element


def ints(values: Sequence[int]) -> str:
    """An attribute of integers."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def dilated(size: int, dilation: int) -> int:
    """The size of a dimension with gaps between its elements."""
    return (size - 1) * dilation + 1 if size else 0


def windows(size: int, window: int, stride: int) -> int:
    """The number of places of a window in a dimension."""
    return max(0, (size - window) // stride + 1)


def applied(operation: str, operands: int = 1) -> str:
    """A region that applies an operation to pairs of scalars.

    Args:
      operands: the number of arrays; their results are independent.
    """
    left, right = ([f"%{side}{n}" for n in range(operands)] for side in "ab")
    arguments = ", ".join(f"{name}: tensor<$>" for name in (*left, *right))
    body = " ".join(
        f"%r{n} = stablehlo.{operation} {left[n]}, {right[n]} : tensor<$>" for n in range(operands)
    )
    results = ", ".join(f"%r{n}" for n in range(operands))
    types = ", ".join(["tensor<$>"] * operands)
    return f"{{^bb0({arguments}): {body} stablehlo.return {results} : {types}}}"


def compared(direction: str, *others: str, compare_type: str = "") -> str:
    """A comparator of the first array, which takes scalars of the other arrays along.

    Args:
      others: the element types of the other arrays.
    """
    arguments = ["%a: tensor<$>", "%b: tensor<$>"]
    for number, type_ in enumerate(others):
        arguments += [f"%c{number}: tensor<{type_}>", f"%d{number}: tensor<{type_}>"]
    kind = f", {compare_type}" if compare_type else ""
    return (
        f"{{^bb0({', '.join(arguments)}): %r = stablehlo.compare {direction}, %a, %b{kind} : "
        "(tensor<$>, tensor<$>) -> tensor<i1> stablehlo.return %r : tensor<i1>}"
    )
