"""Names in modules: text without NUL bytes, since both Python and C code read names.

MLIR strings may contain any bytes, but the bindings return names of attributes, functions and targets of
custom calls as text, and these names occur in generated code and in file names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hlokit.errors import Diagnostic, ParseError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk

_NAMES = ("sym_name", "call_target_name", "name")
# Quoted text: a symbol, a key or a value.
_QUOTED = re.compile(r'(@?)"((?:[^"\\]|\\.)*)"(\s*=)?')
_ESCAPED = re.compile(rb"\\([\da-fA-F]{2})")
# The exceptions of the bindings for a string that is not UTF-8.
_NOT_TEXT = (RuntimeError, UnicodeDecodeError)


def require_names(module: ir.Module, filename: str) -> None:
    """Return if all names of a module are text.

    Raises:
      ParseError: a name is not UTF-8, or contains a NUL byte.
    """
    odd_names: list[tuple[str, str, str]] = []

    def visit(operation: ir.Operation) -> None:
        for what, spelled in _odd_names(operation):
            odd_names.append((what, spelled, operation.name))

    walk(module.operation, visit)
    if odd_names:
        what, spelled, operation = odd_names[0]
        message = f"{what} of '{operation}' must be UTF-8 without NUL bytes{spelled}"
        raise ParseError((Diagnostic("error", message, filename),))


def _odd_names(operation: ir.Operation) -> Iterator[tuple[str, str]]:
    try:
        names = list(operation.attributes.keys())
    except _NOT_TEXT:
        yield "the name of an attribute", ""
        return
    for name in names:
        if "\0" in name:
            yield "the name of an attribute", f", got {name!r}"
            return
        try:
            attribute = operation.attributes[name]
        except TypeError:  # the bindings have no class for complex elements
            continue
        if name in _NAMES and isinstance(attribute, ir.StringAttr):
            if _is_odd(lambda attribute=attribute: attribute.value):
                yield f"attribute {name}", f", got {bytes(attribute.value_bytes)!r}"
        elif not _inner_names_are_text(attribute):
            yield f"a name in attribute {name}", ""


def _inner_names_are_text(attribute: ir.Attribute) -> bool:
    """Whether the symbols in an attribute, and the keys of its dictionaries, are text.

    The text of the attribute contains all of them. (Iterating over a dictionary with other keys aborts the
    process.)
    """
    if not isinstance(attribute, ir.ArrayAttr | ir.DictAttr | ir.SymbolRefAttr):
        return True
    return not any(
        (match[1] or match[3]) and _is_odd(lambda match=match: _unescaped(match[2]))
        for match in _QUOTED.finditer(str(attribute))
    )


def _unescaped(spelled: str) -> str:
    data = _ESCAPED.sub(lambda match: bytes.fromhex(match[1].decode()), spelled.encode())
    return data.decode()


def _is_odd(name: Callable[[], str]) -> bool:
    try:
        return "\0" in name()
    except _NOT_TEXT:
        return True
