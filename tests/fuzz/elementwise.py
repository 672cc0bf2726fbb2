"""Steps of random programs: elementwise operations."""

from __future__ import annotations

from tests.fuzz.builder import Builder, direction, step, sum_
from tests.fuzz.values import (
    BOOL,
    COMPLEX,
    F32,
    F64,
    PART,
    SIGNED,
    TYPES,
    UNSIGNED,
    Rule,
    bounds,
    fits,
    is_arithmetic,
    is_ordered,
    is_wide,
    joined,
)


@step(6)
def add_or_subtract(b: Builder) -> None:
    lhs = b.any(is_arithmetic)
    sum_(b, b.random.choice(["add", "subtract"]), lhs, b.like(lhs))


@step(4)
def multiply(b: Builder) -> None:
    lhs = b.any(is_arithmetic)
    rhs = b.like(lhs)
    limit = None if lhs.limit is None or rhs.limit is None else lhs.limit * rhs.limit
    if limit is not None and lhs.type.kind == "complex":
        limit *= 2
    b.apply(
        "multiply", lhs, rhs, limit=limit, scale=lhs.scale + rhs.scale, rule=Rule("product", (lhs, rhs), 2)
    )


@step(3)
def extremum(b: Builder) -> None:
    lhs = b.any(lambda value: value.type.kind != "complex")
    rhs = b.like(lhs)
    b.move(b.random.choice(["maximum", "minimum"]), lhs, rhs, sources=(lhs, rhs))


@step(2)
def clamp(b: Builder) -> None:
    operand = b.any(is_ordered)
    low = b.constant(operand.type, b.random.choice([(), operand.shape]))
    high = b.constant(operand.type, low.shape)
    b.move("clamp", low, operand, high, shape=operand.shape, sources=(low, operand, high))


@step(3)
def bitwise(b: Builder) -> None:
    lhs = b.any(lambda value: value.type.is_integer or value.type.kind == "bool")
    b.apply(b.random.choice(["and", "or", "xor"]), lhs, b.like(lhs))


@step(3)
def integer_binary(b: Builder) -> None:
    lhs = b.any(lambda value: value.type.is_integer)
    name = b.random.choice(
        ["divide", "remainder", "shift_left", "shift_right_arithmetic", "shift_right_logical", "power"]
    )
    if name in ("divide", "remainder"):
        rhs = b.constant(lhs.type, lhs.shape, 1, 5)
    elif name == "power":
        rhs = b.constant(lhs.type, lhs.shape, 0, 4)
    else:
        rhs = b.constant(lhs.type, lhs.shape, 0, lhs.type.digits + 1)
    b.apply(name, lhs, rhs)


@step(3)
def unary(b: Builder) -> None:
    operand = b.any(lambda value: value.type.kind in ("signed", "float", "complex"))
    name = b.random.choice(["abs", "negate", "sign"])
    if operand.type.kind == "complex":
        b.apply("negate", operand, limit=operand.limit, scale=operand.scale, rule=Rule("move", (operand,)))
    elif name == "sign" and operand.is_exact:
        b.apply("sign", operand, limit=1)
    else:
        name = "abs" if name == "sign" else name
        b.apply(name, operand, limit=operand.limit, scale=operand.scale, rule=Rule("move", (operand,)))


@step(2)
def bits(b: Builder) -> None:
    operand = b.any(lambda value: value.type.is_integer)
    b.apply(b.random.choice(["not", "popcnt", "count_leading_zeros"]), operand)


@step(2)
def round_(b: Builder) -> None:
    operand = b.any(lambda value: value.type.kind == "float" and value.is_exact)
    name = b.random.choice(["floor", "ceil", "round_nearest_even", "round_nearest_afz"])
    b.apply(name, operand, limit=-(-(operand.limit or 0) >> operand.scale))


@step(4)
def function(b: Builder) -> None:
    operand = b.any(
        lambda value: (
            is_wide(value.type) and value.is_exact and value.largest <= 16 and value.type.kind == "float"
        )
    )
    name = b.random.choice(
        [
            "exponential",
            "exponential_minus_one",
            "tanh",
            "logistic",
            "sine",
            "cosine",
            "cbrt",
            "log_plus_one",
            "sqrt",
            "rsqrt",
            "log",
        ]
    )
    if name in ("log_plus_one", "sqrt", "rsqrt", "log"):
        operand = b.apply("abs", operand, limit=operand.limit, scale=operand.scale)
        operand = sum_(b, "add", operand, b.constant(operand.type, operand.shape, 1, 3))
    if not operand.is_exact:
        return
    b.apply(name, operand, limit=None, rule=Rule("function", (operand,), 16))


