"""Kernels of the operations, one folder per family of the specification.

In reading order, each folder using only those before it:

- `shapes`: elements moved, sliced, gathered or repeated, and sizes of dimensions;
- `elementwise`: arithmetic, functions, comparison, conversion;
- `contractions`: dot_general, convolution, einsum;
- `regions`: operations that apply a region to elements: reductions, windows, scatter, sort, map;
- `normalization`, `random`, `linalg`, `processes`, `quantized`, `control_flow`: small families;
- `dialects`: operations of arith, interpreter, sdy, shape and tensor;
- `custom_calls`: functions behind `custom_call`.

The table below says which module registers which operation. The registry imports a module when a program
first uses one of its operations.
"""

from hlokit.contract.lazy_modules import register_custom_calls_lazily, register_lazily

register_lazily(
    __name__,
    {
        "shapes.constants": "stablehlo.constant stablehlo.dynamic_iota stablehlo.iota",
        "shapes.data_movement": """
            stablehlo.broadcast stablehlo.broadcast_in_dim stablehlo.concatenate
            stablehlo.dynamic_broadcast_in_dim stablehlo.dynamic_pad stablehlo.dynamic_reshape stablehlo.pad
            stablehlo.reshape stablehlo.reverse stablehlo.transpose
        """,
        "shapes.dimension_sizes": "stablehlo.get_dimension_size stablehlo.set_dimension_size",
        "shapes.gather": "stablehlo.dynamic_gather stablehlo.gather stablehlo.torch_index_select",
        "shapes.slicing": """
            stablehlo.dynamic_slice stablehlo.dynamic_update_slice stablehlo.real_dynamic_slice
            stablehlo.slice
        """,
        "elementwise.arithmetic": """
            stablehlo.abs stablehlo.add stablehlo.and stablehlo.ceil stablehlo.complex
            stablehlo.count_leading_zeros stablehlo.divide stablehlo.floor stablehlo.imag stablehlo.is_finite
            stablehlo.maximum stablehlo.minimum stablehlo.multiply stablehlo.negate stablehlo.not stablehlo.or
            stablehlo.popcnt stablehlo.real stablehlo.remainder stablehlo.round_nearest_afz
            stablehlo.round_nearest_even stablehlo.shift_left stablehlo.shift_right_arithmetic
            stablehlo.shift_right_logical stablehlo.sign stablehlo.sqrt stablehlo.subtract stablehlo.xor
        """,
        "elementwise.bits": "stablehlo.bitcast_convert stablehlo.reduce_precision",
        "elementwise.chlo": """
            chlo._asin_acos_kernel chlo.acos chlo.acosh chlo.asin chlo.asinh chlo.atan chlo.atanh
            chlo.bessel_i1e chlo.conj chlo.constant chlo.constant_like chlo.cosh chlo.digamma chlo.erf
            chlo.erf_inv chlo.erfc chlo.is_inf chlo.is_neg_inf chlo.is_pos_inf chlo.lgamma chlo.mulhi
            chlo.next_after chlo.polygamma chlo.sinh chlo.square chlo.tan chlo.zeta
        """,
        "elementwise.chlo_broadcast": """
            chlo.broadcast_add chlo.broadcast_and chlo.broadcast_atan2 chlo.broadcast_compare
            chlo.broadcast_complex chlo.broadcast_divide chlo.broadcast_maximum chlo.broadcast_minimum
            chlo.broadcast_multiply chlo.broadcast_next_after chlo.broadcast_or chlo.broadcast_polygamma
            chlo.broadcast_power chlo.broadcast_remainder chlo.broadcast_select chlo.broadcast_shift_left
            chlo.broadcast_shift_right_arithmetic chlo.broadcast_shift_right_logical chlo.broadcast_subtract
            chlo.broadcast_xor chlo.broadcast_zeta
        """,
        "elementwise.compare_and_select": "stablehlo.clamp stablehlo.compare stablehlo.select",
        "elementwise.convert": "stablehlo.convert",
        "elementwise.transcendental": """
            stablehlo.atan2 stablehlo.cbrt stablehlo.cosine stablehlo.exponential
            stablehlo.exponential_minus_one stablehlo.log stablehlo.log_plus_one stablehlo.logistic
            stablehlo.power stablehlo.rsqrt stablehlo.sine stablehlo.tan stablehlo.tanh
        """,
        "contractions.convolution": "stablehlo.convolution stablehlo.dynamic_conv",
        "contractions.dot_general": "stablehlo.dot stablehlo.dot_general",
        "contractions.einsum": "stablehlo.einsum stablehlo.unary_einsum",
        "contractions.ragged_dot": "chlo.ragged_dot",
        "regions.map": "stablehlo.map",
        "regions.reduce": "stablehlo.reduce",
        "regions.reduce_window": "stablehlo.reduce_window",
        "regions.scan": "chlo.scan",
        "regions.scatter": "stablehlo.scatter",
        "regions.select_and_scatter": "stablehlo.select_and_scatter",
        "regions.sort": "stablehlo.sort",
        "regions.top_k": "chlo.top_k",
        "normalization.batch_norm": """
            stablehlo.batch_norm_grad stablehlo.batch_norm_inference stablehlo.batch_norm_training
        """,
        "random.operations": "stablehlo.rng stablehlo.rng_bit_generator",
        "linalg.fft": "stablehlo.fft",
        "linalg.operations": "stablehlo.cholesky stablehlo.triangular_solve",
        "processes.collectives": """
            stablehlo.all_gather stablehlo.all_reduce stablehlo.all_to_all stablehlo.collective_broadcast
            stablehlo.collective_permute stablehlo.collective_reduce stablehlo.cross-replica-sum
            stablehlo.partition_id stablehlo.reduce_scatter stablehlo.replica_id
        """,
        "processes.transfers": """
            stablehlo.async_done stablehlo.async_start stablehlo.infeed stablehlo.outfeed stablehlo.recv
            stablehlo.send
        """,
        "quantized.operations": "stablehlo.uniform_dequantize stablehlo.uniform_quantize",
        "control_flow.branches_and_loops": """
            func.call stablehlo.case stablehlo.composite stablehlo.if stablehlo.while
        """,
        "control_flow.tuples_and_tokens": """
            stablehlo.after_all stablehlo.create_token stablehlo.get_tuple_element
            stablehlo.optimization_barrier stablehlo.tuple
        """,
        "dialects.arith": "arith.*",
        "dialects.interpreter": "interpreter.*",
        "dialects.sdy": "sdy.*",
        "dialects.shape": "shape.*",
        "dialects.tensor": "tensor.*",
        "custom_calls.dispatch": "stablehlo.custom_call",
    },
)
register_custom_calls_lazily(__name__, ("shapes.dimension_sizes", "custom_calls.jax"))
