"""Long programs: up to thousands of operations in straight lines, loops, functions, reductions; with locations.

Benchmarks that search for faulty operations, or measure comparisons, use such programs. Operations are in the
short form of the assembly, one on each line, so that a benchmark can change a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from tests.generate.builder import Builder, Material
from tests.generate.control_flow import Function, call_of, counted_loop, define
from tests.generate.values import F32, Shape, Value, array, dense

Part = Literal["line", "loop", "call", "reduction", "resized"]
Kind = Literal["unary", "binary", "scaled", "products"]
PLACES = ("main", "loop", "function", "reducer")


@dataclass(frozen=True)
class Form:
    """The parts of a long program.

    Attributes:
      operations: the least number of operations.
      shape: of its two arguments and of its result, which are of f32.
      parts: the kinds of parts, which follow each other in turn.
      length: the number of operations of a straight line, which is a part, or the body of a loop or function.
      weights: of the kinds of operations in straight lines.
      unary, binary: the names of operations.
      recent: the number of latest values that may be the second operand of a binary operation, besides the
        second argument.
      summed: the number of operations after which a value is added to the result of the line; 0: never.
      turns: the number of iterations of each loop.
      functions: the largest number of functions; later calls call them again.
      calls: the number of successive calls of a function, each on the result of the previous call.
      is_nested: whether loops contain a loop, and functions call the next function.
      file: every operation has a location, its line in this file.
    """

    operations: int
    shape: Shape
    parts: tuple[Part, ...]
    length: int
    weights: dict[Kind, int]
    unary: tuple[str, ...]
    binary: tuple[str, ...]
    recent: int = 0
    summed: int = 0
    turns: int = 3
    functions: int = 3
    calls: int = 1
    is_nested: bool = False
    file: str = ""


@dataclass(frozen=True)
class LongProgram:
    """A long program. `places` has the lines (from 1) of the operations of `main`, of loops, functions, reducers."""

    text: str
    places: dict[str, list[int]]


def long_program(seed: int, form: Form) -> LongProgram:
    """The program of this seed. Its result is a sum of intermediate values, so that a change of one shows."""
    random = Random(seed)
    writer = _Writer(form, Builder(random, Material((F32,), {}, arguments=((F32, form.shape),) * 2)))
    return writer.program()


@dataclass
class _Writer:
    """The program so far."""

    form: Form
    b: Builder
    places: dict[str, str] = field(default_factory=dict[str, str])  # by name of a value
    place: str = "main"
    functions: list[Function] = field(default_factory=list[Function])

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Record operations under this place."""
        before, self.place = self.place, place
        yield
        self.place = before

    def add(self, text: str, shape: Shape) -> Value:
        value = self.b.add(text, F32, shape)
        self.places[value.name] = self.place
        return value

    def apply(self, name: str, *operands: Value) -> Value:
        """An element-wise operation."""
        names = ", ".join(value.name for value in operands)
        return self.add(f"stablehlo.{name} {names} : {operands[0].spelled}", operands[0].shape)

    def scaled(self, value: Value, factor: float) -> Value:
        """A value times a constant."""
        constant = self.b.add(dense(F32, value.shape, [f"{factor:.6f}"]), F32, value.shape)
        return self.apply("multiply", value, constant)

    def products(self, value: Value, other: Value) -> Value:
        """Two products of matrices, the second of the shape of the value."""
        rows = (value.shape[0], value.shape[0])
        square = self.add(
            f"stablehlo.dot_general {value.name}, {other.name}, contracting_dims = [1] x [1] : "
            f"({value.spelled}, {other.spelled}) -> {F32.tensor(rows)}",
            rows,
        )
        wide = self.add(
            f"stablehlo.dot_general {square.name}, {other.name}, contracting_dims = [1] x [0] : "
            f"({square.spelled}, {other.spelled}) -> {value.spelled}",
            value.shape,
        )
        return self.scaled(wide, 0.02)

    def line(self, value: Value, other: Value, length: int) -> Value:
        """A straight line of operations on a value."""
        form, random, total = self.form, self.b.random, other
        latest = [value]
        for number in range(length):
            match random.choices(tuple(form.weights), tuple(form.weights.values()))[0]:
                case "unary":
                    value = self.apply(random.choice(form.unary), value)
                case "binary":
                    second = random.choice([other, *latest[-form.recent :]]) if form.recent else other
                    value = self.apply(random.choice(form.binary), value, second)
                case "scaled":
                    value = self.scaled(value, random.uniform(0.5, 1.5))
                case "products":
                    value = self.products(value, other)
            latest.append(value)
            if form.summed and (number % form.summed == form.summed - 1 or number == length - 1):
                total = self.apply("add", total, value)
                value = self.apply("tanh", value)
        return self.scaled(total, 1 / (1 + length / form.summed)) if form.summed else value

    def loop(self, value: Value, other: Value) -> Value:
        """A loop, or two nested ones."""

        def loop(value: Value, body: Callable[[Value], Value]) -> Value:
            start = self.b.index(0)
            return counted_loop(self.b, [start, value], self.form.turns, lambda carried: [body(carried[0])])[
                1
            ]

        def inner(value: Value) -> Value:
            return self.line(value, other, self.form.length)

        def outer(value: Value) -> Value:
            return self.line(loop(value, inner), other, 2)

        with self.at("loop"):
            return loop(value, outer if self.form.is_nested else inner)

    def function(self, operands: list[Value], left: int) -> Function:
        """A function, and those that it calls."""

        def body(arguments: list[Value]) -> list[Value]:
            value = self.line(*arguments, self.form.length)
            if self.form.is_nested and left > 1:
                value = call_of(self.b, self.function(operands, left - 1), [value, arguments[1]])[0]
            return [value]

        with self.at("function"):
            made = define(self.b, operands, body)
        self.functions.append(made)
        return made

    def call(self, value: Value, other: Value, number: int) -> Value:
        """Calls of one function, which is new if the program has too few functions."""
        left = self.form.functions - len(self.functions)
        function = (
            self.function([value, other], left) if left > 0 else self.functions[number % len(self.functions)]
        )
        for _ in range(self.form.calls):
            value = call_of(self.b, function, [value, other])[0]
        return value

    def reduction(self, value: Value) -> Value:
        """log(sum(exp(x))) of each row, computed in pairs, subtracted from the row."""
        start = self.b.add("stablehlo.constant dense<-50.0> : tensor<f32>", F32, ())
        a, c = (Value(self.b.name(), F32, ()) for _ in range(2))
        with self.b.nested() as lines:
            most = self.b.add(f"stablehlo.maximum {a.name}, {c.name} : tensor<f32>", F32, ())
            apart = self.b.add(f"stablehlo.subtract {a.name}, {c.name} : tensor<f32>", F32, ())
            size = self.b.add(f"stablehlo.abs {apart.name} : tensor<f32>", F32, ())
            less = self.b.add(f"stablehlo.negate {size.name} : tensor<f32>", F32, ())
            with self.at("reducer"):
                log = self.apply("log_plus_one", self.apply("exponential", less))
                result = self.apply("add", most, log)
        body = self.b.region(
            [(each.name, each.spelled) for each in (a, c)], lines, [(result.name, result.spelled)]
        )
        rows, dimensions = value.shape[:1], array(tuple(range(1, len(value.shape))))
        made = self.b.apply(
            "reduce", value, start, shape=rows, attributes=f"({body}) {{dimensions = {dimensions}}}"
        )
        wide = self.add(
            f"stablehlo.broadcast_in_dim {made.name}, dims = [0] : ({made.spelled}) -> {value.spelled}",
            value.shape,
        )
        return self.apply("subtract", value, wide)

    def resized(self, value: Value, size: int) -> Value:
        """A vector of another size: the first elements of the value, or the value followed by zeros."""
        before, type_ = value.shape[0], F32.tensor((size,))
        if size < before:
            return self.add(
                f"stablehlo.slice {value.name} [0:{size}] : ({value.spelled}) -> {type_}", (size,)
            )
        zero = self.b.add("stablehlo.constant dense<0.0> : tensor<f32>", F32, ())
        return self.add(
            f"stablehlo.pad {value.name}, {zero.name}, low = [0], high = [{size - before}], interior = [0] : "
            f"({value.spelled}, tensor<f32>) -> {type_}",
            (size,),
        )

    def line_of_another_size(self, value: Value, other: Value, number: int) -> Value:
        """A straight line on fewer or more elements."""
        before, size = value.shape[0], 200 + number * 37 % 101
        value, other = self.resized(value, size), self.resized(other, size)
        return self.resized(self.line(value, other, self.form.length), before)

    def program(self) -> LongProgram:
        value, other = self.b.arguments
        total, number = value, 0
        while self.b.names < self.form.operations:
            match self.form.parts[number % len(self.form.parts)]:
                case "line":
                    value = self.line(value, other, self.form.length)
                case "loop":
                    value = self.loop(value, other)
                case "call":
                    value = self.call(value, other, number)
                case "reduction":
                    value = self.reduction(value)
                case "resized":
                    value = self.line_of_another_size(value, other, number)
            total = self.apply("add", total, value)
            number += 1
        lines = self.b.program([total]).text.split("\n")
        places: dict[str, list[int]] = {place: [] for place in PLACES}
        for line, text in enumerate(lines, 1):
            name = _NAME.match(text)
            if name is not None and name[0] in self.places:
                places[self.places[name[0]]].append(line)
            if self.form.file and _ENDS_OPERATION.match(text):
                lines[line - 1] = f'{text} loc("{self.form.file}":{line}:1)'
        return LongProgram("\n".join(lines), places)


_NAME = re.compile(r"%\w+")
# A line with an operation, or the end of one with regions; none that opens a region.
_ENDS_OPERATION = re.compile(r"(%|return |stablehlo\.return |\}\) ).*[^{]$")
