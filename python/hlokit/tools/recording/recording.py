"""Reads recordings, including recordings of runs that did not complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hlokit.display.shown import text_html
from hlokit.errors import ArgumentError, for_callers
from hlokit.files.reading import read_member, reason
from hlokit.mlir.parse import parse_bytecode
from hlokit.programs.program import Program
from hlokit.tools.recording.container import PROGRAM, Array, read_lines, read_value
from hlokit.tools.recording.places import Place


@dataclass(frozen=True, slots=True)
class RecordedValue:
    """A value of a recorded run.

    Attributes:
      order: the number of the evaluation of the value's operation, from 0.
      place: see `hlokit.tools.recording.places`.
      result: the index of the operation's result.
      op, function, source: name, function and source line of the operation; `type` is the type of this
        result.
      summary: range, mean, counts of NaN and infinities.
      offset: the value's position in the file; None if only the summary was stored.
      view: the part of the value at that position, if this one is a view of it.
      lifted: the value belongs to a region that is applied to elements, perhaps to all at once.
    """

    order: int
    place: Place
    result: int
    op: str
    function: str
    type: str
    source: str
    summary: dict[str, Any]
    offset: int | None
    view: list[Any] | None
    lifted: bool


class Recording:
    """A recorded run.

        run = hlokit.Recording("run")
        run.values[0], run.array(run.values[0])
        run.replay()

    Attributes:
      directory: directory of the recording.
      header: versions, function and file, as plain values.
      values: values in the order of the run.
      status: `finished`; the error of a failed run; None if the run did not complete.

    Raises:
      ArgumentError: the directory is not a recording.
    """

    @for_callers
    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = os.fspath(directory)
        self.header: dict[str, Any] = {}
        self.values: list[RecordedValue] = []
        self.status: str | None = None
        self._whole: dict[str, list[dict[str, Any]]] = {"argument": [], "result": []}
        self._by_place: dict[tuple[Place, int], RecordedValue] = {}
        for entry in read_lines(self.directory):
            if not self.header:
                self.header = entry
            elif entry["kind"] == "value":
                self._add(entry)
            elif entry["kind"] == "end":
                self.status = entry["status"]
            else:
                self._whole[entry["kind"]].append(entry)
        if not self.header:
            raise ArgumentError(f"'{self.directory}' is not a recording: its index is empty")

    def _add(self, entry: dict[str, Any]) -> None:
        value = RecordedValue(
            entry["order"],
            tuple(entry["place"]),
            entry["result"],
            entry["op"],
            entry["function"],
            entry["type"],
            entry["source"],
            entry["summary"],
            entry.get("offset"),
            entry.get("view"),
            entry.get("lifted", False),
        )
        self.values.append(value)
        self._by_place[value.place, value.result] = value

    @for_callers
    def array(self, value: RecordedValue) -> Array:
        """The array of a value.

        Raises:
          ArgumentError: only a summary of the value was stored.
        """
        if value.offset is None:
            raise ArgumentError(f"'{self.directory}' has only a summary of this value of {value.op}")
        return read_value(self.directory, value.offset, value.view, value.type)

    @for_callers
    def get(self, place: Place, result: int) -> Array | None:
        """The array of a result at a place; None if it was not stored.

        Args:
          place: place of the operation, as in `RecordedValue.place`.
          result: number of the result among the operation's results, from 0.
        """
        value = self._by_place.get((place, result))
        return None if value is None or value.offset is None or value.lifted else self.array(value)

    @property
    def function(self) -> str:
        """The name of the recorded function."""
        return self.header["function"]

    @property
    def arguments(self) -> list[Array]:
        """The arguments of the function.

        Raises:
          ArgumentError: the recording ended before all were stored.
        """
        count, stored = self.header.get("arguments", 0), len(self._whole["argument"])
        if stored < count:
            raise ArgumentError(f"'{self.directory}' ends early: it has {stored} of {count} arguments")
        return list(self._arrays("argument"))

    @property
    def results(self) -> list[Array]:
        """The results of the function; [] if the run did not complete."""
        return list(self._arrays("result"))

    def _arrays(self, kind: str) -> Iterator[Array]:
        for entry in self._whole[kind]:
            if "offset" not in entry:
                raise ArgumentError(f"'{self.directory}': a value of type {entry['type']} cannot be recorded")
            yield read_value(self.directory, entry["offset"], entry.get("view"), entry["type"])

    def program(self) -> Program:
        """The recorded program."""
        try:
            data = read_member(self.directory, PROGRAM)
        except (OSError, ValueError) as error:
            raise ArgumentError(f"'{self.directory}' has no program: {reason(error)}") from None
        return Program(parse_bytecode(None, data, self.header["file"]), self.header["file"])

    @for_callers
    def replay(self, **options: Any) -> Any:
        """Run the program again on the recorded arguments.

        Args:
          options: keyword arguments of `Program.__call__`, whose result and errors this method also has.
        """
        return self.program()(*self.arguments, function=self.function, **options)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def summaries(self) -> int:
        """The number of values of which only the summary was stored."""
        return sum([value.offset is None for value in self.values])

    def _repr_html_(self) -> str:
        return text_html(repr(self))

    def __repr__(self) -> str:
        status = self.status or "not finished"
        return f"<hlokit.Recording '{self.directory}' of @{self.function}: {len(self)} values, {status}>"
