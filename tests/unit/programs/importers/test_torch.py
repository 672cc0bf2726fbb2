"""Modules and tensors of PyTorch."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.mlir.bound_weights import Input
from hlokit.mlir.queries.module import functions
from hlokit.programs.importers import torch_xla

X = np.array([1, 2], np.float32)


def test_from_torch() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not among the extras for tests: it is too large")
    pytest.importorskip("torch_xla", reason="neither is torch_xla")
    module = torch.nn.Linear(3, 2)
    x = torch.ones(4, 3)
    expected = module(x).detach().numpy()
    np.testing.assert_allclose(hlokit.from_torch(module, x)(x.numpy()), expected, rtol=1e-6)
    np.testing.assert_allclose(hlokit.from_torch(module, input=x)(x.requires_grad_()), expected, rtol=1e-6)
    narrow = module.to(torch.bfloat16)
    x = x.detach().to(torch.bfloat16)
    result = hlokit.from_torch(narrow, x)(x).astype(np.float32)
    np.testing.assert_allclose(result, narrow(x).detach().float(), rtol=1e-2)


def test_what_torch_xla_exports_wrongly() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not among the extras for tests: it is too large")
    pytest.importorskip("torch_xla", reason="neither is torch_xla")

    class Module(torch.nn.Module):
        def forward(self, x: Any, n: Any) -> Any:
            return (
                x.sum(),
                torch.nn.functional.mse_loss(x, 2 * x, reduction="sum"),
                n >> 1,
                n.to(torch.int32) >> 31,
            )

    x, n = torch.ones(2, 3), torch.arange(-4, 4)
    results = hlokit.from_torch(Module(), x, n)(x, n)
    assert [result.tolist() for result in results] == [6, 6, [-2, -2, -1, -1, 0, 0, 1, 1], 4 * [-1] + 4 * [0]]


@pytest.mark.parametrize(
    ("shape", "is_right"), [((2, 3), True), ((2, None), True), (None, True), ((), False)]
)
def test_shapes_of_results_are_those_of_the_module(shape: Any, is_right: bool) -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> { return %x : tensor<2x3xf32> }"
    )
    function = functions(program.module)["main"]
    described = torch_xla.Description(b"", (Input(0),), (), (shape,))
    if is_right:
        described.bind(function, "folder")
        assert "tensor<2x3xf32>" in str(function)
    else:
        with pytest.raises(
            hlokit.ParseError, match=r"exports result 0 as tensor<2x3xf32>, but .* shape \(\)"
        ):
            described.bind(function, "folder")


class FakeTensor:
    """A tensor of PyTorch, as far as arguments of programs use one."""

    def __init__(self, array: Any, dtype: str) -> None:
        self.array, self.dtype = array, f"torch.{dtype}"

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        if self.dtype == "torch.gradient":
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return self.array

    def detach(self) -> FakeTensor:
        return FakeTensor(self.array, self.dtype.replace("torch.gradient", "float32").removeprefix("torch."))

    def cpu(self) -> FakeTensor:
        return self

    contiguous = cpu

    def element_size(self) -> int:
        return self.array.itemsize

    def view(self, dtype: Any) -> FakeTensor:
        return FakeTensor(self.array.view(dtype), np.dtype(dtype).name)


@pytest.mark.parametrize(
    ("dtype", "array"),
    [("f32", np.array([1, 2], np.float32)), ("bf16", np.array([1, 2], ml_dtypes.bfloat16))],
)
def test_tensors_that_numpy_refuses(dtype: str, array: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    program = hlokit.load(
        f"func.func @main(%x: tensor<2x{dtype}>) -> tensor<2x{dtype}> {{ return %x : tensor<2x{dtype}> }}"
    )
    tensor = FakeTensor(array, {"f32": "gradient", "bf16": "bfloat16"}[dtype])
    with pytest.raises(hlokit.ArgumentError, match="got FakeTensor: "):
        program(tensor)
    torch = SimpleNamespace(Tensor=FakeTensor, uint8=np.uint8, int16=np.int16)
    monkeypatch.setitem(sys.modules, "torch", torch)  # pyright: ignore[reportArgumentType]
    assert program(tensor).tolist() == [1, 2]


def test_from_torch_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(hlokit.ArgumentError, match="from_torch needs torch and torch_xla"):
        hlokit.from_torch(None, X)


def test_from_torch_takes_modules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    torch: Any = ModuleType("torch")
    torch.nn = SimpleNamespace(Module=type("Module", (), {}))
    torch.export = SimpleNamespace(ExportedProgram=type("ExportedProgram", (), {}))
    exporter: Any = ModuleType("torch_xla.stablehlo")
    exporter.exported_program_to_stablehlo = exporter.StableHLOExportOptions = None
    for name, module in {
        "torch": torch,
        "torch_xla": ModuleType("torch_xla"),
        exporter.__name__: exporter,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    with pytest.raises(hlokit.ArgumentError, match=r"takes a torch.nn.Module .* got function"):
        hlokit.from_torch(lambda x: x, X)
