"""Mistakes that kernels and compilers make, as functions of an operation's operands and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from hlokit.operations.lookup import having, traits_of
from hlokit.values.element_types import element_type_of

Array = Any
# Operands and results -> other results; None: no change.
Change = Callable[[Sequence[Array], Sequence[Array]], Sequence[Array] | None]


class Mutant(NamedTuple):
    """A backend with one mistake.

    Attributes:
      operation: the operation that it evaluates wrongly.
      fault: the mistake in words.
      change: changes results; None for a mistake in the text.
      text: what the backend reads instead: a pair of texts.
    """

    operation: str
    fault: str
    change: Change | None = None
    text: tuple[str, str] = ("", "")

    @property
    def name(self) -> str:
        return f"{self.operation}: {self.fault}"


def _is_float(value: Array) -> bool:
    return element_type_of(value.dtype).kind.is_inexact


def _each(change: Callable[[Array], Array]) -> Change:
    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array]:
        del operands
        with np.errstate(all="ignore"):
            return [
                np.asarray(change(np.array(value)), value.dtype).reshape(value.shape) for value in results
            ]

    return changed


def _floats(change: Callable[[Array], Array]) -> Change:
    return _each(lambda value: change(value) if _is_float(value) else value)


def _other(value: Array) -> Array:
    """Other numbers of the same type."""
    return ~value if value.dtype == np.bool_ else np.asarray(value + np.asarray(1, value.dtype), value.dtype)


def _last(value: Array) -> Array:
    flat = value.reshape(-1)
    if flat.size > 1:
        flat[-1:] = _other(flat[-1:])
    return flat


def _first(value: Array) -> Array:
    flat = value.reshape(-1)
    flat[:1] = _other(flat[:1])
    return flat


def _from(start: int) -> Callable[[Array], Array]:
    def change(value: Array) -> Array:
        flat = value.reshape(-1)
        flat[start:] = np.zeros((), value.dtype)
        return flat

    return change


def _tail(tile: int) -> Callable[[Array], Array]:
    """The part of a vector behind its last whole tile."""

    def change(value: Array) -> Array:
        flat = value.reshape(-1)
        whole = flat.size // tile * tile
        if whole:
            flat[whole:] = np.zeros((), value.dtype)
        return flat

    return change


def _units(count: float) -> Callable[[Array], Array]:
    """Normal numbers, off by units in the last place."""

    def change(value: Array) -> Array:
        if value.dtype.kind == "c":
            return value * (1 + count * np.finfo(value.dtype).eps)
        eps = float(ml_dtypes.finfo(value.dtype).eps)
        return value.astype(np.float64) * (1 + count * eps)

    return change


def _through(dtype: Any) -> Callable[[Array], Array]:
    return lambda value: value.astype(dtype) if value.dtype in (np.float32, np.float64) else value


def _nan_as(number: float) -> Callable[[Array], Array]:
    return lambda value: np.where(np.isnan(value), np.asarray(number, value.dtype), value)


def _largest(value: Array) -> Array:
    if value.dtype.kind == "c":
        return value
    largest = np.asarray(ml_dtypes.finfo(value.dtype).max, value.dtype)
    return np.where(np.isinf(value), np.where(value > 0, largest, -largest), value)


def _without_signed_zero(value: Array) -> Array:
    return np.where(value == 0, np.zeros((), value.dtype), value)


def _toward_zero(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array]:
    """The result one unit nearer to zero, where it has been rounded up: a wrong rounding mode."""
    del operands
    changed: list[Array] = []
    for value in results:
        if not _is_float(value) or value.dtype.kind == "c":
            changed.append(value)
            continue
        bits = np.array(value, ndmin=1).view(f"u{value.dtype.itemsize}")
        is_plain = np.isfinite(value.astype(np.float64)) & (value.astype(np.float64) != 0)
        down = (bits - (bits & np.ones((), bits.dtype))).view(value.dtype).reshape(value.shape)
        changed.append(np.where(is_plain, down, value))
    return changed


def _saturating(operation: Callable[..., Any]) -> Change:
    """Integers that saturate instead of wrapping."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        value = results[0]
        if value.dtype.kind not in "iu" or value.dtype.itemsize == 8:
            return None
        info = np.iinfo(value.dtype)
        wide = operation(*[operand.astype(np.int64) for operand in operands])
        return [np.clip(wide, info.min, info.max).astype(value.dtype)]

    return changed


