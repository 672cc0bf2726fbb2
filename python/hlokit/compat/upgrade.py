"""Rewrites text of older StableHLO versions, and of MHLO, for the current parser.

StableHLO guarantees compatibility for artifacts, not for text. The rewrites: attributes that were dense
tensors and became arrays, strings that became enumerations, functions without their dialect, MHLO
(`mhlo_text`), the older name of bounds, and booleans of hexadecimal constants, which were packed eight in a
byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType

from hlokit.compat import mhlo_text
from hlokit.compat.mhlo_text import Rewrite
from hlokit.mlir.text.lexer import Token, line_and_column, token_at
from hlokit.mlir.text.packed_booleans import one_byte_each

# Attributes that are arrays in the current version, on every operation.
ARRAYS = re.compile(
    "base_dilations|broadcast_dimensions|broadcast_sizes|dimensions|edge_padding_high|edge_padding_low|fft_length"
    "|interior_padding|known_expanding_dimensions|known_nonexpanding_dimensions|lhs_dilation|limit_indices"
    "|permutation|rhs_dilation|slice_sizes|start_indices|strides|window_dilations|window_dimensions"
    "|window_reversal|window_strides"
)
# The largest size of an array, which has a value for each dimension; a splat of a billion values would become
# gigabytes of text.
_DENSE = re.compile(r"\s*=\s*dense<([^>\"]*)>\s*:\s*tensor<(\d{1,3}+)x(i64|i1)>")
# Attributes that were strings and are enumerations now, with the names of the enumerations.
_ENUMERATIONS = MappingProxyType(
    {
        "compare_type": "comparison_type",
        "comparison_direction": "comparison_direction",
        "fft_type": "fft_type",
        "precision_config": "precision",
        "rng_algorithm": "rng_algorithm",
        "rng_distribution": "rng_distribution",
        "transpose_a": "transpose",
    }
)
_VALUES = re.compile(r'\s*=\s*(\[?)("[A-Z_\d]+"(?:,\s*"[A-Z_\d]+")*)(\]?)')
_OLD_BOUNDS = re.compile(r"#(?:stablehlo|mhlo)\.type_extensions<\s*bounds\s*=\s*\[([^\]]*)\]\s*>")
_QUOTED = re.compile(r'"([^"]*)"')
# The dialect of an operation.
_DIALECT = re.compile(r'"?(chlo|stablehlo)\.\w')
_OLD_FUNCTION = re.compile(r"func(?=\s+(?:private\s+|public\s+|nested\s+)?@)")


@dataclass(frozen=True, slots=True)
class Change:
    """One rewrite: its position and a description."""

    line: int
    column: int
    what: str


def upgrade(text: str) -> tuple[str, list[Change]]:
    """The rewritten text and its rewrites. Lines keep their numbers."""
    pieces: list[str] = []
    changes: list[Change] = []
    copied = offset = 0
    dialect = "stablehlo"
    while (token := token_at(text, offset)).kind != "end":
        offset = token.end
        rewrite = _rewrite(text, token, dialect) or mhlo_text.rewrite(text, token, dialect)
        name = token.text if rewrite is None else rewrite.new
        if token.kind in ("id", "string") and (owner := _DIALECT.match(name)) is not None:
            dialect = owner[1]
        if rewrite is None:
            continue
        pieces += (text[copied : token.start], rewrite.new)
        changes.append(Change(*line_and_column(text, token.start), rewrite.what))
        copied = offset = rewrite.end
    return "".join((*pieces, text[copied:])), changes


def _rewrite(text: str, token: Token, dialect: str) -> Rewrite | None:
    """The rewrite of a token of older StableHLO; None for other tokens.

    Args:
      dialect: the dialect of the operation before the token, to which attributes belong.
    """
    name, end = token.text, token.end
    if name in _ENUMERATIONS and (values := _VALUES.match(text, end)) is not None:
        new = _QUOTED.sub(rf"#{dialect}<{_ENUMERATIONS[name]} \1>", values[2])
        return Rewrite(
            f"{name} = {values[1]}{new}{values[3]}",
            values.end(),
            f"{name} is now an enumeration, not a string",
        )
    if ARRAYS.fullmatch(name) and (dense := _DENSE.match(text, end)) is not None:
        array = _array(dense[1], int(dense[2]), dense[3])
        if array is not None:
            return Rewrite(f"{name} = {array}", dense.end(), f"{name} is now an array, not a tensor")
    if name == "dense" and (constant := one_byte_each(text, end)) is not None:
        return Rewrite(f"dense{constant[0]}", constant[1], "each boolean in hexadecimal now takes a byte")
    if name == "func" and _OLD_FUNCTION.match(text, token.start) is not None:
        return Rewrite("func.func", end, "func is now func.func")
    if (bounds := _OLD_BOUNDS.match(text, token.start)) is not None:
        return Rewrite(f"#stablehlo.bounds<{bounds[1]}>", bounds.end(), "type_extensions is now bounds")
    return None


def _array(elements: str, size: int, type_: str) -> str | None:
    """`array<..>` for a one-dimensional dense attribute; None for any other text."""
    values = [value.strip() for value in elements.strip().removeprefix("[").removesuffix("]").split(",")]
    values = [value for value in values if value]
    if not elements.strip().startswith("[") and len(values) == 1:
        values *= size
    if len(values) != size or not all(re.fullmatch(r"-?\d+|true|false", value) for value in values):
        return None
    return f"array<{type_}: {', '.join(values)}>" if values else f"array<{type_}>"
