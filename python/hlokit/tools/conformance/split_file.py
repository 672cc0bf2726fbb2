"""LLVM's tool `split-file`: the parts of a file that begin with `//--- NAME`, as files of a folder."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_SEPARATOR = re.compile(r"(?://|#|;|<!--)--- +(\S+).*\n?")


def split(text: str) -> Iterator[tuple[str, str]]:
    """The names and texts of the parts; lines keep their numbers by empty lines before them."""
    name = None
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        separator = _SEPARATOR.fullmatch(line)
        if separator is None:
            lines.append(line)
            continue
        if name is not None:
            yield name, "".join(lines)
        name, lines = separator[1], ["\n"] * number
    if name is not None:
        yield name, "".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """`split-file FILE FOLDER`; its exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if len(words) != 2:
        print("usage: split-file FILE FOLDER", file=sys.stderr)
        return 1
    folder = Path(words[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in split(Path(words[0]).read_text(encoding="utf-8")):
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
