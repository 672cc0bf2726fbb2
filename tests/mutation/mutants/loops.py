"""Mistakes in native loops of scalars: counters, small arrays, the order of instructions, starts of windows."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

ADDRESSING = "hlokit.engine.native.ir.addressing"
CONTROL_FLOW = "hlokit.engine.native.lowerings.control_flow"
SCHEDULING = "hlokit.engine.native.ir.scheduling"
TEMPLATES = "hlokit.engine.native.lowerings.templates"
SMALL_ARRAYS = "hlokit.engine.native.ir.small_arrays"
NATIVE_TESTS = "tests/unit/engine/native/test_{}.py".format

MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "counters of native loops that begin apart are one",
        f"{CONTROL_FLOW}:ControlFlowLowering.while_",
        "state[n] = one_of[values[n]]",
        "state[n] = state[counting[0]]",
        NATIVE_TESTS("counters") + "::test_counters_and_what_they_index",
    ),
    mutant(
        "reversed small arrays keep their order as scalars",
        f"{SMALL_ARRAYS}:_Splitting._move",
        "from_ + step * axis.source",
        "from_ + step",
        NATIVE_TESTS("small_arrays")
        + "::test_scalars_have_the_bytes_of_arrays[constants, other types and orders]",
    ),
    mutant(
        "scalars move behind new values of what they read",
        f"{SCHEDULING}:_Block",
        "next_write.get(register, to) >= to",
        "next_write.get(register, to) <= to",
        NATIVE_TESTS("scheduling") + "::test_a_scalar_stays_before_a_new_value_of_what_it_reads",
    ),
    mutant(
        "starts of windows lose constants that lead out of the array",
        f"{ADDRESSING}:_address",
        "sum_.most <= component.limit",
        "sum_.constant <= component.limit",
        NATIVE_TESTS("scheduling") + "::test_a_start_that_is_a_sum",
    ),
    mutant(
        "starts of windows lose constants that an old value was added to",
        f"{ADDRESSING}:address_windows",
        "n in written or sum_.value in written",
        "n in written",
        NATIVE_TESTS("scheduling") + "::test_a_sum_of_a_value_that_changes",
    ),
    mutant(
        "copies of functions that were lowered for other constants",
        f"{TEMPLATES}:_kinds",
        "else value.tobytes()",
        "else b''",
        NATIVE_TESTS("templates") + "::test_calls_of_one_function",
    ),
    mutant(
        "copies of functions that were lowered for one value twice",
        f"{TEMPLATES}:_kinds",
        "registers.index(view.register)",
        "0",
        NATIVE_TESTS("templates") + "::test_calls_of_one_function",
    ),
)
