"""What imports do: few modules, all of them before the first run ends, and no change of the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ADDITION = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""

# What a run of ADDITION imports: the engine with its compilers, so that no later call imports anything, and kernels of
# this family. Each further module delays the start of every program by a fifth of a millisecond.
ROOMS = """
    _bytecode _kernels children display engine errors files kernels mlir operations programs values
"""
KERNELS = """
    checks elementwise elementwise.arithmetic elementwise.blocked_kernels elementwise.cache_blocking
    elementwise.complex_functions elementwise.integer_functions elementwise.kernel_factories
    elementwise.narrow_floats elementwise.native
"""
# Modules of other libraries that are slow to import and not needed here.
NOT_LOADED = (
    *("asyncio", "concurrent.futures", "email", "fractions", "importlib.metadata", "json", "tempfile"),
    *("jaxlib.mlir.dialects._stablehlo_ops_gen", "jaxlib.mlir.dialects._func_ops_gen", "numpy.random"),
)


def in_new_process(script: str, environment: Mapping[str, str] | None = None) -> Any:
    """The JSON that a script prints."""
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    return json.loads(run.stdout)


def modules_after(script: str) -> set[str]:
    """Names of the modules that are loaded when a script has run."""
    return set(
        in_new_process(
            f"{script}\nimport sys; names = list(sys.modules)\nimport json; print(json.dumps(names))"
        )
    )


def test_a_small_program_imports_the_engine_and_its_kernels() -> None:
    modules = modules_after(f"import hlokit; hlokit.load({ADDITION!r})([1.0, 2.0])")
    loaded = {name.removeprefix("hlokit.") for name in modules if name.startswith("hlokit.")}
    assert {name.partition(".")[0] for name in loaded} == set(ROOMS.split())
    assert {name for name in loaded if name.startswith("kernels.")} == {
        f"kernels.{name}" for name in KERNELS.split()
    }
    assert modules.isdisjoint(NOT_LOADED)
    assert modules.issuperset(("hlokit.engine.native.straight_line", "hlokit.engine.native.fused.fusion"))


def test_programs_whose_attributes_are_checked_import_no_slow_modules() -> None:
    window = """func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<2xf32> {
      %0 = "stablehlo.reduce_window"(%x, %i) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %m = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
      return %0 : tensor<2xf32> }"""
    modules = modules_after(f"import hlokit; hlokit.load({window!r})([1.0, 2.0, 3.0, 4.0], 0.0)")
    assert "hlokit.constraints.runnable" in modules and modules.isdisjoint((*NOT_LOADED, "decimal"))


def test_readers_of_bytecode_do_not_load_kernels() -> None:
    modules = modules_after("import hlokit._bytecode")
    assert "hlokit._kernels" not in modules
    script = "import hlokit._bytecode, json; print(json.dumps('_kernels' in open('/proc/self/maps').read()))"
    assert not Path("/proc/self/maps").exists() or in_new_process(script) is False


def test_hlokit_alone_imports_next_to_nothing() -> None:
    modules = modules_after("import hlokit; hlokit.ParseError")
    assert modules.isdisjoint(("numpy", "jaxlib", "ml_dtypes", "logging", "threading"))
    assert {name for name in modules if name.startswith("hlokit")} == {
        *(
            "hlokit",
            "hlokit.display",
            "hlokit.display.tracebacks",
            "hlokit.engine",
        ),
        *("hlokit.engine.contract", "hlokit.engine.contract.lazy_modules", "hlokit.errors", "hlokit.kernels"),
        *("hlokit.kernels.checks",),
        "hlokit.display.printable",
    }


# What belongs to the process and not to a library.
STATE = """
import atexit, gc, os, signal, sys, threading, warnings

hooks = []
os.register_at_fork = lambda **functions: hooks.append(functions)

def state():
    signals = {number: signal.getsignal(number) for number in signal.valid_signals()}
    return {
        "exceptions": (sys.excepthook, sys.unraisablehook, sys.displayhook, threading.excepthook),
        "garbage": (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), list(gc.callbacks), gc.get_debug()),
        "forks": list(hooks),
        "exit": atexit._ncallbacks(),
        "signals": signals,
        "limits": (sys.getrecursionlimit(), sys.getswitchinterval(), threading.stack_size()),
        "tracing": (sys.gettrace(), sys.getprofile(), threading.gettrace(), threading.getprofile()),
        "warnings": list(warnings.filters),
        "environment": dict(os.environ),
        "directory": os.getcwd(),
        "imports": (list(sys.path), list(sys.meta_path), list(sys.path_hooks)),
        "threads": threading.enumerate(),
        "streams": (sys.stdin, sys.stdout, sys.stderr),
    }

