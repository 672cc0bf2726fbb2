"""A module imports only from rooms below its own: the order in docs/architecture.md.

There are no import cycles, neither of modules nor of folders. Imports inside functions and under TYPE_CHECKING
count like all others.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python" / "hlokit"

# The rooms from the lowest to the highest. Rooms of one line may not import each other.
ORDER = """
    printable
    display
    errors operations _bytecode _kernels
    children files formats values
    mlir.text mlir.sandbox
    mlir.provider
    mlir.queries
    mlir.conversion
    mlir
    contract reference.numbers
    reference.model
    reference.stablehlo
    reference.dialects
    plan
    native.ir
    native.lowerings
    native.fused
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
    numerics.rules passes.framework reduction.rules sharding.prices
    passes.rules
    operations.cards
    reference
    tracing
    importers arguments jax_interop compat constraints numerics
    passes.simplification
    passes.folding
    passes
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
    cli.evaluating
    cli.upstream
    cli.commands
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
    return names_imported_by(path.read_text())


def names_imported_by(source: str) -> frozenset[str]:
    """Dotted names that a source imports, inside functions and for types included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None and node.level == 0, "an import must name its module in full"
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
    """The module that a dotted name denotes, or that contains it."""
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


def folder_of(module: str) -> str:
    """The package of a module: its folder. Modules directly in hlokit are folders of their own."""
    if module in EXTENSIONS or NAMES[module].name == "__init__.py":
        return module
    package = module.rpartition(".")[0]
    return module if package == "hlokit" else package


def module_graph() -> dict[str, set[str]]:
    """The modules of hlokit that each module imports."""
    return {
        module: {module_of(name) for name in imported_modules(path) if name.startswith("hlokit.")} - {module}
        for module, path in NAMES.items()
    }


def folder_graph(modules: dict[str, set[str]]) -> dict[str, set[str]]:
    """The folders that each folder imports."""
    graph: dict[str, set[str]] = defaultdict(set)
    for module, imported in modules.items():
        graph[folder_of(module)].update({folder_of(name) for name in imported} - {folder_of(module)})
    return graph


def cycle_in(graph: dict[str, set[str]]) -> str:
    """A cycle in a graph as text; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " -> ".join(error.args[1])
    return ""


def test_modules_form_no_import_cycle() -> None:
    assert cycle_in(module_graph()) == ""


def test_folders_form_no_import_cycle() -> None:
    graph = folder_graph(module_graph())
    assert {"hlokit.mlir.text", "hlokit.contract", "hlokit.passes.folding"} <= set(graph)
    assert cycle_in(graph) == ""


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("hlokit.mlir.queries.module", "hlokit.contract.registry"),
        ("hlokit.passes.framework.building", "hlokit.passes.infer"),
        ("hlokit.native.ir.target", "hlokit.native.program"),
        ("hlokit.values.bits", "hlokit.files"),
    ],
)
def test_a_cycle_of_folders_is_found(module: str, imported: str) -> None:
    """Modules that form no cycle, in folders that form one."""
    source = f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from {imported} import anything\n"
    modules = module_graph()
    modules[module] = modules[module] | {
        module_of(name) for name in names_imported_by(source) if "hlokit" in name
    }
    assert imported in modules[module]
    assert bool(cycle_in(folder_graph(modules))) == (imported != "hlokit.files")


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES}), ids=lambda path: path.name)
def test_folders_have_few_files(folder: Path) -> None:
    files = [path for path in folder.iterdir() if path.is_file() and path.suffix not in (".so", ".pyd")]
    assert len(files) <= 20


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_seam_imports_the_bindings(path: Path) -> None:
    if path == PACKAGE / "mlir" / "provider" / "bindings.py":
        assert any(name.startswith("jaxlib.mlir") for name in imported_modules(path))
        return
    for name in imported_modules(path):
        assert not name.startswith(("jaxlib", "mlir.")), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_executors_and_values_know_no_mlir(path: Path) -> None:
    relative = path.relative_to(PACKAGE).as_posix()
    knows = any(name.startswith("hlokit.mlir") for name in imported_modules(path))
    assert not (knows and relative.startswith(WITHOUT_MLIR)), f"{relative} imports hlokit.mlir"


ROOT = PACKAGE.parents[1]
# Files whose size architecture.md explains.
LARGE = ("lib/kernels/functions/tables.h", "python/hlokit/view/page.js")


def test_files_have_at_most_400_lines() -> None:
    suffixes = {".py", ".js", ".css", ".cpp", ".h", ".inc"}
    files = [
        path for room in ("python", "lib") for path in (ROOT / room).rglob("*") if path.suffix in suffixes
    ]
    sizes = {path.relative_to(ROOT).as_posix(): path.read_bytes().count(b"\n") for path in files}
    assert {
        name: size for name, size in sizes.items() if size > 400 and "vendored" not in name
    }.keys() <= set(LARGE)
    assert set(LARGE) <= set(sizes)
