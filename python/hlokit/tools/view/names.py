"""The names of values in the text that the user wrote: the printer numbers values again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hlokit.display.listing import VALUES, Listing

# What stands before the position of an operation: `%a = `, `%a:2 = `, `%a, %b = `; a reduction's is
# behind its name.
_RESULTS = re.compile(r"((?:%[\w$.-]+(?::\d+)?(?:\s*,\s*)?)+)\s*=\s*(?:[\w.]+\s*)?$")
_RESULT = re.compile(r"%([\w$.-]+)(?::(\d+))?")
_NAME = re.compile(r"[\w$.-]+")


class SourceNames:
    """The lines and names of a listing, as the user wrote them.

    Args:
      source: the text; "" if the program was no text.
      filename: the file name in locations within this text.
      parameters: names of the parameters of functions, by function.
    """

    def __init__(
        self,
        listing: Listing,
        source: str = "",
        filename: str = "-",
        parameters: Mapping[str, Sequence[str | None]] | None = None,
    ) -> None:
        self._listing = listing
        self.values = [value.name for value in listing.values]
        self.labels = [op.label for op in listing.ops]
        self.lines = list(listing.lines)
        if source:
            self._read(source.split("\n"), filename)
            self._name_parameters(parameters or {})
            self.lines = [self._line(number) for number in range(len(listing.lines))]

    def _read(self, texts: Sequence[str], filename: str) -> None:
        for number, op in enumerate(self._listing.ops):
            frames = self._listing.source(op).frames
            if not op.results or len(frames) != 1 or frames[0].file != filename:
                continue
            if not 0 < frames[0].line <= len(texts):
                continue
            match = _RESULTS.search(texts[frames[0].line - 1][: frames[0].column - 1])
            names = [] if match is None else _spelled(match[1])
            if len(names) != len(op.results):
                continue
            assert match is not None
            self.labels[number] = re.sub(r"\s*,\s*", ", ", match[1].strip())
            for value, name in zip(op.results, names, strict=True):
                self.values[value] = name

    def _name_parameters(self, parameters: Mapping[str, Sequence[str | None]]) -> None:
        for function in self._listing.functions:
            names = parameters.get(function.function, ())
            values = self._listing.values_of_line[function.line]
            for value, name in zip(values, names, strict=False):
                if value >= 0 and name is not None and _NAME.fullmatch(name):
                    self.values[value] = f"%{name}"

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
