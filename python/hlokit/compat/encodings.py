"""The bytecode encoding of types and of a few attributes, to show them without MLIR.

The codes never change. Unknown codes, such as those of later versions, are shown as `?`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hlokit._bytecode import Bytecode, Entry
from hlokit.mlir.portable import Version

# Deeper types are abridged, since malformed types may refer to themselves.
_DEEPEST = 16
# The largest number of characters in the text of a tuple type.
_LONGEST_TUPLE = 4096
UNKNOWN = "?"
_DYNAMIC = -(1 << 63)

_BUILTIN_TYPES = {
    1: "index",
    3: "bf16",
    4: "f16",
    5: "f32",
    6: "f64",
    7: "f80",
    8: "f128",
    12: "none",
    21: "tf32",
    22: "f8E5M2",
    23: "f8E4M3",
    24: "f8E4M3FN",
    25: "f8E5M2FNUZ",
    26: "f8E4M3FNUZ",
    27: "f8E4M3B11FNUZ",
    28: "f8E3M4",
    29: "f4E2M1FN",
    30: "f6E2M3FN",
    31: "f6E3M2FN",
    32: "f8E8M0FNU",
}
_VHLO_TYPES = {
    0: "i1",
    2: "bf16",
    3: "f16",
    4: "f32",
    5: "f64",
    6: "f8E4M3FN",
    7: "f8E5M2",
    9: "index",
    10: "i4",
    11: "i8",
    12: "i16",
    13: "i32",
    14: "i64",
    15: "ui4",
    16: "ui8",
    17: "ui16",
    18: "ui32",
    19: "ui64",
    22: "!stablehlo.token",
    26: "witness",
    27: "f8E4M3FNUZ",
    28: "f8E5M2FNUZ",
    29: "f8E4M3B11FNUZ",
    31: "i2",
    32: "ui2",
    33: "none",
    34: "tf32",
    35: "f8E4M3",
    36: "f8E3M4",
    37: "f4E2M1FN",
    38: "f6E2M3FN",
    39: "f6E3M2FN",
    40: "f8E8M0FNU",
}

# The versions of additions after 0.9.0: operations by name, types and attributes by code.
OPERATIONS_SINCE = {
    name: version
    for version, names in (
        (Version(0, 16), "collective_broadcast_v1"),
        (Version(0, 19), "composite_v1"),
        (Version(0, 20), "dynamic_conv_v2"),
        (Version(1, 1), "dynamic_gather_v2 gather_v2 scatter_v2"),
        (Version(1, 4), "tan_v1"),
        (Version(1, 5), "all_gather_v2 all_reduce_v2 all_to_all_v2"),
        (Version(1, 6), "dot_general_v2"),
        (Version(1, 9), "exponential_v2"),
        (Version(1, 10), "cbrt_v2 cosine_v2 exponential_minus_one_v2 log_plus_one_v2 log_v2 logistic_v2"),
        (Version(1, 10), "rsqrt_v2 sine_v2 sqrt_v2 tan_v2 tanh_v2"),
        (Version(1, 12), "recv_v2 send_v2"),
        (Version(1, 14), "composite_v2"),
        (Version(1, 15), "async_done_v1 async_start_v1"),
        (Version(1, 18), "custom_call_v2"),
        (Version(1, 19), "collective_reduce_v1"),
        (Version(1, 20), "collective_broadcast_v2"),
    )
    for name in names.split()
}
TYPES_SINCE = {
    code: version
    for version, codes in (
        (Version(0, 10), (27, 28)),
        (Version(0, 11), (29,)),
        (Version(0, 18), (30,)),
        (Version(1, 2), (31, 32)),
        (Version(1, 6), (33, 34)),
        (Version(1, 7), (35, 36)),
        (Version(1, 8), (37, 38, 39, 40)),
        (Version(1, 13), (41,)),
        (Version(1, 15), (42,)),
    )
    for code in codes
}
ATTRIBUTES_SINCE = {
    code: version
    for version, codes in ((Version(1, 9), (19, 20)), (Version(1, 16), (21, 22, 23, 24, 25)))
    for code in codes
}

_VHLO_TENSOR = 15
_BUILTIN_DICTIONARY = 1


class Numbers:
    """Reads the numbers of an encoding."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._position = 0

    @property
    def at_end(self) -> bool:
        return self._position >= len(self._data)

    @property
    def position(self) -> int:
        return self._position

    def unsigned(self) -> int:
        """A varint. Raises IndexError at the end of the data."""
        first = self._data[self._position]
        following = (first & -first).bit_length() - 1 if first else 8
        end = self._position + 1 + following
        if end > len(self._data):
            raise IndexError("the data ends within a number")
        value = int.from_bytes(self._data[self._position : end], "little")
        self._position = end
        return value >> (following + 1) if following < 8 else value >> 8

    def signed(self) -> int:
        value = self.unsigned()
        return (value >> 1) ^ -(value & 1)

    def list(self, item: Callable[[], int]) -> list[int]:
        return [item() for _ in range(min(self.unsigned(), len(self._data)))]


