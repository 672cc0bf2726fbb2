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
        ("hlokit.engine.plan.block", "_PLANNING"),
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


# A thread runs a program for the first times, with branches that have not run, a loop and an error, while the main
# thread forks. The program has been planned: no import of the thread is half done in the forks, which call the
# program, load it again, and print an error.
_FORKS_BESIDE_A_THREAD = """
import os, signal, sys, threading
import hlokit

TEXT = {text!r}
program = hlokit.load(TEXT)
program(0, [1.0] * 8)
done = threading.Event()

def right(program):
    return [program(index, [1.0] * 8).tolist()[0] for index in (0, 1, 2, 0)] == [2.0, 8.0, 1.0, 2.0]

def error():
    try:
        program(3, [1.0])
    except hlokit.ArgumentError as error:
        return str(error)

def run():
    while not done.is_set():
        assert right(program) and error()

thread = threading.Thread(target=run)
thread.start()
survivors = 0
for _ in range(20):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(not (right(program) and right(hlokit.load(TEXT)) and error()))
    survivors += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
done.set()
thread.join()
print(survivors)
"""
_BRANCHES = """func.func @main(%i: tensor<i32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.add %x, %x : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }, {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    stablehlo.return %2 : tensor<8xf32>
  }, {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %c90 = stablehlo.constant dense<90> : tensor<i32>
    %1:2 = stablehlo.while(%n = %c0, %y = %x) : tensor<i32>, tensor<8xf32> cond {
      %less = stablehlo.compare LT, %n, %c90 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %m = stablehlo.add %n, %c1 : tensor<i32>
      %z = stablehlo.reverse %y, dims = [0] : tensor<8xf32>
      stablehlo.return %m, %z : tensor<i32>, tensor<8xf32>
    }
    stablehlo.return %1#1 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes of this system do not fork")
def test_forks_beside_a_thread_that_runs_a_program() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore::DeprecationWarning",
            "-c",
            _FORKS_BESIDE_A_THREAD.format(text=_BRANCHES),
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("20\n", "", 0)
