"""Settings for all tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from hlokit import _kernels

# Tests import what they share (`oracles`) from here.
sys.path.insert(0, str(Path(__file__).parent))

# JAX would look for accelerators, and warn that there are none.
os.environ.setdefault("JAX_PLATFORMS", "cpu")


# Machines are shared and noisy: a slow example is no failure. Failures must be repeatable.
settings.register_profile("hlokit", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("hlokit")


# Limits of the VM, which a lowered program may exceed.
_LIMITS = ("at most", "must have 0 to")


@pytest.fixture(autouse=True)
def _no_rejected_programs(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    """The VM accepts every program that is lowered: otherwise kernels would replace the program silently."""
    rejected: list[str] = []

    def checked(*arguments: Any) -> Any:
        try:
            return _kernels.Program(*arguments)
        except ValueError as error:
            if not any(limit in str(error) for limit in _LIMITS):
                rejected.append(str(error))
            raise

    monkeypatch.setattr("hlokit.native.program._kernels", SimpleNamespace(Program=checked))
    yield
    assert not rejected
