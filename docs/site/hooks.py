"""What the site needs beyond `mkdocs`: generated pages, measured tables, no links to files beside docs/."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
sys.path[:0] = [str(DOCS / "generators"), str(DOCS.parent)]

from pages import PAGES  # noqa: E402 # after its directory is on the path

from benchmarks import tables  # noqa: E402

# A line that is a link to a report.
_REPORT = re.compile(r"^\[.*\]\((measured/\w+\.json)\)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+)[^)]+\)")


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """Add the generated pages, which git does not have."""
    from mkdocs.structure.files import File  # of the extra `docs`

    for path, page in PAGES.items():
        files.append(File.generated(config, path, content=page()))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Show the tables of measured reports, and omit links that lead out of docs/: the site has no such pages.

    Tests check these links.
    """
    markdown = _REPORT.sub(lambda link: tables.markdown(tables.read(DOCS / link[1])), markdown)
    depth = page.file.src_uri.count("/")
    return _LINK.sub(lambda link: link[1] if link[2].count("/") > depth else link[0], markdown)
