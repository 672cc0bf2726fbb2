"""Lazy registration: a module of operations is imported when a program with its operations is planned.

Most programs use few operations, and importing all modules takes as long as running a small program.
Therefore the table of operations (`traits`) names the module that registers each operation, and packages
declare which of their modules register functions for custom calls. Tests compare both with the registrations
of the modules.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

_CUSTOM_CALLS: list[str] = []


def register_custom_calls_lazily(package: str, modules: Iterable[str]) -> None:
    """Declare which modules of a package register functions for custom calls."""
    _CUSTOM_CALLS.extend(f"{package}.{module}" for module in modules)


def import_operation(name: str) -> None:
    """Import the module that registers an operation, if there is one."""
    from hlokit.traits.table import module_of  # `import hlokit` does not load the table

    module = module_of(name)
    if module is not None:
        import_module(module)


def import_operations_of_module(names: Iterable[str]) -> None:
    """Import what all operations of a module need.

    A planner calls this before its first plan. Otherwise a run that reaches a region for the first time would
    import modules, perhaps beside a fork, whose process could never complete the import.
    """
    for name in names:
        import_operation(name)
        if name == "stablehlo.custom_call":
            import_custom_calls()


def import_operations() -> None:
    """Import all modules that register operations."""
    from hlokit.traits.table import modules

    for module in modules():
        import_module(module)


def import_custom_calls() -> None:
    """Import all modules that register functions for custom calls."""
    for module in _CUSTOM_CALLS:
        import_module(module)
