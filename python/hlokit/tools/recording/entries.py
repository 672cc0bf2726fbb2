"""The lines of the index of a recording, and the check that a line from a file is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_counts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_count, cast("list[Any]", value)))


def _is_place(value: Any) -> bool:
    return _are_counts(value) and len(cast("list[int]", value)) % 2 == 1


def _is_view(value: Any) -> bool:
    if not isinstance(value, list) or len(cast("list[Any]", value)) != 3:
        return False
    start, shape, strides = cast("list[Any]", value)
    if not _is_count(start) or not _are_counts(shape) or not isinstance(strides, list):
        return False
    steps = cast("list[Any]", strides)
    return len(steps) == len(cast("list[int]", shape)) and all(isinstance(step, int) for step in steps)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


Rule = tuple[Callable[[Any], bool], str]
_COUNT: Rule = (_is_count, "a natural number")
_TEXT: Rule = (_is_text, "text")
_STORED = {"offset": _COUNT, "view": (_is_view, "a number and two lists of numbers")}
_WHOLE = {"number": _COUNT, "type": _TEXT}
# The fields that a line of each kind must have, and those that it may have.
_HEADER: Mapping[str, Rule] = {"format": _COUNT, "function": _TEXT, "file": _TEXT, "fingerprint": _TEXT}
_REQUIRED: Mapping[str, Mapping[str, Rule]] = {
    "argument": _WHOLE,
    "result": _WHOLE,
    "value": {
        "order": _COUNT,
        "place": (_is_place, "a list of an odd number of natural numbers"),
        "result": _COUNT,
        **dict.fromkeys(("op", "function", "type", "source"), _TEXT),
        "summary": (_is_object, "an object"),
    },
    "end": {"status": _TEXT},
}
_OPTIONAL: Mapping[str, Rule] = {**_STORED, "lifted": (_is_flag, "true or false"), "arguments": _COUNT}


def checked(entry: Any, *, is_header: bool) -> dict[str, Any]:
    """A line of an index, whose fields have the right types.

    Raises:
      ValueError: it is no such line.
    """
    if not isinstance(entry, dict):
        raise ValueError(f"it must be an object, got {shown(entry)}")
    fields = cast("dict[str, Any]", entry)
    if is_header:
        required = _HEADER
    else:
        kind = fields.get("kind")
        if not isinstance(kind, str) or kind not in _REQUIRED:
            raise ValueError(f"kind must be one of {', '.join(_REQUIRED)}, got {shown(kind)}")
        required = _REQUIRED[kind]
    for name, (holds, rule) in required.items():
        if name not in fields or not holds(fields[name]):
            got = f"got {shown(fields[name])}" if name in fields else "and is missing"
            raise ValueError(f"{name} must be {rule}, {got}")
    for name, (holds, rule) in _OPTIONAL.items():
        if name in fields and not holds(fields[name]):
            raise ValueError(f"{name} must be {rule}, got {shown(fields[name])}")
    return fields


def shown(value: Any) -> str:
    """The beginning of a value, for a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
