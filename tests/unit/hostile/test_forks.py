"""A fork of a process whose other threads are in the middle of something."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# Another thread holds the lock for as long as the fork lives, which has to plan, load and start a server of its own.
_FORK = """
import importlib, os, signal, sys, threading
import hlokit

TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ %0 = stablehlo.add %x, %x : tensor<2xf32> return %0 : tensor<2xf32> }}"
hlokit.load(TEXT)([1.0, 2.0])
lock = getattr(importlib.import_module("{module}"), "{name}")
held, done = threading.Event(), threading.Event()

def hold():
    with lock:
        held.set()
        done.wait()

thread = threading.Thread(target=hold)
thread.start()
held.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    hlokit.verify(TEXT)
    os._exit(0 if hlokit.load(TEXT)([1.0, 2.0]).tolist() == [2.0, 4.0] else 1)
_, status = os.waitpid(child, 0)
done.set()
thread.join()
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes of this system do not fork")
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("hlokit.plan.block", "_PLANNING"),
        ("hlokit.mlir.context", "_RECYCLING"),
        ("hlokit.mlir.sandbox.server", "_starting"),
    ],
)
def test_forks_do_not_wait_for_threads_that_they_lack(module: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FORK.format(module=module, name=name)],
        check=False,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
