"""PyTorch/XLA as a side: the XLA of the package `torch_xla`, which has its own reader of StableHLO."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from hlokit.compat.serialize import LOWEST, serialize
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.xla import as_main
from hlokit.programs.program import Program
from hlokit.tools.backends.chlo import legalize_chlo
from hlokit.tools.backends.side import Unsupported
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType

# What its errors say where it does not support a program, or PyTorch a type.
_REFUSAL = re.compile(
    "[Uu]nsupported|not supported|[Uu]nimplemented|UNIMPLEMENTED|conversion failed|hlo verifier|"
    "No FFI handler|(unary|binary) complex op"
)


def compiled(program: Program, function: str) -> Callable[[Sequence[Any]], list[Any]]:
    """A function of a program for PyTorch/XLA's CPU, which compiles it in the first call.

    Raises:
      Unsupported: there is no torch_xla.
      VersionError: no portable artifact holds the program.
    """
    try:
        torch, xla = import_module("torch"), import_module("torch_xla")
    except ImportError as error:
        raise Unsupported(f"torch_xla is not installed ({error})") from None
    source = as_main(program.module.operation, function)
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(source)
        legalize_chlo(module)
        artifact = serialize(module, LOWEST)
    types = [type_ for type_ in program.signature(function).outputs if isinstance(type_, TensorType)]

    def run(inputs: Sequence[Any]) -> list[Any]:
        device = xla.device()
        try:
            tensors = [_tensor(torch, np.asarray(value)).to(device) for value in inputs]
            results = [_on_cpu(torch, result) for result in xla._XLAC._run_stablehlo(artifact, tensors)]
        except (RuntimeError, ValueError) as error:
            if _REFUSAL.search(str(error)):
                raise Unsupported(str(error)) from None
            raise
        return [
            _array(torch, result, type_.element_type.dtype)
            for result, type_ in zip(results, types, strict=True)
        ]

    return run


def _tensor(torch: Any, array: Any) -> Any:
    """An array as a tensor; types that NumPy lacks are known by their names."""
    dtype = getattr(torch, array.dtype.name, None)
    if dtype is None:
        raise Unsupported(f"PyTorch has no type {element_type_of(array.dtype)}")
    if not array.size:
        return torch.empty(array.shape, dtype=dtype)
    bytes_ = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return torch.from_numpy(bytes_.copy()).view(dtype).reshape(array.shape)


def _on_cpu(torch: Any, tensor: Any) -> Any:
    """A copy. Of complex128, torch_xla 2.9 loses the imaginary part, but for copies of the parts."""
    if not tensor.is_complex():
        return tensor.cpu()
    return torch.view_as_complex(torch.view_as_real(tensor).cpu())


def _array(torch: Any, tensor: Any, dtype: Any) -> Any:
    """A tensor as an array. PyTorch/XLA returns unsigned integers as signed ones of the same bits."""
    own = np.dtype(str(tensor.dtype).removeprefix("torch."))
    has_same_bits = own.kind in "iu" and np.dtype(dtype).kind in "iu" and own.itemsize == dtype.itemsize
    shape = tuple(tensor.shape)
    if not tensor.numel():
        return np.empty(shape, dtype if has_same_bits else own)
    flat = tensor.contiguous().reshape(-1).view(torch.uint8).numpy()
    return flat.view(dtype if has_same_bits else own).reshape(shape)
