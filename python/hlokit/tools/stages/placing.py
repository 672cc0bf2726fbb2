"""The stage of XLA at fault, where `diff` finds results that differ but no operation that alone is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hlokit.errors import HlokitError
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.time_limits import RanOutOfTime, limited, time_limit_of_runs
from hlokit.tools.diff.report import DiffReport
from hlokit.tools.stages.compilers import XLA
from hlokit.tools.stages.report import Stage, StagesReport
from hlokit.tools.stages.run import certify
from hlokit.tools.stages.settings import DEFAULTS, Settings


def placed(
    report: DiffReport, program: Program, arguments: Sequence[Any], settings: Settings = DEFAULTS
) -> DiffReport:
    """A comparison with XLA, with the stage at fault if no operation alone shows the difference.

    Args:
      report: what `hlokit.diff` says of the program and these arguments.
      settings: their time limit holds for all stages together.
    """
    if report.side != XLA or report.outcome != "differs" or program.grid != (1, 1):
        return report
    # A finding with the distance from hlokit's own values is of a run of the whole program.
    if report.first is not None and report.first.inherited is None:
        return report
    settings = settings._replace(stops=True)
    try:
        with time_limit_of_runs(settings.time_limit):
            stages = limited(
                lambda: certify(program, *arguments, by=XLA, settings=settings), "the search of the stage"
            )
    except (HlokitError, RanOutOfTime) as error:
        reason = str(error).partition("\n")[0]
        return replace(report, notes=(*report.notes, f"the stages of XLA could not be compared: {reason}"))
    if stages.first is None:
        note = f"no stage of XLA is at fault alone: {_outcome(stages)}"
        return replace(report, notes=(*report.notes, note))
    return replace(report, stage=_described(stages.first))


def _outcome(stages: StagesReport) -> str:
    unknown = [stage.name for stage in stages.unknown]
    return f"{stages.headline} ({', '.join(unknown)})" if unknown else stages.headline


def _described(stage: Stage) -> str:
    """The stage, its instruction at fault, and what it changed."""
    finding = None if stage.report is None else stage.report.first
    parts = [f"{stage.title} changed the meaning"]
    if finding is not None:
        instruction = finding.source.partition(" (")[2].removesuffix(")")
        parts.append(f"of {finding.op} {finding.type}" + f" (instruction {instruction})" * bool(instruction))
    return " ".join(parts) + f": {stage.changes}" * bool(stage.changes)
