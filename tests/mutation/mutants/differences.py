"""Mistakes in `hlokit diff`."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

LIBRARIES = "hlokit.tools.bounds.libraries"
ISOLATED = "hlokit.tools.diff.isolation.isolated:Sampler"
VERDICTS = "hlokit.tools.diff.comparing.verdicts"
WIRING = "hlokit.tools.diff.instrumented.wiring"
WIRING_TESTS = "tests/unit/tools/diff/test_wiring_of_sides.py"
ROUNDING_TESTS = "tests/unit/tools/diff/test_rounding_effects.py"
VERDICT_TESTS = "tests/unit/tools/diff/test_verdicts.py"

DIFF: tuple[Mutant, ...] = (
    mutant(
        "views in recordings begin at the first byte",
        "hlokit.tools.recording.container:Writer._stored",
        "[start, list(array.shape)",
        "[0, list(array.shape)",
        "tests/unit/tools/recording/test_recording.py::test_views_of_other_values_are_not_stored_again",
    ),
    mutant(
        "a large difference may become a small one",
        "hlokit.tools.reduce.kinds:is_same_difference",
        '("beyond: small", "beyond: large")',
        '("beyond: large", "beyond: small")',
        "tests/unit/tools/reduce/test_reduce.py::test_kinds_of_differences",
    ),
    mutant(
        "a NaN on one side only is no difference",
        f"{VERDICTS}:_differing",
        "np.isnan(mine) & np.isnan(theirs)",
        "np.isnan(mine) | np.isnan(theirs)",
        "tests/unit/tools/diff/test_verdicts.py::test_verdicts_of_floats",
    ),
    mutant(
        "distances of integers wrap",
        f"{VERDICTS}:_compare_integers",
        "np.maximum(a, b) - np.minimum(a, b)",
        "b - a",
        "tests/unit/tools/diff/test_verdicts.py::test_distances_of_wide_integers_neither_wrap_nor_round",
    ),
    mutant(
        "an open element excuses the others",
        f"{VERDICTS}:_judged",
        "over.any() and not fixed.any()",
        "(over != fixed).any()",
        f"{VERDICT_TESTS}::test_an_open_element_excuses_no_other",
    ),
    mutant(
        "infinities of the other sign are near the largest number",
        f"{VERDICTS}:_compare_floats",
        " & _same_sign(a, b)",
        "",
        "tests/unit/tools/diff/test_verdicts.py::test_verdicts_of_floats",
    ),
    mutant(
        "moved values may be flushed to zero",
        f"{VERDICTS}:EXACT",
        "may_flush=False",
        "may_flush=True",
        "tests/unit/tools/diff/test_verdicts.py::test_data_movement_does_not_flush_subnormals",
    ),
    mutant(
        "functions have a hundredth of their value as allowance",
        f"{LIBRARIES}:_Result.error_of_function",
        "count * self.units + 2 * moved",
        "count * self.units + 2 * moved + np.abs(self.values) / 100",
        "tests/unit/tools/diff/test_verdicts.py::test_a_function_off_by_a_thousandth_is_beyond",
    ),
    mutant(
        "sums are allowed the error of one term",
        f"{LIBRARIES}:_Result.error_of_sum",
        "(math.sqrt(terms) * np.abs(self.values) + total)",
        "np.abs(self.values) / 1e3",
        "tests/unit/tools/diff/test_verdicts.py::test_products_of_random_terms_off_by_a_thousandth_are_beyond",
    ),
    mutant(
        "only the smallest signed integer is unrepresentable",
        "hlokit.tools.diff.rules.open_values:_unrepresentable",
        "(values >= low) & (values <= high)",
        "(values >= low) | (values <= high)",
        "tests/unit/tools/diff/test_verdicts.py::test_a_conversion_to_integers_may_differ_in_some_elements",
    ),
    mutant(
        "isolated operations of all constants are one kind",
        f"{ISOLATED}._sampled",
        "(shared.key, shapes, fixed)",
        "(shared.key, shapes, ())",
        f"{VERDICT_TESTS}::test_operations_with_other_sizes_are_other_kinds",
    ),
    mutant(
        "operands that are one value become two arguments",
        "hlokit.tools.diff.isolation.batches:first_positions",
        "firsts.setdefault(value, position)",
        "position",
        "tests/unit/tools/diff/test_verdicts.py::test_operands_that_are_one_value_stay_one_value",
    ),
    mutant(
        "a module that fails is given up, not halved",
        f"{ISOLATED}._try",
        "if len(slots) > 1:",
        "if len(slots) > 10**6:",
        "tests/unit/tools/diff/test_verdicts.py::test_the_operation_that_fails_is_found_and_the_others_are_compared",
    ),
    mutant(
        "operations between sure ones are aligned by the numbers of the first program",
        "hlokit.tools.diff.equivalence.alignment:align",
        "(mine.start + a, its.start + b)",
        "(mine.start + a, its.start + a)",
        "tests/unit/tools/diff/test_passes.py::test_a_wrong_pass_is_named",
    ),
    mutant(
        "the one change after the same passes on both programs is no change",
        "hlokit.tools.diff.equivalence.canonical:_change",
        "len(forms.changes) != 1",
        "len(forms.changes) == 1",
        "tests/unit/tools/diff/test_passes.py::test_a_wrong_pass_without_an_effect_is_told",
    ),
    mutant(
        "the search for a hidden fault goes to the other half",
        "hlokit.tools.diff.instrumented.values:_Comparison.hidden",
        "if shows(order[:middle])",
        "if not shows(order[:middle])",
        f"{WIRING_TESTS}::test_a_fault_that_shows_only_if_a_value_is_no_result_is_named",
    ),
    mutant(
        "a fault that all values as results show is hidden",
        "hlokit.tools.diff.instrumented.values:_Comparison.hidden",
        "if shows(order):",
        "if not shows(order):",
        f"{WIRING_TESTS}::test_a_fault_that_shows_only_if_a_value_is_no_result_is_named",
    ),
    mutant(
        "operands are exchanged where they fit as they are",
        f"{WIRING}:_are_exchanged",
        "{0: operands[1], 1: operands[0]}",
        "{0: operands[0], 1: operands[1]}",
        f"{WIRING_TESTS}::test_an_operation_that_reads_something_else_in_its_context_is_named_with_what_it_reads",
    ),
    mutant(
        "the first iteration of a loop reads what the one before returns",
        f"{WIRING}:Wirings._handing",
        "or not iteration:",
        "or iteration:",
        f"{WIRING_TESTS}::test_what_hands_on_other_values_is_named",
    ),
    mutant(
        "what a call hands on is that of the first operand",
        f"{WIRING}:Wirings._site",
        "argument = arguments[0]",
        "argument = 0",
        f"{WIRING_TESTS}::test_what_hands_on_other_values_is_named",
    ),
    mutant(
        "an argument is wrong although one reader is right about it",
        f"{WIRING}:Wirings._are_wrong",
        "not any(read.is_right for read in reads)",
        "not all(read.is_right for read in reads)",
        f"{WIRING_TESTS}::test_an_argument_with_a_right_reader_is_right",
    ),
    mutant(
        "a tuple has other operands",
        f"{WIRING}:_is_another",
        " or isinstance(others[0], tuple)",
        "",
        f"{WIRING_TESTS}::test_tuples_among_the_values_are_no_obstacle",
    ),
    mutant(
        "calls are disturbed",
        "hlokit.tools.diff.flow.disturbances:may_round",
        " or step.name in CONTROL_FLOW",
        "",
        f"{ROUNDING_TESTS}::test_a_call_rounds_nothing",
    ),
    mutant(
        "the largest effect counts for all elements",
        "hlokit.tools.diff.flow.disturbed:moved",
        " // _SHARED",
        " * 0",
        f"{ROUNDING_TESTS}::test_an_element_that_magnifies_roundings_hides_no_others",
    ),
)
