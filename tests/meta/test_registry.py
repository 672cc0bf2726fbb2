"""Every operation of the bindings' StableHLO and CHLO dialects is registered, or listed here with a reason."""

from __future__ import annotations

from hlokit.engine.contract.registry import registered_operations

from .dialects import NEWER, bindings_operations

NOT_EVALUATED: dict[str, str] = {}


def test_the_bindings_have_operations() -> None:
    assert len(bindings_operations()) > 150


def test_operations_are_registered_or_listed() -> None:
    assert bindings_operations() - set(registered_operations()) == set(NOT_EVALUATED), (
        "register an operation, or list it with the reason"
    )


def test_every_registered_operation_exists_in_some_bindings() -> None:
    registered = {name for name in registered_operations() if name.startswith(("stablehlo.", "chlo."))}
    assert registered - NEWER <= bindings_operations()
