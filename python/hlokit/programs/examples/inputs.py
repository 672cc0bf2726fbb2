"""Example inputs of a program's function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlokit.errors import ArgumentError
from hlokit.mlir.queries.module import functions
from hlokit.programs.examples.arrays import SIZE, Bits, Filling, example_of
from hlokit.programs.examples.sizes import symbols_of
from hlokit.programs.examples.uses import Demands, demands_of
from hlokit.values.types import TensorType

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir
    from hlokit.programs.calls.arguments import Signature
    from hlokit.values.types import ValueType


class Wish(NamedTuple):
    """What example inputs shall be.

    Attributes:
      filling: what arrays hold.
      seed: other seeds draw other numbers.
      size: the size of dimensions that types leave open.
      shapes: the shapes of some parameters, by number.
      sizes: the sizes of open dimensions that have names.
    """

    filling: Filling = Filling.RANDOM
    seed: int = 0
    size: int = SIZE
    shapes: Mapping[int, tuple[int, ...]] = {}
    sizes: Mapping[str, int] = {}


def examples(module: ir.Module, signature: Signature, wish: Wish) -> list[Any]:
    """A value for each parameter of a function.

    Raises:
      ArgumentError: a parameter has a type without examples.
    """
    if wish.seed < 0 or wish.size < 0:
        raise ArgumentError(f"seed and size must not be negative, got {wish.seed} and {wish.size}")
    count = len(signature.inputs)
    function = functions(module)[signature.name]
    is_read = wish.filling is Filling.RANDOM and len(function.regions[0].blocks) > 0  # not of a declaration
    demands = demands_of(function, module) if is_read else [Demands()] * count
    symbols = symbols_of(function, signature.inputs)
    shapes = {**symbols.solved(wish.sizes, wish.size, wish.shapes), **wish.shapes}
    bits = Bits(wish.seed)
    values: list[Any] = []
    for number, (type_, demand) in enumerate(zip(signature.inputs, demands, strict=True)):
        shaped = _shaped(type_, shapes.get(number))
        try:
            values.append(example_of(shaped, demand, bits, wish.filling, wish.size))
        except ValueError as error:
            raise ArgumentError(f"@{signature.name}: parameter {number}: {error}") from None
    if signature.takes_platform:
        values[0] = np.zeros_like(values[0])  # the first platform
    return values


def _shaped(type_: ValueType, shape: tuple[int, ...] | None) -> ValueType:
    return (
        TensorType(shape, type_.element_type)
        if shape is not None and isinstance(type_, TensorType)
        else type_
    )
