"""Programs with unknown dimensions, planned as static programs for the sizes of the arguments of calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import Planner
from hlokit.mlir.provider.bindings import ir
from hlokit.values.types import TensorType, ValueType

# The most static programs of a program; and the most sizes of arguments whose runs it counts.
_MOST_PROGRAMS = 8
_MOST_SIZES = 1024
# Making a program takes as long as some tens of calls gain. If there are programs enough, so many runs with
# other sizes replace one.
_RUNS_TO_REPLACE = 32

_Shapes = tuple[tuple[int, ...], ...]


class StaticPrograms:
    """Static programs of a module whose `main` has operations with unknown dimensions.

    The second call with arguments of the same sizes makes their program: a run has then shown that operations
    with these sizes are valid, and many programs are called once with each size. If there are enough
    programs, a later call makes it, in place of the oldest one: otherwise every call would make a program, if
    there are more sizes in turn than programs.

    Args:
      types: the types of the arguments of `main`.
      make_planner: makes the planner of a module.
    """

    def __init__(
        self, module: ir.Module, types: Sequence[ValueType], make_planner: Callable[[ir.Module], Planner]
    ) -> None:
        self._module, self._make_planner = module, make_planner
        self._types = [type_ for type_ in types if isinstance(type_, TensorType) and type_.bounds is None]
        self._is_refinable = len(self._types) == len(types)
        self._runs: dict[_Shapes, int] = {}  # that have ended without an error, by sizes without a program
        self._planners: dict[_Shapes, Planner | None] = {}

    def planner(self, values: Sequence[Value]) -> Planner | None:
        """The planner of the program for arguments of these sizes; None if there is none, or not yet."""
        if not self._is_refinable:
            return None
        shapes = tuple([value.shape for value in values])
        planner = self._planners.get(shapes)
        if planner is not None or shapes in self._planners:
            return planner
        has_room = len(self._planners) < _MOST_PROGRAMS
        is_due = self._runs.get(shapes, 0) >= (1 if has_room else _RUNS_TO_REPLACE)
        return self._planner_of(shapes) if is_due else None

    def count(self, values: Sequence[Value]) -> None:
        """Count a run with arguments of these sizes that has ended without an error."""
        if self._is_refinable:
            if len(self._runs) >= _MOST_SIZES:
                self._runs.clear()
            shapes = tuple([value.shape for value in values])
            self._runs[shapes] = self._runs.get(shapes, 0) + 1

    def forget(self) -> None:
        """Drop all plans."""
        for planner in self._planners.values():
            if planner is not None:
                planner.forget()
        self._planners.clear()

    def _planner_of(self, shapes: _Shapes) -> Planner | None:
        from hlokit.mlir.refinement import refined  # few programs have unknown dimensions

        types = [
            TensorType(shape, type_.element_type) for shape, type_ in zip(shapes, self._types, strict=True)
        ]
        module = refined(self._module, types)
        self._runs.pop(shapes, None)
        if len(self._planners) >= _MOST_PROGRAMS:
            self._planners.pop(next(iter(list(self._planners)), ()), None)  # another thread may do the same
        planner = None if module is None else self._make_planner(module)
        self._planners[shapes] = planner
        return planner
