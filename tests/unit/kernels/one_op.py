"""Programs of one operation, and operands for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import hlokit
from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.types import TensorType

Array = np.ndarray[Any, Any]
Shape = Sequence[int]


def tensor(shape: Shape, type_: ElementType) -> TensorType:
    return TensorType(tuple(int(size) for size in shape), type_)


def type_of(array: Array) -> TensorType:
    return tensor(array.shape, element_type_of(array.dtype))


def program(name: str, attributes: str, operands: Sequence[Array], results: Sequence[TensorType]) -> str:
    """A module whose @main applies an operation to its arguments."""
    arguments = [f"%arg{index}" for index in range(len(operands))]
    types = [str(type_of(operand)) for operand in operands]
    outputs = ", ".join(map(str, results))
    values = [f"%result#{index}" for index in range(len(results))]
    parameters = ", ".join(f"{argument}: {type_}" for argument, type_ in zip(arguments, types, strict=True))
    return f"""
      func.func @main({parameters}) -> ({outputs}) {{
        %result:{len(results)} = "stablehlo.{name}"({", ".join(arguments)}) {{{attributes}}}
          : ({", ".join(types)}) -> ({outputs})
        return {", ".join(values)} : {outputs}
      }}"""


def evaluate(text: str, *operands: Array) -> list[Array]:
    """The results of hlokit."""
    results = hlokit.load(text)(*operands)
    return list(results) if isinstance(results, tuple) else [results]


def sample(random: np.random.Generator, type_: ElementType, shape: Shape) -> Array:
    """Values of a type: all integers, floats of a normal distribution."""
    shape = tuple(int(size) for size in shape)
    if type_.kind is Kind.BOOL:
        return random.integers(0, 2, shape).astype(np.bool_)
    if type_.kind.is_integer:
        low = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
        wide = np.int64 if type_.kind is Kind.SIGNED else np.uint64
        return random.integers(low, low + (1 << type_.width), shape, wide).astype(type_.dtype)
    if type_.kind is Kind.COMPLEX:
        parts = random.standard_normal((2, *shape))
        return (parts[0] + 1j * parts[1]).astype(type_.dtype)
    return random.standard_normal(shape).astype(np.float32).astype(type_.dtype)


def assert_same(actual: Array, expected: Array) -> None:
    """Equal in shape, dtype and bits."""
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    assert np.array_equal(
        np.ascontiguousarray(actual).view(np.uint8), np.ascontiguousarray(expected).view(np.uint8)
    )


def assert_near(actual: Array, expected: Array, tolerance: float) -> None:
    """Equal in shape and dtype, and near in proportion to the largest element."""
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    if actual.size:
        wide = np.complex128 if actual.dtype.kind == "c" else np.float64
        error = np.abs(actual.astype(wide) - expected.astype(wide)).max()
        assert error <= tolerance * max(np.abs(expected.astype(wide)).max(), 1e-300)
