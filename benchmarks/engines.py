"""Engines: hlokit, the C++ reference interpreter, XLA:CPU.

An engine creates a `Session` from a program. "Load" is the time of this creation: everything until the first
run could begin. Modules are imported earlier.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

import hlokit
from benchmarks.case import Array, Program
from hlokit.engine.contract.registry import import_kernels, registered_operations
from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import functions, signature
from hlokit.mlir.refinement import refined
from hlokit.mlir.run_time_types import is_dynamic
from hlokit.mlir.xla import Executable
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType


class Session(Protocol):
    """A program that is ready to run."""

    def run(self) -> Sequence[Any]:
        """All results, computed."""
        ...

    def cost(self) -> dict[str, float]:
        """The engine's statistics of the work of a run."""
        ...


class Hlokit:
    """Load with hlokit; the first run plans."""

    def __init__(self, program: Program) -> None:
        self._program = hlokit.load(program.source)
        self._arguments = program.arguments

    def run(self) -> Sequence[Any]:
        results = self._program(*self._arguments)
        return results if isinstance(results, tuple) else (results,)

    def plan(self) -> None:
        """Plan the entry function, without running it."""
        _ = self._program.runs.block(self._program.entry()).plan

    def cost(self) -> dict[str, float]:
        return {}


class Reference:
    """Parse; each run is `stablehlo.eval_module`."""

    def __init__(self, program: Program) -> None:
        self._module = _module(program.source)
        self._values = _attributes(tuple(program.arguments))

    def run(self) -> Sequence[Any]:
        with _context():
            return stablehlo.eval_module(self._module, self._values)

    def cost(self) -> dict[str, float]:
        return {}


class Xla:
    """Parse and compile."""

    def __init__(self, program: Program) -> None:
        self._executable = Executable(_static(_module(program.source), program.arguments), "main")
        # The transfer of arguments from the host does not count, because hlokit has no such transfer.
        self._arguments = self._executable.put(program.arguments)

    def run(self) -> Sequence[Any]:
        return self._executable.run(self._arguments)

    def cost(self) -> dict[str, float]:
        return self._executable.cost()


ENGINES: dict[str, type[Hlokit | Reference | Xla]] = {
    "hlokit": Hlokit,
    "eval_module": Reference,
    "xla": Xla,
}


@cache
def _context() -> Any:
    return make_context()


def _module(source: str | bytes) -> Any:
    if isinstance(source, bytes):
        return stablehlo.deserialize_portable_artifact(_context(), source)
    return ir.Module.parse(source, _context())


def _static(module: Any, arguments: Sequence[Array]) -> Any:
    """The module for arguments of these sizes, as XLA takes it."""
    inputs, _ = signature(functions(module)["main"])
    if not is_dynamic(inputs):
        return module
    types = [TensorType(array.shape, element_type_of(array.dtype)) for array in arguments]
    static = refined(module, types)
    assert static is not None, "the sizes of all programs are open"
    return static


def _attributes(arrays: Sequence[Array]) -> list[Any]:
    with _context(), ir.Location.unknown():
        return [_attribute(np.asarray(array)) for array in arrays]


def _attribute(array: Array) -> Any:
    element_type = element_type_of(array.dtype)
    type_ = ir.Type.parse(str(TensorType(array.shape, element_type)))
    raw = array.view(element_type.bits_dtype) if element_type.is_narrow_float else array
    if raw.dtype == bool:
        raw = np.packbits(raw, axis=None, bitorder="little")
    return ir.DenseElementsAttr.get(np.ascontiguousarray(raw), type=type_)


def warm_up(engine: str) -> None:
    """Do the work that an engine does once per process, for its first program: clients, contexts, imports."""
    if engine == "hlokit":
        import_kernels(registered_operations())
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }\n"
    ENGINES[engine](Program(text, [np.zeros(2, np.float32)])).run()
