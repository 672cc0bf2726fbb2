"""Steps of random programs: shape, slicing, gather, scatter."""

from __future__ import annotations

from tests.fuzz.builder import Builder, step
from tests.fuzz.values import I32, SIGNED, TYPES, Rule, array, joined


@step(3)
def reshape(b: Builder) -> None:
    operand = b.any()
    sizes = list(operand.shape)
    if operand.size and b.random.random() < 0.5:
        sizes = [operand.size]
    else:
        sizes.insert(b.random.randint(0, len(sizes)), 1)
    b.move("reshape", operand, shape=tuple(sizes))


@step(3)
def broadcast(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) <= 2)
    rank = len(operand.shape) + b.random.randint(0, 1)
    where = sorted(b.random.sample(range(rank), len(operand.shape)))
    if b.random.random() < 0.3:
        b.random.shuffle(where)
    shape = [b.random.randint(1, 3) for _ in range(rank)]
    for dimension, size in zip(where, operand.shape, strict=True):
        if size != 1:
            shape[dimension] = size
    b.move(
        "broadcast_in_dim",
        operand,
        shape=tuple(shape),
        attributes=f"{{broadcast_dimensions = {array(where)}}}",
    )


@step(3)
def transpose(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 2)
    order = list(range(len(operand.shape)))
    b.random.shuffle(order)
    shape = tuple(operand.shape[i] for i in order)
    b.move("transpose", operand, shape=shape, attributes=f"{{permutation = {array(order)}}}")


@step(2)
def reverse(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 1)
    dimensions = sorted(b.random.sample(range(len(operand.shape)), b.random.randint(1, len(operand.shape))))
    b.move("reverse", operand, attributes=f"{{dimensions = {array(dimensions)}}}")


@step(4)
def slice_(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 1)
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


@step(3)
def pad(b: Builder) -> None:
    operand = b.any()
    value = b.constant(operand.type, ())
    low = [b.random.randint(-1, 2) for _ in operand.shape]
    high = [b.random.randint(-1, 2) for _ in operand.shape]
    interior = [b.random.randint(0, 2) for _ in operand.shape]
    shape = tuple(
        size + max(size - 1, 0) * inner + before + after
        for size, inner, before, after in zip(operand.shape, interior, low, high, strict=True)
    )
    if any(size < 0 for size in shape):
        return
    attributes = f"{{edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array(interior)}}}"
    b.move("pad", operand, value, shape=shape, attributes=attributes, sources=(operand, value))


@step(3)
def concatenate(b: Builder) -> None:
    first = b.any(lambda value: len(value.shape) >= 1)
    dimension = b.random.randrange(len(first.shape))
    others = [b.like(first) for _ in range(b.random.randint(1, 2))]
    shape = list(first.shape)
    shape[dimension] *= 1 + len(others)
    sources = (first, *others)
    b.move(
        "concatenate",
        *sources,
        shape=tuple(shape),
        attributes=f"{{dimension = {dimension} : i64}}",
        sources=sources,
    )


@step(1)
def iota(b: Builder) -> None:
    shape = tuple(b.random.randint(1, 5) for _ in range(b.random.randint(1, 3)))
    type_ = b.random.choice([type_ for type_ in TYPES if type_.kind != "bool"])
    b.apply(
        "iota",
        type_=type_,
        shape=shape,
        attributes=f"{{iota_dimension = {b.random.randrange(len(shape))} : i64}}",
        limit=5,
    )


@step(3)
def dynamic_slice(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 1)
    sizes = [b.random.randint(0, size) for size in operand.shape]
    starts = [b.index(b.random.randint(-2, size + 2)) for size in operand.shape]
    b.move(
        "dynamic_slice", operand, *starts, shape=tuple(sizes), attributes=f"{{slice_sizes = {array(sizes)}}}"
    )


@step(2)
def dynamic_update_slice(b: Builder) -> None:
    operand = b.any(lambda value: len(value.shape) >= 1)
    update = b.constant(operand.type, tuple(b.random.randint(0, size) for size in operand.shape))
    starts = [b.index(b.random.randint(-2, size + 2)) for size in operand.shape]
    b.move("dynamic_update_slice", operand, update, *starts, sources=(operand, update))


@step(4)
def gather(b: Builder) -> None:
    """Windows of an operand at rows of starts."""
    operand = b.any(lambda value: len(value.shape) >= 1 and value.size > 0)
    if not operand.size or not operand.shape:
        return
    rank = len(operand.shape)
    mapped = b.random.sample(range(rank), b.random.randint(1, rank))
    sizes = [b.random.randint(1, size) for size in operand.shape]
    collapsed = [i for i in range(rank) if b.random.random() < 0.4]
    for i in collapsed:
        sizes[i] = 1
    batch = tuple(b.random.randint(1, 3) for _ in range(b.random.randint(0, 2)))
    starts = b.constant(b.random.choice([I32, SIGNED[3]]), (*batch, len(mapped)), -2, max(operand.shape) + 1)
    window = [size for i, size in enumerate(sizes) if i not in collapsed]
    offsets = sorted(b.random.sample(range(len(batch) + len(window)), len(window)))
    rest, windows = iter(batch), iter(window)
    shape = tuple(next(windows if i in offsets else rest) for i in range(len(batch) + len(window)))
    numbers = (
        f"#stablehlo.gather<offset_dims = {offsets}, collapsed_slice_dims = {collapsed}, "
        f"start_index_map = {mapped}, index_vector_dim = {len(batch)}>"
    )
    attributes = (
        f"{{dimension_numbers = {numbers}, slice_sizes = {array(sizes)}, indices_are_sorted = false}}"
    )
    b.move("gather", operand, starts, shape=shape, attributes=attributes)


@step(3)
def scatter(b: Builder) -> None:
    """Rows of updates at indices; what falls outside is in another test, as XLA drops whole windows."""
    operand = b.any(lambda value: len(value.shape) >= 1 and value.size > 0 and value.type.digits >= 8)
    if not operand.size or not operand.shape:
        return
    # The C++ interpreter writes into the operand: it gets one that is not a result.
    reversed_ = b.move("reverse", operand, attributes="{dimensions = array<i64: 0>}")
    b.values.pop()
    kind = b.random.choice(["add", "set", "maximum"])
    if operand.type.kind == "complex" and kind == "maximum":
        kind = "add"
    count = b.random.randint(1, 4)
    indices = b.constant(I32, (count, 1), -1, operand.shape[0])
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
