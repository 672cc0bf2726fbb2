"""Commands that compare an endless program with another one end within their time limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlokit.cli.main import main

pytestmark = pytest.mark.deep

ENDLESS = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<4xf32>
  cond {
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    stablehlo.return %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
"""
COPY = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


@pytest.fixture
def programs(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "endless.mlir").write_text(ENDLESS)
    (tmp_path / "copy.mlir").write_text(COPY)
    return str(tmp_path / "endless.mlir"), str(tmp_path / "copy.mlir")


def test_a_definition_without_end_is_not_compared(
    programs: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    endless, copy = programs
    assert main(["judge", endless, copy, "--time-limit=0.5"]) == 2
    lines = capsys.readouterr().out.splitlines()[1:]
    assert len(lines) == 3
    assert all("the definition took longer than 0.5 s" in line for line in lines)


def test_a_candidate_without_end_has_failed(
    programs: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    endless, copy = programs
    assert main(["judge", copy, endless, "--time-limit=0.5"]) == 1
    assert "failed       random" in capsys.readouterr().out


def test_a_program_without_end_shows_no_difference(
    programs: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jax")
    assert main(["reduce", programs[0], "--zeros", "--keep=diverges:xla", "--time-limit=2"]) == 1
    assert "could not be compared" in capsys.readouterr().err
