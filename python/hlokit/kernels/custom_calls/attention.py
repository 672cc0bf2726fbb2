"""Custom calls of cuDNN's fused attention: softmax(scale * q k + bias) v, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.kernels.contractions.dot_general import contraction_product
from hlokit.kernels.custom_calls.matrix_products import dimension_numbers
from hlokit.kernels.custom_calls.results import OwnCall, as_results, result_types
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.elementwise.native import f64_function
from hlokit.values.element_types import F64
from hlokit.values.types import TensorType


class _Attention(NamedTuple):
    """The call, with its configuration."""

    call: OwnCall
    config: dict[str, Any]

    @classmethod
    def of(cls, call: OwnCall) -> _Attention:
        config: dict[str, Any] = call.config.get("cudnn_fmha_backend_config", {})
        unknown = [name for name in ("dropout_rate", "is_paged_attention") if config.get(name)]
        if int(config.get("max_seg_per_batch", 1)) > 1:
            unknown.append("max_seg_per_batch")
        if unknown:
            raise UnsupportedError(f"@{call.target} is not evaluated with {', '.join(unknown)}")
        return cls(call, config)

    def product(self, name: str, lhs: Array, rhs: Array) -> Array:
        # The backward call has the numbers of query and key for the gradient of the output and value only.
        stated = self.config.get(f"{name}_dot_dimension_numbers")
        numbers = dimension_numbers(stated or self.config["bmm2_grad_gemm2_dot_dimension_numbers"])
        # A head of keys and values serves as many heads of queries as there are for each.
        for left, right in zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True):
            rhs = np.repeat(rhs, lhs.shape[left] // rhs.shape[right], right)
        types = TensorType(lhs.shape, F64), TensorType(rhs.shape, F64)
        return contraction_product(numbers, *types)(lhs, rhs)

    @property
    def scale(self) -> float:
        return float(self.config.get("fmha_scale", 1))

    def scores(self, query: Array, key: Array, bias: Array | None, lengths: list[Array]) -> Array:
        """What the softmax is of, with -inf where the mask hides a key: batch, heads, queries, keys."""
        scores = self.product("bmm1", query, key) * self.scale
        if bias is not None:
            scores = scores + bias
        is_seen = self._seen(scores.shape, lengths)
        return np.where(is_seen, scores, -np.inf)

    def _seen(self, shape: tuple[int, ...], lengths: list[Array]) -> Array:
        mask = str(self.config.get("mask_type", "NO_MASK"))
        queries, keys = np.arange(shape[2])[:, None], np.arange(shape[3])
        seen: Array = np.ones(shape, np.bool_)
        if mask not in ("NO_MASK", "CAUSAL", "PADDING", "PADDING_CAUSAL"):
            raise UnsupportedError(f"@{self.call.target}: no function is known for the mask {mask}")
        window = int(self.config.get("sliding_window_length", 0))
        if "CAUSAL" in mask or window > 0:
            seen = seen & (keys <= queries)
        if window > 0:
            seen = seen & (keys > queries - window)
        if "PADDING" in mask:
            _, keys_left = (length.reshape(-1, 1, 1, 1) for length in lengths[:2])
            seen = seen & (keys < keys_left)
        return seen


def _probabilities(scores: Array) -> tuple[Array, Array]:
    """The softmax along keys, 0 where no key is seen, and the logarithm of its denominator."""
    most = scores.max(-1, keepdims=True, initial=-np.inf)
    most = np.where(np.isfinite(most), most, 0)
    powers = f64_function("exponential")(np.ascontiguousarray(scores - most))
    total = powers.sum(-1, keepdims=True)
    logs = f64_function("log")(np.ascontiguousarray(total)) + most
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, powers / np.where(total > 0, total, 1), 0), logs[..., 0]


def _wide(*operands: Array) -> list[Array]:
    return [operand.astype(np.float64) for operand in operands]


def _valid_queries(value: Array, lengths: list[Array], axis: int) -> Array:
    """0 for queries beyond the length of their sequence."""
    if not lengths:
        return value
    shape = [-1 if dimension == axis else 1 for dimension in range(value.ndim)]
    positions: Array = np.arange(int(value.shape[axis]), dtype=np.int64).reshape(shape)
    return np.where(positions < lengths[0].reshape(-1, *(1,) * (value.ndim - 1)), value, 0)


def forward(*operands: Array, call: OwnCall) -> Any:
    """(output, logarithms of the denominators if the call returns them, workspace)."""
    attention = _Attention.of(call)
    query, key, value, *rest = operands
    bias = _wide(rest.pop(0))[0] if "Bias" in call.target else None
    wide_query, wide_key = _wide(query, key)
    scores = attention.scores(wide_query, wide_key, bias, rest)
    probabilities, logs = _probabilities(scores)
    output = _valid_queries(attention.product("bmm2", probabilities, *_wide(value)), rest, 2)
    return as_results(call, (output, logs) if len(result_types(call)) > 2 else (output,))


def backward(*operands: Array, call: OwnCall) -> Any:
    """(gradients of query, key, value, bias if the call returns it, workspace)."""
    attention = _Attention.of(call)
    query, key, value, _, gradient, *rest = operands
    bias = _wide(rest.pop(0))[0] if "Bias" in call.target else None
    lengths = rest[1:]  # after the output
    query, key, value, gradient = _wide(query, key, value, gradient)
    probabilities, _ = _probabilities(attention.scores(query, key, bias, lengths))
    probabilities = _valid_queries(probabilities, lengths, 2)
    of_value = attention.product("bmm2_grad_gemm1", probabilities, gradient)
    of_probabilities = attention.product("bmm2_grad_gemm2", gradient, value)
    inner = (of_probabilities * probabilities).sum(-1, keepdims=True)
    of_scores = probabilities * (of_probabilities - inner)
    of_key = attention.product("bmm1_grad_gemm1", of_scores, query) * attention.scale
    of_query = attention.product("bmm1_grad_gemm2", of_scores, key) * attention.scale
    results = [of_query]
    for parts, type_ in zip((of_key, of_value), call.tensor_types[1:3], strict=True):
        batch, heads, *position_and_feature = type_.dims
        results.append(parts.reshape(batch, heads, -1, *position_and_feature).sum(2))
    if bias is not None and len(result_types(call)) > 4:
        axes = [axis for axis, size in enumerate(bias.shape) if size == 1 != of_scores.shape[axis]]
        results.append(of_scores.sum(tuple(axes), keepdims=True))
    return as_results(call, tuple(results))


ATTENTION_CALLS: dict[str, Callable[..., Any]] = {
    **{
        f"__cudnn$fmha{name}{drop}": forward
        for name in ("Softmax", "ScaleBiasSoftmax")
        for drop in ("", "Dropout")
    },
    **{
        f"__cudnn$fmha{name}{drop}Backward": backward
        for name in ("Softmax", "ScaleBiasSoftmax")
        for drop in ("", "Dropout")
    },
}
