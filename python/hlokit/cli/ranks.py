"""What runs processes, as a command was told: threads, or ranks of MPI of which the first speaks for all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from hlokit.cli.flags import CommandLine, Flag
from hlokit.cli.inputs import Array, read_arguments
from hlokit.errors import ArgumentError

if TYPE_CHECKING:
    from hlokit.interpreter.mpi_engine import MpiEngine

ENGINES = ("threads", "mpi")
# Stands for the number of a process in values of --args.
_RANK = "{rank}"


def engine_flag(prefix: str = "") -> Flag:
    """The flag that `open_engine` reads."""
    return Flag("engine", f"{prefix}what processes are: threads, or mpi: ranks of mpiexec", "ENGINE")


@contextmanager
def open_engine(line: CommandLine) -> Generator[MpiEngine | None]:
    """What `--engine` says: None for threads. Within this, only rank 0 of MPI prints.

    Raises:
      ArgumentError: there is no such engine.
      UnsupportedError: mpi4py or an MPI library is missing.
    """
    name = line.value("engine")
    if name is not None and name not in ENGINES:
        raise ArgumentError(f"--engine must be {' or '.join(ENGINES)}, got '{name}'")
    if name != "mpi":
        yield None
        return
    from hlokit.interpreter.mpi_engine import mpi_engine  # needs mpi4py

    engine = mpi_engine()
    if engine.rank:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 # until the process ends
    try:
        yield engine
    except Exception as error:
        engine.close(error)
        raise
    sys.stdout.flush()
    engine.end()


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
