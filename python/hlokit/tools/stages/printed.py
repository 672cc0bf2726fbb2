"""Text that tools of MLIR print with `-mlir-print-ir-after-all`: the program after each pass.

// -----// IR Dump After CanonicalizerPass: canonicalize{max-iterations=10} //----- //
module {
  ...
}
"""

from __future__ import annotations

import os
import re
from functools import partial

from hlokit.errors import ArgumentError, UnsupportedError
from hlokit.files.reading import read_file
from hlokit.tools.stages.snapshots import Snapshot

# Also as old versions and LLVM print it: `// *** IR Dump After CSE ***`.
_HEADER = re.compile(
    r"^[^\n]*(?:-----//|\*\*\*) IR Dump (?P<when>After|Before) (?P<what>[^\n]*?) ?(?://-----|\*\*\*)[^\n]*$",
    re.MULTILINE,
)
# What the header says besides the pass: the operation that it ran on.
_TARGET = re.compile(r" \('[^']*' operation.*\)$")
# The pass is the last name of these forms: `name{options}`, `Class: name{options}`, `Class (name)`,
# `builtin.module(func.func(name{options}))`.
_PASS = re.compile(r"([\w.-]+)(?:\{[^{}]*\})?\)*$")
# What a header says of a pass that failed: `Class Failed (name)`.
_FAILED = re.compile(r" Failed\b")
# What LLVM prints instead of a program.
_OMITTED = " omitted because "
# Resources: constants that stand after a program.
_RESOURCES = re.compile(r"\s*\{-#.*?^#-\}", re.DOTALL | re.MULTILINE)
# A file that -mlir-print-ir-tree-dir writes: 0_2_canonicalize.mlir in the folder of a function.
_FILE = re.compile(r"(?P<numbers>\d+(?:_\d+)*)_(?P<name>.+)\.mlir")


def read_printed(text: str, function: str) -> list[Snapshot]:
    """The snapshots of a text.

    Args:
      function: the function that is evaluated: a tool may print a function alone.

    Raises:
      ArgumentError: no program is printed in the text.
    """
    headers = list(_HEADER.finditer(text))
    if not has_programs(text):
        raise ArgumentError("the text must have programs that -mlir-print-ir-after-all prints, got none")
    snapshots: list[Snapshot] = []
    ends = [*[header.start() for header in headers[1:]], len(text)]
    for header, end in zip(headers, ends, strict=True):
        if header["when"] == "Before" or _OMITTED in header["what"]:
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
      UnsupportedError: the text has other functions.
    """
    program = text[: _end(text)]
    name = re.escape(function)
    if re.search(rf"\bfunc\b[^\n]*@\"?{name}\"?\s*\(|\bsym_name = \"{name}\"", program) is None:
        raise UnsupportedError(
            f"the tool printed no function {function}: -mlir-print-ir-module-scope prints the program"
        )
    return program.encode()


def _end(text: str) -> int:
    """Where the program at the beginning of a text ends, with its aliases of locations and its resources."""
    end = 0
    is_over = False
    for line in text.splitlines(keepends=True):
        if is_over and not line.startswith("#"):
            break
        end += len(line)
        is_over |= line.startswith("}")
    resources = _RESOURCES.match(text, end)
    return end if resources is None else resources.end()


def has_programs(text: str) -> bool:
    """Whether a text has programs after passes."""
    return any(header["when"] == "After" for header in _HEADER.finditer(text))


def without_programs(text: str) -> str:
    """What a tool printed after the last program: its messages."""
    *_, last = [0, *[header.end() for header in _HEADER.finditer(text)]]
    return text[last + _end(text[last:]) :] if last else text


def printed_tree(folder: str) -> str:
    """What a tool wrote to files of a folder, with `-mlir-print-ir-tree-dir`, as it prints it otherwise."""
    files: list[tuple[list[int], str, str]] = []
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            match = _FILE.fullmatch(name)
            if match is not None:
                text = read_file(os.path.join(path, name), is_regular=True).decode(errors="replace")
                files.append((list(map(int, match["numbers"].split("_"))), match["name"], text))
    return "\n".join(
        [
            text if _HEADER.search(text) else f"// -----// IR Dump After {name} //----- //\n{text}"
            for _, name, text in sorted(files)
        ]
    )
