"""Programs of 2 to 16 processes: parts of which right ones and ones with planted faults consist."""

from __future__ import annotations

import json
from collections.abc import Sequence

ADD = """({^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>})"""
VECTOR = "tensor<4xf32>"
# %id, %first: the number of the process, and whether it is 0.
IDS = """%id = stablehlo.partition_id : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
"""
# %is_positive: whether the sum of %v is positive.
SIGN = f"""%f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = "stablehlo.reduce"(%v, %f0) {ADD} {{dimensions = array<i64: 0>}} : ({VECTOR}, tensor<f32>) -> tensor<f32>
  %is_positive = stablehlo.compare GT, %sum, %f0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
"""
TOKEN = "%t = stablehlo.create_token : !stablehlo.token\n"


def module(body: str, count: int, functions: str = "") -> str:
    """A program for each of `count` processes; `%r` is its result."""
    return f"""module attributes {{mhlo.num_partitions = {count} : i32}} {{
func.func @main(%x: {VECTOR}) -> {VECTOR} {{
  {body}
  return %r : {VECTOR}
}}
{functions}
}}"""


def side_by_side(bodies: Sequence[str]) -> str:
    """A program of its own for each process."""
    functions = "\n".join(
        f"func.func @p{n}(%x: {VECTOR}) -> {VECTOR} {{\n  {body}\n  return %r : {VECTOR}\n}}"
        for n, body in enumerate(bodies)
    )
    count = len(bodies)
    arguments = ", ".join(f"%x{n}: {VECTOR}" for n in range(count))
    types = ", ".join([VECTOR] * count)
    return f"""{functions}
func.func @main({arguments}) -> ({types}) {{
  %0:{count} = "interpreter.run_parallel"({", ".join(f"%x{n}" for n in range(count))}) {{
    programs = [[{", ".join(f"@p{n}" for n in range(count))}]]
  }} : ({types}) -> ({types})
  return {", ".join(f"%0#{n}" for n in range(count))} : {types}
}}"""


def everyone(count: int) -> list[list[int]]:
    return [list(range(count))]


def _handle(channel: int) -> str:
    return f"channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>"


def _matrix(rows: Sequence[Sequence[int]]) -> str:
    return f"dense<{[list(row) for row in rows]}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def all_reduce(
    groups: Sequence[Sequence[int]], channel: int = 1, result: str = "r", operand: str = "x"
) -> str:
    return (
        f'%{result} = "stablehlo.all_reduce"(%{operand}) {ADD} {{replica_groups = {_matrix(groups)}, '
        f"use_global_device_ids, {_handle(channel)}}} : ({VECTOR}) -> {VECTOR}\n"
    )


def all_gather(groups: Sequence[Sequence[int]], size: int, channel: int = 1) -> str:
    return (
        f'%g = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, replica_groups = {_matrix(groups)}, '
        f"use_global_device_ids, {_handle(channel)}}} : ({VECTOR}) -> tensor<{4 * size}xf32>\n"
        f"%r = stablehlo.slice %g [0:4] : (tensor<{4 * size}xf32>) -> {VECTOR}\n"
    )


def permute(pairs: Sequence[Sequence[int]], channel: int = 1, result: str = "r") -> str:
    return (
        f'%{result} = "stablehlo.collective_permute"(%x) {{source_target_pairs = {_matrix(pairs)}, '
        f"{_handle(channel)}}} : ({VECTOR}) -> {VECTOR}\n"
    )


def broadcast(groups: Sequence[Sequence[int]], channel: int = 1) -> str:
    return (
        f'%r = "stablehlo.collective_broadcast"(%x) {{replica_groups = {_matrix(groups)}, {_handle(channel)}}} '
        f": ({VECTOR}) -> {VECTOR}\n"
    )


def ring(count: int) -> list[list[int]]:
    return [[n, (n + 1) % count] for n in range(count)]


