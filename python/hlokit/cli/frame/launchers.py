"""Launchers run the processes of a command's program: as threads of this process, or as ranks of MPI.

No other module of the commands depends on MPI. On MPI every rank runs the whole command; rank 0 reads the
input and prints for all ranks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from hlokit.cli.frame.command import run_command
from hlokit.cli.frame.flags import Flag, one_of
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.engine.grid.mpi.engine import MpiEngine

T = TypeVar("T")

ENGINES = ("threads", "mpi")
ENGINE = Flag(
    "engine",
    "how processes run: as threads (default), or mpi: as ranks of mpiexec",
    "ENGINE",
    type=one_of(*ENGINES),
)


class Launcher:
    """Processes are threads of this process.

    Attributes:
      engine: evaluates the grids of a run; None for threads.
      prints: whether this process reads the input and prints for all processes.
    """

    engine: MpiEngine | None = None
    prints = True

    def run(self, name: str, body: Callable[[], int]) -> int:
        """Run the command `name`; its exit status."""
        del name
        return body()

    def collectively(self, body: Callable[[], T]) -> T:
        """Call `body` in all processes of the command; if it fails in one process, it fails in all."""
        return body()

    def read_once(self, read: Callable[[], T]) -> T:
        """The result of `read`, which one process calls for all."""
        return read()

    def grid(self, program: Program) -> tuple[int, int]:
        """The process grid of a program if the command line states none."""
        return program.grid

    def runs_alone(self, program: Program, processes: int) -> bool:
        """Whether the program needs no process grid for this number of processes."""
        del program
        return processes == 1

    def processes_here(self, count: int) -> Sequence[int]:
        """The numbers of the processes of a grid that run here."""
        return range(count)

    @contextmanager
    def results_for_output(self) -> Generator[None]:
        """In this context, only the process that prints receives the results of a grid."""
        yield

    def own_directory(self, path: str) -> str:
        """The directory for files of this process that other processes must not overwrite."""
        return path


class MpiLauncher(Launcher):
    """Processes are ranks of MPI.

    Raises:
      UnsupportedError: mpi4py or an MPI library is missing.
    """

    def __init__(self) -> None:
        from hlokit.engine.grid.mpi.engine import mpi_engine  # needs mpi4py

        self.engine = self._mpi = mpi_engine()
        self.prints = self._mpi.rank == 0

    def run(self, name: str, body: Callable[[], int]) -> int:
        engine = self._mpi
        if not self.prints:
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 # until the process ends

        def closing_on_errors(_: Sequence[str]) -> int:
            try:
                return body()
            except Exception as error:
                engine.close(error)
                raise

        status = run_command(name, (), closing_on_errors)
        if status:
            # The user has seen the error. MPI's messages about the end of all ranks would only hide it.
            sys.stderr.flush()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        engine.end(status)
        return status

    def collectively(self, body: Callable[[], T]) -> T:
        return self._mpi.session(body)

    def read_once(self, read: Callable[[], T]) -> T:
        return self._mpi.session(lambda: self._mpi.broadcast(read))

    def grid(self, program: Program) -> tuple[int, int]:
        if program.makes_grid:
            return program.grid
        stated = program.stated_grid
        return (self._mpi.size, 1) if stated in (None, (1, 1)) else stated

    def runs_alone(self, program: Program, processes: int) -> bool:
        return processes == 1 and program.makes_grid

    def processes_here(self, count: int) -> Sequence[int]:
        return range(count) if count == 1 else (self._mpi.rank,)

    @contextmanager
    def results_for_output(self) -> Generator[None]:
        self._mpi.gathers_everywhere = False
        try:
            yield
        finally:
            self._mpi.gathers_everywhere = True

    def own_directory(self, path: str) -> str:
        return os.path.join(path, f"rank_{self._mpi.rank}")


def launcher_of(engine: str | None) -> Launcher:
    """The launcher that `--engine` names.

    Raises:
      UnsupportedError: mpi4py or an MPI library is missing.
    """
    return MpiLauncher() if engine == "mpi" else Launcher()
