"""The entries `stages` and `certify`: which stage of a compiler changes what a program computes."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.children.folders import TemporaryFolder
from hlokit.engine.contract.registry import Value
from hlokit.engine.observe.summaries import summarize
from hlokit.errors import ArgumentError, for_callers
from hlokit.programs.loading import as_program, load_bytes
from hlokit.programs.program import Program
from hlokit.tools.backends.children import TIME_LIMIT
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.diff.comparing.findings import Progress, silent
from hlokit.tools.diff.comparing.flushing import PROFILES, Flush, flushing
from hlokit.tools.diff.flow.time_limits import (
    COMPARISON,
    LIMITS_OF_COMPARISON,
    RanOutOfTime,
    limited,
    time_limit_of_runs,
)
from hlokit.tools.stages.compilers import XLA, compiled
from hlokit.tools.stages.dumps import is_folder_of_dumps, read_folder
from hlokit.tools.stages.judging import Judge
from hlokit.tools.stages.report import Stage, StagesReport
from hlokit.tools.stages.settings import DEFAULTS, Settings
from hlokit.tools.stages.snapshots import CODE_GENERATION, CONVERSION, OPTIMIZED, Compilation
from hlokit.values.types import ValueType

# The comparison may take this part of the time limit even after a long compilation.
_LEAST_TIMES = 0.1
# Arguments of up to this many elements are shown.
_MOST_SHOWN = 16


@for_callers
def stages(
    program: Any,
    *arguments: Any,
    by: str | os.PathLike[str] = XLA,
    function: str | None = None,
    time_limit: float = TIME_LIMIT,
    flush: Flush = "all",
    progress: Progress = silent,
    to: str | os.PathLike[str] | None = None,
    **keywords: Any,
) -> StagesReport:
    """Find the stage of a compiler that changes what a program computes (docs/stages.md).

        print(hlokit.stages("model.mlirbc", x, by="xla"))

    Args:
      program: a `Program`, or what `hlokit.load` takes.
      arguments, keywords: as in `Program.__call__`.
      by: the compiler: `xla`, `stablehlo-opt:PIPELINE`, `cmd:TEMPLATE` for a tool that prints the program
        after each pass, a file or a folder with what it printed, or a folder with dumps of HLO.
      function: name of the function; the entry function by default.
      time_limit: seconds that the compiler, a run, and the search for the operation at fault may take. After
        twice as many seconds, the report has what was compared until then.
      flush: the subnormal numbers that the compiler may replace by zero: `none`, `results` of operations, or
        `all`: their operands, too.
      progress: called with the current stage, its number, and the number of stages.
      to: file for a page with the programs before and after each stage.

    Returns:
      A report, which `print` shows; `report.first` is the first stage that changes the meaning, or None.

    Raises:
      ArgumentError: the arguments do not fit, or there is no such compiler.
      EvaluationError: the program traps in hlokit.
    """
    if flush not in PROFILES:
        raise ArgumentError(f"flush must be one of {', '.join(PROFILES)}, got {flush}")
    if not time_limit > 0:
        raise ArgumentError(f"time_limit must be positive, got {time_limit}")
    subject = as_program(program, arguments, keywords)
    signature, values = subject.bound(arguments, keywords, function)
    settings = Settings(signature.name, time_limit, flush, texts=to is not None, progress=progress)
    compiler = os.fspath(by)
    if is_folder_of_dumps(compiler):
        report = certify_dumps(compiler, subject, *values, settings=settings)
    else:
        report = certify(subject, *values, by=compiler, settings=settings)
    if to is not None:
        from hlokit.tools.stages.page import page  # few callers ask for a page
        from hlokit.tools.view.viewing import Page

        Page(page(report)).save(to)
    return report


@for_callers
def certify(
    program: Program,
    *arguments: Any,
    by: str = XLA,
    settings: Settings = DEFAULTS,
) -> StagesReport:
    """Compile a program, and compare what it computes before and after each stage of the compiler.

    Args:
      arguments: as in `Program.__call__`.
      by: the compiler: `xla`, `stablehlo-opt:PIPELINE`, `cmd:TEMPLATE` for a tool that prints the program
        after each pass, or a file or a folder with what it printed.

    Raises:
      ArgumentError: the arguments do not fit, or there is no such compiler.
      EvaluationError: the program traps in hlokit.
    """
    signature = program.signature(settings.function)
    values = signature.values(arguments)
    start = time.monotonic()
    with TemporaryFolder() as folder:
        compilation = compiled(by, program, signature.name, values, folder, settings.time_limit)
        return _report(program, arguments, compilation, settings, time.monotonic() - start)


@for_callers
def certify_dumps(
    folder: str, program: Program | None, *arguments: Any, settings: Settings = DEFAULTS
) -> StagesReport:
    """Compare what a program computes in dumps of HLO that a compilation elsewhere wrote.

    Args:
      program: what the compiler got; None to begin with the first dump.

    Raises:
      ArgumentError: there are no dumps, or the arguments do not fit.
    """
    compilation = Compilation(
        f"{XLA} ({os.path.basename(os.path.abspath(folder))})", read_folder(folder, settings.module)
    )
    return _report(program, arguments, compilation, settings)


def first_program(folder: str, module: str | None = None) -> Program:
    """The program of the first dump in a folder."""
    snapshot = read_folder(folder, module)[0]
    return load_bytes(snapshot.read(), snapshot.source)


def _report(
    program: Program | None,
    arguments: Sequence[Any],
    compilation: Compilation,
    settings: Settings,
    spent: float = 0.0,
) -> StagesReport:
    """The verdicts on all stages, as far as there is time.

    Args:
      spent: how many seconds the compilation took, of the time for the command.
    """
    judge = Judge(arguments, settings)
    name = "dumps"
    stages: list[Stage] = []
    with time_limit_of_runs(settings.time_limit), flushing(settings.flush):
        if program is not None:
            name = os.path.basename(program.filename) if program.filename != "-" else "the program"
            judge.start(program, program.signature(settings.function).name)
        times = max(LIMITS_OF_COMPARISON - spent / settings.time_limit, _LEAST_TIMES)
        try:
            limited(lambda: _judge(judge, compilation, settings, stages), COMPARISON, times)
        except RanOutOfTime:
            note = f"all stages together took longer than {LIMITS_OF_COMPARISON * settings.time_limit:g} s"
            stages += _not_compared(compilation, len(stages), note)
    return StagesReport(name, compilation.compiler, tuple(stages), _inputs(program, arguments, settings))


def _judge(judge: Judge, compilation: Compilation, settings: Settings, stages: list[Stage]) -> None:
    """Add the verdict on each stage."""
    snapshots = compilation.snapshots
    for number, snapshot in enumerate(snapshots):
        settings.progress(snapshot.stage, number, len(snapshots))
        stages.append(judge.judge(snapshot))
        if stages[-1].verdict == "changed":
            judge.reconsider(stages)
            if settings.stops:
                return
    if compilation.failure is not None:
        stages.append(_failed(compilation, compilation.failure, stages))
    elif compilation.results is not None:
        stages.append(judge.generated(compilation.results))
        if stages[-1].verdict == "changed":
            judge.reconsider(stages)


def _not_compared(compilation: Compilation, judged: int, note: str) -> list[Stage]:
    """The stages that there was no time for."""
    names = [(snapshot.stage, snapshot.pipeline, snapshot.source) for snapshot in compilation.snapshots]
    if compilation.results is not None:
        names.append((CODE_GENERATION, "", ""))
    return [
        Stage(stage, "unknown", pipeline, source, note=note) for stage, pipeline, source in names[judged:]
    ]


def _failed(compilation: Compilation, failure: SideFailed, stages: Sequence[Stage]) -> Stage:
    """The stage at which a compiler failed."""
    if not stages:
        name = CONVERSION if compilation.compiler == XLA else "the first pass"
    else:
        name = CODE_GENERATION if stages[-1].name == OPTIMIZED else f"after {stages[-1].name}"
    return Stage(name, "unknown", note=str(failure))


def _inputs(program: Program | None, arguments: Sequence[Any], settings: Settings) -> tuple[str, ...]:
    """The arguments in words."""
    if program is None:
        return tuple([_shown(np.asarray(value)) for value in arguments])
    signature = program.signature(settings.function)
    values = signature.values(arguments)
    return tuple([_described(*pair) for pair in zip(values, signature.inputs, strict=True)])


def _described(value: Value, type_: ValueType) -> str:
    if isinstance(value, tuple) or np.size(value) > _MOST_SHOWN:
        return str(summarize(value, type_))
    return f"{type_} {_shown(np.asarray(value))}"


def _shown(array: Any) -> str:
    return " ".join(str(array.tolist()).split())
