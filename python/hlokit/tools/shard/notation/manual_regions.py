"""GSPMD's manual regions as `sdy.manual_computation`.

Older front ends write a region that runs on the pieces of each device between the custom calls
`SPMDFullToShardShape` and `SPMDShardToFullShape`. The sharding of the operand of the former, and that of the
latter, say how tensors are cut.
"""

from __future__ import annotations

from hlokit.errors import UnsupportedError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, operations_within, used_values
from hlokit.mlir.round_trip import target_of
from hlokit.tools.shard.notation.gspmd import as_sharding, parse_tiling
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import Sharding

_GSPMD = "mhlo.sharding"
_ENTER, _LEAVE = "SPMDFullToShardShape", "SPMDShardToFullShape"
_REFUSED = "cannot be converted; --partitioner=xla --no-run partitions such programs"


def has_manual_regions(module: ir.Module) -> bool:
    """Whether a program enters a manual region."""
    return any(target_of(operation) == _ENTER for operation in operations_within(module.operation))


def import_manual_regions(module: ir.Module, mesh: Mesh, mesh_name: str) -> None:
    """Convert manual regions, in place. The module has the mesh.

    Raises:
      UnsupportedError: a region is manual along some axes only, or uses values from outside.
    """
    for function in functions(module).values():
        for block in function.regions[0].blocks:
            for members in _regions(block):
                _Region(members, mesh, mesh_name).convert()
    if has_manual_regions(module):
        raise UnsupportedError(f"a manual region of GSPMD in a region of another operation {_REFUSED}")


def _regions(block: ir.Block) -> list[list[ir.Operation]]:
    """The operations of each manual region of a block, in order, with the custom calls at its ends."""
    operations = [view.operation for view in block.operations]
    inside: dict[ir.Value, int] = {}  # the values of regions, and the number of the region
    regions: dict[int, list[int]] = {}  # the positions of the operations
    for position, operation in enumerate(operations):
        if target_of(operation) == _ENTER:
            joined = {position}
        else:
            joined = {inside[value] for value in used_values(operation) if value in inside}
        if not joined:
            continue
        number = min(joined)
        if len(joined) > 1:
            inside = {value: number if other in joined else other for value, other in inside.items()}
        for other in joined - {number}:
            regions[number] += regions.pop(other)
        regions.setdefault(number, []).append(position)
        if target_of(operation) != _LEAVE:
            inside |= dict.fromkeys(operation.results, number)
    return [[operations[position] for position in sorted(regions[number])] for number in sorted(regions)]


class _Region:
    """A manual region.

    Args:
      members: its operations, with the custom calls at its ends.
    """

    def __init__(self, members: list[ir.Operation], mesh: Mesh, mesh_name: str) -> None:
        self._members, self._mesh, self._mesh_name = members, mesh, mesh_name
        self._entries = [member for member in members if target_of(member) == _ENTER]
        self._exits = [member for member in members if target_of(member) == _LEAVE]

    def convert(self) -> None:
        last = self._members[-1]
        self._move_users(last)
        ins = [self._sharding(entry.operands[0], entry) for entry in self._entries]
        outs = [self._sharding(exit_.results[0], exit_) for exit_ in self._exits]
        axes = ", ".join(f'"{name}"' for name, _ in self._mesh.axes)
        texts = {
            "in_shardings": self._listed(ins),
            "out_shardings": self._listed(outs),
            "manual_axes": f"#sdy<manual_axes{{{axes}}}>",
        }
        computation = ir.Operation.create(
            "sdy.manual_computation",
            [exit_.results[0].type for exit_ in self._exits],
            [entry.operands[0] for entry in self._entries],
            {name: ir.Attribute.parse(text, last.context) for name, text in texts.items()},
            regions=1,
            loc=self._entries[0].location,
            ip=ir.InsertionPoint.after(last),
        )
        block = computation.regions[0].blocks.append(
            *(entry.results[0].type for entry in self._entries),
            arg_locs=[entry.location for entry in self._entries],
        )
        for entry, argument in zip(self._entries, block.arguments, strict=True):
            entry.results[0].replace_all_uses_with(argument)
        for member in self._members:
            if member not in self._entries and member not in self._exits:
                self._move(member, block)
        returned = [exit_.operands[0] for exit_ in self._exits]
        ir.Operation.create("sdy.return", [], returned, loc=last.location, ip=ir.InsertionPoint(block))
        for exit_, result in zip(self._exits, computation.results, strict=True):
            exit_.results[0].replace_all_uses_with(result)
        for end in (*self._exits, *self._entries):
            end.erase()

    def _move_users(self, last: ir.Operation) -> None:
        """Move the operations before the region's end that use its results behind the end."""
        operations = [view.operation for view in last.block.operations]
        first = operations.index(self._exits[0]) if self._exits else len(operations)
        late: set[ir.Value] = {exit_.results[0] for exit_ in self._exits}
        end = last
        for operation in operations[first : operations.index(last) + 1]:
            if not any(value in late for value in used_values(operation)):
                continue
            if operation in self._members:
                raise UnsupportedError(f"a manual region of GSPMD that uses its own results {_REFUSED}")
            operation.move_after(end)
            end = operation
            late.update(operation.results)

    def _move(self, member: ir.Operation, block: ir.Block) -> None:
        if target_of(member) == "Sharding":
            member.results[0].replace_all_uses_with(member.operands[0])
            member.erase()
            return
        # Values of the region are in its block by now.
        for value in used_values(member):
            owner = value.owner
            where = owner if isinstance(owner, ir.Block) else owner.operation.block
            if where == member.block:
                self._copy_constant(value, block)
        block.append(member)
        for operation in (member, *operations_within(member)):
            if _GSPMD in operation.attributes:
                del operation.attributes[_GSPMD]

    def _copy_constant(self, value: ir.Value, block: ir.Block) -> None:
        """Give the region its own copy of a constant from outside."""
        owner = value.owner
        if isinstance(owner, ir.Block) or len(owner.operation.operands):
            raise UnsupportedError(f"a manual region of GSPMD that uses whole values {_REFUSED}")
        copy = owner.operation.clone(ip=ir.InsertionPoint(block)).operation
        for use in list(value.uses):
            user = use.owner.operation
            if user in self._members or user.block == block:
                user.operands[use.operand_number] = copy.results[0]

    def _sharding(self, value: ir.Value, end: ir.Operation) -> Sharding:
        """The sharding of a whole value at an end of the region."""
        owner = value.owner
        source = end if target_of(end) == _LEAVE else None if isinstance(owner, ir.Block) else owner.operation
        if source is None or _GSPMD not in source.attributes:
            raise UnsupportedError(
                f"a manual region of GSPMD without the sharding of {value.type} {_REFUSED}"
            )
        tiling = parse_tiling(ir.StringAttr(source.attributes[_GSPMD]).value)
        if "manual" in tiling.subgroups:
            raise UnsupportedError(f"a region of GSPMD that is manual along some axes {_REFUSED}")
        return as_sharding(tiling, self._mesh, ir.RankedTensorType(value.type).rank, target_of(end))

    def _listed(self, shardings: list[Sharding]) -> str:
        texts = (sharding.sdy(self._mesh_name).removeprefix("#sdy.sharding") for sharding in shardings)
        return f"#sdy.sharding_per_value<[{', '.join(texts)}]>"
