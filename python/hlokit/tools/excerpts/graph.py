"""A sequence of operations with the values of a run: any part of the sequence is a program.

Values that a part reads from outside become its arguments, with the values of the run; values that other
parts read become its results. An operation with regions is one node: the values that its regions capture are
operands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hlokit.values.types import TensorType, ValueType

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


@dataclass(frozen=True, slots=True)
class Changes:
    """The differences between an operation and its copy in a program.

    Attributes:
      attributes: other values of attributes, as MLIR text.
      value: the elements of a constant.
      nested: the replacement of types in its regions and in functions that it calls; None for no change.
    """

    attributes: tuple[tuple[str, str], ...] = ()
    value: Any = None
    nested: Callable[[TensorType], TensorType] | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """An operation of a graph.

    Attributes:
      operation: operation of the bindings, which is not modified.
      operands: ids of values: its operands, then the values that its regions capture, in order of use.
      results: ids of values.
    """

    operation: ir.Operation
    operands: tuple[int, ...]
    results: tuple[int, ...]
    changes: Changes = Changes()

    @property
    def name(self) -> str:
        return self.operation.name


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in the order of the program, and the known data of their values.

    Attributes:
      results: ids of the values that the program returns.
      types: types of all values by id.
      arrays: the known values by id; only these can become arguments.
      owner: keeps the operations alive.
    """

    nodes: tuple[Node, ...]
    results: tuple[int, ...]
    types: Mapping[int, ValueType]
    arrays: Mapping[int, Any]
    owner: Any = field(repr=False, default=None)

    @property
    def produced(self) -> dict[int, int]:
        """For the id of each result of a node, the position of the node."""
        return {result: position for position, node in enumerate(self.nodes) for result in node.results}

    @property
    def arguments(self) -> tuple[int, ...]:
        """Ids of the values that the program takes."""
        produced = self.produced
        used = [value for node in self.nodes for value in node.operands]
        return tuple(sorted({value for value in (*used, *self.results) if value not in produced}))

    def only(self, kept: Collection[int]) -> Graph | None:
        """The program of some of the nodes, by position; None if it needs an unknown value.

        For an unknown value, such as a token, the program includes the node that computes it.
        """
        produced = self.produced
        wanted = set(kept)
        waiting = list(wanted)
        while waiting:
            for value in self.nodes[waiting.pop()].operands:
                position = produced.get(value)
                if value in self.arrays or (position is not None and position in wanted):
                    continue
                if position is None:
                    return None
                wanted.add(position)
                waiting.append(position)
        nodes = [node for position, node in enumerate(self.nodes) if position in wanted]
        used = {
            value
            for position, node in enumerate(self.nodes)
            if position not in wanted
            for value in node.operands
        }
        used.update(self.results)
        results = [value for node in nodes for value in node.results if value in used]
        results = [value for value in results if isinstance(self.types[value], TensorType)]
        if not results:  # unread values become results
            results = [value for node in nodes[-1:] for value in node.results]
        return replace(self, nodes=tuple(nodes), results=tuple(results)).pruned() if nodes else None

    def giving(self, results: Sequence[int]) -> Graph:
        """The program that returns only these values, without operations that they do not need."""
        return replace(self, results=tuple(results)).pruned()

    def pruned(self) -> Graph:
        """The graph without operations whose results have no uses; operations without results stay."""
        needed = set(self.results)
        nodes: list[Node] = []
        for node in reversed(self.nodes):
            if not node.results or needed.intersection(node.results):
                nodes.append(node)
                needed.update(node.operands)
        return replace(self, nodes=tuple(reversed(nodes)))

    def replaced(self, position: int, nodes: Iterable[Node], values: Mapping[int, int]) -> Graph:
        """The graph with other nodes instead of one, and with values replaced by others."""

        def renamed(node: Node) -> Node:
            if not any(value in values for value in node.operands):
                return node
            return replace(node, operands=tuple([values.get(value, value) for value in node.operands]))

        before, after = self.nodes[:position], self.nodes[position + 1 :]
        return replace(
            self,
            nodes=(*before, *nodes, *map(renamed, after)),
            results=tuple([values.get(value, value) for value in self.results]),
        )
