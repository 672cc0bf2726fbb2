"""The page reference/commands.md: the help of all commands, and the flags of each subcommand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import ModuleType

from hlokit.cli import main
from hlokit.cli.frame.flags import Flag, help_text
from hlokit.cli.frame.parser import NAME
from hlokit.cli.frame.shared_flags import HELP, VERSION
from hlokit.cli.upstream import opt, translate

HEAD = """# Commands and flags

All flags: each subcommand of `hlokit` with its own, and the output of `--help` of each command. [Commands](../cli.md)
explains the commands, with examples; [Environment and exit statuses](../environment.md) lists variables and statuses.
"""
_EVERYWHERE = {flag.name: flag for flag in (HELP, VERSION)}


def page() -> str:
    """The text of the page."""
    return HEAD + "".join((*_hlokit(), *_command(opt), *_command(translate)))


def _hlokit() -> Iterator[str]:
    yield f"\n## {NAME}\n"
    for name, parser in main.parsers().items():
        yield f"\n### {NAME} {name}\n\n    {parser.usage}\n\n{_text(parser.description or '')}\n"
        flags = [flag for flag in parser.flags.values() if flag.name not in _EVERYWHERE]
        if flags:
            yield _table(flags)
    yield f"\n### All subcommands of {NAME}\n"
    yield _table(_EVERYWHERE.values())
    yield _shown(NAME, main.help_text())


def _command(module: ModuleType) -> Iterator[str]:
    yield f"\n## {module.NAME}\n"
    yield _shown(module.NAME, help_text(module.USAGE, module.DESCRIPTION, module.FLAGS))


def _shown(command: str, text: str) -> str:
    return f"\n`{command} --help` prints:\n\n```text\n{text}```\n"


def _table(flags: Iterable[Flag]) -> str:
    lines = "".join(f"| `{flag.usage}` | {_text(flag.help)} |\n" for flag in flags)
    return f"\n| flag | meaning |\n|---|---|\n{lines}"


def _text(text: str) -> str:
    """Text with the characters escaped that Markdown reads as HTML or emphasis."""
    return re.sub(r"([*_|])", r"\\\1", text).replace("<", "&lt;")
