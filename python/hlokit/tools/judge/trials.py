"""Inputs that hurt: scales, cancellation, ties, rows of other sizes, special values, repeated calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.mlir.queries.module import functions
from hlokit.operations.traits import Domain
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.examples.inputs import Wish, examples
from hlokit.programs.examples.uses import are_factors, demands_of
from hlokit.programs.program import Program
from hlokit.values.types import TensorType, ValueType

Array = npt.NDArray[Any]
# Sizes of dimensions that the reference leaves open: around one, and around tiles.
_SIZES = (1, 3, 127, 129)
# The width of integers whose products saturate in few additions.
_NARROW = 8
_SUBNORMAL = "subnormal numbers"


@dataclass(frozen=True, slots=True)
class Trial:
    """One call.

    Attributes:
      name: what is special about the inputs.
      is_typical: moderate numbers, whose errors tell the precision of a computation.
      repeats: the name of an earlier trial with the same inputs; "" if there is none.
    """

    name: str
    inputs: list[Value]
    is_typical: bool = False
    repeats: str = ""

    @property
    def is_subnormal(self) -> bool:
        """Whether the float inputs are subnormal numbers."""
        return self.name == _SUBNORMAL


def trials(program: Program, signature: Signature, arguments: Sequence[Value] = ()) -> Iterator[Trial]:
    """The trials of a function.

    Args:
      arguments: those of the caller; they come first, and their integers and shapes are kept.
    """
    first = list(arguments) or examples(program.module, signature, Wish())
    second = examples(program.module, signature, Wish(seed=1)) if not arguments else _reversed(first)
    types = signature.inputs
    yield Trial("arguments" if arguments else "random", first, is_typical=True)
    yield Trial("other data", second, is_typical=True)
    parameters = demands_of(functions(program.module)[signature.name], program.module)
    is_definite = [Domain.DEFINITE in demands.domains for demands in parameters]
    for name, change in _CHANGES.items():
        changed = [
            value if keeps and name not in _SCALES else _changed(value, type_, change)
            for value, type_, keeps in zip(first, types, is_definite, strict=True)
        ]
        if any(value is not old for value, old in zip(changed, first, strict=True)):
            yield Trial(name, changed)
    yield from _of_ends(program, signature, first)
    if not arguments:
        yield from _of_other_sizes(program, signature)
    shared = _shared(first, types)
    if shared is not None:
        yield Trial("the same array for several parameters", shared)
    yield Trial(
        "the first inputs again", first, is_typical=True, repeats="arguments" if arguments else "random"
    )


def _is_float(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.element_type.kind.is_inexact


def _changed(value: Value, type_: ValueType, change: Callable[[Array], Array]) -> Value:
    """A float or complex array after a change; others as they are."""
    array: Array = np.asarray(value)
    if not _is_float(type_) or not array.size:
        return value
    with np.errstate(all="ignore"):
        wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
        return np.asarray(change(wide), wide.dtype).astype(array.dtype).reshape(array.shape)


def _cancelling(values: Array) -> Array:
    """Neighbours of opposite signs that nearly cancel."""
    flat = values.reshape(-1).copy()
    count = flat.size // 2
    flat[1 : 2 * count : 2] = -flat[0 : 2 * count : 2] * (1 + 2.0**-12)
    return flat


def _tied(values: Array) -> Array:
    return np.round(values * 2) / 2


def _with_large_row(values: Array) -> Array:
    """The first row of the last dimension is much larger than the others; a scalar is one row."""
    changed = np.atleast_1d(values.copy())
    changed[..., :1] *= 1e4
    return changed


def _with_one(special: float) -> Callable[[Array], Array]:
    def change(values: Array) -> Array:
        flat = values.reshape(-1).copy()
        flat[flat.size // 2] = special
        return flat

    return change


_CHANGES: dict[str, Callable[[Array], Array]] = {
    "large": lambda values: values * 100,
    "small": lambda values: values * 1e-4,
    "far from zero": lambda values: values + 1000,
    "cancelling": _cancelling,
    "ties": _tied,
    "all equal": np.ones_like,
    "zeros": np.zeros_like,
    "negative zeros": lambda values: np.copysign(0.0, -np.ones(values.shape)) + values * 0,
    "one large row": _with_large_row,
    "descending": lambda values: np.sort(values.reshape(-1))[::-1],
    "an infinity": _with_one(np.inf),
    "a NaN": _with_one(np.nan),
    _SUBNORMAL: lambda values: values * 1e-40,
}


# The changes that keep matrices positive definite, as some operations demand: others are undefined.
_SCALES = ("large", "small")


def _reversed(values: Sequence[Value]) -> list[Value]:
    """Other data with the same values: arrays backwards."""
    return [value if isinstance(value, tuple) else np.array(np.flip(value), order="C") for value in values]


def _of_ends(program: Program, signature: Signature, values: Sequence[Value]) -> Iterator[Trial]:
    """Narrow integers of products, all the least or all the greatest of their array: sums of such products
    saturate first. Other integers may be indices, lengths or masks."""
    is_factor = are_factors(functions(program.module)[signature.name], program.module)
    is_chosen = [
        in_products and _is_narrow_integer(type_) and np.size(value) > 0
        for value, type_, in_products in zip(values, signature.inputs, is_factor, strict=True)
    ]
    if any(is_chosen):
        for name, end in (("the least integers", np.min), ("the greatest integers", np.max)):
            ends = [
                _filled(value, end) if is_changed else value
                for value, is_changed in zip(values, is_chosen, strict=True)
            ]
            yield Trial(name, ends)


def _is_narrow_integer(type_: ValueType) -> bool:
    stored = type_.element_type.stored if isinstance(type_, TensorType) else None
    return stored is not None and stored.kind.is_integer and stored.width <= _NARROW


def _filled(value: Value, end: Callable[[Array], Any]) -> Array:
    """An array with one of its integers everywhere. NumPy has no least int4."""
    array = np.asarray(value)
    return np.full_like(array, end(array.astype(np.int64)))


def _of_other_sizes(program: Program, signature: Signature) -> Iterator[Trial]:
    shapes = [type_.shape for type_ in signature.inputs if isinstance(type_, TensorType)]
    if not any(size < 0 for shape in shapes if shape is not None for size in shape):
        return
    for size in _SIZES:
        yield Trial(f"open dimensions of size {size}", examples(program.module, signature, Wish(size=size)))


def _shared(values: Sequence[Value], types: Sequence[ValueType]) -> list[Value] | None:
    """The first of the float arrays of a type for all parameters of the type; None if there is one only."""
    firsts: dict[str, Value] = {}
    shared = [
        firsts.setdefault(f"{type_}{np.shape(value)}", value) if _is_float(type_) else value
        for value, type_ in zip(values, types, strict=True)
    ]
    return shared if any(one is not other for one, other in zip(shared, values, strict=True)) else None
