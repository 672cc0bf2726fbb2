"""Passes on copies of modules: the caller's module never changes."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir, passmanager


def run_passes(operation: ir.Operation, passes: str) -> bool:
    """Run passes on a module in place. Returns whether they succeeded. `collected` receives the
    diagnostics."""
    with operation.context:
        try:
            passmanager.PassManager.parse(f"builtin.module({passes})").run(operation)
        except ir.MLIRError:
            return False
    return True
