"""Runs RUN lines: imports the commands once, and forks for each line.

Reads requests as JSON lines, `{"line": "stablehlo-opt %s | FileCheck %s", "substitutions": {"%s": "file.mlir"}}`,
and answers each with `{"status": 0, "output": "..."}`. A negative status is the signal that killed the run.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from filecheck.main import main as file_check

from hlokit.cli import main as hlokit
from hlokit.tools.conformance import commands
from hlokit.tools.conformance.shell import Outcome, parse_line, run_pipeline

TIME_LIMIT = 120  # seconds


def _file_check(arguments: Sequence[str], data: bytes) -> Outcome:
    # The Python package everywhere, as lit does here.
    return commands.captured(lambda words: file_check(list(words)) or 0, ["FileCheck", *arguments], data)


def _hlokit(arguments: Sequence[str], data: bytes) -> Outcome:
    return commands.captured(hlokit.main, arguments, data)


def _program(name: str) -> commands.Command:
    def run_program(arguments: Sequence[str], data: bytes) -> Outcome:
        done = subprocess.run([name, *arguments], input=data, capture_output=True, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run_program


COMMANDS = {
    **{name: commands.COMMANDS[name] for name in ("stablehlo-opt", "stablehlo-translate", "diff", "cat")},
    **{name: _program(name) for name in ("echo", "head")},
    "FileCheck": _file_check,
    "hlokit": _hlokit,
}


def run(line: str, substitutions: Mapping[str, str], output: BinaryIO) -> int:
    """The status of one run; what it prints goes to `output`."""
    child = os.fork()
    if child == 0:
        signal.alarm(TIME_LIMIT)
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        status = 1
        try:
            outcome = run_pipeline(parse_line(line, substitutions), COMMANDS)
            for text in (outcome.output, outcome.errors):
                sys.stdout.buffer.write(text)
            sys.stdout.flush()
            status = outcome.status
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def serve() -> None:
    for request in map(json.loads, sys.stdin):
        with tempfile.TemporaryFile() as output:
            status = run(request["line"], request["substitutions"], output)
            output.seek(0)
            text = output.read().decode(errors="replace")
        print(json.dumps({"status": status, "output": text}), flush=True)


if __name__ == "__main__":
    serve()
