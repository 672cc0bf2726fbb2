"""Reshards that XLA's partitioner inserted: collectives that move pieces of a value and add nothing up.

The partitioner does not say which sharding a value had and which it gets. An `all_gather` tells that a
dimension was split over the axes of its groups and no longer is; an `all_to_all`, that another dimension is
split instead. `collective_permute` may exchange borders as well, so it is left out. What the program itself
asks for has the name of a collective of JAX, or of a sharding constraint, at the end of its location; or it
leads to a result whose sharding is given.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false
# (the bindings are partly untyped)

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from hlokit.contract.traits import has
from hlokit.errors import EvaluationError
from hlokit.mlir.attributes import Attributes
from hlokit.mlir.bindings import ir
from hlokit.mlir.module import location_of, walk
from hlokit.sharding.answers import Reshard
from hlokit.sharding.costs import size_of
from hlokit.sharding.layout import numbers_along
from hlokit.sharding.meshes import Mesh
from hlokit.sharding.specs import AxisRef
from hlokit.sharding.traffic import Groups, read_collective

_ASKED = re.compile(r"(?:all_gather|all_to_all|ppermute|pswapaxes|sharding_constraint|reshard)\w*$")


def reshards_of(module: ir.Module, mesh: Mesh, is_given: Sequence[bool]) -> list[Reshard]:
    """The reshards in a program for each device.

    Args:
      is_given: for each result whether its sharding is.
    """
    found: list[Reshard] = []

    def visit(operation: ir.Operation) -> None:
        kind = operation.name.partition(".")[2]
        if kind not in ("all_gather", "all_to_all"):
            return
        try:
            collective = read_collective(operation, (1, mesh.count))
        except EvaluationError:
            return
        attributes = Attributes(operation)
        axes = _axes_of(collective.groups, mesh)
        if kind == "all_gather":
            dimension = attributes.int_("all_gather_dim")
            before, after = f"dimension {dimension} split over {axes}", "not split over it"
        else:
            split, joined = attributes.int_("split_dimension"), attributes.int_("concat_dimension")
            before, after = f"dimension {joined} split over {axes}", f"dimension {split} split over it"
        count = collective.group_size
        whole = sum(size_of(result) for result in operation.results) * (1 if kind == "all_gather" else count)
        location = location_of(operation)
        is_asked = _is_asked(location) or _leads_to(operation.results[0], is_given)
        found.append(Reshard(_what(operation.operands[0]), before, after, location, whole, is_asked))

    walk(module.operation, visit)
    return found


def _is_asked(location: str) -> bool:
    name = re.match(r'loc\("([^"]*)"', location)
    return name is not None and _ASKED.search(name[1].rpartition("/")[2]) is not None


def _leads_to(value: ir.Value[Any], is_given: Sequence[bool]) -> bool:
    """It is a result with a given sharding, perhaps rearranged."""
    for use in value.uses:
        user = use.owner.operation
        if user.name == "func.return":
            return is_given[use.operand_number]
        if has(user.name, "rearranges") and _leads_to(user.results[0], is_given):
            return True
    return False


def _what(value: ir.Value[Any]) -> str:
    """The operation that computed a value, past operations that only rearrange its elements."""
    while not isinstance(value.owner, ir.Block):
        operation = value.owner.operation if hasattr(value.owner, "operation") else value.owner
        if not has(operation.name, "rearranges"):
            return str(operation.name)
        value = operation.operands[0]
    parent = value.owner.owner.operation
    number = ir.BlockArgument(value).arg_number
    return f"parameter {number}" if parent.name == "func.func" else "a region's parameter"


def _axes_of(groups: Groups, mesh: Mesh) -> str:
    """The axes along which the devices of each group lie; the number of devices if there are none."""
    wanted = {frozenset(group) for group in groups}
    names = [name for name, size in mesh.axes if size > 1]
    for length in range(1, len(names) + 1):
        for chosen in combinations(names, length):
            if _groups_along(chosen, mesh) == wanted:
                return " and ".join(map(repr, chosen))
    return f"{max((len(group) for group in groups), default=1)} devices"


def _groups_along(chosen: Sequence[str], mesh: Mesh) -> set[frozenset[int]]:
    rest = [AxisRef(name) for name, _ in mesh.axes if name not in chosen]
    others = numbers_along(rest, mesh) if rest else [0] * mesh.count
    found: dict[int, set[int]] = {}
    for place, device in enumerate(mesh.devices):
        found.setdefault(int(others[place]), set()).add(device)
    return {frozenset(group) for group in found.values()}
