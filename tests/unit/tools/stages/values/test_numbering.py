"""Value numbers, and parts of HLO modules."""

from __future__ import annotations

import numpy as np
import pytest

from hlokit.mlir.provider.bindings import xla_modules
from hlokit.programs.importers.protobuf import MalformedMessage
from hlokit.programs.loading import load_hlo
from hlokit.tools.stages.values.numbering import Graph, Numbering
from hlokit.tools.stages.values.slices import needed, sliced

ENTRY = "ENTRY main {{\n  x = f32[2,3]{{1,0}} parameter(0)\n  y = f32[2,3]{{1,0}} parameter(1)\n  {}\n}}"
FUSED = (
    "fused {{\n  a = f32[2,3]{{1,0}} parameter(0)\n  b = f32[2,3]{{1,0}} parameter(1)\n"
    "  ROOT c = f32[2,3]{{1,0}} {}\n}}\n"
)
REDUCER = "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n"
REVERSED = REDUCER.replace("add(a, b)", "subtract(b, a)").replace("sum {", "other {")
ZERO = "zero = f32[] constant(0)\n  "


def proto(body: str, computations: str = "") -> bytes:
    text = f"HloModule m\n\n{computations}\n{ENTRY.format(body)}"
    return xla_modules()[2].hlo_module_from_text(text).as_serialized_hlo_module_proto()


def fused(operation: str, operands: str) -> tuple[str, str]:
    body = f"ROOT r = f32[2,3]{{1,0}} fusion({operands}), kind=kLoop, calls=fused"
    return body, FUSED.format(operation)


def bitcast(layout: str) -> tuple[str, str]:
    transposed = f"t = f32[2,3]{{{layout}}} copy(x)\n  "
    return transposed + "ROOT r = f32[6]{0} bitcast(t)", ""


def many(position: int) -> tuple[str, str]:
    """A concatenation of 80 arrays, one of which is another one."""
    operands = ", ".join(["y" if n == position else "x" for n in range(80)])
    return f"ROOT r = f32[160,3]{{1,0}} concatenate({operands}), dimensions={{0}}", ""


def reduce(reducer: str, computations: str) -> tuple[str, str]:
    body = f"ROOT r = f32[2]{{0}} reduce(x, zero), dimensions={{1}}, to_apply={reducer}"
    return ZERO + body, computations


PAIR = "(f32[2,3]{1,0}, f32[2,3]{1,0}, s32[])"
STATE = (
    f"  p = {PAIR} parameter(0)\n  a = f32[2,3]{{1,0}} get-tuple-element(p), index=0\n"
    "  b = f32[2,3]{1,0} get-tuple-element(p), index=1\n  i = s32[] get-tuple-element(p), index=2\n"
)
TEST = f"test {{\n{STATE}  n = s32[] constant(3)\n  ROOT r = pred[] compare(i, n), direction=LT\n}}\n"
START = "start = s32[] constant(0)\n  "


def integers(value: int, result: str) -> tuple[str, str]:
    """An operation on integers, one of which has a value."""
    lines = (
        f"i = s32[2,3]{{1,0}} convert(x)\n  c = s32[] constant({value})\n  b = s32[2,3]{{1,0}} broadcast(c)"
    )
    return f"{lines}, dimensions={{}}\n  ROOT r = s32[2,3]{{1,0}} {result}", ""


def loop(
    body: str, result: str = "e0", first: str = "x, y, start", test: str = TEST, before: str = ""
) -> tuple[str, str]:
    """A loop whose state is two arrays and a counter."""
    computation = f"body {{\n{STATE}  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  {body}\n}}\n{test}"
    return (
        f"{START}{before}t = {PAIR} tuple({first})\n  w = {PAIR} while(t), condition=test, body=body\n"
        "  e0 = f32[2,3]{1,0} get-tuple-element(w), index=0\n"
        "  e1 = f32[2,3]{1,0} get-tuple-element(w), index=1\n"
        f"  ROOT r = f32[2,3]{{1,0}} copy({result})",
        computation,
    )


def branches(first: str, second: str) -> tuple[str, str]:
    """A conditional with two branches."""
    computations = "".join(
        f"{name} {{\n  a = f32[2,3]{{1,0}} parameter(0)\n  b = f32[2,3]{{1,0}} negate(a)\n"
        f"  ROOT r = (f32[2,3]{{1,0}}, f32[2,3]{{1,0}}) tuple({values})\n}}\n"
        for name, values in (("yes", first), ("no", second))
    )
    body = (
        "p = pred[] constant(true)\n"
        "  c = (f32[2,3]{1,0}, f32[2,3]{1,0}) conditional(p, x, x), true_computation=yes, false_computation=no\n"
        "  ROOT r = f32[2,3]{1,0} get-tuple-element(c), index=1"
    )
    return body, computations


