"""stablehlo-translate --serialize and --deserialize."""

from __future__ import annotations

from pathlib import Path

import pytest

import hlokit
from hlokit.cli.upstream.translate import main
from hlokit.compat.requirements import current_version
from hlokit.compat.serialize import serialize
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context

from .programs import CHLO, MIXED, PLAIN, module
from .test_sandboxed_parse import from_the_future


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain.mlir"
    path.write_text(PLAIN)
    return path


def test_round_trip(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    artifact = plain.with_suffix(".mlirbc")
    assert main(["--serialize", "--target=1.1.0", str(plain), "-o", str(artifact)]) == 0
    assert artifact.read_bytes() == hlokit.load(plain).serialize("1.1.0")
    assert main(["-deserialize", "--print-stablehlo-version", str(artifact)]) == 0
    version, text = capsys.readouterr().out.split("\n", 1)
    assert version == "// Reading portable artifact with StableHLO version: 1.1.0"
    assert text == hlokit.load(plain).text()


def test_artifact_on_the_standard_output(plain: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["--serialize", "--target=current", str(plain)]) == 0
    assert capfdbinary.readouterr().out == hlokit.load(plain).serialize()


def test_lowest_target_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mixed.mlir"
    path.write_text(MIXED)
    assert main(["--serialize", "--target=min", str(path), "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err == f"{path}: written for StableHLO 1.10.0\n"


def test_impossible_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mixed.mlir"
    path.write_text(MIXED)
    assert main(["--serialize", "--target=1.9.0", str(path), "-o", str(tmp_path / "out")]) == 1
    summary, detail, source, caret = capsys.readouterr().err.splitlines()
    assert summary == (
        f"{path}: error: the program cannot be written for 1.9.0; the oldest target that can hold it is 1.10.0"
    )
    assert detail.startswith(f"{path}:4:8: error: attribute 'result_accuracy = ")
    assert "stablehlo.cosine" in source
    assert caret == "       ^"
    assert not (tmp_path / "out").exists()


def test_other_dialects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chlo.mlir"
    path.write_text(CHLO)
    arguments = ["--serialize", "--target=current", str(path), "-o", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert "operation 'chlo.erf' has no portable form" in capsys.readouterr().err
    assert main(["--allow-other-dialects", *arguments]) == 0
    assert main(["--deserialize", str(tmp_path / "out")]) == 0
    assert "chlo.erf" in capsys.readouterr().out


def test_locations(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    artifact = str(plain.with_suffix(".mlirbc"))
    assert main(["--serialize", "--target=current", str(plain), "-o", artifact]) == 0
    assert main(["--deserialize", "--mlir-print-debuginfo", artifact]) == 0
    assert ":3:8)" in capsys.readouterr().out
    assert main(["--serialize", "--target=current", "--strip-debuginfo", str(plain), "-o", artifact]) == 0
    assert main(["--deserialize", "--mlir-print-debuginfo", artifact]) == 0
    assert ":3:8)" not in capsys.readouterr().out


def test_versioned_text_is_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "versioned.mlir"
    with make_context():
        path.write_text(str(ir.Module.parse(serialize(module(PLAIN), "0.9.0"))))
    assert "vhlo.add_v1" in path.read_text()
    assert main(["--deserialize", "--print-stablehlo-version", str(path)]) == 0
    version, text = capsys.readouterr().out.split("\n", 1)
    assert version == "// Failed parsing StableHLO version from portable artifact"
    assert text == hlokit.load(PLAIN).text()


def test_an_artifact_from_the_future(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.mlirbc"
    path.write_bytes(from_the_future())
    assert main(["--deserialize", "--verify-diagnostics", str(path)]) == 1
    errors = capsys.readouterr().err
    assert "error: unregistered operation 'vhlo.add_v9' found in dialect ('vhlo')" in errors
    assert "note: in bytecode version 6 produced by: StableHLO_v9." in errors
    assert f"failed to deserialize portable artifact using StableHLO_v{current_version()}" in errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--serialize"], "--serialize must have a target"),
        (
            ["--serialize", "--deserialize"],
            "one translation must be given, got --serialize and --deserialize",
        ),
        (["--serialize", "--target=min", "--split-input-file"], "--split-input-file must not be given"),
    ],
)
def test_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "nowhere.mlir"]) == 1
    assert message in capsys.readouterr().err
