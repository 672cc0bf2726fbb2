"""A module imports only from rooms below its own: the order in docs/architecture.md.

There are no import cycles, neither of modules nor of folders. Imports inside functions and under TYPE_CHECKING
count like all others.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python" / "hlokit"

# The rooms from the lowest to the highest. Rooms of one line may not import each other.
ORDER = """
    display
    errors operations _bytecode _kernels _pjrt
    children files values
    mlir.text mlir.sandbox
    mlir.provider
    mlir.queries
    mlir.conversion
    mlir
    engine.contract reference.numbers
    reference.model
    reference.stablehlo
    reference.dialects
    engine.plan
    engine.native.ir
    engine.native.lowerings
    engine.native.fused
    engine.native engine.observe engine.grid
    engine.grid.mpi
    engine
    kernels
    kernels.shapes
    kernels.elementwise
    kernels.contractions
    kernels.regions
    kernels.normalization kernels.random kernels.linalg kernels.processes kernels.quantized
    kernels.dialects kernels.control_flow
    kernels.custom_calls
    kernels.checks
    engine.interpreter
    tools
    tools.equal.rules tools.numerics.rules passes.framework tools.reduce.rules tools.shard.prices tools.diff.rules
    tools.bounds.rules
    passes.rules
    operations.cards
    reference
    tools.tracing tools.shard.cost_model
    programs
    programs.importers compat constraints tools.numerics
    tools.bounds
    passes.simplification
    passes.folding
    passes
    programs.calls
    programs.examples tools.view
    programs.jax_calling programs.verified
    programs.jax_interop programs.callable_module
    programs.program
    programs.loading
    clients
    tools.equal
    tools.equal.proofs
    tools.service tools.backends tools.recording clients.model_explorer
    tools.diff.flow tools.diff.comparing tools.shard.notation
    tools.diff.isolation tools.diff.instrumented tools.diff.equivalence tools.shard.partitioners
    tools.shard.comparison tools.shard.reports
    tools.diff tools.shard
    tools.excerpts tools.stages tools.invariance
    tools.reduce tools.judge
    tools.kit
    clients.pjrt
    jax
    __init__
    cli.frame
    cli.streams
    cli.evaluating
    cli.upstream
    tools.conformance
    cli.commands
    cli
    __main__
    clients.pytest_plugin selftest testing
"""
RANKS = {room: rank for rank, line in enumerate(ORDER.split("\n")) for room in line.split()}
WITHOUT_MLIR = (
    "values/",
    "engine/plan/plan.py",
    "engine/plan/executors.py",
    "engine/plan/evaluate.py",
    "engine/native/",
    "engine/grid/",
    "engine/observe/",
)

EXTENSIONS = ("hlokit._bytecode", "hlokit._kernels", "hlokit._pjrt")
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
    for count in (3, 2, 1):
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


def points_down(importing: str, imported: str) -> bool:
    """Whether a module may import a name of hlokit: one of its own room or of a lower room."""
    own, room = room_of(importing), room_of(imported)
    return room == own or RANKS[room] < RANKS[own]


def test_imports_point_down() -> None:
    upward = [
        f"{module} imports {name}, which is not in a lower room"
        for module, path in NAMES.items()
        for name in sorted(imported_modules(path))
        if name.startswith("hlokit.") and not points_down(module, name)
    ]
    assert upward == []
    assert points_down("hlokit.engine.plan.plan", "hlokit.errors.HlokitError")
    assert not points_down("hlokit.errors", "hlokit.engine.plan.plan.Plan")


# Modules that import by a name that is not in their source. Generated files and lists of the package have these names.
LAZY = {
    "hlokit": "public names, which the stub lists",
    "hlokit.engine.contract.lazy_modules": "custom calls, which their packages list",
    "hlokit.engine.contract.registry": "kernels, which the index of operations lists",
    "hlokit.tools.judge.candidates": "modules of users, which have the functions that are judged",
    "hlokit.mlir.provider.bindings": "modules of jaxlib, by dialect",
    "hlokit.operations.cards": "chapters, which the index of operations lists",
}


def imports_by_string(source: str) -> list[str]:
    """The arguments of calls of `import_module` that name a module of hlokit, or compute a name."""
    if "import_module" not in source:  # to parse all modules takes seconds
        return []
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    arguments = [
        ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func).endswith("import_module")
    ]
    return [text for text in arguments if text.startswith(("'hlokit", "f'")) or text.isidentifier()]


def test_no_module_of_hlokit_is_imported_by_a_string() -> None:
    """Such an import has no type, and no layer."""
    importing = {module for module, path in NAMES.items() if imports_by_string(path.read_text())}
    assert importing == LAZY.keys()
    assert imports_by_string("import_module('hlokit.tools.shard.sharded').shard(program)")


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
    assert {"hlokit.mlir.text", "hlokit.engine.contract", "hlokit.passes.folding"} <= set(graph)
    assert cycle_in(graph) == ""


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("hlokit.mlir.queries.module", "hlokit.engine.contract.registry"),
        ("hlokit.passes.framework.building", "hlokit.passes.infer"),
        ("hlokit.engine.native.ir.target", "hlokit.engine.native.program"),
        ("hlokit.values.bits", "hlokit.files.reading"),
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
    assert bool(cycle_in(folder_graph(modules))) == (imported != "hlokit.files.reading")


def test_folders_have_few_files() -> None:
    counts = Counter(
        file.parent.relative_to(PACKAGE).as_posix()
        for folder in {path.parent for path in MODULES}
        for file in folder.iterdir()
        if file.is_file() and file.suffix not in (".so", ".pyd")
    )
    assert {folder: count for folder, count in counts.items() if count > 20} == {}


def modules_that_import(*prefixes: str) -> set[str]:
    """The modules that import a name with one of the prefixes."""
    return {
        module
        for module, path in NAMES.items()
        if any(name.startswith(prefixes) for name in imported_modules(path))
    }


def test_only_the_seam_imports_the_bindings() -> None:
    assert modules_that_import("jaxlib", "mlir.") == {"hlokit.mlir.provider.bindings"}


def test_executors_and_values_know_no_mlir() -> None:
    importing = modules_that_import("hlokit.mlir")
    assert "hlokit.mlir.parse" in importing
    without = [NAMES[module].relative_to(PACKAGE).as_posix() for module in importing]
    assert [path for path in without if path.startswith(WITHOUT_MLIR)] == []


ROOT = PACKAGE.parents[1]
# Files whose size architecture.md explains.
LARGE = ("lib/kernels/functions/tables.h",)


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
