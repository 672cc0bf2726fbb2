"""The report of a certification: the first stage that changed the meaning, and a table of all stages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from hlokit.display.junit import Case, suite
from hlokit.display.shown import Shown
from hlokit.tools.diff.comparing.findings import details
from hlokit.tools.diff.comparing.verdicts import Comparison
from hlokit.tools.diff.report import DiffReport
from hlokit.tools.diff.words import WIDTH, wrapped

# `start`: the first program of a folder of dumps; `equal`: the same program as before, apart from layouts and
# names; `same`: another program with the same bytes as results; `unknown`: the stage could not be compared.
Verdict = Literal["start", "equal", "same", "within", "changed", "unknown"]
WORDS: dict[Verdict, str] = {
    "start": "start",
    "equal": "same program",
    "same": "same bytes",
    "within": "within bounds",
    "changed": "CHANGED",
    "unknown": "not compared",
}
# Columns of the table: the last one, what changed, takes the rest of a line.
_STAGE, _OPERATIONS, _VERDICT, _SECONDS = 28, 6, 13, 7


@dataclass(frozen=True, slots=True)
class Stage:
    """The verdict on one stage of a compiler.

    Attributes:
      name: a pass, `conversion` or `code generation`.
      verdict: see `Verdict`.
      pipeline: the pipeline of the pass; "" if there is none.
      source: the file of the snapshot, or its line in a text; "" if there is none.
      operations: the number of operations after the stage.
      changes: operations that the stage removed and added, in words.
      note: a further remark, such as the reason why the stage could not be compared.
      seconds: the time of hlokit for this stage.
      report: the comparison with the stage before; None if all bytes are the same.
      texts: the programs before and after the stage, if they were asked for and differ.
    """

    name: str
    verdict: Verdict
    pipeline: str = ""
    source: str = ""
    operations: int = 0
    changes: str = ""
    note: str = ""
    seconds: float = 0.0
    report: DiffReport | None = None
    texts: tuple[str, str] | None = None

    @property
    def summary(self) -> str:
        """What moved, or why the stage could not be compared, in a line."""
        if self.report is None:
            return self.note
        worst = max(self.report.results, key=lambda comparison: comparison.severity, default=None)
        moved = "" if worst is None else str(worst)
        return "; ".join(filter(None, (moved, self.note)))

    @property
    def title(self) -> str:
        """The name, with the pipeline of a pass."""
        return f"{self.name} (pipeline {self.pipeline})" if self.pipeline else self.name

    def as_dict(self) -> dict[str, Any]:
        """The stage as plain Python values, for JSON."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "pipeline": self.pipeline,
            "source": self.source,
            "operations": self.operations,
            "changes": self.changes,
            "note": self.note,
            "seconds": self.seconds,
            "summary": self.summary,
            "comparison": None if self.report is None else self.report.as_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class StagesReport(Shown):
    """The outcome of a certification. `print` shows the report.

    Attributes:
      program: the name of the program.
      compiler: the name of the compiler, or the folder of its dumps.
      stages: all stages, in order.
      inputs: the arguments, in words.
    """

    program: str
    compiler: str
    stages: tuple[Stage, ...]
    inputs: tuple[str, ...] = ()

    @property
    def first(self) -> Stage | None:
        """The first stage that changed the meaning; None if no stage did."""
        return next((stage for stage in self.stages if stage.verdict == "changed"), None)

    @property
    def unknown(self) -> list[Stage]:
        """The stages that could not be compared."""
        return [stage for stage in self.stages if stage.verdict == "unknown"]

    @property
    def status(self) -> int:
        """The exit status of the command: 1 if a stage changed the meaning, 2 if one could not be
        compared, otherwise 0."""
        if self.first is not None:
            return 1
        return 2 if self.unknown or all(stage.verdict == "start" for stage in self.stages) else 0

    @property
    def headline(self) -> str:
        """The outcome in words."""
        if self.first is not None:
            return f"{self.first.name} changed the meaning"
        count = len(self.stages)
        if self.unknown:
            return f"{len(self.unknown)} of {count} stages could not be compared"
        if [stage.verdict for stage in self.stages] == ["start"]:
            return "the one stage is the first, with nothing before it to be compared with"
        if count < 2:
            return "the one stage keeps the meaning on these inputs" if count else "there are no stages"
        return f"all {count} stages keep the meaning on these inputs"

    def as_dict(self) -> dict[str, Any]:
        """The report as plain Python values, for JSON; numbers that are not finite are strings."""
        return {
            "program": self.program,
            "compiler": self.compiler,
            "headline": self.headline,
            "status": self.status,
            "first": None if self.first is None else self.first.name,
            "inputs": list(self.inputs),
            "stages": [stage.as_dict() for stage in self.stages],
        }

    def junit(self) -> str:
        """A test suite in JUnit's XML, with a case for each stage."""
        return suite(f"{self.program} by {self.compiler}", list(map(_case, self.stages)))

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        title = f"{self.program} by {self.compiler}: {self.headline}"
        yield from textwrap.wrap(title, WIDTH, break_long_words=False, break_on_hyphens=False)
        if self.first is not None:
            yield ""
            yield from wrapped("stage", self.first.title)
            yield from explained(self.first)
            yield from wrapped("changes", self.first.changes or "no operation is another one")
            for number, text in enumerate(self.inputs):
                yield from wrapped(f"input {number}", text)
        yield ""
        rows = [stage for stage in self.stages if stage.verdict != "equal"]
        if rows:
            yield from self._table(rows)
        equal = len(self.stages) - len(rows)
        if equal:
            yield f"{equal} {'more ' * bool(rows)}stage{'s' * (equal > 1)} changed no operation"

    def _table(self, rows: list[Stage]) -> Iterator[str]:
        yield (
            f"{'stage':{_STAGE}}  {'ops':>{_OPERATIONS}}  {'verdict':{_VERDICT}}  "
            f"{'seconds':>{_SECONDS}}  changes"
        )
        for stage in rows:
            yield _cut(
                f"{_cut(stage.name, _STAGE):{_STAGE}}  {stage.operations:{_OPERATIONS},}  "
                f"{WORDS[stage.verdict]:{_VERDICT}}  {stage.seconds:{_SECONDS}.3f}  {stage.changes}".rstrip()
            )
            if stage.verdict != "changed" and stage.summary:
                yield from wrapped("", stage.summary)


