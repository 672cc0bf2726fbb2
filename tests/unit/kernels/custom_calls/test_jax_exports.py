"""The artifacts that JAX keeps to test its promises: programs exported years ago, for CPUs, GPUs and TPUs."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hlokit

artifacts = pytest.importorskip("jax._src.internal_test_util.export_back_compat_test_data")

# Parts of names: these results are unique up to signs or phases.
UP_TO_SIGNS = ("svd",)
# Eigenvectors of matrices with eigenvalues that agree: any orthogonal ones will do.
VALUES_ONLY = ("syev", "Eigh", "eig_lapack")
NEEDS_DEVICES = "must be partitioned before"
OTHERS = {
    "tpu_Sharding.data_2025_06_30.gspmd": NEEDS_DEVICES,
}
# A TPU counts an initial value that is not neutral several times a window, which the specification forbids.
NOT_COMPARED = ("tpu_stablehlo_dynamic_reduce_window.data_variadic_2023_06_17",)


def dated(name: str, data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(data, dict) and "mlir_module_serialized" in data:
        yield name, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from dated(f"{name}.{key}", value)
    elif isinstance(data, list | tuple):
        for key, value in enumerate(data):
            yield from dated(f"{name}.{key}", value)


def find() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for module in pkgutil.iter_modules(artifacts.__path__):
        if module.name != "pallas":  # kernels for accelerators
            members = vars(importlib.import_module(f"{artifacts.__name__}.{module.name}"))
            for name, value in members.items():
                if name.startswith("data"):
                    found.update(dated(f"{module.name}.{name}", value))
    return found


# Reading an artifact takes a process: one real and one complex type of each routine suffice.
ARTIFACTS = {name: data for name, data in find().items() if not name.endswith((".f64", ".c64"))}


def test_there_are_artifacts() -> None:
    assert len(ARTIFACTS) > 60
    assert set(OTHERS) <= set(ARTIFACTS)


def assert_schur(results: tuple[Any, ...], operand: Any, tolerance: float) -> None:
    form, vectors = results
    product = vectors @ form @ np.conj(np.swapaxes(vectors, -1, -2))
    np.testing.assert_allclose(product, operand, atol=tolerance)


@pytest.mark.parametrize("name", ARTIFACTS)
def test_artifact(name: str) -> None:
    data = ARTIFACTS[name]
    program = hlokit.load(data["mlir_module_serialized"])
    if name in OTHERS:
        with pytest.raises(hlokit.UnsupportedError, match=OTHERS[name]):
            program(*data["inputs"])
        return
    results = program(*data["inputs"])
    results = results if isinstance(results, tuple) else (results,)
    expected = [np.asarray(value) for value in data["expected_outputs"]]
    assert [(got.shape, got.dtype) for got in results] == [(want.shape, want.dtype) for want in expected]
    if name in NOT_COMPARED:
        return
    if "schur" in name:
        assert_schur(results, data["inputs"][0], 1e-4)
        return
    for got, want in zip(results, expected, strict=True):
        if any(part in name for part in VALUES_ONLY) and got.ndim > 1:
            continue
        if any(part in name for part in UP_TO_SIGNS):
            got, want = np.abs(got), np.abs(want)  # noqa: PLW2901 # compared as they are known
        scale = 1 + float(np.abs(want.astype(complex)).max(initial=0))
        np.testing.assert_allclose(
            got.astype(complex), want.astype(complex), rtol=1e-3, atol=2e-5 * scale, err_msg=name
        )
