"""The only module that imports MLIR bindings. The module also selects the provider.

`jaxlib.mlir` contains upstream MLIR, StableHLO, CHLO and VHLO in one wheel. If upstream's own wheels are
installed instead, they provide the same modules without the prefix.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any


@contextmanager
def _empty_module_for(module: str) -> Generator[None]:
    """Replace a module that is not imported yet by an empty module, so that the bindings do not import it."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = ModuleType(module)
    try:
        yield
    finally:
        del sys.modules[module]


# JAX sets the same level: otherwise XLA's client writes lines of information to standard error.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")

if TYPE_CHECKING or find_spec("jaxlib") is not None:
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs import _chlo as chlo
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir._mlir_libs import _stablehlo as stablehlo
    from jaxlib.mlir._mlir_libs._mlir import globals as bindings_globals
    from jaxlib.mlir._mlir_libs._mlir import rewrite

    PROVIDER = "jaxlib"

    # In some versions, creating this module imports another module that copies all names. The other module
    # would copy and keep incomplete contents, but JAX requires the complete module.
    with _empty_module_for("jaxlib.mlir.dialects.sdy"):
        from jaxlib.mlir._mlir_libs import _sdy as sdy

    def append_all_dialects(context: ir.Context) -> None:
        """Register func, arith, shape, tensor and the provider's other dialects.

        Shardy's dialect is one of these: JAX annotates custom calls with attributes of Shardy.
        """
        sdy.register_dialect(context)
        context.append_dialect_registry(_upstream_dialects())

    @cache
    def _upstream_dialects() -> ir.DialectRegistry:
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        return registry
else:
    ir: Any = import_module("mlir.ir")
    passmanager: Any = import_module("mlir.passmanager")
    rewrite: Any = import_module("mlir.rewrite")
    bindings_globals: Any = import_module("mlir._mlir_libs._mlir").globals
    chlo: Any = import_module("mlir.dialects.chlo")
    stablehlo: Any = import_module("mlir.dialects.stablehlo")

    sdy: Any = None  # without this module, programs with Shardy's operations cannot be read

    PROVIDER = "mlir"

    def append_all_dialects(context: ir.Context) -> None:
        """Do nothing: contexts of this provider contain the upstream dialects."""


_DIALECTS = f"{ir.__name__.rpartition('.')[0]}.dialects"


def chlo_operations() -> ModuleType:
    """The module with the classes of CHLO operations; `chlo` has the classes of CHLO attributes."""
    return import_module(f"{_DIALECTS}.chlo")


def stablehlo_operations() -> ModuleType:
    """The module with the classes of StableHLO operations. hlokit uses none of the classes: the import takes
    15 ms."""
    return import_module(f"{_DIALECTS}.stablehlo")


def xla_modules() -> tuple[Any, Any, Any]:
    """XLA's client (`xla_client`, `_jax`, `_hlo`), imported on demand. Only jaxlib has this client.

    Raises:
      ImportError: the provider is not jaxlib.
    """
    client = import_module("jaxlib.xla_client")
    return client, import_module("jaxlib._jax"), import_module("jaxlib._hlo")


def register_lapack() -> None:
    """Register jaxlib's custom calls of LAPACK with XLA:CPU. SciPy provides the routines. JAX does the same.

    Raises:
      ImportError: the provider is not jaxlib, or SciPy is missing.
    """
    routines = import_module("jaxlib.cpu._lapack")
    routines.initialize()
    register = import_module("jaxlib.xla_client").register_custom_call_target
    for name, handler in routines.registrations().items():
        register(name, handler, platform="cpu", api_version=int(name.endswith("_ffi")))


def make_batches_partitionable(*targets: str) -> None:
    """Let XLA's partitioner split the batches of LAPACK's custom calls, as JAX does, and of other targets.

    Raises:
      ImportError: the provider is not jaxlib.
    """
    split = import_module("jaxlib.xla_client").register_custom_call_as_batch_partitionable
    for name in import_module("jaxlib.lapack").batch_partitionable_targets() + list(targets):
        split(name)


def register_mhlo(context: ir.Context) -> None:
    """Register the dialect MHLO, which occurs in the output of XLA's converter, in a context.

    Raises:
      ImportError: the provider is not jaxlib.
    """
    import_module("jaxlib.mlir._mlir_libs._mlirHlo").register_mhlo_dialect(context)


def register_mpmd(context: ir.Context) -> None:
    """Register Shardy's dialect of programs for several meshes in a context, if the provider has it."""
    if PROVIDER == "jaxlib":
        import_module("jaxlib.mlir._mlir_libs._sdyMpmd").register_dialect(context)


# When the bindings return an object of a dialect, they search the dialect's Python module: once if the module
# exists, otherwise every time. VHLO has no module, and the search would take most of the time spent on VHLO.
# hlokit also skips modules that are slow to import and whose classes it does not use; code that imports such
# a module later gets the classes.
_SKIPPED_DIALECTS = ("builtin", "func", "stablehlo")

if find_spec(f"{_DIALECTS}.vhlo") is None:
    sys.modules[f"{_DIALECTS}.vhlo"] = ModuleType("vhlo")
for _dialect in _SKIPPED_DIALECTS:
    with _empty_module_for(f"{_DIALECTS}.{_dialect}"):
        bindings_globals._check_dialect_module_loaded(_dialect)


@cache
def import_classes() -> None:
    """Import the skipped modules, for callers that walk over MLIR modules themselves."""
    for dialect in _SKIPPED_DIALECTS:
        import_module(f"{_DIALECTS}.{dialect}")


def class_of(operation: ir.Operation) -> type[ir.OpView]:
    """The class of an operation; `ir.OpView` if the operation has no class of its own."""
    import_classes()
    return type(operation.opview)


__all__ = [
    "PROVIDER",
    "append_all_dialects",
    "chlo",
    "chlo_operations",
    "class_of",
    "import_classes",
    "ir",
    "passmanager",
    "register_mhlo",
    "register_mpmd",
    "rewrite",
    "stablehlo",
    "stablehlo_operations",
    "xla_modules",
]
