"""Attributes from MLIR text, or from Python values and JSON, of the kinds that an operation needs.

One table maps names to kinds of attributes. Every value becomes MLIR text, which the bindings parse, so a
value and its text always agree.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (values come from JSON)

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError
from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import errors_collected
from hlokit.mlir.queries.types import to_mlir_type
from hlokit.mlir.text.lexer import token_at
from hlokit.mlir.text.nesting import require_shallow
from hlokit.tools.service.guards import require_printable
from hlokit.values.element_types import element_type_of
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of attributes.

    Attributes:
      what: the kind in words, for messages.
      spell: converts a Python value to MLIR text; returns None for values of other kinds. The second argument
        is the name of the operation.
    """

    what: str
    spell: Callable[[Any, str], str | None]


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)


def _integer(width: int) -> Kind:
    def spell(value: Any, _: str) -> str | None:
        fits = _is_integer(value) and -(1 << (width - 1)) <= int(value) < 1 << (width - 1)
        return f"{int(value)} : i{width}" if fits else None

    return Kind(f"an integer of {width} bits", spell)


def _spell_float(value: Any, _: str) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    # The bits are exact, also for infinities and NaN.
    with np.errstate(over="ignore"):
        return f"0x{int(np.float32(value).view(np.uint32)):08X} : f32"


def _spell_bool(value: Any, _: str) -> str | None:
    return ("true" if value else "false") if isinstance(value, bool | np.bool_) else None


def _spell_unit(value: Any, _: str) -> str | None:
    return "unit" if value is True else None


def _listed(value: Any) -> list[Any] | None:
    """A list, a tuple or an array as nested lists."""
    if isinstance(value, np.ndarray):
        return value.tolist() if value.ndim else None
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str | bytes) else None


def _spell_integers(value: Any, _: str) -> str | None:
    items = _listed(value)
    if items is None or not all(map(_is_integer, items)):
        return None
    return f"array<i64: {', '.join(str(int(item)) for item in items)}>" if items else "array<i64>"


def _spell_bools(value: Any, _: str) -> str | None:
    items = _listed(value)
    if items is None or not all(isinstance(item, bool | np.bool_) for item in items):
        return None
    return f"array<i1: {', '.join('true' if item else 'false' for item in items)}>" if items else "array<i1>"


def _spell_rows(value: Any, _: str) -> str | None:
    rows = _listed(value)
    if rows is None:
        return None
    lists = [_listed(row) for row in rows]
    widths = {len(row) for row in lists if row is not None}
    if None in lists or len(widths) > 1:
        return None
    if not all(_is_integer(item) for row in lists if row is not None for item in row):
        return None
    width = widths.pop() if widths else 0
    text = ", ".join(f"[{', '.join(str(int(item)) for item in row)}]" for row in lists if row is not None)
    contents = f"[{text}]" if rows and width else ""
    return f"dense<{contents}> : tensor<{len(rows)}x{width}xi64>"


def _spell_string(value: Any, _: str) -> str | None:
    return _quoted(value) if isinstance(value, str) else None


def _quoted(text: str) -> str:
    """A string literal: MLIR escapes bytes as two hexadecimal digits."""
    return '"' + "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in text.encode()
    ) + '"'  # fmt: skip


def _spell_symbol(value: Any, _: str) -> str | None:
    if not isinstance(value, str):
        return None
    return value if value.startswith("@") else f"@{_quoted(value)}"


def _spell_symbols(value: Any, operation: str) -> str | None:
    items = _listed(value)
    symbols = None if items is None else [_spell_symbol(item, operation) for item in items]
    return None if symbols is None or None in symbols else f"[{', '.join(map(str, symbols))}]"


def _enumeration(mnemonic: str, what: str) -> Kind:
    def spell(value: Any, operation: str) -> str | None:
        is_name = isinstance(value, str) and _WORD.fullmatch(value)
        return f"#{operation.partition('.')[0]}<{mnemonic} {value}>" if is_name else None

    return Kind(what, spell)


def _spell_precisions(value: Any, _: str) -> str | None:
    items = [value, value] if isinstance(value, str) else _listed(value)
    if items is None or not all(isinstance(item, str) and _WORD.fullmatch(item) for item in items):
        return None
    return f"[{', '.join(f'#stablehlo<precision {item}>' for item in items)}]"


def _structure(mnemonic: str, *, dialect: str = "stablehlo") -> Kind:
    def spell(value: Any, _: str) -> str | None:
        if isinstance(value, str):
            return f"#{dialect}.{mnemonic}<{value}>"
        if not isinstance(value, Mapping):
            return None
        fields = ((str(name), _field(field)) for name, field in value.items())
        return f"#{dialect}.{mnemonic}<{', '.join(f'{name} = {text}' for name, text in fields)}>"

    return Kind(f"a #{dialect}.{mnemonic}<...>, what stands in its angle brackets, or its fields", spell)


