"""Compiles programs with XLA, without JAX: by jaxlib's client for XLA:CPU, or by a PJRT plugin."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError, EvaluationError, UnsupportedError
from hlokit.mlir.foreign import UNREGISTERED, without_foreign_attributes
from hlokit.mlir.provider.bindings import ir, register_lapack, xla_modules
from hlokit.mlir.queries.module import called_functions, functions, signature, walk
from hlokit.operations.lookup import having
from hlokit.values.types import TensorType, ValueType

Array = npt.NDArray[Any]


class Client(NamedTuple):
    """A client of XLA in this process, and its devices, each with the sharding of arrays on it."""

    modules: tuple[Any, Any, Any]
    client: Any
    devices: tuple[tuple[Any, Any], ...]


@cache
def _cpu_client() -> Client:
    modules = _modules()
    return _client(modules, modules[0].make_cpu_client())


def plugin_client(library: str) -> Client:
    """The client of a PJRT plugin, with its first device.

    Args:
      library: path of the shared library, which exports the PJRT C API.

    Raises:
      UnsupportedError: the library cannot be loaded.
    """
    modules = _modules()
    xla_client, jax, _ = modules
    name = "hlokit_plugin"
    try:
        xla_client.load_pjrt_plugin_dynamically(name, library)
        xla_client.initialize_pjrt_plugin(name)
        return _client(modules, xla_client.make_c_api_client(name))
    except (jax.JaxRuntimeError, RuntimeError, ValueError, OSError) as error:
        raise UnsupportedError(f"PJRT plugin '{library}': {_first_line(error)}") from None


def _modules() -> tuple[Any, Any, Any]:
    try:
        return xla_modules()
    except ImportError as error:
        raise UnsupportedError(f"backend xla needs jaxlib: {error}") from None


def _client(modules: tuple[Any, Any, Any], client: Any) -> Client:
    xla_client, _, hlo = modules

    class OneDevice(xla_client.SingleDeviceSharding):
        """The part of JAX's class of the same name that the client uses."""

        memory_kind = None

        def _to_xla_hlo_sharding(self, num_dimensions: int) -> Any:
            del num_dimensions
            return hlo.HloSharding.replicate()

    return Client(modules, client, tuple([(device, OneDevice(device)) for device in client.local_devices()]))


# A program on which XLA tries options.
_SMALL = b"func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"


def require_options(data: bytes) -> None:
    """Let XLA judge the options of a compilation by their names (`env_option_overrides`).

    Args:
      data: a serialized `CompileOptionsProto`.

    Raises:
      ArgumentError: XLA has no such option, or the option has no such value.
    """
    state = _cpu_client()
    xla_client, jax, _ = state.modules
    options = xla_client.CompileOptions()
    options.env_option_overrides = xla_client.CompileOptions.ParseFromString(data).env_option_overrides
    devices = xla_client.DeviceList((state.devices[0][0],))
    try:
        state.client.compile_and_load(_SMALL, devices, options)
    except jax.JaxRuntimeError as error:
        raise ArgumentError(f"compile options must be XLA's, got: {_first_line(error)}") from None


class _Aval:
    """Shape and dtype of an array, in the form that the client expects."""

    weak_type = False

    def __init__(self, array: Array) -> None:
        self.shape, self.dtype, self.ndim, self.size = array.shape, array.dtype, array.ndim, array.size


