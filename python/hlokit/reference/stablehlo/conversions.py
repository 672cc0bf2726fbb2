"""Conversions of values, bits and precision."""

from __future__ import annotations

from fractions import Fraction
from math import copysign, isfinite, isnan

from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import boolean, build, elementwise
from hlokit.reference.numbers.rules import out_of_range_conversion
from hlokit.values.element import Element
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import FloatFormat, Special, float_format
from hlokit.values.quantized import integer_range
from hlokit.values.tensor import Tensor


def convert(operand: Tensor, element_type: ElementType) -> Tensor:
    """spec "convert": result[i] = the value of operand[i] in another element type"""
    return elementwise(lambda x: convert_element(x, element_type), operand, element_type=element_type)


def convert_element(x: Element, target: ElementType) -> Element:
    """The value of an element in another type.

    Numbers other than 0 become true; integers wrap; a float that becomes an integer is truncated
    (`out_of_range_conversion`); a conversion to a float rounds once. Of a complex number, only the real part
    is converted, unless the target is complex.
    """
    if x.type == target:
        return x
    if x.type.kind is Kind.COMPLEX and target.kind is not Kind.COMPLEX:
        return convert_element(x.parts[0], target)
    if target.kind is Kind.BOOL:
        return boolean(bool(x))
    if target.kind.is_integer:
        if x.type.kind is Kind.FLOAT:
            least, most = integer_range(target)
            return Element(target, out_of_range_conversion(float(x), least, most))
        return Element.from_bits(target, int(x) % (1 << target.width))
    if x.type.kind is Kind.COMPLEX:
        return Element(target, complex(x))
    number = float(x) if x.type.kind is Kind.FLOAT else int(x)
    if target.kind is Kind.COMPLEX:
        return Element.from_bits(target, float_format(target).encode(_exact(number)))
    return Element(target, number)


def _exact(number: float) -> float | Fraction:
    return Fraction(number) if isinstance(number, int) else number


def bitcast_convert(operand: Tensor, element_type: ElementType) -> Tensor:
    """spec "bitcast_convert": the bits of result equal those of operand

    Between types of different width, the last dimension is removed or a last dimension is added: [n, 4] of i8
    becomes [n] of i32, with the first element in the lowest bits.
    """
    source, target = operand.element_type, element_type
    if source.width == target.width:
        return elementwise(lambda x: Element.from_bits(target, x.bits), operand, element_type=target)
    mask = (1 << target.width) - 1
    if source.width > target.width:
        shape = (*operand.shape, source.width // target.width)
        return build(
            shape,
            target,
            lambda index: Element.from_bits(
                target, operand[index[:-1]].bits >> index[-1] * target.width & mask
            ),
        )
    count = target.width // source.width

    def joined(index: tuple[int, ...]) -> Element:
        return Element.from_bits(
            target, sum(operand[(*index, k)].bits << k * source.width for k in range(count))
        )

    return build(operand.shape[:-1], target, joined)


def reduce_precision(operand: Tensor, exponent_bits: int, mantissa_bits: int) -> Tensor:
    """spec "reduce_precision": result[i] = operand[i] rounded to a float of these widths, and back

    The narrower float has the layout of IEEE-754, but no subnormal numbers: numbers below its normal range
    become 0. An exponent field that is not narrower than the operand's has no effect. A NaN is unchanged,
    except that it becomes +inf if there are no mantissa bits, whatever its sign. (divergences:
    "`reduce_precision` to no mantissa bits of NaN")
    """
    layout = float_format(operand.element_type)
    return elementwise(
        lambda x: Element.from_bits(x.type, _reduced(layout, x.bits, exponent_bits, mantissa_bits)), operand
    )


def _reduced(layout: FloatFormat, bits: int, exponent_bits: int, mantissa_bits: int) -> int:
    value = layout.decode(bits)
    has_fewer = mantissa_bits < layout.mantissa_bits or exponent_bits < layout.exponent_bits
    if isnan(value) and has_fewer and mantissa_bits == 0 and layout.special is Special.IEEE:
        return layout.encode(float("inf"))
    if not has_fewer or not isfinite(value) or value == 0:
        return bits
    rounded = value if mantissa_bits >= layout.mantissa_bits else _to_mantissa(layout, bits, mantissa_bits)
    if exponent_bits < layout.exponent_bits and isfinite(rounded):
        range_ = (1 << (exponent_bits - 1)) - 1
        exponent = Fraction(abs(rounded))
        if exponent >= Fraction(2) ** (range_ + 1):
            return layout.encode(copysign(float("inf"), value))
        if exponent < Fraction(2) ** (1 - range_):
            return layout.encode(copysign(0.0, value))
    return layout.encode(rounded)


def _to_mantissa(layout: FloatFormat, bits: int, mantissa_bits: int) -> float:
    """The value, rounded to nearest even at the given number of mantissa bits."""
    dropped = layout.mantissa_bits - mantissa_bits
    magnitude, sign = bits & ~layout.sign_bit, -1.0 if bits & layout.sign_bit else 1.0
    # Without mantissa bits, the last bit belongs to the exponent, whose parity the bias inverts.
    is_turned = mantissa_bits == 0 and layout.bias % 2 == 0 and magnitude >> dropped != 0
    odd = (magnitude >> dropped & 1) ^ is_turned
    rounded = (magnitude + (1 << (dropped - 1)) - 1 + odd) >> dropped << dropped
    return sign * (layout.decode(rounded) if rounded <= layout.largest else float("inf"))


def call_reduce_precision(call: Call) -> Tensor:
    attributes = call.attributes
    widths = attributes.int_("exponent_bits"), attributes.int_("mantissa_bits")
    return reduce_precision(call.tensor(), *widths)
