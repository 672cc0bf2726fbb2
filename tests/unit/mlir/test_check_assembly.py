"""Custom assembly of the check dialect, rewritten to the generic form."""

from __future__ import annotations

import re

import pytest

from hlokit.errors import ParseError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.text.check_assembly import CHECK_OPERATIONS, to_generic

T = "tensor<2xf32>"

FORMS = [
    (f"check.expect_eq %a, %b : {T}", f'"check.expect_eq"(%a, %b) : ({T}, {T}) -> ()'),
    (
        f"check.expect_eq %0#1, %b {{note = 1}} : {T}",
        f'"check.expect_eq"(%0#1, %b) {{note = 1}} : ({T}, {T}) -> ()',
    ),
    (
        f"check.expect_eq_const %a, dense<[1.0, 2.0]> : {T}",
        f'"check.expect_eq_const"(%a) {{value = dense<[1.0, 2.0]> : {T}}} : ({T}) -> ()',
    ),
    (
        f"check.expect_eq_const %a, dense_resource<r> : {T}",
        f'"check.expect_eq_const"(%a) {{value = dense_resource<r> : {T}}} : ({T}) -> ()',
    ),
    (
        f"check.expect_almost_eq %a, %b, tolerance = 1.0e-3 : {T}",
        f'"check.expect_almost_eq"(%a, %b) {{tolerance = 1.0e-3 : f64}} : ({T}, {T}) -> ()',
    ),
    (
        f"check.expect_almost_eq %a, %b, tolerance = 0.5 : f64 : {T}",
        f'"check.expect_almost_eq"(%a, %b) {{tolerance = 0.5 : f64}} : ({T}, {T}) -> ()',
    ),
    (
        f"check.expect_almost_eq_const %a, dense<1.0> : {T}, tolerance = 0.1",
        '"check.expect_almost_eq_const"(%a) '
        f"{{value = dense<1.0> : {T}, tolerance = 0.1 : f64}} : ({T}) -> ()",
    ),
    (
        f"check.expect_almost_eq_const %a, dense<1.0> : {T} {{tolerance = 0.1 : f64}}",
        '"check.expect_almost_eq_const"(%a) '
        f"{{value = dense<1.0> : {T}, tolerance = 0.1 : f64}} : ({T}) -> ()",
    ),
    (
        f"check.expect_close %a, %b, max_ulp_difference = 3 : {T}, {T}",
        f'"check.expect_close"(%a, %b) {{max_ulp_difference = 3 : ui64}} : ({T}, {T}) -> ()',
    ),
    (
        f"check.expect_close %a, %b, max_ulp_difference = 3, min_ulp_difference = 1 : {{n = 2}} {T}, {T}",
        '"check.expect_close"(%a, %b) '
        f"{{max_ulp_difference = 3 : ui64, min_ulp_difference = 1 : ui64, n = 2}} : ({T}, {T}) -> ()",
    ),
    (
        f'check.expect_serialized_eq %a, probe_id = "p, \\"q", iter = 1 : {T}',
        f'"check.expect_serialized_eq"(%a) {{probe_id = "p, \\"q", iteration = 1 : ui32}} : ({T}) -> ()',
    ),
    (f"check.expect_eq(%a, %b) : {T}", f'"check.expect_eq"(%a, %b) : ({T}, {T}) -> ()'),
    (
        f"check.expect_eq_const(%0#1, dense<1.0> : {T}) : {T}",
        f'"check.expect_eq_const"(%0#1) {{value = dense<1.0> : {T}}} : ({T}) -> ()',
    ),
    (
        f"check.expect_almost_eq<%device> (%a, %b, atol 1.0e-02, rtol 0.5) {{n = 1}} : {T}",
        f'"check.expect_almost_eq"(%a, %b) {{tolerance = 1.0e-02 : f64, relative_tolerance = 0.5 : f64, n = 1}} : ({T}, {T}) -> ()',
    ),
    (
        f"check.expect_almost_eq_const(%a, dense<1.0> : {T}, rtol 0.5) : {T}",
        f'"check.expect_almost_eq_const"(%a) {{value = dense<1.0> : {T}, relative_tolerance = 0.5 : f64}} : ({T}) -> ()',
    ),
    (f"check.expect_true(%a) : {T}", f'"check.expect_true"(%a) : ({T}) -> ()'),
    (f"check.expect_false(%a) : {T}", f'"check.expect_false"(%a) : ({T}) -> ()'),
    (f"check.expect_all_true(%a) : {T}", f'"check.expect_all_true"(%a) : ({T}) -> ()'),
    (
        "check.expect_eq %a, %b : tensor<2x!quant.uniform<i8:f32, 0.1:3>>",
        '"check.expect_eq"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 0.1:3>>, '
        "tensor<2x!quant.uniform<i8:f32, 0.1:3>>) -> ()",
    ),
]