def _field(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float):
        return np.format_float_scientific(value, unique=True, trim="0")
    items = _listed(value)
    return str(value) if items is None else f"[{', '.join(map(str, items))}]"


def _spell_dimension_numbers(value: Any, operation: str) -> str | None:
    is_gather = "gather" in operation
    return (_GATHER if is_gather else _CONVOLUTION).spell(value, operation)


def _spell_result_accuracy(value: Any, operation: str) -> str | None:
    if not isinstance(value, Mapping):
        return None
    # The attribute must have all fields.
    mode = value.get("mode", "TOLERANCE" if value else "DEFAULT")
    fields = {"atol": 0.0, "rtol": 0.0, "ulps": 0, **value}
    for name in ("atol", "rtol"):
        fields[name] = float(fields[name]) if isinstance(fields[name], int | float) else fields[name]
    fields["mode"] = f"#stablehlo.result_accuracy_mode<{mode}>"
    return _structure("result_accuracy").spell(fields, operation)


def _spell_anything(value: Any, operation: str) -> str | None:
    """A dictionary, or a value with a natural attribute."""
    if value is None:
        return "unit"
    if isinstance(value, Mapping):
        items = {str(name): _spell_anything(item, operation) for name, item in value.items()}
        if None in items.values():
            return None
        return f"{{{', '.join(f'{_quoted(name)} = {text}' for name, text in items.items())}}}"
    for spell in (_spell_bool, _integer(64).spell, _spell_string):
        text = spell(value, operation)
        if text is not None:
            return text
    if isinstance(value, float):
        return f"0x{int(np.float64(value).view(np.uint64)):016X} : f64"
    items = _listed(value)
    texts = None if items is None else [_spell_anything(item, operation) for item in items]
    return None if texts is None or None in texts else f"[{', '.join(map(str, texts))}]"


_CONVOLUTION = _structure("conv")
_GATHER = _structure("gather")
_I64 = _integer(64)
_I32 = _integer(32)
_F32 = Kind("a number", _spell_float)
_BOOL = Kind("true or false", _spell_bool)
_UNIT = Kind("true, or left out", _spell_unit)
_INTEGERS = Kind("a list of integers", _spell_integers)
_BOOLS = Kind("a list of true and false", _spell_bools)
_ROWS = Kind("a list of lists of integers, all of the same length", _spell_rows)
_STRING = Kind("a string", _spell_string)

KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("all_gather_dim", "batch_dims", "batch_group_count", "concat_dimension", "dim"), _I64),
    **dict.fromkeys(("dimension", "feature_group_count", "feature_index", "iota_dimension", "k"), _I64),
    **dict.fromkeys(("scan_dim_size", "scatter_dimension", "split_count", "split_dimension"), _I64),
    **dict.fromkeys(("api_version", "exponent_bits", "index", "mantissa_bits", "version"), _I32),
    "epsilon": _F32,
    **dict.fromkeys(("has_side_effect", "indices_are_sorted", "is_associative", "is_host_transfer"), _BOOL),
    **dict.fromkeys(("is_reverse", "is_stable", "left_side", "lower"), _BOOL),
    **dict.fromkeys(("unique_indices", "unit_diagonal"), _BOOL),
    **dict.fromkeys(("has_dynamic_root", "use_global_device_ids"), _UNIT),
    **dict.fromkeys(("base_dilations", "broadcast_dimensions", "broadcast_sizes", "dimensions"), _INTEGERS),
    **dict.fromkeys(("edge_padding_high", "edge_padding_low", "fft_length", "interior_padding"), _INTEGERS),
    **dict.fromkeys(("known_expanding_dimensions", "known_nonexpanding_dimensions"), _INTEGERS),
    **dict.fromkeys(("lhs_dilation", "limit_indices", "permutation", "rhs_dilation"), _INTEGERS),
    **dict.fromkeys(("slice_sizes", "start_indices", "strides"), _INTEGERS),
    **dict.fromkeys(("window_dilations", "window_dimensions", "window_strides"), _INTEGERS),
    "window_reversal": _BOOLS,
    **dict.fromkeys(("padding", "replica_groups", "source_target_pairs"), _ROWS),
    **dict.fromkeys(
        ("call_target_name", "einsum_config", "infeed_config", "name", "outfeed_config"), _STRING
    ),
    "decomposition": Kind("the name of a function", _spell_symbol),
    "called_computations": Kind("a list of names of functions", _spell_symbols),
    "comparison_direction": _enumeration("comparison_direction", "EQ, NE, GE, GT, LE or LT"),
    "compare_type": _enumeration("comparison_type", "FLOAT, TOTALORDER, SIGNED or UNSIGNED"),
    "fft_type": _enumeration("fft_type", "FFT, IFFT, RFFT or IRFFT"),
    "rng_algorithm": _enumeration("rng_algorithm", "DEFAULT, THREE_FRY or PHILOX"),
    "rng_distribution": _enumeration("rng_distribution", "UNIFORM or NORMAL"),
    "transpose_a": _enumeration("transpose", "NO_TRANSPOSE, TRANSPOSE or ADJOINT"),
    "precision_config": Kind("a list of DEFAULT, HIGH and HIGHEST", _spell_precisions),
    "dimension_numbers": Kind(
        "#stablehlo.conv<...> or #stablehlo.gather<...>, what stands in the angle brackets, or its fields",
        _spell_dimension_numbers,
    ),
    "dot_dimension_numbers": _structure("dot"),
    "scatter_dimension_numbers": _structure("scatter"),
    "ragged_dot_dimension_numbers": _structure("ragged_dot", dialect="chlo"),
    "channel_handle": _structure("channel_handle"),
    "algorithm": _structure("dot_algorithm"),
    "value": Kind('a number, or MLIR text such as "dense<[1, 2]> : tensor<2xi32>"', _spell_anything),
    "result_accuracy": Kind("fields atol, rtol, ulps and mode", _spell_result_accuracy),
}
_ANYTHING = Kind("MLIR text, or a value that JSON has", _spell_anything)
# The beginnings of attributes in MLIR text; no string value begins like this.
_MLIR_TEXT = re.compile(
    r'\s*(?:[#@"\[{-]|\d|(?:array|dense|dense_resource|sparse|strided|affine_map|loc)\s*<'
    r"|(?:true|false|unit)\s*$|tensor<)"
)


