"""Quantized element types: integers that represent floats. Source: spec "Types", "Quantized element types".

A value of such a type is an integer of its storage type; scale and zero point give the float.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

import numpy as np

from hlokit.values.element_types import ELEMENT_TYPES, F64, ElementType, Kind
from hlokit.values.float_text import float_texts

_UNIFORM = re.compile(
    r"!quant\.uniform<(?P<storage>u?i?\d+)(?:<(?P<min>-?\d+):(?P<max>-?\d+)>)?:(?P<expressed>\w+)"
    r"(?::(?P<axis>\d+))?, (?P<parameters>\{[^{}]*\}|[^{}]*)>"
)


@dataclass(frozen=True, slots=True)
class QuantizedType(ElementType):
    """`!quant.uniform<i8:f32, 0.5:-1>`: the integer i represents the float (i - zero_point) * scale.

    Kind, width and dtype are `Kind.QUANTIZED` and the storage type's width and dtype.

    Attributes:
      storage: type of the integers.
      expressed: type of the floats.
      storage_min, storage_max: the least and the greatest integer.
      scales, zero_points: one each; with an axis, one for each index along the axis.
      axis: the quantization dimension; None for per-tensor quantization.
    """

    storage: ElementType
    expressed: ElementType
    storage_min: int
    storage_max: int
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None

    @property
    def stored(self) -> ElementType:
        return self.storage

    @classmethod
    def make(
        cls,
        storage: ElementType,
        expressed: ElementType,
        scales: tuple[float, ...],
        zero_points: tuple[int, ...],
        axis: int | None = None,
        storage_range: tuple[int, int] | None = None,
    ) -> QuantizedType:
        """A quantized type with the name that MLIR prints."""
        default = integer_range(storage)
        low, high = storage_range or default
        limits = "" if (low, high) == default else f"<{low}:{high}>"
        texts = float_texts(np.array(scales, np.float64), F64)
        pairs = [f"{text}:{zero}" if zero else text for text, zero in zip(texts, zero_points, strict=True)]
        parameters = pairs[0] if axis is None else f"{{{','.join(pairs)}}}"
        dimension = "" if axis is None else f":{axis}"
        name = f"!quant.uniform<{storage}{limits}:{expressed}{dimension}, {parameters}>"
        return cls(
            name,
            Kind.QUANTIZED,
            storage.width,
            storage.dtype,
            storage,
            expressed,
            low,
            high,
            scales,
            zero_points,
            axis,
        )

    @classmethod
    def parse(cls, spelling: str) -> QuantizedType | None:
        """The type with an MLIR spelling; None if StableHLO has no such type.

        MLIR prints a scale so that the text reads back exactly: in decimal, or else as bits in hexadecimal.
        """
        match = _UNIFORM.fullmatch(spelling)
        if match is None:
            return None
        # MLIR spells unsigned storage `u8` (of type i8) or `ui8`.
        storage = ELEMENT_TYPES.get(re.sub("^u(?=[0-9])", "ui", match["storage"]))
        expressed = ELEMENT_TYPES.get(match["expressed"])
        if storage is None or expressed is None or expressed.kind is not Kind.FLOAT:
            return None
        low, high = integer_range(storage)
        if match["min"] is not None:
            low, high = int(match["min"]), int(match["max"])
        pairs = [pair.strip().partition(":") for pair in match["parameters"].strip("{}").split(",")]
        return cls(
            spelling,
            Kind.QUANTIZED,
            storage.width,
            storage.dtype,
            storage,
            expressed,
            low,
            high,
            tuple(_scale(scale) for scale, _, _ in pairs),
            tuple(int(zero_point or "0") for _, _, zero_point in pairs),
            None if match["axis"] is None else int(match["axis"]),
        )


def integer_range(type_: ElementType) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    low = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
    return low, low + (1 << type_.width) - 1


def _scale(text: str) -> float:
    if text.startswith("0x"):
        return float(struct.unpack("<d", struct.pack("<Q", int(text, 16)))[0])
    return float(text)
