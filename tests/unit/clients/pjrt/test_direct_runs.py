"""Short programs after their first calls, whose compiled functions the extension calls itself."""

from __future__ import annotations

from unit.clients.pjrt.platforms import output

# Name, function of a vector and a number, and the same in NumPy: their results are new arrays, views, scalars,
# arguments, constants, one array twice, or none.
PROGRAMS = """
import gc
from hlokit.clients.pjrt.executables import Executable
PROGRAMS = [
    ("new", lambda x, n: x + n, lambda x, n: x + n),
    ("scalar", lambda x, n: n * 2, lambda x, n: n * 2),
    ("view", lambda x, n: (x[1:3], x.reshape(2, 2).T), lambda x, n: (x[1:3], x.reshape(2, 2).T)),
    ("argument", lambda x, n: (x, n), lambda x, n: (x, n)),
    ("constant", lambda x, n: (jnp.arange(4), np.float32(7)), lambda x, n: (np.arange(4), 7)),
    ("twice", lambda x, n: [y := x * n, y], lambda x, n: (x * n, x * n)),
    ("none", lambda x, n: (), lambda x, n: ()),
    ("narrow", lambda x, n: x.astype(jnp.bfloat16).sum(), lambda x, n: x.sum()),
]
def leaves(values): return [np.asarray(value) for value in jax.tree.leaves(values)]
def test(name, function, expected):
    jitted = jax.jit(function, keep_unused=True)
    results = []
    for number in range(6):
        x, n = np.arange(4, dtype=np.float32) + number, np.float32(number)
        got = jitted(jnp.asarray(x), jnp.asarray(n))
        results += [(got, expected(x, n))]
    for got, wanted in results:  # no later call may change the results of an earlier one
        same = [bool(np.array_equal(a, b)) for a, b in zip(leaves(got), leaves(wanted), strict=True)]
        if not all(same): print(name, got, wanted)
"""


def test_results() -> None:
    script = """
for row in PROGRAMS: test(*row)
executables = [value for value in gc.get_objects() if isinstance(value, Executable)]
print(sum(one.direct is not None for one in executables) >= len(PROGRAMS))
"""
    assert output(PROGRAMS + script) == "True"


def test_arguments_of_other_types_and_later_options() -> None:
    script = """
f = jax.jit(lambda x: jnp.log(x) + 1)
for _ in range(5): f(jnp.ones(2))
import hlokit.jax
with hlokit.jax.options(stop_on_nan=True):
    try: f(-jnp.ones(2))
    except Exception as error: print("NaN" in str(error))
print(np.isnan(f(-jnp.ones(2))).all(), np.geterr()["invalid"])
try: jax.jit(lambda x, y: (x + 1, y + 2), donate_argnums=0)(*[jnp.ones(4)] * 2)
except Exception as error: print(error)
for _ in range(3): print(f(jnp.ones(())), f(jnp.ones(3)))
"""
    twice = "INVALID_ARGUMENT: an array that is donated must be one argument, got argument 0 also as another one\n"
    assert output(script) == "True\nTrue warn\n" + twice + "\n".join(["1.0 [1. 1. 1.]"] * 3)
