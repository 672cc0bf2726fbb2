"""The semantics of each operation, one file per family of the spec.

This is the table of contents. A module is imported when a program first uses one of its operations.
"""

from hlokit.interpreter.homes import has_custom_calls, has_operations

has_operations(
    __name__,
    {
        "arith": "arith.*",
        "arithmetic": """
            stablehlo.abs stablehlo.add stablehlo.and stablehlo.ceil stablehlo.complex
            stablehlo.count_leading_zeros stablehlo.divide stablehlo.floor stablehlo.imag stablehlo.is_finite
            stablehlo.maximum stablehlo.minimum stablehlo.multiply stablehlo.negate stablehlo.not stablehlo.or
            stablehlo.popcnt stablehlo.real stablehlo.remainder stablehlo.round_nearest_afz
            stablehlo.round_nearest_even stablehlo.shift_left stablehlo.shift_right_arithmetic
            stablehlo.shift_right_logical stablehlo.sign stablehlo.sqrt stablehlo.subtract stablehlo.xor
        """,
        "bits": "stablehlo.bitcast_convert stablehlo.reduce_precision",
        "chlo": """
            chlo._asin_acos_kernel chlo.acos chlo.acosh chlo.asin chlo.asinh chlo.atan chlo.atanh
            chlo.bessel_i1e chlo.conj chlo.constant chlo.constant_like chlo.cosh chlo.digamma chlo.erf
            chlo.erf_inv chlo.erfc chlo.is_inf chlo.is_neg_inf chlo.is_pos_inf chlo.lgamma chlo.mulhi
            chlo.next_after chlo.polygamma chlo.sinh chlo.square chlo.tan chlo.zeta
        """,
        "chlo_broadcast": """
            chlo.broadcast_add chlo.broadcast_and chlo.broadcast_atan2 chlo.broadcast_compare
            chlo.broadcast_complex chlo.broadcast_divide chlo.broadcast_maximum chlo.broadcast_minimum
            chlo.broadcast_multiply chlo.broadcast_next_after chlo.broadcast_or chlo.broadcast_polygamma
            chlo.broadcast_power chlo.broadcast_remainder chlo.broadcast_select chlo.broadcast_shift_left
            chlo.broadcast_shift_right_arithmetic chlo.broadcast_shift_right_logical chlo.broadcast_subtract
            chlo.broadcast_xor chlo.broadcast_zeta
        """,
        "chlo_structured": "chlo.ragged_dot chlo.scan chlo.top_k",
        "collective": """
            stablehlo.all_gather stablehlo.all_reduce stablehlo.all_to_all stablehlo.collective_broadcast
            stablehlo.collective_permute stablehlo.collective_reduce stablehlo.cross-replica-sum
            stablehlo.partition_id stablehlo.reduce_scatter stablehlo.replica_id
        """,
        "compare": "stablehlo.clamp stablehlo.compare stablehlo.select",
        "constant": "stablehlo.constant",
        "contraction": "stablehlo.dot stablehlo.dot_general",
        "control": """
            func.call stablehlo.after_all stablehlo.case stablehlo.composite stablehlo.create_token
            stablehlo.get_tuple_element stablehlo.if stablehlo.optimization_barrier stablehlo.tuple
            stablehlo.while
        """,
        "convert": "stablehlo.convert",
        "convolution": "stablehlo.convolution stablehlo.dynamic_conv",
        "custom_call": "stablehlo.custom_call",
        "dynamic": "stablehlo.set_dimension_size",
        "einsum": "stablehlo.einsum stablehlo.unary_einsum",
        "fft": "stablehlo.fft",
        "functions": """
            stablehlo.atan2 stablehlo.cbrt stablehlo.cosine stablehlo.exponential
            stablehlo.exponential_minus_one stablehlo.log stablehlo.log_plus_one stablehlo.logistic
            stablehlo.power stablehlo.rsqrt stablehlo.sine stablehlo.tan stablehlo.tanh
        """,
        "gather": "stablehlo.dynamic_gather stablehlo.gather stablehlo.torch_index_select",
        "interpreter_dialect": "interpreter.*",
        "io": """
            stablehlo.async_done stablehlo.async_start stablehlo.infeed stablehlo.outfeed stablehlo.recv
            stablehlo.send
        """,
        "linalg": "stablehlo.cholesky stablehlo.triangular_solve",
        "map": "stablehlo.map",
        "norm": """
            stablehlo.batch_norm_grad stablehlo.batch_norm_inference stablehlo.batch_norm_training
        """,
        "quantized": "stablehlo.uniform_dequantize stablehlo.uniform_quantize",
        "random": "stablehlo.rng stablehlo.rng_bit_generator",
        "reduce": "stablehlo.reduce",
        "scatter": "stablehlo.scatter",
        "sdy": "sdy.*",
        "select_and_scatter": "stablehlo.select_and_scatter",
        "shape": """
            stablehlo.broadcast stablehlo.broadcast_in_dim stablehlo.concatenate
            stablehlo.dynamic_broadcast_in_dim stablehlo.dynamic_iota stablehlo.dynamic_pad
            stablehlo.dynamic_reshape stablehlo.get_dimension_size stablehlo.iota stablehlo.pad
            stablehlo.reshape stablehlo.reverse stablehlo.transpose
        """,
        "shape_dialect": "shape.*",
        "slicing": """
            stablehlo.dynamic_slice stablehlo.dynamic_update_slice stablehlo.real_dynamic_slice
            stablehlo.slice
        """,
        "sort": "stablehlo.sort",
        "tensor_dialect": "tensor.*",
        "window": "stablehlo.reduce_window",
    },
)
has_custom_calls(__name__, ("dynamic", "jax_calls"))
