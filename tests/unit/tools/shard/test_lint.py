"""`lint-spmd`: a program for each rule, and programs without problems."""

from __future__ import annotations

import time

import pytest

import hlokit
from hlokit.mlir.provider.bindings import ir
from hlokit.tools.shard.lint import lint_spmd

ADD = """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      })"""


def all_reduce(name: str, operand: str, groups: str, channel: int = 1) -> str:
    shape = f"{groups.count('[') - 1}x{groups.split('],', maxsplit=1)[0].count(',') + 1}"
    return f"""%{name} = "stablehlo.all_reduce"(%{operand}) {ADD} {{
        replica_groups = dense<{groups}> : tensor<{shape}xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>
      }} : (tensor<4xf32>) -> tensor<4xf32>"""


def program(body: str, partitions: int = 4, functions: str = "") -> hlokit.Program:
    return hlokit.load(f"""module attributes {{mhlo.num_replicas = 1 : i32, mhlo.num_partitions = {partitions} : i32}} {{
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      {body}
      return %r : tensor<4xf32>
    }}
    {functions} }}""")


BRANCH = """
      %id = stablehlo.partition_id : tensor<ui32>
      %zero = stablehlo.constant dense<0> : tensor<ui32>
      %first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
"""
RULES = {
    "spmd-group-ids": all_reduce("r", "x", "[[0, 1, 2, 3, 4]]"),
    "spmd-group-cover": all_reduce("r", "x", "[[0, 1, 2]]"),
    "spmd-group-size": """%g = "stablehlo.all_gather"(%x) {
        all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
      } : (tensor<4xf32>) -> tensor<8xf32>
      %r = stablehlo.slice %g [0:4] : (tensor<8xf32>) -> tensor<4xf32>""",
    "spmd-branches": BRANCH
    + f"""%r = "stablehlo.if"(%first) ({{
        {all_reduce("inner", "x", "[[0, 1, 2, 3]]")}
        stablehlo.return %inner : tensor<4xf32>
      }}, {{
        stablehlo.return %x : tensor<4xf32>
      }}) : (tensor<i1>) -> tensor<4xf32>""",
    "spmd-loop": BRANCH
    + f"""%one = stablehlo.constant dense<1> : tensor<ui32>
      %i, %r = stablehlo.while(%n = %zero, %v = %x) : tensor<ui32>, tensor<4xf32>
        cond {{
          %c = stablehlo.compare LT, %n, %id : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }} do {{
          {all_reduce("inner", "v", "[[0, 1, 2, 3]]")}
          %m = stablehlo.add %n, %one : tensor<ui32>
          stablehlo.return %m, %inner : tensor<ui32>, tensor<4xf32>
        }}""",
}


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_finds_its_program(rule: str) -> None:
    body = RULES[rule].replace("%i, %r = ", "%w:2 = ")
    text = body if "%w:2" not in body else body + "\n      %r = stablehlo.negate %w#1 : tensor<4xf32>"
    (found,) = lint_spmd(program(text))
    assert found.rule == rule and found.severity == "error"
    assert found.function == "main" and found.location.startswith("loc(")


def test_collectives_may_share_a_channel() -> None:
    """JAX gives all collectives of a program one channel."""
    gather = """%g = "stablehlo.all_gather"(%x) {
        all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
      } : (tensor<4xf32>) -> tensor<16xf32>
      """
    assert lint_spmd(program(gather + all_reduce("r", "x", "[[0, 1, 2, 3]]"))) == []


def test_the_same_collective_in_both_branches_does_not_meet() -> None:
    text = RULES["spmd-branches"].replace(
        "stablehlo.return %x : tensor<4xf32>",
        all_reduce("other", "x", "[[0, 1, 2, 3]]") + "\n stablehlo.return %other : tensor<4xf32>",
    )
    (problem,) = lint_spmd(program(text))
    assert (problem.rule, problem.severity) == ("spmd-branches", "error")
    assert "stablehlo.all_reduce of (0, 0), (0, 1), (0, 2), (0, 3)" in problem.message
    with pytest.raises(hlokit.EvaluationError, match="must meet at one operation"):
        program(text).run_parallel([([1.0] * 4,)] * 4, num_partitions=4)


