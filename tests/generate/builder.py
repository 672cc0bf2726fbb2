"""Builds programs value by value, with nested regions and functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from random import Random

from tests.generate.literals import literal
from tests.generate.values import (
    BOOL,
    EXACT,
    F32,
    I32,
    PART,
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

Step = Callable[["Builder"], object]
Steps = Mapping[Step, int]
Accept = Callable[[Value], bool]


def anything(value: Value) -> bool:
    return True


@dataclass(frozen=True)
class Material:
    """The material of one program.

    Attributes:
      types: of its values.
      shapes: of its arguments and constants; drawn anew for each constant if there are none.
      arguments: types and shapes of the function's arguments.
      steps: the steps that the program may take, with weights.
      exact: whether other implementations must agree: see `values`.
      fresh: the probability that a step takes a new constant instead of an existing value.
      largest: the largest number of elements in the result of a step.
      turns: the possible numbers of iterations of loops.
      summed: names of the float types that reductions may add up.
      only_native: whether to use only operations of native loops, and none that distinguish NaNs.
      layouts: whether arguments have different memory layouts.
    """

    types: tuple[Type, ...]
    steps: Steps
    shapes: tuple[Shape, ...] = ()
    arguments: tuple[tuple[Type, Shape], ...] = ()
    exact: bool = False
    fresh: float = 0.05
    largest: int = 60
    turns: tuple[int, ...] = (0, 3, 9, 12)
    summed: frozenset[str] = frozenset()
    only_native: bool = False
    layouts: bool = True


@dataclass
class Builder:
    """The program so far: `lines` and `values` belong to the region that is being written."""

    random: Random
    material: Material
    lines: list[str] = field(default_factory=list[str])
    values: list[Value] = field(default_factory=list[Value])
    arguments: list[Value] = field(default_factory=list[Value])
    functions: list[str] = field(default_factory=list[str])
    depth: int = 0
    names: int = 0
    parts_of: dict[str, list[Value]] = field(default_factory=dict[str, list[Value]])

    def __post_init__(self) -> None:
        for number, (type_, shape) in enumerate(self.material.arguments):
            self.arguments.append(Value(f"%arg{number}", type_, shape))
        self.values += self.arguments

    @property
    def exact(self) -> bool:
        return self.material.exact

    # Making values

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def value(
        self,
        name: str,
        type_: Type,
        shape: Shape,
        limit: int | None = 0,
        scale: int = 0,
        rule: Rule = EXACT,
    ) -> Value:
        """A new value in scope. Floats are inexact unless they are within the range of the type."""
        if not self.exact:
            limit, scale, rule = 0, 0, EXACT
        elif type_.kind in ("float", "complex") and limit is not None and not fits(type_, limit, scale):
            limit = None
        value = Value(name, type_, shape, limit, scale, rule)
        self.values.append(value)
        return value

    def add(
        self,
        text: str,
        type_: Type,
        shape: Shape,
        limit: int | None = 0,
        scale: int = 0,
        rule: Rule = EXACT,
    ) -> Value:
        """Append `%name = text`."""
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return self.value(name, type_, shape, limit, scale, rule)

    def add_several(self, text: str, like: Sequence[Value]) -> list[Value]:
        """Append an operation that returns elements of these values, one result for each value."""
        name = self.name()
        self.lines.append(f"{name}:{len(like)} = {text}")
        return [
            self.value(f"{name}#{i}", v.type, v.shape, v.limit, v.scale, Rule("move", (v,)))
            for i, v in enumerate(like)
        ]

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
        if not self.exact:
            count = size if size <= 16 and self.random.random() < 0.5 else 1
            elements = [literal(self.random, type_) for _ in range(count)]
            return self.add(dense(type_, shape, elements), type_, shape)
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

    def indices(self, type_: Type, shape: Shape, low: int, high: int) -> Value:
        """A constant of numbers in a range."""
        low, high = max(low, bounds(type_)[0]), min(high, bounds(type_)[1])
        elements = [str(self.random.randint(low, high)) for _ in range(prod(shape))]
        return self.add(dense(type_, shape, elements), type_, shape)

    def starts(self, sizes: Shape) -> list[Value]:
        """A start for each dimension, sometimes out of bounds; existing values if they are allowed."""
        scalars = [v for v in self.values if v.type.is_integer and v.type.digits >= 8 and not v.shape]
        if self.exact or not scalars or self.random.random() < 0.2:
            return [self.index(self.random.randint(-2, size + 2)) for size in sizes]
        type_ = self.random.choice(scalars).type
        return [self.random.choice([v for v in scalars if v.type == type_]) for _ in sizes]

    def region(
        self, arguments: list[tuple[str, str]], lines: list[str], results: list[tuple[str, str]]
    ) -> str:
        header = f"^bb0({', '.join(f'{name}: {type_}' for name, type_ in arguments)}):" if arguments else ""
        returned, spelled = (", ".join(part) for part in zip(*results, strict=True))
        body = "\n".join([header, *lines, f"stablehlo.return {returned} : {spelled}"])
        return f"{{\n{body}\n}}"

    @contextmanager
    def nested(self, arguments: Sequence[Value] = (), *, isolated: bool = False) -> Iterator[list[str]]:
        """Write a region (or a function) with these arguments. Yields its lines."""
        lines, values = self.lines, self.values
        self.lines, self.values = [], [*([] if isolated else values), *arguments, *arguments]
        self.depth += 1
        yield self.lines
        self.depth -= 1
        self.lines, self.values = lines, values

    def steps(self, count: int, steps: Steps | None = None) -> None:
        """Take `count` steps that append an operation."""
        steps = steps or self.material.steps
        taken = 0
        for _ in range(20 * count):
            if taken == count:
                return
            before = len(self.lines)
            self.random.choices(tuple(steps), tuple(steps.values()))[0](self)
            taken += len(self.lines) > before

    # Finding values

    def shape(self) -> Shape:
        if self.material.shapes:
            return self.random.choice(self.material.shapes)
        rank = self.random.choice([0, 1, 1, 2, 2, 2, 3])
        return tuple(
            self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5][self.random.random() > 0.1 :]) for _ in range(rank)
        )

    def is_too_large(self, shape: Shape) -> bool:
        return prod(shape) > self.material.largest

    def any(self, accept: Accept = anything) -> Value:
        """An accepted value, usually an existing one."""
        found = [value for value in self.values if accept(value)]
        if found and self.random.random() >= self.material.fresh:
            late = self.exact or self.random.random() < 0.5
            return self.random.choice(found[-6:] if late else found)
        for _ in range(200):
            type_ = self.random.choice(self.material.types)
            scale = self.random.choice([0, 0, 2]) if is_wide(type_) else 0
            value = self.constant(type_, self.shape(), scale=scale)
            if accept(value):
                return value
            self.lines.pop()
            self.values.pop()
        return self.random.choice(found) if found else self.constant(F32, (2, 3))

    def like(self, value: Value, accept: Accept = anything) -> Value:
        """Another value of the same type and shape."""
        return self.of(value.type, value.shape, accept)

    def of(self, type_: Type, shape: Shape, accept: Accept = anything) -> Value:
        """A value of a type and shape, usually an existing one."""
        found = [v for v in self.values if (v.type, v.shape) == (type_, shape) and accept(v)]
        if found and self.random.random() >= (0.3 if self.exact else self.material.fresh):
            return self.random.choice(found)
        return self.constant(type_, shape)

    def flags(self, shape: Shape) -> Value:
        return self.constant(BOOL, shape) if self.exact else self.of(BOOL, shape)

    # The whole

    def program(self, results: Sequence[Value] | None = None) -> Program:
        """The function that returns these results, or all computed values."""
        if results is None:
            results = [value for value in self.values if value not in self.arguments]
        if self.exact:
            results = [part for value in results for part in self._parts(value)]
        spelled = ", ".join(value.spelled for value in results)
        header = ", ".join(f"{value.name}: {value.spelled}" for value in self.arguments)
        body = "\n".join(self.lines)
        returned = ", ".join(value.name for value in results)
        text = f"func.func @main({header}) -> ({spelled}) {{\n{body}\nreturn {returned} : {spelled}\n}}\n"
        return Program(text + "".join(self.functions), [], list(results))

    def _parts(self, value: Value) -> list[Value]:
        """The value, or the parts of a complex value: the C++ interpreter cannot return complex tensors."""
        if value.type.kind != "complex":
            return [value]
        if value.name in self.parts_of:
            return self.parts_of[value.name]
        parts = self.parts_of[value.name] = []
        for name in ("real", "imag"):
            part = Value(
                f"{value.name.replace('#', '_')}_{name}",
                PART[value.type.name],
                value.shape,
                value.limit,
                value.scale,
                Rule("move", (value,)),
            )
            self.lines.append(
                f"{part.name} = stablehlo.{name} {value.name} : ({value.spelled}) -> {part.spelled}"
            )
            parts.append(part)
        return parts


def sum_(b: Builder, name: str, lhs: Value, rhs: Value) -> Value:
    scale = max(lhs.scale, rhs.scale)
    limit = None
    if lhs.limit is not None and rhs.limit is not None:
        limit = (lhs.limit << (scale - lhs.scale)) + (rhs.limit << (scale - rhs.scale))
    return b.apply(name, lhs, rhs, limit=limit, scale=scale, rule=Rule("sum", (lhs, rhs)))


def direction(name: str) -> str:
    return f"{{comparison_direction = #stablehlo<comparison_direction {name}>}}"


def may_sum(b: Builder, type_: Type) -> bool:
    """Whether sums and products of many elements of this type may be in the program."""
    return b.exact or type_.kind not in ("float", "complex") or type_.name in b.material.summed
