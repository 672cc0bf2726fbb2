"""Asynchronous and ragged collectives of JAX equal their definitions; misuse is told with both operations."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.errors import VerificationError

GROUPS = {"replica_groups": [[0, 1, 2, 3]], "use_global_device_ids": True, "channel_id": 1}
RING = {"permutation": [[0, 1], [1, 2], [2, 3], [3, 0]], "channel_id": 1}
SPLIT = {"split_dimension": 0, "concat_dimension": 1, "split_count": 4, **GROUPS}
X = [np.arange(16, dtype=np.float32).reshape(4, 4) + 100 * number for number in range(4)]
# The collective, its configuration, the type of its result, and what process number `i` receives.
COLLECTIVES: tuple[tuple[str, dict[str, Any], str, Any], ...] = (
    ("all-gather", {"all_gather_dimension": 0, **GROUPS}, "16x4", lambda i: np.concatenate(X)),
    ("all-reduce", GROUPS, "4x4", lambda i: np.sum(X, 0)),
    (
        "reduce-scatter",
        {"scatter_dimension": 0, "tiled": True, **GROUPS},
        "1x4",
        lambda i: np.sum(X, 0)[i : i + 1],
    ),
    ("collective-permute", RING, "4x4", lambda i: X[i - 1]),
    ("all-to-all", SPLIT, "1x16", lambda i: np.concatenate([x[i : i + 1] for x in X], 1)),
)

NESTED_ADD = """"stablehlo.map"(%a, %b) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %sum = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) {dimensions = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<f32>"""


def start(name: str, config: dict[str, Any], result: str) -> str:
    text = json.dumps(config).replace('"', r"\22")
    reducer = "called_computations = [@add], " if "reduce" in name else ""
    attributes = f'{reducer}mhlo.frontend_attributes = {{async_collective_config = "{text}"}}'
    return f'stablehlo.custom_call @"{name}-start"(%x) {{{attributes}}} : (tensor<4x4xf32>) -> tensor<{result}xf32>'


def done(name: str, value: str, result: str) -> str:
    type_ = f"tensor<{result}xf32>"
    return f'stablehlo.custom_call @"{name}-done"({value}) : ({type_}) -> {type_}'


def program(lines: list[str], result: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"""module attributes {{mhlo.num_partitions = 4 : i32}} {{
  func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
    %0 = stablehlo.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }}
  func.func @main(%x: tensor<4x4xf32>) -> tensor<{result}xf32> {{
{body}
    return %r : tensor<{result}xf32>
  }}
}}"""


def test_each_pair_equals_its_synchronous_form() -> None:
    for name, config, result, expected in COLLECTIVES:
        text = program(
            [
                f"%s = {start(name, config, result)}",
                "%other = stablehlo.tanh %x : tensor<4x4xf32>",
                f"%r = {done(name, '%s', result)}",
            ],
            result,
        )
        for body in (text, text.replace("stablehlo.add %a, %b : tensor<f32>", NESTED_ADD)):
            received = hlokit.load(body).run_parallel([(x,) for x in X], num_partitions=4)
            for number, value in enumerate(received):
                np.testing.assert_array_equal(value, expected(number), err_msg=name)


def test_misuse_names_both_operations() -> None:
    name, config, result, _ = COLLECTIVES[1]
    begin, end = f"%s = {start(name, config, result)}", done(name, "%s", result)
    aliases = (
        "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], "
        "operand_index = 0, operand_tuple_indices = []>]"
    )
    unary = "(tensor<4x4xf32>) -> tensor<4x4xf32>"
    for lines, message, has_note in (
        (
            [begin, "%r = stablehlo.add %s, %x : tensor<4x4xf32>", f"%d = {end}"],
            "stablehlo.add must not use",
            True,
        ),
        ([begin, f"%r = {end}", f"%d = {end}"], "@all-reduce-done must finish a collective once", True),
        (
            [begin, "%r = stablehlo.negate %x : tensor<4x4xf32>"],
            "must be finished by @all-reduce-done",
            False,
        ),
        (
            [begin, f"%r = stablehlo.custom_call @k(%x) {{{aliases}}} : {unary}", f"%d = {end}"],
            "@k must not reuse the buffer",
            True,
        ),
        (
            [begin.replace("22replica_groups", "22groups"), f"%r = {end}"],
            "must be JAX's for @all-reduce-start",
            False,
        ),
        ([begin.replace("[[0, 1, 2, 3]]", "3"), f"%r = {end}"], "must be JAX's for @all-reduce-start", False),
    ):
        with pytest.raises(VerificationError) as caught:
            hlokit.load(program(lines, result))
        (problem, *_) = caught.value.diagnostics
        assert message in problem.message
        assert (problem.notes[0].line if problem.notes else None) == (7 if has_note else None), message


BRANCH = """%r = "stablehlo.if"(%c) ({{ {0} }}, {{ {1} }}) : (tensor<i1>) -> tensor<4x4xf32>"""
LOOP = """%w:2 = stablehlo.while(%i = %zero, %v = {0}) : tensor<i32>, tensor<4x4xf32> cond {{
      %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    }} do {{
      {1}
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %b : tensor<i32>, tensor<4x4xf32>
    }}"""


def test_every_way_through_the_program_ends_a_collective_once() -> None:
    name, config, result, _ = COLLECTIVES[1]
    begin, returned = start(name, config, result), "stablehlo.return {} : tensor<4x4xf32>"
    ends = f"%d = {done(name, '%s', result)} {returned.format('%d')}"
    numbers = [
        f"%{n} = stablehlo.constant dense<{v}> : tensor<i32>" for n, v in (("zero", 0), ("n", 3), ("one", 1))
    ]
    again = f"%d = {done(name, '%v', result)}\n%b = {begin.replace('%x', '%d')}"
    repeated = f"%d = {done(name, '%s', result)}\n%b = stablehlo.add %d, %v : tensor<4x4xf32>"
    condition = "%c = stablehlo.constant dense<true> : tensor<i1>"
    last = "%r = stablehlo.negate %w#1 : tensor<4x4xf32>"
    for lines, message, note in (
        ([f"%r = {begin}"], "must be finished by @all-reduce-done", "it is returned here"),
        (
            [condition, f"%s = {begin}", BRANCH.format(ends, returned.format("%x"))],
            "stablehlo.if must finish @all-reduce-start in every branch",
            "the collective starts here",
        ),
        ([condition, f"%s = {begin}", BRANCH.format(ends, ends)], None, ""),
        ([condition, f"%s = {begin}", BRANCH.format(f"%u = {done(name, '%s', result)} {ends}", ends)], "once", "the collective starts here"),
        ([*numbers, f"%s = {begin}", LOOP.format("%x", repeated), last], "but stablehlo.while repeats it", "the collective starts here"),
        ([*numbers, f"%s = {begin}", LOOP.format("%s", again), f"%r = {done(name, '%w#1', result)}"], None, ""),
        ([f"%s = {begin}", "%t = stablehlo.tanh %x : tensor<4x4xf32>", f"%d = {done(name, '%s', result)}", f"%r = {done(name, '%t', result)}"], "must finish a @all-reduce-start", "its operand comes from here"),
    ):  # fmt: skip
        text = program(lines, result)
        if message is None:
            assert len(hlokit.load(text).run_parallel([(x,) for x in X], num_partitions=4)) == 4
            continue
        for main in ("func.func @main", "func.func public @main"):  # JAX writes `public`
            with pytest.raises(VerificationError) as caught:
                hlokit.load(text.replace("func.func @main", main))
            (problem,) = caught.value.diagnostics
            assert message in problem.message and problem.notes[0].message == note, message


def test_functions_end_collectives_or_hand_them_on() -> None:
    name, config, result, _ = COLLECTIVES[1]
    tensor = "tensor<4x4xf32>"
    start_, begin = f"@{name}-start", f"%s = {start(name, config, result)}"
    end = f"%r = {done(name, '%s', result)}"
    call = f"%r = func.call @f(%s) : ({tensor}) -> {tensor}"
    handed = [begin, call.replace("%r", "%t"), end.replace("%s", "%t")]
    numbers = [
        f"%{n} = stablehlo.constant dense<{v}> : tensor<i32>" for n, v in (("zero", 0), ("n", 3), ("one", 1))
    ]
    unused = [
        *numbers,
        begin,
        LOOP.format("%s", f"%b = stablehlo.abs %x : {tensor}"),
        end.replace("%s", "%w#1"),
    ]
    ending, passing, using = end.replace("%r", "%c"), "", f"%c = stablehlo.abs %s : {tensor}"
    dropping = f"%c = stablehlo.constant dense<0.0> : {tensor}"
    aliases = f"{{output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}} : ({tensor}) -> {tensor}"
    for lines, body, message, note in (
        ([begin, call], ending, None, None),
        (handed, passing, None, None),
        ([begin, call], dropping, f"{start_} must be finished by @{name}-done", "@f gets its result, and does not hand it on"),
        ([begin, call], using, f"stablehlo.abs must not use the result of {start_}", "the collective starts here"),
        ([begin, call], f"{ending}\n{ending.replace('%c', '%d')}", f"@{name}-done must finish a collective once", "the collective starts here"),
        ([begin, call, end.replace("%r", "%d")], ending, f"@{name}-done must finish a collective once", "the collective starts here"),
        ([begin, call, call.replace("%r", "%d")], ending, "func.call must finish a collective once", "the collective starts here"),
        ([begin, call, call.replace("%r", "%d").replace("%s", "%x")], ending, f"func.call must hand on a result of {start_}", "the collective starts here"),
        ([begin, call], passing, f"{start_} must be finished by @{name}-done", "it is returned here"),
        ([*handed[:2], f"%r = stablehlo.abs %t : {tensor}"], passing, f"stablehlo.abs must not use the result of {start_}", "the collective starts here"),
        (unused, passing, f"stablehlo.return must hand on a result of {start_}", "the collective starts here"),
        ([*handed[:2], f"%k = stablehlo.custom_call @k(%x) {aliases}", handed[2]], passing, "@k must not reuse the buffer", "the collective starts here"),
    ):  # fmt: skip
        result_of_f = "%c" if body else "%s"
        function = (
            f"func.func private @f(%s: {tensor}) -> {tensor} {{ {body}\n return {result_of_f} : {tensor} }}\n"
        )
        text = program(lines, result).replace("func.func @main", f"{function}func.func @main")
        if message is None:
            assert len(hlokit.load(text).run_parallel([(x,) for x in X], num_partitions=4)) == 4
            continue
        with pytest.raises(VerificationError) as caught:
            hlokit.load(text)
        problem = caught.value.diagnostics[0]
        assert (message in problem.message, problem.notes[0].message) == (True, note), problem


RAGGED = """module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4x2xi8>, %out: tensor<3x2xi8>, %from: tensor<2xi32>, %count: tensor<2xi32>,
      %to: tensor<2xi32>, %received: tensor<2xi32>) -> tensor<3x2xi8> {
    %0 = stablehlo.custom_call @ragged_all_to_all(%x, %out, %from, %count, %to, %received) {
      api_version = 4 : i32,
      backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    } : (tensor<4x2xi8>, tensor<3x2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x2xi8>
    return %0 : tensor<3x2xi8>
  }
}"""


def ragged(first: list[list[int]], second: list[list[int]]) -> list[Any]:
    x = [np.arange(8, dtype=np.int8).reshape(4, 2) + 10 * number for number in range(2)]
    out = np.full((3, 2), -1, np.int8)
    arguments = [
        (x[number], out, *(np.array(row, np.int32) for row in rows))
        for number, rows in ((0, first), (1, second))
    ]
    return hlokit.load(RAGGED).run_parallel(arguments, num_partitions=2)


def test_ragged_slices_go_to_the_rows_that_the_sender_names() -> None:
    # Process 0 keeps row 0 and sends rows 1 and 2; process 1 sends row 3, and keeps rows 0 to 2.
    zero, one = ragged([[0, 1], [1, 2], [0, 1], [1, 1]], [[3, 0], [1, 3], [2, 0], [2, 3]])
    np.testing.assert_array_equal(zero, [[0, 1], [-1, -1], [16, 17]])
    # Slices overlap: the sender with the higher number counts.
    np.testing.assert_array_equal(one, [[10, 11], [12, 13], [14, 15]])
    beyond, _ = ragged([[0, 0], [3, 0], [1, 0], [3, 0]], [[0, 0], [0, 0], [0, 0], [0, 0]])
    np.testing.assert_array_equal(beyond, [[-1, -1], [0, 1], [2, 3]])


def test_ragged_sizes_that_disagree_are_an_error() -> None:
    with pytest.raises(hlokit.EvaluationError, match="recv_sizes must be the sizes"):
        ragged([[0, 1], [1, 2], [0, 1], [1, 1]], [[3, 0], [1, 3], [2, 0], [1, 3]])
    with pytest.raises(hlokit.EvaluationError, match="slices must lie within the operand"):
        ragged([[2, 0], [3, 0], [0, 0], [3, 0]], [[0, 0], [0, 0], [0, 0], [0, 0]])


def test_other_calls_than_those_of_jax_are_an_error() -> None:
    groups = "dense<[[0, 1]]> : tensor<1x2xi64>"
    for old, new in (
        ("replica_groups", "groups"),
        (groups, "3 : i32"),
        (groups, "dense<[[0, 1]]> : tensor<1x2xi32>"),
        (groups, "dense<[0, 1]> : tensor<2xi64>"),
        (groups, "dense<> : tensor<1x0xi64>"),
        (groups, "dense<[[0, 1, 2]]> : tensor<1x3xi64>"),
        ("channel_id = 1 : i64", 'channel_id = "1"'),
        ("tensor<2xi32>", "tensor<i32>"),
        ("tensor<2xi32>", "tensor<2xf32>"),
        ("tensor<4x2xi8>", "tensor<?x2xi8>"),
        ("tensor<4x2xi8>", "tensor<i8>"),
        ("tensor<4x2xi8>", "tensor<4x2xf32>"),
        (
            "%0 = stablehlo.custom_call @ragged_all_to_all(%x, %out,",
            "%0 = stablehlo.custom_call @ragged_all_to_all(%out,",
        ),
    ):
        text = RAGGED.replace(old, new)
        if "(%out, %from" in text:
            text = text.replace("(tensor<4x2xi8>, tensor<3x2xi8>, tensor", "(tensor<3x2xi8>, tensor")
        with pytest.raises(VerificationError, match="@ragged_all_to_all must have JAX's operands"):
            hlokit.load(text)
