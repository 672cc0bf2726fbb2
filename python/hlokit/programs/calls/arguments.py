"""Signatures of functions, and the conversion of users' arguments to values and of values to users'
results."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.interrupts import HUGE, beside_main_thread
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.fused.copies import in_rows
from hlokit.errors import ArgumentError, UnknownKeyword, UnsupportedError
from hlokit.kernels.elementwise.narrow_floats import rounding
from hlokit.values.bits import aligned, is_masked
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


# Returns the names of a function's parameters; None for those without a name.
Names = Callable[[], Sequence[str | None]]


class Calling(Protocol):
    """The calling convention of another framework: arguments, results, and Python functions of a program."""

    @property
    def callbacks(self) -> tuple[Callable[..., Any], ...]:
        """Python functions of this process, which custom calls of the program name by number."""
        ...

    def flatten(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any] | None = None, names: Names = tuple
    ) -> tuple[Any, ...]:
        """Convert the user's arguments to the flat ones of the program's function, by its parameters' names.

        Raises:
          ArgumentError: the arguments have another structure.
        """
        ...

    def pack(self, flat: Sequence[Any]) -> tuple[Any, ...]:
        """The user's arguments of flat ones: what `flatten` takes; the flat ones if some have keywords."""
        ...

    def as_called(self, flat: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The user's arguments and keywords of flat arguments."""
        ...

    def unflatten(self, results: Sequence[Any]) -> Any:
        """Convert the flat results of the program's function to the user's result."""
        ...

    def without_callbacks(self) -> Calling:
        """A copy without the functions of this process, which can be pickled."""
        ...


class Signature(NamedTuple):
    """Types of a function. `str` gives MLIR's syntax.

    Attributes:
      takes_platform: the first parameter is the number of the platform among those of a `jax.export`.
    """

    name: str
    inputs: tuple[ValueType, ...]
    outputs: tuple[ValueType, ...]
    takes_platform: bool = False

    def __str__(self) -> str:
        inputs, outputs = ([str(type_) for type_ in types] for types in (self.inputs, self.outputs))
        if self.takes_platform:
            from hlokit.mlir.platforms import PLATFORM_ATTRIBUTE

            inputs[0] += f" {PLATFORM_ATTRIBUTE}"
        returned = ", ".join(outputs)
        return f"@{self.name}({', '.join(inputs)}) -> {returned if len(outputs) == 1 else f'({returned})'}"

    __repr__ = __str__

    def values(self, arguments: Sequence[Any], names: Names = tuple) -> list[Value]:
        """Arguments as values of the parameters' types; see `as_values`.

        Raises:
          ArgumentError: the arguments do not fit.
        """
        if self.takes_platform and len(arguments) == len(self.inputs) - 1:
            raise ArgumentError(
                f"{wrong_number(self.name, len(self.inputs), len(arguments))}: the first is the number of "
                "the platform, in the order of jax.export's platforms (hlokit.load binds the platform of a "
                "jax.export blob, and cannot know the platforms of a module)"
            )
        return as_values(arguments, self.inputs, self.name, names)

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


class _Argument(NamedTuple):
    """An argument in a message."""

    function: str
    number: int
    names: Names

    def __str__(self) -> str:
        name = dict(enumerate(self.names())).get(self.number)
        return f"@{self.function}: argument {self.number}" + (f" ({name})" if name else "")


def as_values(
    arguments: Sequence[Any], types: Sequence[ValueType], function: str, names: Names = tuple
) -> list[Value]:
    """Arguments as values of the parameters' types.

    Arrays must have the parameter's dtype; Python scalars and lists of scalars are converted.

    Args:
      names: returns the names of the parameters that messages have.

    Raises:
      ArgumentError: the number of arguments, or a shape or dtype, does not fit.
    """
    if len(arguments) != len(types):
        raise ArgumentError(wrong_number(function, len(types), len(arguments)))
    values: list[Value] = []
    for argument, type_ in zip(arguments, types, strict=True):
        is_value = (  # as most arguments are
            type(argument) is np.ndarray
            and type(type_) is TensorType
            and argument.dtype is type_.element_type.dtype
            and argument.shape == type_.shape != ()  # values of rank 0 are scalars
            and argument.flags.aligned
        )
        if not is_value:
            argument = _as_value(argument, type_, _Argument(function, len(values), names))  # noqa: PLW2901
        values.append(argument)
    return values


def wrong_number(function: str, expected: int, count: int) -> str:
    """The message where a call has too few or too many arguments."""
    return f"@{function} must be called with {number_of_arguments(expected)}, got {count}"


def number_of_arguments(count: int) -> str:
    return f"{count} argument{'s' * (count != 1)}"


def by_position(
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    positional: Sequence[str | None],
    by_name: Sequence[str] = (),
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """Arguments with those keywords by position that are names of positional parameters, and the others.

    Raises:
      ArgumentError: there is no parameter of a keyword's name, or a parameter has no argument or two.
    """
    positions = dict(enumerate(arguments))
    rest: dict[str, Any] = {}
    for name, value in keywords.items():
        if name in by_name:
            rest[name] = value
            continue
        if name not in positional:
            raise UnknownKeyword(
                name, [keyword for keyword in (*positional, *by_name) if keyword is not None]
            )
        if positional.index(name) in positions:
            raise ArgumentError(f"{name} must be given once, got it twice")
        positions[positional.index(name)] = value
    missing = [name or f"argument {n}" for n, name in enumerate(positional) if n not in positions]
    if missing and keywords:
        raise ArgumentError(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return [positions[number] for number in sorted(positions)], rest


def _as_value(argument: Any, type_: ValueType, what: object) -> Value:
    match type_:
        case TensorType():
            return _as_array(argument, type_, what)
        case TokenType():
            return Token()
        case TupleType(types):
            if not isinstance(argument, tuple | list):
                raise ArgumentError(f"{what} must be a tuple of {len(types)} values, got {_shown(argument)}")
            items = cast("Sequence[Any]", argument)
            if len(items) != len(types):
                raise ArgumentError(f"{what} must be a tuple of {len(types)} values, got {len(items)}")
            return tuple(
                _as_value(item, item_type, f"{what}[{index}]")
                for index, (item, item_type) in enumerate(zip(items, types, strict=True))
            )
        case _:
            raise UnsupportedError(f"{what} has type {type_}; hlokit passes tensors, tuples and tokens")


def _as_array(argument: Any, type_: TensorType, what: object) -> npt.NDArray[np.generic] | np.generic:
    element_type = type_.element_type
    if isinstance(argument, Tensor):
        argument = argument.numpy()
    if isinstance(argument, bool | int | float | complex | list | tuple):
        array = _from_python(argument, element_type.stored, type_, what)
    else:
        try:
            array = np.asarray(argument)
        except (TypeError, ValueError, RuntimeError) as error:  # arrays of other libraries may raise these
            from hlokit.values.torch_tensors import array_of_tensor  # few arguments are such tensors

            array = array_of_tensor(argument)
            if array is None:
                name = type(argument).__name__
                outside = "programs run outside of jax.jit, grad and vmap"
                reason = outside if name.endswith("Tracer") else error
                raise ArgumentError(f"{what} must have type {type_}, got {name}: {reason}") from error
        if (masked := is_masked(argument)) or array.dtype != element_type.dtype:
            got = _describe(array) if hasattr(argument, "dtype") and not masked else type(argument).__name__
            raise ArgumentError(f"{what} must have type {type_}, got {got}")
        if array.dtype is not element_type.dtype:
            # Unpickled arrays have a different dtype object, with which ufunc.at is 30 times slower.
            array = array.view(element_type.dtype)
        array = aligned(array)
    if not type_.admits(array.shape):
        raise ArgumentError(f"{what} must have type {type_}, got {_describe(array)}")
    return array if array.ndim else array[()]


def _from_python(
    argument: Any, element_type: ElementType, type_: TensorType, what: object
) -> npt.NDArray[np.generic]:
    try:
        nested = np.asarray(argument, dtype=object)
    except ValueError as error:  # arrays whose shapes differ in any dimension but the first
        raise ArgumentError(
            f"{what} must have type {type_}, got arrays of several shapes: {error}"
        ) from error
    leaves = nested.reshape(-1)  # `flat` supports fewer dimensions
    allowed = _PYTHON_TYPES[element_type.kind]
    for index, leaf in enumerate(leaves):
        scalar = _python_scalar(leaf)
        leaves[index] = scalar
        if not isinstance(scalar, allowed):
            raise ArgumentError(f"{what} must hold values of {element_type}, got {_shown(leaf)}")
    if element_type.kind.is_integer:
        low = -(1 << (element_type.width - 1)) if element_type.kind is Kind.SIGNED else 0
        high = low + (1 << element_type.width) - 1
        for leaf in leaves:
            if not low <= int(leaf) <= high:
                raise ArgumentError(f"{what} must hold values of {element_type}, got {_shown(leaf)}")
    if element_type.kind.is_integer or element_type.kind is Kind.BOOL:
        values: npt.NDArray[Any] = leaves.astype(element_type.dtype)
        return values.reshape(nested.shape)
    return _rounded(leaves, element_type, type_, what).reshape(nested.shape)


def _rounded(
    leaves: npt.NDArray[np.object_], element_type: ElementType, type_: TensorType, what: object
) -> npt.NDArray[np.generic]:
    """Numbers rounded once to floats or complex numbers."""
    wide = np.dtype(np.complex128 if element_type.kind is Kind.COMPLEX else np.float64)
    try:
        # NumPy would round integers to f64 first.
        exact = leaves.astype(wide) if element_type.dtype == wide else _integers_to_odd(leaves).astype(wide)
    except OverflowError as error:
        leaf = max((leaf for leaf in leaves if isinstance(leaf, int)), key=abs)
        raise ArgumentError(f"{what} must have type {type_}, got {_shown(leaf)}") from error
    with np.errstate(all="ignore"):
        array = _rounding(element_type.dtype, wide)(exact)
    if not np.isfinite(rounded := array.astype(wide)).all() or element_type.dtype.itemsize == 1:
        is_wrong = np.isfinite(rounded.real) != np.isfinite(exact.real)
        is_wrong |= np.isfinite(rounded.imag) != np.isfinite(exact.imag)
        is_wrong |= np.abs(exact) > _limit(element_type)
        if is_wrong.any():
            leaf = leaves[int(is_wrong.argmax())]
            raise ArgumentError(f"{what} must hold values of {element_type}, got {_shown(leaf)}")
    return array


def _rounding(dtype: np.dtype[Any], wide: np.dtype[Any]) -> Callable[[npt.NDArray[Any]], npt.NDArray[Any]]:
    if dtype.itemsize >= 4:
        return lambda array: array.astype(dtype)
    return rounding(dtype, wide)  # ml_dtypes rounds f64 twice


def _integers_to_odd(leaves: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Integers of more than 53 bits as floats, rounded to odd, so that rounding to a narrower type is
    exact."""
    for index, leaf in enumerate(leaves):
        shift = leaf.bit_length() - 53 if isinstance(leaf, int) else 0
        if shift > 0:
            kept = abs(leaf) >> shift
            leaves[index] = math.copysign(math.ldexp(kept | (kept << shift != abs(leaf)), shift), leaf)
    return leaves


class _Shown(reprlib.Repr):
    """Arguments for messages, shortened to a few hundred characters."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = 200

    def repr_int(self, x: int, level: int) -> str:
        """An integer; Python does not print integers of more than 4,300 digits."""
        return super().repr_int(x, level) if x.bit_length() < 4096 else f"an integer of {x.bit_length()} bits"


_shown = _Shown().repr


def _limit(element_type: ElementType) -> float:
    """The largest number that rounds to a finite number, for a format without infinities; else infinity."""
    if element_type.kind is Kind.FLOAT:
        layout = float_format(element_type)
        if layout.special is Special.FINITE:
            largest, second = layout.decode(layout.largest), layout.decode(layout.largest - 1)
            return largest + (largest - second) / 2
    return math.inf


def _python_scalar(leaf: Any) -> Any:
    """A NumPy scalar as a Python scalar; any other object unchanged."""
    if not isinstance(leaf, np.generic):
        return leaf
    scalar = cast("np.generic[Any]", leaf)
    value: Any = scalar.item()
    if isinstance(value, np.generic):  # of a dtype that is not NumPy's own
        try:
            kind = element_type_of(scalar.dtype).kind
        except TypeError:  # np.longdouble
            return leaf  # pyright: ignore[reportUnknownVariableType] # unchanged
        return int(scalar) if kind.is_integer else float(scalar)  # pyright: ignore[reportArgumentType] # all such scalars are numbers
    return value


def _describe(array: npt.NDArray[np.generic]) -> str:
    try:
        return str(TensorType(array.shape, element_type_of(array.dtype)))
    except TypeError:
        return f"an array of shape {array.shape} and dtype {array.dtype}"


def as_results(
    values: Sequence[Value], types: Sequence[ValueType], arguments: Sequence[Value] = ()
) -> tuple[Any, ...]:
    """Values as results for users: arrays to which only the user refers, tokens, and tuples.

    Args:
      arguments: the arguments of the call, since a result may be the same array as an argument.
    """
    taken = set(map(id, arguments))
    return tuple([_as_result(value, type_, taken) for value, type_ in zip(values, types, strict=True)])


def _own(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    return in_rows(array) if array.nbytes < HUGE else beside_main_thread(in_rows, array)


def _as_result(value: Value, type_: ValueType, taken: set[int]) -> Any:
    match type_:
        case TensorType():
            array = value if type(value) is np.ndarray else np.asarray(value)
            # "carray": aligned, writeable and in rows.
            if array.base is not None or not array.flags.carray or id(array) in taken:
                array = _own(array)
            taken.add(id(array))
            return array
        case TupleType(types):
            return tuple(
                _as_result(item, item_type, taken) for item, item_type in zip(value, types, strict=True)
            )
        case _:
            return value
