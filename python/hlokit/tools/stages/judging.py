"""Evaluates the program after each stage of a compiler, and compares it with the stage before."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.errors import HlokitError
from hlokit.programs.program import Program
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.backends.side import Array, Side
from hlokit.tools.diff.comparing.findings import silent
from hlokit.tools.diff.comparing.verdicts import DIFFERING, all_exact, is_off
from hlokit.tools.diff.flow.first_iterations import first_iterations
from hlokit.tools.diff.flow.time_limits import RanOutOfTime, time_limit_of_runs
from hlokit.tools.diff.report import DiffReport
from hlokit.tools.diff.run import diff
from hlokit.tools.diff.work import Work
from hlokit.tools.stages.compilers import Compiled
from hlokit.tools.stages.evaluating import Evaluated, Evaluator, Function, Pair
from hlokit.tools.stages.meaning import meaning_of, meaning_within
from hlokit.tools.stages.report import Stage, Verdict
from hlokit.tools.stages.settings import Settings
from hlokit.tools.stages.snapshots import CODE_GENERATION, Snapshot
from hlokit.tools.stages.values.constants import another_constant
from hlokit.values.bits import are_same

Judgement = tuple[Verdict, DiffReport | None, str]


class _Undecided(NamedTuple):
    """A stage within bounds, for which there was no time in exact arithmetic.

    Attributes:
      number: how many stages were judged before it.
      most: see `meaning_within`.
      note: what its note says of exact arithmetic.
    """

    number: int
    pair: Pair
    most: int | None
    note: str


# Exact arithmetic on a stage within bounds may take so many times the first run, or so many seconds.
_EXACT_RUNS, _LEAST_SECONDS = 5, 5.0
# It has so many times as long for a stage that is reconsidered, or CHANGED by its results.
_RECONSIDERED = 10
# Of a stage within bounds: what a reciprocal that becomes a constant does, and so do faults below the bounds.
_HIDDEN = ", though the results differ by no more than roundings do"
# Of a stage with an operation that is wrong, where bounds show nothing.
_NO_BOUND = "an operation differs; the results have no bound: roundings make NaN or infinity of them"
# Of a stage with an operation that is wrong, where exact arithmetic decides nothing.
_UNDECIDED = "an operation differs, though the results differ by no more than roundings do"
# Of a stage with another constant, which it cannot have computed.
_CONSTANT = "{} is a number that no operation on floats can have made, since these are the same"
_WITHIN = "differs in exact arithmetic, by no more than roundings do"


class Judge:
    """Compares the program after each stage with the last one that could be evaluated.

    Args:
      arguments: the arguments of the program.
    """

    def __init__(self, arguments: Sequence[Any], settings: Settings) -> None:
        self.before: Evaluated | None = None
        self._evaluator = Evaluator(arguments)
        self._settings = settings
        self._skipped: list[str] = []
        # How long the first run of the program took.
        self._seconds = 0.0
        # How many stages were judged, and those of them that may be wrong.
        self._judged_stages = 0
        self._undecided: list[_Undecided] = []

    def start(self, program: Program, function: str) -> None:
        """Begin with the program that the compiler gets.

        Raises:
          EvaluationError: the program fails.
          RanOutOfTime: it does not end.
        """
        start = time.perf_counter()
        self.before = self._evaluator.first(program, function)
        self._seconds = time.perf_counter() - start

    def judge(self, snapshot: Snapshot) -> Stage:
        """The verdict on a stage."""
        start = time.perf_counter()

        def stage(verdict: Verdict, **parts: Any) -> Stage:
            seconds = round(time.perf_counter() - start, 3)
            return Stage(
                snapshot.stage, verdict, snapshot.pipeline, snapshot.source, seconds=seconds, **parts
            )

        before = self.before
        self._judged_stages += 1
        try:
            data = snapshot.read()
            if before is not None and before.data and data == before.data:
                return stage("equal", operations=before.operations.total())
            after = self._evaluator.after(snapshot, data, before)
        except HlokitError as error:
            self._skipped.append(snapshot.stage)
            return stage("unknown", note=str(error).partition("\n")[0])
        self.before = after
        operations = after.operations.total()
        if before is None:
            return stage("start", operations=operations)
        if after.results is before.results and after.operations == before.operations:
            return stage("equal", operations=operations)
        verdict, report, note = self._compared(before, after)
        return stage(
            verdict,
            operations=operations,
            changes=changes(before.operations, after.operations),
            note=self._with_skipped(note),
            report=report,
            texts=self._texts(before, after),
        )

    def _texts(self, before: Evaluated, after: Evaluated) -> tuple[str, str] | None:
        """The programs of both stages, if they are asked for: the parts that differ."""
        if not self._settings.texts:
            return None
        try:
            return before.whole().program.text(), after.whole().program.text()
        except HlokitError:
            return None

    def _compared(self, before: Evaluated, after: Evaluated) -> Judgement:
        """Compare the results of two stages; if they differ, `diff` compares the programs."""
        if _same_bits(before.results, after.results):
            return "same", None, ""
        try:
            return self._judged_pair(before, after)
        except RanOutOfTime as failure:
            return "unknown", None, failure.reason

    def _judged_pair(self, before: Evaluated, after: Evaluated) -> Judgement:
        """The judgement on results with other bits.

        Raises:
          RanOutOfTime: a run took too long.
        """
        if after.single is not None:
            return self._of_devices(after.single, before, after)
        try:
            pair = self._evaluator.pair(before, after)
        except HlokitError as error:
            return "unknown", None, str(error).partition("\n")[0]
        whole = Whole(pair.before, pair.values, before.stage, before.results)
        work = whole.work()
        judgement = self._judged(work, after.results, pair.after.program, after.stage)
        verdict, report, note = judgement
        if verdict in ("same", "unknown"):
            return judgement
        if verdict == "within" and before.graph is not None and after.graph is not None:
            constant = another_constant(before.graph.module, after.graph.module)
            if constant is not None:
                named = self._by_operations(work, pair.after.program)
                return "changed", named or report, f"{_CONSTANT.format(constant)}{_HIDDEN}"
        is_same_mix = before.operations == after.operations
        if verdict == "within" and _has_no_bound(report, is_same_mix):
            named = self._by_operations(work, pair.after.program)
            if named is not None:
                return "changed", named, _NO_BOUND
        if verdict == "changed" or is_same_mix:
            # Of what is CHANGED by its results, exact arithmetic only adds a note.
            limit = self._settings.time_limit if verdict == "within" else self._reconsidered_seconds
            with time_limit_of_runs(limit):
                meaning = meaning_of(pair, has_same_operations=is_same_mix)
        else:
            most = first_iterations(work.trip_counts)
            with time_limit_of_runs(min(self._settings.time_limit, self._exact_seconds)):
                meaning = meaning_within(pair, most)
            if meaning.ran_out:
                self._undecided.append(_Undecided(self._judged_stages - 1, pair, most, meaning.note))
        if verdict == "within" and meaning.status == "differs":
            # No rounding explains what differs in exact arithmetic, unless a constant was computed.
            if is_same_mix or not meaning.is_close:
                verdict, meaning = "changed", meaning._replace(note=f"{meaning.note}{_HIDDEN}")
            else:
                meaning = meaning._replace(note=_WITHIN)
        if verdict == "within" and is_same_mix and meaning.is_open:
            named = self._by_operations(work, pair.after.program)
            if named is not None:
                return "changed", named, f"{_UNDECIDED}; {meaning.note}"
        return verdict, report, "; ".join(filter(None, (note, meaning.note)))

    @property
    def _exact_seconds(self) -> float:
        """How long exact arithmetic may take for a stage within bounds."""
        return max(_LEAST_SECONDS, _EXACT_RUNS * self._seconds)

    @property
    def _reconsidered_seconds(self) -> float:
        return min(self._settings.time_limit, _RECONSIDERED * self._exact_seconds)

    def reconsider(self, stages: list[Stage]) -> None:
        """Decide the stages for which there was no time in exact arithmetic, before another is accused."""
        for number, pair, most, note in self._undecided:
            with time_limit_of_runs(self._reconsidered_seconds):
                meaning = meaning_within(pair, most)
            stage, verdict = stages[number], stages[number].verdict
            if meaning.status == "differs":
                verdict = verdict if meaning.is_close else "changed"
                meaning = meaning._replace(note=_WITHIN if meaning.is_close else f"{meaning.note}{_HIDDEN}")
            stages[number] = replace(stage, verdict=verdict, note=stage.note.replace(note, meaning.note))
            if verdict == "changed":
                break
        self._undecided = []

    def _by_operations(self, work: Work, other: Program) -> DiffReport | None:
        """A comparison that names an operation at fault; None if it names none."""
        _, report, _ = self._by_diff(work, other)
        return None if report is None or not _names_operation(report) else report

    def _of_devices(self, single: Evaluated, before: Evaluated, after: Evaluated) -> Judgement:
        """Compare results of programs for one device by the errors of the last program for all devices."""
        try:
            function = single.whole()
        except HlokitError as error:
            return "unknown", None, str(error).partition("\n")[0]
        signature = function.program.signature(function.name)
        values = self._evaluator.values(function)
        work = Work(function.program, values, signature, before.stage, silent, mine=before.results)
        comparisons = work.compare_results(before.results, after.results)
        verdict = "changed" if is_off(comparisons) else "within"
        return verdict, work.report(after.stage, comparisons), ""

    def _judged(self, work: Work, results: Sequence[Value], other: Program | Side, name: str) -> Judgement:
        """Compare the results of a program with those of another one.

        Args:
          other: what returned the results.
        """
        comparisons = work.compare_results(work.mine, results)
        if all_exact(comparisons) or not comparisons:
            return "same", None, ""
        if not is_off(comparisons):
            return "within", work.report(name, comparisons), ""
        return self._by_diff(work, other)

    def _by_diff(self, work: Work, other: Program | Side) -> Judgement:
        """Compare the operations of a program with those of another one."""
        try:
            report = diff(
                work.program,
                *work.values,
                against=other,
                function=work.signature.name,
                time_limit=self._settings.time_limit,
                flush=self._settings.flush,
            )
        except HlokitError as error:
            return "unknown", None, str(error).partition("\n")[0]
        verdicts: dict[str, Verdict] = {"same": "same", "within": "within", "differs": "changed"}
        return verdicts.get(report.outcome, "unknown"), report, ""

    def generated(self, results: Sequence[Array]) -> Stage:
        """The verdict on code generation: results of the compiled program, and of the last snapshot."""
        start = time.perf_counter()
        before = self.before
        assert before is not None
        side = Compiled(results, lambda: ChildSide("xla", self._settings.time_limit))
        try:
            verdict, report, note = self._of_code(before, results, side)
        except RanOutOfTime as failure:
            verdict, report, note = "unknown", None, failure.reason
        finally:
            side.close()
        note = self._with_skipped(note)
        seconds = round(time.perf_counter() - start, 3)
        return Stage(
            CODE_GENERATION,
            verdict,
            note=note,
            operations=before.operations.total(),
            seconds=seconds,
            report=report,
        )

    def _of_code(self, before: Evaluated, results: Sequence[Array], side: Side) -> Judgement:
        if _same_bits(before.results, results):
            return "same", None, ""
        try:
            function = before.whole()
        except HlokitError as error:
            return "unknown", None, str(error).partition("\n")[0]
        values = self._evaluator.values(function)
        whole = Whole(function, values, before.stage, before.results)
        return self._judged(whole.work(), results, side, CODE_GENERATION)

    def _with_skipped(self, note: str) -> str:
        """A note that names the stages before, which could not be evaluated and may be the reason as well."""
        if not self._skipped:
            return note
        names = ", ".join(self._skipped)
        self._skipped = []
        return "; ".join(filter(None, (note, f"compared across stages that were not evaluated: {names}")))


class Whole(NamedTuple):
    """A function with its arguments and results."""

    function: Function
    values: Sequence[Value]
    stage: str
    results: Sequence[Value]

    def work(self) -> Work:
        """A comparison of these results with others."""
        program, function = self.function
        return Work(program, self.values, program.signature(function), self.stage, silent, mine=self.results)


def _has_no_bound(report: DiffReport | None, is_same_mix: bool) -> bool:
    """Whether results are within bounds that are infinite.

    Args:
      is_same_mix: whether both programs have the same operations. Others round otherwise: then an integer
        must differ as well, or a number be NaN or infinity on one side.
    """
    if report is None:
        return False
    within = [result for result in report.results if result.verdict == "within" and result.max_ulp]
    if all(result.share and np.isfinite(result.max_ulp) for result in within):
        return False
    return is_same_mix or any(not result.unit or not np.isfinite(result.max_ulp) for result in within)


def _names_operation(report: DiffReport) -> bool:
    return report.first is not None and report.first.comparison.verdict in DIFFERING


def _same_bits(before: Sequence[Value], after: Sequence[Value]) -> bool:
    """Whether all results are arrays of the same types and bits."""
    return len(before) == len(after) and all(map(_is_same, before, after))


def _is_same(first: Value, second: Value) -> bool:
    if first is second:
        return True
    if isinstance(first, tuple) or isinstance(second, tuple):
        return False
    return are_same(np.asarray(first), np.asarray(second))


def changes(old: Counter[str], new: Counter[str]) -> str:
    """The operations that a stage removed and added, in words."""
    parts = [f"-{_number(count)}{_short(name)}" for name, count in (old - new).items()]
    parts += [f"+{_number(count)}{_short(name)}" for name, count in (new - old).items()]
    return " ".join(parts)


def _number(count: int) -> str:
    return "" if count == 1 else f"{count} "


def _short(name: str) -> str:
    return name.removeprefix("stablehlo.")
