"""Write docs/reference/commands.md: the help of all commands, and the flags of each subcommand.

python docs/make_commands.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hlokit.cli import main, opt, translate
from hlokit.cli.frame.flags import Flag, help_text

PAGE = Path(__file__).parent / "reference" / "commands.md"
HEAD = """# Commands and flags

What `--help` prints, and each subcommand of `hlokit` with its own flags. [Commands](../cli.md) explains them, with examples;
[Environment and exit statuses](../environment.md) lists variables and statuses.

This page is generated: `python docs/make_commands.py`.
"""
# A subcommand in the description: its usage, and what it does, perhaps on several lines.
_ENTRY = re.compile(r"^  (?! )(\S.*?)(?: {2,}|\n {3,})(\S.*(?:\n {3,}.*)*)", re.MULTILINE)
_NAMES = re.compile(r"([a-z-]+(?:, [a-z-]+)*): ")


def page() -> str:
    """The text of the page."""
    return HEAD + "".join((*_hlokit(), *_command(opt), *_command(translate)))


def _hlokit() -> Iterator[str]:
    yield f"\n## {main.NAME}\n"
    entries = _ENTRY.findall(main.DESCRIPTION)
    described = {usage.split()[0] for usage, _ in entries}
    assert described == set(main.SUBCOMMANDS), described ^ set(main.SUBCOMMANDS)
    for usage, text in entries:
        name = usage.split()[0]
        summary = " ".join(text.split())
        yield f"\n### {main.NAME} {name}\n\n    {main.NAME} {usage}\n\n{summary[0].upper()}{_text(summary[1:])}.\n"
        rows = [(flag, meaning) for flag in main.FLAGS if (meaning := _meaning(flag, name))]
        if rows:
            yield _table(rows)
    yield f"\n### All subcommands of {main.NAME}\n"
    yield _table([(flag, meaning) for flag in main.FLAGS if (meaning := _meaning(flag, ""))])
    yield _help(main)


def _command(module: object) -> Iterator[str]:
    yield f"\n## {module.NAME}\n"  # type: ignore[attr-defined]
    yield _help(module)


def _help(module: object) -> str:
    text = help_text(module.USAGE, module.DESCRIPTION, module.FLAGS)  # type: ignore[attr-defined]
    return f"\n`{module.NAME} --help` prints:\n\n```text\n{text}```\n"  # type: ignore[attr-defined]


def _meaning(flag: Flag, subcommand: str) -> str:
    """The meaning of a flag for a subcommand, or for all of them ("" as the name); "" if it has none there."""
    names: set[str] = {""}
    found: list[str] = []
    for clause in flag.help.split("; "):
        prefix = _NAMES.match(clause)
        text = clause
        if prefix is not None and set(prefix[1].split(", ")) <= set(main.SUBCOMMANDS):
            names, text = set(prefix[1].split(", ")), clause[prefix.end() :]
        if subcommand in names:
            found.append(text)
    return "; ".join(found)


def _table(rows: list[tuple[Flag, str]]) -> str:
    lines = "".join(f"| `{flag.usage}` | {_text(meaning)} |\n" for flag, meaning in rows)
    return f"\n| flag | meaning |\n|---|---|\n{lines}"


def _text(text: str) -> str:
    """Text with the characters escaped that Markdown reads as HTML or emphasis."""
    return re.sub(r"([*_|])", r"\\\1", text).replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page())
