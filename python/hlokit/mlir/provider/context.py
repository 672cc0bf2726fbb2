"""Contexts with every dialect that a StableHLO program may use."""

from __future__ import annotations

import sys
import threading
from functools import cache

from hlokit import _bytecode
from hlokit.children.lifetimes import LockOfProcess
from hlokit.mlir.provider.bindings import (
    append_all_dialects,
    chlo,
    ir,
    passmanager,
    register_mpmd,
    stablehlo,
)

# Dialects that load only as dependents of passes: quant, complex, linalg, bufferization, sparse_tensor.
_DIALECT_LOADING_PASSES = "stablehlo-legalize-to-vhlo,vhlo-legalize-to-stablehlo,stablehlo-legalize-to-linalg"


# Dialects of programs, of their artifacts and of the results of passes.
_COMMON_DIALECTS = ("arith", "func", "shape", "tensor", "vhlo")
# Words that occur in every program that uses such a dialect.
_RARE_DIALECTS = ("bufferization", "complex", "linalg", "mpmd", "quant", "sparse_tensor")
_RARE_WORDS = ("bufferization.", "complex.", "linalg", "mpmd.", "quant", "sparse_tensor")


@cache
def _register_passes() -> None:
    """Register passes once per process: the bindings' registry is global. MLIR's own passes are registered
    with the dialects."""
    stablehlo.register_stablehlo_passes()


@cache
def pass_context() -> ir.Context:
    """A context for parsing pipelines: all passes and no dialects are registered."""
    _register_passes()
    append_all_dialects(ir.Context())
    return ir.Context()


def make_context() -> ir.Context:
    """A context with all dialects loaded, including quant and Shardy's mpmd.

    The bindings lack the check dialect: its operations are unregistered, so the context accepts unregistered
    operations. `parse` rejects all other unregistered operations.
    """
    context = small_context()
    register_mpmd(context)
    context.load_all_available_dialects()
    with context, ir.Location.unknown():
        empty = ir.Module.create()
        passmanager.PassManager.parse(f"builtin.module({_DIALECT_LOADING_PASSES})").run(empty.operation)
    return context


def context_of_text(text: str, searched: str | None = None) -> ir.Context:
    """A context for a program. Most programs use few dialects, and loading all dialects takes longer than
    reading a small program.

    The parser loads further dialects on demand, except those that only passes load. `searched` is the text
    without digits.
    """
    searched = _bytecode.without_digits(text) if searched is None else searched
    words = _bytecode.words_in(searched, (*_RARE_WORDS, "_resource"))
    if words and words[0] < len(_RARE_WORDS):
        return make_context()
    return CONTEXTS.take(len(text), has_resources=bool(words))


def context_of_bytecode(bytecode: _bytecode.Bytecode, size: int, *, is_validated: bool) -> ir.Context:
    """A context for bytecode. VHLO that the native reader has not validated may convert to any dialect."""
    names = {dialect.name for dialect in bytecode.dialects}
    if not (is_validated and "vhlo" in names) and not names.isdisjoint(("vhlo", *_RARE_DIALECTS)):
        return make_context()
    return CONTEXTS.take(size, has_resources=bool(bytecode.resources))


class _Recycled:
    """A small context, and its reference count when no program uses the context."""

    def __init__(self, context: ir.Context) -> None:
        self.context = context
        self.seen = 0
        self.references = 0

    def count(self) -> int:
        return sys.getrefcount(self.context)


class ContextPool:
    """Small contexts, which are recycled when their programs are deleted.

    Creating a context takes longer than reading a small program. Two live programs never share a context, so
    no program receives diagnostics of another, and threads do not wait for each other. Every object in a
    context holds a reference to the context, so the reference count shows whether a program is left.

    A context keeps every type and attribute of all its programs. Two limits bound the memory of the pool.

    Args:
      most_contexts: the number of contexts.
      most_bytes: the bytes of all programs of a context.
    """

    def __init__(self, most_contexts: int = 4, most_bytes: int = 1 << 20) -> None:
        self.most_contexts, self.most_bytes = most_contexts, most_bytes
        self._recycled: list[_Recycled] = []
        self._lock = LockOfProcess(threading.Lock)

    def __len__(self) -> int:
        return len(self._recycled)

    def __contains__(self, context: ir.Context) -> bool:
        return any(recycled.context is context for recycled in self._recycled)

    def take(self, size: int, *, has_resources: bool) -> ir.Context:
        """A context without a program: a recycled context whose programs are all deleted, or a new one.

        Args:
          size: bytes of the program for the context.
          has_resources: whether the program has resources, which stay in the context under their names.
        """
        with self._lock:
            recycled = next((idle for idle in self._recycled if idle.count() == idle.references), None)
            if recycled is None:
                recycled = _Recycled(small_context())
                recycled.references = recycled.count()
                if len(self._recycled) == self.most_contexts:
                    del self._recycled[0]
                self._recycled.append(recycled)
            recycled.seen += size
            if has_resources or recycled.seen > self.most_bytes:
                self._recycled.remove(recycled)  # this is the last program of the context
            return recycled.context

    def withhold(self, context: ir.Context) -> None:
        """Do not recycle this context: the caller that receives it may change it."""
        with self._lock:
            self._recycled[:] = [recycled for recycled in self._recycled if recycled.context is not context]

    def clear(self) -> None:
        """Recycle no context of the programs so far."""
        with self._lock:
            self._recycled.clear()


CONTEXTS = ContextPool()


def small_context() -> ir.Context:
    """A context with the most frequent dialects. Passes and the parser load further dialects on demand."""
    context = ir.Context()
    # Threads do not survive the fork of a sandboxed parse, and parsing a single module is not faster with
    # threads.
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


# Dialects that some providers of the bindings have.
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
