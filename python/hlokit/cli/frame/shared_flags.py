"""Flags that several commands have, each defined once, and the answers to `--help` and `--version`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from hlokit.cli.frame.flags import CommandLine, Flag, WrongValue, one_of, seconds

SPLIT_INPUT_FILE = Flag(
    "split-input-file", "the input holds several programs, with '// -----' lines between them"
)
# Ends of names that say that a file is no program.
_NO_PROGRAMS = (".npy", ".npz", ".json", ".jsonl", ".html", ".dot", ".md", ".xml", ".sarif", ".svg", ".py")


def program_name(text: str) -> str:
    """The type of a flag whose value names the file of a program: text, or bytecode if it ends in .mlirbc."""
    if text.lower().endswith(_NO_PROGRAMS):
        raise WrongValue(f"must be a program's name, such as small.mlir or small.mlirbc, got '{text}'")
    return text


def page_name(text: str) -> str:
    """The type of a flag whose value names the file of a page."""
    if os.path.splitext(text)[1].lower() not in ("", ".html", ".htm"):
        raise WrongValue(f"must be a page's name, such as page.html, got '{text}'")
    return text


OUTPUT_FILE = Flag("o", "write to a file instead of the standard output", "FILE")
OUTPUT_PROGRAM = replace(
    OUTPUT_FILE, help="write the program to a file: bytecode to .mlirbc", type=program_name
)
DEBUG_INFO = Flag("mlir-print-debuginfo", "print locations")
ALLOW_OTHER_DIALECTS = Flag("allow-other-dialects", "accept operations of other dialects")
ALLOW_UNREGISTERED = Flag("allow-unregistered-dialect", "accept operations that no dialect defines")
AGAINST = Flag("against", "the other side: xla, iree, ..., a file or a recorded run (docs/diff.md)", "SIDE")
TIME_LIMIT = Flag(
    "time-limit",
    "seconds that the other side may take for one module (default: 300)",
    "N",
    type=seconds,
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
