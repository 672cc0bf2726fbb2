"""Contexts with every dialect that a StableHLO program may use."""

from __future__ import annotations

from hlokit.mlir.bindings import append_all_dialects, chlo, ir, passmanager, stablehlo

# Dialects that load only as dependents of passes: quant, complex, linalg, bufferization, sparse_tensor.
_DIALECT_LOADING_PASSES = (
    "stablehlo-legalize-to-vhlo,vhlo-legalize-to-stablehlo,stablehlo-legalize-to-linalg"
)

_passes_registered = False


def make_context() -> ir.Context:
    """A context with all dialects loaded, quant included.

    The check dialect is not in the bindings: its operations are unregistered, so the context lets
    unregistered operations parse. `parse` rejects all others.
    """
    global _passes_registered
    context = ir.Context()
    append_all_dialects(context)
    stablehlo.register_dialect(context)
    stablehlo.register_interpreter_dialect(context)
    chlo.register_dialect(context)
    if not _passes_registered:
        stablehlo.register_stablehlo_passes()
        _passes_registered = True
    context.allow_unregistered_dialects = True
    context.emit_error_diagnostics = False
    with context, ir.Location.unknown():
        empty = ir.Module.create()
        passmanager.PassManager.parse(f"builtin.module({_DIALECT_LOADING_PASSES})").run(empty.operation)
    return context
