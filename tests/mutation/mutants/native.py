"""Mistakes in the native compiler, the planner and the executors."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

ALLOCATION = "hlokit.engine.native.ir.register_allocation"
BLOCK = "hlokit.engine.plan.block"
CONTROL_FLOW = "hlokit.engine.native.lowerings.control_flow"
EXECUTORS = "hlokit.engine.plan.executors"
IN_PLACE = "hlokit.engine.native.in_place"
INVARIANTS = "hlokit.engine.native.lowerings.invariants"
LIVE_RANGES = "hlokit.engine.native.ir.live_ranges"
NARROW = "hlokit.engine.native.lowerings.narrow"
PEEPHOLE = "hlokit.engine.native.ir.peephole"
PLANNER = "hlokit.engine.interpreter.planner"
REDUCTIONS = "hlokit.engine.native.lowerings.reductions"
TARGET = "hlokit.engine.native.ir.target"
VIEW = "hlokit.engine.native.ir.views:View"
WINDOWS = "hlokit.engine.native.lowerings.windows"
TIERS = "tests/reference/test_tiers_of_operations.py::test_every_tier_agrees_with_the_reference[{}]".format
NATIVE_TESTS = "tests/unit/engine/native/test_{}.py".format

MUTANTS: tuple[Mutant, ...] = (
    # Views
    mutant(
        "places along a dimension of the batch are those of another dimension",
        "hlokit.engine.native.fused.gathers:components_of",
        "axis - (axis > at), batch_shape",
        "axis, batch_shape",
        "tests/unit/engine/native/test_fusion_gathers.py::test_batches_of_gathers_are_fused",
    ),
    mutant(
        "index vectors that others read are no longer computed",
        "hlokit.engine.plan.index_components:with_index_components",
        "reads[slot] == 1",
        "reads[slot]",
        "tests/unit/engine/native/test_fusion_gathers.py::test_index_vectors_that_others_read_stay",
    ),
    mutant(
        "products of pairs in fused computations may be -0",
        "hlokit.engine.native.lowerings.products:products_of_pairs",
        'program.apply("add", name, program.apply("multiply", name, left, right), program.zeros(type_))',
        'program.apply("multiply", name, left, right)',
        "tests/unit/engine/native/test_fusion_products.py::test_products_of_pairs_are_fused",
    ),
    mutant(
        "native slices begin at 0",
        f"{VIEW}.sliced",
        "self.offset + offset",
        "self.offset",
        "tests/unit/engine/native/test_straight_line.py::test_random_lines_equal_the_kernels",
    ),
    mutant(
        "native reverse does nothing",
        f"{VIEW}.reversed",
        "self.offset + sum(ends), self.shape, strides",
        "self.offset, self.shape, self.strides",
        "tests/unit/engine/native/test_straight_line.py::test_random_lines_equal_the_kernels",
    ),
    mutant(
        "native transposes use the inverse permutation",
        f"{VIEW}.transposed",
        "tuple([self.strides[d] for d in permutation])",
        "tuple([self.strides[permutation.index(d)] for d in permutation])",
        "tests/unit/engine/native/test_straight_line.py::test_random_lines_equal_the_kernels",
    ),
    mutant(
        "native broadcasts do not repeat dimensions of size 1",
        f"{VIEW}.broadcast",
        "stride if size != 1 else 0",
        "stride",
        "tests/unit/engine/native/test_straight_line.py::test_random_lines_equal_the_kernels",
    ),
    # Narrow types
    mutant(
        "native conversions to narrow integers wrap floats",
        f"{NARROW}:_truncated",
        'x = _with_constant(program, "maximum", x, least)',
        "pass",
        NATIVE_TESTS("narrow") + "::test_conversions[i4]",
    ),
    mutant(
        "native conversions to narrow floats cut the lower half of a number",
        f"{NARROW}:_upper_half",
        '"add", lower, 0xFFFF',
        '"add", lower, 0',
        NATIVE_TESTS("narrow") + "::test_conversions[f8E4M3FN]",
    ),
    mutant(
        "native programs take narrow indices for bytes that move",
        f"{NARROW}:is_lowerable",
        "return is_move(step)",
        "return True",
        NATIVE_TESTS("narrow") + "::test_narrow_indices_are_numbers",
    ),
    # Lowerings
    mutant(
        "native programs round halves to even",
        f"{TARGET}:operation_of",
        "operation(name, to, operand)",
        'operation(name.replace("nearest_afz", "nearest_even"), to, operand)',
        TIERS("f32"),
    ),
    mutant(
        "native programs compare < for <=",
        f"{TARGET}:operation_of",
        "operation(name, to, operand)",
        'operation(name.replace("LE", "LT"), to, operand)',
        TIERS("f32"),
    ),
    mutant(
        "native programs round down for ceil",
        f"{TARGET}:operation_of",
        "operation(name, to, operand)",
        'operation(name.replace("ceil", "floor"), to, operand)',
        TIERS("f32"),
    ),
    mutant(
        "native programs compute tanh for atan",
        f"{TARGET}:operation_of",
        "operation(name, to, operand)",
        'operation(name.replace("atan", "tanh"), to, operand)',
        TIERS("f32"),
    ),
    mutant(
        "the VM rounds halves to even",
        f"{TARGET}:operation",
        "_kernels.find_operation(name, to, operand)",
        '_kernels.find_operation(name.replace("nearest_afz", "nearest_even"), to, operand)',
        TIERS("f32"),
    ),
    mutant(
        "the VM compares < for <=",
        f"{TARGET}:operation",
        "_kernels.find_operation(name, to, operand)",
        '_kernels.find_operation(name.replace("LE", "LT"), to, operand)',
        TIERS("f32"),
    ),
    mutant(
        "native reductions of one element ignore the initial value",
        f"{REDUCTIONS}:reduce",
        "program.scalar(init), program.scalar(operand)",
        "program.scalar(operand), program.scalar(operand)",
        f"{NATIVE_TESTS('peephole')}::test_reductions_of_one_element_have_their_initial_value",
    ),
    mutant(
        "native running reductions run the other way",
        f"{REDUCTIONS}:_running",
        "not array_op.low[axis]",
        "bool(array_op.low[axis])",
        "tests/unit/engine/native/test_running.py::test_running_reductions",
    ),
    mutant(
        "native windows of floats lack their first element",
        f"{REDUCTIONS}:reduce_window",
        "for index in product(*map(range, sizes)):",
        "for index in list(product(*map(range, sizes)))[1:]:",
        NATIVE_TESTS("windows") + "::test_rows_have_the_same_bytes_as_copies",
    ),
    mutant(
        "a native index of an extremum misses NaN",
        f"{REDUCTIONS}:arg_extremum",
        'program.apply("NE", "i1", values, values)',
        'program.apply("EQ", "i1", values, extrema.broadcast(kept, type_.dims))',
        "tests/unit/engine/native/test_array_loops.py::test_arg_extrema",
    ),
    mutant(
        "constant starts of native slices are not clamped",
        f"{WINDOWS}:_scalar_starts",
        "min(max(int(program.constants[register]), 0), limit)",
        "int(program.constants[register])",
        "tests/unit/engine/native/test_straight_line.py::test_random_lines_equal_the_kernels",
    ),
    mutant(
        "native scatters clamp their indices",
        f"{WINDOWS}:scatter",
        "clamps=False",
        "clamps=True",
        "tests/unit/engine/native/test_straight_line.py::test_random_lines_equal_the_kernels",
    ),
    mutant(
        "native sorts descend where they should ascend",
        "hlokit.engine.native.lowerings.sorts:_sorted",
        "order.is_descending + 2 * order.is_total",
        "(not order.is_descending) + 2 * order.is_total",
        "tests/unit/engine/native/test_sorts.py::test_keys_of_every_type",
    ),
    mutant(
        "native concatenations store each part at the start",
        "hlokit.engine.native.lowerings.array_ops:_concatenate",
        "start += operand.shape[dimension]",
        "start += 0",
        "tests/unit/engine/native/test_straight_line.py::test_random_lines_equal_the_kernels",
    ),
    # Control flow
    mutant(
        "a constant condition takes the other branch",
        f"{CONTROL_FLOW}:ControlFlowLowering.branches",
        "1 - value if is_pred else value",
        "value",
        "tests/unit/engine/native/test_control_flow.py::test_a_constant_predicate_takes_its_branch",
    ),
    mutant(
        "an index beyond the branches takes the first one",
        f"{CONTROL_FLOW}:ControlFlowLowering.branches",
        "number if 0 <= number < len(regions) else -1",
        "number if 0 <= number < len(regions) else 0",
        "tests/unit/engine/native/test_control_flow.py::"
        "test_a_constant_index_beyond_the_branches_takes_the_last_one",
    ),
    mutant(
        "results of a branch stay available after it",
        f"{CONTROL_FLOW}:ControlFlowLowering._conditional",
        "self.available = available",
        "self.available = self.available",
        NATIVE_TESTS("control_flow") + "::test_what_only_one_branch_computes_is_computed_again",
    ),
    mutant(
        "loops of known length run once less",
        "hlokit.engine.native.lowerings.trip_counts:trip_count",
        "return count",
        "return max(count - 1, 0)",
        "tests/unit/engine/native/test_unrolling.py::test_they_are_unrolled",
    ),
    mutant(
        "what a branch in a loop computes moves in front of the loop",
        f"{INVARIANTS}:hoisted",
        "any(is_conditional[other] for other in group) or ",
        "",
        "tests/unit/engine/native/test_invariants.py::test_what_may_not_move",
    ),
    mutant(
        "all panels of packed weights have the first columns",
        "hlokit.engine.native.lowerings.products:_packed",
        "(panel, term.rhs, 1)",
        "(0, term.rhs, 1)",
        "tests/unit/engine/native/test_invariants.py::test_weights_are_packed_in_front_of_the_loop",
    ),
    mutant(
        "what reads a value that waits for a computation joins the computation",
        "hlokit.engine.native.fused.fusion:_FusionFinder._waits_for",
        "is fusion",
        "is self",
        "tests/unit/engine/native/test_fusion.py::test_small_values_of_results_wait_for_the_computation",
    ),
    mutant(
        "rows of groups are those of all channels",
        "hlokit.engine.native.fused.rows:rows_of",
        "(*groups, 1)[:4]",
        "(*groups[:2], prod(groups[2:]), 1)",
        "tests/unit/engine/native/test_fusion_columns.py::test_rows_that_no_computation_has",
    ),
    mutant(
        "functions that reduce rows are not fused with what reads their operand",
        "hlokit.engine.native.fused.fusion:_FusionFinder._candidates",
        "[operand, *sizes] if",
        "sizes if",
        "tests/unit/engine/native/test_fusion_rows.py::"
        "test_functions_that_reduce_rows_join_what_reads_their_operand",
    ),
    mutant(
        "long reductions of rows are not fused",
        "hlokit.engine.native.lowerings.blocks:BlockLowering._array_op_or_call",
        "and instruction.operation in _CALLED_IF_LONG",
        "",
        "tests/unit/engine/native/test_fusion_rows.py::"
        "test_softmax_of_more_elements_than_native_loops_take_is_one_step",
    ),
    # Instructions
    mutant(
        "x & y < 0 is false for every x and y",
        f"{PEEPHOLE}:Peephole.define",
        "self.constants.get(other, -1)",
        "self.constants.get(other, 0)",
        "tests/unit/engine/native/test_peephole.py::test_values_that_are_never_negative",
    ),
    mutant(
        "floor divisions by powers of two shift one bit too many",
        f"{PEEPHOLE}:Peephole._floor_division",
        "int(factor).bit_length() - 1",
        "int(factor).bit_length()",
        "tests/unit/engine/native/test_peephole.py::test_constant_divisors",
    ),
    mutant(
        "shifts of different values become a rotation",
        f"{PEEPHOLE}:Peephole._rotation",
        "if up and down and up[0] == down[0]",
        "if up and down",
        "tests/unit/engine/native/test_peephole.py::test_rotations",
    ),
    mutant(
        "registers become free one instruction too early",
        f"{ALLOCATION}:_share_memory",
        "active[0][0] < start",
        "active[0][0] <= start",
        "tests/unit/engine/native/test_straight_line.py::test_reductions_of_broadcast_values",
    ),
    mutant(
        "copies merge registers that are live together",
        f"{ALLOCATION}:_Coalescing._overwrites",
        "(instruction.is_early_clobber or other.is_live(at + 1))",
        "instruction.is_early_clobber",
        "tests/unit/engine/native/test_loops.py::test_random_loops_equal_the_kernels",
    ),
    mutant(
        "results of a program are dead at its end",
        f"{LIVE_RANGES}:find_live_at_ends",
        "frozenset(results)",
        "frozenset()",
        "tests/unit/engine/native/test_control_flow.py::test_a_function_of_loops_and_branches_is_one_program",
    ),
    mutant(
        "loops write into arrays that later steps read",
        f"{IN_PLACE}:_AliasAnalysis._may_write",
        "self._last_use.get(other, -1) <= index",
        "self._last_use.get(other, -1) >= -1",
        "tests/unit/engine/native/test_in_place.py::test_the_same_as_copies",
    ),
    # The planner and the executors
    mutant(
        "kinds of operations ignore that attributes of one operation are its own",
        f"{PLANNER}:Planner._build",
        "if is_own:",
        "if False:",
        "tests/interpret/print.mlir",
    ),
    mutant(
        "the first run of a branch imports the functions of its custom calls",
        f"{PLANNER}:Planner._bind",
        '"stablehlo.custom_call" in self.operation_names and operation.regions',
        "False",
        "tests/meta/test_imports.py::test_only_first_runs_import_modules",
    ),
    mutant(
        "results beyond the limit of memory are tried",
        f"{PLANNER}:Planner._type",
        "planned.nbytes > self._memory_limit",
        "planned.nbytes < 0",
        "tests/unit/engine/interpreter/test_plan.py::test_a_result_larger_than_memory_raises_when_it_is_reached",
    ),
    mutant(
        "generated code keeps large values",
        f"{EXECUTORS}:_is_large",
        "type_.nbytes >= _FREE_BYTES",
        "type_.nbytes < 0",
        "tests/unit/engine/plan/test_run.py::test_large_values_are_freed_after_their_last_use",
    ),
    mutant(
        "run_steps keeps dead values",
        f"{EXECUTORS}:run_steps",
        "for slot in frees:",
        "for slot in ():",
        "tests/unit/engine/plan/test_run.py::test_large_values_are_freed_after_their_last_use",
    ),
    mutant(
        "a traceback of generated code leads to the step before",
        f"{EXECUTORS}:step_of_frame",
        "plan.steps[line - 2]",
        "plan.steps[line - 3]",
        "tests/unit/engine/plan/test_evaluate.py::test_the_path_is_the_same_in_every_executor",
    ),
    mutant(
        "operations with swapped arguments count as in order",
        f"{BLOCK}:Block.ufunc",
        "step.operands == (0, 1) or ufunc in _COMMUTATIVE",
        "True",
        "tests/unit/engine/plan/test_block.py::test_order_matters_where_the_operation_does_not_commute",
    ),
    mutant(
        "a sort is partial although its results are used whole",
        "hlokit.engine.plan.partial_sort:_used_count",
        "if not set(step.results).isdisjoint(plan.outputs)",
        "if False",
        "tests/unit/kernels/regions/test_partial_sort.py::test_a_sort_that_is_a_result_stays_whole",
    ),
    mutant(
        "a partial sort ignores where a slice begins",
        "hlokit.engine.plan.partial_sort:_used_count",
        "array_op.start_indices[dimension] != 0 or ",
        "",
        "tests/unit/kernels/regions/test_partial_sort.py::test_sorts_that_become_partial_sorts",
    ),
    mutant(
        "sums of padded arrays that share a place are written in parts",
        "hlokit.engine.plan.sums_of_pads:_is_apart",
        "between > 0 and (one.start - other.start) % between != 0",
        "True",
        "tests/unit/engine/plan/test_sums_of_pads.py::test_sums_of_pads[parts4-f32]",
    ),
    mutant(
        "native sums of padded arrays keep -0",
        "hlokit.engine.native.lowerings.array_ops:_sum_of_pads",
        "type_.element_type.kind.is_inexact",
        "False",
        "tests/unit/engine/plan/test_sums_of_pads.py::test_sums_of_pads[parts0-f32]",
    ),
    mutant(
        "operands of unknown sizes are not checked",
        "hlokit.mlir.run_time_types:RunTimeTypes.require_operands",
        "shapes not in self._valid",
        "False",
        "tests/unit/engine/interpreter/test_checked_types.py::test_the_message_has_the_rule_and_the_shapes_in_every_tier",
    ),
    mutant(
        "the state of a loop may contradict its types",
        "hlokit.engine.plan.plan:with_receivers",
        "other != types",
        "False",
        "tests/unit/engine/interpreter/test_checked_types.py::test_a_state_that_contradicts_the_types_of_a_loop",
    ),
    mutant(
        "NaNs of computed values keep their bits",
        "hlokit.engine.interpreter.nan_bits:with_canonical_steps",
        "if kernel is None:",
        "if True:",
        "tests/unit/kernels/elementwise/test_elementwise.py::test_scalars_take_operators",
    ),
)
