"""Variants of the operations of `processes`: programs of several processes, which `interpreter.run_parallel` runs."""

from __future__ import annotations

from hlokit.operations.cards.variants.variant import Variant, applied


def _on_grid(
    name: str, operation: str, operand: str, result: str, grid: tuple[int, int] = (2, 1), taken: str = ""
) -> Variant:
    """A program in which all processes of a grid do an operation.

    Args:
      operation: on `%0`, with the result `%r`.
      grid: replicas and partitions.
      taken: the types of the operation's operands, if not that of `%0`.
    """
    taken = taken or f"tensor<{operand}>"
    count = grid[0] * grid[1]
    programs = ", ".join([f"[{', '.join(['@process'] * grid[1])}]"] * grid[0])
    inputs, outputs = (", ".join([f"tensor<{type_}>"] * count) for type_ in (operand, result))
    parameters = ", ".join(f"%{number}: tensor<{operand}>" for number in range(count))
    arguments = ", ".join(f"%{number}" for number in range(count))
    results = ", ".join(f"%r#{number}" for number in range(count))
    return Variant(
        name,
        "",
        f"""func.func @process(%0: tensor<{operand}>) -> tensor<{result}> {{
  {operation} : ({taken}) -> tensor<{result}>
  return %r : tensor<{result}>
}}
func.func @main({parameters}) -> ({outputs}) {{
  %r:{count} = "interpreter.run_parallel"({arguments}) {{programs = [{programs}]}} : ({inputs}) -> ({outputs})
  return {results} : {outputs}
}}
""",
    )


def _groups(text: str, size: str, more: str = "") -> str:
    return f"replica_groups = dense<{text}> : tensor<{size}xi64>{more}"


_CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
_FOUR = _groups("[[0, 2], [3, 1]]", "2x2")
_PARTITIONS = _groups("[[0, 1]]", "1x2", f"{_CHANNEL}, use_global_device_ids")
_AXES = ", ".join(f'#stablehlo.mesh_axis<name = "{name}", size = 2>' for name in "xy")
_ALONG_X = (
    f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [{_AXES}]>, "
    f'axes = [#stablehlo.axis_ref<name = "x">]>{_CHANNEL}, use_global_device_ids'
)

ALL_GATHER = (
    _on_grid(
        "rows",
        f'%r = "stablehlo.all_gather"(%0) {{all_gather_dim = 0 : i64, {_groups("[[1, 0]]", "1x2")}}}',
        "2x3x$",
        "4x3x$",
    ),
    _on_grid(
        "columns",
        f'%r = "stablehlo.all_gather"(%0) {{all_gather_dim = 1 : i64, {_FOUR}}}',
        "2x3x$",
        "2x6x$",
        (4, 1),
    ),
    _on_grid(
        "partitions",
        f'%r = "stablehlo.all_gather"(%0) {{all_gather_dim = 0 : i64, {_PARTITIONS}}}',
        "2x3x$",
        "4x3x$",
        (1, 2),
    ),
)
ALL_REDUCE = (
    *(
        _on_grid(
            name,
            f'%r = "stablehlo.all_reduce"(%0) ({applied(name)}) {{{_groups("[[0, 1]]", "1x2")}}}',
            "5x$",
            "5x$",
        )
        for name in ("add", "maximum", "and")
    ),
    _on_grid(
        "groups", f'%r = "stablehlo.all_reduce"(%0) ({applied("add")}) {{{_FOUR}}}', "2x3x$", "2x3x$", (4, 1)
    ),
    _on_grid(
        "partitions",
        f'%r = "stablehlo.all_reduce"(%0) ({applied("add")}) {{{_PARTITIONS}}}',
        "3x$",
        "3x$",
        (1, 2),
    ),
    _on_grid(
        "mesh-axes",
        f'%r = "stablehlo.all_reduce"(%0) ({applied("add")}) {{{_ALONG_X}}}',
        "3x$",
        "3x$",
        (1, 4),
    ),
    Variant(
        "unreduced",
        "",
        """sdy.mesh @mesh = <["x"=2]>
func.func @main(%0: tensor<4x$>) -> tensor<4x$> {
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}], unreduced={"x"}>]
      manual_axes={"x"} (%2: tensor<2x$>) {
    %3 = stablehlo.concatenate %2, %2, dim = 0 : (tensor<2x$>, tensor<2x$>) -> tensor<4x$>
    sdy.return %3 : tensor<4x$>
  } : (tensor<4x$>) -> tensor<4x$>
  return %1 : tensor<4x$>
}
""",
    ),
)
ALL_TO_ALL = tuple(
    _on_grid(
        f"split-{split}-concat-{concat}",
        f'%r = "stablehlo.all_to_all"(%0) {{split_dimension = {split} : i64, concat_dimension = {concat} : i64, '
        f"split_count = 2 : i64, {_groups('[[1, 0]]', '1x2')}}}",
        "2x4x$",
        result,
    )
    for split, concat, result in ((0, 0, "2x4x$"), (0, 1, "1x8x$"), (1, 0, "4x2x$"))
)
COLLECTIVE_BROADCAST = (
    _on_grid("groups", f'%r = "stablehlo.collective_broadcast"(%0) {{{_FOUR}}}', "3x$", "3x$", (4, 1)),
)
COLLECTIVE_PERMUTE = (
    _on_grid(
        "ring",
        '%r = "stablehlo.collective_permute"(%0) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}',
        "3x$",
        "3x$",
        (3, 1),
    ),
    _on_grid(
        "partial",
        '%r = "stablehlo.collective_permute"(%0) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}',
        "3x$",
        "3x$",
    ),
)
REDUCE_SCATTER = tuple(
    _on_grid(
        f"dimension-{axis}",
        f'%r = "stablehlo.reduce_scatter"(%0) ({applied("add")}) {{scatter_dimension = {axis} : i64, '
        f"{_groups('[[1, 0]]', '1x2')}}}",
        "2x4x$",
        result,
    )
    for axis, result in ((0, "1x4x$"), (1, "2x2x$"))
)
REPLICA_ID = (
    Variant(
        "grid",
        "",
        """func.func @process() -> tensor<ui32> {
  %r = stablehlo.replica_id : tensor<ui32>
  return %r : tensor<ui32>
}
func.func @main() -> (tensor<ui32>, tensor<ui32>) {
  %r:2 = "interpreter.run_parallel"() {programs = [[@process], [@process]]} : () -> (tensor<ui32>, tensor<ui32>)
  return %r#0, %r#1 : tensor<ui32>, tensor<ui32>
}
""",
    ),
)
PARTITION_ID = (
    REPLICA_ID[0]._replace(
        attributes=REPLICA_ID[0]
        .attributes.replace("replica_id", "partition_id")
        .replace("[[@process], [@process]]", "[[@process, @process]]")
    ),
)


