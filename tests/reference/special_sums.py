"""Sums of zeros of both signs and of NaNs of every kind: for the tests of the signs and NaNs that tiers give them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from hlokit.values.element_types import element_type_of
from hlokit.values.float_format import float_format
from tests.reference.sum_cases import (
    Array,
    SumCase,
    batch_norm,
    case,
    collective,
    convolution,
    cumulative,
    dot,
    reduce,
    region,
    scatter,
    select_and_scatter,
    tensor,
    windows,
)

TYPES = ("f32", "f64", "bf16", "f16", "f8E5M2", "complex<f32>")
_COUNTS = (0, 1, 2, 9, 33)


def _contractions(type_: str) -> Iterator[tuple[str, SumCase]]:
    for count in _COUNTS:
        yield f"dot of {count}", dot(((2, count), type_), ((count, 3), type_), type_)
        yield (
            f"dot of vectors of {count}",
            dot(((count,), type_), ((count,), type_), type_, contracting=((0,), (0,))),
        )
        yield (
            f"dot of {count} in batches",
            dot(
                ((2, 2, count), type_),
                ((2, count, 2), type_),
                type_,
                batch=((0,), (0,)),
                contracting=((2,), (1,)),
            ),
        )
        yield (
            f"einsum of {count}",
            case(
                [((2, count), type_)],
                tensor((2,), type_),
                f"""%r = "stablehlo.unary_einsum"(%0) {{einsum_config = "ab->a"}}
                  : ({tensor((2, count), type_)}) -> {tensor((2,), type_)}""",
            ),
        )
    plain, outside = ((1, 1), (0, 1)), ((3, 0), (0, 4))
    yield "convolution", convolution((1, 3, 2, 2), (2, 2, 2, 3), type_, pad=plain)
    yield "convolution outside", convolution((1, 2, 3, 2), (2, 2, 2, 2), type_, pad=outside)
    yield "convolution of nothing", convolution((1, 3, 3, 0), (2, 2, 0, 2), type_)
    yield "convolution apart", convolution((1, 3, 2, 1), (3, 2, 1, 2), type_, pad=plain, lhs_dilation=(3, 2))
    yield (
        "convolution of channels",
        convolution((1, 3, 3, 2), (2, 2, 1, 2), type_, pad=plain, feature_groups=2),
    )
    yield "convolution of batches", convolution((2, 3, 3, 2), (2, 2, 2, 2), type_, pad=plain, batch_groups=2)


def _reductions(type_: str) -> Iterator[tuple[str, SumCase]]:
    for count in _COUNTS:
        yield f"reduce of {count}", reduce((2, count), (1,), type_, region(type_))
        yield f"reduce of rows of {count}", reduce((count, 3), (0,), type_, region(type_))
    for count in (1, 2, 33):
        for is_reverse in (False, True):
            yield (
                f"cumulative sum of {count}, {'backward' if is_reverse else 'forward'}",
                cumulative((count, 2), 0, type_, "add", is_reverse=is_reverse),
            )
    yield "windows", windows((3, 4), (2, 3), type_, region(type_))
    yield "windows outside", windows((3, 2), (2, 2), type_, region(type_), padding=((3, 0), (0, 2)))
    yield "windows apart", windows((3, 2), (2, 3), type_, region(type_), base=(3, 4), dilations=(1, 2))
    yield "scatter", scatter(3, 2, 4, type_, region(type_))
    if type_ != "complex<f32>":
        yield "select_and_scatter", select_and_scatter((4, 4), (2, 3), (1, 1), type_, region(type_))
        for kind in ("inference", "training", "grad"):
            yield f"batch_norm_{kind}", batch_norm(kind, (3, 2, 3), 1, type_)
    yield "all_reduce", collective("all_reduce", type_, region(type_))
    yield "cross-replica-sum", collective("cross-replica-sum", type_, "")
    yield (
        "reduce_scatter",
        collective("reduce_scatter", type_, region(type_), ", scatter_dimension = 0 : i64"),
    )


def cases(type_: str) -> dict[str, SumCase]:
    """Programs that add elements of a type, by name."""
    return dict([*_contractions(type_), *_reductions(type_)])


OPERANDS = ("all -0", "-0, last 0", "ones, first -0", "0, first -0", "zeros and ones", "NaNs")


def operands(case: SumCase, kind: str) -> list[Array]:
    """Arguments of a kind of `OPERANDS`: all but the integers among them are other ones."""
    places = [k for k, array in enumerate(case.arguments) if array.dtype.kind not in "iu"]
    random = np.random.default_rng(len(case.text))
    first: float | None = None
    last: float | None = None
    match kind:
        case "all -0":
            pool = (-0.0,)
        case "-0, last 0":
            pool, last = (-0.0,), 0.0
        case "ones, first -0":
            pool, first = (1.0,), -0.0
        case "0, first -0":
            pool, first = (0.0,), -0.0
        case "zeros and ones":
            pool = ZEROS_AND_ONES
        case _:
            pool = NANS
    arguments = list(case.arguments)
    for place in places:
        arguments[place] = _picked(random, arguments[place], pool)
    for place, value in ((places[0], first), (places[-1], last)):
        if value is not None:
            arguments[place] = _picked(random, arguments[place], (value,))
    return arguments


ZEROS_AND_ONES = (0.0, -0.0, -0.0, 1.0, -1.0)
NANS = (*ZEROS_AND_ONES, *ZEROS_AND_ONES, math.inf, -math.inf, math.nan)


def _picked(random: np.random.Generator, like: Array, pool: Sequence[float]) -> Array:
    """Random elements of a pool; NaNs get a random sign and payload."""
    array = np.empty_like(like)
    numbers = parts(array)
    numbers[...] = random.choice(pool, numbers.shape).astype(numbers.dtype)
    element_type = element_type_of(numbers.dtype)
    layout = float_format(element_type)
    codes = [layout.nan, layout.nan ^ 1, layout.largest + 2]
    nans = np.array([code | sign for code in codes for sign in (0, layout.sign_bit)], element_type.bits_dtype)
    places = np.isnan(numbers)
    numbers[places] = random.choice(nans, int(places.sum())).view(numbers.dtype)
    return array


def parts(array: Array) -> Array:
    """A view of the numbers of an array: real and imaginary parts of a complex one."""
    if array.dtype.kind != "c":
        return array
    return array[..., None].view(array.real.dtype)
