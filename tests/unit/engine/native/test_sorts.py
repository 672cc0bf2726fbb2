"""Sorts in native loops and straight-line code: every kind of key, along any dimension, of any length."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.engine.contract.array_ops import Sort
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings import sorts
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import ProgramBuilder
from hlokit.engine.native.straight_line import with_straight_line_code
from hlokit.engine.plan.partial_sort import with_partial_sorts
from hlokit.engine.plan.plan import Plan, Step
from tests.generate.same import copies, listed
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import plan_of

TYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
}
FLOATS = ("f32", "f64", "bf16", "f16")
TURNS = 20
# Each way to sort a row in lib/kernels/regions/row_order.cpp, and the lengths around it.
SHAPES = [
    ((2,), 0),
    ((12,), 0),
    ((13,), 0),
    ((16, 3), 0),
    ((3, 17), 1),
    ((2, 5, 3), 1),
    ((128,), 0),
    ((131,), 0),
]


def values_of(name: str, shape: tuple[int, ...], rng: np.random.Generator) -> npt.NDArray[Any]:
    """Few different values, among them the ends of the type and all kinds of NaN."""
    if name.startswith("complex"):
        part = name[8:11]
        parts = values_of(part, (*shape, 2), rng)
        return parts.view(np.complex64 if part == "f32" else np.complex128)[..., 0]
    dtype = np.dtype(TYPES[name])
    if name in FLOATS:
        bits = f"u{dtype.itemsize}"
        floats = np.array([-np.inf, -1.5, -0.0, 0.0, 1e-7, 2, np.inf, np.nan, -np.nan], dtype)
        payload = (floats[-2:].view(bits) | 1).astype(bits).view(dtype)
        pool = np.concatenate([floats, payload, rng.standard_normal(40).astype(dtype)])
    elif name == "i1":
        pool = np.array([False, True])
    else:
        info = np.iinfo(dtype)
        pool = np.concatenate([np.array([info.min, info.max], dtype), rng.integers(0, 50, 40).astype(dtype)])
    return rng.choice(pool, shape)


def comparison(name: str, direction: str, lhs: str = "%a0", rhs: str = "%b0", result: str = "%r") -> str:
    kind = "TOTALORDER" if direction.endswith("total") else "FLOAT" if name in FLOATS else ""
    kind = kind or ("UNSIGNED" if name.startswith("u") or name == "i1" else "SIGNED")
    word = direction.removesuffix(" total")
    return f"{result} = stablehlo.compare {word}, {lhs}, {rhs}, {kind} : (tensor<{name}>, tensor<{name}>) -> tensor<i1>"


def canonical(name: str, argument: str) -> str:
    """JAX's key of a float: without the signs of zeros and NaNs. The key of %a0 is %a0key."""
    type_ = f"tensor<{name}>"
    nan = np.array(np.nan, TYPES[name])
    bits = nan.view(f"u{nan.itemsize}").item()
    return f"""
      {argument}zero = stablehlo.constant dense<0.0> : {type_}
      {argument}nan = stablehlo.constant dense<0x{bits:0{2 * nan.itemsize}X}> : {type_}
      {comparison(name, "EQ", argument, argument + "zero", argument + "p")}
      {argument}s = stablehlo.select {argument}p, {argument}zero, {argument} : tensor<i1>, {type_}
      {comparison(name, "NE", argument, argument, argument + "q")}
      {argument}key = stablehlo.select {argument}q, {argument}nan, {argument}s : tensor<i1>, {type_}"""


def sort_of(operands: str, types: list[str], shape: tuple[int, ...], dimension: int, body: str) -> str:
    tensors = [f"tensor<{''.join(f'{size}x' for size in shape)}{name}>" for name in types]
    arguments = ", ".join(f"%{side}{n}: tensor<{name}>" for n, name in enumerate(types) for side in "ab")
    spelled = ", ".join(tensors)
    return f""""stablehlo.sort"({operands}) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
      ^bb0({arguments}):
        {body}
        stablehlo.return %r : tensor<i1>
      }}) : ({spelled}) -> ({spelled})"""


