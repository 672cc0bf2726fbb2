"""Loads, runs and errors in a process with LeakSanitizer, which `leaks.py` starts.

    python -m tests.fuzz.leaks_worker ROUNDS SEED [planted]

`planted` loses a string that the extension made. At the end the leak check prints its report on standard error.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

import numpy as np

import hlokit
from hlokit import _bytecode
from tests.fuzz import text
from tests.generate import PROFILES, generate


def use(seed: int, profile: str) -> None:
    """Load a random program from text and from an artifact, and run it; then use both wrongly."""
    program = generate(seed, profile)
    loaded = hlokit.load(program.text)
    artifact = loaded.serialize()
    for each in (loaded, hlokit.load(artifact)):
        for _ in range(3):
            with suppress(hlokit.HlokitError):
                each(*program.arguments)
    with suppress(hlokit.HlokitError):
        loaded(*program.arguments, np.zeros(3))
    _read(artifact)
    _misuse(artifact, Random(seed))


def _read(artifact: bytes) -> None:
    """Use every property of the reader of bytecode."""
    bytecode = _bytecode.Bytecode(artifact)
    bytecode.validate(1 << 30)
    operations = bytecode.operations()
    tables = (bytecode.sections, bytecode.strings, bytecode.dialects, bytecode.op_names, bytecode.resources)
    for entry in (*itertools.chain(*tables), *bytecode.attributes, *bytecode.types, *operations.body):
        repr(entry)


def _misuse(artifact: bytes, chance: Random) -> None:
    """Malformed bytecode and text, in the readers themselves and through `hlokit.load`."""
    for _ in range(4):
        data = bytearray(artifact)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        del data[chance.randrange(len(data) // 2, len(data)) :]
        with suppress(_bytecode.BytecodeError):
            _read(bytes(data))
        with suppress(hlokit.HlokitError):
            hlokit.load(bytes(data))
    with suppress(hlokit.HlokitError):
        hlokit.load(text.mutant(chance.randrange(1 << 30)))


def _lose(artifact: bytes) -> None:
    """Leak several strings, since registers and stacks may still hold the last string."""
    for _ in range(8):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(_bytecode.Bytecode(artifact).producer))


def _use_all(rounds: str, seed: str) -> None:
    for number, profile in itertools.islice(enumerate(itertools.cycle(PROFILES), int(seed)), int(rounds)):
        use(number, profile)


def main(rounds: str, seed: str, *, is_planted: bool) -> None:
    """Use the extensions, then check for leaks while everything that is in use is still reachable."""
    os.environ.pop("LD_PRELOAD", None)  # child processes have nothing to check
    # In a thread: LeakSanitizer does not search the memory for Python's frames, whose locals would be leaks.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_use_all, rounds, seed).result()
    if is_planted:
        _lose(hlokit.load(generate(0, "passes").text).serialize())
    gc.collect()
    ctypes.CDLL(None).__lsan_do_recoverable_leak_check()
    print("checked")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], is_planted="planted" in sys.argv)
