"""A module imports only from packages on its left: the order in docs/architecture.md."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python" / "hlokit"

# Packages of equal rank may not import each other.
RANKS = {
    "errors": 0,
    "_native": 0,
    "values": 1,
    "mlir": 2,
    "interpreter": 3,
    "ops": 4,
    "checks": 4,
    "arguments": 5,
    "jax_interop": 5,
    "passes": 5,
    "compat": 5,
    "constraints": 5,
    "numerics": 5,
    "unsupported": 5,
    "program": 6,
    "service": 6,
    "loading": 7,
    "__init__": 8,
    "accuracy": 8,
    "cli": 9,
    "conformance": 10,
}
# Executors and kernels' values run without MLIR.
WITHOUT_MLIR = ("values/", "interpreter/run.py", "interpreter/steps.py", "interpreter/evaluate.py")

MODULES = sorted(PACKAGE.rglob("*.py"))


def imported_modules(path: Path) -> set[str]:
    """Dotted names that a file imports at run time, inside functions included."""
    names: set[str] = set()
    tree = ast.parse(path.read_text())
    type_checking = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in type_checking:
            continue
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def rank_of(path: Path) -> int:
    return RANKS[path.relative_to(PACKAGE).parts[0].removesuffix(".py")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_left(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for name in imported_modules(path):
        if not name.startswith("hlokit."):
            continue
        package = name.split(".")[1]
        package = package if package in RANKS else "__init__"
        assert package == own or RANKS[package] < rank_of(path), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_seam_imports_the_bindings(path: Path) -> None:
    if path == PACKAGE / "mlir" / "bindings.py":
        assert any(name.startswith("jaxlib.mlir") for name in imported_modules(path))
        return
    for name in imported_modules(path):
        assert not name.startswith(("jaxlib", "mlir.")), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_executors_and_values_know_no_mlir(path: Path) -> None:
    relative = path.relative_to(PACKAGE).as_posix()
    knows = any(name.startswith("hlokit.mlir") for name in imported_modules(path))
    assert not (knows and relative.startswith(WITHOUT_MLIR)), f"{relative} imports hlokit.mlir"
