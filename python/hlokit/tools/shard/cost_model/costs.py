"""The costs of the program of one device: FLOPs, and the peak memory of values by their live ranges."""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.engine.plan.locations import source_text
from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, location_of, used_values
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.prices.flops import Value, elements, size_of

# A loop with an unknown trip count counts as one iteration.
_UNKNOWN_COUNT = 1


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a run of a program on a device.

    Attributes:
      flops: arithmetic operations on floats and integers: 2 m n k for a matrix product, one for each element
        of elementwise operations, functions included.
      peak: the largest sum of bytes of values that are live at once, parameters and results included.
      where: the operation at the peak.
      parameters: bytes of the parameters.
      operations: the number of operations, without those in regions.
    """

    flops: int
    peak: int
    where: str
    parameters: int
    operations: int


def costs_of(module: ir.Module, entry: ir.Operation, filename: str = "-") -> Costs:
    """The costs of a module's entry function, including called functions."""
    counter = _Counter(functions(module), filename)
    block = entry.regions[0].blocks[0]
    peak, where = counter.peak(block)
    operations = sum(1 for _ in block.operations)
    parameters = sum(size_of(argument) for argument in block.arguments)
    return Costs(counter.flops(block), peak, where, parameters, operations)


class _Counter:
    def __init__(self, by_name: dict[str, ir.Operation], filename: str) -> None:
        self._functions = by_name
        self._filename = filename
        self._callees: list[str] = []  # the active calls, to stop recursion
        # Functions that are done: others may call them many times.
        self._flops: dict[str, int] = {}
        self._insides: dict[str, int] = {}

    def flops(self, block: ir.Block) -> int:
        return sum(self._operation_flops(view.operation) for view in block.operations)

    def _operation_flops(self, operation: ir.Operation) -> int:
        """FLOPs of one operation."""
        name = operation.name.partition(".")[2]
        match name:
            case "call":
                return self._call(operation)
            case "while":
                count = trip_count(operation) or _UNKNOWN_COUNT
                return count * sum(self.flops(region.blocks[0]) for region in operation.regions)
            case "if" | "case":
                return max((self.flops(region.blocks[0]) for region in operation.regions), default=0)
            case "manual_computation":
                return _devices(operation) * self.flops(operation.regions[0].blocks[0])
            case _:
                card = card_of(operation.name)
                return 0 if card is None or isinstance(card.flops, Without) else card.flops(operation)

    def _call(self, operation: ir.Operation) -> int:
        callee = operation.attributes["callee"].value
        if not self._enters(callee):
            return 0
        if callee not in self._flops:
            self._callees.append(callee)
            self._flops[callee] = self.flops(self._functions[callee].regions[0].blocks[0])
            self._callees.pop()
        return self._flops[callee]

    def _enters(self, callee: str) -> bool:
        """Whether a function has a body, and does not run already."""
        return (
            callee in self._functions
            and callee not in self._callees
            and len(self._functions[callee].regions[0].blocks) > 0
        )

    def peak(self, block: ir.Block) -> tuple[int, str]:
        """The largest sum of bytes of values that are live at once, and the operation at the peak.

        A value is live from its definition to its last use. Parameters stay live.
        """
        operations = [view.operation for view in block.operations]
        last: dict[Value, int] = {}
        for index, operation in enumerate(operations):
            for operand in used_values(operation):
                last[operand] = index
        parameters = sum(size_of(argument) for argument in block.arguments)
        dying: dict[int, int] = {}
        alive, peak, where = parameters, parameters, None
        for index, operation in enumerate(operations):
            new_bytes = 0
            for result in operation.results:
                size = size_of(result)
                new_bytes += size
                end = last.get(result, index)
                dying[end] = dying.get(end, 0) + size
            alive += new_bytes
            inside = self._inside(operation)
            if alive + inside > peak:
                peak, where = alive + inside, operation
            alive -= dying.pop(index, 0)
        return peak, "" if where is None else self._described(where)

    def _described(self, operation: ir.Operation) -> str:
        line = source_text(location_of(operation, self._filename))
        return f"{operation.name} at {line}" if line else str(operation.name)

    def _inside(self, operation: ir.Operation) -> int:
        """The memory that the regions of an operation need in addition to its operands and results."""
        if operation.name == "func.call":
            callee = operation.attributes["callee"].value
            if not self._enters(callee):
                return 0
            if callee not in self._insides:
                self._callees.append(callee)
                block = self._functions[callee].regions[0].blocks[0]
                inside = self.peak(block)[0] - sum(size_of(argument) for argument in block.arguments)
                self._insides[callee] = max(0, inside)
                self._callees.pop()
            return self._insides[callee]
        if operation.name == "sdy.manual_computation":  # its parameters are pieces of the operands
            block = operation.regions[0].blocks[0]
            pieces = sum(size_of(argument) for argument in block.arguments)
            return _devices(operation) * (self.peak(block)[0] - pieces)
        if not traits_of(operation.name).control:
            return 0
        return max((self.peak(region.blocks[0])[0] for region in operation.regions), default=0)


def _devices(operation: ir.Operation) -> int:
    """The number of runs of the body of an `sdy.manual_computation`: one for each device along the manual
    axes."""
    try:
        return max(map(len, Attributes(operation).manual_computation().groups), default=1)
    except UnsupportedError:
        return 1


def trip_count(operation: ir.Operation) -> int | None:
    """The trip count of a loop that counts from a constant to a constant in constant steps, as front ends
    write loops; None for other loops."""
    condition, body = (region.blocks[0] for region in operation.regions)
    end = condition.operations[len(condition.operations) - 1].operation
    compare = end.operands[0].owner if len(end.operands) else None
    if not isinstance(compare, ir.Operation | ir.OpView) or compare.operation.name != "stablehlo.compare":
        return None
    counter, bound = compare.operation.operands
    if "LT" not in str(compare.operation.attributes["comparison_direction"]):
        return None
    if not isinstance(counter.owner, ir.Block):
        return None
    number = ir.BlockArgument(counter).arg_number
    limit, start = _constant(bound), _constant(operation.operands[number])
    returned = body.operations[len(body.operations) - 1].operation.operands[number].owner
    if limit is None or start is None or isinstance(returned, ir.Block):
        return None
    if returned.operation.name != "stablehlo.add":
        return None
    step = next(
        (constant for operand in returned.operation.operands if (constant := _constant(operand)) is not None),
        None,
    )
    return max(0, -(-(limit - start) // step)) if step is not None and step > 0 else None


def _constant(value: Value) -> int | None:
    owner = value.owner
    if isinstance(owner, ir.Block):
        # A bound may be a loop-carried value that does not change.
        parent = owner.owner.operation
        if parent.name != "stablehlo.while":
            return None
        number = ir.BlockArgument(value).arg_number
        body = parent.regions[1].blocks[0]
        if body.operations[len(body.operations) - 1].operation.operands[number] != body.arguments[number]:
            return None
        outside = parent.operands[number]
        return None if isinstance(outside.owner, ir.Block) else _constant(outside)
    if owner.operation.name != "stablehlo.constant" or elements(value) != 1:
        return None
    array = Attributes(owner.operation).elements("value")
    return int(array.reshape(-1)[0]) if array.dtype.kind in "iu" else None
