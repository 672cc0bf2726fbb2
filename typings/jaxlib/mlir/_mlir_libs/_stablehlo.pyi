"""What hlokit uses of the bindings of StableHLO."""

import enum
from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir

class StablehloCompatibilityRequirement(enum.Enum): ...

def register_dialect(context: ir.Context, load: bool = True) -> None: ...
def register_interpreter_dialect(context: ir.Context, load: bool = True) -> None: ...
def register_stablehlo_passes() -> None: ...
def get_current_version() -> str: ...
def get_minimum_version() -> str: ...
def get_version_from_compatibility_requirement(requirement: StablehloCompatibilityRequirement) -> str: ...
def serialize_portable_artifact(
    module: ir.Module, target: str, allow_other_dialects: bool = False
) -> bytes: ...
def deserialize_portable_artifact(context: ir.Context, artifact: bytes) -> ir.Module: ...
def eval_module(module: ir.Module, args: Sequence[ir.Attribute]) -> list[Any]: ...

class DotDimensionNumbers(ir.Attribute):
    lhs_batching_dimensions: list[int]
    rhs_batching_dimensions: list[int]
    lhs_contracting_dimensions: list[int]
    rhs_contracting_dimensions: list[int]

class DotAlgorithm(ir.Attribute):
    lhs_precision_type: Any
    rhs_precision_type: Any
    accumulation_type: Any
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool

class ConvDimensionNumbers(ir.Attribute):
    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: list[int]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: list[int]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: list[int]

class GatherDimensionNumbers(ir.Attribute):
    offset_dims: list[int]
    collapsed_slice_dims: list[int]
    operand_batching_dims: list[int]
    start_indices_batching_dims: list[int]
    start_index_map: list[int]
    index_vector_dim: int

class ScatterDimensionNumbers(ir.Attribute):
    update_window_dims: list[int]
    inserted_window_dims: list[int]
    input_batching_dims: list[int]
    scatter_indices_batching_dims: list[int]
    scattered_dims_to_operand_dims: list[int]
    index_vector_dim: int

class ChannelHandle(ir.Attribute):
    handle: int
    channel_type: int

class OutputOperandAlias(ir.Attribute):
    output_tuple_indices: list[int]
    operand_index: int
    operand_tuple_indices: list[int]

class TypeExtensions(ir.Attribute):
    @classmethod
    def get(cls, bounds: Sequence[int], context: ir.Context | None = None) -> TypeExtensions: ...
    bounds: list[int]

class MeshAxisAttr(ir.Attribute):
    name: str
    size: int

class MeshAttr(ir.Attribute):
    @staticmethod
    def isinstance(other_attribute: ir.Attribute) -> bool: ...
    axes: Any
    device_ids: Any

class SubAxisInfoAttr(ir.Attribute):
    pre_size: int
    size: int

class AxisRefAttr(ir.Attribute):
    name: str
    sub_axis_info: Any

class ReplicaGroupMeshAxesAttr(ir.Attribute):
    mesh: Any
    axes: Any
