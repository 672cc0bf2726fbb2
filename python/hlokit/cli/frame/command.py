"""The frame of every command: exit status, messages instead of tracebacks, a supervising process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from hlokit.cli.frame import standard_streams
from hlokit.cli.frame.flags import UsageError
from hlokit.cli.frame.supervision import supervised
from hlokit.cli.frame.verbosity import IS_VERBOSE
from hlokit.errors import (
    ArgumentError,
    HlokitError,
    InternalError,
    ParseError,
    PassError,
    ResourceError,
    VerificationError,
    VersionError,
    lack,
)

# With this variable set, internal errors show their traceback.
TRACEBACK_VARIABLE = "HLOKIT_TRACEBACK"

# Words of a command line that requests MPI: `--engine=mpi`, `-engine mpi`.
_ON_MPI = frozenset({"--engine=mpi", "-engine=mpi", "mpi"})


# Frames for what follows calls and regions without evaluating them, such as the compiler of later runs.
RECURSION_LIMIT = 8_000


def run_command(
    name: str,
    arguments: Sequence[str] | None,
    body: Callable[[Sequence[str]], int],
    *,
    is_supervised: bool = False,
) -> int:
    """Run a command on arguments. If there are none, run it on the process's, and end the process.

    Args:
      body: runs the command on arguments, and returns the exit status.
      is_supervised: whether another process watches the command and reports its death.

    Returns:
      The exit status: what `body` returns, 1 if it fails, 130 if it is interrupted.
    """

    def work() -> int:
        return _run(name, lambda: body(sys.argv[1:] if arguments is None else arguments))

    if arguments is None:
        standard_streams.prepare()
        sys.setrecursionlimit(RECURSION_LIMIT)
    # A rank of MPI must be the process that MPI's launcher started, and must end with its exit handlers: in
    # one, MPICH tells the launcher, which otherwise takes the rank for dead and kills the others.
    is_rank = arguments is None and not _ON_MPI.isdisjoint(sys.argv[1:])
    status = supervised(name, work) if is_supervised and arguments is None and not is_rank else work()
    if is_rank:
        sys.exit(status)
    if arguments is None:
        # Python's shutdown would take a fifth of the time of a command with a small program.
        sys.stderr.flush()
        os._exit(status)
    return status


def _run(name: str, body: Callable[[], int]) -> int:
    try:
        status = body()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader has closed the pipe. Without this redirection, Python would report another error when it
        # closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        print_error(name, error)
        return 2 if isinstance(error, UsageError) and name == "hlokit" else 1


def print_error(name: str, error: Exception) -> None:
    """Print an error of the command `name` on the standard error."""
    if isinstance(error, ParseError | PassError | VerificationError | VersionError):  # with the user's line
        print(error, file=sys.stderr)
        return
    error = error if isinstance(error, HlokitError) else as_hlokit_error(error)
    print(f"{name}: error: {described(error)}", file=sys.stderr)


def described(error: HlokitError) -> str:
    """The message of an error, marked if the error is a defect of hlokit."""
    return f"{'internal error of hlokit: ' * isinstance(error, InternalError)}{error}"


def as_hlokit_error(error: Exception) -> HlokitError:
    """An unexpected exception as an error with a message for the user."""
    if os.environ.get(TRACEBACK_VARIABLE) or IS_VERBOSE.get():
        sys.excepthook(type(error), error, error.__traceback__)
    if lacking := lack(error):
        return ResourceError(lacking)
    if isinstance(error, UnicodeEncodeError):  # a surrogate, which represents a byte of a command line
        return ArgumentError(f"text must be UTF-8, got {error.object[:80]!r}")
    message = " ".join(f"{type(error).__name__}: {error}".split())
    return InternalError(f"{message} (set {TRACEBACK_VARIABLE}=1 to see where)")
