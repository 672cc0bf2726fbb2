"""Elements as text and as arrays: small numbers, special values, patterns of bits."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.float_format import float_format
from tests.generate.values import Shape, Type, bounds

# Zeros, ones, the largest finite value, infinities, quiet and signalling NaNs, subnormals: where a format has them.
_SPECIAL = (
    0.0,
    -0.0,
    1.0,
    -2.5,
    float("inf"),
    float("-inf"),
    float("nan"),
    1e-45,
    3e38,
    -1e-30,
    5e-324,
    1e300,
)


def codes(random: Random, row: ElementType) -> int:
    """The bits of a float: often a special value, otherwise a small multiple of 1/4 or random bits."""
    layout, kind = float_format(row), random.random()
    if kind < 0.2:
        return layout.encode(random.choice(_SPECIAL))
    if kind < 0.25:
        return random.choice([0, 1, (1 << row.width) - 1, (1 << (row.width - 1)) - 1]) & (
            (1 << row.width) - 1
        )
    if kind < 0.9:
        return layout.encode(random.randint(-24, 24) / 4)
    return random.getrandbits(row.width)


def _integer(random: Random, type_: Type) -> int:
    least, greatest = bounds(type_)
    kind = random.random()
    if kind < 0.15:
        return random.choice([least, greatest, least + 1, greatest - 1])
    if kind < 0.9:
        return random.randint(max(-9, least), min(9, greatest))
    return random.randint(least, greatest)


def literal(random: Random, type_: Type) -> str:
    """An element of a constant."""
    row = ELEMENT_TYPES[type_.name]
    if row.kind is Kind.BOOL:
        return random.choice(["true", "false"])
    if row.kind.is_integer:
        return str(_integer(random, type_))
    part = row.part
    digits = -(-part.width // 4)
    parts = [f"0x{codes(random, part):0{digits}X}" for _ in range(2 if row.kind is Kind.COMPLEX else 1)]
    return f"({', '.join(parts)})" if row.kind is Kind.COMPLEX else parts[0]


def elements(random: Random, type_: Type, shape: Shape) -> Any:
    """An array of an argument: large ones repeat some hundred elements in another order."""
    row = ELEMENT_TYPES[type_.name]
    rng = np.random.default_rng(random.getrandbits(32))
    size = int(np.prod(shape, dtype=np.int64))
    count = min(size, 300)
    if row.kind is Kind.BOOL:
        return rng.integers(0, 2, shape).astype(np.bool_)
    if row.kind.is_integer:
        pool = np.array([_integer(random, type_) for _ in range(count)], object)
        found = pool.astype(row.dtype if row.width >= 8 else np.int8).astype(row.dtype)
    else:
        part = row.part
        parts = 2 if row.kind is Kind.COMPLEX else 1
        bits = [codes(random, part) for _ in range(count * parts)]
        found = np.array(bits, part.bits_dtype).view(row.dtype)
    if count < size:
        found = found[rng.integers(0, count, size)]
    return found.reshape(shape)
