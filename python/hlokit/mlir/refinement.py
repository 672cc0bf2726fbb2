"""Programs with unknown dimensions as static programs."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from hlokit.children.lifetimes import LockOfProcess
from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.provider.diagnostics import collected
from hlokit.mlir.queries.copies import copy_module
from hlokit.values.types import TensorType

_PASSES = (
    "builtin.module(stablehlo-refine-arguments{{types={types}}},stablehlo-refine-shapes,"
    "func.func(stablehlo-canonicalize-dynamism,stablehlo-check-shape-assertions))"
)
# The programs of a context are changed by one thread at a time.
_REFINING = LockOfProcess(threading.RLock)


def refined(module: ir.Module, types: Sequence[TensorType]) -> ir.Module | None:
    """A copy of a module whose `main` takes arguments of these static types; None if the bindings cannot
    refine the module.

    Dimensions that depend on values of arguments stay unknown.
    """
    passes = _PASSES.format(types=",".join(map(str, types)))
    with _REFINING, module.context, collected(module.context):
        copy = copy_module(module)
        try:
            passmanager.PassManager.parse(passes).run(copy.operation)
        except (ir.MLIRError, ValueError):
            return None
    return copy
