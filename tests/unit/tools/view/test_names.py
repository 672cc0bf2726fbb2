"""Pages have the names of the text that the user wrote."""

from __future__ import annotations

import hlokit
from hlokit.tools.view.names import SourceNames

TEXT = """
func.func @main(%input: tensor<2xf32>, %arg7: tensor<2xf32>) -> tensor<2xf32> {
  %good = stablehlo.add %input, %arg7 : tensor<2xf32>   // %wrong = stablehlo.add
  %pair:2 = call @two(%good) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %left, %right = call @two(%pair#1) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %bad2 = "stablehlo.log"(%left) : (tensor<2xf32>) -> tensor<2xf32> %5 = stablehlo.add %bad2, %right : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %5 : tensor<2xf32>
}
func.func private @two(%input: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %input, %input : tensor<2xf32>, tensor<2xf32>
}
"""


def named(text: str, filename: str = "-") -> SourceNames:
    return SourceNames(hlokit.load(text).listing, text, filename)


def test_values_have_the_names_of_the_text() -> None:
    names = named(TEXT)
    assert [label for label in names.labels if label] == [
        "%good",
        "%pair:2",
        "%left, %right",
        "%bad2",
        "%5",
        "%zero",
        "%sum",
    ]
    lines = [line.strip() for line in names.lines]
    assert "%good = stablehlo.add %input, %arg7 : tensor<2xf32>" in lines
    assert "%bad2 = stablehlo.log %left : tensor<2xf32>" in lines
    assert "%5 = stablehlo.add %bad2, %right : tensor<2xf32>" in lines
    assert any(line.startswith("%pair:2 = call @two(%good)") for line in lines)
    assert any(line.startswith("%left, %right = call @two(%pair#1)") for line in lines)
    assert any(line.startswith("func.func @main(%input: tensor<2xf32>, %arg7: ") for line in lines)
    assert {"%pair#0", "%pair#1", "%left", "%right"} <= set(names.values)


def test_other_programs_keep_the_names_of_the_printer() -> None:
    program = hlokit.load(TEXT)
    names = SourceNames(program.listing)
    assert names.lines == program.listing.lines and "%0" in names.labels
    # Locations that name another file are no positions of this text.
    assert "%0" in named(TEXT, "model.py").labels


def test_the_names_of_the_text_name_the_same_values() -> None:
    """The renamed text is a program, the same as before."""
    again = hlokit.load("\n".join(named(TEXT).lines))
    assert str(again) == str(hlokit.load(TEXT))


def test_a_name_for_people_is_no_name_of_the_text() -> None:
    """JAX says what a parameter is; another parameter may have this name in the text, or a number."""
    text = """
    func.func @main(%arg1: tensor<2xf32> {jax.arg_info = "w"}, %w: tensor<2xf32>, %0: tensor<2xf32>) -> tensor<2xf32> {
      %arg0 = stablehlo.add %arg1, %w : tensor<2xf32>
      %arg2 = stablehlo.add %arg0, %0 : tensor<2xf32>
      return %arg2 : tensor<2xf32>
    }"""
    names = named(text)
    assert names.values == ["%arg1", "%w", "%0", "%arg0", "%arg2"]
    assert str(hlokit.load("\n".join(names.lines))) == str(hlokit.load(text))


def test_arguments_of_regions_have_the_names_of_the_text() -> None:
    """Those of the printer may be names of other values of the text."""
    text = """
    func.func @main(%x: tensor<3xf32>, %first: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
      %iterArg = stablehlo.constant dense<0.0> : tensor<f32>
      %w:2 = stablehlo.while(%i = %first, %v = %x) : tensor<i32>, tensor<3xf32>
        cond {
          %p = stablehlo.compare LT, %i, %first : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %n = stablehlo.add %i, %i : tensor<i32>
          stablehlo.return %n, %v : tensor<i32>, tensor<3xf32>
        }
      %s:2 = stablehlo.reduce(%w#1 init: %iterArg), (%x init: %iterArg) across dimensions = [0] : (tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
        reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %arg2: tensor<f32>) {
          %m = stablehlo.add %a, %b : tensor<f32>
          %k = stablehlo.multiply %c, %arg2 : tensor<f32>
          stablehlo.return %m, %k : tensor<f32>, tensor<f32>
        }
      return %w#0, %s#1 : tensor<i32>, tensor<f32>
    }"""
    words = [line.split() for line in text.splitlines()]
    assert [line.split() for line in named(text).lines[1:-1]] == [
        [word.replace("0.0>", "0.000000e+00>") for word in line] for line in words if line
    ]


def test_columns_count_bytes() -> None:
    attribute = f'{{note = "{"é" * 30}"}}'
    operations = " ".join(
        f'%{name} = "stablehlo.negate"(%{operand}) {attribute} : (tensor<f32>) -> tensor<f32>'
        for name, operand in (("a", "x"), ("b", "a"), ("c", "b"))
    )
    names = named(
        f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{ {operations} return %c : tensor<f32> }}"
    )
    assert names.values == ["%x", "%a", "%b", "%c"]
