"""Subjects with the values that the reference expects: an operation alone, or a whole program."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.display.printable import printable_line
from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, HlokitError, ParseError, UnsupportedError, VerificationError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import functions
from hlokit.operations.cards.variants.variant import shaped
from hlokit.operations.lookup import traits_of
from hlokit.programs.calls.runs import TierName
from hlokit.programs.examples.arrays import Bits, example_of
from hlokit.programs.examples.uses import demands_of
from hlokit.programs.loading import load_text
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_types, flat_values
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.comparing.explanations import Explainer
from hlokit.tools.diff.comparing.verdicts import EXACT, Allowance, Comparison
from hlokit.tools.judge.errors import expected
from hlokit.tools.kit.recipes import TYPES, Subject
from hlokit.tools.kit.texts import Applied, applied, program
from hlokit.tools.kit.values import ENDS, array, bits_of, pairs
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
_SHAPE = re.compile(r"\b(?:\d+x)+(?=[a-z$!])")


class Refused(Exception):
    """A subject has operands or results that are no tensors."""


@dataclass(slots=True)
class Alone:
    """A subject that the reference has evaluated, once for all its places.

    Attributes:
      applied: the text of the operation; of a whole program, the types of its function.
      program: the program of the operation alone, or the whole one.
      text: the text of the whole program; "" for an operation.
      inputs: operands.
      expected: results of the reference.
    """

    subject: Subject
    applied: Applied
    program: Program
    text: str
    inputs: list[Array]
    expected: list[Array]
    _evaluated: Evaluated | None = None
    _radii: list[Array] | None = None

    @property
    def types(self) -> list[TensorType]:
        """The types of the results."""
        types = flat_types(self.program.signature("main").outputs)
        return [type_ for type_ in types if isinstance(type_, TensorType)]

    def allowance(self, results: Sequence[Array], index: int, *, is_alone: bool) -> Allowance:
        """The allowed difference of a result.

        Alone, an operation that IEEE 754 rounds once has one right result. Elsewhere compilers may keep
        operands and results unrounded. A whole program has the errors of all its operations.

        Args:
          results: the other side's.
        """
        type_ = self.types[index]
        if self.text:
            return Allowance(self._errors()[index], "the errors of good libraries, operation by operation")
        evaluated = self._evaluation(results)
        if evaluated is None:
            return EXACT
        bound = allowance(evaluated, index, type_, in_context=not is_alone)
        is_rounded_once = traits_of(self.subject.operation).rounded and type_.element_type.kind is Kind.FLOAT
        if not is_alone or not is_rounded_once:
            return bound
        flushed = tuple([(value, 0.0) for value, _ in bound.alternatives])
        return Allowance(0.0, "exact: rounded once", bound.open, bound.row, bound.may_flush, flushed)

    def is_certain(self, index: int) -> Array:
        """The elements of a result that are NaN, or infinite, in f64 as well: no order of a sum, and no
        overflow, avoids them."""
        expected_result = self.expected[index]
        if self.text or self.types[index].element_type.kind is not Kind.FLOAT:
            return np.zeros(expected_result.shape, np.bool_)
        wide = self.subject._replace(type_="f64")
        is_float = [value.dtype == expected_result.dtype for value in self.inputs]
        inputs = [
            value.astype(np.float64) if is_wide else value
            for value, is_wide in zip(self.inputs, is_float, strict=True)
        ]
        if self.subject.type_ == "f64":
            # No type is wider: finite factors of at most 1 keep zeros and signs, and products in range, which
            # a fused addition does not round to infinity.
            inputs = [
                np.where(np.isfinite(value), np.clip(value, -1, 1), value) if is_wide else value
                for value, is_wide in zip(inputs, is_float, strict=True)
            ]
        length = len(self.inputs[0]) if self.subject.style == "values" else None
        with np.errstate(all="ignore"):
            result = _results(_loaded(wide, length)[1], inputs)[index]
        wide_result = result.astype(np.float64)
        is_nan = np.isnan(expected_result) & np.isnan(wide_result)
        return is_nan | (np.isinf(expected_result) & (wide_result == expected_result.astype(np.float64)))

    def explained(self, comparison: Comparison, results: Sequence[Array], index: int) -> Comparison:
        """A comparison with what the other side did instead, if that is known."""
        evaluated = None if self.text else self._evaluation(results)
        if evaluated is None:
            return comparison
        return Explainer().explained(comparison, evaluated, index, self.types[index])

    def _evaluation(self, results: Sequence[Array]) -> Evaluated | None:
        """The operation, its operands and results; None if it is a constant, as an iota is."""
        if self._evaluated is None:
            observer = _LastStep(self.subject.operation)
            self.program.runs.evaluate(self.inputs, "main", observer=observer)
            if observer.step is None:
                return None
            kernel: Callable[..., Any] = observer.step.kernel.function
            self._evaluated = Evaluated(operation_of(observer.step), kernel, observer.operands, self.expected)
        evaluated = self._evaluated
        return Evaluated(
            evaluated.operation, evaluated.kernel, evaluated.operands, evaluated.results, results
        )

    def _errors(self) -> list[Array]:
        if self._radii is None:
            outputs = self.program.signature("main").outputs
            self._radii = expected(self.program, self.inputs, "main", outputs).radii
        return self._radii


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


class Defect(NamedTuple):
    """Why there are no expected results of a subject that the verifier accepts."""

    reason: str


def evaluated_alone(subject: Subject) -> Alone | Defect | None:
    """A subject with its expected results; None if it has no meaning: if the verifier refuses it, or both the
    reference and the kernels."""
    alone: Alone | None = None
    try:
        alone = _whole(subject) if not subject.variant.types else _operation(subject)
        alone.expected = _expected(alone)
    except (ParseError, VerificationError, Refused):
        return None
    except HlokitError as error:
        if alone is not None and _is_meaningless(alone):
            return None
        return Defect(f"hlokit's reference fails: {printable_line(str(error))}")
    return alone


def _is_meaningless(alone: Alone) -> bool:
    """Whether the kernels refuse a subject, as the reference does: the verifier of CHLO accepts operations on
    types for which nothing defines them, such as shifts of floats."""
    try:
        alone.program.runs.evaluate(alone.inputs, "main")
    except (EvaluationError, UnsupportedError):
        return True
    except HlokitError:
        return False
    return False


def is_elementwise(alone: Alone) -> bool:
    """Whether an element of the results depends on the operands' elements at its place alone."""
    shapes = {value.shape for value in (*alone.inputs, *alone.expected)}
    return (
        not alone.text
        and len(shapes) == 1
        and shapes != {()}
        and traits_of(alone.subject.operation).elementwise
    )


