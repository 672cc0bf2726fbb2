"""Asks `hlokit diff` for the mistakes of broken backends, and for none of backends that are right: README.md.

python -m tests.verdict.sides broken [--only=WORD]
python -m tests.verdict.sides right --against=xla [--models=NAME,...] [--libraries]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import hlokit
from benchmarks.libraries import FOLDER
from hlokit.mlir.printing import write_bytecode
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.backends.side import Side
from hlokit.tools.diff.report import DiffReport
from tests.verdict.broken import BREAKAGES, Breakage, BrokenSide
from tests.verdict.judging import diff_files, stored
from tests.verdict.models import Model, names, traced


def judge_breakage(breakage: Breakage, name: str, side: Side) -> tuple[str, str]:
    """The grade of the report on a program, and what the report names."""
    model = traced(name)
    program, other = hlokit.load(model.text), BrokenSide(breakage, side)
    if not _shows(program, model, side, other):
        return "no effect", ""
    report = hlokit.diff(program, *model.arguments, against=other)
    return grade_of_side(report, breakage, model.text), told(report)


def _shows(program: hlokit.Program, model: Model, side: Side, other: Side) -> bool:
    """Whether a breakage changes a result of a program."""
    module = write_bytecode(program.module)
    right, wrong = (one.run(module, model.arguments) for one in (side, other))
    return [result.tobytes() for result in right] != [result.tobytes() for result in wrong]


def grade_of_side(report: DiffReport, breakage: Breakage, program: str) -> str:
    """Whether a report names an operation at fault, or a region of one line with it, or explains the mistake."""
    text = str(report)
    if any(word in text.partition("\n")[2] for word in breakage.words):
        return "explained"
    if report.first is not None:
        line = program.split("\n")[int(report.first.source.split(":")[1]) - 1]
        return "named" if any(f"stablehlo.{name}" in line for name in breakage.operations) else "wrong"
    told_in_note = [f"stablehlo.{name} at " in note for name in breakage.operations for note in report.notes]
    if any(told_in_note):
        return "named"  # no result shows the mistake, so a note tells it
    return "refused" if report.outcome == "unknown" else "missed"


def told(report: DiffReport) -> str:
    """The outcome, the first operation and the notes."""
    first = "nothing" if report.first is None else f"{report.first.op} {report.first.source}"
    return f"{report.outcome}, {first}; {'; '.join(report.notes)}"


def _broken(only: str) -> int:
    failed = 0
    side = ChildSide("xla", time_limit=300.0)
    try:
        for breakage in BREAKAGES:
            for name in breakage.models if only in breakage.name else ():
                start = time.perf_counter()
                grade, text = judge_breakage(breakage, name, side)
                seconds = time.perf_counter() - start
                print(f"{grade:9} {seconds:5.1f} s  {breakage.name}, {name}: {text[:200]}", flush=True)
                failed += grade not in ("named", "explained", "no effect")
    finally:
        side.close()
    return int(failed > 0)


def right_programs(has_libraries: bool) -> list[str]:
    """The names of the programs on which another side must not differ."""
    libraries = list(json.loads((FOLDER / "index.json").read_text())) if has_libraries else []
    return [*names(), *libraries]


def _right(against: str, models: list[str], output: Path) -> int:
    alarms = 0
    for name in models:
        model: Model = traced(name)
        program, arguments = stored(output / name, model)
        answer = diff_files(program, arguments, against, "--time-limit=120", limit=600)
        first = answer.report.get("first") or {}
        is_right = answer.status == 0
        alarms += not is_right
        print(
            f"{'right' if is_right else 'ALARM' if answer.status == 1 else 'refused'} {answer.outcome:8} "
            f"{answer.seconds:6.1f} s  {name}: {first.get('op', '')} {first.get('source', '').rpartition('/')[2]} "
            f"{'; '.join(answer.report.get('notes', ()))[:200]} {answer.message[:200]}",
            flush=True,
        )
    print(f"{alarms} of {len(models)} not the same within roundings")
    return int(alarms > 0)


def main() -> int:
    """The status is 1 if a mistake was not named, or a right program was accused."""
    parser = argparse.ArgumentParser(prog="python -m tests.verdict.sides", description=__doc__)
    parser.add_argument("what", choices=("broken", "right"))
    parser.add_argument("--only", default="", help="a part of the names of breakages")
    parser.add_argument("--against", default="xla")
    parser.add_argument("--models", default="")
    parser.add_argument("--libraries", action="store_true", help="programs of benchmarks/libraries, too")
    parser.add_argument("--output", type=Path, default=Path("build/verdict-right"))
    options = parser.parse_args()
    if options.what == "broken":
        return _broken(options.only)
    chosen = options.models.split(",") if options.models else right_programs(options.libraries)
    return _right(options.against, chosen, options.output)


if __name__ == "__main__":
    sys.exit(main())
