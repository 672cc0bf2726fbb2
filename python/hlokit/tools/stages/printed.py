"""Text that tools of MLIR print with `-mlir-print-ir-after-all`: the program after each pass.

// -----// IR Dump After CanonicalizerPass: canonicalize{max-iterations=10} //----- //
module {
  ...
}
"""

from __future__ import annotations

import re
from functools import partial

from hlokit.errors import ArgumentError, UnsupportedError
from hlokit.tools.stages.snapshots import Snapshot

_HEADER = re.compile(
    r"// -----// IR Dump (?P<when>After|Before) (?P<what>.*?) ?//----- //[^\n]*$", re.MULTILINE
)
# What the header says besides the pass: the operation that it ran on.
_TARGET = re.compile(r" \('[^']*' operation.*\)$")
# The pass is the last name of these forms: `name{options}`, `Class: name{options}`, `Class (name)`,
# `builtin.module(func.func(name{options}))`.
_PASS = re.compile(r"([\w.-]+)(?:\{[^{}]*\})?\)*$")
# What a header says of a pass that failed: `Class Failed (name)`.
_FAILED = re.compile(r" Failed\b")
_FUNCTION = re.compile(r"\s*\"?func(?:\.func)?\b[^\n]*")


def read_printed(text: str, function: str) -> list[Snapshot]:
    """The snapshots of a text.

    Args:
      function: the function that is evaluated: a tool may print a function alone.

    Raises:
      ArgumentError: no program is printed in the text.
    """
    headers = list(_HEADER.finditer(text))
    if not any(header["when"] == "After" for header in headers):
        raise ArgumentError("the text must have programs that -mlir-print-ir-after-all prints, got none")
    snapshots: list[Snapshot] = []
    ends = [*[header.start() for header in headers[1:]], len(text)]
    for header, end in zip(headers, ends, strict=True):
        if header["when"] == "Before":
            continue
        line = text.count("\n", 0, header.start()) + 1
        has_failed = _FAILED.search(header["what"]) is not None
        read = _failed if has_failed else partial(_program, text[header.end() : end], function)
        snapshots.append(Snapshot(pass_name(header["what"]), "", f"line {line}", read))
    return snapshots


def pass_name(what: str) -> str:
    """The name of a pass, without its class, its options and the operation that it runs on."""
    what = _TARGET.sub("", what)
    match = _PASS.search(what)
    return what if match is None else match[1]


def _failed() -> bytes:
    """The program after a pass that failed.

    Raises:
      UnsupportedError: there is none.
    """
    raise UnsupportedError("the pass failed")


def _program(text: str, function: str) -> bytes:
    """The program at the beginning of a text, without what follows.

    Raises:
      UnsupportedError: the text has another function.
    """
    lines: list[str] = []
    is_over = False
    for line in text.splitlines():
        if is_over and not line.startswith("#"):  # aliases of locations follow a program
            break
        lines.append(line)
        is_over |= line.startswith("}")
    program = "\n".join(lines)
    alone = _FUNCTION.match(program)
    if alone is not None and not re.search(rf"@\"?{re.escape(function)}\b", alone[0]):
        raise UnsupportedError(
            "the tool printed another function alone: -mlir-print-ir-module-scope prints the program"
        )
    return program.encode()
