"""Steps of random programs: element-wise operations."""

from __future__ import annotations

from tests.generate.builder import Builder, direction, sum_
from tests.generate.values import (
    BOOL,
    COMPLEX,
    F32,
    F64,
    INTEGERS,
    PART,
    Rule,
    Value,
    bounds,
    fits,
    is_arithmetic,
    is_ordered,
    is_wide,
    joined,
)


def add_or_subtract(b: Builder) -> None:
    lhs = b.any(is_arithmetic)
    if is_arithmetic(lhs):
        sum_(b, b.random.choice(["add", "subtract"]), lhs, b.like(lhs))


def multiply(b: Builder) -> None:
    lhs = b.any(is_arithmetic)
    if not is_arithmetic(lhs):
        return
    rhs = b.like(lhs)
    limit = None if lhs.limit is None or rhs.limit is None else lhs.limit * rhs.limit
    if limit is not None and lhs.type.kind == "complex":
        limit *= 2
    b.apply(
        "multiply", lhs, rhs, limit=limit, scale=lhs.scale + rhs.scale, rule=Rule("product", (lhs, rhs), 2)
    )


def extremum(b: Builder) -> None:
    lhs = b.any(lambda value: value.type.kind != "complex")
    if lhs.type.kind != "complex":
        rhs = b.like(lhs)
        b.move(b.random.choice(["maximum", "minimum"]), lhs, rhs, sources=(lhs, rhs))


def clamp(b: Builder) -> None:
    operand = b.any(is_ordered)
    if not is_ordered(operand):
        return
    shape = b.random.choice([(), operand.shape])
    if b.exact:
        low, high = b.constant(operand.type, shape), b.constant(operand.type, shape)
    else:
        low, high = b.of(operand.type, shape), b.of(operand.type, shape)
    b.move("clamp", low, operand, high, shape=operand.shape, sources=(low, operand, high))


def bitwise(b: Builder) -> None:
    def accept(value: Value) -> bool:
        return value.type.is_integer or value.type.kind == "bool"

    lhs = b.any(accept)
    if accept(lhs):
        b.apply(b.random.choice(["and", "or", "xor"]), lhs, b.like(lhs))


def integer_binary(b: Builder) -> None:
    lhs = b.any(lambda value: value.type.is_integer)
    if not lhs.type.is_integer:
        return
    names = ["divide", "remainder", "shift_left", "shift_right_arithmetic", "shift_right_logical", "power"]
    name = b.random.choice(names[:-1] if b.material.only_native else names)
    if not b.exact:
        rhs = b.like(lhs)
    elif name in ("divide", "remainder"):
        rhs = b.constant(lhs.type, lhs.shape, 1, 5)
    elif name == "power":
        rhs = b.constant(lhs.type, lhs.shape, 0, 4)
    else:
        rhs = b.constant(lhs.type, lhs.shape, 0, lhs.type.digits + 1)
    b.apply(name, lhs, rhs)


def unary(b: Builder) -> None:
    def accept(value: Value) -> bool:
        return value.type.kind in ("signed", "float", "complex")

    operand = b.any(accept)
    name = b.random.choice(["abs", "negate", "sign"])
    if not accept(operand):
        return
    if operand.type.kind == "complex":
        b.apply("negate", operand, limit=operand.limit, scale=operand.scale, rule=Rule("move", (operand,)))
    elif name == "sign" and operand.is_exact:
        b.apply("sign", operand, limit=1)
    else:
        name = "abs" if name == "sign" else name
        b.apply(name, operand, limit=operand.limit, scale=operand.scale, rule=Rule("move", (operand,)))


def bits(b: Builder) -> None:
    operand = b.any(lambda value: value.type.is_integer)
    if operand.type.is_integer:
        b.apply(b.random.choice(["not", "popcnt", "count_leading_zeros"]), operand)


def round_(b: Builder) -> None:
    operand = b.any(lambda value: value.type.kind == "float" and value.is_exact)
    if operand.type.kind == "float" and operand.is_exact:
        name = b.random.choice(["floor", "ceil", "round_nearest_even", "round_nearest_afz"])
        b.apply(name, operand, limit=-(-(operand.limit or 0) >> operand.scale))


FUNCTIONS = (
    *("exponential", "exponential_minus_one", "tanh", "logistic", "sine", "cosine", "cbrt"),
    *("log_plus_one", "sqrt", "rsqrt", "log"),
)


def function(b: Builder) -> None:
    def accept(value: Value) -> bool:
        return value.type.kind == "float" and is_wide(value.type) and value.is_exact and value.largest <= 16

    operand = b.any(accept)
    if not accept(operand):
        return
    name = b.random.choice(FUNCTIONS)
    if b.material.only_native and operand.type == F64:
        name = "sqrt"  # native loops do not contain NumPy's functions of f64
    if b.exact and name in ("log_plus_one", "sqrt", "rsqrt", "log"):
        operand = b.apply("abs", operand, limit=operand.limit, scale=operand.scale)
        operand = sum_(b, "add", operand, b.constant(operand.type, operand.shape, 1, 3))
    if operand.is_exact:
        b.apply(name, operand, limit=None, rule=Rule("function", (operand,), 16))


