"""A tiny program for each operation, with `$` for the element type: docs/generators/make_ops.py evaluates them all.

A row is operands -> results, then the text between operands and types: attributes, or regions in parentheses;
or a whole module, if an operation needs more. Several rows are alternatives: an element type is allowed if
one of them verifies.
"""

# ruff: noqa: E501 # MLIR text reads better on one line

from __future__ import annotations

from hlokit.traits.table import having

KINDS = {
    "bool": ("i1",),
    "signed": ("i2", "i4", "i8", "i16", "i32", "i64"),
    "unsigned": ("ui2", "ui4", "ui8", "ui16", "ui32", "ui64"),
    "float": (
        *("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3B11FNUZ", "f8E4M3FN", "f8E4M3FNUZ"),
        *("f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "bf16", "f16", "f32", "f64"),
    ),
    "complex": ("complex<f32>", "complex<f64>"),
    "quantized": (
        "!quant.uniform<i8:f32, 5.0e-01:1>",
        "!quant.uniform<u4:f32, 5.0e-01:1>",
        "!quant.uniform<i32:f32, 5.0e-01>",
        "!quant.uniform<i8:bf16, 5.0e-01:1>",
        "!quant.uniform<i8:f32:0, {5.0e-01:1, 2.5e-01:2}>",
    ),
}

_ADD = "%r = stablehlo.add %a, %b : tensor<$>"
_REDUCER = f"({{^bb0(%a: tensor<$>, %b: tensor<$>): {_ADD} stablehlo.return %r : tensor<$>}})"
_SELECTOR = "{^bb0(%a: tensor<$>, %b: tensor<$>): %r = stablehlo.compare EQ, %a, %b : (tensor<$>, tensor<$>) -> tensor<i1> stablehlo.return %r : tensor<i1>}"
_RESULT = "{stablehlo.return %0 : tensor<2x$>}"
_GROUPS = "replica_groups = dense<[[0]]> : tensor<1x1xi64>"
_CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
_PAIRS = "source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>"
_WINDOW = "window_dimensions = array<i64: 2>"
_CONV = (
    "batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
    "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
)
_NORM = "epsilon = 0.1 : f32, feature_index = 0 : i64"
_DOT = "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>"
_GATHER = "dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
_SCATTER = (
    "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
)
_SAME = "2x$ -> 2x$"
_TWO = "2x$, 2x$ -> 2x$"


Row = tuple[str, str] | str


def _elementwise(dialect: str) -> dict[str, tuple[Row, ...]]:
    """Element-wise operations of one or two operands; other operations have their own rows below."""
    names = sorted(name for name in having("elementwise") if name.startswith(f"{dialect}."))
    return {name.partition(".")[2]: ((_SAME, ""), (_TWO, "")) for name in names}


_CONSTANTS = ("1", "1.0", "true", "(1.0, 0.0)")
_TRANSFER = "channel_handle = #stablehlo.channel_handle<handle = 7, type = {}>, is_host_transfer = true"


def _main(body: str, results: str = "2x$") -> str:
    """A module of one function of a tensor `%0`, whose `%r` it returns."""
    return f"func.func @main(%0: tensor<2x$>) -> tensor<{results}> {{\n{body}\nreturn %r : tensor<{results}>\n}}\n"


_ASYNC = (
    _main(
        """%f = "stablehlo.async_start"(%0) ({^bb0(%a: tensor<2x$>):
        %g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}
          : (tensor<2x$>) -> tensor<2x$>
        stablehlo.return %g : tensor<2x$>}) : (tensor<2x$>) -> !stablehlo.future<tensor<2x$>>
        %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2x$>>) -> tensor<2x$>"""
    ),
)
_TUPLE = (
    _main(
        """%t = stablehlo.tuple %0, %0 : tuple<tensor<2x$>, tensor<2x$>>
        %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2x$>, tensor<2x$>>) -> tensor<2x$>"""
    ),
)
_SEND = (
    f"""func.func @sender(%0: tensor<2x$>, %t: !stablehlo.token) -> !stablehlo.token {{
      %r = "stablehlo.send"(%0, %t) {{{_TRANSFER.format(2)}}} : (tensor<2x$>, !stablehlo.token) -> !stablehlo.token
      return %r : !stablehlo.token
    }}
    func.func @receiver(%t: !stablehlo.token) -> tensor<2x$> {{
      %r:2 = "stablehlo.recv"(%t) {{{_TRANSFER.format(3)}}} : (!stablehlo.token) -> (tensor<2x$>, !stablehlo.token)
      return %r#0 : tensor<2x$>
    }}"""
    + _main(
        """%t = stablehlo.create_token : !stablehlo.token
        %s, %r = "interpreter.run_parallel"(%0, %t, %t) {programs = [[@sender], [@receiver]]}
          : (tensor<2x$>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<2x$>)"""
    ),
)
_INFEED = tuple(
    f"""func.func @feed() -> tensor<2x$> {{
      %c = stablehlo.constant dense<{value}> : tensor<2x$>
      return %c : tensor<2x$>
    }}
    func.func @reader(%t: !stablehlo.token) -> tensor<2x$> {{
      %r:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2x$>, !stablehlo.token)
      return %r#0 : tensor<2x$>
    }}"""
    + _main(
        """%t = stablehlo.create_token : !stablehlo.token
        %r = "interpreter.run_parallel"(%t) {infeed = [@feed], programs = [[@reader]]}
          : (!stablehlo.token) -> tensor<2x$>"""
    )
    for value in _CONSTANTS
)
_COMPOSITE = (
    "func.func private @twice(%a: tensor<2x$>) -> tensor<4x$> {\n"
    "%r = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x$>, tensor<2x$>) -> tensor<4x$>\n"
    "return %r : tensor<4x$>\n}\n"
    + _main(
        '%r = stablehlo.composite "a.b" %0 {decomposition = @twice} : (tensor<2x$>) -> tensor<4x$>', "4x$"
    ),
)

STABLEHLO: dict[str, tuple[Row, ...]] = {
    **_elementwise("stablehlo"),
    "optimization_barrier": ((_SAME, ""),),
    "abs": ((_SAME, ""), ("2xcomplex<f32> -> 2x$", "")),
    "all_gather": ((_SAME, f"{{all_gather_dim = 0 : i64, {_GROUPS}}}"),),
    "all_reduce": ((_SAME, f"{_REDUCER} {{{_GROUPS}}}"),),
    "all_to_all": (
        (
            _SAME,
            f"{{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, {_GROUPS}}}",
        ),
    ),
    "async_done": _ASYNC,
    "async_start": _ASYNC,
    "batch_norm_grad": (("2x$, 2x$, 2x$, 2x$, 2x$ -> 2x$, 2x$, 2x$", f"{{{_NORM}}}"),),
    "batch_norm_inference": (("2x$, 2x$, 2x$, 2x$, 2x$ -> 2x$", f"{{{_NORM}}}"),),
    "batch_norm_training": (("2x$, 2x$, 2x$ -> 2x$, 2x$, 2x$", f"{{{_NORM}}}"),),
    "bitcast_convert": ((_SAME, ""),),
    "broadcast": (("2x$ -> 3x2x$", "{broadcast_sizes = array<i64: 3>}"),),
    "broadcast_in_dim": (("2x$ -> 3x2x$", "{broadcast_dimensions = array<i64: 1>}"),),
    "case": (("2x$, i32 -> 2x$", f"({_RESULT})"),),
    "cholesky": (("2x2x$ -> 2x2x$", "{lower = true}"),),
    "clamp": (("2x$, 2x$, 2x$ -> 2x$", ""),),
    "collective_broadcast": ((_SAME, f"{{{_GROUPS}}}"),),
    "collective_permute": ((_SAME, f"{{{_PAIRS}}}"),),
    "collective_reduce": ((_SAME, f"{_REDUCER} {{{_GROUPS}}}"),),
    "compare": (("2x$, 2x$ -> 2xi1", "{comparison_direction = #stablehlo<comparison_direction EQ>}"),),
    "complex": (("2xf32, 2xf32 -> 2x$", ""),),
    "composite": _COMPOSITE,
    "concatenate": (("2x$, 2x$ -> 4x$", "{dimension = 0 : i64}"),),
    "constant": tuple((" -> 2x$", f"{{value = dense<{value}> : tensor<2x$>}}") for value in _CONSTANTS),
    "convert": ((_SAME, ""),),
    "convolution": (("1x3x2x$, 2x2x1x$ -> 1x2x1x$", f"{{{_CONV}}}"),),
    "custom_call": ((_SAME, '{call_target_name = "Sharding"}'),),
    "cross-replica-sum": ((_SAME, f"{{{_GROUPS}}}"),),
    "dot": (("2x$, 2x$ -> $", ""),),
    "dot_general": (("2x$, 2x$ -> $", f"{{{_DOT}}}"),),
    "dynamic_broadcast_in_dim": (("1x$, 2xi32 -> ?x1x$", "{broadcast_dimensions = array<i64: 1>}"),),
    "dynamic_conv": (("1x3x2x$, 2x2x1x$, 1x2xi32 -> 1x?x1x$", f"{{{_CONV}}}"),),
    "dynamic_gather": (("3x$, 2x1xi32, 1xi32 -> 2x$", f"{{{_GATHER}}}"),),
    "dynamic_iota": (("1xi32 -> ?x$", "{iota_dimension = 0 : i64}"),),
    "dynamic_pad": (("2x$, $, 1xi32, 1xi32, 1xi32 -> ?x$", ""),),
    "dynamic_reshape": (("1x$, 2xi32 -> ?x?x$", ""),),
    "dynamic_slice": (("3x$, i32 -> 2x$", "{slice_sizes = array<i64: 2>}"),),
    "dynamic_update_slice": (("3x$, 2x$, i32 -> 3x$", ""),),
    "einsum": (("2x$, 2x$ -> $", '{einsum_config = "i,i->"}'),),
    "fft": (
        (_SAME, "{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2>}"),
        ("2x$ -> 2xcomplex<f32>", "{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 2>}"),
    ),
    "gather": (("3x$, 2x1xi32 -> 2x$", f"{{{_GATHER}, slice_sizes = array<i64: 1>}}"),),
    "get_dimension_size": (("2x$ -> i32", "{dimension = 0 : i64}"),),
    "get_tuple_element": _TUPLE,
    "if": (("2x$, i1 -> 2x$", f"({_RESULT}, {_RESULT})"),),
    "imag": ((_SAME, ""), ("2x$ -> 2xf32", "")),
    "infeed": _INFEED,
    "iota": ((" -> 2x$", "{iota_dimension = 0 : i64}"),),
    "is_finite": (("2x$ -> 2xi1", ""),),
    "map": ((_TWO, f"{_REDUCER} {{dimensions = array<i64: 0>}}"),),
    "outfeed": (
        _main(
            """%t = stablehlo.create_token : !stablehlo.token
            %s = "stablehlo.outfeed"(%0, %t) : (tensor<2x$>, !stablehlo.token) -> !stablehlo.token
            %r = stablehlo.reverse %0, dims = [0] : tensor<2x$>"""
        ),
    ),
    "pad": (
        (
            "2x$, $ -> 4x$",
            "{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}",
        ),
    ),
    "real": ((_SAME, ""), ("2x$ -> 2xf32", "")),
    "real_dynamic_slice": (("3x$, 1xi32, 1xi32, 1xi32 -> ?x$", ""),),
    "recv": _SEND,
    "reduce": (("2x$, $ -> $", f"{_REDUCER} {{dimensions = array<i64: 0>}}"),),
    "reduce_precision": ((_SAME, "{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}"),),
    "reduce_scatter": ((_SAME, f"{_REDUCER} {{scatter_dimension = 0 : i64, {_GROUPS}}}"),),
    "reduce_window": (("4x$, $ -> 3x$", f"{_REDUCER} {{{_WINDOW}}}"),),
    "reshape": (("2x$ -> 1x2x$", ""),),
    "reverse": ((_SAME, "{dimensions = array<i64: 0>}"),),
    "rng": (("$, $, 1xi64 -> 1x$", "{rng_distribution = #stablehlo<rng_distribution UNIFORM>}"),),
    "rng_bit_generator": (
        ("2xui64 -> 2xui64, 2x$", "{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}"),
    ),
    "scatter": (("3x$, 2x1xi32, 2x$ -> 3x$", f"{_REDUCER} {{{_SCATTER}}}"),),
    "select": (("2xi1, 2x$, 2x$ -> 2x$", ""),),
    "select_and_scatter": (
        (
            "4x$, 3x$, $ -> 4x$",
            f"({_SELECTOR}, {_REDUCER.removeprefix('(').removesuffix(')')}) {{{_WINDOW}}}",
        ),
    ),
    "send": _SEND,
    "set_dimension_size": (("2x$, i32 -> ?x$", "{dimension = 0 : i64}"),),
    "slice": (
        (
            "3x$ -> 2x$",
            "{start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>}",
        ),
    ),
    "sort": ((_SAME, f"({_SELECTOR})"),),
    "torch_index_select": (("3x$, 2xi32 -> 2x$", "{dim = 0 : i64, batch_dims = 0 : i64}"),),
    "transpose": (("2x3x$ -> 3x2x$", "{permutation = array<i64: 1, 0>}"),),
    "triangular_solve": (
        (
            "2x2x$, 2x2x$ -> 2x2x$",
            "{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}",
        ),
    ),
    "tuple": _TUPLE,
    "unary_einsum": (("2x$ -> $", '{einsum_config = "i->"}'),),
    "uniform_dequantize": (("2x$ -> 2xf32", ""),),
    "uniform_quantize": (
        *(
            _main(f"%r = stablehlo.uniform_quantize %0 : (tensor<2x$>) -> tensor<{quantized}>", quantized)
            for quantized in ("2x!quant.uniform<i8:f32, 2.5e-01>", "2x!quant.uniform<i8:bf16, 2.5e-01>")
        ),
    ),
    "while": (
        (
            _SAME,
            "({^bb0(%a: tensor<2x$>): %r = stablehlo.constant dense<false> : tensor<i1> stablehlo.return %r : tensor<i1>}, "
            "{^bb0(%a: tensor<2x$>): stablehlo.return %a : tensor<2x$>})",
        ),
    ),
}

# Operations in which the element type plays no part.
_WITHOUT_KINDS = "after_all create_token partition_id replica_id return"
WITHOUT_KINDS = {f"stablehlo.{name}" for name in _WITHOUT_KINDS.split()}

CHLO: dict[str, tuple[Row, ...]] = {
    **_elementwise("chlo"),
    "broadcast_compare": (("2x$, 2x$ -> 2xi1", "{comparison_direction = #chlo<comparison_direction EQ>}"),),
    "broadcast_complex": (("2xf32, 2xf32 -> 2x$", ""),),
    "broadcast_select": (("2xi1, 2x$, 2x$ -> 2x$", ""),),
    "constant": tuple((" -> 2x$", f"{{value = dense<{value}> : tensor<2x$>}}") for value in _CONSTANTS),
    "constant_like": (
        (_SAME, "{value = 1 : $}"),
        (_SAME, "{value = 1.0 : $}"),
    ),
    "is_inf": (("2x$ -> 2xi1", ""),),
    "is_neg_inf": (("2x$ -> 2xi1", ""),),
    "is_pos_inf": (("2x$ -> 2xi1", ""),),
    "ragged_dot": (
        (
            "2x2x$, 1x2x2x$, 1xi64 -> 2x2x$",
            "{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], "
            "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}",
        ),
    ),
    "scan": (
        (
            "2x$, $ -> 2x$, $",
            f"({{^bb0(%a: tensor<$>, %b: tensor<$>): {_ADD} stablehlo.return %r, %r : tensor<$>, tensor<$>}}) "
            "{dimension = 0 : i64, is_associative = false, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, "
            "resultSegmentSizes = array<i32: 1, 1>}",
        ),
    ),
    "top_k": (("2x$ -> 1x$, 1xi32", "{k = 1 : i64}"),),
}
