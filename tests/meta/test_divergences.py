"""Each choice in docs/divergences.md names an existing test whose text mentions the subject of the choice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_the_choice_has_a_test(row: str) -> None:
    named = _TEST.search(row)
    assert named is not None, "the last column must be `tests/...`, `name`"
    text = (ROOT / named[1]).read_text()
    assert re.search(rf"(?:def |func\.func (?:private |public )?@|module @){named[2]}\b", text)
