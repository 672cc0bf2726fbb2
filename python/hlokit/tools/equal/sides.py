"""The sides of a comparison: programs that run on exact numbers, and how their arguments and results pair."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any, Protocol, runtime_checkable

from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError
from hlokit.programs.calls.arguments import by_position, number_of_arguments
from hlokit.programs.loading import from_jax, load
from hlokit.programs.program import Program
from hlokit.tools.equal.rules.meanings import Assumptions
from hlokit.tools.equal.rules.numbers import exact_type
from hlokit.tools.equal.runs import ExactProgram, ExactRun
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

ExactFunction = Callable[[Sequence[Any]], ExactRun]


class Side(Protocol):
    """A program whose meaning is compared."""

    @property
    def program(self) -> Program:
        """The program that runs."""
        ...

    @property
    def types(self) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]]:
        """The types of its arguments and results."""
        ...

    def values(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
        """Users' arguments as values of its types."""
        ...

    def examples(self, seed: int) -> list[Any]:
        """Values to try it with."""
        ...

    def planned(self, assumptions: Assumptions, observers: Sequence[Observer]) -> ExactFunction:
        """A function of exact arguments that evaluates it."""
        ...

    def floats(self, arguments: Sequence[Any], observer: Observer | None = None) -> Sequence[Any]:
        """Evaluate it on floats."""
        ...


@runtime_checkable
class HasSide(Protocol):
    """An object that is a side, such as a sharded program."""

    def exact_side(self) -> Side: ...


