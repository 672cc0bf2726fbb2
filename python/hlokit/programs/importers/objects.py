"""Objects of other libraries that hold programs, and advice for objects that hlokit does not accept."""

from __future__ import annotations

import io
from typing import Any, cast


def bytecode_of_module(source: object) -> bytes | None:
    """The bytecode of an `ir.Module` or a module operation of any MLIR bindings; None for other objects."""
    module: Any = source
    operation: Any = getattr(module, "operation", None)
    if getattr(operation, "name", None) != "builtin.module" or not hasattr(operation, "write_bytecode"):
        return None
    buffer = io.BytesIO()
    operation.write_bytecode(buffer)
    return buffer.getvalue()


# Packages whose objects users pass as programs, and the conversion of these objects to programs.
_ADVICE = {
    "hlokit": "it is loaded: call it",
    "jax": "hlokit.from_jax(function, *example_arguments) makes one",
    "torch": "hlokit.from_torch(module, *example_arguments) exports it",
    "torch_xla": "save it with save(folder), then hlokit.load(folder)",
    "tensorflow": "convert it with jax2tf or get its StableHLO with experimental_get_compiler_ir",
    "keras": "export it with model.export(folder), from Keras's JAX backend, then hlokit.load(folder)",
    "flax": "hlokit.from_jax(function, *example_arguments), where the function applies the module",
    "equinox": "hlokit.from_jax(function, *example_arguments), where the function calls the module",
    "onnx": "convert it to StableHLO first, for instance with onnx-mlir or by way of PyTorch",
    "numpy": "an array is an argument, not a program",
}


def foreign_object(source: object) -> str:
    """The message for an object that is not a program."""
    kind: type[Any] = cast("type[Any]", type(source))
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    packages = [cls.__module__.partition(".")[0] for cls in kind.__mro__]
    advice = next((_ADVICE[package] for package in packages if package in _ADVICE), None)
    if callable(source) and (advice is None or "numpy" in packages):
        advice = "jit it first, or call hlokit.from_jax(function, *example_arguments)"
    takes = "a program must be a path, text, bytes, an ir.Module, or a jitted, lowered or exported function"
    if isinstance(source, io.IOBase):
        advice = "pass its path, or what it reads"
    return f"{takes}, got {name}{f' ({advice})' if advice else ''}"