# %first: whether the number of the process is below 2; the call of a function is computed as well.
HALVES = """
      %id = stablehlo.partition_id : tensor<ui32>
      %two = stablehlo.constant dense<2> : tensor<ui32>
      %half = func.call @half(%id, %two) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %zero = stablehlo.constant dense<0> : tensor<ui32>
      %first = stablehlo.compare EQ, %half, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
"""
HALF = """func.func private @half(%a: tensor<ui32>, %b: tensor<ui32>) -> tensor<ui32> {
      %0 = stablehlo.divide %a, %b : tensor<ui32>
      return %0 : tensor<ui32>
    }"""


def test_branches_that_divide_no_group_are_right() -> None:
    branch = RULES["spmd-branches"].removeprefix(BRANCH)
    at_sum = f"""{all_reduce("total", "x", "[[0, 1], [2, 3]]")}
      %p = stablehlo.slice %total [0:1] : (tensor<4xf32>) -> tensor<1xf32>
      %q = stablehlo.reshape %p : (tensor<1xf32>) -> tensor<f32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %positive = stablehlo.compare GT, %q, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
      """
    both = (
        at_sum
        + HALVES.replace("%first", "%is_half")
        + "%first = stablehlo.and %is_half, %positive : tensor<i1>\n"
    )
    for decision in (HALVES, at_sum.replace("%positive", "%first"), both):
        for groups, rules in (("[[0, 1], [2, 3]]", []), ("[[0, 2], [1, 3]]", ["spmd-branches"])):
            text = decision + branch.replace("[[0, 1, 2, 3]]", groups).replace("1x4", "2x2")
            problems = lint_spmd(program(text, functions=HALF))
            assert [problem.rule for problem in problems] == rules, (decision, groups)


def test_predicates_that_all_processes_share() -> None:
    text = RULES["spmd-branches"].replace(
        "%id = stablehlo.partition_id :", "%id = stablehlo.constant dense<0> :"
    )
    assert lint_spmd(program(text)) == []


def side_by_side(first: str, second: str) -> hlokit.Program:
    function = """func.func @{}(%x: tensor<4xf32>) -> tensor<4xf32> {{
      {}
      return %r : tensor<4xf32>
    }}"""
    return hlokit.load(f"""
    {function.format("p", first)}
    {function.format("q", second)}
    func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
      %0:2 = "interpreter.run_parallel"(%a, %b) {{programs = [[@p, @q]]}}
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
      return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
    }}""")


def test_programs_side_by_side_in_other_orders() -> None:
    one = all_reduce("m", "x", "[[0, 1]]", 1) + "\n" + all_reduce("r", "m", "[[0, 1]]", 2)
    other = all_reduce("m", "x", "[[0, 1]]", 2) + "\n" + all_reduce("r", "m", "[[0, 1]]", 1)
    (found,) = lint_spmd(side_by_side(one, other))
    assert found.rule == "spmd-order"
    assert lint_spmd(side_by_side(one, one)) == []
    # The grid finds the same at run time.
    with pytest.raises(hlokit.EvaluationError):
        side_by_side(one, other)([1.0] * 4, [2.0] * 4)


def permute(pairs: str) -> str:
    return f"""%r = "stablehlo.collective_permute"(%x) {{
        source_target_pairs = dense<{pairs}> : tensor<2x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
      }} : (tensor<4xf32>) -> tensor<4xf32>"""


def test_pairs_that_name_a_process_that_is_not_there() -> None:
    (found,) = lint_spmd(program(permute("[[0, 1], [1, 4]]")))
    assert (found.rule, found.severity) == ("spmd-group-ids", "error")
    assert "source_target_pairs must hold ids below 4" in found.message and "got 4" in found.message
    assert lint_spmd(program(permute("[[0, 1], [1, 3]]"))) == []


