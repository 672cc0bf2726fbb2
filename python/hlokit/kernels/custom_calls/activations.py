"""What libraries do to the result of a product or a convolution in the same call."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.elementwise.native import f64_function


def _in_f64(name: str) -> Callable[[Array], Array]:
    """A function of hlokit's own, whose bits depend on no processor."""

    def compute(x: Array) -> Array:
        return f64_function(name)(np.ascontiguousarray(x, np.float64))

    return compute


tanh, erf, sigmoid = _in_f64("tanh"), _in_f64("erf"), _in_f64("logistic")
exponential, exp_minus_one = _in_f64("exponential"), _in_f64("exponential_minus_one")


def gelu_tanh(x: Array) -> Array:
    """x Phi(x), with the normal distribution Phi by tanh."""
    return x * (0.5 + 0.5 * tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x.astype(np.float64) ** 3)))


def gelu_erf(x: Array) -> Array:
    """x Phi(x)."""
    return x * (0.5 + 0.5 * erf(x.astype(np.float64) * np.sqrt(0.5)))


def silu(x: Array) -> Array:
    """x sigmoid(x)."""
    return x * sigmoid(x)


def relu(x: Array) -> Array:
    """The greater one of x and 0."""
    return np.maximum(x, 0)


def elu(x: Array) -> Array:
    """x, or exp(x) - 1 below 0."""
    return np.where(x > 0, x, exp_minus_one(np.minimum(x, 0)))


# cuDNN's modes, by stream_executor::dnn::ActivationMode.
_MODES: MappingProxyType[str, Callable[[Array, float], Array]] = MappingProxyType(
    {
        "kNone": lambda x, _: x,
        "kSigmoid": lambda x, _: sigmoid(x),
        "kRelu": lambda x, _: relu(x),
        "kRelu6": lambda x, _: np.clip(x, 0, 6),
        "kReluX": lambda x, most: np.clip(x, 0, most),
        "kTanh": lambda x, _: tanh(x),
        "kElu": lambda x, _: elu(x),
        "kLeakyRelu": lambda x, slope: np.where(x > 0, x, x * x.dtype.type(slope)),
    }
)
# oneDNN's operations with one operand.
_UNARY: MappingProxyType[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "RELU": relu,
        "TANH": tanh,
        "GELU_ERF": gelu_erf,
        "GELU_TANH": gelu_tanh,
        "SIGMOID": sigmoid,
        "SWISH": silu,
        "ELU": elu,
        "RELU6": lambda x: np.clip(x, 0, 6),
    }
)


def activated(mode: str, value: Array, parameter: float, target: str) -> Array:
    """The value after an activation of cuDNN.

    Raises:
      UnsupportedError: there is no such activation.
    """
    function = _MODES.get(mode)
    if function is None:
        raise UnsupportedError(f"@{target}: no function is known for the activation {mode}")
    with np.errstate(all="ignore"):
        return function(value, parameter)


def post_operations(config: dict[str, Any], value: Array, operands: Sequence[Array], target: str) -> Array:
    """The value after oneDNN's fused operations, which take the operands in turn.

    Raises:
      UnsupportedError: an operation is not known, or lacks its operand.
    """
    fusions: dict[str, Any] = config.get("fusions", {})
    rest = list(operands)
    for name in fusions.get("ops", config.get("fused_ops", ())):
        if name in ("BIAS", "BINARY_ADD", "SUM"):
            if not rest:
                raise UnsupportedError(f"@{target}: the fused operation {name} must have an operand")
            value = value + rest.pop(0)
        elif name == "LINEAR":
            value = value * np.float32(float_of(fusions.get("alpha_typecast", 0)))
        elif name in _UNARY:
            with np.errstate(all="ignore"):
                value = _UNARY[name](value)
        else:
            raise UnsupportedError(f"@{target}: no function is known for the fused operation {name}")
    return value


def float_of(bits: Any) -> float:
    """A float whose bits a configuration has as an integer."""
    return struct.unpack("<f", struct.pack("<i", int(bits)))[0]
