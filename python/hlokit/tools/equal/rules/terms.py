"""Bit vectors of proofs, and arrays of them.

An element of a program under proof is its bits: a term of z3 over the bits of the arguments, with the value
that it has in the run at hand. An array of terms is one NumPy array whose elements have the fields
`value`, of the program's own type, and `term`, the number of the term. So operations that move elements move
both, by their own kernels. Zero bits are the number 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.values.bits import significant_bits
from hlokit.values.element_types import I1, ElementType, Kind, element_type_of
from hlokit.values.types import TensorType, TupleType, ValueType

if TYPE_CHECKING:
    import z3

Array = Any
# A function of whole arrays has at most so many operands in terms; others stand for one key.
_MOST_OPERANDS = 64
PREDICATE = TensorType((), I1)


class Terms:
    """The terms of a proof, and the conditions under which the run at hand takes its path.

    Attributes:
      path: the conditions.
      uninterpreted: the operations of which terms know no more than that equal operands give equal results.
      deadline: the `time.monotonic` at which the proof ends.
    """

    def __init__(self, deadline: float = float("inf")) -> None:
        import z3

        self.z3 = z3
        self.deadline = deadline
        self.path: list[z3.BoolRef] = []
        self.uninterpreted: set[str] = set()
        self._terms: list[Any] = [None]
        self._numbers: dict[int, int] = {}
        self._keys: dict[tuple[Any, ...], int] = {}

    def number(self, term: z3.BitVecRef) -> int:
        """The number of a term; of equal terms, the same."""
        term = self.z3.simplify(term)
        if self.z3.is_bv_value(term) and term.as_long() == 0:
            return 0
        key = term.get_id()
        if key not in self._numbers:
            self._numbers[key] = len(self._terms)
            self._terms.append(term)  # which keeps the term, and so its id
        return self._numbers[key]

    def term(self, number: int, width: int) -> z3.BitVecRef:
        """The term of a number."""
        return self._terms[number] if number else self.z3.BitVecVal(0, width)

    def is_constant(self, number: int) -> bool:
        return number == 0 or bool(self.z3.is_bv_value(self._terms[number]))

    # Arrays ------------------------------------------------------------------------------------------

    def constants(self, values: Any, type_: TensorType) -> Array:
        """Values that are the same in all runs, as terms."""
        codes = _codes(values, type_.element_type.stored)
        distinct, places = np.unique(codes, return_inverse=True)
        width = type_.element_type.width
        numbers = [self.number(self.z3.BitVecVal(int(code), width)) for code in distinct.tolist()]
        return packed(values, np.array(numbers, np.uint64)[places].reshape(np.shape(values)), type_)

    def variables(self, values: Any, type_: TensorType, name: str, *, are_one: bool = False) -> Array:
        """Values of an argument, as terms that stand for any value.

        Args:
          name: of the argument.
          are_one: all elements are one variable.
        """
        width, size = type_.element_type.width, np.size(values)
        numbers = [self.number(self.z3.BitVec(f"{name}.{n}", width)) for n in range(1 if are_one else size)]
        array = np.array(numbers * size if are_one else numbers, np.uint64)
        return packed(values, array.reshape(np.shape(values)), type_)

    def mapped(
        self, formula: Callable[..., Any], values: Any, operands: Sequence[Array], types: Sequence[TensorType]
    ) -> Array:
        """The numbers of a formula of the operands' elements at the same index.

        Args:
          values: what the operation returns in this run; an element of constants is this constant.
          operands: arrays of terms, broadcast against each other.
          types: of the operands, then of the result, with the program's own element types.
        """
        *operand_types, result_type = types
        widths = [type_.element_type.width for type_ in operand_types]
        numbers = np.broadcast_arrays(*[np.asarray(operand)["term"] for operand in operands])
        rows, first, which = np.unique(
            np.stack([row.reshape(-1) for row in numbers], -1), axis=0, return_index=True, return_inverse=True
        )
        flat = np.broadcast_to(np.asarray(values), numbers[0].shape).reshape(-1)
        result: list[int] = []
        for place, row in zip(first.tolist(), rows.tolist(), strict=True):
            if all(map(self.is_constant, row)):
                value = self.constants(flat[place : place + 1], result_type)
                result.append(int(value["term"][0]))
            else:
                result.append(self.number(formula(*map(self.term, row, widths))))
        return np.array(result, np.uint64)[which.reshape(-1)].reshape(numbers[0].shape)

    def function(self, name: str, width: int, operands: Sequence[tuple[int, int]]) -> int:
        """An uninterpreted function of terms.

        Args:
          width: of the result.
          operands: numbers and widths.
        """
        if not operands:
            return self.number(self.z3.BitVec(name, width))
        widths = [own for _, own in operands]
        sorts = map(self.z3.BitVecSort, (*widths, width))
        applied = self.z3.Function(f"{name}/{width}/{widths}", *sorts)
        return self.number(applied(*[self.term(number, own) for number, own in operands]))

    def abbreviated(
        self, name: str, operands: Sequence[tuple[int, int]]
    ) -> tuple[str, Sequence[tuple[int, int]]]:
        """A function of many operands as a constant whose name stands for these operands."""
        if len(operands) <= _MOST_OPERANDS:
            return name, operands
        key = (name, *operands)
        return f"{name}#{self._keys.setdefault(key, len(self._keys))}", ()

    # Decisions ---------------------------------------------------------------------------------------

    def decided(self, array: Array, type_: TensorType, alike: range | None = None) -> Any:
        """The values of this run, which is on the path of all arguments that give them.

        Args:
          type_: with the program's own element type.
          alike: the indices that differ; all below it are alike, and so are all above it.
        """
        element = type_.element_type
        numbers, values = np.asarray(array)["term"], values_of(array)
        codes = _codes(values, element.stored)
        for number, code in sorted(
            set(zip(numbers.reshape(-1).tolist(), codes.reshape(-1).tolist(), strict=True))
        ):
            if not self.is_constant(number):
                self.path.append(self._decision(self.term(number, element.width), element, code, alike))
        return values

    def _decision(
        self, term: z3.BitVecRef, element: ElementType, code: int, alike: range | None
    ) -> z3.BoolRef:
        sign = 1 << element.width - 1
        if alike is None or max(alike.stop, -alike.start) >= sign:
            return term == code
        is_signed = element.kind is Kind.SIGNED
        value = code - 2 * sign if is_signed and code >= sign else code
        if value >= alike.stop:
            return term >= alike.stop if is_signed else self.z3.UGE(term, alike.stop)
        return term < alike.start if value < alike.start else term == code


# Types -------------------------------------------------------------------------------------------------


@cache
def _term_type(element: ElementType) -> ElementType:
    dtype = np.dtype([("value", element.dtype), ("term", "u8")])
    term_type = ElementType(f"bits of {element}", Kind.FIELD, element.width, dtype)
    _STATED[term_type] = element
    return term_type


_STATED: dict[ElementType, ElementType] = {}


def term_type(type_: ValueType) -> ValueType:
    """The type of terms instead of values."""
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(term_type, type_.types)))
    return (
        type_._replace(element_type=_term_type(type_.element_type))
        if isinstance(type_, TensorType)
        else type_
    )


def stated_type(type_: ValueType) -> ValueType:
    """The program's own type of terms; any other type itself."""
    if isinstance(type_, TupleType):
        return TupleType(tuple(map(stated_type, type_.types)))
    if not isinstance(type_, TensorType):
        return type_
    return type_._replace(element_type=_STATED.get(type_.element_type, type_.element_type))


