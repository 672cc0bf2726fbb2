"""Text that may kill the process: what bindings are known to die of when they parse and verify it.

Such text is parsed in a child process first (`trial`). The signs are cheap to look for and may be found in
harmless text too, which then costs some milliseconds.
"""

# pyright: reportUnknownMemberType=false
# (the bindings are partly untyped)

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import BinaryIO

from hlokit.errors import Diagnostic, ParseError
from hlokit.mlir import trial
from hlokit.mlir.bindings import ir
from hlokit.mlir.context import make_context


@dataclass(frozen=True, slots=True)
class Hazard:
    """A word that is quick to find, and an expression that is searched where the word is."""

    word: str
    sign: re.Pattern[str]
    dies_of: str


_EMPTY_GROUPS = re.compile(r"tensor<(?:0x\d+|\d+x0)xi64>")

HAZARDS = (
    Hazard("all_to_all", _EMPTY_GROUPS, "verifying all_to_all with no replica groups divides by zero"),
)


def require_harmless(source: str, filename: str = "-") -> None:
    """Let pass what the bindings survive.

    Raises:
      ParseError: they die of the text.
    """
    if not any(hazard.word in source and hazard.sign.search(source) for hazard in HAZARDS):
        return
    try:
        trial.answer(source.encode(), parse_alone)
    except trial.ChildDied as death:
        message = f"the MLIR bindings cannot verify this: {death}"
        raise ParseError((Diagnostic("error", message, filename),)) from None


def parse_alone(data: bytes, file: BinaryIO) -> None:
    """In a child process: parse text, whatever comes of it."""
    try:
        ir.Module.parse(data.decode(), make_context())
    except ir.MLIRError:
        file.write(b"invalid")
