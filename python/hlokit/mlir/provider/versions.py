"""Versions of the bindings."""

from __future__ import annotations

from functools import cache

from hlokit.mlir.provider.bindings import PROVIDER, stablehlo


@cache
def stablehlo_version() -> str:
    """The newest StableHLO version that the bindings write."""
    return str(stablehlo.get_current_version())


def provider_version() -> str:
    """The package that contains the bindings, with its version."""
    from importlib import metadata  # the import loads many modules that programs do not use

    try:
        return f"{PROVIDER} {metadata.version(PROVIDER)}"
    except metadata.PackageNotFoundError:
        return PROVIDER