@pytest.mark.parametrize(("custom", "generic"), FORMS)
def test_forms(custom: str, generic: str) -> None:
    assert to_generic(f'  {custom} loc("x") // note\n') == f'  {generic} loc("x") // note\n'


def test_every_operation_has_a_form() -> None:
    assert {re.split(r"[ (<]", custom)[0] for custom, _ in FORMS} == set(CHECK_OPERATIONS)


def test_constants_of_iree() -> None:
    text = (
        f'%a = util.unfoldable_constant dense<1.0> : {T} // check.\n"x"() {{n = "util.unfoldable_constant"}}'
    )
    expected = text.replace("= util.unfoldable_constant", "= stablehlo.constant      ")
    assert to_generic(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "// check.expect_eq %a, %b",
        '"x"() {name = "check.expect_eq %a"} : () -> ()',
        f'"check.expect_eq"(%a, %b) : ({T}, {T}) -> ()',
        "stablehlo.custom_call @check.expect_eq(%a, %b)",
        '"x"() {check.expect_eq = 1, check.expect_close} : () -> ()',
        "check.other %a",
        "mycheck.expect_eq %a",
        "",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert to_generic(text) == text


def test_lines_and_columns_stay() -> None:
    text = f"""{{
  check.expect_eq_const   // why
      %a,

      dense<[1.0, // one
             2.0]> : {T}
  check.expect_eq %a, %b
    : {T} check.expect_eq %b, %a : {T}
}}"""
    result = to_generic(text).split("\n")
    for number, line in enumerate(text.split("\n")):
        if line.startswith("  check."):
            assert result[number].startswith('  "check.')
    assert result[5].endswith(f"2.0]> : {T}}} : ({T}) -> ()")
    assert result[7].count('"check.expect_eq"(%b, %a)') == 1
    assert len(result) == 9


def test_alias_of_the_constant() -> None:
    text = f"#cst = dense<1.0> : {T}\ncheck.expect_eq_const %a, #cst"
    assert to_generic(text).endswith(f'"check.expect_eq_const"(%a) {{value = #cst}} : ({T}) -> ()')


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("check.expect_eq a", 17, "operand lhs, got 'a'"),
        ("check.expect_eq %a %b", 20, "',' before operand rhs, got '%b'"),
        ("check.expect_eq %a, %b", 23, "':' before the type, got the end of the input"),
        ("check.expect_eq %a, %b :", 25, "a type, got the end of the input"),
        ("check.expect_eq %a, %b : tensor<2", 32, "a bracket that closes this '<'"),
        ("check.expect_eq_const %a, 3", 27, "an elements attribute, got '3'"),
        ("check.expect_eq_const %a, dense<3>", 35, "':' and the type of the constant"),
        ("check.expect_eq_const %a, #a", 27, "an elements attribute or an alias of one"),
        ("#a = #b\n#b = #a\ncheck.expect_eq_const %a, #a", 6, "an elements attribute or an alias of one"),
        ("check.expect_almost_eq %a, %b, tol = 1.0 : f32", 32, "tolerance or the end of the operands"),
        ("check.expect_almost_eq %a, %b, tolerance 1.0", 42, "'=' after tolerance, got '1.0'"),
        ("check.expect_almost_eq %a, %b, tolerance = x", 44, "a number as tolerance, got 'x'"),
        ("check.expect_eq(%a, %b, atol = 1.0) : f32", 30, "a number as atol, got '='"),
        ("check.expect_eq(%a, %b, tol 1.0) : f32", 25, "atol or rtol, got 'tol'"),
        ("check.expect_true %a : i32", 19, "'(' before the operands, got '%a'"),
        ("check.expect_eq(%a, %b : f32", 24, "')' after the operands, got ':'"),
        ("check.expect_close %a, %b : f32, f32", 27, "', max_ulp_difference = ', got ':'"),
        ("check.expect_close %a, %b, max = 3", 28, "', max_ulp_difference = ', got 'max'"),
        ("check.expect_serialized_eq %a, probe_id = 3 : f32", 43, "a string as probe_id, got '3'"),
    ],
)
def test_malformed(text: str, column: int, expected: str) -> None:
    with pytest.raises(ParseError) as raised:
        to_generic(text, "f.mlir")
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.file == "f.mlir"
    assert diagnostic.column == column
    assert f"expected {expected}" in diagnostic.message


def test_result_parses() -> None:
    body = "\n".join(f"  {custom}" for custom, _ in FORMS if "%0#1" not in custom and "quant" not in custom)
    text = f"func.func @main(%a: {T}, %b: {T}) {{\n{body}\n  return\n}}"
    parsed = parse_text(make_context(), text.replace("dense_resource<r>", "dense<1.0>"))
    assert str(parsed).count("check.") == len(body.splitlines())


def test_time_is_linear_in_operations_on_one_line() -> None:
    count = 20_000
    text = f"check.expect_eq %a, %b : {T} " * count
    assert to_generic(text).count('"check.expect_eq"(') == count
