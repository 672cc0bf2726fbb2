"""Lazy registration: a module of operations is imported when one of its operations is first planned.

Most programs use few operations, and importing all modules takes as long as running a small program. So each
package of operations declares in its `__init__` what its modules register. A test compares the declarations
with what the modules do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

_OPERATIONS: dict[str, str] = {}
_CUSTOM_CALLS: list[str] = []


def register_lazily(package: str, names: Mapping[str, str]) -> None:
    """Declare which operations the modules of a package register.

    Args:
      names: module -> names of operations, separated by spaces; `shape.*` for all of a dialect.
    """
    for module, operations in names.items():
        for name in operations.split():
            if name in _OPERATIONS:
                raise ValueError(f"operation {name} is in both {_OPERATIONS[name]} and {package}.{module}")
            _OPERATIONS[name] = f"{package}.{module}"


def register_custom_calls_lazily(package: str, modules: Iterable[str]) -> None:
    """Declare which modules of a package register functions for custom calls."""
    _CUSTOM_CALLS.extend(f"{package}.{module}" for module in modules)


def module_of_operation(name: str) -> str | None:
    """The module that registers an operation, if there is one."""
    return _OPERATIONS.get(name) or _OPERATIONS.get(f"{name.partition('.')[0]}.*")


def import_operation(name: str) -> None:
    """Import the module that registers an operation, if there is one."""
    module = module_of_operation(name)
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