SUM = f"c = f32[2,3]{{1,0}} add(a, b)\n  ROOT r = {PAIR} tuple(c, b, j)"
SUBTRACT = ("ROOT r = f32[2,3]{1,0} subtract(x, y)", "")
SAME = {
    "the order of operands": (
        ("ROOT r = f32[2,3]{1,0} add(x, y)", ""),
        ("ROOT r = f32[2,3]{1,0} add(y, x)", ""),
    ),
    "a product with 1": (integers(1, "multiply(i, b)"), integers(5, "copy(i)")),
    "a sum with 0": (integers(0, "add(b, i)"), integers(5, "copy(i)")),
    "bits with 0": (integers(0, "or(i, b)"), integers(0, "xor(b, i)")),
    "an order of instructions": (
        SUBTRACT,
        (
            "n = f32[2,3]{1,0} negate(x)\n  ROOT r = f32[2,3]{1,0} subtract(x, y), control-predecessors={n}",
            "",
        ),
    ),
    "names": (SUBTRACT, ("ROOT other = f32[2,3]{1,0} subtract(x, y)", "")),
    "a layout": (SUBTRACT, ("ROOT r = f32[2,3]{0,1} subtract(x, y)", "")),
    "a copy": (SUBTRACT, ("c = f32[2,3]{0,1} copy(x)\n  ROOT r = f32[2,3]{1,0} subtract(c, y)", "")),
    "a fusion": (SUBTRACT, fused("subtract(a, b)", "x, y")),
    "tuples": (
        SUBTRACT,
        (
            "t = (f32[2,3]{1,0}, f32[2,3]{1,0}) tuple(y, x)\n  a = f32[2,3]{1,0} get-tuple-element(t), index=1\n"
            "  ROOT r = f32[2,3]{1,0} subtract(a, y)",
            "",
        ),
    ),
    "a bitcast": (bitcast("1,0"), ("ROOT r = f32[6]{0} reshape(x)", "")),
    "a reducer": (reduce("sum", REDUCER), reduce("sum2", REDUCER.replace("sum", "sum2"))),
    "what no iteration changes": (loop(SUM, "e1"), ("ROOT r = f32[2,3]{1,0} copy(y)", "")),
    "the order of the state": (
        loop(f"c = f32[2,3]{{1,0}} add(a, b)\n  ROOT r = {PAIR} tuple(c, b, j)"),
        loop(f"c = f32[2,3]{{1,0}} add(b, a)\n  ROOT r = {PAIR} tuple(a, c, j)", "e1", "y, x, start"),
    ),
    "a value moved out of a loop": (
        loop(
            f"n = f32[2,3]{{1,0}} negate(b)\n  c = f32[2,3]{{1,0}} add(a, n)\n  ROOT r = {PAIR} tuple(c, b, j)"
        ),
        loop(SUM, first="x, n, start", before="n = f32[2,3]{1,0} negate(y)\n  "),
    ),
    "a part of the state that the result does not need": (
        loop(
            f"c = f32[2,3]{{1,0}} add(a, a)\n  d = f32[2,3]{{1,0}} negate(b)\n  ROOT r = {PAIR} tuple(c, d, j)"
        ),
        loop(f"c = f32[2,3]{{1,0}} add(a, a)\n  ROOT r = {PAIR} tuple(c, b, j)", first="x, x, start"),
    ),
    "a value of both branches": (branches("b, a", "b, a"), ("ROOT r = f32[2,3]{1,0} copy(x)", "")),
    "other values of a conditional": (branches("a, a", "a, b"), branches("b, a", "a, b")),
}
OTHER = {
    "a product with 0": (integers(0, "multiply(i, b)"), integers(5, "copy(i)")),
    "a product with -1": (integers(-1, "multiply(i, b)"), integers(5, "copy(i)")),
    "a sum with 1": (integers(1, "add(b, i)"), integers(5, "copy(i)")),
    "a difference from 0": (integers(0, "subtract(b, i)"), integers(5, "copy(i)")),
    "bits with 1": (integers(1, "and(i, b)"), integers(5, "copy(i)")),
    "a float sum with 0": (
        (
            f"{ZERO}b = f32[2,3]{{1,0}} broadcast(zero), dimensions={{}}\n  ROOT r = f32[2,3]{{1,0}} add(x, b)",
            "",
        ),
        ("ROOT r = f32[2,3]{1,0} copy(x)", ""),
    ),
    "operands": (SUBTRACT, ("ROOT r = f32[2,3]{1,0} subtract(y, x)", "")),
    "one of many operands": (many(3), many(70)),
    "an operation": (SUBTRACT, ("ROOT r = f32[2,3]{1,0} add(x, y)", "")),
    "a fusion's operands": (fused("subtract(a, b)", "x, y"), fused("subtract(a, b)", "y, x")),
    "operands in a fusion": (fused("subtract(a, b)", "x, y"), fused("subtract(b, a)", "x, y")),
    "the layout of a bitcast": (bitcast("1,0"), bitcast("0,1")),
    "a constant": (
        ("c = f32[2]{0} constant({1, 2})\n  ROOT r = f32[2]{0} negate(c)", ""),
        ("c = f32[2]{0} constant({2, 1})\n  ROOT r = f32[2]{0} negate(c)", ""),
    ),
    "a reducer": (reduce("sum", REDUCER.replace("add", "subtract")), reduce("other", REVERSED)),
    "what a loop does": (loop(SUM), loop(SUM.replace("add(a, b)", "subtract(a, b)"))),
    "a first value": (loop(SUM), loop(SUM, first="y, y, start")),
    "a value of the state": (loop(SUM), loop(SUM, first="x, x, start")),
    "a condition": (loop(SUM), loop(SUM, test=TEST.replace("constant(3)", "constant(4)"))),
    "what the other part of the state does": (
        loop(SUM.replace("tuple(c, b", "tuple(c, a")),
        loop(SUM.replace("tuple(c, b", "tuple(c, c")),
    ),
    "another part of the state": (
        loop(SUM.replace("tuple(c, b", "tuple(c, a"), first="x, x, start"),
        loop(SUM.replace("tuple(c, b", "tuple(a, c"), first="x, x, start"),
    ),
    "branches": (branches("a, b", "b, a"), branches("b, a", "a, b")),
    "dimensions": (
        ("ROOT r = f32[3,2]{1,0} transpose(x), dimensions={1,0}", ""),
        ("ROOT r = f32[3,2]{1,0} reshape(x)", ""),
    ),
}


