"""How parts of a VHLO program are spelled: for people, and the types that a spelling holds."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false
# (the bindings are partly untyped)

from __future__ import annotations

import re
from collections.abc import Iterator

from hlokit.mlir.bindings import ir

_VERSIONED_TYPE = re.compile(r"!vhlo\.\w+_v\d+")
_SPELLING = re.compile(r"[!#]vhlo\.(\w+?)_v\d+")
_LONGEST_NAME = 120


def source_name(name: str) -> str:
    """The name in the program of an operation in VHLO."""
    base = re.sub(r"_v\d+$", "", name.removeprefix("vhlo."))
    return f"{'func' if base in ('func', 'call') else 'stablehlo'}.{base}"


def shown(name: str, attribute: ir.Attribute) -> str:
    """An attribute about as the program spells it."""
    return _shortened(f"{name} = {_as_source(str(attribute))}")


def shown_type(text: str) -> str:
    """A type about as the program spells it."""
    return _shortened(_as_source(text))


def _as_source(text: str) -> str:
    """A type or attribute of VHLO about as the program spells it."""
    return _SPELLING.sub(r"\1", text)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."


def elided(name: str, attribute: ir.Attribute) -> str:
    """The text of an attribute without the elements of large constants."""
    operation = ir.Operation.create("hlokit.source", attributes={name: attribute})
    return str(operation.get_asm(large_elements_limit=4))


def types_in(text: str) -> Iterator[str]:
    """The types in a spelling that are in no other type there."""
    end = 0
    for found in _VERSIONED_TYPE.finditer(text):
        if found.start() >= end:
            end = _end_of_brackets(text, found.end())
            yield text[found.start() : end]


def _end_of_brackets(text: str, start: int) -> int:
    if not text.startswith("<", start):
        return start
    depth = 0
    for offset in range(start, len(text)):
        depth += {"<": 1, ">": -1}.get(text[offset], 0)
        # In `->` nothing closes.
        depth += text[offset - 1 : offset + 1] == "->"
        if depth == 0:
            return offset + 1
    return len(text)
