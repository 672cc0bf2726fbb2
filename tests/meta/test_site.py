"""The site of the documentation: `make site` builds it with its own extra; these tests find the same errors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest

from .pages import BUILD, BUILT, DOCS, OTHERS, PAGES, ROOT, text_of

CONFIGURATION = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]
_LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[\w-]*)?\)")
# The pages of operations are on a list of their own.
_INDEX = "docs/reference/operations/index.md"


def _named(entries: Any) -> list[str]:
    """The pages of a menu."""
    if isinstance(entries, str):
        return [entries]
    if isinstance(entries, dict):
        entries = list(entries.values())
    return [page for entry in entries for page in _named(entry)]


def test_all_pages_of_the_site_are_in_its_menu() -> None:
    named = _named(CONFIGURATION["nav"])
    assert len(named) == len(set(named))
    pages = {page.removeprefix("docs/") for page in (*PAGES, _INDEX)}
    assert set(named) == pages | set(BUILD["BESIDE"].values())
    assert list(CONFIGURATION["nav"][0]) == ["Getting started"]


def _leads_nowhere(page: str, link: str) -> bool:
    path = os.path.normpath(os.path.join(os.path.dirname(page), link))
    return not (ROOT / path).exists() and path not in BUILT and path not in OTHERS


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


def test_links_within_the_site_stay() -> None:
    shown = BUILD["shown"]
    assert shown("[Commands](../cli.md#traces)", "reference/commands.md") == "[Commands](../cli.md#traces)"
    assert shown("[how to build](../BUILD.md)", "cli.md") == "[how to build](project/build.md)"
    assert shown("[tests](../../tests/README.md)", "reference/commands.md") == "tests"
    assert shown("[fuzzing](docs/fuzzing.md)", "project/contributing.md") == "[fuzzing](../fuzzing.md)"


def test_live_pages_are_frames() -> None:
    shown = BUILD["shown"]("[The page](../live/tutorial.html)", "howto/tutorial.md")
    assert '<iframe class="live" src="../../live/tutorial.html" title="The page"' in shown


@pytest.mark.deep
def test_the_site_is_built() -> None:
    """As `make site` builds it: a link that leads nowhere fails."""
    pytest.importorskip("zensical", reason="Zensical is not installed")
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    built = subprocess.run(
        [sys.executable, "docs/site/build.py"],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    site = ROOT / "build" / "site"
    assert "stable_attention" in (site / "howto" / "tutorial" / "index.html").read_text()
    assert "tensor&lt;" in (site / "reference" / "operations" / "stablehlo.sort" / "index.html").read_text()
    assert (site / "live" / "tutorial.html").stat().st_size > 10_000
    assert "99.2% right" in (site / "notebooks" / "index.html").read_text()


def test_measured_tables_are_on_their_page() -> None:
    shown = BUILD["shown"](text_of("docs/performance.md"), "performance.md")
    assert re.search(r"\| first result, XLA / hlokit \(\d+\) \|", shown)
    assert "| softmax of 512x1024 f32 |" in shown
    assert "| operations | load | first call |" in shown
    assert "measured/benchmarks.json)" not in shown and "measured/growth.json)" not in shown
    pictures = re.findall(r"\]\((pictures/.*?)\)", shown)
    assert len(pictures) == 5 and all((DOCS / picture).exists() for picture in pictures)


def test_the_first_page_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", (DOCS / "index.md").read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)
    assert "program" in names
