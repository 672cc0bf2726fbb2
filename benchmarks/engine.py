"""One engine on one case, in a process of its own: prints the measurement as JSON.

    python -m benchmarks.engine ENGINE CASE

Modules are imported, and the program and arguments are made, before the clock starts. `first` is the time
from the program's text or bytes to its first result, `steady` the fastest of the later runs.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.cases import CASES

Array = npt.NDArray[np.generic]
Run = Callable[[], Any]

# Later runs: until this much time has gone, but at least one and at most so many.
_STEADY_SECONDS = 1.0
_STEADY_RUNS = 50


def hlokit_engine(arguments: Sequence[Array]) -> Callable[[str | bytes], Run]:
    """Load, plan and run with hlokit."""
    import hlokit

    def start(program: str | bytes) -> Run:
        loaded = hlokit.load(program)
        return lambda: loaded(*arguments)

    return start


def reference_engine(arguments: Sequence[Array]) -> Callable[[str | bytes], Run]:
    """Parse and evaluate with the C++ reference interpreter (`stablehlo.eval_module`)."""
    from hlokit.mlir.bindings import ir, stablehlo
    from hlokit.mlir.context import make_context
    from hlokit.values.element_types import element_type_of
    from hlokit.values.types import TensorType

    context = make_context()

    def attribute(array: Array) -> Any:
        element_type = element_type_of(array.dtype)
        type_ = ir.Type.parse(str(TensorType(array.shape, element_type)))
        raw = array.view(element_type.bits_dtype) if element_type.is_narrow_float else array
        return ir.DenseElementsAttr.get(np.ascontiguousarray(raw), type=type_)

    with context, ir.Location.unknown():
        values = [attribute(array) for array in arguments]

    def start(program: str | bytes) -> Run:
        if isinstance(program, bytes):
            module = stablehlo.deserialize_portable_artifact(context, program)
        else:
            module = ir.Module.parse(program, context)

        def run() -> Any:
            with context:
                return stablehlo.eval_module(module, values)

        return run

    return start


def xla_engine(arguments: Sequence[Array]) -> Callable[[str | bytes], Run]:
    """Compile with XLA:CPU and run."""
    import jax
    from jaxlib import xla_client

    from hlokit.mlir.bindings import stablehlo
    from hlokit.mlir.context import make_context

    jax.config.update("jax_enable_x64", True)
    devices = jax.devices("cpu")[:1]
    buffers = [jax.device_put(array, devices[0]) for array in arguments]

    def start(program: str | bytes) -> Run:
        if isinstance(program, bytes):
            program = str(stablehlo.deserialize_portable_artifact(make_context(), program))
        executable = devices[0].client.compile_and_load(
            program, xla_client.DeviceList(tuple(devices)), xla_client.CompileOptions()
        )
        return lambda: [np.asarray(result) for result in executable.execute(buffers)]

    return start


ENGINES = {"hlokit": hlokit_engine, "eval_module": reference_engine, "xla": xla_engine}


def measure(engine: str, case_name: str) -> dict[str, float]:
    """Seconds to the first result and of a later run, and peak memory in bytes over what inputs took."""
    (case,) = (case for case in CASES if case.name == case_name)
    program, arguments = case.program(), case.arguments()
    start = ENGINES[engine](arguments)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    run = start(program)
    run()
    first = time.perf_counter() - begin
    steady = first
    deadline = time.perf_counter() + _STEADY_SECONDS
    for _ in range(_STEADY_RUNS if first < 10 * _STEADY_SECONDS else 0):
        begin = time.perf_counter()
        run()
        steady = min(steady, time.perf_counter() - begin)
        if time.perf_counter() > deadline:
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"first": first, "steady": steady, "peak": peak * 1024}


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
