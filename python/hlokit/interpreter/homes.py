"""Which module has which operation: a module is imported when one of its operations is first planned.

Most programs use few operations, and importing all takes as long as running a small program. So each package
of operations says in its `__init__` what its modules register; a test compares that with what they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

_OPERATIONS: dict[str, str] = {}
_CUSTOM_CALLS: list[str] = []


def has_operations(package: str, names: Mapping[str, str]) -> None:
    """Say which operations the modules of a package register.

    Args:
      names: module -> names of operations with spaces between; `shape.*` for all of a dialect.
    """
    for module, operations in names.items():
        for name in operations.split():
            if name in _OPERATIONS:
                raise ValueError(f"operation {name} is in both {_OPERATIONS[name]} and {package}.{module}")
            _OPERATIONS[name] = f"{package}.{module}"


def has_custom_calls(package: str, modules: Iterable[str]) -> None:
    """Say which modules of a package register functions for custom calls."""
    _CUSTOM_CALLS.extend(f"{package}.{module}" for module in modules)


def import_operation(name: str) -> None:
    """Import the module that registers an operation, if there is one."""
    module = _OPERATIONS.get(name) or _OPERATIONS.get(f"{name.partition('.')[0]}.*")
    if module is not None:
        import_module(module)


def import_operations() -> None:
    """Import all modules that register operations."""
    for module in _OPERATIONS.values():
        import_module(module)


def import_custom_calls() -> None:
    """Import all modules that register functions for custom calls."""
    for module in _CUSTOM_CALLS:
        import_module(module)
