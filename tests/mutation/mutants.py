"""Mutants: hlokit with one mistake in one place that evaluates, each made in a running process and taken back.

A place is a NumPy kernel, the path of a scalar, a source of generated code, a row of the table of operations, an
opcode of fused code, straight lines or loops, a rule of the native compiler.
"""

# pyright: reportPrivateUsage=false
# (mutants reach into what they break)

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.contract import registry
from hlokit.contract.registry import Kernel
from hlokit.native.ir import peephole, target, views
from hlokit.native.ir.views import View
from hlokit.native.lowerings import blocks as lowering
from hlokit.operations import index, lookup
from hlokit.ops.elementwise import arithmetic, compare_and_select, integer_functions, kernel_factories

Break = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mistake.

    Attributes:
      name: what is wrong.
      make: makes the mistake, until the end of the context.
      types: whose programs are run, in this order.
      profile: of random programs (`tests/generate`) that are run instead.
    """

    name: str
    make: Break
    types: tuple[str, ...] = ("f32",)
    profile: str | None = None


def _code(function: Callable[..., Any], mistaken: Callable[..., Any]) -> Break:
    """Another body for a function, which every holder of the function then calls."""

    @contextmanager
    def make() -> Generator[None]:
        assert isinstance(function, FunctionType) and isinstance(mistaken, FunctionType)
        right = function.__code__
        function.__code__ = mistaken.__code__
        yield
        function.__code__ = right

    return make


def _attribute(owner: Any, name: str, mistaken: Any) -> Break:
    @contextmanager
    def make() -> Generator[None]:
        right = getattr(owner, name)
        setattr(owner, name, mistaken)
        _forget()
        yield
        setattr(owner, name, right)
        _forget()

    return make


def _forget() -> None:
    """Clear caches of opcodes."""
    functions = [
        *vars(lookup).values(),
        *vars(target).values(),
        *vars(peephole).values(),
        *vars(views).values(),
    ]
    for function in functions:
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def _kernel(name: str, **changes: Any) -> Break:
    """Other attributes of all kernels of an operation that have them."""

    @contextmanager
    def make() -> Generator[None]:
        right = registry.find(name)
        assert right is not None

        def bind(operation: registry.Operation) -> Any:
            kernel = right(operation)
            assert isinstance(kernel, Kernel)
            has_all = all(getattr(kernel, attribute) is not None for attribute in changes)
            return replace(kernel, **changes) if has_all else kernel

        registry._BIND_FUNCTIONS[name] = bind
        yield
        registry._BIND_FUNCTIONS[name] = right

    return make


def _card(name: str, wrong: str) -> Break:
    """An operation with the opcode of another one."""

    @contextmanager
    def make() -> Generator[None]:
        entry = index.INDEX[name]
        index.INDEX[name] = entry._replace(opcodes=(wrong,))
        _forget()
        yield
        index.INDEX[name] = entry
        _forget()

    return make


def _opcode(right: str, wrong: str) -> Break:
    find = _kernels.find_operation

    def mistaken(name: str, to: str, operand: str) -> int:
        return find(wrong if name == right else name, to, operand)

    return _attribute(_kernels, "find_operation", mistaken)


def _opcode_in(module: Any, function: str, right: str, wrong: str) -> Break:
    """As `_opcode`, where one module asks for opcodes."""
    find = getattr(module, function)

    def mistaken(step: Any) -> int:
        return find(step._replace(name=wrong) if step.name == right else step)

    return _attribute(module, function, mistaken)


def _combination(right: str, wrong: str) -> Break:
    """Another operation in native reductions."""
    reduce_ = _kernels.reduce

    def mistaken(name: str, *rest: Any) -> None:
        reduce_(wrong if name == right else name, *rest)

    return _attribute(_kernels, "reduce", mistaken)


def _sliced_from_0(self: View, starts: Any, strides: Any, shape: Any) -> View:
    steps = tuple([step * stride for step, stride in zip(strides, self.strides, strict=True)])
    return View(self.register, self.offset, shape, steps)


def _not_reversed(self: View, dimensions: Any) -> View:
    return self


def _rounded_up(operand: Any) -> Any:
    return np.floor(operand + operand.dtype.type(0.5))


def _lossy_sign(operand: Any) -> Any:
    return np.sign(operand) + 0


def _numpy_maximum(lhs: Any, rhs: Any) -> Any:
    return np.maximum(lhs, rhs)


def _numpy_minimum(lhs: Any, rhs: Any) -> Any:
    return np.minimum(lhs, rhs)


def _floor_remainder(lhs: Any, rhs: Any) -> Any:
    return np.mod(lhs, rhs)


def _floor_quotient(lhs: Any, rhs: Any) -> Any:
    return np.floor_divide(lhs, rhs)


def _shift_with_sign(lhs: Any, rhs: Any) -> Any:
    return np.right_shift(lhs, rhs)


def _one_bit_more(operand: Any) -> Any:
    return np.bitwise_count(operand).astype(operand.dtype) + 1


def _lhs_if_equal(lhs: Any, rhs: Any) -> Any:
    return lhs if lhs >= rhs else rhs


def _rhs_of_nan(lhs: Any, rhs: Any) -> Any:
    return lhs if lhs < rhs else rhs


def _truncated(min_: Any, operand: Any, max_: Any) -> Any:
    return min_ if operand < min_ else operand


def _bits_above(operand: Any) -> Any:
    return (operand ^ operand) + (8 * operand.itemsize - int(abs(operand)).bit_length())


INTEGERS = ("i32", "i8", "ui32")
ROUNDED = "stablehlo.round_nearest_afz", "stablehlo.round_nearest_even"

MUTANTS = (
    # NumPy kernels
    Mutant("round_nearest_afz rounds halves up", _code(arithmetic._round_nearest_afz, _rounded_up)),
    Mutant("maximum leaves the sign of 0 open", _code(arithmetic.maximum, _numpy_maximum)),
    Mutant("minimum leaves the sign of 0 open", _code(arithmetic.minimum, _numpy_minimum)),
    Mutant("sign of -0 is 0", _code(arithmetic._sign, _lossy_sign)),
    Mutant("remainder of floats rounds down", _code(arithmetic._remainder, _floor_remainder)),
    Mutant(
        "division of integers rounds down", _code(integer_functions.divide_signed, _floor_quotient), INTEGERS
    ),
    Mutant(
        "remainder of integers rounds down", _code(integer_functions.remainder, _floor_remainder), INTEGERS
    ),
    Mutant(
        "logical shifts keep the sign",
        _code(integer_functions.shift_right_logical, _shift_with_sign),
        INTEGERS,
    ),
    Mutant("popcnt is off by one", _code(integer_functions.popcnt, _one_bit_more), INTEGERS),
    # Paths of scalars
    Mutant("maximum of scalars ignores NaN", _code(arithmetic._greater, _lhs_if_equal)),
    Mutant("minimum of scalars ignores NaN", _code(arithmetic._smaller, _rhs_of_nan)),
    Mutant(
        "clamp of scalars has no upper bound",
        _code(compare_and_select._clamp_of_floats, _truncated),
        ("f32",),
    ),
    Mutant(
        "leading zeros of negative scalars",
        _code(arithmetic._count_leading_zeros_of_scalar, _bits_above),
        INTEGERS,
    ),
    Mutant(
        "the operator of subtract on scalars",
        _attribute(
            kernel_factories, "_OPERATORS", {**kernel_factories._OPERATORS, "{0} - {1}": lambda a, b: b - a}
        ),
    ),
    # Sources of generated code
    Mutant(
        "the source of subtract has its operands swapped", _kernel("stablehlo.subtract", source="{1} - {0}")
    ),
    Mutant("the source of abs is that of negate", _kernel("stablehlo.abs", source="-{0}")),
    Mutant("the source of xor is that of or", _kernel("stablehlo.xor", source="{0} | {1}"), INTEGERS),
    # The table of operations
    Mutant("the card of ceil has the opcode of floor", _card("stablehlo.ceil", "floor")),
    Mutant("the card of atan has the opcode of tanh", _card("chlo.atan", "tanh")),
    # Opcodes
    Mutant("the VM rounds halves to even", _opcode("round_nearest_afz", "round_nearest_even")),
    Mutant("the VM compares < for <=", _opcode("LE", "LT")),
    Mutant("native programs round halves to even", _opcode_in(lowering, "operation_of", *ROUNDED)),
    # Rules
    Mutant("native slices begin at 0", _attribute(View, "sliced", _sliced_from_0), profile="straight-line"),
    Mutant(
        "native reverse does nothing", _attribute(View, "reversed", _not_reversed), profile="straight-line"
    ),
    Mutant("native reductions take minima", _combination("maximum", "minimum"), INTEGERS),
)


def unbroken() -> AbstractContextManager[None]:
    """No mistake."""
    return nullcontext()
