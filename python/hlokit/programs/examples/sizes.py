"""Sizes of open dimensions that have names: the symbols of `jax.export.symbolic_shape`.

A program says the names only in the messages of its shape assertions: "Using the following polymorphic shapes
specifications: args[0].shape = (n, m),args[1].shape = (2*m - 1, m)."
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError
from hlokit.mlir.provider.bindings import ir
from hlokit.values.types import TensorType, ValueType

_SHAPE = re.compile(r"\.shape = \(((?:[^()]|\([^()]*\))*)\)")
_DIMENSION = re.compile(r"(?:[^(),]|\([^()]*\))+")
_CONSTRAINT = re.compile(r"constraint .*? Expected '(.*?)' to be (greater or )?equal to 0")
_FUNCTIONS: Mapping[str, Callable[[int, int], int]] = {
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "max": max,
    "min": min,
}
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Pow: lambda a, b: a**b,
}
# Texts of files: longer expressions, and larger numbers with exponents, are no sizes.
_LONGEST, _LARGEST_EXPONENT, _LARGEST_BASE = 200, 16, 1 << 32
# Sizes that the search for sizes tries, and the number of its attempts.
_TRIED, _ATTEMPTS = range(1, 33), 10_000


@dataclass(frozen=True, slots=True)
class Symbols:
    """What a program says about its open dimensions.

    Attributes:
      shapes: the dimensions of some parameters, as numbers and expressions of names, by number.
      constraints: expressions that must be zero, or (if true) not negative.
    """

    shapes: Mapping[int, Sequence[str]]
    constraints: Sequence[tuple[str, bool]] = ()

    @property
    def names(self) -> list[str]:
        """All names, in the order of the program."""
        words = [re.findall(r"[A-Za-z_]\w*", dim) for dims in self.shapes.values() for dim in dims]
        return list(dict.fromkeys([word for row in words for word in row if word not in _FUNCTIONS]))

    def is_readable(self) -> bool:
        """Whether all texts are expressions of sizes: a file may hold anything."""
        expressions = [
            *(dim for dims in self.shapes.values() for dim in dims),
            *(c[0] for c in self.constraints),
        ]
        values = dict.fromkeys(self.names, 1)
        try:
            for expression in expressions:
                _value(expression, values)
        except (SyntaxError, ValueError, KeyError, TypeError, ArithmeticError):
            return False
        return True

    def solved(
        self, sizes: Mapping[str, int], size: int, fixed: Mapping[int, tuple[int, ...]]
    ) -> dict[int, tuple[int, ...]]:
        """The shapes of the parameters.

        Args:
          sizes: the sizes of some names.
          size: the size of the others, if the constraints allow it.
          fixed: the shapes of some parameters, which also say sizes.

        Raises:
          ArgumentError: there is no such name, or no sizes meet the constraints.
        """
        for name in sizes:
            if name not in self.names:
                have = (
                    f"one of {', '.join(self.names)}" if self.names else "a number: the program has no names"
                )
                raise ArgumentError(f"size must be {have}, got {name}{did_you_mean(name, self.names)}")
        stated = {**self._stated(fixed), **sizes}
        open_names = [name for name in self.names if name not in stated]
        guesses = product([size, *_TRIED], repeat=len(open_names))
        for guess in islice(guesses, _ATTEMPTS):
            values = {**stated, **dict(zip(open_names, guess, strict=True))}
            shapes = self._shapes(values)
            if shapes is not None:
                return shapes
        chosen = "".join(f", with {name}={value}" for name, value in stated.items())
        raise ArgumentError(f"no sizes meet the program's constraints{chosen}: --size or size= says others")

    def _stated(self, fixed: Mapping[int, tuple[int, ...]]) -> dict[str, int]:
        pairs = [pair for number, shape in fixed.items() for pair in zip(self.shapes.get(number, ()), shape)]  # noqa: B905 # a wrong rank is an error later
        return {dim: length for dim, length in pairs if dim.isidentifier()}

    def _shapes(self, values: Mapping[str, int]) -> dict[int, tuple[int, ...]] | None:
        """The shapes for sizes of all names; None if a size is impossible."""
        try:
            for expression, may_be_more in self.constraints:
                value = _value(expression, values)
                if value != 0 and not (may_be_more and value > 0):
                    return None
            shapes = {
                number: tuple([_value(dim, values) for dim in dims]) for number, dims in self.shapes.items()
            }
        except (ArithmeticError, ValueError):
            return None
        return None if any(length < 0 for shape in shapes.values() for length in shape) else shapes


def symbols_of(function: ir.Operation, types: Sequence[ValueType]) -> Symbols:
    """The names of a function's open dimensions; none if the program does not say them."""
    open_ones = [
        number for number, type_ in enumerate(types) if isinstance(type_, TensorType) and not type_.is_static
    ]
    messages = _assertions(function) if open_ones else []
    if not messages:
        return Symbols({})
    shapes = [_DIMENSION.findall(shape) for shape in _SHAPE.findall(messages[0].partition("Obtained")[0])]
    if len(shapes) != len(open_ones):
        return Symbols({})
    constraints = [(match[1], bool(match[2])) for text in messages if (match := _CONSTRAINT.search(text))]
    dims = {n: [dim.strip() for dim in shape] for n, shape in zip(open_ones, shapes, strict=True)}
    symbols = Symbols(dims, constraints)
    return symbols if symbols.is_readable() else Symbols({})


def _assertions(function: ir.Operation) -> list[str]:
    return [
        view.attributes["error_message"].value
        for view in function.regions[0].blocks[0].operations
        if view.operation.name == "stablehlo.custom_call"
        and "error_message" in view.attributes
        and isinstance(view.attributes["error_message"], ir.StringAttr)
    ]


def _value(expression: str, values: Mapping[str, int]) -> int:
    """The value of an expression in JAX's notation: `2*n - 1`, `floordiv(n, 4)`.

    Raises:
      ValueError: it is no such expression.
    """
    if len(expression) > _LONGEST:
        raise ValueError(expression)
    return _evaluated(ast.parse(expression.replace("^", "**"), mode="eval").body, values)


def _evaluated(node: Any, values: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(int() as number):
            return number
        case ast.Name(name):
            return values[name]
        case ast.UnaryOp(ast.USub(), operand):
            return -_evaluated(operand, values)
        case ast.BinOp(left, kind, right):
            numbers = _evaluated(left, values), _evaluated(right, values)
            if isinstance(kind, ast.Pow) and not (
                abs(numbers[0]) <= _LARGEST_BASE and 0 <= numbers[1] <= _LARGEST_EXPONENT
            ):
                raise ValueError(numbers)
            return _OPERATORS[type(kind)](*numbers)
        case ast.Call(ast.Name(name), arguments):
            return _FUNCTIONS[name](*[_evaluated(argument, values) for argument in arguments])
        case _:
            raise ValueError(ast.dump(node))
