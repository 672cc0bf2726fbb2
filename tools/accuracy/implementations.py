"""hlokit, XLA:CPU and the C++ interpreter of the bindings, behind one interface.

XLA:CPU and the C++ interpreter can abort the process, so both run in a child process, which hlokit restarts
when the child has died.
"""

from __future__ import annotations

import os
import pickle
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from hlokit.children.lifetimes import has_output, python_command
from hlokit.programs.loading import load
from hlokit.programs.program import Program
from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.types import TensorType

Array = Any

XLA, INTERPRETER = "XLA:CPU", "eval_module"
_TIME_LIMIT = 60.0


def program_text(name: str, operands: Sequence[TensorType], result: TensorType, attributes: str = "") -> str:
    """A program of one operation."""
    parameters = ", ".join(f"%arg{index}: {type_}" for index, type_ in enumerate(operands))
    names = ", ".join(f"%arg{index}" for index in range(len(operands)))
    types = ", ".join(map(str, operands))
    return (
        f"func.func @main({parameters}) -> {result} {{\n"
        f'  %0 = "{name}"({names}) {{{attributes}}} : ({types}) -> {result}\n'
        f"  return %0 : {result}\n}}"
    )


def elementwise_text(name: str, operands: Sequence[Array], element_type: ElementType) -> str:
    """A program of one element-wise operation."""
    types = [TensorType(operand.shape, element_type_of(operand.dtype)) for operand in operands]
    is_part = name == "stablehlo.abs" and element_type.kind is Kind.COMPLEX
    result = TensorType(operands[0].shape, element_type.part if is_part else element_type)
    return program_text(name, types, result)


@lru_cache(2)  # programs that live share no context
def _program(text: str) -> Program:
    return load(text)


def hlokit(text: str, operands: Sequence[Array]) -> Array:
    """hlokit's results."""
    with np.errstate(all="ignore"):
        return np.asarray(_program(text)(*operands))


class Others:
    """Implementations in a child process. `close` ends it."""

    def __init__(self, time_limit: float = _TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, implementation: str, text: str, operands: Sequence[Array]) -> Array | str:
        """An implementation's results, or the reason why there are none."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((implementation, text, tuple(operands)), process.stdin)
            process.stdin.flush()
            if not has_output(process.stdout, self._time_limit):
                self.close()
                return "took too long"
            return pickle.load(process.stdout)
        except (BrokenPipeError, EOFError, pickle.UnpicklingError):
            self.close()
            return "ended the process"

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "JAX_PLATFORMS": "cpu",
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        self._process = subprocess.Popen(
            python_command("from tools.accuracy.worker import main; main()"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        return self._process

    def close(self) -> None:
        """End the child."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
