"""The site of the documentation: `mkdocs build --strict` needs its own extra; these tests find the same
errors."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CONFIGURATION = (ROOT / "mkdocs.yml").read_text()
PAGES = sorted(DOCS.rglob("*.md"))
_LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[\w-]*)?\)")


def test_all_pages_of_the_site_are_in_its_menu() -> None:
    named = set(re.findall(r": ([\w/]+\.md)$", CONFIGURATION, re.MULTILINE))
    assert named == {page.relative_to(DOCS).as_posix() for page in PAGES}


def links_of(page: Path) -> list[str]:
    """The relative links of a page, outside its blocks of code."""
    return _LINK.findall(re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL))


def test_links_lead_to_files() -> None:
    links = [(page, link) for page in PAGES for link in links_of(page)]
    assert len(links) > 100
    assert [f"{page.name} links {link}" for page, link in links if not (page.parent / link).exists()] == []


def test_links_within_the_site_stay() -> None:
    hook = runpy.run_path(str(DOCS / "site" / "hooks.py"))["on_page_markdown"]

    def shown(markdown: str, path: str) -> str:
        return hook(markdown, page=SimpleNamespace(file=SimpleNamespace(src_uri=path)))

    assert shown("[Commands](../cli.md)", "reference/commands.md") == "[Commands](../cli.md)"
    assert shown("[how to build](../BUILD.md)", "cli.md") == "how to build"
    assert shown("[how to build](../../BUILD.md)", "reference/commands.md") == "how to build"


def test_the_first_page_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", (DOCS / "index.md").read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)
    assert "program" in names
