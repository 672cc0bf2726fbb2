"""Values with one number are equal: random chains of moves and element-wise operations, against NumPy."""

from __future__ import annotations

import random
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from hlokit.mlir.provider.bindings import xla_modules
from hlokit.programs.loading import load_hlo
from hlokit.tools.stages.values.numbering import Graph, Numbering
from hlokit.tools.stages.values.slices import needed, sliced

_SHAPES = ((24,), (2, 12), (4, 6), (2, 3, 4), (1, 24), (4, 1, 6), (6, 4), (3, 2, 4), (2, 2), (4,), (1,), ())

_KINDS = ("reshape", "transpose", "slice", "broadcast", "add", "negate", "constant", "bitcast")


class _Chain:
    """Instructions of HLO with their values."""

    def __init__(self, rng: random.Random, *kinds: str) -> None:
        self._rng = rng
        self._kinds = (*_KINDS, *kinds)
        array: Any = np.arange(24, dtype=np.int32).reshape(2, 3, 4) * 7 - 50
        self.values = [array]
        self.orders: list[tuple[int, ...]] = [(2, 1, 0)]
        self.lines = ["  v0 = s32[2,3,4]{2,1,0} parameter(0)"]

    def add(self, text: str, value: Any, order: tuple[int, ...] | None = None) -> None:
        order = tuple(reversed(range(value.ndim))) if order is None else order
        sizes, layout = (",".join(map(str, numbers)) for numbers in (value.shape, order))
        layout = f"{{{layout}}}" if order else ""
        self.lines.append(f"  v{len(self.values)} = s32[{sizes}]{layout} {text}")
        self.values.append(value)
        self.orders.append(order)

    def grow(self) -> None:
        rng = self._rng
        number = rng.randrange(len(self.values))
        value = self.values[number]
        axes = list(range(value.ndim))
        kind = rng.choice(self._kinds)
        shapes = [shape for shape in _SHAPES if prod(shape) == value.size]
        if kind == "reshape" and shapes:
            self.add(f"reshape(v{number})", value.reshape(rng.choice(shapes)))
        elif kind == "transpose":
            rng.shuffle(axes)
            listed = ",".join(map(str, axes))
            self.add(f"transpose(v{number}), dimensions={{{listed}}}", value.transpose(axes))
        elif kind == "slice" and value.size > 4:
            ranges = [self._range(size) for size in value.shape]
            listed = ", ".join(f"[{part.start}:{part.stop}:{part.step}]" for part in ranges)
            self.add(f"slice(v{number}), slice={{{listed}}}", value[tuple(ranges)])
        elif kind == "broadcast" and value.size < 24:
            places = sorted(rng.sample(range(value.ndim + 1), value.ndim))
            sizes = [2] * (value.ndim + 1)
            for place, size in zip(places, value.shape, strict=True):
                sizes[place] = size
            aligned = value.reshape([sizes[axis] if axis in places else 1 for axis in range(len(sizes))])
            listed = ",".join(map(str, places))
            self.add(f"broadcast(v{number}), dimensions={{{listed}}}", np.broadcast_to(aligned, sizes))
        elif kind in ("add", "subtract"):
            others = [n for n, other in enumerate(self.values) if other.shape == value.shape]
            other = rng.choice(others)
            computed = (np.add if kind == "add" else np.subtract)(value, self.values[other])
            self.add(f"{kind}(v{number}, v{other})", computed)
        elif kind == "dot":
            self._dot(number, rng.randrange(len(self.values)))
        elif kind == "negate":
            self.add(f"negate(v{number})", -value, tuple(rng.sample(axes, value.ndim)))
        elif kind == "copy":
            self.add(f"copy(v{number})", value, tuple(rng.sample(axes, value.ndim)))
        elif kind == "constant":
            array: Any = np.full(rng.choice(_SHAPES), rng.choice([3, 5]), np.int32)
            array = (
                array if rng.random() < 0.7 else np.arange(array.size, dtype=np.int32).reshape(array.shape)
            )
            self.add(f"constant({_literal(array)})", array)
        elif kind == "bitcast" and shapes:
            sizes = rng.choice(shapes)
            order = rng.sample(range(len(sizes)), len(sizes))
            memory = value.transpose(self.orders[number][::-1]).ravel()
            major = order[::-1]
            array = memory.reshape([sizes[axis] for axis in major]).transpose(np.argsort(major))
            self.add(f"bitcast(v{number})", array, tuple(order))

    def _dot(self, first: int, second: int) -> None:
        """A product of two values, if they have axes of the same sizes."""
        lhs, rhs = self.values[first], self.values[second]
        letters, taken = [list("abcdef"[: lhs.ndim]), list("uvwxyz"[: rhs.ndim])], list[str]()
        sides = {
            name: list[int]() for name in ("lhs_batch", "rhs_batch", "lhs_contracting", "rhs_contracting")
        }
        for axis in self._rng.sample(range(lhs.ndim), lhs.ndim):
            for other in self._rng.sample(range(rhs.ndim), rhs.ndim):
                if lhs.shape[axis] == rhs.shape[other] and letters[1][other] not in letters[0]:
                    kind = self._rng.choice(["batch", "contracting"])
                    sides[f"lhs_{kind}"].append(axis)
                    sides[f"rhs_{kind}"].append(other)
                    letters[1][other] = letters[0][axis]
                    break
        taken = [letters[0][axis] for axis in sides["lhs_batch"]]
        for letter in letters[0] + letters[1]:
            if letters[0].count(letter) != letters[1].count(letter):
                taken.append(letter)
        if not sides["lhs_contracting"] or len(taken) > 4:
            return
        value = np.einsum(f"{''.join(letters[0])},{''.join(letters[1])}->{''.join(taken)}", lhs, rhs)
        listed = ", ".join(
            f"{name}_dims={{{','.join(map(str, axes))}}}" for name, axes in sides.items() if axes
        )
        if value.size <= 48:
            self.add(f"dot(v{first}, v{second}), {listed}", np.asarray(value, np.int32))

    def _range(self, size: int) -> slice:
        start = self._rng.randrange(size)
        return slice(start, self._rng.randint(start + 1, size), self._rng.choice([1, 1, 2]))

    def graph(self) -> Graph:
        names = ", ".join(f"v{number}" for number in range(len(self.values)))
        types = ", ".join(line.split(" = ")[1].split(" ")[0] for line in self.lines)
        lines = "\n".join(self.lines)
        text = f"HloModule m\n\nENTRY main {{\n{lines}\n  ROOT r = ({types}) tuple({names})\n}}\n"
        proto = xla_modules()[2].hlo_module_from_text(text).as_serialized_hlo_module_proto()
        graph = Numbering().graph(proto)
        assert graph is not None
        return graph