def explained(stage: Stage) -> Iterator[str]:
    """A stage that changed the meaning: the instruction and the counterexample."""
    report = stage.report
    if report is None:
        return
    for number, comparison in enumerate(report.results):
        if comparison.verdict != "exact":
            yield from wrapped(f"result {number}", str(comparison))
            yield from wrapped("", _counterexample(comparison))
    if report.first is not None:
        yield from wrapped("first", " ".join(filter(None, (report.first.op, report.first.type))))
        # The line is one of a part of the program that users do not see.
        instruction = report.first.source.partition(" (")[2].removesuffix(")")
        source = f"instruction {instruction}" if instruction else ""
        for detail in details(replace(report.first, source=source)):
            yield from wrapped("", detail)
    for note in filter(None, (*report.notes, stage.note)):
        yield from wrapped("note", note)


def _counterexample(comparison: Comparison) -> str:
    where = f"element {list(comparison.index)}: " if comparison.index else ""
    return f"{where}{comparison.expected} before, {comparison.actual} after"


def _cut(text: str, width: int = WIDTH) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _case(stage: Stage) -> Case:
    """A test case in JUnit's XML."""
    return Case(
        stage.title,
        "hlokit.passes",
        failure=stage.summary if stage.verdict == "changed" else None,
        details="\n".join(explained(stage)),
        skipped=stage.summary if stage.verdict == "unknown" else None,
        seconds=stage.seconds,
    )
