"""Guards: reject complete operations that crash the bindings.

Each guard prevents a crash that tests of operations with parts of all kinds have found
(tests/unit/tools/service).
The text of a program can contain the same operations, so hlokit parses untrusted text in another process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlokit.errors import ArgumentError
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers
from hlokit.mlir.provider.bindings import ir

Attributes = Mapping[str, ir.Attribute]
Types = Sequence[ir.Type]

_HAS_INITS = ("stablehlo.reduce", "stablehlo.reduce_window")


def require_harmless(name: str, types: Types, attributes: Attributes) -> None:
    """Return if the bindings survive the operation.

    Raises:
      ArgumentError: the operation breaks a rule, which the message states.
    """
    if name in _HAS_INITS and (not types or len(types) % 2):
        raise ArgumentError(f"{name}: operands must be inputs and as many init_values, got {len(types)}")
    if name == "stablehlo.pad":
        _require_one_length(name, attributes, ("edge_padding_low", "edge_padding_high", "interior_padding"))
    if name == "stablehlo.slice":
        _require_one_length(name, attributes, ("start_indices", "limit_indices", "strides"))
    if name == "stablehlo.all_to_all":
        _require_groups(name, attributes)
    if name.startswith("chlo.broadcast_"):
        _require_dimensions(name, types, attributes)
    if name.startswith("stablehlo.collective_") and not types:
        raise ArgumentError(f"{name}: at least one operand must be given")
    if name == "chlo.ragged_dot" and not all(isinstance(type_, ir.RankedTensorType) for type_ in types):
        raise ArgumentError(f"{name}: operands must be tensors with a rank")


def require_harmless_results(name: str, types: Types, results: Types) -> None:
    """Return if the bindings survive the result types that the caller gives.

    Raises:
      ArgumentError: the operation breaks a rule, which the message states.
    """
    if name != "stablehlo.dynamic_broadcast_in_dim":
        return
    operand_is_quantized = any("!quant." in str(type_) for type_ in types[:1])
    if not operand_is_quantized and any("!quant." in str(type_) for type_ in results):
        raise ArgumentError(f"{name}: a quantized result must come from a quantized operand")


def require_printable(name: str, attribute: ir.Attribute) -> None:
    """Reject dimension numbers that the bindings cannot print, because their messages would print them.

    Raises:
      ArgumentError: a convolution names a dimension that its operand does not have.
    """
    try:
        numbers = ConvDimensionNumbers.read(attribute)
    except ValueError:
        return
    for dimensions in (
        (numbers.input_batch_dimension, numbers.input_feature_dimension, *numbers.input_spatial_dimensions),
        (
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
            *numbers.kernel_spatial_dimensions,
        ),
        (
            numbers.output_batch_dimension,
            numbers.output_feature_dimension,
            *numbers.output_spatial_dimensions,
        ),
    ):
        if sorted(dimensions) != list(range(len(dimensions))):
            listed = ", ".join(map(str, dimensions))
            raise ArgumentError(f"{name}: dimension numbers must name each dimension once, got {listed}")


def _require_one_length(name: str, attributes: Attributes, keys: Sequence[str]) -> None:
    lists = [attributes.get(key) for key in keys]
    sizes = {len(item) for item in lists if isinstance(item, ir.DenseI64ArrayAttr)}
    if len(sizes) > 1:
        raise ArgumentError(f"{name}: {', '.join(keys)} must have the same length")


def _require_groups(name: str, attributes: Attributes) -> None:
    groups = attributes.get("replica_groups")
    if isinstance(groups, ir.DenseElementsAttr) and 0 in ir.ShapedType(groups.type).shape:
        raise ArgumentError(f"{name}: replica_groups must not be empty")


def _require_dimensions(name: str, types: Types, attributes: Attributes) -> None:
    dimensions = attributes.get("broadcast_dimensions")
    if not isinstance(dimensions, ir.DenseI64ArrayAttr):
        return
    ranks = [type_.rank for type_ in types if isinstance(type_, ir.RankedTensorType)]
    rank = max(ranks, default=0)
    if not all(0 <= dimension < rank for dimension in dimensions):
        raise ArgumentError(f"{name}: broadcast_dimensions must be dimensions of an operand, at least 0")
