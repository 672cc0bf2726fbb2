"""A server process that forks for sandboxed parses where this process cannot fork.

If JAX or another framework with a runtime of XLA is loaded, or if other threads run, a fork may hang. In this
case hlokit starts, once, a server process without frameworks and threads, which forks for each sandboxed
parse. A fork takes some 10 ms, whereas a new process would have to import the bindings. The server ends when
its standard input ends, that is with the process that started the server.

On Windows, which has no forks, the server does the work itself, without limits of memory. If the server dies,
the next request starts another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from importlib import import_module
from typing import Any, BinaryIO

from hlokit.children.folders import TemporaryFolder
from hlokit.children.lifetimes import LockOfProcess, end_with_input, has_output, python_command
from hlokit.mlir.sandbox.child import End, forked, with_small_stack

CAN_FORK = hasattr(os, "fork")


class Server:
    """The server process and its pipes; handles one request at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            python_command("from hlokit.mlir.sandbox.server import serve; serve()"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._owner = os.getpid()
        self._lock = threading.Lock()

    @property
    def is_ours(self) -> bool:
        """Whether the server is alive and belongs to this process: a fork must not use its parent's pipes."""
        return self._owner == os.getpid() and self._process.poll() is None

    def run(self, data: bytes, module: str, function: str, output: BinaryIO, seconds: float) -> End:
        """Call `function(data, file)` of a module in a new process, and return the end of the process.

        Raises:
          OSError: the server has ended.
        """
        with self._lock, TemporaryFolder() as folder:
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
            end = self._ask(request, seconds)
            if os.path.exists(answer):
                with open(answer, "rb") as file:
                    output.write(file.read())
        return end

    def _ask(self, request: dict[str, str | float], seconds: float) -> End:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            if not CAN_FORK and not has_output(self._process.stdout, seconds):
                self._process.kill()
                self._process.wait()
                return End(None)
            line = self._process.stdout.readline()
            if not line and not CAN_FORK:
                return End(self._process.wait())
            if not line:
                raise OSError("the sandbox server has ended")
        except BaseException:
            # The server's pipes close shortly before the process ends; until then the server would count as
            # alive. An interrupted server would answer the next request with the result of this request.
            self._process.kill()
            self._process.wait()
            raise
        return End(*json.loads(line))


_server: Server | None = None
_starting = LockOfProcess(threading.Lock)


def server() -> Server:
    """The server of this process; starts one if none is running."""
    global _server  # noqa: PLW0603 # one per process
    with _starting:
        if _server is None or not _server.is_ours:
            _server = Server()
        return _server


def serve() -> None:
    """In the server: read requests, fork for each, and answer with the end of the fork."""
    end_with_input()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            end = _end_of(request)
        except OSError as error:
            end = End(None, (error.strerror or str(error)).lower())
        print(json.dumps(end), file=answers, flush=True)
    os._exit(0)


def _end_of(request: dict[str, Any]) -> End:
    work = getattr(import_module(request["module"]), request["function"])
    with open(request["source"], "rb") as source, open(request["answer"], "wb") as answer:
        data = source.read()
        if CAN_FORK:
            return forked(data, work, answer, request["seconds"])
        try:
            with_small_stack(data, lambda: work(data, answer))
        except OSError:
            raise
        except Exception:
            return End(1)
        return End(0)
