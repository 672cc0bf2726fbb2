"""Runs with options: observed, recorded, and checked against XLA:CPU."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hlokit.clients.pjrt.options import Options
from hlokit.engine.contract.registry import Value
from hlokit.engine.observe.observers import StopOnNan, as_observer
from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError, EvaluationError
from hlokit.files.reading import reason
from hlokit.programs.program import Program
from hlokit.tools.diff.run import diff
from hlokit.tools.recording.recorder import Recorder

# Where runs go that differ from XLA's, unless all runs are recorded.
_DIFFERENCES = "hlokit-differences"


@dataclass(slots=True)
class WatchedRuns:
    """The runs of one program with options.

    Attributes:
      name: the program's name, for folders and messages.
      is_checkable: whether the program can run again, and with XLA: it calls no Python function, and runs on
        one device.
    """

    program: Program
    name: str
    is_checkable: bool
    _calls: itertools.count[int] = field(default_factory=itertools.count)
    _is_warned: bool = False

    def run(self, values: Sequence[Value], options: Options) -> Sequence[Value]:
        """The results of a run.

        Raises:
          EvaluationError: also where the run computes a NaN, or differs from XLA's, if the options say so.
        """
        is_sampled = next(self._calls) % options.every == 0
        if options.record and is_sampled:
            results = self._record(values, options, options.record)
        else:
            results = self._evaluate(values, options, [])
        if options.check and is_sampled:
            self._check(values, options)
        return results

    def _evaluate(self, values: Sequence[Value], options: Options, more: list[Observer]) -> Sequence[Value]:
        own = as_observer(options.observer)
        observers = [] if own is None else [own]
        observers += [StopOnNan()] if options.stop_on_nan else []
        return self.program.runs.evaluate(
            values,
            self.program.signature().name,
            observer=[*observers, *more] or None,
            precision=options.precision,
            tier=options.tier,
        )

    def _record(self, values: Sequence[Value], options: Options, folder: str) -> Sequence[Value]:
        signature = self.program.signature()
        with Recorder(_new_folder(folder, self.name), self.program) as recorder:
            recorder.values("argument", values, signature.inputs)
            results = self._evaluate(values, options, [recorder])
            recorder.values("result", results, signature.outputs)
        return results

    def _check(self, values: Sequence[Value], options: Options) -> None:
        if not self.is_checkable:
            if not self._is_warned:
                warnings.warn(
                    f"{self.name} calls Python or runs on several devices: not checked", stacklevel=2
                )
                self._is_warned = True
            return
        report: Any = diff(self.program, *values, against=options.check)
        if report.outcome != "differs":
            return
        if not options.record:
            self._record(values, Options(), _DIFFERENCES)
        where = options.record or _DIFFERENCES
        raise EvaluationError(f"{self.name} differs from XLA:CPU; its run is recorded in {where}\n{report}")


def _new_folder(folder: str, name: str) -> str:
    """The path of a new folder for a run: a number in the order of runs, and the name of the program.

    Raises:
      ArgumentError: the folder cannot be made.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ArgumentError(f"record must be a folder, got '{folder}': {reason(error)}") from None
    used = [int(entry[:6]) for entry in os.listdir(folder) if entry[:6].isdecimal()]
    return os.path.join(folder, f"{max(used, default=0) + 1:06}-{name}")