_ADD = """func.func private @add(%a: tensor<$>, %b: tensor<$>) -> tensor<$> {
  %r = stablehlo.add %a, %b : tensor<$>
  return %r : tensor<$>
}
"""


def _pair(kind: str, config: str, operand: str, result: str) -> Variant:
    """An asynchronous collective of JAX, and what happens before it ends."""
    called = "called_computations = [@add], " if kind in ("all-reduce", "reduce-scatter") else ""
    text = f'{{{config}, "channel_id": 1, "use_global_device_ids": true}}'.replace('"', r"\22")
    operation = f"""%begun = stablehlo.custom_call @"{kind}-start"(%0) {{{called}mhlo.frontend_attributes = {{
    async_collective_config = "{text}"}}}} : (tensor<{operand}>) -> tensor<{result}>
  %meanwhile = stablehlo.add %0, %0 : tensor<{operand}>
  %r = stablehlo.custom_call @"{kind}-done"(%begun)"""
    variant = _on_grid(kind, operation, operand, result, (1, 2), f"tensor<{result}>")
    return variant._replace(attributes=_ADD + variant.attributes)


_TWO = '"replica_groups": [[0, 1]]'
_RAGGED = """%from = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %count = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %to = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %id = stablehlo.partition_id : tensor<ui32>
  %counts = stablehlo.constant dense<[[2, 2], [1, 1]]> : tensor<2x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %row = stablehlo.dynamic_slice %counts, %id, %zero, sizes = [1, 2] : (tensor<2x2xi32>, tensor<ui32>, tensor<ui32>) -> tensor<1x2xi32>
  %received = stablehlo.reshape %row : (tensor<1x2xi32>) -> tensor<2xi32>
  %r = stablehlo.custom_call @ragged_all_to_all(%0, %0, %from, %count, %to, %received) {api_version = 4 : i32,
    backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}"""
_RAGGED_TYPES = ", ".join(["tensor<4x3x$>"] * 2 + ["tensor<2xi32>"] * 4)
# Custom calls of JAX: asynchronous collectives, and an exchange of rows.
CUSTOM_COLLECTIVES = (
    _pair("all-gather", f'{_TWO}, "all_gather_dimension": 0', "2x3x$", "4x3x$"),
    _pair("all-reduce", _TWO, "5x$", "5x$"),
    _pair(
        "all-to-all",
        f'{_TWO}, "split_dimension": 0, "concat_dimension": 1, "split_count": 2',
        "2x4x$",
        "1x8x$",
    ),
    _pair("collective-permute", '"permutation": [[0, 1], [1, 0]]', "5x$", "5x$"),
    _pair("reduce-scatter", f'{_TWO}, "scatter_dimension": 0', "4x3x$", "2x3x$"),
    _on_grid("ragged-all-to-all", _RAGGED, "4x3x$", "4x3x$", (1, 2), _RAGGED_TYPES),
)
