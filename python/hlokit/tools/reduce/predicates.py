"""Predicates: the fault that a program must keep while it is reduced."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from hlokit.children.commands import run_command
from hlokit.children.folders import TemporaryFolder
from hlokit.display.suggestions import SUGGESTS, closest, did_you_mean
from hlokit.engine.contract import run_context
from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError, HlokitError
from hlokit.mlir.printing import write_bytecode
from hlokit.programs.program import Program
from hlokit.tools.backends.children import death, last_words
from hlokit.tools.backends.commands import filled_in, save_inputs, words_of
from hlokit.tools.backends.names import NAMES, named_side
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Comparison
from hlokit.tools.diff.report import Mode
from hlokit.tools.diff.run import diff
from hlokit.tools.recording.container import is_recording
from hlokit.tools.reduce.kinds import (
    FirstNan,
    has_nan,
    is_same_difference,
    kind_of_difference,
    kind_of_error,
    kind_of_message,
)
from hlokit.tools.stages.compilers import XLA
from hlokit.tools.stages.run import certify
from hlokit.tools.stages.settings import Settings

# The time limit of the original program, in seconds.
FIRST_LIMIT = 300.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a program satisfies a predicate.

    Attributes:
      what: the behaviour of the program, or the reason why the predicate does not hold.
      expected, actual: if two sides differ: an element of hlokit and of the other side.
      index: index of that element in its result.
      op: the operation at fault; "" if it is unknown.
      kind: the kind of the fault, see `kinds.py`.
    """

    holds: bool
    what: str = ""
    expected: str = ""
    actual: str = ""
    index: tuple[int, ...] = ()
    op: str = ""
    kind: str = ""


class Predicate(Protocol):
    """A property of a program's behaviour."""

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Spec:
    """The description of a predicate, from which processes construct the predicate.

    Attributes:
      kind: `diverges`, `crashes`, `fails`, `error`, `nan`, `pass` or `command`.
      side: the other side, for the first three kinds; the compiler of a pass.
      pattern: the regular expression for `fails` and `error`; the pass; the command.
      mode: for `diverges`: the comparison that finds the fault of the original program.
      op, fault: operation and kind of the fault of the original program; "" if unknown, or not tested yet.
      function: the name of the function, for commands with `{function}`.
      time_limit: seconds for one candidate.
    """

    kind: Literal["diverges", "crashes", "fails", "error", "nan", "pass", "command"]
    side: str = ""
    pattern: str = ""
    mode: Mode = "auto"
    op: str = ""
    fault: str = ""
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
        case "pass" if rest:
            return Spec("pass", XLA, rest, time_limit=time_limit)
        case _:
            if keep.startswith("pass@") and colon:
                # `pass@stablehlo-opt:PIPELINE:NAME`: the compiler may contain colons, a pass does not.
                compiler, _, name = keep.removeprefix("pass@").rpartition(":")
                return Spec("pass", compiler, name, time_limit=time_limit)
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
        "diverges:SIDE, crashes:SIDE, error:REGEX, error@SIDE:REGEX, nan, pass:NAME, pass@COMPILER:NAME, or "
        "a command with {module} in it"
    )
    if "{module}" not in template:
        examples = ("diverges:xla", "crashes:xla", "error:REGEX", "nan", "pass:NAME")
        kinds = {example.partition(":")[0]: example for example in examples}
        meant = closest(template.partition(":")[0], tuple(kinds))
        hint = f"{SUGGESTS}{kinds[meant]}?" if meant else ""
        raise ArgumentError(f"a predicate must be one of {predicates}, got '{template}'{hint}")
    words_of(template)
    return template


def predicate_of(spec: Spec) -> Predicate:
    """The predicate of a spec, with its processes."""
    match spec.kind:
        case "diverges":
            return _Diverges(spec, _side(spec))
        case "crashes" | "fails":
            return _SideFails(spec, _side(spec))
        case "error":
            return _HlokitFails(spec)
        case "nan":
            return _GivesNan(spec)
        case "pass":
            return _PassChanges(spec)
        case "command":
            return _Command(spec)


def _side(spec: Spec) -> Side:
    side = named_side(spec.side, spec.time_limit)
    if side is None:
        raise ArgumentError(f"there is no side '{spec.side}'")
    return side


