"""Each choice in docs/divergences.md names an existing test whose text mentions the subject of the choice."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "divergences.md").read_text()
# A table's rows, without its title and the line below.
ROWS = [
    line
    for table in re.findall(r"^\|.*\|\n\|[-|]+\n((?:\|.*\|\n?)+)", PAGE, re.M)
    for line in table.splitlines()
]
_TEST = re.compile(r"\| `(tests/[\w./]+\.(?:mlir|py))`, `(\w+)` \|$")


def test_there_are_rows() -> None:
    assert len(ROWS) > 50
    assert sum(line.startswith("|") for line in PAGE.splitlines()) == len(ROWS) + 2 * PAGE.count("|---|\n")


def has_test(row: str) -> bool:
    """Whether the last column is `tests/...`, `name`, and that file defines that name."""
    named = _TEST.search(row)
    if named is None or not (ROOT / named[1]).is_file():
        return False
    definition = rf"(?:def |func\.func (?:private |public )?@|module @){named[2]}\b"
    return re.search(definition, (ROOT / named[1]).read_text()) is not None


def test_choices_have_tests() -> None:
    assert [row for row in ROWS if not has_test(row)] == [], "the last column must be `tests/...`, `name`"
    (row, *_) = ROWS
    assert not has_test(row.replace("`, `", "`, `no_such_"))
