"""The context of a run: the state that its operations share, such as counts, output and files."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hlokit.errors import EvaluationError, HlokitError, InternalError, UnsupportedError

if TYPE_CHECKING:
    from hlokit.engine.contract.process import Engine, Process, Values
    from hlokit.engine.contract.process_groups import ProcessId
    from hlokit.values.element_types import ElementType
    from hlokit.values.types import TensorType


class Probes(Protocol):
    """Stores the values that a program probes, and loads them again."""

    def store(self, probe_id: str, value: Any, type_: TensorType) -> None:
        """Store a value."""
        ...

    def load(self, probe_id: str, iteration: int, element_type: ElementType) -> tuple[str, Any]:
        """The type and the value that a probe stored the `iteration`-th time, from 0."""
        ...


def _discard(*values: object) -> None:
    del values


@dataclass(slots=True)
class RunContext:
    """The context of one run.

    Attributes:
      checks: the number of evaluated check.* operations.
      write: called with the text that the program prints (interpreter.print).
      outfeed: called with the values that a process writes to its outfeed.
      probes: the storage of interpreter.probe; None stores nothing.
      process: the process of a grid that executes this run; None until an operation requests it
        (`current_process`).
      engine: the engine for process grids that the run creates; None for threads.
      generator: the source of random numbers for `rng`; None until the first `rng` operation.
    """

    checks: int = 0
    write: Callable[[str], None] = field(default=_discard)
    outfeed: Callable[[ProcessId, tuple[Any, ...]], object] = field(default=_discard)
    probes: Probes | None = None
    process: Process | None = None
    engine: Engine | None = None
    generator: np.random.Generator | None = None


_current: ContextVar[RunContext | None] = ContextVar("hlokit run context", default=None)


def current() -> RunContext:
    """The context of the current run; a fresh one outside of any run."""
    context = _current.get()
    if context is None:
        context = RunContext()
        _current.set(context)
    return context


class use:
    """Make `context` the current context inside a `with` statement."""

    # A class, since each call of a program enters a context: generators take thrice the time.
    __slots__ = ("_context", "_token")

    def __init__(self, context: RunContext) -> None:
        self._context = context

    def __enter__(self) -> RunContext:
        self._token = _current.set(self._context)
        return self._context

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)


def context_of_process(
    parent: RunContext,
    process: Process,
    number: int,
    write: Callable[[str], None],
    outfeed: Callable[[ProcessId, Values], object],
) -> RunContext:
    """The context of one process of a grid that a run creates."""
    # Process 0 draws the same random numbers as a program that runs alone.
    generator = np.random.default_rng([0, number]) if number else None
    return replace(
        parent,
        checks=0,
        write=write,
        outfeed=outfeed,
        generator=generator,
        process=process,
        # Nested grids stay in the same operating-system process.
        engine=None,
    )


def add_process_name(failure: HlokitError, id_: ProcessId) -> None:
    """Add the process to the message of its error."""
    if isinstance(failure, EvaluationError | UnsupportedError | InternalError):
        failure.message = f"process {id_}: {failure.message}"
