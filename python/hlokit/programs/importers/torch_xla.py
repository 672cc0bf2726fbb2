"""Folders that torch_xla's `StableHLOGraphModule.save` writes.

A folder holds a function (`functions/NAME.bytecode`), a description of its parameters (`functions/NAME.meta`,
JSON), and the weights that the function takes as arguments (`data/NAME`, `constants/NUMBER`: arrays as `.npy`
files without the suffix). The program takes the arguments of the module: weights become constants.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from hlokit.errors import ArgumentError, Diagnostic, ParseError
from hlokit.files import reading as files
from hlokit.files.arrays import read_array_file
from hlokit.mlir.bound_weights import Bound, Input, Unused, bind_parameters
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import signature
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType, ValueType

_FUNCTIONS, _META, _BYTECODE = "functions", ".meta", ".bytecode"
_INPUT, _PARAMETER, _CONSTANT = "input_arg", "parameter", "constant"
_DEFAULT = "forward"


def is_folder(path: str) -> bool:
    """Whether torch_xla has written the folder."""
    return any((Path(path) / _FUNCTIONS).glob(f"*{_META}"))


# The sizes of a tensor; None for sizes, or a rank, that are not known.
Shape = tuple[int | None, ...] | None


@dataclass(frozen=True, slots=True)
class Description:
    """A function in a folder: its bytecode, and the binding of its parameters.

    Attributes:
      results: the shapes of the module's results; empty if they are not known.
    """

    bytecode: bytes
    parameters: tuple[Bound | Input, ...]
    unused: tuple[Unused, ...]
    results: tuple[Shape, ...] = ()

    def bind(self, function: ir.Operation, filename: str) -> None:
        """Turn the weights among the function's parameters into constants.

        Raises:
          ParseError: a weight does not fit its parameter, or a result has another shape than the module's.
        """
        for number, (type_, shape) in enumerate(zip(signature(function)[1], self.results, strict=False)):
            if not _fits(type_, shape):
                sizes = ", ".join("?" if size is None else str(size) for size in shape or ())
                exports = f"torch_xla exports result {number} as {type_}"
                raise _failure(f"{exports}, but the module returns shape ({sizes})", filename)
        try:
            bind_parameters(function, self.parameters, self.unused)
        except ArgumentError as error:
            raise _failure(str(error), filename) from None


def _fits(type_: ValueType, shape: Shape) -> bool:
    if shape is None or not isinstance(type_, TensorType):
        return True
    pairs = zip(shape, type_.dims, strict=False)
    return len(shape) == len(type_.dims) and all(None in pair or pair[0] == pair[1] for pair in pairs)


def program_file(path: str) -> Path:
    """The file with the function of a folder: `forward`, or the only function.

    Raises:
      ParseError: there are several functions, and none is called `forward`.
    """
    metas = sorted((Path(path) / _FUNCTIONS).glob(f"*{_META}"))
    chosen = next((meta for meta in metas if meta.stem == _DEFAULT), metas[0])
    if chosen.stem != _DEFAULT and len(metas) > 1:
        names = ", ".join(meta.stem for meta in metas)
        raise _failure(f"the folder has several functions and no {_DEFAULT}: {names}", path)
    return chosen.with_suffix(_BYTECODE)


def read_folder(path: str, weights: Mapping[str, Any] | None = None) -> Description:
    """The function of a folder, which `program_file` chooses.

    Args:
      weights: arrays by name; by default those of the folder, mapped into memory.

    Raises:
      ParseError: a file of the folder is missing or malformed.
    """
    program = program_file(path)
    meta = program.with_suffix(_META).name
    try:
        described = json.loads(files.read_member(path, _FUNCTIONS, meta))
        parameters = tuple(_parameter(path, item, weights) for item in _items(described, "input_locations"))
        unused = tuple(
            Unused(_position(location), _type(signature))
            for location, signature in _items(described, "unused_inputs")
            if location["type_"] == _INPUT
        )
    except KeyError as error:
        raise _failure(f"malformed {meta}: it lacks {error}", path) from None
    except (ValueError, TypeError, OSError, RecursionError, SyntaxError) as error:
        raise _failure(f"malformed {meta}: {files.reason(error)}", path) from None
    positions = sorted(item.position for item in (*parameters, *unused) if not isinstance(item, Bound))
    if positions != list(range(len(positions))):
        numbers = f"0 to {len(positions) - 1}" if positions else "none"
        raise _failure(
            f"malformed {meta}: the positions of inputs must be {numbers}, got {positions[:20]}", path
        )
    try:
        return Description(files.read_member(path, _FUNCTIONS, program.name), parameters, unused)
    except (OSError, ValueError) as error:
        raise files.cannot_open(str(program), error) from None


def _items(described: Any, name: str) -> Sequence[Any]:
    """A list of the description."""
    if not isinstance(described, dict):
        raise TypeError(f"the description must be an object, got {str(described)[:40]}")
    items = cast("dict[str, Any]", described)[name]
    if not isinstance(items, list):
        raise TypeError(f"{name} must be a list, got {str(items)[:40]}")
    return cast("list[Any]", items)


def _position(item: Mapping[str, Any]) -> int:
    position = item["position"]
    if not isinstance(position, int) or position < 0:
        raise ValueError(f"a position must be a natural number, got {str(position)[:40]}")
    return position


def _parameter(folder: str, item: Mapping[str, Any], weights: Mapping[str, Any] | None) -> Bound | Input:
    kind = item["type_"]
    if kind == _INPUT:
        return Input(_position(item))
    if kind not in (_PARAMETER, _CONSTANT):
        raise ValueError(f"type_ must be {_INPUT}, {_PARAMETER} or {_CONSTANT}, got {str(kind)[:40]!r}")
    # The name becomes a file name, which must not lead out of the folder.
    name = str(item["name"]) if kind == _PARAMETER else str(_position(item))
    if kind == _PARAMETER and weights is not None:
        return Bound(name, weights[name])
    if Path(name).name != name:
        raise ValueError(f"the name of a parameter must be a file name, got {name[:40]!r}")
    parent = "data" if kind == _PARAMETER else "constants"
    try:
        return Bound(name, read_array_file(files.member_of(folder, parent, name), mapped=weights is None))
    except (OSError, ValueError) as error:
        raise ValueError(f"{parent}/{name}: {files.reason(error)}") from None


def _type(signature: Mapping[str, Any]) -> str:
    element = str(signature["dtype"])
    named = {"bool": "i1", "bfloat16": "bf16"}.get(element)
    spelled = named or element_type_of(np.dtype(element)).name
    dynamic = set(signature.get("dynamic_dims", ()))
    dims = ["?" if index in dynamic else str(int(size)) for index, size in enumerate(signature["shape"])]
    return f"tensor<{'x'.join([*dims, spelled])}>"


def _failure(message: str, filename: str) -> ParseError:
    return ParseError((Diagnostic("error", message, filename),))
