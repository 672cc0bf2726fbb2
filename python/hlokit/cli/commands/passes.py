"""`hlokit passes`: the stage of a compiler that changes what a program computes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import UsageError, Values, positive
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import FLUSH, JUNIT, OUTPUT_FILE, TIME_LIMIT, page_name
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import open_output, write_json
from hlokit.cli.streams.programs import arguments_of, subject_of
from hlokit.cli.streams.progress import SearchProgress
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.tools.stages.report import StagesReport
    from hlokit.tools.stages.settings import Settings
    from hlokit.tools.stages.triage import Triage


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_argument(
        "--of",
        metavar="COMPILER",
        help="the compiler: xla, stablehlo-opt:PIPELINE, cmd:TEMPLATE, a file or a folder (docs/stages.md)",
    )
    parser.add_argument(
        "--dumps",
        metavar="DIR",
        help="instead of --of: dumps of HLO after each pass, of a compilation elsewhere",
    )
    parser.add_argument(
        "--module", metavar="NAME", help="the module of --dumps, if the folder has several modules"
    )
    parser.add_argument(
        "--triage",
        action="store_true",
        help="FILE is a folder with programs: sort them into classes by stage and operation",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=positive, help="processes for --triage (default: one per processor)"
    )
    page = replace(OUTPUT_FILE, help="also write a page with the programs side by side", type=page_name)
    limit = replace(
        TIME_LIMIT,
        help="seconds that the compiler, the run of a stage, and the search in a stage for the operation at"
        " fault may take (default: 300); after twice the limit, the command ends with what it has compared",
    )
    parser.add_flags(page, FUNCTION, *EXAMPLES, FLUSH, JUNIT, limit)
    parser.add_json()


def _passes(values: Values) -> int:
    from hlokit.tools.stages.settings import Settings

    if values.triage:
        return _triage(values)
    if values.of is not None and values.dumps is not None:
        raise UsageError("passes: only one of --of and --dumps must be given")
    if values.of is None and values.dumps is None and not os.path.isdir(values.file):
        raise UsageError("passes: --of=COMPILER or --dumps=DIR must be given, or FILE must be such a folder")
    progress = SearchProgress(sys.stderr)
    settings = Settings(
        values.function,
        values.time_limit or 300,
        values.flush or "all",
        values.module,
        texts=values.o is not None,
        progress=progress,
    )
    try:
        report = _report(values, settings)
    finally:
        progress.finish()
    if values.o is not None:
        from hlokit.tools.stages.page import page

        with open_output(values.o) as file:
            file.write(page(report))
    _write(values, report)
    return report.status


def _write(values: Values, report: StagesReport | Triage) -> None:
    if values.junit is not None:
        with open_output(values.junit) as file:
            file.write(report.junit())
    if values.json:
        write_json(report.as_dict())
    else:
        sys.stdout.write(f"{report}\n")


def _triage(values: Values) -> int:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from hlokit.children.lifetimes import end_with_spawning_process
    from hlokit.tools.stages.triage import Job, programs_of, triage

    for flag in ("dumps", "module", "function", "o", "flush", "size", "zeros", "ones"):
        if getattr(values, flag):
            raise UsageError(f"passes: --triage does not take {'-o' if flag == 'o' else f'--{flag}'}")
    if values.arguments:
        raise UsageError("passes: --triage takes a folder and no arguments")
    job = Job(values.of or "xla", values.time_limit or 300, values.random or 0, _arguments)
    with ProcessPoolExecutor(
        values.jobs, get_context("spawn"), initializer=end_with_spawning_process
    ) as executor:
        report = triage(programs_of(values.file), executor, job)
    _write(values, report)
    return report.status


def _arguments(program: Program, path: str) -> Sequence[Any]:
    return arguments_of(program, None, [path])


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
