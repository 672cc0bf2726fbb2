"""The modules that a small program imports: only those that it needs."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest


ADDITION = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""

# The modules of hlokit that a run of ADDITION imports. Each further module delays the start of every program
# by a third of a millisecond, and each dataclass in it by as much again (a `Record` does not). Prefer an import within a function.
LOADED = {
    "hlokit": """
        _bytecode _kernels arguments checks children contract errors files formats interpreter loading
        mlir native operations ops plan program records runs values verified
    """,
    "hlokit.children": "forks lifetimes",
    "hlokit.values": "bits element_types float_format tensor types",
    "hlokit.mlir": "conversion crash_signatures parse portable provider queries text",
    "hlokit.mlir.provider": "bindings context diagnostics versions",
    "hlokit.mlir.queries": "module structure types",
    "hlokit.mlir.conversion": "attributes constants",
    "hlokit.mlir.text": "nesting",
    "hlokit.operations": "index lookup traits",
    "hlokit.contract": """
        array_ops canonical_nan frames lazy_modules nan_bits region registry run_context switches threads
        thresholds
    """,
    "hlokit.plan": "block compiling evaluate executors plan",
    "hlokit.native": "fused ir",
    "hlokit.native.fused": "candidates",
    "hlokit.native.ir": "target",
    "hlokit.interpreter": "memory nan_bits planner tiers",
    "hlokit.ops": "elementwise",
    "hlokit.ops.elementwise": """
        arithmetic blocked_kernels cache_blocking complex_functions integer_functions
        kernel_factories narrow_floats native
    """,
}
# Modules of other libraries that are slow to import and not needed here.
NOT_LOADED = (
    *("asyncio", "concurrent.futures", "email", "fractions", "importlib.metadata", "json", "tempfile"),
    *("jaxlib.mlir.dialects._stablehlo_ops_gen", "jaxlib.mlir.dialects._func_ops_gen", "numpy.random"),
)


def in_new_process(script: str) -> Any:
    """The JSON that a script prints."""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def modules_after(script: str) -> set[str]:
    """Names of the modules that are loaded when a script has run."""
    return set(
        in_new_process(
            f"{script}\nimport sys; names = list(sys.modules)\nimport json; print(json.dumps(names))"
        )
    )


def test_a_small_program_imports_only_modules_that_it_needs() -> None:
    modules = modules_after(f"import hlokit; hlokit.load({ADDITION!r})([1.0, 2.0])")
    listed = {f"{package}.{name}" for package, names in LOADED.items() for name in names.split()}
    loaded = {name for name in modules if name.startswith("hlokit.")}
    assert loaded - listed == set()
    assert listed - loaded == set(), "the run does not import it: remove it from the list"
    assert modules.isdisjoint(NOT_LOADED)


def test_readers_of_bytecode_do_not_load_kernels() -> None:
    modules = modules_after("import hlokit._bytecode")
    assert "hlokit._kernels" not in modules
    script = "import hlokit._bytecode, json; print(json.dumps('_kernels' in open('/proc/self/maps').read()))"
    assert not Path("/proc/self/maps").exists() or in_new_process(script) is False


def test_hlokit_alone_imports_next_to_nothing() -> None:
    modules = modules_after("import hlokit; hlokit.ParseError")
    assert modules.isdisjoint(("numpy", "jaxlib", "ml_dtypes"))
    assert {name for name in modules if name.startswith("hlokit")} == {
        *("hlokit", "hlokit.checks", "hlokit.contract", "hlokit.contract.lazy_modules", "hlokit.errors"),
        *("hlokit.children", "hlokit.children.forks", "hlokit.ops", "hlokit.records"),
    }


@pytest.mark.parametrize("frozen", [False, True])
def test_names_are_imported_without_collecting_garbage(frozen: bool) -> None:
    script = f"""
import gc, json
if {frozen}:
    gc.freeze()
import hlokit
before = sum(one["collections"] for one in gc.get_stats())
hlokit.load
after = sum(one["collections"] for one in gc.get_stats())
print(json.dumps([after - before, gc.isenabled(), gc.get_freeze_count() > 1000]))
"""
    collections, is_enabled, is_frozen = in_new_process(script)
    assert (collections <= frozen, is_enabled, is_frozen) == (True, True, frozen)


def test_commands_are_imported_without_collecting_garbage() -> None:
    script = """
import gc, json, sys, types
import hlokit.cli
sys.modules["hlokit.cli.command_of_a_test"] = command = types.ModuleType("command_of_a_test")
command.main = lambda: (gc.isenabled(), gc.get_freeze_count() > 1000)
print(json.dumps(hlokit.cli._run("command_of_a_test")))
"""
    assert in_new_process(script) == [True, True]


def test_commands_are_where_the_package_says() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert sorted(project["scripts"]) == ["hlokit", "stablehlo-opt", "stablehlo-translate"]
    for name, place in project["scripts"].items():
        module, _, function = place.partition(":")
        script = (
            f"import sys; sys.argv = [{name!r}, '--version']; from {module} import {function}; {function}()"
        )
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert run.stdout.startswith(name)


# The modules that register custom calls: the module whose body runs is the one that registers.
WHO_REGISTERS = """
import importlib, json, pkgutil, sys
from hlokit import checks, ops
from hlokit.contract import custom_calls
from hlokit.contract import lazy_modules

def running():
    frame = sys._getframe(2)
    while frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame.f_globals["__name__"]

calls = set()
register = custom_calls.builtin_custom_call

def builtin_custom_call(target):
    calls.add(running())
    return register(target)

custom_calls.builtin_custom_call = builtin_custom_call
for package in (checks, ops):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
print(json.dumps([sorted(calls), sorted(lazy_modules._CUSTOM_CALLS)]))
"""


def test_custom_calls_are_in_the_listed_modules() -> None:
    registering, listed = in_new_process(WHO_REGISTERS)
    assert registering == listed


def test_dialects_stay_complete_for_other_libraries() -> None:
    """Modules of the bindings that JAX imports have the same names after hlokit as without it."""
    dialects = ("sdy", "stablehlo", "chlo", "func", "builtin")
    script = (
        "import importlib\n"
        f"modules = [importlib.import_module('jaxlib.mlir.dialects.' + name) for name in {dialects!r}]\n"
        "print([sorted(vars(module)) for module in modules])"
    )
    used = "import hlokit; hlokit.load('func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }')\n"
    without, after = (
        subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout
        for text in (script, used + script)
    )
    assert "DimMappingAttr" in without
    assert after == without


def test_names_are_looked_up_once() -> None:
    script = (
        "import json, hlokit; hlokit.load; print(json.dumps(sorted({'load', 'Tensor'} & set(vars(hlokit)))))"
    )
    assert in_new_process(script) == ["load"]
