"""Commands make one Program of a program, and define each flag once."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hlokit.cli import main
from hlokit.cli.upstream import translate
from hlokit.programs import program

COMMANDS = Path(main.__file__).parent
TEXT = """func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}
"""
# Flags of one name with different meanings: MLIR's takes a mode; the other flag is accepted for old scripts.
HOMONYMS = {"verify-diagnostics": 2}


@pytest.mark.parametrize("backend", ["numpy", "xla"])
@pytest.mark.parametrize("count", [1, 3])
def test_one_program_per_run(
    backend: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    initialize = program.Program.__init__

    def counted(self: program.Program, *arguments: Any, **keywords: Any) -> None:
        made.append(self)
        initialize(self, *arguments, **keywords)

    monkeypatch.setattr(program.Program, "__init__", counted)
    path = tmp_path / "f.mlir"
    path.write_text("// -----\n".join([TEXT] * count))
    argument = "dense<3> : tensor<i32>"
    if count == 1:
        assert main.main(["run", str(path), argument, f"--backend={backend}"]) == 0
    elif backend == "numpy":
        command = ["--interpret", "--split-input-file", str(path), f"--args=[{argument}]"]
        assert translate.main(command) == 0
    else:
        pytest.skip("--interpret has no --backend")
    assert len(made) == count


def test_reading_an_artifact_makes_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, artifact = tmp_path / "f.mlir", tmp_path / "f.mlirbc"
    path.write_text(TEXT)
    assert translate.main(["--serialize", "--target=1.0.0", str(path), "-o", str(artifact)]) == 0
    monkeypatch.setattr(program.Program, "__init__", lambda *arguments, **keywords: pytest.fail("a Program"))
    assert translate.main(["--deserialize", str(artifact)]) == 0


def test_flags_are_defined_once() -> None:
    defined = Counter(
        node.args[0].value
        for path in COMMANDS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Flag"
        and isinstance(node.args[0], ast.Constant)
    )
    assert {name: count for name, count in defined.items() if count > 1} == HOMONYMS
    assert {"function", "interpret", "engine", "pass-pipeline"} <= set(defined)
