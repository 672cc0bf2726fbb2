"""Diagnostics that the bindings emit."""

# pyright: reportUnknownMemberType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from hlokit.mlir.bindings import ir


@contextmanager
def collected(context: ir.Context) -> Generator[list[ir.DiagnosticInfo]]:
    """Collect the diagnostics that the bindings emit inside the block; some would go to standard error
    otherwise."""
    found: list[ir.DiagnosticInfo] = []

    def keep(diagnostic: ir.Diagnostic) -> bool:
        found.append(ir.DiagnosticInfo(diagnostic))
        return True

    handler: Any = context.attach_diagnostic_handler(keep)
    try:
        yield found
    finally:
        handler.detach()


@contextmanager
def errors_collected(context: ir.Context) -> Generator[list[ir.DiagnosticInfo]]:
    """Collect the errors that the bindings emit inside the block, including those that raise no exception."""
    found: list[ir.DiagnosticInfo] = []

    def keep(diagnostic: ir.Diagnostic) -> bool:
        is_error = diagnostic.severity == ir.DiagnosticSeverity.ERROR
        if is_error:
            found.append(ir.DiagnosticInfo(diagnostic))
        return is_error

    handler: Any = context.attach_diagnostic_handler(keep)
    context.emit_error_diagnostics = True
    try:
        yield found
    finally:
        context.emit_error_diagnostics = False
        handler.detach()
