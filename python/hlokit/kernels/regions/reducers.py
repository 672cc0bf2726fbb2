"""Bodies of reductions, applied to whole arrays.

From fast to slow:

- a known body (`find_reducer`): the sum, product, extremum or logical operation of its arguments, for which
  NumPy has a ufunc in any dtype;
- a pointwise body: evaluated on whole arrays (`vectorized_body`), log2(n) times for n values (`tree_reduce`);
- any other body: called once per pair of values, in the same order.

Reductions are in-order trees: a body that is not commutative receives earlier values on its left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.kernels.contractions.compensated import is_compensated
from hlokit.kernels.elementwise.narrow_floats import rounding, widen
from hlokit.kernels.elementwise.native import complex_function
from hlokit.values.element_types import COMPLEX_F64, ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
Arrays = tuple[Array, ...]
CombineFunction = Callable[[Arrays, Arrays], Arrays]

_F32 = np.dtype(np.float32)
_NEGATIVE_ZERO = {np.dtype(np.float32): np.int32(-(2**31)), np.dtype(np.float64): np.int64(-(2**63))}


def in_pairs(add: Callable[[Any, Any], Any], term: Callable[[int], Any], terms: range) -> Any:
    """The sum of at least one term: the sums of both halves, added, each of which is that of its halves, ...;
    an odd number of terms is added one by one."""
    if len(terms) % 2 == 0:
        middle = len(terms) // 2
        return add(in_pairs(add, term, terms[:middle]), in_pairs(add, term, terms[middle:]))
    total = term(terms[0])
    for number in terms[1:]:
        total = add(total, term(number))
    return total


class Reducer(NamedTuple):
    """A commutative and associative body that one ufunc computes.

    Attributes:
      ufunc: the ufunc that computes the body on values of dtype `work`.
      dtype: the dtype of the operands and the result.
      work: the dtype of the computation, which represents all values of `dtype`. Results are rounded or
        wrapped to `dtype` at the end.
      accumulator: the dtype of long reductions: f64 for sums and products of floats, which are then rounded
        once.
      identity: the identity of the ufunc in `dtype`.
      is_extremum: whether the ufunc is a maximum or minimum of floats, which ignores the sign of a zero.
    """

    ufunc: np.ufunc
    dtype: np.dtype[np.generic]
    work: np.dtype[np.generic]
    accumulator: np.dtype[np.generic]
    identity: float
    is_extremum: bool = False

    @property
    def function(self) -> Callable[[Any, Any], Any]:
        """The ufunc, or hlokit's function for complex products, whose rounding in ufuncs depends on the
        processor."""
        return _complex_product if self.ufunc is np.multiply and self.work.kind == "c" else self.ufunc

    @property
    def rounds(self) -> bool:
        """Whether the result depends on the order of the values."""
        return self.ufunc in (np.add, np.multiply) and self.accumulator.kind in "fc"

    @property
    def is_compensated(self) -> bool:
        """Whether high precision requires compensated arithmetic: no accumulator is wider than `dtype`."""
        return self.rounds and self.dtype == self.accumulator and is_compensated(self.ufunc, self.dtype)

    def precise(self) -> Reducer:
        """The reducer that computes in its accumulator type throughout."""
        return self._replace(work=self.accumulator) if self.rounds else self

    def widen(self, array: Value) -> Value:
        """Values of `dtype` in dtype `work`."""
        if self.work is self.dtype:
            return array
        return widen(array) if self.work == _F32 else array.astype(self.work)

    def narrow(self, array: Value) -> Value:
        """Values of dtype `work` or `accumulator` in `dtype`."""
        if array.dtype == self.dtype:
            return array
        if array.dtype.kind != "f":
            return array.astype(self.dtype)
        # A full reduction returns a NumPy scalar, but rounding takes arrays.
        rounded = rounding(self.dtype, array.dtype)(array if array.ndim else array.reshape(1))
        return rounded if array.ndim else rounded[0]


def _complex_product(lhs: Array, rhs: Array) -> Array:
    """The product of complex numbers, computed in f64."""
    multiply = complex_function("multiply", COMPLEX_F64, 2)
    product = multiply(lhs.astype(np.complex128), rhs.astype(np.complex128))
    return product.astype(np.result_type(lhs, rhs))


def has_negative_zero(array: Value) -> bool:
    """Whether a value of dtype f32 or f64 is -0, which NumPy's extrema treat like +0."""
    bits = _NEGATIVE_ZERO[array.dtype]
    return bool((array.view(bits.dtype) == bits).any())


_ADD, _MULTIPLY, _MAXIMUM, _MINIMUM = (
    f"stablehlo.{name}" for name in ("add", "multiply", "maximum", "minimum")
)
_AND, _OR, _XOR = (f"stablehlo.{name}" for name in ("and", "or", "xor"))


def find_reducer(body: Region) -> Reducer | None:
    """The reducer that a body of two arguments computes; None for other bodies."""
    type_ = body.argument_types[0]
    name = body.binary
    if name is None or not isinstance(type_, TensorType):
        return None
    element_type = type_.element_type
    match element_type.kind:
        case Kind.BOOL:
            return _logical(name, element_type)
        case Kind.SIGNED | Kind.UNSIGNED:
            return _integer(name, element_type)
        case Kind.FLOAT | Kind.COMPLEX:
            return _floating(name, element_type)
        case _:
            return None


