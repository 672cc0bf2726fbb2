"""`python -m hlokit.selftest`: checks the results of this installation against the specification.

Runs the self-checking programs (tests/interpret in the sources, `programs` beside this file in an
installation) with the current environment, on each lower processor level, and without fast tiers.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from hlokit.children.lifetimes import python_command
from hlokit.cli.frame.command import run_command
from hlokit.cli.frame.flags import help_text, read_command_line
from hlokit.cli.frame.shared_flags import HELP, is_answered
from hlokit.cli.upstream.translate import main as translate
from hlokit.engine.contract import switches
from hlokit.engine.contract.switches import CPU_LEVELS, CPU_VARIABLE, VARIABLE
from hlokit.errors import ArgumentError, ResourceError
from hlokit.tools.service.operations import operations

USAGE = "python -m hlokit.selftest"
DESCRIPTION = "checks the results of this installation against the specification, in some 20 seconds"
FLAGS = (HELP,)

# The flag of a child process that runs the programs in one environment; the value describes the environment.
_ENVIRONMENT = "--environment="


def _environments() -> list[dict[str, str]]:
    """Environments for the programs: the current environment, each lower processor level, no fast tiers."""
    from hlokit import _kernels

    levels = CPU_LEVELS[: CPU_LEVELS.index(_kernels.cpu_level())]
    return [{}, *({CPU_VARIABLE: level} for level in levels), {VARIABLE: "all"}]


def programs() -> list[Path]:
    """The self-checking programs."""
    places = (Path(__file__).parent / "programs", Path(__file__).parents[3] / "tests" / "interpret")
    directory = next((directory for directory in places if directory.is_dir()), places[0])
    return sorted(directory.glob("*.mlir"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the test; its exit status."""
    return run_command("selftest", arguments, _test)


def _test(arguments: Sequence[str]) -> int:
    if arguments and arguments[0].startswith(_ENVIRONMENT):
        return _run(programs())
    line = read_command_line(FLAGS, arguments)
    if is_answered(line, {HELP.name: lambda: help_text(USAGE, DESCRIPTION, FLAGS)}):
        return 0
    if line.inputs:
        raise ArgumentError(f"no input is expected, got {' '.join(line.inputs)} (usage: {USAGE})")
    switches.check()  # a misspelt variable is not a fault of the installation
    files = programs()
    if not files:
        raise ResourceError("the installation lacks its programs")
    start = time.monotonic()
    failed = 0
    for environment in _environments():
        text = " ".join(f"{name}={value}" for name, value in environment.items()) or "as it is"
        command = [
            *python_command("import hlokit.cli.selftest as test; sys.exit(test.main())"),
            f"{_ENVIRONMENT}{text}",
        ]
        try:
            run = subprocess.run(
                command,
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
                check=False,
                timeout=600,
            )
        except subprocess.TimeoutExpired:
            raise ResourceError(f"{text}: the programs do not end within 600 s") from None
        sys.stdout.write(run.stdout)
        print(f"{text}: {len(files)} files, {'passed' if run.returncode == 0 else 'FAILED'}", flush=True)
        if run.returncode:
            sys.stdout.write(run.stderr[-2000:])
            failed += 1
    print(f"{'FAILED' if failed else 'passed'} in {time.monotonic() - start:.1f} s")
    return 1 if failed else 0


def _run(files: Iterable[Path]) -> int:
    """Run the programs in this process; print what failed."""
    failed = 0
    for path in files:
        text = path.read_text()
        if "REQUIRES: collective_reduce" in text and "stablehlo.collective_reduce" not in operations():
            print(f"{path.name}: skipped, the bindings do not have stablehlo.collective_reduce")
            continue
        with (
            TemporaryDirectory() as probes,
            redirect_stdout(StringIO()) as printed,
            redirect_stderr(StringIO()) as said,
        ):
            flags = ["--interpret", "--split-input-file", f"--probe-output-dir={probes}"]
            # A few files test programs without checks, and state that.
            if "--require-checks" in text.partition("\n")[0]:
                flags.append("--require-checks")
            status = translate([*flags, str(path)])
        if status:
            failed += 1
            print(f"{path.name}: {(said.getvalue() or printed.getvalue())[:1000]}")
    return 1 if failed else 0
