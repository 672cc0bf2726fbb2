"""Build the site: `make site`, or `python docs/site/build.py`, writes build/site.

The pages of docs/ and those that `docs/generators/pages.py` lists are written to build/docs; Zensical makes
the site of them. A link that leads nowhere is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCE = ROOT / "build" / "docs"
sys.path[:0] = [str(DOCS / "generators"), str(ROOT)]

from pages import PAGES, RUNS  # noqa: E402 # after its directory is on the path

from benchmarks import tables  # noqa: E402

# Files beside docs/ that are pages of the site.
BESIDE = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "BUILD.md": "project/build.md",
}
# Not pages, and nothing that pages show.
_LEFT_OUT = shutil.ignore_patterns("*.py", "__pycache__", "generators")
# A line that is a link to a report.
_REPORT = re.compile(r"^\[.*\]\((measured/\w+\.json)\)$", re.MULTILINE)
# A line that is a link to a live page.
_LIVE = re.compile(r"^\[(.*)\]\(((?:\.\./)*live/\w+\.html)\)$", re.MULTILINE)
_FRAME = """<iframe class="live" src="{address}" title="{title}" loading="lazy"></iframe>

<a href="{address}" target="_blank">{title}, in a window of its own</a>"""
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s:]+)(#[\w-]*)?\)")


def main() -> int:
    """Write the source of the site, and run Zensical with the given options."""
    write_source(SOURCE)
    options = sys.argv[1:] or ["build", "--strict", "--clean"]
    return subprocess.run(["zensical", *options], cwd=ROOT, check=False).returncode


def write_source(folder: Path) -> None:
    """All pages, pictures and data of the site in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder, ignore=_LEFT_OUT)
    texts = {path.relative_to(DOCS).as_posix(): path.read_text() for path in DOCS.rglob("*.md")}
    texts |= {path: page() for path, page in (PAGES | RUNS).items()}
    texts |= {page: (ROOT / file).read_text() for file, page in BESIDE.items()}
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(shown(text, path) if path.endswith(".md") else text)


def shown(text: str, path: str) -> str:
    """A page as the site shows it: with measured tables, live pages, and links within the site.

    Of a link to a file that the site does not have, the text stays. Tests check these links.
    """
    # A page is a folder of the site, so that a relative address begins one level higher.
    text = _LIVE.sub(lambda link: _FRAME.format(address=f"../{link[2]}", title=link[1]), text)
    text = _REPORT.sub(lambda link: tables.markdown(tables.read(DOCS / link[1])), text)
    files = {page: file for file, page in BESIDE.items()}
    # Where the page is in the repository, from which its links start.
    home = os.path.dirname(files.get(path, f"docs/{path}"))

    def link_within_site(link: re.Match[str]) -> str:
        target = os.path.normpath(os.path.join(home, link[2]))
        page = BESIDE.get(target, target.removeprefix("docs/") if target.startswith("docs/") else None)
        if page is None:
            return link[1]
        relative = os.path.relpath(page, os.path.dirname(path))
        return f"[{link[1]}]({relative}{link[3] or ''})"

    return _LINK.sub(link_within_site, text)


if __name__ == "__main__":
    sys.exit(main())
