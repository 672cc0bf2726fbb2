"""Steps of random programs: operations with regions."""

from __future__ import annotations

from math import prod

from tests.generate.builder import Builder, direction, may_sum
from tests.generate.values import (
    BOOL,
    COMPLEX,
    EXTREME,
    F32,
    I32,
    Rule,
    Type,
    Value,
    array,
    bounds,
    dense,
    fits,
    is_ordered,
    joined,
    names,
    types,
)


def reducer(b: Builder, type_: Type) -> tuple[str, str]:
    """An associative operation and its identity as text."""
    if not b.exact:
        return any_reducer(b, type_), ""
    least, greatest = bounds(type_) if type_.is_integer else (0, 0)
    if type_.kind == "bool":
        return b.random.choice([("or", "false"), ("and", "true"), ("xor", "false")])
    if type_.is_integer:
        return b.random.choice(
            [
                ("add", "0"),
                ("multiply", "1"),
                ("maximum", str(least)),
                ("minimum", str(greatest)),
                ("or", "0"),
                ("xor", "0"),
            ]
        )
    if type_.kind == "complex":
        return "add", "(0.0, 0.0)"
    if type_.digits < 8:
        return "add", "0.0"
    return b.random.choice([("add", "0.0"), ("maximum", f"-{EXTREME}.0"), ("minimum", f"{EXTREME}.0")])


def any_reducer(b: Builder, type_: Type) -> str:
    if type_.kind == "bool":
        return b.random.choice(["and", "or", "xor"])
    if type_.is_integer:
        return b.random.choice(["add", "multiply", "maximum", "minimum", "or", "and", "xor"])
    sums = ["add", "multiply"] if may_sum(b, type_) else []
    if type_.kind == "complex":
        return b.random.choice(sums or [""])
    return b.random.choice(["maximum", "minimum", *sums])


def reduced(b: Builder, operand: Value, name: str, count: int) -> tuple[int | None, int, Rule]:
    """Limit, scale and rule of a reduction of `count` values."""
    if name == "add":
        limit = None if operand.limit is None else operand.limit * max(count, 1)
        return limit, operand.scale, Rule("sum", (operand,), max(count, 1))
    limit = None if operand.limit is None else max(operand.limit, EXTREME << operand.scale)
    return limit, operand.scale, Rule("move", (operand,))


def identity(b: Builder, operand: Value, text: str) -> Value:
    if not b.exact:
        return b.of(operand.type, ())
    limit = EXTREME if str(EXTREME) in text else 0
    return b.add(dense(operand.type, (), [text]), operand.type, (), limit)


def combining(b: Builder, type_: Type, name: str) -> str:
    """A body of one operation, or of two: integers in any order that hlokit defines."""
    scalar = type_.tensor(())
    lines = [f"%r = stablehlo.{name} %a, %b : {scalar}"]
    if not b.exact and not b.material.only_native and type_.is_integer and b.random.random() < 0.2:
        lines = [f"%q = stablehlo.{name} %a, %b : {scalar}", f"%r = stablehlo.maximum %q, %a : {scalar}"]
    return b.region([("%a", scalar), ("%b", scalar)], lines, [("%r", scalar)])


def reduce(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 1)
    name, init = reducer(b, operand.type)
    if not operand.shape or not name:
        return
    dimensions = sorted(b.random.sample(range(len(operand.shape)), b.random.randint(1, len(operand.shape))))
    shape = tuple(size for i, size in enumerate(operand.shape) if i not in dimensions)
    count = prod(operand.shape[i] for i in dimensions)
    body = combining(b, operand.type, name)
    limit, scale, rule = reduced(b, operand, name, count)
    start = identity(b, operand, init)
    attributes = f"({body}) {{dimensions = {array(dimensions)}}}"
    b.apply("reduce", operand, start, shape=shape, attributes=attributes, limit=limit, scale=scale, rule=rule)


