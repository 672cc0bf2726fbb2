"""Sorts programs into classes: those that the same stage breaks, in the same operation.

Any executor of `concurrent.futures` does the work, also one that spreads it over machines:

    with mpi4py.futures.MPIPoolExecutor() as executor:
        print(triage(programs_of("failing/"), executor))
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any, NamedTuple

from hlokit.display.junit import Case, suite
from hlokit.errors import ArgumentError, HlokitError
from hlokit.files.arrays import open_archive, read_member
from hlokit.files.reading import open_regular, reason
from hlokit.programs.loading import load_path
from hlokit.programs.program import Program
from hlokit.tools.diff.words import WIDTH
from hlokit.tools.stages.compilers import XLA
from hlokit.tools.stages.report import StagesReport
from hlokit.tools.stages.run import certify
from hlokit.tools.stages.settings import Settings

_ENDINGS = (".mlir", ".mlirbc", ".mlir.bc", ".bc", ".stablehlo", ".vhlo", ".hlo", ".pb")
# Names of programs in the row of a class.
_SHOWN = 3


def arrays_in_order(program: Program, path: str) -> Sequence[Any]:
    """The arrays of an `.npz` file.

    Raises:
      ArgumentError: the file cannot be read.
    """
    del program
    try:
        with open_regular(path) as file, open_archive(file) as archive:
            return [read_member(archive, item) for item in archive.infolist()]
    except (OSError, ValueError) as error:
        raise ArgumentError(f"cannot read '{path}': {reason(error)}") from None


class Job(NamedTuple):
    """What is done with each program.

    Attributes:
      seed: of the arguments of a program that has no `.npz` file.
      read: the arguments in such a file.
    """

    by: str = XLA
    time_limit: float = 300
    seed: int = 0
    read: Callable[[Program, str], Sequence[Any]] = arrays_in_order


DEFAULT = Job()


@dataclass(frozen=True, slots=True)
class Examined:
    """The outcome for one program.

    Attributes:
      status: as the exit status of `hlokit passes`: 0, 1 or 2.
      stage: the stage that changed the meaning, or that could not be compared; "" if there is none.
      operation: the operation at fault; "" if no operation is.
      summary: what differs, or why the program could not be compared.
    """

    program: str
    status: int
    stage: str = ""
    operation: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Triage:
    """Programs, in the order of their names."""

    compiler: str
    programs: tuple[Examined, ...]

    @property
    def status(self) -> int:
        """1 if a program changed its meaning, 2 if one could not be compared, otherwise 0."""
        statuses = {examined.status for examined in self.programs}
        return 1 if 1 in statuses else 2 if 2 in statuses or not statuses else 0

    @property
    def classes(self) -> list[tuple[str, str, list[Examined]]]:
        """Stage, operation and programs of each class, the largest first."""
        bad = [examined for examined in self.programs if examined.status]
        sizes = Counter([(examined.status, examined.stage, examined.operation) for examined in bad])
        order = sorted(sizes, key=lambda key: (key[0], -sizes[key], key))
        return [
            (stage, operation, [one for one in bad if (one.status, one.stage, one.operation) == key])
            for key in order
            for _, stage, operation in [key]
        ]

    def as_dict(self) -> dict[str, Any]:
        """The outcome as plain Python values, for JSON."""
        return {
            "compiler": self.compiler,
            "status": self.status,
            "classes": [
                {
                    "stage": stage,
                    "operation": operation,
                    "verdict": "changed" if programs[0].status == 1 else "unknown",
                    "programs": [examined.program for examined in programs],
                }
                for stage, operation, programs in self.classes
            ],
            "programs": [
                {
                    "program": examined.program,
                    "status": examined.status,
                    "stage": examined.stage,
                    "operation": examined.operation,
                    "summary": examined.summary,
                }
                for examined in self.programs
            ],
        }

    def junit(self) -> str:
        """A test suite in JUnit's XML, with a case for each program."""
        cases = [
            Case(
                one.program,
                one.stage,
                failure=f"{one.stage}: {one.summary}" if one.status == 1 else None,
                skipped=one.summary if one.status == 2 else None,
            )
            for one in self.programs
        ]
        return suite(f"triage by {self.compiler}", cases)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        classes = self.classes
        right = sum(1 for examined in self.programs if not examined.status)
        head = f"{len(self.programs)} programs by {self.compiler}"
        count = "1 class" if len(classes) == 1 else f"{len(classes)} classes"
        yield f"{head}: {right} keep the meaning, {count} of others"
        for stage, operation, programs in classes:
            verdict = "CHANGED" if programs[0].status == 1 else "not compared"
            what = " ".join(filter(None, (stage, operation)))
            yield ""
            yield f"{len(programs):5}  {verdict}  {what}"
            yield f"       {programs[0].summary}"[:WIDTH]
            names = ", ".join([examined.program for examined in programs[:_SHOWN]])
            yield f"       {names}{', ...' * (len(programs) > _SHOWN)}"


def programs_of(folder: str) -> list[str]:
    """The programs in a folder and its folders.

    Raises:
      ArgumentError: there are none.
    """
    files = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names]
    # A pipe or a device is no program, and may never end; a broken link is one that cannot be read.
    files = [file for file in files if os.path.isfile(file) or not os.path.exists(file)]
    programs = sorted([file for file in files if file.endswith(_ENDINGS)])
    if not programs:
        raise ArgumentError(f"'{folder}' must be a folder with programs ({', '.join(_ENDINGS)}), got none")
    return programs


def triage(files: Sequence[str], executor: Executor, job: Job = DEFAULT) -> Triage:
    """Find the stage that breaks each program.

    The arguments of `NAME.mlir` are the arrays of `NAME.npz`, if there is such a file, or else random.

    Args:
      executor: does the work. Threads and processes are fine: the compiler runs in a process of its own.
    """
    futures: list[Future[Examined]] = [executor.submit(examine, file, job) for file in files]
    return Triage(job.by, tuple([future.result() for future in futures]))


def examine(file: str, job: Job) -> Examined:
    """The outcome for the program in a file."""
    try:
        program = load_path(file)
        path = f"{file.removesuffix('.bc').rpartition('.')[0]}.npz"
        arguments = job.read(program, path) if os.path.isfile(path) else program.example_inputs(job.seed)
        settings = Settings(time_limit=job.time_limit, stops=True)
        report = certify(program, *arguments, by=job.by, settings=settings)
    except HlokitError as error:
        return Examined(file, 2, "the program itself", summary=str(error).partition("\n")[0])
    return _examined(file, report)


def _examined(file: str, report: StagesReport) -> Examined:
    first = report.first
    if first is not None:
        finding = None if first.report is None else first.report.first
        return Examined(file, 1, first.name, "" if finding is None else finding.op, first.summary)
    if report.unknown:
        stage = report.unknown[0]
        return Examined(file, 2, stage.name, summary=stage.summary)
    return Examined(file, 0)
