"""Runs one command, and ends every process that the command has started: a script of the standard library.

    python guardian.py DESCRIPTOR COMMAND [ARGUMENT...]

The descriptor is a socket to the process that wants the command to run. When the command ends, the guardian
writes the exit status and the last bytes of the standard error there. If the other end of the socket closes
first, because its process was killed or waits no longer, the guardian ends the command.

The command ends when its own process ends, even if processes that it has started keep its standard error
open. On Linux the guardian inherits processes whose parents have ended, so daemons end with the command, too.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

# The bytes of the standard error that are kept.
TAIL = 4000
# The exit status if the command cannot be started, as shells have it.
NOT_STARTED = 127
# Seconds until the guardian gives up on processes that cannot be killed, and between two attempts.
_PATIENCE, _PAUSE = 5.0, 0.002
_PIECE = 1 << 16
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36


def _linux(option: int, value: int) -> None:
    """Set an option of this process, where the system has such options."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _become(words: list[str], errors: int) -> None:
    """In the forked process: turn into the command."""
    try:
        os.setsid()
        _linux(_SET_PDEATHSIG, signal.SIGKILL)
        os.dup2(errors, 2)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores the last two
            signal.signal(number, signal.SIG_DFL)
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"error: '{words[0]}' cannot be started: {(error.strerror or '').lower()}".encode())
    finally:
        os._exit(NOT_STARTED)


def _has_ended(child: int) -> bool:
    """Whether the command has ended. It stays a zombie, so that its number belongs to no other process."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _children() -> Iterator[int]:
    """The processes whose parent is this process, as far as the system tells."""
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    yield int(name)


def _end_all(child: int) -> int:
    """End the command and all that it has started; returns the exit status of the command."""
    status = -signal.SIGKILL
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            process, waited = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if process == child:
            status = os.waitstatus_to_exitcode(waited)
        elif process == 0:
            for orphan in _children():
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(orphan, signal.SIGKILL)
            time.sleep(_PAUSE)
    return status


def _read(descriptor: int, tail: bytes) -> bytes | None:
    """The last bytes of a pipe, after reading once more; None at the end of the pipe."""
    data = os.read(descriptor, _PIECE)
    return (tail + data)[-TAIL:] if data else None


def _watch(control: int, child: int, errors: int, ended: int) -> tuple[bool, bytes]:
    """Wait until the command ends, or nobody wants it any more.

    Returns:
      Whether it has ended by itself, and the last bytes of its standard error.
    """
    tail, watched = b"", [control, errors, ended]
    while True:
        ready = select.select(watched, [], [])[0]
        if control in ready:
            return False, tail
        if errors in ready:
            read = _read(errors, tail)
            tail = tail if read is None else read
            if read is None:
                watched.remove(errors)
        if ended in ready:
            os.read(ended, _PIECE)
            if _has_ended(child):
                # The last words are in the pipe. A process that goes on writing must not prolong them.
                size = 16 * _PIECE if errors in watched else 0
                while size > 0 and select.select([errors], [], [], 0)[0]:
                    read = _read(errors, tail)
                    if read is None:
                        break
                    tail, size = read, size - _PIECE
                return True, tail


def _notice(number: int, frame: object) -> None:
    """A handler for a signal whose number arrives by the wakeup descriptor."""
    del number, frame


def main() -> None:
    """Run the command of the command line."""
    control, words = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(control, False)
    _linux(_SET_CHILD_SUBREAPER, 1)
    errors, writer = os.pipe()
    ended, at_end = os.pipe()
    os.set_blocking(at_end, False)
    signal.signal(signal.SIGCHLD, _notice)
    signal.set_wakeup_fd(at_end, warn_on_full_buffer=False)
    child = os.fork()
    if child == 0:
        _become(words, writer)
    os.close(writer)
    # The standard input and output belong to the command alone: their other ends see that it closes them.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    has_ended, tail = _watch(control, child, errors, ended)
    status = _end_all(child)
    if has_ended:
        with suppress(OSError):
            os.write(control, b"%d " % status + tail)


if __name__ == "__main__":
    main()
