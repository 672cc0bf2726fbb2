"""Calls of libraries in HLO that XLA optimized for GPUs and CPUs, against their definitions in NumPy's f64.

The programs are HLO, as XLA's passes write it: windows and configurations arrive as in dumps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.mlir.provider.bindings import xla_modules

GENERATOR = np.random.default_rng(11)
Array = Any


def normal(*shape: int) -> Array:
    return GENERATOR.normal(size=shape).astype(np.float32)


def call(target: str, results: str, operands: str, more: str = "", config: Any = None) -> hlokit.Program:
    """A program of HLO with one custom call; the first result is returned."""
    types = operands.split(" ")
    names = [f"p{number}" for number in range(len(types))]
    lines = [f"  p{number} = {type_} parameter({number})" for number, type_ in enumerate(types)]
    options = f'{more}, custom_call_target="{target}"' + f", backend_config={json.dumps(config)}" * bool(
        config
    )
    lines.append(f"  call = ({results}, u8[0]) custom-call({', '.join(names)}){options}")
    lines.append(f"  ROOT r = ({results}) tuple({', '.join(_elements(results))})")
    parts = _gets(results)
    text = "\n".join(["HloModule m", "ENTRY main {", *lines[:-1], *parts, lines[-1], "}", ""])
    return hlokit.load(text)


def _count(results: str) -> int:
    return results.count("[")


def _elements(results: str) -> list[str]:
    return [f"e{number}" for number in range(_count(results))]


def _gets(results: str) -> list[str]:
    types = results.replace("], ", "];").split(";")
    return [f"  e{n} = {type_} get-tuple-element(call), index={n}" for n, type_ in enumerate(types)]


def close(actual: Any, *expected: Array, rtol: float = 1e-4) -> None:
    arrays = actual if isinstance(actual, tuple) else (actual,)
    assert len(arrays) == len(expected)
    for one, other in zip(arrays, expected, strict=True):
        np.testing.assert_allclose(np.asarray(one, np.float64), other, rtol=rtol, atol=rtol)


# Convolutions: b01f_01io->b01f with strides 2x1, padding 1_2x0_1, dilations 1x2, in two groups ---------------

WINDOW = ", window={size=3x2 stride=2x1 pad=1_2x0_1 rhs_dilate=1x2}, dim_labels=b01f_01io->b01f, feature_group_count=2"
X, KERNEL, Y = (2, 5, 6, 4), (3, 2, 2, 6), (2, 3, 5, 6)


def taps() -> Iterator[tuple[Any, Any, Any]]:
    """Indices of an input, the kernel and the output whose product is a term of the convolution."""
    for n, y, x, o, ky, kx, i in product(*map(range, (*Y, *KERNEL[:3]))):
        row, column = 2 * y + ky - 1, x + 2 * kx
        if 0 <= row < X[1] and 0 <= column < X[2]:
            yield (n, row, column, i + o // 3 * 2), (ky, kx, i, o), (n, y, x, o)


def typed(*shapes: tuple[int, ...]) -> str:
    return " ".join([f"f32[{','.join(map(str, shape))}]" for shape in shapes])


def convolved(x: Array, kernel: Array) -> Array:
    result = np.zeros(Y)
    for at, of, to in taps():
        result[to] += float(x[at]) * float(kernel[of])
    return result


def test_cudnn_convolution_and_its_gradients() -> None:
    x, kernel, y = normal(*X), normal(*KERNEL), normal(*Y)
    close(call("__cudnn$convForward", typed(Y), typed(X, KERNEL), WINDOW)(x, kernel), convolved(x, kernel))
    of_x, of_kernel = np.zeros(X), np.zeros(KERNEL)
    for at, of, to in taps():
        of_x[at] += float(y[to]) * float(kernel[of])
        of_kernel[of] += float(y[to]) * float(x[at])
    close(call("__cudnn$convBackwardInput", typed(X), typed(Y, KERNEL), WINDOW)(y, kernel), of_x)
    close(call("__cudnn$convBackwardFilter", typed(KERNEL), typed(X, Y), WINDOW)(x, y), of_kernel)


ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "kNone": lambda x: x,
    "kRelu": lambda x: np.maximum(x, 0),
    "kRelu6": lambda x: np.minimum(np.maximum(x, 0), 6),
    "kElu": lambda x: np.where(x > 0, x, np.exp(x) - 1),
    "kLeakyRelu": lambda x: np.where(x > 0, x, 0.25 * x),
    "kSigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "kTanh": np.tanh,
}


def test_cudnn_convolution_with_bias_side_input_and_activation() -> None:
    x, kernel, bias, side = normal(*X), normal(*KERNEL), normal(6), normal(*Y)
    before = 0.5 * convolved(x, kernel) + bias + 2 * side
    for mode, function in ACTIVATIONS.items():
        settings = {
            "activation_mode": mode,
            "conv_result_scale": 0.5,
            "side_input_scale": 2,
            "leakyrelu_alpha": 0.25,
        }
        program = call(
            "__cudnn$convBiasActivationForward",
            typed(Y),
            typed(X, KERNEL, (6,), Y),
            WINDOW,
            {"cudnn_conv_backend_config": settings},
        )
        close(program(x, kernel, bias, side), function(before))


def test_unknown_activations_and_serialized_graphs_are_named() -> None:
    x, kernel = normal(*X), normal(*KERNEL)
    rows = (
        ({"activation_mode": "kBandPass"}, "no function is known for the activation kBandPass"),
        ({"serialized_graph": "[1]"}, "a serialized graph and reordered kernels are not evaluated"),
    )
    for settings, message in rows:
        program = call(
            "__cudnn$convForward", typed(Y), typed(X, KERNEL), WINDOW, {"cudnn_conv_backend_config": settings}
        )
        with pytest.raises(hlokit.UnsupportedError, match=message):
            program(x, kernel)


def test_configurations_that_are_no_objects_are_left_alone() -> None:
    program = call("__cudnn$convForward", typed(Y), typed(X, KERNEL), WINDOW, "3")
    with pytest.raises(hlokit.UnsupportedError, match="must have its window, which only HLO has"):
        program(normal(*X), normal(*KERNEL))


@pytest.mark.parametrize("more", [0, 1], ids=["plain numbers", "numbers plus 1"])
def test_onednn_convolution(more: int) -> None:
    """Old versions of XLA write the numbers as they are, newer ones add 1 to lists."""
    x, kernel, bias = normal(*X), normal(*KERNEL), normal(6)
    window = {"strides": [2, 1], "pad_left": [1, 0], "pad_right": [2, 1], "window_dilations": [1, 2]}
    data = {"batch_dim": 0, "feature_dim": 3, "spatial_dims": [1 + more, 2 + more]}
    filter_ = {"input_feature_dim": 2, "output_feature_dim": 3, "spatial_dims": [more, 1 + more]}
    config = {
        "input": {"data": data},
        "kernel": {"filter": filter_},
        "output": {"data": data},
        "window": {name: [value + more for value in values] for name, values in window.items()},
        "feature_groups": 2,
        "fusions": {"ops": ["BIAS", "RELU"]},
    }
    operands = typed(X, KERNEL, (6,))
    program = call("__onednn$convolution", typed(Y), operands, config={"onednn_conv_config": config})
    close(program(x, kernel, bias), np.maximum(convolved(x, kernel) + bias, 0))


# Attention -------------------------------------------------------------------------------------------------


def numbers(
    lhs: int, rhs: int, lhs_batch: tuple[int, int], rhs_batch: tuple[int, int]
) -> dict[str, list[str]]:
    return {
        "lhs_contracting_dimensions": [str(lhs)],
        "rhs_contracting_dimensions": [str(rhs)],
        "lhs_batch_dimensions": [str(axis) for axis in lhs_batch],
        "rhs_batch_dimensions": [str(axis) for axis in rhs_batch],
    }


# Operands are (batch, position, head, feature); the output is (batch, head, position, feature).
FORWARD = {
    "bmm1_dot_dimension_numbers": numbers(3, 3, (0, 2), (0, 2)),
    "bmm2_dot_dimension_numbers": numbers(3, 1, (0, 1), (0, 2)),
}
BACKWARD = {
    "bmm1_grad_gemm1_dot_dimension_numbers": numbers(2, 1, (0, 1), (0, 2)),
    "bmm1_grad_gemm2_dot_dimension_numbers": numbers(3, 1, (0, 1), (0, 2)),
    "bmm2_grad_gemm1_dot_dimension_numbers": numbers(2, 1, (0, 1), (0, 2)),
    "bmm2_grad_gemm2_dot_dimension_numbers": numbers(3, 3, (0, 2), (0, 2)),
}
# Each head of keys and values serves two heads of queries.
B, T, S, N, H = 2, 4, 5, 4, 6
Q, K, OUT = (B, T, N, H), (B, S, N // 2, H), (B, N, T, H)


def attend(q: Array, k: Array, v: Array, bias: Array, seen: Array) -> tuple[Array, Array, Array]:
    """Output, probabilities and logarithms of the denominators."""
    k, v = np.repeat(k, 2, 2), np.repeat(v, 2, 2)
    scores = 0.5 * np.einsum("btnh,bsnh->bnts", q.astype(np.float64), k.astype(np.float64)) + bias
    powers = np.where(seen, np.exp(scores), 0)
    total = powers.sum(-1, keepdims=True)
    return np.einsum("bnts,bsnh->bnth", powers / total, v), powers / total, np.log(total[..., 0])


def attention_config(**more: Any) -> dict[str, Any]:
    return {"cudnn_fmha_backend_config": {"fmha_scale": 0.5, "dropout_rate": 0, **more}}


MASKS = {
    "NO_MASK": np.ones((B, 1, T, S), bool),
    "CAUSAL": np.arange(S) <= np.arange(T)[:, None],
    "PADDING": np.arange(S) < np.array([5, 2]).reshape(B, 1, 1, 1),
    "NO_MASK, 2": np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 1, 1, 0]], bool),
}


@pytest.mark.parametrize("mask", MASKS)
def test_attention(mask: str) -> None:
    q, k, v, bias = normal(*Q), normal(*K), normal(*K), normal(1, N, T, S)
    expected, _, logs = attend(q, k, v, bias, MASKS[mask])
    mask_type, *window = mask.split(", ")
    config = attention_config(
        mask_type=mask_type, sliding_window_length=int(window[0]) if window else 0, **FORWARD
    )
    operands, values = f"{typed(Q, K, K)} f32[1,{N},{T},{S}]", [q, k, v, bias]
    if mask == "PADDING":
        operands += f" s32[{B}] s32[{B}]"
        values += [np.array([T, 3], np.int32), np.array([5, 2], np.int32)]
        expected[1, :, 3:] = 0  # a query beyond the length of its sequence
    results = f"{typed(OUT)}, f32[{B},{N},{T}]"
    program = call("__cudnn$fmhaScaleBiasSoftmax", results, operands, config=config)
    close(program(*values), expected, logs)
    program = call("__cudnn$fmhaScaleBiasSoftmax", typed(OUT), operands, config=config)
    close(program(*values), expected)


@pytest.mark.parametrize("has_bias", [False, True])
def test_gradients_of_attention(has_bias: bool) -> None:
    """Against differences: the gradient of the sum of the output times a constant."""
    q, k, v, weight = normal(*Q), normal(*K), normal(*K), normal(*Q)
    bias = normal(1, N, T, S) * has_bias
    seen = MASKS["CAUSAL"]

    def loss(q: Array, k: Array, v: Array, bias: Array) -> float:
        return float((attend(q, k, v, bias, seen)[0] * weight.transpose(0, 2, 1, 3)).sum())

    def gradient(number: int) -> Array:
        operands = [operand.astype(np.float64) for operand in (q, k, v, bias)]
        result = np.zeros(operands[number].shape)
        for index in np.ndindex(result.shape):
            ends: list[float] = []
            for step in (1e-5, -1e-5):
                moved = [operand.copy() for operand in operands]
                moved[number][index] += step
                ends.append(loss(moved[0], moved[1], moved[2], moved[3]))
            result[index] = (ends[0] - ends[1]) / 2e-5
        return result

    results = f"{typed(OUT)}, {typed((B, N // 2, S, H))}, {typed((B, N // 2, S, H))}"
    operands = f"{typed(Q, K, K)} f32[{B},{N},{T}] {typed(Q)}"
    output, _, logs = attend(q, k, v, bias, seen)
    values = [q, k, v, logs.astype(np.float32), weight]
    expected = [gradient(number).transpose(0, 2, 1, 3) for number in range(3)]
    if has_bias:
        results, operands = f"{results}, {typed(bias.shape)}", f"{operands} {typed(bias.shape)}"
        values.append(bias)
        expected.append(gradient(3))
    target = f"__cudnn$fmha{'ScaleBias' * has_bias}SoftmaxBackward"
    config = attention_config(mask_type="CAUSAL", **BACKWARD)
    program = call(target, results, f"{operands} {typed(Q)}", config=config)
    values.append(output.transpose(0, 2, 1, 3).astype(np.float32))
    close(program(*values), *expected, rtol=1e-3)


def test_what_attention_cannot_be_evaluated_with_is_named() -> None:
    rows = (
        (attention_config(mask_type="ALIBI", **FORWARD), "no function is known for the mask ALIBI"),
        (attention_config(**{**FORWARD, "dropout_rate": 0.5}), "is not evaluated with dropout_rate"),
    )
    for config, message in rows:
        config["cudnn_fmha_backend_config"].setdefault("mask_type", "NO_MASK")
        program = call("__cudnn$fmhaSoftmax", typed(OUT), typed(Q, K, K), config=config)
        with pytest.raises(hlokit.UnsupportedError, match=message):
            program(normal(*Q), normal(*K), normal(*K))


# Products, norms, sorts, solvers -----------------------------------------------------------------------------


def gelu(x: Array) -> Array:
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def test_epilogues_of_cublas() -> None:
    a, b, bias = normal(3, 4), normal(4, 2), normal(2)
    sums = a.astype(np.float64) @ b.astype(np.float64) + bias
    dimensions = {"lhs_contracting_dimensions": ["1"], "rhs_contracting_dimensions": ["0"]}
    expected = {
        "BIAS_GELU": (gelu(sums),),
        "BIAS_GELU_AUX": (gelu(sums), sums),
        "BIAS_SILU": (sums / (1 + np.exp(-sums)),),
    }
    for epilogue, results in expected.items():
        config = {
            "gemm_backend_config": {
                "epilogue": epilogue,
                "dot_dimension_numbers": dimensions,
                "alpha_real": 1,
            }
        }
        types = ", ".join(["f32[3,2]"] * len(results))
        program = call("__cublas$lt$matmul", types, "f32[3,4] f32[4,2] f32[2]", config=config)
        close(program(a, b, bias), *results)


def test_cublas_product_of_f8() -> None:
    import ml_dtypes

    a, b = normal(3, 4).astype(ml_dtypes.float8_e4m3fn), normal(2, 4).astype(ml_dtypes.float8_e4m3fn)
    dimensions = {"lhs_contracting_dimensions": ["1"], "rhs_contracting_dimensions": ["1"]}
    config = {
        "gemm_backend_config": {"dot_dimension_numbers": dimensions, "alpha_real": 1, "epilogue": "DEFAULT"}
    }
    operands = "f8e4m3fn[3,4] f8e4m3fn[2,4] f32[] f32[]"
    program = call("__cublas$lt$matmul$f8", "f32[3,2]", operands, config=config)
    expected = 3 * (a.astype(np.float64) @ b.astype(np.float64).T)
    close(program(a, b, np.float32(2), np.float32(1.5)), expected)


def test_cublas_product_of_f8_to_f8() -> None:
    """The scale of the result is the last operand, after the bias; in older programs all scales come first.
    The greatest magnitude is that before this scale. Large results are saturated."""
    import ml_dtypes

    f8 = ml_dtypes.float8_e4m3fn
    a, b, bias = normal(3, 4).astype(f8), normal(2, 4).astype(f8), normal(2)
    dimensions = {"lhs_contracting_dimensions": ["1"], "rhs_contracting_dimensions": ["1"]}
    settings = {
        "dot_dimension_numbers": dimensions,
        "alpha_real": 1,
        "epilogue": "BIAS",
        "damax_output": True,
    }
    lhs_scale, rhs_scale, scale, of_c = (np.float32(value) for value in (2, 1.5, 0.25, 1))
    wide = 3 * (a.astype(np.float64) @ b.astype(np.float64).T) + bias
    for types, values in (
        ("f32[] f32[] f32[2] f32[]", (lhs_scale, rhs_scale, bias, scale)),
        ("f32[] f32[] f32[] f32[] f32[2]", (lhs_scale, rhs_scale, of_c, scale, bias)),
    ):
        operands, config = f"f8e4m3fn[3,4] f8e4m3fn[2,4] {types}", {"gemm_backend_config": settings}
        program = call("__cublas$lt$matmul$f8", "f8e4m3fn[3,2], f32[]", operands, config=config)
        result, greatest = program(a, b, *values)
        close(greatest, np.abs(wide).max())
        assert result.dtype == f8
        close(result, wide / 4, rtol=0.07)
        large = [np.float32(1000) if value is scale else value for value in values]
        assert np.abs(np.asarray(program(a, b, *large)[0], np.float64)).max() == 448


def test_onednn_matmul() -> None:
    a, b, bias, more = normal(2, 4, 3), normal(2, 5, 4), normal(5), normal(2, 3, 5)
    erf_ops = {
        "transpose_a": True,
        "transpose_b": True,
        "fusions": {"ops": ["BIAS", "GELU_TANH", "BINARY_ADD"]},
    }
    operands = "f32[2,4,3] f32[2,5,4] f32[5] f32[2,3,5]"
    program = call("__onednn$matmul", "f32[2,3,5]", operands, config={"onednn_matmul_config": erf_ops})
    sums = np.einsum("bkm,bnk->bmn", a.astype(np.float64), b.astype(np.float64)) + bias
    close(program(a, b, bias, more), gelu(sums) + more)


def normalized(x: Array, epsilon: float) -> tuple[Array, Array, Array]:
    wide = x.astype(np.float64).reshape(x.shape[0], -1)
    mean, factor = wide.mean(1), 1 / np.sqrt(wide.var(1) + epsilon)
    return ((wide - mean[:, None]) * factor[:, None]).reshape(x.shape), mean, factor


def test_cudnn_norm() -> None:
    x, scale, bias, gradient = normal(2, 4, 3, 1), normal(4, 3, 1, 1), normal(4, 3, 1, 1), normal(2, 4, 3, 1)
    normal_, mean, factor = normalized(x, 0.01)
    weight, shift = (operand.reshape(4, 3, 1).astype(np.float64) for operand in (scale, bias))
    moments = [part.reshape(2, 1, 1, 1) for part in (mean, factor)]

    def norm(kind: str, results: str, operands: str) -> hlokit.Program:
        config = {"cudnn_norm_backend_config": {"epsilon": 0.01, "kind": kind}}
        return call("__cudnn$norm", results, operands, config=config)

    forward, one = "f32[2,4,3,1] f32[4,3,1,1] f32[4,3,1,1]", "f32[2,1,1,1]"
    expected = normal_ * weight + shift
    close(norm("LAYER_FWD_INFER", "f32[2,4,3,1]", forward)(x, scale, bias), expected)
    training = norm("LAYER_FWD_TRAIN", f"f32[2,4,3,1], {one}, {one}", forward)
    close(training(x, scale, bias), expected, *moments)
    of_normal = (gradient * weight).reshape(2, -1)
    flat = normal_.reshape(2, -1)
    shift = of_normal.mean(1)[:, None] + flat * (of_normal * flat).mean(1)[:, None]
    of_x = ((of_normal - shift) * factor[:, None]).reshape(x.shape)
    results = "f32[2,4,3,1], f32[4,3,1,1], f32[4,3,1,1]"
    backward = norm("LAYER_BWD", results, f"f32[2,4,3,1] f32[4,3,1,1] f32[2,4,3,1] {one} {one}")
    sums = [part.sum(0).reshape(4, 3, 1, 1) for part in (gradient * normal_, gradient)]
    close(backward(x, scale, gradient, *[part.astype(np.float32) for part in moments]), of_x, *sums)


def test_onednn_norm_and_softmax() -> None:
    x, scale, shift = normal(3, 8), normal(8), normal(8)
    epsilon = int(np.float32(0.01).view(np.int32))
    config = {"onednn_layer_norm_config": {"rescale": "SCALE_AND_SHIFT", "epsilon_typecast": epsilon}}
    program = call("__onednn$layernorm", "f32[3,8]", "f32[3,8] f32[8] f32[8]", config=config)
    close(program(x, scale, shift), normalized(x, 0.01)[0] * scale + shift)
    program = call(
        "__onednn$softmax", "f32[3,8]", "f32[3,8]", config={"onednn_softmax_config": {"softmax_axis": 0}}
    )
    powers = np.exp(x.astype(np.float64))
    close(program(x), powers / powers.sum(0))


def test_radix_sort() -> None:
    keys = np.array([[2, -0.0, np.nan, 0], [-1, np.inf, 2, 2]], np.float32)
    values = np.arange(8, dtype=np.int32).reshape(2, 4)
    operands, results = "f32[2,4] s32[2,4]", "f32[2,4], s32[2,4]"
    up = call("__cub$DeviceRadixSort", results, operands, config={"descending": False})(keys, values)
    assert up[1].tolist() == [[1, 3, 0, 2], [4, 6, 7, 5]]
    down = call("__cub$DeviceRadixSort", results, operands, config={"descending": True})(keys, values)
    assert down[1].tolist() == [[2, 0, 1, 3], [5, 6, 7, 4]]
    assert down[0].tobytes() == np.take_along_axis(keys, down[1] % 4, 1).tobytes()
    zeros = np.array([[0, -0.0, 0, -1], [-0.0, 0, 1, -0.0]], np.float32)
    for descending, order in ((False, [[3, 0, 1, 2], [4, 5, 7, 6]]), (True, [[0, 1, 2, 3], [6, 4, 5, 7]])):
        sort = call("__cub$DeviceRadixSort", results, operands, config={"descending": descending})
        assert sort(zeros, values)[1].tolist() == order


def test_solvers() -> None:
    factor = np.tril(normal(3, 3)) + 3 * np.eye(3, dtype=np.float32)
    b = normal(3, 2)
    config: Any = {"left_side": True, "lower": True, "transpose_a": "TRANSPOSE"}
    program = call("__cublas$triangularSolve", "f32[3,2]", "f32[3,3] f32[3,2]", config=config)
    close(program(factor, b), np.linalg.solve(factor.T.astype(np.float64), b))
    a = (factor @ factor.T).astype(np.float32)
    text = """HloModule m
