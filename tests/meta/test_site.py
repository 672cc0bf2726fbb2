"""The site of the documentation: `mkdocs build --strict` needs its own extra; these tests find the same
errors."""

from __future__ import annotations

import os
import re
import sys
from types import SimpleNamespace

import pytest

from .pages import BUILT, DOCS, HOOKS, PAGES, ROOT, text_of

CONFIGURATION = (ROOT / "mkdocs.yml").read_text()
_LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[\w-]*)?\)")


def test_all_pages_of_the_site_are_in_its_menu() -> None:
    named = set(re.findall(r": ([\w/]+\.md)$", CONFIGURATION, re.MULTILINE))
    assert named == {page.removeprefix("docs/") for page in PAGES}


def _leads_nowhere(page: str, link: str) -> bool:
    path = os.path.normpath(os.path.join(os.path.dirname(page), link))
    return not (ROOT / path).exists() and path not in BUILT


def links_of(page: str) -> list[str]:
    """The relative links of a page, outside its blocks of code."""
    return _LINK.findall(re.sub(r"^```.*?^```", "", text_of(page), flags=re.MULTILINE | re.DOTALL))


def test_links_lead_to_files_or_built_pages() -> None:
    links = [(page, link) for page in PAGES for link in links_of(page)]
    assert len(links) > 100
    assert [f"{page} links {link}" for page, link in links if _leads_nowhere(page, link)] == []


def test_pages_beside_the_site_link_to_files_in_git() -> None:
    """Readers of the repository have no built pages."""
    for path in ROOT.glob("*.md"):
        assert [link for link in _LINK.findall(path.read_text()) if not (ROOT / link).exists()] == []


def test_built_pages_join_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the names of mkdocs 1.6, which the tests do not install."""
    added = SimpleNamespace(generated=lambda config, path, content: (config, path, content))
    monkeypatch.setitem(sys.modules, "mkdocs.structure.files", SimpleNamespace(File=added))
    for path in HOOKS["PAGES"]:  # test_docs.py reads their texts
        monkeypatch.setitem(HOOKS["PAGES"], path, lambda path=path: f"# {path}")
    files = HOOKS["on_files"](["index.md"], config="configuration")
    paths = [page.removeprefix("docs/") for page in BUILT]
    assert files == ["index.md", *[("configuration", path, f"# {path}") for path in paths]]


def test_links_within_the_site_stay() -> None:
    hook = HOOKS["on_page_markdown"]

    def shown(markdown: str, path: str) -> str:
        return hook(markdown, page=SimpleNamespace(file=SimpleNamespace(src_uri=path)))

    assert shown("[Commands](../cli.md)", "reference/commands.md") == "[Commands](../cli.md)"
    assert shown("[how to build](../BUILD.md)", "cli.md") == "how to build"
    assert shown("[how to build](../../BUILD.md)", "reference/commands.md") == "how to build"


def test_measured_tables_are_on_their_page() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="performance.md"))
    shown = HOOKS["on_page_markdown"](text_of("docs/performance.md"), page=page)
    assert "| first result, XLA / hlokit (261) |" in shown and "| softmax of 512x1024 f32 |" in shown
    assert "| operations | load | first call |" in shown
    assert "measured/benchmarks.json)" not in shown and "measured/growth.json)" not in shown
    pictures = re.findall(r"\]\((pictures/.*?)\)", shown)
    assert len(pictures) == 5 and all((DOCS / picture).exists() for picture in pictures)


def test_the_first_page_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", (DOCS / "index.md").read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)
    assert "program" in names