class Executable:
    """A compiled function of a module.

    Args:
      module: the module, which is not changed.
      function: the name of the function.
      client: the client that compiles and runs the function; XLA:CPU by default.
      replicas: the number of replicas, each on a device of its own.

    Raises:
      UnsupportedError: XLA cannot compile the function, or has too few devices; the message has the reason.
    """

    def __init__(
        self, module: ir.Module, function: str, client: Client | None = None, replicas: int = 1
    ) -> None:
        inputs, outputs = signature(functions(module)[function])
        _require_supported(module, inputs, outputs)
        if _calls_lapack(module):
            _register_lapack()
        state = self._state = client or _cpu_client()
        xla_client, jax, _ = state.modules
        self._devices = state.devices[:replicas]
        if len(self._devices) < replicas:
            raise UnsupportedError(f"{replicas} replicas need as many devices, got {len(state.devices)}")
        devices = xla_client.DeviceList(tuple([device for device, _ in self._devices]))
        options = xla_client.CompileOptions()
        if replicas > 1:
            options.num_replicas = replicas
            numbers = np.arange(replicas).reshape(replicas, 1)
            options.device_assignment = xla_client.DeviceAssignment.create(numbers)
        compile_ = state.client.compile_and_load
        try:
            try:
                self._executable = compile_(as_main(module.operation, function), devices, options)
            except jax.JaxRuntimeError as error:
                if UNREGISTERED not in str(error):
                    raise
                needed = without_foreign_attributes(module.operation)
                _erase_uncalled(needed, function)
                self._executable = compile_(as_main(needed, function), devices, options)
        except jax.JaxRuntimeError as error:
            raise UnsupportedError(f"XLA cannot compile @{function}: {_first_line(error)}") from None

    def put(self, arguments: Sequence[Any]) -> list[Any]:
        """Arguments as arrays of the client, those of the first replica first. `run` accepts them any number
        of times."""
        arrays = [np.asarray(argument) for argument in arguments]
        if len(self._devices) == 1:
            return [self._on_device(array, *self._devices[0]) for array in arrays]
        count = len(arrays) // len(self._devices)
        return [self._on_all_devices(arrays[number::count]) for number in range(count)]

    def _on_device(self, array: Array, device: Any, sharding: Any) -> Any:
        xla_client, jax, _ = self._state.modules
        # With zero-copy arrays, the client would read memory that the caller may change during the run.
        semantics = jax.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
        return xla_client.batched_device_put(
            _Aval(array), sharding, [array], [device], True, False, semantics, True
        )

    def _on_all_devices(self, arrays: Sequence[Array]) -> Any:
        """An array with another value on each device."""
        xla_client, _, hlo = self._state.modules
        parts = [self._on_device(array, *device) for array, device in zip(arrays, self._devices, strict=True)]
        devices = xla_client.DeviceList(tuple([device for device, _ in self._devices]))
        sharding = xla_client.GSPMDSharding(devices, hlo.HloSharding.replicate())
        return xla_client.ArrayImpl(_Aval(arrays[0]), sharding, parts, committed=True, _skip_checks=True)

    def run(self, arguments: Sequence[Any]) -> list[Array]:
        """The results for arguments from `put`, those of the first replica first: read-only arrays that the
        caller may keep.

        Raises:
          EvaluationError: the program failed.
        """
        jax = self._state.modules[1]
        try:
            returned = self._executable.execute_sharded(arguments)
            columns = returned.disassemble_into_single_device_arrays()
            return [
                column[number]._single_device_array_to_np_array_did_copy()[0]
                for number in range(len(self._devices))
                for column in columns
            ]
        except jax.JaxRuntimeError as error:
            raise EvaluationError(f"XLA: {_first_line(error)}") from None

    def cost(self) -> dict[str, float]:
        """XLA's cost analysis of a run: `flops`, `bytes accessed`, `transcendentals`."""
        return dict(self._executable.cost_analysis())


def _calls_lapack(module: ir.Module) -> bool:
    targets: set[str] = set()

    def visit(operation: ir.Operation) -> None:
        if operation.name == "stablehlo.custom_call":
            targets.add(ir.StringAttr(operation.attributes["call_target_name"]).value)

    walk(module.operation, visit)
    return any(target.startswith("lapack_") for target in targets)


@cache
def _register_lapack() -> None:
    try:
        register_lapack()
    except ImportError as error:
        raise UnsupportedError(f"custom calls of LAPACK need jaxlib and SciPy in XLA: {error}") from None


def _require_supported(module: ir.Module, inputs: Sequence[ValueType], outputs: Sequence[ValueType]) -> None:
    """Reject programs that XLA would reject with an internal message, or that would wait for ever."""
    for type_ in (*inputs, *outputs):
        if not isinstance(type_, TensorType):
            raise UnsupportedError(f"backend xla accepts and returns tensors only, got {type_}")
        if not type_.is_static:
            raise UnsupportedError(f"backend xla needs static shapes, got {type_}")

    names: set[str] = set()
    walk(module.operation, lambda operation: names.add(operation.name))
    # The compiled program has no processes to wait for.
    for name in sorted(names & having(lambda traits: traits.feed or traits.channel)):
        raise UnsupportedError(f"backend xla runs one process: it cannot evaluate {name}")


def _erase_uncalled(module: ir.Operation, function: str) -> None:
    """Remove the functions that a function does not call."""
    by_name = {
        ir.StringAttr(op.attributes["sym_name"]).value: op.operation
        for op in module.regions[0].blocks[0]
        if op.operation.name == "func.func"
    }
    called = called_functions(by_name[function])
    for name, operation in by_name.items():
        if name != function and name not in called:
            operation.erase()


def as_main(operation: ir.Operation, function: str) -> bytes:
    """A module as bytecode, with the function renamed to main, as XLA requires."""
    if function != "main":
        operation = operation.clone()
        names = {
            ir.StringAttr(op.attributes["sym_name"]).value: op
            for op in operation.regions[0].blocks[0]
            if "sym_name" in op.attributes  # a nested module may have no name
        }
        old = names.get("main")
        if old is not None:
            _rename(operation, old, "main", _unused("main_of_module", names))
        _rename(operation, names[function], function, "main")
        names[function].attributes["sym_visibility"] = ir.StringAttr.get("public", operation.context)
    buffer = io.BytesIO()
    operation.write_bytecode(buffer)
    return buffer.getvalue()


def _unused(name: str, names: dict[str, Any]) -> str:
    while name in names:
        name += "_"
    return name


def _rename(module: ir.Operation, function: Any, name: str, new: str) -> None:
    ir.SymbolTable.replace_all_symbol_uses(name, new, module)
    ir.SymbolTable.set_symbol_name(function, new)


def _first_line(error: Exception) -> str:
    """The first line of XLA's message, without the stack trace and dumps."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