ENTRY main {
  a = f32[3,3] parameter(0)
  call = (f32[3,3], f32[8], s32[]) custom-call(a), custom_call_target="__cusolver$cholesky", backend_config={"lower":true}
  ROOT r = f32[3,3] get-tuple-element(call), index=0
}
"""
    close(np.tril(hlokit.load(text)(a)), np.linalg.cholesky(a.astype(np.float64)))


def test_halves_of_numbers_on_tpus() -> None:
    text = """HloModule m
ENTRY main {
  x = u64[2] parameter(0)
  low = u32[2] custom-call(x), custom_call_target="X64SplitLow"
  high = u32[2] custom-call(x), custom_call_target="X64SplitHigh"
  both = u64[2] custom-call(low, high), custom_call_target="X64Combine"
  ROOT r = (u32[2], u32[2], u64[2]) tuple(low, high, both)
}
"""
    x = np.array([0x123456789ABCDEF0, 7], np.uint64)
    low, high, both = hlokit.load(text)(x)
    assert [low.tolist(), high.tolist(), both.tolist()] == [[0x9ABCDEF0, 7], [0x12345678, 0], x.tolist()]


def test_fusions_of_triton_are_their_computations() -> None:
    """Nested fusions of matrices, and a fused softmax, as GPUs' dumps have them."""
    text = """HloModule m
inner { ROOT p = f32[4,4] parameter(0) }
gemm {
  a = f32[4,4] parameter(0)
  block = f32[4,4] fusion(a), kind=kCustom, calls=inner, backend_config={"fusion_backend_config":{"kind":"__triton_nested_gemm_fusion"}}
  b = f32[4,4] parameter(1)
  ROOT dot = f32[4,4] dot(block, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
ENTRY main {
  x = f32[4,4] parameter(0)
  y = f32[4,4] parameter(1)
  ROOT r = f32[4,4] fusion(x, y), kind=kCustom, calls=gemm, backend_config={"fusion_backend_config":{"kind":"__triton_gemm"}}
}
"""
    assert xla_modules()[2].hlo_module_from_text(text)
    x, y = normal(4, 4), normal(4, 4)
    close(hlokit.load(text)(x, y), x.astype(np.float64) @ y)
