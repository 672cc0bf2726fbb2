"""Evaluates the program after each stage of a compiler, and compares it with the stage before."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hlokit.engine.contract.registry import Value
from hlokit.errors import HlokitError
from hlokit.mlir.queries.module import called_functions, functions, operations_within
from hlokit.programs.loading import load_bytes
from hlokit.programs.program import Program
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.backends.side import Array, Side, flat_values
from hlokit.tools.diff.comparing.findings import silent
from hlokit.tools.diff.comparing.verdicts import all_exact, is_off
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.diff.report import DiffReport
from hlokit.tools.diff.run import diff
from hlokit.tools.diff.work import Work
from hlokit.tools.equal.comparing import Question, decide
from hlokit.tools.equal.sides import WholeProgram, paired, side_of
from hlokit.tools.equal.verdict import HEADS
from hlokit.tools.stages.report import Stage, Verdict
from hlokit.tools.stages.settings import Settings
from hlokit.tools.stages.snapshots import CODE_GENERATION, Snapshot

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A program, and its results.

    Attributes:
      stage: the name of the stage that made it.
      text: the functions that a run may reach.
      operations: their operations, counted by name.
      data: the bytes of the snapshot; b"" of the program before the first stage.
    """

    stage: str
    program: Program
    function: str
    results: Sequence[Value]
    text: str
    operations: Counter[str]
    data: bytes = b""