def program(types: list[str], shape: tuple[int, ...], dimension: int, body: str, *, is_loop: bool) -> str:
    """Sorts arrays, in a loop other arrays in each iteration: a part of [TURNS, ...]. The results are all
    sorted arrays."""
    dims = "".join(f"{size}x" for size in shape)
    wholes = [f"tensor<{TURNS}x{dims}{name}>" for name in types]
    parts = [f"tensor<{dims}{name}>" for name in types]
    count, returned = len(types), f"({', '.join(wholes)})"
    arguments = ", ".join(f"%x{n}: {whole}" for n, whole in enumerate(wholes))
    if not is_loop:
        header = ", ".join(f"%x{n}: {part}" for n, part in enumerate(parts))
        sort = sort_of(", ".join(f"%x{n}" for n in range(count)), types, shape, dimension, body)
        results = ", ".join(f"%s#{n}" for n in range(count)) if count > 1 else "%s"
        return f"""func.func @main({header}) -> ({", ".join(parts)}) {{
          %s{f":{count}" if count > 1 else ""} = {sort}
          return {results} : {", ".join(parts)} }}"""
    zeros = ", ".join(["%zero"] * len(shape))
    starts = f"%i, {zeros}" if zeros else "%i"
    start_types = ", ".join(["tensor<i32>"] * (1 + len(shape)))
    steps: list[str] = []
    for n, (whole, part) in enumerate(zip(wholes, parts, strict=True)):
        one = f"tensor<1x{dims}{types[n]}>"
        steps.append(f"""
          %d{n} = stablehlo.dynamic_slice %x{n}, {starts}, sizes = [1, {", ".join(map(str, shape))}]
            : ({whole}, {start_types}) -> {one}
          %p{n} = stablehlo.reshape %d{n} : ({one}) -> {part}""")
    sort = sort_of(", ".join(f"%p{n}" for n in range(count)), types, shape, dimension, body)
    steps.append(f"%s{f':{count}' if count > 1 else ''} = {sort}")
    for n, (whole, part) in enumerate(zip(wholes, parts, strict=True)):
        one, sorted_ = f"tensor<1x{dims}{types[n]}>", f"%s#{n}" if count > 1 else "%s"
        steps.append(f"""
          %u{n} = stablehlo.reshape {sorted_} : ({part}) -> {one}
          %w{n} = stablehlo.dynamic_update_slice %o{n}, %u{n}, {starts} : ({whole}, {one}, {start_types}) -> {whole}""")
    state = ", ".join(f"%o{n} = %x{n}" for n in range(count))
    return f"""func.func @main({arguments}) -> {returned} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<{TURNS}> : tensor<i32>
      %r:{1 + count} = stablehlo.while(%i = %zero, {state}) : tensor<i32>, {", ".join(wholes)}
      cond {{
        %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        {"".join(steps)}
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, {", ".join(f"%w{n}" for n in range(count))} : tensor<i32>, {", ".join(wholes)}
      }}
      return {", ".join(f"%r#{n + 1}" for n in range(count))} : {", ".join(wholes)} }}"""


def no_call(self: BlockLowering, plan: Any, step: Any, operands: Any) -> Any:
    del self, plan, operands
    raise AssertionError(f"{step.name} is called")


def is_one_program(plan: Plan) -> bool:
    """Whether straight-line code consists of one native program."""
    (step,) = with_straight_line_code(plan, DEFAULTS._replace(straight_line_cost=0)).steps
    return is_native(step)


