"""The tools' answers: bounded, with the lines of the source, also when a command fails or takes too long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlokit.clients.mcp import pages, tools
from hlokit.clients.mcp.bounded import LONGEST, bounded
from hlokit.clients.mcp.explanation import explanations
from hlokit.errors import ArgumentError
from hlokit.programs.loading import load_text


def test_answers_are_cut_and_say_what_is_left_out() -> None:
    short = {"status": 0, "result": [1, 2.5, None, "text"]}
    assert bounded(short) == short
    for long in ({"result": list(range(10**5))}, {"result": "x" * 10**6}, {"result": [["y" * 99] * 99] * 99}):
        text = json.dumps(bounded(long))
        assert len(text) <= LONGEST and ("more" in text or "left out" in text)
    wide = {f"key {number}": "z" * 500 for number in range(10**4)}
    assert len(json.dumps(bounded(wide))) <= LONGEST


def test_explanations_name_operands_users_and_the_source(tmp_path: Path) -> None:
    source = tmp_path / "model.py"
    source.write_text("def f(x):\n    y = sin(x)\n    return y + x\n")
    text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = stablehlo.sine %x : tensor<2xf32> loc("{source}":2:9)
      %1 = stablehlo.add %0, %x : tensor<2xf32> loc("{source}":3:12)
      return %1 : tensor<2xf32>
    }}"""
    module = load_text(text).module
    (sine,) = explanations(module, f"{source}:2", "-")
    assert "2:     y = sin(x)" in sine["source"] and sine["meaning"] == "sin(operand)"
    assert sine["operands"] == ["tensor<2xf32>: argument 0"] and "stablehlo.add at" in sine["used_by"][0]
    (add,) = explanations(module, "stablehlo.add", "-")
    assert "stablehlo.sine at" in add["operands"][0]
    with pytest.raises(ArgumentError, match="no operation at 9999"):
        explanations(module, "9999", "-")


def test_pages_have_the_meaning_and_the_function_that_defines_it() -> None:
    page = pages.page("stablehlo.log")
    assert "log(operand)" in page and "def log(" in page and "spec.md#log" in page
    with pytest.raises(ValueError, match=r"no operation stablehlo\.logg"):
        pages.page("stablehlo.logg")
    for name in pages.operations():
        page = pages.page(name)
        assert page.startswith(f"# {name}\n"), name
        assert "](.." not in page, f"{name}: an agent has no page that a relative link leads to"


def test_a_failing_command_is_an_answer() -> None:
    assert tools.verify("/does/not/exist.mlir")["status"] == 1
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}"
    late = tools.run(text, time_limit=0.01)
    assert late["status"] is None and "ended after 0.01 s" in late["errors"]
    assert tools.run(text, time_limit=-1)["errors"] == "time_limit must be positive, got -1"
    assert "must have no zero byte" in tools.run("x.mlir\0")["errors"]


@pytest.mark.deep
def test_a_comparison_without_end_is_answered_with_what_is_known() -> None:
    """Regression: the whole command was ended, without an answer."""
    endless = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
      %r = stablehlo.while(%i = %n) : tensor<i32> cond {
        %p = stablehlo.compare EQ, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        stablehlo.return %i : tensor<i32>
      }
      return %r : tensor<i32>
    }"""
    answer = tools.diff(endless, "high", random_seed=0, time_limit=12)
    assert answer["status"] == 2 and answer["result"]["results"][0]["verdict"] == "time-out", answer
