"""The machine and the versions that measurements apply to."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def versions() -> dict[str, str]:
    """The versions of everything that affects the numbers."""
    found = {"python": platform.python_version()}
    for name in ("hlokit", "jaxlib", "jax", "numpy", "ml_dtypes", "mpmath"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def machine() -> str:
    """The processor and the system."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    libc = " ".join(part for part in platform.libc_ver() if part)
    return ", ".join(filter(None, (models[0] if models else "", platform.machine(), platform.system(), libc)))
