"""A module imports only from rooms below its own: the order in docs/architecture.md.

Imports inside functions and under TYPE_CHECKING count like all others.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python" / "hlokit"

# The rooms from the lowest to the highest. Rooms of one line may not import each other.
ORDER = """
    printable
    display
    errors _bytecode _kernels
    files forks formats lifetimes values contract.traits
    mlir.text mlir.sandbox
    mlir
    contract reference.numbers
    reference.model
    reference.stablehlo
    reference.dialects
    reference
    plan
    native observe grid
    grid.mpi
    ops
    ops.shapes
    ops.elementwise
    ops.contractions
    ops.regions
    ops.normalization ops.random ops.linalg ops.processes ops.quantized ops.dialects ops.control_flow
    ops.custom_calls
    checks
    interpreter
    tracing
    importers arguments jax_interop passes compat constraints numerics unsupported
    view
    parallel runs verified
    program
    loading
    service backends recording model_explorer
    differences.flow differences.comparing sharding.notation sharding.cost_model
    differences.isolation differences.instrumented differences.equivalence sharding.partitioners
    sharding.comparison sharding.reports
    differences sharding
    excerpts
    reduction
    __init__ accuracy
    cli.frame
    cli.streams
    cli
    conformance __main__
    pytest_plugin selftest testing
"""
RANKS = {room: rank for rank, line in enumerate(ORDER.split("\n")) for room in line.split()}
WITHOUT_MLIR = (
    "values/",
    "plan/plan.py",
    "plan/executors.py",
    "plan/evaluate.py",
    "native/",
    "grid/",
    "observe/",
)

EXTENSIONS = ("hlokit._bytecode", "hlokit._kernels")
MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """Dotted names that a file imports, inside functions and for types included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def room_of(name: str) -> str:
    """The room of a dotted name within hlokit."""
    parts = name.split(".")[1:]
    for count in (2, 1):
        if (room := ".".join(parts[:count])) in RANKS:
            return room
    return "__init__"


def name_of(path: Path) -> str:
    """The dotted name of a module."""
    return ".".join(("hlokit", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


NAMES = {name_of(path): path for path in MODULES}


def module_of(name: str) -> str:
    """The module that a dotted name is, or is in."""
    while name and name not in NAMES and name not in EXTENSIONS:
        name = name.rpartition(".")[0]
    return name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    own = room_of(name_of(path))
    for name in imported_modules(path):
        if name.startswith("hlokit."):
            room = room_of(name)
            assert room == own or RANKS[room] < RANKS[own], f"{own} ({path.name}) imports {name}"


def test_every_room_has_modules() -> None:
    assert {room_of(name) for name in NAMES} | {name.rpartition(".")[2] for name in EXTENSIONS} == set(RANKS)


def test_modules_import_each_other_in_no_circle() -> None:
    graph = {
        module: {module_of(name) for name in imported_modules(path) if name.startswith("hlokit.")} - {module}
        for module, path in NAMES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"circle: {' -> '.join(error.args[1])}")


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