def attribute(context: ir.Context, operation: str, name: str, value: Any) -> ir.Attribute:
    """The attribute that a value represents.

    Args:
      value: MLIR text, an attribute of any bindings, or a Python value of a kind in `KINDS`.

    Raises:
      ArgumentError: the value is not an attribute, or not of the required kind.
    """
    kind = KINDS.get(name, _ANYTHING)
    if isinstance(value, Tensor):
        return _elements_of(context, value.numpy(), value.type)
    if name == "value" and isinstance(value, np.ndarray | np.generic | int | float | complex):
        array = np.asarray(value)
        return _elements_of(context, array, _array_type(name, array))
    candidates = _candidates(kind, operation, value)
    problem = ""
    for text in candidates:
        require_shallow(text, operation)
        # Empty text crashes the bindings.
        if token_at(re.sub(r"//.*", "", text), 0).kind == "end":
            continue
        # The bindings may report an attribute as invalid, and return it nevertheless.
        with errors_collected(context) as problems, contextlib.suppress(ir.MLIRError):
            parsed = ir.Attribute.parse(text, context)
            if not problems:
                if "conv" in text:
                    require_printable(operation, parsed)
                return parsed
        problem = problem or (f" ({problems[0].message})" if problems else "")
    raise ArgumentError(f"{operation}: attribute {name} must be {kind.what}, got {_shown(value)}{problem}")


def wrong_kind(operation: str, name: str, value: Any) -> ArgumentError:
    """The error for an attribute of a kind that the operation does not take."""
    what = KINDS.get(name, _ANYTHING).what
    return ArgumentError(f"{operation}: attribute {name} must be {what}, got {_shown(value)}")


def _candidates(kind: Kind, operation: str, value: Any) -> list[str]:
    """MLIR texts that the value may represent, the likeliest first."""
    if isinstance(value, ir.Attribute):
        return [str(value)]
    spelled = kind.spell(value, operation)
    if not isinstance(value, str):
        return [] if spelled is None else [spelled]
    texts = [value] if spelled is None else [value, spelled]
    return texts if _MLIR_TEXT.match(value) else texts[::-1]


def _elements_of(
    context: ir.Context, array: np.ndarray[Any, np.dtype[Any]], type_: TensorType
) -> ir.Attribute:
    return elements_attribute(array, type_, to_mlir_type(type_, context))


def _array_type(name: str, array: np.ndarray[Any, np.dtype[Any]]) -> TensorType:
    try:
        return TensorType(array.shape, element_type_of(array.dtype))
    except TypeError as error:
        raise ArgumentError(f"attribute {name}: {error}") from None


def _shown(value: Any) -> str:
    try:
        text = value if isinstance(value, str) else json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}..."
