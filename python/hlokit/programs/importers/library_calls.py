"""Windows of convolutions that XLA makes calls of a library (`__cudnn$convForward`).

XLA's converter to StableHLO drops windows of custom calls. They become a part of the configuration, which is
JSON, under the key `window`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hlokit.programs.importers.protobuf import encoded, encoded_fields, fields, integers

_CONVOLUTION = b"$conv"
# Fields of HloModuleProto, HloComputationProto and HloInstructionProto.
_COMPUTATIONS, _INSTRUCTIONS = 3, 2
_WINDOW, _NUMBERS, _TARGET, _CONFIGURATION, _FEATURE_GROUPS = 15, 16, 28, 43, 50
# Fields of Window, WindowDimension and ConvolutionDimensionNumbers.
_DIMENSIONS = 1
_OF_DIMENSION = {
    1: "size",
    2: "stride",
    3: "padding_low",
    4: "padding_high",
    5: "window_dilation",
    6: "base_dilation",
    7: "window_reversal",
}
_OF_NUMBERS = {
    3: "kernel_input_feature_dimension",
    4: "kernel_output_feature_dimension",
    7: "input_batch_dimension",
    8: "input_feature_dimension",
    9: "output_batch_dimension",
    10: "output_feature_dimension",
}
_LISTS_OF_NUMBERS = {
    6: "kernel_spatial_dimensions",
    11: "input_spatial_dimensions",
    12: "output_spatial_dimensions",
}


def with_windows(module: bytes) -> bytes:
    """An HloModuleProto whose calls of convolutions have their windows in the configuration.

    Raises:
      MalformedMessage: the data is damaged.
    """
    if _CONVOLUTION not in module:
        return module
    return _changed(module, _COMPUTATIONS, lambda part: _changed(part, _INSTRUCTIONS, _instruction))


def _changed(message: bytes, number: int, change: Callable[[bytes], bytes]) -> bytes:
    """A message with other values of one field."""
    parts: list[bytes] = []
    for field, value, encoding in encoded_fields(memoryview(message)):
        is_changed = field == number and isinstance(value, memoryview)
        parts.append(encoded(number, change(bytes(value))) if is_changed else bytes(encoding))
    return b"".join(parts)


def _instruction(message: bytes) -> bytes:
    if _CONVOLUTION not in message:
        return message
    kept: list[bytes] = []
    values: dict[int, Any] = {_TARGET: b"", _CONFIGURATION: b"", _FEATURE_GROUPS: 1}
    for number, value, encoding in encoded_fields(memoryview(message)):
        if isinstance(value, memoryview) and number in (_WINDOW, _NUMBERS, _TARGET, _CONFIGURATION):
            values[number] = bytes(value)
        elif number == _FEATURE_GROUPS:
            values[number] = value
        if number != _CONFIGURATION:
            kept.append(bytes(encoding))
    if _WINDOW not in values or _NUMBERS not in values or _CONVOLUTION not in values[_TARGET]:
        return message
    try:
        configuration = json.loads(values[_CONFIGURATION] or b"{}")
    except (ValueError, RecursionError):
        return message
    if not isinstance(configuration, dict):
        return message
    configuration["window"] = {
        "dimensions": _window(values[_WINDOW]),
        "feature_group_count": values[_FEATURE_GROUPS],
        **_numbers(values[_NUMBERS]),
    }
    return b"".join([*kept, encoded(_CONFIGURATION, json.dumps(configuration).encode())])


def _window(message: bytes) -> list[dict[str, int]]:
    dimensions: list[dict[str, int]] = []
    for number, value in fields(memoryview(message)):
        if number == _DIMENSIONS and isinstance(value, memoryview):
            dimension = dict.fromkeys(_OF_DIMENSION.values(), 0)
            for field, size in fields(value):
                if field in _OF_DIMENSION and isinstance(size, int):
                    dimension[_OF_DIMENSION[field]] = size - (1 << 64) * (size >> 63)
            dimensions.append(dimension)
    return dimensions


def _numbers(message: bytes) -> dict[str, int | list[int]]:
    numbers: dict[str, int | list[int]] = dict.fromkeys(_OF_NUMBERS.values(), 0)
    lists: dict[str, list[int]] = {name: [] for name in _LISTS_OF_NUMBERS.values()}
    for field, value in fields(memoryview(message)):
        if field in _OF_NUMBERS and isinstance(value, int):
            numbers[_OF_NUMBERS[field]] = value
        elif field in _LISTS_OF_NUMBERS:
            lists[_LISTS_OF_NUMBERS[field]] += integers(value)
    return {**numbers, **lists}
