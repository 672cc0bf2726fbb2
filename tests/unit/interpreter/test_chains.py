"""Chains of pointwise operations on the native machine: where they are found, and that they change nothing."""

from __future__ import annotations

import tracemalloc
from random import Random
from typing import Any

import hypothesis.strategies as st
import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
from hlokit.interpreter import chains
from hlokit.interpreter.chains import find_chains
from hlokit.interpreter.evaluate import guarded
from hlokit.interpreter.run import generate, run_steps
from tests.fuzz.programs import generate as generate_program
from tests.unit.interpreter.plans import names, plan_of

ROWS, COLUMNS = 37, 41  # 1517 elements: a block of the machine and a part of one
TYPES = ("f32", "i32", "i1", "bf16", "ui8", "f64")
OPERATIONS = {
    "f": ("add", "multiply", "subtract", "divide", "maximum", "minimum"),
    "i": ("add", "multiply", "subtract", "divide", "remainder", "xor", "shift_left", "maximum"),
    "b": ("and", "or", "xor"),
}


def array(type_: str) -> str:
    return f"tensor<{ROWS}x{COLUMNS}x{type_}>"


def functions(type_: str) -> str:
    """What programs call, for one type."""
    t, s = array(type_), f"tensor<{type_}>"
    return f"""
      func.func private @choose_{type_}(%p: {array("i1")}, %x: {t}, %s: {s}) -> {t} {{
        %b = stablehlo.broadcast_in_dim %s, dims = [] : ({s}) -> {t}
        %0 = stablehlo.select %p, %x, %b : {array("i1")}, {t}
        return %0 : {t}
      }}
      func.func private @twice_{type_}(%x: {t}, %y: {t}) -> ({t}, {t}, {t}) {{
        %c = stablehlo.constant dense<{"true" if type_ == "i1" else "2" if type_ in ("i32", "ui8") else "2.5"}> : {s}
        %b = stablehlo.broadcast_in_dim %c, dims = [] : ({s}) -> {t}
        %0 = stablehlo.maximum %x, %b : {t}
        %1 = func.call @same_{type_}(%0) : ({t}) -> {t}
        return %1, %y, %1 : {t}, {t}, {t}
      }}
      func.func private @same_{type_}(%x: {t}) -> {t} {{
        return %x : {t}
      }}"""


def program(random: Random) -> str:
    """Random operations on arrays of one shape; in between broadcasts, transposes and what needs whole arrays."""
    values = {type_: [f"%a{number}", f"%b{number}"] for number, type_ in enumerate(TYPES)}
    scalars = {type_: [f"%s{number}"] for number, type_ in enumerate(TYPES)}
    lines: list[str] = []

    def emit(text: str, type_: str) -> None:
        values[type_].append(f"%v{len(lines)}")
        lines.append(f"%v{len(lines)} = {text}")

    def some(type_: str) -> str:
        return random.choice(values[type_][-5:] if random.random() < 0.7 else values[type_])

    for _ in range(random.randint(2, 14)):
        type_ = random.choice(TYPES)
        t = array(type_)
        kinds = ["binary"] * 4 + ["compare", "convert", "select", "clamp", "scalar", "row", "column", "call"]
        match random.choice([*kinds, "transposed", "reverse", "reduce"]):
            case "binary":
                kind = "b" if type_ == "i1" else "f" if "f" in type_ else "i"
                emit(f"stablehlo.{random.choice(OPERATIONS[kind])} {some(type_)}, {some(type_)} : {t}", type_)
            case "compare":
                emit(
                    f"stablehlo.compare GE, {some(type_)}, {some(type_)} : ({t}, {t}) -> {array('i1')}", "i1"
                )
            case "convert":
                source = "f32" if type_ == "bf16" else random.choice(TYPES)
                emit(f"stablehlo.convert {some(source)} : ({array(source)}) -> {t}", type_)
            case "select":
                pred, p = random.choice([(some("i1"), array("i1")), (scalars["i1"][0], "tensor<i1>")])
                emit(f"stablehlo.select {pred}, {some(type_)}, {some(type_)} : {p}, {t}", type_)
            case "clamp":
                s = scalars[type_][0]
                u = f"tensor<{type_}>"
                emit(f"stablehlo.clamp {s}, {some(type_)}, {s} : ({u}, {t}, {u}) -> {t}", type_)
            case "call" if random.random() < 0.5:
                p, s = some("i1"), scalars[type_][0]
                types = f"({array('i1')}, {t}, tensor<{type_}>) -> {t}"
                emit(f"func.call @choose_{type_}({p}, {some(type_)}, {s}) : {types}", type_)
            case "call":
                name = f"%v{len(lines)}"
                call = f"func.call @twice_{type_}({some(type_)}, {some(type_)})"
                lines.append(f"{name}:3 = {call} : ({t}, {t}) -> ({t}, {t}, {t})")
                values[type_].extend(f"{name}#{number}" for number in range(3))
            case "scalar":
                emit(
                    f"stablehlo.broadcast_in_dim {scalars[type_][0]}, dims = [] : (tensor<{type_}>) -> {t}",
                    type_,
                )
            case "row" | "column" as which:
                dim, size = (1, COLUMNS) if which == "row" else (0, ROWS)
                s = f"%c{len(lines)}"
                source = f"tensor<{size}x{type_}>"
                number = "true" if type_ == "i1" else "3" if type_ in ("i32", "ui8") else "-0.5"
                lines.append(f"{s} = stablehlo.constant dense<{number}> : {source}")
                emit(f"stablehlo.broadcast_in_dim {s}, dims = [{dim}] : ({source}) -> {t}", type_)
            case "transposed":
                flipped = f"tensor<{COLUMNS}x{ROWS}x{type_}>"
                lines.append(
                    f"%t{len(lines)} = stablehlo.transpose {some(type_)}, dims = [1, 0] : ({t}) -> {flipped}"
                )
                name = lines[-1].split()[0]
                lines.append(
                    f"{name}_ = stablehlo.abs {name} : {flipped}"
                    if type_ in ("f32", "i32")
                    else f"{name}_ = stablehlo.reverse {name}, dims = [0] : {flipped}"
                )
                emit(f"stablehlo.transpose {name}_, dims = [1, 0] : ({flipped}) -> {t}", type_)
            case _:
                emit(f"stablehlo.reverse {some(type_)}, dims = [{random.randint(0, 1)}] : {t}", type_)
    results = [
        (name, array(type_)) for type_ in TYPES for name in values[type_][2:] if random.random() < 0.3
    ] or [("%a0", array("f32"))]
    header = ", ".join(
        f"%a{number}: {array(type_)}, %b{number}: {array(type_)}, %s{number}: tensor<{type_}>"
        for number, type_ in enumerate(TYPES)
    )
    spelled = ", ".join(type_ for _, type_ in results)
    body = "\n".join(lines)
    called = "".join(map(functions, TYPES))
    return f"{called}\nfunc.func @main({header}) -> ({spelled}) {{\n{body}\nreturn {', '.join(name for name, _ in results)} : {spelled}\n}}"


