"""Steps of random programs: operations with a value for each row of a matrix, as in softmax and norms."""

from __future__ import annotations

from tests.generate.builder import Builder, may_sum
from tests.generate.regions import combining
from tests.generate.shapes import broadcast_to
from tests.generate.values import array

INFINITE = {
    "f32": ("0xFF800000", "0x7F800000"),
    "bf16": ("0xFF80", "0x7F80"),
    "f64": ("0xFFF0000000000000", "0x7FF0000000000000"),
    "i32": ("-2147483648", "2147483647"),
    "ui8": ("0", "255"),
}


def reduce_rows(b: Builder) -> None:
    """A reduction over the trailing dimensions; sometimes over one other dimension."""
    full, leading = b.material.shapes[0], b.material.shapes[3]
    operand = b.any(lambda value: value.shape == full and value.type.name in INFINITE)
    if operand.shape != full or operand.type.name not in INFINITE:
        return
    axes = list(range(len(leading), len(full)))
    if b.random.random() < 0.2:
        axes = [b.random.randrange(len(full))]
    name = b.random.choice(["maximum", "minimum", *(["add"] if may_sum(b, operand.type) else [])])
    low, high = INFINITE[operand.type.name]
    first = {"maximum": low, "minimum": high, "add": "1" if operand.type.is_integer else "0.5"}[name]
    scalar = operand.type.tensor(())
    init = b.add(f"stablehlo.constant dense<{first}> : {scalar}", operand.type, ())
    kept = tuple(size for axis, size in enumerate(full) if axis not in axes)
    attributes = f"({combining(b, operand.type, name)}) {{dimensions = {array(axes)}}}"
    b.apply("reduce", operand, init, shape=kept, attributes=attributes)


def row(b: Builder) -> None:
    """An operation on one value for each row, broadcast over the rows."""
    full, leading = b.material.shapes[0], b.material.shapes[3]
    value = b.any(lambda value: value.shape == leading and value.type.kind != "bool")
    if value.shape != leading or value.type.kind == "bool":
        return
    if b.random.random() < 0.5:
        scalar = b.of(value.type, ())
        other = broadcast_to(b, scalar, leading)
        value = b.apply(b.random.choice(["add", "maximum", "multiply"]), value, other or value)
    if b.random.random() < 0.5:
        name = "reshape"
        if b.random.random() < 0.5:
            name, value = "", broadcast_to(b, value, (*leading, 1)) or value
        if name:
            value = b.move(name, value, shape=(*leading, 1))
    # Its dimensions are the first ones: `broadcast_to` would find any that fit.
    attributes = f"{{broadcast_dimensions = {array(list(range(len(value.shape))))}}}"
    wide = b.move("broadcast_in_dim", value, shape=full, attributes=attributes)
    b.apply(b.random.choice(["add", "subtract", "multiply", "maximum", "minimum"]), b.like(wide), wide)
