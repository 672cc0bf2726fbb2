"""CHLO's element-wise functions. CHLO has no specification: the formulas are those of its operation
definitions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import boolean, elementwise, from_array, full
from hlokit.reference.numbers import element_functions
from hlokit.reference.numbers.rounded_functions import element_from_parts
from hlokit.reference.numbers.rules import canonical_nan
from hlokit.reference.stablehlo.conversions import convert_element
from hlokit.reference.stablehlo.elementwise import times
from hlokit.values.element import Element
from hlokit.values.element_types import F64, I1, I64, ElementType, Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.tensor import Tensor


def acos(operand: Tensor) -> Tensor:
    """chlo "acos": result[i] = the angle, in radians, whose cosine is operand[i]"""
    return elementwise(element_functions.acos, operand)


def acosh(operand: Tensor) -> Tensor:
    """chlo "acosh": result[i] = the number whose cosh is operand[i]"""
    return elementwise(element_functions.acosh, operand)


def asin(operand: Tensor) -> Tensor:
    """chlo "asin": result[i] = the angle, in radians, whose sine is operand[i]"""
    return elementwise(element_functions.asin, operand)


def asinh(operand: Tensor) -> Tensor:
    """chlo "asinh": result[i] = the number whose sinh is operand[i]"""
    return elementwise(element_functions.asinh, operand)


def atan(operand: Tensor) -> Tensor:
    """chlo "atan": result[i] = the angle, in radians, whose tangent is operand[i]"""
    return elementwise(element_functions.atan, operand)


def atanh(operand: Tensor) -> Tensor:
    """chlo "atanh": result[i] = the number whose tanh is operand[i]"""
    return elementwise(element_functions.atanh, operand)


def conj(operand: Tensor) -> Tensor:
    """chlo "conj": result[i] = the complex conjugate of operand[i]"""
    if operand.element_type.kind is not Kind.COMPLEX:
        return operand
    sign_bit = 1 << (operand.element_type.width - 1)
    return elementwise(lambda z: Element.from_bits(z.type, z.bits ^ sign_bit), operand)


def cosh(operand: Tensor) -> Tensor:
    """chlo "cosh": result[i] = cosh(operand[i])"""
    return elementwise(element_functions.cosh, operand)


def is_inf(operand: Tensor) -> Tensor:
    """chlo "is_inf": result[i] = whether operand[i] is infinite"""
    return _where(math.isinf, operand)


def is_neg_inf(operand: Tensor) -> Tensor:
    """chlo "is_neg_inf": result[i] = whether operand[i] is -infinity"""
    return _where(lambda x: x == -math.inf, operand)


def is_pos_inf(operand: Tensor) -> Tensor:
    """chlo "is_pos_inf": result[i] = whether operand[i] is +infinity"""
    return _where(lambda x: x == math.inf, operand)


def _where(holds: Callable[[float], bool], operand: Tensor) -> Tensor:
    return elementwise(lambda x: boolean(holds(float(x))), operand, element_type=I1)


def mulhi(lhs: Tensor, rhs: Tensor) -> Tensor:
    """chlo "mulhi": result[i] = the upper half of the bits of lhs[i] * rhs[i]"""

    def upper(x: Element, y: Element) -> Element:
        width = x.type.width
        return Element.from_bits(x.type, (int(x) * int(y) >> width) % (1 << width))

    return elementwise(upper, lhs, rhs)


def next_after(x: Tensor, y: Tensor) -> Tensor:
    """chlo "next_after": result[i] = the value of the type next to x[i] in the direction of y[i]; y[i] if
    x[i] = y[i]"""
    return elementwise(_next_after, x, y)


def _next_after(x: Element, y: Element) -> Element:
    if math.isnan(float(x)) or math.isnan(float(y)):
        return canonical_nan(x.type)
    if x.equals(y):
        return y
    layout, step = float_format(x.type), 1 if y > x else -1
    if layout.special is Special.POWER:
        return Element.from_bits(x.type, x.bits + step)
    is_negative = bool(x.bits & layout.sign_bit)
    magnitude = x.bits & ~layout.sign_bit
    ordinal = (-magnitude if is_negative else magnitude) + step
    if ordinal == 0:
        return Element.from_bits(x.type, layout.encode(-0.0 if is_negative else 0.0))
    return Element.from_bits(x.type, abs(ordinal) | (layout.sign_bit if ordinal < 0 else 0))


def sinh(operand: Tensor) -> Tensor:
    """chlo "sinh": result[i] = sinh(operand[i])"""
    return elementwise(element_functions.sinh, operand)


def square(operand: Tensor) -> Tensor:
    """chlo "square": result[i] = operand[i] * operand[i]; the real part of a complex result, x^2 - y^2, is
    rounded only once, so that it is infinite if one of x and y is."""
    return elementwise(_squared, operand)


def _squared(z: Element) -> Element:
    product = times(z, z)
    if z.type.kind is not Kind.COMPLEX:
        return product
    x, y = complex(z).real, complex(z).imag
    if math.isnan(x) or math.isnan(y) or abs(x) == abs(y):
        return product
    if math.isfinite(x) and math.isfinite(y):
        real = Fraction(x) ** 2 - Fraction(y) ** 2
    else:
        real = Fraction(2) ** 2000 * (1 if math.isinf(x) else -1)  # beyond every format
    real_bits = float_format(z.type).encode(real)
    return element_from_parts(z, real_bits, product.parts[1].bits)


def tan(operand: Tensor) -> Tensor:
    """chlo "tan": result[i] = tan(operand[i]), in radians"""
    return elementwise(element_functions.tan, operand)


def constant(call: Call) -> Tensor:
    """chlo "constant": output = value"""
    return from_array(call.attributes.elements("value"), call.element_type)


def constant_like(operand: Tensor, value: Element) -> Tensor:
    """chlo "constant_like": result[i] = value, in the shape of operand"""
    return full(operand.shape, value)


def number_of(call: Call) -> Element:
    """The attribute `value` in the type of the result."""
    attributes, type_ = call.attributes, call.element_type
    match type_.kind:
        case Kind.BOOL:
            return boolean(attributes.bool_("value"))
        case Kind.COMPLEX:
            return Element(type_, _complex_number(str(attributes.raw("value"))))
        case Kind.FLOAT:
            return convert_element(Element(F64, attributes.float_("value")), type_)
        case _:
            return _integer(attributes.int_("value"), type_)


def _integer(number: int, type_: ElementType) -> Element:
    return convert_element(Element.from_bits(I64, number % (1 << 64)), type_)


def _complex_number(spelling: str) -> complex:
    """`#complex.number<:f32 1.0, 2.0>`: the bindings have no class for this attribute."""
    _, _, parts = spelling.partition("<:")
    real, imag = parts.partition(">")[0].split(" ", 1)[1].split(",")
    return complex(float(real), float(imag))
