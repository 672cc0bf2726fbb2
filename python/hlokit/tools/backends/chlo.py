"""Programs for sides that have StableHLO alone."""

from __future__ import annotations

from hlokit.errors import PassError
from hlokit.mlir.provider.bindings import ir
from hlokit.passes.pipelines import run_native
from hlokit.tools.backends.side import Unsupported


def legalize_chlo(module: ir.Module) -> None:
    """Expand the operations of CHLO in place.

    Raises:
      Unsupported: the bindings have no expansion, so that the side never sees the program.
    """
    try:
        run_native(module.operation, "func.func(chlo-legalize-to-stablehlo)")
    except PassError as error:
        raise Unsupported(f"the pass chlo-legalize-to-stablehlo of the bindings: {error}") from None