def reduce_window(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 1)
    name, init = reducer(b, operand.type)
    if not operand.shape or not name:
        return
    rank = len(operand.shape)
    window = [b.random.randint(1, 3) for _ in range(rank)]
    strides = [b.random.randint(1, 2) for _ in range(rank)]
    dilations = [b.random.randint(1, 2) for _ in range(rank)]
    bases = [b.random.randint(1, 2) for _ in range(rank)]
    padding = [(b.random.randint(0, 2), b.random.randint(0, 2)) for _ in range(rank)]
    shape = []
    for i, size in enumerate(operand.shape):
        padded = (0 if size == 0 else (size - 1) * bases[i] + 1) + sum(padding[i])
        reach = (window[i] - 1) * dilations[i] + 1
        shape.append(0 if padded == 0 or reach > padded else (padded - reach) // strides[i] + 1)
    body = combining(b, operand.type, name)
    if b.is_too_large(tuple(shape)):
        return
    attributes = (
        f"({body}) {{window_dimensions = {array(window)}, window_strides = {array(strides)}, "
        f"base_dilations = {array(bases)}, window_dilations = {array(dilations)}, "
        f"padding = dense<{[list(pair) for pair in padding]}> : tensor<{rank}x2xi64>}}"
    )
    limit, scale, rule = reduced(b, operand, name, prod(window))
    start = identity(b, operand, init)
    b.apply(
        "reduce_window",
        operand,
        start,
        shape=tuple(shape),
        attributes=attributes,
        limit=limit,
        scale=scale,
        rule=rule,
    )


def sort(b: Builder) -> None:
    keys = b.any(lambda value: is_ordered(value) and len(value.shape) >= 1)
    if not keys.shape:
        return
    dimension = b.random.randrange(len(keys.shape))
    operands = [keys]
    if b.random.random() < 0.5:
        passenger = b.random.choice([I32, F32, COMPLEX[0]])
        operands.append(b.constant(passenger, keys.shape) if b.exact else b.of(passenger, keys.shape))
    arguments = []
    for i, operand in enumerate(operands):
        arguments += [(f"%a{i}", operand.type.tensor(())), (f"%b{i}", operand.type.tensor(()))]
    scalar = keys.type.tensor(())
    order = direction(b.random.choice(["LT", "GT", "LE", "GE"][: 4 if len(operands) == 1 and b.exact else 2]))
    if keys.type.kind == "float" and not b.exact:  # NaNs have no other order
        order = f"{order[:-1]}, compare_type = #stablehlo<comparison_type TOTALORDER>}}"
    lines = [f'%r = "stablehlo.compare"(%a0, %b0) {order} : ({scalar}, {scalar}) -> tensor<i1>']
    body = b.region(arguments, lines, [("%r", "tensor<i1>")])
    spelled = types(tuple(operands))
    b.add_several(
        f'"stablehlo.sort"({names(tuple(operands))}) ({body}) {{dimension = {dimension} : i64, is_stable = true}} '
        f": ({spelled}) -> ({spelled})",
        operands,
    )


def map_(b: Builder) -> None:
    operand = b.any(lambda value: value.type.kind in ("signed", "unsigned", "float"))
    if operand.type.kind not in ("signed", "unsigned", "float"):
        return
    other = b.like(operand)
    scalar = operand.type.tensor(())
    lines = [f"%p = stablehlo.add %a, %b : {scalar}", f"%r = stablehlo.maximum %p, %a : {scalar}"]
    body = b.region([("%a", scalar), ("%b", scalar)], lines, [("%r", scalar)])
    scale = max(operand.scale, other.scale)
    limit = None
    if operand.limit is not None and other.limit is not None:
        limit = (operand.limit << (scale - operand.scale)) + (other.limit << (scale - other.scale))
    attributes = f"({body}) {{dimensions = {array(list(range(len(operand.shape))))}}}"
    b.apply(
        "map",
        operand,
        other,
        attributes=attributes,
        limit=limit,
        scale=scale,
        rule=Rule("sum", (operand, other)),
    )


def branch(b: Builder, value: Value, other: Value, name: str) -> tuple[str, int | None, int, Rule]:
    """A region that applies an operation to values from outside."""
    scale = max(value.scale, other.scale)
    limit, rule = joined((value, other))[0], Rule("move", (value, other))
    if name == "add":
        limit, rule = (None if limit is None else 2 * limit), Rule("sum", (value, other))
    body = b.region(
        [], [f"%r = stablehlo.{name} {value.name}, {other.name} : {value.spelled}"], [("%r", value.spelled)]
    )
    return body, limit, scale, rule


def if_or_case(b: Builder) -> None:
    value = b.any(lambda value: value.type.is_integer or value.type.kind == "float")
    if not (value.type.is_integer or value.type.kind == "float"):
        return
    other = b.like(value)
    count = b.random.randint(1, 3)
    name = "case"
    if b.random.random() < 0.5:
        name, count = "if", 2
    branches = [branch(b, value, other, b.random.choice(["add", "maximum", "minimum"])) for _ in range(count)]
    index = b.constant(BOOL, ()) if name == "if" else b.index(b.random.randint(-1, count))
    regions = ", ".join(body for body, *_ in branches)
    limits = [limit for _, limit, _, _ in branches]
    limit = None if None in limits else max(limit for limit in limits if limit is not None)
    b.add(
        f'"stablehlo.{name}"({index.name}) ({regions}) : ({index.spelled}) -> {value.spelled}',
        value.type,
        value.shape,
        limit,
        max(value.scale, other.scale),
        Rule("sum", (value, other)),
    )


def while_(b: Builder) -> None:
    value = b.any(
        lambda value: value.type.is_integer or (value.type.kind == "float" and value.type.digits > 8)
    )
    if not (value.type.is_integer or (value.type.kind == "float" and value.type.digits > 8)):
        return
    increment = b.like(value)
    turns = b.random.choice([0, 1, 2, 5, 12])  # after 8, loops become native programs
    start, one, end = b.index(0), b.index(1), b.index(turns)
    spelled = value.spelled
    arguments = [("%i", "tensor<i32>"), ("%x", spelled)]
    condition = b.region(
        arguments,
        [
            f'%r = "stablehlo.compare"(%i, {end.name}) {direction("LT")} : (tensor<i32>, tensor<i32>) -> tensor<i1>'
        ],
        [("%r", "tensor<i1>")],
    )
    body = b.region(
        arguments,
        [
            f"%j = stablehlo.add %i, {one.name} : tensor<i32>",
            f"%y = stablehlo.add %x, {increment.name} : {spelled}",
        ],
        [("%j", "tensor<i32>"), ("%y", spelled)],
    )
    name = b.name()
    b.lines.append(
        f'{name}:2 = "stablehlo.while"({start.name}, {value.name}) ({condition}, {body}) '
        f": (tensor<i32>, {spelled}) -> (tensor<i32>, {spelled})"
    )
    scale = max(value.scale, increment.scale)
    limit, _ = joined((value, increment))
    limit = None if limit is None else limit * (turns + 1)
    if limit is not None and value.type.kind == "float" and not fits(value.type, limit, scale):
        limit = None
    rule = Rule("sum", (value, increment), turns + 1)
    b.value(f"{name}#0", I32, ())
    b.value(f"{name}#1", value.type, value.shape, limit, scale, rule)


def barrier(b: Builder) -> None:
    operands = [
        b.any(lambda value: value.type.kind != "complex"),
        b.any(lambda value: value.type.kind != "complex"),
    ]
    spelled = types(tuple(operands))
    b.add_several(
        f'"stablehlo.optimization_barrier"({names(tuple(operands))}) : ({spelled}) -> ({spelled})',
        operands,
    )


REGIONS = {
    reduce: 5,
    reduce_window: 2,
    sort: 3,
    map_: 2,
    if_or_case: 3,
    while_: 2,
    barrier: 1,
}
