"""Runs the commands many times: imports them once, and forks for each run.

Reads requests as JSON lines, `["stablehlo-translate", "--interpret", "file.mlir"]`, and answers each with
`{"status": 0, "output": "..."}`. A negative status is the signal that killed the run.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from typing import BinaryIO

from hlokit.cli import opt, translate

TIME_LIMIT = 120  # seconds
COMMANDS = {"stablehlo-opt": opt.main, "stablehlo-translate": translate.main}


def run(command: list[str], output: BinaryIO) -> int:
    """The status of one run; what it prints goes to `output`."""
    child = os.fork()
    if child == 0:
        signal.alarm(TIME_LIMIT)
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        status = 1
        try:
            status = COMMANDS[command[0]](command[1:])
            sys.stdout.flush()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def serve() -> None:
    for line in sys.stdin:
        with tempfile.TemporaryFile() as output:
            status = run(json.loads(line), output)
            output.seek(0)
            text = output.read().decode(errors="replace")
        print(json.dumps({"status": status, "output": text}), flush=True)


if __name__ == "__main__":
    serve()
