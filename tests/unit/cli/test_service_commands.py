"""`hlokit verify` and `hlokit infer` from within; tests/cli runs them as processes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from hlokit.cli import main

INVALID = """func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {
\t%0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
VALID = "func.func @f() {\n  return\n}\n"


@pytest.fixture
def invalid(tmp_path: Path) -> str:
    path = tmp_path / "invalid.mlir"
    path.write_text(INVALID)
    return str(path)


def test_verify_shows_the_line(invalid: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["verify", invalid]) == 1
    headline, source, caret = capsys.readouterr().out.splitlines()
    assert headline.startswith(f"{invalid}:2:7: error: number of output elements")
    assert source == INVALID.splitlines()[1]
    assert caret == "\t     ^"


def test_verify_json(invalid: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    valid = tmp_path / "valid.mlir"
    valid.write_text(VALID)
    assert main.main(["verify", "--json", str(valid), invalid]) == 1
    first, second = json.loads(capsys.readouterr().out)["files"]
    assert first == {"file": str(valid), "valid": True, "diagnostics": []}
    assert (second["file"], second["valid"]) == (invalid, False)
    assert second["diagnostics"][0]["line"] == 2


def test_one_invalid_file_is_enough(invalid: str, tmp_path: Path) -> None:
    valid = tmp_path / "valid.mlir"
    valid.write_text(VALID)
    assert main.main(["verify", str(valid)]) == 0
    assert main.main(["verify", invalid, str(valid)]) == 1


def test_verify_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gather.mlir"
    path.write_text("""func.func @f(%a: tensor<4x2xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}
""")
    assert main.main(["verify", str(path)]) == 0
    assert main.main(["verify", "--strict", str(path)]) == 1
    assert "all_gather_dim must grow" in capsys.readouterr().out


def test_verify_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for text, status, message in ((VALID, 0, ""), (INVALID, 1, "<stdin>:2:7: error:")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert main.main(["verify", "--strict", "-"]) == status
        assert capsys.readouterr().out.startswith(message)


@pytest.mark.parametrize(
    ("arguments", "types"),
    [
        (["chlo.broadcast_compare", "tensor<2x1xf32>", "tensor<3xf32>", "--attribute", "comparison_direction=GT"], ["tensor<2x3xi1>"]),
        (["reduce", "tensor<2x4xi8>", "tensor<2x4xi4>", "tensor<i8>", "tensor<i4>", "--attribute=dimensions=array<i64: 1>", "--region=minimum"], ["tensor<2xi8>", "tensor<2xi4>"]),
        (["iota", "--attribute=iota_dimension=0", "--result=tensor<7xi32>"], ["tensor<7xi32>"]),
    ],
)  # fmt: skip
def test_infer(arguments: list[str], types: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["infer", *arguments]) == 0
    assert capsys.readouterr().out.splitlines() == types
    assert main.main(["infer", "--json", *arguments]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": 1, "types": types}


def test_infer_json_of_an_operation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["infer", "--json", "partition_id"]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": 1, "types": ["tensor<ui32>"]}
    assert main.main(["infer", "--json", "add", "tensor<f32>", "tensor<i32>"]) == 1
    assert "the same element type" in json.loads(capsys.readouterr().out)["error"]["message"]
    assert main.main(["infer", "--json", "nothing.json"]) == 1
    assert "'nothing.json': no such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "infer: an operation must be given"),
        (["add", "--attribute=x"], "--attribute must be NAME=VALUE, got 'x'"),
        (["add", "tensor<f32>"], "expected 2 operands, but found 1"),
        (["--json", "{}", "{}"], "infer: one request must be given, got 2"),
    ],
)
def test_infer_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["infer", *arguments]) in (1, 2)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ('{"op": "create_token"}', '{"version": 1, "types": ["!stablehlo.token"]}'),
        (
            '{"id": 1, "method": "infer", "params": {"op": "create_token"}}',
            '{"version": 1, "types": ["!stablehlo.token"]}',
        ),
        ('{"op": ', '{"version": 1, "error": {"message": "the request must be JSON:'),
        (
            '{"op": "no"}',
            '{"version": 1, "error": {"message": "the operation must be one of StableHLO or CHLO',
        ),
        ('{"id": 1, "method": "ping"}', '{"version": 1}'),
    ],
)
def test_infer_json(request_: str, answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "request.json"
    path.write_text(request_)
    for argument in (request_, str(path)):
        assert main.main(["infer", "--json", argument]) == (1 if "error" in answer else 0)
        assert capsys.readouterr().out.startswith(answer)
