"""Writes the URLs of the repository into the files of a release: `python .ci/set_urls.py URL REVISION`.

The project itself names no address: whoever publishes a release runs the workflow in their own repository.
The metadata gets a table of URLs, and the links of the README, which the package index shows, become
absolute. Both are in the source distribution, so that wheels built from it have them too.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# The line of pyproject.toml that the table replaces.
PLACE = "# [project.urls]: .ci/set_urls.py, which the release workflow runs, writes the table here.\n"
CLONE = "git clone <this repository>"
# Relative targets of links and pictures.
_LINK = re.compile(r"(!?)(\[[^\]]*\])\(((?!https?:|#)[^)\s]+)\)")


def table(url: str, revision: str) -> str:
    """The table of URLs for pyproject.toml."""
    file = f"{url}/blob/{revision}"
    urls = {
        "Homepage": url,
        "Documentation": f"{file}/docs/index.md",
        "Changelog": f"{file}/CHANGELOG.md",
        "Issues": f"{url}/issues",
        "Source": url,
    }
    return "[project.urls]\n" + "".join(f'{name} = "{target}"\n' for name, target in urls.items())


def absolute(readme: str, url: str, revision: str) -> str:
    """The README with absolute links."""

    def replaced(found: re.Match[str]) -> str:
        picture, label, target = found.groups()
        return f"{picture}{label}({url}/{'raw' if picture else 'blob'}/{revision}/{target})"

    return _LINK.sub(replaced, readme).replace(CLONE, f"git clone {url}")


def set_urls(root: Path, url: str, revision: str) -> None:
    """Change the files below `root`."""
    url = url.rstrip("/")
    if not re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+", url) or not re.fullmatch(r"[\w./-]+", revision):
        raise SystemExit(f"set_urls.py URL REVISION: must be an address and a tag, got {url} {revision}")
    metadata, readme = root / "pyproject.toml", root / "README.md"
    text = metadata.read_text(encoding="utf-8")
    if text.count(PLACE) != 1:
        raise SystemExit(f"{metadata} must have the line once: {PLACE}")
    changed = absolute(readme.read_text(encoding="utf-8"), url, revision)
    metadata.write_text(text.replace(PLACE, table(url, revision)), encoding="utf-8", newline="\n")
    readme.write_text(changed, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python .ci/set_urls.py URL REVISION")
    set_urls(ROOT, *sys.argv[1:])
