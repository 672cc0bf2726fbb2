"""JAX's `ragged_all_to_all`, a custom call, as operations of StableHLO.

A process sends slices of `operand`, several to each process of its group: the slice `input_offsets[i]` of
`send_sizes[i]` rows goes to process i // (slices for each process), which writes it into a copy of `output`
at row `output_offsets[i]`. `recv_sizes[i]` rows come from the process of the same number. Rows beyond the
end of `output` are dropped, like those of a scatter.
Source: the documentation of `jax.lax.ragged_all_to_all`.
"""

from __future__ import annotations

from typing import Any

from hlokit.errors import VerificationError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import attributes_of, operations_within, walk
from hlokit.mlir.round_trip import target_of

TARGET = "ragged_all_to_all"
_OFFSETS = ("input_offsets", "send_sizes", "output_offsets", "recv_sizes")

# Tensors of offsets have i64 elements here. For each row of the result, the program computes the row of all
# operands of the group, one after the other, that belongs there, or -1.
_FUNCTION = """
func.func private @{target}({parameters}) -> {output} {{
{conversions}
  %from = "stablehlo.all_to_all"(%input_offsets) {{{exchange}}} : ({offsets}) -> {offsets}
  %count = "stablehlo.all_to_all"(%send_sizes) {{{exchange}}} : ({offsets}) -> {offsets}
  %to = "stablehlo.all_to_all"(%output_offsets) {{{exchange}}} : ({offsets}) -> {offsets}
  %rows = "stablehlo.all_gather"(%operand) {{all_gather_dim = 0 : i64, {everywhere}}}
    : ({operand}) -> {gathered}
  %zero = stablehlo.constant dense<0> : {offsets}
  %none = stablehlo.constant dense<-1> : tensor<i64>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %from_end = stablehlo.add %from, %count : {offsets}
  %to_end = stablehlo.add %to, %count : {offsets}

  %is_received = stablehlo.compare EQ, %count, %recv_sizes : ({offsets}, {offsets}) -> {flags}
  %all_received = stablehlo.reduce(%is_received init: %true) applies stablehlo.and
    across dimensions = [0] : ({flags}, tensor<i1>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%all_received) {{has_side_effect = true,
    error_message = "{target}: recv_sizes must be the sizes that the processes of the group send"
  }} : (tensor<i1>) -> ()
  %in_rows = stablehlo.constant dense<{in_rows}> : {offsets}
  %from_begins = stablehlo.compare GE, %from, %zero : ({offsets}, {offsets}) -> {flags}
  %from_ends = stablehlo.compare LE, %from_end, %in_rows : ({offsets}, {offsets}) -> {flags}
  %is_size = stablehlo.compare GE, %count, %zero : ({offsets}, {offsets}) -> {flags}
  %is_empty = stablehlo.compare EQ, %count, %zero : ({offsets}, {offsets}) -> {flags}
  %reads = stablehlo.and %from_begins, %from_ends : {flags}
  %is_slice = stablehlo.and %reads, %is_size : {flags}
  %fits = stablehlo.or %is_slice, %is_empty : {flags}
  %all_fit = stablehlo.reduce(%fits init: %true) applies stablehlo.and
    across dimensions = [0] : ({flags}, tensor<i1>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%all_fit) {{has_side_effect = true,
    error_message = "{target}: slices must lie within the operand"
  }} : (tensor<i1>) -> ()

  %sender = stablehlo.constant dense<{senders}> : {offsets}
  %from_all = stablehlo.add %from, %sender : {offsets}
  %shift = stablehlo.subtract %from_all, %to : {offsets}
  %row = stablehlo.iota dim = 0 : {table}
  %first = stablehlo.broadcast_in_dim %to, dims = [1] : ({offsets}) -> {table}
  %end = stablehlo.broadcast_in_dim %to_end, dims = [1] : ({offsets}) -> {table}
  %shifts = stablehlo.broadcast_in_dim %shift, dims = [1] : ({offsets}) -> {table}
  %is_after = stablehlo.compare GE, %row, %first : ({table}, {table}) -> {table_flags}
  %is_before = stablehlo.compare LT, %row, %end : ({table}, {table}) -> {table_flags}
  %is_within = stablehlo.and %is_after, %is_before : {table_flags}
  %source = stablehlo.add %row, %shifts : {table}
  %nones = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<i64>) -> {table}
  %chosen = stablehlo.select %is_within, %source, %nones : {table_flags}, {table}
  %index = stablehlo.reduce(%chosen init: %none) applies stablehlo.maximum
    across dimensions = [1] : ({table}, tensor<i64>) -> {index}
  %zeros = stablehlo.constant dense<0> : {index}
  %is_new = stablehlo.compare GE, %index, %zeros : ({index}, {index}) -> {index_flags}
  %at = stablehlo.maximum %index, %zeros : {index}
  %new = "stablehlo.gather"(%rows, %at) {{
    dimension_numbers = #stablehlo.gather<offset_dims = {offset_dims}, collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: {slice_sizes}>
  }} : ({gathered}, {index}) -> {output}
  %mask = stablehlo.broadcast_in_dim %is_new, dims = [0] : ({index_flags}) -> {mask}
  %result = stablehlo.select %mask, %new, %output : {mask}, {output}
  return %result : {output}
}}
"""


