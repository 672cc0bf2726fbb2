"""Calls of a function on every process of a grid: users' arguments as values, and values as results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.display.misuse import shown
from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError
from hlokit.programs.calls.arguments import Signature, as_results
from hlokit.values.bits import aligned

if TYPE_CHECKING:
    from hlokit.programs.calls.arguments import Calling, Names

Values = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ParallelCall:
    """A call of one function on `count` processes.

    Attributes:
      own: the number of the process that runs here; None if all processes run here.
      calling: the calling convention of the program's framework; None for other programs.
      names: returns the names of the parameters.
    """

    signature: Signature
    count: int
    own: int | None
    calling: Calling | None
    names: Names = tuple

    @property
    def _here(self) -> Iterable[int]:
        if self.own is None:
            return range(self.count)
        # Without arguments for this process the grid is too small, and the engine raises an error.
        return (self.own,) if self.own < self.count else ()

    def values(self, arguments: Sequence[Sequence[Any]]) -> list[list[Value]]:
        """The arguments of each process that runs here as values; [] for other processes.

        Raises:
          ArgumentError: the arguments of a process do not fit the function.
        """
        values: list[list[Value]] = [[] for _ in range(self.count)]
        for number in self._here:
            own = arguments[number]
            if not isinstance(own, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] # of users
                raise ArgumentError(
                    f"each process must have a tuple of arguments, as in run_parallel([(x,), (y,)]); process "
                    f"{number} has {shown(own)}"
                )
            flat = own if self.calling is None else self.calling.flatten(tuple(own), {}, self.names)
            values[number] = self.signature.values(flat)
        return values

    def feeds(self, infeed: Sequence[Iterable[Sequence[Any]]] | None) -> list[list[Values]]:
        """The entries of each infeed of the processes that run here, as values; [] for other processes.

        Raises:
          ArgumentError: the number of infeeds differs from the number of processes.
        """
        feeds: list[list[Values]] = [[] for _ in range(self.count)]
        if infeed is None:
            return feeds
        if len(infeed) != self.count:
            raise ArgumentError(f"infeed must be given for {self.count} processes, got {len(infeed)}")
        for number in self._here:
            if not isinstance(infeed[number], Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] # of users
                raise ArgumentError(f"infeed must be a list of entries for each process, got {shown(infeed)}")
            feeds[number] = [tuple(aligned(np.asarray(item)) for item in entry) for entry in infeed[number]]
        return feeds

    def results(
        self,
        evaluated: Sequence[Values],
        values: Sequence[Sequence[Value]],
        feeds: Sequence[Sequence[Values]],
    ) -> list[Any]:
        """The result of the call on each process, as `Program.__call__` returns it.

        Args:
          values, feeds: the inputs of the function, since a result may be the same array as an input.
        """
        types = self.signature.outputs
        taken = [value for process_values in values for value in process_values]
        taken += [array for feed in feeds for entry in feed for array in entry]
        flat = as_results([value for returned in evaluated for value in returned], types * self.count, taken)
        size = len(types)
        by_process: list[tuple[Any, ...]] = [()] * self.count
        if size:
            by_process = [flat[i : i + size] for i in range(0, len(flat), size)]
        if self.calling is not None:
            return [self.calling.unflatten(returned) for returned in by_process]
        return [returned[0] if size == 1 else returned for returned in by_process]


def own_copies(
    outfeed: Callable[[tuple[int, int], Values], object],
) -> Callable[[tuple[int, int], Values], object]:
    """A function that calls `outfeed` with copies of the arrays, to which only the user refers."""
    return lambda process, arrays: outfeed(process, tuple(map(np.array, arrays)))
