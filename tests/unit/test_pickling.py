"""Programs that go to other processes, and copies of programs."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hlokit

LOGARITHM = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.log %x : tensor<2xf32>
  check.expect_eq_const %0, dense<[0.0, 0.693147182]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
X = np.array([1, 2], np.float32)


def pickled(program: hlokit.Program) -> hlokit.Program:
    return pickle.loads(pickle.dumps(program))


@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
def test_copies_are_independent_programs(copied: Callable[[hlokit.Program], hlokit.Program]) -> None:
    program = hlokit.load(LOGARITHM, filename="logarithm.mlir")
    want = program(X)
    twin = copied(program)
    assert str(twin) == str(program)
    assert twin.text(debug_info=True) == program.text(debug_info=True)
    assert (twin.parameter_names(), twin.is_text) == (("x",), True)
    np.testing.assert_array_equal(twin(x=X), want)
    del twin  # which forgets its plans
    np.testing.assert_array_equal(program(X), want)


def test_messages_of_a_copy_name_the_file() -> None:
    program = pickled(hlokit.load(LOGARITHM, filename="logarithm.mlir"))
    records: list[hlokit.Record] = []
    program(X, observer=hlokit.Trace(records.append))
    assert records[0].source.startswith("logarithm.mlir:3:")


def test_a_copy_of_a_program_from_jax_takes_pytrees() -> None:
    pytest.importorskip("jax")

    def function(parameters: dict[str, Any], unused: Any) -> dict[str, Any]:
        return {"sum": parameters["a"] + parameters["b"]}

    arguments = ({"a": X, "b": 2 * X}, X)
    program = pickled(hlokit.from_jax(function, *arguments))
    np.testing.assert_array_equal(program(*arguments)["sum"], 3 * X)


def test_a_copy_has_the_backend() -> None:
    pytest.importorskip("jaxlib")
    program = pickled(hlokit.load(LOGARITHM, backend="xla"))
    with pytest.raises(hlokit.UnsupportedError, match="backend xla"):
        program(X, precision="high")


def test_workers_get_programs() -> None:
    program = hlokit.load(LOGARITHM)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (result,) = pool.map(program, [X])
    np.testing.assert_array_equal(result, program(X))
