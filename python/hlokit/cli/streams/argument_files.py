"""Arguments that a command reads: lists of constants, `.npy` files, `.npz` files."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy.typing as npt

from hlokit.cli.frame.verbosity import note
from hlokit.cli.streams.shapes import read_shape
from hlokit.display.suggestions import SUGGESTS
from hlokit.errors import ArgumentError
from hlokit.files import reading as files
from hlokit.files.arrays import open_archive, read_array, read_member
from hlokit.mlir.argument_list import read_argument, read_argument_list
from hlokit.mlir.provider.context import make_context
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, TupleType, ValueType

Array = npt.NDArray[Any]

_SUFFIXES = (".npy", ".npz")
# HLO's notation of a type, without a layout.
_OF_HLO = re.compile(r"([a-z]+\d*)\[([\d,]*)\]")
_NUMBER = re.compile(r"-?\d+(\.\d*)?(e-?\d+)?")
# The number of characters of an argument that messages show.
_LONGEST_SHOWN = 100


class Arguments(list[Array]):
    """Arrays in order.

    Attributes:
      names: their names, if they come from `.npz` files.
      shapes: the shapes of those of which only shapes are given, by number.
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str | None] = []
        self.shapes: dict[int, tuple[int, ...]] = {}

    def add(self, name: str | None, array: Array) -> None:
        self.append(array)
        self.names.append(name)


def read_arguments(values: Sequence[str], *, are_lists: bool = True) -> Arguments:
    """The arguments of a subcommand, or the values of `--args`, in order.

    Args:
      are_lists: whether a value that is not a file is a list of constants, as in `--args`.

    Raises:
      ArgumentError: a value is neither a constant or list of constants, nor a readable file.
    """
    read = read_argument_list if are_lists else read_argument
    arguments = Arguments()
    for value in values:
        if value.endswith(_SUFFIXES):
            for name, array in _read_arrays(value):
                arguments.add(name, array)
        elif (shaped := None if are_lists else read_shape(value)) is not None:
            array, has_value = shaped
            if not has_value:
                arguments.shapes[len(arguments)] = array.shape
            arguments.add(None, array)
        elif value:
            if not are_lists and ":" not in value:
                raise ArgumentError(_no_argument(value))
            for array in read(make_context(), value):
                arguments.add(None, array)
    return arguments


def _no_argument(text: str) -> str:
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
    if os.path.exists(text):
        return f"'{shown}' is no argument: a file of arguments must be an .npy or .npz file"
    hint = f"{SUGGESTS}{meant}?" if (meant := _meant(text)) else ""
    return (
        f"'{shown}' is no argument{hint}\n  an argument is a shape such as 2x3xf32 (zeros) or 2x3xf32=1, a "
        "constant such as 'dense<1> : tensor<2xi32>', or an .npy or .npz file"
    )


def _meant(text: str) -> str:
    """What a text that is no argument may mean; "" if nothing can be told."""
    of_hlo = _OF_HLO.fullmatch(text)
    if of_hlo is not None:
        return "x".join([*filter(None, of_hlo[2].split(",")), of_hlo[1]])
    if text.isdecimal():
        return f"i32={text}, or --random={text}"
    return f"f32={text}" if _NUMBER.fullmatch(text) else ""


# Names that say an order only: those of `numpy.savez`, of hlokit's files and of MLIR.
_ORDINAL = re.compile(r"(?:arr|result|input|args?)((?:_?\d+)+)")
_WORD = re.compile(r"\w+")
# Names in a message.
_SHOWN = 12


def array_names(names: Sequence[str | None], types: Sequence[ValueType]) -> list[str | None]:
    """The names of the arrays that hold the parameters: `t[0]`, `t[1]` for a tuple `t`, none for a token."""
    arrays: list[str | None] = []
    for name, type_ in zip(names, types, strict=True):
        if isinstance(type_, TupleType):
            items = [None if name is None else f"{name}[{number}]" for number in range(len(type_.types))]
            arrays += array_names(items, type_.types)
        elif isinstance(type_, TensorType):
            arrays.append(name)
    return arrays


def in_order(arguments: Sequence[Array], names: Sequence[str | None]) -> Sequence[Array]:
    """Arguments in the order of the parameters; see `places`.

    Raises:
      ArgumentError: an array has the name of no parameter, or a parameter has no array.
    """
    if not isinstance(arguments, Arguments) or not any(arguments.names):
        return arguments
    by_parameter = places(arguments, names)
    return [arguments[by_parameter[number]] for number in sorted(by_parameter)]


