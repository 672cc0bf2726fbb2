"""Mistakes of single operations: the operation, the mistake, and what it does to results."""

from __future__ import annotations

import numpy as np

from tests.kit.changes import (
    OF_FLOATS,
    Change,
    as_signed,
    computed,
    nan_as,
    on_each_result,
    on_floats,
    on_integers,
    reversed_rows,
    rolled,
    saturating,
    toward_zero,
    units,
    without_signed_zero,
    zeros_from,
)

WRONG_RESULTS: tuple[tuple[str, str, Change], ...] = (
    ("add", "rounds toward zero", toward_zero),
    ("subtract", "rounds toward zero", toward_zero),
    ("multiply", "rounds toward zero", toward_zero),
    ("divide", "rounds toward zero", toward_zero),
    ("sqrt", "rounds toward zero", toward_zero),
    ("convert", "rounds toward zero", toward_zero),
    ("divide", "by reciprocals", computed(lambda a, b: a * (np.ones((), a.dtype) / b))),
    ("sqrt", "as a power", computed(lambda a: np.power(a.astype(np.float64), 0.4999999))),
    *(
        (name, "infinity as largest", OF_FLOATS["infinity as largest"])
        for name in ("add", "multiply", "divide")
    ),
    *(
        (name, "NaN as zero", OF_FLOATS["NaN as zero"])
        for name in ("add", "multiply", "divide", "maximum", "sqrt")
    ),
    *(
        (name, "no signed zero", on_floats(without_signed_zero))
        for name in ("negate", "multiply", "ceil", "round_nearest_even", "minimum")
    ),
    ("add", "saturates", saturating(np.add)),
    ("subtract", "saturates", saturating(np.subtract)),
    ("multiply", "saturates", saturating(np.multiply)),
    ("negate", "saturates", saturating(np.negative)),
    ("abs", "saturates", saturating(np.abs)),
    ("divide", "unsigned as signed", as_signed(lambda a, b: a // np.where(b == 0, 1, b))),
    ("remainder", "unsigned as signed", as_signed(lambda a, b: np.fmod(a, np.where(b == 0, 1, b)))),
    ("maximum", "unsigned as signed", as_signed(lambda a, b: np.where(a > b, a, b))),
    ("minimum", "unsigned as signed", as_signed(lambda a, b: np.where(a < b, a, b))),
    ("shift_right_logical", "arithmetic", as_signed(lambda a, b: a >> np.clip(b, 0, 31))),
    ("divide", "floors", on_integers(lambda a, b: np.where(b == 0, -1, a // np.where(b == 0, 1, b)))),
    (
        "remainder",
        "sign of the divisor",
        on_integers(lambda a, b: np.where(b == 0, a, np.mod(a, np.where(b == 0, 1, b)))),
    ),
    ("remainder", "sign of the divisor, floats", computed(np.mod)),
    (
        "round_nearest_even",
        "halves away from zero",
        computed(lambda a: np.copysign(np.floor(np.abs(a) + a.dtype.type(0.5)), a)),
    ),
    ("round_nearest_afz", "halves to even", computed(np.rint)),
    ("floor", "truncates", computed(np.trunc)),
    ("ceil", "truncates", computed(np.trunc)),
    ("sign", "zero is positive", computed(lambda a: np.where(a == 0, a.dtype.type(1), np.sign(a)))),
    ("sign", "NaN is zero", on_floats(nan_as(0.0))),
    ("maximum", "ignores NaN", computed(np.fmax)),
    ("minimum", "ignores NaN", computed(np.fmin)),
    ("clamp", "maximum first", computed(lambda low, x, high: np.maximum(np.minimum(x, high), low), "iu")),
    ("clamp", "no minimum", computed(lambda low, x, high: np.minimum(x, high) + 0 * low, "fiu")),
    ("clamp", "NaN becomes the minimum", computed(lambda low, x, high: np.fmin(np.fmax(x, low), high))),
    ("atan2", "operands exchanged", computed(lambda y, x: np.arctan2(x, y))),
    ("atan2", "one quadrant", computed(lambda y, x: np.arctan(y / x))),
    ("power", "negative bases are NaN", computed(lambda a, b: np.where(a < 0, np.nan, np.power(a, b)))),
    ("power", "exponent exchanged", computed(lambda a, b: np.power(b, a))),
    ("log_plus_one", "as log(1 + x)", computed(lambda a: np.log(a.dtype.type(1) + a))),
    ("exponential_minus_one", "as exp(x) - 1", computed(lambda a: np.exp(a) - a.dtype.type(1))),
    ("logistic", "overflows", computed(lambda a: np.exp(a) / (1 + np.exp(a)))),
    ("tanh", "by exponentials", computed(lambda a: (np.exp(2 * a) - 1) / (np.exp(2 * a) + 1))),
    (
        "cosine",
        "no range reduction",
        computed(lambda a: np.where(np.abs(a) > 1e4, a.dtype.type(1), np.cos(a))),
    ),
    (
        "sine",
        "a polynomial near zero",
        computed(lambda a: np.where(np.abs(a) < 0.5, a - a**3 / 6, np.sin(a))),
    ),
    ("rsqrt", "one Newton step of an estimate", on_floats(units(40.0))),
    ("popcnt", "of 16 bits", on_integers(lambda a: np.bitwise_count(a.astype(np.int64) & 0xFFFF))),
    ("count_leading_zeros", "zero has none", computed(lambda a: np.where(a == 0, 0, 7), "iu")),
    ("is_finite", "NaN is finite", lambda operands, results: [results[0] | np.isnan(operands[0])]),
    (
        "select",
        "branches exchanged",
        lambda operands, results: [np.where(operands[0], operands[2], operands[1])],
    ),
    ("real", "the magnitude", computed(np.abs, "c")),
    ("imag", "of the conjugate", computed(lambda a: -np.imag(a), "c")),
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
    ("reduce_precision", "cuts off", toward_zero),
    ("sort", "descending", on_each_result(reversed_rows)),
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
    ("reduce", "without the last element", on_each_result(zeros_from(1))),
    ("reduce_window", "a window too far", on_each_result(rolled)),
    (
        "dot_general",
        "without the last product",
        on_each_result(lambda value: value * value.dtype.type(0.99) if value.dtype == np.float32 else value),
    ),
    (
        "dot_general",
        "the transposed product",
        lambda operands, results: [results[0].T.reshape(results[0].shape)],
    ),
    ("fft", "not scaled", on_each_result(lambda value: value * value.dtype.type(2))),
    ("fft", "the conjugate", on_each_result(np.conj)),
    (
        "cholesky",
        "of the transpose",
        on_each_result(lambda value: np.swapaxes(value, -1, -2) if value.ndim > 1 else value),
    ),
    (
        "cholesky",
        "diagonal not rooted",
        on_each_result(lambda value: value * value if value.dtype == np.float32 else value),
    ),
    ("triangular_solve", "divides twice", on_each_result(lambda value: value / value.dtype.type(2))),
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
    ("map", "of the first operand", lambda operands, results: [operands[0].astype(results[0].dtype)]),
    ("scatter", "nothing", lambda operands, results: [operands[0]]),
    ("dynamic_update_slice", "nothing", lambda operands, results: [operands[0]]),
    ("select_and_scatter", "all", on_each_result(lambda value: value + np.asarray(1, value.dtype))),
)
