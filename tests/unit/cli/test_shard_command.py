"""`hlokit shard`, `hlokit lint-spmd`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.cli import main

PRODUCT = """func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""
SPLIT = ["--mesh=a=2,b=2", "--in=0:P(None, 'a')", "--in=1:P('a')"]


@pytest.fixture
def product(tmp_path: Path) -> str:
    path = tmp_path / "product.mlir"
    path.write_text(PRODUCT)
    return str(path)


def test_report(product: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["shard", product, *SPLIT]) == 0
    printed = capsys.readouterr().out
    assert "mesh a=2,b=2: 4 devices, partitioned by shardy" in printed
    assert "product.mlir:2" in printed and "1 x all_reduce of 2" in printed
    assert "compared with the whole program: right" in printed


def test_json_of_both_partitioners(product: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["shard", product, *SPLIT, "--partitioner=both", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["partitionings"]
    assert [each["partitioner"] for each in records] == ["shardy", "xla"]
    for each in records:
        assert each["check"]["is_right"]
        # A ring of two sends 8 x 4 floats once.
        assert each["per_device"]["sent_bytes"] == [128] * 4


def test_both_partitioners_if_one_cannot_split(product: str, capsys: pytest.CaptureFixture[str]) -> None:
    uneven = ["shard", product, "--mesh=a=3", "--in=0:P('a')", "--partitioner=both"]
    assert main.main([*uneven, "--json"]) == 1
    shardy, xla = json.loads(capsys.readouterr().out)["partitionings"]
    assert shardy["failed"] == "refused" and "which a (3 pieces) does not divide" in shardy["reason"]
    assert xla["check"]["is_right"]
    # What is wrong for both is said once.
    assert main.main(["shard", product, "--mesh=a=3", "--in=0:P('b')", "--partitioner=both"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("mesh has no axis 'b'") == 1


def test_names_that_are_missing_or_given_twice(product: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["shard", product, *SPLIT, "--in=0:P('b')"]) == 2
    assert "must be given once for each name, got 0 twice" in capsys.readouterr().err
    assert main.main(["shard", product, "--mesh=a=2", "--search= ,"]) == 2
    assert "--search=ARGS must name arguments, such as --search=0,1" in capsys.readouterr().err


def test_arguments_and_output(product: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "x.npy", np.ones((8, 16), np.float32))
    np.save(tmp_path / "w.npy", np.ones((16, 4), np.float32))
    output = tmp_path / "device.mlir"
    arguments = [str(tmp_path / "x.npy"), str(tmp_path / "w.npy"), *SPLIT, "-o", str(output)]
    assert main.main(["shard", product, *arguments]) == 0
    assert "result0: the same bit by bit" in capsys.readouterr().out
    assert "tensor<8x8xf32>" in str(hlokit.load(output).signature())
    assert main.main(["lint-spmd", str(output)]) == 0


def test_compare_and_search(product: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["shard", product, *SPLIT, "--compare=0:P('a'); 1:P(None, 'b')", "--no-run"]) == 0
    printed = capsys.readouterr().out
    assert "sharding A, shardy" in printed and "sharding B, shardy" in printed
    assert main.main(["shard", product, "--mesh=a=2", "--search=0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {str(each["shardings"]["0"]) for each in found["candidates"]} == {"P('a', None)", "P(None, 'a')"}


def test_failures(product: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["shard", product]) == 1
    assert "both must be given" in capsys.readouterr().err
    assert main.main(["shard", product, *SPLIT, "--latency=soon"]) == 2
    assert "--latency must be a number, got 'soon'" in capsys.readouterr().err
    assert main.main(["shard", product, "--mesh=a=2", "--in=0"]) == 2
    assert "--in must be like 0:" in capsys.readouterr().err


def test_lint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.mlir"
    path.write_text("""module attributes {mhlo.num_replicas = 1 : i32, mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.collective_permute"(%x) {
      source_target_pairs = dense<[[0, 5]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
""")
    assert main.main(["lint-spmd", str(path)]) == 1
    printed = capsys.readouterr().out
    assert "wrong.mlir:3:10: error" in printed and "[spmd-group-ids]" in printed
    assert main.main(["lint-spmd", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["rule"] == "spmd-group-ids"
