"""Clearer diagnostics of the bindings: suggestions for names, without advice to C++ programmers."""

from __future__ import annotations

import re

from hlokit.display.suggestions import SUGGESTS, did_you_mean

# MLIR's advice to C++ programmers, or to users of another tool.
_ADVICE = re.compile(r"\.? If this is intended, please (?:call|use) .*", re.DOTALL)
_UNKNOWN = re.compile(
    r"^(?:custom op '([\w.$-]+)' is unknown|unregistered operation '([\w.$-]+)' found in dialect"
    r"|Dialect `[^']*' not found for custom op '([\w.$-]+)')"
)
# The dialect of a type or an attribute. The name of an operation is in the source line.
_UNREGISTERED = re.compile(r"^`?[!#]\"([\w$-]+)\"<.*created with unregistered dialect", re.DOTALL)
_UNREGISTERED_OPERATION = "operation being parsed with an unregistered dialect"
_GENERIC = re.compile(r"\"([\w$-]+(?:\.[\w.$-]+)?)\"")
_NO_SUCH = "; StableHLO and CHLO have no such operation"
_HEX_SIZE = "elements hex data size is invalid"
_EXPECTED_OPERATION = "expected operation name in quotes"
_EXPECTED_TYPE = "expected non-function type"
# A word in a type, perhaps after a dimension.
_WORD = re.compile(r"\s*x?([A-Za-z_]\w*)")
_OTHER_SPELLINGS = {
    "bool": "i1",
    "boolean": "i1",
    "double": "f64",
    "float": "f32",
    "half": "f16",
    "int": "i32",
    "long": "i64",
    "tensor": "tensor",
    "bfloat16": "bf16",
    **{f"float{width}": f"f{width}" for width in (16, 32, 64)},
    **{f"int{width}": f"i{width}" for width in (2, 4, 8, 16, 32, 64)},
    **{f"uint{width}": f"ui{width}" for width in (2, 4, 8, 16, 32, 64)},
    **{f"u{width}": f"ui{width}" for width in (2, 4, 8, 16, 32, 64)},
    **{f"s{width}": f"i{width}" for width in (2, 4, 8, 16, 32, 64)},
}


def clearer(message: str) -> str:
    """A message without useless advice."""
    return _ADVICE.sub("", message).rstrip() if "If this is intended" in message else message


def meant(message: str, line: str, column: int) -> str:
    """The suggestion that a message adds: an operation, dialect, element type or newer form.

    Args:
      line: the line of the source, "" if unknown.
      column: the column in the line, from 1.
    """
    name = _unknown_operation(message, line, column)
    dialect = _UNREGISTERED.match(message)
    if name or dialect is not None:
        from hlokit.operations.lookup import meant as meant_operation
        from hlokit.operations.lookup import operations, successor_of_mhlo

        if name.startswith("mhlo.") and successor_of_mhlo(name.removeprefix("mhlo.")) is None:
            return _NO_SUCH
        if name.startswith("mhlo.") or (dialect is not None and dialect[1] == "mhlo"):
            return "; `hlokit upgrade FILE` rewrites MHLO as StableHLO"
        if dialect is not None:
            dialects = dict.fromkeys(operation.partition(".")[0] for operation in operations())
            return did_you_mean(dialect[1], dialects) or _of_foreign(dialect[1])
        operation = meant_operation(name)
        if operation is not None:
            return f"{SUGGESTS}{operation}?"
        dialects = {"", *(item.partition(".")[0] for item in operations())}
        own_dialect = name.rpartition(".")[0].partition(".")[0]
        return _NO_SUCH if own_dialect in dialects else _of_foreign(own_dialect)
    if message.startswith(_HEX_SIZE):
        return _packed_booleans(line, column)
    if message == _EXPECTED_OPERATION and line and not line[column - 1 :].strip("}>)] "):
        return "; do the braces match?"  # the parser is at the end of the text, or at a brace too many
    if not message.startswith(_EXPECTED_TYPE):
        return ""
    word = _WORD.match(line, max(column - 1, 0))
    if word is None:
        return ""
    from hlokit.values.element_types import ELEMENT_TYPES

    spelled = _OTHER_SPELLINGS.get(word[1].lower())
    return f"; did you mean {spelled}?" if spelled else did_you_mean(word[1], ELEMENT_TYPES)


def _of_foreign(dialect: str) -> str:
    """What to do about a dialect that hlokit does not read."""
    return (
        f"; hlokit reads no dialect {dialect}: the tool that wrote the program must convert it to StableHLO"
    )


def _packed_booleans(line: str, column: int) -> str:
    from hlokit.mlir.text.packed_booleans import one_byte_each

    if one_byte_each(line, column - 1 + len("dense")) is None:
        return ""
    return "; older MLIR packed booleans eight in a byte: `hlokit upgrade FILE` rewrites them"


def _unknown_operation(message: str, line: str, column: int) -> str:
    """The name of the operation that a message reports as unknown, or ""."""
    unknown = _UNKNOWN.match(message)
    if unknown is None and message.startswith(_UNREGISTERED_OPERATION):  # the column follows the name
        *_, unknown = (None, *_GENERIC.finditer(line, 0, max(column, 0)))
    return next(filter(None, unknown.groups())) if unknown is not None else ""