def float_sum(element_type: ElementType) -> Reducer | None:
    """The reducer for sums of floats or complex numbers; None for other types."""
    return _floating(_ADD, element_type) if element_type.kind.is_inexact else None


def _logical(name: str, element_type: ElementType) -> Reducer | None:
    bool_ = element_type.dtype
    match name:
        case "stablehlo.add" | "stablehlo.or" | "stablehlo.maximum":
            return Reducer(np.logical_or, bool_, bool_, bool_, 0)
        case "stablehlo.multiply" | "stablehlo.and" | "stablehlo.minimum":
            return Reducer(np.logical_and, bool_, bool_, bool_, 1)
        case "stablehlo.xor":  # NumPy's loop is 20 times faster for bytes than for bools
            byte = np.dtype(np.uint8)
            return Reducer(np.bitwise_xor, bool_, byte, byte, 0)
        case _:
            return None


def _integer(name: str, element_type: ElementType) -> Reducer | None:
    signed, width = element_type.kind is Kind.SIGNED, element_type.width
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    ufuncs: dict[str, tuple[np.ufunc, int]] = {
        _ADD: (np.add, 0),
        _MULTIPLY: (np.multiply, 1),
        _MAXIMUM: (np.maximum, low),
        _MINIMUM: (np.minimum, high),
        _AND: (np.bitwise_and, -1 if signed else high),
        _OR: (np.bitwise_or, 0),
        _XOR: (np.bitwise_xor, 0),
    }
    if name not in ufuncs:
        return None
    ufunc, identity = ufuncs[name]
    # Narrow integers wrap at 8 bits during the reduction and at their width at the end, which gives the same
    # result.
    work = np.dtype(np.int8 if signed else np.uint8) if element_type.is_narrow_integer else element_type.dtype
    return Reducer(ufunc, element_type.dtype, work, work, identity)


def _floating(name: str, element_type: ElementType) -> Reducer | None:
    dtype = element_type.dtype
    work = np.dtype(np.float32) if element_type.is_narrow_float else dtype
    match name:
        case "stablehlo.add" | "stablehlo.multiply":
            ufunc, identity = (np.add, 0.0) if name == _ADD else (np.multiply, 1.0)
            wide = np.dtype(np.complex128 if element_type.kind is Kind.COMPLEX else np.float64)
            wide = dtype if dtype.itemsize > wide.itemsize else wide  # for longdouble
            return Reducer(ufunc, dtype, work, wide, identity)
        case "stablehlo.maximum" | "stablehlo.minimum" if element_type.kind is Kind.FLOAT:
            ufunc, identity = (np.maximum, -np.inf) if name == _MAXIMUM else (np.minimum, np.inf)
            return Reducer(ufunc, dtype, work, work, identity, is_extremum=True)
        case _:
            return None


def combine_function(body: Region, count: int, captured: Sequence[Value]) -> CombineFunction:
    """A body as a function of two tuples of `count` arrays of one shape."""
    if body.is_pointwise:
        return vectorized_body(body, count, captured)

    def apply(lhs: Arrays, rhs: Arrays) -> Arrays:
        results = tuple([np.empty(array.shape, array.dtype) for array in lhs])
        for index in np.ndindex(lhs[0].shape):
            combined = body(*[array[index] for array in (*lhs, *rhs)], *captured)
            for result, value in zip(results, (combined,) if count == 1 else combined, strict=True):
                result[index] = value
        return results

    return apply


def vectorized_body(body: Region, count: int, captured: Sequence[Value]) -> CombineFunction:
    """A pointwise body as a function of two tuples of `count` arrays of one shape."""
    compute = body.vectorized

    def apply(lhs: Arrays, rhs: Arrays) -> Arrays:
        results = compute(*lhs, *rhs, *captured)
        results = (results,) if count == 1 else results
        shape = lhs[0].shape
        return tuple(
            [result if result.shape == shape else np.broadcast_to(result, shape) for result in results]
        )

    return apply


def tree_reduce(apply: CombineFunction, arrays: Arrays, waiting: list[Arrays] | None = None) -> Arrays:
    """Reduce the leading axis by combining neighbours in pairs until one value is left.

    A last value without a neighbour is added to `waiting`, and the values in `waiting` are combined at the
    end. `waiting` contains the values of earlier levels; if it is empty, the axis must not be empty.
    """
    waiting = [] if waiting is None else waiting
    while arrays[0].shape[0] > 1:
        arrays = tree_level(apply, arrays, waiting)
    if arrays[0].shape[0]:
        waiting.append(tuple([array[0] for array in arrays]))
    result = waiting.pop()
    for last in reversed(waiting):
        result = apply(result, last)
    return result


def tree_level(apply: CombineFunction, arrays: Arrays, waiting: list[Arrays]) -> Arrays:
    """One level of the tree: half as many values. A last value without a neighbour is added to `waiting`."""
    size = arrays[0].shape[0]
    if size % 2:
        waiting.append(tuple([array[-1] for array in arrays]))
    return apply(
        tuple([array[0 : size - 1 : 2] for array in arrays]), tuple([array[1:size:2] for array in arrays])
    )
