"""Puts programs together, value by value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from random import Random

from tests.fuzz.values import (
    EXACT,
    F32,
    I32,
    PART,
    TYPES,
    Program,
    Rule,
    Shape,
    Type,
    Value,
    bounds,
    dense,
    fits,
    is_wide,
    joined,
    names,
    types,
)


@dataclass
class Builder:
    random: Random
    lines: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    steps: int = 0
    names: int = 0

    # Making values

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def add(
        self,
        text: str,
        type_: Type,
        shape: Shape,
        limit: int | None = 0,
        scale: int = 0,
        rule: Rule = EXACT,
    ) -> Value:
        """Append `%name = text`. Floats are inexact unless they are within what the type holds."""
        if type_.kind in ("float", "complex") and limit is not None and not fits(type_, limit, scale):
            limit = None
        value = Value(self.name(), type_, shape, limit, scale, rule)
        self.lines.append(f"{value.name} = {text}")
        self.values.append(value)
        return value

    def apply(
        self,
        name: str,
        *operands: Value,
        type_: Type | None = None,
        shape: Shape | None = None,
        attributes: str = "",
        limit: int | None = 0,
        scale: int = 0,
        rule: Rule = EXACT,
    ) -> Value:
        """Append an operation in its generic form."""
        type_ = type_ or operands[0].type
        shape = operands[0].shape if shape is None else shape
        text = f'"stablehlo.{name}"({names(operands)}) {attributes} : ({types(operands)}) -> {type_.tensor(shape)}'
        return self.add(text, type_, shape, limit, scale, rule)

    def move(
        self,
        name: str,
        *operands: Value,
        shape: Shape | None = None,
        attributes: str = "",
        sources: tuple[Value, ...] | None = None,
    ) -> Value:
        """Append an operation whose results are elements of its operands (or of `sources`)."""
        sources = operands[:1] if sources is None else sources
        limit, scale = joined(sources)
        return self.apply(
            name,
            *operands,
            shape=shape,
            attributes=attributes,
            limit=limit,
            scale=scale,
            rule=Rule("move", sources),
        )

    def constant(self, type_: Type, shape: Shape, low: int = -5, high: int = 5, scale: int = 0) -> Value:
        size = prod(shape)
        if type_.kind == "bool":
            elements = [self.random.choice(["true", "false"]) for _ in range(size)]
            return self.add(dense(type_, shape, elements), type_, shape)
        if type_.is_integer:
            elements = [str(self.integer(type_, low, high)) for _ in range(size)]
            return self.add(dense(type_, shape, elements), type_, shape)

        def number() -> str:
            return repr(self.random.randint(low, high) / 2**scale)

        if type_.kind == "complex":
            elements = [f"({number()}, {number()})" for _ in range(size)]
        else:
            elements = [number() for _ in range(size)]
        return self.add(dense(type_, shape, elements), type_, shape, max(abs(low), abs(high)), scale)

    def integer(self, type_: Type, low: int, high: int) -> int:
        least, greatest = bounds(type_)
        if (low, high) == (-5, 5) and self.random.random() < 0.2:
            return self.random.choice([least, greatest, least + 1, greatest - 1])
        return self.random.randint(max(low, least), min(high, greatest))

    def index(self, value: int) -> Value:
        return self.add(dense(I32, (), [str(value)]), I32, ())

    def region(
        self, arguments: list[tuple[str, str]], lines: list[str], results: list[tuple[str, str]]
    ) -> str:
        header = f"^bb0({', '.join(f'{name}: {type_}' for name, type_ in arguments)}):" if arguments else ""
        returned, spelled = (", ".join(part) for part in zip(*results, strict=True))
        body = "\n".join([header, *lines, f"stablehlo.return {returned} : {spelled}"])
        return f"{{\n{body}\n}}"

    # Finding values

    def shape(self) -> Shape:
        rank = self.random.choice([0, 1, 1, 2, 2, 2, 3])
        return tuple(
            self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5][self.random.random() > 0.1 :]) for _ in range(rank)
        )

    def any(self, accept: Callable[[Value], bool] = lambda value: True) -> Value:
        """A value that is accepted, most often one that is there."""
        found = [value for value in self.values if accept(value)]
        if found and self.random.random() < 0.8:
            return self.random.choice(found[-6:])
        for _ in range(200):
            type_ = self.random.choice(TYPES)
            value = self.constant(
                type_, self.shape(), scale=self.random.choice([0, 0, 2]) if is_wide(type_) else 0
            )
            if accept(value):
                return value
            self.lines.pop()
            self.values.pop()
        return self.constant(F32, (2, 3))

    def like(self, value: Value, accept: Callable[[Value], bool] = lambda value: True) -> Value:
        """Another value of the same type and shape."""

        def fitting(other: Value) -> bool:
            return (other.type, other.shape) == (value.type, value.shape) and accept(other)

        found = [other for other in self.values if fitting(other)]
        if found and self.random.random() < 0.7:
            return self.random.choice(found)
        return self.constant(value.type, value.shape)

    def program(self) -> Program:
        results: list[str] = []
        lines = list(self.lines)
        values: list[Value] = []
        for value in self.values:
            if value.type.kind != "complex":
                results.append(value.name)
                values.append(value)
                continue
            # The C++ interpreter cannot return complex tensors.
            part = PART[value.type.name]
            for name in ("real", "imag"):
                result = Value(
                    f"{value.name.replace('#', '_')}_{name}",
                    part,
                    value.shape,
                    value.limit,
                    value.scale,
                    Rule("move", (value,)),
                )
                lines.append(
                    f"{result.name} = stablehlo.{name} {value.name} : ({value.spelled}) -> {result.spelled}"
                )
                results.append(result.name)
                values.append(result)
        spelled = ", ".join(value.spelled for value in values)
        body = "\n".join(lines)
        text = f"func.func @main() -> ({spelled}) {{\n{body}\nreturn {', '.join(results)} : {spelled}\n}}\n"
        return Program(text, values)


STEPS: list[Callable[[Builder], object]] = []
WEIGHTS: list[int] = []


def step(weight: int) -> Callable[[Callable[[Builder], object]], Callable[[Builder], object]]:
    def register(function: Callable[[Builder], object]) -> Callable[[Builder], object]:
        STEPS.append(function)
        WEIGHTS.append(weight)
        return function

    return register


def several(b: Builder, text: str, like: list[Value]) -> None:
    """Append an operation with a result like each of these values."""
    if len(like) == 1:
        value = like[0]
        b.add(text, value.type, value.shape, value.limit, value.scale, Rule("move", (value,)))
        return
    name = b.name()
    b.lines.append(f"{name}:{len(like)} = {text}")
    for i, value in enumerate(like):
        b.values.append(
            Value(f"{name}#{i}", value.type, value.shape, value.limit, value.scale, Rule("move", (value,)))
        )


def sum_(b: Builder, name: str, lhs: Value, rhs: Value) -> Value:
    scale = max(lhs.scale, rhs.scale)
    limit = None
    if lhs.limit is not None and rhs.limit is not None:
        limit = (lhs.limit << (scale - lhs.scale)) + (rhs.limit << (scale - rhs.scale))
    return b.apply(name, lhs, rhs, limit=limit, scale=scale, rule=Rule("sum", (lhs, rhs)))


def direction(name: str) -> str:
    return f"{{comparison_direction = #stablehlo<comparison_direction {name}>}}"
