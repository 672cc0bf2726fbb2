"""The pages of docs/: those in git, and those that are built with the site."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BUILD: dict[str, Any] = runpy.run_path(str(DOCS / "site" / "build.py"))
BUILT: dict[str, Callable[[], str]] = {f"docs/{path}": page for path, page in BUILD["PAGES"].items()}
OPERATIONS = [page for page in BUILT if page.startswith("docs/reference/operations/")]
# Paths in the repository of the pages for which nothing runs; those of operations are `OPERATIONS`.
PAGES = sorted(
    {path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md")} | BUILT.keys() - {*OPERATIONS}
)
# Other pages of the site, and what they are in the repository.
OTHERS = {*OPERATIONS, *(f"docs/{path}" for path in BUILD["RUNS"])}


@cache
def text_of(page: str) -> str:
    """The text of a page."""
    return BUILT[page]() if page in BUILT else (ROOT / page).read_text()
