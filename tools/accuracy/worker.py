"""The child process of `implementations.Others`.

Reads pickled (implementation, text, operands) from the standard input; answers with pickled results, or with
a line that says why there are none.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (neither JAX's client nor the bindings have types)

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.children.lifetimes import end_with_input
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.provider.bindings import ir, passmanager, stablehlo
from hlokit.mlir.provider.context import make_context
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType
from tools.accuracy.implementations import INTERPRETER, XLA

Array = Any


def xla(text: str, operands: Sequence[Array]) -> Array:
    import jax
    from jax._src.lib import xla_client  # pyright: ignore[reportPrivateImportUsage] # JAX has no public name for it

    jax.config.update("jax_enable_x64", True)
    device = jax.devices("cpu")[0]
    devices = xla_client.DeviceList((device,))
    executable = device.client.compile_and_load(text, devices, xla_client.CompileOptions())
    (result,) = executable.execute([jax.device_put(operand, device) for operand in operands])
    return np.asarray(result)


def interpreter(text: str, operands: Sequence[Array]) -> Array:
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        if "chlo." in text:
            passes = "builtin.module(func.func(chlo-legalize-to-stablehlo))"
            passmanager.PassManager.parse(passes).run(module.operation)
        (result,) = stablehlo.eval_module(module, [_attribute(operand) for operand in operands])
        constant = ir.Operation.create("stablehlo.constant", [result.type], attributes={"value": result})
        return np.array(read_elements(constant, "value"))


def _attribute(array: Array) -> Any:
    type_ = TensorType(array.shape, element_type_of(array.dtype))
    digits = np.ascontiguousarray(array).tobytes().hex()
    return ir.Attribute.parse(f'dense<"0x{digits}"> : {type_}')


def main() -> None:
    """Answer until the standard input ends."""
    end_with_input()
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of other implementations must not mix with the answers
    functions = {XLA: xla, INTERPRETER: interpreter}
    while True:
        try:
            implementation, text, operands = pickle.load(requests)
        except EOFError:
            return
        try:
            answer: Any = functions[implementation](text, operands)
        except Exception as error:  # an exception is an answer too
            answer = (str(error).splitlines() or [type(error).__name__])[0][:200]
        pickle.dump(answer, answers)
        answers.flush()
