"""Operations on whole arrays of exact numbers, and changes of types, as the cards name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.custom_calls import find_custom_call
from hlokit.engine.contract.registry import Kernel, Operation
from hlokit.kernels.custom_calls.dynamic import takes_greatest, top_k
from hlokit.kernels.custom_calls.results import OwnCall, result_types
from hlokit.operations.lookup import traits_of
from hlokit.tools.equal.rules import field, laws
from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.meanings import Binding, Exactly, Followed, Native, Note, settled, told_apart
from hlokit.tools.equal.rules.native import with_native
from hlokit.tools.equal.rules.numbers import (
    COMPLEX,
    LAWFUL,
    REAL,
    Number,
    dtype_of,
    embedded,
    exact_number,
    floats_of,
    is_exact,
    is_same,
    number_of,
    packed,
    stated_type,
)
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

# Choices ---------------------------------------------------------------------------------------------


def _compare(binding: Binding) -> Kernel:
    floats, context = binding.floats().function, binding.context

    def kernel(lhs: Any, rhs: Any) -> Any:
        numbers = number_of(lhs), number_of(rhs)
        context.consume(numbers)
        return floats(*told_apart((floats_of(lhs), floats_of(rhs)), numbers, context.note))

    return Kernel(with_native(binding, Native("comparison"), kernel), pointwise=True)


def _select(binding: Binding) -> Kernel:
    dtype = dtype_of(binding.operation.result_types[0])
    opaque = np.dtype((np.void, dtype.itemsize))  # of records, NumPy compares the fields, in Python

    def kernel(pred: Any, on_true: Any, on_false: Any) -> Any:
        result = _kernels.selected_records(pred, on_true, on_false, dtype)
        if result is not None:
            return result
        one, other = (np.asarray(value).view(opaque) for value in (on_true, on_false))
        return np.where(pred, one, other).view(dtype)

    return Kernel(kernel, pointwise=True)


def _top_k(binding: Binding) -> Kernel:
    return _greatest(binding, binding.operation.result_types)


def _greatest(binding: Binding, types: Sequence[ValueType]) -> Kernel:
    """The greatest elements of each row, the first of equal ones first; NaN is the greatest.

    Args:
      types: of the values and of their indices.
    """
    values, indices = types
    assert isinstance(values, TensorType), "the greatest elements are in a tensor"
    count, dtype, note = values.dims[-1], dtype_of(indices), binding.context.note

    def kernel(operand: Any, *_: Any) -> Any:
        values = _alike(floats_of(operand), number_of(operand).real)
        order = np.lexsort((-values, ~np.isnan(values)), -1)
        greatest = np.take_along_axis(operand, order[..., : count + 1], -1)
        pair = greatest[..., :-1], greatest[..., 1:]
        told_apart(tuple(map(floats_of, pair)), tuple(map(number_of, pair)), note)
        return greatest[..., :count], order[..., :count].astype(dtype)

    return Kernel(kernel)


def _alike(values: Array, numbers: Array) -> Array:
    """Floats of which those with equal numbers are the same."""
    _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
    return values.reshape(-1)[first][which].reshape(values.shape)


def _compared(binding: Binding) -> Kernel:
    """A property of infinities and NaN, which the floats have."""
    floats = binding.floats().function

    def kernel(operand: Any) -> Any:
        return floats(floats_of(operand))

    return Kernel(kernel, pointwise=True)


def _known_call(binding: Binding) -> Kernel | None:
    """The custom calls that stand for `chlo.top_k`."""
    operation = binding.operation
    target = operation.attributes.string("call_target_name")
    types = operation.operand_types, operation.result_types
    call = OwnCall(target, *types, operation.attributes.plain(), ())
    results = result_types(call)
    if find_custom_call(target) is not top_k or not is_exact(types[0][0]) or len(results) != 2:
        return None
    is_static = isinstance(results[0], TensorType) and results[0].is_static
    return _greatest(binding, results) if is_static and takes_greatest(call) else None


COMPARE = Exactly(_compare, compared=((0, 1),))
CUSTOM_CALL = Followed("its exact meaning is not known", _known_call)
COMPARED = Exactly(_compared)
SELECT = Exactly(_select)
TOP_K = Exactly(_top_k)


# Types -----------------------------------------------------------------------------------------------


def _convert(binding: Binding) -> Kernel:
    """Between floats the identity; to integers by the floats; from integers as they are."""
    operand, result = binding.operation.operand(), binding.operation.result()
    if is_exact(operand) and is_exact(result):
        return Kernel(partial(_recast, result.element_type.dtype), pointwise=True)
    if is_exact(result):
        return Kernel(_of_integers(binding), pointwise=True)
    floats, note = binding.floats().function, binding.context.note

    def to_integer(value: Any) -> Any:
        number = number_of(value)
        return floats(settled(floats_of(value).real, number, note).astype(floats_of(value).dtype))

    def to_boolean(value: Any) -> Any:
        number = number_of(value)
        return ~is_same(number, Number(np.zeros_like(number.real)))

    is_boolean = result.element_type.kind is Kind.BOOL
    return Kernel(to_boolean if is_boolean else to_integer, pointwise=True)


def _recast(dtype: np.dtype[Any], value: Any) -> Any:
    """A real number as a complex one, or the real part."""
    array = np.asarray(value)
    if array.dtype == dtype:
        return array
    floats, number = floats_of(array), number_of(array)
    return packed(
        floats if dtype == COMPLEX else floats.real, Number(number.real, degree=number.degree), dtype
    )


def _of_integers(binding: Binding) -> Callable[[Any], Any]:
    floats, dtype = binding.floats().function, dtype_of(binding.operation.result_types[0])

    def kernel(value: Any) -> Any:
        integers = np.asarray(value)
        if integers.dtype.kind not in "biu":  # of fewer than 8 bits
            integers = integers.astype(np.int64)
        if dtype == REAL:
            return _kernels.exact_integers(integers, integers.dtype.kind == "i", dtype)
        law = laws.of_integers(integers) if dtype == LAWFUL else None
        return packed(floats(value), Number(field.of_integers(integers), None, law, 0.0), dtype)

    return kernel


def _bitcast(binding: Binding) -> Kernel:
    """From integers as they are; to integers by the bits of rounded floats."""
    operand, result = binding.operation.operand(), binding.operation.result()
    if operand.element_type == result.element_type:
        return Kernel(_itself, pointwise=True)
    stated, note = binding.bind(stated_type).function, binding.context.note
    rounded_dtype = dtype_of(stated_type(operand))

    def kernel(value: Any) -> Any:
        if is_exact(operand):
            floats = floats_of(value)
            rounded = floats.astype(rounded_dtype)
            wide = exact_number(rounded.astype(floats.dtype), is_lawful=False)
            if not is_same(number_of(value), wide).all():
                note(Note("takes the bits of floats"))
            value = rounded
        bits = np.asarray(stated(value))
        if not is_exact(result):
            return bits
        floats = bits.astype(np.complex128 if bits.dtype.kind == "c" else np.float64)
        return embedded(floats, result.element_type.dtype)

    return Kernel(kernel)


def _itself(value: Any) -> Any:
    return value


def _identity(binding: Binding) -> Kernel:
    del binding
    return Kernel(_itself, pointwise=True)


CONVERT = Exactly(_convert, rounds=True)
BITCAST = Exactly(_bitcast)
REDUCE_PRECISION = Exactly(_identity, rounds=True)


# Functions of whole arrays ---------------------------------------------------------------------------


def _of_matrices(binding: Binding) -> Kernel:
    """An uninterpreted function of the last dimensions of its operands."""
    rank = binding.operation.result().rank
    return _uninterpreted(binding, min(rank, 2))


def _transform(binding: Binding) -> Kernel:
    return _uninterpreted(binding, len(binding.operation.attributes.ints("fft_length")))


def _uninterpreted(binding: Binding, dimensions: int) -> Kernel:
    floats, dtype = binding.floats().function, dtype_of(binding.operation.result_types[0])
    salt, context = salt_of_operation(binding.operation), binding.context

    def kernel(*operands: Any) -> Any:
        context.note(Note("is a function of whole arrays, of which no algebra is known", decides=False))
        result = np.asarray(floats(*map(floats_of, operands)))
        batch = result.shape[: result.ndim - dimensions]
        state = np.zeros(batch, np.uint64)
        for operand in operands:
            number = number_of(operand)
            context.consume([number])
            for part in number.parts:
                rows = part.reshape(*part.shape[: part.ndim - dimensions], -1)
                state = field.hashed(salt, state, row_hashes(rows))
        places = np.arange(prod(result.shape[len(batch) :]), dtype=np.uint64)
        numbers = [
            field.hashed(salt + part, state[..., None], places).reshape(result.shape) for part in range(2)
        ]
        return packed(result, Number(numbers[0], numbers[1] if result.dtype.kind == "c" else None), dtype)

    return Kernel(kernel)


def salt_of_operation(operation: Operation) -> int:
    """A salt for an operation with its attributes; of custom calls, also with the functions of Python.

    The configuration of a call has two names, one for each version of its interface."""
    texts = operation.attributes.texts()
    if not traits_of(operation.name).foreign:
        return field.salt_of(operation.name, *texts)
    plain = [text.removeprefix("mhlo.") for text in texts if not text.startswith("api_version=")]
    configured = [text for text in plain if text not in ("backend_config={}", 'backend_config=""')]
    return field.salt_of(operation.name, *sorted(configured), *map(str, operation.callbacks))


def row_hashes(rows: Array) -> Array:
    """A number for each row: the sum of the hashes of its elements and their places."""
    places = np.arange(rows.shape[-1], dtype=np.uint64)
    return field.reduced(np.add.reduce(field.hashed(1, rows, places), -1))


MATRICES = Exactly(_of_matrices)
TRANSFORM = Exactly(_transform)
