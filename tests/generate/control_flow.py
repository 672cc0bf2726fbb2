"""Steps of random programs: loops, branches and calls, with any steps inside and in each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.generate.builder import Builder, Steps
from tests.generate.values import BOOL, I32, Value, names, types

DEEPEST = 3


def inner(b: Builder, steps: Steps | None, most: int) -> None:
    b.steps(b.random.randint(0, most), steps)


def returned(b: Builder, values: list[Value]) -> None:
    spelled = types(tuple(values))
    b.lines.append(f"{'stablehlo.return' if spelled else ''} {names(tuple(values))} : {spelled}")


def some(b: Builder, count: int) -> list[Value]:
    return [b.any() for _ in range(count)]


def counted_loop(
    b: Builder,
    carried: list[Value],
    turns: int,
    body: Callable[[list[Value]], list[Value]],
    condition: Callable[[Value], Value] = lambda flag: flag,
) -> list[Value]:
    """A loop that counts from its first value. `body` maps the values of all others to their next values.

    `condition` maps the comparison of the counter with `turns` to the flag that continues the loop.
    """
    name = b.name()
    state = [Value(f"{name}s{i}", v.type, v.shape) for i, v in enumerate(carried)]
    with b.nested(state) as test:
        end = b.index(turns)
        flag = b.apply("compare", state[0], end, type_=BOOL, attributes=_LESS)
        returned(b, [condition(flag)])
    with b.nested(state) as turn:
        counter = b.apply("add", state[0], b.index(1))
        returned(b, [counter, *body(state[1:])])
    spelled = types(tuple(carried))
    header = ", ".join(f"{s.name} = {v.name}" for s, v in zip(state, carried, strict=True))
    b.lines.append(f"{name}:{len(carried)} = stablehlo.while({header}) : {spelled} cond {{")
    b.lines.extend([*test, "} do {", *turn, "}"])
    return [b.value(f"{name}#{i}", value.type, value.shape) for i, value in enumerate(carried)]


def loop(b: Builder, steps: Steps | None = None) -> list[Value]:
    """A loop with a counter; sometimes a flag of its state ends the loop earlier."""
    carried = [b.add("stablehlo.constant dense<0> : tensor<i32>", I32, ()), *some(b, b.random.randint(1, 5))]

    def condition(flag: Value) -> Value:
        if b.random.random() >= 0.2:
            return flag
        inner(b, steps, 2)
        other = b.of(BOOL, ())
        return b.apply("and", flag, other) if b.random.random() < 0.5 else flag

    def body(_: list[Value]) -> list[Value]:
        inner(b, steps, 8)
        return [b.like(value) for value in carried[1:]]

    return counted_loop(b, carried, b.random.choice(b.material.turns), body, condition)


def while_(b: Builder) -> None:
    if b.depth < DEEPEST:
        loop(b)


def branches(b: Builder) -> None:
    """`if` or `case`, of any index."""
    if b.depth > DEEPEST:
        return
    results = some(b, b.random.choice([1, 1, 1, 2]))
    is_if = b.random.random() < 0.5
    chosen = b.of(BOOL if is_if else I32, ())
    regions: list[str] = []
    for _ in range(2 if is_if else b.random.randint(1, 3)):
        with b.nested() as lines:
            inner(b, None, 3)
            returned(b, [b.like(value) for value in results])
        regions.append("{\n" + "\n".join(lines) + "\n}")
    which, spelled, name = "if" if is_if else "case", types(tuple(results)), b.name()
    text = f'"stablehlo.{which}"({chosen.name}) ({", ".join(regions)}) : ({chosen.spelled}) -> ({spelled})'
    b.lines.append(f"{name}:{len(results)} = {text}")
    for i, value in enumerate(results):
        b.value(f"{name}#{i}", value.type, value.shape)


@dataclass(frozen=True)
class Function:
    """A function of the program."""

    name: str
    results: tuple[Value, ...]


def define(b: Builder, operands: list[Value], body: Callable[[list[Value]], list[Value]]) -> Function:
    """A function of arguments like these operands; `body` maps its arguments to its results."""
    name = f"f{b.name()[2:]}"
    arguments = [Value(f"%arg{i}", value.type, value.shape) for i, value in enumerate(operands)]
    with b.nested(arguments, isolated=True) as lines:
        results = tuple(body(arguments))
    header = ", ".join(f"{value.name}: {value.spelled}" for value in arguments)
    spelled, text = types(results), "\n".join(lines)
    b.functions.append(
        f"func.func private @{name}({header}) -> ({spelled}) {{\n{text}\nreturn {names(results)} : {spelled}\n}}\n"
    )
    return Function(name, results)


def call_of(b: Builder, function: Function, operands: list[Value]) -> list[Value]:
    """A call; its results."""
    result, results = b.name(), function.results
    b.lines.append(
        f"{result}:{len(results)} = func.call @{function.name}({names(tuple(operands))}) : "
        f"({types(tuple(operands))}) -> ({types(results)})"
    )
    return [b.value(f"{result}#{i}", value.type, value.shape) for i, value in enumerate(results)]


def call(b: Builder) -> None:
    """A function of existing values; some functions return their arguments, or the same value twice."""
    if b.depth >= DEEPEST:
        return
    operands = some(b, b.random.randint(1, 3))

    def body(_: list[Value]) -> list[Value]:
        inner(b, None, 4)
        return [b.random.choice(b.values[-4:]) for _ in range(b.random.randint(1, 2))]

    function = define(b, operands, body)
    for again in [operands, [b.like(value) for value in operands]][: b.random.choice([1, 1, 2])]:
        call_of(b, function, again)


_LESS = "{comparison_direction = #stablehlo<comparison_direction LT>}"

CONTROL_FLOW = {while_: 3, branches: 4, call: 3}
