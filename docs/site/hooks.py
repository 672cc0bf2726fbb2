"""Links of pages to files beside docs/: the site has no such pages, and shows the file names instead."""

from __future__ import annotations

import re
from typing import Any

_LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+)[^)]+\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Omit links that lead out of docs/; tests check these links."""
    depth = page.file.src_uri.count("/")
    return _LINK.sub(lambda link: link[1] if link[2].count("/") > depth else link[0], markdown)
