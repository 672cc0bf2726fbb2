"""The printed program, connected with the operations of the bindings."""

from __future__ import annotations

from contextlib import suppress

from hlokit.display.html import short_bytes
from hlokit.display.listing import Listing
from hlokit.engine.observe.summaries import summarize
from hlokit.errors import HlokitError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.printing import Style, print_module
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import operations_within
from hlokit.mlir.queries.types import value_type
from hlokit.values.types import TensorType

# Constants with more elements are elided.
_PRINTED_ELEMENTS = 8
# The largest number of elements of elided constants whose ranges are computed: 64 million, some 0.1 s.
_MOST_ELEMENTS = 1 << 26
_ELIDED = "dense_resource<__elided__>"


class ProgramListing(Listing):
    """The listing of a module, with the operations of the bindings.

    Args:
      filename: the module's file, in source lines.
    """

    def __init__(self, module: ir.Module, filename: str = "-") -> None:
        style = Style(
            debug_info=True, largest_elements=_PRINTED_ELEMENTS, largest_resource=4 * _PRINTED_ELEMENTS
        )
        super().__init__(print_module(module, style, filename))
        self.module = module
        self._numbers: dict[ir.Operation, int] | None = None

    def number(self, operation: ir.Operation) -> int:
        """The number of an operation in `ops`; for an unprinted operation, the number of the enclosing
        operation."""
        if self._numbers is None:
            self._numbers = self._matched()
        return self._numbers.get(operation, -1)

    def operations(self) -> dict[int, ir.Operation]:
        """The printed operations by number."""
        if self._numbers is None:
            self._numbers = self._matched()
        operations: dict[int, ir.Operation] = {}
        for operation, number in self._numbers.items():
            operations.setdefault(number, operation)
        return operations

    def _matched(self) -> dict[ir.Operation, int]:
        """The numbers of operations. Printed operations have the order of the walk; MLIR does not print the
        region of an operation in the form `applies`."""
        numbers: dict[ir.Operation, int] = {}
        names = [op.name for op in self.ops]
        # A module without attributes may be printed without the line of the module.
        position = 0 if names[:1] == ["builtin.module"] else -1
        for operation in operations_within(self.module.operation, outer_first=True):
            if position < 0:
                position = 0
            elif position < len(names) and names[position] == operation.name:
                numbers[operation] = position
                position += 1
            else:  # not printed
                parent = operation.parent
                numbers[operation] = -1 if parent is None else numbers.get(parent.operation, -1)
        return numbers

    def notes(self) -> dict[int, str]:
        """Size and range of elided constants, by operation."""
        elided = [number for number, op in enumerate(self.ops) if _ELIDED in self.lines[op.line]]
        if not elided:
            return {}
        operations, left = self.operations(), _MOST_ELEMENTS
        notes: dict[int, str] = {}
        for number in elided:
            operation = operations.get(number)
            if operation is None or not len(operation.results):
                continue
            with suppress(HlokitError, KeyError, TypeError, ValueError):
                type_ = value_type(operation.results[0].type)
                if not isinstance(type_, TensorType) or not type_.is_static:
                    continue
                note = f"{type_.size:,} elements, {short_bytes(type_.nbytes)}"
                left -= type_.size
                if left >= 0:
                    summary = summarize(read_elements(operation, "value"), type_)
                    if summary.minimum is not None:
                        note += f" in [{summary.minimum:.4g}, {summary.maximum:.4g}]"
                    if summary.nan or summary.infinite:
                        note += f", {summary.nan} NaN, {summary.infinite} inf"
                notes[number] = note
        return notes
