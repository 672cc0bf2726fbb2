"""Example arguments for a program, the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType


def example_values(types: Sequence[ValueType]) -> list[Any]:
    """A value of each type: floats from a normal distribution with standard deviation 1/4; integers below 8
    and below the smallest dimension of any parameter, so that indices stay in range."""
    random = np.random.default_rng(0)
    tensors = [type_ for type_ in types if isinstance(type_, TensorType)]
    sizes = [size for type_ in tensors for size in type_.dims if size > 1]
    below = min([*sizes, 8])
    return [_example(type_, random, below) for type_ in tensors]


def _example(type_: TensorType, random: np.random.Generator, below: int) -> Any:
    kind, dtype, shape = type_.element_type.kind, type_.element_type.dtype, type_.dims
    if kind is Kind.FLOAT:
        return (random.standard_normal(shape) / 4).astype(dtype)
    if kind is Kind.COMPLEX:
        return ((random.standard_normal(shape) + 1j * random.standard_normal(shape)) / 4).astype(dtype)
    limit = 2 if kind is Kind.BOOL or type_.element_type.width < 4 else below
    return random.integers(0, limit, shape).astype(dtype)