def quotient(b: Builder) -> None:
    """A quotient, a remainder or an angle, of floats."""

    def accept(value: Value) -> bool:
        return value.type.kind == "float" and (not b.exact or is_wide(value.type)) and value.is_exact

    lhs = b.any(accept)
    if not accept(lhs):
        return
    rhs = b.constant(lhs.type, lhs.shape, 1, 5) if b.exact else b.like(lhs)
    name = b.random.choice(["divide", "remainder", "divide" if b.material.only_native else "atan2"])
    if name == "remainder":
        b.apply(name, lhs, rhs, limit=lhs.limit, scale=lhs.scale)
    else:
        b.apply(name, lhs, rhs, limit=None, rule=Rule("function", (lhs, rhs), 16))


def compare(b: Builder) -> None:
    lhs = b.any(lambda value: value.is_exact)
    rhs = b.like(lhs, lambda value: value.is_exact)
    choices = ["EQ", "NE"] if lhs.type.kind == "complex" else ["EQ", "NE", "LT", "LE", "GT", "GE"]
    attributes = direction(b.random.choice(choices))
    if lhs.type.kind == "float" and not b.exact and not b.material.only_native and b.random.random() < 0.2:
        attributes = f"{attributes[:-1]}, compare_type = #stablehlo<comparison_type TOTALORDER>}}"
    b.apply("compare", lhs, rhs, type_=BOOL, attributes=attributes)


def select(b: Builder) -> None:
    lhs = b.any()
    rhs = b.like(lhs)
    predicate = b.flags(b.random.choice([(), lhs.shape]))
    limit, scale = joined((lhs, rhs))
    b.apply(
        "select",
        *(predicate, lhs, rhs),
        type_=lhs.type,
        shape=lhs.shape,
        limit=limit,
        scale=scale,
        rule=Rule("move", (lhs, rhs)),
    )


def convert(b: Builder) -> None:
    operand = b.any(lambda value: value.is_exact)
    target = b.random.choice(b.material.types)
    source = operand.type
    if b.material.only_native and target.name == "bf16" and source != F32:
        return
    if not b.exact:
        if source.kind != "complex" or target.kind == "complex":
            b.apply("convert", operand, type_=target)
        return
    if source.kind == "complex" or source == target:
        return
    if source.kind == "float" and target.is_integer:
        least, greatest = bounds(target)
        if operand.largest > greatest or (least == 0 and operand.limit):
            return
        b.apply("convert", operand, type_=target)
    elif target.kind in ("float", "complex"):
        # Integers that need rounding are converted only to types that cannot overflow.
        if source.kind == "float":
            limit, scale = operand.limit, operand.scale
        else:
            limit, scale = (1 if source.kind == "bool" else 2**source.digits), 0
        if target.digits < 24 and not fits(target, limit or 0, scale):
            return
        b.apply(
            "convert", operand, type_=target, limit=limit, scale=scale, rule=Rule("function", (operand,), 1)
        )
    else:
        b.apply("convert", operand, type_=target)


def bitcast(b: Builder) -> None:
    operand = b.any(lambda value: value.type in INTEGERS)
    target = b.random.choice(INTEGERS)
    if operand.type not in INTEGERS or target not in b.material.types:
        return
    ratio = operand.type.digits / target.digits
    if ratio == 1:
        b.apply("bitcast_convert", operand, type_=target)
    elif ratio > 1:
        if not b.is_too_large((*operand.shape, int(ratio))):
            b.apply("bitcast_convert", operand, type_=target, shape=(*operand.shape, int(ratio)))
    elif operand.shape and operand.shape[-1] == int(1 / ratio):
        b.apply("bitcast_convert", operand, type_=target, shape=operand.shape[:-1])


def complex_parts(b: Builder) -> None:
    if b.random.random() < 0.5:
        real = b.any(lambda value: value.type in (F32, F64))
        if real.type not in (F32, F64):
            return
        imag = b.like(real)
        limit, scale = joined((real, imag))
        type_ = COMPLEX[0] if real.type == F32 else COMPLEX[1]
        b.apply("complex", real, imag, type_=type_, limit=limit, scale=scale, rule=Rule("move", (real, imag)))
    else:
        operand = b.any(lambda value: value.type.kind == "complex")
        if operand.type.kind == "complex":
            b.apply(
                b.random.choice(["real", "imag"]),
                operand,
                type_=PART[operand.type.name],
                limit=operand.limit,
                scale=operand.scale,
                rule=Rule("move", (operand,)),
            )


def complex_operation(b: Builder) -> None:
    """Operations only for programs without an external oracle: quotients, magnitudes, the other precision and
    back."""
    operand = b.any(lambda value: value.type.kind == "complex")
    if operand.type.kind != "complex":
        return
    match b.random.randrange(4):
        case 0:
            b.apply("abs", operand, type_=PART[operand.type.name])
        case 1:
            other = COMPLEX[operand.type == COMPLEX[0]]
            b.apply("convert", b.apply("convert", operand, type_=other), type_=operand.type)
        case _:
            b.apply("divide", operand, b.like(operand))


def is_finite(b: Builder) -> None:
    operand = b.any(lambda value: value.type.kind == "float" and value.is_exact)
    if operand.type.kind == "float":
        b.apply("is_finite", operand, type_=BOOL)


ELEMENTWISE = {
    add_or_subtract: 6,
    multiply: 4,
    extremum: 3,
    clamp: 2,
    bitwise: 3,
    integer_binary: 3,
    unary: 3,
    bits: 2,
    round_: 2,
    function: 4,
    quotient: 2,
    compare: 3,
    select: 3,
    convert: 5,
    bitcast: 1,
    complex_parts: 2,
    is_finite: 1,
}
