"""Named pipelines of the StableHLO tools that the bindings lack."""

from __future__ import annotations

from functools import partial

from hlokit.errors import Diagnostic, PassError
from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.provider.diagnostics import collected, raw_diagnostic
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.passes.framework.registry import Options, Pass
from hlokit.passes.unrealized_casts import reconcile


def run_native(operation: ir.Operation, passes: str) -> None:
    """Run passes of the bindings.

    Args:
      passes: comma-separated, as in a pipeline, without the anchor.

    Raises:
      PassError: a pass failed.
    """
    pipeline = f"{operation.name}({passes})"
    with operation.context, collected(operation.context) as raws:
        try:
            passmanager.PassManager.parse(pipeline).run(operation)
        except ir.MLIRError as error:
            diagnostics = [raw_diagnostic(raw, "-") for raw in (*raws, *error.error_diagnostics)]
            raise PassError(tuple(diagnostics) or (Diagnostic("error", f"{pipeline} failed"),)) from None


def _deserialize(module: ir.Operation, options: Options) -> None:
    run_native(module, f"vhlo-to-version{{target={stablehlo_version()}}},vhlo-legalize-to-stablehlo")


def _pre_serialize(module: ir.Operation, options: Options) -> None:
    run_native(module, "func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo)")
    reconcile(module)


_Pipeline = partial(Pass, anchor="builtin.module")

DESERIALIZE = _Pipeline(
    "stablehlo-deserialize", "convert VHLO of any version that is still supported to StableHLO", _deserialize
)
PRE_SERIALIZATION = _Pipeline(
    "chlo-pre-serialization-pipeline",
    "convert CHLO, and shape computations as far as possible, to StableHLO",
    _pre_serialize,
)
