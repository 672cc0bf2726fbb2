"""A fork of a process whose other threads are running."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# Another thread holds the lock for as long as the fork lives, which has to plan, load and start a server of its own.
_FORK = """
import importlib, operator, os, signal, sys, threading
import hlokit

TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ %0 = stablehlo.add %x, %x : tensor<2xf32> return %0 : tensor<2xf32> }}"
hlokit.load(TEXT)([1.0, 2.0])
lock = operator.attrgetter("{name}")(importlib.import_module("{module}"))
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
        ("hlokit.mlir.provider.context", "CONTEXTS._lock"),
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


# Another thread is inside an import that hlokit makes on first use, and continues after the fork.
_FORK_DURING_IMPORT = """
import os, signal, sys, threading, time
import hlokit

TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ %0 = stablehlo.add %x, %x : tensor<2xf32> return %0 : tensor<2xf32> }}"
importing = threading.Event()

class Slow:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "{module}" and not importing.is_set():
            importing.set()
            time.sleep(2)

def use():
    return hlokit.load(TEXT)([1.0, 2.0]).tolist() == [2.0, 4.0]

sys.meta_path.insert(0, Slow)
thread = threading.Thread(target=use)
thread.start()
assert importing.wait(60)
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(not use())
_, status = os.waitpid(child, 0)
thread.join()
sys.exit(os.waitstatus_to_exitcode(status) != 0 or not use())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes of this system do not fork")
@pytest.mark.parametrize(
    "module",
    ["hlokit.loading", "hlokit.plan.block", "hlokit.ops.elementwise.arithmetic", "numpy", "jaxlib.mlir"],
)
@pytest.mark.sample("numpy")
def test_forks_wait_for_the_imports_of_other_threads(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", _FORK_DURING_IMPORT.format(module=module)],
        check=False,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert not done.stderr
