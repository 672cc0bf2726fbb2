"""The context of a run: the state that its operations share, such as counts, output, files, and work done."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

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


# The least units of work of one run. To lower a step is one unit, to allocate the registers of an instruction
# and encode it another; a thousand take some 15 ms.
UNITS_PER_RUN = 600
# The run that compiles all that is left: later ones compile only what they are the first to reach.
LAST_TO_COMPILE = 5


class Work:
    """What a run has done, and what it may still compile for later runs: no run takes much longer than the
    first.

    Attributes:
      is_first: the program runs for the first time: what it compiles should be ready soon.
      is_last: the run compiles all that is left.
      is_deferred: blocks compile nothing, since their caller may compile a program that contains them.
      left: the units of work until the run compiles nothing more. The first run of a program has no limit: it
        compiles only what it uses again.
      planned: the number of steps that the run has planned.
      evaluated: the number of steps that the run has evaluated one by one.
      level: the number of functions and regions that are active.
    """

    __slots__ = ("evaluated", "is_deferred", "is_first", "is_last", "left", "level", "planned")

    def __init__(self, left: int = sys.maxsize, *, is_first: bool = False, is_last: bool = False) -> None:
        self.left = left
        self.is_first, self.is_last = is_first, is_last
        self.is_deferred = False
        self.planned = self.evaluated = self.level = 0

    @property
    def is_limited(self) -> bool:
        """Whether the run may leave work to later runs."""
        return self.left < sys.maxsize // 2


def work_of_run(number: int, planned: int) -> Work:
    """The work of a run that begins.

    Args:
      number: of the run, from 1.
      planned: the number of steps that the first run of the program has planned. Planning and evaluating a
        step took longer than a unit.
    """
    if number == 1:
        return Work(is_first=True)
    if number == LAST_TO_COMPILE:
        return Work(is_last=True)
    # Many programs run once or twice.
    return Work(max(UNITS_PER_RUN, planned * (3 if number == 2 else 6) // 4))


@dataclass(slots=True, eq=False, repr=False)
class RunContext:
    """The context of one run.

    Attributes:
      checks: the number of evaluated check.* operations.
      write: called with the text that the program prints (interpreter.print).
      warn: called with what the specification forbids, but runs accept.
      outfeed: called with the values that a process writes to its outfeed.
      probes: the storage of interpreter.probe; None stores nothing.
      process: the process of a grid that executes this run; None until an operation requests it
        (`current_process`).
      engine: the engine for process grids that the run creates; None for threads.
      generator: the source of random numbers for `rng`; None until the first `rng` operation.
      wholes: what set_dimension_size has returned parts of, by the identity of the part: a reference to the
        part, the dimension, and the whole array.
      work: what the run has done and may still compile; None until a block requests it (`current_work`).
    """

    checks: int = 0
    write: Callable[[str], None] = field(default=_discard)
    warn: Callable[[str], None] = field(default=_discard)
    outfeed: Callable[[ProcessId, tuple[Any, ...]], object] = field(default=_discard)
    probes: Probes | None = None
    process: Process | None = None
    engine: Engine | None = None
    generator: np.random.Generator | None = None
    wholes: dict[int, tuple[ref[Any], int, Any]] = field(default_factory=lambda: {})
    work: Work | None = None


_current: ContextVar[RunContext | None] = ContextVar("hlokit run context", default=None)


def current() -> RunContext:
    """The context of the current run; a fresh one outside of any run."""
    context = _current.get()
    if context is None:
        context = RunContext()
        _current.set(context)
    return context


def current_work() -> Work:
    """The work of the current run."""
    context = current()
    if context.work is None:
        context.work = Work()
    return context.work


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
        work=None,
    )


def add_process_name(failure: HlokitError, id_: ProcessId) -> None:
    """Add the process to the message of its error."""
    if isinstance(failure, EvaluationError | UnsupportedError | InternalError):
        failure.message = f"process {id_}: {failure.message}"
