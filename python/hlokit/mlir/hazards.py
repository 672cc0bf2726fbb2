"""Text that may kill the process: what bindings are known to die of when they parse and verify it.

Such text is parsed in a child process first (`trial`). The signs are cheap to look for and may be found in
harmless text too, which then costs some milliseconds.
"""

# pyright: reportUnknownMemberType=false
# (the bindings are partly untyped)

from __future__ import annotations

import re
from functools import partial
from typing import BinaryIO, NamedTuple

from hlokit import _native
from hlokit.errors import Diagnostic, ParseError
from hlokit.mlir.bindings import ir
from hlokit.mlir.context import context_of_text


class Hazard(NamedTuple):
    """A word that is quick to find, and a regular expression that is searched where the word is."""

    word: str
    sign: str
    dies_of: str


_DISTANT_DIMENSION = r"\[[\w?,\s]*\d{6}[\w?,\s]*\]"
_EMPTY_GROUPS = r"tensor<(?:0x\d+|\d+x0)xi64>"
_NEGATIVE = r"array<i64:[^>]*-"
_NO_OPERANDS = r'stablehlo\.reduce"?\s*(?:\(\s*\)|across\b|applies\b)'
_RAW_DIMENSIONS = r"conv<\s*raw\b"
_NO_RESULT_TO_ALIAS = r"->\s*\(\s*\)"
# A return whose first type is not spelled as a tensor: an alias of one is another sign of nothing.
_ODD_RETURN = r'stablehlo\.return"?[^:{}]*:\s*\(?\s*(?!tensor<)[\w!]'
_SCALES_PER_AXIS = r"!quant\.uniform<[^,{}]*:\d+\s*,\s*\{"
_UNRANKED = r"tensor<\s*\*"

HAZARDS = (
    Hazard("all_to_all", _EMPTY_GROUPS, "verifying all_to_all with no replica groups divides by zero"),
    Hazard("chlo.broadcast_", _NEGATIVE, "negative broadcast_dimensions index before the shape"),
    Hazard("chlo.ragged_dot", _UNRANKED, "unranked operands are taken for ranked ones"),
    Hazard("chlo.scan", "", "what the body returns may have fewer dimensions than dimension says"),
    Hazard("conv<", _DISTANT_DIMENSION, "every dimension up to the largest is looked for"),
    Hazard("dim_numbers", _DISTANT_DIMENSION, "the same in the other spelling"),
    Hazard("dynamic_broadcast_in_dim", _SCALES_PER_AXIS, "operand is taken for quantized like the result"),
    Hazard(
        "output_operand_aliases", _NO_RESULT_TO_ALIAS, "indices into results that are not there are followed"
    ),
    Hazard("raw", _RAW_DIMENSIONS, "out-of-range dimensions of convolutions abort when they are printed"),
    Hazard("stablehlo.reduce", _NO_OPERANDS, "inference looks at the first of no inputs"),
    Hazard("stablehlo.sort", _ODD_RETURN, "what comparator returns is taken for a tensor"),
    Hazard("stablehlo.while", _ODD_RETURN, "what cond returns is taken for a tensor"),
)
_WORDS = tuple(hazard.word for hazard in HAZARDS)


def require_harmless(context: ir.Context, source: str, filename: str = "-") -> None:
    """Let pass what the bindings survive.

    Raises:
      ParseError: they die of the text.
    """
    found = _native.words_in(source, _WORDS)
    if not any(re.search(HAZARDS[index].sign, source) for index in found):
        return
    from hlokit.mlir import trial  # it takes milliseconds to import

    try:
        trial.answer(source.encode(), parse_alone, partial(_parse, context))
    except trial.ChildDied as death:
        message = f"the MLIR bindings cannot verify this: {death}"
        raise ParseError((Diagnostic("error", message, filename),)) from None


def parse_alone(data: bytes, file: BinaryIO) -> None:
    """In a child process: parse text, whatever comes of it."""
    _parse(context_of_text(data.decode()), data, file)


def _parse(context: ir.Context, data: bytes, file: BinaryIO) -> None:
    try:
        ir.Module.parse(data.decode(), context)
    except ir.MLIRError:
        file.write(b"invalid")
