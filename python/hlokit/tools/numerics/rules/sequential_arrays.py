"""Fourier transforms and triangular systems one term at a time, as StableHLO's C++ interpreter adds them."""

from __future__ import annotations

from math import cos, pi, prod, sin

import numpy as np

from hlokit.engine.contract.registry import Constant, Kernel, Operation, Value
from hlokit.tools.numerics.rules.rounded_products import times
from hlokit.tools.numerics.rules.sequential import elementwise, in_any_order
from hlokit.values.element_types import Kind
from hlokit.values.shapes import require_transformed

# The longest transform that takes n^2 products.
_LONGEST = 1024


def fft(operation: Operation) -> Kernel | Constant:
    """Sums of products with roots of unity, one dimension after the other, in the element type."""
    fft_type = operation.attributes.enum("fft_type")
    lengths = operation.attributes.ints("fft_length")
    if max(lengths) > _LONGEST:
        return in_any_order(operation)
    types = (operation.operand().element_type, operation.result().element_type)
    complex_type = next(type_ for type_ in types if type_.kind is Kind.COMPLEX)

    def kernel(operand: Value) -> Value:
        require_transformed(operand.shape, fft_type, lengths)
        values: Value = operand.astype(complex_type.dtype)
        last, *others = reversed(range(operand.ndim - len(lengths), operand.ndim))
        match fft_type:
            case "FFT":
                for axis in (last, *others):
                    values = _transformed(values, axis)
                return values
            case "IFFT":
                for axis in (*reversed(others), last):
                    back: Value = np.conj(_transformed(np.conj(values), axis))
                    parts = back.view(back.real.dtype)
                    values = (parts / parts.dtype.type(back.shape[axis])).view(back.dtype)
                return values
            case "RFFT":
                values = _transformed(values, last)[..., : lengths[-1] // 2 + 1]
                for axis in others:
                    values = _transformed(values, axis)
                return values
            case _:
                for axis in reversed(others):
                    values = np.conj(_transformed(np.conj(values), axis))
                mirrored = values[..., 1 : (lengths[-1] + 1) // 2][..., ::-1]
                whole = np.concatenate([np.conj(values), mirrored], axis=-1)
                real = _transformed(whole, last).real
                return real / real.dtype.type(prod(lengths))

    return Kernel(kernel)


def _transformed(values: Value, axis: int) -> Value:
    """Each element is a sum along the dimension, from its first value on."""
    lines: Value = np.moveaxis(values, axis, -1)
    length = lines.shape[-1]
    part = lines.real.dtype.type
    total: Value = np.zeros(lines.shape, lines.dtype)
    for n in range(length):
        phases = [float(part(-2 * pi * n * k / length)) for k in range(length)]
        roots = np.array([complex(cos(phase), sin(phase)) for phase in phases], lines.dtype)
        total = total + times(lines[..., n, None], roots)
    return np.ascontiguousarray(np.moveaxis(total, -1, axis))


def triangular_solve(operation: Operation) -> Kernel:
    """Substitution: each product is subtracted from the right side, in the element type."""
    attributes = operation.attributes
    is_left, is_lower = attributes.bool_("left_side"), attributes.bool_("lower")
    has_units, transposed = attributes.bool_("unit_diagonal"), attributes.enum("transpose_a")
    type_ = operation.result().element_type
    multiply = (
        times if type_.kind is Kind.COMPLEX else elementwise("stablehlo.multiply", operation, *[type_] * 3)
    )
    subtract, divide = (
        elementwise(f"stablehlo.{name}", operation, *[type_] * 3) for name in ("subtract", "divide")
    )

    def kernel(a: Value, b: Value) -> Value:
        matrix: Value = a if transposed == "NO_TRANSPOSE" else np.swapaxes(a, -1, -2)
        matrix = np.conj(matrix) if transposed == "ADJOINT" else matrix
        is_forward = is_lower == (transposed == "NO_TRANSPOSE")
        # x a = b is a^T x^T = b^T.
        sides: Value = np.array(b if is_left else np.swapaxes(b, -1, -2))
        if not is_left:
            matrix, is_forward = np.swapaxes(matrix, -1, -2), not is_forward
        size = matrix.shape[-1]
        order = range(size) if is_forward else range(size - 1, -1, -1)
        for position, row in enumerate(order):
            x = sides[..., row, :]
            for column in order[:position]:
                factor = np.broadcast_to(matrix[..., row, column, None], x.shape)
                x = np.asarray(subtract(x, multiply(factor, sides[..., column, :])))
            if not has_units:
                x = np.asarray(divide(x, np.broadcast_to(matrix[..., row, row, None], x.shape)))
            sides[..., row, :] = x
        return sides if is_left else np.swapaxes(sides, -1, -2)

    return Kernel(kernel)
