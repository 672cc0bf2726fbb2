"""What operations may have read instead on the other side: other values of the run fit their results.

If the other side hands other values to a function or to an iteration of a loop, all operations that read such
an argument seem wrong, although each is right about what it reads. The call, the loop, or what the iteration
before returns is at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.mlir.provider.bindings import ir
from hlokit.operations.lookup import having, traits_of
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.comparing.findings import Finding, ResultAt, finding
from hlokit.tools.diff.comparing.history import BlockRun
from hlokit.tools.diff.comparing.verdicts import Comparison, compare
from hlokit.tools.diff.flow.value_sources import described
from hlokit.tools.recording.places import Operations, Place
from hlokit.values.types import TensorType

# The number of other operands that are tried for an operation, the elements of its results, and the number of
# wrong operations for which they are tried.
_MOST_TRIED = 48
_MOST_ELEMENTS = 1 << 16
_MOST_WRONG = 8
# Operations whose results may depend on some elements of operands only: right results say little of these.
_BLIND = having(lambda traits: traits.exact and not (traits.view or traits.layout))


class _Fit(NamedTuple):
    """Another value that fits.

    Attributes:
      is_outside: whether it is a value of the block that calls this one, or has this loop.
      slot: its slot.
    """

    is_outside: bool
    slot: int
    words: str


class _Read(NamedTuple):
    """One operation that reads an argument of a block.

    Attributes:
      is_right: whether its results are those that follow from hlokit's argument.
      fit: the value that fits instead; None if none fits, or several do.
    """

    is_right: bool
    fit: _Fit | None = None


class Wirings:
    """Collects what operations read, and tells where the other side reads something else."""

    def __init__(self, operations: Operations) -> None:
        self._operations = operations
        # By the run of a block, as the place of its operations without their numbers, and the argument.
        self._reads: dict[tuple[Place, int], list[_Read]] = {}
        self._wrong = 0

    def right(self, place: Place, run: BlockRun, step: Step) -> None:
        """An operation is right about what it reads: a sum of two arguments also if they are exchanged."""
        arguments = {slot for slot in step.operands if slot < run.plan.argument_count}
        if step.name not in _BLIND and not (len(arguments) > 1 and traits_of(step.name).commutative):
            for slot in arguments:
                self._reads.setdefault((place[:-1], slot), []).append(_Read(is_right=True))

    def wrong(self, place: Place, run: BlockRun, step: Step, evaluated: Evaluated, index: int) -> str:
        """What a wrong operation may have read instead, in words; "" unless one value fits."""
        self._wrong += 1
        type_ = step.result_types[index]
        theirs = np.asarray(evaluated.theirs[index])
        instead: dict[int, list[_Fit]] = {}
        is_exchanged = False
        if self._wrong <= _MOST_WRONG and theirs.size <= _MOST_ELEMENTS and isinstance(type_, TensorType):
            fits = partial(_fits, evaluated, index, type_)
            is_exchanged = _are_exchanged(evaluated.operands, fits)
            alternatives = self._alternatives(run, step, evaluated.operands)
            for position, value, fit in islice(alternatives, _MOST_TRIED):
                if fits({position: value}):
                    instead.setdefault(position, []).append(fit)
        for position, slot in enumerate(step.operands):
            if slot < run.plan.argument_count:
                fitting = instead.get(position, [])
                read = _Read(False, fitting[0] if len(fitting) == 1 else None)
                self._reads.setdefault((place[:-1], slot), []).append(read)
        if is_exchanged:
            return "the two operands are exchanged: fits"
        words = [
            f"operand {position} is {fit.words} there" for position, fits in instead.items() for fit in fits
        ]
        return f"{words[0]}: fits" if len(words) == 1 else ""

    def _alternatives(
        self, run: BlockRun, step: Step, operands: Sequence[Value]
    ) -> Iterator[tuple[int, Value, _Fit]]:
        """Other values of operands' types, with the operand's position: of the block, the nearest first, and,
        for arguments, of the block that hands them on."""
        for position, operand in enumerate(operands):
            slot = step.operands[position]
            tried = [operand]
            for other in sorted(run.values, key=lambda other: abs(other - slot)):
                value = run.values[other]
                if _is_another(value, tried) and (words := self._words(run, other)):
                    tried.append(value)
                    yield position, value, _Fit(False, other, words)
            if slot < run.plan.argument_count and run.call is not None:
                outer = run.call.run
                for other, value in reversed(outer.values.items()):
                    if other in run.call.step.operands or not _is_another(value, tried):
                        continue
                    if words := self._words(outer, other):
                        tried.append(value)
                        yield position, value, _Fit(True, other, words)

    def _words(self, run: BlockRun, slot: int) -> str:
        """The value of a slot in words; "" of one that a region captures."""
        producer = run.producers.get(slot)
        if producer is not None:
            return described(self._operations, operation_of(producer).results[producer.results.index(slot)])
        block = operation_of(run.plan.steps[0]).block
        return described(self._operations, block.arguments[slot]) if slot < len(block.arguments) else ""

    def handed_on(self, first: Finding) -> Finding | None:
        """The call, the loop or the iteration that hands other values on to the first wrong operation.

        None if this operation itself seems to read something else.
        """
        operation, around = self._operations.all[first.number], first.place[:-1]
        for operand in operation.operands:
            argument = _argument(operand, operation)
            if argument is None or not self._are_wrong(around, argument):
                continue
            reads = self._reads[around, argument]
            fitting = sorted([read.fit for read in reads if read.fit is not None])
            exchanged = [fit for fit in fitting if not fit.is_outside and self._are_wrong(around, fit.slot)]
            outside = [fit for fit in fitting if fit.is_outside]
            if len(reads) > 1 or exchanged or outside:
                return self._site(first, argument, next(iter((*exchanged, *outside, *fitting)), None))
        return None

    def _are_wrong(self, around: Place, argument: int) -> bool:
        """Whether operations read an argument, and all that do are wrong."""
        reads = self._reads.get((around, argument), [])
        return bool(reads) and len(around) > 1 and not any(read.is_right for read in reads)

    def _site(self, first: Finding, argument: int, fit: _Fit | None) -> Finding:
        """The finding about the innermost call or loop that hands on another value than an argument, or about
        a loop around such calls."""
        place = first.place[:-2]
        site = self._handing(first.place, place)
        here = there = self._operations.all[site[-1]].operands[argument]
        words = "another value" if fit is None else fit.words
        arguments = [argument] if fit is None or fit.is_outside else [argument, fit.slot]
        outside = [fit.slot] if fit is not None and fit.is_outside else []
        while True:
            operation = self._operations.all[site[-1]]
            here = operation.operands[argument]
            if not outside and len(arguments) > 1:
                there = operation.operands[arguments[1]]
                words = described(self._operations, there)
            if operation.name != "func.call":
                break
            handed = [_argument(operation.operands[one], operation) for one in arguments]
            arguments = [one for one in (*handed, *outside) if one is not None]
            outside = []
            if None in handed or not self._is_further_out(first.place, place, argument, arguments):
                break
            argument = arguments[0]
            site, place = self._handing(place, place[:-2]), place[:-2]
        own = described(self._operations, here)
        note = f"operand {argument} is {own} here, {words} on the other side"
        comparison = Comparison("wiring", expected=own, actual=words, note=note)
        return finding(ResultAt(self._operations, site, first.order, 0, ""), comparison)

    def _is_further_out(self, inner: Place, call: Place, argument: int, arguments: Sequence[int]) -> bool:
        """Whether what is around a call hands on other values, and the call hands on the right ones.

        The call would be wrong in all iterations of a loop, and its arguments right where others read them.

        Args:
          inner: the place of the first wrong operation.
          call: the place of the call.
          argument: the argument of the called function.
          arguments: what the call hands on: arguments of its own block.
        """
        around, iteration = call[:-1], call[-2] if len(call) > 1 else 0
        if len(call) < 3:
            return False
        reads = [read for one in arguments for read in self._reads.get((around, one), [])]
        if any(read.is_right for read in reads):
            return False
        is_loop = self._operations.all[call[-3]].name == "stablehlo.while"
        if is_loop and iteration:
            return True
        later = self._reads.get(((*call[:-2], 1, *inner[len(call) - 1 : -1]), argument), [])
        if is_loop and later and all(read.is_right for read in later):
            return True
        return bool(reads) or len(self._wrong_calls(around, call, arguments)) > 1

    def _wrong_calls(self, around: Place, call: Place, arguments: Sequence[int]) -> set[int]:
        """Calls in the block of a call that hand on arguments of the block, which all readers find wrong."""
        wrong: set[int] = set()
        for view in self._operations.all[call[-1]].block.operations:
            operation = view.operation
            if operation.name == "func.call":
                number = self._operations.number_within(operation)
                wrong |= {
                    number
                    for position, operand in enumerate(operation.operands)
                    if _argument(operand, operation) in arguments
                    and self._are_wrong((*around, number, 0), position)
                }
        return wrong

    def _handing(self, inner: Place, place: Place) -> Place:
        """The place of what hands on arguments: a call, a loop, or the `return` of the iteration before.

        Args:
          inner: the place of an operation of the block.
          place: that of the call or loop.
        """
        around = self._operations.all[place[-1]]
        iteration = inner[len(place)]
        if around.name != "stablehlo.while" or not iteration:
            return place
        terminator = list(around.regions[1].blocks[0].operations)[-1].operation
        return (*place, iteration - 1, self._operations.number_within(terminator))


def _argument(value: ir.Value, reader: ir.Operation) -> int | None:
    """The number of the argument of a called function or a loop's region; None for other values."""
    around = reader.parent
    if not isinstance(value, ir.BlockArgument) or around is None or value.owner != reader.block:
        return None
    return value.arg_number if around.name in ("func.func", "stablehlo.while") else None