def expand(module: ir.Module, filename: str) -> None:
    """Replace `ragged_all_to_all` by calls of functions, in place.

    Raises:
      VerificationError: a call has other operands or another configuration than JAX's.
    """
    symbols = ir.SymbolTable(module.operation)
    for call in [op for op in operations_within(module.operation) if target_of(op) == TARGET]:
        try:
            function = _function(call) if _is_valid(call) else None
        except ir.MLIRError:  # an element type that an operation does not take
            function = None
        if function is None:
            line = call.get_asm(large_elements_limit=16)
            message = f"@{TARGET} must have JAX's operands and backend_config, got {line}"
            raise VerificationError((diagnostic("error", message, str(call.location), filename),))
        module.body.append(function)
        name = symbols.insert(function)  # renames it if another function has its name
        replacement = ir.Operation.create(
            "func.call",
            [call.results[0].type],
            list(call.operands),
            {"callee": ir.FlatSymbolRefAttr.get(name.value, call.context)},
            loc=call.location,
            ip=ir.InsertionPoint(call),
        )
        call.results[0].replace_all_uses_with(replacement.results[0])
        call.erase()


def _is_valid(call: ir.Operation) -> bool:
    """Whether a call has operands, a result and a configuration of JAX's kind."""
    config = attributes_of(call).get("backend_config")
    types = [value.type for value in (*call.operands, *call.results)]
    if len(types) != len(_OFFSETS) + 3 or not all(map(_is_array, types)):
        return False
    if not isinstance(config, ir.DictAttr) or "replica_groups" not in config:
        return False
    groups = config["replica_groups"]
    is_handle = "channel_id" not in config or isinstance(config["channel_id"], ir.IntegerAttr)
    if not isinstance(groups, ir.DenseIntElementsAttr) or not is_handle:
        return False
    operand, output, *offsets, result = map(ir.RankedTensorType, types)
    has_same_rows = operand.element_type == output.element_type and operand.shape[1:] == output.shape[1:]
    are_integers = all(isinstance(offset.element_type, ir.IntegerType) for offset in offsets)
    if output != result or not has_same_rows or not are_integers:
        return False
    sizes = ir.RankedTensorType(groups.type).shape[1:]
    counts = {tuple(offset.shape) for offset in offsets}
    (count, *others), *more = counts
    return len(sizes) == 1 and sizes[0] > 0 and not others and not more and count % sizes[0] == 0


def _is_array(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.has_static_shape and type_.rank > 0


def _function(call: ir.Operation) -> ir.Operation:
    """The function that computes the result of a call."""
    operand, output, *offsets = (ir.RankedTensorType(value.type) for value in call.operands)
    config: Any = call.attributes["backend_config"]
    size = ir.RankedTensorType(config["replica_groups"].type).shape[1]
    count = offsets[0].shape[0]
    (rows, *rest), (out_rows, *_) = operand.shape, output.shape
    groups = f"replica_groups = {config['replica_groups']}"
    ids = ""
    if "channel_id" in config:
        groups += (
            f", channel_handle = #stablehlo.channel_handle<handle = {config['channel_id'].value}, type = 1>"
        )
        ids = ", use_global_device_ids"
    parameters = zip(_OFFSETS, offsets, strict=True)
    text = _FUNCTION.format(
        target=TARGET,
        parameters=", ".join(
            [
                f"%operand: {operand}, %output: {output}",
                *(f"%{name}_0: {type_}" for name, type_ in parameters),
            ]
        ),
        conversions="\n".join(
            f"  %{name} = stablehlo.convert %{name}_0 : ({type_}) -> tensor<{count}xi64>"
            for name, type_ in zip(_OFFSETS, offsets, strict=True)
        ),
        exchange="split_dimension = 0 : i64, concat_dimension = 0 : i64, "
        f"split_count = {size} : i64, {groups}",
        everywhere=groups + ids,
        operand=operand,
        output=output,
        offsets=f"tensor<{count}xi64>",
        flags=f"tensor<{count}xi1>",
        gathered=_tensor([rows * size, *rest], operand.element_type),
        in_rows=rows,
        senders=[index * size // count * rows for index in range(count)],
        table=f"tensor<{out_rows}x{count}xi64>",
        table_flags=f"tensor<{out_rows}x{count}xi1>",
        index=f"tensor<{out_rows}xi64>",
        index_flags=f"tensor<{out_rows}xi1>",
        offset_dims=list(range(1, len(output.shape))),
        slice_sizes=", ".join(map(str, [1, *rest])),
        mask=_tensor(output.shape, "i1"),
    )
    module = ir.Module.parse(text, call.context)
    function = module.body.operations[0].operation.clone(ip=False).operation

    def locate(operation: ir.Operation) -> None:
        operation.location = call.location

    walk(function, locate)
    return function


def _tensor(shape: Any, element: object) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"
