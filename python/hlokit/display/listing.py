"""Printed MLIR as lines, operations and values.

The printer gives names to values and prints each operation on separate lines. Parsing this text is faster
than asking the bindings for every operand, and the data about the program always match the displayed text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from hlokit.display.locations import UNKNOWN, Source, read

# Strings, and values, perhaps with the number of a result.
VALUES = re.compile(r'"(?:[^"\\]|\\.)*"|(%[\w$.-]+)(#\d+)?(:\d+)?( = |: )?')
_LEADING = re.compile(r'(?:%[^=]*? = )?(?:"([^"]*)"|([A-Za-z_][\w$.]*))')
_FUNCTION = re.compile(r'@("(?:[^"\\]|\\.)*"|[\w$.-]+)')
_NESTED = r'[^()"]|"(?:[^"\\]|\\.)*"'
# A string, or a location with up to three levels of parentheses.
_LOCATION = re.compile(
    rf'"(?:[^"\\]|\\.)*"' rf"| loc\(((?:{_NESTED}|\((?:{_NESTED}|\((?:{_NESTED})*\))*\))*)\)"
)
_ALIAS = re.compile(r"(#loc\d*) = loc\((.*)\)$")
_SHORT_NAMES = {"call": "func.call", "return": "func.return", "module": "builtin.module"}
FUNCTIONS = frozenset(("func.func", "vhlo.func_v1"))
# Lines that continue an operation. `reducer` opens the region of the preceding operation.
_PARTS = ("}", "^", "cond {", "do {", "#", "reducer(")


@dataclass(slots=True)
class ListedValue:
    """A value: its name, the operation that defines it (-1: an argument of a block), and the number of the
    result."""

    name: str
    op: int
    number: int


@dataclass(slots=True)
class ListedOp:
    """A printed operation.

    Attributes:
      line, end: the first and last line, from 0.
      name: the name, with the dialect.
      label: the names of the results, `%5` or `%0:2`; "" without results.
      results, operands: numbers of values.
      parent: the number of the enclosing operation, -1 for none.
      function: the name of the enclosing function; the own name of a function; "" outside of functions.
      location: an alias, or a location in full.
      body: whether the regions are printed, instead of abridged to `applies`.
    """

    line: int
    end: int
    name: str
    label: str
    parent: int
    function: str
    location: str = ""
    results: tuple[int, ...] = ()
    operands: tuple[int, ...] = ()
    body: bool = False


@dataclass(slots=True)
class _Reading:
    names: dict[str, int] = field(default_factory=dict[str, int])
    open_ops: list[int] = field(default_factory=list[int])
    functions: list[str] = field(default_factory=list[str])


class Listing:
    """The lines of a module without locations, with the module's operations and values.

    Args:
      text: printed MLIR, with or without locations.

    Attributes:
      lines: without locations.
      ops, values: in the order of the text.
      op_of_line: the number of the operation of each line, -1 for none.
      values_of_line: for each line, the numbers of the values that it names, -1 for an unknown name.
    """

    def __init__(self, text: str) -> None:
        self.lines: list[str] = []
        self.ops: list[ListedOp] = []
        self.values: list[ListedValue] = []
        self.op_of_line: list[int] = []
        self.values_of_line: list[tuple[int, ...]] = []
        self._aliases: dict[str, str] = {}
        self._sources: dict[str, Source] = {}
        self._read(text)

    def source(self, op: ListedOp) -> Source:
        """The source of an operation."""
        source = self._sources.get(op.location)
        if source is None:
            source = (
                self._resolve(op.location)
                if op.location.startswith("#")
                else read(op.location, self._resolve)
            )
            self._sources[op.location] = source
        return source

    @cached_property
    def users(self) -> list[list[int]]:
        """The operations that read each value."""
        users: list[list[int]] = [[] for _ in self.values]
        for number, op in enumerate(self.ops):
            for value in dict.fromkeys(op.operands):
                users[value].append(number)
        return users

    @property
    def functions(self) -> Iterator[ListedOp]:
        """The functions, in order."""
        return (op for op in self.ops if op.name in FUNCTIONS)

    def _resolve(self, alias: str) -> Source:
        source = self._sources.get(alias)
        if source is None:
            self._sources[alias] = UNKNOWN  # for cyclic aliases
            source = self._sources[alias] = read(self._aliases.get(alias, ""), self._resolve)
        return source

    def _read(self, text: str) -> None:
        reading = _Reading()
        is_resource = False
        for line in text.splitlines():
            is_resource = (is_resource or line == "{-#") and line != "#-}"
            if is_resource or line == "#-}":
                continue
            if line.startswith("#loc"):
                alias = _ALIAS.match(line)
                if alias is not None:
                    self._aliases[alias[1]] = alias[2]
                    continue
            self._read_line(line, reading)
        while self.lines and not self.lines[-1].strip():
            self.lines.pop()
            self.op_of_line.pop()
            self.values_of_line.pop()

    def _read_line(self, line: str, reading: _Reading) -> None:
        location = ""
        if " loc(" in line:
            line, location = _without_locations(line)
        stripped = line.lstrip()
        number = len(self.lines)
        self.lines.append(line)
        self.values_of_line.append(())
        open_ops = reading.open_ops
        if stripped.startswith(_PARTS) or not stripped:
            if stripped.startswith("reducer(") and stripped.endswith("{"):
                self.ops[-1].body = True
                open_ops.append(len(self.ops) - 1)
                reading.functions.append(self.ops[-1].function)
            if open_ops:
                self._define(stripped, reading, -1)
            self.op_of_line.append(open_ops[-1] if open_ops and stripped else -1)
            if stripped.startswith("}") and not stripped.endswith("{") and open_ops:
                self._close(reading, number, location)
            return
        leading = _LEADING.match(stripped)
        if leading is None:
            self.op_of_line.append(open_ops[-1] if open_ops else -1)
            return
        name = leading[1] or leading[2]
        opens = stripped.endswith("{") or name == "stablehlo.while"
        index = len(self.ops)
        self.op_of_line.append(index)
        function = reading.functions[-1] if reading.functions else ""
        if name in FUNCTIONS:
            match = _FUNCTION.search(stripped)
            function = match[1].strip('"') if match is not None else ""
            reading.names = {}
        op = ListedOp(
            number,
            number,
            _SHORT_NAMES.get(name, name),
            stripped.partition(" = ")[0] if stripped.startswith("%") else "",
            open_ops[-1] if open_ops else -1,
            function,
            location,
            body=opens,
        )
        self.ops.append(op)
        self._define(stripped, reading, index)
        if opens:
            open_ops.append(index)
            reading.functions.append(function)

    def _close(self, reading: _Reading, line: int, location: str) -> None:
        op = self.ops[reading.open_ops.pop()]
        reading.functions.pop()
        op.end = line
        op.location = location or op.location

    def _define(self, text: str, reading: _Reading, index: int) -> None:
        """Record the values that a line defines and reads."""
        names, values = reading.names, self.values
        operands: list[int] = []
        results: list[int] = []
        seen: list[int] = []
        heads = text.index(" = ") if index >= 0 and text.startswith("%") and " = " in text else -1
        for match in VALUES.finditer(text):
            name, result, count, follows = match.groups()
            if name is None:
                continue
            is_result = match.start() < heads
            if (follows is None and not is_result) or (
                follows == ": " and index >= 0 and not _declares(self.ops[index].name)
            ):
                # A value that the line reads; `%0#1` is a result of `%0:2`.
                value = names.get(name + result if result else name, -1)
                seen.append(value)
                if value >= 0:
                    operands.append(value)
                continue
            many = int(count[1:]) if count else 1
            seen.append(len(values))
            for number in range(many):
                spelled = f"{name}#{number}" if many > 1 else name
                names[spelled] = len(values)
                (results if is_result else []).append(len(values))
                values.append(ListedValue(spelled, index if is_result else -1, number))
            if count:
                names[name] = names[f"{name}#0"] if many > 1 else names[name]
        self.values_of_line[-1] = tuple(seen)
        if index >= 0:
            self.ops[index].results = tuple(results)
            self.ops[index].operands = tuple(operands)


def _declares(name: str) -> bool:
    """Whether `%x: type` on the first line of an operation is an argument of its block."""
    return name in FUNCTIONS or name == "sdy.manual_computation"


def _without_locations(line: str) -> tuple[str, str]:
    """A line without locations, and its last location if the line ends with a location."""
    head, _, tail = line.rpartition(" loc(#loc")
    if line.endswith(")") and tail[:-1].isdecimal() and " loc(" not in head:  # the usual case
        return head, f"#loc{tail[:-1]}"
    parts: list[str] = []
    start, location = 0, ""
    for match in _LOCATION.finditer(line):
        if match[1] is None:  # a string
            continue
        parts.append(line[start : match.start()])
        start = match.end()
        location = match[1] if start == len(line) else ""
    return "".join([*parts, line[start:]]), location
