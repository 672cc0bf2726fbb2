"""The names of values in the text that the user wrote: the printer numbers values again."""

from __future__ import annotations

import re

from hlokit.display.listing import VALUES
from hlokit.engine.plan.locations import source_position
from hlokit.mlir.provider.bindings import ir
from hlokit.tools.tracing.listings import ProgramListing

# What stands before the position of an operation: `%a = `, `%a:2 = `, `%a, %b = `; a reduction's is
# behind its name.
_RESULTS = re.compile(r"((?:%[\w$.-]+(?::\d+)?(?:\s*,\s*)?)+)\s*=\s*(?:[\w.]+\s*)?$")
_RESULT = re.compile(r"%([\w$.-]+)(?::(\d+))?")
# What stands at the position of an argument.
_ARGUMENT = re.compile(r"%[\w$.-]+")
# The bytes around a position that may name something: a whole program may be one line.
_NEAR = 2000


class SourceNames:
    """The lines and names of a listing, as the user wrote them.

    Args:
      source: the text; "" if the program was no text.
      filename: the file name in locations within this text.
    """

    def __init__(self, listing: ProgramListing, source: str = "", filename: str = "-") -> None:
        self._listing = listing
        self._texts = source.encode(errors="replace").split(b"\n")
        self.values = [value.name for value in listing.values]
        self.labels = [op.label for op in listing.ops]
        self.lines = list(listing.lines)
        if source:
            self._name_results(filename)
            self._name_arguments()
            self.lines = [self._line(number) for number in range(len(listing.lines))]

    def _around(self, line: int, column: int) -> tuple[str, str]:
        """The text just before a position, and from it on. MLIR's columns count bytes."""
        text = self._texts[line - 1] if 0 < line <= len(self._texts) else b""
        start = max(0, column - 1)
        before, after = text[max(0, start - _NEAR) : start], text[start : start + _NEAR]
        return before.decode(errors="replace"), after.decode(errors="replace")

    def _name_results(self, filename: str) -> None:
        for number, op in enumerate(self._listing.ops):
            frames = self._listing.source(op).frames
            if not op.results or len(frames) != 1 or frames[0].file != filename:
                continue
            match = _RESULTS.search(self._around(frames[0].line, frames[0].column)[0])
            names = [] if match is None else _spelled(match[1])
            if len(names) != len(op.results):
                continue
            assert match is not None
            self.labels[number] = re.sub(r"\s*,\s*", ", ", match[1].strip())
            for value, name in zip(op.results, names, strict=True):
                self.values[value] = name

    def _name_arguments(self) -> None:
        """Name the arguments of functions and regions, which the printer's names connect with the text."""
        declared = self._declared()
        printed = ir.AsmState(self._listing.module.operation)
        for number, operation in self._listing.operations().items():
            blocks = [block for region in operation.regions for block in region.blocks]
            arguments = {
                argument.get_name(printed): argument for block in blocks for argument in block.arguments
            }
            for value in declared.get(number, ()) if arguments else ():
                argument = arguments.get(self.values[value])
                position = None if argument is None else source_position(str(argument.location))
                if position is None or position[0] != "-":
                    continue
                match = _ARGUMENT.match(self._around(*position[1:])[1])
                if match is not None:
                    self.values[value] = match[0]

    def _declared(self) -> dict[int, list[int]]:
        """The arguments that the lines of an operation declare, by the operation."""
        declared: dict[int, list[int]] = {}
        seen = {-1}
        for op, values in zip(self._listing.op_of_line, self._listing.values_of_line, strict=True):
            for value in values:
                if value not in seen and self._listing.values[value].op < 0:
                    declared.setdefault(op, []).append(value)
                seen.add(value)
        return declared

    def _line(self, number: int) -> str:
        """A line with the names of its values. A line names values in the order of `values_of_line`."""
        ids = iter(self._listing.values_of_line[number])
        line, op = self._listing.lines[number], self._listing.op_of_line[number]

        def named(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0]
            value = next(ids, -1)
            if value < 0 or self.values[value] == self._listing.values[value].name:
                return match[0]
            if match[3]:  # the results of an operation: `%0:2`
                return self.labels[op] + (match[4] or "")
            return self.values[value] + (match[4] or "")

        return VALUES.sub(named, line)


def _spelled(results: str) -> list[str]:
    """The names of single results: `%a:2` has `%a#0` and `%a#1`."""
    names: list[str] = []
    for name, count in _RESULT.findall(results):
        many = int(count) if count else 1
        names += [f"%{name}"] if many == 1 else [f"%{name}#{number}" for number in range(many)]
    return names
