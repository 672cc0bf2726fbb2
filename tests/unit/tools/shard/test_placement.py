"""The layouts of values inside of a partitioned program, and the page that shows them."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.observe.observers import Record, Trace
from hlokit.engine.plan.plan import Step
from hlokit.tools.shard.partitioners.placement import placements

MLP = """func.func @main(%x: tensor<8x16xf32>, %w1: tensor<16x32xf32>, %w2: tensor<32x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0]
    : (tensor<8x32xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}"""
SHARDINGS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "megatron": ({"0": "P('data')", "1": "P(None, 'model')", "2": "P('model')"}, {}),
    "scattered": ({"1": "P(None, 'model')", "2": "P('model')"}, {"0": "P('model')"}),
    "weights": ({"0": "P(('data', 'model'))", "1": "P('model')", "2": "P('data', 'model')"}, {}),
    "turned": ({"0": "P('data')"}, {"0": "P(None, 'data')"}),
    "moved": ({"0": "P(('data', 'model'))"}, {"0": "P(('model', 'data'))"}),
}


class Values(Trace):
    """The operands and results of each operation on each device."""

    def __init__(self) -> None:
        super().__init__(lambda record: None)
        self.found: dict[Any, dict[int, tuple[list[Any], list[Any]]]] = {}

    def took(self, record: Record, step: Step, operands: Any, results: Any) -> None:
        if record.process is not None and record.depth == 0:
            arrays = ([np.asarray(each) for each in operands], [np.asarray(each) for each in results])
            self.found.setdefault(operation_of(step), {})[record.process[1]] = arrays


def arguments() -> list[np.ndarray]:
    random = np.random.default_rng(3)
    return [random.normal(size=shape).astype(np.float32) for shape in ((8, 16), (16, 32), (32, 8))]


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
@pytest.mark.parametrize("name", SHARDINGS)
@pytest.mark.sample("*-shardy")
def test_layouts_are_those_of_the_values(name: str, partitioner: str) -> None:
    """Devices with one piece hold the same bytes, and a collective changes pieces, not the whole value."""
    ins, outs = SHARDINGS[name]
    sharded = hlokit.shard(hlokit.load(MLP), "data=2,model=4", ins, outs or None, partitioner=partitioner)
    observer = Values()
    values = arguments()
    sharded._run(values, observer=observer)  # pyright: ignore[reportPrivateUsage] # with an observer
    placed = placements(sharded.program.module, sharded.mesh, sharded.inputs, sharded.stated)
    checked, moves = 0, 0
    for operation, each in placed.items():
        devices = observer.found.get(operation)
        if devices is None:
            continue
        whole: dict[str, list[Any]] = {"before": [], "after": []}
        for side, layouts, place in (("before", each.operands, 0), ("after", each.results, 1)):
            for index, layout in enumerate(layouts):
                if layout is not None:
                    pieces = [devices[device][place][index] for device in range(8)]
                    assert layout.disagreement(pieces) is None
                    assert pieces[0].shape == layout.piece_shape
                    whole[side].append(layout.joined(pieces))
                    checked += 1
        kind = operation.name.partition(".")[2]
        if kind.startswith(("all_", "reduce_scatter", "collective")) and all(whole.values()):
            np.testing.assert_allclose(whole["before"][0], whole["after"][0], rtol=1e-5, atol=1e-5)
            moves += 1
        if kind == "tanh" and whole["after"]:
            np.testing.assert_allclose(
                whole["after"][0], np.tanh(values[0] @ values[1]), rtol=1e-4, atol=1e-5
            )
    assert checked > (4 if partitioner == "shardy" else 1)
    assert moves > 0 or partitioner == "xla"


def data_of(html: str) -> Any:
    """The data that a page embeds."""
    packed = re.search(r'<script id="data"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert packed is not None
    return json.loads(zlib.decompress(base64.b64decode(packed[1])))


def test_the_page_has_pieces_and_collectives(tmp_path: Path) -> None:
    sharded = hlokit.shard(hlokit.load(MLP), "data=2,model=4", SHARDINGS["megatron"][0])
    page = sharded.view(*arguments(), to=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html
    data = data_of(page.html)
    devices = data["devices"]
    assert devices["axes"] == [["data", 2], ["model", 4]] and devices["devices"] == list(range(8))
    assert [(each["name"], each["spec"]) for each in devices["tensors"]][1] == ("arg1", "P(None, 'model')")
    layout = devices["layouts"][devices["tensors"][1]["layout"]]
    assert layout["pieces"] == [[0, device % 4] for device in range(8)] and layout["piece"] == [16, 8]
    (only,) = devices["collectives"]
    assert only["kind"] == "all_reduce" and only["groups"] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert only["sent"] == [192] * 8 == only["received"]
    before, after = (devices["layouts"][each[0]] for each in devices["values"][str(only["op"])])
    assert before["terms"] == [0, 1, 2, 3] * 2 and before["spec"] == "P('data', None, unreduced={'model'})"
    assert after["terms"] == [] and after["spec"] == "P('data', None)"
    assert data["run"] and data["reports"][0][1].startswith("compared with the whole program: right")
    assert data_of(sharded.view().html)["run"] is None


@pytest.mark.deep
def test_the_command_writes_the_page(tmp_path: Path) -> None:
    (tmp_path / "mlp.mlir").write_text(MLP)
    command = [
        sys.executable,
        "-c",
        "from hlokit.cli.main import main; main()",
        "shard",
        str(tmp_path / "mlp.mlir"),
    ]
    flags = ["--mesh=data=8", "--in=0:P('data')", f"--view={tmp_path / 'page.html'}"]
    done = subprocess.run([*command, *flags], capture_output=True, text=True, check=True)
    assert "compared with the whole program: right" in done.stdout
    data = data_of((tmp_path / "page.html").read_text())
    assert data["devices"]["collectives"] == [] and data["run"]
    flags[-1] = f"--view={tmp_path / 'no' / 'page.html'}"
    failed = subprocess.run([*command, *flags], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert "cannot write the page to" in failed.stderr and "no such file or directory" in failed.stderr
