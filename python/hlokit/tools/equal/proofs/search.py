"""Paths through two programs on terms of z3, until they cover all arguments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError, EvaluationError, UnsupportedError
from hlokit.tools.equal.proofs.bit_vectors import BitProgram, OutOfTimeError
from hlokit.tools.equal.proofs.functions import Functions, differing
from hlokit.tools.equal.proofs.proof import Proof
from hlokit.tools.equal.rules.terms import Terms, numbers_of, values_of, width_of
from hlokit.values.element import Element
from hlokit.values.tensor import Tensor

# Through branches, loops and sorts.
_MOST_PATHS = 256
# z3 counts the milliseconds of a limit in 32 bits.
_MOST_MILLISECONDS = (1 << 32) - 1


class Search:
    """Paths through both programs, until they cover all arguments."""

    def __init__(self, functions: Functions, values: Sequence[Any], deadline: float) -> None:
        try:
            self._terms = Terms(deadline)
        except ImportError as error:
            raise ArgumentError("proofs need z3: pip install hlokit[prove]") from error
        self._functions, self._values = functions, list(values)
        self._programs = [
            BitProgram(side.program, side.function, self._terms) for side in (functions.one, functions.other)
        ]
        self._z3 = self._terms.z3
        self._other_paths = self._z3.Solver()

    def proof(self) -> Proof:
        try:
            return self._proof()
        except OutOfTimeError:
            return self._open("the time is over")

    def _proof(self) -> Proof:
        if self._functions.is_by_element:
            self._values = [_filled(value) for value in self._values]
        for number in range(1, _MOST_PATHS + 1):
            try:
                proof = self._path()
            except OutOfTimeError:
                raise
            except (EvaluationError, UnsupportedError) as error:
                proof = self._failed(error, number)
            if proof is not None:
                return proof
            answer, model = self._solved(self._other_paths)
            if answer == self._z3.unsat:
                paths = f"on {number} path{'s' * (number > 1)}"
                element = "each element alone, " if self._functions.is_by_element else ""
                return Proof("proved", f"{element}by z3 {paths}{self._assuming()}")
            if answer == self._z3.unknown:
                return self._open("z3 does not find whether there is another path")
            self._values = self._arguments_of(model)
        return self._open(f"there are more than {_MOST_PATHS} paths")

    def _path(self) -> Proof | None:
        """Run both programs on the values; the proof, unless results are equal on the whole path."""
        terms, z3 = self._terms, self._z3
        terms.path.clear()
        arguments = [
            terms.variables(value, type_, f"argument{number}", are_one=self._functions.is_by_element)
            for number, (value, type_) in enumerate(zip(self._values, self._functions.types, strict=True))
        ]
        first = self._programs[0].run(arguments)
        second = self._programs[1].run([arguments[number] for number in self._functions.arguments])
        second = [second[number] for number in self._functions.results]
        real = self._functions.results_of(self._values)
        results = differing(*real)
        if results:
            return Proof("differs", "found by a run", results, tuple(self._values))
        if any(
            differing(values_of(tuple(terms_)), run)
            for terms_, run in zip((first, second), real, strict=True)
        ):
            return self._open("a run on bit vectors has other results")
        path = z3.simplify(z3.And(terms.path)) if terms.path else z3.BoolVal(True)
        different = [z3.BoolVal(False)]
        for here, there in zip(first, second, strict=True):
            different += self._differences(here, there)
        solver = z3.Solver()
        solver.add(path, z3.Or(different))
        answer, model = self._solved(solver)
        if answer == z3.unknown:
            return self._open("z3 does not find whether results can differ")
        if answer == z3.sat:
            values = self._arguments_of(model)
            results = differing(*self._functions.results_of(values))
            if results:
                return Proof("differs", "found by z3", results, tuple(values))
            return self._open("results may differ, as far as z3 knows")
        self._other_paths.add(z3.Not(path))
        return None

    def _failed(self, error: EvaluationError | UnsupportedError, number: int) -> Proof:
        """The proof after the run of a path failed."""
        failure = self._functions.failure(self._values)
        if failure is not None:
            return failure
        if number == 1:
            raise error
        return self._open(f"a path does not run on bit vectors: {error.message}")

    def _differences(self, here: Any, there: Any) -> list[Any]:
        if isinstance(here, tuple):
            pairs: Any = zip(here, there, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of values
            return [difference for pair in pairs for difference in self._differences(*pair)]
        if not isinstance(here, np.ndarray | np.generic):
            return []
        pairs = set(zip(numbers_of(here), numbers_of(there), strict=True))
        term = partial(self._terms.term, width=width_of(here))
        return [term(left) != term(right) for left, right in sorted(pairs) if left != right]

    def _solved(self, solver: Any) -> tuple[Any, Any]:
        """The answer of a solver, and a model if there is one."""
        left = min(max(int(1000 * (self._terms.deadline - monotonic())), 1), _MOST_MILLISECONDS)
        solver.set("timeout", left)
        answer = solver.check()
        return answer, solver.model() if answer == self._z3.sat else None

    def _arguments_of(self, model: Any) -> list[Any]:
        """The arguments of a model; elements that it leaves open are 0."""
        values: list[Any] = []
        for number, type_ in enumerate(self._functions.types):
            width, size = type_.element_type.width, 1 if self._functions.is_by_element else type_.size
            names = [f"argument{number}.{place}" for place in range(size)]
            codes = [
                model.eval(self._z3.BitVec(name, width), model_completion=True).as_long() for name in names
            ]
            elements = [Element.from_bits(type_.element_type, code) for code in codes]
            if self._functions.is_by_element:
                elements *= type_.size
            values.append(Tensor.from_elements(type_, elements).numpy())
        return values

    def _open(self, why: str) -> Proof:
        return Proof("inconclusive", why + self._assuming())

    def _assuming(self) -> str:
        names = sorted(self._terms.uninterpreted)
        return f"; of {', '.join(names)}, only that equal operands give equal results" if names else ""


def _filled(value: Any) -> Any:
    """An array of its first element."""
    array = np.asarray(value)
    return np.full_like(array, array.reshape(-1)[0]) if array.size else array