@dataclass(frozen=True, slots=True)
class WholeProgram:
    """A function of a program as a side."""

    program: Program
    function: str

    @property
    def types(self) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]]:
        signature = self.program.signature(self.function)
        return signature.inputs, signature.outputs

    def values(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
        function = None if self.function == self.program.entry() else self.function
        return self.program.bound(arguments, keywords, function)[1]

    def examples(self, seed: int) -> list[Any]:
        return self.program.signature(self.function).values(
            self.program.example_inputs(seed, function=self.function)
        )

    def planned(self, assumptions: Assumptions, observers: Sequence[Observer]) -> ExactFunction:
        return partial(ExactProgram(self.program, assumptions, observers).run, self.function)

    def floats(self, arguments: Sequence[Any], observer: Observer | None = None) -> Sequence[Any]:
        return self.program.runs.evaluate(list(arguments), self.function, observer=observer)


@dataclass(frozen=True, slots=True)
class Pairing:
    """How arguments and results of two programs belong together.

    Attributes:
      arguments: for each argument of the second program, the number of the first program's.
      results: for each result of the first program, the number of the second program's.
    """

    arguments: tuple[int, ...]
    results: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Processes:
    """A function of a program for several processes as a side: the arguments of all processes, one after the
    other, and their results."""

    program: Program
    function: str

    @property
    def count(self) -> int:
        return prod(self.program.grid)

    @property
    def types(self) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]]:
        signature = self.program.signature(self.function)
        return signature.inputs * self.count, signature.outputs * self.count

    def values(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
        signature = self.program.signature(self.function)
        arguments, _ = by_position(arguments, keywords, self.program.parameter_names(self.function))
        size = len(signature.inputs)
        if len(arguments) == size:
            arguments = [*arguments] * self.count
        if len(arguments) != size * self.count:
            raise ArgumentError(
                f"@{self.function} must be called with {number_of_arguments(size)}, or with {size} for each "
                f"of {self.count} processes, got {len(arguments)}"
            )
        starts = range(0, len(arguments), size or 1)
        return [value for start in starts for value in signature.values(arguments[start : start + size])]

    def examples(self, seed: int) -> list[Any]:
        program, count = self.program, self.count
        drawn = [program.example_inputs(seed * count + n, function=self.function) for n in range(count)]
        return self.values([value for values in drawn for value in values], {})

    def planned(self, assumptions: Assumptions, observers: Sequence[Observer]) -> ExactFunction:
        return partial(self._run, ExactProgram(self.program, assumptions, observers))

    def _run(self, exact: ExactProgram, arguments: Sequence[Any]) -> ExactRun:
        run = exact.run_parallel(self.function, self._of_processes(arguments), self.program.grid)
        return replace(run, results=tuple([result for results in run.results for result in results]))

    def floats(self, arguments: Sequence[Any], observer: Observer | None = None) -> Sequence[Any]:
        values, runs = self._of_processes(arguments), self.program.runs
        of_processes = runs.evaluate_parallel(values, self.function, self.program.grid, observer=observer)
        return [result for results in of_processes for result in results]

    def _of_processes(self, arguments: Sequence[Any]) -> list[Sequence[Any]]:
        size = len(arguments) // self.count
        return [arguments[start * size : (start + 1) * size] for start in range(self.count)]


def side_of(source: Any, function: str | None, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Side:
    """A program, a file, a function of JAX, or a sharded program as a side.

    Args:
      arguments, keywords: examples for a function of JAX.

    Raises:
      ArgumentError: the source is none of these, or there is no such function.
    """
    if isinstance(source, HasSide):
        return source.exact_side()
    if callable(source) and not isinstance(source, Program):
        if not arguments and not keywords:
            raise ArgumentError("functions of JAX must be compared with example arguments, got none")
        source = _traced(source, arguments, keywords)
    program = source if isinstance(source, Program) else load(_path(source))
    name = program.signature(function).name
    return WholeProgram(program, name) if program.grid == (1, 1) else Processes(program, name)


def _path(source: Any) -> Any:
    return os.fspath(source) if isinstance(source, os.PathLike) else source  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # a path


def _traced(function: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Program:
    """A function of JAX with all of its arguments, used or not."""
    try:
        import jax
    except ImportError as error:
        raise ArgumentError("functions of JAX need JAX: pip install hlokit[jax]") from error
    kept: Any = jax.jit(function, keep_unused=True)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] # JAX
    return from_jax(kept, *arguments, **keywords)


# Pairs of arguments and results ------------------------------------------------------------------------


def paired(one: Side, other: Side, mapping: Mapping[str, Mapping[int, int]] | None = None) -> Pairing:
    """The pairing of two sides: by position, unless a mapping says otherwise.

    Args:
      mapping: `arguments` and `results`, from numbers of the first program to those of the second.

    Raises:
      ArgumentError: types do not fit each other.
    """
    mapping = mapping or {}
    arguments = _positions("arguments", mapping, len(one.types[0]), len(other.types[0]))
    results = _positions("results", mapping, len(one.types[1]), len(other.types[1]))
    inverse = {there: here for here, there in arguments.items()}
    _require_shapes("argument", one.types[0], other.types[0], arguments)
    _require_shapes("result", one.types[1], other.types[1], results)
    return Pairing(
        tuple([inverse[number] for number in range(len(other.types[0]))]),
        tuple([results[number] for number in range(len(one.types[1]))]),
    )


def _positions(
    what: str, mapping: Mapping[str, Mapping[int, int]], count: int, other_count: int
) -> dict[int, int]:
    if count != other_count:
        raise ArgumentError(
            f"both programs must have the same number of {what}, got {count} and {other_count}"
        )
    stated = dict(mapping.get(what, {}))
    left = [number for number in range(count) if number not in stated.values()]
    free = iter(left)
    positions = {number: stated[number] if number in stated else next(free, -1) for number in range(count)}
    if sorted(positions.values()) != list(range(count)):
        raise ArgumentError(f"the map of {what} must name each of {count} {what} once, got {stated}")
    return positions


def _require_shapes(
    what: str, ours: Sequence[ValueType], theirs: Sequence[ValueType], positions: Mapping[int, int]
) -> None:
    for here, there in positions.items():
        one, two = exact_type(ours[here]), exact_type(theirs[there])
        if not _fits(one, two):
            raise ArgumentError(
                f"{what} {here} of the first program and {what} {there} of the second must have one type "
                f"apart from the precision of floats, got {ours[here]} and {theirs[there]}"
            )


def _fits(one: ValueType, two: ValueType) -> bool:
    if not isinstance(one, TensorType) or not isinstance(two, TensorType):
        return type(one) is type(two)
    elements = one.element_type, two.element_type
    if elements[0].dtype != elements[1].dtype:
        return False
    if elements[0] != elements[1] and any(element.kind is Kind.QUANTIZED for element in elements):
        return False
    return not (one.is_static and two.is_static) or one.shape == two.shape
