"""The command line of `hlokit`: parsers of `argparse`, which also read the spellings of the LLVM tools."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, NoReturn

from hlokit.cli.frame.flags import (
    Flag,
    UsageError,
    Values,
    converted_value,
    is_flag,
    is_on,
    name_and_value,
    one_of,
)
from hlokit.cli.frame.shared_flags import HELP, QUIET, VERBOSE, VERSION
from hlokit.display.suggestions import did_you_mean

NAME = "hlokit"
# Spellings that every subcommand accepts for its own.
OTHER_SPELLINGS = {"output": "o", "o": "output", "V": "version", "q": "quiet", "v": "verbose"}
# Flags whose value names a file to write.
_OUTPUTS = ("o", "output")
# The help has lines of this length on every terminal.
_COLUMNS = 80
_EXAMPLES = "examples:"
# The place of an argument's meaning: that of a longer argument is on the next line.
_MEANINGS = 28


class Subcommand(NamedTuple):
    """A subcommand of `hlokit`.

    Attributes:
      usage: its arguments, for the help.
      summary: what it does, without a full stop.
      add_arguments: adds its inputs and flags to a parser.
      run: runs it; returns the exit status.
      failed: the exit status after an error; 2 after an error in the command line.
      examples: command lines, for the help.
    """

    name: str
    usage: str
    summary: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[Values], int]
    failed: int = 1
    examples: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """The summary without details."""
        return re.split(r"[;:(]", self.summary)[0].strip()

    def parser(self) -> Parser:
        """Its parser, with the flags that every subcommand has."""
        parser = Parser(self)
        self.add_arguments(parser)
        parser.add_flags(QUIET, VERBOSE, HELP, VERSION)
        return parser


class HelpFormatter(argparse.HelpFormatter):
    """Help of the same form on every terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_COLUMNS, max_help_position=_MEANINGS)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """A paragraph; examples keep their lines."""
        return text if text.startswith(_EXAMPLES) else super()._fill_text(text, width, indent)


def examples_text(examples: Sequence[str]) -> str | None:
    """Command lines under a headline; None if there are none."""
    return "\n  ".join((_EXAMPLES, *examples)) if examples else None


