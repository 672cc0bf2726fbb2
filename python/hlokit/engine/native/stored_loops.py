"""Native loops of earlier processes, from the folder of HLOKIT_CACHE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.target import NotLowerable
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.calls import Call
from hlokit.engine.native.program import Assembled, NativeProgram
from hlokit.engine.native.stored_programs import (
    Damaged,
    NotStorable,
    as_data,
    calls_at,
    from_data,
    read,
    ways,
    written,
)
from hlokit.engine.plan.block import plan_of

# The kinds of records: the program for one set of captured scalars, and that for all.
_KINDS = {True: "special-loop", False: "loop"}


# Compiles the strict program of a loop whose captured scalars have these values.
MakeStrict = Callable[[tuple[Value, ...]], NativeProgram]
# The condition and the body of a loop.
Regions = tuple[Region, Region]


def store_loop(
    regions: Regions, is_special: bool, program: Assembled | None, calls: Sequence[Call] = ()
) -> None:
    """Store the program of a loop, or that there is none.

    Args:
      is_special: the scalars that the loop captures are constants of the program.
    """
    stored = plan_of(regions[0]).stored
    if stored is None:
        return
    try:
        data = None if program is None else (as_data(program), ways(calls, regions))
    except NotStorable:
        return
    stored.put(_KINDS[is_special], written(data))


def stored_loop(
    regions: Regions, count: int, is_special: bool, make_strict: MakeStrict
) -> NativeProgram | None:
    """The program of a loop that an earlier process has compiled; None if there is none for this loop.

    Raises:
      LookupError: nothing is stored.
    """
    stored = plan_of(regions[0]).stored
    record = None if stored is None else stored.get(_KINDS[is_special])
    if stored is None or record is None:
        raise LookupError
    try:
        return read(record, partial(_restored, regions, count, make_strict))
    except (Damaged, NotLowerable) as error:
        stored.drop(_KINDS[is_special])
        raise LookupError from error


def _restored(regions: Regions, count: int, make_strict: MakeStrict, data: Any) -> NativeProgram | None:
    if data is None:
        return None
    program_data, paths = data
    plan = plan_of(regions[1])
    types = list(map(tensor_type, plan.slot_types[: plan.argument_count]))
    program = from_data(program_data, types, types[:count])
    calls = calls_at(paths, regions, program.calls)
    captured = [
        np.frombuffer(fact, type_.element_type.dtype)[0] if isinstance(fact, bytes) else None
        for (_, _, fact), type_ in zip(program.operands, types, strict=True)
    ][count:]
    return NativeProgram(program, calls, partial(make_strict, tuple(captured)))
