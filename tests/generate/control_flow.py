"""Steps of random programs: loops, branches and calls, with any steps inside and in each other."""

from __future__ import annotations

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


def loop(b: Builder, steps: Steps | None = None) -> list[Value]:
    """A loop with a counter; sometimes a flag of its state ends the loop earlier."""
    carried = [b.add("stablehlo.constant dense<0> : tensor<i32>", I32, ()), *some(b, b.random.randint(1, 5))]
    limit = b.random.choice(b.material.turns)
    name = b.name()
    state = [Value(f"{name}s{i}", v.type, v.shape) for i, v in enumerate(carried)]
    with b.nested(state) as condition:
        end = b.index(limit)
        flag = b.apply("compare", state[0], end, type_=BOOL, attributes=_LESS)
        if b.random.random() < 0.2:
            inner(b, steps, 2)
            other = b.of(BOOL, ())
            flag = b.apply("and", flag, other) if b.random.random() < 0.5 else flag
        returned(b, [flag])
    with b.nested(state) as body:
        counter = b.apply("add", state[0], b.index(1))
        inner(b, steps, 8)
        returned(b, [counter, *(b.like(value) for value in carried[1:])])
    spelled = types(tuple(carried))
    header = ", ".join(f"{s.name} = {v.name}" for s, v in zip(state, carried, strict=True))
    b.lines.append(f"{name}:{len(carried)} = stablehlo.while({header}) : {spelled} cond {{")
    b.lines.extend([*condition, "} do {", *body, "}"])
    return [b.value(f"{name}#{i}", value.type, value.shape) for i, value in enumerate(carried)]


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


def call(b: Builder) -> None:
    """A function of existing values; some functions return their arguments, or the same value twice."""
    if b.depth >= DEEPEST:
        return
    operands = some(b, b.random.randint(1, 3))
    name = f"f{b.name()[2:]}"
    arguments = [Value(f"%arg{i}", value.type, value.shape) for i, value in enumerate(operands)]
    with b.nested(arguments, isolated=True) as lines:
        inner(b, None, 4)
        results = [b.random.choice(b.values[-4:]) for _ in range(b.random.randint(1, 2))]
    header = ", ".join(f"{value.name}: {value.spelled}" for value in arguments)
    spelled, body = types(tuple(results)), "\n".join(lines)
    b.functions.append(
        f"func.func private @{name}({header}) -> ({spelled}) {{\n{body}\n"
        f"return {names(tuple(results))} : {spelled}\n}}\n"
    )
    for again in [operands, [b.like(value) for value in operands]][: b.random.choice([1, 1, 2])]:
        result = b.name()
        b.lines.append(
            f"{result}:{len(results)} = func.call @{name}({names(tuple(again))}) : "
            f"({types(tuple(again))}) -> ({spelled})"
        )
        for i, value in enumerate(results):
            b.value(f"{result}#{i}", value.type, value.shape)


_LESS = "{comparison_direction = #stablehlo<comparison_direction LT>}"

CONTROL_FLOW = {while_: 3, branches: 4, call: 3}
