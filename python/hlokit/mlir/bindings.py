"""The seam: the one module that imports MLIR bindings, and picks whose.

`jaxlib.mlir` is upstream MLIR, StableHLO, CHLO and VHLO in one wheel. Where upstream's own wheels are
installed instead, the same modules stand without the prefix.
"""

# The bindings ship partial stubs; what leaves this package is typed.
# pyright: reportMissingImports=false, reportMissingModuleSource=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false, reportAttributeAccessIssue=false

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or find_spec("jaxlib") is not None:
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs import _chlo as chlo
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir._mlir_libs import _sdy as sdy
    from jaxlib.mlir._mlir_libs._mlir import rewrite
    from jaxlib.mlir.dialects import stablehlo

    PROVIDER = "jaxlib"

    def append_all_dialects(context: ir.Context) -> None:
        """Make func, arith, shape, tensor and the other dialects of the provider available.

        Shardy's too: JAX annotates custom calls with its attributes.
        """
        sdy.register_dialect(context)
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        context.append_dialect_registry(registry)
else:
    ir: Any = import_module("mlir.ir")
    passmanager: Any = import_module("mlir.passmanager")
    rewrite: Any = import_module("mlir.rewrite")
    chlo: Any = import_module("mlir.dialects.chlo")
    stablehlo: Any = import_module("mlir.dialects.stablehlo")

    PROVIDER = "mlir"

    def append_all_dialects(context: ir.Context) -> None:
        """Nothing to do: the contexts of the provider have the upstream ones available."""


def chlo_operations() -> ModuleType:
    """The module of CHLO's operations. `chlo` has what attributes need: few programs use the others."""
    return import_module(f"{ir.__name__.rpartition('.')[0]}.dialects.chlo")


def xla_modules() -> tuple[Any, Any, Any]:
    """XLA's client (`xla_client`, `_jax`, `_hlo`), imported when it is asked for. Only jaxlib has it.

    Raises:
      ImportError: the provider is another.
    """
    client = import_module("jaxlib.xla_client")
    return client, import_module("jaxlib._jax"), import_module("jaxlib._hlo")


# The bindings look for a Python module for the dialect of every type and attribute that they hand out, each
# time anew until there is one. For VHLO, which has none, that would be most of the time spent on it.
_VHLO = f"{ir.__name__.rpartition('.')[0]}.dialects.vhlo"
if find_spec(_VHLO) is None:
    sys.modules[_VHLO] = ModuleType(_VHLO)

__all__ = [
    "PROVIDER",
    "append_all_dialects",
    "chlo",
    "chlo_operations",
    "ir",
    "passmanager",
    "rewrite",
    "stablehlo",
    "xla_modules",
]
