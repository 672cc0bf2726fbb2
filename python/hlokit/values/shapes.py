"""Sizes that types leave unknown (-1) but that follow from the operand, and rules that the bindings do not
verify."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from hlokit.errors import EvaluationError

Shape = tuple[int, ...]


def reshaped(size: int, shape: Shape) -> Shape:
    """The shape that `size` elements have after "reshape" to a shape of which one size may be unknown.

    Raises:
      EvaluationError: there is no such shape, or several.
    """
    sizes = [length for length in shape if length >= 0]
    if len(sizes) == len(shape):
        return shape
    others = prod(sizes)
    if not others:
        raise EvaluationError(f"sizes of the result must follow from {size} elements, got {_spelled(shape)}")
    if size % others:
        raise EvaluationError(f"the shape must have {size} elements, got {_spelled(shape)}")
    return tuple([length if length >= 0 else size // others for length in shape])


def broadcast(operand_shape: Shape, broadcast_dimensions: Sequence[int], shape: Shape) -> Shape:
    """The shape of the result of "broadcast_in_dim", of which sizes may be unknown: the operand has them.

    Raises:
      EvaluationError: an unknown size belongs to no dimension of the operand, or sizes differ.
    """
    sizes = dict(zip(broadcast_dimensions, operand_shape, strict=True))
    for d, (dimension, size) in enumerate(sizes.items()):
        if size != 1 and shape[dimension] not in (-1, size):
            raise EvaluationError(
                f"dimension {dimension} of the result must have the size of dimension {d} of the operand, "
                f"{size}, got {shape[dimension]}"
            )
    for dimension, size in enumerate(shape):
        if size < 0 and dimension not in sizes:
            raise EvaluationError(
                f"the size of dimension {dimension} of the result must follow from the operand, "
                f"got {_spelled(shape)}"
            )
    return tuple([size if size >= 0 else sizes[dimension] for dimension, size in enumerate(shape)])


def require_transformed(shape: Shape, fft_type: str, fft_length: Shape) -> None:
    """Constraint (C5) of "fft", which the bindings do not verify for all types of transforms.

    Raises:
      EvaluationError: the last dimensions of the operand do not have the lengths of the transform.
    """
    last = fft_length[-1] // 2 + 1 if fft_type == "IRFFT" else fft_length[-1]
    lengths = (*fft_length[:-1], last)
    if prod(fft_length) and shape[-len(lengths) :] != lengths:
        raise EvaluationError(
            f"the operand must end in dimensions {_spelled(lengths)}, got {_spelled(shape)}"
        )


def require_batch(operand_shape: Shape, index_shape: Shape, batch_dims: int) -> None:
    """Raise an error unless operand and index of "torch_index_select" have the same batch dimensions, which
    the bindings do not verify.

    Raises:
      EvaluationError: the sizes of these dimensions differ.
    """
    one, two = operand_shape[:batch_dims], index_shape[:batch_dims]
    if one != two:
        raise EvaluationError(
            f"batch dimensions of operand and index must be equal, got {_spelled(one)} and {_spelled(two)}"
        )


def _spelled(shape: Shape) -> str:
    return "x".join(["?" if size < 0 else str(size) for size in shape])