@step(2)
def quotient(b: Builder) -> None:
    lhs = b.any(lambda value: value.type.kind == "float" and is_wide(value.type) and value.is_exact)
    rhs = b.constant(lhs.type, lhs.shape, 1, 5)
    name = b.random.choice(["divide", "remainder", "atan2"])
    if name == "remainder":
        b.apply(name, lhs, rhs, limit=lhs.limit, scale=lhs.scale)
    else:
        b.apply(name, lhs, rhs, limit=None, rule=Rule("function", (lhs, rhs), 16))


@step(3)
def compare(b: Builder) -> None:
    lhs = b.any(lambda value: value.is_exact)
    rhs = b.like(lhs, lambda value: value.is_exact)
    choices = ["EQ", "NE"] if lhs.type.kind == "complex" else ["EQ", "NE", "LT", "LE", "GT", "GE"]
    b.apply("compare", lhs, rhs, type_=BOOL, attributes=direction(b.random.choice(choices)))


@step(3)
def select(b: Builder) -> None:
    lhs = b.any()
    rhs = b.like(lhs)
    predicate = b.constant(BOOL, b.random.choice([(), lhs.shape]))
    b.move(
        "select", predicate, lhs, rhs, shape=lhs.shape, sources=(lhs, rhs)
    ) if lhs.type == predicate.type else b.apply(
        "select",
        predicate,
        lhs,
        rhs,
        type_=lhs.type,
        shape=lhs.shape,
        limit=joined((lhs, rhs))[0],
        scale=joined((lhs, rhs))[1],
        rule=Rule("move", (lhs, rhs)),
    )


@step(5)
def convert(b: Builder) -> None:
    operand = b.any(lambda value: value.is_exact)
    target = b.random.choice(TYPES)
    source = operand.type
    if source.kind == "complex" or source == target:
        return
    if source.kind == "float" and target.is_integer:
        least, greatest = bounds(target)
        if operand.largest > greatest or (least == 0 and operand.limit):
            return
        b.apply("convert", operand, type_=target)
    elif target.kind in ("float", "complex"):
        # Of integers that need rounding only those are converted whose type cannot overflow.
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


@step(1)
def bitcast(b: Builder) -> None:
    operand = b.any(lambda value: value.type.is_integer and value.type.digits >= 8)
    target = b.random.choice([*SIGNED, *UNSIGNED])
    ratio = operand.type.digits / target.digits
    if ratio == 1:
        b.apply("bitcast_convert", operand, type_=target)
    elif ratio > 1:
        b.apply("bitcast_convert", operand, type_=target, shape=(*operand.shape, int(ratio)))
    elif operand.shape and operand.shape[-1] == int(1 / ratio):
        b.apply("bitcast_convert", operand, type_=target, shape=operand.shape[:-1])


@step(2)
def complex_parts(b: Builder) -> None:
    if b.random.random() < 0.5:
        real = b.any(lambda value: value.type in (F32, F64))
        imag = b.like(real)
        limit, scale = joined((real, imag))
        type_ = COMPLEX[0] if real.type == F32 else COMPLEX[1]
        b.apply("complex", real, imag, type_=type_, limit=limit, scale=scale, rule=Rule("move", (real, imag)))
    else:
        operand = b.any(lambda value: value.type.kind == "complex")
        if operand.type.kind == "complex":
            name = b.random.choice(["real", "imag"])
            rule = Rule("move", (operand,))
            b.apply(
                name,
                operand,
                type_=PART[operand.type.name],
                limit=operand.limit,
                scale=operand.scale,
                rule=rule,
            )


@step(1)
def is_finite(b: Builder) -> None:
    operand = b.any(lambda value: value.type.kind == "float" and value.is_exact)
    if operand.type.kind == "float":
        b.apply("is_finite", operand, type_=BOOL)
