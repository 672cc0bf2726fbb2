"""The contract of a pass: what hlokit adds to the passes of the bindings.

A pass is a function that changes one operation (a module, or each function of it) in place. `PASSES` in
`hlokit.passes` lists all of them by the name that is their flag.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hlokit.errors import ArgumentError, Diagnostic, PassError
from hlokit.mlir.parse import diagnostic

if TYPE_CHECKING:
    from hlokit.mlir.bindings import ir

_warnings: ContextVar[list[Diagnostic] | None] = ContextVar("warnings", default=None)
_SWITCH_VALUES = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a pass, `{name=value}` in a pipeline, `--pass=name=value` on the command line."""

    name: str
    help: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """The options that a pass was given, with the defaults of the others."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """An option as text."""
        return self.values[name]

    def switch(self, name: str) -> bool:
        """An option that is true or false.

        Raises:
          ArgumentError: it is neither.
        """
        value = _SWITCH_VALUES.get(self.values[name].lower())
        if value is None:
            raise ArgumentError(f"option {name} must be true or false, got '{self.values[name]}'")
        return value

    def number(self, name: str) -> int:
        """An option that is an integer.

        Raises:
          ArgumentError: it is none.
        """
        try:
            return int(self.values[name])
        except ValueError:
            raise ArgumentError(f"option {name} must be an integer, got '{self.values[name]}'") from None


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass.

    Attributes:
      name: its flag.
      run: changes an operation in place; raises PassError if it cannot.
      anchor: the operations that it runs on. `func.func`: each function, as a nested pass does.
    """

    name: str
    summary: str
    run: Callable[[ir.Operation, Options], None]
    anchor: Literal["builtin.module", "func.func"] = "builtin.module"
    options: tuple[Option, ...] = ()


def failure(operation: ir.Operation, message: str) -> PassError:
    """A PassError at an operation. The file name is that of its location, or `-` for the input."""
    return PassError((diagnostic("error", f"'{operation.name}' op {message}", str(operation.location), "-"),))


def warn(operation: ir.Operation, message: str) -> None:
    """A warning of a pass at an operation, for whoever collects them. Bindings emit none for Python."""
    found = _warnings.get()
    if found is not None:
        found.append(diagnostic("warning", message, str(operation.location), "-"))


@contextmanager
def collected_warnings() -> Generator[list[Diagnostic]]:
    """What passes warn of meanwhile."""
    found: list[Diagnostic] = []
    token = _warnings.set(found)
    try:
        yield found
    finally:
        _warnings.reset(token)
