"""The contract of hlokit's passes.

A pass is a function that changes one operation (a module, or each function in it) in place. `PASSES` in
`hlokit.passes` maps the names of all passes, which are also their flags, to the passes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hlokit.errors import ArgumentError, Diagnostic, PassError
from hlokit.mlir.provider.diagnostics import diagnostic

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

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
    """The options of a pass: given values, and defaults for the others."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """An option as text."""
        return self.values[name]

    def switch(self, name: str) -> bool:
        """An option that is true or false.

        Raises:
          ArgumentError: the value is neither.
        """
        value = _SWITCH_VALUES.get(self.values[name].lower())
        if value is None:
            raise ArgumentError(f"option {name} must be true or false, got '{self.values[name]}'")
        return value

    def number(self, name: str) -> int:
        """An option that is an integer.

        Raises:
          ArgumentError: the value is not an integer.
        """
        try:
            return int(self.values[name])
        except ValueError:
            raise ArgumentError(f"option {name} must be an integer, got '{self.values[name]}'") from None


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass.

    Attributes:
      name: the name, which is also the flag.
      run: changes an operation in place; raises PassError on failure.
      anchor: the operation that the pass runs on. `func.func` means each function, as for a nested pass.
    """

    name: str
    summary: str
    run: Callable[[ir.Operation, Options], None]
    anchor: Literal["builtin.module", "func.func"] = "builtin.module"
    options: tuple[Option, ...] = ()


def failure(operation: ir.Operation, message: str) -> PassError:
    """A PassError at an operation, with the file name of its location or `-` for the input."""
    return PassError((diagnostic("error", f"'{operation.name}' op {message}", str(operation.location), "-"),))


def warn(operation: ir.Operation, message: str) -> None:
    """Record a warning of a pass at an operation. (The bindings cannot emit diagnostics from Python.)"""
    warnings = _warnings.get()
    if warnings is not None:
        warnings.append(diagnostic("warning", message, str(operation.location), "-"))


@contextmanager
def collected_warnings() -> Generator[list[Diagnostic]]:
    """Collect the warnings that passes emit inside the block."""
    warnings: list[Diagnostic] = []
    token = _warnings.set(warnings)
    try:
        yield warnings
    finally:
        _warnings.reset(token)
