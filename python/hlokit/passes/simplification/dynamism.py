"""Dynamic operations whose shape operands are constants become static operations."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.operations.lookup import traits_of
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    build,
    by_constant,
    by_operation,
    by_value,
    carry_attributes,
    constant,
    defining_op,
    element_type,
    i64,
    i64s,
    inherent_attributes,
    int_,
    integers,
    ints,
    is_iota,
    shape,
    static_shape,
    tensor,
    with_shape,
)


def _rank(value: Value) -> int:
    return len(shape(value) or ())


def _broadcast_of_broadcast(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_broadcast_in_dim(dynamic_broadcast_in_dim(x, _), sizes) -> dynamic_broadcast_in_dim(x,
    sizes)"""
    operand, sizes = operation.operands
    inner = defining_op(operand, operation.name)
    if inner is None:
        return False
    dims = ints(operation, "broadcast_dimensions")
    merged = i64s(dims[dim] for dim in ints(inner, "broadcast_dimensions"))
    operands, attributes = [inner.operands[0], sizes], {"broadcast_dimensions": merged}
    return by_operation(operation, rewriter, operation.name, operands, attributes)


def _broadcast_not_expanding(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_broadcast_in_dim(x, _) -> convert(x), if no dimension is expanded"""
    operand, result = operation.operands[0], operation.results[0]
    if not is_iota(ints(operation, "broadcast_dimensions")) or element_type(operand) != element_type(result):
        return False
    if len(ints(operation, "known_nonexpanding_dimensions")) != _rank(result):
        return False
    return by_operation(operation, rewriter, "stablehlo.convert", [operand])


def _broadcast_of_reshape(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_broadcast_in_dim(dynamic_reshape(x, sizes), sizes) -> dynamic_reshape(x, sizes)"""
    operand, sizes = operation.operands
    inner = defining_op(operand, "stablehlo.dynamic_reshape")
    if inner is None or inner.operands[1] != sizes or not is_iota(ints(operation, "broadcast_dimensions")):
        return False
    return by_operation(operation, rewriter, inner.name, inner.operands)


def _broadcast_to_own_shape(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_broadcast_in_dim(x, shape_of(x)) -> x"""
    operand, sizes = operation.operands
    shape_of = defining_op(sizes, "shape.shape_of")
    if shape_of is None or shape_of.operands[0] != operand:
        return False
    return is_iota(ints(operation, "broadcast_dimensions")) and by_value(operation, rewriter, operand)


def _broadcast_static(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_broadcast_in_dim(x, constant) -> broadcast_in_dim(x)"""
    operand, sizes = operation.operands
    result, type_ = operation.results[0], tensor(operation.results[0])
    if static_shape(operand) is None or type_ is None:
        return False
    name = "stablehlo.broadcast_in_dim"
    dims = {"broadcast_dimensions": operation.attributes["broadcast_dimensions"]}
    if type_.has_static_shape:
        return by_operation(operation, rewriter, name, [operand], dims)
    dims_of_result = integers(sizes)
    if dims_of_result is None or type_.encoding is not None:
        return False
    new = build(name, [with_shape(type_, dims_of_result)], [operand], dims)
    carry_attributes(operation, new)
    rewriter.replace(operation, [_of_type(new.results[0], result)])
    return True


def _of_type(value: Value, replaced: Value) -> Value:
    """A value of a more precise type, converted back to the old type if a user requires the old type."""
    if all(traits_of(use.owner.operation.name).refines for use in replaced.uses):
        return value
    return build("stablehlo.convert", [replaced.type], [value]).results[0]


def _gather_static(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_gather(x, indices, constant) -> gather(x, indices)"""
    operand, start_indices, slice_sizes = operation.operands
    sizes = integers(slice_sizes)
    if sizes is None:
        return False
    attributes = {**inherent_attributes(operation), "slice_sizes": i64s(sizes)}
    return by_operation(operation, rewriter, "stablehlo.gather", [operand, start_indices], attributes)


def _iota_static(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_iota(_) -> iota, of a static type"""
    if static_shape(operation.results[0]) is None:
        return False
    attributes = {"iota_dimension": operation.attributes["iota_dimension"]}
    return by_operation(operation, rewriter, "stablehlo.iota", [], attributes)


def _iota_as_broadcast(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_iota(sizes) -> dynamic_broadcast_in_dim(dynamic_iota(slice(sizes)), sizes)"""
    sizes, type_ = operation.operands[0], tensor(operation.results[0])
    sizes_type, dims = tensor(sizes), shape(operation.results[0])
    if type_ is None or dims is None or sizes_type is None or len(dims) < 2 or type_.encoding is not None:
        return False
    dim = int_(operation, "iota_dimension")
    wide, signless = sizes, ir.IntegerType.get_signless(64)
    if sizes_type.element_type != signless:
        is_index = isinstance(sizes_type.element_type, ir.IndexType)
        name = "arith.index_cast" if is_index else "stablehlo.convert"
        wide = build(name, [ir.RankedTensorType.get([len(dims)], signless)], [sizes]).results[0]
    bounds = {"start_indices": i64s([dim]), "limit_indices": i64s([dim + 1]), "strides": i64s([1])}
    one = build("stablehlo.slice", [ir.RankedTensorType.get([1], signless)], [wide], bounds)
    row_type = with_shape(type_, [dims[dim]])
    row = build("stablehlo.dynamic_iota", [row_type], one.results, {"iota_dimension": i64(0)})
    attributes = {"broadcast_dimensions": i64s([dim])}
    name = "stablehlo.dynamic_broadcast_in_dim"
    return by_operation(operation, rewriter, name, [row.results[0], sizes], attributes)


def _pad_static(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_pad(x, v, constants) -> pad(x, v)"""
    operand, value, *paddings = operation.operands
    low, high, interior = map(integers, paddings)
    if low is None or high is None or interior is None:
        return False
    attributes = {
        "edge_padding_low": i64s(low),
        "edge_padding_high": i64s(high),
        "interior_padding": i64s(interior),
    }
    return by_operation(operation, rewriter, "stablehlo.pad", [operand, value], attributes)


def _conv_static(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_conv(x, y, constant) -> convolution(x, y)"""
    lhs, rhs, padding = operation.operands
    pairs, sizes = integers(padding), shape(padding)
    if pairs is None or sizes is None:
        return False
    rows = ", ".join(f"[{low}, {high}]" for low, high in zip(pairs[::2], pairs[1::2], strict=True))
    attributes = inherent_attributes(operation)
    if rows:
        attributes["padding"] = ir.Attribute.parse(f"dense<[{rows}]> : tensor<{sizes[0]}x2xi64>")
    return by_operation(operation, rewriter, "stablehlo.convolution", [lhs, rhs], attributes)


def _reshape_of_reshape(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_reshape(dynamic_reshape(x, _), sizes) -> dynamic_reshape(x, sizes)"""
    operand, sizes = operation.operands
    inner = defining_op(operand, operation.name)
    return inner is not None and by_operation(operation, rewriter, operation.name, [inner.operands[0], sizes])


def _reshape_static(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_reshape(x, _) -> reshape(x), of a static type"""
    if static_shape(operation.results[0]) is None:
        return False
    return by_operation(operation, rewriter, "stablehlo.reshape", [operation.operands[0]])


def _reshape_kept(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """dynamic_reshape(op(dynamic_reshape(x, sizes)), sizes) -> op(...), if op keeps the shape"""
    operand, sizes = operation.operands
    source = defining_op(operand)
    if source is None or not len(source.operands) or not _keeps_shape(source.name):
        return False
    inner = defining_op(source.operands[0], operation.name)
    if inner is None or inner.operands[1] != sizes:
        return False
    return by_value(operation, rewriter, operand)


def _keeps_shape(name: str) -> bool:
    return (traits_of(name).elementwise or traits_of(name).same_shape) and not (
        traits_of(name).broadcasting or traits_of(name).scalars
    )


def _shape_of_reshape(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """shape_of(dynamic_reshape(x, sizes)) -> sizes"""
    inner = defining_op(operation.operands[0], "stablehlo.dynamic_reshape")
    return inner is not None and by_value(operation, rewriter, inner.operands[1])


def _slice_static(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """real_dynamic_slice(x, constants) -> slice(x)"""
    operand, *bounds = operation.operands
    starts, limits, strides = map(integers, bounds)
    if starts is None or limits is None or strides is None:
        return False
    attributes = {"start_indices": i64s(starts), "limit_indices": i64s(limits), "strides": i64s(strides)}
    return by_operation(operation, rewriter, "stablehlo.slice", [operand], attributes)


def _slice_of_static_sizes(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """real_dynamic_slice(x, starts, starts + constant, ones) -> dynamic_slice(x, starts)"""
    operand, starts, limits, strides = operation.operands
    total = defining_op(limits, "stablehlo.add")
    if total is None or constant(strides) is None or set(integers(strides) or ()) != {1}:
        return False
    addends = list(total.operands)
    if starts not in addends or static_shape(starts) is None:
        return False
    sizes = integers(addends[1 - addends.index(starts)])
    if sizes is None or static_shape(operation.results[0]) != sizes:
        return False
    number = ir.RankedTensorType.get([], element_type(starts))
    row = ir.RankedTensorType.get([1], element_type(starts))
    indices: list[Value] = []
    for i in range(len(sizes)):
        bounds = {"start_indices": i64s([i]), "limit_indices": i64s([i + 1]), "strides": i64s([1])}
        one = build("stablehlo.slice", [row], [starts], bounds)
        indices.append(build("stablehlo.reshape", [number], one.results).results[0])
    attributes = {"slice_sizes": i64s(sizes)}
    return by_operation(operation, rewriter, "stablehlo.dynamic_slice", [operand, *indices], attributes)


def _known_dimension_size(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """get_dimension_size(x) -> constant, if the size of the dimension is known"""
    sizes = shape(operation.operands[0])
    size = sizes[int_(operation, "dimension")] if sizes is not None else -1
    return size >= 0 and by_constant(operation, rewriter, size)


def _same_dimension_size(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """set_dimension_size(x, size) -> x, if x already has that size"""
    operand, size = operation.operands
    sizes, new_sizes = static_shape(operand), integers(size)
    if sizes is None or new_sizes != (sizes[int_(operation, "dimension")],):
        return False
    return by_value(operation, rewriter, operand)


_ROWS = (
    ("dynamic_broadcast_in_dim", _broadcast_of_broadcast),
    ("dynamic_broadcast_in_dim", _broadcast_not_expanding),
    ("dynamic_broadcast_in_dim", _broadcast_of_reshape),
    ("dynamic_broadcast_in_dim", _broadcast_to_own_shape),
    ("dynamic_broadcast_in_dim", _broadcast_static),
    ("dynamic_conv", _conv_static),
    ("dynamic_gather", _gather_static),
    ("dynamic_iota", _iota_static),
    ("dynamic_iota", _iota_as_broadcast),
    ("dynamic_pad", _pad_static),
    ("dynamic_reshape", _reshape_of_reshape),
    ("dynamic_reshape", _reshape_kept),
    ("dynamic_reshape", _reshape_static),
    ("get_dimension_size", _known_dimension_size),
    ("real_dynamic_slice", _slice_static),
    ("real_dynamic_slice", _slice_of_static_sizes),
    ("set_dimension_size", _same_dimension_size),
)
PATTERNS: tuple[Entry, ...] = (
    *((f"stablehlo.{name}", pattern, 1) for name, pattern in _ROWS),
    ("shape.shape_of", _shape_of_reshape, 1),
)
