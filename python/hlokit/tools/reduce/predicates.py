"""Predicates: the fault that a program must keep while it is reduced."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.errors import ArgumentError, HlokitError, did_you_mean
from hlokit.mlir.printing import write_bytecode
from hlokit.programs.program import Program
from hlokit.tools.backends.children import death, last_words
from hlokit.tools.backends.commands import run_command, save_inputs
from hlokit.tools.backends.names import NAMES, named_side
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Verdict
from hlokit.tools.diff.report import Mode
from hlokit.tools.diff.run import diff
from hlokit.tools.recording.container import is_recording

# The time limit of the original program, in seconds.
FIRST_LIMIT = 300.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a program satisfies a predicate.

    Attributes:
      what: the behaviour of the program, or the reason why the predicate does not hold.
      expected, actual: if two sides differ: an element of hlokit and of the other side.
      index: index of that element in its result.
    """

    holds: bool
    what: str = ""
    expected: str = ""
    actual: str = ""
    index: tuple[int, ...] = ()


class Predicate(Protocol):
    """A property of a program's behaviour."""

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Spec:
    """The description of a predicate, from which processes construct the predicate.

    Attributes:
      kind: `diverges`, `crashes`, `fails`, `error`, `nan` or `command`.
      side: the other side, for the first three kinds.
      pattern: the regular expression for `fails` and `error`; the command.
      mode, verdict, op: for `diverges`: the comparison of the original program, and its outcome.
      function: the name of the function, for commands with `{function}`.
      time_limit: seconds for one candidate.
    """

    kind: Literal["diverges", "crashes", "fails", "error", "nan", "command"]
    side: str = ""
    pattern: str = ""
    mode: Mode = "auto"
    verdict: Verdict | None = None
    op: str = ""
    time_limit: float = FIRST_LIMIT


def parse(keep: str, time_limit: float = FIRST_LIMIT) -> Spec:
    """A predicate from its text on the command line.

    Raises:
      ArgumentError: the text is not a predicate, or names a side, a program or a pattern that does not exist.
    """
    kind, colon, rest = keep.partition(":")
    match kind:
        case "diverges" | "crashes" if colon:
            if kind == "crashes" or not (os.path.isfile(rest) or is_recording(rest)):
                _require_side(rest, time_limit)
            return Spec(kind, rest, time_limit=time_limit)
        case "error" if colon:
            return Spec("error", pattern=_pattern(rest), time_limit=time_limit)
        case "nan" if not colon:
            return Spec("nan", time_limit=time_limit)
        case _:
            if kind.startswith("error@") and colon:
                # `error@iree:vmvx:REGEX`: the name of the side may contain a colon.
                side, pattern = kind.removeprefix("error@"), rest
                for target in ("vmvx", "llvm-cpu"):
                    if side == "iree" and rest.startswith(f"{target}:"):
                        side, pattern = f"iree:{target}", rest.removeprefix(f"{target}:")
                _require_side(side, time_limit)
                return Spec("fails", side, _pattern(pattern), time_limit=time_limit)
            return Spec("command", pattern=_command(keep), time_limit=time_limit)


def _require_side(name: str, time_limit: float) -> None:
    side = named_side(name, time_limit)
    if side is None:
        hint = did_you_mean(name, NAMES)
        raise ArgumentError(f"a side must be one of {', '.join(NAMES)}, got '{name}'{hint}")
    side.close()


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ArgumentError(f"error: must be a regular expression, got '{text}': {error}") from None
    return text


def _command(template: str) -> str:
    predicates = (
        "diverges:SIDE, crashes:SIDE, error:REGEX, error@SIDE:REGEX, nan, or a command with {module} in it"
    )
    if "{module}" not in template:
        hint = did_you_mean(template.partition(":")[0], ("diverges", "crashes", "error", "nan"))
        raise ArgumentError(f"a predicate must be one of {predicates}, got '{template}'{hint}")
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise ArgumentError(f"the command cannot be read: {error}") from None
    if shutil.which(words[0]) is None:
        raise ArgumentError(f"there is no program '{words[0]}'")
    return template


