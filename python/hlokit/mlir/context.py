"""Contexts with every dialect that a StableHLO program may use."""

# pyright: reportUnknownMemberType=false
# (the bindings are partly untyped)

from __future__ import annotations

from functools import cache

from hlokit import _native
from hlokit.mlir.bindings import append_all_dialects, chlo, ir, passmanager, stablehlo

# Dialects that load only as dependents of passes: quant, complex, linalg, bufferization, sparse_tensor.
_DIALECT_LOADING_PASSES = "stablehlo-legalize-to-vhlo,vhlo-legalize-to-stablehlo,stablehlo-legalize-to-linalg"


# Dialects of programs, and of what passes make of them.
_COMMON_DIALECTS = ("arith", "func", "shape", "tensor")
# What is in the text of any program that uses one of them.
_RARE_DIALECTS = ("bufferization", "complex", "linalg", "quant", "sparse_tensor")
_RARE_WORDS = ("bufferization.", "complex.", "linalg", "quant", "sparse_tensor")


@cache
def _register_passes() -> None:
    """Once a process: the bindings' registry is global. Those of MLIR itself come with its dialects."""
    stablehlo.register_stablehlo_passes()


@cache
def pass_context() -> ir.Context:
    """A context to read pipelines in: it knows all passes, and no dialects."""
    _register_passes()
    append_all_dialects(ir.Context())
    return ir.Context()


def make_context() -> ir.Context:
    """A context with all dialects loaded, quant included.

    The check dialect is not in the bindings: its operations are unregistered, so the context lets
    unregistered operations parse. `parse` rejects all others.
    """
    context = small_context()
    context.load_all_available_dialects()
    with context, ir.Location.unknown():
        empty = ir.Module.create()
        passmanager.PassManager.parse(f"builtin.module({_DIALECT_LOADING_PASSES})").run(empty.operation)
    return context


def context_of_text(text: str) -> ir.Context:
    """A context for a program. Most need few dialects, and loading all takes longer than reading a small one.

    The parser loads others as it meets them, but for those that only passes load.
    """
    return make_context() if any(word in text for word in _RARE_WORDS) else small_context()


def context_of_bytecode(data: bytes) -> ir.Context:
    """The same for bytecode, malformed or not. What VHLO of others will become cannot be told."""
    try:
        names = {dialect.name for dialect in _native.Bytecode(data).dialects}
    except _native.BytecodeError:
        return make_context()
    return small_context() if names.isdisjoint(("vhlo", *_RARE_DIALECTS)) else make_context()


def small_context() -> ir.Context:
    """A context with the common dialects. Passes load what they need, and the parser what has a name."""
    context = ir.Context()
    # Threads would not survive the fork of a trial (`trial`), and parsing one module gains nothing from them.
    context.enable_multithreading(False)
    append_all_dialects(context)
    stablehlo.register_dialect(context)
    stablehlo.register_interpreter_dialect(context)
    chlo.register_dialect(context)
    for name in _COMMON_DIALECTS:
        context.get_dialect_descriptor(name)
    _register_passes()
    context.allow_unregistered_dialects = True
    context.emit_error_diagnostics = False
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