@pytest.mark.parametrize(("pairs", "which"), [([0, 1, 0, 2], "source"), ([0, 1, 2, 1], "target")])
def test_pairs_that_name_a_process_twice(pairs: list[int], which: str) -> None:
    """The bindings' verifier refuses them in text; a program that was changed since is found here."""
    text = permute(f"[[{pairs[0]}, {pairs[1]}], [{pairs[2]}, {pairs[3]}]]")
    with pytest.raises(hlokit.VerificationError, match=f"duplicate {which}s"):
        program(text)
    changed = program(permute("[[0, 1], [2, 3]]"))
    with changed.module.context:
        operation = next(
            view.operation
            for view in changed.module.body.operations[0].regions[0].blocks[0].operations
            if view.operation.name == "stablehlo.collective_permute"
        )
        attribute = f"dense<{[pairs[:2], pairs[2:]]}> : tensor<2x2xi64>"
        operation.attributes["source_target_pairs"] = ir.Attribute.parse(attribute)
    (found,) = lint_spmd(changed)
    assert (found.rule, found.severity) == ("spmd-pairs", "error")
    assert f"name each {which} once" in found.message


SEND = """%t = stablehlo.create_token : !stablehlo.token
      %s = "stablehlo.send"(%x, %t) {
        channel_handle = #stablehlo.channel_handle<handle = CHANNEL, type = 1>, is_host_transfer = false
      } : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
      """


RECV = """%q:2 = "stablehlo.recv"(%t) {
        channel_handle = #stablehlo.channel_handle<handle = CHANNEL, type = 1>, is_host_transfer = false
      } : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
      """


def transfer(channel: int, text: str = SEND + RECV) -> str:
    return text.replace("CHANNEL", str(channel))


def test_a_channel_of_a_collective_and_a_transfer_is_an_error() -> None:
    (problem,) = lint_spmd(program(transfer(1) + permute("[[0, 1], [1, 0]]")))
    assert (problem.rule, problem.severity) == ("spmd-channel", "error")
    assert "channel 1" in problem.message and "a transfer" in problem.message
    assert lint_spmd(program(transfer(2) + permute("[[0, 1], [1, 0]]"))) == []


def test_a_transfer_without_its_other_half() -> None:
    token = "%t = stablehlo.create_token : !stablehlo.token\n"
    for text, other in ((SEND, "stablehlo.recv"), (token + RECV, "stablehlo.send")):
        (problem,) = lint_spmd(program(transfer(3, text) + "%r = stablehlo.negate %x : tensor<4xf32>"))
        assert problem.rule == "spmd-transfer" and f"channel 3 must have a {other}" in problem.message
    to_host = transfer(3, SEND).replace(
        "type = 1>, is_host_transfer = false", "type = 2>, is_host_transfer = true"
    )
    assert lint_spmd(program(to_host + "%r = stablehlo.negate %x : tensor<4xf32>")) == []


def test_predicates_that_depend_on_the_processes_own_data() -> None:
    sums = all_reduce("total", "x", "[[0, 1, 2, 3]]")
    at = "%p = stablehlo.slice {} [0:1] : (tensor<4xf32>) -> tensor<1xf32>"
    positive = """%q = stablehlo.reshape %p : (tensor<1xf32>) -> tensor<f32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %first = stablehlo.compare GT, %q, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
      """
    branch = RULES["spmd-branches"].removeprefix(BRANCH)
    own, shared = (f"{sums}\n{at.format(value)}\n{positive}{branch}" for value in ("%x", "%total"))
    (problem,) = lint_spmd(program(own))
    assert (problem.rule, problem.severity) == ("spmd-branches", "warning")
    assert "may differ between processes (it depends on an argument of the process)" in problem.message
    assert lint_spmd(program(shared)) == []
    # Each process has another piece of a tensor.
    pieces = """sdy.mesh @mesh = <["a"=4]>
    func.func @main(%w: tensor<16xf32>) -> tensor<16xf32> {
      %0 = sdy.manual_computation(%w) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>]
          manual_axes={"a"} (%x: tensor<4xf32>) {
        BODY
        sdy.return %r : tensor<4xf32>
      } : (tensor<16xf32>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    }"""
    (problem,) = lint_spmd(hlokit.load(pieces.replace("BODY", own)))
    assert (problem.rule, problem.severity) == ("spmd-branches", "error")
    assert lint_spmd(hlokit.load(pieces.replace("BODY", shared))) == []


