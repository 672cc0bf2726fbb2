"""The worker process of `hlokit serve`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings

from hlokit._bytecode import end_with_pipe
from hlokit.children.lifetimes import Lifetime, python_command
from hlokit.tools.service.contexts import shared_context
from hlokit.tools.service.operations import operations
from hlokit.tools.service.protocol import answer_line


class Worker:
    """A process that answers lines. On Linux it is a fork, which takes a millisecond to start.

    Attributes:
      requests: file descriptor for lines.
      answers: file descriptor with one line per request.
    """

    def __init__(self) -> None:
        theirs, self.requests = os.pipe()
        self.answers, mine = os.pipe()
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = 0
        if sys.platform == "linux":
            # Slow imports happen once; forked workers inherit them.
            with shared_context():
                operations()
            lifetime = Lifetime()
            with warnings.catch_warnings():
                # The process has BLAS threads, but they sleep.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._pid = os.fork()
            if self._pid == 0:
                lifetime.begin_child()
                self._work(theirs, mine)
        else:
            program = "from hlokit.tools.service.workers import work_watching; work_watching(0, 1)"
            self._process = subprocess.Popen(python_command(program), stdin=theirs, stdout=mine)
        os.close(theirs)
        os.close(mine)

    def _work(self, requests: int, answers: int) -> None:
        status = 1
        try:
            os.close(self.requests)
            os.close(self.answers)
            for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            work(requests, answers)
            status = 0
        finally:
            os._exit(status)

    def kill(self) -> None:
        """End the process if it is not a fork; the other ends of both pipes close."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> str:
        """End the process if it still runs; returns how it ended."""
        os.close(self.requests)
        os.close(self.answers)
        if self._process is not None:
            self._process.kill()
            code = self._process.wait()
        else:
            # A dead child keeps its process id until `waitpid`: the signal cannot reach another process.
            try:
                ended, status = os.waitpid(self._pid, os.WNOHANG)
                if not ended:
                    os.kill(self._pid, signal.SIGKILL)
                    _, status = os.waitpid(self._pid, 0)
            except ChildProcessError:  # this process ignores the ends of its children
                return "an unknown signal"
            code = os.waitstatus_to_exitcode(status)
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"


def work_watching(requests: int, answers: int) -> None:
    """`work` in a process that ends with the process that writes the requests."""
    end_with_pipe(os.dup(requests))
    work(requests, answers)


def work(requests: int, answers: int) -> None:
    """Answer the lines of one file descriptor on another, until the end of the input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = os.fdopen(os.dup(requests), "rb"), os.dup(answers)
    # Output of the bindings must not mix with the answers or reach the terminal.
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for line in source:
        data = memoryview(answer_line(line))
        # Write at once: the first missing answer must belong to the request that kills the process.
        while data:
            data = data[os.write(target, data) :]
