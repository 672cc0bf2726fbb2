"""Contexts with every dialect that a StableHLO program may use."""

# pyright: reportUnknownMemberType=false
# (the bindings are partly untyped)

from __future__ import annotations

from functools import cache

from hlokit.mlir.bindings import append_all_dialects, chlo, ir, passmanager, stablehlo

# Dialects that load only as dependents of passes: quant, complex, linalg, bufferization, sparse_tensor.
_DIALECT_LOADING_PASSES = "stablehlo-legalize-to-vhlo,vhlo-legalize-to-stablehlo,stablehlo-legalize-to-linalg"


@cache
def _register_passes() -> None:
    """Once a process: the bindings' registry is global."""
    stablehlo.register_stablehlo_passes()
    # Those of MLIR itself come with its dialects.
    append_all_dialects(ir.Context())


@cache
def pass_context() -> ir.Context:
    """A context to read pipelines in: it knows all passes, and no dialects."""
    _register_passes()
    return ir.Context()


def make_context() -> ir.Context:
    """A context with all dialects loaded, quant included.

    The check dialect is not in the bindings: its operations are unregistered, so the context lets
    unregistered operations parse. `parse` rejects all others.
    """
    context = ir.Context()
    # Threads would not survive the fork of a trial (`trial`), and parsing one module gains nothing from them.
    context.enable_multithreading(False)
    append_all_dialects(context)
    stablehlo.register_dialect(context)
    stablehlo.register_interpreter_dialect(context)
    chlo.register_dialect(context)
    _register_passes()
    context.allow_unregistered_dialects = True
    context.emit_error_diagnostics = False
    with context, ir.Location.unknown():
        empty = ir.Module.create()
        passmanager.PassManager.parse(f"builtin.module({_DIALECT_LOADING_PASSES})").run(empty.operation)
    return context


# Dialects that the providers of bindings have, or may have.
DIALECTS = (
    "affine", "amdgpu", "amx", "arith", "arm_neon", "arm_sme", "arm_sve", "async", "bufferization",
    "builtin", "cf", "chlo", "complex", "dlti", "emitc", "func", "gpu", "index", "interpreter", "irdl",
    "linalg", "llvm", "math", "memref", "ml_program", "mpi", "mpmd", "nvgpu", "nvvm", "omp", "pdl",
    "pdl_interp", "ptr", "quant", "rocdl", "scf", "sdy", "shape", "shard", "sparse_tensor", "spirv",
    "stablehlo", "tensor", "tosa", "transform", "ub", "vector", "vhlo", "x86vector", "xegpu",
)  # fmt: skip


def has_dialect(context: ir.Context, name: str) -> bool:
    """Whether the bindings have a dialect."""
    try:
        _ = context.dialects[name]
    except IndexError:
        return False
    return True
