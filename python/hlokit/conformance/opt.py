"""What RUN lines of the suites need of `stablehlo-opt`: read, run passes of the bindings, print."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings are partly untyped)

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from hlokit.cli.command import run_command
from hlokit.cli.diagnostics import diagnostics_of, render
from hlokit.cli.inputs import Chunk, read_chunks
from hlokit.compat.modules import run_passes
from hlokit.conformance.shell import NotRunError
from hlokit.errors import Diagnostic, HlokitError
from hlokit.mlir.diagnostics import collected
from hlokit.mlir.module import text
from hlokit.mlir.parse import diagnostic

_SPLIT = "split-input-file"
_EXPECT = "verify-diagnostics"

# Pipelines by flag. `chlo-pre-serialization-pipeline` also reconciles unrealized casts, which the bindings
# cannot; a program in which some are left fails when it is evaluated.
PASSES = {
    "inline": "inline",
    "chlo-legalize-to-stablehlo": "func.func(chlo-legalize-to-stablehlo)",
    "chlo-pre-serialization-pipeline": "func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo)",
    "stablehlo-complex-math-expander": "func.func(stablehlo-complex-math-expander)",
    "stablehlo-legalize-composite-to-call": "func.func(stablehlo-legalize-composite-to-call)",
}

_EXPECTED = re.compile(r"expected-error\s*(?:@\S+\s*)?\{\{(.*?)\}\}")


def optimize(arguments: Sequence[str]) -> int:
    """Run the command; its exit status.

    Raises:
      NotRunError: a flag is unknown.
    """
    path, switches, passes = "-", set[str](), list[str]()
    for argument in arguments:
        name = argument.lstrip("-")
        if argument == "-" or not argument.startswith("-"):
            path = argument
        elif name in (_SPLIT, _EXPECT):
            switches.add(name)
        elif name in PASSES:
            passes.append(PASSES[name])
        else:
            raise NotRunError(f"needs stablehlo-opt {argument}")

    def body(_: Sequence[str]) -> int:
        chunks = read_chunks(path, _SPLIT in switches)
        outputs = [_optimize(chunk, ",".join(passes), _EXPECT in switches) for chunk in chunks]
        sys.stdout.write("// -----\n".join(output or "" for output in outputs))
        return int(None in outputs)

    return run_command("stablehlo-opt", (), body)


def _optimize(chunk: Chunk, passes: str, expects: bool) -> str | None:
    """The module after the passes; None if that failed, '' if it was expected to."""
    try:
        module = chunk.load().module
    except HlokitError as error:
        return _failed(chunk, diagnostics_of(error, chunk.source), expects)
    if passes:
        with collected(module.context) as found:
            succeeded = run_passes(module.operation, passes)
            diagnostics = [
                diagnostic("error", raw.message, str(raw.location), chunk.source.name) for raw in found
            ]
        if not succeeded:
            failure = diagnostics or [Diagnostic("error", f"{passes} failed", chunk.source.name)]
            return _failed(chunk, failure, expects)
    return f"{text(module, debug_info=False, elide_larger_than=None).rstrip()}\n"


def _failed(chunk: Chunk, found: Sequence[Diagnostic], expects: bool) -> str | None:
    wanted = _EXPECTED.findall(chunk.source.text or "") if expects else []
    if wanted and all(any(message in item.message for item in found) for message in wanted):
        return ""
    sys.stderr.write(render(found, chunk.source))
    return None