@dataclass(slots=True)
class _Diverges:
    """Another side returns values that differ in the same operation and in the same way as those of the
    original program."""

    spec: Spec
    side: Side

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        spec = self.spec
        report = diff(program, *arguments, against=self.side, mode=spec.mode)
        findings: Sequence[Finding] = () if spec.mode == "whole" else report.findings
        differences: list[tuple[str, Comparison]] = [
            (finding.op, finding.comparison) for finding in findings if spec.op in ("", finding.op)
        ]
        if not spec.op:
            differences += [("", comparison) for comparison in report.results]
        same = [
            (op, comparison)
            for op, comparison in differences
            if comparison.verdict in DIFFERING
            and is_same_difference(kind_of_difference(comparison), spec.fault)
        ]
        if not same:
            return Outcome(False, str(report).partition("\n")[0])
        op, worst = max(same, key=lambda item: item[1].severity)
        return outcome_of(worst, op)

    def close(self) -> None:
        self.side.close()


def outcome_of(comparison: Comparison, op: str) -> Outcome:
    """The fault that a comparison shows."""
    what = comparison.verdict if not comparison.note else f"{comparison.verdict}: {comparison.note}"
    return Outcome(
        True,
        what,
        comparison.expected,
        comparison.actual,
        comparison.index,
        op,
        kind_of_difference(comparison),
    )


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
            kind = kind_of_message(str(failure))
            if self.spec.kind == "crashes":
                is_meant = failure.kind == "crash"
            else:
                is_meant = failure.kind in ("error", "unsupported") and bool(
                    re.search(self.spec.pattern, failure.reason)
                )
            return Outcome(is_meant and self.spec.fault in ("", kind), str(failure), kind=kind)
        return Outcome(False, "the other side runs the program")

    def close(self) -> None:
        self.side.close()


@dataclass(slots=True)
class _HlokitFails:
    """hlokit itself fails with a message."""

    spec: Spec

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        try:
            _evaluated(program, arguments)
        except HlokitError as error:
            kind = kind_of_error(error)
            is_meant = re.search(self.spec.pattern, str(error)) is not None
            return Outcome(is_meant and self.spec.fault in ("", kind), str(error), kind=kind)
        return Outcome(False, "hlokit runs the program")

    def close(self) -> None:
        pass


@dataclass(slots=True)
class _GivesNan:
    """A result has a NaN, though no argument has one, and the same operation makes the first NaN."""

    spec: Spec

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        if any(map(has_nan, arguments)):
            return Outcome(False, "an argument has a NaN")
        first = FirstNan()
        if not any(map(has_nan, _evaluated(program, arguments, first))):
            return Outcome(False, "no result has a NaN")
        by = f", which {first.op} makes" if first.op else ""
        return Outcome(
            self.spec.fault in ("", first.op), f"a result has a NaN{by}", op=first.op, kind=first.op
        )

    def close(self) -> None:
        pass


def _evaluated(program: Program, arguments: Sequence[Any], observer: Observer | None = None) -> Sequence[Any]:
    context = run_context.RunContext(write=_drop)
    return program.runs.evaluate(
        list(arguments), program.signature().name, observer=observer, context=context
    )


def _drop(text: str) -> None:
    del text


@dataclass(slots=True)
class _PassChanges:
    """A pass of a compiler is the first one that changes the meaning."""

    spec: Spec

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        spec = self.spec
        settings = Settings(time_limit=spec.time_limit, stops=True)
        report = certify(program, *arguments, by=spec.side, settings=settings)
        first = report.first
        if first is None or first.name != spec.pattern or first.report is None:
            return Outcome(False, report.headline)
        worst = max(first.report.results, key=lambda comparison: comparison.severity)
        outcome = outcome_of(worst, "")
        is_same = is_same_difference(outcome.kind, spec.fault)
        return outcome if is_same else Outcome(False, outcome.what)

    def close(self) -> None:
        pass


@dataclass(slots=True)
class _Command:
    """A command ends with exit status 0."""

    spec: Spec
    folder: TemporaryFolder = field(default_factory=TemporaryFolder)

    def test(self, program: Program, arguments: Sequence[Any]) -> Outcome:
        module, inputs = (os.path.join(self.folder.name, name) for name in ("module.mlir", "inputs.npz"))
        with open(module, "w", encoding="utf-8") as file:
            file.write(program.text())
        save_inputs(inputs, arguments)
        words = filled_in(words_of(self.spec.pattern), {"module": module, "inputs": inputs})
        try:
            end = run_command(words, self.spec.time_limit)
        except TimeoutError:
            return Outcome(False, f"the command took longer than {self.spec.time_limit:g} s")
        return Outcome(end.status == 0, last_words(end.errors) or death(end.status))

    def close(self) -> None:
        self.folder.close()
