"""The operations that the classes of the bindings define."""

from __future__ import annotations

import inspect

from hlokit.mlir.provider.bindings import chlo_operations, stablehlo_operations

# Operations that older bindings lack.
NEWER = frozenset({"stablehlo.collective_reduce"})


def bindings_operations() -> set[str]:
    """The operations of StableHLO and CHLO, without `stablehlo.return`, which is a part of regions."""
    modules = (stablehlo_operations(), chlo_operations())
    classes = [member for module in modules for _, member in inspect.getmembers(module, inspect.isclass)]
    names = {str(getattr(class_, "OPERATION_NAME", "")) for class_ in classes}
    return {name for name in names if name.startswith(("stablehlo.", "chlo."))} - {"stablehlo.return"}
