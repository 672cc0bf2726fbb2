"""Options of the runs of the plugin: a context manager, and environment variables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from types import TracebackType
from typing import Any, Literal, get_args

from hlokit import _pjrt
from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError, for_callers
from hlokit.programs.calls.runs import PRECISIONS, TIERS, Precision, TierName

Check = Literal["", "xla"]
CHECKS: tuple[Check, ...] = get_args(Check)
_PREFIX = "HLOKIT_JAX_"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of runs. The environment variable of a field is its name in capitals, after `HLOKIT_JAX_`.

    Attributes:
      stop_on_nan: fail at the first operation that computes a NaN from operands without NaN.
      observer: called before and after each step of a run; has no variable.
      record: a folder for recordings of runs, each of which is a folder in it; "" records nothing.
      check: `xla` also runs the program with XLA:CPU, and fails if the values differ by more than roundings.
      every: the first call of each program and every n-th one after it is recorded and checked.
      precision, tier: as in `Program.__call__`.
    """

    stop_on_nan: bool = False
    observer: Observer | Sequence[Observer] = ()
    record: str = ""
    check: Check = ""
    every: int = 1
    precision: Precision = "default"
    tier: TierName = "default"

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("check", self.check, CHECKS),
            ("precision", self.precision, PRECISIONS),
            ("tier", self.tier, TIERS),
        ):
            if value not in choices:
                raise ArgumentError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
        if self.every < 1:
            raise ArgumentError(f"every must be a positive number, got {self.every}")


PLAIN = Options()


def _is_set(text: str) -> bool:
    return text not in ("", "0")


# How to read variables that are not texts.
_READ: dict[str, Callable[[str], object]] = {"stop_on_nan": _is_set, "every": int}


def from_environment() -> Options:
    """The options of the environment variables.

    Raises:
      ArgumentError: a variable has no such value.
    """
    values: dict[str, Any] = {}
    for field in fields(Options):
        text = os.environ.get(_PREFIX + field.name.upper())
        if text is None or field.name == "observer":
            continue
        try:
            values[field.name] = _READ.get(field.name, str)(text)
            Options(**values)
        except (ValueError, ArgumentError) as error:
            raise ArgumentError(f"{_PREFIX}{field.name.upper()}: {error}") from None
    return Options(**values)


class _State:
    """The options of the process: programs may run on other threads than the caller's."""

    def __init__(self) -> None:
        self.current: Options | None = None

    def set(self, current: Options) -> None:
        """Use options for the runs that begin from now on, in their caller's thread unless they are plain."""
        _pjrt.wait_for_runs()
        self.current = current
        _pjrt.run_beside_callers(current is PLAIN)


_STATE = _State()


def current() -> Options:
    """The options of a run that begins."""
    if _STATE.current is None:
        chosen = from_environment()
        _STATE.set(PLAIN if chosen == PLAIN else chosen)
    assert _STATE.current is not None
    return _STATE.current


class options:
    """Sets options of all runs of the process, within a `with` statement.

        with hlokit.jax.options(stop_on_nan=True, record="runs"):
            state = train_step(state, batch)

    Args:
      given: fields of `Options`; others are as outside of the statement.

    Raises:
      ArgumentError: a value is none of the field's.
    """

    @for_callers
    def __init__(self, **changes: Any) -> None:
        self._outer = current()
        if "record" in changes:
            changes["record"] = os.fspath(changes["record"])
        unknown = changes.keys() - {field.name for field in fields(Options)}
        if unknown:
            raise ArgumentError(f"there are no options {', '.join(sorted(unknown))}")
        self._changes = changes

    @for_callers
    def __enter__(self) -> Options:
        self._outer = current()
        inner = replace(self._outer, **self._changes)
        _STATE.set(inner)
        return inner

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _STATE.set(self._outer)
