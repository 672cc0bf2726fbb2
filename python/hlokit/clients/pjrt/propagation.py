"""The shardings of results that a program leaves to its compiler: those that Shardy propagates."""

from __future__ import annotations

from typing import BinaryIO

from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.queries.module import functions
from hlokit.mlir.sandbox.sandboxed_parse import ChildDied, answer
from hlokit.tools.shard.notation.annotations import GSPMD, SDY, function_types, value_attributes

_PASSES = "builtin.module(sdy-propagation-pipeline)"
# The pipeline can abort the process; most programs take milliseconds.
_SECONDS = 20.0


def leaves_results_open(module: ir.Module, name: str) -> bool:
    """Whether a result of a function has no sharding."""
    function = functions(module)[name]
    results = value_attributes(function, "res_attrs", len(function_types(function)[1]))
    return not all(SDY in attributes or GSPMD in attributes for attributes in results)


def propagated(module: ir.Module) -> ir.Module:
    """The module with the shardings that Shardy propagates; the module itself if Shardy fails."""
    try:
        data = answer(write_bytecode(module), propagate, seconds=_SECONDS)
    except ChildDied:
        return module
    return parse_bytecode(None, data, is_trusted=True) if data else module


def propagate(data: bytes, file: BinaryIO) -> None:
    """Write the bytecode after propagation, or nothing if the passes fail; runs in a child process."""
    module = parse_bytecode(None, data, is_trusted=True)
    try:
        passmanager.PassManager.parse(_PASSES, module.context).run(module.operation)
    except (RuntimeError, ValueError):
        return
    file.write(write_bytecode(module))
