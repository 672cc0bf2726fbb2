"""What runs processes, as a command was told: threads, or ranks of MPI of which the first speaks for all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hlokit.cli.command import run_command
from hlokit.cli.flags import CommandLine, Flag
from hlokit.cli.inputs import Array, read_arguments
from hlokit.errors import ArgumentError

if TYPE_CHECKING:
    from hlokit.interpreter.mpi_engine import MpiEngine

ENGINES = ("threads", "mpi")
# Stands for the number of a process in values of --args.
_RANK = "{rank}"


def engine_flag(prefix: str = "") -> Flag:
    """The flag that `run_on_engine` reads."""
    return Flag("engine", f"{prefix}what processes are: threads, or mpi: ranks of mpiexec", "ENGINE")


def run_on_engine(name: str, line: CommandLine, body: Callable[[MpiEngine | None], int]) -> int:
    """Run a command on what `--engine` says: None for threads. Of MPI, only rank 0 prints.

    Args:
      name: of the command.

    Returns:
      The exit status.

    Raises:
      ArgumentError: there is no such engine.
      UnsupportedError: mpi4py or an MPI library is missing.
    """
    wanted = line.value("engine")
    if wanted is not None and wanted not in ENGINES:
        raise ArgumentError(f"--engine must be {' or '.join(ENGINES)}, got '{wanted}'")
    if wanted != "mpi":
        return body(None)
    from hlokit.interpreter.mpi_engine import mpi_engine  # needs mpi4py

    engine = mpi_engine()
    if engine.rank:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 # until the process ends

    def run(_: Sequence[str]) -> int:
        try:
            return body(engine)
        except Exception as error:
            engine.close(error)
            raise

    status = run_command(name, (), run)
    if status:
        # What MPI says about an end of its own making is of no use to anybody: the reason has been told.
        sys.stderr.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    engine.end(status)
    return status


def read_all_arguments(
    values: Sequence[str], engine: MpiEngine | None
) -> tuple[Sequence[Array], Callable[[int], Sequence[Array]] | None]:
    """Arguments from the values of `--args`, for all processes; or how to read those of one.

    Raises:
      ArgumentError: a value is no list of constants and no file that can be read.
    """
    if any(_RANK in value for value in values):
        return (), partial(_read_arguments_of, values)
    return (
        read_arguments(values) if engine is None else engine.together(lambda: read_arguments(values))
    ), None


def _read_arguments_of(values: Sequence[str], number: int) -> Sequence[Any]:
    return read_arguments([value.replace(_RANK, str(number)) for value in values])
