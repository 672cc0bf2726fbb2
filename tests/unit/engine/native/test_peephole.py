"""Peephole optimisation: one instruction for several operations, with the same result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.native.ir.instructions import REDUCE, REDUCE_ROWS
from hlokit.engine.native.ir.live_ranges import find_live_at_ends
from hlokit.engine.native.ir.register_allocation import allocate
from hlokit.engine.native.ir.target import operation
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.plan.executors import generate
from hlokit.engine.plan.plan import Plan, last_of
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.engine.native.test_straight_line import FREE_CALLS, with_all_straight_lines
from tests.unit.lib.vm.test_machines import specials

SIGNED = ("i8", "i16", "i32", "i64")


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


def plan_of(function: Callable[..., Any], *arguments: Any) -> Plan:
    with jax.enable_x64(True):
        module = hlokit.from_jax(function, *arguments).module
    return Planner(module).function("main").plan


def pairs(name: str) -> tuple[Any, Any]:
    values = specials(name)
    return np.repeat(values, values.size), np.tile(values, values.size)


def operations(plan: Plan) -> list[int]:
    """Of the instructions that the first result needs."""
    lowering = BlockLowering(DEFAULTS)
    types = [tensor_type(type_) for type_ in plan.slot_types[: plan.argument_count]]
    views = {n: lowering.operand(type_) for n, type_ in enumerate(types)}
    given = [view.register for view in views.values()]
    for step in plan.steps:
        last_of(lowering.step(plan, step, views, dict(plan.constants)))
    result = views[plan.outputs[0]].register
    ends = find_live_at_ends(lowering.instructions, [result])
    lines, _, _ = allocate(lowering.instructions, lowering.registers, given, [result], ends)
    return [line.operation for line in lines]


@pytest.mark.parametrize("name", SIGNED)
def test_all_pairs_of_special_values(name: str) -> None:
    lhs, rhs = pairs(name)
    plan = plan_of(lambda a, b: (jnp.remainder(a, b), jnp.floor_divide(a, b)), lhs, rhs)
    for ours, plain in zip(
        generate(with_all_straight_lines(plan))(lhs, rhs), generate(plan)(lhs, rhs), strict=True
    ):
        assert ours.tobytes() == plain.tobytes()


@pytest.mark.parametrize("name", SIGNED)
@pytest.mark.parametrize("divisor", [1, 2, 7, 64, 0, -1, -3, -128])
def test_constant_divisors(name: str, divisor: int) -> None:
    """As constants in functions that are inlined, and as operands of functions that are lowered once."""
    lhs, _ = pairs(name)
    plan = plan_of(lambda a: (a % divisor, a // divisor), lhs)
    inlined = FREE_CALLS._replace(template_steps=DEFAULTS.template_steps)
    plain = [result.tobytes() for result in generate(plan)(lhs)]
    for thresholds in (FREE_CALLS, inlined):
        ours = generate(with_all_straight_lines(plan, thresholds))(lhs)
        assert [result.tobytes() for result in ours] == plain


@pytest.mark.parametrize("name", SIGNED)
def test_powers_of_two(name: str) -> None:
    argument = np.ones(5, specials(name).dtype)
    assert operations(plan_of(lambda a: a % 64, argument)) == [operation("and", name, name)]
    assert operations(plan_of(lambda a: a // 64, argument)) == [
        operation("shift_right_arithmetic", name, name)
    ]


@pytest.mark.parametrize("divisor", [7, 64])
def test_values_that_are_never_negative(divisor: int) -> None:
    """Indices of arrays are made positive first."""
    argument = np.ones((), np.int32)
    plan = plan_of(lambda a: jnp.where(a % divisor < 0, a % divisor + 5, a % divisor), argument)
    assert len(operations(plan)) == 1
    negative = plan_of(lambda a: jnp.where(a & -8 < 0, a, 3), argument)
    for value in (np.int32(-9), np.int32(9)):
        assert generate(with_all_straight_lines(plan))(value) == generate(plan)(value)
        assert generate(with_all_straight_lines(negative))(value) == generate(negative)(value)


@pytest.mark.parametrize("name", SIGNED)
@pytest.mark.parametrize("arity", [1, 2])
@pytest.mark.parametrize("shape", [(), (5,)])
@pytest.mark.sample("shape0-1-*", "shape1-2-i8", "shape1-2-i64")
def test_they_are_one_instruction(name: str, arity: int, shape: tuple[int, ...]) -> None:
    arguments = [np.ones(shape, specials(name).dtype)] * arity
    for function, found in ((jnp.remainder, "floor_remainder"), (jnp.floor_divide, "floor_divide")):
        plan = plan_of(lambda a, b=7, function=function: function(a, b), *arguments)
        # Some versions of JAX look for divisors of 0 first.
        zero = [operation("EQ", "i1", name), operation("select", name, name)] if arity == 2 else []
        assert operations(plan) in ([operation(found, name, name)], [*zero, operation(found, name, name)])


@pytest.mark.parametrize("name", ["i32", "i64"])
@pytest.mark.parametrize("shape", [(), (5,)])
def test_an_index_from_the_end_is_one_instruction(name: str, shape: tuple[int, ...]) -> None:
    size, argument = np.array(9, specials(name).dtype), np.ones(shape, specials(name).dtype)
    for function in (
        lambda a: jnp.where(a < 0, a + size, a),
        lambda a: jnp.where(a < 0, size + a, a),
    ):
        plan = plan_of(function, argument)
        assert operations(plan) == [operation("normalize_index", name, name)]


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: jnp.where(a < 0, a + b, a),
        lambda a, b: jnp.where(a < 0, a + b, b),
        lambda a, b: jnp.where(b < 0, a + b, a),
        lambda a, b: jnp.where(a < 1, a + b, a),
        lambda a, b: jnp.where(a < 0, a - b, a),
        lambda a, b: jnp.where(a < 0, a + a, a) + b,
        lambda a, b: jnp.where(a < 0, a, a + b),
        lambda a, b: jnp.where((a % b != 0) & (a < 0), jax.lax.rem(a, b) + b, jax.lax.rem(a, b)),
        lambda a, b: jnp.where(
            (jax.lax.rem(a, b) != 0) & (jnp.sign(a) != jnp.sign(a)), jax.lax.div(a, b) - 1, jax.lax.div(a, b)
        ),
        lambda a, b: jnp.where(
            (jax.lax.rem(b, a) != 0) & (jnp.sign(a) != jnp.sign(b)), jax.lax.div(a, b) - 1, jax.lax.div(a, b)
        ),
        lambda a, b: jnp.where(
            (jax.lax.rem(a, b) != 0) & (jnp.sign(a) != jnp.sign(b)), jax.lax.div(a, b) - 2, jax.lax.div(a, b)
        ),
        lambda a, b: jnp.where(
            (jax.lax.rem(a, b) != 1) & ((jax.lax.rem(a, b) < 0) != (b < 0)),
            jax.lax.rem(a, b) + b,
            jax.lax.rem(a, b),
        ),
        lambda a, b: jnp.where(
            (jax.lax.rem(a, b) != 0) & ((jax.lax.rem(a, b) < 0) != (a < 0)),
            jax.lax.rem(a, b) + b,
            jax.lax.rem(a, b),
        ),
    ],
)
def test_patterns_that_look_alike(function: Callable[..., Any]) -> None:
    lhs, rhs = pairs("i32")
    plan = plan_of(function, lhs, rhs)
    assert generate(with_all_straight_lines(plan))(lhs, rhs).tobytes() == generate(plan)(lhs, rhs).tobytes()


@pytest.mark.parametrize("name", ["ui32", "ui64"])
def test_rotations(name: str) -> None:
    values, amounts = pairs(name)
    width = values.dtype.type(values.dtype.itemsize * 8)

    def rotated(x: Any, amount: Any) -> Any:
        return jax.lax.shift_left(x, amount) | jax.lax.shift_right_logical(x, width - amount)

    plan = plan_of(rotated, values, amounts)
    assert operations(plan)[-1] == operation("rotate", name, name)
    assert (
        generate(with_all_straight_lines(plan))(values, amounts).tobytes()
        == generate(plan)(values, amounts).tobytes()
    )
    other = plan_of(
        lambda x, y: jax.lax.shift_left(x, y) | jax.lax.shift_right_logical(y, x), values, amounts
    )
    assert (
        generate(with_all_straight_lines(other))(values, amounts).tobytes()
        == generate(other)(values, amounts).tobytes()
    )


def test_comparisons_of_booleans_with_false() -> None:
    a, b = np.array([True, False]), np.array([False, True])
    plan = plan_of(lambda a, b: (a != False, (a & b) != True, (a | b) != False, a), a, b)  # noqa: E712 - as in programs
    for ours, plain in zip(generate(with_all_straight_lines(plan))(a, b), generate(plan)(a, b), strict=True):
        assert ours.tolist() == plain.tolist()


@pytest.mark.parametrize("type_", ["i8", "ui16", "i32", "ui64"])
def test_operands_that_change_nothing(type_: str) -> None:
    x = np.arange(6).astype(ELEMENT_TYPES[type_].dtype)
    ones = x.dtype.type(-1 if type_[0] == "i" else np.iinfo(x.dtype).max)
    plan = plan_of(lambda x: jnp.bitwise_and(0 + x | 0, ones) * 1 ^ 0, x)
    assert operations(plan) == []
    assert len(operations(plan_of(lambda x: x * 2 + 1, x))) == 2


def test_booleans_that_change_nothing() -> None:
    x = np.array([True, False])
    assert operations(plan_of(lambda x: x & True | False, x)) == []
    assert len(operations(plan_of(lambda x: x | True, x))) == 1


def test_selects_of_one_value() -> None:
    pred, x = np.array([True, False]), np.float32([1, 2])
    assert operations(plan_of(lambda pred, x: jnp.where(pred, x, x), pred, x)) == []


@pytest.mark.parametrize("name", ["f32", "f64", "i16", "bool_"])
def test_reductions_of_one_element(name: str) -> None:
    """One pointwise operation on the initial value and the element, with the same bytes."""
    values = specials({"bool_": "i1"}.get(name, name))
    plan = plan_of(lambda x: jnp.max(x, axis=(0, 1)), values[:1].reshape(1, 1))
    assert not {REDUCE, REDUCE_ROWS} & {*operations(plan)}
    for value in values:
        x = value.reshape(1, 1)
        plain, fast = generate(plan)(x), generate(with_all_straight_lines(plan))(x)
        assert np.asarray(fast).tobytes() == np.asarray(plain).tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_reductions_of_one_element_have_their_initial_value(dtype: type[np.number[Any]]) -> None:
    x = np.array([[2]], dtype)
    plan = plan_of(lambda x: jax.lax.reduce(x, dtype(3), jax.lax.add, (0, 1)), x)
    assert REDUCE not in operations(plan)
    assert generate(with_all_straight_lines(plan))(x) == 5
