"""Sides that run in a child process; hlokit restarts a process that dies or takes too long."""

from __future__ import annotations

import pickle
import re
import signal
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hlokit.children.commands import Command
from hlokit.children.lifetimes import cause_of_death, has_output, memory_is_limited, python_command
from hlokit.tools.backends.side import Array, SideFailed

TIME_LIMIT = 300.0


class Child:
    """A child process that answers pickled requests, one after the other.

    Args:
      module: the process calls its function `main`.
      arguments: of its command line.
      time_limit: seconds for one request.
      temporary: the folder for temporary files of the process; the caller removes it.
      environment: variables of the process.

    Attributes:
      tail: the last output of a dead process to the standard error.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        time_limit: float,
        temporary: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.tail = ""
        self._temporary = {} if temporary is None else dict.fromkeys(("TMPDIR", "TEMP", "TMP"), temporary)
        self._environment = environment or {}
        self._words = [*python_command(f"from {module} import main; main()"), *arguments]
        self._time_limit = time_limit
        self._process: Command | None = None

    def ask(self, request: Any) -> Any:
        """The answer to a request; starts a process if there is none.

        Raises:
          SideFailed: the process died, or took too long.
        """
        process = self._process or self._start()
        assert process.input is not None
        assert process.output is not None
        try:
            pickle.dump(request, process.input, pickle.HIGHEST_PROTOCOL)
            process.input.flush()
            if not has_output(process.output, self._time_limit):
                self.close()
                raise SideFailed("time-out", f"gave no answer within {self._time_limit:g} s")
            return pickle.load(process.output)
        except (BrokenPipeError, EOFError, pickle.UnpicklingError):
            failure = self._failure(process)
            self.close()
            raise failure from None
        except BaseException:
            self.close()  # an interrupt may come in the middle of a request
            raise

    def _start(self) -> Command:
        environment = {
            "JAX_PLATFORMS": "cpu",
            "TF_CPP_MIN_LOG_LEVEL": "2",
            "OPENBLAS_NUM_THREADS": "1",  # NumPy's BLAS, which is not used
            **self._temporary,
            **self._environment,
        }
        self._process = Command(self._words, is_piped=True, environment=environment)
        return self._process

    def _failure(self, process: Command) -> SideFailed:
        """The failure of a process that has ended, with the known reason."""
        try:
            end = process.wait(5)
        except (TimeoutError, OSError):  # OSError: another thread closed it
            return SideFailed("crash", "its process closed its output")
        self.tail = end.errors
        return failed(end.status, last_words(end.errors))

    def close(self) -> None:
        """End the child, and the programs that it has started."""
        process, self._process = self._process, None
        if process is not None:
            process.close()


class ChildSide:
    """An implementation of `tools.backends.runners` in a child process.

    Args:
      name: a name that `runners.runner` knows.
      time_limit: seconds for one request: to compile a module and to run it on all inputs.
      batch: see `Side`.
      environment: variables of the process.
      refusal: a pattern of the last words of a process that ends because it does not support the program.
    """

    def __init__(
        self,
        name: str,
        time_limit: float = TIME_LIMIT,
        batch: int = 128,
        environment: Mapping[str, str] | None = None,
        refusal: str = "",
    ) -> None:
        self.name = name
        self.batch = batch
        self._refusal = refusal
        self._child = Child("hlokit.tools.backends.worker", (name,), time_limit, environment=environment)

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        """See `Side`."""
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        """See `Side`."""
        request = (module, function, [[np.asarray(value) for value in arguments] for arguments in inputs])
        try:
            kind, answer = self._child.ask(request)
        except SideFailed as failure:
            if failure.kind == "crash" and self._refusal and re.search(self._refusal, failure.reason):
                raise SideFailed("unsupported", failure.reason) from None
            raise
        if kind != "ok":
            raise SideFailed(kind, answer)
        return answer

    def close(self) -> None:
        """End the child."""
        self._child.close()


def failed(status: int, message: str) -> SideFailed:
    """The failure of a process that ended with a status: `killed` if memory was lacking, otherwise `crash`.

    Args:
      message: the last message of the process, or "".
    """
    is_killed = status < 0 and (-status == getattr(signal, "SIGKILL", 0) or memory_is_limited())
    return SideFailed("killed" if is_killed else "crash", death(status) + (f": {message}" if message else ""))


def death(status: int) -> str:
    """The end of a process, in words."""
    if status >= 0:
        return f"its process ended with status {status}"
    return f"its process {cause_of_death(-status)}"


# Letters of a message, which may be the digits of a large constant.
_MOST_LETTERS = 300
_INFORMATIVE = ("check failed", "assert", "fatal", "error", "unsupported", "not ", "terminate")
# Of Abseil's log: the date, time and thread before a fatal message, and the stack after it.
_LOGGED = re.compile(r"^F\d{4} [\d:.]+ +\d+ ")
_OF_A_STACK = re.compile(r"@ +0x[0-9a-f]+ |\*\*\* Check failure stack trace")


def last_words(text: str) -> str:
    """The most informative line in the last output of a process."""
    shortened = [_LOGGED.sub("", line.strip())[:_MOST_LETTERS] for line in text.splitlines()]
    lines = [line for line in shortened if line and (" " in line or len(line) < _MOST_LETTERS)]
    lines = [line for line in lines if not _OF_A_STACK.match(line)] or lines
    for word in _INFORMATIVE:
        for line in reversed(lines):
            if word in line.lower():
                return line
    return lines[-1] if lines else ""
