"""A valid use of every operation of StableHLO and CHLO, with the result types that its specification gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """One use of an operation. `expected` is the result of `infer`; `given` are the given result types."""

    op: str
    types: tuple[str, ...]
    expected: tuple[str, ...]
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])
    regions: tuple[str, ...] = ()
    given: tuple[str, ...] | None = None


F, FD, FB = "tensor<4x5xf32>", "tensor<?x5xf32>", "tensor<?x5xf32, #stablehlo.bounds<7, ?>>"
Q = "tensor<4x5x!quant.uniform<i8:f32, 5.000000e-01:3>>"
INTS, B, C = "tensor<4x5xi32>", "tensor<4x5xi1>", "tensor<4x5xcomplex<f32>>"
S, SI, T = "tensor<f32>", "tensor<i32>", "!stablehlo.token"
GROUPS = {"replica_groups": [[0, 1]]}


def simple(dialect: str, names: str, *types: str, expected: str = "", **attributes: Any) -> list[Case]:
    """Operations whose result has the type of the first operand, or another one."""
    return [Case(f"{dialect}.{name}", types, (expected or types[0],), attributes) for name in names.split()]


def given(
    op: str, types: tuple[str, ...], /, *results: str, regions: tuple[str, ...] = (), **attributes: Any
) -> Case:
    """An operation that infers nothing."""
    return Case(op, types, results, attributes, regions, results)


_FLOAT = (
    "abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate "
    "round_nearest_afz round_nearest_even rsqrt sign sine sqrt tan tanh"
)
_CHLO_UNARY = (
    "acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc lgamma sinh square tan"
)
_BINARY = "add atan2 divide maximum minimum multiply power remainder subtract"
_INTEGER = "and or xor shift_left shift_right_arithmetic shift_right_logical"
_RETURN = "stablehlo.return"
_TRUE = f"%0 = stablehlo.constant dense<true> : tensor<i1>\n{_RETURN} %0 : tensor<i1>"
_ADD = "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%0 = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %0 : tensor<f32>"
_CONV = {
    "dimension_numbers": "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>",
    "feature_group_count": 1,
    "batch_group_count": 1,
}
_DOT = {"lhs_contracting_dimensions": [1], "rhs_contracting_dimensions": [0]}
_GATHER = {
    "offset_dims": [1],
    "collapsed_slice_dims": [0],
    "start_index_map": [0],
    "index_vector_dim": 1,
}
_SCATTER = {
    "update_window_dims": [1],
    "inserted_window_dims": [0],
    "scatter_dims_to_operand_dims": [0],
    "index_vector_dim": 1,
}
_RAGGED = {
    "lhs_batching_dimensions": [],
    "rhs_batching_dimensions": [],
    "lhs_contracting_dimensions": [1],
    "rhs_contracting_dimensions": [1],
    "lhs_ragged_dimensions": [0],
    "rhs_group_dimensions": [0],
}
_CHANNEL = {"handle": 3, "type": 1}
_NORM = {"epsilon": 0.001, "feature_index": 1}
_V5 = "tensor<5xf32>"
_SCAN = (
    "^bb0(%x: tensor<4xf32>, %c: tensor<4xf32>):\n%0 = stablehlo.add %x, %c : tensor<4xf32>\n"
    "stablehlo.return %0, %0 : tensor<4xf32>, tensor<4xf32>"
)
_ASYNC = (
    f'^bb0(%a: {F}):\n%0 = "stablehlo.collective_permute"(%a) '
    f"{{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}} : ({F}) -> {F}\n{_RETURN} %0 : {F}"
)

CASES: list[Case] = [
    *simple("stablehlo", _FLOAT, F),
    *simple("stablehlo", "abs ceil tanh", FD),
    *simple("stablehlo", "abs negate tanh", FB),
    *simple("stablehlo", "abs tanh", Q),
    *simple("stablehlo", "abs real imag", C, expected=F),
    *simple("stablehlo", _BINARY, F, F),
    *simple("stablehlo", "add multiply", FD, FD),
    *simple("stablehlo", "add", FB, FB),
    *simple("stablehlo", "add", Q, Q),
    *simple("stablehlo", _INTEGER, INTS, INTS),
    *simple("stablehlo", "not popcnt count_leading_zeros", INTS),
    *simple("stablehlo", "reverse", F, dimensions=[0]),
    *simple("stablehlo", "reduce_precision", F, exponent_bits=5, mantissa_bits=10),
    *simple("stablehlo", "is_finite", F, expected=B),
    *simple("stablehlo", "is_finite", FB, expected=FB.replace("f32", "i1")),
    *simple("stablehlo", "complex", F, F, expected=C),
    *simple("stablehlo", "compare", F, F, expected=B, comparison_direction="LT", compare_type="FLOAT"),
    *simple("stablehlo", "compare", FD, FD, expected=FD.replace("f32", "i1"), comparison_direction="EQ"),
    *simple("stablehlo", "clamp", S, F, S, expected=F),
    *simple("stablehlo", "select", B, F, F, expected=F),
    *simple("stablehlo", "uniform_dequantize", Q, expected=F),
    *simple("stablehlo", "transpose", F, expected="tensor<5x4xf32>", permutation=[1, 0]),
    *simple("stablehlo", "transpose", FD, expected="tensor<5x?xf32>", permutation=[1, 0]),
    *simple(
        "stablehlo",
        "transpose",
        FB,
        expected="tensor<5x?xf32, #stablehlo.bounds<?, 7>>",
        permutation="array<i64: 1, 0>",
    ),
    *simple("stablehlo", "broadcast", F, expected="tensor<3x4x5xf32>", broadcast_sizes=[3]),
    *simple("stablehlo", "concatenate", F, "tensor<2x5xf32>", expected="tensor<6x5xf32>", dimension=0),
    *simple("stablehlo", "concatenate", F, FD, expected=FD, dimension=0),
    *simple(
        "stablehlo",
        "pad",
        F,
        S,
        expected="tensor<7x11xf32>",
        edge_padding_low=[1, 0],
        edge_padding_high=[2, 2],
        interior_padding=[0, 1],
    ),
    *simple(
        "stablehlo",
        "slice",
        F,
        expected="tensor<2x2xf32>",
        start_indices=[1, 0],
        limit_indices=[3, 4],
        strides=[1, 2],
    ),
    *simple("stablehlo", "dynamic_slice", F, SI, SI, expected="tensor<2x5xf32>", slice_sizes=[2, 5]),
    *simple("stablehlo", "dynamic_update_slice", F, "tensor<2x2xf32>", SI, SI, expected=F),
    *simple(
        "stablehlo",
        "gather",
        F,
        "tensor<3x1xi64>",
        expected="tensor<3x5xf32>",
        dimension_numbers=_GATHER,
        slice_sizes=[1, 5],
    ),
    *simple(
        "stablehlo",
        "dynamic_gather",
        F,
        "tensor<3x1xi64>",
        "tensor<2xi64>",
        expected="tensor<3x?xf32>",
        dimension_numbers=_GATHER,
    ),
    *simple("stablehlo", "get_dimension_size", FD, expected=SI, dimension=0),
    *simple("stablehlo", "set_dimension_size", F, SI, expected="tensor<?x5xf32, #stablehlo.bounds<4, ?>>", dimension=0),
    *simple("stablehlo", "fft", C, expected=C, fft_type="FFT", fft_length=[5]),
    *simple("stablehlo", "fft", F, expected="tensor<4x3xcomplex<f32>>", fft_type="RFFT", fft_length=[5]),
    *simple("stablehlo", "cholesky", "tensor<4x4xf32>", lower=True),
    *simple(
        "stablehlo",
        "triangular_solve",
        "tensor<4x4xf32>",
        F,
        expected=F,
        left_side=True,
        lower=False,
        unit_diagonal=False,
        transpose_a="TRANSPOSE",
    ),
    *simple("stablehlo", "rng", S, S, "tensor<2xi64>", expected="tensor<?x?xf32>", rng_distribution="UNIFORM"),
    *simple("stablehlo", "batch_norm_inference", F, _V5, _V5, _V5, _V5, **_NORM),
    *simple("stablehlo", "collective_broadcast", F, channel_handle=_CHANNEL, **GROUPS),
    *simple("stablehlo", "collective_permute", F, source_target_pairs=[[0, 1]]),
    *simple("stablehlo", "cross-replica-sum", F, **GROUPS),
    *simple(
        "stablehlo",
        "all_to_all",
        F,
        expected="tensor<2x10xf32>",
        split_dimension=0,
        concat_dimension=1,
        split_count=2,
        **GROUPS,
    ),
    *simple("stablehlo", "outfeed send", F, T, expected=T, channel_handle=_CHANNEL)[1:],
    *simple("stablehlo", "outfeed", F, T, expected=T, outfeed_config="somewhere"),
    Case("stablehlo.batch_norm_training", (F, _V5, _V5), (F, _V5, _V5), _NORM),
    Case("stablehlo.batch_norm_grad", (F, _V5, _V5, _V5, F), (F, _V5, _V5), _NORM),
    Case("stablehlo.after_all", (T, T), (T,)),
    Case("stablehlo.create_token", (), (T,)),
    Case("stablehlo.optimization_barrier", (F, T), (F, T)),
    Case("stablehlo.tuple", (F, T), (f"tuple<{F}, {T}>",)),
    Case("stablehlo.get_tuple_element", (f"tuple<{F}, {T}>",), (F,), {"index": 0}),
    Case("stablehlo.partition_id", (), ("tensor<ui32>",)),
    Case("stablehlo.replica_id", (), ("tensor<ui32>",)),
    Case("stablehlo.constant", (), ("tensor<2xi8>",), {"value": "dense<[1, 2]> : tensor<2xi8>"}),
    Case("stablehlo.return", (F,), ()),
    # Regions.
    Case("stablehlo.all_reduce", (F,), (F,), GROUPS, ("add",)),
    Case("stablehlo.all_reduce", (F,), (F,), {**GROUPS, "use_global_device_ids": True, "channel_handle": _CHANNEL}, (_ADD,)),
    Case("stablehlo.collective_reduce", (F,), (F,), GROUPS, ("add",)),
    Case("stablehlo.map", (F, F), (F,), {"dimensions": [0, 1]}, ("add",)),
    Case("stablehlo.map", (F, F), (B,), {"dimensions": [0, 1]}, ("LT",)),
    Case("stablehlo.reduce", (F, S), ("tensor<4xf32>",), {"dimensions": [1]}, ("add",)),
    Case("stablehlo.reduce", (FD, S), ("tensor<?xf32>",), {"dimensions": [1]}, (_ADD,)),
    Case("stablehlo.reduce", (FB, S), ("tensor<?xf32, #stablehlo.bounds<7>>",), {"dimensions": [1]}, (_ADD,)),
    Case("stablehlo.reduce", (F, INTS, S, SI), ("tensor<5xf32>", "tensor<5xi32>"), {"dimensions": [0]}, ("maximum",)),
    Case(
        "stablehlo.reduce_window",
        (F, S),
        ("tensor<3x3xf32>",),
        {"window_dimensions": [2, 2], "window_strides": [1, 2], "padding": [[0, 0], [1, 0]]},
        ("maximum",),
    ),
    Case("stablehlo.scatter", (F, "tensor<3x1xi32>", "tensor<3x5xf32>"), (F,), {"scatter_dimension_numbers": _SCATTER}, ("add",)),
    Case(
        "stablehlo.select_and_scatter",
        (F, "tensor<2x2xf32>", S),
        (F,),
        {"window_dimensions": [2, 2], "window_strides": [2, 2]},
        ("GE", "add"),
    ),
    Case("stablehlo.sort", (F, INTS), (F, INTS), {"dimension": 1, "is_stable": True}, ("LT",)),
    Case("stablehlo.if", ("tensor<i1>",), ("tensor<i1>",), {}, (_TRUE, _TRUE)),
    Case("stablehlo.case", (SI,), ("tensor<i1>",), {}, (_TRUE, _TRUE, _TRUE)),
    Case(
        "stablehlo.while",
        (F, SI),
        (F, SI),
        {},
        (f"^bb0(%a: {F}, %b: {SI}):\n{_TRUE}", f"^bb0(%a: {F}, %b: {SI}):\nstablehlo.return %a, %b : {F}, {SI}"),
    ),
    Case("stablehlo.async_start", (F,), (f"!stablehlo.future<{F}>",), {}, (_ASYNC,)),
    Case("stablehlo.async_done", (f"!stablehlo.future<{F}>",), (F,)),
    Case("chlo.scan", (F, "tensor<4xf32>"), (F, "tensor<4xf32>"), {"dimension": 1}, (_SCAN,)),
    # Shapes that the verifier knows.
    Case("stablehlo.convolution", ("tensor<2x8x9x3xf32>", "tensor<3x3x3x6xf32>"), ("tensor<2x6x7x6xf32>",), _CONV),
    Case("stablehlo.convolution", ("tensor<?x8x9x3xbf16>", "tensor<3x3x3x6xbf16>"), ("tensor<?x6x7x6xf32>",), _CONV, (), ("tensor<*xf32>",)),
    Case("stablehlo.dot_general", (F, "tensor<5x2xf32>"), ("tensor<4x2xf32>",), {"dot_dimension_numbers": _DOT}),
    Case("stablehlo.dot_general", (FD, "tensor<5x2xf32>"), ("tensor<?x2xf32>",), {"dot_dimension_numbers": _DOT}),
    Case("stablehlo.dot", (F, "tensor<5x2xf32>"), ("tensor<4x2xf32>",), {"precision_config": ["HIGH", "HIGHEST"]}),
    Case("stablehlo.dot", ("tensor<5xf32>", "tensor<5xf32>"), (S,)),
    Case(
        "chlo.ragged_dot",
        (F, "tensor<3x5x2xf32>", "tensor<3xi32>"),
        ("tensor<4x2xf32>",),
        {"ragged_dot_dimension_numbers": _RAGGED},
    ),
    # Result types that must be given.
    given("stablehlo.all_gather", (F,), "tensor<8x5xf32>", all_gather_dim=0, **GROUPS),
    given("stablehlo.bitcast_convert", (F,), INTS),
    given("stablehlo.broadcast_in_dim", (S,), F, broadcast_dimensions=[]),
    given("stablehlo.composite", (F,), F, name="a.b", decomposition="@f", composite_attributes={"n": 1}, version=1),
    given("stablehlo.convert", (F,), INTS),
    given("stablehlo.custom_call", (F,), T, call_target_name="f", has_side_effect=True, backend_config="x", api_version=2),
    given("stablehlo.dynamic_broadcast_in_dim", (S, "tensor<2xi32>"), "tensor<?x?xf32>", broadcast_dimensions=[]),
    given("stablehlo.dynamic_conv", ("tensor<2x8x9x3xf32>", "tensor<3x3x3x6xf32>", "tensor<2x2xi32>"), "tensor<2x?x?x6xf32>", **_CONV),
    given("stablehlo.dynamic_iota", ("tensor<2xi32>",), "tensor<?x?xf32>", iota_dimension=1),
    given("stablehlo.dynamic_pad", (F, S, *["tensor<2xi32>"] * 3), "tensor<?x?xf32>"),
    given("stablehlo.dynamic_reshape", (F, "tensor<1xi32>"), "tensor<?xf32>"),
    given("stablehlo.einsum", (F, "tensor<5x2xf32>"), "tensor<4x2xf32>", einsum_config="ab,bc->ac"),
    given("stablehlo.infeed", (T,), F, T, infeed_config="x"),
    given("stablehlo.iota", (), F, iota_dimension=1),
    given("stablehlo.real_dynamic_slice", (F, *["tensor<2xi32>"] * 3), "tensor<?x?xf32>"),
    given("stablehlo.recv", (T,), F, T, channel_handle={"handle": 1, "type": 3}, is_host_transfer=True),
    given("stablehlo.reduce_scatter", (F,), "tensor<2x5xf32>", regions=("add",), scatter_dimension=0, **GROUPS),
    given("stablehlo.reshape", (F,), "tensor<2x10xf32>"),
    given("stablehlo.rng_bit_generator", ("tensor<2xui64>",), "tensor<2xui64>", F.replace("f32", "ui32"), rng_algorithm="THREE_FRY"),
    given("stablehlo.torch_index_select", (F, "tensor<2xi32>"), "tensor<2x5xf32>", dim=0, batch_dims=0),
    given("stablehlo.unary_einsum", (F,), "tensor<4xf32>", einsum_config="ab->a"),
    given("stablehlo.uniform_quantize", (F,), Q),
    # CHLO.
    *simple("chlo", _CHLO_UNARY, F),
    *simple("chlo", "_asin_acos_kernel", C),
    *simple("chlo", "erf tan", FD),
    *simple("chlo", "is_inf is_neg_inf is_pos_inf", F, expected=B),
    *simple("chlo", "next_after polygamma zeta", F, F),
    *simple("chlo", "mulhi", INTS, INTS),
    *simple("chlo", "constant", expected="tensor<2xi8>", value="dense<[1, 2]> : tensor<2xi8>"),
    *simple("chlo", "constant_like", FD, value="1.0 : f32"),
    *simple("chlo", "broadcast_compare", F, "tensor<5xf32>", expected=B, comparison_direction="LT"),
    *simple("chlo", "broadcast_complex", F, "tensor<1x5xf32>", expected=C),
    *simple("chlo", "broadcast_select", "tensor<i1>", F, F, expected=F),
    *simple("chlo", " ".join(f"broadcast_{name}" for name in (*_BINARY.split(), "next_after", "polygamma", "zeta")), F, S),
    *simple("chlo", " ".join(f"broadcast_{name}" for name in _INTEGER.split()), INTS, "tensor<1x5xi32>"),
    *simple("chlo", "broadcast_add", "tensor<4xf32>", F, expected=F, broadcast_dimensions=[0]),
    Case("chlo.top_k", (F,), ("tensor<4x2xf32>", "tensor<4x2xi32>"), {"k": 2}),
]  # fmt: skip