class Decoder:
    """Shows types and attributes of a file. Malformed and unknown types and attributes become `?`."""

    def __init__(self, bytecode: Bytecode) -> None:
        self._bytecode = bytecode
        self._dialects = [dialect.name for dialect in bytecode.dialects]
        self._types = bytecode.types
        self._attributes = bytecode.attributes
        self._strings = bytecode.strings  # each access to the property makes a list
        self._spellings: dict[int, str] = {}

    def dialect(self, entry: Entry) -> str:
        return self._dialects[entry.dialect]

    def numbers(self, entry: Entry) -> Numbers:
        return Numbers(self._bytecode.blob(entry.offset, entry.size))

    def type_(self, index: int, depth: int = 0) -> str:
        """The type with this index, as StableHLO text."""
        if index in self._spellings:
            return self._spellings[index]
        if depth > _DEEPEST or index >= len(self._types):
            return UNKNOWN
        entry = self._types[index]
        if not entry.custom:
            return self._text(entry)
        try:
            spelling = self._custom_type(entry, depth)
        except IndexError:
            return UNKNOWN
        if spelling.startswith("tuple<") and len(spelling) > _LONGEST_TUPLE:
            spelling = "tuple<...>"  # nested tuples double the size of the text
        self._spellings[index] = spelling
        return spelling

    def _text(self, entry: Entry) -> str:
        return bytes(self._bytecode.blob(entry.offset, max(entry.size - 1, 0))).decode(errors="replace")

    def _custom_type(self, entry: Entry, depth: int) -> str:
        numbers = self.numbers(entry)
        code = numbers.unsigned()
        match self.dialect(entry), code:
            case "builtin", 0:
                width, sign = divmod(numbers.unsigned(), 4)
                return f"{('i', 'si', 'ui', 'i')[sign]}{width}"
            case ("builtin", 2) | ("vhlo", 8):
                return self._function(numbers, depth)
            case ("builtin", 9) | ("vhlo", 1):
                return f"complex<{self.type_(numbers.unsigned(), depth + 1)}>"
            case ("builtin", 13) | ("vhlo", 20):
                return f"tensor<{self._shaped(numbers, depth)}>"
            case ("builtin", 14) | ("vhlo", 21):
                numbers.unsigned()  # the encoding, such as bounds
                return f"tensor<{self._shaped(numbers, depth)}, ...>"
            case "vhlo", 41:
                return f"memref<{self._shaped(numbers, depth)}>"
            case ("builtin", 15) | ("vhlo", 23):
                return f"tuple<{', '.join(self._list(numbers, depth))}>"
            case ("builtin", 18) | ("vhlo", 25):
                return f"tensor<*x{self.type_(numbers.unsigned(), depth + 1)}>"
            case "vhlo", 24 | 30:
                numbers.unsigned()
                storage = self.type_(numbers.unsigned(), depth + 1)
                return f"!quant.uniform<{storage}:{self.type_(numbers.unsigned(), depth + 1)}, ...>"
            case "vhlo", 42:
                return f"future<{', '.join(self._list(numbers, depth))}>"
            case "stablehlo", 0:
                return "!stablehlo.token"
            case "builtin", _:
                return _BUILTIN_TYPES.get(code, UNKNOWN)
            case "vhlo", _:
                return _VHLO_TYPES.get(code, UNKNOWN)
            case dialect, _:
                return f"!{dialect}.{UNKNOWN}"

    def _shaped(self, numbers: Numbers, depth: int) -> str:
        shape = numbers.list(numbers.signed)
        sizes = "".join(f"{'?' if size == _DYNAMIC else size}x" for size in shape)
        return f"{sizes}{self.type_(numbers.unsigned(), depth + 1)}"

    def _list(self, numbers: Numbers, depth: int) -> Iterable[str]:
        return [self.type_(index, depth + 1) for index in numbers.list(numbers.unsigned)]

    def _function(self, numbers: Numbers, depth: int) -> str:
        inputs = ", ".join(self._list(numbers, depth))
        return f"({inputs}) -> ({', '.join(self._list(numbers, depth))})"

    def attribute(self, index: int) -> str | None:
        """The value of a string attribute, or the type in a type attribute; None for any other attribute."""
        if index >= len(self._attributes):
            return None
        entry = self._attributes[index]
        if not entry.custom:
            return None
        try:
            numbers = self.numbers(entry)
            match self.dialect(entry), numbers.unsigned():
                case ("builtin", 2) | ("vhlo", 14):
                    return self._strings[numbers.unsigned()]
                case ("builtin", 6) | ("vhlo", 17):
                    return self.type_(numbers.unsigned())
                case _:
                    return None
        except IndexError:
            return None

    def dictionary(self, index: int) -> dict[str, int]:
        """Names and attributes in a dictionary attribute."""
        if index >= len(self._attributes):
            return {}
        entry = self._attributes[index]
        try:
            numbers = self.numbers(entry)
            if self.dialect(entry) != "builtin" or numbers.unsigned() != _BUILTIN_DICTIONARY:
                return {}
            pairs = [(numbers.unsigned(), numbers.unsigned()) for _ in range(numbers.unsigned())]
        except IndexError:
            return {}
        return {self.attribute(name) or UNKNOWN: value for name, value in pairs}

    def tensor(self, entry: Entry) -> tuple[str, int] | None:
        """Type and size in bytes of a constant of VHLO; None for any other attribute."""
        try:
            numbers = self.numbers(entry)
            if numbers.unsigned() != _VHLO_TENSOR:
                return None
            return self.type_(numbers.unsigned()), numbers.unsigned()
        except IndexError:
            return None
