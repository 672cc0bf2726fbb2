"""Supervision: a process that watches a command, since the bindings may abort on unexpected input.

The command runs in a forked child. If a signal kills the child, its parent reports the signal and the current
step of the command, and ends with exit status 1.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from hlokit._bytecode import end_quietly_without_memory
from hlokit.children.lifetimes import Lifetime, cause_of_death

# Memory that command and watcher share: a description of the current step of the command.
_doing: mmap.mmap | None = None
_SIZE = 4096
# The last byte of this memory: whether the command listens for interrupts, or has heeded one.
_HEARING = _SIZE - 1
_LISTENS, _HEEDS = 1, 2
# Seconds until the watcher kills a command that computes in code that no signal ends.
_PATIENCE = 0.3
# Signals that users send: the watcher passes them on to the command.
_SENT = ("SIGINT", "SIGTERM", "SIGHUP")
# Seconds in which a second interrupt is the same one.
_ONE_INTERRUPT = 0.5
# Attempts to remove the files of a killed command, whose children may write for a moment longer; the seconds
# between two attempts.
_ATTEMPTS, _PAUSE = 50, 0.02


@contextmanager
def doing(what: str) -> Generator[None]:
    """Record `what` as the current step, for the report if the step kills the process."""
    if _doing is not None:
        _note(_doing, what)
    yield
    if _doing is not None:
        _note(_doing, "")


def _note(memory: mmap.mmap, what: str) -> None:
    data = what.encode(errors="replace")[: _HEARING - 1]
    memory[: len(data) + 1] = data + b"\0"


class _Watcher:
    """Handlers of the watcher: signals go to the command; one that heeds no interrupt is killed.

    Python calls handlers only between two instructions, so that a command in the middle of a long call of
    compiled code, NumPy's or the bindings', does not heed an interrupt.
    """

    def __init__(self, command: int, memory: mmap.mmap) -> None:
        self._command = command
        self._memory = memory
        self.has_killed = False

    def pass_on(self, number: int, frame: object) -> None:
        del frame
        self._send(number)
        if number == signal.SIGINT:
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE)

    def kill_if_deaf(self, number: int, frame: object) -> None:
        del number, frame
        if self._memory[_HEARING] == _LISTENS:
            self.has_killed = True
            self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        with suppress(ProcessLookupError):  # the command has just ended
            os.kill(self._command, number)


class _Interrupts:
    """The command's handler of interrupts.

    An interrupt from the keyboard reaches both processes, and the watcher cannot tell it from one that
    reached only the watcher: it passes both on, and the command heeds the first.
    """

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self._memory[_HEARING] = _LISTENS
        self._last = -_ONE_INTERRUPT

    def __call__(self, number: int, frame: object) -> None:
        del number, frame
        self._memory[_HEARING] = _HEEDS
        now = time.monotonic()
        if now - self._last >= _ONE_INTERRUPT:
            self._last = now
            raise KeyboardInterrupt


def _remove_files() -> None:
    """Remove the temporary files of a killed command."""
    from hlokit.children.folders import remove_abandoned  # few commands are killed

    for _ in range(_ATTEMPTS):
        if remove_abandoned():
            return
        time.sleep(_PAUSE)


def supervised(name: str, work: Callable[[], int]) -> int:
    """The exit status of `work()`, which runs in a child process where the system can fork."""
    global _doing  # noqa: PLW0603 # one command, one memory
    if not hasattr(os, "fork"):
        return work()
    memory = mmap.mmap(-1, _SIZE)
    sys.stdout.flush()
    sys.stderr.flush()
    # A child inherits ignored child signals from its parent: this process would receive no status.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    lifetime = Lifetime()
    sent = [getattr(signal, name) for name in _SENT]
    # A signal between the fork and the handlers would end only the watcher, and the child would keep running.
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, sent)
    try:
        child = os.fork()
    except OSError:  # the system cannot start another process: this process works without a watcher
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        return work()
    if child == 0:
        lifetime.begin_child()
        end_quietly_without_memory()  # the parent reports the signal
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _Interrupts(memory))
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        _doing = memory
        return work()
    lifetime.keep()
    watcher = _Watcher(child, memory)
    signal.signal(signal.SIGALRM, watcher.kill_if_deaf)
    for signal_number in sent:
        signal.signal(signal_number, watcher.pass_on)
    signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return code
    number = -code
    _remove_files()
    if watcher.has_killed:
        return 128 + signal.SIGINT
    if number == signal.SIGKILL:
        print(f"{name}: error: its process {cause_of_death(number)}", file=sys.stderr)
    if number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGKILL):
        return 128 + number
    what = memory[: memory.find(b"\0")].decode(errors="replace")
    doing = what or name
    print(f"{doing}: error: the MLIR bindings {cause_of_death(number)}", file=sys.stderr)
    return 1
