"""Reshards that XLA's partitioner inserted: collectives that move pieces of a value without adding terms.

The shardings that XLA chose for the whole program's values (`hlo_shardings`) determine the layout of a value
before a collective, and the groups of the collective determine the layout after it. Where the layout is
unknown, an `all_gather` still shows that a dimension was split over the axes of its groups, and an
`all_to_all` that another dimension is split instead. A `collective_permute` of a whole piece changes the
order of devices; permutations of slices exchange borders and are not reshards. The program requests a
collective if the location of the collective ends with the name of one of JAX's collectives or of a sharding
constraint, if a constraint has the sharding after the collective, or if the collective leads to a result with
a given sharding.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from math import prod

from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import location_of, walk
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.cost_model.traffic import Collective, Groups, read_collective
from hlokit.tools.shard.notation.layout import Layout, axes_along, spec_text
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.partitioners.answers import Reshard
from hlokit.tools.shard.partitioners.placement import gathered, moved, scattered
from hlokit.tools.shard.prices.flops import size_of

Value = ir.Value

# The largest number of steps from an `all_to_all` to the value in its own dimensions.
_MOST_REARRANGED = 4
_REQUESTED = re.compile(r"(?:all_gather|all_to_all|ppermute|pswapaxes|sharding_constraint|reshard)\w*$")


def reshards_of(
    module: ir.Module,
    mesh: Mesh,
    is_given: Sequence[bool],
    layouts: dict[Value, Layout],
    names: Sequence[str],
    constrained: Set[tuple[str, str]] = frozenset(),
) -> list[Reshard]:
    """The reshards in a program for each device.

    Args:
      is_given: for each result, whether the user gave its sharding.
      layouts: known layouts of values of the program, to which this function adds the layouts after reshards.
      names: names of the parameters.
      constrained: the requests of sharding constraints: the location of the operation that computes the
        value, and the sharding, as `PartitionSpec` prints it.
    """
    reader = _Reader(mesh, is_given, layouts, names, constrained)
    walk(module.operation, reader.visit)
    return list(reader.reshards.values())


class _Reader:
    def __init__(
        self,
        mesh: Mesh,
        is_given: Sequence[bool],
        layouts: dict[Value, Layout],
        names: Sequence[str],
        constrained: Set[tuple[str, str]],
    ) -> None:
        self._mesh, self._is_given, self._layouts, self._names = mesh, is_given, layouts, names
        self._constrained = constrained
        # By the value after the reshard.
        self.reshards: dict[Value, Reshard] = {}

    def visit(self, operation: ir.Operation) -> None:
        kind = operation.name.partition(".")[2]
        if not _moves_pieces(operation):
            return
        try:
            collective = read_collective(operation, (1, self._mesh.count))
        except EvaluationError:
            return
        value, result = _origin(operation.operands[0], self._layouts), operation.results[0]
        before, after = self._layouts.get(value), None
        if before is not None and value == operation.operands[0]:
            after = moved(operation, before, self._mesh.count)
        if before is not None and after is None and kind == "all_to_all":
            result, after = _exchanged(operation, before, collective.groups)
        if after is not None:
            self._layouts[result] = after
        if kind not in ("all_gather", "all_to_all") and after in (None, before):
            return
        location = location_of(operation)
        texts = self._texts(operation, collective.groups, before, after)
        is_requested = (
            _has_requested_name(location)
            or _leads_to(result, self._is_given)
            or self._is_constrained(result, texts[1], location)
        )
        reshard = Reshard(
            _what(value, self._names), *texts, location, _bytes(operation, before, collective), is_requested
        )
        earlier = self.reshards.pop(value, None)
        if earlier is not None:  # a reshard by several collectives
            reshard = replace(earlier, after=reshard.after, is_requested=earlier.is_requested or is_requested)
        self.reshards[result] = reshard

    def _is_constrained(self, value: Value, after: str, location: str) -> bool:
        """Whether a constraint requests the sharding, for the value or for the result of an elementwise
        operation on the value, before which XLA moves the pieces."""
        users = [use.owner.operation for use in value.uses]
        sources = [location, *(location_of(user) for user in users if traits_of(user.name).elementwise)]
        return any(source != "loc(unknown)" and (source, after) in self._constrained for source in sources)

    def _texts(
        self, operation: ir.Operation, groups: Groups, before: Layout | None, after: Layout | None
    ) -> tuple[str, str]:
        if before is not None and after is not None:
            return spec_text(before, self._mesh), spec_text(after, self._mesh)
        attributes, axes = Attributes(operation), _axes_of(groups, self._mesh)
        if operation.name.endswith("all_gather"):
            return f"dimension {attributes.int_('all_gather_dim')} split over {axes}", "not split over it"
        split, joined = attributes.int_("split_dimension"), attributes.int_("concat_dimension")
        if split == joined:
            return f"split over {axes}", "another dimension split over it"
        return f"dimension {joined} split over {axes}", f"dimension {split} split over it"


def _moves_pieces(operation: ir.Operation) -> bool:
    return traits_of(operation.name).collective and not traits_of(operation.name).combines


def _origin(value: Value, layouts: dict[Value, Layout]) -> Value:
    """The value before operations that only rearrange it, back to a value of known layout if there is one."""
    first = value
    while value not in layouts and not isinstance(value.owner, ir.Block):
        operation = value.owner.operation
        if not traits_of(operation.name).rearranges:
            return first
        value = operation.operands[0]
    return value if value in layouts else first


def _exchanged(operation: ir.Operation, before: Layout, groups: Groups) -> tuple[Value, Layout | None]:
    """The value after an `all_to_all` and operations that rearrange it, and its layout, which joins one
    dimension and splits another. XLA gives the pieces a dimension of their own for this exchange."""
    count, rank = max(map(len, groups), default=1), len(before.shape)
    value, old = operation.results[0], before.piece_shape
    for _ in range(_MOST_REARRANGED):
        new = tuple(ir.RankedTensorType(value.type).shape)
        if len(new) == rank:
            grown = [i for i in range(rank) if new[i] == old[i] * count]
            shrunk = [i for i in range(rank) if new[i] * count == old[i]]
            if len(grown) == len(shrunk) == 1 and sum(map(int.__ne__, old, new)) == 2:
                whole = gathered(before, groups, grown[0])
                return value, None if whole is None else scattered(whole, groups, shrunk[0])
        users = [use.owner.operation for use in value.uses]
        following = next((user for user in users if traits_of(user.name).rearranges), None)
        if following is None:
            break
        value = following.results[0]
    return operation.results[0], None


def _bytes(operation: ir.Operation, before: Layout | None, collective: Collective) -> int:
    """Bytes of the whole value; of the part that a group holds, if the layout is unknown."""
    if before is not None:
        piece = max(1, prod(before.piece_shape))
        return size_of(operation.operands[0]) // piece * prod(before.shape)
    if collective.kind == "all_gather":
        return collective.result_bytes
    return collective.bytes * collective.group_size


def _has_requested_name(location: str) -> bool:
    name = re.match(r'loc\("([^"]*)"', location)
    return name is not None and _REQUESTED.search(name[1].rpartition("/")[2]) is not None


def _leads_to(value: ir.Value, is_given: Sequence[bool]) -> bool:
    """Whether the value is a result with a given sharding, perhaps rearranged."""
    for use in value.uses:
        user = use.owner.operation
        if user.name == "func.return":
            return is_given[use.operand_number]
        if traits_of(user.name).rearranges and _leads_to(user.results[0], is_given):
            return True
    return False


def _what(value: Value, names: Sequence[str]) -> str:
    """The operation that computed a value, before operations that only move its elements."""
    while not isinstance(value.owner, ir.Block):
        operation = value.owner.operation
        if not traits_of(operation.name).rearranges and not _moves_pieces(operation):
            return str(operation.name)
        value = operation.operands[0]
    parent = value.owner.owner.operation
    number = ir.BlockArgument(value).arg_number
    return f"parameter {names[number]}" if parent.name == "func.func" else "a region's parameter"


def _axes_of(groups: Groups, mesh: Mesh) -> str:
    """The axes along which the devices of each group lie; the number of devices if there are none."""
    axes = axes_along(groups, mesh)
    return " and ".join(map(repr, axes)) or f"{max(map(len, groups), default=1)} devices"
