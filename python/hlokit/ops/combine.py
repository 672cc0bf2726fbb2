"""Applying a computation of (old values, updates) at places of arrays, some of them more than once.

A computation that is known or pointwise runs on whole arrays; where places repeat, in rounds of which the
k-th applies the k-th update of each place, so that the order at each place is that of the updates. Only a
computation that is neither is looped over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hlokit import _native
from hlokit.interpreter.block import Block
from hlokit.interpreter.bodies import NativeBody, are_native, combination, in_rows, native_body
from hlokit.interpreter.machine import bits_of
from hlokit.interpreter.registry import Value
from hlokit.interpreter.switches import is_on
from hlokit.ops.compensated import sum_at
from hlokit.ops.reducers import Reducer, find_reducer
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
Positions = npt.NDArray[np.intp]
Arrays = Sequence[Array]
Values = Sequence[Value]

# Rounds of this many places or fewer take longer than their elements one by one.
_FEW_PLACES = 8


@dataclass(frozen=True, slots=True)
class Vectors:
    """Index vectors, each of which means a row: the sum over its components of index * step.

    Attributes:
      indices: array [component, vector].
      type_name: of the indices.
      components: (extent, step) of each; a vector means no row if an index is not from 0 to below its extent.
    """

    indices: Any
    type_name: str
    components: tuple[tuple[int, int], ...]


class Combiner(Protocol):
    """How new values come from old values and updates.

    Attributes:
      takes_windows: `together` works on arrays.
      ignores_old: new values are the updates.
    """

    @property
    def takes_windows(self) -> bool: ...

    @property
    def ignores_old(self) -> bool: ...

    def together(self, old: Values, new: Values, captured: Values) -> Values:
        """The new values of places that differ from each other."""
        ...

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        """Update `results` in place: element (or row) `places[i]` of each by i of `new`, in order."""
        ...


def find_combiner(
    computation: Block,
    dtypes: Sequence[np.dtype[np.generic]],
    *,
    is_unique: bool,
    is_precise: bool = False,
) -> Combiner:
    """The quickest way to apply a computation with arguments (old..., new...).

    Args:
      dtypes: of the arrays.
      is_unique: no place occurs twice.
      is_precise: sums and products of all updates of a place are rounded once.
    """
    count = len(dtypes)
    plan = computation.plan
    if not plan.steps and plan.outputs == tuple(range(count, 2 * count)):
        if count > 1 or dtypes[0].itemsize > 8 or not are_native():
            return _Replace()
        known = "replace", f"ui{8 * dtypes[0].itemsize}"
        return NativeCombiner(computation, known, ignores_old=True)
    if is_precise and count == 1 and not is_unique:
        reducer = find_reducer(computation)
        if reducer is not None and reducer.rounds and reducer.dtype == dtypes[0]:
            return _Precise(reducer, computation)
    is_pointwise = computation.is_pointwise
    if is_pointwise and count == 1:
        known = combination(computation.binary, computation.argument_types[0])
        if known is not None:
            return NativeCombiner(computation, known)
    ufunc = computation.ufunc if is_on("scatter-ufuncs") else None
    if ufunc is not None and count == 1 and _has_at(ufunc, dtypes[0]):
        if _is_extremum_of_floats(ufunc, computation):
            return _Extremum(ufunc, computation, is_unique)
        return _Ufunc(ufunc, is_unique)
    if is_pointwise:
        native = native_body(computation)
        if native is not None:
            return NativeCombiner(computation, None, native)
        return _Pointwise(computation, is_unique)
    return _Loop(computation)


def _is_extremum_of_floats(ufunc: np.ufunc | None, computation: Block) -> bool:
    type_ = computation.argument_types[0]
    is_float = isinstance(type_, TensorType) and type_.element_type.kind is Kind.FLOAT
    return is_float and ufunc in (np.maximum, np.minimum)


def _has_at(ufunc: np.ufunc, dtype: np.dtype[np.generic]) -> bool:
    array = np.zeros(1, dtype)
    try:
        ufunc.at(array, np.zeros(1, np.intp), array.copy())
    except TypeError:
        return False
    return True


class _Replace:
    """new"""

    takes_windows = True
    ignores_old = True

    def together(self, old: Values, new: Values, captured: Values) -> Values:
        del old, captured
        return new

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        del captured
        for result, values in zip(results, new, strict=True):
            # NumPy assigns in the order of a 1-dimensional index: the last update stays.
            result[places] = values


class _Ufunc:
    """ufunc(old, new) of one array"""

    takes_windows = True
    ignores_old = False

    def __init__(self, ufunc: np.ufunc, is_unique: bool) -> None:
        self._ufunc = ufunc
        self._is_unique = is_unique

    def together(self, old: Values, new: Values, captured: Values) -> Values:
        del captured
        return (self._ufunc(old[0], new[0]),)

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        del captured
        ((result,), (values,)) = results, new
        if self._is_unique:
            result[places] = self._ufunc(result[places], values)
            return
        if result.ndim == 1:
            self._ufunc.at(result, places, values)
            return
        places = _elements(places, result.shape[1])
        self._ufunc.at(result.reshape(-1), places, values.reshape(-1))


class _Loop:
    """The computation, an element at a time."""

    takes_windows = False
    ignores_old = False

    def __init__(self, computation: Block) -> None:
        self._computation = computation

    def together(self, old: Values, new: Values, captured: Values) -> Values:
        values = self._computation(*old, *new, *captured)
        return (values,) if len(old) == 1 else values

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        if results[0].ndim > 1:
            places = _elements(places, results[0].shape[1])
            results = [result.reshape(-1) for result in results]
            new = [values.reshape(-1) for values in new]
        self._one_by_one(results, places, new, captured, range(places.size))

    def _one_by_one(
        self, results: Arrays, places: Positions, new: Arrays, captured: Values, chosen: Sequence[int]
    ) -> None:
        where = places.tolist()
        if len(results) == 1:
            # In line: every microsecond counts an update.
            ((result,), (values,)), computation = (results, new), self._computation
            for i in chosen:
                place = where[i]
                result[place] = computation(result[place], values[i], *captured)
            return
        for i in chosen:
            place = where[i]
            updated = self.together([result[place] for result in results], [v[i] for v in new], captured)
            for result, value in zip(results, updated, strict=True):
                result[place] = value


class _Pointwise(_Loop):
    """The computation, on whole arrays."""

    takes_windows = True
    ignores_old = False

    def __init__(self, computation: Block, is_unique: bool) -> None:
        super().__init__(computation)
        self._is_unique = is_unique

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        if self._is_unique:
            self._round(results, places, new, captured)
            return
        few = _FEW_PLACES if results[0].ndim == 1 else 0
        for chosen, there in in_rounds(places, few):
            if there is None:
                self._one_by_one(results, places, new, captured, chosen.tolist())
            else:
                self._round(results, there, [values[chosen] for values in new], captured)

    def _round(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        values = self.together([result[places] for result in results], new, captured)
        for result, value in zip(results, values, strict=True):
            result[places] = value


class NativeCombiner(_Pointwise):
    """The computation in compiled code, in the order of the updates.

    Args:
      known: the operation and the type of `_native.combine` that it is; else it has a native body.
      ignores_old: it is its second argument.
    """

    def __init__(
        self,
        computation: Block,
        known: tuple[str, str] | None,
        native: NativeBody | None = None,
        *,
        ignores_old: bool = False,
    ) -> None:
        super().__init__(computation, is_unique=False)
        self._known, self._native = known, native
        self.ignores_old = ignores_old
        ufunc = computation.ufunc if known is not None else None
        self._ufunc = None if _is_extremum_of_floats(ufunc, computation) else ufunc

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        self.at_vectors(results, Vectors(places[None], "i64", ((len(results[0]), 1),)), new, captured)

    def at_vectors(self, results: Arrays, vectors: Vectors, new: Arrays, captured: Values) -> None:
        """Update `results` in place: the row that each vector means, by that of `new`, in order."""
        rows, width = results[0].shape if results[0].ndim > 1 else (results[0].size, 1)
        where = vectors.indices, vectors.type_name, vectors.components, rows, width
        if self._known is not None:
            name, type_name = self._known
            result, values = results[0], np.ascontiguousarray(new[0])
            if name == "replace":
                result, values = result.view(f"u{result.itemsize}"), values.view(f"u{values.itemsize}")
            # Complex numbers may lie across the words that their bits are moved in.
            aligned = np.require(result, requirements="A")
            _native.combine(
                name, type_name, bits_of(aligned), bits_of(np.require(values, requirements="A")), *where
            )
            if aligned is not result:
                result[...] = aligned
            return
        assert self._native is not None
        self._native.program.scatter(
            self._native.image(captured),
            [bits_of(result) for result in results],
            [in_rows(values) for values in new],
            *where,
        )

    def together(self, old: Values, new: Values, captured: Values) -> Values:
        if self.ignores_old:
            return new
        return super().together(old, new, captured) if self._ufunc is None else (self._ufunc(old[0], new[0]),)


class _Precise(_Pointwise):
    """A sum or product: of floats narrower than f64 in f64, of f64 with compensation."""

    def __init__(self, reducer: Reducer, computation: Block) -> None:
        super().__init__(computation, is_unique=False)
        self._reducer = reducer.precise()

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        ((result,), (values,)), reducer = (results, new), self._reducer
        if reducer.ufunc is np.add and reducer.is_compensated:
            sum_at(result, places, values)
            return
        wide = [reducer.widen(result)]
        if wide[0] is result:
            super().at(results, places, new, captured)
            return
        _Ufunc(reducer.ufunc, is_unique=False).at(wide, places, [reducer.widen(values)], captured)
        result[...] = reducer.narrow(wide[0])


def _elements(places: Positions, width: int) -> Positions:
    """Places of the elements of rows."""
    return np.add.outer(places * width, np.arange(width)).reshape(-1)


class _Extremum(_Pointwise):
    """maximum or minimum of floats: the ufunc does not tell -0 from +0, and serves where there is no -0."""

    def __init__(self, ufunc: np.ufunc, computation: Block, is_unique: bool) -> None:
        super().__init__(computation, is_unique)
        self._ufunc = _Ufunc(ufunc, is_unique)

    def at(self, results: Arrays, places: Positions, new: Arrays, captured: Values) -> None:
        if _has_negative_zero(new[0]) or _has_negative_zero(results[0]):
            super().at(results, places, new, captured)
        else:
            self._ufunc.at(results, places, new, captured)


def _has_negative_zero(array: Array) -> bool:
    return bool((np.signbit(array) & (array == 0)).any())


def in_rounds(places: Positions, few: int = 0) -> Iterator[tuple[Positions, Positions | None]]:
    """(indices of `places`, the places there) in rounds: the k-th has the k-th occurrence of each place.

    Once only `few` places are left, the rest comes as (indices, None), to be taken one by one.
    """
    order, grouped = _sorted(places)
    starts = np.flatnonzero(np.concatenate(([True], grouped[1:] != grouped[:-1])))
    ends = np.append(starts[1:], places.size)
    while starts.size > few:
        yield order[starts], grouped[starts]
        starts = starts + 1
        left = starts < ends
        if not left.all():
            starts, ends = starts[left], ends[left]
    if starts.size:
        yield np.concatenate([order[start:end] for start, end in zip(starts, ends, strict=True)]), None


def _sorted(places: Positions) -> tuple[Positions, Positions]:
    """(their stable order, the places in it)."""
    # Sorting place and number packed into one integer is several times as fast as a stable argsort.
    bits = places.size.bit_length()
    if int(places.max()).bit_length() + bits > 62:
        order = np.argsort(places, kind="stable")
        return order, places[order]
    packed = (places << bits) | np.arange(places.size)
    packed.sort()
    return packed & ((1 << bits) - 1), packed >> bits
