"""`hlokit passes`: the stage of a compiler that changes what a program computes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import UsageError, Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import FLUSH, JUNIT, TIME_LIMIT
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import open_output, write_json
from hlokit.cli.streams.programs import arguments_of, subject_of
from hlokit.cli.streams.progress import SearchProgress

if TYPE_CHECKING:
    from hlokit.tools.stages.report import StagesReport
    from hlokit.tools.stages.settings import Settings


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_argument(
        "--of",
        metavar="COMPILER",
        help="the compiler: xla, stablehlo-opt:PIPELINE, cmd:TEMPLATE, or a file (docs/stages.md)",
    )
    parser.add_argument(
        "--dumps",
        metavar="DIR",
        help="instead of --of: dumps of HLO after each pass, of a compilation elsewhere",
    )
    parser.add_argument(
        "--module", metavar="NAME", help="the module of --dumps, if the folder has several modules"
    )
    parser.add_flags(FUNCTION, *EXAMPLES, FLUSH, JUNIT, TIME_LIMIT)
    parser.add_json()


def _passes(values: Values) -> int:
    from hlokit.tools.stages.settings import Settings

    if values.of is not None and values.dumps is not None:
        raise UsageError("passes: only one of --of and --dumps must be given")
    if values.of is None and values.dumps is None and not os.path.isdir(values.file):
        raise UsageError("passes: --of=COMPILER or --dumps=DIR must be given, or FILE must be such a folder")
    progress = SearchProgress(sys.stderr)
    settings = Settings(
        values.function, values.time_limit or 300, values.flush or "all", values.module, progress
    )
    try:
        report = _report(values, settings)
    finally:
        progress.finish()
    if values.junit is not None:
        with open_output(values.junit) as file:
            file.write(report.junit())
    if values.json:
        write_json(report.as_dict())
    else:
        sys.stdout.write(f"{report}\n")
    return report.status


def _report(values: Values, settings: Settings) -> StagesReport:
    from hlokit.tools.stages.run import certify, certify_dumps, first_program

    examples = Examples.read(values)
    if values.dumps is None and values.of is None:
        program = first_program(values.file, values.module)
        arguments = arguments_of(program, None, values.arguments, examples)
        return certify_dumps(values.file, None, *arguments, settings=settings)
    program, function, arguments = subject_of(values.file, values.function, values.arguments, examples)
    settings = settings._replace(function=function)
    if values.dumps is not None:
        return certify_dumps(values.dumps, program, *arguments, settings=settings)
    return certify(program, *arguments, by=values.of, settings=settings)


SUBCOMMAND = Subcommand(
    "passes",
    "FILE [ARGUMENT...] --of=COMPILER [flags]",
    "find the stage of a compiler that changes what a program computes: conversion, a pass, or code "
    "generation (docs/stages.md); the exit status is 1 if a stage changes it, 2 if one could not be compared",
    _add_arguments,
    _passes,
    failed=2,
    examples=("hlokit passes model.mlirbc x.npy --of=xla",),
)
