"""Loop-invariant code motion in native loops: what moves, what stays, and the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.native.ir.instructions import (
    CALL,
    COPY,
    IMPLICIT_DEF,
    JUMP,
    JUMP_IF,
    JUMP_IF_NOT,
    MOVE,
    Instruction,
)
from hlokit.engine.native.ir.parameters import Jump
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.invariants import hoisted
from hlokit.engine.plan.plan import last_of
from hlokit.values.element_types import ELEMENT_TYPES
from tests.generate.same import assert_same, listed

A = np.float32([[1, -2, 3], [0.5, 4, -1]])
ROW = np.float32([0.25, -3, 2])
N = np.int32(9)


def depths(function: Callable[..., Any] | str, *arguments: Any) -> list[tuple[int, int]]:
    """The operations of the instructions of a function, or of a text, and the number of loops around each."""
    program = hlokit.load(function) if isinstance(function, str) else hlokit.from_jax(function, *arguments)
    plan = Planner(program.module).function("main").plan
    lowering = BlockLowering(DEFAULTS, may_call=True)
    views = {n: lowering.operand(tensor_type(plan.slot_types[n])) for n in range(plan.argument_count)}
    for step in plan.steps:
        last_of(lowering.step(plan, step, views, dict(plan.constants)))
    return [(each.operation, each.loop_depth) for each in lowering.instructions]


def broadcasts(a: Any, row: Any, n: Any) -> Any:
    """A broadcast and a product that are the same in every iteration."""
    return lax.fori_loop(0, n, lambda i, v: v * 0.5 + row[None, :] * row.sum() - a.T.reshape(2, 3) * i, a)


def nested(a: Any, row: Any, n: Any) -> Any:
    """The sum depends on the outer counter, the broadcast on none."""

    def outer(i: Any, v: Any) -> Any:
        return lax.fori_loop(0, n, lambda j, w: w * 0.5 + row[None, :] + (row * i).sum() * j, v)

    return lax.fori_loop(0, n, outer, a)


def in_branches(a: Any, row: Any, n: Any) -> Any:
    def turn(i: Any, v: Any) -> Any:
        return lax.cond(i % 2 == 0, lambda v: v + row[None, :] ** 2, lambda v: v[:, ::-1] * jnp.cos(row), v)

    return lax.fori_loop(0, n, turn, a)


def updates(a: Any, row: Any, n: Any) -> Any:
    """A value that is written in place begins anew in each iteration."""

    def turn(i: Any, v: Any) -> Any:
        table = jnp.concatenate([row, row * 2]).at[i % 6].set(i.astype(jnp.float32))
        return v + table.reshape(2, 3) + jnp.stack([row, row])

    return lax.fori_loop(0, n, turn, a)


def calls(a: Any, row: Any, n: Any) -> Any:
    """A kernel that is called: the product of many complex numbers."""
    many = jnp.tile(row, 65 // len(row) + 1)
    turn = jnp.prod(many + 1j * many).real
    return lax.fori_loop(
        0, n, lambda i, v: v * 0.5 + turn * jnp.prod(many + 2j * many).imag - v[:, ::-1] * i, a
    )


@pytest.mark.parametrize("function", [broadcasts, nested, in_branches, updates, calls])
@pytest.mark.parametrize("count", [0, 1, 12])
def test_bytes_stay_the_same(
    function: Callable[..., Any], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    results: list[Any] = []
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.from_jax(jax.jit(function), A, ROW, N)
        results.append([listed(program(A, ROW, np.int32(n))) for n in (12, count, 12)])
    for native, plain in zip(*results, strict=True):
        assert_same(tuple(native), tuple(plain), function.__name__)


def test_broadcasts_move_in_front_of_the_loop() -> None:
    found = depths(broadcasts, A, ROW, N)
    assert {depth for operation, depth in found if operation in (MOVE, IMPLICIT_DEF)} == {0}


def test_calls_of_kernels_move_in_front_of_the_loop() -> None:
    assert [depth for operation, depth in depths(calls, A, ROW, N) if operation == CALL] == [0, 0]


@pytest.mark.parametrize("rows, terms, columns", [(7, 64, 160), (16, 130, 64), (45, 300, 320)])
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_weights_are_packed_in_front_of_the_loop(
    type_: str, rows: int, terms: int, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, weights = f"tensor<{rows}x{max(terms, columns)}x{type_}>", f"tensor<{terms}x{columns}x{type_}>"
    lhs, product = f"tensor<{rows}x{terms}x{type_}>", f"tensor<{rows}x{columns}x{type_}>"
    text = f"""
    func.func @main(%x: {state}, %w: {weights}, %n: tensor<i32>) -> {state} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, {state}
      cond {{
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        %one = stablehlo.constant dense<1> : tensor<i32>
        %lhs = stablehlo.slice %v [0:{rows}, 0:{terms}] : ({state}) -> {lhs}
        %d = stablehlo.dot_general %lhs, %w, contracting_dims = [1] x [0] : ({lhs}, {weights}) -> {product}
        %s = stablehlo.sine %d : {product}
        %next = stablehlo.dynamic_update_slice %v, %s, %zero, %zero
          : ({state}, {product}, tensor<i32>, tensor<i32>) -> {state}
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %next : tensor<i32>, {state}
      }}
      return %r#1 : {state}
    }}"""
    assert [depth for operation, depth in depths(text) if operation == IMPLICIT_DEF] == [0]
    random, dtype = np.random.default_rng(1), ELEMENT_TYPES[type_].dtype
    x = random.standard_normal((rows, max(terms, columns))).astype(dtype)
    w = random.standard_normal((terms, columns)).astype(dtype)
    results: list[Any] = []
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.load(text)
        results.append([program(x, w, np.int32(n)).tobytes() for n in (12, 12, 1)])
    assert results[0] == results[1]


def test_each_value_moves_as_far_as_it_can() -> None:
    found = [depth for operation, depth in depths(nested, A, ROW, N) if operation == MOVE]
    assert 2 not in found and 0 in found


def test_branches_keep_their_instructions() -> None:
    """An iteration may never need them."""
    loop = [operation for operation, depth in depths(in_branches, A, ROW, N) if depth == 1]
    assert operation_count(loop) >= 4


def operation_count(operations: list[int]) -> int:
    return sum(operation >= 0 for operation in operations)


def instruction(operation: int, result: int, *operands: int, **flags: Any) -> Instruction:
    created = Instruction(operation, (result,), operands, **flags)
    created.loop_depth = 1
    return created


def jump(operation: int, target: int, *pred: int) -> Instruction:
    created = Instruction(operation, (), pred, Jump(target))
    created.loop_depth = 1
    return created


def test_what_may_not_move() -> None:
    """Registers: 0 and 1 come from outside, 2 is the state, and those from 3 on belong to the loop."""
    program = [
        jump(JUMP, 8),
        instruction(5, 3, 0),  # moves
        instruction(5, 4, 2),  # depends on the state
        jump(JUMP_IF_NOT, 5, 1),
        instruction(5, 5, 0),  # conditional
        instruction(COPY, 6, 0),  # two writers
        instruction(COPY, 6, 1),
        instruction(COPY, 2, 0),  # writes the state
        jump(JUMP_IF, 1, 4),
    ]
    targets = [each for each in program if each.is_jump]
    moved = hoisted(program, 0, 3)
    assert [each.result for each in moved if not each.is_jump] == [3, 4, 5, 6, 6, 2]
    assert moved[0].loop_depth == 0 and moved[1] is targets[0]
    assert [moved[each.target] for each in targets] == [moved[8], moved[5], moved[2]]


def test_parts_of_one_value_move_together() -> None:
    program = [
        jump(JUMP, 6),
        instruction(IMPLICIT_DEF, 3),
        instruction(MOVE, 3, 0, is_partial=True),
        instruction(MOVE, 3, 1, is_partial=True),
        instruction(5, 4, 3, 2),
        instruction(COPY, 2, 4),
        jump(JUMP_IF, 1, 4),
    ]
    moved = hoisted(list(program), 0, 3)
    assert moved == [*program[1:4], program[0], *program[4:]]
    program[3].operands = (2,)  # the state
    program[0].parameters, program[6].parameters = Jump(6), Jump(1)
    assert hoisted(list(program), 0, 3) == program
