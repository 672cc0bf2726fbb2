"""Other implementations of StableHLO, with which tests compare.

- `xla`: XLA:CPU through jaxlib;
- `reference`: the C++ reference interpreter in the bindings (`stablehlo.eval_module`).

Each runs in a child process that is kept for the next call and started anew when it dies.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

_TIME_LIMIT = 120.0


class OracleError(Exception):
    """The oracle rejected the program, crashed, or took too long: the failure says nothing about the
    result."""


class _Worker:
    def __init__(self, oracle: str) -> None:
        self._oracle = oracle
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, text: str, *arguments: np.ndarray) -> list[np.ndarray]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((self._oracle, text, arguments), process.stdin)
            process.stdin.flush()
            if not select.select([process.stdout], [], [], _TIME_LIMIT)[0]:
                raise TimeoutError
            answer: Any = pickle.load(process.stdout)
        except (BrokenPipeError, EOFError, TimeoutError, pickle.UnpicklingError) as error:
            self.stop()
            raise OracleError(f"{self._oracle} died on\n{text}") from error
        if isinstance(answer, str):
            raise OracleError(answer)
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "JAX_PLATFORMS": "cpu",
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("oracle_worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        atexit.register(self.stop)
        return self._process

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


xla = _Worker("xla")
reference = _Worker("reference")
