"""Tensors of PyTorch as arrays of NumPy, also where PyTorch itself makes none of them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

# Integers of PyTorch that hold the bits of an element, by its bytes.
_INTEGERS = {1: "uint8", 2: "int16"}


def array_of_tensor(value: Any) -> npt.NDArray[Any] | None:
    """The elements of a tensor of PyTorch, also of one that requires gradients or has a type that only
    `ml_dtypes` has in NumPy (bf16, f8); None if `value` is no such tensor."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return None
    tensor: Any = value
    tensor = tensor.detach().cpu().contiguous()
    name = str(tensor.dtype).removeprefix("torch.")
    if name != "bfloat16" and not name.startswith("float8"):
        return np.asarray(tensor)
    return np.asarray(tensor.view(getattr(torch, _INTEGERS[tensor.element_size()]))).view(np.dtype(name))