def of_elements(alone: Alone, positions: Sequence[int], sizes: Sequence[int]) -> Alone | None:
    """An elementwise operation on the operands of some elements, as an array of a shape; None for other
    operations, and operands of other shapes.

    Args:
      positions: in row-major order, as many as the shape has elements.
    """
    if not is_elementwise(alone):
        return None
    subject = alone.subject
    types = _SHAPE.sub(shaped(sizes, ""), subject.variant.types)
    smaller = subject._replace(variant=subject.variant._replace(types=types), style="special")
    operation, loaded = _loaded(smaller, None)
    inputs = [value.reshape(-1)[list(positions)].reshape(sizes) for value in alone.inputs]
    return Alone(smaller, operation, loaded, "", inputs, _results(loaded, inputs))


def _operation(subject: Subject) -> Alone:
    bits = bits_of(subject.name)
    has_pairs = subject.style == "values"
    operation, loaded = _loaded(subject, 2 if has_pairs else None)
    types = _tensor_types(loaded)
    if has_pairs:
        inputs = pairs([type_.element_type for type_ in types], subject.operation, bits) if types else []
        operation, loaded = _loaded(subject, len(inputs[0]) if inputs else 2)
    else:
        inputs = _operands(subject, loaded, types, bits)
    return Alone(subject, operation, loaded, "", inputs, [])


def _whole(subject: Subject) -> Alone:
    text = subject.variant.attributes.replace("$", TYPES[subject.type_])
    loaded = LOADER.load(text)
    signature = loaded.signature("main")
    inputs = _operands(subject, loaded, _tensor_types(loaded), bits_of(subject.name))
    types = Applied(
        subject.operation, "", tuple(map(str, signature.inputs)), tuple(map(str, signature.outputs)), "", ()
    )
    return Alone(subject, types, loaded, text, inputs, [])


def _expected(alone: Alone) -> list[Array]:
    try:
        return _results(alone.program, alone.inputs)
    except UnsupportedError:
        # The reference has no functions of libraries, which the specification does not define.
        if not alone.text or not traits_of(alone.subject.operation).foreign:
            raise
        return _results(alone.program, alone.inputs, "default")


def _results(loaded: Program, inputs: Sequence[Array], tier: TierName = "reference") -> list[Array]:
    results = loaded.runs.evaluate(inputs, "main", tier=tier)
    outputs = flat_values(results, loaded.signature("main").outputs)
    return [np.asarray(value) for value in outputs]


def _loaded(subject: Subject, length: int | None) -> tuple[Applied, Program]:
    operation = applied(subject, length)
    text = program(operation, "alone")
    assert text is not None, "an operation may always stand alone"
    return operation, LOADER.load(text)


class _Loader:
    """Loads programs into one context: making one takes longer than reading a small program.

    A context keeps the types and attributes of all its programs, so that a new one follows from time to time.
    """

    def __init__(self, most_characters: int = 1 << 20) -> None:
        self._most = most_characters
        self._left = 0
        self._context: ir.Context | None = None

    def load(self, text: str) -> Program:
        """The program of a case; see `load`."""
        if self._context is None or len(text) > self._left:
            self._context, self._left = make_context(), self._most
        self._left -= len(text)
        return load_text(text, context=self._context)


LOADER = _Loader()


def _tensor_types(loaded: Program) -> list[TensorType]:
    signature = loaded.signature("main")
    tensors = [type_ for type_ in signature.inputs if isinstance(type_, TensorType)]
    results = [type_ for type_ in signature.outputs if isinstance(type_, TensorType)]
    if len(tensors) < len(signature.inputs) or len(results) < len(signature.outputs):
        raise Refused
    return tensors


def _operands(subject: Subject, loaded: Program, types: Sequence[TensorType], bits: Bits) -> list[Array]:
    """Operands: stated values; examples where an operation makes demands; otherwise of the style."""
    stated = dict(subject.variant.values)
    demands = demands_of(functions(loaded.module)["main"], loaded.module)
    operands: list[Array] = []
    for number, (type_, demand) in enumerate(zip(types, demands, strict=True)):
        if number in stated:
            operands.append(_stated(stated[number], type_))
        elif demand.domains and not traits_of(subject.operation).elementwise:
            operands.append(np.asarray(example_of(type_, demand, bits)))
        else:
            operands.append(array(subject.style, type_.element_type, type_.dims, bits))
    return operands


def _stated(text: str, type_: TensorType) -> Array:
    """The operand that a variant states: see `Variant.values`."""
    element = type_.element_type.stored
    if text in ENDS:
        return np.full(type_.dims, ENDS[text](element), element.dtype)
    return np.array(json.loads(text)).astype(element.dtype).reshape(type_.dims)
