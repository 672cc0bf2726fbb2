"""Whole programs as partitioners get them: without calls, and with the lines of calls."""

from __future__ import annotations

from pathlib import Path

import hlokit
from hlokit.cli.main import main
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import location_of, walk
from hlokit.tools.shard.partitioners.preparation import prepare

TEXT = """func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = func.call @once(%x) : (tensor<8xf32>) -> tensor<8xf32> loc("model.py":1:2)
  %1 = func.call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32> loc("model.py":3:4)
  %2 = func.call @twice(%1) : (tensor<8xf32>) -> tensor<8xf32> loc("model.py":5:6)
  return %0, %2 : tensor<8xf32>, tensor<8xf32>
}
func.func private @once(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %x : tensor<8xf32> loc("tanh")
  %1 = stablehlo.sine %0 : tensor<8xf32> loc("sine"("library.py":7:8))
  %2 = func.call @inner(%1) : (tensor<8xf32>) -> tensor<8xf32> loc("inner")
  return %2 : tensor<8xf32>
}
func.func private @inner(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.cosine %x : tensor<8xf32> loc("cosine")
  return %0 : tensor<8xf32>
}
func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %x : tensor<8xf32> loc("negate")
  return %0 : tensor<8xf32>
}"""


def locations(text: str) -> dict[str, list[str]]:
    """The locations of operations by name, after the preparation."""
    module = hlokit.load(text).module
    prepare(module, "xla")
    found: dict[str, list[str]] = {}

    def visit(operation: ir.Operation) -> None:
        found.setdefault(operation.name, []).append(location_of(operation))

    walk(module.operation, visit)
    return found


def test_operations_without_a_line_get_that_of_the_only_call() -> None:
    found = locations(TEXT)
    assert "func.call" not in found
    (tanh,), (sine,), (cosine,) = (found[f"stablehlo.{name}"] for name in ("tanh", "sine", "cosine"))
    assert '"tanh"' in tanh and '"model.py":1:2' in tanh
    assert "model.py" not in sine and '"library.py":7:8' in sine
    assert '"cosine"' in cosine and '"model.py":1:2' in cosine
    # Either call could be meant.
    assert all("model.py" not in each for each in found["stablehlo.negate"])


def test_functions_that_call_each_other_are_left_alone() -> None:
    text = TEXT.replace("stablehlo.cosine %x", "func.call @once(%x)").replace(
        'tensor<8xf32> loc("cosine")', '(tensor<8xf32>) -> tensor<8xf32> loc("again")'
    )
    assert "again" in str(locations(text))


def test_modules_within_the_module_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "nested.mlir"
    path.write_text("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
module { func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> } }""")
    assert main(["shard", str(path), "--mesh=a=2", "--in=0:P('a')"]) == 0
