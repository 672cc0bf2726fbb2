"""Hexadecimal constants of booleans as older MLIR printed them: `dense<"0xFF01"> : tensor<16xi1>`.

Older MLIR packed eight booleans in a byte; current MLIR stores each boolean in a byte. The number of bytes
determines the format, except for constants of one byte. A constant of one byte has the current format, one
value for all elements: older MLIR did not print constants of so few elements in hexadecimal.
"""

from __future__ import annotations

import math
import re

import numpy as np

# The text after `dense`.
_HEX_BOOLEANS = re.compile(r"\s*<\s*\"0x([0-9A-Fa-f]*+)\"\s*>\s*:\s*tensor<((?:\d{1,18}+x)*+)i1\s*>")


def one_byte_each(text: str, offset: int) -> tuple[str, int] | None:
    """A constant with a byte for each boolean.

    Args:
      offset: the offset after the word `dense`.

    Returns:
      The rewritten constant, and the end of the original; None if there is no constant of packed booleans.
    """
    match = _HEX_BOOLEANS.match(text, offset)
    if match is None:
        return None
    digits, dimensions = match[1], match[2]
    count = math.prod(int(size) for size in dimensions.split("x")[:-1])
    if len(digits) <= 2 or len(digits) != 2 * -(-count // 8):
        return None
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(digits), np.uint8), count=count, bitorder="little")
    return f'<"0x{bits.tobytes().hex().upper()}"> : tensor<{dimensions}i1>', match.end()
