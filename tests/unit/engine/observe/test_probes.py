"""Probes: the stored values of every element type, also inside regions, and the index."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.run_context import RunContext
from hlokit.engine.observe.probes import INDEX, Probes
from hlokit.values.element_types import ELEMENT_TYPES, ElementType

QUANTIZED = "!quant.uniform<i8:f32, 0.5:1>"
TYPES = {**ELEMENT_TYPES, QUANTIZED: None}
del TYPES["index"]
# NumPy has no dtype for them: integers of the size hold their bits.
INTEGERS = {"f4E2M1FN": "u1", "f6E2M3FN": "u1", "f6E3M2FN": "u1", "bf16": "u2"}


def probe_in_region(type_: str) -> str:
    """The loop probes its value before each of two iterations."""
    return f"""
      func.func @main(%x: tensor<2x{type_}>) -> tensor<2x{type_}> {{
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %two = stablehlo.constant dense<2> : tensor<i32>
        %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2x{type_}> cond {{
          %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }} do {{
          %p = interpreter.probe %v, probe_id = "loop" : tensor<2x{type_}>
          %w = stablehlo.reverse %p, dims = [0] : tensor<2x{type_}>
          %j = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %j, %w : tensor<i32>, tensor<2x{type_}>
        }}
        return %r#1 : tensor<2x{type_}>
      }}"""


def stored_dtype(type_: ElementType | None) -> np.dtype:
    if type_ is None:
        return np.dtype(np.int8)
    if type_.dtype.isbuiltin == 1:
        return type_.dtype
    if type_.kind.is_integer:
        return np.dtype("u1" if type_.name.startswith("u") else "i1")
    return np.dtype(INTEGERS.get(type_.name, "u1"))


@pytest.mark.parametrize("name", TYPES)
def test_values_of_a_region_are_stored(name: str, tmp_path: Path) -> None:
    program = hlokit.load(probe_in_region(name))
    type_ = program.signature().inputs[0].element_type
    x = np.array([1, 0]).astype(type_.dtype)
    program.runs.evaluate([x], "main", context=RunContext(probes=Probes(str(tmp_path))))
    lines = (tmp_path / INDEX).read_text().splitlines()
    spelled = program.signature().inputs[0]
    assert lines == [f"loop,{spelled},{tmp_path}/probe{number}.npy" for number in (1, 2)]
    for number, want in ((1, x), (2, x[::-1])):
        stored = np.load(tmp_path / f"probe{number}.npy")
        assert stored.dtype == stored_dtype(TYPES[name])
        as_meant = stored.astype(type_.dtype) if type_.is_narrow_integer else stored.view(type_.dtype)
        assert as_meant.tobytes() == np.ascontiguousarray(want).tobytes()


def test_the_body_of_a_reduction_stores_each_value_on_the_right(tmp_path: Path) -> None:
    text = """
      func.func @main(%x: tensor<3xf32>, %i: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
          reducer(%a: tensor<f32>, %b: tensor<f32>) {
            %p = interpreter.probe %b, probe_id = "b" : tensor<f32>
            %r = stablehlo.add %a, %p : tensor<f32>
            stablehlo.return %r : tensor<f32>
          }
        return %0 : tensor<f32>
      }"""
    x = np.array([1, 2, 4], np.float32)
    hlokit.load(text).runs.evaluate(
        [x, np.float32(0)], "main", context=RunContext(probes=Probes(str(tmp_path)))
    )
    stored = [np.load(tmp_path / f"probe{number}.npy") for number in (1, 2, 3)]
    # 0 + ((1 + 2) + 4): rule 3 of docs/concepts/summation.md.
    assert [(value.shape, float(value)) for value in stored] == [((), 2), ((), 4), ((), 7)]


def test_processes_share_the_index(tmp_path: Path) -> None:
    program = hlokit.load("""
      func.func @main(%x: tensor<i4>) -> tensor<i4> {
        %0 = interpreter.probe %x, probe_id = "x" : tensor<i4>
        return %0 : tensor<i4>
      }""")
    dtype = ELEMENT_TYPES["i4"].dtype
    values = [[np.array(value, dtype)] for value in (-1, 3)]
    program.runs.evaluate_parallel(values, "main", (2, 1), context=RunContext(probes=Probes(str(tmp_path))))
    paths = [line.split(",")[2] for line in (tmp_path / INDEX).read_text().splitlines()]
    assert sorted(int(np.load(path)) for path in paths) == [-1, 3]
