"""The text of parts of a VHLO program, for messages, and the types in such a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hlokit.mlir.provider.bindings import ir

_VERSIONED_TYPE = re.compile(r"!vhlo\.\w+_v\d+")
_SPELLING = re.compile(r"[!#]vhlo\.(\w+?)_v\d+")
_LONGEST_NAME = 120


def source_name(name: str) -> str:
    """The name of a VHLO operation in the StableHLO program."""
    base = re.sub(r"_v\d+$", "", name.removeprefix("vhlo."))
    return f"{'func' if base in ('func', 'call') else 'stablehlo'}.{base}"


def shown(name: str, attribute: ir.Attribute) -> str:
    """An attribute, approximately in the syntax of the program."""
    return _shortened(f"{name} = {_as_source(str(attribute))}")


def shown_type(text: str) -> str:
    """A type, approximately in the syntax of the program."""
    return _shortened(_as_source(text))


def _as_source(text: str) -> str:
    """A VHLO type or attribute, approximately in the syntax of the program."""
    return _SPELLING.sub(r"\1", text)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."


def elided(name: str, attribute: ir.Attribute) -> str:
    """The text of an attribute without the elements of large constants."""
    operation = ir.Operation.create("hlokit.source", attributes={name: attribute})
    return str(operation.get_asm(large_elements_limit=4))


def types_in(text: str) -> Iterator[str]:
    """The outermost types in a text."""
    end = 0
    for match in _VERSIONED_TYPE.finditer(text):
        if match.start() >= end:
            end = _end_of_brackets(text, match.end())
            yield text[match.start() : end]


def _end_of_brackets(text: str, start: int) -> int:
    if not text.startswith("<", start):
        return start
    depth = 0
    for offset in range(start, len(text)):
        depth += {"<": 1, ">": -1}.get(text[offset], 0)
        # The `>` of `->` closes no bracket.
        depth += text[offset - 1 : offset + 1] == "->"
        if depth == 0:
            return offset + 1
    return len(text)
