"""Settings for all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from hlokit.pytest_plugin import KEEPS_FRAMES

# Tests import what they share (`oracles`) from here.
sys.path.insert(0, str(Path(__file__).parent))

# JAX would look for accelerators, and warn that there are none.
os.environ.setdefault("JAX_PLATFORMS", "cpu")


# Machines are shared and noisy: a slow example is no failure. Failures must be repeatable.
settings.register_profile("hlokit", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("hlokit")


def pytest_configure(config: pytest.Config) -> None:
    """Errors of hlokit show its frames."""
    config.stash[KEEPS_FRAMES] = True