def places(arguments: Arguments, names: Sequence[str | None], *, may_lack: bool = False) -> Mapping[int, int]:
    """For each parameter with an array, the number of the array among the arguments.

    An array with a name belongs to the parameter of this name: `w['a']` of JAX, `w.a` and `w/a` are the same
    name. The other arrays belong to the other parameters, in order.

    Args:
      names: names of the parameters; None for parameters without a name.
      may_lack: whether parameters may lack arrays.

    Raises:
      ArgumentError: an array has the name of no parameter, or parameters have no arrays.
    """
    parameters = {_words(name): number for number, name in enumerate(names) if name}
    by_parameter: dict[int, int] = {}
    unnamed: list[int] = []
    unknown: list[str] = []
    for index, name in enumerate(arguments.names):
        parameter = None if name is None else parameters.get(_words(name))
        if parameter in by_parameter:
            raise ArgumentError(f"{name} must be given once, got it twice")
        if parameter is not None:
            by_parameter[parameter] = index
        elif name is None or _ORDINAL.fullmatch(name):
            unnamed.append(index)
        else:
            unknown.append(name)
    is_by_name = bool(by_parameter or unknown)
    free = [number for number in range(len(names)) if number not in by_parameter]
    more = range(len(names), len(names) + len(unnamed))  # too many, or those of several processes
    by_parameter.update(zip([*free, *more], unnamed, strict=False))
    missing = [number for number in free if number not in by_parameter]
    if missing and (unknown or (is_by_name and not may_lack)):
        raise ArgumentError(_unmatched(arguments.names, names, missing))
    if unknown:
        note(f"note: no parameter has the names of these arrays: {_listed(unknown)}")
    return by_parameter


def _unmatched(arrays: Sequence[str | None], parameters: Sequence[str | None], missing: Sequence[int]) -> str:
    """The message where names of arrays and parameters do not match."""
    if not any(parameters):
        return (
            f"the parameters have no names, got arrays named {_listed(arrays)}: arr_0, arr_1, ... are names "
            "that say the order, and so does a list of .npy files"
        )
    lacking = [parameters[number] or f"number {number}" for number in missing]
    return (
        f"arrays must have the names of the parameters, which are {_listed(parameters)}; got arrays named "
        f"{_listed(arrays)}, which lack {_listed(lacking)}"
    )


def _listed(names: Sequence[str | None]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(name or 'one without a name' for name in names[:_SHOWN])}{more}"


def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(name))


def _order(item: tuple[str, Array]) -> tuple[int, ...]:
    """The order of an array among others of a file that have no names."""
    match = _ORDINAL.fullmatch(item[0])
    return tuple(map(int, re.findall(r"\d+", match[1]))) if match else ()


def _read_arrays(path: str) -> list[tuple[str | None, Array]]:
    import zipfile  # slow to import

    try:
        with files.open_file(path) as file:
            if not zipfile.is_zipfile(file):
                file.seek(0)
                data = files.read_whole(file)
                return [(None, read_array(io.BytesIO(data), len(data)))]
            with open_archive(file) as archive:
                members = [
                    (item.filename.removesuffix(".npy"), read_member(archive, item))
                    for item in archive.infolist()
                ]
                return [*(sorted(members, key=_order) if all(map(_order, members)) else members)]
    except MemoryError:
        raise
    except Exception as error:  # readers of archives raise exceptions of any kind
        reason = files.reason(error).partition("\n")[0] or type(error).__name__
        raise ArgumentError(f"cannot read arguments from '{path}': {reason}") from None


def array_types(types: Sequence[ValueType]) -> list[TensorType]:
    """The types of the arrays that hold values: one for each item of a tuple, none for a token."""
    arrays: list[TensorType] = []
    for type_ in types:
        if isinstance(type_, TupleType):
            arrays += array_types(type_.types)
        elif isinstance(type_, TensorType):
            arrays.append(type_)
    return arrays


def as_arguments(arrays: Sequence[Array], types: Sequence[ValueType]) -> list[Any]:
    """Arguments from one array for each item of the parameters, or from one array per parameter."""
    wanted = array_types(types)
    if len(wanted) != len(arrays):
        return with_stored_types(arrays, types)
    rest = iter(with_stored_types(arrays, wanted))

    def take(type_: ValueType) -> Any:
        if isinstance(type_, TupleType):
            return tuple([take(item) for item in type_.types])
        return next(rest) if isinstance(type_, TensorType) else Token()

    return [take(type_) for type_ in types]


def with_stored_types(arguments: Sequence[Array], types: Sequence[ValueType]) -> list[Array]:
    """Arrays from files, as arrays of the parameters' types.

    NumPy writes dtypes that it does not know (bf16, f8, i4, ...) as raw bytes of their size.
    """
    wanted = [*types, *[None] * len(arguments)]
    return [_with_stored_type(array, type_) for array, type_ in zip(arguments, wanted, strict=False)]


def _with_stored_type(array: Array, type_: ValueType | None) -> Array:
    if array.dtype.kind in "iufc":
        array = array.astype(array.dtype.type, copy=False)  # in the byte order of this machine
    if not isinstance(type_, TensorType):
        return array
    dtype = type_.element_type.dtype
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize == dtype.itemsize:
        return array.view(dtype)
    return array
