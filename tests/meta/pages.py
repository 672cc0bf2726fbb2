"""The pages of docs/: those in git, and those that are built with the site."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
HOOKS = runpy.run_path(str(DOCS / "site" / "hooks.py"))
BUILT: dict[str, Callable[[], str]] = {f"docs/{path}": page for path, page in HOOKS["PAGES"].items()}
# Paths in the repository.
PAGES = sorted({path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md")} | BUILT.keys())


@cache
def text_of(page: str) -> str:
    """The text of a page."""
    return BUILT[page]() if page in BUILT else (ROOT / page).read_text()