class Parser(argparse.ArgumentParser):
    """The parser of a subcommand.

    Call `read` first: `parse_args` alone knows neither `-flag` nor `--switch=false`, and would read `-output`
    as `-o utput`.

    Attributes:
      flags: the flags by name.
      inputs: the arguments that are not flags.
    """

    def __init__(self, subcommand: Subcommand) -> None:
        name = f"{NAME} {subcommand.name}"
        super().__init__(
            prog=name,
            usage=f"{name} {subcommand.usage}".rstrip(),
            description=f"{subcommand.summary[0].upper()}{subcommand.summary[1:]}.",
            epilog=examples_text(subcommand.examples),
            formatter_class=HelpFormatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.subcommand = subcommand.name
        self._inputs = self.add_argument_group("inputs")
        self._flags = self.add_argument_group("flags")
        self.flags: dict[str, Flag] = {}
        self.inputs: list[argparse.Action] = []

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:
        """Add an input or a flag, as for `argparse`; a flag with a value must have a `metavar`."""
        spelling, kind, type_ = names[0], options.get("action"), options.get("type")
        is_input = not is_flag(spelling)
        if type_ is not None:
            options["type"] = partial(converted_value, options["metavar"] if is_input else spelling, type_)
        action = (self._inputs if is_input else self._flags).add_argument(*names, **options)
        if is_input:
            self.inputs.append(action)
        else:
            name = spelling.lstrip("-")
            value = None if kind == "store_true" else options["metavar"]
            repeatable = kind == "append"
            self.flags[name] = Flag(name, options["help"], value, repeatable, type=type_ or str)
        return action

    def add_flags(self, *flags: Flag) -> None:
        """Add flags that other commands have as well."""
        for flag in flags:
            if flag.value is None:
                self.add_argument(flag.spelling, action="store_true", help=flag.help)
            elif flag.repeatable:
                self.add_argument(
                    flag.spelling,
                    action="append",
                    default=[],
                    metavar=flag.value,
                    type=flag.type,
                    help=flag.help,
                )
            else:
                metavar = flag.value if flag.default is None else f"[={flag.value}]"
                self.add_argument(flag.spelling, metavar=metavar, type=flag.type, help=flag.help)
            self.flags[flag.name] = flag

    def add_file(self) -> None:
        """Add the input `file`."""
        self.add_argument("file", metavar="FILE", help="a program; - is the standard input")

    def add_program(self) -> None:
        """Add the inputs `file` and `arguments`: a program, and the arguments of its function."""
        self.add_file()
        self.add_argument(
            "arguments",
            metavar="ARGUMENT",
            nargs="*",
            help="an .npy or .npz file, a constant such as 'dense<1> : tensor<2xi32>', or a "
            "shape such as 2x3xf32 (zeros, or as --random and --ones say) or 2x3xf32=1",
        )

    def add_json(self) -> None:
        """Add `--json` and its other spelling."""
        self.add_argument("--json", action="store_true", help="print JSON instead of text")
        self.add_argument(
            "--format",
            dest="json",
            metavar="FORMAT",
            type=_is_json,
            help="text (default), or json: as --json",
        )
        self.flags["format"] = replace(self.flags["format"], type=_TEXT_OR_JSON)

    def add_report_formats(self, formats: Iterable[str]) -> None:
        """Add `--json`, and `--format` with further formats."""
        choices = ("text", "json", *formats)
        self.add_argument("--json", action="store_true", help="print JSON instead of text: --format=json")
        self.add_argument(
            "--format",
            metavar="FORMAT",
            type=one_of(*choices),
            help=f"{', '.join(choices[:-1])} or {choices[-1]} (default: text)",
        )

    def read(self, arguments: Iterable[str], refuse: Callable[[str], object]) -> list[str]:
        """The command line in the spelling of `argparse`: flags as `--flag` and `--flag=value`, `--`, inputs.

        Args:
          refuse: called with the name of a flag that the subcommand lacks; it may raise an error that tells
            where the flag belongs.

        Raises:
          ArgumentError: the subcommand lacks a flag, a value is missing, or there are too many or too
            few inputs.
        """
        flags: list[str] = []
        inputs: list[str] = []
        rest = iter(arguments)
        names: set[str] = set()
        for word in rest:
            if word == "--":
                inputs.extend(rest)
            elif not is_flag(word):
                inputs.append(word)
            else:
                name, value = name_and_value(word)
                flag = self.flags.get(name) or self.flags.get(OTHER_SPELLINGS.get(name, ""))
                if flag is None:
                    refuse(name)
                    suggestion = did_you_mean(name, self.flags, "'--{}'")
                    self.error(f"unknown command line argument '{word}'{suggestion}")
                if flag.value is None:
                    flags = [other for other in flags if other != flag.spelling]
                    flags += [flag.spelling] * is_on(flag.spelling, value)
                    continue
                if value is None:
                    value = next(rest, None) if flag.default is None else flag.default
                if value is None or (not value and flag.name in _OUTPUTS):
                    self.error(f"{flag.spelling} must have a value: {flag.usage}")
                if flag.name in names and not flag.repeatable:
                    self.error(f"{flag.spelling} must be given once at most")
                names.add(flag.name)
                flags.append(f"{flag.spelling}={value}")
        if not {HELP.spelling, VERSION.spelling}.intersection(flags):
            self._require(inputs)
        return [*flags, "--", *inputs] if inputs else flags

    def _require(self, inputs: Sequence[str]) -> None:
        """Refuse too many or too few inputs."""
        fewest = len([action for action in self.inputs if action.nargs in (None, "+")])
        is_open = any(action.nargs in ("*", "+") for action in self.inputs)
        if len(inputs) < fewest:
            names = [str(action.metavar).lower() for action in self.inputs[: len(inputs) + 1]]
            self.error(f"a {'second ' * (names[-1] in names[:-1])}{names[-1]} must be given")
        if not is_open and len(inputs) > len(self.inputs):
            what = f"one {str(self.inputs[0].metavar).lower()}" if self.inputs else "no input"
            self.error(f"{what} must be given, got {' '.join(inputs)}")

    def error(self, message: str) -> NoReturn:
        """Raise an error of the command line, instead of leaving the process with exit status 2."""
        raise UsageError(f"{self.subcommand}: {message} (usage: {self.usage})")


_TEXT_OR_JSON = one_of("text", "json")


def _is_json(text: str) -> bool:
    return _TEXT_OR_JSON(text) == "json"
