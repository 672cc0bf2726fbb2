"""Functions for custom calls: users' functions, and hlokit's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hlokit.engine.contract.lazy_modules import import_custom_calls
from hlokit.errors import ArgumentError, for_callers

if TYPE_CHECKING:
    from hlokit.engine.contract.region import Region
    from hlokit.values.types import ValueType

CustomCallFunction = Callable[..., Any]
F = TypeVar("F", bound=CustomCallFunction)

_FUNCTIONS: dict[str, CustomCallFunction] = {}
# hlokit's own functions.
_BUILTIN: dict[str, CustomCallFunction] = {}


@dataclass(frozen=True, slots=True)
class CustomCall:
    """A custom call without its operands, for functions that need more than the operands.

    A registered function with a keyword parameter `call` receives it.

    Attributes:
      target: the value of `call_target_name`.
      operand_types, result_types: the types in the program.
      attributes: all attributes as plain Python values, including `backend_config`.
      computations: the functions in `called_computations`, callable on values.
    """

    target: str
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    attributes: Mapping[str, Any]
    computations: tuple[Region, ...] = ()


@for_callers
def custom_call(target: str) -> Callable[[F], F]:
    """Register a function for `stablehlo.custom_call @target`, replacing an earlier function for this target.

        @hlokit.custom_call("my_gelu")
        def my_gelu(x):
            return 0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x**3)))

    The function takes one array for each operand and returns one array (or a tuple of arrays if the call has
    none or several results) of the shapes and dtypes of the call's results. It may be used inside regions.

    A function for one of JAX's targets replaces hlokit's own function in programs that are loaded afterwards;
    native programs of earlier programs may already contain hlokit's routine.

    Args:
      target: the `call_target_name` of the operations.

    Returns:
      A decorator, which returns the function unchanged.
    """

    if not isinstance(target, str):  # pyright: ignore[reportUnnecessaryIsInstance] # a decorator without a name
        raise ArgumentError('custom_call must have the target\'s name: @hlokit.custom_call("name")')

    def register(function: F) -> F:
        _FUNCTIONS[target] = function
        return function

    return register


def builtin_custom_call(target: str) -> Callable[[F], F]:
    """Register one of hlokit's own functions. A user's function for the same target takes precedence."""

    def register(function: F) -> F:
        _FUNCTIONS.setdefault(target, function)
        _BUILTIN[target] = function
        return function

    return register


def registered_custom_calls() -> tuple[str, ...]:
    """The targets of all registered functions, sorted."""
    import_custom_calls()
    return tuple(sorted(_FUNCTIONS))


def users_targets() -> list[str]:
    """The targets of users' functions, sorted."""
    return sorted(
        target for target, function in _FUNCTIONS.copy().items() if not is_builtin(target, function)
    )


def find_custom_call(target: str) -> CustomCallFunction | None:
    """The function registered for a target; None if there is none."""
    import_custom_calls(lambda: target in _FUNCTIONS)
    return _FUNCTIONS.get(target)


def is_builtin(target: str, function: CustomCallFunction) -> bool:
    """Whether a function for a target is hlokit's own."""
    return _BUILTIN.get(target) is function
