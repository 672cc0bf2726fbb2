"""Attributes, types and operations of dialects that the bindings lack."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.cli.upstream.opt import main as opt
from hlokit.cli.upstream.translate import main as translate
from hlokit.mlir import parse
from hlokit.mlir.foreign import without_foreign_attributes

ANNOTATED = """module attributes {acme.all = #acme<m>} {
  func.func @main(%a: tensor<2xf32> {acme.arg = #acme<y>, mhlo.kept = 1 : i32}) -> (tensor<2xf32> {tt.kind = #tt.x<a, b>}) attributes {xla.effects = [#xla<read>]} {
    %0 = stablehlo.add %a, %a {acme.note = {k = #acme<x>, l = 3 : i32}, acme.list = [1, 2]} : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""
X = "dense<1.5> : tensor<2xf32>"


def written(path: Path, text: str = ANNOTATED) -> str:
    (path / "a.mlir").write_text(text)
    return str(path / "a.mlir")


def test_attributes_stop_nothing_that_does_not_need_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path)
    for arguments in (
        ["run", path, X],
        ["run", path, X, "--reference"],
        ["run", path, X, "--backend=xla"],
        ["info", path],
        ["verify", path],
        ["diff", path, "--against=xla", X],
    ):
        assert main(arguments) == 0, (arguments, capsys.readouterr().err)
    data = io.BytesIO()
    hlokit.load(ANNOTATED).module.operation.write_bytecode(data)
    np.testing.assert_array_equal(hlokit.load(data.getvalue())(np.ones(2, np.float32)), [2, 2])
    assert main(["shard", path, "--mesh=a=2", "--in=0:P('a')"]) == 0


def test_text_that_kills_its_reader_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bindings may crash while they parse what they do not know: a child process parses it first."""

    def dies(*_: Any) -> None:
        raise hlokit.ParseError("it kills its reader")

    monkeypatch.setattr(parse, "require_survival", dies)
    with pytest.raises(hlokit.ParseError, match="created with unregistered dialect"):
        hlokit.load(ANNOTATED)


def test_attributes_in_artifacts() -> None:
    data = hlokit.load(ANNOTATED).serialize("current", allow_other_dialects=True)
    program = hlokit.load(data)
    np.testing.assert_array_equal(program(np.ones(2, np.float32)), [2, 2])
    assert "acme.note = {k = #acme.x, l = 3 : i32}" in program.text()


def test_types_in_functions_that_are_not_called() -> None:
    text = f"{identity('tensor<2xf32>', 'main')}{identity('!acme.handle<3>', 'other')}"
    for backend in ("numpy", "xla"):
        np.testing.assert_array_equal(hlokit.load(text, backend=backend)(np.ones(2, np.float32)), [1, 1])
    encoded = identity("tensor<2xf32, #acme.sparse<1>>", "main")
    with pytest.raises(hlokit.UnsupportedError, match=r"XLA cannot compile @main: .*#acme"):
        hlokit.load(encoded, backend="xla")(np.ones(2, np.float32))


def identity(type_: str, name: str) -> str:
    return f"func.func @{name}(%a: {type_}) -> {type_} {{ return %a : {type_} }}\n"


def test_attributes_are_kept_and_removed() -> None:
    program = hlokit.load(ANNOTATED)
    assert all(text in program.text() for text in ("#acme.m", "#acme.y", "#tt.x", "[#xla.read]", "#acme.x"))
    text = str(without_foreign_attributes(program.module.operation))
    assert "#" not in text
    assert "mhlo.kept = 1 : i32" in text
    assert "acme.note = {l = 3 : i32}" in text
    assert "acme.list = [1, 2]" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('func.func @f() {\n  "acme.do"() : () -> ()\n  return\n}', "operation being parsed with an unregistered"),
        ("func.func @f() {\n  acme.do\n  return\n}", "Dialect `acme' not found for custom op"),
        (
            'func.func @f(%a: tensor<i1>) {\n  %0 = "stablehlo.compare"(%a, %a) {comparison_direction = #stabelhlo<comparison_direction LT>} : (tensor<i1>, tensor<i1>) -> tensor<i1>\n  return\n}',
            "did you mean stablehlo",
        ),
    ],
)  # fmt: skip
def test_what_a_program_needs_is_refused(text: str, message: str) -> None:
    with pytest.raises(hlokit.ParseError, match=message):
        hlokit.load(text)


OPERATION = """func.func @main() -> tensor<i32> {
  "acme.before"() {k = #acme<x>} : () -> ()
  %0 = stablehlo.constant {acme.note = #acme<x>} dense<3> : tensor<i32>
  return %0 : tensor<i32>
}
func.func @other() -> tensor<i32> {
  %0 = stablehlo.constant {acme.note = #acme<x>} dense<3> : tensor<i32>
  return %0 : tensor<i32>
}"""


def test_flag_of_translate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, OPERATION)
    flag = "--allow-unregistered-dialect"
    assert translate(["--interpret", flag, "--function=other", path]) == 0
    assert capsys.readouterr().out == "tensor<i32> {3}\n"
    assert translate(["--interpret", flag, path]) == 1
    assert "hlokit does not evaluate acme.before" in capsys.readouterr().err
    assert translate(["--interpret", "--function=other", path]) == 1
    assert "unregistered dialect" in capsys.readouterr().err


def test_flag_of_opt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path)
    assert opt([path]) == 1
    assert "created with unregistered dialect" in capsys.readouterr().err
    assert opt([path, "--allow-unregistered-dialect"]) == 0
    assert "#acme.x" in capsys.readouterr().out
