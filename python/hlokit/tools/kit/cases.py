"""Cases: a program, its operands, and the values that the reference expects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.errors import ParseError, VerificationError
from hlokit.tools.kit.recipes import OF_SHAPE, OTHER_PROBE, PLAIN, Recipe, Subject
from hlokit.tools.kit.subjects import LOADER, Alone, Defect, evaluated_alone
from hlokit.tools.kit.texts import program

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Planned:
    """A recipe that the verifier accepts."""

    recipe: Recipe

    @property
    def id(self) -> str:
        return self.recipe.id

    @property
    def operation(self) -> str:
        return self.recipe.subject.operation

    @property
    def type_(self) -> str:
        return self.recipe.subject.type_


@dataclass(frozen=True, slots=True)
class Unevaluated(Planned):
    """A recipe without expected values, which no side can be compared with.

    Attributes:
      reason: the defect of hlokit.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Case(Planned):
    """A recipe with its program.

    Attributes:
      text: MLIR, whose function `main` takes the inputs.
      alone: the subject; its inputs are those of the case, perhaps negated.
    """

    text: str
    alone: Alone

    @property
    def is_one_function(self) -> bool:
        """Whether the program may share a module with others."""
        return not self.alone.text

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


def cases(recipes: Iterable[Recipe]) -> Iterator[Case | Unevaluated]:
    """The cases of recipes that have a meaning; recipes of one subject should be neighbours."""
    latest: tuple[Subject, Alone | Defect | None] | None = None
    refused: set[tuple[str, str, str]] = set()
    for recipe in recipes:
        subject = recipe.subject
        # If the values of an elementwise operation are refused, so are all shapes; if those of its probe are,
        # so are its variants, although the reference evaluates what has no elements. Other probes are
        # alternatives: those of a complex number's part.
        row = (subject.operation, subject.type_, subject.variant.name.partition(OF_SHAPE)[0])
        is_refused = (*row[:2], PLAIN) in refused and not row[2].startswith(OTHER_PROBE)
        if row in refused or is_refused:
            continue
        if latest is None or latest[0] != subject:
            latest = (subject, evaluated_alone(subject))
        if latest[1] is None:
            if subject.style == "values":
                refused.add(row)
            continue
        alone = latest[1]
        case = Unevaluated(recipe, alone.reason) if isinstance(alone, Defect) else _placed(recipe, alone)
        if case is not None:
            yield case


def _placed(recipe: Recipe, alone: Alone) -> Case | None:
    if alone.text:
        return Case(recipe, alone.text, alone)
    text = program(alone.applied, recipe.place)
    if text is None:
        return None
    if recipe.place != "alone":
        try:
            LOADER.load(text)
        except (ParseError, VerificationError):
            return None
    return Case(recipe, text, alone)
