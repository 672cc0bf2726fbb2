"""Write docs/reference/commands.md: the help of all commands, and the flags of each subcommand.

python docs/generators/make_commands.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hlokit.cli import main
from hlokit.cli.frame.flags import Flag, help_text
from hlokit.cli.frame.subcommands import entries, meaning
from hlokit.cli.upstream import opt, translate

PAGE = Path(__file__).parents[1] / "reference" / "commands.md"
HEAD = """# Commands and flags

All flags: each subcommand of `hlokit` with its own, and the output of `--help` of each command. [Commands](../cli.md)
explains the commands, with examples; [Environment and exit statuses](../environment.md) lists variables and statuses.

This page is generated: `python docs/generators/make_commands.py`.
"""


def page() -> str:
    """The text of the page."""
    return HEAD + "".join((*_hlokit(), *_command(opt), *_command(translate)))


def _hlokit() -> Iterator[str]:
    yield f"\n## {main.NAME}\n"
    described = entries(main.DESCRIPTION)
    assert set(described) == set(main.SUBCOMMANDS), set(described) ^ set(main.SUBCOMMANDS)
    for name, (usage, summary) in described.items():
        yield f"\n### {main.NAME} {name}\n\n    {main.NAME} {usage}\n\n{summary[0].upper()}{_text(summary[1:])}.\n"
        rows = [(flag, found) for flag in main.FLAGS if (found := _meaning(flag, name))]
        if rows:
            yield _table(rows)
    yield f"\n### All subcommands of {main.NAME}\n"
    yield _table([(flag, found) for flag in main.FLAGS if (found := _meaning(flag, ""))])
    yield _help(main)


def _command(module: object) -> Iterator[str]:
    yield f"\n## {module.NAME}\n"  # type: ignore[attr-defined]
    yield _help(module)


def _help(module: object) -> str:
    text = help_text(module.USAGE, module.DESCRIPTION, module.FLAGS)  # type: ignore[attr-defined]
    return f"\n`{module.NAME} --help` prints:\n\n```text\n{text}```\n"  # type: ignore[attr-defined]


def _meaning(flag: Flag, subcommand: str) -> str:
    return meaning(flag, subcommand, main.SUBCOMMANDS)


def _table(rows: list[tuple[Flag, str]]) -> str:
    lines = "".join(f"| `{flag.usage}` | {_text(meaning)} |\n" for flag, meaning in rows)
    return f"\n| flag | meaning |\n|---|---|\n{lines}"


def _text(text: str) -> str:
    """Text with the characters escaped that Markdown reads as HTML or emphasis."""
    return re.sub(r"([*_|])", r"\\\1", text).replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page())
