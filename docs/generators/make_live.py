"""Pages of `hlokit view` and `hlokit shard --view` that guides embed, from runs of the guides' own steps."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hlokit.cli import main
from hlokit.cli.upstream import opt, translate

DOCS = Path(__file__).parents[1]
COMMANDS = {"hlokit": main.main, "stablehlo-opt": opt.main, "stablehlo-translate": translate.main}
# Guides, and the page that a step of each writes.
GUIDES = {"live/tutorial.html": "howto/tutorial.md", "live/devices.html": "howto/shard.md"}
WRITTEN = "report.html"
# A block of Python, or a command line and the text below it that says what it prints.
_STEP = re.compile(
    r"^```python\n(?P<code>.*?)^```"
    r"|^ {4}(?P<command>(?:hlokit|stablehlo-opt|stablehlo-translate) [^\n]*)$(?:\n\n```\n(?P<output>.*?)^```)?",
    re.MULTILINE | re.DOTALL,
)


def steps(text: str) -> Iterator[tuple[str, str, str]]:
    """The steps of a guide: code, or a command line and what it prints."""
    for step in _STEP.finditer(text):
        yield step["code"] or "", step["command"] or "", step["output"] or ""


def page(path: str) -> str:
    """The page that a guide's steps write."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        names: dict[str, Any] = {}
        for code, command, _ in steps((DOCS / GUIDES[path]).read_text()):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                if code:
                    # As from the file that readers save.
                    exec(compile(code, "model.py", "exec"), names)
                else:
                    name, *arguments = shlex.split(command)
                    COMMANDS[name](arguments)
            if os.path.exists(WRITTEN):
                return Path(WRITTEN).read_text()
    raise ValueError(f"a step of {GUIDES[path]} must write {WRITTEN}")
