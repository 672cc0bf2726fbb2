"""Groups of the graph: by scopes and lines, turns of unrolled loops, without circles."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import hlokit
from hlokit.display.listing import Listing
from hlokit.tools.view.grouping.groups import CONSTANTS, MOST_NODES, Group, Node, groups_of
from hlokit.tools.view.grouping.merging import merged

MODELS = Path(__file__).parents[5] / "examples" / "models"


def program(operations: Sequence[tuple[str, str]], stack: str = "") -> Listing:
    """A function of the listed operations, each with its operands and the innermost part of its location."""
    lines = [
        f"  %{n} = stablehlo.add {read} : tensor<2xf32> loc({where})"
        for n, (read, where) in enumerate(operations)
    ]
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n" + "\n".join(lines)
    return hlokit.load(f"{text}\n  return %{len(operations) - 1} : tensor<2xf32>\n}}").listing


def at(line: int, function: str = "net") -> str:
    """A line of a function that line 90 of a script calls."""
    return f'callsite("{function}"("net.py":{line}:1) at "<module>"("run.py":90:1))'


def chain(lines: Sequence[int]) -> list[tuple[str, str]]:
    """Each operation reads the one before."""
    return [(f"%{n - 1}, %x" if n else "%x, %x", at(line)) for n, line in enumerate(lines)]


def entry(listing: Listing) -> list[Node]:
    (function,) = [number for number, op in enumerate(listing.ops) if op.name == "func.func"]
    return groups_of(listing)[function]


def shape(nodes: Sequence[Node]) -> list[object]:
    """Titles of groups with what is in them, and names of single operations as `-`."""
    return ["-" if isinstance(node, int) else [node.title, *shape(node.nodes)] for node in nodes]


def walk(nodes: Sequence[Node]) -> Iterator[int]:
    """All operations of nodes."""
    for node in nodes:
        if isinstance(node, int):
            yield node
        else:
            yield from walk(node.nodes)


def test_lines_of_code_are_groups() -> None:
    nodes = entry(program(chain([1] * 6 + [2] * 6)))
    assert shape(nodes) == [["net.py:1", *"-" * 6], ["net.py:2", *"-" * 6], "-"]
    assert [node.detail for node in nodes if isinstance(node, Group)] == ["in net", "in net"]


def test_turns_of_an_unrolled_loop_are_passes() -> None:
    nodes = entry(program(chain([1, 1, *[2, 2, 3, 3, 4] * 3, 5])))
    titles = [node.title for node in nodes if isinstance(node, Group)]
    assert titles == ["net.py:1", "pass 1 of 3", "pass 2 of 3", "pass 3 of 3"]
    (first, *_) = [node for node in nodes if isinstance(node, Group) and node.title == "pass 1 of 3"]
    assert first.detail == "net.py:2 to 4 in net" and first.count == 5
    assert shape(first.nodes) == [["net.py:2", "-", "-"], ["net.py:3", "-", "-"], "-"]


def test_a_line_that_calls_one_function_has_its_name() -> None:
    inner = [f'callsite("norm"("norm.py":{line}:1) at {at(2)})' for line in (7, 7, 8, 8)]
    operations = [*chain([1] * 8), *((f"%{n}, %x", where) for n, where in enumerate(inner, 7))]
    nodes = entry(program(operations))
    assert shape(nodes) == [["net.py:1", *"-" * 8], ["norm()", *"-" * 4], "-"]
    assert isinstance(nodes[1], Group) and nodes[1].detail == "net.py:2 in net"


def test_independent_operations_of_a_line_stand_together() -> None:
    operations = [("%x, %x", at(line)) for line in [1, 2] * 6]
    nodes = entry(program(operations))
    assert [(node.title, node.count) for node in nodes if isinstance(node, Group)] == [
        ("net.py:1", 6),
        ("net.py:2", 6),
    ]


def test_scopes_come_before_lines() -> None:
    operations = [
        (f"%{n - 1}, %x" if n else "%x, %x", f'"jit(f)/{scope}/add"({at(n)})')
        for n, scope in enumerate(
            ["jvp()", "jvp()", "while/body/layer", "while/body/layer", "transpose(jvp())"]
        )
    ]
    nodes = entry(program(operations))
    assert shape(nodes) == [["forward", "-", "-"], ["layer", "-", "-"], "-", "-"]


def test_constants_stand_apart_and_what_computes_from_them() -> None:
    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %c = stablehlo.constant dense<2.0> : tensor<f32>
      %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %0 = stablehlo.add %x, %b : tensor<2xf32>
      %1 = stablehlo.add %0, %b : tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    nodes = entry(hlokit.load(text).listing)
    assert shape(nodes) == [[CONSTANTS, "-", "-"], "-", "-", "-"]
    # Without inputs, all are constants in this sense, and only the written ones stand apart.
    nodes = entry(hlokit.load(text.replace("%x: tensor<2xf32>", "").replace("%x, %b", "%b, %b")).listing)
    assert shape(nodes) == [[CONSTANTS, "-"], "-", "-", "-", "-"]
    # `iota` is the same in every run; the number of a replica is not.
    written = "%c = stablehlo.constant dense<2.0> : tensor<f32>"
    others = "%i = stablehlo.iota dim = 0 : tensor<2xi32>\n%r = stablehlo.replica_id : tensor<ui32>"
    nodes = entry(hlokit.load(text.replace(written, f"{written}\n{others}")).listing)
    assert shape(nodes) == [[CONSTANTS, "-", "-", "-"], "-", "-", "-", "-"]


def test_regions_have_names() -> None:
    text = """
    func.func @main(%x: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.while(%i = %x) : tensor<i32>
        cond { %1 = stablehlo.compare LT, %i, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %1 : tensor<i1> }
        do { %1 = stablehlo.add %i, %i : tensor<i32>
             stablehlo.return %1 : tensor<i32> }
      return %0 : tensor<i32>
    }"""
    listing = hlokit.load(text).listing
    (loop,) = [number for number, op in enumerate(listing.ops) if op.name == "stablehlo.while"]
    assert shape(groups_of(listing)[loop]) == [["condition", "-", "-"], ["body", "-", "-"]]


def assert_is_readable(listing: Listing, nodes: Sequence[Node]) -> None:
    """Few nodes on each level, and no circles."""
    assert len(nodes) <= MOST_NODES + 1
    of = {op: number for number, node in enumerate(nodes) for op in walk([node])}
    graph: dict[int, set[int]] = {number: set() for number in range(len(nodes))}
    for op, number in of.items():
        for value in listing.ops[op].operands:
            before = of.get(listing.values[value].op, number)
            if before != number:
                graph[number].add(before)
    assert len(list(TopologicalSorter(graph).static_order())) == len(nodes)  # raises CycleError for a circle
    for node in nodes:
        if isinstance(node, Group):
            assert node.count == len(list(walk([node]))) > 0
            assert_is_readable(listing, node.nodes)


@pytest.mark.parametrize("name", ["digits", "gpt", "train_step"])
def test_each_operation_of_a_model_is_in_one_group(name: str) -> None:
    listing = hlokit.load(MODELS / f"{name}.mlirbc").listing
    groups = groups_of(listing)
    assert sorted(op for nodes in groups.values() for op in walk(nodes)) == list(range(len(listing.ops)))
    for nodes in groups.values():
        assert_is_readable(listing, nodes)


def test_random_programs_have_readable_groups() -> None:
    draw = random.Random(5)
    for size in (3, 30, 90, 700):
        lines = draw.randint(1, 12)
        operations = [
            (
                f"%{draw.randrange(n)}, %x" if n else "%x, %x",
                at(draw.randint(1, lines), f"f{draw.randint(0, 1)}"),
            )
            for n in range(size)
        ]
        listing = program(operations)
        nodes = entry(listing)
        assert (
            sorted(walk(nodes))
            == [n for n, op in enumerate(listing.ops) if op.name != "func.func"][-size - 1 :]
        )
        assert_is_readable(listing, nodes)


def test_runs_merge_unless_a_path_leads_through_others() -> None:
    # a -> b -> a: the second a waits for b.
    assert merged(["a", "b", "a"], [{1}, {2}, set()]) == [[0], [1], [2]]
    # The second a only waits for the first.
    assert merged(["a", "b", "a"], [{1, 2}, set(), set()]) == [[0, 2], [1]]
    # b reads the first a, and c reads b and waits for the second a.
    assert merged(["a", "b", "a", "c"], [{1}, {3}, {3}, set()]) == [[0, 2], [1], [3]]
    # What reads nothing of the unit may stand before it.
    assert merged(["a", "b", "a"], [set(), {2}, set()]) == [[1], [0, 2]]
    assert merged([None, None], [set(), set()]) == [[0], [1]]
