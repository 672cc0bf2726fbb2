"""Runs on all arguments, where these have few bits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from time import monotonic
from typing import Any

import numpy as np

from hlokit.errors import EvaluationError
from hlokit.tools.equal.proofs.functions import Functions, differing
from hlokit.tools.equal.proofs.proof import Proof
from hlokit.values.element import Element
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType


class Exhaustive:
    """Runs on all arguments."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._sizes = [1 if functions.is_by_element else type_.size for type_ in functions.types]
        pairs = list(zip(functions.types, self._sizes, strict=True))
        self._elements = [type_.element_type for type_, size in pairs for _ in range(size)]
        self.bits = sum(element.width for element in self._elements)

    def proof(self, deadline: float) -> Proof:
        """Run both on all arguments, or until this `time.monotonic`."""
        for values in self._arguments():
            try:
                results = differing(*self._functions.results_of(values))
            except EvaluationError:
                failure = self._functions.failure(values)
                if failure is None:
                    raise
                return failure
            if results:
                return Proof("differs", "found among all arguments", results, tuple(values))
            if monotonic() > deadline:
                return Proof("inconclusive", "the time is over before all arguments were tried")
        what = "elements of arguments" if self._functions.is_by_element else "arguments"
        return Proof("proved", f"all {1 << self.bits:,} {what} give the same bits")

    def _arguments(self) -> Iterator[list[Any]]:
        """All arguments; if elements are computed alone, as many together as the arguments have."""
        codes = product(*[range(1 << element.width) for element in self._elements])
        if not self._functions.is_by_element:
            for row in codes:
                elements = iter(map(Element.from_bits, self._elements, row))
                yield [
                    Tensor.from_elements(type_, [next(elements) for _ in range(size)]).numpy()
                    for type_, size in zip(self._functions.types, self._sizes, strict=True)
                ]
            return
        rows = np.array(list(codes), np.uint32).reshape(1 << self.bits, len(self._elements))
        shapes = {type_.dims for type_ in self._functions.types}
        together = max(prod(*shapes), 1) if len(shapes) == 1 else 1
        for start in range(0, len(rows), together):
            block = rows[start : start + together]
            yield [
                _of_codes(type_, np.resize(block[:, column], type_.dims))
                for column, type_ in enumerate(self._functions.types)
            ]


def _of_codes(type_: TensorType, codes: Any) -> Any:
    """An array of elements of at most 16 bits."""
    return codes.astype(type_.element_type.bits_dtype).view(type_.element_type.dtype)
