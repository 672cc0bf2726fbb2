"""What the bindings say while they work."""

# pyright: reportUnknownMemberType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from hlokit.mlir.bindings import ir


@contextmanager
def collected(context: ir.Context) -> Generator[list[ir.DiagnosticInfo]]:
    """Diagnostics that bindings emit meanwhile. Without this some go to the standard error."""
    found: list[ir.DiagnosticInfo] = []

    def keep(diagnostic: ir.Diagnostic) -> bool:
        found.append(ir.DiagnosticInfo(diagnostic))
        return True

    handler: Any = context.attach_diagnostic_handler(keep)
    try:
        yield found
    finally:
        handler.detach()