def check(
    types: list[str],
    shape: tuple[int, ...],
    dimension: int,
    body: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_order: bool = True,
) -> None:
    """Native loops and straight-line code give the bytes of kernels, and call none.

    Args:
      is_order: whether the comparator orders all values, so that there is one right result.
    """
    monkeypatch.setattr(BlockLowering, "_call", no_call)
    rng = np.random.default_rng(len(body) + sum(shape))
    whole = [values_of(name, (TURNS, *shape), rng) for name in types]
    for is_loop in (True, False):
        text = program(types, shape, dimension, body, is_loop=is_loop)
        arguments = whole if is_loop else [each[0] for each in whole]
        if not is_loop:
            assert is_one_program(plan_of(text))
        runs = list[Any]()
        for disabled in ("", "native", "all"):
            monkeypatch.setenv("HLOKIT_DISABLE", disabled)
            loaded = hlokit.load(text)
            runs += [copies(listed(loaded(*arguments))) for _ in range(3)]
        monkeypatch.delenv("HLOKIT_DISABLE")
        assert all(run == runs[0] for run in runs)
        if not is_loop and is_order:
            assert runs[0] == copies(listed(hlokit.load(text)(*arguments, tier="reference")))


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("direction", ["LT", "GT"])
@pytest.mark.sample("LT-f32", "GT-i64", "LT-bf16")
def test_keys_of_every_type(name: str, direction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for shape, dimension in SHAPES:
        check([name, "i32"], shape, dimension, comparison(name, direction), monkeypatch)
    check([name], (9,), 0, comparison(name, direction), monkeypatch)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("direction", ["LT total", "GT total"])
@pytest.mark.sample("LT total-f32", "GT total-bf16", "LT total-f16")
def test_total_orders(name: str, direction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for shape, dimension in SHAPES:
        check([name, "i32"], shape, dimension, comparison(name, direction), monkeypatch)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("direction", ["LT total", "GT total"])
@pytest.mark.sample("*-f32")
def test_keys_of_jax(name: str, direction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = canonical(name, "%a0") + canonical(name, "%b0")
    body = keys + comparison(name, direction, "%a0key", "%b0key")
    for shape, dimension in (((5,), 0), ((2, 70), 1), ((20, 2), 0)):
        check([name, "i32"], shape, dimension, body, monkeypatch)


@pytest.mark.parametrize(
    "types",
    [
        ["i1", "f32"],
        ["f64", "i64", "i8"],
        ["bf16", "ui16"],
        ["complex<f32>", "i32", "f32"],
        ["complex<f64>", "f64"],
    ],
)
@pytest.mark.parametrize("is_total", [True, False])
def test_several_keys(types: list[str], is_total: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lexicographic comparisons, the last key descending."""
    lines: list[str] = []
    for n, name in enumerate(types):
        key, lhs, rhs = name, f"%a{n}", f"%b{n}"
        if name.startswith("complex"):
            key = name[8:11]
            for side in (lhs, rhs):
                lines.append(f"{side}real = stablehlo.real {side} : (tensor<{name}>) -> tensor<{key}>")
            lhs, rhs = f"{lhs}real", f"{rhs}real"
        direction = "GT" if n + 1 == len(types) else "LT"
        kind = " total" if is_total and key in FLOATS else ""
        lines.append(comparison(key, direction + kind, lhs, rhs, f"%less{n}"))
        lines.append(comparison(key, f"EQ{kind}", lhs, rhs, f"%equal{n}"))
    for n in reversed(range(len(types) - 1)):
        rest = f"%less{n + 1}" if n + 2 == len(types) else f"%rest{n + 1}"
        lines.append(f"%both{n} = stablehlo.and %equal{n}, {rest} : tensor<i1>")
        lines.append(f"%rest{n} = stablehlo.or %less{n}, %both{n} : tensor<i1>")
    body = "\n".join(lines).replace("%rest0 =", "%r =")
    check(types, (40,), 0, body, monkeypatch, is_order=is_total)
    check(types, (3, 7), 0, body, monkeypatch, is_order=is_total)


def test_values_from_outside_of_a_comparator(monkeypatch: pytest.MonkeyPatch) -> None:
    body = f"""
      %a = stablehlo.xor %a0, %one : tensor<i32>
      %b = stablehlo.xor %b0, %one : tensor<i32>
      {comparison("i32", "GT", "%a", "%b")}"""
    monkeypatch.setattr(BlockLowering, "_call", no_call)
    text = program(["i32", "f32"], (2, 30), 1, body, is_loop=True)
    rng = np.random.default_rng(1)
    arguments = [values_of(name, (TURNS, 2, 30), rng) for name in ("i32", "f32")]
    runs = list[Any]()
    for disabled in ("", "native", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        loaded = hlokit.load(text)
        runs += [copies(listed(loaded(*arguments))) for _ in range(3)]
    assert all(run == runs[0] for run in runs)


def test_sides_with_different_keys_keep_their_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    body = f"""
      %a = stablehlo.negate %a0 : tensor<i32>
      {comparison("i32", "LT", "%a", "%b0")}"""
    text = program(["i32"], (6,), 0, body, is_loop=True)
    monkeypatch.setattr(BlockLowering, "_call", no_call)
    with pytest.raises(hlokit.InternalError, match="sort is called"):
        hlokit.load(text)(values_of("i32", (TURNS, 6), np.random.default_rng(1)))


TOP_K = """func.func @main(%x: tensor<2x{n}x{t}>) -> (tensor<2x{k}x{t}>, tensor<2x{k}xi32>) {{
  %v, %i = chlo.top_k(%x, k = {k}) : tensor<2x{n}x{t}> -> (tensor<2x{k}x{t}>, tensor<2x{k}xi32>)
  return %v, %i : tensor<2x{k}x{t}>, tensor<2x{k}xi32> }}"""


@pytest.mark.parametrize("name", TYPES)
def test_greatest_elements(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    for size, k in ((1, 1), (5, 2), (40, 3), (40, 40), (200, 7)):
        text = TOP_K.format(n=size, t=name, k=k)
        assert is_one_program(plan_of(text))
        value, runs = values_of(name, (2, size), rng), list[Any]()
        for disabled in ("", "native"):
            monkeypatch.setenv("HLOKIT_DISABLE", disabled)
            loaded = hlokit.load(text)
            runs += [copies(loaded(value)) for _ in range(3)]
        monkeypatch.delenv("HLOKIT_DISABLE")
        assert all(run == copies(hlokit.load(text)(value, tier="reference")) for run in runs)


def test_first_elements_of_a_sort() -> None:
    sort = sort_of("%x, %y", ["f32", "i32"], (3, 60), 1, comparison("f32", "GT total"))
    text = f"""func.func @main(%x: tensor<3x60xf32>, %y: tensor<3x60xi32>) -> (tensor<3x4xf32>, tensor<3x2xi32>) {{
      %s:2 = {sort}
      %v = stablehlo.slice %s#0 [0:3, 0:4] : (tensor<3x60xf32>) -> tensor<3x4xf32>
      %i = stablehlo.slice %s#1 [0:3, 0:2] : (tensor<3x60xi32>) -> tensor<3x2xi32>
      return %v, %i : tensor<3x4xf32>, tensor<3x2xi32> }}"""
    assert is_one_program(with_partial_sorts(plan_of(text)))
    rng = np.random.default_rng(4)
    arguments = values_of("f32", (3, 60), rng), values_of("i32", (3, 60), rng)
    loaded = hlokit.load(text)
    runs = [copies(loaded(*arguments)) for _ in range(3)]
    assert runs == [copies(hlokit.load(text)(*arguments, tier="reference"))] * 3


@pytest.mark.parametrize("kept", [1, 5, 12, 13, 40])
def test_loops_sort_only_the_elements_that_they_use(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"""
    func.func private @first(%x: tensor<2x150xf32>, %y: tensor<2x150xi32>) -> (tensor<2x{kept}xf32>, tensor<2x{kept}xi32>) {{
      %sorted:2 = "stablehlo.sort"(%x, %y) <{{dimension = 1 : i64, is_stable = true}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
        %before = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %before : tensor<i1>
      }}) : (tensor<2x150xf32>, tensor<2x150xi32>) -> (tensor<2x150xf32>, tensor<2x150xi32>)
      %v = stablehlo.slice %sorted#0 [0:2, 0:{kept}] : (tensor<2x150xf32>) -> tensor<2x{kept}xf32>
      %i = stablehlo.slice %sorted#1 [0:2, 0:{kept}] : (tensor<2x150xi32>) -> tensor<2x{kept}xi32>
      return %v, %i : tensor<2x{kept}xf32>, tensor<2x{kept}xi32>
    }}
    func.func @main(%x: tensor<2x150xf32>, %y: tensor<2x150xi32>) -> (tensor<2x{kept}xf32>, tensor<2x{kept}xi32>) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %turns = stablehlo.constant dense<{TURNS}> : tensor<i32>
      %half = stablehlo.constant dense<-0.5> : tensor<2x150xf32>
      %v = stablehlo.constant dense<0.0> : tensor<2x{kept}xf32>
      %i = stablehlo.constant dense<0> : tensor<2x{kept}xi32>
      %r:4 = stablehlo.while(%n = %zero, %z = %x, %p = %v, %q = %i)
        : tensor<i32>, tensor<2x150xf32>, tensor<2x{kept}xf32>, tensor<2x{kept}xi32>
        cond {{
          %less = stablehlo.compare LT, %n, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %less : tensor<i1>
        }} do {{
          %m = stablehlo.add %n, %one : tensor<i32>
          %w = stablehlo.multiply %z, %half : tensor<2x150xf32>
          %f:2 = func.call @first(%w, %y) : (tensor<2x150xf32>, tensor<2x150xi32>) -> (tensor<2x{kept}xf32>, tensor<2x{kept}xi32>)
          stablehlo.return %m, %w, %f#0, %f#1 : tensor<i32>, tensor<2x150xf32>, tensor<2x{kept}xf32>, tensor<2x{kept}xi32>
        }}
      return %r#2, %r#3 : tensor<2x{kept}xf32>, tensor<2x{kept}xi32>
    }}"""
    lengths: list[int] = []
    lowered = sorts.sort

    def sort(program: ProgramBuilder, array_op: Sort, step: Step, operands: list[View]) -> list[View]:
        results = lowered(program, array_op, step, operands)
        lengths.append(results[0].shape[1])
        return results

    monkeypatch.setattr(sorts, "sort", sort)
    rng = np.random.default_rng(kept)
    x, y = rng.integers(0, 50, (2, 150)).astype(np.float32), rng.integers(0, 9, (2, 150)).astype(np.int32)
    last = x * np.float32(-0.5) ** TURNS
    order = np.argsort(-last, axis=1, kind="stable")[:, :kept]
    expected = copies([np.take_along_axis(each, order, 1) for each in (last, y)])
    loaded = hlokit.load(text)
    for _ in range(3):
        assert copies(listed(loaded(x, y))) == expected
    assert {*lengths} == {kept if kept * DEFAULTS.partial_sort_ratio <= 150 else 150}
