"""The place of a value: its operation, the calls and regions around it, and the iterations of the loops.

Operations of a module are numbered in the order of a walk, which is the same for the module and its clones. A
*place* is a tuple of ints: number and iteration of each enclosing operation, from the outermost inwards, then
the number of the operation itself. The iteration counts the earlier runs of the region, or of the called
function.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import StepNumbers
from hlokit.engine.plan.locations import source_position, source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.mlir.queries.module import location_of, walk
from hlokit.operations.lookup import having, traits_of
from hlokit.programs.program import Program
from hlokit.tools.recording.printed_lines import printed_lines, text_command

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

Place = tuple[int, ...]

# Operations that only return results of their nested operations.
CONTROL_FLOW = having(lambda traits: traits.control or traits.terminator) | {"func.func", "builtin.module"}
BRANCHING = ("stablehlo.if", "stablehlo.case")
LOOP = "stablehlo.while"


def branch_taken(name: str, choice: int, count: int) -> int:
    """The number of the region that runs, of a branching operation. Source: spec "if" and "case".

    Args:
      choice: the value of the operand `pred` or `index`.
      count: the number of regions.
    """
    number = 1 - choice if name == "stablehlo.if" else choice
    return number if 0 <= number < count else count - 1


class Operations:
    """The operations of a module by number.

    Args:
      filename: the file name in locations within the program's own file.
      is_text: whether this file is text, so that its lines can be read.
    """

    def __init__(self, module: ir.Module, filename: str = "-", *, is_text: bool = True) -> None:
        self.module = module
        self.filename = filename
        self._is_text = is_text
        self.all: list[ir.Operation] = []
        walk(module.operation, self.all.append)
        self._numbers = {operation: number for number, operation in enumerate(self.all)}
        self._of_steps = StepNumbers(self.number_within)
        self._sources: dict[int, str] = {}
        self._functions: dict[int, str] = {}

    @classmethod
    def of_program(cls, program: Program) -> Operations:
        """The operations of a program's module."""
        return cls(program.module, program.filename, is_text=program.is_text)

    def number(self, step: Step) -> int:
        """The number of the operation of a step."""
        return self._of_steps.number(step)

    def number_of(self, operation: ir.Operation) -> int | None:
        """The number of an operation of the module."""
        return self._numbers.get(operation)

    def number_within(self, operation: ir.Operation) -> int:
        """The number of an operation that certainly belongs to the module."""
        return self._numbers[operation]

    def location(self, number: int) -> str:
        """The location of an operation in MLIR's syntax."""
        return location_of(self.all[number], self.filename)

    def source(self, number: int) -> str:
        """The location for display: a line of a text that people can read, if there is one."""
        source = self._sources.get(number)
        if source is None:
            position = source_position(str(self.all[number].location))
            if position is None or (position[0] == "-" and not self._is_text):
                source = self._printed_line(number)
            else:
                source = source_text(self.location(number))
            self._sources[number] = source
        return source

    def _printed_line(self, number: int) -> str:
        """The line in the text of the program, and the name in the location."""
        name = source_text(str(self.all[number].location).replace('"-":', ""))
        if number >= len(self._printed_lines) or not self._printed_lines[number]:
            return name
        line = f"line {self._printed_lines[number]} of '{self._text_command}'"
        return f"{line} ({name})" if name else line

    @cached_property
    def _printed_lines(self) -> list[int]:
        return printed_lines(self.module)

    @cached_property
    def _text_command(self) -> str:
        return text_command(self.filename)  # reads the file

    def function(self, number: int) -> str:
        """The name of the function that contains an operation; "" outside of functions."""
        name = self._functions.get(number)
        if name is None:
            name = self._functions[number] = self._function(number)
        return name

    def _function(self, number: int) -> str:
        operation: ir.Operation | None = self.all[number]
        while operation is not None and operation.name != "func.func":
            parent = operation.parent
            operation = None if parent is None else parent.operation
        return "" if operation is None else operation.attributes["sym_name"].value

    def describe(self, place: Place) -> str:
        """The path to a place for display: `while, iteration 3, call`; "" at the top of the entry
        function."""
        parts: list[str] = []
        for number, iteration in zip(place[:-1:2], place[1:-1:2], strict=True):
            name = self.all[number].name.partition(".")[2]
            if name == "while":
                parts.append(f"while, iteration {iteration}")
            elif name == "call":
                callee = str(self.all[number].attributes["callee"])
                parts.append(callee)
            else:
                parts.append(name)
        return " > ".join(parts)


def defining_operation(value: ir.Value) -> ir.Operation | None:
    """The operation that defines a value; None for block arguments."""
    owner: Any = value.owner
    operation = getattr(owner, "operation", owner)
    return operation if hasattr(operation, "opview") else None


class Frame:
    """An active operation: its number, its name, and the number of started runs of each region."""

    __slots__ = ("lifted", "name", "number", "runs")

    def __init__(self, number: int, name: str, lifted: bool) -> None:
        self.number = number
        self.name = name
        self.lifted = lifted
        self.runs: dict[int, int] = {}


class Tracker:
    """The part of an observer that tracks the place of each step. For one process and one thread."""

    def __init__(self, operations: Operations) -> None:
        self.operations = operations
        self.frames: list[Frame] = []
        self._prefix: list[int] = []

    def enter(self, plan: Plan, step: Step) -> None:
        """Enter a step."""
        frames, number = self.frames, self.operations.number(step)
        lifted = False
        if frames:
            outer = frames[-1]
            if step is plan.steps[0]:
                outer.runs[id(plan)] = outer.runs.get(id(plan), 0) + 1
            self._prefix[-1] = outer.runs.get(id(plan), 1) - 1
            lifted = outer.lifted or traits_of(outer.name).applies
        frames.append(Frame(number, step.name, lifted))
        self._prefix += (number, 0)

    def leave(self) -> tuple[Place, bool]:
        """Leave a step; returns its place, and whether the step is in a region that is applied to
        elements."""
        frame = self.frames.pop()
        del self._prefix[-1]
        place = tuple(self._prefix)
        del self._prefix[-1]
        return place, frame.lifted

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del operands
        self.enter(plan, step)

    def failed(self, plan: Plan, step: Step) -> None:
        del plan, step
        self.leave()
