"""Options of the runs of the plugin: a context manager, and environment variables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from types import TracebackType
from typing import Any, Literal, get_args

from hlokit import _pjrt
from hlokit.display.suggestions import did_you_mean
from hlokit.engine.observe.observers import as_observer
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
    observer: Observer | Sequence[Observer] | None = None
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
        if type(self.stop_on_nan) is not bool:
            raise ArgumentError(f"stop_on_nan must be True or False, got {self.stop_on_nan!r}")
        if type(self.every) is not int or self.every < 1:
            raise ArgumentError(f"every must be a positive number, got {self.every!r}")
        if not isinstance(self.record, str):  # pyright: ignore[reportUnnecessaryIsInstance] # callers may be untyped
            raise ArgumentError(f"record must be the path of a folder, got {self.record!r}")
        as_observer(self.observer)
        if self.tier == "reference" and self.precision != "default":
            raise ArgumentError(
                f"precision must be left out with tier='reference', which has its own, got {self.precision!r}"
            )


PLAIN = Options()
_NAMES = tuple(field.name for field in fields(Options))


# Words for the values of options that are not texts; others are left as they are, and refused.
_WORDS: dict[str, bool] = {"": False, "0": False, "false": False, "1": True, "true": True}


def _value(name: str, text: str) -> object:
    if name == "stop_on_nan":
        return _WORDS.get(text.lower(), text)
    return int(text) if name == "every" and text.isdecimal() else text


def from_environment() -> Options:
    """The options of the environment variables.

    Raises:
      ArgumentError: a variable has no such value.
    """
    values: dict[str, Any] = {}
    variables = [_PREFIX + name.upper() for name in _NAMES if name != "observer"]
    for variable in sorted(name for name in os.environ if name.startswith(_PREFIX)):
        if variable not in variables:
            raise ArgumentError(f"there is no variable {variable}{did_you_mean(variable, variables)}")
        name = variable.removeprefix(_PREFIX).lower()
        try:
            values[name] = _value(name, os.environ[variable])
            Options(**values)
        except ArgumentError as error:
            raise ArgumentError(f"{variable}: {error}") from None
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
      changes: fields of `Options`; others are as outside of the statement.

    Raises:
      ArgumentError: a value is none of the field's.
    """

    @for_callers
    def __init__(self, **changes: Any) -> None:
        self._outer = current()
        for name in sorted(changes.keys() - set(_NAMES)):
            meant = did_you_mean(name, _NAMES, "{}=") or f"; there are {', '.join(_NAMES)}"
            raise ArgumentError(f"there is no option {name}{meant}")
        if isinstance(changes.get("record"), os.PathLike):
            changes["record"] = os.fspath(changes["record"])
        replace(self._outer, **changes)  # which checks them
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
