"""Answers of bounded length: long lists and texts are cut, and say what is left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

# Characters of an answer, as JSON.
LONGEST = 24_000
_ITEMS = (200, 50, 20, 8, 3)
_CHARACTERS = (8_000, 2_000, 600, 200, 80)


def bounded(value: Any) -> Any:
    """A value of JSON with at most `LONGEST` characters; the longest lists and texts are cut first."""
    for items, characters in zip(_ITEMS, _CHARACTERS, strict=True):
        cut = _cut(value, items, characters)
        if len(json.dumps(cut)) <= LONGEST:
            return cut
    return _text(json.dumps(_cut(value, _ITEMS[-1], _CHARACTERS[-1])), LONGEST // 2)


def _cut(value: Any, items: int, characters: int) -> Any:
    if isinstance(value, str):
        return _text(value, characters)
    if isinstance(value, list):
        listed = cast("list[Any]", value)
        kept = [_cut(item, items, characters) for item in listed[:items]]
        return kept if len(listed) <= items else [*kept, f"... and {len(listed) - items} more"]
    if isinstance(value, Mapping):
        entries = list(cast("Mapping[str, Any]", value).items())
        kept_entries = {key: _cut(item, items, characters) for key, item in entries[:items]}
        if len(entries) > items:
            kept_entries["..."] = f"{len(entries) - items} more"
        return kept_entries
    return value


def _text(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    head = characters * 2 // 3
    left_out = len(text) - characters
    return f"{text[:head]}\n... ({left_out:,} characters left out) ...\n{text[head - characters :]}"
