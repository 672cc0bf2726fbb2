"""Random loops over small arrays, as text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from random import Random

from tests.unit.interpreter.loop_programs import LoopWriter

Shape = tuple[int, ...]
Key = tuple[str, Shape]

TYPES = ("i32", "f32", "i1", "ui8", "f64", "bf16", "i64")
SHAPES: tuple[Shape, ...] = ((), (1,), (4,), (2, 3), (3, 2), (0,), (2, 1, 3), (6,), (2, 0))
ARITHMETIC = {
    "i1": ("and", "or", "xor"),
    "f": ("add", "multiply", "subtract", "maximum", "minimum"),
    "i": ("add", "multiply", "subtract", "maximum", "xor", "shift_left"),
}


def spelled(key: Key) -> str:
    name, shape = key
    return f"tensor<{''.join(f'{size}x' for size in shape)}{name}>"


def ints(values: Shape) -> str:
    return f"array<i64{':' if values else ''} {', '.join(map(str, values))}>"


class ArrayWriter(LoopWriter[Key]):
    """Writes random loops; all values of one region are in `values`, by type and shape."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.kinds: list[Callable[[dict[Key, list[str]]], tuple[str, Key] | None]] = [
            *(self.binary, self.binary, self.compare, self.select, self.convert, self.clamp, self.broadcast),
            *(self.slice, self.reshape, self.transpose, self.reverse, self.concatenate, self.pad),
            *(self.dynamic_slice, self.dynamic_update_slice, self.dynamic_update_slice),
            *(self.gather, self.scatter, self.reduce),
        ]

    def spelled(self, key: Key) -> str:
        return spelled(key)

    def constant(self, key: Key) -> str:
        number = {"i1": "true", "f32": "1.5", "f64": "-0.0", "bf16": "0.5"}.get(
            key[0], str(self.random.randint(0, 5))
        )
        if 0 in key[1]:
            number = ""
        return self.emit(f"stablehlo.constant dense<{number}> : {spelled(key)}")

    def some(self, values: dict[Key, list[str]], key: Key) -> str:
        if values.get(key) and self.random.random() < 0.95:
            return self.random.choice(values[key])
        return self.constant(key)

    def any(self, values: dict[Key, list[str]], rank: bool = False) -> tuple[str, Key]:
        keys = [key for key in values if values[key] and (not rank or key[1])]
        key = self.random.choice(keys)
        return self.some(values, key), key

    # Operations: each gives its name and what it is, or None if it cannot be had.

    def binary(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        lhs, key = self.any(values)
        kind = "i1" if key[0] == "i1" else "f" if key[0][0] in "fb" else "i"
        op = self.random.choice(ARITHMETIC[kind])
        return self.emit(f"stablehlo.{op} {lhs}, {self.some(values, key)} : {spelled(key)}"), key

    def compare(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        lhs, key = self.any(values)
        t, result = spelled(key), ("i1", key[1])
        rhs = self.some(values, key)
        return self.emit(f"stablehlo.compare LT, {lhs}, {rhs} : ({t}, {t}) -> {spelled(result)}"), result

    def select(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        lhs, key = self.any(values)
        pred_key = ("i1", self.random.choice([(), key[1]]))
        pred, rhs = self.some(values, pred_key), self.some(values, key)
        return self.emit(f"stablehlo.select {pred}, {lhs}, {rhs} : {spelled(pred_key)}, {spelled(key)}"), key

    def clamp(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, key = self.any(values)
        bound = (key[0], self.random.choice([(), key[1]]))
        low, high, b = self.some(values, bound), self.some(values, bound), spelled(bound)
        return self.emit(
            f"stablehlo.clamp {low}, {operand}, {high} : ({b}, {spelled(key)}, {b}) -> {spelled(key)}"
        ), key

    def convert(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, key = self.any(values)
        choices = [name for name in TYPES if name != "bf16" or key[0] == "f32"]
        result = (self.random.choice(choices), key[1])
        return self.emit(f"stablehlo.convert {operand} : ({spelled(key)}) -> {spelled(result)}"), result

    def broadcast(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values)
        target = self.random.choice(SHAPES)
        for dims in product(range(len(target)), repeat=len(shape)):
            fits = all(size in (1, target[d]) for size, d in zip(shape, dims, strict=True))
            if len(set(dims)) == len(dims) and fits:
                result = (name, target)
                return self.emit(
                    f"stablehlo.broadcast_in_dim {operand}, dims = [{', '.join(map(str, dims))}] : "
                    f"({spelled((name, shape))}) -> {spelled(result)}"
                ), result
        return None

    def slice(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values, rank=True)
        parts: list[str] = []
        sizes: list[int] = []
        for size in shape:
            start = self.random.randint(0, size)
            limit, step = self.random.randint(start, size), self.random.randint(1, 2)
            parts.append(f"{start}:{limit}:{step}")
            sizes.append(-(-(limit - start) // step))
        result = (name, tuple(sizes))
        return self.emit(
            f"stablehlo.slice {operand} [{', '.join(parts)}] : ({spelled((name, shape))}) -> {spelled(result)}"
        ), result

    def reshape(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values)
        fits = [target for target in SHAPES if prod(target) == prod(shape)]
        if not fits:
            return None
        result = (name, self.random.choice(fits))
        return self.emit(
            f"stablehlo.reshape {operand} : ({spelled((name, shape))}) -> {spelled(result)}"
        ), result

    def transpose(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values, rank=True)
        dims = self.random.sample(range(len(shape)), len(shape))
        result = (name, tuple(shape[d] for d in dims))
        return self.emit(
            f"stablehlo.transpose {operand}, dims = {dims} : ({spelled((name, shape))}) -> {spelled(result)}"
        ), result

    def reverse(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, key = self.any(values, rank=True)
        dims = [d for d in range(len(key[1])) if self.random.random() < 0.6]
        return self.emit(f"stablehlo.reverse {operand}, dims = {dims} : {spelled(key)}"), key

    def concatenate(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        first, key = self.any(values, rank=True)
        dim = self.random.randrange(len(key[1]))
        others = [first]
        for _ in range(self.random.randint(1, 2)):
            others.append(self.some(values, key))
        shape = tuple(size * (len(others) if d == dim else 1) for d, size in enumerate(key[1]))
        if prod(shape) > 40:
            return None
        types = ", ".join([spelled(key)] * len(others))
        result = (key[0], shape)
        return self.emit(
            f"stablehlo.concatenate {', '.join(others)}, dim = {dim} : ({types}) -> {spelled(result)}"
        ), result

    def pad(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values, rank=True)
        low, high, interior, sizes = [], [], [], []
        for size in shape:
            low.append(self.random.randint(-1, 1))
            high.append(self.random.randint(-1, 1))
            interior.append(self.random.randint(0, 1))
            sizes.append(size + low[-1] + high[-1] + max(size - 1, 0) * interior[-1])
        if min(sizes) < 0 or prod(sizes) > 40:
            return None
        value = self.some(values, (name, ()))
        result = (name, tuple(sizes))
        return self.emit(
            f"stablehlo.pad {operand}, {value}, low = {low}, high = {high}, interior = {interior} : "
            f"({spelled((name, shape))}, {spelled((name, ()))}) -> {spelled(result)}"
        ), result

    def starts(self, values: dict[Key, list[str]], count: int) -> tuple[list[str], str]:
        name = self.random.choice(["i32", "i64", "ui8"])
        return [self.some(values, (name, ())) for _ in range(count)], f", tensor<{name}>" * count

    def dynamic_slice(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values, rank=True)
        sizes = tuple(self.random.randint(0 if self.random.random() < 0.1 else min(1, s), s) for s in shape)
        starts, types = self.starts(values, len(shape))
        result = (name, sizes)
        return self.emit(
            f"stablehlo.dynamic_slice {operand}, {', '.join(starts)}, sizes = {list(sizes)} : "
            f"({spelled((name, shape))}{types}) -> {spelled(result)}"
        ), result

    def dynamic_update_slice(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values, rank=True)
        fits = [
            k
            for k in values
            if k[0] == name
            and len(k[1]) == len(shape)
            and all(a <= b for a, b in zip(k[1], shape, strict=True))
        ]
        key = self.random.choice(fits or [(name, shape)])
        update = self.some(values, key)
        starts, types = self.starts(values, len(shape))
        return self.emit(
            f"stablehlo.dynamic_update_slice {operand}, {update}, {', '.join(starts)} : "
            f"({spelled((name, shape))}, {spelled(key)}{types}) -> {spelled((name, shape))}"
        ), (name, shape)

    def indices(self, values: dict[Key, list[str]]) -> tuple[str, Key]:
        keys = [key for key in values if key[0] in ("i32", "i64", "ui8") and values[key]]
        key = self.random.choice(keys)
        return self.some(values, key), key

    def gather(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        """Windows that start at single indices along one dimension, or at pairs of them."""
        operand, (name, shape) = self.any(values, rank=True)
        if 0 in shape:
            return None
        indices, index_key = self.indices(values)
        vector_dim = len(index_key[1])
        dims = [self.random.randrange(len(shape))]
        if len(shape) > 1 and 2 in index_key[1]:
            vector_dim = index_key[1].index(2)
            dims = self.random.sample(range(len(shape)), 2)
        sizes = tuple(self.random.randint(1, s) for s in shape)
        collapsed = [d for d in range(len(shape)) if sizes[d] == 1 and self.random.random() < 0.7]
        batch = [s for d, s in enumerate(index_key[1]) if d != vector_dim]
        kept = [d for d in range(len(shape)) if d not in collapsed]
        rank = len(batch) + len(kept)
        offset_dims = sorted(self.random.sample(range(rank), len(kept)))
        windows, batches = iter([sizes[d] for d in kept]), iter(batch)
        result = (name, tuple(next(windows if axis in offset_dims else batches) for axis in range(rank)))
        if prod(result[1]) > 60:
            return None
        return self.emit(
            f'"stablehlo.gather"({operand}, {indices}) <{{dimension_numbers = #stablehlo.gather<'
            f"offset_dims = {offset_dims}, collapsed_slice_dims = {collapsed}, start_index_map = {dims}, "
            f"index_vector_dim = {vector_dim}>, slice_sizes = {ints(sizes)}}}> : "
            f"({spelled((name, shape))}, {spelled(index_key)}) -> {spelled(result)}"
        ), result

    def scatter(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        """Windows along one dimension; now and then some lie outside."""
        operand, (name, shape) = self.any(values, rank=True)
        if 0 in shape:
            return None
        indices, index_key = self.indices(values)
        dim = self.random.randrange(len(shape))
        sizes = [self.random.randint(1, s) for s in shape]
        inserted = [d for d in range(len(shape)) if sizes[d] == 1 and self.random.random() < 0.7]
        kept = [d for d in range(len(shape)) if d not in inserted]
        batch = index_key[1]
        rank = len(batch) + len(kept)
        window_dims = sorted(self.random.sample(range(rank), len(kept)))
        windows, batches = iter([sizes[d] for d in kept]), iter(batch)
        updates_shape = tuple(next(windows if axis in window_dims else batches) for axis in range(rank))
        if prod(updates_shape) > 60:
            return None
        updates_key = (name, updates_shape)
        updates = self.some(values, updates_key)
        scalar = f"tensor<{name}>"
        kind = "i1" if name == "i1" else "f" if name[0] in "fb" else "i"
        operations = [op for op in ARITHMETIC[kind] if op not in ("subtract", "shift_left")]
        op = self.random.choice([None, *operations])
        body = f"%r = stablehlo.{op} %a, %b : {scalar}\n" if op else ""
        return self.emit(
            f'"stablehlo.scatter"({operand}, {indices}, {updates}) ({{\n'
            f"^bb0(%a: {scalar}, %b: {scalar}):\n{body}stablehlo.return {'%r' if op else '%b'} : {scalar}\n"
            f"}}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {window_dims}, "
            f"inserted_window_dims = {inserted}, scatter_dims_to_operand_dims = [{dim}], "
            f"index_vector_dim = {len(index_key[1])}>}} : "
            f"({spelled((name, shape))}, {spelled(index_key)}, {spelled(updates_key)}) -> {spelled((name, shape))}"
        ), (name, shape)

    def reduce(self, values: dict[Key, list[str]]) -> tuple[str, Key] | None:
        operand, (name, shape) = self.any(values, rank=True)
        dims = tuple(d for d in range(len(shape)) if self.random.random() < 0.6)
        kind = "i1" if name == "i1" else "f" if name[0] in "fb" else "i"
        # Sums of floats are rounded in some order or other: they are tested for themselves.
        exact = {"i1": ("and", "or"), "f": ("maximum", "minimum"), "i": ("add", "multiply", "maximum", "xor")}
        init = self.some(values, (name, ()))
        result = (name, tuple(size for d, size in enumerate(shape) if d not in dims))
        return self.emit(
            f"stablehlo.reduce({operand} init: {init}) applies stablehlo.{self.random.choice(exact[kind])} "
            f"across dimensions = {list(dims)} : ({spelled((name, shape))}, tensor<{name}>) -> {spelled(result)}"
        ), result

    # Control flow ----------------------------------------------------------------------------------

    def step(self, values: dict[Key, list[str]], depth: int) -> None:
        choice = self.random.random()
        if choice < 0.06 and depth < 2:
            self.loop(values, depth + 1)
            return
        if choice < 0.14 and depth < 3:
            self.branch(values)
            return
        made = self.random.choice(self.kinds)(values)
        if made is not None:
            values.setdefault(made[1], []).append(made[0])

    def branch(self, values: dict[Key, list[str]]) -> None:
        _, key = self.any(values)
        which, chosen, count = self.random.choice([("if", "i1", 2), ("case", "i32", 3)])
        pred = self.some(values, (chosen, ()))
        name = self.name()
        self.lines.append(f'{name} = "stablehlo.{which}"({pred}) ({{')
        for separator in (*["}, {"] * (count - 1), f"}}) : (tensor<{chosen}>) -> {spelled(key)}"):
            inner = {each: list(names) for each, names in values.items()}
            for _ in range(self.random.randint(0, 3)):
                self.step(inner, 3)
            self.lines.append(f"stablehlo.return {self.some(inner, key)} : {spelled(key)}")
            self.lines.append(separator)
        values.setdefault(key, []).append(name)

    def loop(self, values: dict[Key, list[str]], depth: int) -> tuple[str, list[Key]]:
        """A loop with a counter; its results come into `values`. Gives the name and types of the results."""
        keys: list[Key] = [("i32", ())]
        for _ in range(self.random.randint(1, 5)):
            keys.append((self.random.choice(TYPES), self.random.choice(SHAPES)))
        inits = [
            self.constant(("i32", ())) if depth else "%zero",
            *[self.some(values, key) for key in keys[1:]],
        ]
        limit, steps = self.random.choice([3, 9, 12]), self.random.randint(1, 8)
        return self.write_loop(values, depth, list(zip(keys, inits, strict=True)), limit, steps), keys


ARGUMENTS: tuple[Key, ...] = (
    *(("i32", ()), ("f32", ()), ("i1", ()), ("i32", (4,)), ("f32", (4,)), ("f32", (2, 3)), ("i1", (2, 3))),
    *(("i64", (2,)), ("ui8", (6,)), ("f64", (3, 2)), ("bf16", (2, 1, 3)), ("f32", (0,)), ("i32", (1,))),
)


def program(random: Random) -> str:
    """A function of arguments of the types `ARGUMENTS`."""
    return ArrayWriter(random).program(ARGUMENTS)


def straight(random: Random) -> str:
    """A function of the same arguments without loops and branches."""
    writer = ArrayWriter(random)
    values = {key: [f"%a{number}"] for number, key in enumerate(ARGUMENTS)}
    for _ in range(random.randint(8, 60)):
        found = random.choice(writer.kinds)(values)
        if found is not None:
            name, key = found
            values.setdefault(key, []).append(name)
    results = [writer.any(values) for _ in range(random.randint(2, 6))]
    names, types = ", ".join(name for name, _ in results), ", ".join(spelled(key) for _, key in results)
    header = ", ".join(f"%a{number}: {spelled(key)}" for number, key in enumerate(ARGUMENTS))
    body = "\n".join(writer.lines)
    return f"func.func @main({header}) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"
