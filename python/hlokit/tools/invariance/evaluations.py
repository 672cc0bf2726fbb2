"""The operations of a run with their values."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from hlokit.engine.contract import run_context
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.tools.recording.places import CONTROL_FLOW


class Evaluation(NamedTuple):
    """One operation of a run."""

    step: Step
    operands: tuple[Any, ...]
    results: tuple[Any, ...]


class Evaluations:
    """An observer of the operations of a run, without those of regions that are applied to elements."""

    def __init__(self) -> None:
        self._of_processes: dict[tuple[int, int], list[Evaluation]] = {}
        self._lock = threading.Lock()

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""
        del plan
        if step.name in CONTROL_FLOW or step.name.startswith("vm."):
            return
        parent = operation_of(step).parent
        if parent is not None and traits_of(parent.name).applies:
            return
        process = run_context.current().process
        key = (0, 0) if process is None else process.id
        with self._lock:
            own = self._of_processes.setdefault(key, [])
        own.append(Evaluation(step, tuple(operands), tuple(results)))

    def failed(self, plan: Plan, step: Step) -> None:
        """A step has raised an exception."""

    def in_order(self) -> list[Evaluation]:
        """The operations: the first one of each process, then the second one, and so on."""
        processes = [self._of_processes[key] for key in sorted(self._of_processes)]
        return [row for row in chain.from_iterable(zip_longest(*processes)) if row is not None]


def shown(step: Step) -> str:
    """The name and the source line of an operation."""
    where = source_text(step.location())
    return f"{step.name}{f' at {where}' if where else ''}"
