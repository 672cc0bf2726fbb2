"""The seam: the one module that imports MLIR bindings, and picks whose.

`jaxlib.mlir` is upstream MLIR, StableHLO, CHLO and VHLO in one wheel. Where upstream's own wheels are
installed instead, the same modules stand without the prefix.
"""

# The bindings ship partial stubs; what leaves this package is typed.
# pyright: reportMissingImports=false, reportMissingModuleSource=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false, reportAttributeAccessIssue=false

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any


@contextmanager
def _stood_in_for(module: str) -> Generator[None]:
    """An empty module stands in for one that is not imported yet, so that the bindings do not import it."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = ModuleType(module)
    try:
        yield
    finally:
        del sys.modules[module]


if TYPE_CHECKING or find_spec("jaxlib") is not None:
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs import _chlo as chlo
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir._mlir_libs import _stablehlo as stablehlo
    from jaxlib.mlir._mlir_libs._mlir import globals as bindings_globals
    from jaxlib.mlir._mlir_libs._mlir import rewrite

    PROVIDER = "jaxlib"

    # In some versions making this imports the module that copies all names of it, which would get the half
    # that is made by then, and keep it: JAX needs the whole.
    with _stood_in_for("jaxlib.mlir.dialects.sdy"):
        from jaxlib.mlir._mlir_libs import _sdy as sdy

    def append_all_dialects(context: ir.Context) -> None:
        """Make func, arith, shape, tensor and the other dialects of the provider available.

        Shardy's too: JAX annotates custom calls with its attributes.
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

    sdy: Any = None  # without it no program that has Shardy's operations can be read

    PROVIDER = "mlir"

    def append_all_dialects(context: ir.Context) -> None:
        """Nothing to do: the contexts of the provider have the upstream ones available."""


_DIALECTS = f"{ir.__name__.rpartition('.')[0]}.dialects"


def chlo_operations() -> ModuleType:
    """The module with classes of CHLO's operations; `chlo` has what attributes need."""
    return import_module(f"{_DIALECTS}.chlo")


def stablehlo_operations() -> ModuleType:
    """The same of StableHLO. hlokit reads operations without them: they take 15 ms to import."""
    return import_module(f"{_DIALECTS}.stablehlo")


def xla_modules() -> tuple[Any, Any, Any]:
    """XLA's client (`xla_client`, `_jax`, `_hlo`), imported when it is asked for. Only jaxlib has it.

    Raises:
      ImportError: the provider is another.
    """
    client = import_module("jaxlib.xla_client")
    return client, import_module("jaxlib._jax"), import_module("jaxlib._hlo")


# The bindings look for the Python module of a dialect when they hand out something of it: once if there is
# one, else each time anew. VHLO has none, and looking would be most of the time spent on it. Those that take
# long to import are passed over, for hlokit needs none of their classes: whoever imports one later gets them.
_PASSED_OVER = ("builtin", "func", "stablehlo")

if find_spec(f"{_DIALECTS}.vhlo") is None:
    sys.modules[f"{_DIALECTS}.vhlo"] = ModuleType("vhlo")
for _dialect in _PASSED_OVER:
    with _stood_in_for(f"{_DIALECTS}.{_dialect}"):
        bindings_globals._check_dialect_module_loaded(_dialect)


@cache
def import_classes() -> None:
    """Import what is passed over, for those who walk over modules by themselves."""
    for dialect in _PASSED_OVER:
        import_module(f"{_DIALECTS}.{dialect}")


def class_of(operation: ir.Operation) -> type[ir.OpView]:
    """The class of an operation; `ir.OpView` itself if it has none."""
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
    "rewrite",
    "stablehlo",
    "stablehlo_operations",
    "xla_modules",
]