def graphs(pair: tuple[tuple[str, str], tuple[str, str]]) -> tuple[Graph, Graph]:
    numbering = Numbering()
    first, second = [numbering.graph(proto(*part)) for part in pair]
    assert first is not None
    assert second is not None
    return first, second


def test_equal_values_have_the_same_number() -> None:
    for name, pair in SAME.items():
        first, second = graphs(pair)
        assert first.results == second.results, name


def test_other_values_have_other_numbers() -> None:
    for name, pair in OTHER.items():
        first, second = graphs(pair)
        assert first.results != second.results, name


def test_parts_compute_what_is_not_known() -> None:
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    body = (
        "a = f32[2,3]{1,0} multiply(x, y)\n  c = f32[2,3]{0,1} copy(a)\n  b = f32[6]{0} bitcast(c)\n"
        "  ROOT r = (f32[6]{0}, f32[2,3]{1,0}) tuple(b, a)"
    )
    graph = Numbering().graph(proto(body))
    assert graph is not None
    whole = needed(graph, graph.results, graph.parameters)
    flat, product = load_hlo(sliced(graph, *whole, graph.results))(numbers, numbers)
    np.testing.assert_array_equal(product, numbers**2)
    np.testing.assert_array_equal(flat, (numbers**2).T.ravel())
    known = graph.results[1]
    rest = needed(graph, graph.results, [known])
    assert rest.inputs == [known]
    flat, product = load_hlo(sliced(graph, *rest, graph.results))(numbers)
    np.testing.assert_array_equal(flat, numbers.T.ravel())
    np.testing.assert_array_equal(product, numbers)


def test_results_of_a_loop_at_the_end_of_a_program_are_elements() -> None:
    """Regression: such programs had no graph, and were evaluated as a whole."""
    body, computations = loop(SUM)
    numbering = Numbering()
    lines = body.replace("  w = ", "  ROOT w = ").split("\n  e0 = ")[0]
    graph, picked = numbering.graph(proto(lines, computations)), numbering.graph(proto(body, computations))
    assert graph is not None
    assert picked is not None
    assert picked.results[0] in graph.results
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    part = needed(graph, graph.results, graph.parameters)
    results = load_hlo(sliced(graph, *part, graph.results))(numbers, numbers)
    expected = load_hlo(proto(lines, computations))(numbers, numbers)
    for result, other in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, other)


def test_a_bitcast_gets_its_operand_in_the_layout_that_it_needs() -> None:
    """Regression: it got that of another instruction with the same value, if it was a reshape."""
    body = "n = f32[2,3]{0,1} negate(x)\n  c = f32[2,3]{1,0} copy(n)\n  ROOT r = f32[6]{0} bitcast(c)"
    graph = Numbering().graph(proto(body))
    assert graph is not None
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    part = needed(graph, graph.results, graph.parameters[:1])
    result = load_hlo(sliced(graph, *part, graph.results))(numbers)
    np.testing.assert_array_equal(result, -numbers.ravel())


@pytest.mark.parametrize(
    "body",
    [
        "ROOT r = f32[2]{0} rng(l, u), distribution=rng_uniform",
        'ROOT r = f32[2]{0} custom-call(x), custom_call_target="f", custom_call_has_side_effect=true',
    ],
)
def test_values_with_effects_have_no_numbers(body: str) -> None:
    bounds = "l = f32[] constant(0)\n  u = f32[] constant(1)\n  "
    assert Numbering().graph(proto(bounds + body)) is None


def test_other_data_has_no_graph() -> None:
    assert Numbering().graph(b"module {}") is None


def test_damaged_modules_are_malformed() -> None:
    data = proto(*fused("subtract(a, b)", "x, y"))
    damaged = 0
    for position in range(len(data)):
        for byte in (0, 7, 0xFF):
            try:
                Numbering().graph(data[:position] + bytes([byte]) + data[position + 1 :])
            except MalformedMessage:
                damaged += 1
    assert damaged > len(data)