def arguments(random: Random) -> list[Any]:
    rng = np.random.default_rng(random.getrandbits(32))
    found: list[Any] = []
    for type_ in TYPES:
        dtype = {"i1": np.bool_, "bf16": ml_dtypes.bfloat16, "ui8": np.uint8, "i32": np.int32}.get(
            type_, "f" + type_[1:]
        )
        dtype = np.dtype({"f32": "f4", "f64": "f8"}.get(type_, dtype))
        for _ in range(2):
            values = rng.integers(0, 200, (ROWS, COLUMNS)) * rng.choice([1, -0.25])
            values[rng.integers(ROWS), rng.integers(COLUMNS)] = np.nan if "f" in type_ else 0
            found.append(
                np.asarray(values, np.float64).astype(dtype if "f" in type_ else np.int64).astype(dtype)
            )
        found.append(dtype.type(1))
    return found


def same(one: Any, two: Any) -> bool:
    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    if "c" in one.dtype.kind:
        return np.array_equal(one, two, equal_nan=True)
    if "f" in one.dtype.name:
        nan = np.isnan(one)
        return np.array_equal(nan, np.isnan(two)) and one[~nan].tobytes() == two[~nan].tobytes()
    return one.tobytes() == two.tobytes()


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_chains_equal_the_kernels(seed: int) -> None:
    random = Random(seed)
    text, values = program(random), arguments(random)
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(chains, "_LARGE", 100)
        plan = plan_of(text)
        expected = run_steps(plan, *values)
        actual = generate(plan)(*values)
    pairs = zip(actual, expected, strict=True) if isinstance(actual, tuple) else [(actual, expected)]
    for one, two in pairs:
        assert same(one, two), text


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_programs_of_all_kinds_are_the_same_without_the_machines(seed: int) -> None:
    text = generate_program(Random(seed)).text

    def third_run() -> list[Any]:  # the second one compiles
        loaded = hlokit.load(text)
        loaded(), loaded()
        results = loaded()
        return list(results) if isinstance(results, tuple) else [results]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chains, "_LARGE", 2)  # scalars may be arrays: regions are vectorised
        native = third_run()
        patch.setenv("HLOKIT_DISABLE", "native")
        plain = third_run()
    for one, two in zip(native, plain, strict=True):
        assert same(np.asarray(one), np.asarray(two)), text


T, P = "tensor<64x128xf32>", "tensor<64x128xi1>"


def plan(body: str, returned: str) -> Any:
    results = ", ".join([T] * len(returned.split(",")))
    return plan_of(
        f"func.func @main(%x: {T}, %y: {T}) -> ({results}) {{\n{body}\nreturn {returned} : {results}\n}}"
    )


