"""What `mkdocs` does beyond its own: builds the generated pages, and omits links to files beside docs/."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "generators"))

from pages import PAGES  # after its directory is on the path

_LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+)[^)]+\)")


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """Add the generated pages, which git does not have."""
    from mkdocs.structure.files import File  # of the extra `docs`

    for path, page in PAGES.items():
        files.append(File.generated(config, path, content=page()))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Omit links that lead out of docs/: the site has no such pages. Tests check these links."""
    depth = page.file.src_uri.count("/")
    return _LINK.sub(lambda link: link[1] if link[2].count("/") > depth else link[0], markdown)