def send(pairs: Sequence[Sequence[int]] | None, channel: int, token: str = "t", result: str = "t1") -> str:
    named = "" if pairs is None else f", source_target_pairs = {_matrix(pairs)}"
    return (
        f'%{result} = "stablehlo.send"(%x, %{token}) {{{_handle(channel)}, is_host_transfer = false{named}}} : '
        f"({VECTOR}, !stablehlo.token) -> !stablehlo.token\n"
    )


def recv(pairs: Sequence[Sequence[int]] | None, channel: int, token: str = "t1", result: str = "q") -> str:
    named = "" if pairs is None else f", source_target_pairs = {_matrix(pairs)}"
    return (
        f'%{result}:2 = "stablehlo.recv"(%{token}) {{{_handle(channel)}, is_host_transfer = false{named}}} : '
        f"(!stablehlo.token) -> ({VECTOR}, !stablehlo.token)\n"
    )


def negate(operand: str) -> str:
    return f"%r = stablehlo.negate {operand} : {VECTOR}\n"


def branch(predicate: str, then: str, other: str) -> str:
    """Each branch computes `%in`."""
    ends = [f"({{\n {body} stablehlo.return %in : {VECTOR} }}" for body in (then, other)]
    return f'%r = "stablehlo.if"({predicate}) {ends[0]}, {ends[1][1:]}) : (tensor<i1>) -> {VECTOR}\n'


def loop(limit: str, body: str) -> str:
    """As many iterations as `limit` says; the body computes `%in` of `%v`."""
    return f"""%w:2 = stablehlo.while(%n = %zero, %v = %x) : tensor<ui32>, {VECTOR} cond {{
    %c = stablehlo.compare LT, %n, {limit} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    {body}
    %m = stablehlo.add %n, %one : tensor<ui32>
    stablehlo.return %m, %in : tensor<ui32>, {VECTOR}
  }}
  {negate("%w#1")}"""


NOTHING = f"%in = stablehlo.abs %x : {VECTOR}\n"


def python(target: str, operand: str, result: str) -> str:
    """A call of a Python function."""
    return f"%{result} = stablehlo.custom_call @{target}(%{operand}) {{has_side_effect = true}} : ({VECTOR}) -> {VECTOR}\n"


def asynchronous(count: int, *between: str, ends: int = 1, result: str = "r") -> str:
    """An asynchronous sum of all processes, as JAX writes it."""
    config = json.dumps({"replica_groups": everyone(count), "use_global_device_ids": True, "channel_id": 1})
    text = config.replace('"', r"\22")
    begin = (
        f'%begun = stablehlo.custom_call @"all-reduce-start"(%x) {{called_computations = [@add], '
        f'mhlo.frontend_attributes = {{async_collective_config = "{text}"}}}} : ({VECTOR}) -> {VECTOR}\n'
    )
    done = f'stablehlo.custom_call @"all-reduce-done"(%begun) : ({VECTOR}) -> {VECTOR}\n'
    names = [result, *(f"again{n}" for n in range(1, ends))][:ends]
    return "".join([begin, *between, *(f"%{name} = {done}" for name in names)])


ADD_FUNCTION = """func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}"""
REUSED = (
    "%other = stablehlo.custom_call @k(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<"
    f"output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}} : ({VECTOR}) -> {VECTOR}\n"
)


def pieces(body: str, count: int) -> str:
    """A manual computation: each process has a piece of the operand."""
    whole = f"tensor<{4 * count}xf32>"
    return f"""sdy.mesh @mesh = <["a"={count}]>
func.func @main(%whole: {whole}) -> {whole} {{
  %0 = sdy.manual_computation(%whole) in_shardings=[<@mesh, [{{"a"}}]>] out_shardings=[<@mesh, [{{"a"}}]>]
      manual_axes={{"a"}} (%x: {VECTOR}) {{
    {body}
    sdy.return %r : {VECTOR}
  }} : ({whole}) -> {whole}
  return %0 : {whole}
}}"""
