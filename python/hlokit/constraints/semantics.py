"""Quotations of the specification's sections "Semantics": what it says about the results of an operation."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from hlokit.values.element_types import ElementType, Kind

_PAGE = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md"
# How sentences about a kind of elements begin.
_KINDS = ("booleans", "signed integers", "unsigned integers", "integers", "floats", "complex numbers")


@cache
def _sentences() -> dict[str, list[str]]:
    return tomllib.loads((files("hlokit.constraints") / "semantics.toml").read_text(encoding="utf-8"))


def sentence(mnemonic: str, type_: ElementType) -> str:
    """What the specification says about an operation on elements of a type; "" if it has no such section."""
    sentences = _sentences().get(mnemonic, [])
    words = _words_of(type_)
    of_kind = [text for text in sentences if text.startswith(tuple([f"For {word}:" for word in words]))]
    general = [text for text in sentences if not text.startswith(tuple([f"For {word}:" for word in _KINDS]))]
    return (*of_kind, *general, "")[0]


def section(mnemonic: str) -> str:
    """The address of an operation's section in the specification; "" if it has none."""
    return f"{_PAGE}#{mnemonic}" if mnemonic in _sentences() else ""


def _words_of(type_: ElementType) -> tuple[str, ...]:
    match type_.kind:
        case Kind.BOOL:
            return ("booleans",)
        case Kind.COMPLEX:
            return ("complex numbers",)
        case kind if kind.is_integer:
            return "signed integers" if kind is Kind.SIGNED else "unsigned integers", "integers"
        case _:
            return ("floats",)
