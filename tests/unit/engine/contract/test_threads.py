"""The number of threads: HLOKIT_THREADS sets it, and no result depends on it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.threads import VARIABLE, thread_count

ADD = """func.func @main(%x: tensor<500x600xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<500x600xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<500x600xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}"""


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    thread_count.cache_clear()
    yield
    thread_count.cache_clear()


def test_the_default_is_all_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert thread_count() >= 1


@pytest.mark.parametrize("count", [1, 3])
def test_the_variable_sets_it(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(count))
    assert thread_count() == count


@pytest.mark.parametrize("value", ["0", "-1", "two", "", "1.5", "\u0663", "10000", "9" * 5000])
def test_other_values_are_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(hlokit.ArgumentError, match="HLOKIT_THREADS must be an integer from 1 to 9999, got"):
        hlokit.load(ADD)


def test_results_do_not_depend_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(500, 600)).astype(np.float32)
    results: list[bytes] = []
    for count in (1, 2, 5):
        monkeypatch.setenv(VARIABLE, str(count))
        thread_count.cache_clear()
        program = hlokit.load(ADD)
        results += [program(values).tobytes() for _ in range(3)]
    assert len(set(results)) == 1
