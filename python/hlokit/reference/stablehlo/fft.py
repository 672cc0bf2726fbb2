"""Discrete Fourier transforms, as sums.

The other tiers take n log(n) steps and round intermediate results; tests compare them within a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from math import isfinite, prod

from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import Index, Shape, build, index_space
from hlokit.reference.numbers.precise import Library, Number, approximate
from hlokit.reference.stablehlo.conversions import convert
from hlokit.values.element import Element
from hlokit.values.element_types import COMPLEX_F64, ElementType
from hlokit.values.shapes import require_transformed
from hlokit.values.tensor import Tensor

# The number of bits of points on the unit circle, and of exact bits of a sum, relative to its largest term.
_BITS, _EXACT = 240, 160

Lane = list[Element]


def fft(operand: Tensor, fft_type: str, fft_length: Shape, element_type: ElementType) -> Tensor:
    """spec "fft": result = the transform `fft_type` of the last size(fft_length) dimensions

    The dimensions are transformed one after the other, in the order of the specification. Each transform of
    one dimension is rounded once, to complex<f64>, and the result is rounded to `element_type`.
    """
    require_transformed(operand.shape, fft_type, fft_length)
    dimensions = tuple(range(operand.rank - len(fft_length), operand.rank))
    last = dimensions[-1]
    if prod(fft_length) == 0:
        shape = (*operand.shape[:-1], fft_length[-1] // 2 + 1 if fft_type == "RFFT" and fft_length[-1] else 0)
        return build(shape, element_type, lambda _: Element(element_type, 0.0))
    result = convert(operand, COMPLEX_F64)
    match fft_type:
        case "FFT":
            for d in reversed(dimensions):
                result = _along(result, d, partial(_transform, sign=-1))
        case "IFFT":
            for d in dimensions:
                result = _along(result, d, _inverse)
        case "RFFT":
            result = _along(result, last, partial(_transform, sign=-1), fft_length[-1] // 2 + 1)
            for d in reversed(dimensions[:-1]):
                result = _along(result, d, partial(_transform, sign=-1))
        case _:
            for d in dimensions[:-1]:
                result = _along(result, d, _inverse)
            size = fft_length[-1]
            result = _along(result, last, lambda lane: _inverse(_completed(lane, size)), size)
    return convert(result, element_type)


def _along(operand: Tensor, d: int, transform: Callable[[Lane], Lane], size: int | None = None) -> Tensor:
    """result[..., :, ...] = the first `size` elements of transform(operand[..., :, ...])."""
    shape = (*operand.shape[:d], operand.shape[d] if size is None else size, *operand.shape[d + 1 :])
    lanes: dict[Index, Lane] = {}
    for lane in index_space((*operand.shape[:d], *operand.shape[d + 1 :])):
        elements = [operand[(*lane[:d], i, *lane[d:])] for i in range(operand.shape[d])]
        lanes[lane] = transform(elements)
    return build(shape, COMPLEX_F64, lambda index: lanes[(*index[:d], *index[d + 1 :])][index[d]])


def _transform(lane: Lane, sign: int, scale: Fraction = Fraction(1)) -> Lane:
    """result[k] = scale * sum over j of lane[j] * exp(sign * 2 pi i j k / n), rounded once"""
    n = len(lane)
    values = [complex(element) for element in lane]
    if not all(isfinite(part) for value in values for part in (value.real, value.imag)):
        return [Element(COMPLEX_F64, complex("nan+nanj"))] * n if n > 1 else lane
    parts = [(Fraction(value.real), Fraction(value.imag)) for value in values]
    return [_sum(parts, [_on_circle(sign * j * k % n, n) for j in range(n)], scale) for k in range(n)]


def _inverse(lane: Lane) -> Lane:
    return _transform(lane, 1, Fraction(1, len(lane)))


def _completed(lane: Lane, n: int) -> Lane:
    """All n elements of a lane with a real transform, from its first n / 2 + 1 elements: the other elements
    are conjugates of these.

    The imaginary parts of elements that must be real are ignored.
    """
    first = [_real(element) if 2 * k % n == 0 else element for k, element in enumerate(lane)]
    return [first[k] if 2 * k <= n else _conjugate(first[n - k]) for k in range(n)]


def _real(z: Element) -> Element:
    return Element(COMPLEX_F64, complex(z).real)


def _conjugate(z: Element) -> Element:
    return Element(COMPLEX_F64, complex(z).conjugate())


def _sum(
    terms: Sequence[tuple[Fraction, Fraction]], factors: Sequence[tuple[Fraction, Fraction]], scale: Fraction
) -> Element:
    pairs = list(zip(terms, factors, strict=True))
    real = [part for (a, b), (c, d) in pairs for part in (a * c, -b * d)]
    imag = [part for (a, b), (c, d) in pairs for part in (a * d, b * c)]
    bits = [Element(COMPLEX_F64.part, _nearly_exact(part) * scale).bits for part in (real, imag)]
    return Element.from_bits(COMPLEX_F64, bits[0] | bits[1] << 64)


def _nearly_exact(terms: Sequence[Fraction]) -> Fraction:
    """A sum; 0 if it is no larger than the errors of points on the unit circle."""
    total = sum(terms, Fraction(0))
    return total if abs(total) > max(map(abs, terms)) / 2**_EXACT else Fraction(0)


@cache
def _on_circle(k: int, n: int) -> tuple[Fraction, Fraction]:
    """cos and sin of 2 pi k / n, exact at multiples of a quarter turn."""
    quarters, rest = divmod(4 * k, n)
    if rest == 0:
        real, imag = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters]
        return Fraction(real), Fraction(imag)

    def cosine(m: Library) -> Number:
        return m.cos(8 * k * m.atan(1) / n)

    def sine(m: Library) -> Number:
        return m.sin(8 * k * m.atan(1) / n)

    return approximate(cosine, _BITS), approximate(sine, _BITS)


def call_fft(call: Call) -> Tensor:
    attributes = call.attributes
    return fft(call.tensor(), attributes.enum("fft_type"), attributes.ints("fft_length"), call.element_type)