import json
before = state()
CHANGE
after = state()
print(json.dumps([name for name in before if before[name] != after[name]]))
"""


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ("import hlokit; hlokit.ParseError", []),
        ("sys.excepthook = print", ["exceptions"]),
        ("threading.excepthook = print", ["exceptions"]),
        ("gc.freeze(); gc.unfreeze(); gc.disable()", ["garbage"]),
        ("import random", ["forks"]),
        ("signal.signal(signal.SIGUSR1, signal.SIG_IGN)", ["signals"]),
        ("sys.setrecursionlimit(5000)", ["limits"]),
        ("warnings.simplefilter('ignore')", ["warnings"]),
        ("os.environ['A'] = 'B'", ["environment"]),
    ],
)
def test_the_import_changes_nothing_in_the_process(change: str, changed: list[str]) -> None:
    assert in_new_process(STATE.replace("CHANGE", change)) == changed


def chain(count: int, elements: int) -> str:
    """Exponentials, of the exponential before."""
    lines = [f"%0 = stablehlo.iota dim = 0 : tensor<{elements}xf32>"]
    lines += [f"%{i + 1} = stablehlo.exponential %{i} : tensor<{elements}xf32>" for i in range(count)]
    body = "\n".join(lines)
    type_ = f"tensor<{elements}xf32>"
    return f"func.func @main() -> {type_} {{\n{body}\nreturn %{count} : {type_}\n}}"


# A branch that a later run takes for the first time.
BRANCH = """
func.func @main(%taken: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %result = "stablehlo.if"(%taken) ({
    %marked = stablehlo.custom_call @Sharding(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %marked : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %result : tensor<f32>
}
"""
# Runs every function of programs twice, each program in a fork of a process that has run no operation; prints the
# number of runs and the modules that only later runs import.
LATE_IMPORTS = """
import json, os, sys
import hlokit

hlokit.load("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")(1.0)
runs, late = 0, []
for file in FILES:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        program = hlokit.load(file)
        for function in program.functions:
            program(function=function)
        modules = set(sys.modules)
        for _ in range(3):
            for function in program.functions:
                program(function=function)
        os.write(writing, json.dumps([len(program.functions), sorted(set(sys.modules) - modules)]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        count, modules = json.load(stream)
    os.waitpid(child, 0)
    runs += count
    late += modules
branch = hlokit.load(BRANCH)
branch(False, 1.0)
modules = set(sys.modules)
branch(True, 1.0)
print(json.dumps([runs, late + sorted(set(sys.modules) - modules)]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes of this system do not fork")
def test_only_first_runs_import_modules() -> None:
    """Loops, branches that run later, sorts, windows, and calls in regions: later runs compile without imports."""
    names = ("case", "while", "sort", "convolution", "reduce_window", "scatter", "fft", "custom_call")
    folder = Path(__file__).parents[1] / "interpret"
    files = [str(folder / f"{name}.mlir") for name in names]
    texts = [chain(3, 4), chain(20, 4), chain(3, 100_000)]  # straight-line code, also of many steps; fused
    script = LATE_IMPORTS.replace("FILES", repr([*files, *texts])).replace("BRANCH", repr(BRANCH))
    runs, late = in_new_process(script)
    assert runs > 50
    assert late == []


def test_commands_are_imported_without_collecting_garbage() -> None:
    script = """
import gc, json
import hlokit.cli
def load():
    global is_collecting
    is_collecting = gc.isenabled()
    return lambda: (is_collecting, gc.isenabled(), gc.get_freeze_count() > 1000)
print(json.dumps(hlokit.cli._run(load)))
"""
    assert in_new_process(script) == [False, True, True]


def test_a_subcommand_is_imported_without_collecting_garbage_and_without_threads_of_a_blas() -> None:
    script = """
import gc, json, os, sys
import hlokit.cli
from hlokit.cli import main
sys.argv = ["hlokit", "run", "nothing.mlir"]
loaded = []
def find(name, path, target=None):
    if name == "hlokit.cli.commands.run":
        loaded.append((gc.isenabled(), os.environ["OPENBLAS_NUM_THREADS"], "numpy" in sys.modules))
sys.meta_path.insert(0, type("Finder", (), {"find_spec": staticmethod(find)}))
main.main = lambda: loaded + ["hlokit.cli.commands.view" in sys.modules, "numpy" in sys.modules]
print(json.dumps(hlokit.cli.hlokit()))
"""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    assert in_new_process(script, environment) == [[False, "1", False], False, True]


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
from hlokit.kernels import checks
from hlokit import kernels as ops
from hlokit.engine.contract import custom_calls
from hlokit.engine.contract import lazy_modules

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
