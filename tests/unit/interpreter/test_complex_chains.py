"""Chains of complex numbers give what their operations give one by one, infinities, NaN and huge parts included."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from hlokit.interpreter.chains import find_chains
from hlokit.interpreter.run import generate, run_steps
from hlokit.interpreter.steps import Plan
from tests.unit.interpreter.plans import names, plan_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROWS, COLUMNS = 61, 83  # a block of the machine and a part of one
SHAPE = f"{ROWS}x{COLUMNS}x"
SPECIALS = (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-45, 3e38, -1e-30, 1e30, 5e-324, 1e300, -1e-200)

OPERATIONS = (
    *("add", "subtract", "multiply", "divide", "negate", "complex", "part", "abs", "compare", "select"),
    *("multiply", "divide", "convert", "there and back"),
)


def program(random: Random, part: str) -> str:
    """Random operations on complex numbers and their parts."""
    values = {"c": ["%a", "%b", "%s_", "%r_"], "f": ["%x", "%y"], "p": ["%p"]}
    z, x, p = f"tensor<{SHAPE}complex<{part}>>", f"tensor<{SHAPE}{part}>", f"tensor<{SHAPE}i1>"
    other = f"tensor<{SHAPE}complex<{'f64' if part == 'f32' else 'f32'}>>"
    scalar, row = f"tensor<complex<{part}>>", f"tensor<{COLUMNS}xcomplex<{part}>>"
    lines = [
        f"%s_ = stablehlo.broadcast_in_dim %s, dims = [] : ({scalar}) -> {z}",
        f"%r_ = stablehlo.broadcast_in_dim %r, dims = [1] : ({row}) -> {z}",
    ]

    def some(kind: str) -> str:
        return random.choice(values[kind][-4:])

    for number in range(random.randint(2, 12)):
        name = f"%v{number}"
        which = random.choice(OPERATIONS)
        kind = {"part": "f", "abs": "f", "compare": "p"}.get(which, "c")
        match which:
            case "negate":
                text = f"stablehlo.negate {some('c')} : {z}"
            case "complex":
                text = f"stablehlo.complex {some('f')}, {some('f')} : ({x}, {x}) -> {z}"
            case "part":
                text = f"stablehlo.{random.choice(['real', 'imag'])} {some('c')} : ({z}) -> {x}"
            case "abs":
                text = f"stablehlo.abs {some('c')} : ({z}) -> {x}"
            case "compare":
                direction = random.choice(["EQ", "NE", "LT", "GE"])
                text = f"stablehlo.compare {direction}, {some('c')}, {some('c')} : ({z}, {z}) -> {p}"
            case "select":
                text = f"stablehlo.select {some('p')}, {some('c')}, {some('c')} : {p}, {z}"
            case "convert":
                text = f"stablehlo.convert {some('f')} : ({x}) -> {z}"
            case "there and back":
                lines.append(f"{name}_ = stablehlo.convert {some('c')} : ({z}) -> {other}")
                text = f"stablehlo.convert {name}_ : ({other}) -> {z}"
            case _:
                text = f"stablehlo.{which} {some('c')}, {some('c')} : {z}"
        lines.append(f"{name} = {text}")
        values[kind].append(name)
    results = [
        (name, type_)
        for kind, type_ in (("c", z), ("f", x), ("p", p))
        for name in values[kind]
        if "v" in name
    ]
    results = [each for each in results if random.random() < 0.4] or results[-1:]
    header = f"%a: {z}, %b: {z}, %x: {x}, %y: {x}, %p: {p}, %s: {scalar}, %r: {row}"
    spelled = ", ".join(type_ for _, type_ in results)
    body = "\n".join(lines)
    returned = ", ".join(name for name, _ in results)
    return f"func.func @main({header}) -> ({spelled}) {{\n{body}\nreturn {returned} : {spelled}\n}}"


def numbers(rng: np.random.Generator, dtype: Any, *shape: int) -> Any:
    parts = rng.normal(size=(*shape, 2)) * np.exp2(rng.integers(-20, 20, (*shape, 2)))
    chosen = rng.random(parts.shape) < 0.2
    parts[chosen] = rng.choice(SPECIALS, np.count_nonzero(chosen))
    return parts.astype(dtype).view(np.result_type(dtype, np.complex64))[..., 0]


def layout(random: Random, array: Any) -> Any:
    match random.randrange(6):
        case 0:
            return np.asfortranarray(array)
        case 1:
            return np.ascontiguousarray(array[::-1])[::-1]
        case 2:
            return np.repeat(array, 2, 1)[:, ::2]
        case 3:
            return np.broadcast_to(array[:1], array.shape)
        case 4:  # aligned to parts only
            size = array.dtype.itemsize // 2
            memory = np.empty(array.nbytes + size, np.uint8)[size:]
            result = memory.view(array.dtype).reshape(array.shape)
            result[...] = array
            return result
        case _:
            return array


def assert_same(one: Any, two: Any, text: str) -> None:
    assert one.dtype == two.dtype
    assert one.shape == two.shape
    for first, second in ((one.real, two.real), (one.imag, two.imag)):
        nan = np.isnan(first)
        assert np.array_equal(nan, np.isnan(second)), text
        assert np.array_equal(first[~nan], second[~nan]), text
        assert np.array_equal(np.signbit(first[~nan]), np.signbit(second[~nan])), text


@pytest.mark.parametrize("part", ["f32", "f64"])
@pytest.mark.parametrize("seed", range(25))
def test_chains_give_what_operations_give(part: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random, rng = Random(seed), np.random.default_rng(seed)
    dtype = np.float32 if part == "f32" else np.float64
    text = program(random, part)
    arguments = [layout(random, numbers(rng, dtype, ROWS, COLUMNS)) for _ in range(2)]
    arguments += [layout(random, numbers(rng, dtype, ROWS, COLUMNS).real) for _ in range(2)]
    arguments += [rng.random((ROWS, COLUMNS)) < 0.5, numbers(rng, dtype)[()], numbers(rng, dtype, COLUMNS)]
    plan = plan_of(text)
    found = [generate(plan)(*arguments), run_steps(plan, *arguments)]
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    plain = run_steps(plan_of(text), *arguments)
    if not isinstance(plain, tuple):
        found, plain = [(each,) for each in found], (plain,)
    for results in found:
        for one, two in zip(results, plain, strict=True):
            assert_same(np.asarray(one), np.asarray(two), text)


def chained(plan: Plan) -> list[list[str]]:
    return [[names(plan)[index] for index in chain.steps] for chain in find_chains(plan)]


def test_what_is_one_chain() -> None:
    x, z = f"tensor<{SHAPE}f32>", f"tensor<{SHAPE}complex<f32>>"
    plan = plan_of(f"""func.func @main(%a: {x}, %b: {x}) -> {x} {{
      %0 = stablehlo.complex %a, %b : ({x}, {x}) -> {z}
      %1 = stablehlo.multiply %0, %0 : {z}
      %2 = stablehlo.divide %1, %0 : {z}
      %3 = stablehlo.add %1, %2 : {z}
      %4 = stablehlo.abs %3 : ({z}) -> {x}
      %5 = stablehlo.add %4, %a : {x}
      return %5 : {x}
    }}""")
    assert chained(plan) == [["complex", "multiply", "divide", "add", "abs", "add"]]


def test_products_of_f64_are_left_to_numpy() -> None:
    """They are rounded as NumPy does, once or twice by the processor, wherever they stand."""
    z = f"tensor<{SHAPE}complex<f64>>"
    plan = plan_of(f"""func.func @main(%a: {z}, %b: {z}) -> {z} {{
      %0 = stablehlo.multiply %a, %b : {z}
      %1 = stablehlo.add %0, %a : {z}
      %2 = stablehlo.subtract %1, %b : {z}
      return %2 : {z}
    }}""")
    assert chained(plan) == [["add", "subtract"]]
