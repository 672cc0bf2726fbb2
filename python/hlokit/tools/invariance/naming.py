"""The first operation that does not keep the bytes of rows, although its exact numbers do.

The program runs on hlokit for the batch and for a trial, on floats and on exact numbers. The exact numbers of
an operation's result say along which axis it has rows, or that it does not depend on their order. If its
floats then have other bytes, the operation adds in another order, or rounds what depends on other rows. On
another side, each operation runs alone, on the operands that it has on hlokit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.programs.loading import load
from hlokit.programs.program import Program
from hlokit.tools.backends.side import Side, SideFailed, flat_values
from hlokit.tools.diff.isolation.specimens import is_alone, module_of_step
from hlokit.tools.equal.rules.numbers import is_exact_array, number_of
from hlokit.tools.equal.runs import ExactProgram, exact_arguments
from hlokit.tools.invariance.evaluations import Evaluation, Evaluations, shown
from hlokit.tools.invariance.sizes import Batch, Trial

# Operations that run alone on another side.
_MOST_ALONE = 200

Rows = Callable[[Any], Any]


class _Pair(NamedTuple):
    """An operation in both runs, and which elements of its result must have the same bytes.

    Attributes:
      rows: of the batch's result and of the trial's; None if the exact numbers differ.
    """

    batch: Evaluation
    trial: Evaluation
    rows: tuple[Rows, Rows] | None

    def differ(self, one: Any, other: Any) -> bool:
        """Whether results have other bytes in the rows that must be the same."""
        assert self.rows is not None, "the exact numbers are the same"
        here, there = self.rows
        return np.ascontiguousarray(here(one)).tobytes() != np.ascontiguousarray(there(other)).tobytes()


def changed_on_hlokit(batch: Batch, trial: Trial) -> set[int]:
    """The results of which rows have other bytes on hlokit.

    Raises:
      EvaluationError, UnsupportedError: hlokit does not run the program.
    """
    outputs: list[list[Any]] = []
    for values in (list(batch.values), batch.with_rows(trial.change)):
        program = load(batch.module_of(values))
        results = program.runs.evaluate(values, batch.function)
        outputs.append(
            [np.asarray(result) for result in flat_values(results, program.signature(batch.function).outputs)]
        )
    kept = batch.kept_rows(trial, *outputs)
    return {number for number, (wanted, got) in kept.items() if wanted.tobytes() != got.tobytes()}


def first_operation(side: Side | None, batch: Batch, trial: Trial) -> str:
    """The operation, its function and location; "" if no operation alone does it.

    Args:
      side: what runs operations alone; None for those of hlokit's run.

    Raises:
      EvaluationError, UnsupportedError: hlokit does not run the program.
    """
    pairs = _pairs(batch, trial)
    if side is None or side.name == "hlokit":
        return next((shown(pair.batch.step) for pair in pairs if _differs_on_hlokit(pair)), "")
    alone = [pair for pair in pairs if pair.rows is not None and is_alone(pair.batch.step)]
    for pair in alone[:_MOST_ALONE]:
        if not _differs_on_hlokit(pair) and _differs_on(side, pair):
            return shown(pair.batch.step)
    return ""


def _differs_on_hlokit(pair: _Pair) -> bool:
    return pair.rows is not None and pair.differ(pair.batch.results[0], pair.trial.results[0])


def _differs_on(side: Side, pair: _Pair) -> bool:
    """Whether the operation alone has other bytes on a side."""
    results: list[list[Any]] = []
    for run in (pair.batch, pair.trial):
        module, arguments = module_of_step(run.step, run.operands, run.results)
        try:
            results.append(side.run(module, [np.asarray(run.operands[number]) for number in arguments]))
        except SideFailed:
            return False
    return pair.differ(results[0][0], results[1][0])


# Runs ------------------------------------------------------------------------------------------------


def _pairs(batch: Batch, trial: Trial) -> list[_Pair]:
    """The operations of a run on the batch and of a run on the trial, if both are the same."""
    floats: list[list[Evaluation]] = []
    exact: list[list[Evaluation]] = []
    for values in (list(batch.values), batch.with_rows(trial.change)):
        program = load(batch.module_of(values))  # for these sizes, so that both have the same operations
        floats.append(_floats(program, batch.function, values))
        exact.append(_exact(program, batch.function, values))
    names = {tuple([evaluation.step.name for evaluation in run]) for run in (*floats, *exact)}
    if len(names) != 1:
        return []
    return [
        _Pair(one, other, _rows(batch, trial, here.results[0], there.results[0]))
        for one, other, here, there in zip(*floats, *exact, strict=True)
        if one.results and isinstance(one.results[0], np.ndarray | np.generic)
    ]


def _floats(program: Program, function: str, values: Sequence[Any]) -> list[Evaluation]:
    evaluations = Evaluations()
    program.runs.evaluate(list(values), function, observer=evaluations)
    return evaluations.in_order()


def _exact(program: Program, function: str, values: Sequence[Any]) -> list[Evaluation]:
    evaluations = Evaluations()
    exact = ExactProgram(program, observers=(evaluations,))
    types, _ = exact.types(function)
    with np.errstate(all="ignore"):
        exact.run(function, exact_arguments(list(values), types, 0))
    return evaluations.in_order()


def _rows(batch: Batch, trial: Trial, one: Any, other: Any) -> tuple[Rows, Rows] | None:
    """The rows of two results that have the same exact numbers: along an axis, or the whole result."""
    for axis, size in enumerate(np.shape(one)):
        if size == batch.count and np.ndim(one) > batch.axis:
            here, there = _along(batch, trial, axis)
            if _are_same(here(one), there(other)):
                return here, there
    return (np.asarray, np.asarray) if _are_same(one, other) else None


def _along(batch: Batch, trial: Trial, axis: int) -> tuple[Rows, Rows]:
    kept = (slice(None),) * batch.axis + (trial.kept,)

    def here(result: Any) -> Any:
        return trial.change(np.moveaxis(np.asarray(result), axis, batch.axis))[kept]

    def there(result: Any) -> Any:
        return np.moveaxis(np.asarray(result), axis, batch.axis)[kept]

    return here, there


def _are_same(one: Any, other: Any) -> bool:
    if np.shape(one) != np.shape(other):
        return False
    if not is_exact_array(one):
        return np.array_equal(one, other)
    parts = zip(number_of(one).parts, number_of(other).parts, strict=True)
    return all(np.array_equal(mine, theirs) for mine, theirs in parts)
