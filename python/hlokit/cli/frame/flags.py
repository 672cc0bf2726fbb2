"""Command lines in the syntax of the LLVM tools: flags, and the parser of command lines.

`-flag` and `--flag` are the same; a value follows as `--flag=value` or `--flag value`; `--flag=false` turns
a switch off. `-h` is `--help`. `-` is the standard input, `--` ends the flags.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hlokit.errors import ArgumentError, did_you_mean

Choice = TypeVar("Choice", bound=str)

_SWITCH_VALUES = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag.

    Attributes:
      value: the placeholder of the value in the help text; None for a switch.
      repeatable: whether a command line may have the flag more than once.
      default: the value if the flag is given without one; None if the flag must have a value.
      is_on: whether the switch is on by default.
    """

    name: str
    help: str
    value: str | None = None
    repeatable: bool = False
    default: str | None = None
    is_on: bool = False

    def of(self, command: str, also: str = "") -> Flag:
        """This flag for one of several commands with a common help text.

        Args:
          also: the meaning of the flag for other commands.
        """
        return replace(self, help=f"{command}: {self.help}{'; ' * bool(also)}{also}")

    @property
    def spelling(self) -> str:
        """The flag on a command line."""
        return f"{'-' if len(self.name) == 1 else '--'}{self.name}"

    @property
    def usage(self) -> str:
        """The flag with its value, as the help text shows it."""
        if self.value is None:
            return f"{self.spelling}{'=false' * self.is_on}"
        value = self.value if self.default is None else f"[={self.value}]"
        separator = "" if self.default is not None else " " if len(self.name) == 1 else "="
        return f"{self.spelling}{separator}{value}"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A parsed command line: inputs, values of flags, and switches that are on."""

    inputs: list[str] = field(default_factory=list[str])
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    switches: set[str] = field(default_factory=set[str])

    def value(self, name: str) -> str | None:
        """The value of a flag, None if it was not given."""
        values = self.values.get(name)
        return values[-1] if values else None

    def choice(self, name: str, choices: Collection[Choice]) -> Choice | None:
        """The value of a flag as one of several words, None if it was not given.

        Raises:
          ArgumentError: the value is another word.
        """
        value = self.value(name)
        if value is None:
            return None
        for choice in choices:
            if value == choice:
                return choice
        known = " or ".join(choices) if len(choices) == 2 else f"one of {', '.join(choices)}"
        raise ArgumentError(f"--{name} must be {known}, got '{value}'")

    def positive(self, name: str) -> int | None:
        """The value of a flag as a positive number, None if it was not given.

        Raises:
          ArgumentError: the value is not a positive number.
        """
        value = self.value(name)
        if value is None:
            return None
        number = _number(value)
        if not number:
            raise ArgumentError(f"--{name} must be a positive number, got '{value}'")
        return number

    def natural(self, name: str) -> int | None:
        """The value of a flag as a number that is not negative, None if it was not given.

        Raises:
          ArgumentError: the value is not such a number.
        """
        value = self.value(name)
        if value is None:
            return None
        number = _number(value)
        if number is None:
            limit = " below 2**63" if value.isdecimal() else ""
            raise ArgumentError(f"--{name} must be a number{limit}, got '{value}'")
        return number


# The digits of 2**63: every number of bytes or elements is smaller.
_MOST_DIGITS = 19


def _number(text: str) -> int | None:
    if not text.isdecimal() or len(text) > _MOST_DIGITS or int(text) >= 1 << 63:
        return None
    return int(text)


# Takes the name of a flag and its value, if there is one; returns whether the name is known.
Other = Callable[[str, str | None], bool]


def read_command_line(
    flags: Sequence[Flag],
    arguments: Iterable[str],
    other: Other = lambda name, value: False,
    other_names: Callable[[], Iterable[str]] = tuple,
) -> CommandLine:
    """Read the arguments of a command.

    Args:
      other: called with flags that are not among `flags`, in the order of the command line.
      other_names: names that `other` knows, for suggestions.

    Raises:
      ArgumentError: a flag is unknown, or a flag's value is missing or wrong.
    """
    known = {flag.name: flag for flag in flags}
    line = CommandLine(switches={flag.name for flag in flags if flag.is_on})
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            line.inputs.extend(rest)
        elif argument == "-" or not argument.startswith("-"):
            line.inputs.append(argument)
        else:
            name, equals, value = argument.removeprefix("-").removeprefix("-").partition("=")
            given = value if equals else None
            if name == "h" and name not in known:
                name = "help"
            if name in known:
                _read_flag(line, known[name], given, rest)
            elif not other(name, given):
                suggestion = did_you_mean(name, (*known, *other_names()), "'--{}'")
                raise ArgumentError(f"unknown command line argument '{argument}'{suggestion}")
    return line


def _read_flag(line: CommandLine, flag: Flag, value: str | None, rest: Iterable[str]) -> None:
    name = flag.name
    if flag.value is None:
        is_on = _SWITCH_VALUES.get("true" if value is None else value.lower())
        if is_on is None:
            raise ArgumentError(f"--{name} must be true or false, got '{value}'")
        (line.switches.add if is_on else line.switches.discard)(name)
        return
    if value is None:
        value = next(iter(rest), None) if flag.default is None else flag.default
    if value is None:
        raise ArgumentError(f"{flag.spelling} must have a value: {flag.usage}")
    if name in line.values and not flag.repeatable:
        raise ArgumentError(f"{flag.spelling} must be given once at most")
    line.values.setdefault(name, []).append(value)


def help_text(usage: str, description: str, flags: Sequence[Flag]) -> str:
    """The text of `--help`."""
    width = max(len(flag.usage) for flag in flags)
    rows = "\n".join(f"  {flag.usage:{width}}  {flag.help}" for flag in flags)
    return f"usage: {usage}\n\n{description}\n\nflags:\n{rows}\n"
