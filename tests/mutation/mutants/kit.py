"""Mistakes in the conformance kit: cases that are lost, sides that are called repeatable."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

KIT = "hlokit.tools.kit"
TESTS = "tests/unit/tools/kit/test_running.py"

MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "a defect of the reference loses cases",
        f"{KIT}.subjects:evaluated_alone",
        "if alone is not None and _is_meaningless(alone):",
        "if alone is not None:",
        f"{TESTS}::test_a_defect_of_the_reference_loses_no_case",
    ),
    mutant(
        "sides are repeatable, whatever they return",
        f"{KIT}.running:Running._judged",
        "is_stable = is_same or (",
        "is_stable = True or (",
        f"{TESTS}::test_a_failing_case_is_repeated[wrong]",
    ),
    mutant(
        "sums have one order in programs that check themselves",
        f"{KIT}.judging:uncertain_nans",
        "~np.isfinite(bound.error)",
        "np.isfinite(bound.error)",
        f"{TESTS}::test_self_checking_programs_accept_any_order_of_sums",
    ),
)
