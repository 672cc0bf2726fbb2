"""`hlokit.diff`: compares a program with another side."""

from __future__ import annotations

import math
import os
from typing import Any

from hlokit.display.misuse import shown
from hlokit.display.suggestions import SUGGESTS, did_you_mean
from hlokit.errors import ArgumentError, for_callers
from hlokit.programs.calls.arguments import by_position
from hlokit.programs.loading import as_program, load_path
from hlokit.programs.program import Program
from hlokit.tools.backends.children import TIME_LIMIT
from hlokit.tools.backends.names import NAMES, named_side, xla_replicas
from hlokit.tools.backends.side import Side
from hlokit.tools.diff.against_runs import against_program, against_recording
from hlokit.tools.diff.against_side import SideWork
from hlokit.tools.diff.comparing.findings import Progress, silent
from hlokit.tools.diff.comparing.flushing import PROFILES, Flush, flushing
from hlokit.tools.diff.flow.time_limits import time_limit_of_runs
from hlokit.tools.diff.report import DiffReport, Mode
from hlokit.tools.diff.work import Work
from hlokit.tools.recording.container import is_recording
from hlokit.tools.recording.recording import Recording

MODES: tuple[Mode, ...] = ("auto", "whole", "isolated", "values")
Other = Side | Program | Recording


@for_callers
def diff(
    program: Any,
    *arguments: Any,
    against: Other | str | os.PathLike[str] = "xla",
    mode: Mode = "auto",
    function: str | None = None,
    time_limit: float = TIME_LIMIT,
    flush: Flush = "all",
    progress: Progress = silent,
    **keywords: Any,
) -> DiffReport:
    """Find the first operation of a program whose values differ on another side.

        print(hlokit.diff("model.mlirbc", x, against="xla"))

    Args:
      program: a `Program`, or what `hlokit.load` takes; or a recorded run, which contains its arguments.
      arguments, keywords: as in `Program.__call__`.
      against: `xla`, `iree`, `iree:vmvx`, `eval-module`, `torch-xla`, `high`, `pjrt:LIBRARY` or
        `cmd:TEMPLATE`, or another program, or a recorded run of the same program, or their paths; or an
        object with the methods of `hlokit.tools.backends.side.Side`.
      mode: `whole` compares results only; `isolated` every operation in isolation, on hlokit's operands;
        `values` all intermediate values; `auto` results first, then the modes that find the operation at
        fault.
      function: name of the function; the entry function by default.
      time_limit: seconds that a run in hlokit may take, the other side to compile and run one module, and the
        search of the operation at fault. After twice as many seconds, the report has what is known.
      flush: the subnormal numbers that the other side may replace by zero: `none`, `results` of operations,
        or `all`: their operands, too.
      progress: called with the current step, its completed part, and its total.

    Returns:
      A report, which `print` shows; `report.first` is the first operation that differs, or None.

    Raises:
      ArgumentError: a side, a mode or the arguments do not fit; a recorded run belongs to another program.
      EvaluationError: the program traps in hlokit.
    """
    if mode not in MODES:
        raise ArgumentError(f"mode must be one of {', '.join(MODES)}, got {mode}")
    if flush not in PROFILES:
        raise ArgumentError(f"flush must be one of {', '.join(PROFILES)}, got {flush}")
    if not time_limit > 0:
        raise ArgumentError(f"time_limit must be positive, got {time_limit}")
    recording = _recording(program)
    if recording is not None:
        if arguments or keywords:
            raise ArgumentError("a recorded run contains its arguments, got others")
        subject, arguments = recording.program(), tuple(recording.arguments)
        function = function or recording.function
        name = os.path.basename(os.path.normpath(recording.directory))
    else:
        subject = as_program(program, arguments, keywords)
        name = os.path.basename(subject.filename) if subject.filename != "-" else "the program"
    signature = subject.signature(function)
    other = resolve(against, time_limit)
    if subject.grid != (1, 1):
        # Most comparisons do without these modules, whose import takes a while.
        from hlokit.tools.diff.against_processes import compare_processes, values_of_processes

        count = math.prod(subject.grid)
        rows, _ = by_position(arguments, keywords, subject.parameter_names(function))
        processes = values_of_processes(signature, rows, count)
        work = Work(subject, (), signature, name, progress)
        side = _side_of_processes(other, count, time_limit)
        try:
            with time_limit_of_runs(time_limit), flushing(flush):
                return compare_processes(work, processes, side)
        finally:
            if side is not None and not isinstance(side, Program):
                side.close()
    signature, values = subject.bound(arguments, keywords, function)
    parts = (subject, values, signature, name, progress)
    try:
        with time_limit_of_runs(time_limit), flushing(flush):
            match other:
                case Program():
                    return against_program(Work(*parts), other, mode)
                case Recording():
                    return against_recording(Work(*parts), other)
                case _:
                    return SideWork(*parts).compare(other, mode)
    finally:
        if not isinstance(other, Program | Recording) and other is not against:
            other.close()


# What users call the side xla.
_OF_XLA = ("jax", "cpu", "jit")


def resolve(against: Other | str | os.PathLike[str], time_limit: float = TIME_LIMIT) -> Other:
    """A side by its name, a program or a recorded run by its path.

    Raises:
      ArgumentError: the name is none of these, or does not exist.
    """
    if not isinstance(against, str | os.PathLike):
        is_side = callable(getattr(against, "run", None)) and not isinstance(against, type)
        if is_side or isinstance(against, Program | Recording):
            return against
        raise ArgumentError(
            f"against must be a side such as 'xla', a program, a recorded run or a path, got {shown(against)}"
        )
    name = os.fspath(against)
    side = named_side(name, time_limit) if isinstance(against, str) else None
    if side is not None:
        return side
    if is_recording(name):
        return Recording(name)
    kinds = f"a side must be one of {', '.join(NAMES)}, or a program or a recorded run"
    if name.endswith((".npy", ".npz")):
        raise ArgumentError(f"{kinds}, got the arrays '{name}': hlokit record writes recorded runs")
    if os.path.isfile(name):
        return load_path(name)
    hint = f"{SUGGESTS}xla?" if name in _OF_XLA else did_you_mean(name, NAMES)
    raise ArgumentError(f"{kinds}, got '{name}'{hint}")


def _side_of_processes(other: Other, count: int, time_limit: float) -> Program | Side | None:
    """The side of a program for several processes; None for hlokit in higher precision.

    Raises:
      ArgumentError: the side runs one process.
    """
    if isinstance(other, Program):
        return other
    name = getattr(other, "name", "")
    if name == "xla":
        return xla_replicas(count, time_limit)
    if name != "high":
        reason = "implements no collectives for CPUs" if name.startswith("iree") else "runs one process"
        raise ArgumentError(
            "diff: the program is for several processes; its side must be xla, high or another program, "
            f"got {name or 'a recorded run'}, which {reason}"
        )
    return None


def _recording(program: Any) -> Recording | None:
    if isinstance(program, Recording):
        return program
    if isinstance(program, str | os.PathLike) and is_recording(os.fspath(program)):
        return Recording(program)  # pyright: ignore[reportUnknownArgumentType] # a path
    return None
