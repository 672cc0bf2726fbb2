"""Custom calls that represent operations with dynamic operands, and calls that apply functions of the
program.

`stablehlo.dynamic_reduce_window` and similar calls take attributes of the operation as operands.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.kernels.custom_calls.results import OwnCall, as_results, result_type, result_types
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.random.bit_generators import bit_generator
from hlokit.kernels.regions.comparators import find_keys
from hlokit.kernels.regions.reduce_window import reduce_windows
from hlokit.kernels.regions.sort import sort_lanes
from hlokit.kernels.regions.top_k import ordinals, top_k_indices
from hlokit.kernels.regions.windows import WindowDimension
from hlokit.values.element_types import Kind

# Windows, random bits --------------------------------------------------------------------------------


def dynamic_reduce_window(*operands: Value, call: OwnCall) -> Any:
    """reduce_window whose sizes, strides, base dilations, window dilations and padding are operands."""
    count = len(result_types(call))
    if len(operands) < 2 * count + 5 or len(call.computations) != 1:
        raise UnsupportedError(f"@{call.target} must have a computation and {2 * count + 5} operands")
    sizes, strides, base, dilations, padding = (np.asarray(value) for value in operands[2 * count :][:5])
    if (sizes < 1).any() or (strides < 1).any() or (base < 1).any() or (dilations < 1).any():
        raise EvaluationError(f"@{call.target}: windows, strides and dilations must be positive")
    rows = zip(
        *(part.tolist() for part in (sizes, strides, base, dilations, padding.reshape(-1, 2))), strict=True
    )
    windows = tuple(
        WindowDimension(axis, size, stride, base_dilation, dilation, low, high)
        for axis, (size, stride, base_dilation, dilation, (low, high)) in enumerate(rows)
    )
    return reduce_windows(call.computations[0], windows, count)(*operands[: 2 * count])


def dynamic_rng_bit_generator(initial_state: Value, shape: Value, *, call: OwnCall) -> Any:
    """rng_bit_generator whose output shape is an operand."""
    algorithm = str(call.attributes.get("rng_algorithm")).rstrip(">").split()[-1]
    generate = bit_generator(algorithm, result_type(call, 1).element_type)
    return generate(initial_state, tuple(np.asarray(shape).tolist()))


# The greatest elements -------------------------------------------------------------------------------


def top_k(operand: Array, *_: Value, call: OwnCall) -> Any:
    k = result_type(call, 0).dims[-1]
    return _take_largest(call, operand, int(_flags(call)["k"]) if k < 0 else k, takes_greatest(call))


def takes_greatest(call: OwnCall) -> bool:
    """Whether a call of `top_k` takes the greatest elements, not the least ones."""
    return bool(_flags(call).get("largest", True))


def _flags(call: OwnCall) -> dict[str, Any]:
    return {**call.config, **cast("dict[str, Any]", call.attributes.get("mhlo.attributes") or {})}


def dynamic_top_k(operand: Array, k: Array, *_: Value, call: OwnCall) -> Any:
    return _take_largest(call, operand, int(k), True)


def _take_largest(call: OwnCall, operand: Array, k: int, is_largest: bool) -> Any:
    """(values, indices) of the k greatest or least elements along the last dimension."""
    element_type = result_type(call, 0).element_type
    if element_type.kind is Kind.COMPLEX:
        raise UnsupportedError(f"@{call.target} of complex numbers: they have no order")
    keys = ordinals(operand, element_type)
    positions = top_k_indices(keys if is_largest else ~keys, k)
    return as_results(call, (np.take_along_axis(operand, positions, -1), positions))


def approx_top_k(*operands: Array, call: OwnCall) -> Any:
    """Exact: a recall of 1 satisfies every requested recall."""
    return _approx_top_k(call, operands, call.config.get("top_k"))


def dynamic_approx_top_k(*operands: Array, call: OwnCall) -> Any:
    """`ApproxTopK` with k as the operand after the initial values."""
    return _approx_top_k(call, operands, operands[2 * len(result_types(call))])


def _approx_top_k(call: OwnCall, operands: tuple[Array, ...], k: Any) -> Any:
    """The first elements of each lane in the comparator's order; initial values follow the operands."""
    if len(call.computations) != 1:
        raise UnsupportedError(f"@{call.target} must have one comparator, got {len(call.computations)}")
    count = len(result_types(call))
    shapes = [np.shape(operand) for operand in operands[:count]]
    if len(operands) < 2 * count or len(set(shapes)) != 1:
        raise EvaluationError(
            f"@{call.target}: {count} results must have operands of one shape and initial values, got shapes "
            f"{', '.join(map(str, shapes))} of {len(operands)} operands"
        )
    dimension = call.config.get("reduction_dim")
    if not isinstance(dimension, int) or not 0 <= dimension < len(shapes[0]):
        raise EvaluationError(
            f"@{call.target}: reduction_dim must be a dimension of {shapes[0]}, got {dimension}"
        )
    # Without aggregation, the result may be longer than k; it then contains that many first elements.
    stated = result_type(call, 0).dims[dimension]
    wanted = int(k) if stated < 0 else stated
    moved = [np.moveaxis(operand, dimension, -1) for operand in operands[:count]]
    shape = moved[0].shape
    lanes = [operand.reshape(-1, shape[-1]) for operand in moved]
    (comparator,) = call.computations
    ordered = sort_lanes(comparator, find_keys(comparator), lanes, ()) if lanes[0].size else lanes
    best = (lane.reshape(shape)[..., :wanted] for lane in ordered)
    return as_results(call, tuple(np.moveaxis(values, -1, dimension) for values in best))


# Functions of the program ----------------------------------------------------------------------------


def partitioned(*operands: Value, call: OwnCall) -> Any:
    """A function with custom partitioning rules; on one process, the rules have no effect."""
    if len(call.computations) != 1:
        raise UnsupportedError(f"@{call.target} must have one computation, got {len(call.computations)}")
    return call.computations[0](*operands)
