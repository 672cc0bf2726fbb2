"""Ten debugging tasks, each solved by calls of tools alone, through the SDK's client over stdio."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.deep

RIGHT = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.log %x : tensor<4xf32>
  %1 = stablehlo.multiply %0, %y : tensor<4xf32>
  %2 = stablehlo.tanh %1 : tensor<4xf32>
  %3 = stablehlo.add %2, %x : tensor<4xf32>
  return %3 : tensor<4xf32>
}"""
WRONG = RIGHT.replace("stablehlo.tanh", "stablehlo.sine")
NAN = ["dense<-1.0> : tensor<4xf32>", "dense<1.0> : tensor<4xf32>"]
COLLECTIVE = """module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}"""


async def tasks(folder: Path) -> None:
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
    other, small = folder / "other.mlir", folder / "small.mlir"
    other.write_text(WRONG)
    parameters = mcp.StdioServerParameters(command=sys.executable, args=["-m", "hlokit", "mcp"])
    async with mcp.Client(parameters) as client:

        async def call(name: str, **arguments: Any) -> dict[str, Any]:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer
            return answer.structured_content

        # 1. A misspelt operation: where, and what would be right.
        misspelt = await call("verify", program=RIGHT.replace("tanh", "tahn"))
        (problem,) = misspelt["result"]["files"][0]["diagnostics"]
        assert misspelt["status"] == 1 and problem["line"] == 4 and "stablehlo.tanh" in problem["message"]
        # 2. Types that do not fit.
        assert (await call("verify", program=RIGHT.replace("-> tensor<4xf32> {", "-> tensor<5xf32> {")))[
            "status"
        ] == 1
        # 3. The type of a result that one does not know.
        transposed = await call(
            "infer",
            operation="stablehlo.transpose",
            operand_types=["tensor<2x3xf32>"],
            attributes={"permutation": "array<i64: 1, 0>"},
        )
        assert transposed["result"]["types"] == ["tensor<3x2xf32>"]
        # 4. What a file is.
        described = (await call("info", program=str(other)))["result"]
        assert described["operations"]["stablehlo.sine"] == 1
        # 5. What a program computes.
        values = await call("run", program=RIGHT, arguments=["dense<1.0> : tensor<4xf32>"] * 2)
        assert values["result"]["results"][0]["value"] == [1.0] * 4
        # 6. Which operation of two versions differs, and what it is.
        found = await call("diff", program=RIGHT, against=str(other))
        assert found["status"] == 1 and found["result"]["first"]["op"] == "stablehlo.tanh"
        (explained,) = (await call("explain", program=RIGHT, where="4"))["result"]
        assert explained["meaning"] == "tanh(operand)" and "stablehlo.multiply" in explained["operands"][0]
        assert (await call("equal", program=RIGHT, other=RIGHT))["status"] == 0
        assert (await call("judge", reference=RIGHT, candidate=str(other)))["status"] == 1
        # 7. A small program with the same NaN.
        reduced = await call("reduce", program=RIGHT, keep="nan", output=str(small), arguments=NAN)
        assert reduced["status"] == 0 and "stablehlo.log" in small.read_text()
        assert "stablehlo.tanh" not in small.read_text()
        # 8. Whether a pass keeps the meaning.
        kept = await call("passes", program=RIGHT, of="stablehlo-opt:stablehlo-aggressive-simplification")
        assert kept["status"] == 0
        # 9. A collective that would deadlock.
        deadlock = await call("lint_spmd", program=COLLECTIVE)
        assert deadlock["status"] == 1 and "replica_groups must cover" in str(deadlock)
        # 10. A sharding without devices.
        sharded = await call("shard", program=RIGHT, mesh="a=2", in_shardings={"0": "P('a')"})
        assert sharded["status"] == 0 and "P('a')" in str(sharded["result"])
        page = await client.read_resource("hlokit://operations/stablehlo.tanh")
        assert "tanh(operand)" in page.contents[0].text
        listed = (await client.read_resource("hlokit://operations")).contents[0].text
        assert "stablehlo.tanh" in listed.split()


def test_ten_tasks(tmp_path: Path) -> None:
    # In a thread of its own: a browser's driver may have left a loop in this one.
    with ThreadPoolExecutor(1) as executor:
        executor.submit(asyncio.run, tasks(tmp_path)).result()
