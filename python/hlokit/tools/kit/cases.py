"""Cases: a program, its operands, and the values that the reference expects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions
from hlokit.operations.lookup import traits_of
from hlokit.programs.examples.arrays import Bits, example_of
from hlokit.programs.examples.uses import demands_of
from hlokit.programs.loading import load
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_types, flat_values
from hlokit.tools.diff.comparing.bounds import Evaluated
from hlokit.tools.kit.recipes import Recipe, Subject
from hlokit.tools.kit.texts import Applied, applied, program
from hlokit.tools.kit.values import array, bits_of, pairs
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]


class Refused(Exception):
    """The verifier does not accept a recipe, or it has no such place."""


@dataclass(slots=True)
class Alone:
    """A subject that is evaluated alone, once for all its places.

    Attributes:
      applied: the text of the operation.
      program: the program with the operation alone.
      inputs: operands.
      expected: results of the reference.
    """

    subject: Subject
    applied: Applied
    program: Program
    inputs: list[Array]
    expected: list[Array]
    _evaluated: Evaluated | None = None

    @property
    def types(self) -> list[TensorType]:
        """The types of the results."""
        types = flat_types(self.program.signature("main").outputs)
        return [type_ for type_ in types if isinstance(type_, TensorType)]

    def evaluated(self, results: Sequence[Array]) -> Evaluated:
        """The operation, its operands and results, from which bounds are computed.

        Args:
          results: the other side's.
        """
        if self._evaluated is None:
            observer = _LastStep(self.subject.operation)
            self.program.runs.evaluate(self.inputs, "main", observer=observer)
            assert observer.step is not None, "the program has the operation"
            kernel: Callable[..., Any] = observer.step.kernel.function
            self._evaluated = Evaluated(operation_of(observer.step), kernel, observer.operands, self.expected)
        evaluated = self._evaluated
        return Evaluated(
            evaluated.operation, evaluated.kernel, evaluated.operands, evaluated.results, results
        )


class _LastStep:
    """An observer that keeps the last evaluation of an operation."""

    def __init__(self, operation: str) -> None:
        self.step: Step | None = None
        self.operands: list[Value] = []
        self._operation = operation

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        """See `Observer`."""

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """See `Observer`."""
        del plan, results
        if step.name == self._operation:
            self.step, self.operands = step, list(operands)


@dataclass(frozen=True, slots=True)
class Case:
    """A recipe with its program.

    Attributes:
      text: MLIR, whose function `main` takes the inputs.
      alone: the subject; its inputs are those of the case, perhaps negated.
    """

    recipe: Recipe
    text: str
    alone: Alone

    @property
    def id(self) -> str:
        return self.recipe.id

    @property
    def operation(self) -> str:
        return self.recipe.subject.operation

    @property
    def type_(self) -> str:
        return self.recipe.subject.type_

    @property
    def inputs(self) -> list[Array]:
        """The operands of the program."""
        inputs = self.alone.inputs
        return [negated(inputs[0]), *inputs[1:]] if self.recipe.place == "fused" else inputs

    @property
    def expected(self) -> list[Array]:
        """The results of the program that the reference expects."""
        return self.as_alone(self.alone.expected)

    def as_alone(self, results: Sequence[Array]) -> list[Array]:
        """The program's results as those of the operation alone, and the other way round."""
        if self.recipe.place != "fused":
            return list(results)
        turned = self.alone.applied.turned
        return [negated(value) if number in turned else value for number, value in enumerate(results)]


def negated(values: Array) -> Array:
    """What `stablehlo.negate` returns, or `not` for booleans."""
    if values.dtype == np.bool_:
        return ~values
    with np.errstate(all="ignore"):
        return np.asarray(-values, values.dtype)


def cases(recipes: Iterable[Recipe]) -> Iterator[Case]:
    """The cases of recipes that the verifier accepts; recipes of one subject should be neighbours."""
    latest: tuple[Subject, Alone | None] | None = None
    refused: set[tuple[str, str, str]] = set()
    for recipe in recipes:
        subject = recipe.subject
        kind = (subject.operation, subject.type_, subject.variant.attributes)
        if kind in refused and traits_of(subject.operation).elementwise:
            continue
        if latest is None or latest[0] != subject:
            latest = (subject, _alone(subject))
        if latest[1] is None:
            refused.add(kind)
            continue
        case = _placed(recipe, latest[1])
        if case is not None:
            yield case


def _placed(recipe: Recipe, alone: Alone) -> Case | None:
    text = program(alone.applied, recipe.place)
    if text is None:
        return None
    if recipe.place != "alone":
        try:
            load(text)
        except HlokitError:
            return None
    return Case(recipe, text, alone)


def _alone(subject: Subject) -> Alone | None:
    """A subject with its expected results; None if the verifier or the reference refuses it."""
    bits = bits_of(subject.name)
    length = 2 if subject.style == "values" else None
    try:
        operation, loaded = _loaded(subject, length)
        types = _tensor_types(loaded)
        if subject.style == "values":
            inputs = pairs([type_.element_type for type_ in types], subject.operation, bits) if types else []
            operation, loaded = _loaded(subject, len(inputs[0]) if inputs else 2)
        else:
            inputs = _operands(subject, loaded, types, bits)
        results = loaded.runs.evaluate(inputs, "main", tier="reference")
    except (HlokitError, Refused):
        return None
    outputs = flat_values(results, loaded.signature("main").outputs)
    return Alone(subject, operation, loaded, inputs, [np.asarray(value) for value in outputs])


def _loaded(subject: Subject, length: int | None) -> tuple[Applied, Program]:
    operation = applied(subject, length)
    text = program(operation, "alone")
    assert text is not None, "an operation may always stand alone"
    return operation, load(text)


def _tensor_types(loaded: Program) -> list[TensorType]:
    types = loaded.signature("main").inputs
    tensors = [type_ for type_ in types if isinstance(type_, TensorType)]
    if len(tensors) < len(types):
        raise Refused
    return tensors


def _operands(subject: Subject, loaded: Program, types: Sequence[TensorType], bits: Bits) -> list[Array]:
    """Operands: stated values; examples where an operation makes demands; otherwise of the style."""
    stated = dict(subject.variant.values)
    demands = demands_of(_main(loaded), loaded.module)
    operands: list[Array] = []
    for number, (type_, demand) in enumerate(zip(types, demands, strict=True)):
        if number in stated:
            values = np.array(json.loads(stated[number]))
            operands.append(values.astype(type_.element_type.dtype).reshape(type_.dims))
        elif demand.domains and not traits_of(subject.operation).elementwise:
            operands.append(np.asarray(example_of(type_, demand, bits)))
        else:
            operands.append(array(subject.style, type_.element_type, type_.dims, bits))
    return operands


def _main(loaded: Program) -> ir.Operation:
    return functions(loaded.module)["main"]
