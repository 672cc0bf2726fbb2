"""Runs `hlokit diff` on a program and another one with a fault, and judges what it says."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tests.verdict.effects import Effect
from tests.verdict.faults.planting import Fault
from tests.verdict.models import Model

# Named: the line of the fault; near: the line of a neighbour; wrong: another line; missed: no line; refused: no
# comparison; slow: it did not end in time.
Grade = Literal["named", "near", "wrong", "missed", "refused", "slow"]
TIME_LIMIT = 240.0


@dataclass(frozen=True)
class Answer:
    """What a command said.

    Attributes:
      status: its exit status; None if it did not end in time.
      report: its JSON; {} if it wrote none.
      seconds: its processor time, the start of Python and all its processes included.
    """

    status: int | None
    report: dict[str, Any]
    seconds: float
    message: str

    @property
    def outcome(self) -> str:
        return self.report.get("outcome", "")


@dataclass(frozen=True)
class Judged:
    """A fault and the verdict on it.

    Attributes:
      run: the processor time of a run of the right program.
    """

    model: str
    fault: Fault
    effect: Effect
    answer: Answer
    grade: Grade
    operation: str
    run: float


def hlokit_command(*words: str, limit: float = TIME_LIMIT) -> Answer:
    """Run a command of hlokit that prints JSON."""
    start = _seconds_of_children()
    try:
        run = subprocess.run(
            [sys.executable, "-m", "hlokit", *words],
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(None, {}, _seconds_of_children() - start, "")
    seconds = _seconds_of_children() - start
    try:
        report = json.loads(run.stdout)
    except ValueError:
        report = {}
    return Answer(run.returncode, report, seconds, run.stderr.strip()[-500:])


def _seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds_of_run(program: Path, arguments: Path) -> float:
    """The processor time of `hlokit run`."""
    return hlokit_command("run", str(program), str(arguments)).seconds


def stored(folder: Path, model: Model) -> tuple[Path, Path]:
    """Files of a program and of its arguments."""
    folder.mkdir(parents=True, exist_ok=True)
    program, arguments = folder / "right.mlir", folder / "arguments.npz"
    program.write_text(model.text)
    np.savez(arguments, *model.arguments)
    return program, arguments


def diff_files(program: Path, arguments: Path, side: str, *flags: str, limit: float = TIME_LIMIT) -> Answer:
    """`hlokit diff` of a program against a side."""
    words = ("diff", str(program), str(arguments), f"--against={side}", "--json", *flags)
    return hlokit_command(*words, limit=limit)


def judge(folder: Path, model: Model, fault: Fault, effect: Effect, passes: str = "") -> Judged:
    """Compare the right program with the one that has a fault.

    Args:
      passes: flags of `stablehlo-opt`, whose passes the program with the fault went through.
    """
    program, arguments = stored(folder, model)
    other = folder / "fault.mlir"
    other.write_text(fault.text)
    if passes:
        other = folder / "passes.mlir"
        opt = Path(sys.executable).with_name("stablehlo-opt")
        subprocess.run([opt, folder / "fault.mlir", *passes.split(), "-o", other], check=True)
    answer = diff_files(program, arguments, str(other), "--time-limit=20")
    grade, operation = graded(answer, fault)
    return Judged(model.name, fault, effect, answer, grade, operation, seconds_of_run(program, arguments))


def graded(answer: Answer, fault: Fault) -> tuple[Grade, str]:
    """The grade of an answer, and what it names."""
    if answer.status is None:
        return "slow", ""
    if not answer.report:
        return "refused", answer.message
    return graded_report(answer.report, fault)


def graded_report(report: Mapping[str, Any], fault: Fault) -> tuple[Grade, str]:
    """The grade of a report, and what it names: the first operation, or where the programs differ."""
    first = report.get("first")
    if first is not None:
        place = f"{first['op']} {first['source'].rpartition('/')[2]}"
        return _grade_of(_line(first["source"]), fault), place
    changes = report.get("changes", ())
    if changes:
        return _grade_of(
            _line(changes[0].partition(" ")[0]), fault
        ), f"differ at {changes[0].rpartition('/')[2]}"
    return ("refused" if report["outcome"] == "unknown" else "missed"), report["outcome"]


def _line(source: str) -> int | None:
    """The line in FILE:LINE:COLUMN."""
    parts = source.rsplit(":", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else None


def _grade_of(line: int | None, fault: Fault) -> Grade:
    if line in fault.lines:
        return "named"
    return "near" if line in fault.near else "wrong"
