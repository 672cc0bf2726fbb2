"""The help of one subcommand, from the description and the flags of all subcommands.

A description has a line `  name ARGUMENTS   what it does` for each subcommand, perhaps continued. The help of
a flag, or each part of the help between semicolons, begins with the subcommands of the flag, `run, view: `; a
flag without names is for all subcommands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from hlokit.cli.frame.flags import CommandLine, Flag, help_text
from hlokit.errors import ArgumentError

_ENTRY = re.compile(r"^  (?! )(\S.*?)(?: {2,}|\n {3,})(\S.*(?:\n {3,}.*)*)", re.MULTILINE)
_NAMES = re.compile(r"([a-z-]+(?:, [a-z-]+)*): ")


def entries(description: str) -> dict[str, tuple[str, str]]:
    """For each subcommand its usage, and what it does."""
    found = _ENTRY.findall(description)
    return {usage.split()[0]: (usage, " ".join(text.split())) for usage, text in found}


def meaning(flag: Flag, subcommand: str, subcommands: Collection[str]) -> str:
    """The help of a flag for a subcommand, or for all subcommands (""); "" if the flag is not for them."""
    names: set[str] = {""}
    found: list[str] = []
    for clause in flag.help.split("; "):
        prefix = _NAMES.match(clause)
        text = clause
        if prefix is not None and set(prefix[1].split(", ")) <= set(subcommands):
            names, text = set(prefix[1].split(", ")), clause[prefix.end() :]
        if subcommand in names:
            found.append(text)
    return "; ".join(found)


def require_own_flags(
    line: CommandLine, subcommand: str, flags: Sequence[Flag], subcommands: Collection[str]
) -> None:
    """Reject flags of other subcommands, which the subcommand would ignore.

    Raises:
      ArgumentError: the line has such a flag.
    """
    for flag in flags:
        is_given = flag.name in line.values or (flag.name in line.switches) != flag.is_on
        if is_given and not any(meaning(flag, name, subcommands) for name in (subcommand, "")):
            others = ", ".join(name for name in subcommands if meaning(flag, name, subcommands))
            raise ArgumentError(f"{subcommand}: {flag.spelling} must not be given: it is a flag of {others}")


def flags_of(subcommand: str, flags: Sequence[Flag], subcommands: Collection[str]) -> list[Flag]:
    """The flags of a subcommand, then the flags of all subcommands, with their meaning for the subcommand."""
    return [
        replace(flag, help=found)
        for name in (subcommand, "")
        for flag in flags
        if (found := meaning(flag, name, subcommands))
    ]


def subcommand_help(
    command: str, description: str, subcommand: str, flags: Sequence[Flag], subcommands: Collection[str]
) -> str:
    """What `command subcommand --help` prints."""
    usage, text = entries(description)[subcommand]
    own = flags_of(subcommand, flags, subcommands)
    return help_text(f"{command} {usage}", f"{text[0].upper()}{text[1:]}.", own)
