"""The tree of groups of each function and region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hlokit.display.listing import FUNCTIONS, ListedOp, Listing
from hlokit.operations.lookup import traits_of
from hlokit.tools.view.grouping.merging import merged
from hlokit.tools.view.grouping.passes import passes_of
from hlokit.tools.view.grouping.paths import Key, Path, path_of, short, title_of, without_shared_lines

# A level of the graph shows at most this many nodes, and lines do not divide fewer operations.
MOST_NODES = 24
_FEW = 10
CONSTANTS = "constants"
_REGIONS = {"while": ("condition", "body"), "if": ("if true", "if false")}


@dataclass(slots=True)
class Group:
    """Nodes under a title.

    Attributes:
      nodes: operations by number, and groups.
      detail: what the title leaves out: file and line.
      count: the number of operations.
    """

    title: str
    nodes: list[Node]
    detail: str = ""
    count: int = 0

    def as_data(self) -> list[Any]:
        """`[title, detail, nodes]`, as the page reads it."""
        return [
            self.title,
            self.detail,
            [node if isinstance(node, int) else node.as_data() for node in self.nodes],
        ]


Node = int | Group


def groups_of(listing: Listing) -> dict[int, list[Node]]:
    """For each operation with printed regions, and -1 for the module, the nodes of its operations."""
    children: dict[int, list[int]] = {}
    for number, op in enumerate(listing.ops):
        children.setdefault(op.parent, []).append(number)
    grouping = _Grouping(listing)
    return {parent: grouping.nodes(parent, ops) for parent, ops in children.items()}


class _Grouping:
    """Divides operations that stand in one block, or in the blocks of one operation."""

    def __init__(self, listing: Listing) -> None:
        self._ops = listing.ops
        self._constant = constant_operations(listing)
        self._is_end = [traits_of(op.name).terminator for op in listing.ops]
        sources: dict[str, Path] = {}
        for op in listing.ops:
            if op.location not in sources:
                sources[op.location] = path_of(listing.source(op))
        self._paths: list[Path] = [()] * len(listing.ops)
        by_function: dict[str, list[int]] = {}
        for number, op in enumerate(listing.ops):
            by_function.setdefault(op.function, []).append(number)
        for numbers in by_function.values():
            paths = without_shared_lines([sources[listing.ops[number].location] for number in numbers])
            for number, path in zip(numbers, paths, strict=True):
                self._paths[number] = path
        self._producers = _producers(listing)

    def nodes(self, parent: int, ops: Sequence[int]) -> list[Node]:
        """The nodes of the operations within an operation: its regions, if it has several."""
        if any(self._ops[op].name in FUNCTIONS for op in ops):
            return _chunked(list(ops), self._ops)
        regions = self._regions(ops)
        if len(regions) == 1:
            return self._of_region(ops)
        name = self._ops[parent].name.partition(".")[2]
        titles = _REGIONS.get(name, tuple(f"region {number}" for number in range(len(regions))))
        return [
            Group(title, self._of_region(region), count=len(region))
            for title, region in zip(titles, regions, strict=False)
        ]

    def _regions(self, ops: Sequence[int]) -> list[list[int]]:
        """Each region ends with a terminator."""
        regions: list[list[int]] = [[]]
        for op in ops:
            if regions[-1] and self._is_end[regions[-1][-1]]:
                regions.append([])
            regions[-1].append(op)
        return regions

    def _of_region(self, ops: Sequence[int]) -> list[Node]:
        visible = [op for op in ops if not self._constant[op]]
        constants = [op for op in ops if self._constant[op]]
        nodes = self._divided(visible, 0)
        if constants:
            nodes.insert(0, Group(CONSTANTS, _chunked(list(constants), self._ops), count=len(constants)))
        return nodes

    def _divided(self, ops: Sequence[int], depth: int) -> list[Node]:
        """The nodes of a level: operations whose paths differ from `depth` on."""
        depth = self._first_difference(ops, depth)
        keys = [self._paths[op][depth] if depth < len(self._paths[op]) else None for op in ops]
        is_by_line = all(key is None or key.line for key in keys)
        if not any(keys) or (is_by_line and len(ops) <= _FEW):
            return _chunked(list(ops), self._ops)
        runs = _runs(ops, keys)
        run_of = {op: number for number, (_, members) in enumerate(runs) for op in members}
        edges: list[set[int]] = [set() for _ in runs]
        for op in ops:
            for producer in self._producers[op]:
                before = run_of.get(producer, run_of[op])
                if before != run_of[op]:
                    edges[before].add(run_of[op])
        units = [
            (runs[unit[0]][0], [op for run in unit for op in runs[run][1]])
            for unit in merged([key for key, _ in runs], edges)
        ]
        if len(units) == 1:
            return _chunked(list(ops), self._ops)
        return self._with_passes(units, depth)

    def _with_passes(self, units: Sequence[tuple[Key | None, list[int]]], depth: int) -> list[Node]:
        nodes = [self._node(key, ops, depth) for key, ops in units]
        passes = passes_of([key for key, _ in units])
        if passes is None:
            return _chunked(nodes, self._ops)
        turns: list[Node] = []
        for number, turn in enumerate(passes.ranges(), 1):
            inside = _chunked([nodes[index] for index in turn], self._ops)
            lines = [key for index in turn if (key := units[index][0]) is not None]
            title = f"pass {number} of {len(passes.starts)}"
            turns.append(Group(title, inside, _span(lines), sum(map(_count, inside))))
        before, after = nodes[: passes.starts[0]], nodes[passes.end :]
        return _chunked([*before, *turns, *after], self._ops)

    def _node(self, key: Key | None, ops: list[int], depth: int) -> Node:
        if key is None or len(ops) == 1:
            return ops[0]
        deeper = [self._paths[op][depth + 1] if len(self._paths[op]) > depth + 1 else Key("") for op in ops]
        title = title_of(key, deeper)
        function = f" in {short(key.function)}" if key.function else ""
        detail = f"{key.title}{function}" if title != key.title else function.removeprefix(" ")
        return Group(title, self._divided(ops, depth + 1), detail, len(ops))

    def _first_difference(self, ops: Sequence[int], depth: int) -> int:
        """The first level, from `depth` on, at which not all operations have the same key."""
        while True:
            keys = {
                self._paths[op][depth] if depth < len(self._paths[op]) else None
                for op in ops
                if not self._is_end[op]
            }
            if len(keys) != 1 or None in keys:
                return depth
            depth += 1


def constant_operations(listing: Listing) -> list[bool]:
    """For each operation, whether it is a constant, or computes from constants alone.

    A function most of whose operations were constants in this sense shows them all.
    """
    constant = [_is_constant(op) for op in listing.ops]
    whole = list(constant)
    for number, op in enumerate(listing.ops):
        traits = traits_of(op.name)
        if op.operands and op.results and not op.body and (traits.elementwise or traits.layout):
            producers = [listing.values[value].op for value in op.operands]
            whole[number] = all(producer >= 0 and whole[producer] for producer in producers)
    left: dict[str, list[int]] = {}
    for op, is_constant, is_whole in zip(listing.ops, constant, whole, strict=True):
        if op.results and not is_constant:
            counts = left.setdefault(op.function, [0, 0])
            counts[is_whole] += 1
    return [
        is_constant or (is_whole and left[op.function][1] <= left[op.function][0])
        for op, is_constant, is_whole in zip(listing.ops, constant, whole, strict=True)
    ]


def _is_constant(op: ListedOp) -> bool:
    """Whether an operation is a constant, or has no operands and always the same results: `iota`."""
    traits = traits_of(op.name)
    is_fixed = bool(op.results) and not op.operands and traits.exact and not traits.process_id
    return traits.constant or is_fixed


def _producers(listing: Listing) -> list[set[int]]:
    """For each operation, those of the same block that compute what it, or an operation inside it, reads."""
    ops = listing.ops
    producers: list[set[int]] = [set() for _ in ops]
    for number, op in enumerate(ops):
        for value in op.operands:
            producer = listing.values[value].op
            if producer < 0:
                continue
            reader = number
            while reader >= 0 and ops[reader].parent != ops[producer].parent:
                reader = ops[reader].parent
            if reader >= 0:
                producers[reader].add(producer)
    return producers


def _runs(ops: Sequence[int], keys: Sequence[Key | None]) -> list[tuple[Key | None, list[int]]]:
    """Consecutive operations with the same key; an operation without a key is a run of its own."""
    runs: list[tuple[Key | None, list[int]]] = []
    for op, key in zip(ops, keys, strict=True):
        if runs and key is not None and runs[-1][0] == key:
            runs[-1][1].append(op)
        else:
            runs.append((key, [op]))
    return runs


def _chunked(nodes: list[Node], ops: Sequence[ListedOp]) -> list[Node]:
    """The nodes, in groups of consecutive ones if there are too many for a level."""
    while len(nodes) > MOST_NODES:
        parts = -(-len(nodes) // MOST_NODES)
        size = -(-len(nodes) // parts)
        nodes = [_part(nodes[start : start + size], ops) for start in range(0, len(nodes), size)]
    return nodes


def _part(nodes: list[Node], ops: Sequence[ListedOp]) -> Group:
    first, last = nodes[0], nodes[-1]
    names = [_name(first, ops), _name(last, ops)]
    return Group(" … ".join(dict.fromkeys(names)), nodes, "", sum(map(_count, nodes)))


def _name(node: Node, ops: Sequence[ListedOp]) -> str:
    if isinstance(node, Group):
        return node.title.partition(" … ")[0] if " … " in node.title else node.title
    op = ops[node]
    if op.name in FUNCTIONS:
        return f"@{op.function}"
    return op.label.partition(":")[0] or op.name.partition(".")[2]


def _count(node: Node) -> int:
    return 1 if isinstance(node, int) else node.count


def _span(keys: Sequence[Key]) -> str:
    """`model.py:12 to 20 in network`, or the scopes."""
    lines = [key for key in keys if key.line]
    if not lines or len({(key.file, key.function) for key in lines}) != 1:
        return " … ".join(dict.fromkeys((keys[0].title, keys[-1].title)))
    low, high = min(key.line for key in lines), max(key.line for key in lines)
    where, _, _ = lines[0].title.rpartition(":")
    return f"{where}:{low} to {high}{f' in {short(lines[0].function)}' if lines[0].function else ''}"