def _literal(array: Any) -> str:
    return str(array.tolist()).translate(str.maketrans("[]", "{}"))


def test_values_with_one_number_are_equal() -> None:
    same = 0
    for seed in range(24):
        chain = _Chain(random.Random(seed), "subtract", "dot")
        for _ in range(60):
            chain.grow()
        for (first, value), (second, other) in combinations(
            zip(chain.graph().results, chain.values, strict=True), 2
        ):
            if first == second:
                same += 1
                assert np.array_equal(value, other), (seed, chain.lines)
    assert same > 150


def test_moves_that_read_the_same_elements_have_one_number() -> None:
    """Arrays of 12 distinct elements or more that are equal come from the same elements in the same order."""
    missed = pairs = 0
    for seed in range(12):
        chain = _Chain(random.Random(seed))
        for _ in range(60):
            chain.grow()
        rows = [
            row
            for row in zip(chain.graph().results, chain.values, strict=True)
            if np.unique(row[1]).size > 12
        ]
        for (first, value), (second, other) in combinations(rows, 2):
            if np.array_equal(value, other):
                pairs += 1
                missed += first != second
    assert pairs > 50
    assert missed < pairs // 2


def test_programs_of_one_instruction_a_number_compute_all_values() -> None:
    for seed in range(3):
        chain = _Chain(random.Random(seed))
        for _ in range(40):
            chain.grow()
        graph = chain.graph()
        part = needed(graph, graph.results, graph.parameters)
        results = load_hlo(sliced(graph, *part, graph.results))(chain.values[0])
        for line, expected, result in zip(chain.lines, chain.values, results, strict=True):
            assert np.array_equal(result, expected), (seed, line)


_PAIRS = """HloModule m

ENTRY main {
  x = f32[7,12] parameter(0)
  y = f32[12] parameter(1)
  z = f32[12,5] parameter(2)
  rows = f32[7,12] broadcast(y), dimensions={1}
  quotient = f32[7,12] divide(x, rows)
  a0 = f32[12,7] transpose(quotient), dimensions={1,0}
  xt = f32[12,7] transpose(x), dimensions={1,0}
  columns = f32[12,7] broadcast(y), dimensions={0}
  a1 = f32[12,7] divide(xt, columns)
  sum = f32[7,12] add(rows, x)
  b0 = f32[12,7] transpose(sum), dimensions={1,0}
  b1 = f32[12,7] add(xt, columns)
  xs = f32[3,7,12] broadcast(x), dimensions={1,2}
  ys = f32[3,7,12] broadcast(y), dimensions={2}
  c0 = f32[3,7,12] subtract(xs, ys)
  difference = f32[7,12] subtract(x, rows)
  c1 = f32[3,7,12] broadcast(difference), dimensions={1,2}
  d0 = f32[7,5] dot(x, z), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d1 = f32[7,5] dot(xt, z), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  e0 = f32[12,5] dot(y, z), lhs_batch_dims={0}, rhs_batch_dims={0}
  xy = f32[12] subtract(y, y)
  e1 = f32[12,5] dot(xy, z), lhs_batch_dims={0}, rhs_batch_dims={0}
  ROOT r = (f32[12,7], f32[12,7], f32[12,7], f32[12,7], f32[3,7,12], f32[3,7,12], f32[7,5], f32[7,5], f32[12,5], f32[12,5]) tuple(a0, a1, b0, b1, c0, c1, d0, d1, e0, e1)
}
"""


def test_the_order_of_axes_changes_no_operation() -> None:
    proto = xla_modules()[2].hlo_module_from_text(_PAIRS).as_serialized_hlo_module_proto()
    graph = Numbering().graph(proto)
    assert graph is not None
    numbers = graph.results
    pairs = [first == second for first, second in zip(numbers[::2], numbers[1::2], strict=True)]
    assert pairs == [True, True, True, True, False]