def holds_terms(type_: ValueType) -> bool:
    """Whether a type is one of terms, or a tuple with one."""
    return stated_type(type_) != type_


def packed(values: Any, numbers: Any, type_: TensorType) -> Array:
    """An array of terms.

    Args:
      type_: with the program's own element type.
    """
    array: Any = np.empty(np.shape(values), _term_type(type_.element_type).dtype)
    array["value"], array["term"] = values, numbers
    return array


def values_of(value: Any) -> Any:
    """The values of this run; of a tuple, those of its items."""
    if isinstance(value, tuple):
        return tuple([values_of(item) for item in value])  # pyright: ignore[reportUnknownVariableType] # of values
    if not is_array_of_terms(value):
        return value
    return np.ascontiguousarray(np.asarray(value)["value"]).reshape(np.shape(value))


def is_array_of_terms(value: Any) -> bool:
    return getattr(getattr(value, "dtype", None), "names", None) == ("value", "term")


def numbers_of(value: Array) -> list[int]:
    """The numbers of the terms of an array, the last dimension fastest."""
    return np.asarray(value)["term"].reshape(-1).tolist()


def width_of(value: Array) -> int:
    """The number of bits of an array's elements."""
    return element_type_of(np.asarray(value).dtype["value"]).width


def _codes(values: Any, element: ElementType) -> Any:
    """The bits as integers; of complex numbers, the real part in the low half."""
    codes: Any = significant_bits(np.ascontiguousarray(values).reshape(np.shape(values)), element)
    if element.kind is not Kind.COMPLEX:
        return codes
    parts = codes.astype(object)
    return parts[..., 0] | parts[..., 1] << element.part.width
