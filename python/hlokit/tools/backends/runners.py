"""The implementations by name, which run a module within a child process.

Each implementation compiles a function of a module, given by name, and returns a function from inputs to
results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, cast

import numpy as np

from hlokit.children.lifetimes import cause_of_death
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.foreign import without_foreign_attributes
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.types import to_mlir_type
from hlokit.mlir.xla import Client, Executable, as_main, plugin_client
from hlokit.programs.calls.arguments import as_values
from hlokit.programs.calls.runs import Precision, TierName
from hlokit.programs.loading import load
from hlokit.programs.program import Program
from hlokit.tools.backends.chlo import legalize_chlo
from hlokit.tools.backends.side import Unsupported, flat_values
from hlokit.tools.backends.torch_xla import compiled
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType

Run = Callable[[Sequence[Any]], list[Any]]
Compile = Callable[[str | bytes, str], Run]


def runner(name: str) -> Compile:
    """The implementation of a name: `xla`, `xla:REPLICAS`, `pjrt:LIBRARY`, `iree:TARGET`, `eval-module`,
    `torch-xla`, `high`, `reference`, `hlokit`.
    """
    kind, _, rest = name.partition(":")
    match kind:
        case "xla":
            return partial(_xla, None, replicas=int(rest or 1))
        case "pjrt":
            return partial(_xla, plugin_client(rest))
        case "iree":
            return partial(_iree, rest or "llvm-cpu")
        case "eval-module":
            return _eval_module
        case "torch-xla":
            return _torch_xla
        case "reference":
            return partial(_hlokit, "default", "reference")
        case _:
            return partial(_hlokit, "high" if kind == "high" else "default", "default")


def _loaded(module: str | bytes) -> Program:
    if isinstance(module, str):
        return load(module)
    # Bytecode comes from the parent, which has validated it.
    return Program(parse_bytecode(None, module, "-", is_trusted=True))


def _xla(client: Client | None, module: str | bytes, function: str, *, replicas: int = 1) -> Run:
    executable = Executable(_loaded(module).module, function, client, replicas)
    return lambda inputs: list(executable.run(executable.put(inputs)))


def _hlokit(precision: Precision, tier: TierName, module: str | bytes, function: str) -> Run:
    program = _loaded(module)
    signature = program.signature(function)

    def run(inputs: Sequence[Any]) -> list[Any]:
        values = as_values(inputs, signature.inputs, function)
        results = program.runs.evaluate(values, function, precision=precision, tier=tier)
        return list(map(np.asarray, flat_values(results, signature.outputs)))

    return run


_DRIVERS = {"llvm-cpu": "local-task", "vmvx": "local-task"}
# What `iree.compiler` says of a compiler that a signal ended.
_SIGNAL = re.compile(r"^Error code: -(\d+)$", re.MULTILINE)
# Without the first flag, IREE would compute f64 operations in f32.
_IREE_FLAGS = ("--iree-input-demote-f64-to-f32=false", "--iree-llvmcpu-target-cpu=host")


def _iree(target: str, module: str | bytes, function: str) -> Run:
    try:
        compiler, runtime = import_module("iree.compiler"), import_module("iree.runtime")
    except ImportError as error:
        raise Unsupported(f"iree is not installed: pip install 'hlokit[iree]' ({error})") from None
    text = str(without_foreign_attributes(_loaded(module).module.operation))
    flags = _IREE_FLAGS if target == "llvm-cpu" else _IREE_FLAGS[:1]
    try:
        binary = compiler.compile_str(
            text, target_backends=[target], input_type="stablehlo", extra_args=list(flags)
        )
    except compiler.CompilerToolError as error:
        if signal := _SIGNAL.search(str(error)):
            if "interpreter.run_parallel" in text:
                raise Unsupported("programs of several processes") from None
            raise RuntimeError(f"iree-compile {cause_of_death(int(signal[1]))}") from None
        raise Unsupported(_iree_reason(str(error))) from None
    config = runtime.Config(_DRIVERS[target])
    context = runtime.SystemContext(config=config)
    compiled = runtime.VmModule.copy_buffer(context.instance, binary)
    context.add_vm_module(compiled)
    call = context.modules[compiled.name][function]  # has the name of the MLIR module

    def run(inputs: Sequence[Any]) -> list[Any]:
        arrays = [np.ascontiguousarray(value).reshape(np.shape(value)) for value in inputs]
        try:
            arrays_on_device = [runtime.asdevicearray(config.device, array) for array in arrays]
        except (ValueError, KeyError) as error:
            raise Unsupported(f"IREE's runtime for Python: {error}") from None
        try:
            results = call(*arrays_on_device)
        except NotImplementedError as error:
            raise Unsupported(_iree_reason(str(error))) from None
        if not isinstance(results, tuple | list):
            results = [] if results is None else [results]
        try:
            return [np.array(result.to_host()) for result in cast("Sequence[Any]", results)]
        except (ValueError, KeyError) as error:
            raise Unsupported(f"IREE's runtime for Python: {error}") from None

    return run


def _iree_reason(text: str) -> str:
    errors = [line for line in text.splitlines() if "error:" in line]
    return errors[0].partition("error:")[2].strip() if errors else text.strip()


def _torch_xla(module: str | bytes, function: str) -> Run:
    return compiled(_loaded(module), function)


def _eval_module(module: str | bytes, function: str) -> Run:
    # The interpreter modifies the module that it runs, so each run gets a copy.
    program = _loaded(module)
    source = as_main(program.module.operation, function)
    signature = program.signature(function)

    def run(inputs: Sequence[Any]) -> list[Any]:
        with make_context(), ir.Location.unknown():
            parsed = ir.Module.parse(source)
            legalize_chlo(parsed)
            results = stablehlo.eval_module(parsed, [_attribute(np.asarray(value)) for value in inputs])
            if len(results) != len(signature.outputs):
                raise Unsupported(f"it returned {len(results)} results instead of {len(signature.outputs)}")
            return [_array(result) for result in results]

    return run


def _array(attribute: Any) -> Any:
    constant = ir.Operation.create("stablehlo.constant", [attribute.type], attributes={"value": attribute})
    return np.array(read_elements(constant, "value"))


def _attribute(array: Any) -> ir.Attribute:
    type_ = TensorType(array.shape, element_type_of(array.dtype))
    return elements_attribute(array, type_, to_mlir_type(type_))
