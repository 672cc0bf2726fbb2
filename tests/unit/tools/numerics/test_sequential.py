"""Sequential sums against the C++ interpreter (`stablehlo.eval_module`), bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import hlokit
from hlokit.tools.numerics.rules import sequential as rules
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from tests.oracles import OracleError, reference

DOT = "stablehlo.dot_general"
CONV = "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"


class Case(NamedTuple):
    """An operation on `%a`, `%b` and the scalar `%zero` of one element type, here `$`."""

    name: str
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    result: str
    text: str


def body(operation: str) -> str:
    return (
        f"({{^bb0(%x: tensor<$>, %y: tensor<$>): %s = stablehlo.{operation} %x, %y : tensor<$> "
        "stablehlo.return %s : tensor<$>})"
    )


def reduction(name: str, operation: str, attributes: str, shape: tuple[int, ...], result: str) -> Case:
    operand = f"tensor<{'x'.join(map(str, shape))}x$>"
    text = f'"stablehlo.{name}"(%a, %zero) {body(operation)} {{{attributes}}} : ({operand}, tensor<$>) -> tensor<{result}$>'
    return Case(f"{name} {operation} {attributes}", (shape, ()), result, text)


def convolution(window: str, groups: str, lhs: tuple[int, ...], rhs: tuple[int, ...], result: str) -> Case:
    types = ", ".join(f"tensor<{'x'.join(map(str, shape))}x$>" for shape in (lhs, rhs))
    text = f"stablehlo.convolution(%a, %b) {CONV}, window = {{{window}}} {{{groups}}} : ({types}) -> tensor<{result}$>"
    return Case(f"convolution {window} {groups}", (lhs, rhs), result, text)


def scatter(numbers: str, shape: tuple[int, ...], operation: str = "add") -> Case:
    updates = f"tensor<{'x'.join(map(str, shape))}x$>"
    text = (
        '%i = stablehlo.constant dense<[[0], [1], [0], [2], [9]]> : tensor<5x1xi32> %r = "stablehlo.scatter"(%b, %i, %a) '
        f"{body(operation)} {{scatter_dimension_numbers = #stablehlo.scatter<{numbers}, "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : "
        f"(tensor<9x$>, tensor<5x1xi32>, {updates}) -> tensor<9x$>"
    )
    return Case(f"scatter {operation} {numbers}", (shape, (9,)), "9x", text)


def system(side: str, triangle: str, transposed: str, unit: str = "true") -> Case:
    types = "(tensor<4x4x$>, tensor<4x4x$>) -> tensor<4x4x$>"
    attributes = f"left_side = {side}, lower = {triangle}, unit_diagonal = {unit}, transpose_a = #stablehlo<transpose {transposed}>"
    text = f'"stablehlo.triangular_solve"(%a, %b) {{{attributes}}} : {types}'
    return Case(f"triangular_solve {attributes}", ((4, 4), (4, 4)), "4x4x", text)


GROUPS = "batch_group_count = 1 : i64, feature_group_count = 1 : i64"
CASES = (
    Case("dot", ((2, 33), (33, 2)), "2x2x", f"{DOT} %a, %b, contracting_dims = [1] x [0] : (tensor<2x33x$>, tensor<33x2x$>) -> tensor<2x2x$>"),
    Case("dot in the order of the attribute", ((2, 3, 5), (5, 3, 2)), "2x2x", f"{DOT} %a, %b, contracting_dims = [2, 1] x [0, 1] : (tensor<2x3x5x$>, tensor<5x3x2x$>) -> tensor<2x2x$>"),
    Case("dot in batches", ((2, 3, 7), (7, 2)), "2x3x", f"{DOT} %a, %b, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x7x$>, tensor<7x2x$>) -> tensor<2x3x$>"),
    Case("outer product", ((2,), (3,)), "2x3x", f"{DOT} %a, %b, contracting_dims = [] x [] : (tensor<2x$>, tensor<3x$>) -> tensor<2x3x$>"),
    Case("product", ((9,), (9,)), "9x", "stablehlo.multiply %a, %b : tensor<9x$>"),
    convolution("", GROUPS, (1, 4, 4, 3), (2, 2, 3, 2), "1x3x3x2x"),
    convolution("stride = [2, 1], pad = [[1, 0], [0, 2]], reverse = [true, false]", GROUPS, (2, 4, 4, 2), (3, 2, 2, 2), "2x2x5x2x"),
    convolution("pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 2]", GROUPS, (1, 3, 3, 1), (3, 2, 1, 2), "1x5x5x2x"),
    convolution("", GROUPS.replace("feature_group_count = 1", "feature_group_count = 2"), (1, 3, 3, 4), (2, 2, 2, 2), "1x2x2x2x"),
    convolution("", GROUPS.replace("batch_group_count = 1", "batch_group_count = 2"), (2, 3, 3, 2), (2, 2, 2, 4), "1x2x2x4x"),
    reduction("reduce", "add", "dimensions = array<i64: 0, 2>", (3, 2, 17), "2x"),
    reduction("reduce", "multiply", "dimensions = array<i64: 0>", (9, 2), "2x"),
    reduction("reduce", "subtract", "dimensions = array<i64: 1>", (2, 9), "2x"),
    reduction("reduce", "maximum", "dimensions = array<i64: 1>", (2, 9), "2x"),
    reduction("reduce_window", "add", "window_dimensions = array<i64: 2, 20>, padding = dense<[[1, 0], [3, 19]]> : tensor<2x2xi64>", (3, 21), "3x24x"),
    reduction("reduce_window", "add", "window_dimensions = array<i64: 40>, padding = dense<[[39, 0]]> : tensor<1x2xi64>", (40,), "40x"),
    reduction("reduce_window", "multiply", "window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 2>", (7,), "5x"),
    scatter("inserted_window_dims = [0]", (5,)),
    scatter("update_window_dims = [1]", (5, 4)),
    scatter("update_window_dims = [0]", (4, 5)),
    scatter("update_window_dims = [0]", (4, 5), "multiply"),
    scatter("update_window_dims = [1]", (5, 4), "subtract"),
    system("true", "true", "NO_TRANSPOSE", "false"),
    system("true", "false", "TRANSPOSE"),
    system("false", "true", "TRANSPOSE"),
    system("false", "false", "NO_TRANSPOSE"),
    Case(
        "select_and_scatter",
        ((9,), (4,)),
        "9x",
        '"stablehlo.select_and_scatter"(%a, %b, %zero) ({^bb0(%x: tensor<$>, %y: tensor<$>): %s = stablehlo.compare GE, '
        f"%x, %y : (tensor<$>, tensor<$>) -> tensor<i1> stablehlo.return %s : tensor<i1>}}, {body('add')[1:-1]}) "
        "{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>} : (tensor<9x$>, tensor<4x$>, tensor<$>) -> tensor<9x$>",
    ),
    Case("inner product", ((33,), (33,)), "", f"{DOT} %a, %b, contracting_dims = [0] x [0] : (tensor<33x$>, tensor<33x$>) -> tensor<$>"),
)  # fmt: skip
NOT_OF = {Kind.BOOL: ("subtract",), Kind.COMPLEX: ("maximum", "select_and_scatter")}
TYPES = [type_ for name, type_ in ELEMENT_TYPES.items() if name != "index"]


def program_text(case: Case, type_: ElementType) -> str:
    """The case as a program; complex numbers come and go as their parts, since the oracle takes no others."""
    part, whole = type_.part.name, str(type_)
    operands = [f"tensor<{''.join(f'{size}x' for size in shape)}$>" for shape in case.shapes]
    names = [f"%{letter}{side}" for letter in "ab" for side in "ri"]
    parts = [operand.replace("$", part) for operand in operands for _ in "ri"]
    arguments = ", ".join(f"{name}: {own}" for name, own in zip(names, parts, strict=True))
    result = f"tensor<{case.result}$>"
    lines: list[str] = []
    if type_.kind is Kind.COMPLEX:
        for letter, operand in zip("ab", operands, strict=True):
            lines.append(f"%{letter} = stablehlo.complex %{letter}r, %{letter}i : {operand}")
        lines.append("%zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<$>")
        ends = [f"%{side} = stablehlo.{side} %r : ({result}) -> {result.replace('$', part)}" for side in ("real", "imag")]  # fmt: skip
        returned = "%real, %imag", f"{result.replace('$', part)}, {result.replace('$', part)}"
    else:
        arguments = ", ".join(f"%{letter}: {operand}" for letter, operand in zip("ab", operands, strict=True))
        zero = {Kind.BOOL: "false", Kind.FLOAT: "0.0"}.get(type_.kind, "0")
        lines.append(f"%zero = stablehlo.constant dense<{zero}> : tensor<$>")
        ends, returned = [], ("%r", result)
    step = case.text if "%r = " in case.text else f"%r = {case.text}"
    text = "\n  ".join([*lines, step, *ends, f"return {returned[0]} : {returned[1]}"])
    return f"func.func @main({arguments}) -> ({returned[1]}) {{\n  {text}\n}}".replace("$", whole)


def inputs(case: Case, type_: ElementType, rng: np.random.Generator) -> list[np.ndarray]:
    """Numbers of different magnitudes, whose sums round at almost every step."""
    arrays: list[Any] = []
    for shape in case.shapes:
        for _ in range(2 if type_.kind is Kind.COMPLEX else 1):
            values = rng.standard_normal(shape) * 2.0 ** rng.integers(-3, 4, shape)
            if type_.kind not in (Kind.FLOAT, Kind.COMPLEX):
                values = rng.integers(0, 2 ** min(type_.width, 30), shape)
                values = values.astype(f"u{max(type_.width // 8, 1)}")
            arrays.append(np.asarray(values).astype(type_.part.dtype))
    return arrays


def cases_of(type_: ElementType) -> Iterator[Case]:
    without = NOT_OF.get(type_.kind, ())
    if not type_.kind.is_inexact or type_.name == "f8E8M0FNU":  # has no negative numbers
        without = (*without, "triangular_solve")
    elif (
        type_.width < 8 or type_.kind is Kind.COMPLEX
    ):  # division by zero without infinities, or in other steps
        without = (*without, "unit_diagonal = false")
    return (case for case in CASES if not any(word in case.name for word in without))


def check(names: tuple[str, ...]) -> tuple[int, int, list[str]]:
    """The number of cases, the number whose usual sums have other bits, and those that the oracle refuses."""
    count, others, refused = 0, 0, list[str]()
    for name in names:
        type_, rng = ELEMENT_TYPES[name], np.random.default_rng(44)
        for case in cases_of(type_):
            text, arrays = program_text(case, type_), inputs(case, type_, rng)
            program = hlokit.load(text)
            try:
                expected = reference(text, *arrays)
            except OracleError:
                refused.append(f"{case.name} of {name}")
                continue
            count += 1
            for _ in range(4):  # all tiers
                results = as_tuple(program(*arrays, precision="sequential"))
                assert bits(results) == bits(expected), f"{case.name} of {name}"
            others += bits(as_tuple(program(*arrays))) != bits(expected)
    return count, others, refused


def as_tuple(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


def bits(arrays: Any) -> list[bytes]:
    return [np.ascontiguousarray(array).tobytes() for array in arrays]


def test_sums_of_f32_equal_the_cpp_interpreter() -> None:
    count, others, refused = check(("f32",))
    assert count == len(CASES) and not refused
    assert others >= 8, "usual sums round elsewhere, or the inputs show no order"


def transform(kind: str, shape: tuple[int, ...], lengths: str) -> str:
    """A transform of complex numbers, or to or from real ones; its operands and results are parts."""
    whole = "".join(f"{size}x" for size in shape)
    half = "".join(f"{size}x" for size in (*shape[:-1], shape[-1] // 2 + 1))
    operand, result = {"RFFT": (whole, half), "IRFFT": (half, whole)}.get(kind, (whole, whole))
    source = f"tensor<{operand}f64>" if kind == "RFFT" else f"tensor<{operand}complex<f64>>"
    target = f"tensor<{result}f64>" if kind == "IRFFT" else f"tensor<{result}complex<f64>>"
    begin = f"%x = stablehlo.{'add %a, %b' if kind == 'RFFT' else 'complex %a, %b'} : {source}"
    parts = [
        f"%{name} = stablehlo.{name} %r : ({target}) -> tensor<{result}f64>" for name in ("real", "imag")
    ]
    if kind == "IRFFT":
        parts = [f"%{name} = stablehlo.negate %r : {target}" for name in ("real", "imag")]
    return f"""func.func @main(%a: tensor<{operand}f64>, %b: tensor<{operand}f64>) -> (tensor<{result}f64>, tensor<{result}f64>) {{
      {begin}
      %r = stablehlo.fft %x, type={kind}, length=[{lengths}] : ({source}) -> {target}
      {parts[0]}
      {parts[1]}
      return %real, %imag : tensor<{result}f64>, tensor<{result}f64>
    }}"""


def test_fourier_transforms_equal_the_cpp_interpreter() -> None:
    """Of f64: it ends the process for f32, and takes no odd length back to real numbers."""
    rng, others = np.random.default_rng(5), 0
    rows = (((7,), "7"), ((2, 6), "6"), ((3, 4), "3, 4"), ((2, 3, 6), "2, 3, 6"), ((3, 5), "3, 5"))
    for shape, lengths in rows:
        for kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
            if kind == "IRFFT" and shape[-1] % 2:
                continue
            operand = (*shape[:-1], shape[-1] // 2 + 1) if kind == "IRFFT" else shape
            arrays = [rng.standard_normal(operand) for _ in range(2)]
            text = transform(kind, shape, lengths)
            program, expected = hlokit.load(text), bits(reference(text, *arrays))
            assert bits(program(*arrays, precision="sequential")) == expected, (kind, shape)
            others += bits(program(*arrays)) != expected
    assert others > 10


@pytest.mark.deep
def test_collective_sums_equal_the_cpp_interpreter() -> None:
    """Of two processes: it has a thread for each core, and more processes wait for ever where there are two."""
    rng = np.random.default_rng(6)
    for operation, attribute, size in (
        ("all_reduce", "", 6),
        ("reduce_scatter", "scatter_dimension = 0 : i64,", 3),
    ):
        for name in ("f32", "bf16", "f8E4M3FN", "i8"):
            for step in ("add", "multiply", "subtract"):
                whole, piece = f"tensor<6x{name}>", f"tensor<{size}x{name}>"
                text = f"""func.func @p(%x: {whole}) -> {piece} {{
                  %0 = "stablehlo.{operation}"(%x) {body(step).replace("$", name).replace("%x", "%l")} {{{attribute}
                    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : ({whole}) -> {piece}
                  return %0 : {piece}
                }}
                func.func @main(%a: {whole}, %b: {whole}) -> ({piece}, {piece}) {{
                  %0:2 = "interpreter.run_parallel"(%a, %b) {{programs = [[@p], [@p]]}} : ({whole}, {whole}) -> ({piece}, {piece})
                  return %0#0, %0#1 : {piece}, {piece}
                }}"""
                arrays = [(4 * rng.standard_normal(6)).astype(ELEMENT_TYPES[name].dtype) for _ in range(2)]
                results = hlokit.load(text)(*arrays, precision="sequential")
                assert bits(results) == bits(reference(text, *arrays)), (operation, name, step)


@pytest.mark.deep
@pytest.mark.parametrize("products", [rules._PRODUCTS, 12], ids=["at once", "in parts"])
def test_sums_of_every_type_equal_the_cpp_interpreter(monkeypatch: pytest.MonkeyPatch, products: int) -> None:
    """`products`: how many a sum of products computes at once."""
    monkeypatch.setattr(rules, "_PRODUCTS", products)
    names = tuple(type_.name for type_ in TYPES)
    count, others, refused = check(names)
    assert count + len(refused) == sum(len(list(cases_of(type_))) for type_ in TYPES)
    assert refused == [], refused
    assert others > 50


def test_products_of_wide_types_only() -> None:
    """What `stablehlo-translate --interpret` adds one by one without a flag; an algorithm has its own sums."""
    product = "contracting_dims = [0] x [0]"
    algorithm = (
        "algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, "
        "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>"
    )
    rows = (
        ("f32", product, True),
        ("f64", product, True),
        ("bf16", product, False),
        ("f32", f"{product}, {algorithm}", False),
    )
    for name, attributes, is_sequential in rows:
        arrays = [
            row.astype(ELEMENT_TYPES[name].dtype) for row in np.random.default_rng(3).standard_normal((2, 99))
        ]
        types = "(tensor<99x$>, tensor<99x$>) -> tensor<$>"
        text = f"func.func @main(%a: tensor<99x$>, %b: tensor<99x$>) -> tensor<$> {{ %0 = {DOT} %a, %b, {attributes} : {types} return %0 : tensor<$> }}"
        program = hlokit.load(text.replace("$", name))
        blocked, products, sequential = (
            bits([program(*arrays, precision=order)]) for order in ("default", "products", "sequential")
        )
        assert sequential != blocked
        assert products == (sequential if is_sequential else blocked), (name, attributes)
    text = """func.func @main(%x: tensor<99xf32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<99xf32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    x, program = np.random.default_rng(4).random(99, np.float32), hlokit.load(text)
    assert bits([program(x, precision="products")]) == bits([program(x)])
    assert bits([program(x, precision="products")]) != bits([program(x, precision="sequential")])


def test_long_transforms_have_the_usual_order() -> None:
    """n^2 products would take minutes."""
    text = """func.func @main(%x: tensor<1025xcomplex<f32>>) -> tensor<1025xcomplex<f32>> {
      %0 = stablehlo.fft %x, type=FFT, length=[1025] : (tensor<1025xcomplex<f32>>) -> tensor<1025xcomplex<f32>>
      return %0 : tensor<1025xcomplex<f32>>
    }"""
    x = np.arange(1025, dtype=np.complex64)
    program = hlokit.load(text)
    assert bits([program(x, precision="sequential")]) == bits([program(x)])


def test_loops_keep_the_order() -> None:
    """A body that becomes native code calls the same kernels; a multiply and an add are not fused."""
    text = """func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x3xf32>) -> tensor<3x3xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.constant dense<40> : tensor<i32>
      %start = stablehlo.constant dense<0.37> : tensor<3x3xf32>
      %r:2 = stablehlo.while(%i = %zero, %x = %start) : tensor<i32>, tensor<3x3xf32> cond {
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x3xf32>) -> tensor<3x3xf32>
        %m = stablehlo.multiply %x, %d : tensor<3x3xf32>
        %s = stablehlo.add %m, %start : tensor<3x3xf32>
        %q = stablehlo.abs %s : tensor<3x3xf32>
        %y = stablehlo.sqrt %q : tensor<3x3xf32>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %y : tensor<i32>, tensor<3x3xf32>
      }
      return %r#1 : tensor<3x3xf32>
    }"""
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((3, 5)).astype("f4"), rng.standard_normal((5, 3)).astype("f4")
    program = hlokit.load(text)
    for _ in range(3):
        assert bits([program(a, b, precision="sequential")]) == bits(reference(text, a, b))
    assert bits([program(a, b)]) != bits(reference(text, a, b))
