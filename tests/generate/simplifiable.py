"""Steps of random programs that the simplification can simplify."""

from __future__ import annotations

from tests.generate.builder import Builder, Step, direction
from tests.generate.values import BOOL, F32, I32, Type, Value, array, bounds, dense, is_wide, names, types


def special(b: Builder, like: Value) -> Value:
    """A constant of equal elements that some operation treats specially."""
    type_ = like.type
    if type_.kind == "bool":
        spelling = b.random.choice(["true", "false"])
    elif type_.is_integer:
        least, greatest = bounds(type_)
        spelling = str(b.random.choice([0, 1, max(-1, least), least, greatest]))
    elif type_.kind == "complex":
        spelling = b.random.choice(["(0.0, 0.0)", "(1.0, 0.0)"])
    else:
        spelling = b.random.choice(["0.0", "-0.0", "1.0", *(["0x7F800000", "0xFF800000"] * (type_ == F32))])
    return b.add(f"stablehlo.constant dense<{spelling}> : {like.spelled}", type_, like.shape, None)


def odd(b: Builder) -> Value:
    """Floats with NaN, infinities and zeros of both signs."""
    elements = ["0x7FC00000", "0x7F800000", "0xFF800000", "-0.0", "0.0", "-1.5"]
    return b.add(dense(F32, (6,), elements), F32, (6,), None)