def found(body: str, returned: str) -> list[list[str]]:
    """The operations of each chain."""
    planned = plan(body, returned)
    return [[names(planned)[index] for index in chain.steps] for chain in find_chains(planned)]


ADD = f"%a = stablehlo.add %x, %y : {T}\n"
MULTIPLY = f"%m = stablehlo.multiply %a, %y : {T}\n"
REVERSE = f"%s = stablehlo.reverse %x, dims = [0] : {T}\n"


def test_two_steps() -> None:
    assert found(ADD + MULTIPLY, "%m") == [["add", "multiply"]]


def test_one_step_is_no_chain() -> None:
    assert found(ADD, "%a") == []


def test_steps_whose_results_are_all_used_outside_are_no_chain() -> None:
    assert found(ADD + MULTIPLY, "%a, %m") == []


def test_steps_that_have_nothing_to_do_with_it_may_stand_between() -> None:
    assert found(ADD + REVERSE + MULTIPLY, "%m, %s") == [["add", "multiply"]]


def test_a_step_that_needs_a_value_ends_the_chain() -> None:
    reverse = f"%s = stablehlo.reverse %m, dims = [0] : {T}\n"
    negate = f"%n = stablehlo.negate %m : {T}\n%p = stablehlo.subtract %n, %s : {T}\n"
    assert found(ADD + MULTIPLY + reverse + negate, "%p") == [["add", "multiply"], ["negate", "subtract"]]


def test_calls_are_inlined() -> None:
    text = f"""
      func.func private @relu(%x: {T}) -> {T} {{
        %c = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> {T}
        %1 = stablehlo.maximum %x, %0 : {T}
        return %1 : {T}
      }}
      func.func private @reversed(%x: {T}) -> {T} {{
        %0 = stablehlo.reverse %x, dims = [0] : {T}
        return %0 : {T}
      }}
      func.func @main(%x: {T}) -> {T} {{
        %0 = func.call @relu(%x) : ({T}) -> {T}
        %1 = stablehlo.add %0, %x : {T}
        %2 = func.call @reversed(%1) : ({T}) -> {T}
        return %2 : {T}
      }}"""
    (chain,) = find_chains(plan_of(text))
    assert chain.steps == [0, 1]


def test_small_arrays_are_left_alone() -> None:
    small = "tensor<8xf32>"
    text = f"func.func @main(%x: {small}) -> {small} {{ %0 = stablehlo.add %x, %x : {small} %1 = stablehlo.multiply %0, %x : {small} return %1 : {small} }}"
    assert find_chains(plan_of(text)) == []


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    assert found(ADD + MULTIPLY, "%m") == []


def test_nothing_is_materialised_within() -> None:
    def peak(planned: Any) -> int:
        block = generate(planned)
        block(x, x)
        tracemalloc.start()
        block(x, x)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    x = np.ones((64, 128), np.float32)
    long = ADD + MULTIPLY + f"%n = stablehlo.subtract %m, %a : {T}\n%p = stablehlo.maximum %n, %x : {T}\n"
    assert peak(plan(long, "%p")) < 1.3 * x.nbytes


def test_operands_laid_out_otherwise() -> None:
    """The machine takes broadcast views; what is transposed goes the plain way."""
    planned = plan(ADD + MULTIPLY, "%m")
    row = np.broadcast_to(np.arange(128, dtype=np.float32), (64, 128))
    column = np.broadcast_to(np.arange(64, dtype=np.float32)[:, None], (64, 128))
    transposed = np.asfortranarray(row * 2)
    part = np.arange(64 * 256, dtype=np.float32).reshape(64, 256)[:, ::2]
    reverse = np.arange(64 * 128, dtype=np.float32).reshape(64, 128)[::-1]
    one = np.broadcast_to(np.float32(3), (64, 128))
    block = generate(planned)
    for x in (row, column, transposed, part, reverse, one):
        for y in (row, column, transposed, part, reverse, one):
            assert np.array_equal(block(x, y), (x + y) * y)


def test_an_error_beside_a_chain_says_where_it_is() -> None:
    t = "tensor<64x128xf32>"
    text = f"""
      func.func @main(%x: {t}) -> {t} {{
        %0 = stablehlo.add %x, %x : {t}
        %1 = stablehlo.custom_call @nobody.knows(%x) : ({t}) -> {t}
        %2 = stablehlo.multiply %0, %1 : {t}
        return %2 : {t}
      }}"""
    planned = plan_of(text)
    assert [chain.steps for chain in find_chains(planned)] == [[0, 2]]
    block = generate(planned)
    with pytest.raises(hlokit.UnsupportedError) as raised:
        guarded(block, np.ones((64, 128), np.float32))
    (frame,) = raised.value.frames
    assert frame.op == "stablehlo.custom_call"
    assert ":4:" in frame.location
