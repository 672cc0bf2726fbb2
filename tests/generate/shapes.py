"""Steps of random programs: shapes, slices, gathers and scatters."""

from __future__ import annotations

from itertools import product
from math import prod

from tests.generate.builder import Builder
from tests.generate.values import I32, TYPE, Rule, Shape, Value, array, joined


def has_dimensions(value: Value) -> bool:
    return len(value.shape) >= 1


def has_elements(value: Value) -> bool:
    return len(value.shape) >= 1 and value.size > 0


def reshape(b: Builder) -> None:
    operand = b.any()
    same = [shape for shape in b.material.shapes if prod(shape) == operand.size]
    if same and b.random.random() < 0.9:
        b.move("reshape", operand, shape=b.random.choice(same))
        return
    sizes = list(operand.shape)
    if operand.size and b.random.random() < 0.5:
        sizes = [operand.size]
    elif len(sizes) < 4:
        sizes.insert(b.random.randint(0, len(sizes)), 1)
    b.move("reshape", operand, shape=tuple(sizes))


def broadcast_to(b: Builder, operand: Value, target: Shape) -> Value | None:
    """The operand in a larger shape; None if none of its dimensions fit."""
    for where in product(range(len(target)), repeat=len(operand.shape)):
        fits = all(size in (1, target[d]) for size, d in zip(operand.shape, where, strict=True))
        if len(set(where)) == len(where) and fits:
            attributes = f"{{broadcast_dimensions = {array(where)}}}"
            return b.move("broadcast_in_dim", operand, shape=target, attributes=attributes)
    return None


def broadcast(b: Builder) -> None:
    if b.material.shapes:
        broadcast_to(b, b.any(), b.shape())
        return
    operand = b.any(lambda value: len(value.shape) <= 2)
    rank = len(operand.shape) + b.random.randint(0, 1)
    where = sorted(b.random.sample(range(rank), len(operand.shape)))
    if b.random.random() < 0.3:
        b.random.shuffle(where)
    shape = [b.random.randint(1, 3) for _ in range(rank)]
    for dimension, size in zip(where, operand.shape, strict=True):
        if size != 1:
            shape[dimension] = size
    if not b.is_too_large(tuple(shape)):
        attributes = f"{{broadcast_dimensions = {array(where)}}}"
        b.move("broadcast_in_dim", operand, shape=tuple(shape), attributes=attributes)


def transpose(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 2)
    order = list(range(len(operand.shape)))
    b.random.shuffle(order)
    shape = tuple(operand.shape[i] for i in order)
    b.move("transpose", operand, shape=shape, attributes=f"{{permutation = {array(order)}}}")


def reverse(b: Builder) -> None:
    operand = b.any(has_dimensions)
    if not operand.shape:
        return
    dimensions = sorted(b.random.sample(range(len(operand.shape)), b.random.randint(1, len(operand.shape))))
    b.move("reverse", operand, attributes=f"{{dimensions = {array(dimensions)}}}")