def identity(b: Builder) -> None:
    value = b.any() if b.random.random() < 0.7 else odd(b)
    choices = ["add", "subtract", "multiply"]
    if value.type.kind != "complex":
        choices += ["maximum", "minimum"]
    if value.type.kind == "bool" or value.type.is_integer:
        choices += ["and", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"]
    if value.type.kind == "bool":
        choices = ["and", "or", "xor", "maximum", "minimum"]
    other = value if b.random.random() < 0.3 else special(b, value)
    operands = (value, other) if b.random.random() < 0.6 else (other, value)
    b.apply(b.random.choice(choices), *operands, limit=None)


def twice(b: Builder) -> None:
    value = b.any(lambda value: value.type.kind in ("signed", "float"))
    if value.type.kind not in ("signed", "float"):
        return
    choices = ["negate", "abs", "sign"]
    choices += ["not"] if value.type.is_integer else ["floor", "ceil", "round_nearest_even"]
    name = b.random.choice(choices)
    b.apply(name, b.apply(name, value, limit=None), limit=None)


def comparison(b: Builder) -> None:
    value = b.any(lambda value: value.type.is_integer or value.type.kind == "bool")
    if not value.type.is_integer and value.type.kind != "bool":
        return
    other = b.random.choice([value, special(b, value)])
    lhs, rhs = b.random.sample([value, other], 2)
    which = direction(b.random.choice(["EQ", "NE", "LT", "LE", "GT", "GE"])).rstrip("}")
    kind = "SIGNED" if value.type.kind == "signed" else "UNSIGNED"
    attributes = f"{which}, compare_type = #stablehlo<comparison_type {kind}>}}"
    b.apply("compare", lhs, rhs, type_=BOOL, attributes=attributes)


def selection(b: Builder) -> None:
    value = b.any()
    other = b.random.choice([value, b.like(value), special(b, value)])
    pred = b.like(Value("", BOOL, value.shape))
    if b.random.random() < 0.3:
        pred = b.apply("not", pred)
    b.apply(
        "select", pred, *b.random.sample([value, other], 2), type_=value.type, shape=value.shape, limit=None
    )


def there_and_back(b: Builder) -> None:
    value = b.any(lambda value: len(value.shape) >= 2)
    if len(value.shape) < 2:
        return
    if b.random.random() < 0.5:
        b.move("reshape", b.move("reshape", value, shape=(1, value.size)), shape=value.shape)
        return
    order = list(range(len(value.shape)))
    b.random.shuffle(order)
    attributes = f"{{permutation = {array(order)}}}"
    moved = b.move("transpose", value, shape=tuple(value.shape[i] for i in order), attributes=attributes)
    b.random.shuffle(order)
    attributes = f"{{permutation = {array(order)}}}"
    b.move("transpose", moved, shape=tuple(moved.shape[i] for i in order), attributes=attributes)


def cut(b: Builder, value: Value, starts: list[int], limits: list[int], strides: list[int]) -> Value:
    shape = tuple(-(-(end - start) // by) for start, end, by in zip(starts, limits, strides, strict=True))
    attributes = (
        f"{{start_indices = {array(starts)}, limit_indices = {array(limits)}, strides = {array(strides)}}}"
    )
    return b.move("slice", value, shape=shape, attributes=attributes)


def joined_pieces(b: Builder) -> None:
    """Pieces of one tensor or of two, joined and cut again."""
    value = b.any(lambda value: len(value.shape) >= 1)
    if not value.shape:
        return
    dim = b.random.randrange(len(value.shape))
    middle = b.random.randint(0, value.shape[dim])
    starts, limits, ones = [0] * len(value.shape), list(value.shape), [1] * len(value.shape)
    first = cut(b, value, starts, [middle if i == dim else n for i, n in enumerate(limits)], ones)
    source = value if b.random.random() < 0.6 else b.like(value)
    second = cut(b, source, [middle if i == dim else 0 for i in range(len(starts))], limits, ones)
    parts = b.random.choice([(first, second), (first, second, first), (first,)])
    shape = list(value.shape)
    shape[dim] = sum(part.shape[dim] for part in parts)
    attributes = f"{{dimension = {dim} : i64}}"
    whole = b.move("concatenate", *parts, shape=tuple(shape), attributes=attributes, sources=parts)
    begin = [b.random.randint(0, size) for size in whole.shape]
    end = [b.random.randint(start, size) for start, size in zip(begin, whole.shape, strict=True)]
    cut(b, whole, begin, end, [b.random.randint(1, 2) for _ in begin])


def repeated(b: Builder) -> None:
    value = b.any(lambda value: len(value.shape) <= 1)
    if len(value.shape) > 1:
        return
    where = [b.random.randint(0, 1)] if value.shape else []
    size = value.shape[0] if value.shape else 1
    shape = (size, 2) if where == [0] else (2, size)
    attributes = f"{{broadcast_dimensions = {array(where)}}}"
    wide = b.move("broadcast_in_dim", value, shape=shape, attributes=attributes)
    if b.random.random() < 0.5:
        dim = b.random.randint(0, 1)
        longer = tuple(2 * n if i == dim else n for i, n in enumerate(shape))
        b.move("concatenate", wide, wide, shape=longer, attributes=f"{{dimension = {dim} : i64}}")
        return
    attributes = f"{{broadcast_dimensions = {array([2, 0])}}}"
    b.move("broadcast_in_dim", wide, shape=(shape[1], 3, shape[0]), attributes=attributes)


def trimmed(b: Builder) -> None:
    value = b.any(lambda value: len(value.shape) >= 1)
    low = [-b.random.randint(0, 1) for _ in value.shape]
    high = [-b.random.randint(0, 1) for _ in value.shape]
    shape = tuple(size + a + c for size, a, c in zip(value.shape, low, high, strict=True))
    if any(size < 0 for size in shape):
        return
    attributes = (
        f"{{edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, "
        f"interior_padding = {array([0] * len(low))}}}"
    )
    filler = b.constant(value.type, ())
    b.move("pad", value, filler, shape=shape, attributes=attributes, sources=(value, filler))


def window(b: Builder) -> None:
    """A slice at constant places: by dynamic_slice, or by a gather of one."""
    value = b.any(lambda value: len(value.shape) >= 1 and value.size > 0)
    if not value.shape or not value.size:
        return
    sizes = [b.random.randint(1, size) for size in value.shape]
    places = [b.random.randint(-2, size + 2) for size in value.shape]
    if b.random.random() < 0.5:
        starts = [b.index(place) for place in places]
        attributes = f"{{slice_sizes = {array(sizes)}}}"
        piece = b.move("dynamic_slice", value, *starts, shape=tuple(sizes), attributes=attributes)
        b.move("dynamic_update_slice", value, piece, *starts, sources=(value, piece))
        return
    collapsed = [i for i, size in enumerate(sizes) if size == 1 and b.random.random() < 0.5]
    shape = tuple(size for i, size in enumerate(sizes) if i not in collapsed)
    indices = b.add(dense(I32, (len(places),), list(map(str, places))), I32, (len(places),))
    numbers = (
        f"#stablehlo.gather<offset_dims = {list(range(len(shape)))}, collapsed_slice_dims = {collapsed}, "
        f"start_index_map = {list(range(len(sizes)))}, index_vector_dim = 0>"
    )
    attributes = (
        f"{{dimension_numbers = {numbers}, slice_sizes = {array(sizes)}, indices_are_sorted = false}}"
    )
    b.move("gather", value, indices, shape=shape, attributes=attributes)


def results(b: Builder, text: str, like: tuple[Value, ...]) -> None:
    name = b.name()
    b.lines.append(f"{name}:{len(like)} = {text} : ({types(like)}) -> ({types(like)})")
    for i, value in enumerate(like):
        b.value(f"{name}#{i}", value.type, value.shape, value.limit)


def sorted_pair(b: Builder) -> None:
    key = b.any(lambda value: len(value.shape) >= 1 and value.type.is_integer)
    if not key.shape or not key.type.is_integer:
        return
    passenger = b.like(key)
    scalar = key.type.tensor(())
    flag = BOOL.tensor(())
    body = b.region(
        [("%a", scalar), ("%b", scalar), ("%c", scalar), ("%d", scalar)],
        [f"%r = stablehlo.compare LT, %a, %b : ({scalar}, {scalar}) -> {flag}"],
        [("%r", flag)],
    )
    dim = b.random.randint(-1, len(key.shape) - 1)
    both = (key, passenger)
    results(
        b, f'"stablehlo.sort"({names(both)}) ({body}) {{dimension = {dim} : i64, is_stable = true}}', both
    )


def reduced_pair(b: Builder) -> None:
    value = b.any(lambda value: value.type.is_integer and len(value.shape) == 1)
    if not value.type.is_integer or len(value.shape) != 1:
        return
    other, init = b.like(value), b.constant(value.type, ())
    scalar = value.type.tensor(())
    mixed = b.random.random() < 0.3
    body = b.region(
        [(f"%{name}", scalar) for name in "abcd"],
        [
            f"%r = stablehlo.add %a, %c : {scalar}",
            f"%m = stablehlo.maximum %b, %d : {scalar}",
            f"%s = stablehlo.add %m, %{'r' if mixed else 'd'} : {scalar}",
        ],
        [("%r", scalar), ("%s", scalar)],
    )
    operands = (value, other, init, init)
    name = b.name()
    b.lines.append(
        f'{name}:2 = "stablehlo.reduce"({names(operands)}) ({body}) {{dimensions = array<i64: 0>}}'
        f" : ({types(operands)}) -> ({types((init, init))})"
    )
    for i in range(2):
        b.value(f"{name}#{i}", init.type, ())


def branches(b: Builder) -> None:
    value = b.any()
    other = b.like(value)
    outputs = [
        b.region([], [f"%q = stablehlo.add {v.name}, {value.name} : {v.spelled}"], [("%q", v.spelled)])
        for v in (value, other, value)
    ]
    if b.random.random() < 0.5:
        pred = b.constant(BOOL, ())
        b.apply("if", pred, type_=value.type, shape=value.shape, attributes=f"({outputs[0]}, {outputs[1]})")
        return
    index = b.index(b.random.randint(-1, 4))
    count = b.random.randint(1, 3)
    attributes = f"({', '.join(outputs[:count])})"
    b.apply("case", index, type_=value.type, shape=value.shape, attributes=attributes)


def loop(b: Builder) -> None:
    """A loop that carries invariant, equal and unneeded values."""
    value = b.any(lambda value: value.type.is_integer)
    if not value.type.is_integer:
        return
    start, other = b.index(0), b.like(value)
    carried = (start, value, value, value, other)
    arguments = [(f"%{name}", v.spelled) for name, v in zip("ikmnp", carried, strict=True)]
    flag, count, kind = BOOL.tensor(()), I32.tensor(()), value.spelled
    limit = b.random.choice(["0", "2", "3"])
    never = b.random.random() < 0.2
    condition = b.region(
        arguments,
        [
            f"%l = stablehlo.constant dense<{limit}> : {count}",
            f"%f = stablehlo.constant dense<false> : {flag}",
            f"%t = stablehlo.compare LT, %i, %l, SIGNED : ({count}, {count}) -> {flag}",
        ],
        [("%f" if never else "%t", flag)],
    )
    next_ = b.random.sample(["%s", "%s", "%u", "%p", "%k"], 4)
    body = b.region(
        arguments,
        [
            f"%o = stablehlo.constant dense<1> : {count}",
            f"%j = stablehlo.add %i, %o : {count}",
            f"%s = stablehlo.add %k, %p : {kind}",
            f"%u = stablehlo.xor %n, %m : {kind}",
        ],
        [("%j", count), *((name, kind) for name in next_)],
    )
    results(b, f'"stablehlo.while"({names(carried)}) ({condition}, {body})', carried)


def parts(b: Builder) -> None:
    value = b.any(lambda value: value.type == F32)
    if value.type != F32:
        return
    pair = Type("complex<f32>", None, "complex", 24)
    whole = b.apply("complex", value, b.like(value), type_=pair, limit=None)
    part = b.apply(b.random.choice(["real", "imag"]), whole, type_=F32, limit=None)
    flipped = b.apply("negate", part, limit=None)
    b.apply("negate", flipped, limit=None)


def dynamic(b: Builder) -> None:
    """Operations whose sizes are operands, all constants."""
    value = b.any(lambda value: len(value.shape) == 1 and is_wide(value.type))
    if len(value.shape) != 1:
        return
    match b.random.randint(0, 3):
        case 0:
            sizes = b.add(dense(I32, (2,), ["2", str(value.size)]), I32, (2,))
            attributes = "{broadcast_dimensions = array<i64: 1>}"
            shape = (2, value.size)
            b.move("dynamic_broadcast_in_dim", value, sizes, shape=shape, attributes=attributes)
        case 1:
            sizes = b.add(dense(I32, (2,), ["1", str(value.size)]), I32, (2,))
            b.move("dynamic_reshape", value, sizes, shape=(1, value.size))
        case 2:
            bounds_ = [b.add(dense(I32, (1,), [str(n)]), I32, (1,)) for n in (0, value.size // 2, 1)]
            b.move("real_dynamic_slice", value, *bounds_, shape=(value.size // 2,))
        case _:
            one = b.add(dense(I32, (1,), ["1"]), I32, (1,))
            filler = b.constant(value.type, ())
            b.move("dynamic_pad", value, filler, one, one, one, shape=(max(2 * value.size - 1, 0) + 2,))


SIMPLIFIABLE: tuple[Step, ...] = (
    *(identity, identity, identity, twice, comparison, selection, there_and_back, joined_pieces, repeated),
    *(trimmed, window, sorted_pair, reduced_pair, branches, loop, parts, dynamic),
)
