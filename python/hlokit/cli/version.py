"""What `--version` prints."""

from __future__ import annotations

from hlokit import __version__
from hlokit.mlir.versions import provider_version, stablehlo_version


def version_text(name: str) -> str:
    """Versions of the command and of what it stands on."""
    return f"{name} (hlokit {__version__}, StableHLO {stablehlo_version()}, {provider_version()})\n"
