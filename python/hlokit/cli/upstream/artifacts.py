"""`--serialize` and `--deserialize`: write programs as portable artifacts, and print artifacts."""

from __future__ import annotations

import sys

from hlokit.cli.frame.flags import CommandLine
from hlokit.cli.frame.shared_flags import (
    ALLOW_OTHER_DIALECTS,
    ALLOW_UNREGISTERED,
    DEBUG_INFO,
    OUTPUT_FILE,
    SPLIT_INPUT_FILE,
)
from hlokit.cli.streams.diagnostics import diagnostics_of, report
from hlokit.cli.streams.inputs import Chunk, read_chunks
from hlokit.cli.streams.outputs import DiscardOutput, open_bytes, open_output
from hlokit.compat.arrays import arrays_that_become_tensors
from hlokit.compat.deserialize import to_stablehlo
from hlokit.compat.serialize import LOWEST
from hlokit.errors import ArgumentError, HlokitError
from hlokit.mlir.parse import Accepted
from hlokit.mlir.portable import stated_version
from hlokit.mlir.printing import Style, print_module
from hlokit.mlir.provider.bindings import ir
from hlokit.programs.loading import load_module
from hlokit.programs.program import Program


def serialize_input(line: CommandLine) -> int:
    """Write the input as a portable artifact; the exit status."""
    target = line.value("target")
    if target is None:
        raise ArgumentError("--serialize must have a target: --target=current, or --target=X.Y.Z")
    chunk = _only_chunk(line, "--serialize")
    try:
        # The weights of a folder are not in its program.
        is_file = bool(chunk.data)
        program = Program(_module(line, chunk), chunk.source.name) if is_file else chunk.load("numpy")
        data = program.serialize(
            target,
            allow_other_dialects=ALLOW_OTHER_DIALECTS.name in line.switches,
            strip_debug_info="strip-debuginfo" in line.switches,
        )
    except HlokitError as error:
        return _failed(error, chunk)
    report(arrays_that_become_tensors(program.module, chunk.source.name), chunk.source)
    if target == LOWEST:
        sys.stderr.write(f"{chunk.source.name}: written for StableHLO {stated_version(data)}\n")
    _write(line.value(OUTPUT_FILE.name) or line.value("output"), data)
    return 0


def deserialize_input(line: CommandLine) -> int:
    """Print the program in the input, a portable artifact, as text; the exit status."""
    chunk = _only_chunk(line, "--deserialize")
    with open_output(line.value(OUTPUT_FILE.name) or line.value("output")) as stream:
        if "print-stablehlo-version" in line.switches:
            version = stated_version(chunk.data)
            stream.write(
                "// Failed parsing StableHLO version from portable artifact\n"
                if version is None
                else f"// Reading portable artifact with StableHLO version: {version}\n"
            )
            stream.flush()
        try:
            module = to_stablehlo(_module(line, chunk), chunk.source.name)
            text = print_module(module, Style(debug_info=DEBUG_INFO.name in line.switches))
        except HlokitError as error:
            status = _failed(error, chunk)
            raise DiscardOutput from None
        stream.write(f"{text.rstrip()}\n")
        status = 0
    return status


def _only_chunk(line: CommandLine, flag: str) -> Chunk:
    if SPLIT_INPUT_FILE.name in line.switches:
        raise ArgumentError(f"--split-input-file must not be given with {flag}")
    (chunk,) = read_chunks(
        line.inputs[0] if line.inputs else "-", allow_unregistered=ALLOW_UNREGISTERED.name in line.switches
    )
    return chunk


def _module(line: CommandLine, chunk: Chunk) -> ir.Module:
    """The module as it is, also if no program can run it."""
    accepted = Accepted(unregistered=ALLOW_UNREGISTERED.name in line.switches)
    return load_module(chunk.data, chunk.source.name, accepted=accepted)


def _failed(error: HlokitError, chunk: Chunk) -> int:
    report(diagnostics_of(error, chunk.source), chunk.source)
    return 1


def _write(path: str | None, data: bytes) -> None:
    with open_bytes(path) as file:
        file.write(data)
