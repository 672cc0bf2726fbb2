"""Mistakes in kernels of arrays: shapes, regions, contractions, linear algebra, random numbers, quantized types."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

BATCH_NORM = "hlokit.kernels.normalization.batch_norm"
CONVOLUTION = "hlokit.kernels.contractions.convolution"
DOT = "hlokit.kernels.contractions.dot_general"
LINALG = "hlokit.kernels.linalg.operations"
MOVEMENT = "hlokit.kernels.shapes.data_movement"
QUANTIZATION = "hlokit.kernels.quantized.quantization"
RANDOM = "hlokit.kernels.random.operations"
SCATTER = "hlokit.kernels.regions.scatter"
SLICING = "hlokit.kernels.shapes.slicing"
SORT = "hlokit.kernels.regions.sort"
WINDOWS = "hlokit.kernels.regions.reduce_window"

MUTANTS: tuple[Mutant, ...] = (
    # Shapes
    mutant(
        "negative padding removes one element too many",
        "hlokit.engine.contract.array_ops:Pad.placements",
        "-(low // step)",
        "-(low // step) + 1",
        "tests/interpret/pad.mlir",
    ),
    mutant(
        "broadcast_in_dim ignores the order of its dimensions",
        f"{MOVEMENT}:make_broadcast",
        "sorted(range(len(dimensions)), key=dimensions.__getitem__)",
        "list(range(len(dimensions)))",
        "tests/unit/kernels/shapes/test_data_movement.py::test_broadcast_in_dim",
    ),
    mutant(
        "reverse reverses the other dimensions",
        f"{MOVEMENT}:reverse",
        '"::-1" if d in dimensions',
        '"::-1" if d not in dimensions',
        "tests/interpret/reverse.mlir",
    ),
    mutant(
        "concatenate joins its operands in reverse order",
        f"{MOVEMENT}:_joined",
        "np.concatenate(inputs, dimension)",
        "np.concatenate(inputs[::-1], dimension)",
        "tests/interpret/concatenate.mlir",
    ),
    mutant(
        "dynamic_reshape to another number of elements is an internal error",
        f"{MOVEMENT}:dynamic_reshape",
        "prod(shape) != operand.size",
        "prod(shape) < operand.size",
        "tests/unit/kernels/shapes/test_data_movement.py::test_impossible_run_time_values_are_the_programs_fault",
    ),
    mutant(
        "dynamic_slice does not move a start that is too large",
        f"{SLICING}:_dynamic_slicer",
        "limit if start > limit else start",
        "start",
        "tests/interpret/dynamic_slice.mlir",
    ),
    mutant(
        "dynamic_update_slice moves negative starts to the end",
        f"{SLICING}:_window",
        "0 if start < 0",
        "limit if start < 0",
        "tests/interpret/dynamic_update_slice.mlir",
    ),
    mutant(
        "real_dynamic_slice does not check its limits",
        f"{SLICING}:real_dynamic_slice",
        "start <= limit <= size",
        "start <= limit",
        "tests/unit/kernels/shapes/test_data_movement.py::test_impossible_run_time_values_are_the_programs_fault",
    ),
    mutant(
        "gather reads before the first element",
        "hlokit.kernels.shapes.gather_plan:GatherPlan.starts",
        "np.maximum(components[component], 0)",
        "components[component] + 0",
        "tests/unit/kernels/shapes/test_gather_scatter.py::test_fast_gather_is_general_gather",
    ),
    mutant(
        "windows of a batch take the period of the dimension before",
        "hlokit.kernels.shapes.gather:_gather_windows",
        "plan.batch_shape[axis + 1 :]",
        "plan.batch_shape[axis:]",
        "tests/unit/kernels/shapes/test_gather_scatter.py::test_windows_of_several_elements_are_native",
    ),
    mutant(
        "gather interchanges dimensions of batches and of windows",
        "hlokit.kernels.shapes.gather_plan:GatherPlan.permutation",
        "if axis in offset_dims",
        "if axis not in offset_dims",
        "tests/interpret/gather.mlir",
    ),
    mutant(
        "set_dimension_size keeps the last elements",
        "hlokit.kernels.shapes.dimension_sizes:set_dimension_size",
        "slice(0, wanted)",
        "slice(most - wanted, most)",
        "tests/interpret/set_dimension_size.mlir",
    ),
    # Regions
    mutant(
        "scatter drops a whole window at the border",
        f"{SCATTER}:ScatterPlan.targets",
        "(position >= 0) & (position < whole)",
        "(start >= 0) & (start <= room)",
        "tests/unit/kernels/shapes/test_gather_scatter.py::test_scatter_is_the_formula",
    ),
    mutant(
        "scatter of one window reads its updates from the wrong place at the border",
        f"{SCATTER}:window_scatter",
        "slice(first - start, last - start)",
        "slice(0, last - first)",
        "tests/interpret/scatter.mlir",
    ),
    mutant(
        "compiled maxima are minima",
        "hlokit.kernels.regions.reduce:compiled",
        "_kernels.reduce(name, ",
        '_kernels.reduce(name.replace("maximum", "minimum"), ',
        "tests/unit/kernels/regions/test_reduce.py::test_integers_wrap_at_their_width",
    ),
    mutant(
        "negative padding of dilated windows is rounded to the wrong side",
        "hlokit.kernels.regions.windows:pad",
        "-(w.low // step)",
        "-w.low // step",
        "tests/unit/kernels/regions/test_reduce_window.py::test_known_bodies",
    ),
    mutant(
        "reduce_window combines windows from their right end",
        f"{WINDOWS}:fold_windows",
        "total = apply(total, tuple([array[places] for array in padded]))",
        "total = apply(tuple([array[places] for array in padded]), total)",
        "tests/unit/kernels/regions/test_reduce_window.py::test_bodies_that_do_not_commute_see_values_in_order",
    ),
    mutant(
        "native windows begin with zero",
        f"{WINDOWS}:_combined",
        "in_rows(padded), bits_of(init)",
        "in_rows(padded), bits_of(np.zeros_like(init))",
        "tests/unit/kernels/regions/test_reduce_window.py::test_small_windows_agree_with_the_reference_to_the_last_bit",
    ),
    mutant(
        "running sums add the padding",
        f"{WINDOWS}:_UfuncWindows._is_running",
        "is_idempotent or bool(init == reducer.identity)",
        "True",
        "tests/unit/kernels/regions/test_reduce_window.py::test_padding_is_combined_as_often_as_windows_have_it",
    ),
    mutant(
        "select_and_scatter selects padding",
        "hlokit.kernels.regions.select_and_scatter:_select_vectorized",
        "takes &= inside",
        "takes |= inside",
        "tests/interpret/select_and_scatter.mlir",
    ),
    mutant(
        "descending sorts ascend",
        f"{SORT}:_ordinals",
        "if key.is_descending",
        "if not key.is_descending",
        "tests/unit/kernels/regions/test_sort.py::test_one_comparison",
    ),
    mutant(
        "sorts place negative NaNs first",
        f"{SORT}:_float_ordinals",
        "np.where(is_nan, mask, ordinals)",
        "ordinals",
        "tests/unit/kernels/regions/test_sort.py::test_nan_is_last_in_either_direction",
    ),
    mutant(
        "sorts distinguish -0 from 0",
        f"{SORT}:_float_ordinals",
        "bits ^ is_negative_zero * sign",
        "bits",
        "tests/unit/kernels/regions/test_sort.py::test_one_comparison",
    ),
    mutant(
        "merge sort exchanges equal elements",
        "hlokit.kernels.regions.merge_sort:_insert",
        "moves & is_less(inserted, before)",
        "moves & ~is_less(before, inserted)",
        "tests/unit/kernels/regions/test_sort.py::test_merge_sort_is_stable",
    ),
    mutant(
        "top_k finds the least elements",
        "hlokit.kernels.regions.top_k:top_k_indices",
        "~numbers",
        "numbers",
        "tests/interpret/chlo/top_k.mlir",
    ),
    mutant(
        "scan by one ufunc ignores is_reverse",
        "hlokit.kernels.regions.scan:scan",
        "lanes[::-1] if is_reverse else lanes",
        "lanes",
        "tests/interpret/chlo/scan.mlir",
    ),
    mutant(
        "sums of transposed arrays stay in the order of memory",
        "hlokit.kernels.contractions.sums:reduce_in_order",
        "return sums.transpose([left.index(axis) for axis in sorted(left)])",
        "return sums.transpose(range(len(left)))",
        "tests/unit/kernels/regions/test_reduce.py::test_order_of_memory_changes_no_sum_of_f32",
    ),
    mutant(
        "sums have lanes half as long",
        "hlokit.kernels.contractions.sums:in_lanes",
        "half = _LANES // 2",
        "half = _LANES // 4",
        "tests/unit/kernels/contractions/test_sums_of_products.py::test_numpy_adds_in_the_order_of_the_kernels",
    ),
    # Contractions
    mutant(
        "dot contracts the first dimension of lhs",
        f"{DOT}:dot",
        "(lhs.rank - 1,)",
        "(0,)",
        "tests/interpret/dot.mlir",
    ),
    mutant(
        "tf32 rounds ties down",
        "hlokit.values.bits:with_mantissa_bits",
        "((codes >> dropped) & one)",
        "np.uint32(0)",
        "tests/interpret/dot_general.mlir",
    ),
    mutant(
        "sums of i16 that i32 cannot hold are computed as i32",
        "hlokit.kernels.contractions.products:_exact",
        "bits < I32.width - 1",
        "bits < I32.width + 1",
        "tests/unit/lib/kernels/test_byte_products.py::test_the_largest_sums_wrap",
    ),
    mutant(
        "an algorithm of several products computes one product too few",
        f"{DOT}:_with_algorithm",
        "chosen[1 : algorithm.num_primitive_operations]",
        "chosen[1 : algorithm.num_primitive_operations - 1]",
        "tests/unit/kernels/contractions/test_dot_general.py::test_algorithm_has_the_error_of_its_precision",
    ),
    mutant(
        "convolution ignores window_reversal",
        f"{CONVOLUTION}:ConvolutionDims._kernels",
        "-1 if reversal else 1",
        "1",
        "tests/interpret/convolution.mlir",
    ),
    mutant(
        "an infinite weight times an inserted zero is 0",
        f"{CONVOLUTION}:_put_nan",
        "if not lost.any()",
        "if lost.any()",
        "tests/interpret/convolution.mlir",
    ),
    mutant(
        "a group of ragged_dot in several parts has only the last one",
        "hlokit.kernels.contractions.ragged_dot:_ragged_contracting",
        "result[where] + part",
        "part",
        "tests/interpret/chlo/ragged_dot.mlir",
    ),
    mutant(
        "batch_norm_training divides by one element less",
        f"{BATCH_NORM}:batch_norm_training",
        "norm.sums(centered * centered) / count",
        "norm.sums(centered * centered) / (count - 1)",
        "tests/interpret/batch_norm_training.mlir",
    ),
    mutant(
        "the gradient of batch_norm ignores the mean of the gradients",
        f"{BATCH_NORM}:batch_norm_grad",
        "gradient_sum / count",
        "gradient_sum * 0",
        "tests/interpret/batch_norm_grad.mlir",
    ),
    # Linear algebra
    mutant(
        "cholesky always reads the lower triangle",
        f"{LINALG}:cholesky",
        "potrf(widen(a), lower)",
        "potrf(widen(a), True)",
        "tests/interpret/cholesky.mlir",
    ),
    mutant(
        "the adjoint of triangular_solve is the transpose",
        f"{LINALG}:solver",
        '"ADJOINT": "C"',
        '"ADJOINT": "T"',
        "tests/interpret/triangular_solve.mlir",
    ),
    mutant(
        "IRFFT transforms its last dimension first",
        "hlokit.kernels.linalg.fft:fft",
        'if fft_type == "IRFFT"',
        'if fft_type == "RFFT"',
        "tests/interpret/fft.mlir",
    ),
    mutant(
        "swaps of rows are applied in reverse order",
        "hlokit.kernels.linalg.lapack:permutation",
        "range(pivots.shape[-1])",
        "reversed(range(pivots.shape[-1]))",
        "tests/unit/kernels/custom_calls/test_jax_calls.py::test_lu_decomposition_gives_the_permutation",
    ),
    # Random numbers
    mutant(
        "runs draw other random numbers each time",
        f"{RANDOM}:_generator",
        "default_rng(0)",
        "default_rng()",
        "tests/unit/kernels/random/test_random.py::test_runs_repeat_and_operations_do_not",
    ),
    mutant(
        "uniform floats may be the upper bound",
        f"{RANDOM}:_uniform_float",
        "max(below, np.asarray(a, dtype))",
        "values",
        "tests/unit/kernels/random/test_random.py::test_uniform_floats",
    ),
    mutant(
        "uniform integers include the upper bound",
        f"{RANDOM}:_uniform_integer",
        "max(high, low + 1)",
        "high + 1",
        "tests/unit/kernels/random/test_random.py::test_uniform_integers",
    ),
    mutant(
        "random narrow floats have bits above their width",
        "hlokit.kernels.random.bit_generators:_from_bits",
        "words & np.uint8((1 << width) - 1)",
        "words",
        "tests/unit/kernels/random/test_random.py::test_narrow_floats_have_no_bits_above_their_width",
    ),
    # Quantized types
    mutant(
        "dequantize adds the zero point",
        f"{QUANTIZATION}:dequantizer",
        "difference -= zero_points",
        "difference += zero_points",
        "tests/interpret/uniform_dequantize.mlir",
    ),
    mutant(
        "quantize rounds down",
        f"{QUANTIZATION}:quantizer",
        "np.rint(",
        "np.floor(",
        "tests/interpret/uniform_quantize.mlir",
    ),
    mutant(
        "scales belong to the last axis",
        f"{QUANTIZATION}:_per_axis",
        "operand.ndim - axis - 1",
        "0",
        "tests/interpret/uniform_quantize.mlir",
    ),
    mutant(
        "NaN is quantized to 0 outside of the storage's bounds",
        f"{QUANTIZATION}:quantizer",
        "min(max(0, low), high)",
        "0",
        "tests/interpret/uniform_quantize.mlir",
    ),
    mutant(
        "processes without a group receive the code 0 instead of the quantized 0",
        "hlokit.kernels.quantized.operations:_fill_with_zero",
        "codes = [_code_of_zero(type_) for type_ in operation.result_types]",
        "codes = [None for type_ in operation.result_types]",
        "tests/interpret/quantized/processes.mlir",
    ),
)
