"""All measurements of `python -m tools.accuracy`, one result at a time."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np

from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64, ElementType, Kind
from tools.accuracy import einsums, sums
from tools.accuracy.expected import reference
from tools.accuracy.functions import FUNCTIONS, Function
from tools.accuracy.implementations import INTERPRETER, XLA, Others, elementwise_text, hlokit
from tools.accuracy.measure import Measurement, measure
from tools.accuracy.samples import inputs, is_exhaustive
from tools.accuracy.sums import FLOATS, Case, conversion

HLOKIT = "hlokit"
TYPES = (*FLOATS, COMPLEX_F32, COMPLEX_F64)
SUMS = ("reduce", "dot_general", "einsum", "unary_einsum", "convolution", "fft", "convert")

# The numbers of samples of f32, f64 and other types, in a quick and in a full run; fewer if mpmath computes
# all results.
_QUICK = {F32: 20_000, F64: 20_000, COMPLEX_F32: 2_000}
_FULL = {F32: 1_000_000, F64: 100_000, COMPLEX_F32: 10_000}
_OTHERS = 20_000  # pairs of numbers of 16 bits
_QUICK_EXACT, _FULL_EXACT = 600, 1_200
# The interpreter takes about a microsecond an element.
_MOST_INTERPRETED = 70_000


@dataclass(frozen=True, slots=True)
class Selection:
    """The operations and types to measure.

    Attributes:
      ops: names of operations, with or without dialect; none for all.
      types: names of element types; none for all.
      is_full: take a million samples of f32, and more samples of other wide types.
      with_others: also measure XLA:CPU and the bindings' interpreter.
    """

    ops: Collection[str] = ()
    types: Collection[str] = ()
    is_full: bool = False
    with_others: bool = True

    def has_op(self, name: str) -> bool:
        return not self.ops or name in self.ops or name.partition(".")[2] in self.ops

    def has_type(self, name: str) -> bool:
        return not self.types or name in self.types

    def compares(self, type_: ElementType) -> bool:
        """Whether to measure other implementations. Compiling is slow: the narrowest types only on
        request."""
        return self.with_others and (type_.width > 8 or self.is_full or bool(self.types))


Progress = Callable[[str], None]


def count_for(function: Function, type_: ElementType, is_full: bool) -> int:
    """The number of samples."""
    if type_ is COMPLEX_F64 or (type_ is F64 and function.is_shared):
        return max((_FULL_EXACT if is_full else _QUICK_EXACT) // max(function.cost // 4, 1), 80)
    return (_FULL if is_full else _QUICK).get(type_, _OTHERS)


def run(selection: Selection, progress: Progress) -> Iterator[Measurement]:
    """Measure one operation after another."""
    others = Others()
    try:
        for function in FUNCTIONS:
            if selection.has_op(function.name):
                for type_ in TYPES:
                    takes = function.takes_complex if type_.kind is Kind.COMPLEX else function.takes_float
                    if takes and selection.has_type(type_.name):
                        progress(f"{function.short_name} {type_}")
                        yield from _elementwise(function, type_, selection, others)
        yield from _sums(selection, others, progress)
    finally:
        others.close()


def _elementwise(
    function: Function, type_: ElementType, selection: Selection, others: Others
) -> Iterator[Measurement]:
    operands = inputs(function, type_, count_for(function, type_, selection.is_full))
    expected = reference(function, type_, operands)
    whole = is_exhaustive(type_, function.operands)
    text = elementwise_text(function.name, operands, type_)
    yield measure(expected, hlokit(text, operands), HLOKIT, is_exhaustive=whole)
    if not selection.compares(type_):
        return
    for implementation in (XLA, INTERPRETER):
        part, part_text = expected, text
        if implementation == INTERPRETER and operands[0].size > _MOST_INTERPRETED:
            part = expected.every(-(-operands[0].size // _MOST_INTERPRETED))
            part_text = elementwise_text(function.name, part.operands, type_)
        results = others(implementation, part_text, part.operands)
        if not isinstance(results, str):
            yield measure(part, results, implementation, is_exhaustive=whole)


def _sums(selection: Selection, others: Others, progress: Progress) -> Iterator[Measurement]:
    for case in _cases(selection):
        progress(f"{case.op} {case.type_}")
        yield _measured(case, hlokit(case.text, case.operands), HLOKIT)
        if case.op == "convert" or not selection.compares(case.type_):
            continue
        for implementation in (XLA, INTERPRETER):
            results = others(implementation, case.text, case.operands)
            if not isinstance(results, str):
                yield _measured(case, results, implementation)


def _cases(selection: Selection) -> Iterator[Case]:
    wanted = [name for name in SUMS if not selection.ops or name in selection.ops]
    if set(wanted) - {"convert"}:
        for op, type_, make in (*sums.cases(), *einsums.cases()):
            if op in wanted and selection.has_type(type_.name):
                yield make()
    if "convert" in wanted:
        for target in FLOATS:
            if selection.has_type(target.name):
                for source in FLOATS:
                    yield conversion(source, target)


def _measured(case: Case, results: np.ndarray, implementation: str) -> Measurement:
    errors = case.errors(results)
    finite = errors[np.isfinite(errors)]
    special = np.nonzero(np.isinf(errors.reshape(-1)))[0]
    first = case.operands[0].reshape(-1)[special[0] % case.operands[0].size] if special.size else ""
    return Measurement(
        op=case.op,
        type_name=case.type_.name,
        implementation=implementation,
        count=int(errors.size),
        largest=float(finite.max(initial=0)),
        mean=float(finite.mean()) if finite.size else 0.0,
        conditioned=None,
        worst="",
        misrounded=int(np.count_nonzero(errors > 0.5)) if case.bound is None else None,
        special=int(special.size),
        first_special=str(first),
        exact_count=int(errors.size),
        is_exhaustive=case.op == "convert" and case.operands[0].dtype.itemsize <= 2,
        bound=case.bound,
    )
