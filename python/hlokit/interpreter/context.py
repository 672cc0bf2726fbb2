"""What a run shares between its operations besides values: counts, output, files."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from hlokit.interpreter.probes import Probes
    from hlokit.interpreter.process import Engine, Process
    from hlokit.interpreter.process_groups import ProcessId


def _discard(*values: object) -> None:
    del values


@dataclass(slots=True)
class RunContext:
    """The surroundings of one run.

    Attributes:
      checks: how many check.* operations have been evaluated.
      write: takes the text that the program prints (interpreter.print).
      outfeed: takes what a process writes to its outfeed.
      probes: where interpreter.probe stores values; None stores nothing.
      process: which one of a grid this run is; None before an operation asks (`current_process`).
      engine: evaluates the grids of processes that the run makes; None for threads.
      generator: what `rng` operations draw from; None before the first one.
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
    """The context of the run under way; a fresh one outside of any."""
    context = _current.get()
    if context is None:
        context = RunContext()
        _current.set(context)
    return context


@contextlib.contextmanager
def use(context: RunContext) -> Generator[RunContext, None, None]:
    """Make `context` the current one within a `with`."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)
