"""Inputs of element-wise operations: all inputs of narrow types, otherwise strata around difficult inputs."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs hardly support arrays of unknown dtype)

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.kernels.elementwise.narrow_floats import all_values
from hlokit.values.element_types import F32, F64, ElementType, Kind
from hlokit.values.float_format import float_format
from tools.accuracy.functions import Function

Array = Any

_SEED = 20250101
# Complex parts; all their pairs are inputs.
_PARTS = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0)
# Numbers of 16 bits: all pairs of signs and exponents if many samples are requested; for bf16, 2**18 pairs.
_MANY, _MOST_PAIRS = 10_000, 1 << 18
# The number of neighbours on either side of a point.
_NEIGHBOURS = 12


def is_exhaustive(type_: ElementType, operands: int) -> bool:
    """Whether every input of the type is measured."""
    return type_.kind is Kind.FLOAT and type_.dtype.itemsize * operands <= 2


def inputs(function: Function, type_: ElementType, count: int) -> tuple[Array, ...]:
    """Operands of about `count` elements each, or all inputs of the type.

    The samples are the same in every run.
    """
    generator = np.random.default_rng(_SEED)
    if type_.kind is Kind.COMPLEX:
        first, *others = (_complex(function, type_, count, generator) for _ in range(function.operands))
        others = [_rotated(other) for other in others]
        if function.short_name == "atan2":
            _put_near_cut(first, others[0], generator)
        return first, *others
    if type_.width <= 16:
        values = every_value(type_)
        if function.operands == 1:
            return (values,)
        if type_.width <= 8:
            lhs, rhs = np.meshgrid(values, values, indexing="ij")
            return lhs.reshape(-1), rhs.reshape(-1)
        return _pairs_of_exponents(type_, count, generator)
    first = _strata(function, type_, count, generator)
    if function.operands == 1:
        return (first,)
    lhs, rhs = generator.permutation(first), _strata(function, type_, first.size, generator)
    rhs = np.resize(rhs, lhs.shape)
    pairs = np.array(np.meshgrid(_special(type_), _special(type_))).reshape(2, -1)
    pairs = generator.permutation(pairs, axis=1)[:, : lhs.size // 4]
    _put_near_cancellations(function, lhs, rhs, generator)
    lhs[: pairs.shape[1]], rhs[: pairs.shape[1]] = pairs
    if function.short_name == "polygamma":
        lhs[pairs.shape[1] :] = generator.integers(0, 20, lhs.size - pairs.shape[1])
    return lhs, rhs


def every_value(type_: ElementType) -> Array:
    """All values of a type of up to 16 bits, in the order of their bits."""
    values = all_values(type_.dtype)
    return values[: 1 << type_.width]


def _pairs_of_exponents(type_: ElementType, count: int, generator: Any) -> tuple[Array, Array]:
    """Random mantissas for all pairs of signs and exponents, or for the requested number of pairs."""
    bits = float_format(type_).mantissa_bits
    signs_and_exponents = 1 << (type_.width - bits)
    pairs = generator.permutation(signs_and_exponents**2)
    pairs = np.resize(pairs, max(count, min(pairs.size, _MOST_PAIRS)) if count >= _MANY else count)
    chosen = ((pairs // signs_and_exponents), pairs % signs_and_exponents)
    lhs, rhs = ((one << bits) | generator.integers(0, 1 << bits, one.size) for one in chosen)
    return every_value(type_)[lhs], every_value(type_)[rhs]


def _put_near_cancellations(function: Function, lhs: Array, rhs: Array, generator: Any) -> None:
    """A subset of the pairs: sums of nearly opposite numbers, powers near 1 with large exponents."""
    part = slice(lhs.size // 2, lhs.size * 3 // 4)
    size = lhs[part].size
    match function.short_name:
        case "add" | "subtract":
            noise = 1 + generator.normal(size=size) * 2.0 ** generator.integers(-50, 0, size)
            with np.errstate(all="ignore"):
                rhs[part] = lhs[part] * noise * (-1 if function.short_name == "add" else 1)
        case "power":
            scale = 2.0 ** generator.integers(-50 if lhs.dtype.itemsize == 8 else -22, 0, size)
            lhs[part] = np.abs(1 + generator.normal(size=size) * scale)
            rhs[part] = generator.uniform(-100, 100, size) / scale
        case _:
            return


def _special(type_: ElementType) -> Array:
    """Zeros, infinities, NaN, and both ends of the subnormal and the normal range, of both signs."""
    layout = float_format(type_)
    normal = 1 << layout.mantissa_bits
    sizes = [layout.decode(bits) for bits in (1, 2, normal - 1, normal, normal + 1, layout.largest)]
    values = [0.0, *sizes, layout.decode(layout.largest - 1), 0.5, 1.0, 2.0, 3.0, np.inf]
    return np.array([*values, *(-value for value in values), np.nan], type_.dtype)


def _strata(function: Function, type_: ElementType, count: int, generator: Any) -> Array:
    """Specials and neighbours of points; half of the rest of all exponents, half from the ranges."""
    bits = type_.bits_dtype
    points = np.array([*function.points, *(p for range_ in function.ranges for p in range_)], type_.dtype)
    steps = np.arange(-_NEIGHBOURS, _NEIGHBOURS + 1).astype(bits)
    near = (points.view(bits)[:, None] + steps).reshape(-1).view(type_.dtype)
    fixed = np.concatenate([_special(type_), near])
    half = -(-max(count - fixed.size, 2) // 2)
    layout = float_format(type_)
    exponents = np.resize(np.arange(1 << (1 + layout.exponent_bits)), half).astype(bits)
    mantissas = generator.integers(0, 1 << layout.mantissa_bits, half, bits)
    of_all_sizes = (exponents << bits.type(layout.mantissa_bits) | mantissas).view(type_.dtype)
    ranges = [
        generator.uniform(low, high, -(-half // len(function.ranges))).astype(type_.dtype)
        for low, high in function.ranges
    ]
    return np.concatenate([fixed, of_all_sizes, *ranges])


def _complex(function: Function, type_: ElementType, count: int, generator: Any) -> Array:
    """All pairs of some parts; then numbers near 0, on the unit circle, near the axes, and of all sizes."""
    grid = [complex(x, y) for x in _PARTS for y in _PARTS]
    size = max(count - len(grid), 6) // 6
    normal = generator.normal(size=(6, size)) + 1j * generator.normal(size=(6, size))
    normal[0] *= 3
    normal[1] /= np.abs(normal[1]) * (
        1 + generator.normal(size=size) * 2.0 ** generator.integers(-30, 0, size)
    )
    normal[1].real -= function.short_name == "log_plus_one"
    normal[2] *= 2.0 ** generator.integers(-40, 6, size)
    normal[3].imag *= 2.0 ** generator.integers(-60, 0, size)
    normal[4].real *= 2.0 ** generator.integers(-60, 0, size)
    most = np.finfo(type_.part.dtype).maxexp - 2
    normal[5].real *= 2.0 ** generator.integers(-most, most, size)
    normal[5].imag *= 2.0 ** generator.integers(-most, most, size)
    return np.concatenate([np.array(grid), normal.reshape(-1)]).astype(type_.dtype)


def _rotated(operand: Array) -> Array:
    """The pairs of parts in a different order, so that two operands differ."""
    grid = len(_PARTS) ** 2
    return np.concatenate([np.roll(operand[:grid][::-1], 11), operand[grid:]])


def _put_near_cut(lhs: Array, rhs: Array, generator: Any) -> None:
    """A subset of the pairs: a sum of squares near the negative real axis, on either side of it."""
    part = slice(lhs.size // 2, lhs.size * 3 // 4)
    x = rhs[part].astype(np.complex128)
    y = generator.uniform(-1, 1, x.size) * np.abs(x.imag)
    noise = 1 + generator.normal(size=x.size) * 2.0 ** generator.integers(-70, 0, x.size)
    with np.errstate(all="ignore"):
        cut = y - 1j * (x.real * x.imag / y * noise)
        lhs[part] = np.where(np.isfinite(cut), cut, 1)


def sampled_types() -> tuple[ElementType, ...]:
    """Types that are too wide for measuring all their values."""
    return (F32, F64)
