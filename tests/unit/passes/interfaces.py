"""Which operations have an interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlokit.mlir.provider.bindings import chlo_operations, ir, stablehlo_operations
from hlokit.mlir.provider.context import make_context

_CONTEXT = make_context()


def implementing(interface: Callable[[Any], object]) -> set[str]:
    """The operations of StableHLO and CHLO that implement an interface of the bindings."""
    views: list[Any] = [
        view
        for dialect in (stablehlo_operations(), chlo_operations())
        for view in vars(dialect).values()
        if isinstance(view, type) and issubclass(view, ir.OpView) and hasattr(view, "OPERATION_NAME")
    ]
    return {view.OPERATION_NAME for view in views if _implements(interface, view)}


def _implements(interface: Callable[[Any], object], view: object) -> bool:
    try:
        with _CONTEXT:
            interface(view)
    except ValueError:
        return False
    return True
