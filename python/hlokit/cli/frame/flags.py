"""Command lines in the syntax of the LLVM tools: flags, and the parser of command lines.

`-flag` and `--flag` are the same; a value follows as `--flag=value` or `--flag value`; `--flag=false` turns
a switch off. `-h` is `--help`. `-` is the standard input, `--` ends the flags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError


class UsageError(ArgumentError):
    """A wrong command line: `hlokit` ends with status 2."""


_SWITCH_VALUES = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag.

    Attributes:
      value: the placeholder of the value in the help text; None for a switch.
      repeatable: whether a command line may have the flag more than once.
      default: the value if the flag is given without one; None if the flag must have a value.
      is_on: whether the switch is on by default.
      type: converts the text of a value; it raises `WrongValue`.
    """

    name: str
    help: str
    value: str | None = None
    repeatable: bool = False
    default: str | None = None
    is_on: bool = False
    type: Callable[[str], object] = str

    def of(self, mode: str) -> Flag:
        """This flag with a help text that names the mode of the command which has it."""
        return replace(self, help=f"{mode}: {self.help}")

    @property
    def attribute(self) -> str:
        """The name of the flag among `Values`."""
        return self.name.replace("-", "_")

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


class Values(SimpleNamespace):
    """Values of flags as attributes: `time_limit` for `--time-limit`.

    The value of a switch is a bool, that of a repeatable flag a list, and that of another flag None if the
    command line does not have the flag.
    """


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A parsed command line: inputs, texts of values, and switches that are on."""

    inputs: list[str] = field(default_factory=list[str])
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    switches: set[str] = field(default_factory=set[str])

    def value(self, name: str) -> str | None:
        """The text of a flag's value, None if it was not given."""
        values = self.values.get(name)
        return values[-1] if values else None

    def typed(self, flags: Iterable[Flag]) -> Values:
        """The values of flags, converted.

        Raises:
          UsageError: a value has not the form that its flag requires.
        """
        values = Values()
        for flag in flags:
            texts = self.values.get(flag.name, [])
            converted = [converted_value(flag.spelling, flag.type, text) for text in texts]
            value = converted if flag.repeatable else converted[-1] if converted else None
            setattr(values, flag.attribute, flag.name in self.switches if flag.value is None else value)
        return values


class WrongValue(Exception):
    """A value that its flag does not accept: what the value must be, and what it is."""


def converted_value(spelling: str, type_: Callable[[str], object], text: str) -> object:
    """The value of a flag from its text.

    Raises:
      UsageError: the text has not the form that the flag requires.
    """
    try:
        return type_(text)
    except WrongValue as error:
        raise UsageError(f"{spelling} {error}") from None


@dataclass(frozen=True, slots=True)
class OneOf:
    """The type of a flag whose value is one of several words."""

    choices: tuple[str, ...]

    def __call__(self, text: str) -> str:
        if text not in self.choices:
            several = f"one of {', '.join(self.choices)}"
            words = " or ".join(self.choices) if len(self.choices) == 2 else several
            raise WrongValue(f"must be {words}, got '{text}'")
        return text


def one_of(*choices: str) -> OneOf:
    """The type of a flag whose value is one of several words."""
    return OneOf(choices)


def positive(text: str) -> int:
    """The type of a flag whose value is a positive number."""
    number = _number(text)
    if not number:
        raise WrongValue(f"must be a positive number, got '{text}'")
    return number


def natural(text: str) -> int:
    """The type of a flag whose value is a number that is not negative."""
    number = _number(text)
    if number is None:
        limit = " below 2**63" if text.isdecimal() else ""
        raise WrongValue(f"must be a number{limit}, got '{text}'")
    return number


def seconds(text: str) -> float:
    """The type of a flag whose value is a number of seconds, perhaps with a fraction."""
    number = float(text) if _DECIMAL.fullmatch(text) else 0.0
    if not 0 < number <= _MOST_SECONDS:
        raise WrongValue(f"must be a positive number of seconds, at most {_MOST_SECONDS}, got '{text}'")
    return int(number) if number.is_integer() else number


_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?|\.[0-9]+")
# 30 years: clocks of systems count no longer times.
_MOST_SECONDS = 10**9
# The digits of 2**63: every number of bytes or elements is smaller.
_MOST_DIGITS = 19


def _number(text: str) -> int | None:
    if not text.isdecimal() or len(text) > _MOST_DIGITS or int(text) >= 1 << 63:
        return None
    return int(text)


def is_flag(word: str) -> bool:
    """Whether a word of a command line is a flag: `-` is the standard input."""
    return word.startswith("-") and word != "-"


def name_and_value(word: str) -> tuple[str, str | None]:
    """The name of a flag, and the value after `=`, None without one. `-h` is `--help`."""
    name, equals, value = word.removeprefix("-").removeprefix("-").partition("=")
    return "help" if name == "h" else name, value if equals else None


def is_on(spelling: str, value: str | None) -> bool:
    """Whether a switch with this value after `=` is on.

    Raises:
      UsageError: the value is neither true nor false.
    """
    state = _SWITCH_VALUES.get("true" if value is None else value.lower())
    if state is None:
        raise UsageError(f"{spelling} must be true or false, got '{value}'")
    return state


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
      UsageError: a flag is unknown, or a flag's value is missing or wrong.
    """
    by_name = {flag.name: flag for flag in flags}
    line = CommandLine(switches={flag.name for flag in flags if flag.is_on})
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            line.inputs.extend(rest)
        elif not is_flag(argument):
            line.inputs.append(argument)
        else:
            name, value = name_and_value(argument)
            if name == "output" and name not in by_name and "o" in by_name:
                name = "o"
            if name in by_name:
                _read_flag(line, by_name[name], value, rest)
            elif not other(name, value):
                suggestion = did_you_mean(name, (*by_name, *other_names()), "'--{}'")
                raise UsageError(f"unknown command line argument '{argument}'{suggestion}")
    return line


def _read_flag(line: CommandLine, flag: Flag, value: str | None, rest: Iterable[str]) -> None:
    if flag.value is None:
        (line.switches.add if is_on(flag.spelling, value) else line.switches.discard)(flag.name)
        return
    if value is None:
        value = next(iter(rest), None) if flag.default is None else flag.default
    if value is None:
        raise UsageError(f"{flag.spelling} must have a value: {flag.usage}")
    if flag.name in line.values and not flag.repeatable:
        raise UsageError(f"{flag.spelling} must be given once at most")
    line.values.setdefault(flag.name, []).append(value)


def help_text(usage: str, description: str, flags: Sequence[Flag]) -> str:
    """The text of `--help`."""
    width = max(len(flag.usage) for flag in flags)
    rows = "\n".join(f"  {flag.usage:{width}}  {flag.help}" for flag in flags)
    return f"usage: {usage}\n\n{description}\n\nflags:\n{rows}\n"
