"""The allowed difference where the other side recomputes operands with other roundings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Step
from hlokit.operations.lookup import traits_of
from hlokit.tools.bounds.libraries import off_by
from hlokit.tools.diff.comparing.bounds import Array
from hlokit.tools.diff.comparing.history import BlockRun, Slot
from hlokit.tools.diff.comparing.multiply_adds import Factors
from hlokit.tools.diff.comparing.verdicts import Allowance
from hlokit.tools.numerics.rules.widening import in_f64

# The number of operations that `recomputed` takes into account.
_MOST_RECOMPUTED = 24


class _Member(NamedTuple):
    """A step that the other side may compute again, in a run of a block."""

    run: BlockRun
    step: Step

    def operand(self, number: int, computed: Mapping[Slot, Value]) -> Value:
        """An operand: a value that was computed again, or the one that the step has read."""
        slot = self.run.origin(number)
        return computed[slot] if slot in computed else self.run.values[number]


def recomputed(allowed: Allowance, run: BlockRun, step: Step, index: int) -> Allowance:
    """The allowed difference, plus the effect of 2 ULP of each operation that computes operands of a step.

    Compilers fuse operations with the operations that compute their operands, also of other functions and
    branches, and round these intermediate values in other places. With cancellation, the effect is more than
    that of 1 ULP of an operand.

    Args:
      allowed: the allowed difference without recomputation.
      run: the run of the block with the step.
      index: index of the step's result.
    """
    last = _Member(run, step)
    chain = _chain(last)
    undisturbed = _result(chain, last, index, None)
    total = np.zeros(undisturbed.shape)
    for member in chain:
        change = np.abs(_result(chain, last, index, member) - undisturbed)
        total += np.where(np.isfinite(change), change, 0.0)
    error = allowed.error + 2 * total
    return replace(allowed, error=error, what=f"{allowed.what}, and of earlier operations")


def factors_of(run: BlockRun, step: Step) -> Factors:
    """The factors of those operands of a step that products compute, by the operand's number."""
    factors: dict[int, tuple[Array, Array]] = {}
    for position, number in enumerate(step.operands):
        slot = run.origin(number)
        producer = slot.producer
        if producer is not None and producer.name == "stablehlo.multiply" and id(producer) in slot.run.begun:
            left, right = (np.asarray(slot.run.values[operand]) for operand in producer.operands)
            factors[position] = left, right
    return factors


def _result(chain: list[_Member], last: _Member, index: int, nudged: _Member | None) -> Array:
    """A result of the last member, if the results of one member are off by a unit."""
    values: dict[Slot, Value] = {}
    for member in chain:
        operands = [member.operand(number, values) for number in member.step.operands]
        with np.errstate(all="ignore"):
            outcome = member.step.kernel.function(*operands)
        results = (outcome,) if len(member.step.results) == 1 else outcome
        if member is nudged:
            results = [off_by(value, 1.0) for value in results]
        values.update(zip([Slot(member.run, number) for number in member.step.results], results, strict=True))
    return in_f64(values[Slot(last.run, last.step.results[index])])


def _chain(last: _Member) -> list[_Member]:
    """A step, preceded by the elementwise and moving steps that compute its operands, in order."""
    members, waiting = {id(last.step): last}, [last]
    while waiting and len(members) < _MOST_RECOMPUTED:
        for member in _producers(waiting.pop(0)):
            if id(member.step) not in members:
                members[id(member.step)] = member
                waiting.append(member)
    return sorted(members.values(), key=lambda member: member.run.begun[id(member.step)])


def _producers(member: _Member) -> Iterator[_Member]:
    """The steps that compute operands of a step, if they can be evaluated again."""
    for number in member.step.operands:
        slot = member.run.origin(number)
        step = slot.producer
        if step is None or id(step) not in slot.run.begun:
            continue
        if step.kernel.pointwise or (traits_of(step.name).exact and not step.kernel.regions):
            yield _Member(slot.run, step)
