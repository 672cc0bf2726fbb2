"""Text of MHLO as text of StableHLO and CHLO: names of operations, attributes and types, and the assembly of
operations where it differs."""

from __future__ import annotations

import re
from typing import NamedTuple

from hlokit.mlir.mhlo import ragged_dimensions
from hlokit.mlir.text.lexer import Token, skip_balanced, token_at
from hlokit.operations.lookup import successor_of_mhlo

_MHLO = "mhlo."
# Attributes of MHLO that StableHLO lacks. They say nothing about values, and stay as they are.
_WITHOUT_SUCCESSOR = frozenset(
    ("custom_call_schedule", "dequantize_mode", "fusion_kind", "kind", "result_alias", "sparsity")
)
# The one enumeration that StableHLO writes as MHLO does, with its value in brackets.
_BRACKETED = "result_accuracy_mode"
_ENUMERATION = re.compile(r"\.(\w+)<\s*([A-Z][A-Z\d_]*)\s*>")
_QUOTED = re.compile(r'<\s*"([^"]*)"\s*>')
_WORD = re.compile(r"<\s*(\w+)")
_UNARY = re.compile(r"\s*%[\w$.-]+(?:#\d+)?")
_LARGEST = re.compile(r",?\s*largest\s*=\s*(true|false)")
_TOP_K = re.compile(r"\(\s*(%[\w$.-]+(?:#\d+)?)\s*,\s*([^()]*)\)")
_GENERIC_TOP_K = re.compile(r"(\(\s*%[\w$.-]+(?:#\d+)?\s*\))\s*<?\{([^{}]*)\}>?")


class Rewrite(NamedTuple):
    """The replacement for a token and its continuation, the end of the continuation, and a description."""

    new: str
    end: int
    what: str


def rewrite(text: str, token: Token, dialect: str) -> Rewrite | None:
    """The rewrite of a token of MHLO; None for other tokens, and where StableHLO and CHLO have no successor.

    Args:
      dialect: the dialect of the operation before the token, to which attributes belong.
    """
    match token.kind:
        case "attribute" if token.text == "#mhlo" or token.text.startswith("#mhlo."):
            return _attribute(text, token, dialect)
        case "type" if token.text == "!mhlo.token":
            return Rewrite("!stablehlo.token", token.end, "the dialect mhlo is now stablehlo")
        case "string" if token.text.startswith(f'"{_MHLO}') and token_at(text, token.end).text == "(":
            return _operation(text, token, '"')
        case "id" if token.text.startswith(_MHLO) and token_at(text, token.end).text != "=":
            return _operation(text, token, "")
        case _:
            return None


def _attribute(text: str, token: Token, dialect: str) -> Rewrite | None:
    name = token.text.removeprefix("#mhlo").removeprefix(".") or (_WORD.match(text, token.end) or [""] * 2)[1]
    if name in _WITHOUT_SUCCESSOR:
        return None
    what = f"the dialect mhlo is now {dialect}"
    if name == "ragged_dot":
        end = skip_balanced(text, token.end) or token.end
        dimensions = ragged_dimensions(text[token.end : end])
        return Rewrite(f"#chlo.ragged_dot{dimensions}", end, what)
    value = _ENUMERATION.match(text, token.start + len("#mhlo"))
    if value is not None and value[1] != _BRACKETED:
        return Rewrite(f"#{dialect}<{value[1]} {value[2]}>", value.end(), what)
    quoted = _QUOTED.match(text, token.end)
    if quoted is not None:
        return Rewrite(f"#{dialect}<{quoted[1]}>", quoted.end(), what)
    return Rewrite(token.text.replace("#mhlo", f"#{dialect}"), token.end, what)


def _operation(text: str, token: Token, quote: str) -> Rewrite | None:
    mnemonic = token.text.strip('"').removeprefix(_MHLO)
    name = successor_of_mhlo(mnemonic)
    if name is None:
        return None
    dialect = name.partition(".")[0]
    what = f"the dialect mhlo is now {dialect}"
    renamed = Rewrite(f"{quote}{name}{quote}", token.end, what)
    if mnemonic == "topk":
        return _top_k(text, renamed)
    return _unary(text, renamed) if dialect == "chlo" and not quote else renamed


def _top_k(text: str, renamed: Rewrite) -> Rewrite | None:
    """`chlo.top_k` takes the greatest elements; for the least elements, the custom call that JAX exports."""
    line_end = text.find("\n", renamed.end)
    flag = _LARGEST.search(text, renamed.end, len(text) if line_end < 0 else line_end)
    if flag is None:
        return renamed
    if flag[1] == "true":
        return Rewrite(renamed.new + text[renamed.end : flag.start()], flag.end(), renamed.what)
    what = "the dialect mhlo is now stablehlo"
    if renamed.new.startswith('"'):
        call = _GENERIC_TOP_K.match(text, renamed.end)
        if call is None:
            return None
        attributes = (
            f'call_target_name = "mhlo.topk", mhlo.attributes = {{{call[2]}}}, mhlo.version = 1 : i64'
        )
        return Rewrite(f'"stablehlo.custom_call"{call[1]} {{{attributes}}}', call.end(), what)
    call = _TOP_K.match(text, renamed.end)
    type_ = None if call is None else _type_after(text, call.end())
    if call is None or type_ is None:
        return None
    attributes = f"mhlo.attributes = {{{call[2]}}}, mhlo.version = 1 : i64"
    operand = text[type_.start : type_.stop]
    new = f"stablehlo.custom_call @mhlo.topk({call[1]}) {{{attributes}}} : ({operand})"
    return Rewrite(new, type_.stop, what)


def _type_after(text: str, offset: int) -> slice | None:
    """The tensor type behind the colon that follows, perhaps after attributes."""
    brace = token_at(text, offset)
    if brace.text == "{":
        offset = skip_balanced(text, brace.start) or offset
    colon = token_at(text, offset)
    type_ = token_at(text, colon.end)
    if colon.text != ":" or type_.text != "tensor":
        return None
    return slice(type_.start, skip_balanced(text, type_.end) or type_.end)


def _unary(text: str, renamed: Rewrite) -> Rewrite:
    """CHLO writes the type of a function's result behind that of its operand."""
    operand = _UNARY.match(text, renamed.end)
    type_ = None if operand is None else _type_after(text, operand.end())
    if type_ is None or token_at(text, type_.stop).text == "->":
        return renamed
    new = f"{renamed.new}{text[renamed.end : type_.stop]} -> {text[type_]}"
    return Rewrite(new, type_.stop, renamed.what)