def test_the_id_of_a_process_behind_a_long_chain_of_calls() -> None:
    ids = "() -> tensor<ui32>"
    chain = "\n".join(
        f"func.func private @f{number}() -> tensor<ui32> {{ %r = call @f{number + 1}() : {ids} return %r : tensor<ui32> }}"
        for number in range(400)
    )
    body = RULES["spmd-branches"].replace("stablehlo.partition_id :", f"func.call @f0() : {ids} //")
    own_id = "{ %r = stablehlo.partition_id : tensor<ui32> return %r : tensor<ui32> }"
    for last, rules in ((own_id, ["spmd-branches"]), ("", [])):  # without a body, nothing is known
        functions = f"{chain}\nfunc.func private @f400{ids} {last}"
        assert [problem.rule for problem in lint_spmd(program(body, functions=functions))] == rules


def test_loops_that_become_different_on_the_way() -> None:
    # The counter begins equal; the body adds the id of the process.
    loop = RULES["spmd-loop"].replace("LT, %n, %id", "LT, %n, %one").replace("add %n, %one", "add %n, STEP")
    text = loop.replace("%i, %r = ", "%w:2 = ") + "\n      %r = stablehlo.negate %w#1 : tensor<4xf32>"
    assert [problem.rule for problem in lint_spmd(program(text.replace("STEP", "%id")))] == ["spmd-loop"]
    assert lint_spmd(program(text.replace("STEP", "%one"))) == []


def test_the_other_operation_of_a_channel_is_named_by_its_line_and_once() -> None:
    more = permute("[[0, 1], [1, 0]]").replace("%r =", "%m =") + permute("[[0, 1], [1, 0]]").replace(
        "%x", "%m"
    )
    named = hlokit.load(program(transfer(1) + more).text(), filename="model.mlir")
    (problem,) = lint_spmd(named)
    assert "but a transfer uses it at model.mlir:" in problem.message and "loc(" not in problem.message


@pytest.mark.deep
@pytest.mark.parametrize("shape", ["chain", "users of one value", "loop"])
def test_time_grows_with_the_number_of_operations(shape: str) -> None:
    def seconds(count: int) -> float:
        operands = ["v0" if shape == "users of one value" else f"v{number}" for number in range(count)]
        lines = [
            f"%v{number + 1} = stablehlo.negate %{operand} : tensor<4xf32>"
            for number, operand in enumerate(operands)
        ]
        body = "\n".join(["%v0 = stablehlo.abs %x : tensor<4xf32>", *lines])
        text = f"{body}\n%r = stablehlo.abs %v{count} : tensor<4xf32>"
        if shape == "loop":
            body = body.replace("abs %x", "abs %c")
            text = f"""%y = stablehlo.constant dense<false> : tensor<i1>
              %w = stablehlo.while(%c = %x) : tensor<4xf32> cond {{ stablehlo.return %y : tensor<i1> }}
              do {{ {body} stablehlo.return %v{count} : tensor<4xf32> }}
              %r = stablehlo.abs %w : tensor<4xf32>"""
        loaded = program(text)
        times: list[float] = []
        for _ in range(3):
            start = time.process_time()
            assert lint_spmd(loaded) == []
            times.append(time.process_time() - start)
        return min(times)

    assert seconds(20_000) < 10 * seconds(4_000)
