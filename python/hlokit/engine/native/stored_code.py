"""Straight-line code of earlier processes, from the folder of HLOKIT_CACHE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hlokit.engine.contract.registry import Kernel
from hlokit.engine.native.ir.target import NotLowerable
from hlokit.engine.native.program import Assembled, NativeProgram
from hlokit.engine.native.stored_programs import Damaged, as_data, from_data, read, written
from hlokit.engine.plan.plan import Plan, Step, combined_step, with_steps

_KIND = "code"
# The start and the end of the replaced steps, the slots of operands and results, and the program.
StoredCode = tuple[int, int, tuple[int, ...], tuple[int, ...], Assembled]

# Compiles the strict program of a span of steps, with these slots of operands and results.
MakeStrict = Callable[[Plan, tuple[int, int], tuple[int, ...], tuple[int, ...]], NativeProgram]


def store_code(plan: Plan, code: Sequence[StoredCode]) -> None:
    """Store all straight-line code of a plan, which may be none."""
    if plan.stored is not None:
        plan.stored.put(_KIND, written([(*slots, as_data(program)) for *slots, program in code]))


def with_stored_code(plan: Plan, make_strict: MakeStrict) -> Plan:
    """The plan with the straight-line code of an earlier process; the same plan if there is none."""
    record = None if plan.stored is None else plan.stored.get(_KIND)
    if plan.stored is None or record is None:
        return plan
    try:
        return read(record, partial(_restored, plan, make_strict))
    except (Damaged, NotLowerable):
        plan.stored.drop(_KIND)
        return plan


def _restored(plan: Plan, make_strict: MakeStrict, data: Any) -> Plan:
    steps: list[Step] = []
    done = 0
    for entry in data:
        start, stop, program = int(entry[0]), int(entry[1]), entry[4]
        operands, results = tuple(map(int, entry[2])), tuple(map(int, entry[3]))
        if not done <= start < stop <= len(plan.steps) or min(*operands, *results, 0) < 0:
            raise ValueError
        types = [plan.slot_types[slot] for slot in (*operands, *results)]
        native = NativeProgram(
            from_data(program, types[: len(operands)], types[len(operands) :]),
            (),
            partial(make_strict, plan, (start, stop), operands, results),
        )
        steps += plan.steps[done:start]
        steps.append(combined_step(plan, plan.steps[stop - 1], Kernel(native.run), operands, results))
        done = stop
    return with_steps(plan, [*steps, *plan.steps[done:]])._replace(is_compiled=True)
