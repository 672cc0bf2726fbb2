"""Damaged recordings and folders of torch_xla are read, or are clear errors. `HLOKIT_FOLDERS` sets their number."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from tests.fuzz.folders import damage

NUMBER = int(os.environ.get("HLOKIT_FOLDERS", "60"))
TORCH = Path(__file__).parents[1] / "unit" / "programs" / "importers" / "data" / "torch_xla"
PROGRAM = """func.func @main(%x: tensor<4x3xf32>, %n: tensor<i32>) -> (tensor<3x4xf32>, tensor<i32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.convert %0 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
  %2 = stablehlo.convert %1 : (tensor<3x4xbf16>) -> tensor<3x4xf32>
  %3:2 = stablehlo.while(%i = %n, %a = %2) : tensor<i32>, tensor<3x4xf32> cond {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %4 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    %5 = stablehlo.cosine %a : tensor<3x4xf32>
    stablehlo.return %4, %5 : tensor<i32>, tensor<3x4xf32>
  }
  return %3#1, %3#0 : tensor<3x4xf32>, tensor<i32>
}"""
ARGUMENTS = (np.arange(12, dtype=np.float32).reshape(4, 3), np.int32(0))


def use_recording(program: hlokit.Program, path: Path) -> None:
    """Everything that reads a recording."""
    run = hlokit.Recording(path)
    for value in run.values:
        if value.offset is not None:
            run.array(value)
    assert isinstance(run.arguments + run.results, list)
    run.replay()
    str(hlokit.diff(program, *ARGUMENTS, against=str(path)))
    str(hlokit.diff(str(path), against=program))


def use_torch(path: Path) -> None:
    program = hlokit.load(path)
    inputs: list[Any] = [
        np.ones(type_.shape, type_.element_type.dtype) for type_ in program.signature().inputs
    ]
    program(*inputs)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has neither pipes nor links in folders")
@pytest.mark.parametrize("kind", ["recording", "torch_xla"])
def test_damaged_folders_are_read_or_refused(tmp_path: Path, kind: str) -> None:
    program = hlokit.load(PROGRAM)
    good = TORCH
    if kind == "recording":
        hlokit.record(program, *ARGUMENTS, to=(good := tmp_path / "good"))
    rng = random.Random(7)
    refused = 0
    for _ in range(NUMBER):
        damage(good, tmp_path / "damaged", rng)
        try:
            if kind == "recording":
                use_recording(program, tmp_path / "damaged")
            else:
                use_torch(tmp_path / "damaged")
        except hlokit.InternalError:
            raise
        except hlokit.HlokitError as error:
            refused += 1
            assert str(error).strip()
    assert 0 < refused < NUMBER
