"""Runs beside the caller, interrupts, forks and the end of the process."""

from __future__ import annotations

import pytest

from unit.clients.pjrt.platforms import output, run

# A program that takes long enough for the thread of the plugin: from the third call on.
SLOW = """
import os, signal, threading, time
step = lambda count: jax.jit(lambda x: jax.lax.fori_loop(0, count, lambda i, a: jnp.sin(a @ a) * 0.1, x))
x = jnp.ones((200, 200))
def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
"""
# Seconds until an interrupt must have ended a run, on a machine that is busy.
SOON = 2.0


def test_a_long_run_does_not_hold_up_its_caller() -> None:
    script = """
f = step(300)
whole = min(timed(lambda: f(x).block_until_ready()) for _ in range(4))
results = []
dispatch = min(timed(lambda: results.append(f(x))) for _ in range(3))
print(dispatch < whole / 2, bool(jnp.all(results[0] == results[2])))
"""
    assert output(SLOW + script) == "True True"


def test_runs_keep_their_order() -> None:
    script = """
seen = []
f = jax.jit(lambda x: (jax.debug.callback(lambda v: seen.append(int(v)), x), time.sleep(0), x + 1)[2])
g = jax.jit(lambda x: jax.pure_callback(lambda v: (time.sleep(0.02), v)[1], jax.ShapeDtypeStruct((), jnp.int32), x))
y = jnp.int32(0)
for _ in range(6):
    y = f(g(y))
print(int(y)); jax.effects_barrier(); print(seen)
"""
    assert output(SLOW + script) == "6\n[0, 1, 2, 3, 4, 5]"


def test_an_error_beside_the_caller_reaches_all_who_wait() -> None:
    script = """
calls = []
def callback(v):
    time.sleep(0.02)
    calls.append(1)
    if len(calls) > 2: raise ValueError('the third call')
    return v
f = jax.jit(lambda x: jax.pure_callback(callback, jax.ShapeDtypeStruct((), np.float32), x))
f(1.0); f(1.0)
y = f(2.0)
z = y + 1
for value in (y, z):
    try: value.block_until_ready()
    except Exception as error: print('ValueError: the third call' in str(error))
"""
    ended = run(SLOW + script)
    assert (ended.returncode, ended.stdout) == (0, "True\nTrue\n")


@pytest.mark.parametrize("earlier", [0, 3], ids=["by_the_caller", "beside_the_caller"])
def test_control_c_ends_a_run(earlier: int) -> None:
    script = f"""
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
f = jax.jit(lambda x, n: jax.lax.fori_loop(0, n, lambda i, a: jnp.sin(a @ a) * 0.1, x))
for _ in range({earlier}): f(x, 300).block_until_ready()
sent = []
def press():
    while not ended:  # Python drops an interrupt that comes while it collects garbage
        time.sleep(0.5)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
ended = []
presses = threading.Thread(target=press, daemon=True)
try:
    presses.start()
    f(x, 10_000_000).block_until_ready()
except KeyboardInterrupt:
    ended.append(1)
    print(time.perf_counter() - sent[-1])
signal.signal(signal.SIGINT, signal.SIG_IGN)
print(timed(lambda: print((jnp.ones(3) + 1).sum())))
"""
    interrupted = run(SLOW + script)
    assert interrupted.returncode == 0
    until_end, total, after = interrupted.stdout.split()
    assert float(until_end) < SOON and total == "6.0" and float(after) < SOON


def test_a_fork_calls_programs() -> None:
    """Those that are compiled already: JAX compiles on threads, which a fork does not take along."""
    script = """
import warnings; warnings.simplefilter('ignore')
f, g = step(200), jax.jit(lambda x: x + 1)
for _ in range(3): f(x).block_until_ready()
g(x)
y = f(x)  # runs on a thread that the fork lacks
child = os.fork()
if child == 0:
    total, slow = np.asarray(g(x)).sum(), np.asarray(f(x))
    os._exit(0 if total == 80000 and slow.shape == (200, 200) else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), float(f(x).shape[0]))
"""
    assert output(SLOW + script) == "0 200.0"


def test_the_process_ends_while_a_run_is_under_way() -> None:
    assert output(SLOW + "f = step(100)\nfor _ in range(3): y = f(x)\nprint('end')") == "end"
