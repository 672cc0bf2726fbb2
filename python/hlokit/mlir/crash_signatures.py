"""Crash signatures: text that is known to crash some bindings while they parse or verify it.

A child process first parses text that matches a signature (`sandboxed_parse`). The search for signatures is
fast. A signature may match harmless text, at the cost of a few milliseconds.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
import re
from functools import partial
from typing import BinaryIO, NamedTuple

from hlokit import _bytecode
from hlokit.errors import Diagnostic, ParseError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import context_of_text


class CrashSignature(NamedTuple):
    """A word, which a fast search finds, and a regular expression to test where the word occurs."""

    word: str
    pattern: str
    cause: str


_EMPTY_GROUPS = r"tensor<(?:0x\d+|\d+x0)xi64>"
_NEGATIVE = r"array<i64:[^>]*-"
_NO_OPERANDS = r'stablehlo\.reduce"?\s*(?:\(\s*\)|across\b|applies\b)'
_RAW_DIMENSIONS = r"conv<\s*raw\b"
_NO_RESULT_TO_ALIAS = r"->\s*\(\s*\)"
# A return whose first type is not written as a tensor type. (An alias of a tensor type is a harmless match.)
_ODD_RETURN = r'stablehlo\.return"?[^:{}]*:\s*\(?\s*(?!tensor<)[\w!]'
_SCALES_PER_AXIS = r"!quant\.uniform<[^,{}]*:\d+\s*,\s*\{"
_UNRANKED = r"tensor<\s*\*"

CRASH_SIGNATURES = (
    CrashSignature(
        "all_to_all", _EMPTY_GROUPS, "verifying all_to_all with no replica groups divides by zero"
    ),
    CrashSignature(
        "chlo.broadcast_", _NEGATIVE, "negative broadcast_dimensions read before the beginning of the shape"
    ),
    CrashSignature("chlo.ragged_dot", _UNRANKED, "the verifier casts unranked operands to ranked types"),
    CrashSignature(
        "chlo.scan", "", "the value that the body returns may have fewer dimensions than `dimension` says"
    ),
    CrashSignature(
        "dynamic_broadcast_in_dim",
        _SCALES_PER_AXIS,
        "the verifier assumes that the operand is quantized if the result is",
    ),
    CrashSignature(
        "output_operand_aliases", _NO_RESULT_TO_ALIAS, "aliases may index results that do not exist"
    ),
    CrashSignature("raw", _RAW_DIMENSIONS, "printing out-of-range dimension numbers of a convolution aborts"),
    CrashSignature("stablehlo.reduce", _NO_OPERANDS, "type inference reads the first of zero inputs"),
    CrashSignature(
        "stablehlo.sort",
        _ODD_RETURN,
        "the verifier casts the type that the comparator returns to a tensor type",
    ),
    CrashSignature(
        "stablehlo.while", _ODD_RETURN, "the verifier casts the type that cond returns to a tensor type"
    ),
)
_WORDS = tuple(signature.word for signature in CRASH_SIGNATURES)


def require_harmless(
    context: ir.Context, source: str, filename: str = "-", *, searched: str | None = None
) -> None:
    """Return if the bindings survive the text; `searched` is the text without digits.

    Raises:
      ParseError: the text crashes the bindings.
    """
    searched = _bytecode.without_digits(source) if searched is None else searched
    words = _bytecode.words_in(searched, _WORDS)
    if not any(re.search(CRASH_SIGNATURES[index].pattern, searched) for index in words):
        return
    require_survival(context, source, filename)


def require_survival(context: ir.Context, source: str, filename: str = "-") -> None:
    """As `require_harmless`, for any text: a child process parses it, and accepts what no dialect defines."""
    from hlokit.mlir.sandbox import sandboxed_parse  # the import takes milliseconds

    try:
        sandboxed_parse.answer(source.encode(), parse_alone, partial(_parse, context))
    except sandboxed_parse.ChildDied as death:
        message = f"the MLIR bindings cannot verify this: {death}"
        raise ParseError((Diagnostic("error", message, filename),)) from None


def parse_alone(data: bytes, file: BinaryIO) -> None:
    """In a child process: parse the text. Only a crash matters, not the result."""
    _parse(context_of_text(data.decode()), data, file)


def _parse(context: ir.Context, data: bytes, file: BinaryIO) -> None:
    try:
        ir.Module.parse(data.decode(), context)
    except ir.MLIRError:
        file.write(b"invalid")
