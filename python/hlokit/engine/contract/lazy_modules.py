"""Modules that register functions for custom calls, which are imported when a program needs one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

_CUSTOM_CALLS: list[str] = []


def register_custom_calls_lazily(package: str, modules: Iterable[str]) -> None:
    """Declare which modules of a package register functions for custom calls."""
    _CUSTOM_CALLS.extend(f"{package}.{module}" for module in modules)


def import_custom_calls(is_enough: Callable[[], bool] = lambda: False) -> None:
    """Import the modules that register functions for custom calls, until `is_enough` returns true."""
    for module in _CUSTOM_CALLS:
        if is_enough():
            return
        import_module(module)
