"""`equal`: whether two programs mean the same, from runs on exact numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from hlokit.engine.plan.executors import Observer
from hlokit.engine.plan.locations import source_text
from hlokit.errors import ArgumentError, for_callers
from hlokit.operations.cards import cards
from hlokit.tools.equal.bounding import bounds_between, require_bounds
from hlokit.tools.equal.constant_values import (
    Constants,
    ConstantValues,
    are_rounded,
    have_same_literals,
    table_of,
)
from hlokit.tools.equal.crossing import Crossing
from hlokit.tools.equal.following import Fingerprints, fingerprint
from hlokit.tools.equal.integers import with_other_integers
from hlokit.tools.equal.results import compared_outfeeds, compared_results, is_within_effects
from hlokit.tools.equal.rules.constants import ROUNDED_CONSTANTS, ConstantTable, DisturbedConstants
from hlokit.tools.equal.rules.formulas import LAWS, LOG_OF_PRODUCT, SYMMETRY
from hlokit.tools.equal.rules.meanings import NO_ASSUMPTIONS, Assumptions, Uninterpreted
from hlokit.tools.equal.rules.numbers import exact_type, is_exact_array, is_unknown, number_of
from hlokit.tools.equal.runs import ExactRun, NoteCounts, exact_arguments
from hlokit.tools.equal.sides import ExactFunction, Pairing, Side, paired, side_of
from hlokit.tools.equal.verdict import Reason, ResultCompared, Status, Verdict

_IDENTITY = "may obey an identity that hlokit does not know, since the floats agree to the last digits,"
_FLOATS_DIFFER = "has other floats than that of the first program, although the exact numbers are equal,"
# At most so many runs on different unknown numbers, unless the caller says how many.
RUNS = 2
# With arguments of the caller, all runs compute the same floats. Then one run is enough that fails to see a
# difference with at most this probability, or for which there is no bound.
_UNSEEN = 1e-12


@dataclass(frozen=True, slots=True)
class Question:
    """Two sides, and what to compare.

    Attributes:
      arguments: of the first side; None for examples, others in each run.
      runs: the number of runs; None for as many as needed.
      seed: of the first run's unknown numbers.
      iterations: how many iterations of each loop are compared; None for all.
      has_identities: whether identities of functions may be assumed.
      has_same_operations: whether both sides have the same operations: then no constant was computed.
      are_known: whether the floats among the arguments stand for themselves.
      stops_if_close: whether results that differ, but are the same in f64 apart from roundings, decide: then
        no identities are tried.
    """

    one: Side
    other: Side
    pairing: Pairing
    arguments: Sequence[Any] | None = None
    runs: int | None = None
    seed: int = 0
    iterations: int | None = None
    has_identities: bool = True
    has_same_operations: bool = False
    are_known: bool = False
    stops_if_close: bool = False

    def assuming(self, identities: frozenset[str] = frozenset()) -> Assumptions:
        """What runs of both sides assume."""
        return Assumptions(identities, iterations=self.iterations)

    def needs_more(self, verdict: Verdict) -> bool:
        """Whether another run may change or strengthen a verdict that programs are equal."""
        if self.runs is not None:
            return verdict.runs < self.runs
        is_sure = verdict.error is None or verdict.error <= _UNSEEN  # no run gives a bound if one does not
        return not verdict.runs or (verdict.runs < RUNS and not (is_sure and self.arguments is not None))


def decide(question: Question) -> Verdict:
    """Run both sides on unknown numbers, and compare the results.

    If results differ, also with the identities of functions; those that are not needed are left out again.

    Raises:
      EvaluationError, UnsupportedError: a side does not run.
    """
    plain = _attempt(question, frozenset())
    if plain.is_equal or (question.stops_if_close and plain.is_close):
        return plain
    if question.has_same_operations:
        return _located(question, plain)
    runs, constants = _observed(question, question.assuming())
    if not any(values.has_floats for values in constants):
        return _located(question, plain)
    have_same = have_same_literals(*constants)
    for combined, is_shared in ((1, False), (0, False), (1, True), (0, True)):
        if is_shared or not have_same:
            table = table_of(constants, combined, is_shared=is_shared)
            rounded = _attempt(question, frozenset([ROUNDED_CONSTANTS]), table=table)
            if rounded.is_equal:
                return rounded
    every = all_identities() - ({ROUNDED_CONSTANTS} if have_same else set())
    # A sum such as a + a is no product, so that some results agree only without the logarithms of products.
    attempts = [(names, opaque) for names in (every - {LOG_OF_PRODUCT}, every) for opaque in (False, True)]
    for identities, opaque in attempts if question.has_identities else ():
        verdict = _attempt(question, identities, opaque)
        if verdict.is_equal:
            return _with_needed(question, verdict, opaque)
    return _located(question, _without_rounding(question, plain, runs, constants))


def _observed(question: Question, assumptions: Assumptions) -> tuple[tuple[ExactRun, ExactRun], Constants]:
    """Runs of both sides, and the constants in them."""
    constants = ConstantValues(question.one.program), ConstantValues(question.other.program)
    _, exact = _arguments(question, 0, assumptions)
    return _run_both(question, exact, assumptions, constants), constants


def _with_needed(question: Question, verdict: Verdict, opaque: bool) -> Verdict:
    """The verdict that programs are equal, with the identities that are needed."""
    needed = frozenset(verdict.identities)
    for identity in verdict.identities:
        without = _attempt(question, needed - {identity}, opaque)
        if without.is_equal:
            verdict, needed = without, needed - {identity}
    return verdict


def _without_rounding(
    question: Question, verdict: Verdict, runs: tuple[ExactRun, ExactRun], constants: Constants
) -> Verdict:
    """Inconclusive instead of different, if constants that differ may be rounded, and so may the results."""
    if verdict.status != "differs":
        return verdict
    are_close = all(result.is_close for result in verdict.results)
    if not (are_close and are_rounded(*constants)):
        if not are_rounded(*constants, enough=np.any):
            return verdict
        _, exact = _arguments(question, 0, NO_ASSUMPTIONS)
        disturbed = _run_both(question, exact, question.assuming()._replace(constants=DisturbedConstants()))
        if not is_within_effects(question.pairing, runs, disturbed, range(len(question.pairing.results))):
            return verdict
    why = "may be the rounding of numbers that the other program computes"
    reasons = [
        Reason(program, "constants", "", why, len(values.literals), decides=True)
        for program, values in zip(("first", "second"), constants, strict=True)
    ]
    return replace(verdict, status="inconclusive", reasons=tuple(reasons))


def all_identities() -> frozenset[str]:
    """The names of all identities."""
    of_functions = [
        identity.name
        for card in cards()
        if isinstance(card.exact, Uninterpreted)
        for identity in card.exact.identities
    ]
    return frozenset((ROUNDED_CONSTANTS, SYMMETRY, *of_functions))


def _attempt(
    question: Question,
    identities: frozenset[str],
    opaque: bool = False,
    table: ConstantTable | None = None,
) -> Verdict:
    """The verdict of the runs; the first run whose results differ decides.

    Args:
      opaque: see `Assumptions.has_opaque_quotients`.
      table: of rounded constants; None to make it of a run with the same identities.
    """
    assumptions = question.assuming(identities)._replace(has_opaque_quotients=opaque)
    if ROUNDED_CONSTANTS in identities:
        table = table or table_of(_observed(question, assumptions)[1])
        assumptions = assumptions._replace(constants=table)
    functions = _planned(question, assumptions)
    verdict = Verdict("equal", (), 0, 1.0, identities=tuple(sorted(identities)))
    while verdict.is_equal and question.needs_more(verdict):
        verdict = _run_again(question, functions, assumptions, verdict)
    return verdict


def _run_again(
    question: Question,
    functions: tuple[ExactFunction, ExactFunction],
    assumptions: Assumptions,
    earlier: Verdict,
) -> Verdict:
    """The verdict of one more run, on other unknown numbers."""
    values, exact = _arguments(question, earlier.runs, assumptions)
    first, second = _run_planned(question, functions, exact)
    results = compared_results(first.results, second.results, question.pairing)
    returned = len(results)
    results += compared_outfeeds(first, second)
    reasons = [*_reasons("first", first.notes), *_reasons("second", second.notes)]
    status: Status = "equal"
    if not all(result.is_equal for result in results):
        reasons += _identity_reasons(results, (first, second))
        status = "inconclusive" if _is_open(results, reasons) else "differs"
    else:
        far = [number for number, result in enumerate(results[:returned]) if not result.is_close]
        disturbed = assumptions._replace(constants=DisturbedConstants())
        if far and not is_within_effects(
            question.pairing, (first, second), _run_both(question, exact, disturbed), far
        ):
            status = "inconclusive"
            reasons = [Reason("second", results[n].name, "", _FLOATS_DIFFER, 1, True) for n in far]
    return replace(
        earlier,
        status=status,
        results=tuple(results),
        runs=earlier.runs + 1,
        degree=max(earlier.degree, _largest_degree(first), _largest_degree(second)),
        reasons=tuple(reasons),
        arguments=tuple(values),
        has_unknowns=any(map(is_unknown, exact)),
    )


def _is_open(results: Sequence[ResultCompared], reasons: Sequence[Reason]) -> bool:
    """Whether results that differ may be equal for a reason."""
    are_close = bool(reasons) and all(result.is_close for result in results)
    return are_close or any(reason.decides for reason in reasons)


def _identity_reasons(results: Sequence[ResultCompared], runs: tuple[ExactRun, ExactRun]) -> list[Reason]:
    """That identities may hold of functions, if the floats agree to the last digits."""
    if not all(result.is_as_exact for result in results):
        return []
    return [
        Reason(program, ", ".join(sorted(run.functions)), "", _IDENTITY, len(run.functions), decides=True)
        for program, run in zip(("first", "second"), runs, strict=True)
        if run.functions
    ]


def _run_both(
    question: Question, exact: Sequence[Any], assumptions: Assumptions, observers: Sequence[Observer] = ()
) -> tuple[ExactRun, ExactRun]:
    """Run both sides on the first one's exact arguments.

    Args:
      observers: of each side; none if empty.
    """
    return _run_planned(question, _planned(question, assumptions, observers), exact)


def _planned(
    question: Question, assumptions: Assumptions, observers: Sequence[Observer] = ()
) -> tuple[ExactFunction, ExactFunction]:
    first = question.one.planned(assumptions, observers[:1])
    return first, question.other.planned(assumptions, observers[1:])


def _run_planned(
    question: Question, functions: tuple[ExactFunction, ExactFunction], exact: Sequence[Any]
) -> tuple[ExactRun, ExactRun]:
    one, other = functions
    with np.errstate(all="ignore"):
        first = one(exact)
        return first, other([exact[number] for number in question.pairing.arguments])


def _largest_degree(run: ExactRun) -> float:
    """Of the results, and of the operands of functions and comparisons."""
    return max(run.degree, *map(_degree, run.results), 0.0)


def _degree(result: Any) -> float:
    if isinstance(result, tuple):
        items: Any = result  # pyright: ignore[reportUnknownVariableType] # of values
        return max(map(_degree, items), default=0.0)
    return float(np.max(number_of(result).degree, initial=0.0)) if is_exact_array(result) else 0.0


def _arguments(question: Question, run: int, assumptions: Assumptions) -> tuple[Sequence[Any], list[Any]]:
    """The arguments of the first side, and as exact numbers."""
    is_lawful = not assumptions.identities.isdisjoint(LAWS)
    types = [exact_type(type_, is_lawful=is_lawful) for type_ in question.one.types[0]]
    seed = question.seed + run
    if question.arguments is not None:
        return question.arguments, exact_arguments(
            question.arguments, types, None if question.are_known else seed
        )
    values = question.one.examples(seed)
    return values, exact_arguments(values, types, seed)


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
    first, second = _run_both(question, exact, question.assuming(), prints)
    inputs = set(map(fingerprint, exact))
    returned = verdict.results[: len(question.pairing.results)]
    wrong = [number for number, result in enumerate(returned) if not result.is_equal]
    ours = [first.results[number] for number in wrong]
    theirs = [second.results[question.pairing.results[number]] for number in wrong]
    here = prints[0].first_missing(prints[1], inputs, ours)
    other = prints[1].first_missing(prints[0], inputs, theirs)
    places = [
        f"{place} of the {side} program" for place, side in ((here, "first"), (other, "second")) if place
    ]
    return replace(verdict, operation=", ".join(places))


def _crossed(question: Question, verdict: Verdict) -> Verdict:
    """The verdict for arguments for which comparisons decide as in none of its runs."""

    def examples(number: int) -> list[Any]:
        return question.one.examples(question.seed + number)

    is_fixed = question.arguments is not None
    runs = [list(verdict.arguments)] if is_fixed else list(map(examples, range(verdict.runs)))
    judge = partial(_judged, replace(question, are_known=True), verdict.identities)
    sides = question.one, question.other
    return Crossing(sides, question.pairing, runs, None if is_fixed else examples, judge).checked(verdict)


def _judged(question: Question, identities: Sequence[str], values: Sequence[Any]) -> Verdict:
    """The verdict of a run on other arguments, with the same identities."""
    at = replace(question, arguments=values, runs=1)
    verdict = _attempt(at, frozenset(identities))
    return _located(at, verdict) if verdict.status == "differs" else verdict


@for_callers
def equal(
    one: Any,
    other: Any,
    *arguments: Any,
    function: str | None = None,
    other_function: str | None = None,
    map: Mapping[str, Mapping[int, int]] | None = None,  # as the flag
    runs: int | None = None,
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
      runs: the number of runs, each on other unknown numbers; None for two, or for one if there are arguments
        and one leaves a probability of at most 1e-12 that a difference goes unseen, or no run gives a bound.
      seed: of the unknown numbers of the first run, and of its examples.
      bound: whether to prove how far the floats of equal programs may differ, for the arguments of the last
        run; only between programs of one process.

    Raises:
      ArgumentError: the programs' types do not fit each other, or the arguments do not fit.
      EvaluationError, UnsupportedError: a program does not run.
    """
    if runs is not None and runs < 1:
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
    if verdict.is_equal and values is None:
        judge = partial(_judged, question, verdict.identities)
        verdict = with_other_integers(sides, question.pairing, verdict, judge)
    if verdict.is_equal and verdict.has_unknowns:
        verdict = _crossed(question, verdict)
    if not bound or not verdict.is_equal:
        return verdict
    return replace(verdict, bounds=tuple(bounds_between(*sides, question.pairing, verdict)))