def slice_(b: Builder) -> None:
    operand = b.any(has_dimensions)
    starts, limits, strides = [], [], []
    for size in operand.shape:
        start = b.random.randint(0, size)
        starts.append(start)
        limits.append(b.random.randint(start, size))
        strides.append(b.random.randint(1, 3))
    shape = tuple(
        -(-(limit - start) // stride) for start, limit, stride in zip(starts, limits, strides, strict=True)
    )
    attributes = (
        f"{{start_indices = {array(starts)}, limit_indices = {array(limits)}, strides = {array(strides)}}}"
    )
    b.move("slice", operand, shape=shape, attributes=attributes)


def pad(b: Builder) -> None:
    operand = b.any(has_dimensions) if b.material.only_native else b.any()
    value = b.constant(operand.type, ()) if b.exact else b.of(operand.type, ())
    low = [b.random.randint(-1, 2) for _ in operand.shape]
    high = [b.random.randint(-1, 2) for _ in operand.shape]
    interior = [b.random.randint(0, 2) for _ in operand.shape]
    shape = tuple(
        size + max(size - 1, 0) * inner + before + after
        for size, inner, before, after in zip(operand.shape, interior, low, high, strict=True)
    )
    if any(size < 0 for size in shape) or b.is_too_large(shape):
        return
    attributes = f"{{edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array(interior)}}}"
    b.move("pad", operand, value, shape=shape, attributes=attributes, sources=(operand, value))


def concatenate(b: Builder) -> None:
    first = b.any(has_dimensions)
    if not first.shape:
        return
    dimension = b.random.randrange(len(first.shape))
    others = [b.like(first) for _ in range(b.random.randint(1, 2))]
    shape = list(first.shape)
    shape[dimension] *= 1 + len(others)
    sources = (first, *others)
    if b.is_too_large(tuple(shape)):
        return
    b.move(
        "concatenate",
        *sources,
        shape=tuple(shape),
        attributes=f"{{dimension = {dimension} : i64}}",
        sources=sources,
    )


def iota(b: Builder) -> None:
    shape = tuple(b.random.randint(1, 5) for _ in range(b.random.randint(1, 3)))
    if b.material.shapes:
        shape = b.shape()
    type_ = b.random.choice([type_ for type_ in b.material.types if type_.kind != "bool"])
    if shape:
        attributes = f"{{iota_dimension = {b.random.randrange(len(shape))} : i64}}"
        b.apply("iota", type_=type_, shape=shape, attributes=attributes, limit=5)


def dynamic_slice(b: Builder) -> None:
    operand = b.any(has_dimensions)
    if b.exact or b.random.random() < 0.1:
        sizes = tuple(b.random.randint(0, size) for size in operand.shape)
    else:
        sizes = tuple(b.random.randint(min(1, size), size) for size in operand.shape)
    if not operand.shape:
        return
    starts = b.starts(operand.shape)
    attributes = f"{{slice_sizes = {array(sizes)}}}"
    b.move("dynamic_slice", operand, *starts, shape=sizes, attributes=attributes)


def dynamic_update_slice(b: Builder) -> None:
    operand = b.any(has_dimensions)
    if not operand.shape:
        return

    def fits(value: Value) -> bool:
        """Whether a value may be a part of the operand by type, rank and sizes."""
        return (
            value.type == operand.type
            and len(value.shape) == len(operand.shape)
            and all(part <= size for part, size in zip(value.shape, operand.shape, strict=True))
        )

    found = [] if b.exact else [value for value in b.values if fits(value)]
    if found:
        update = b.random.choice(found)
    else:
        update = b.constant(operand.type, tuple(b.random.randint(0, size) for size in operand.shape))
    b.move("dynamic_update_slice", operand, update, *b.starts(operand.shape), sources=(operand, update))


def windows_of(b: Builder, operand: Value, batched: list[int]) -> tuple[list[int], list[int]]:
    """Sizes of windows, and the dimensions of size 1, except `batched`, that the windows omit."""
    sizes = [1 if d in batched else b.random.randint(1, size) for d, size in enumerate(operand.shape)]
    without = [
        d for d, size in enumerate(sizes) if size == 1 and d not in batched and b.random.random() < 0.7
    ]
    return sizes, without


def spread(b: Builder, windows: list[int], batch: list[int]) -> tuple[list[int], Shape]:
    """The dimensions of a result that belong to windows, and the shape of the result."""
    rank = len(windows) + len(batch)
    where = sorted(b.random.sample(range(rank), len(windows)))
    one, other = iter(windows), iter(batch)
    return where, tuple(next(one if axis in where else other) for axis in range(rank))


def batching(
    b: Builder, operand: Value, indices: Value, mapped: list[int], vector_dim: int
) -> list[tuple[int, int]]:
    """A pair of batching dimensions of equal size, one of the operand and one of the indices; usually
    none."""
    pairs = [
        (d, axis)
        for d, size in enumerate(operand.shape)
        for axis, other in enumerate(indices.shape)
        if size == other and d not in mapped and axis != vector_dim
    ]
    return [b.random.choice(pairs)] if pairs and b.random.random() < 0.5 else []


def gather_rows(b: Builder) -> None:
    """Windows that start at existing integers, along one dimension or two."""
    operand = b.any(has_elements)
    indices = b.any(lambda value: value.type.is_integer and value.type.digits >= 8)
    if not has_elements(operand) or not indices.type.is_integer or indices.type.digits < 8:
        return
    vector_dim, mapped = len(indices.shape), [b.random.randrange(len(operand.shape))]
    if len(operand.shape) > 1 and 2 in indices.shape:
        vector_dim = indices.shape.index(2)
        mapped = b.random.sample(range(len(operand.shape)), 2)
    together = batching(b, operand, indices, mapped, vector_dim)
    batched = [d for d, _ in together]
    sizes, collapsed = windows_of(b, operand, batched)
    batch = [size for d, size in enumerate(indices.shape) if d != vector_dim]
    window = [size for d, size in enumerate(sizes) if d not in collapsed + batched]
    offsets, shape = spread(b, window, batch)
    if b.is_too_large(shape):
        return
    numbers = (
        f"#stablehlo.gather<offset_dims = {offsets}, collapsed_slice_dims = {collapsed}, "
        f"operand_batching_dims = {batched}, start_indices_batching_dims = {[axis for _, axis in together]}, "
        f"start_index_map = {mapped}, index_vector_dim = {vector_dim}>"
    )
    attributes = (
        f"{{dimension_numbers = {numbers}, slice_sizes = {array(sizes)}, indices_are_sorted = false}}"
    )
    b.move("gather", operand, indices, shape=shape, attributes=attributes)


COMBINATIONS = {
    "bool": ("and", "or", "xor"),
    "float": ("add", "multiply", "maximum", "minimum"),
    "complex": ("add", "multiply"),
}
INTEGER_COMBINATIONS = ("add", "multiply", "maximum", "minimum", "and", "or", "xor")


def scatter_windows(b: Builder) -> None:
    """Windows along one dimension, at existing integers: sometimes windows lie outside or overlap."""
    operand = b.any(has_elements)
    indices = b.any(lambda value: value.type.is_integer and value.type.digits >= 8)
    if not has_elements(operand) or not indices.type.is_integer or indices.type.digits < 8:
        return
    mapped = [b.random.randrange(len(operand.shape))]
    together = batching(b, operand, indices, mapped, len(indices.shape))
    batched = [d for d, _ in together]
    sizes, inserted = windows_of(b, operand, batched)
    kept = [size for d, size in enumerate(sizes) if d not in inserted + batched]
    windows, shape = spread(b, kept, list(indices.shape))
    if b.is_too_large(shape):
        return
    updates, scalar = b.of(operand.type, shape), operand.type.tensor(())
    choices = COMBINATIONS.get(operand.type.kind, INTEGER_COMBINATIONS)
    name = b.random.choice([None, *choices])
    lines = [f"%r = stablehlo.{name} %a, %b : {scalar}"] if name else []
    if name and operand.type.kind != "bool" and not b.material.only_native and b.random.random() < 0.3:
        lines = [f"%q = stablehlo.subtract %a, %b : {scalar}", f"%r = stablehlo.{name} %q, %b : {scalar}"]
    body = b.region([("%a", scalar), ("%b", scalar)], lines, [("%r" if lines else "%b", scalar)])
    attributes = (
        f"({body}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {windows}, "
        f"inserted_window_dims = {inserted}, input_batching_dims = {batched}, "
        f"scatter_indices_batching_dims = {[axis for _, axis in together]}, "
        f"scatter_dims_to_operand_dims = {mapped}, index_vector_dim = {len(indices.shape)}>}}"
    )
    b.apply("scatter", operand, indices, updates, attributes=attributes)


def gather(b: Builder) -> None:
    """Windows of an operand at rows of starts."""
    operand = b.any(has_elements)
    if not has_elements(operand):
        return
    rank = len(operand.shape)
    mapped = b.random.sample(range(rank), b.random.randint(1, rank))
    sizes = [b.random.randint(1, size) for size in operand.shape]
    collapsed = [i for i in range(rank) if b.random.random() < 0.4]
    for i in collapsed:
        sizes[i] = 1
    batch = tuple(b.random.randint(1, 3) for _ in range(b.random.randint(0, 2)))
    starts_type = b.random.choice([I32, TYPE["i64"]])
    starts = b.indices(starts_type, (*batch, len(mapped)), -2, max(operand.shape) + 1)
    window = [size for i, size in enumerate(sizes) if i not in collapsed]
    offsets = sorted(b.random.sample(range(len(batch) + len(window)), len(window)))
    rest, windows = iter(batch), iter(window)
    shape = tuple(next(windows if i in offsets else rest) for i in range(len(batch) + len(window)))
    if b.is_too_large(shape):
        return
    numbers = (
        f"#stablehlo.gather<offset_dims = {offsets}, collapsed_slice_dims = {collapsed}, "
        f"start_index_map = {mapped}, index_vector_dim = {len(batch)}>"
    )
    attributes = (
        f"{{dimension_numbers = {numbers}, slice_sizes = {array(sizes)}, indices_are_sorted = false}}"
    )
    b.move("gather", operand, starts, shape=shape, attributes=attributes)


def scatter(b: Builder) -> None:
    """Rows of updates at indices; another test has updates out of bounds, because XLA drops whole windows."""
    operand = b.any(lambda value: has_elements(value) and value.type.digits >= 8)
    if not has_elements(operand) or operand.type.digits < 8:
        return
    # The C++ interpreter writes into the operand: it gets one that is not a result.
    reversed_ = b.move("reverse", operand, attributes="{dimensions = array<i64: 0>}")
    b.values.pop()
    kind = b.random.choice(["add", "set", "maximum"])
    if operand.type.kind == "complex" and kind == "maximum":
        kind = "add"
    count = b.random.randint(1, 4)
    indices = b.indices(I32, (count, 1), -1, operand.shape[0])
    updates = b.constant(operand.type, (count, *operand.shape[1:]))
    scalar = operand.type.tensor(())
    lines = [f"%r = stablehlo.{kind} %a, %b : {scalar}"] if kind != "set" else []
    body = b.region([("%a", scalar), ("%b", scalar)], lines, [("%r" if lines else "%b", scalar)])
    windows = list(range(1, len(operand.shape)))
    attributes = (
        f"({body}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {windows}, "
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
        "indices_are_sorted = false, unique_indices = false}"
    )
    limit, scale = joined((operand, updates))
    rule = Rule("move", (operand, updates))
    if kind == "add":
        limit = None if limit is None else limit * (count + 1)
        rule = Rule("sum", (operand, updates), count)
    b.apply(
        "scatter", reversed_, indices, updates, attributes=attributes, limit=limit, scale=scale, rule=rule
    )


SHAPES = {
    reshape: 3,
    broadcast: 3,
    transpose: 3,
    reverse: 2,
    slice_: 4,
    pad: 3,
    concatenate: 3,
    iota: 1,
    dynamic_slice: 3,
    dynamic_update_slice: 2,
    gather: 4,
    scatter: 3,
}
