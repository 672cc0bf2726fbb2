"""From versioned text to StableHLO. Artifacts are converted when they are read."""

from __future__ import annotations

from hlokit.compat.modules import run_passes
from hlokit.errors import Diagnostic, VersionError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import collected, diagnostic
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.mlir.queries.copies import copy_module


def to_stablehlo(module: ir.Module, filename: str = "-") -> ir.Module:
    """The module itself if it has no VHLO operations, otherwise a converted copy.

    Raises:
      VersionError: an operation cannot be converted.
    """
    if not any(view.operation.name.startswith("vhlo.") for view in module.body.operations):
        return module
    with collected(module.context) as errors:
        converted = copy_module(module)
        passes = f"vhlo-to-version{{target={stablehlo_version()}}},vhlo-legalize-to-stablehlo"
        if run_passes(converted.operation, passes):
            return converted
        diagnostics = [diagnostic("error", raw.message, str(raw.location), filename) for raw in errors]
    raise VersionError((*diagnostics, Diagnostic("error", "cannot be converted to StableHLO", filename)))
