"""Every operation of the bindings' StableHLO and CHLO dialects is registered, or listed here with a reason."""

from __future__ import annotations

import inspect

import pytest

from hlokit.contract.registry import registered_operations
from hlokit.mlir.provider.bindings import chlo_operations, stablehlo_operations

NOT_EVALUATED: dict[str, str] = {}
STRUCTURE = {"stablehlo.return"}
# Only newer bindings know them.
NEWER = {"stablehlo.collective_reduce"}


def bindings_operations() -> set[str]:
    modules = (stablehlo_operations(), chlo_operations())
    classes = [member for module in modules for member in inspect.getmembers(module, inspect.isclass)]
    names = {getattr(class_, "OPERATION_NAME", "") for _, class_ in classes}
    return {name for name in names if name.startswith(("stablehlo.", "chlo."))}


def test_the_bindings_have_operations() -> None:
    assert len(bindings_operations()) > 150


@pytest.mark.parametrize("name", sorted(bindings_operations() - STRUCTURE))
def test_operation_is_registered_or_listed(name: str) -> None:
    assert (name in registered_operations()) != (name in NOT_EVALUATED)


def test_every_registered_operation_exists_in_some_bindings() -> None:
    registered = {name for name in registered_operations() if name.startswith(("stablehlo.", "chlo."))}
    assert registered - NEWER <= bindings_operations()