class Judge:
    """Compares the program after each stage with the last one that could be evaluated.

    Args:
      arguments: the arguments of the program.
    """

    def __init__(self, arguments: Sequence[Any], settings: Settings) -> None:
        self.before: Evaluated | None = None
        self._arguments = arguments
        self._settings = settings
        self._function: str | None = None
        self._skipped: list[str] = []

    def start(self, program: Program, function: str) -> None:
        """Begin with the program that the compiler gets.

        Raises:
          EvaluationError: the program fails.
          RanOutOfTime: it does not end.
        """
        self._function = function
        self.before = self._evaluated("the program", program, function)

    def judge(self, snapshot: Snapshot) -> Stage:
        """The verdict on a stage."""
        start = time.perf_counter()

        def stage(verdict: Verdict, **parts: Any) -> Stage:
            seconds = round(time.perf_counter() - start, 3)
            return Stage(
                snapshot.stage, verdict, snapshot.pipeline, snapshot.source, seconds=seconds, **parts
            )

        try:
            data = snapshot.read()
            before = self.before
            if before is not None and data == before.data:
                return stage("equal", operations=before.operations.total())
            program = load_bytes(data, f"after {snapshot.stage}")
            function = self._function if self._function in program.functions else None
            after = self._evaluated(snapshot.stage, program, program.signature(function).name, data)
            if before is not None and after.results is before.results:
                self.before = after
                return stage("equal", operations=after.operations.total())
        except HlokitError as error:
            self._skipped.append(snapshot.stage)
            return stage("unknown", note=str(error).partition("\n")[0])
        self.before = after
        if before is None:
            return stage("start", operations=after.operations.total())
        verdict, report, note = self._compared(before, after.results, program, after.stage)
        return stage(
            verdict,
            operations=after.operations.total(),
            changes=changes(before.operations, after.operations),
            note=self._with_skipped(note),
            report=report,
        )

    def _compared(
        self, before: Evaluated, results: Sequence[Value], other: Program | Side, name: str
    ) -> tuple[Verdict, DiffReport | None, str]:
        """Compare results with those before; if they differ, `diff` compares the programs.

        Args:
          other: what returned the results.
        """
        signature = before.program.signature(before.function)
        values = signature.values(self._arguments)
        work = Work(before.program, values, signature, before.stage, silent, mine=before.results)
        comparisons = work.compare_results(before.results, results)
        if all_exact(comparisons) or not comparisons:
            return "same", None, ""
        meaning = self._meaning(before, other, values) if isinstance(other, Program) else ""
        if not is_off(comparisons):
            return "within", work.report(name, comparisons), meaning
        verdict, report, note = self._differing(before, other)
        return verdict, report, "; ".join(filter(None, (note, meaning)))

    def _meaning(self, before: Evaluated, after: Program, values: Sequence[Value]) -> str:
        """What tells rounding from meaning: whether the programs are equal in exact arithmetic."""
        function = before.function if before.function in after.functions else None
        sides = WholeProgram(before.program, before.function), side_of(after, (), function)
        try:
            verdict = limited(lambda: decide(Question(*sides, paired(*sides), values, runs=1)))
        except HlokitError as error:
            return f"not compared in exact arithmetic: {str(error).partition(chr(10))[0]}"
        assumed = f", assuming {', '.join(verdict.identities)}" if verdict.identities else ""
        return f"{HEADS[verdict.status]}{assumed}"

    def _differing(self, before: Evaluated, other: Program | Side) -> tuple[Verdict, DiffReport | None, str]:
        """The judgement of `diff`, which names the operation."""
        try:
            report = diff(
                before.program,
                *self._arguments,
                against=other,
                function=before.function,
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
            verdict, report, note = self._compared(before, results, side, CODE_GENERATION)
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

    def _with_skipped(self, note: str) -> str:
        """A note that names the stages before, which could not be evaluated and may be the reason as well."""
        if not self._skipped:
            return note
        names = ", ".join(self._skipped)
        self._skipped = []
        return "; ".join(filter(None, (note, f"compared across stages that were not evaluated: {names}")))

    def _evaluated(self, stage: str, program: Program, function: str, data: bytes = b"") -> Evaluated:
        """A program with its results: those of the program before if both are the same."""
        entry = functions(program.module)[function]
        reached = (entry, *called_functions(entry).values())
        text, operations = "\n".join(map(str, reached)), _operations(reached)
        before = self.before
        if before is not None and text == before.text and _OUTSIDE not in text:
            return replace(before, stage=stage, program=program, function=function, data=data)
        signature = program.signature(function)
        values = signature.values(self._arguments)
        results = limited(lambda: program.runs.evaluate(values, function))
        flat = flat_values(results, signature.outputs)
        return Evaluated(stage, program, function, flat, text, operations, data)


# How the text of a constant begins whose elements are elsewhere.
_OUTSIDE = "dense_resource<"


class Compiled:
    """A side whose first answer is known: what a compiler's program returned.

    Other modules, which `diff` makes of the program, are compiled by another side.

    Args:
      results: the answer for the first module.
      compiler: makes the other side.
    """

    name = CODE_GENERATION
    batch = 128

    def __init__(self, results: Sequence[Array], compiler: Callable[[], Side]) -> None:
        self._results = list(results)
        self._compiler = compiler
        self._side: Side | None = None
        self._module: str | bytes | None = None

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        """See `Side`."""
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        """See `Side`."""
        if self._module is None:
            self._module = module
        if module == self._module:
            return [self._results for _ in inputs]
        self._side = self._side or self._compiler()
        return self._side.run_each(module, inputs, function)

    def close(self) -> None:
        """See `Side`."""
        if self._side is not None:
            self._side.close()


def changes(old: Counter[str], new: Counter[str]) -> str:
    """The operations that a stage removed and added, in words."""
    parts = [f"-{_number(count)}{_short(name)}" for name, count in (old - new).items()]
    parts += [f"+{_number(count)}{_short(name)}" for name, count in (new - old).items()]
    return " ".join(parts)


def _number(count: int) -> str:
    return "" if count == 1 else f"{count} "


def _short(name: str) -> str:
    return name.removeprefix("stablehlo.")


def _operations(reached: Sequence[ir.Operation]) -> Counter[str]:
    """The operations of functions, counted by name."""
    names: Counter[str] = Counter()
    for function in reached:
        names.update([operation.name for operation in operations_within(function)])
    for name in _STRUCTURE:
        names.pop(name, None)
    return names


# Operations that compute nothing.
_STRUCTURE = ("func.func", "func.return", "stablehlo.return")
