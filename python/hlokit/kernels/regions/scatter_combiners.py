"""Update computations at indices of arrays; indices may repeat.

A known or pointwise computation runs on whole arrays. Where indices repeat, updates run in conflict-free
rounds: round k applies the k-th update of each index, which keeps the order of updates per index. Only other
computations run one update at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.engine.contract.canonical_nan import canonical_of
from hlokit.engine.contract.interrupts import interruptible
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.bodies import NativeBody, combination, in_rows, native_body
from hlokit.engine.native.ir.target import bits_of, is_enabled
from hlokit.engine.plan.block import plan_of
from hlokit.kernels.contractions.compensated import sum_at
from hlokit.kernels.regions.reducers import Reducer, find_reducer
from hlokit.operations.lookup import opcode_name
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
Indices = npt.NDArray[np.intp]
Arrays = Sequence[Array]
Values = Sequence[Value]

# Rounds of at most this number of indices are slower than a loop over the updates.
_MIN_ROUND = 8


class RowIndices(NamedTuple):
    """Index vectors, each of which selects a row: the sum over its components of index * step.

    Attributes:
      indices: an array [component, vector].
      type_name: the element type of the indices.
      components: (extent, step) of each component. A vector with an index outside [0, extent) selects no row.
    """

    indices: Any
    type_name: str
    components: tuple[tuple[int, int], ...]


class Combiner(Protocol):
    """Computes new values from old values and updates.

    Attributes:
      is_vectorized: whether `combine` takes arrays.
      ignores_old: whether the new values are the updates.
    """

    @property
    def is_vectorized(self) -> bool: ...

    @property
    def ignores_old(self) -> bool: ...

    def combine(self, old: Values, new: Values, captured: Values) -> Values:
        """The new values at distinct indices."""
        ...

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        """Update `results` in place: element (or row) `indices[i]` of each array by element i of `new`, in
        order.
        """
        ...


def find_combiner(
    computation: Region,
    dtypes: Sequence[np.dtype[np.generic]],
    *,
    is_unique: bool,
    is_precise: bool = False,
) -> Combiner:
    """The fastest combiner for a computation with arguments (old..., new...).

    Args:
      dtypes: the dtypes of the arrays.
      is_unique: whether no index occurs twice.
      is_precise: whether the sum or product of all updates of an index is rounded once.
    """
    count = len(dtypes)
    plan = plan_of(computation)
    if not plan.steps and plan.outputs == tuple(range(count, 2 * count)):
        if count > 1 or dtypes[0].itemsize > 8 or not is_enabled():
            return _Replace()
        native_name = "replace", f"ui{8 * dtypes[0].itemsize}"
        return NativeCombiner(computation, native_name, ignores_old=True)
    if is_precise and count == 1 and not is_unique:
        reducer = find_reducer(computation)
        if reducer is not None and reducer.rounds and reducer.dtype == dtypes[0]:
            return _Precise(reducer, computation)
    is_pointwise = computation.is_pointwise
    if is_pointwise and count == 1:
        native_name = _native_name(computation)
        if native_name is not None:
            return NativeCombiner(computation, native_name)
    ufunc = computation.ufunc
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


def _native_name(computation: Region) -> tuple[str, str] | None:
    """The combination of `_kernels.combine`; that of the parts for sums of complex numbers."""
    type_ = computation.argument_types[0]
    if not isinstance(type_, TensorType) or type_.element_type.kind is not Kind.COMPLEX:
        return combination(computation.binary, type_)
    if opcode_name(computation.binary or "") != "add":
        return None
    return combination(computation.binary, type_._replace(element_type=type_.element_type.part))


def _is_extremum_of_floats(ufunc: np.ufunc | None, computation: Region) -> bool:
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

    is_vectorized = True
    ignores_old = True

    def combine(self, old: Values, new: Values, captured: Values) -> Values:
        del old, captured
        return new

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        del captured
        for result, values in zip(results, new, strict=True):
            # NumPy assigns in the order of a 1-dimensional index, so the last update remains.
            result[indices] = values


class _Ufunc:
    """ufunc(old, new) of one array"""

    is_vectorized = True
    ignores_old = False

    def __init__(self, ufunc: np.ufunc, is_unique: bool) -> None:
        self._ufunc = ufunc
        self._is_unique = is_unique

    def combine(self, old: Values, new: Values, captured: Values) -> Values:
        del captured
        return (canonical_of(self._ufunc(old[0], new[0])),)

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        del captured
        ((result,), (values,)) = results, new
        if self._is_unique:
            result[indices] = canonical_of(self._ufunc(result[indices], values))
            return
        if result.ndim > 1:
            indices = _elements(indices, result.shape[1])
            result, values = result.reshape(-1), values.reshape(-1)
        self._ufunc.at(result, indices, values)
        # Elements without updates keep their bits.
        reached = result[indices]
        if (canonical := canonical_of(reached)) is not reached:
            result[indices] = canonical


class _Loop:
    """Any computation, one update at a time."""

    is_vectorized = False
    ignores_old = False

    def __init__(self, computation: Region) -> None:
        self._computation = computation

    def combine(self, old: Values, new: Values, captured: Values) -> Values:
        values = self._computation(*old, *new, *captured)
        return (values,) if len(old) == 1 else values

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        if results[0].ndim > 1:
            indices = _elements(indices, results[0].shape[1])
            results = [result.reshape(-1) for result in results]
            new = [values.reshape(-1) for values in new]
        self._scalar_loop(results, indices, new, captured, range(indices.size))

    def _scalar_loop(
        self, results: Arrays, indices: Indices, new: Arrays, captured: Values, chosen: Sequence[int]
    ) -> None:
        where = indices.tolist()
        if len(results) == 1:
            # Inlined, because a call would take as long as the update.
            ((result,), (values,)), computation = (results, new), self._computation
            for i in chosen:
                index = where[i]
                result[index] = computation(result[index], values[i], *captured)
            return
        for i in chosen:
            index = where[i]
            updated = self.combine([result[index] for result in results], [v[i] for v in new], captured)
            for result, value in zip(results, updated, strict=True):
                result[index] = value


class _Pointwise(_Loop):
    """A pointwise computation, on whole arrays."""

    is_vectorized = True
    ignores_old = False

    def __init__(self, computation: Region, is_unique: bool) -> None:
        super().__init__(computation.vectorized)
        self._is_unique = is_unique

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        if self._is_unique:
            self._round(results, indices, new, captured)
            return
        min_round = _MIN_ROUND if results[0].ndim == 1 else 0
        for chosen, there in conflict_free_rounds(indices, min_round):
            if there is None:
                self._scalar_loop(results, indices, new, captured, chosen.tolist())
            else:
                self._round(results, there, [values[chosen] for values in new], captured)

    def _round(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        values = self.combine([result[indices] for result in results], new, captured)
        for result, value in zip(results, values, strict=True):
            result[indices] = value


class NativeCombiner(_Pointwise):
    """A computation in compiled code, in the order of the updates.

    Args:
      native_name: the operation and element type of `_kernels.combine`; None with a native body.
      ignores_old: whether the computation returns the update.
    """

    def __init__(
        self,
        computation: Region,
        native_name: tuple[str, str] | None,
        native: NativeBody | None = None,
        *,
        ignores_old: bool = False,
    ) -> None:
        super().__init__(computation, is_unique=False)
        self._native_name, self._native = native_name, native
        self.ignores_old = ignores_old
        ufunc = computation.ufunc if native_name is not None else None
        self._ufunc = None if _is_extremum_of_floats(ufunc, computation) else ufunc

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        self.update_rows(results, RowIndices(indices[None], "i64", ((len(results[0]), 1),)), new, captured)

    def update_rows(self, results: Arrays, vectors: RowIndices, new: Arrays, captured: Values) -> None:
        """Update `results` in place: the row that each vector selects by the row of `new`, in order."""
        rows, width = results[0].shape if results[0].ndim > 1 else (results[0].size, 1)
        if self._native_name is not None:
            name, type_name = self._native_name
            result: Any = results[0]
            values: Any = np.ascontiguousarray(new[0])
            if name == "replace":
                result, values = result.view(f"u{result.itemsize}"), values.view(f"u{values.itemsize}")
            elif result.dtype.kind == "c":
                result, values = result.view(result.real.dtype), values.view(result.real.dtype)
                width *= 2
            where = vectors.indices, vectors.type_name, vectors.components, rows, width
            # Complex numbers may not be aligned to the words that move their bits.
            aligned = np.require(result, requirements="A")
            _kernels.combine(
                name, type_name, bits_of(aligned), bits_of(np.require(values, requirements="A")), *where
            )
            if aligned is not result:
                result[...] = aligned
            return
        assert self._native is not None
        self._native.program.scatter(
            self._native.initial_registers(captured),
            [bits_of(result) for result in results],
            [in_rows(values) for values in new],
            *(vectors.indices, vectors.type_name, vectors.components, rows, width),
        )

    def combine(self, old: Values, new: Values, captured: Values) -> Values:
        if self.ignores_old:
            return new
        if self._ufunc is None:
            return super().combine(old, new, captured)
        return (canonical_of(self._ufunc(old[0], new[0])),)


class _Precise(_Pointwise):
    """A sum or product, in f64 for narrower floats and compensated for f64."""

    def __init__(self, reducer: Reducer, computation: Region) -> None:
        super().__init__(computation, is_unique=False)
        self._reducer = reducer.precise()

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        ((result,), (values,)), reducer = (results, new), self._reducer
        if reducer.ufunc is np.add and reducer.is_compensated:
            sum_at(result, indices, values)
            rows = interruptible(np.unique, indices)
            result[rows] = canonical_of(result[rows])
            return
        wide = [reducer.widen(result)]
        if wide[0] is result:
            super().update(results, indices, new, captured)
            return
        _Ufunc(reducer.ufunc, is_unique=False).update(wide, indices, [reducer.widen(values)], captured)
        result[...] = reducer.narrow(wide[0])


def _elements(indices: Indices, width: int) -> Indices:
    """Flat indices of the elements of rows."""
    return np.add.outer(indices * width, np.arange(width)).reshape(-1)


class _Extremum(_Pointwise):
    """maximum or minimum of floats. The ufunc ignores the sign of zeros, so it applies only if no -0
    occurs."""

    def __init__(self, ufunc: np.ufunc, computation: Region, is_unique: bool) -> None:
        super().__init__(computation, is_unique)
        self._ufunc = _Ufunc(ufunc, is_unique)

    def update(self, results: Arrays, indices: Indices, new: Arrays, captured: Values) -> None:
        if _has_negative_zero(new[0]) or _has_negative_zero(results[0]):
            super().update(results, indices, new, captured)
        else:
            self._ufunc.update(results, indices, new, captured)


def _has_negative_zero(array: Array) -> bool:
    return bool((np.signbit(array) & (array == 0)).any())


def conflict_free_rounds(indices: Indices, min_round: int = 0) -> Iterator[tuple[Indices, Indices | None]]:
    """Pairs (positions in `indices`, the indices there) in rounds: round k has the k-th occurrence of each
    index.

    When a round would have at most `min_round` indices, the last pair is (all remaining positions, None).
    """
    order, grouped = _sorted(indices)
    starts = np.flatnonzero(np.concatenate(([True], grouped[1:] != grouped[:-1])))
    ends = np.append(starts[1:], indices.size)
    while starts.size > min_round:
        yield order[starts], grouped[starts]
        starts = starts + 1
        left = starts < ends
        if not left.all():
            starts, ends = starts[left], ends[left]
    if starts.size:
        yield np.concatenate([order[start:end] for start, end in zip(starts, ends, strict=True)]), None


def _sorted(indices: Indices) -> tuple[Indices, Indices]:
    """(stable sort order of the indices, sorted indices)."""
    # Sorting index and position packed into one integer is several times faster than a stable argsort.
    bits = indices.size.bit_length()
    if int(indices.max()).bit_length() + bits > 62:
        order = interruptible(np.argsort, indices, -1, "stable")
        return order, indices[order]
    packed = (indices << bits) | np.arange(indices.size)
    interruptible(np.ndarray.sort, packed)
    return packed & ((1 << bits) - 1), packed >> bits
