"""The command `stablehlo-opt`: reads, verifies, transforms and prints programs.

Takes the flags of the StableHLO project's tool of that name, and a flag for every pass of the bindings and
of hlokit; passes run in the order of the command line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from hlokit.cli.frame.command import run_command
from hlokit.cli.frame.flags import Flag, Values, help_text, natural, one_of, read_command_line
from hlokit.cli.frame.shared_flags import (
    ALLOW_UNREGISTERED,
    DEBUG_INFO,
    HELP,
    OUTPUT_FILE,
    SPLIT_INPUT_FILE,
    STRICT,
    VERSION,
    is_answered,
    version_text,
)
from hlokit.cli.frame.supervision import doing
from hlokit.cli.streams.diagnostics import diagnostics_of, report
from hlokit.cli.streams.expectations import differences
from hlokit.cli.streams.inputs import ModuleSource, read_module_sources
from hlokit.cli.streams.outputs import open_bytes
from hlokit.cli.upstream import dumps
from hlokit.cli.upstream.meaning import CHECK_MEANING, MeaningCheck
from hlokit.constraints import strict
from hlokit.display.printable import printable
from hlokit.errors import (
    ArgumentError,
    Diagnostic,
    ParseError,
    PassError,
    VerificationError,
    VersionError,
)
from hlokit.mlir.printing import Style, print_module, write_bytecode
from hlokit.mlir.provider.context import DIALECTS, has_dialect, make_context

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir
    from hlokit.passes.pipeline import Stage

NAME = "stablehlo-opt"
USAGE = f"{NAME} [flags] [--PASS[=options]]... [FILE | -]"
DESCRIPTION = """Reads MLIR text, MLIR bytecode or a portable artifact, verifies it, runs passes, prints it.
Every pass is a flag; --list-passes lists them."""

FLAGS = (
    Flag("pass-pipeline", "passes as a pipeline, builtin.module(...); no pass may be a flag then", "TEXT"),
    SPLIT_INPUT_FILE,
    Flag(
        "verify-diagnostics",
        "succeed if the diagnostics are those that comments announce (expected-error {{...}} etc.); "
        "'only-expected': ignore others",
        "MODE",
        default="all",
        type=one_of("all", "only-expected"),
    ),
    STRICT,
    ALLOW_UNREGISTERED,
    Flag("verify-each", "do not verify after each pass", is_on=True),
    Flag("emit-bytecode", "write MLIR bytecode instead of text"),
    Flag("emit-bytecode-version", "the version of that bytecode (default: the newest)", "N", type=natural),
    Flag("mlir-print-op-generic", "print operations in generic form"),
    DEBUG_INFO,
    Flag("mlir-pretty-debuginfo", "print locations for human readers"),
    Flag("mlir-print-local-scope", "print attributes, types and locations in place, without aliases"),
    Flag("mlir-use-nameloc-as-prefix", "name values after the names in their locations"),
    Flag(
        "mlir-elide-elementsattrs-if-larger",
        "elide elements attributes with more elements",
        "N",
        type=natural,
    ),
    Flag("mlir-elide-resource-strings-if-larger", "elide resources with more characters", "N", type=natural),
    CHECK_MEANING,
    *dumps.FLAGS,
    Flag("dump-pass-pipeline", "print the passes to the standard error, as a pipeline"),
    Flag("mlir-disable-threading", "accepted: there is one thread anyway"),
    Flag("no-color", "messages without colours, also on a terminal"),
    Flag("show-dialects", "list the dialects"),
    Flag("list-passes", "list the passes of hlokit, and known passes of the bindings"),
    OUTPUT_FILE,
    HELP,
    VERSION,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    return run_command(NAME, arguments, _run, is_supervised=True)


@dataclass(frozen=True, slots=True)
class _Work:
    """The options of the command, which hold for each program."""

    values: Values
    passes: Sequence[tuple[str, str]]
    style: Style

    def stages(self) -> Sequence[Stage]:
        from hlokit.passes.pipeline import parse_pipeline, stage_of

        if self.values.pass_pipeline is not None:
            return parse_pipeline(self.values.pass_pipeline)
        return [stage_of(name, options) for name, options in self.passes]


def _run(arguments: Sequence[str]) -> int:
    passes: list[tuple[str, str]] = []

    def is_flag(name: str, value: str | None) -> bool:
        from hlokit.passes.pipeline import is_pass  # slow to import

        is_known_pass = is_pass(name)
        if is_known_pass:
            passes.append((name, value or ""))
        return is_known_pass

    line = read_command_line(FLAGS, arguments, is_flag, pass_names)
    answers = {
        HELP.name: lambda: help_text(USAGE, DESCRIPTION, FLAGS),
        VERSION.name: lambda: version_text(NAME),
        "show-dialects": _dialects,
        "list-passes": _passes,
    }
    if is_answered(line, answers):
        return 0
    if len(line.inputs) > 1:
        raise ArgumentError(f"one input must be given at most, got {' '.join(line.inputs)}")
    if line.value("pass-pipeline") is not None and passes:
        raise ArgumentError("--pass-pipeline must not be given together with passes as flags")
    values = line.typed(FLAGS)
    work = _Work(values, passes, _style(values))
    sources = read_module_sources(
        line.inputs[0] if line.inputs else "-",
        split=values.split_input_file,
        allow_unregistered=values.allow_unregistered_dialect,
    )
    try:
        with open_bytes(values.o) as stream:
            _process_all(sources, work, stream)
    except _Unsuccessful:
        return 1
    return 0


class _Unsuccessful(Exception):
    """Ends the command after its messages; an existing output file stays unchanged."""


def _process_all(sources: Iterable[ModuleSource], work: _Work, stream: BinaryIO) -> None:
    succeeded = True
    for number, source in enumerate(sources):
        if number:
            stream.write(b"// -----\n")
        output, is_right = _process(source, work)
        stream.write(output)
        succeeded &= is_right
    if not succeeded:
        raise _Unsuccessful


def _style(values: Values) -> Style:
    return Style(
        generic=values.mlir_print_op_generic,
        debug_info=values.mlir_print_debuginfo,
        pretty_debug_info=values.mlir_pretty_debuginfo,
        local_scope=values.mlir_print_local_scope,
        name_prefixes=values.mlir_use_nameloc_as_prefix,
        largest_elements=values.mlir_elide_elementsattrs_if_larger,
        largest_resource=values.mlir_elide_resource_strings_if_larger,
    )


def _process(source: ModuleSource, work: _Work) -> tuple[bytes, bool]:
    """The output for one program, and whether it succeeded; prints diagnostics."""
    text = source.source
    diagnostics: list[Diagnostic] = []
    output = b""
    succeeded = False
    try:
        output = _transformed(source, work, diagnostics.append)
        succeeded = True
    except (ParseError, PassError, VerificationError, VersionError) as error:
        diagnostics += diagnostics_of(error, text)
    mode = work.values.verify_diagnostics
    if mode is None:
        report(diagnostics, text)
        return output, succeeded
    problems = differences(text.text, text.name, diagnostics, only_expected=mode == "only-expected")
    report(problems, text)
    return output, not problems


def _transformed(source: ModuleSource, work: _Work, tell: Callable[[Diagnostic], None]) -> bytes:
    name = source.source.name
    with doing(f"{name}:{source.line}: parsing"):
        module, diagnostics = source.parse()
    for diagnostic in diagnostics:
        tell(diagnostic)
    if work.values.strict:
        invalid = strict.check(module, name)
        if invalid:
            raise VerificationError(tuple(invalid))
    stages = work.stages()
    if stages:
        from hlokit.passes.pipeline import name_of, run_pipeline  # slow to import

        shown = dumps.Dumps(work.values, work.style)
        if work.values.dump_pass_pipeline:
            sys.stderr.write(f"builtin.module({','.join(map(name_of, stages))})\n")
        path = work.values.check_meaning
        meaning = None if path is None else MeaningCheck(path, name, source.source.text)
        if meaning is not None:
            meaning.start(module)
        for stage in stages:
            stage_name = name_of(stage)
            with doing(f"{name}:{source.line}: {stage_name}"):
                shown.before(stage_name, module)
                try:
                    run_pipeline(module, [stage], name, verify_each=work.values.verify_each, report=tell)
                except (PassError, VerificationError):
                    shown.failed(stage_name, module)
                    raise
                shown.after(stage_name, module)
                if meaning is not None:
                    meaning.after(stage_name, module, tell)
    with doing(f"{name}:{source.line}: printing"):
        version = work.values.emit_bytecode_version
        if work.values.emit_bytecode or version is not None:
            return _bytecode(module, version)
        return printable(print_module(module, work.style, name)).encode()


def _bytecode(module: ir.Module, version: int | None) -> bytes:
    try:
        return write_bytecode(module, version)
    except ValueError as error:
        raise ArgumentError(f"--emit-bytecode-version: {error}") from None


def _dialects() -> str:
    context = make_context()
    # A context does not list its dialects: ask for each possible dialect.
    names = ", ".join(name for name in DIALECTS if has_dialect(context, name))
    return f"Available Dialects: {names}\n"


def pass_names() -> Iterable[str]:
    """The names of all passes, which are flags."""
    from hlokit.passes.native import native_passes  # slow to import
    from hlokit.passes.table import PASSES

    return (*PASSES, *native_passes())


def _passes() -> str:
    from hlokit.passes.native import native_passes
    from hlokit.passes.table import PASSES  # slow to import

    own = [f"  --{name:45} {entry.summary}\n" for name, entry in sorted(PASSES.items())]
    bindings = [f"  --{name}\n" for name in native_passes()]
    return f"passes of hlokit:\n{''.join(own)}\nof the bindings:\n{''.join(bindings)}"
