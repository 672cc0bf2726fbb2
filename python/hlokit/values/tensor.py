"""Values: tensors, tokens and tuples. Source: spec "Types", "Values"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from hlokit.values.bits import bits, bitwise_equal
from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.types import TensorType, TokenType, TupleType

if TYPE_CHECKING:
    from hlokit.values.element import Element

_SHOWN_ELEMENTS = 6
# The number of elements that a notebook shows in full.
_MOST_IN_HTML = 2000


class Tensor:
    """A tensor type and a contiguous buffer with its elements, the last dimension fastest.

    Converts to a NumPy array wherever NumPy takes one. `==` compares type and bits and returns one Python
    bool (`bitwise_equal` returns a mask). A tensor is mutable and therefore not hashable.

    Attributes:
      type: the tensor type, every dimension known.
    """

    __hash__: ClassVar[None]  # pyright: ignore[reportIncompatibleMethodOverride] # mutable
    __slots__ = ("_array", "_bits", "type")

    def __init__(self, type_: TensorType, array: npt.NDArray[Any]) -> None:
        """A tensor over `array`: shares the array's memory if contiguous, else a copy.

        Args:
          type_: a static tensor type.
          array: elements, of the type's shape and its element type's dtype.

        Raises:
          ValueError: the type has unknown dimensions, or the shape differs.
          TypeError: the dtype differs.
        """
        if not type_.is_static:
            raise ValueError(f"Tensor: type must be static, got {type_}")
        if array.dtype != type_.element_type.dtype:
            dtype = type_.element_type.dtype
            raise TypeError(f"Tensor: dtype of {type_} must be {dtype}, got {array.dtype}")
        if array.shape != type_.dims:
            raise ValueError(f"Tensor: shape of {type_} must be {type_.dims}, got {array.shape}")
        self.type = type_
        self._array = array if array.flags.c_contiguous else array.copy(order="C")
        self._bits: npt.NDArray[Any] | None = None

    @property
    def _codes(self) -> npt.NDArray[Any]:
        """The bit patterns in the buffer."""
        if self._bits is None:
            self._bits = bits(self._array)
        return self._bits

    @classmethod
    def from_numpy(
        cls, array: npt.ArrayLike, element_type: ElementType | None = None, *, copy: bool = True
    ) -> Tensor:
        """A tensor with the shape and elements of an array.

        Args:
          array: an array, or an object that NumPy converts to one.
          element_type: type of the elements; by default the type that the dtype stores (`i64` for int64).
          copy: copy the elements. If false, share the array's memory if it is contiguous.

        Raises:
          TypeError: the dtype is not that of the element type, or of no element type at all.
        """
        elements = np.array(array, order="C") if copy else np.asarray(array)
        if element_type is None:
            element_type = element_type_of(elements.dtype)
        return cls(TensorType(elements.shape, element_type), elements)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.dims

    @property
    def element_type(self) -> ElementType:
        return self.type.element_type

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy dtype of the buffer."""
        return self._array.dtype

    @property
    def rank(self) -> int:
        return self.type.rank

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._array.size

    @classmethod
    def from_elements(cls, type_: TensorType, elements: Iterable[Element]) -> Tensor:
        """A tensor of a static type with these elements, the last dimension fastest.

        Raises:
          TypeError: an element is of another type.
          ValueError: there are more or fewer elements than the type has.
        """
        element_type = type_.element_type
        codes: list[int] = []
        for element in elements:
            if element.type is not element_type and element.type != element_type:
                raise TypeError(f"from_elements: element type must be {element_type}, got {element.type}")
            codes.append(element.bits)
        if len(codes) != type_.size:
            raise ValueError(f"from_elements: {type_} must have {type_.size} elements, got {len(codes)}")
        if element_type.kind is Kind.COMPLEX:
            width = element_type.part.width
            codes = [part for code in codes for part in (code & ((1 << width) - 1), code >> width)]
        array = np.array(codes, element_type.bits_dtype).view(element_type.dtype)
        return cls(type_, array.reshape(type_.dims))

    def numpy(self) -> npt.NDArray[Any]:
        """The elements as an array over the tensor's own buffer; writing to the array changes the tensor."""
        return self._array

    def copy(self) -> Tensor:
        """A copy of the tensor with a separate buffer."""
        return Tensor(self.type, self._array.copy(order="C"))

    def get(self, index: tuple[int, ...] = ()) -> Element:
        """The element at `index`, one nonnegative number for each dimension.

        Raises:
          IndexError: the index is not within the shape.
          TypeError: the element type is quantized.
        """
        from hlokit.values.element import Element  # imports rational arithmetic, which is slow to load

        self._require_within("get", index)
        code = self._codes[index]
        if self.element_type.kind is Kind.COMPLEX:
            real, imag = map(int, code)
            return Element.from_bits(self.element_type, real | imag << self.element_type.part.width)
        return Element.from_bits(self.element_type, int(code) & ((1 << self.element_type.width) - 1))

    def set(self, index: tuple[int, ...], element: Element) -> None:
        """Replace the element at `index`, one nonnegative number for each dimension.

        Raises:
          IndexError: the index is not within the shape.
          TypeError: the element has another type.
          ValueError: the buffer is read-only.
        """
        self._require_within("set", index)
        if element.type != self.element_type:
            raise TypeError(f"set: element type must be {self.element_type}, got {element.type}")
        if not self._array.flags.writeable:
            raise ValueError("set: buffer must be writable, got a read-only one")
        buffer = self._codes
        if self.element_type.kind is Kind.COMPLEX:
            buffer[index] = [part.bits for part in element.parts]
        else:
            buffer[index] = element.bits

    def __getitem__(self, index: tuple[int, ...]) -> Element:
        """`get`, so that formulas read like the specification's."""
        return self.get(index)

    def __setitem__(self, index: tuple[int, ...], element: Element) -> None:
        """`set`."""
        self.set(index, element)

    def elements(self) -> Iterator[Element]:
        """The elements, the last dimension fastest."""
        from hlokit.values.element import require_plain, unchecked_element

        type_, codes = self.element_type, self._codes
        require_plain(type_)
        if type_.kind is Kind.COMPLEX:
            width = type_.part.width
            joined = [real | imag << width for real, imag in codes.reshape(-1, 2).tolist()]
        elif type_.width < 8:
            mask = (1 << type_.width) - 1
            joined = [code & mask for code in codes.reshape(-1).tolist()]
        else:
            joined = codes.reshape(-1).tolist()
        return map(partial(unchecked_element, type_), joined)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The elements for NumPy: the buffer itself, unless a copy or another dtype is requested.

        Raises:
          ValueError: `copy` is false and the dtype needs a copy.
        """
        wanted = self.dtype if dtype is None else np.dtype(dtype)
        if wanted == self.dtype:
            return self._array.copy() if copy else self._array
        if copy is False:
            raise ValueError(f"__array__: dtype must be {self.dtype} where no copy is allowed, got {wanted}")
        return self._array.astype(wanted)

    def __len__(self) -> int:
        """Size of the first dimension.

        Raises:
          TypeError: the rank is 0.
        """
        return len(self._array)

    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tensor):
            return NotImplemented
        if self.type != other.type:
            return False
        return bool(bitwise_equal(self._array, other._array, self.element_type).all())

    def __repr__(self) -> str:
        stored = Tensor(TensorType(self.shape, self.element_type.stored), self._array)
        shown = [str(element.value) for element in islice(stored.elements(), _SHOWN_ELEMENTS)]
        if self.size > _SHOWN_ELEMENTS:
            shown.append("...")
        return f"Tensor({self.type}, [{', '.join(shown)}])"

    def _repr_html_(self) -> str:
        from hlokit.display.html import escape, fragment, short_bytes

        stored = Tensor(TensorType(self.shape, self.element_type.stored), self._array)
        shown = self._array
        if self._array.dtype.isbuiltin != 1 and self.size <= _MOST_IN_HTML:  # as numbers, not as bits
            shown = np.array([element.value for element in stored.elements()]).reshape(self.shape)
        text = np.array2string(np.asarray(shown), threshold=_MOST_IN_HTML // 2, max_line_width=100)
        size = f"{self.size:,} elements, {short_bytes(self._array.nbytes)}"
        return fragment(
            f'<div class="head"><span class="mono">{escape(self.type)}</span> '
            f'<span class="dim">{size}</span></div>'
            f'<pre class="mono rows" tabindex="0">{escape(text)}</pre>'
        )

    def _require_within(self, name: str, index: tuple[int, ...]) -> None:
        shape = self.type.dims
        if len(index) != len(shape) or any(
            not 0 <= position < size for position, size in zip(index, shape, strict=True)
        ):
            raise IndexError(f"{name}: index must be within shape {shape}, got {index}")


class Token:
    """Orders side effects and contains no data; all tokens are equal."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token)

    def __hash__(self) -> int:
        return hash(Token)

    def __repr__(self) -> str:
        return "Token()"

    @property
    def type(self) -> TokenType:
        return TokenType()


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of values, each with its type.

    During a run, tuples are Python tuples; this class is for values that have their types with them.
    """

    values: tuple[Value, ...]

    @property
    def type(self) -> TupleType:
        return TupleType(tuple(value.type for value in self.values))

    def get(self, index: int) -> Value:
        """The value at `index`, counted from 0.

        Raises:
          IndexError: the index is out of range.
        """
        if not 0 <= index < len(self.values):
            raise IndexError(f"get: index must be below {len(self.values)}, got {index}")
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)

    def __getitem__(self, index: int) -> Value:
        return self.get(index)


Value = Tensor | Token | Tuple