def predicate_of(spec: Spec) -> Predicate:
    """The predicate of a spec, with its processes."""
    match spec.kind:
        case "diverges":
            return _Diverges(spec, _side(spec))
        case "crashes" | "fails":
            return _SideFails(spec, _side(spec))
        case "error":
            return _HlokitFails(re.compile(spec.pattern))
        case "nan":
            return _GivesNan()
        case "command":
            return _Command(spec)


def _side(spec: Spec) -> Side:
    side = named_side(spec.side, spec.time_limit)
    if side is None:
        raise ArgumentError(f"there is no side '{spec.side}'")
    return side


@dataclass(slots=True)
class _Diverges:
    """Another side returns values that differ, with the same verdict as those of the original program."""

    spec: Spec
    side: Side

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        spec = self.spec
        report = diff(program, *arguments, against=self.side, mode=spec.mode)
        if spec.mode == "whole":
            bad = [comparison for comparison in report.results if comparison.verdict in DIFFERING]
        else:
            bad = [
                finding.comparison
                for finding in report.findings
                if spec.op in ("", finding.op) and finding.comparison.verdict in DIFFERING
            ]
            if not spec.op:
                bad += [comparison for comparison in report.results if comparison.verdict in DIFFERING]
        same = [comparison for comparison in bad if spec.verdict in (None, comparison.verdict)]
        if not same:
            return Outcome(False, str(report).partition("\n")[0])
        worst = max(same, key=lambda comparison: comparison.severity)
        what = worst.verdict if not worst.note else f"{worst.verdict}: {worst.note}"
        return Outcome(True, what, worst.expected, worst.actual, worst.index)

    def close(self) -> None:
        self.side.close()


@dataclass(slots=True)
class _SideFails:
    """Another side crashes, or fails with a message."""

    spec: Spec
    side: Side

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        signature = program.signature()
        try:
            inputs = [np.asarray(value) for value in arguments]
            self.side.run(write_bytecode(program.module), inputs, signature.name)
        except SideFailed as failure:
            if self.spec.kind == "crashes":
                return Outcome(failure.kind == "crash", str(failure))
            is_meant = failure.kind in ("error", "unsupported") and re.search(
                self.spec.pattern, failure.reason
            )
            return Outcome(bool(is_meant), str(failure))
        return Outcome(False, "the other side runs the program")

    def close(self) -> None:
        self.side.close()


@dataclass(slots=True)
class _HlokitFails:
    """hlokit itself fails with a message."""

    pattern: re.Pattern[str]

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        try:
            _evaluated(program, arguments)
        except HlokitError as error:
            return Outcome(self.pattern.search(str(error)) is not None, str(error))
        return Outcome(False, "hlokit runs the program")

    def close(self) -> None:
        pass


class _GivesNan:
    """A result has a NaN, though no argument has one."""

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        if any(map(_has_nan, arguments)):
            return Outcome(False, "an argument has a NaN")
        for result in _evaluated(program, arguments):
            if _has_nan(result):
                return Outcome(True, "a result has a NaN")
        return Outcome(False, "no result has a NaN")

    def close(self) -> None:
        pass


def _evaluated(program: Program, arguments: Sequence[Any]) -> Sequence[Any]:
    context = run_context.RunContext(write=_drop)
    return program.runs.evaluate(list(arguments), program.signature().name, context=context)


def _drop(text: str) -> None:
    del text


def _has_nan(value: Any) -> bool:
    array = np.asarray(value)
    if array.dtype.kind in "biuO":
        return False
    try:
        return bool(np.isnan(array).any())
    except TypeError:
        return False


@dataclass(slots=True)
class _Command:
    """A command ends with exit status 0."""

    spec: Spec
    directory: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(prefix="hlokit_")
    )

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        module, inputs = (os.path.join(self.directory.name, name) for name in ("module.mlir", "inputs.npz"))
        with open(module, "w", encoding="utf-8") as file:
            file.write(program.text())
        save_inputs(inputs, arguments)
        words = [
            word.replace("{module}", module).replace("{inputs}", inputs)
            for word in shlex.split(self.spec.pattern)
        ]
        try:
            done = run_command(words, self.spec.time_limit)
        except subprocess.TimeoutExpired:
            return Outcome(False, f"the command took longer than {self.spec.time_limit:g} s")
        message = last_words(done.stderr.decode(errors="replace"))
        return Outcome(done.returncode == 0, message or death(done.returncode))

    def close(self) -> None:
        self.directory.cleanup()
