"""Child process of `oracles`: evaluates programs with XLA:CPU or the C++ reference interpreter.

Reads pickled (oracle, text, arguments) from stdin and answers with pickled results or an error message. Both
oracles can abort the process, which is why they live in one of their own.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np


def xla(text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    import jax
    from jaxlib import xla_client

    jax.config.update("jax_enable_x64", True)
    devices = jax.devices("cpu")[:1]
    client = devices[0].client
    executable = client.compile_and_load(
        text, xla_client.DeviceList(tuple(devices)), xla_client.CompileOptions()
    )
    results = executable.execute([jax.device_put(argument, devices[0]) for argument in arguments])
    return [np.asarray(result) for result in results]


# A context keeps the arguments of all its programs; making one takes longer than most programs.
_PROGRAMS_OF_A_CONTEXT = 50
_numbers = count()


@lru_cache(1)
def _context(number: int) -> Any:
    from hlokit.mlir.provider.context import make_context

    return make_context()


def reference(text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    from hlokit.mlir.conversion.constants import read_elements
    from hlokit.mlir.provider.bindings import ir, stablehlo
    from hlokit.values.element_types import element_type_of
    from hlokit.values.types import TensorType

    with _context(next(_numbers) // _PROGRAMS_OF_A_CONTEXT), ir.Location.unknown():
        module = ir.Module.parse(text)

        def attribute(array: np.ndarray) -> Any:
            type_ = TensorType(array.shape, element_type_of(array.dtype))
            if array.dtype == np.bool_ and array.size:
                return ir.Attribute.parse(f"dense<{str(array.tolist()).lower()}> : {type_}")
            digits = np.ascontiguousarray(array).tobytes().hex()
            return ir.Attribute.parse(f'dense<"0x{digits}"> : {type_}' if digits else f"dense<> : {type_}")

        def array(attribute: Any) -> np.ndarray:
            constant = ir.Operation.create(
                "stablehlo.constant", [attribute.type], attributes={"value": attribute}
            )
            return np.array(read_elements(constant, "value"))

        return [array(result) for result in stablehlo.eval_module(module, [attribute(a) for a in arguments])]


def main() -> None:
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever an oracle prints must not mix with the answers
    while True:
        try:
            oracle, text, arguments = pickle.load(requests)
        except EOFError:
            return
        try:
            answer: Any = {"xla": xla, "reference": reference}[oracle](text, arguments)
        except Exception as error:  # the caller decides what a failing oracle means
            answer = f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main()
