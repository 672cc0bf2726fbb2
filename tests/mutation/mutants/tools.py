"""Mistakes in the tools around the engine, but for diff: reduce, shard, numerics, recordings, views, the service."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

LAYOUT = "hlokit.tools.shard.notation.layout"
PREDICATES = "hlokit.tools.reduce.predicates"
TRAFFIC = "hlokit.tools.shard.cost_model.traffic"
SHARD_TESTS = "tests/unit/tools/shard/test_shard.py"

REDUCE: tuple[Mutant, ...] = (
    mutant(
        "shrink never removes the last part",
        "hlokit.tools.reduce.search:shrink",
        "range(start, len(kept), size)",
        "range(start, len(kept) - size, size)",
        "tests/unit/tools/reduce/test_reduce.py::test_shrink_finds_exactly_the_needed_parts",
    ),
    mutant(
        "the last candidate that succeeds is taken",
        "hlokit.tools.reduce.search:Search.first",
        "waiting.popleft()",
        "waiting.pop()",
        "tests/unit/tools/reduce/test_reduce.py::test_the_number_of_processes_makes_no_difference",
    ),
    mutant(
        "programs with other arguments count as tried",
        "hlokit.tools.reduce.search:_key",
        "digest.update(array.tobytes())",
        "pass",
        "tests/unit/tools/reduce/test_reduce.py::test_the_operation_that_makes_nan",
    ),
    mutant(
        "transposes keep their shape where shapes shrink",
        "hlokit.tools.reduce.rules.resizing:transpose",
        'for axis in at.ints("permutation")',
        'for axis in sorted(at.ints("permutation"))',
        "tests/unit/tools/reduce/test_sizes.py::test_results_follow_their_operands",
    ),
    mutant(
        "strides of slices are ignored where shapes shrink",
        "hlokit.tools.reduce.rules.resizing:slice_",
        "// strides[axis]))",
        "))",
        "tests/unit/tools/reduce/test_sizes.py::test_results_follow_their_operands",
    ),
    mutant(
        "padding between elements is ignored where shapes shrink",
        "hlokit.tools.reduce.rules.resizing:pad",
        "max(0, size - 1) * interior[axis]",
        "0",
        "tests/unit/tools/reduce/test_sizes.py::test_results_follow_their_operands",
    ),
    mutant(
        "a NaN of an argument counts as made by the program",
        f"{PREDICATES}:_GivesNan.test",
        "if any(map(has_nan, arguments)):",
        "if False:",
        "tests/unit/tools/reduce/test_reduce.py::test_a_nan_that_an_argument_has_is_no_fault",
    ),
    mutant(
        "a command that fails keeps the fault",
        f"{PREDICATES}:_Command.test",
        "end.status == 0",
        "end.status != 0",
        "tests/unit/tools/reduce/test_reduce.py::test_a_command",
    ),
    mutant(
        "errors with another message keep the fault",
        f"{PREDICATES}:_HlokitFails.test",
        "re.search(self.spec.pattern, str(error)) is not None",
        "re.search(self.spec.pattern, str(error)) is None",
        "tests/unit/tools/reduce/test_reduce.py::test_an_error_of_hlokit",
    ),
)

SHARDING: tuple[Mutant, ...] = (
    mutant(
        "an all-reduce costs as much as a reduce-scatter",
        "hlokit.tools.shard.prices.traffic:_bytes_of_sums",
        "2 * size * (len(group) - 1)",
        "size * (len(group) - 1)",
        "tests/unit/tools/shard/test_reports.py::test_collectives_have_axes_and_bytes_of_each_device",
    ),
    mutant(
        "an all-gather sends its whole result",
        "hlokit.tools.shard.prices.traffic:_bytes_of_operands",
        "return size * (len(group) - 1)",
        "return size * len(group)",
        "tests/unit/tools/shard/test_shard.py::test_bytes_that_devices_send",
    ),
    mutant(
        "collectives of loops count once",
        f"{TRAFFIC}:_in_block",
        "runs * (trip_count(operation) or 1)",
        "runs",
        f"{SHARD_TESTS}::test_collectives_of_loops_count_in_every_turn",
    ),
    mutant(
        "values stay alive until the end of the program",
        "hlokit.tools.shard.cost_model.costs:_Counter.peak",
        "alive -= dying.pop(index, 0)",
        "alive -= 0",
        f"{SHARD_TESTS}::test_values_die_after_their_last_use",
    ),
    mutant(
        "FLOPs of products count additions only",
        "hlokit.tools.shard.prices.flops:dot_general",
        "2 * elements(operation.results[0])",
        "elements(operation.results[0])",
        "tests/unit/tools/shard/test_shard.py::test_megatron",
    ),
    mutant(
        "axes of one dimension are read from the least significant",
        f"{LAYOUT}:numbers_along",
        "for axis in axes:",
        "for axis in reversed(axes):",
        "tests/unit/tools/shard/test_layouts.py::test_parts_of_axes",
    ),
    mutant(
        "padding is read as zeros",
        f"{LAYOUT}:_poison",
        "return np.nan\n",
        "return 0.0\n",
        "tests/unit/tools/shard/test_layouts.py::test_padding_is_poisoned_and_not_looked_at",
    ),
    mutant(
        "copies of one piece are added up",
        f"{LAYOUT}:Layout.joined",
        "if key in seen:",
        "if False:",
        "tests/unit/tools/shard/test_layouts.py::test_copies_of_terms_count_once",
    ),
    mutant(
        "an axis may split two dimensions",
        "hlokit.tools.shard.notation.specs:_check",
        "if axis.name in seen:",
        "if axis.name in ():",
        "tests/unit/tools/shard/test_layouts.py::test_wrong_shardings",
    ),
    mutant(
        "transposed orders of devices are read as they stand",
        "hlokit.tools.shard.notation.gspmd:parse_tiling",
        "order = order.transpose(_ints(match[3]))",
        "order = order.copy()",
        "tests/unit/tools/shard/test_layouts.py::test_shardings_of_hlo",
    ),
    mutant(
        "branches and loops that divide processes are not reported",
        "hlokit.tools.shard.lint:_Linter._divided",
        "if divided is None:",
        "if True:",
        "tests/unit/tools/shard/test_lint.py::test_each_rule_finds_its_program",
    ),
)

NUMERICS: tuple[Mutant, ...] = (
    mutant(
        "sequential sums of a reversed convolution follow its operand",
        "hlokit.tools.numerics.rules.sequential:_of_windows",
        "for tap in product(*map(range, sizes)):",
        "for tap in reversed(list(product(*map(range, sizes)))):",
        "tests/unit/tools/numerics/test_sequential.py::test_sums_of_f32_equal_the_cpp_interpreter",
    ),
    mutant(
        "the unit in the last place is twice as large",
        "hlokit.tools.numerics.deviations:unit_in_last_place",
        "exponents - (layout.mantissa_bits + 1)",
        "exponents - layout.mantissa_bits",
        "tests/unit/tools/numerics/test_shadow.py::test_unit_in_the_last_place_is_the_distance_to_the_next_value",
    ),
    mutant(
        "shadows of sorted values are in the order before",
        "hlokit.tools.numerics.shadow:_permuted",
        "np.put_along_axis(moved, after,",
        "np.put_along_axis(moved, before,",
        "tests/unit/tools/numerics/test_shadow.py::test_shadows_of_sorted_values_are_in_the_order_of_the_values",
    ),
    mutant(
        "open choices have the radius of the chosen value",
        "hlokit.tools.bounds.reordered:_selection",
        "np.maximum(chosen, np.abs(on_true - on_false) + unchosen)",
        "chosen",
        "tests/unit/tools/bounds/test_bounds.py::test_choices_that_are_open_span_both_values",
    ),
    mutant(
        "comparisons of values that are close are decided",
        "hlokit.tools.bounds.reordered:_comparison",
        "(sum_ > 0) & ~(np.abs(left - right) > sum_)",
        "(sum_ > 0) & (np.abs(left - right) > sum_)",
        "tests/unit/tools/bounds/test_bounds.py::test_choices_that_are_open_span_both_values",
    ),
    mutant(
        "sums in other orders have the same bits",
        "hlokit.tools.bounds.rules.bound_sums:_sum",
        "growth(roundings, unit) + growth(roundings + applied.parts, unit)",
        "0 * growth(roundings, unit)",
        "tests/unit/tools/bounds/test_bounds.py::test_sums_of_exact_terms_in_other_orders",
    ),
    mutant(
        "an infinite error counts no lost bits",
        "hlokit.tools.numerics.deviations:Deviation.bits",
        "return 0.0\n",
        "return most\n",
        "tests/unit/tools/numerics/test_shadow.py::test_casts_and_overflows_are_where_bits_are_lost",
    ),
)

VIEWS: tuple[Mutant, ...] = (
    mutant(
        "a torn line of a recording is an error",
        "hlokit.tools.recording.container:read_lines",
        'if not line.endswith(b"\\n"):',
        'if not line.endswith(b"}\\n") and line == b"":',
        "tests/unit/tools/recording/test_recording.py::test_a_torn_line_is_the_end",
    ),
    mutant(
        "the limit of a recording counts the arguments",
        "hlokit.tools.recording.recorder:Recorder._has_room",
        "self._writer.written - self._start",
        "self._writer.written",
        "tests/unit/tools/recording/test_recording.py::test_the_limit_counts_values_of_operations_only",
    ),
    mutant(
        "iterations of loops count from 1",
        "hlokit.tools.recording.places:Tracker.enter",
        "outer.runs.get(id(plan), 1) - 1",
        "outer.runs.get(id(plan), 1)",
        "tests/unit/tools/recording/test_recording.py::test_a_run_is_recorded_with_turns_and_calls",
    ),
    mutant(
        "failed steps stay on the stack of places",
        "hlokit.tools.recording.places:Tracker.failed",
        "self.leave()",
        "pass",
        "tests/unit/tools/recording/test_recording.py::test_a_run_that_fails_leaves_no_step_on_the_stack",
    ),
    mutant(
        "requests with unknown parameters are answered",
        "hlokit.tools.service.protocol:_run",
        "if key not in method.parameters:",
        "if key in ():",
        "tests/unit/tools/service/test_serving.py::test_wrong_requests",
    ),
    mutant(
        "answers of failed requests have no id",
        "hlokit.tools.service.protocol:failure",
        '{"id": id_, "error"',
        '{"id": None, "error"',
        "tests/unit/tools/service/test_serving.py::test_documented_conversation",
    ),
    mutant(
        "JSON of requests may have NaN",
        "hlokit.tools.service.protocol:answer_line",
        "json.loads(line, parse_constant=_refuse_constant)",
        "json.loads(line)",
        "tests/unit/tools/service/test_serving.py::test_lines_that_are_no_request",
    ),
    mutant(
        "axes in another order have the strides of their neighbours",
        "hlokit.tools.stages.values.axes:ordered",
        "size *= sizes[n]",
        "size += sizes[n]",
        "tests/unit/tools/stages/values/test_views.py::test_the_order_of_axes_changes_no_operation",
    ),
    mutant(
        "a stage that is reconsidered keeps its verdict",
        "hlokit.tools.stages.judging:Judge.reconsider",
        'verdict if meaning.is_close else "changed"',
        "verdict",
        "tests/unit/tools/stages/test_meaning.py::"
        "test_a_stage_that_exact_arithmetic_had_no_time_for_is_decided_before_a_later_one_is_accused",
    ),
)