def _as_signed(operation: Callable[..., Any]) -> Change:
    """Unsigned integers taken as signed ones."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        if operands[0].dtype.kind != "u":
            return None
        signed = [operand.view(operand.dtype.str.replace("u", "i")) for operand in operands]
        with np.errstate(all="ignore"):
            return [np.asarray(operation(*signed)).astype(results[0].dtype)]

    return changed


def _integers(operation: Callable[..., Any]) -> Change:
    """Integers computed in another way."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        if results[0].dtype.kind not in "iu":
            return None
        with np.errstate(all="ignore"):
            return [np.asarray(operation(*operands)).astype(results[0].dtype)]

    return changed


def _computed(operation: Callable[..., Any], kinds: str = "f") -> Change:
    """Results of NumPy, for kinds of dtypes."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        if operands[0].dtype.kind not in kinds:
            return None
        with np.errstate(all="ignore"):
            return [np.asarray(operation(*operands)).astype(results[0].dtype).reshape(results[0].shape)]

    return changed


def _reversed_rows(value: Array) -> Array:
    return value[::-1] if value.ndim else value


def _rolled(value: Array) -> Array:
    return np.roll(value.reshape(-1), 1)


EVERYWHERE: dict[str, Change] = {
    "last element": _each(_last),
    "first element": _each(_first),
    "from 128 on zero": _each(_from(128)),
    "tail behind tiles of 4": _each(_tail(4)),
    "shifted by one": _each(_rolled),
}
# Of operations that compute floats.
OF_FLOATS: dict[str, Change] = {
    "NaN as zero": _floats(_nan_as(0.0)),
    "infinity as largest": _floats(_largest),
    "results through bf16": _floats(_through(ml_dtypes.bfloat16)),
    "results through f16": _floats(_through(np.float16)),
}


def mutants() -> Iterator[Mutant]:
    """All mutants."""
    for name in sorted(having(lambda traits: traits.elementwise and not traits.broadcasting)):
        if not name.startswith("stablehlo.") or traits_of(name).nans.name == "BLIND":
            continue
        for fault in ("last element", "tail behind tiles of 4", "shifted by one"):
            yield Mutant(name, fault, EVERYWHERE[fault])
        if traits_of(name).ulps:
            yield Mutant(
                name, "four times the error of libraries", _floats(_units(4.0 * traits_of(name).ulps))
            )
            yield Mutant(name, "NaN as zero", OF_FLOATS["NaN as zero"])
            yield Mutant(name, "results through bf16", OF_FLOATS["results through bf16"])
    for name in _MOVING:
        for fault in ("last element", "first element", "shifted by one"):
            yield Mutant(f"stablehlo.{name}", fault, EVERYWHERE[fault])
    for name in _SUMS:
        for fault in ("results through bf16", "results through f16", "NaN as zero"):
            yield Mutant(f"stablehlo.{name}", fault, OF_FLOATS[fault])
        yield Mutant(f"stablehlo.{name}", "last element", EVERYWHERE["last element"])
    for row in _OWN:
        yield Mutant(f"stablehlo.{row[0]}", *row[1:])
    for operation, fault, old, new in _TEXTS:
        yield Mutant(operation if "." in operation else f"stablehlo.{operation}", fault, None, (old, new))


_MOVING = (
    *("broadcast_in_dim", "concatenate", "dynamic_slice", "dynamic_update_slice", "gather", "pad", "reshape"),
    *("reverse", "slice", "transpose", "scatter", "sort", "bitcast_convert", "select_and_scatter"),
)
_SUMS = (
    "dot_general",
    "dot",
    "convolution",
    "reduce",
    "reduce_window",
    "batch_norm_training",
    "batch_norm_inference",
)

_OWN: tuple[tuple[str, str, Change], ...] = (
    ("add", "rounds toward zero", _toward_zero),
    ("subtract", "rounds toward zero", _toward_zero),
    ("multiply", "rounds toward zero", _toward_zero),
    ("divide", "rounds toward zero", _toward_zero),
    ("sqrt", "rounds toward zero", _toward_zero),
    ("convert", "rounds toward zero", _toward_zero),
    ("divide", "by reciprocals", _computed(lambda a, b: a * (np.ones((), a.dtype) / b))),
    ("sqrt", "as a power", _computed(lambda a: np.power(a.astype(np.float64), 0.4999999))),
    *(
        (name, "infinity as largest", OF_FLOATS["infinity as largest"])
        for name in ("add", "multiply", "divide")
    ),
    *(
        (name, "NaN as zero", OF_FLOATS["NaN as zero"])
        for name in ("add", "multiply", "divide", "maximum", "sqrt")
    ),
    *(
        (name, "no signed zero", _floats(_without_signed_zero))
        for name in ("negate", "multiply", "ceil", "round_nearest_even", "minimum")
    ),
    ("add", "saturates", _saturating(np.add)),
    ("subtract", "saturates", _saturating(np.subtract)),
    ("multiply", "saturates", _saturating(np.multiply)),
    ("negate", "saturates", _saturating(np.negative)),
    ("abs", "saturates", _saturating(np.abs)),
    ("divide", "unsigned as signed", _as_signed(lambda a, b: a // np.where(b == 0, 1, b))),
    ("remainder", "unsigned as signed", _as_signed(lambda a, b: np.fmod(a, np.where(b == 0, 1, b)))),
    ("maximum", "unsigned as signed", _as_signed(lambda a, b: np.where(a > b, a, b))),
    ("minimum", "unsigned as signed", _as_signed(lambda a, b: np.where(a < b, a, b))),
    ("shift_right_logical", "arithmetic", _as_signed(lambda a, b: a >> np.clip(b, 0, 31))),
    ("divide", "floors", _integers(lambda a, b: np.where(b == 0, -1, a // np.where(b == 0, 1, b)))),
    (
        "remainder",
        "sign of the divisor",
        _integers(lambda a, b: np.where(b == 0, a, np.mod(a, np.where(b == 0, 1, b)))),
    ),
    ("remainder", "sign of the divisor, floats", _computed(np.mod)),
    (
        "round_nearest_even",
        "halves away from zero",
        _computed(lambda a: np.copysign(np.floor(np.abs(a) + a.dtype.type(0.5)), a)),
    ),
    ("round_nearest_afz", "halves to even", _computed(np.rint)),
    ("floor", "truncates", _computed(np.trunc)),
    ("ceil", "truncates", _computed(np.trunc)),
    ("sign", "zero is positive", _computed(lambda a: np.where(a == 0, a.dtype.type(1), np.sign(a)))),
    ("sign", "NaN is zero", _floats(_nan_as(0.0))),
    ("maximum", "ignores NaN", _computed(np.fmax)),
    ("minimum", "ignores NaN", _computed(np.fmin)),
    ("clamp", "maximum first", _computed(lambda low, x, high: np.maximum(np.minimum(x, high), low), "iu")),
    ("clamp", "no minimum", _computed(lambda low, x, high: np.minimum(x, high) + 0 * low, "fiu")),
    ("clamp", "NaN becomes the minimum", _computed(lambda low, x, high: np.fmin(np.fmax(x, low), high))),
    ("atan2", "operands exchanged", _computed(lambda y, x: np.arctan2(x, y))),
    ("atan2", "one quadrant", _computed(lambda y, x: np.arctan(y / x))),
    ("power", "negative bases are NaN", _computed(lambda a, b: np.where(a < 0, np.nan, np.power(a, b)))),
    ("power", "exponent exchanged", _computed(lambda a, b: np.power(b, a))),
    ("log_plus_one", "as log(1 + x)", _computed(lambda a: np.log(a.dtype.type(1) + a))),
    ("exponential_minus_one", "as exp(x) - 1", _computed(lambda a: np.exp(a) - a.dtype.type(1))),
    ("logistic", "overflows", _computed(lambda a: np.exp(a) / (1 + np.exp(a)))),
    ("tanh", "by exponentials", _computed(lambda a: (np.exp(2 * a) - 1) / (np.exp(2 * a) + 1))),
    (
        "cosine",
        "no range reduction",
        _computed(lambda a: np.where(np.abs(a) > 1e4, a.dtype.type(1), np.cos(a))),
    ),
    (
        "sine",
        "a polynomial near zero",
        _computed(lambda a: np.where(np.abs(a) < 0.5, a - a**3 / 6, np.sin(a))),
    ),
    ("rsqrt", "one Newton step of an estimate", _floats(_units(40.0))),
    ("popcnt", "of 16 bits", _integers(lambda a: np.bitwise_count(a.astype(np.int64) & 0xFFFF))),
    ("count_leading_zeros", "zero has none", _computed(lambda a: np.where(a == 0, 0, 7), "iu")),
    ("is_finite", "NaN is finite", lambda operands, results: [results[0] | np.isnan(operands[0])]),
    (
        "select",
        "branches exchanged",
        lambda operands, results: [np.where(operands[0], operands[2], operands[1])],
    ),
    ("real", "the magnitude", _computed(np.abs, "c")),
    ("imag", "of the conjugate", _computed(lambda a: -np.imag(a), "c")),
    (
        "convert",
        "to integers rounds",
        lambda operands, results: (
            [
                np.rint(np.clip(np.nan_to_num(operands[0].astype(np.float64)), -100, 100)).astype(
                    results[0].dtype
                )
            ]
            if operands[0].dtype.kind == "f"
            and results[0].dtype.kind in "iu"
            and (np.abs(np.nan_to_num(operands[0])) < 100).any()
            else None
        ),
    ),
    (
        "convert",
        "to booleans truncates",
        lambda operands, results: (
            [np.trunc(operands[0]) != 0]
            if operands[0].dtype.kind == "f" and results[0].dtype == np.bool_
            else None
        ),
    ),
    ("reduce_precision", "keeps all bits", lambda operands, results: [operands[0]]),
    ("reduce_precision", "cuts off", _toward_zero),
    ("sort", "descending", _each(_reversed_rows)),
    ("sort", "keys unsorted", lambda operands, results: list(operands[: len(results)])),
    ("transpose", "not at all", lambda operands, results: [operands[0].reshape(results[0].shape)]),
    ("reverse", "not at all", lambda operands, results: [operands[0]]),
    (
        "pad",
        "with zeros",
        lambda operands, results: [
            np.where(results[0] == operands[1], np.zeros((), results[0].dtype), results[0])
        ],
    ),
    (
        "slice",
        "from the start",
        lambda operands, results: [operands[0].reshape(-1)[: results[0].size].reshape(results[0].shape)],
    ),
    (
        "gather",
        "outside is zero",
        lambda operands, results: [results[0] * np.asarray((operands[1] >= 0).all(), results[0].dtype)],
    ),
    (
        "reduce",
        "the initial value twice",
        lambda operands, results: [results[0] + operands[1]] if len(results) == 1 else None,
    ),
    ("reduce", "without the last element", _each(_from(1))),
    ("reduce_window", "a window too far", _each(_rolled)),
    (
        "dot_general",
        "without the last product",
        _each(lambda value: value * value.dtype.type(0.99) if value.dtype == np.float32 else value),
    ),
    (
        "dot_general",
        "the transposed product",
        lambda operands, results: [results[0].T.reshape(results[0].shape)],
    ),
    ("fft", "not scaled", _each(lambda value: value * value.dtype.type(2))),
    ("fft", "the conjugate", _each(np.conj)),
    (
        "cholesky",
        "of the transpose",
        _each(lambda value: np.swapaxes(value, -1, -2) if value.ndim > 1 else value),
    ),
    (
        "cholesky",
        "diagonal not rooted",
        _each(lambda value: value * value if value.dtype == np.float32 else value),
    ),
    ("triangular_solve", "divides twice", _each(lambda value: value / value.dtype.type(2))),
    (
        "batch_norm_training",
        "variance of n - 1",
        lambda operands, results: [*results[:2], results[2] * results[2].dtype.type(1.1)],
    ),
    (
        "batch_norm_grad",
        "gradients exchanged",
        lambda operands, results: [results[0], results[2], results[1]],
    ),
    ("rng_bit_generator", "the state stays", lambda operands, results: [operands[0], *results[1:]]),
    ("rng_bit_generator", "other bits", _each(_other)),
    ("map", "of the first operand", lambda operands, results: [operands[0].astype(results[0].dtype)]),
    ("scatter", "nothing", lambda operands, results: [operands[0]]),
    ("dynamic_update_slice", "nothing", lambda operands, results: [operands[0]]),
    ("select_and_scatter", "all", _each(lambda value: value + np.asarray(1, value.dtype))),
)

_DIRECTIONS = (("LT", "LE"), ("LE", "LT"), ("GT", "GE"), ("GE", "GT"), ("EQ", "NE"), ("NE", "EQ"))
# The operation, the mistake, what the text says, what the backend reads.
_TEXTS: tuple[tuple[str, str, str, str], ...] = (
    *(
        ("compare", f"{old} as {new}", f"comparison_direction {old}>", f"comparison_direction {new}>")
        for old, new in _DIRECTIONS
    ),
    (
        "compare",
        "no total order",
        "compare_type = #stablehlo<comparison_type TOTALORDER>",
        "compare_type = #stablehlo<comparison_type FLOAT>",
    ),
    *(
        (f"chlo.broadcast_{name}", "another operation", f"chlo.broadcast_{name}", f"chlo.broadcast_{other}")
        for name, other in (
            ("add", "subtract"),
            ("maximum", "minimum"),
            ("multiply", "add"),
            ("divide", "multiply"),
            ("power", "atan2"),
            ("and", "or"),
            ("shift_left", "shift_right_logical"),
        )
    ),
    ("sort", "comparator exchanged", "compare LT", "compare GT"),
    ("sort", "not stable", "compare GT, %a, %b", "compare GE, %a, %b"),
    ("reduce", "another body", "stablehlo.maximum", "stablehlo.minimum"),
    ("reduce", "or as xor", "stablehlo.or", "stablehlo.xor"),
    ("reduce", "and as or", "stablehlo.and", "stablehlo.or"),
    (
        "reduce_window",
        "base dilation ignored",
        "base_dilations = array<i64: 2>",
        "base_dilations = array<i64: 1>",
    ),
    ("reduce_window", "another body", "stablehlo.maximum", "stablehlo.minimum"),
    ("reduce_window", "padding exchanged", "[[1, 2]]", "[[2, 1]]"),
    (
        "convolution",
        "reversal ignored",
        "window_reversal = array<i1: true>",
        "window_reversal = array<i1: false>",
    ),
    ("convolution", "padding exchanged", "[[1, 2]]", "[[2, 1]]"),
    ("convolution", "kernel layout", "x[o, i, 0, 1]", "x[o, i, 1, 0]"),
    ("triangular_solve", "unit diagonal ignored", "unit_diagonal = true", "unit_diagonal = false"),
    ("triangular_solve", "always lower", "lower = false", "lower = true"),
    ("triangular_solve", "transpose ignored", "transpose TRANSPOSE", "transpose NO_TRANSPOSE"),
    ("triangular_solve", "adjoint is not conjugated", "transpose ADJOINT", "transpose TRANSPOSE"),
    ("cholesky", "always lower", "lower = false", "lower = true"),
    ("fft", "forward for inverse", "fft_type IFFT", "fft_type FFT"),
    ("batch_norm_training", "epsilon dropped", "epsilon = 0.125", "epsilon = 0.0"),
    ("batch_norm_inference", "epsilon dropped", "epsilon = 0.125", "epsilon = 0.0"),
    ("batch_norm_grad", "epsilon dropped", "epsilon = 0.125", "epsilon = 0.0"),
    ("reduce_precision", "other mantissa", "mantissa_bits = 7", "mantissa_bits = 8"),
    ("reduce_precision", "exponent ignored", "exponent_bits = 5", "exponent_bits = 8"),
    ("rng_bit_generator", "another algorithm", "THREE_FRY", "PHILOX"),
    ("gather", "indices along another dimension", "start_index_map = [1, 0]", "start_index_map = [0, 1]"),
    ("scatter", "sum as maximum", "stablehlo.add", "stablehlo.maximum"),
    ("scatter", "maximum as sum", "stablehlo.maximum", "stablehlo.add"),
    ("scatter", "keeps the old value", "stablehlo.return %b", "stablehlo.return %a"),
    ("select_and_scatter", "the last of ties", "compare GE", "compare GT"),
    ("select_and_scatter", "the smallest", "compare GE", "compare LE"),
    ("reverse", "other dimensions", "dimensions = array<i64: 0, 2>", "dimensions = array<i64: 0>"),
    (
        "transpose",
        "inverse permutation",
        "permutation = array<i64: 5, 3, 0, 1, 4, 2>",
        "permutation = array<i64: 2, 3, 5, 1, 4, 0>",
    ),
    ("dot_general", "another contraction", "[2, 1], rhs_contracting", "[1, 2], rhs_contracting"),
    ("map", "another body", "stablehlo.multiply", "stablehlo.add"),
    ("map", "maximum as minimum", "stablehlo.maximum", "stablehlo.minimum"),
    ("iota", "another dimension", "iota_dimension = 2", "iota_dimension = 0"),
)
