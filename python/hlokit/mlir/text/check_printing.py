"""Check operations in printed text, rewritten to their custom assembly: the inverse of `check_assembly`.

MLIR prints the operations of an unknown dialect in generic form. `to_custom` rewrites
`"check.expect_eq"(%0, %1) : (tensor<2xi32>, tensor<2xi32>) -> ()` in printed text to
`check.expect_eq %0, %1 : tensor<2xi32>`. Operations without the expected form are unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator

from hlokit.mlir.text.check_assembly import CHECK_OPERATIONS, Assembly, Clause
from hlokit.mlir.text.lexer import skip_balanced, token_at, tokens

_PREFIX = '"check.expect_'
_OPENING = ("<", "(", "[", "{")


def to_custom(text: str) -> str:
    """Printed text with every check operation in its custom form."""
    pieces: list[str] = []
    copied = 0
    searched = 0
    while (start := text.find(_PREFIX, searched)) >= 0:
        name = token_at(text, start)
        searched = name.end
        rewritten = _rewritten(text, name.text.strip('"'), name.end)
        if rewritten is None:
            continue
        custom, end = rewritten
        pieces += (text[copied:start], custom)
        copied = searched = end
    return "".join((*pieces, text[copied:])) if pieces else text


def _rewritten(text: str, name: str, offset: int) -> tuple[str, int] | None:
    """The custom form of the operation whose name ends at `offset`, and the end of its generic form."""
    assembly = CHECK_OPERATIONS.get(name)
    if assembly is None:
        return None
    operands, offset = _bracketed(text, offset, "(")
    attributes: dict[str, str] = {}
    for opening in ("<", "{"):
        inner, end = _bracketed(text, offset, opening)
        if inner is None:
            continue
        offset = end
        for entry in _split(inner.removeprefix("{").removesuffix("}")):
            key, _, value = entry.partition("=")
            attributes[key.strip()] = value.strip()
    colon = token_at(text, offset)
    types, end = _bracketed(text, colon.end, "(")
    arrow, results = token_at(text, end), "-> ()"
    if operands is None or types is None or colon.text != ":":
        return None
    if text[arrow.start : arrow.start + len(results)] != results:
        return None
    custom = _custom(assembly, name, list(_split(operands)), attributes, list(_split(types)))
    return None if custom is None else (custom, arrow.start + len(results))


def _custom(
    assembly: Assembly, name: str, operands: list[str], attributes: dict[str, str], types: list[str]
) -> str | None:
    if len(operands) != len(assembly.operands) or len(types) != len(operands):
        return None
    if assembly.type_count < 2 and len(set(types)) != 1:
        return None
    listed = ", ".join(operands)
    parts = [f"{name}({listed})" if assembly.parenthesized else f"{name} {listed}"]
    if assembly.has_value:
        if "value" not in attributes:
            return None
        parts.append(f", {attributes.pop('value')}")
    for clause in assembly.clauses:
        value = attributes.pop(clause.attribute, None)
        if value is None and clause.required:
            return None
        if value is not None:
            parts.append(f", {clause.keyword} = {_without_type(value, clause)}")
    rest = ", ".join(f"{key} = {value}" if value else key for key, value in attributes.items())
    dictionary = f" {{{rest}}}" if rest else ""
    if assembly.colon_before_attributes:
        parts.append(f" :{dictionary}")
    else:
        parts.append(f"{dictionary}{' :' * bool(assembly.type_count)}")
    if assembly.type_count:
        parts.append(f" {', '.join(types[: assembly.type_count])}")
    return "".join(parts)


def _without_type(value: str, clause: Clause) -> str:
    return value.removesuffix(f" : {clause.type_}")


def _bracketed(text: str, offset: int, opening: str) -> tuple[str | None, int]:
    """The text between the bracket at `offset` and its closing bracket, and the offset after the closing
    bracket."""
    bracket = token_at(text, offset)
    if bracket.text != opening:
        return None, offset
    end = skip_balanced(text, bracket.start)
    return (None, offset) if end is None else (text[bracket.end : end - 1], end)


def _split(text: str) -> Iterator[str]:
    """The entries of a comma-separated list."""
    start = 0
    skipped = 0
    for token in tokens(text):
        if token.start < skipped:
            continue
        if token.text in _OPENING:
            skipped = skip_balanced(text, token.start) or len(text)
        elif token.text == ",":
            yield text[start : token.start].strip()
            start = token.end
    if text[start:].strip():
        yield text[start:].strip()
