"""Prepares a whole program for a partitioner: one function, whose operations have the source lines of calls.

Partitioners lose shardings at calls, and Shardy does not look into composites. XLA knows some composites, and
all of CHLO.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from hlokit.engine.plan.locations import source_position
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, walk
from hlokit.passes.pipeline import parse_pipeline, run_pipeline
from hlokit.tools.shard.partitioners import chlo

INLINING = "builtin.module(stablehlo-legalize-composite-to-call,inline{default-pipeline=})"
_PREPARATIONS = {"shardy": INLINING, "xla": "builtin.module(inline{default-pipeline=})"}


def prepare(module: ir.Module, partitioner: str) -> None:
    """Inline all calls, in place. For Shardy, also legalise CHLO's operations that are not elementwise.

    Raises:
      PassError, VerificationError: the program cannot be inlined.
    """
    name_callers(module)
    run_pipeline(module, parse_pipeline(_PREPARATIONS[partitioner]), verify_each=True)
    if partitioner == "shardy":
        chlo.legalize_others(module)


def erase_nested_modules(module: ir.Module) -> None:
    """Remove modules within the module, which no function calls: Shardy gives functions of all modules unique
    names, and fails."""
    for view in list(module.body.operations):
        if view.operation.name == "builtin.module":
            view.operation.erase()


def name_callers(module: ir.Module) -> None:
    """Give operations without a source line the line of the call of their function, if there is one call.

    JAX exports some of its library's functions (`argsort`, `var`) as functions of the program, whose
    operations have only names as locations.
    """
    by_name = functions(module)
    calls: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name == "func.call":
            calls.append(operation)

    walk(module.operation, visit)
    counts = Counter(_callee(call) for call in calls)
    waiting = {_callee(call): call for call in calls if counts[_callee(call)] == 1}
    # Callers come first, so that the calls in them get locations, too. Recursive functions do not change.
    while ready := [name for name, call in waiting.items() if _function_of(call) not in waiting]:
        for name in ready:
            call = waiting.pop(name)
            if name in by_name and source_position(str(call.location)) is not None:
                walk(by_name[name], partial(_set_caller, call))


def _callee(call: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)


def _function_of(operation: ir.Operation) -> str:
    parent = operation.parent
    while parent is not None and parent.operation.name != "func.func":
        parent = parent.operation.parent
    return "" if parent is None else str(ir.StringAttr(parent.operation.attributes["sym_name"]).value)


def _set_caller(call: ir.Operation, operation: ir.Operation) -> None:
    location = operation.location
    if operation.name != "func.func" and source_position(str(location)) is None:
        operation.location = ir.Location.callsite(location, [call.location], operation.context)
