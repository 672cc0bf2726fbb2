"""The process that works for `hlokit serve`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings

from hlokit.service.contexts import shared_context
from hlokit.service.operations import operations
from hlokit.service.protocol import answer_line


class Worker:
    """A process that answers lines. Where processes can be forked, a new one is there in a millisecond.

    Attributes:
      requests: file descriptor for lines, which does not block.
      answers: file descriptor with a line for each.
    """

    def __init__(self) -> None:
        theirs, self.requests = os.pipe()
        self.answers, mine = os.pipe()
        os.set_blocking(self.requests, False)
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = 0
        if sys.platform == "linux":
            # What takes long is done once, and inherited.
            with shared_context():
                operations()
            with warnings.catch_warnings():
                # Threads of the process there are, but they sleep: those of BLAS.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._pid = os.fork()
            if self._pid == 0:
                self._work(theirs, mine)
        else:
            # It has to find this package where this process found it, installed or not.
            program = (
                f"import sys; sys.path[:] = {sys.path!r}; from hlokit.service.workers import work; work(0, 1)"
            )
            self._process = subprocess.Popen([sys.executable, "-c", program], stdin=theirs, stdout=mine)
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

    def stop(self) -> str:
        """End it, if it has not ended; how it did."""
        os.close(self.requests)
        os.close(self.answers)
        if self._process is not None:
            self._process.kill()
            code = self._process.wait()
        else:
            # A dead one waits to be asked, so that the signal cannot meet another process.
            found, status = os.waitpid(self._pid, os.WNOHANG)
            if not found:
                os.kill(self._pid, signal.SIGKILL)
                _, status = os.waitpid(self._pid, 0)
            code = os.waitstatus_to_exitcode(status)
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"


def work(requests: int, answers: int) -> None:
    """Answer the lines of a file descriptor on another one, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = os.fdopen(os.dup(requests), "rb"), os.dup(answers)
    # What the bindings print must not come between the answers, nor onto the terminal.
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for line in source:
        data = memoryview(answer_line(line))
        # At once: an answer that is missing must be that of the request that the process died of.
        while data:
            data = data[os.write(target, data) :]
