"""A process that forks where this one cannot.

Where JAX is loaded or other threads run, a fork may hang. There a process without either is started once, and
forks for each trial: some 10 ms instead of the time that a new process takes to import the bindings. It ends
when its input does, with the process that started it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from importlib import import_module
from typing import BinaryIO


class Server:
    """The process, and the pipes to it. One request at a time."""

    def __init__(self) -> None:
        # It has to find this package where this process found it, installed or not.
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; from hlokit.mlir.trial_server import serve; serve()"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._owner = os.getpid()
        self._lock = threading.Lock()

    @property
    def is_ours(self) -> bool:
        """Alive, and started by this very process: a fork of it must not use its pipes."""
        return self._owner == os.getpid() and self._process.poll() is None

    def run(self, data: bytes, module: str, function: str, output: BinaryIO, seconds: float) -> int | None:
        """The exit status of `function(data, file)` of a module; None if it took too long.

        Raises:
          OSError: the server is gone.
        """
        with self._lock, tempfile.TemporaryDirectory(prefix="hlokit-") as folder:
            source, answer = os.path.join(folder, "input"), os.path.join(folder, "answer")
            with open(source, "wb") as file:
                file.write(data)
            request = {
                "module": module,
                "function": function,
                "source": source,
                "answer": answer,
                "seconds": seconds,
            }
            status = self._ask(request)
            with open(answer, "rb") as file:
                output.write(file.read())
        return status

    def _ask(self, request: dict[str, str | float]) -> int | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            if not line:
                raise OSError("the server of trials is gone")
        except BaseException:
            # Its pipes close a moment before it is dead: until then it would pass for alive. One that
            # was interrupted would give the next request this one's answer.
            self._process.kill()
            self._process.wait()
            raise
        return json.loads(line)


_server: Server | None = None
_starting = threading.Lock()


def server() -> Server:
    """The server of this process, started if there is none."""
    global _server  # noqa: PLW0603 # one a process
    with _starting:
        if _server is None or not _server.is_ours:
            _server = Server()
        return _server


def serve() -> None:
    """In the server: read requests, fork for each, answer with its exit status."""
    from hlokit.mlir.trial import forked

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        work = getattr(import_module(request["module"]), request["function"])
        with open(request["source"], "rb") as source, open(request["answer"], "wb") as answer:
            status = forked(source.read(), work, answer, request["seconds"])
        print(json.dumps(status), file=answers, flush=True)
    os._exit(0)
