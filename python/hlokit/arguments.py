"""Signatures of functions: from users' arguments to values, and from values to users' results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from hlokit.contract.registry import Value
from hlokit.errors import ArgumentError
from hlokit.values.bits import aligned
from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.float_format import Special, float_format
from hlokit.values.tensor import Tensor, Token
from hlokit.values.types import TensorType, TokenType, TupleType, ValueType

_PYTHON_TYPES: dict[Kind, tuple[type, ...]] = {
    Kind.BOOL: (bool,),
    Kind.SIGNED: (bool, int),
    Kind.UNSIGNED: (bool, int),
    Kind.FLOAT: (bool, int, float),
    Kind.COMPLEX: (bool, int, float, complex),
}


class Calling(Protocol):
    """How users of another framework call a program: its arguments, its results, its functions in Python."""

    @property
    def callbacks(self) -> tuple[Callable[..., Any], ...]:
        """Python functions that custom calls of the program name by number; only this process has them."""
        ...

    def flatten(self, arguments: Sequence[Any], keywords: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """The arguments of the program's function, for what the user passes.

        Raises:
          ArgumentError: the arguments have another structure.
        """
        ...

    def unflatten(self, results: Sequence[Any]) -> Any:
        """What the user is given, for the results of the program's function."""
        ...

    def without_callbacks(self) -> Calling:
        """The same without functions of this process: what can be pickled."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Signature:
    """Types of a function. `str` spells it as MLIR does."""

    name: str
    inputs: tuple[ValueType, ...]
    outputs: tuple[ValueType, ...]

    def __str__(self) -> str:
        inputs, outputs = (", ".join(map(str, types)) for types in (self.inputs, self.outputs))
        return f"@{self.name}({inputs}) -> {outputs if len(self.outputs) == 1 else f'({outputs})'}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from hlokit.display.html import escape, fragment, table

        rows = [
            (f"{what} {number}", str(type_))
            for what, types in (("argument", self.inputs), ("result", self.outputs))
            for number, type_ in enumerate(types)
        ]
        return fragment(
            f'<div class="mono head">@{escape(self.name)}</div>{table(("", "type"), rows, filters=False)}'
        )


def as_values(arguments: Sequence[Any], types: Sequence[ValueType], function: str) -> list[Value]:
    """Arguments as values of the parameters' types.

    Arrays must have the parameter's dtype; Python scalars and lists of scalars are converted.

    Raises:
      ArgumentError: the number of arguments, or a shape or dtype, does not fit.
    """
    if len(arguments) != len(types):
        raise ArgumentError(f"@{function} must be called with {len(types)} arguments, got {len(arguments)}")
    return [
        _as_value(argument, type_, f"@{function}: argument {index}")
        for index, (argument, type_) in enumerate(zip(arguments, types, strict=True))
    ]


def _as_value(argument: Any, type_: ValueType, what: str) -> Value:
    match type_:
        case TensorType():
            return _as_array(argument, type_, what)
        case TokenType():
            return Token()
        case TupleType(types):
            if not isinstance(argument, tuple | list):
                raise ArgumentError(f"{what} must be a tuple of {len(types)} values, got {argument!r}")
            items = cast("Sequence[Any]", argument)
            if len(items) != len(types):
                raise ArgumentError(f"{what} must be a tuple of {len(types)} values, got {len(items)}")
            return tuple(
                _as_value(item, item_type, f"{what}[{index}]")
                for index, (item, item_type) in enumerate(zip(items, types, strict=True))
            )
        case _:
            raise ArgumentError(f"{what} must have type {type_}, which cannot be passed from Python")


def _as_array(argument: Any, type_: TensorType, what: str) -> npt.NDArray[np.generic] | np.generic:
    element_type = type_.element_type
    if isinstance(argument, Tensor):
        argument = argument.numpy()
    if isinstance(argument, bool | int | float | complex | list | tuple):
        array = _from_python(argument, element_type.stored, type_, what)
    else:
        try:
            array = np.asarray(argument)
        except (TypeError, ValueError) as error:  # arrays of other libraries may raise these
            name = type(argument).__name__
            raise ArgumentError(f"{what} must have type {type_}, got {name}: {error}") from error
        if array.dtype != element_type.dtype:
            raise ArgumentError(f"{what} must have type {type_}, got {_describe(array)}")
        if array.dtype is not element_type.dtype:
            # Unpickled arrays have a dtype object of their own, with which ufunc.at is 30 times slower.
            array = array.view(element_type.dtype)
        array = aligned(array)
    if not _fits(array.shape, type_):
        raise ArgumentError(f"{what} must have type {type_}, got {_describe(array)}")
    return array if array.ndim else array[()]


def _from_python(
    argument: Any, element_type: ElementType, type_: TensorType, what: str
) -> npt.NDArray[np.generic]:
    leaves = np.asarray(argument, dtype=object)
    allowed = _PYTHON_TYPES[element_type.kind]
    for index, leaf in enumerate(leaves.flat):
        scalar = _python_scalar(leaf)
        leaves.flat[index] = scalar
        if not isinstance(scalar, allowed):
            raise ArgumentError(f"{what} must hold values of {element_type}, got {leaf!r}")
    if element_type.kind.is_integer:
        low = -(1 << (element_type.width - 1)) if element_type.kind is Kind.SIGNED else 0
        high = low + (1 << element_type.width) - 1
        for leaf in leaves.flat:
            if not low <= int(leaf) <= high:
                raise ArgumentError(f"{what} must hold values of {element_type}, got {leaf!r}")
    try:
        with np.errstate(all="ignore"):
            array = leaves.astype(element_type.dtype)
    except (TypeError, ValueError, OverflowError) as error:  # OverflowError: an integer too large for a float
        raise ArgumentError(f"{what} must have type {type_}, got {argument!r}") from error
    if not element_type.kind.is_integer and element_type.kind is not Kind.BOOL:
        wide = array.astype(np.complex128 if element_type.kind is Kind.COMPLEX else np.float64)
        limit = _limit(element_type)
        for value, leaf in zip(wide.flat, leaves.flat, strict=True):
            if np.isfinite(value) != np.isfinite(leaf) or abs(leaf) > limit:
                raise ArgumentError(f"{what} must hold values of {element_type}, got {leaf!r}")
    return array


def _limit(element_type: ElementType) -> float:
    """The largest number that rounds to one of a format without infinities; infinity for all others."""
    if element_type.kind is Kind.FLOAT:
        layout = float_format(element_type)
        if layout.special is Special.FINITE:
            largest, next_one = layout.decode(layout.largest), layout.decode(layout.largest - 1)
            return largest + (largest - next_one) / 2
    return math.inf


def _python_scalar(leaf: Any) -> Any:
    """A scalar of NumPy as the Python scalar that it is; anything else as it is."""
    if not isinstance(leaf, np.generic):
        return leaf
    scalar = cast("np.generic[Any]", leaf)
    value: Any = scalar.item()
    if isinstance(value, np.generic):  # of a dtype that NumPy does not know
        return int(scalar) if element_type_of(scalar.dtype).kind.is_integer else float(scalar)  # pyright: ignore[reportArgumentType] # all such scalars are numbers
    return value


def _fits(shape: tuple[int, ...], type_: TensorType) -> bool:
    if type_.shape is None or shape == type_.shape:
        return True
    if len(shape) != len(type_.shape):
        return False
    bounds = type_.bounds or (-1,) * len(shape)
    return all(
        actual == size if size >= 0 else bound < 0 or actual <= bound
        for actual, size, bound in zip(shape, type_.shape, bounds, strict=True)
    )


def _describe(array: npt.NDArray[np.generic]) -> str:
    try:
        return str(TensorType(array.shape, element_type_of(array.dtype)))
    except TypeError:
        return f"an array of shape {array.shape} and dtype {array.dtype}"


def as_results(
    values: Sequence[Value], types: Sequence[ValueType], arguments: Sequence[Value] = ()
) -> tuple[Any, ...]:
    """Values as results for users, who own the arrays alone; tokens; tuples.

    Args:
      arguments: the arguments of the call: a result may be one of these arrays.
    """
    taken = {id(argument) for argument in arguments}
    return tuple(_as_result(value, type_, taken) for value, type_ in zip(values, types, strict=True))


def _own(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    if array.flags.c_contiguous:
        return array.copy()
    from hlokit.native.copies import in_rows  # few results are views

    return in_rows(array)


def _as_result(value: Value, type_: ValueType, taken: set[int]) -> Any:
    match type_:
        case TensorType():
            array = np.asarray(value)
            is_view = array.base is not None or not array.flags.writeable or not array.flags.c_contiguous
            if is_view or id(array) in taken:
                array = _own(array)
            taken.add(id(array))
            return array
        case TupleType(types):
            return tuple(
                _as_result(item, item_type, taken) for item, item_type in zip(value, types, strict=True)
            )
        case _:
            return value
