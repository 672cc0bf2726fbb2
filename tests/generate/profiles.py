"""Profiles: for each purpose, the material of random programs and their construction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from random import Random

from tests.generate import elementwise as e
from tests.generate import regions as r
from tests.generate import shapes as s
from tests.generate.builder import Builder, Material, Steps
from tests.generate.control_flow import CONTROL_FLOW, branches, call, loop
from tests.generate.elementwise import ELEMENTWISE
from tests.generate.layouts import laid_out
from tests.generate.literals import elements
from tests.generate.products import PRODUCTS
from tests.generate.regions import REGIONS
from tests.generate.rows import reduce_rows, row
from tests.generate.shapes import SHAPES
from tests.generate.simplifiable import SIMPLIFIABLE
from tests.generate.values import COMPLEX, PART, TYPE, Program, Shape, Type, Value, named

ALL = tuple(TYPE.values())
# The types that the C++ interpreter and XLA support as well.
COMMON = named(
    *(
        "i1",
        "i8",
        "i16",
        "i32",
        "i64",
        "ui8",
        "ui16",
        "ui32",
        "ui64",
        "i4",
        "ui4",
        "f16",
        "bf16",
        "f32",
        "f64",
    ),
    *("f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "complex<f32>", "complex<f64>"),
)
# The types of native loops.
NATIVE = named("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f32", "f64", "bf16")

SCALAR_STEPS: Steps = {
    e.add_or_subtract: 4,
    e.multiply: 3,
    e.extremum: 2,
    e.bitwise: 2,
    e.integer_binary: 4,
    e.unary: 1,
    e.bits: 1,
    e.round_: 1,
    e.function: 1,
    e.quotient: 2,
    e.compare: 3,
    e.select: 3,
    e.convert: 4,
}
ARRAY_STEPS: Steps = {
    **SCALAR_STEPS,
    e.clamp: 2,
    s.broadcast: 3,
    s.slice_: 3,
    s.reshape: 3,
    s.transpose: 3,
    s.reverse: 2,
    s.concatenate: 2,
    s.pad: 3,
    s.dynamic_slice: 3,
    s.dynamic_update_slice: 5,
    s.gather_rows: 3,
    s.scatter_windows: 3,
    r.reduce: 3,
}
NATIVE_CONTROL: Steps = {**CONTROL_FLOW, branches: 3}
FUSION_STEPS: Steps = {
    **SCALAR_STEPS,
    e.clamp: 2,
    s.broadcast: 5,
    s.transpose: 1,
    s.reverse: 1,
    s.reshape: 1,
    call: 3,
    r.reduce: 1,
}
COMPLEX_STEPS: Steps = {
    e.add_or_subtract: 4,
    e.multiply: 3,
    e.complex_operation: 6,
    e.complex_parts: 4,
    e.unary: 1,
    e.compare: 2,
    e.select: 2,
    e.convert: 1,
}
ROW_STEPS: Steps = {
    e.add_or_subtract: 3,
    e.multiply: 1,
    e.extremum: 2,
    reduce_rows: 5,
    row: 4,
    s.broadcast: 5,
    s.reshape: 2,
    e.function: 1,
    e.compare: 1,
    e.select: 1,
}
ANYTHING: Steps = {
    **ELEMENTWISE,
    **SHAPES,
    **PRODUCTS,
    **{step: weight for step, weight in REGIONS.items() if step not in (r.while_, r.if_or_case)},
    **CONTROL_FLOW,
    e.complex_operation: 2,
    s.gather_rows: 3,
    s.scatter_windows: 3,
    **dict.fromkeys(SIMPLIFIABLE, 1),
}

SMALL: tuple[Shape, ...] = (*((), (1,), (4,), (2, 3), (3, 2), (0,), (2, 1, 3), (6,), (2, 0)),)
MATRICES: tuple[Shape, ...] = ((37, 41), (37, 41), (37, 41), (41, 37), (41,), (37,), ())
# Sizes around 4,096 elements, above which fusion is faster, and around the sizes of blocks and tiles.
THRESHOLDS = (1023, 1024, 1025, 4095, 4096, 4097, 8192)


def _some(
    random: Random, types: Sequence[Type], shapes: Sequence[Shape], count: int
) -> tuple[tuple[Type, Shape], ...]:
    return tuple((random.choice(types), random.choice(shapes)) for _ in range(count))


def _scalar_loops(random: Random) -> Material:
    steps = SCALAR_STEPS | NATIVE_CONTROL
    types = tuple(random.sample(NATIVE[:-1], 6)) + named("i1", "i32")
    arguments = tuple((type_, ()) for type_ in dict.fromkeys(types))
    turns = (0, 3, 9, 20)
    return Material(types, steps, ((),), arguments, turns=turns, only_native=True)


def _array_loops(random: Random) -> Material:
    steps = ARRAY_STEPS | NATIVE_CONTROL
    arguments = tuple((type_, ()) for type_ in named("i32", "f32", "i1"))
    arguments += _some(random, NATIVE, SMALL, 6) + _some(random, named("i32", "i64", "ui8"), SMALL[1:4], 2)
    arguments += _some(random, named("f32"), SMALL[2:4], 2)
    return Material(NATIVE, steps, SMALL, arguments, turns=(3, 9, 12), only_native=True)


def _straight_line(random: Random) -> Material:
    return replace(_array_loops(random), steps=ARRAY_STEPS)


def _fusion(random: Random) -> Material:
    types = named("f32", "i32", "i1") + tuple(random.sample(NATIVE, 3))
    arguments = tuple(
        (type_, shape) for type_ in dict.fromkeys(types) for shape in (MATRICES[0], MATRICES[0], ())
    )
    return Material(types, FUSION_STEPS, MATRICES, arguments, largest=4000, fresh=0.02, only_native=True)


def _complex_fusion(random: Random) -> Material:
    shape = (61, 83)
    type_ = random.choice(COMPLEX)
    part = PART[type_.name]
    arguments = ((type_, shape), (type_, shape), (part, shape), (part, shape), *((TYPE["i1"], shape),))
    arguments += ((type_, ()), (type_, shape[1:]))
    types = (type_, part, TYPE["i1"])
    steps = COMPLEX_STEPS | {s.broadcast: 2}
    return Material(
        types, steps, (shape, shape, shape, ()), arguments, largest=6000, fresh=0.01, only_native=True
    )


def _row_fusion(random: Random) -> Material:
    type_ = random.choice(named("f32", "bf16", "i32", "f64", "ui8"))
    leading = random.choice([(3,), (7,), (2, 3), (1, 5), (64,), (4, 1)])
    trailing = random.choice([(33,), (64,), (1, 40), (5, 30), (130,), (3000,)])
    full = (*leading, *trailing)
    shapes = (full, full, full, leading, (*leading, 1), (prod(full),))
    arguments = ((type_, full), (type_, full), (type_, leading), (type_, trailing), (type_, ()))
    summed = frozenset({"f32", "bf16"})
    types = (type_, TYPE["i1"])
    return Material(
        types, ROW_STEPS, shapes, arguments, largest=prod(full), summed=summed, fresh=0.0, only_native=True
    )


def _anything(random: Random) -> Material:
    """Usually small shapes; otherwise vectors and matrices of sizes around the thresholds."""
    shapes, largest, turns = SMALL, 200, (0, 3, 9, 12)
    if random.random() < 0.3:
        size = random.choice(THRESHOLDS)
        shapes = ((size,), (size,), (1, size), (size, 1), (), (4,), (2, 3))
        largest, turns = 20_000, (0, 2, 9)
    if random.random() < 0.2:
        shapes, largest, turns = MATRICES, 20_000, (0, 2, 9)
    types = tuple(random.sample(ALL, 4)) + tuple(random.sample(NATIVE, 4))
    arguments = _some(random, types, shapes, random.randint(0, 8))
    summed = frozenset(type_.name for type_ in ALL)
    return Material(types, ANYTHING, shapes, arguments, largest=largest, turns=turns, summed=summed)


def _oracles(random: Random) -> Material:
    steps = ELEMENTWISE | SHAPES | PRODUCTS | REGIONS
    return Material(COMMON, steps, exact=True, fresh=0.2, largest=1 << 30)


def _passes(random: Random) -> Material:
    other = ELEMENTWISE | SHAPES | PRODUCTS | REGIONS
    share = 0.7 / 0.3 * sum(other.values()) / len(SIMPLIFIABLE)
    return Material(
        COMMON, {**other, **dict.fromkeys(SIMPLIFIABLE, round(share))}, exact=True, fresh=0.2, largest=1 << 30
    )


def _everything(b: Builder) -> Program:
    """1 to 12 steps; all values are results."""
    b.steps(b.random.randint(1, 12))
    return b.program()


def _some_results(least: int, most: int) -> Callable[[Builder], Program]:
    """`least` to `most` steps; some values are results."""

    def write(b: Builder) -> Program:
        b.steps(b.random.randint(least, most))
        return b.program(chosen(b))

    return write


def chosen(b: Builder) -> list[Value]:
    """Some of the computed values, sometimes an argument; always the last value."""
    computed = [value for value in b.values if value not in b.arguments]
    results = [value for value in computed if b.random.random() < 0.3] or computed[-1:]
    if not results or b.random.random() < 0.1:
        results.append(b.any())
    return results


def _one_loop(b: Builder) -> Program:
    """The function is one loop."""
    return b.program(loop(b))


PROFILES: dict[str, tuple[Callable[[Random], Material], Callable[[Builder], Program]]] = {
    # Compared with other implementations.
    "oracles": (_oracles, _everything),
    # With something to simplify or fold.
    "passes": (_passes, _some_results(2, 10)),
    # One loop, over scalars or over arrays, whose operations native loops can contain.
    "scalar-loops": (_scalar_loops, _one_loop),
    "loops": (_array_loops, _one_loop),
    # Without loops and branches, on small arrays.
    "straight-line": (_straight_line, _some_results(8, 60)),
    # Large arrays: fused element-wise operations, with reductions of rows, complex numbers.
    "fusion": (_fusion, _some_results(3, 24)),
    "row-fusion": (_row_fusion, _some_results(6, 24)),
    "complex-fusion": (_complex_fusion, _some_results(4, 20)),
    # All operations and types, control flow in control flow.
    "anything": (_anything, _some_results(1, 30)),
}


def builder(seed: int, profile: str) -> Builder:
    """An empty program of the profile."""
    random = Random(seed)
    return Builder(random, PROFILES[profile][0](random))


def generate(seed: int, profile: str = "anything") -> Program:
    """The program of this seed: its text and arguments.

    Raises:
      KeyError: there is no such profile; `PROFILES` has their names.
    """
    b = builder(seed, profile)
    program = PROFILES[profile][1](b)
    for type_, shape in b.material.arguments:
        array = elements(b.random, type_, shape)
        program.arguments.append(laid_out(b.random, array) if b.material.layouts else array)
    return program