def _is_another(value: Value, others: Sequence[Value]) -> bool:
    """Whether a value has the type of the first of other values, and differs from all."""
    if isinstance(value, tuple) or isinstance(others[0], tuple):
        return False
    array, like = np.asarray(value), np.asarray(others[0])
    if array.shape != like.shape or array.dtype != like.dtype:
        return False
    bytes_ = array.tobytes()
    return all(bytes_ != np.asarray(other).tobytes() for other in others)


def _are_exchanged(operands: Sequence[Value], fits: Callable[[Mapping[int, Value]], bool]) -> bool:
    """Whether both operands are exchanged."""
    return (
        len(operands) == 2
        and _is_another(operands[1], operands[:1])
        and fits({0: operands[1], 1: operands[0]})
    )


def _fits(evaluated: Evaluated, index: int, type_: TensorType, changed: Mapping[int, Value]) -> bool:
    """Whether the other side's result follows from other operands."""
    operands = [changed.get(position, operand) for position, operand in enumerate(evaluated.operands)]
    with np.errstate(all="ignore"):
        outcome = evaluated.kernel(*operands)
    results = (outcome,) if len(evaluated.results) == 1 else outcome
    other = Evaluated(evaluated.operation, evaluated.kernel, operands, results, evaluated.theirs)
    comparison = compare(
        results[index],
        evaluated.theirs[index],
        type_.element_type,
        lambda: allowance(other, index, type_, in_context=True),
    )
    return comparison.verdict in ("exact", "within")
