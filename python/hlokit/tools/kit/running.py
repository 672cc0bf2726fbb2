"""Runs of cases on a side: many cases in a module, smaller modules where one fails."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.display.printable import printable_line
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.kit.cases import Case, Unevaluated
from hlokit.tools.kit.judging import Outcome, judge, not_run
from hlokit.tools.kit.recipes import kind_of
from hlokit.tools.kit.reduced import reduced, shown
from hlokit.tools.kit.stages import stage_of

Array = npt.NDArray[Any]
# After so many crashes or time-outs of an operation on a type, its other cases are not run.
MOST_DEATHS = 3
# After so many of a side that has answered nothing, no other case is run.
MOST_IN_VAIN = 12
_DEADLY = ("crash", "time-out", "killed")


@dataclass(slots=True)
class Running:
    """The run of cases on a side.

    Args:
      side: where cases run.
      names_stages: whether the first failure of an operation on a type names the compiler's stage.
      witnesses: other sides, whose opinions of a failing program stand in its comments.

    Attributes:
      unrepeatable: ids of cases that failed, and had other values when they were repeated.
    """

    side: Side
    names_stages: bool = False
    witnesses: Sequence[Side] = ()
    unrepeatable: list[str] = field(default_factory=list[str])
    _staged: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    _shown: set[str] = field(default_factory=set[str])
    _deaths: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    _has_answered: bool = False
    _in_vain: int = 0

    def run(self, cases: Iterable[Case | Unevaluated]) -> Iterator[Outcome]:
        """The outcomes of cases, batch by batch."""
        waiting = iter(cases)
        while planned := list(islice(waiting, max(1, self.side.batch))):
            batch = [case for case in planned if isinstance(case, Case)]
            yield from (not_run(case) for case in planned if isinstance(case, Unevaluated))
            yield from self._batch([case for case in batch if case.is_one_function])
            for case in batch:
                if not case.is_one_function:
                    yield from self._batch([case])

    def _batch(self, cases: Sequence[Case]) -> Iterator[Outcome]:
        if not self._has_answered and self._in_vain >= MOST_IN_VAIN:
            reason = f"the side has ended {MOST_IN_VAIN} times, and answered nothing"
            yield from (Outcome(case.id, "not run", reason) for case in cases)
            return
        deadly = [case for case in cases if self._deaths[case.operation, case.type_] >= MOST_DEATHS]
        for case in deadly:
            yield Outcome(case.id, "not run", f"{MOST_DEATHS} other cases ended the process or took too long")
        alive = [case for case in cases if case not in deadly]
        if not alive:
            return
        start = time.perf_counter()
        try:
            results = self._results(alive)
        except SideFailed as failure:
            self._in_vain += failure.kind in _DEADLY
            self._has_answered |= failure.kind not in _DEADLY
            if len(alive) > 1:
                middle = len(alive) // 2
                yield from self._batch(alive[:middle])
                yield from self._batch(alive[middle:])
                return
            yield self._failed(alive[0], failure)
            return
        self._has_answered = True
        seconds = (time.perf_counter() - start) / len(alive)
        for case, values in zip(alive, results, strict=True):
            outcome = self._judged(case, values, is_alone=len(alive) == 1)
            yield replace(outcome, seconds=seconds)

    def _results(self, cases: Sequence[Case]) -> list[list[Array]]:
        """The results of cases that share a module."""
        if len(cases) == 1:
            return [self.side.run(cases[0].text, cases[0].inputs)]
        inputs = [value for case in cases for value in case.inputs]
        flat = self.side.run(together(cases), inputs)
        results: list[list[Array]] = []
        for case in cases:
            count = len(case.alone.expected)
            results.append(flat[:count])
            flat = flat[count:]
        return results

    def _judged(self, case: Case, results: Sequence[Array], *, is_alone: bool) -> Outcome:
        """The verdict; a case that fails is repeated alone.

        Args:
          is_alone: whether no other cases shared its module.
        """
        outcome = judge(case, [np.asarray(value) for value in results])
        if outcome.verdict != "failed":
            return outcome
        try:
            again = self.side.run(case.text, case.inputs)
            is_same = _same_bytes(results, again)
            # A compiler may give other values beside other operations, and the same values every time.
            is_stable = is_same or (
                not is_alone and _same_bytes(again, self.side.run(case.text, case.inputs))
            )
        except SideFailed as failure:
            return self._failed(case, failure)
        if not is_stable:
            self.unrepeatable.append(case.id)
            return replace(outcome, reason=f"{outcome.reason}; other values when repeated: not repeatable")
        second = judge(case, [np.asarray(value) for value in again])
        if second.verdict != "failed":
            return replace(outcome, reason=f"{outcome.reason}; among other cases only, it passes alone")
        return replace(second, stage=self._stage(case), program=self._program(case, again, second.reason))

    def _stage(self, case: Case) -> str:
        kind = (case.operation, case.type_)
        if not self.names_stages or kind in self._staged:
            return ""
        self._staged.add(kind)
        return stage_of(case, self.side.name)

    def _program(
        self, case: Case, results: Sequence[Any] | None, reason: str, *, may_repeat: bool = True
    ) -> str:
        """The program of the first failure of an operation, whether it broadcasts or not, on a type."""
        kind = f"{kind_of(case.operation, case.type_)}, {case.type_}"
        if kind in self._shown:
            return ""
        self._shown.add(kind)
        if not may_repeat:
            return shown(case, reason)
        values = None if results is None else [np.asarray(value) for value in results]
        return reduced(case, values, reason, self.side, self.witnesses)

    def _failed(self, case: Case, failure: SideFailed) -> Outcome:
        if failure.kind == "unsupported":
            return Outcome(case.id, "unsupported", printable_line(failure.reason))
        self._deaths[case.operation, case.type_] += failure.kind in _DEADLY
        reason = printable_line(str(failure))
        # What took too long, or too much memory, would do so again.
        program = self._program(case, None, reason, may_repeat=failure.kind in ("crash", "error"))
        return Outcome(case.id, "failed", reason, program=program)


def _same_bytes(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return [np.asarray(value).tobytes() for value in one] == [np.asarray(value).tobytes() for value in other]


def together(cases: Sequence[Case]) -> str:
    """A module whose `main` calls a function for each case."""
    lines: list[str] = []
    parameters: list[str] = []
    results: list[str] = []
    types: list[str] = []
    functions: list[str] = []
    for number, case in enumerate(cases):
        applied = case.alone.applied
        names = [f"%c{number}_{position}" for position in range(len(applied.operands))]
        parameters += [f"{name}: {type_}" for name, type_ in zip(names, applied.operands, strict=True)]
        outputs = applied.results_of(f"%r{number}")
        count = f":{len(outputs)}" if len(outputs) > 1 else ""
        signature = f"({', '.join(applied.operands)}) -> ({', '.join(applied.results)})"
        lines.append(f"%r{number}{count} = func.call @case{number}({', '.join(names)}) : {signature}")
        results += outputs
        types += applied.results
        functions.append(case.text.replace("func.func @main(", f"func.func private @case{number}(", 1))
    body = "\n  ".join([*lines, f"return {', '.join(results)} : {', '.join(types)}"])
    main = f"func.func @main({', '.join(parameters)}) -> ({', '.join(types)}) {{\n  {body}\n}}\n"
    return main + "".join(functions)
