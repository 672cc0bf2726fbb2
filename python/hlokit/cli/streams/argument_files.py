"""Arguments that a command reads: lists of constants, `.npy` files, `.npz` files."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from hlokit.cli.streams.shapes import read_shape
from hlokit.errors import ArgumentError
from hlokit.files import reading as files
from hlokit.files.arrays import open_archive, read_array, read_member
from hlokit.mlir.argument_list import read_argument, read_argument_list
from hlokit.mlir.provider.context import make_context
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, TupleType, ValueType

Array = npt.NDArray[Any]

_SUFFIXES = (".npy", ".npz")


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
            for array in read(make_context(), value):
                arguments.add(None, array)
    return arguments


# Default names: `numpy.savez` names arrays like this, and hlokit's `--output` names results.
_NO_NAME = re.compile(r"arr_\d+|result_\d+")
_WORD = re.compile(r"\w+")


def in_order(arguments: Sequence[Array], names: Sequence[str | None]) -> Sequence[Array]:
    """Arguments in the order of the parameters, by name if all arguments and parameters have names.

    `w['a']` of JAX, `w.a` and `w/a` are the same name. Arrays without the parameters' names stay in order.

    Args:
      names: names of the parameters; None for parameters without a name.

    Raises:
      ArgumentError: some arrays have the names of parameters, and others do not.
    """
    if not isinstance(arguments, Arguments) or None in names or len(set(map(_words, names))) != len(names):
        return arguments
    by_name = {_words(name): array for name, array in zip(arguments.names, arguments, strict=True) if name}
    wanted = [_words(name) for name in names]
    named = [words for words in wanted if words in by_name]
    if not named or not names:
        return arguments
    missing = [name or "" for name, words in zip(names, wanted, strict=True) if words not in by_name]
    if missing:
        raise ArgumentError(f"the arrays lack arguments of the names {', '.join(missing)}")
    return [by_name[words] for words in wanted]


def _words(name: str | None) -> tuple[str, ...]:
    return () if name is None or _NO_NAME.fullmatch(name) else tuple(_WORD.findall(name))


def _read_arrays(path: str) -> list[tuple[str | None, Array]]:
    import zipfile  # slow to import

    try:
        with files.open_file(path) as file:
            if not zipfile.is_zipfile(file):
                file.seek(0)
                data = files.read_whole(file)
                return [(None, read_array(io.BytesIO(data), len(data)))]
            with open_archive(file) as archive:
                return [
                    (item.filename.removesuffix(".npy"), read_member(archive, item))
                    for item in archive.infolist()
                ]
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
