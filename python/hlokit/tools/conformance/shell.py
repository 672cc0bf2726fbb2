"""RUN lines: the part of a shell that upstream's tests need.

A line is a pipeline of commands with `>`, `>>` and `2>&1`. Commands are Python functions from arguments and
input to output; a pipeline fails if one of its commands fails.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

# lit's `%if feature %{ command %}`; hlokit has no features.
_CONDITION = re.compile(r"%if (\S+) %\{.*%\}")
_PREFIXES = re.compile(r"--?check-prefix(?:es)?[= ](\S+)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Output and status of a command."""

    status: int
    output: bytes = b""
    errors: bytes = b""


Command = Callable[[Sequence[str], bytes], Outcome]


class NotRunError(Exception):
    """A line cannot be run in this environment, which is not a failure of hlokit."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One command of a pipeline."""

    words: tuple[str, ...]
    target: str | None = None
    merges_errors: bool = False
    appends: bool = False


def parse_line(line: str, substitutions: Mapping[str, str]) -> list[Stage]:
    """The pipeline in a RUN line.

    Args:
      substitutions: `%s` -> the file, `%t` -> a temporary name, ...

    Raises:
      NotRunError: the line needs more of a shell than this module has.
    """
    condition = _CONDITION.fullmatch(line.strip())
    if condition is not None:
        raise NotRunError(f"needs {condition[1]}")
    # Longer names first: %basename_t before %b. `2>&1` is not an operator between words for shlex.
    for name in sorted(substitutions, key=len, reverse=True):
        line = line.replace(name, substitutions[name])
    lexer = shlex.shlex(line.replace("2>&1", " __merge__ "), posix=True, punctuation_chars="|><;&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    stages: list[Stage] = []
    words: list[str] = []
    target: str | None = None
    merges = appends = False
    for word in [*lexer, "|"]:
        if word == "|":
            if not words:
                raise NotRunError(f"empty command in '{line}'")
            stages.append(Stage(tuple(words), target or None, merges, appends))
            words, target, merges, appends = [], None, False, False
        elif word == "__merge__":
            merges = True
        elif word in (">", ">>"):
            target, appends = "", word == ">>"
        elif set(word) <= set("|><;&"):
            raise NotRunError(f"needs a shell that knows '{word}'")
        elif target == "":
            target = word
        else:
            words.append(word)
    return stages


def without_empty_checks(stages: Sequence[Stage], text: str) -> list[Stage]:
    """The pipeline without FileCheck if the text has no directives, which FileCheck would reject."""
    *others, last = stages
    if not others or last.words[0] != "FileCheck":
        return list(stages)
    chosen = _PREFIXES.search(" ".join(last.words))
    prefixes = "|".join(map(re.escape, chosen[1].split(","))) if chosen else "CHECK"
    return list(stages) if re.search(rf"\b(?:{prefixes})(?:-[\w{{}}-]+)?:", text) else others


def run_command(words: Sequence[str], data: bytes, commands: Mapping[str, Command]) -> Outcome:
    """Run one command.

    Raises:
      NotRunError: there is no such command.
    """
    name, *arguments = words
    if name == "not":
        outcome = run_command(arguments, data, commands)
        return Outcome(int(outcome.status == 0), outcome.output, outcome.errors)
    if name == "xargs":
        return _xargs(arguments, data, commands)
    if name.endswith(".sh"):
        return commands["bash"](words, data)
    if name not in commands:
        raise NotRunError(f"needs {name}")
    return commands[name](arguments, data)


def run_pipeline(stages: Sequence[Stage], commands: Mapping[str, Command]) -> Outcome:
    """Run a pipeline; the status is that of the last command that failed.

    Raises:
      NotRunError: a command is missing.
    """
    data = errors = b""
    status = 0
    for stage in stages:
        outcome = run_command(stage.words, data, commands)
        data = outcome.output
        if stage.merges_errors:
            data += outcome.errors
        else:
            errors += outcome.errors
        status = outcome.status or status
        if stage.target is not None:
            with open(stage.target, "ab" if stage.appends else "wb") as file:
                file.write(data)
            data = b""
    return Outcome(status, data, errors)


def _xargs(arguments: Sequence[str], data: bytes, commands: Mapping[str, Command]) -> Outcome:
    if not arguments or not arguments[0].startswith("-I") or arguments[0] == "-I":
        raise NotRunError("needs xargs without -I")
    placeholder = arguments[0].removeprefix("-I")
    outcome = Outcome(0)
    for line in data.decode().splitlines():
        words = [word.replace(placeholder, line) for word in arguments[1:]]
        one = run_command(words, b"", commands)
        outcome = Outcome(
            one.status or outcome.status, outcome.output + one.output, outcome.errors + one.errors
        )
    return outcome
