"""Operations of a program that hlokit could not evaluate, found without running the program."""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.display.shown import Shown
from hlokit.engine.contract.registry import find
from hlokit.kernels.custom_calls.dispatch import is_python_callback, reason_not_evaluated
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, location_of, walk
from hlokit.operations.lookup import having

# Operations that contain others, or end a block, and compute nothing themselves.
_STRUCTURE = {"builtin.module", "func.func"} | having(lambda traits: traits.terminator)


@dataclass(frozen=True, slots=True, repr=False)
class Unsupported(Shown):
    """An operation that hlokit could not evaluate if the program reached it."""

    op: str
    function: str
    location: str
    reason: str

    def __str__(self) -> str:
        return f"{self.op} in @{self.function} at {self.location}: {self.reason}"


def find_unsupported(module: ir.Module, filename: str, *, has_callbacks: bool = False) -> list[Unsupported]:
    """All operations of a module's functions that hlokit could not evaluate, in program order.

    Args:
      has_callbacks: whether this process has the Python functions that custom calls name.
    """
    unsupported: list[Unsupported] = []
    for name, function in functions(module).items():

        def visit(operation: ir.Operation, name: str = name) -> None:
            reason = _reason(operation, has_callbacks)
            if reason is not None:
                unsupported.append(
                    Unsupported(operation.name, name, location_of(operation, filename), reason)
                )

        walk(function, visit)
    return unsupported


def _reason(operation: ir.Operation, has_callbacks: bool) -> str | None:
    name = operation.name
    if name in _STRUCTURE:
        return None
    if find(name) is None:
        return f"hlokit does not evaluate {name}"
    if name == "stablehlo.custom_call":
        target = Attributes(operation).string("call_target_name")
        return None if has_callbacks and is_python_callback(target) else reason_not_evaluated(target)
    return None
