"""Variants of the operations of `processes`: programs of several processes, which `interpreter.run_parallel` runs."""

from __future__ import annotations

from hlokit.operations.cards.variants.variant import Variant, applied


def _on_grid(name: str, operation: str, operand: str, result: str, grid: tuple[int, int] = (2, 1)) -> Variant:
    """A program in which all processes of a grid do an operation.

    Args:
      operation: on `%0`, with the result `%r`.
      grid: replicas and partitions.
    """
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
  {operation} : (tensor<{operand}>) -> tensor<{result}>
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
