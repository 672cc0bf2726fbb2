"""The programs of docs/findings.md run, have the results that they state, and are all on the page."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import hlokit

ROOT = Path(__file__).parents[4]
PROGRAMS = sorted((ROOT / "docs" / "findings").glob("*.mlir"))
PAGE = (ROOT / "docs" / "findings.md").read_text()
_EXPECTED = re.compile(r"// element \[([\d, ]*)\]: (\S+) expected, (\S+) there")


def test_the_page_names_all_programs_and_no_others() -> None:
    named = re.findall(r"^\| `docs/findings/(\w+)\.mlir` \|", PAGE, re.M)
    assert sorted(named) == [path.stem for path in PROGRAMS]
    assert len(named) >= 10


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_hlokit_has_the_expected_results(path: Path) -> None:
    text = path.read_text()
    assert f"hlokit diff docs/findings/{path.name} --against=" in text
    result = np.asarray(hlokit.load(path)())
    found = _EXPECTED.search(text)
    if found is None:
        assert "died of" in text or f"{result.dtype}{list(result.shape)} expected" in text
        return
    index, expected, there = found.groups()
    value = result[tuple(map(int, index.split(", ")))] if index else result[()]
    shown = f"{complex(value):.9g}" if np.iscomplexobj(value) else str(value)
    if result.dtype.kind == "f":
        shown = f"{float(value):.9g}"
    assert shown == expected
    assert shown != there
