"""What is judged: a program, a side, a Python function. Every call gets copies of the inputs."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError
from hlokit.mlir.printing import write_bytecode
from hlokit.programs.calls.arguments import Calling
from hlokit.programs.loading import load_path
from hlokit.programs.program import Program
from hlokit.tools.backends.children import Child
from hlokit.tools.backends.names import NAMES, named_side
from hlokit.tools.backends.side import Side, SideFailed

Array = npt.NDArray[Any]
Function = Callable[..., Any]
Pack = Callable[[Sequence[Any]], tuple[tuple[Any, ...], dict[str, Any]]]


class Candidate(Protocol):
    """Something that computes results.

    Attributes:
      name: the name for display.
      notes: faults that its calls showed beside their results.
    """

    name: str
    notes: list[str]

    def run(self, inputs: Sequence[Any]) -> list[Array]:
        """The results of a call.

        Raises:
          SideFailed: there are none.
        """
        ...

    def close(self) -> None:
        """End what the candidate has started."""
        ...


class FunctionCandidate:
    """A Python function of arrays, in this process.

    Args:
      pack: makes the function's arguments, such as pytrees, and keywords of flat arrays.
    """

    def __init__(self, function: Function, name: str = "", pack: Pack | None = None) -> None:
        self.name = name or getattr(function, "__name__", "function")
        self.notes: list[str] = []
        self._function = function
        self._pack = pack
        self._latest: list[tuple[Array, bytes]] = []

    def run(self, inputs: Sequence[Any]) -> list[Array]:
        """See `Candidate`. Notes tell which calls write into arguments or into earlier results."""
        copies = [_copied(value) for value in inputs]
        try:
            arguments, keywords = (tuple(copies), {}) if self._pack is None else self._pack(copies)
            outcome = self._function(*arguments, **keywords)
        except (Exception, SystemExit) as error:  # any exception is a result
            raise SideFailed("error", f"{type(error).__name__}: {error}") from None
        for number, (copy, value) in enumerate(zip(copies, inputs, strict=True)):
            if not isinstance(value, tuple) and np.asarray(copy).tobytes() != np.asarray(value).tobytes():
                self._note(f"writes into argument {number}")
        if any(value.tobytes() != bytes_ for value, bytes_ in self._latest):
            self._note("writes into the results of an earlier call")
        results = [np.asarray(value) for value in _flat(outcome)]
        self._latest = [(value, value.tobytes()) for value in results]
        return [value.copy() for value in results]

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def close(self) -> None:
        """See `Candidate`."""


def _pack_of(function: Function, calling: Calling | None) -> Pack | None:
    """Calls a function as the definition is called; with flat arguments if it does not take the keywords."""
    if calling is None:
        return None

    def pack(flat: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        arguments, keywords = calling.as_called(flat)
        try:
            inspect.signature(function).bind(*arguments, **keywords)
        except (TypeError, ValueError):  # other parameters, or a builtin function without a signature
            return calling.pack(flat), {}
        return arguments, keywords

    return pack


def _copied(value: Any) -> Any:
    return cast("Any", value) if isinstance(value, tuple) else np.array(value)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [item for part in value.values() for item in _flat(part)]  # pyright: ignore[reportUnknownVariableType] # of any type
    if isinstance(value, tuple | list):
        return [item for part in value for item in _flat(part)]  # pyright: ignore[reportUnknownVariableType] # of any type
    return [value]


class ImportedCandidate:
    """`MODULE:FUNCTION` in a process of its own, so that a crash or a hang is a result."""

    def __init__(self, name: str, time_limit: float) -> None:
        self.name = name
        self.notes: list[str] = []
        self._child = Child("hlokit.tools.judge.worker", (name, os.getcwd()), time_limit)

    def run(self, inputs: Sequence[Any]) -> list[Array]:
        """See `Candidate`.

        Raises:
          ArgumentError: the function cannot be imported.
        """
        kind, answer, notes = self._child.ask([np.asarray(value) for value in inputs])
        self.notes = notes
        if kind == "unsupported":
            raise ArgumentError(answer)  # there is no such function
        if kind != "ok":
            raise SideFailed(kind, answer)
        return answer

    def close(self) -> None:
        """See `Candidate`."""
        self._child.close()


class SideCandidate:
    """A side that runs the definition."""

    def __init__(self, side: Side, program: Program, function: str) -> None:
        self.name = side.name
        self.notes: list[str] = []
        self._side = side
        self._module = write_bytecode(program.module)
        self._function = function

    def run(self, inputs: Sequence[Any]) -> list[Array]:
        """See `Candidate`."""
        arrays = [np.asarray(value) for value in inputs]
        return [np.asarray(value) for value in self._side.run(self._module, arrays, self._function)]

    def close(self) -> None:
        """See `Candidate`."""
        self._side.close()


def is_function_name(text: str) -> bool:
    """Whether a text is `MODULE:FUNCTION`."""
    module, colon, function = text.partition(":")
    return bool(colon) and all(part.isidentifier() for part in (*module.split("."), function))


def imported(name: str, folder: str) -> Function:
    """The function `MODULE:FUNCTION`, where a module may be a file of a folder.

    Raises:
      ArgumentError: there is no such function.
    """
    module, _, function = name.partition(":")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        value = getattr(importlib.import_module(module), function)
    except Exception as error:  # of the user's module
        raise ArgumentError(f"cannot import {name}: {type(error).__name__}: {error}") from None
    if not callable(value):
        raise ArgumentError(f"{name} must be a function, got {type(value).__name__}")
    return value


def candidate_of(
    candidate: Any, program: Program, function: str, time_limit: float
) -> FunctionCandidate | ImportedCandidate | SideCandidate:
    """The candidate of an argument of `hlokit.judge`.

    Raises:
      ArgumentError: it is none.
    """
    if isinstance(candidate, Program):
        return FunctionCandidate(candidate, "program")
    if isinstance(candidate, str | os.PathLike):
        name = os.fspath(cast("str", candidate))
        side = named_side(name, time_limit)
        if side is not None:
            return SideCandidate(side, program, function)
        if os.path.isfile(name):
            return FunctionCandidate(load_path(name), name)
        if is_function_name(name):
            return ImportedCandidate(name, time_limit)
        raise ArgumentError(
            f"a candidate must be a program, MODULE:FUNCTION, or one of {', '.join(NAMES)}, got '{name}'"
        )
    if callable(getattr(candidate, "run_each", None)):
        return SideCandidate(candidate, program, function)
    if callable(candidate):
        return FunctionCandidate(candidate, pack=_pack_of(candidate, program.calling))
    raise ArgumentError(
        f"a candidate must be a program, a function or a side, got {type(candidate).__name__}"
    )
