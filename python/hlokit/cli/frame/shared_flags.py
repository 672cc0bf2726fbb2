"""Flags that several commands have, each defined once, and the answers to `--help` and `--version`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from hlokit.cli.frame.flags import CommandLine, Flag, one_of, positive

SPLIT_INPUT_FILE = Flag(
    "split-input-file", "the input holds several programs, with '// -----' lines between them"
)
OUTPUT_FILE = Flag("o", "write to a file instead of the standard output", "FILE")
DEBUG_INFO = Flag("mlir-print-debuginfo", "print locations")
ALLOW_OTHER_DIALECTS = Flag("allow-other-dialects", "accept operations of other dialects")
ALLOW_UNREGISTERED = Flag("allow-unregistered-dialect", "accept operations that no dialect defines")
AGAINST = Flag("against", "the other side: xla, iree, ..., a file or a recorded run (docs/diff.md)", "SIDE")
TIME_LIMIT = Flag(
    "time-limit",
    "seconds that the other side may take for one module (default: 300)",
    "N",
    type=positive,
)
FLUSH = Flag(
    "flush",
    "subnormal numbers that the other side may replace by zero: none, results, or all (default): operands,"
    " too",
    "WHICH",
    type=one_of("none", "results", "all"),
)
JUNIT = Flag("junit", "also write a file of test cases in JUnit's XML", "FILE")
STRICT = Flag("strict", "also enforce constraints that MLIR's verifiers do not check")
QUIET = Flag("quiet", "-q: no notes and no progress")
VERBOSE = Flag("verbose", "-v: versions, time, and the tracebacks of defects")
HELP = Flag("help", "-h: print this help")
VERSION = Flag("version", "-V: print versions")


def version_text(name: str) -> str:
    """Versions of the command `name` and of the packages below it."""
    from hlokit import __version__
    from hlokit.mlir.provider.versions import provider_version, stablehlo_version  # these import the bindings

    return f"{name} (hlokit {__version__}, StableHLO {stablehlo_version()}, {provider_version()})\n"


def is_answered(line: CommandLine, answers: Mapping[str, Callable[[], str]]) -> bool:
    """Print the text of the first of these switches that is on; returns whether one is on."""
    for switch, text in answers.items():
        if switch in line.switches:
            sys.stdout.write(text())
            return True
    return False
