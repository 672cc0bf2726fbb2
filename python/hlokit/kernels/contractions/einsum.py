"""einsum and unary_einsum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.errors import EvaluationError
from hlokit.kernels.contractions.compensated import matmul
from hlokit.kernels.contractions.dot_general import BY_DTYPE
from hlokit.kernels.contractions.native_products import matmul_of
from hlokit.kernels.contractions.products import Array, Types, typed_product
from hlokit.values.types import TensorType

Shape = tuple[int, ...]


def einsum(operation: Operation) -> Kernel:
    """Not in the spec: sum of products of two operands in Einstein's notation, e.g. `ab,bc->ac`."""
    lhs, rhs = operation.operand(0), operation.operand(1)
    return Kernel(_einsum(_config(operation), lhs, rhs, operation.result(), operation.is_precise))


def unary_einsum(operation: Operation) -> Kernel:
    """Not in the spec: sum over one operand, e.g. `ab->a`, as einsum with the factor 1."""
    operand = operation.operand()
    factor = TensorType((), operand.element_type)
    one = np.ones((), operand.element_type.dtype)
    config, result = f",{_config(operation)}", operation.result()
    return Kernel(partial(_einsum(config, factor, operand, result, operation.is_precise), one))


def _config(operation: Operation) -> str:
    return operation.attributes.string("einsum_config").replace(" ", "")


def _einsum(
    config: str, lhs: TensorType, rhs: TensorType, result: TensorType, is_precise: bool
) -> Callable[[Value, Value], Value]:
    inputs, _, output = config.partition("->")
    lhs_labels, rhs_labels = inputs.split(",")
    for labels, type_ in ((lhs_labels, lhs), (rhs_labels, rhs)):
        if "..." not in labels and len(labels) != type_.rank:
            raise EvaluationError(f"einsum_config must name the dimensions of {type_}, got '{labels}'")

    def product(a: Array, b: Array) -> Array:
        if a.dtype not in BY_DTYPE:
            _sizes(_names(lhs_labels, a.ndim), _names(rhs_labels, b.ndim), a, b)
            return np.asarray(np.einsum(config, a, b))  # integers, for which any order gives the same result
        return _einsum_of_floats(lhs_labels, rhs_labels, output, a, b, _fill)

    def precise(a: Array, b: Array) -> Array:
        return _einsum_of_floats(lhs_labels, rhs_labels, output, a, b, _fill_with_compensation)

    def terms(a: Array, b: Array) -> int:
        sizes = _label_sizes(lhs_labels, a.shape) | _label_sizes(rhs_labels, b.shape)
        return prod(size for label, size in sizes.items() if label not in output)

    types = Types(lhs.element_type, rhs.element_type, result.element_type)
    return typed_product(types, product, terms, precise if is_precise else None)


# Fills the third array with the products of the others: [batch..., rows..., terms...] times [batch...,
# terms..., columns...], with the given numbers of batch dimensions and dimensions of terms.
_Fill = Callable[[Array, Array, Array, int, int], None]


def _fill(a: Array, b: Array, result: Array, batch: int, terms: int) -> None:
    matmul_of(BY_DTYPE[a.dtype], batch, terms)(a, b, result)


def _fill_with_compensation(a: Array, b: Array, result: Array, batch: int, terms: int) -> None:
    shape, rows_end = a.shape[:batch], a.ndim - terms
    count = prod(a.shape[rows_end:])
    left = a.reshape(*shape, prod(a.shape[batch:rows_end]), count)
    right = b.reshape(*shape, count, prod(b.shape[batch + terms :]))
    result[...] = matmul(left, right).reshape(result.shape)


def _einsum_of_floats(lhs: str, rhs: str, output: str, a: Array, b: Array, fill: _Fill) -> Array:
    """The einsum of two operands of one dtype.

    Terms are in row-major order of the labels that `output` lacks, in the order of lhs and then of rhs.
    """
    # The names of the dimensions of an ellipsis are numbers, counted from the last dimension.
    lhs_names, rhs_names = _names(lhs, a.ndim), _names(rhs, b.ndim)
    rank = max((name for name in (*lhs_names, *rhs_names) if isinstance(name, int)), default=-1) + 1
    output_names = _names(output, len(output.replace("...", "")) + rank)
    sizes = _sizes(lhs_names, rhs_names, a, b)
    batch = [name for name in output_names if name in lhs_names and name in rhs_names]
    rows = [name for name in output_names if name not in rhs_names]
    columns = [name for name in output_names if name not in lhs_names]
    terms = [name for name in sizes if name not in output_names]
    order = (*batch, *rows, *columns)
    result = np.empty([sizes[name] for name in order], a.dtype)
    fill(
        _named(a, lhs_names, (*batch, *rows, *terms), sizes),
        _named(b, rhs_names, (*batch, *terms, *columns), sizes),
        result,
        len(batch),
        len(terms),
    )
    return result.transpose([order.index(name) for name in output_names])


def _sizes(lhs: Sequence[str | int], rhs: Sequence[str | int], a: Array, b: Array) -> dict[str | int, int]:
    """The size of each named dimension; a size of 1 is repeated."""
    sizes: dict[str | int, int] = {}
    for name, size in zip((*lhs, *rhs), (*a.shape, *b.shape), strict=True):
        if size != sizes.setdefault(name, size):
            if 1 not in (size, sizes[name]):
                raise EvaluationError(f"einsum_config: sizes of '{name}' must be equal")
            sizes[name] = size if sizes[name] == 1 else sizes[name]
    return sizes


def _names(labels: str, rank: int) -> list[str | int]:
    before, ellipsis, after = labels.partition("...")
    inner = range(rank - len(before) - len(after)) if ellipsis else ()
    return [*before, *reversed(inner), *after]


def _named(
    array: Array, names: list[str | int], order: tuple[str | int, ...], sizes: dict[str | int, int]
) -> Array:
    """A view with the named dimensions: a diagonal where a name occurs twice, repetition where a name is
    absent or has size 1.
    """
    dimensions = list(zip(names, array.shape, array.strides, strict=True))
    strides = [
        sum(stride for other, size, stride in dimensions if other == name and size > 1) for name in order
    ]
    return _kernels.strided(np.asarray(array), [sizes[name] for name in order], strides)


def _label_sizes(labels: str, shape: Shape) -> dict[str, int]:
    before, _, after = labels.partition("...")
    return dict([*zip(before, shape, strict=False), *zip(after[::-1], shape[::-1], strict=False)])
