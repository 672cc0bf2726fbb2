"""Output for other viewers, tested with them: Graphviz, Perfetto, Model Explorer."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import hlokit
from hlokit.clients import model_explorer
from hlokit.display.listing import ListedOp
from hlokit.tools.tracing.chrome_trace import ChromeTrace
from hlokit.tools.view.dot import dot
from hlokit.tools.view.overlay import run_overlay

LOOP = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = func.call @body(%y) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<2xf32>
  }
  %l = stablehlo.log %r#1 {note = "a \\"b\\" \\\\ c"} : tensor<2xf32> loc("jit(f)/head/log"("model.py":7:1))
  return %l : tensor<2xf32>
}
func.func private @body(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
GRID = """
module attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
"""
X = np.array([1, -1], np.float32)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_every_operation() -> None:
    program = hlokit.load(LOOP)
    trace = program.trace(X)
    text = dot(program.listing, run_overlay(trace))
    drawn = subprocess.run(
        ["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True, timeout=300
    )
    assert drawn.stderr == ""
    names = [
        group.get("class")
        for group in ElementTree.fromstring(drawn.stdout).iter("{http://www.w3.org/2000/svg}g")
    ]
    inside = [op for op in program.listing.ops if op.name not in ("builtin.module", "func.func")]
    assert names.count("node") == len(inside)
    assert names.count("cluster") == 3  # two functions and the loop
    assert names.count("edge") == sum(
        len({value for value in op.operands if program.listing.values[value].op >= 0}) for op in inside
    )
    assert "1 NaN" in drawn.stdout


def events(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text())["traceEvents"]


def traced(path: Path, text: str, *arguments: Any) -> list[dict[str, Any]]:
    """The events of a run; with a list of arguments for each process, of a grid."""
    program = hlokit.load(text)
    with path.open("w") as file:
        chrome = ChromeTrace(file)
        observer = hlokit.Trace(chrome.take)
        if len(arguments) > 1:
            program.run_parallel([(argument,) for argument in arguments], observer=observer)
        else:
            program(*arguments, observer=observer)
        chrome.finish()
    return events(path)


def test_events_nest_by_time(tmp_path: Path) -> None:
    found = [event for event in traced(tmp_path / "t.json", LOOP, X) if event["ph"] == "X"]
    assert all({"name", "ts", "dur", "pid", "tid", "args"} <= set(event) for event in found)
    loop = next(event for event in found if event["name"] == "stablehlo.while")
    calls = [event for event in found if event["name"] == "func.call"]
    assert len(calls) == 3
    for call in calls:
        assert loop["ts"] <= call["ts"] and call["ts"] + call["dur"] <= loop["ts"] + loop["dur"]
    # Slices of a track are apart from or within each other: else viewers drop them.
    ends: list[float] = []
    for event in sorted(found, key=lambda event: (event["ts"], -event["dur"])):
        while ends and ends[-1] <= event["ts"]:
            ends.pop()
        assert not ends or event["ts"] + event["dur"] <= ends[-1]
        ends.append(event["ts"] + event["dur"])
    log = next(event for event in found if event["name"] == "stablehlo.log")
    assert log["args"]["source"] == "model.py:7:1 (jit(f)/head/log)" and log["args"]["NaN 0"] == 1


def test_every_process_has_a_track(tmp_path: Path) -> None:
    found = traced(tmp_path / "t.json", GRID, np.float32(1), np.float32(2))
    names = {event["tid"]: event["args"]["name"] for event in found if event["name"] == "thread_name"}
    assert sorted(names.values()) == ["replica 0, partition 0", "replica 1, partition 0"]
    reduced = {event["tid"] for event in found if event["name"] == "stablehlo.all_reduce"}
    assert reduced == set(names)


@pytest.mark.deep
def test_perfetto_reads_a_trace(tmp_path: Path) -> None:
    perfetto = pytest.importorskip("perfetto.trace_processor", reason="perfetto is not installed")
    path = tmp_path / "t.perfetto.json"
    traced(path, LOOP, X)
    # The package downloads the binary, unless there is one.
    config = perfetto.TraceProcessorConfig(bin_path=shutil.which("trace_processor_shell"))
    try:
        processor = perfetto.TraceProcessor(trace=str(path), config=config)
    except Exception as error:
        pytest.skip(f"the binary of Perfetto's trace processor cannot be had: {type(error).__name__}")
    with processor:
        rows = list(
            processor.query(
                "select s.name, s.depth, t.name as track from slice s join thread_track k on s.track_id = k.id join thread t using (utid)"
            )
        )
        errors = list(processor.query("select name, value from stats where severity = 'error' and value > 0"))
    assert not errors
    assert {row.track for row in rows} == {"run"}
    depths = {row.name: row.depth for row in rows}
    assert depths["stablehlo.while"] == 0 and depths["func.call"] == 1


def test_graphs_of_model_explorer() -> None:
    program = hlokit.load(LOOP)
    main, body = model_explorer.graphs(program)
    assert (main["id"], body["id"]) == ("main", "body")
    nodes = {node["label"]: node for node in main["nodes"]}
    assert nodes["func.call"]["subgraphIds"] == ["body"]
    assert nodes["stablehlo.log"]["namespace"] == "jit(f)/head"
    assert nodes["func.call"]["namespace"] == "stablehlo.while %0:2"
    ids = {node["id"] for node in main["nodes"]}
    edges = [edge["sourceNodeId"] for node in main["nodes"] for edge in node["incomingEdges"]]
    assert edges and set(edges) <= ids
    assert [edge["sourceNodeOutputId"] for edge in nodes["stablehlo.log"]["incomingEdges"]] == ["1"]


def test_graphs_of_many_functions_take_no_quadratic_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts comparisons of operations instead of seconds."""
    head = "func.func {} @f{}(%x: tensor<i8>) -> tensor<i8> {{ return %x : tensor<i8> }}"
    program = hlokit.load("\n".join(head.format("private" if i else "", i) for i in range(100)))
    compared = 0

    def equal(one: ListedOp, other: object) -> bool:
        nonlocal compared
        compared += 1
        return one is other

    monkeypatch.setattr(ListedOp, "__eq__", equal)
    assert len(model_explorer.graphs(program)) == 100
    assert compared < 1000


