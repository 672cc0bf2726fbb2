"""Python functions that programs of JAX call: `pure_callback`, `io_callback`, `jax.debug.print`.

JAX's lowering rules number the functions of a program, and JAX hands the list to XLA's own clients only. For
programs of this plugin, the rules number the functions of the process instead: JAX keeps a function alive
with the executable, and the plugin finds it by its number.
"""

# pyright: reportMissingTypeStubs=false, reportPrivateUsage=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# (jax is partly untyped, and has no public way to wrap a rule)

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from hlokit.kernels.custom_calls.dispatch import is_python_callback
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.programs.calls.arguments import Names

_FUNCTIONS: WeakValueDictionary[int, Callable[..., Any]] = WeakValueDictionary()
_numbers = itertools.count()
_CONFIG = "mhlo.backend_config"


class _Numbered:
    """Stands for JAX's list of a program's functions: its length is the number of the last one, plus 1."""

    def __init__(self, keepalives: list[Any]) -> None:
        self._keepalives = keepalives
        self._last = -1

    def append(self, function: Callable[..., Any]) -> None:
        self._last = next(_numbers)
        _FUNCTIONS[self._last] = function
        self._keepalives.append(function)

    def __len__(self) -> int:
        return self._last + 1


def register_lowerings() -> None:
    """Make JAX's function that emits calls of Python number the functions of the process, in programs of this
    plugin."""
    from jax._src import callback
    from jax.interpreters import mlir

    emit = callback.emit_python_callback

    def numbering(ctx: Any, *arguments: Any, **parameters: Any) -> Any:
        context = ctx.module_context
        if "hlokit" in context.get_backend().platform_version:
            functions = _Numbered(context.keepalives)
            ctx = ctx.replace(module_context=context.replace(host_callbacks=functions))
        return emit(ctx, *arguments, **parameters)

    # Rules of lowering look the function up in either module.
    callback.emit_python_callback = mlir.emit_python_callback = numbering


class RegisteredCallbacks:
    """The calling convention of a program with callbacks: flat arguments, and functions of the process."""

    def __init__(self, callbacks: tuple[Callable[..., Any], ...]) -> None:
        self.callbacks = callbacks

    def flatten(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any] | None = None, names: Names = tuple
    ) -> tuple[Any, ...]:
        del keywords, names
        return tuple(arguments)

    def pack(self, flat: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(flat)

    def as_called(self, flat: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return tuple(flat), {}

    def unflatten(self, results: Sequence[Any]) -> Any:
        return results

    def without_callbacks(self) -> RegisteredCallbacks:
        return RegisteredCallbacks(())


def registered_callbacks(module: ir.Module) -> RegisteredCallbacks | None:
    """The functions that a program calls, whose custom calls get numbers from 0; None if it calls none."""
    callbacks: list[Callable[..., Any]] = []

    def number(operation: ir.Operation) -> None:
        if operation.name != "stablehlo.custom_call" or _CONFIG not in operation.attributes:
            return
        if not is_python_callback(operation.attributes["call_target_name"].value):
            return
        config = operation.attributes[_CONFIG]
        function = _FUNCTIONS.get(config["index"].value)
        if function is None:
            return  # of another process; a run that reaches the call raises
        index = ir.IntegerAttr.get(config["index"].type, len(callbacks))
        with module.context:
            operation.attributes[_CONFIG] = ir.DictAttr.get({"index": index})
        callbacks.append(function)

    walk(module.operation, number)
    return RegisteredCallbacks(tuple(callbacks)) if callbacks else None
