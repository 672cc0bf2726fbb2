"""Settings for all tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from asserting import Assertions
from hlokit import _kernels

# Tests import what they share (`oracles`) from here.
sys.path.insert(0, str(Path(__file__).parent))

# Assertions of what tests share count and explain themselves like those of tests.
for _package in (
    "tests.fuzz",
    "tests.generate",
    "tests.reference",
    "tests.unit",
    "browser",
    "oracles",
    "reference",
    "unit",
):
    pytest.register_assert_rewrite(_package)

# JAX would look for accelerators, and warn that there are none.
os.environ.setdefault("JAX_PLATFORMS", "cpu")


# Machines are shared and noisy: a slow example is no failure. Failures must be repeatable.
settings.register_profile("hlokit", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("hlokit")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--count-assertions", action="store_true", help="fail tests that execute no assertion")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--count-assertions"):
        config.pluginmanager.register(Assertions())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """The garbage collector never visits modules and tests, 700,000 objects that stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark all but the samples of a parametrized test as `deep`: `make test` runs the samples only."""
    missing: dict[str, set[str]] = {}
    for item in items:
        marker = item.get_closest_marker("sample")
        if marker is not None:
            name = item.nodeid.partition("[")[0]
            ids = item.nodeid[len(name) + 1 : -1]
            patterns = {pattern for pattern in marker.args if fnmatchcase(ids, pattern)}
            if not patterns:
                item.add_marker("deep")
            missing.setdefault(name, set(marker.args)).difference_update(patterns)
    if any("[" in argument for argument in config.args):  # single parametrizations are collected
        return
    for name, patterns in missing.items():
        if patterns:
            raise pytest.UsageError(f"{name}: samples must be its parametrizations, got {sorted(patterns)}")


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

    monkeypatch.setattr("hlokit.engine.native.program._kernels", SimpleNamespace(Program=checked))
    yield
    assert not rejected