@pytest.mark.parametrize("measure", ["time (us)", "bytes", "NaN", "runs"])
def test_data_of_nodes(measure: str) -> None:
    program = hlokit.load(LOOP)
    data = model_explorer.node_data(program.trace(X), measure)
    ids = {node["id"] for graph in model_explorer.graphs(program) for node in graph["nodes"]}
    assert set(data) == {"main", "body"} and set(data["main"]["results"]) <= ids
    (added,) = data["body"]["results"].values()
    if measure != "time (us)":
        assert added["value"] == {"bytes": 8, "NaN": 0, "runs": 3}[measure]


@pytest.mark.deep
def test_model_explorer_loads_the_adapter(tmp_path: Path) -> None:
    manager = pytest.importorskip(
        "model_explorer.extension_manager", reason="Model Explorer is not installed"
    )
    builder = pytest.importorskip(
        "model_explorer.node_data_builder", reason="Model Explorer is not installed"
    )
    extensions = manager.ExtensionManager(["hlokit.clients.model_explorer"])
    extensions.load_extensions()
    assert "hlokit" in [extension["id"] for extension in extensions.get_extensions_metadata()]
    program = hlokit.load(LOOP)
    for name, content in (("a.mlir", LOOP.encode()), ("a.mlirbc", program.serialize())):
        path = tmp_path / name
        path.write_bytes(content)
        answer = extensions.run_cmd(
            {
                "cmdId": "convert",
                "extensionId": "hlokit",
                "modelPath": str(path),
                "settings": {},
                "deleteAfterConversion": False,
            }
        )
        assert [graph["id"] for graph in answer["graphs"]] == ["main", "body"]
        labels = [node["label"] for node in answer["graphs"][0]["nodes"]]
        assert "stablehlo.while" in labels
    data = model_explorer.node_data(program.trace(X))
    results = {node: builder.NodeDataResult(**result) for node, result in data["main"]["results"].items()}
    gradient = [builder.GradientItem(**item) for item in data["main"]["gradient"]]
    graph = builder.GraphNodeData(results=results, name=data["main"]["name"], gradient=gradient)
    written = json.loads(builder.ModelNodeData({"main": graph}).to_json_string())
    assert written["main"]["results"] == data["main"]["results"]
