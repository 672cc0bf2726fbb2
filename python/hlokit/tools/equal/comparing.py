"""`equal`: whether two programs mean the same, from runs on exact numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hlokit.engine.plan.executors import Observer
from hlokit.engine.plan.locations import source_text
from hlokit.errors import ArgumentError, for_callers
from hlokit.operations.cards import cards
from hlokit.tools.equal.bounding import bounds_between, require_bounds
from hlokit.tools.equal.constant_values import ConstantValues, are_rounded
from hlokit.tools.equal.following import Degrees, Fingerprints, fingerprint
from hlokit.tools.equal.rules.constants import ROUNDED_CONSTANTS, ConstantTable, DisturbedConstants
from hlokit.tools.equal.rules.formulas import LAWS
from hlokit.tools.equal.rules.meanings import NO_ASSUMPTIONS, Assumptions, Uninterpreted
from hlokit.tools.equal.rules.numbers import exact_type, floats_of, is_unknown, number_of
from hlokit.tools.equal.runs import ExactRun, NoteCounts, exact_arguments
from hlokit.tools.equal.sides import Pairing, Side, paired, side_of
from hlokit.tools.equal.verdict import Reason, ResultCompared, Verdict

# Floats that differ by a larger part of the largest differ by more than rounding.
_CLOSE = 1e-6
# Floats of equal numbers that differ by a larger part of their size are not of equal numbers.
_FAR = 1e-2
# How many times the effect of rounding errors of constants is the most that rounding explains.
_EFFECTS = 16
_FLOATS_DIFFER = "has other floats than that of the first program, although the exact numbers are equal,"
# Runs on different unknown numbers.
RUNS = 2


@dataclass(frozen=True, slots=True)
class Question:
    """Two sides, and what to compare.

    Attributes:
      arguments: of the first side; None for examples, others in each run.
      runs: the number of runs.
      seed: of the first run's unknown numbers.
    """

    one: Side
    other: Side
    pairing: Pairing
    arguments: Sequence[Any] | None = None
    runs: int = RUNS
    seed: int = 0


def decide(question: Question) -> Verdict:
    """Run both sides on unknown numbers, and compare the results.

    If results differ, also with the identities of functions; those that are not needed are left out again.

    Raises:
      EvaluationError, UnsupportedError: a side does not run.
    """
    plain = _attempt(question, frozenset())
    if plain.is_equal:
        return plain
    rounded = _attempt(question, frozenset([ROUNDED_CONSTANTS]))
    if rounded.is_equal:
        return replace(rounded, identities=(ROUNDED_CONSTANTS,))
    needed = all_identities()
    for opaque in (False, True):
        with_all = _attempt(question, needed, opaque)
        if with_all.is_equal:
            for identity in sorted(needed):
                if _attempt(question, needed - {identity}, opaque).is_equal:
                    needed = needed - {identity}
            return replace(with_all, identities=tuple(sorted(needed)))
    return _located(question, _without_rounding(question, plain))


def _without_rounding(question: Question, verdict: Verdict) -> Verdict:
    """Inconclusive instead of different, if constants that differ may be rounded, and so may the results."""
    if verdict.status != "differs":
        return verdict
    constants = _constants_of(question)
    _, exact = _arguments(question, 0, NO_ASSUMPTIONS)
    runs = _run_both(question, exact, NO_ASSUMPTIONS, constants)
    are_close = all(result.is_close for result in verdict.results)
    if not (are_close and are_rounded(*constants)):
        if not are_rounded(*constants, enough=np.any):
            return verdict
        disturbed = _run_both(question, exact, Assumptions(constants=DisturbedConstants()))
        if not _is_within_effects(question.pairing, runs, disturbed):
            return verdict
    why = "may be the rounding of numbers that the other program computes"
    reasons = [
        Reason(program, "constants", "", why, len(values.literals), decides=True)
        for program, values in zip(("first", "second"), constants, strict=True)
    ]
    return replace(verdict, status="inconclusive", reasons=tuple(reasons))


def _constants_of(question: Question) -> tuple[ConstantValues, ConstantValues]:
    return ConstantValues(question.one.program), ConstantValues(question.other.program)


def _is_within_effects(
    pairing: Pairing, runs: tuple[ExactRun, ExactRun], disturbed: tuple[ExactRun, ExactRun]
) -> bool:
    """Whether results differ by no more than a multiple of what rounding errors of constants do to them."""
    for here, there in enumerate(pairing.results):
        effects = [
            _largest_gap(run.results[number], changed.results[number])
            for number, run, changed in zip((here, there), runs, disturbed, strict=True)
        ]
        gap = _largest_gap(runs[0].results[here], runs[1].results[there])
        if not gap <= _EFFECTS * max(effects):
            return False
    return True


def _largest_gap(one: Any, other: Any) -> float:
    """The largest difference of the floats; infinite where one of them is NaN."""
    if isinstance(one, tuple):
        items: Any = zip(one, other, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of values
        return max((_largest_gap(*pair) for pair in items), default=0.0)
    if not isinstance(one, np.ndarray | np.generic):
        return 0.0
    left, right = _complex_floats(one), _complex_floats(other)
    is_same = (left == right) | (np.isnan(left) & np.isnan(right))
    return float(np.nan_to_num(np.where(is_same, 0, np.abs(left - right)), nan=np.inf).max(initial=0))


def _complex_floats(value: Any) -> Any:
    return np.asarray(floats_of(value)).astype(np.complex128)


def all_identities() -> frozenset[str]:
    """The names of all identities."""
    of_functions = [
        identity.name
        for card in cards()
        if isinstance(card.exact, Uninterpreted)
        for identity in card.exact.identities
    ]
    return frozenset((ROUNDED_CONSTANTS, *of_functions))


def _attempt(question: Question, identities: frozenset[str], opaque: bool = False) -> Verdict:
    """The verdict of the runs; the first run whose results differ decides.

    Args:
      opaque: see `Assumptions.has_opaque_quotients`.
    """
    degrees, results, reasons = Degrees(), list[ResultCompared](), list[Reason]()
    assumptions = Assumptions(identities, has_opaque_quotients=opaque)
    if ROUNDED_CONSTANTS in identities:
        constants = _constants_of(question)
        _, exact = _arguments(question, 0, assumptions)
        _run_both(question, exact, assumptions, constants)
        computed = [item for program in constants for item in program.computed]
        literals = constants[0].literals, constants[1].literals
        assumptions = assumptions._replace(constants=ConstantTable(computed, literals))
    values: Sequence[Any] = ()
    for run in range(question.runs):
        values, first, second = _run(question, run, assumptions, degrees)
        results = _compared(first.results, second.results, question.pairing)
        reasons = [*_reasons("first", first.notes), *_reasons("second", second.notes)]
        if not all(result.is_equal for result in results):
            is_open = any(reason.decides for reason in reasons)
            is_open |= bool(reasons) and all(result.is_close for result in results)
            status = "inconclusive" if is_open else "differs"
            return Verdict(
                status, tuple(results), run + 1, degrees.largest, (), "", tuple(reasons), tuple(values)
            )
        far = [Reason("second", row.name, "", _FLOATS_DIFFER, 1, True) for row in results if not row.is_close]
        if far:
            return Verdict("inconclusive", tuple(results), run + 1, degrees.largest, reasons=tuple(far))
    _, exact = _arguments(question, 0, NO_ASSUMPTIONS)
    return Verdict(
        "equal",
        tuple(results),
        question.runs,
        degrees.largest,
        reasons=tuple(reasons),
        arguments=tuple(values),
        has_unknowns=any(map(is_unknown, exact)),
    )


def _run(
    question: Question, run: int, assumptions: Assumptions, observer: Observer
) -> tuple[Sequence[Any], ExactRun, ExactRun]:
    values, exact = _arguments(question, run, assumptions)
    return values, *_run_both(question, exact, assumptions, (observer, observer))


def _run_both(
    question: Question, exact: Sequence[Any], assumptions: Assumptions, observers: Sequence[Observer] = ()
) -> tuple[ExactRun, ExactRun]:
    """Run both sides on the first one's exact arguments.

    Args:
      observers: of each side; none if empty.
    """
    there = [exact[number] for number in question.pairing.arguments]
    with np.errstate(all="ignore"):
        first = question.one.run(exact, assumptions, observers[:1])
        return first, question.other.run(there, assumptions, observers[1:])


def _arguments(question: Question, run: int, assumptions: Assumptions) -> tuple[Sequence[Any], list[Any]]:
    """The arguments of the first side, and as exact numbers."""
    is_lawful = not assumptions.identities.isdisjoint(LAWS)
    types = [exact_type(type_, is_lawful=is_lawful) for type_ in question.one.types[0]]
    seed = question.seed + run
    if question.arguments is not None:
        return question.arguments, exact_arguments(question.arguments, types, seed)
    values = question.one.examples(seed)
    return values, exact_arguments(values, types, seed)


def _compared(first: Sequence[Any], second: Sequence[Any], pairing: Pairing) -> list[ResultCompared]:
    return [
        _compare(f"result {number}", first[number], second[there])
        for number, there in enumerate(pairing.results)
    ]


def _compare(name: str, one: Any, two: Any) -> ResultCompared:
    if isinstance(one, tuple):
        pairs: Any = zip(one, two, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of values
        for number, (item, other) in enumerate(pairs):
            compared = _compare(f"{name}[{number}]", item, other)
            if not compared.is_equal:
                return compared
        return ResultCompared(name)
    if not isinstance(one, np.ndarray | np.generic):
        return ResultCompared(name)
    left, right = _array(one), _array(two)
    if left.shape != right.shape:
        return ResultCompared(name, (), (float("nan"), float("nan")), left.size)
    if left.dtype.names is None:
        wrong = np.asarray(left != right)
    else:
        wrong = np.zeros(left.shape, np.bool_)
        for part, other in zip(number_of(left).parts, number_of(right).parts, strict=True):
            wrong = wrong | (part != other)
    if not wrong.any():
        floats = np.asarray(floats_of(left))
        undefined = int(np.isnan(floats).sum()) if floats.dtype.kind in "fc" else 0
        return ResultCompared(name, is_close=_do_floats_agree(left, right), undefined=undefined)
    index = tuple([int(axis) for axis in np.unravel_index(int(wrong.argmax()), wrong.shape)])
    floats = [np.asarray(floats_of(side)) for side in (left, right)]
    values = floats[0][index].item(), floats[1][index].item()
    return ResultCompared(name, index, values, int(wrong.sum()), _are_close(floats[0], floats[1]))


def _do_floats_agree(one: Any, two: Any) -> bool:
    """Whether the floats of equal numbers agree, too, but for what rounding in f64 may do; not so if a factor
    is a power of 2^61, which is 1 in the field."""
    if one.dtype.names is None:
        return True
    left, right = floats_of(one), floats_of(two)
    sizes = np.maximum(np.abs(left), np.abs(right))
    is_judged = np.isfinite(sizes) & np.any([part != 0 for part in number_of(one).parts], axis=0)
    largest = sizes[is_judged].max(initial=0)
    gap = np.abs(left[is_judged] - right[is_judged])
    return bool((gap <= np.maximum(_FAR * sizes[is_judged], _CLOSE * largest)).all())


def _array(value: Any) -> Any:
    return np.asarray(value)


def _are_close(one: Any, two: Any) -> bool:
    """Whether floats differ by rounding alone: all runs follow the same arithmetic in f64."""
    if one.dtype.kind not in "fc":
        return False
    sizes = np.abs(one[np.isfinite(one)])
    return bool(np.allclose(one, two, rtol=_CLOSE, atol=_CLOSE * sizes.max(initial=0), equal_nan=True))


def _reasons(program: str, notes: NoteCounts) -> list[Reason]:
    return [
        Reason(program, name, _shown(location), note.reason, count, note.decides)
        for (name, location, note), count in notes.items()
    ]


def _shown(location: str) -> str:
    return source_text(location) or location.removeprefix("loc(").removesuffix(")").replace("unknown", "")


def _located(question: Question, verdict: Verdict) -> Verdict:
    """The verdict with the first operation whose value the other program does not compute."""
    prints = Fingerprints(), Fingerprints()
    _, exact = _arguments(question, verdict.runs - 1, NO_ASSUMPTIONS)
    first, second = _run_both(question, exact, NO_ASSUMPTIONS, prints)
    inputs = set(map(fingerprint, exact))
    wrong = [number for number, result in enumerate(verdict.results) if not result.is_equal]
    ours = [first.results[number] for number in wrong]
    theirs = [second.results[question.pairing.results[number]] for number in wrong]
    here = prints[0].first_missing(prints[1], inputs, ours)
    other = prints[1].first_missing(prints[0], inputs, theirs)
    places = [
        f"{place} of the {side} program" for place, side in ((here, "first"), (other, "second")) if place
    ]
    return replace(verdict, operation=", ".join(places))


@for_callers
def equal(
    one: Any,
    other: Any,
    *arguments: Any,
    function: str | None = None,
    other_function: str | None = None,
    map: Mapping[str, Mapping[int, int]] | None = None,  # as the flag
    runs: int = RUNS,
    seed: int = 0,
    bound: bool = False,
    **keywords: Any,
) -> Verdict:
    """Whether two programs mean the same over exact arithmetic, without tolerance (docs/equal.md).

        hlokit.equal(before, after).require()
        hlokit.equal(jax.nn.softmax, my_softmax, x)

    Args:
      one, other: programs, files, sharded programs, or functions of JAX, which need example arguments.
      arguments, keywords: of the first program; without them, examples of its types.
      function, other_function: the names of the functions; by default the entry functions.
      map: `arguments` and `results`: numbers of the first program to those of the second.
      runs: the number of runs, each on other unknown numbers.
      seed: of the unknown numbers of the first run, and of its examples.
      bound: whether to prove how far the floats of equal programs may differ, for the arguments of the last
        run; only between programs of one process.

    Raises:
      ArgumentError: the programs' types do not fit each other, or the arguments do not fit.
      EvaluationError, UnsupportedError: a program does not run.
    """
    if runs < 1:
        raise ArgumentError(f"runs must be at least 1, got {runs}")
    if seed < 0:
        raise ArgumentError(f"seed must not be negative, got {seed}")
    sides = (
        side_of(one, function, arguments, keywords),
        side_of(other, other_function or function, arguments, keywords),
    )
    if bound:
        require_bounds(*sides)
    values = sides[0].values(arguments, keywords) if arguments or keywords else None
    question = Question(*sides, paired(*sides, map), values, runs, seed)
    verdict = decide(question)
    if not bound or not verdict.is_equal:
        return verdict
    return replace(verdict, bounds=tuple(bounds_between(*sides, question.pairing, verdict)))
