"""Custom calls of convolutions in programs that XLA optimized: of cuDNN for GPUs, of oneDNN for CPUs.

The importer of HLO puts the window of cuDNN's calls into the configuration (`window`): that of the forward
convolution, also for the calls that compute its gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.errors import UnsupportedError
from hlokit.kernels.contractions.convolution import ConvolutionDims
from hlokit.kernels.custom_calls.activations import activated, post_operations
from hlokit.kernels.custom_calls.results import OwnCall, as_results, result_type
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers
from hlokit.values.element_types import Kind

_LETTERS = "input", "kernel", "output"


class Window(NamedTuple):
    """A forward convolution. Tuples have a number for each spatial dimension; only gradients need `sizes`."""

    numbers: ConvDimensionNumbers
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]
    dilations: tuple[int, ...]
    reversal: tuple[bool, ...]
    groups: int = 1

    def convolution(self, lhs: Array, rhs: Array) -> Array:
        """The forward convolution."""
        ones = (1,) * len(self.strides)
        dims = ConvolutionDims(
            self.numbers, self.strides, ones, self.dilations, self.reversal, self.groups, 1, DEFAULTS
        )
        return dims.apply(lhs, rhs, self.padding)

    def input_gradient(self, gradient: Array, kernel: Array, shape: tuple[int, ...]) -> Array:
        """The gradient of the input, of this shape: a convolution of the dilated gradient of the output."""
        numbers, padding = self.numbers, list[tuple[int, int]]()
        for at, (low, _) in enumerate(self.padding):
            reach = (self.sizes[at] - 1) * self.dilations[at]
            length = (gradient.shape[numbers.output_spatial_dimensions[at]] - 1) * self.strides[at] + 1
            size = shape[numbers.input_spatial_dimensions[at]]
            padding.append((reach - low, size - length + low))
        own = ConvDimensionNumbers(
            numbers.output_batch_dimension,
            numbers.output_feature_dimension,
            numbers.output_spatial_dimensions,
            numbers.kernel_output_feature_dimension,
            numbers.kernel_input_feature_dimension,
            numbers.kernel_spatial_dimensions,
            numbers.input_batch_dimension,
            numbers.input_feature_dimension,
            numbers.input_spatial_dimensions,
        )
        ones = (1,) * len(self.strides)
        reversal = tuple([not flag for flag in self.reversal])
        dims = ConvolutionDims(own, ones, self.strides, self.dilations, reversal, 1, 1, DEFAULTS)
        pairs = zip(
            np.split(gradient, self.groups, numbers.output_feature_dimension),
            np.split(kernel, self.groups, numbers.kernel_output_feature_dimension),
            strict=True,
        )
        return np.concatenate(
            [dims.apply(*pair, tuple(padding)) for pair in pairs], numbers.input_feature_dimension
        )

    def kernel_gradient(self, lhs: Array, gradient: Array) -> Array:
        """The gradient of the kernel: a convolution whose window is the gradient of the output."""
        numbers, padding = self.numbers, list[tuple[int, int]]()
        for at, (low, _) in enumerate(self.padding):
            length = (gradient.shape[numbers.output_spatial_dimensions[at]] - 1) * self.strides[at] + 1
            reach = (self.sizes[at] - 1) * self.dilations[at] + length
            padding.append((low, reach - low - lhs.shape[numbers.input_spatial_dimensions[at]]))
        own = ConvDimensionNumbers(
            numbers.input_feature_dimension,
            numbers.input_batch_dimension,
            numbers.input_spatial_dimensions,
            numbers.output_batch_dimension,
            numbers.output_feature_dimension,
            numbers.output_spatial_dimensions,
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
            numbers.kernel_spatial_dimensions,
        )
        ones, no = (1,) * len(self.strides), (False,) * len(self.strides)
        dims = ConvolutionDims(own, self.dilations, ones, self.strides, no, 1, 1, DEFAULTS)
        pairs = zip(
            np.split(lhs, self.groups, numbers.input_feature_dimension),
            np.split(gradient, self.groups, numbers.output_feature_dimension),
            strict=True,
        )
        parts = [dims.apply(*pair, tuple(padding)) for pair in pairs]
        result = np.concatenate(parts, numbers.kernel_output_feature_dimension)
        axes = zip(numbers.kernel_spatial_dimensions, self.reversal, strict=True)
        return np.flip(result, tuple([axis for axis, is_reversed in axes if is_reversed]))


def _window(call: OwnCall) -> Window:
    """The window that the importer of HLO put into the configuration."""
    parts: dict[str, Any] | None = call.config.get("window")
    if parts is None:
        raise UnsupportedError(f"@{call.target} must have its window, which only HLO has")
    dimensions = parts["dimensions"]
    if any(dimension["base_dilation"] > 1 for dimension in dimensions):
        raise UnsupportedError(f"@{call.target}: the input must not be dilated")
    numbers: list[Any] = [
        tuple(parts[name]) if isinstance(parts[name], list) else parts[name]
        for name in ConvDimensionNumbers._fields
    ]
    return Window(
        ConvDimensionNumbers(*numbers),
        tuple([dimension["size"] for dimension in dimensions]),
        tuple([dimension["stride"] for dimension in dimensions]),
        tuple([(dimension["padding_low"], dimension["padding_high"]) for dimension in dimensions]),
        tuple([dimension["window_dilation"] or 1 for dimension in dimensions]),
        tuple([bool(dimension["window_reversal"]) for dimension in dimensions]),
        int(parts["feature_group_count"]) or 1,
    )


def _wide(call: OwnCall, *operands: Array) -> list[Array]:
    """Operands in the type of the sums: f32, or f64 for f64 and integers, which it holds exactly."""
    result = result_type(call, 0).element_type
    is_double = result.name == "f64" or any(operand.dtype.kind in "iu" for operand in operands)
    return [operand.astype(np.float64 if is_double else np.float32, copy=False) for operand in operands]


def _results(call: OwnCall, value: Array) -> Any:
    """The result, rounded and saturated if it is one of integers."""
    type_ = result_type(call, 0).element_type
    if type_.kind in (Kind.SIGNED, Kind.UNSIGNED):
        limits = np.iinfo(type_.dtype)
        value = np.clip(np.rint(value), limits.min, limits.max)
    return as_results(call, (value,))


def cudnn_forward(*operands: Array, call: OwnCall) -> Any:
    """activation(scale * convolution(input, kernel) + side_scale * side + bias), with or without both."""
    config: dict[str, Any] = call.config.get("cudnn_conv_backend_config", {})
    if config.get("serialized_graph") or config.get("reordered_int8_nchw_vect"):
        raise UnsupportedError(f"@{call.target}: a serialized graph and reordered kernels are not evaluated")
    window = _window(call)
    lhs, rhs, *rest = _wide(call, *operands)
    value = window.convolution(lhs, rhs) * _scale(config, "conv_result_scale", 1)
    if len(rest) > 1:
        value = value + rest[1] * _scale(config, "side_input_scale", 0)
    if rest:
        feature = window.numbers.output_feature_dimension
        value = value + rest[0].reshape([-1 if axis == feature else 1 for axis in range(value.ndim)])
    mode = str(config.get("activation_mode", "kNone"))
    return _results(call, activated(mode, value, float(config.get("leakyrelu_alpha", 0)), call.target))


def _scale(config: dict[str, Any], name: str, default: float) -> Any:
    return np.float32(config.get(name, default))


def cudnn_input_gradient(gradient: Array, kernel: Array, *_: Array, call: OwnCall) -> Any:
    wide = _wide(call, gradient, kernel)
    return _results(call, _window(call).input_gradient(wide[0], wide[1], result_type(call, 0).dims))


def cudnn_kernel_gradient(lhs: Array, gradient: Array, *_: Array, call: OwnCall) -> Any:
    return _results(call, _window(call).kernel_gradient(*_wide(call, lhs, gradient)))


def onednn_forward(lhs: Array, rhs: Array, *rest: Array, call: OwnCall) -> Any:
    """convolution(input, kernel), then the operations that the call has been fused with."""
    config: dict[str, Any] = call.config.get("onednn_conv_config", {})
    if config.get("optimization_config", {}).get("weights_prepacked"):
        raise UnsupportedError(f"@{call.target}: kernels in the layout of oneDNN are not evaluated")
    window = _onednn_window(config)
    lhs, rhs, *more = _wide(call, lhs, rhs, *rest)
    value = window.convolution(lhs, rhs)
    feature = window.numbers.output_feature_dimension
    shape = [-1 if axis == feature else 1 for axis in range(value.ndim)]
    operands = [operand.reshape(shape) if operand.ndim == 1 else operand for operand in more]
    return _results(call, post_operations(config, value, operands, call.target))


def _onednn_window(config: dict[str, Any]) -> Window:
    """The window; old versions of XLA write the numbers as they are, newer ones add 1."""
    data = [
        config.get(name, {}).get(part, {})
        for name, part in zip(_LETTERS, ("data", "filter", "data"), strict=True)
    ]
    spatial = [[int(axis) for axis in part.get("spatial_dims", ())] for part in data]
    batch, feature = (int(data[0].get(name, 0)) for name in ("batch_dim", "feature_dim"))
    extra = sum(spatial[0]) + batch + feature - sum(range(len(spatial[0]) + 2))
    shift = int(extra > 0)
    axes = [tuple([axis - shift for axis in part]) for part in spatial]
    window = config.get("window", {})

    def listed(name: str, default: int) -> tuple[int, ...]:
        values = [int(value) - shift for value in window.get(name, ())]
        return tuple(values or [default] * len(axes[0]))

    return Window(
        ConvDimensionNumbers(
            batch,
            feature,
            axes[0],
            int(data[1].get("input_feature_dim", 0)),
            int(data[1].get("output_feature_dim", 0)),
            axes[1],
            int(data[2].get("batch_dim", 0)),
            int(data[2].get("feature_dim", 0)),
            axes[2],
        ),
        (),
        listed("strides", 1),
        tuple(zip(listed("pad_left", 0), listed("pad_right", 0), strict=True)),
        listed("window_dilations", 1),
        (False,) * len(axes[0]),
        int(config.get("feature_groups", 1)) or 1,
    )


CONVOLUTION_CALLS: dict[str, Callable[..., Any]] = {
    "__cudnn$convForward": cudnn_forward,
    "__cudnn$convBiasActivationForward": cudnn_forward,
    "__cudnn$convBackwardInput": cudnn_input_gradient,
    "__cudnn$convBackwardFilter": cudnn_kernel_gradient,
    "__onednn$convolution": onednn_forward,
}
