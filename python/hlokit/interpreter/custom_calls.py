"""Kernels for custom calls, given by the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hlokit.interpreter.homes import import_custom_calls

if TYPE_CHECKING:
    from hlokit.interpreter.block import Block
    from hlokit.values.types import ValueType

CustomCallFunction = Callable[..., Any]
F = TypeVar("F", bound=CustomCallFunction)

_FUNCTIONS: dict[str, CustomCallFunction] = {}


@dataclass(frozen=True, slots=True)
class CustomCall:
    """What a custom call says of itself besides its operands.

    A registered function that has a keyword parameter `call` receives it.

    Attributes:
      target: `call_target_name`.
      operand_types, result_types: as the program states them.
      attributes: all attributes as plain Python values, `backend_config` among them.
      computations: the functions in `called_computations`, callable on values.
    """

    target: str
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    attributes: Mapping[str, Any]
    computations: tuple[Block, ...] = ()


def custom_call(target: str) -> Callable[[F], F]:
    """Register a function for `stablehlo.custom_call @target`, replacing an earlier one.

        @hlokit.custom_call("my_gelu")
        def my_gelu(x):
            return 0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x**3)))

    The function takes one array an operand and gives one array (or a tuple of arrays if the call has none
    or several results) of the shapes and dtypes of the call's results. It may be used inside regions.
    """

    def register(function: F) -> F:
        _FUNCTIONS[target] = function
        return function

    return register


def own_custom_call(target: str) -> Callable[[F], F]:
    """Register a function of hlokit's own: one that the user registers comes first, whenever that is."""

    def register(function: F) -> F:
        _FUNCTIONS.setdefault(target, function)
        return function

    return register


def registered_custom_calls() -> tuple[str, ...]:
    """Targets of all functions that are registered, sorted."""
    import_custom_calls()
    return tuple(sorted(_FUNCTIONS))


def find_custom_call(target: str) -> CustomCallFunction | None:
    """The function registered for a target, None if there is none."""
    if target not in _FUNCTIONS:
        import_custom_calls()
    return _FUNCTIONS.get(target)
