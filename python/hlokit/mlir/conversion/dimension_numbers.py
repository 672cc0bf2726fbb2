"""StableHLO's structured attributes as named tuples, with the spec's names. (A named tuple is fast to
define.)"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from typing import NamedTuple

from hlokit.mlir.provider.bindings import chlo, ir, stablehlo

Ints = tuple[int, ...]


class DotDimensionNumbers(NamedTuple):
    """spec "dot_general"."""

    lhs_batching_dimensions: Ints
    rhs_batching_dimensions: Ints
    lhs_contracting_dimensions: Ints
    rhs_contracting_dimensions: Ints

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "DotDimensionNumbers":
        raw = stablehlo.DotDimensionNumbers(attribute)
        return cls(
            tuple(raw.lhs_batching_dimensions),
            tuple(raw.rhs_batching_dimensions),
            tuple(raw.lhs_contracting_dimensions),
            tuple(raw.rhs_contracting_dimensions),
        )


class RaggedDotDimensionNumbers(NamedTuple):
    """CHLO "ragged_dot"."""

    lhs_batching_dimensions: Ints
    rhs_batching_dimensions: Ints
    lhs_contracting_dimensions: Ints
    rhs_contracting_dimensions: Ints
    lhs_ragged_dimensions: Ints
    rhs_group_dimensions: Ints

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "RaggedDotDimensionNumbers":
        raw = chlo.RaggedDotDimensionNumbers(attribute)
        return cls(
            tuple(raw.lhs_batching_dimensions),
            tuple(raw.rhs_batching_dimensions),
            tuple(raw.lhs_contracting_dimensions),
            tuple(raw.rhs_contracting_dimensions),
            tuple(raw.lhs_ragged_dimensions),
            tuple(raw.rhs_group_dimensions),
        )

    @property
    def dot_general(self) -> DotDimensionNumbers:
        """The dimension numbers without the ragged dimensions."""
        return DotDimensionNumbers(
            self.lhs_batching_dimensions,
            self.rhs_batching_dimensions,
            self.lhs_contracting_dimensions,
            self.rhs_contracting_dimensions,
        )


class ConvDimensionNumbers(NamedTuple):
    """spec "convolution"."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: Ints
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: Ints
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: Ints

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "ConvDimensionNumbers":
        raw = stablehlo.ConvDimensionNumbers(attribute)
        return cls(
            raw.input_batch_dimension,
            raw.input_feature_dimension,
            tuple(raw.input_spatial_dimensions),
            raw.kernel_input_feature_dimension,
            raw.kernel_output_feature_dimension,
            tuple(raw.kernel_spatial_dimensions),
            raw.output_batch_dimension,
            raw.output_feature_dimension,
            tuple(raw.output_spatial_dimensions),
        )


class GatherDimensionNumbers(NamedTuple):
    """spec "gather"."""

    offset_dims: Ints
    collapsed_slice_dims: Ints
    operand_batching_dims: Ints
    start_indices_batching_dims: Ints
    start_index_map: Ints
    index_vector_dim: int

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "GatherDimensionNumbers":
        raw = stablehlo.GatherDimensionNumbers(attribute)
        return cls(
            tuple(raw.offset_dims),
            tuple(raw.collapsed_slice_dims),
            tuple(raw.operand_batching_dims),
            tuple(raw.start_indices_batching_dims),
            tuple(raw.start_index_map),
            raw.index_vector_dim,
        )


class ScatterDimensionNumbers(NamedTuple):
    """spec "scatter"."""

    update_window_dims: Ints
    inserted_window_dims: Ints
    input_batching_dims: Ints
    scatter_indices_batching_dims: Ints
    scatter_dims_to_operand_dims: Ints
    index_vector_dim: int

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "ScatterDimensionNumbers":
        raw = stablehlo.ScatterDimensionNumbers(attribute)
        return cls(
            tuple(raw.update_window_dims),
            tuple(raw.inserted_window_dims),
            tuple(raw.input_batching_dims),
            tuple(raw.scatter_indices_batching_dims),
            tuple(raw.scattered_dims_to_operand_dims),
            raw.index_vector_dim,
        )


class ChannelHandle(NamedTuple):
    """spec "Channel". `type`: 0 unknown, 1 device to device, 2 device to host, 3 host to device."""

    handle: int
    type: int

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "ChannelHandle":
        raw = stablehlo.ChannelHandle(attribute)
        return cls(raw.handle, raw.channel_type)


class DotAlgorithm(NamedTuple):
    """spec "dot_general", `algorithm`. Types are MLIR spellings, `tf32` among them."""

    lhs_precision_type: str
    rhs_precision_type: str
    accumulation_type: str
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "DotAlgorithm":
        raw = stablehlo.DotAlgorithm(attribute)
        return cls(
            str(raw.lhs_precision_type),
            str(raw.rhs_precision_type),
            str(raw.accumulation_type),
            raw.lhs_component_count,
            raw.rhs_component_count,
            raw.num_primitive_operations,
            raw.allow_imprecise_accumulation,
        )


class OutputOperandAlias(NamedTuple):
    """spec "custom_call", one of `output_operand_aliases`."""

    output_tuple_indices: Ints
    operand_index: int
    operand_tuple_indices: Ints

    @classmethod
    def read(cls, attribute: ir.Attribute) -> "OutputOperandAlias":
        raw = stablehlo.OutputOperandAlias(attribute)
        return cls(
            tuple(raw.output_tuple_indices),
            raw.operand_index,
            tuple(raw.operand_tuple_indices),
        )
