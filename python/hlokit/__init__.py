"""hlokit: a StableHLO toolkit in Python.

import hlokit

program = hlokit.load("model.mlirbc")
logits = program(images)
"""

import os
from importlib import import_module
from typing import Any

from hlokit import kernels
from hlokit.kernels import checks

__version__ = "0.1.0"

# Modules that register operations.
_FAMILIES = (checks, kernels)


def _modules() -> dict[str, str]:
    """The module of each public name: the imports of the stub, `from MODULE import NAME as NAME`."""
    with open(os.path.join(os.path.dirname(__file__), "__init__.pyi"), encoding="utf-8") as stub:
        imports = [line.split() for line in stub if line.startswith("from ")]
    return {name: module for _, module, _, name, *_ in imports}


# The first use of a name imports its module, so that code that runs no program does not import NumPy and the
# bindings.
_MODULES = _modules()
__all__ = list(_MODULES)  # pyright: ignore[reportUnsupportedDunderAll] # the stub has the names


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None and name.startswith("_"):  # the import system asks so before it imports an extension
        raise AttributeError(f"module {__name__} has no attribute {name}")
    if module is None:
        from hlokit.display.elsewhere import PACKAGE, hint

        raise AttributeError(f"module {__name__} has no attribute {name}{hint(name, PACKAGE, _MODULES)}")
    value = globals()[name] = getattr(import_module(module), name)  # so that Python looks it up only once
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
