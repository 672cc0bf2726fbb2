"""`hlokit.reduce`: shrinks a program to a small program with the same fault."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError, HlokitError, UnsupportedError, for_callers, wrong_arguments
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.queries.module import functions, has_body
from hlokit.programs.loading import as_program, load_text
from hlokit.programs.program import Program
from hlokit.tools.backends.names import named_side
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Comparison
from hlokit.tools.diff.report import DiffReport, Mode
from hlokit.tools.diff.run import diff
from hlokit.tools.excerpts.blame import operation_alone
from hlokit.tools.excerpts.build import Excerpt, Form, build
from hlokit.tools.excerpts.capture import TookTooLong, capture
from hlokit.tools.excerpts.graph import Graph
from hlokit.tools.recording.recording import Recording
from hlokit.tools.reduce import elements, passes, shapes
from hlokit.tools.reduce.known_values import operation_at_fault, other_run
from hlokit.tools.reduce.predicates import FIRST_LIMIT, Outcome, Spec, outcome_of, parse, predicate_of
from hlokit.tools.reduce.report import Effort, Origin, Reduction
from hlokit.tools.reduce.search import InProcess, OutOfTime, Progress, Search, Tester, Workers
from hlokit.tools.reduce.state import State, refresh, take_first
from hlokit.values.types import TupleType

Keep = str | Callable[..., Any]


def silent(what: str, size: int, tried: int) -> None:
    """Show no progress."""
    del what, size, tried


@for_callers
def reduce(
    program: Any,
    *arguments: Any,
    keep: Keep = "diverges:xla",
    function: str | None = None,
    time_limit: float | None = None,
    candidate_limit: float | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
    **keywords: Any,
) -> Reduction:
    """Shrink a program to a small program with the same fault, for a bug report.

        print(hlokit.reduce("model.mlirbc", x, keep="diverges:xla").report())

    Args:
      program: a `Program`, or what `hlokit.load` takes.
      arguments, keywords: as in `Program.__call__`.
      keep: the fault: `diverges:SIDE` (SIDE returns other values; `hlokit.diff` lists the sides; for another
        program or a recorded run, the result is the operation at fault, which checks itself),
        `crashes:SIDE` (SIDE crashes), `error:REGEX` (hlokit fails with this message), `error@SIDE:REGEX`,
        `nan` (a result has a NaN that no argument has), `pass:NAME` (this stage of XLA, or with
        `pass@COMPILER:NAME` of another compiler, changes the meaning), or a command with `{module}` in it,
        and perhaps `{inputs}`, whose exit status is 0. Or a function of a program and its arguments that
        returns a bool; it is called in this process.
      function: name of the function; the entry function by default.
      time_limit: seconds, after which the search returns the best program so far. Not accepted for other
        programs and recorded runs, whose search is short.
      candidate_limit: seconds for one candidate; by default 20 plus five times the time of the program
        itself.
      jobs: processes that try candidates; by default one per processor. The result does not depend on `jobs`.
      progress: called with the current reduction, the number of operations, and the number of tried programs.

    Returns:
      The small program; after an interrupt, the best one so far, or the original one (`outcome.holds` is
      false if that had not shown the fault yet).

    Raises:
      ArgumentError: the arguments do not fit, or the program does not show the fault.
      UnsupportedError: the function has no body.
    """
    start = time.monotonic()
    if time_limit is not None and not time_limit > 0:
        raise ArgumentError(f"time_limit must be positive, got {time_limit}")
    if jobs is not None and jobs < 1:
        raise ArgumentError(f"jobs must be positive, got {jobs}")
    spec = parse(keep) if isinstance(keep, str) else None
    subject = as_program(program, arguments, keywords)
    if subject.grid != (1, 1):
        raise ArgumentError(
            "reduce: the program is for several processes; only programs for one can be reduced"
        )
    signature = subject.signature(function)
    if not has_body(functions(subject.module)[signature.name]):
        raise UnsupportedError(f"there is no function @{signature.name} with a body")
    signature, values = subject.bound(arguments, keywords, function)
    if any(isinstance(type_, TupleType) for type_ in signature.inputs):
        raise ArgumentError("reduce: the function must take arrays, not tuples")
    name = keep if isinstance(keep, str) else getattr(keep, "__name__", "a function")
    deadline = None if time_limit is None else start + time_limit
    work = _Work(subject, values, signature.name, name, progress, start, deadline)
    other = other_run(spec.side) if spec is not None and spec.kind == "diverges" else None
    if other is not None:
        limits = {"time_limit": time_limit, "candidate_limit": candidate_limit, "jobs": jobs}
        limited_by = [limit for limit, value in limits.items() if value is not None]
        if limited_by:
            raise ArgumentError(
                f"{limited_by[0]} must not be given with keep='{keep}', which has no search with limits"
            )
        try:
            return work.at_fault(other)
        except KeyboardInterrupt:
            return work.untested(spec)
    try:
        work.begin(spec, keep)
    except KeyboardInterrupt:
        return work.untested(spec)
    if work.spec is not None:
        limit = candidate_limit or 20 + 5 * (time.monotonic() - start)
        work.spec = replace(work.spec, time_limit=limit)
    testers: list[Callable[[], Tester]] = []
    if work.spec is None:
        assert not isinstance(keep, str)
        testers.append(lambda: InProcess(_tested_by(keep)))
    else:
        testers += [lambda spec=variant: Workers(spec, jobs) for variant in work.specs]
    for number, tester in enumerate(testers, 1):
        search = Search(tester(), deadline, progress)
        try:
            reduction = work.run(search)
        finally:
            search.close()
        if reduction.steps or not reduction.is_finished or number == len(testers):
            return reduction
    raise AssertionError("there is a predicate")


def _tested_by(keep: Callable[..., Any]) -> Callable[[Excerpt], Outcome]:
    def test(candidate: Excerpt) -> Outcome:
        try:
            program = Program(parse_bytecode(None, candidate.module, "-", is_trusted=True))
            return Outcome(_holds(keep, program, candidate.arguments))
        except HlokitError as error:
            return Outcome(False, str(error))

    return test


def _holds(keep: Callable[..., Any], program: Program, arguments: Sequence[Value]) -> bool:
    """Whether a user's function keeps a program.

    Raises:
      ArgumentError: the function does not take such arguments.
    """
    try:
        return bool(keep(program, *arguments))
    except TypeError as error:
        if (wrong := wrong_arguments(keep, (program, *arguments), {})) is None:
            raise
        raise ArgumentError(
            f"keep must take a program and any number of arguments, keep(program, *arguments): {wrong}"
        ) from error


_UNKNOWN = Outcome(False)
_INTERRUPTED = Outcome(False, "interrupted before the program had shown the fault")


@dataclass(slots=True)
class _Work:
    """One reduction: the original program, the predicate, and the search for a smaller program."""

    program: Program
    values: Sequence[Value]
    function: str
    keep: str
    progress: Progress
    start: float
    deadline: float | None
    spec: Spec | None = None
    outcome: Outcome = field(default=_UNKNOWN)
    blamed: Sequence[Finding] = ()

    def begin(self, spec: Spec | None, keep: Keep) -> None:
        """Test the original program, and complete the predicate with its behaviour.

        Raises:
          ArgumentError: the program does not satisfy the predicate.
        """
        self.spec = spec
        self.progress("the original program", 0, 0)
        if spec is None:
            assert not isinstance(keep, str)
            program = self.program
            self.outcome = Outcome(_holds(keep, program, self.values))
        elif spec.kind == "diverges":
            self._begin_diff(spec)
        else:
            self._begin_test(spec)
        if not self.outcome.holds:
            reason = f": {self.outcome.what}" if self.outcome.what else ""
            raise ArgumentError(f"the program does not show the fault to keep ({self.keep}){reason}")

    def _begin_test(self, spec: Spec) -> None:
        """Test the program in a child process, which ends in time whatever the program does."""
        limit = self._first_limit()
        workers = Workers(replace(spec, time_limit=limit), 1)
        try:
            self.outcome = workers.test(self._original())
        finally:
            workers.close()
        self.spec = replace(spec, op=self.outcome.op, fault=self.outcome.kind)

    def untested(self, spec: Spec | None) -> Reduction:
        """The original program, after an interrupt before anything else was known."""
        state = State(Graph((), (), {}, {}), self._original(), _INTERRUPTED, [], lambda: None)
        effort = Effort(0, time.monotonic() - self.start, is_finished=False)
        return Reduction.of(state, None, Origin(self.program, self.function, self.keep, spec), effort)

    def _first_limit(self) -> float:
        """Seconds for the original program."""
        left = FIRST_LIMIT if self.deadline is None else self.deadline - time.monotonic()
        return max(0.1, min(FIRST_LIMIT, left))

    def _original(self) -> Excerpt:
        return Excerpt(write_bytecode(self._as_main().module), tuple(map(np.asarray, self.values)))

    def at_fault(self, other: Program | Recording) -> Reduction:
        """The operation whose values differ from those of another program or a recorded run."""
        self.progress("the program as it is", 0, 0)
        fault = operation_at_fault(self.program, self.values, self.function, other)
        effort = Effort(fault.tried, time.monotonic() - self.start, fault.is_finished)
        return Reduction.of_one(
            fault.program,
            fault.outcome,
            Origin(self.program, self.function, self.keep),
            effort,
            largest=fault.largest,
            operations=fault.operations,
        )

    def _as_main(self) -> Program:
        """The program with the function as its entry."""
        if self.program.signature().name == self.function:
            return self.program
        from hlokit.mlir.xla import as_main

        return Program(
            parse_bytecode(None, as_main(self.program.module.operation, self.function), "-", is_trusted=True)
        )

    def _begin_diff(self, spec: Spec) -> None:
        """Compare the program with the side; store the mode that found the difference, and the operation at
        fault.

        Single operations come first: compiling them costs less than compiling the program.
        """
        limit = self._first_limit()
        side = named_side(spec.side, limit)
        assert side is not None, "the predicate has been read"
        compared = partial(diff, self.program, against=side, function=self.function, time_limit=limit)
        summary = ""
        try:
            for mode in _IN_ORDER:
                report = compared(*self.values, mode=mode)
                results = [comparison for comparison in report.results if comparison.verdict in DIFFERING]
                if report.first is not None or results:
                    self._store_fault(spec, mode, report, results)
                    return
                summary = str(report).partition("\n")[0]
        finally:
            side.close()
        self.outcome = Outcome(False, summary)

    def _store_fault(self, spec: Spec, mode: Mode, report: DiffReport, results: Sequence[Comparison]) -> None:
        first = report.first
        comparison = results[0] if first is None else first.comparison
        self.outcome = outcome_of(comparison, "" if first is None else first.op)
        fault = replace(spec, op=self.outcome.op, fault=self.outcome.kind)
        if first is not None and mode == "isolated":
            self.blamed = report.differing
            # A candidate must differ in its results, and in the single operation: `auto` compares both.
            self.spec = replace(fault, mode="auto")
        else:
            self.spec = replace(fault, mode=mode)

    @property
    def specs(self) -> list[Spec]:
        """The predicates to try. If an operation is wrong in isolation, but no smaller program has other
        results, the fault of the single operation suffices.
        """
        assert self.spec is not None
        return [self.spec, replace(self.spec, mode="isolated")] if self.blamed else [self.spec]

    def run(self, search: Search) -> Reduction:
        """Reduce; returns the best program so far after an interrupt or at the time limit."""
        is_whole = True
        state = State(Graph((), (), {}, {}), self._original(), self.outcome, [], search.left)
        form: Form | None = None
        try:
            if self._cut_at_blame(search, state) or self._take_whole(search, state):
                self._reduce(search, state)
                form = self._form(search, state)
        except (KeyboardInterrupt, OutOfTime):
            is_whole = False
        origin = Origin(self.program, self.function, self.keep, self.spec)
        effort = Effort(search.tried, time.monotonic() - self.start, is_whole)
        reduction = Reduction.of(state, form, origin, effort)
        return self._with_lines(search, reduction) if is_whole else reduction

    def _with_lines(self, search: Search, reduction: Reduction) -> Reduction:
        """The reduction with the fault as its text shows it: other values than those of the steps before, and
        messages with lines of the text."""
        if self.spec is None or not reduction.outcome.holds:
            return reduction
        program = load_text(reduction.text)
        try:
            outcome = search.test(Excerpt(write_bytecode(program.module), reduction.arguments))
        except (KeyboardInterrupt, OutOfTime):
            return reduction
        return replace(reduction, outcome=outcome) if outcome.holds else reduction

    def _take_whole(self, search: Search, state: State) -> bool:
        """Begin with all operations that the run reached."""
        before = time.monotonic()
        graph, failure = capture(self.program, self.values, self.function, search.left())
        if isinstance(failure, TookTooLong):
            raise OutOfTime
        state.run_limit = 2 + 10 * (time.monotonic() - before)
        return take_first(state, search, "operations", [graph])

    def _cut_at_blame(self, search: Search, state: State) -> bool:
        """Begin with the single operation that the comparison found wrong."""
        if self.spec is None or not self.blamed:
            return False
        wanted = [finding for finding in self.blamed if finding.op == self.spec.op][:_MOST_BLAMED]
        graphs = (
            operation_alone(self.program, self.values, self.function, finding.order) for finding in wanted
        )
        return take_first(state, search, "the operation at fault", graphs)

    def _reduce(self, search: Search, state: State) -> None:
        while True:
            changed = passes.fewer_operations(state, search)
            changed |= passes.fewer_results(state, search)
            changed |= passes.earlier_results(state, search)
            if passes.expanded(state, search):
                continue
            changed |= passes.simpler_regions(state, search)
            changed |= elements.fewer_iterations(state, search)
            changed |= shapes.smaller_shapes(state, search)
            if not changed:
                break
        shapes.other_types(state, search)
        shapes.smaller_shapes(state, search)
        shapes.lower_ranks(state, search)
        elements.simpler_values(state, search)
        refresh(state)
        passes.fewer_operations(state, search)

    def _form(self, search: Search, state: State) -> Form | None:
        """The form in which the values become constants of the program; None if the program must take
        arguments."""
        forms: tuple[Form, ...] = ("constants", "barrier")
        # Users compare the whole program first, whose constants compilers may fold.
        spec = self.spec
        shown = (
            predicate_of(replace(spec, mode="auto")) if spec is not None and spec.kind == "diverges" else None
        )
        try:
            for form in forms:
                try:
                    candidate = build(state.graph, form)
                    if shown is None:
                        outcome = search.test(candidate)
                    else:
                        program = Program(parse_bytecode(None, candidate.module, "-", is_trusted=True))
                        outcome = shown.test(program, ())
                except HlokitError:
                    continue
                if outcome.holds:
                    state.outcome = outcome
                    return form
        finally:
            if shown is not None:
                shown.close()
        return None


# The modes of the first comparison.
_IN_ORDER: tuple[Mode, ...] = ("isolated", "whole", "values")
# The number of operations at fault that are tried alone.
_MOST_BLAMED = 8
