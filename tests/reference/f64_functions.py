"""Errors of the functions of f64 against the correctly rounded ones:
`python -m tests.reference.f64_functions`.

Prints the table of docs/numerics.md: the number of results, of differing results, the largest error in ULP,
and the same for an operand that is a reversed view.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import hlokit
from hlokit.reference.numbers import element_functions, powers_and_angles, special_functions
from hlokit.values.bits import ulp_distance
from hlokit.values.element import Element
from hlokit.values.element_types import F64

STABLEHLO = {
    "exponential": (-30, 30),
    "exponential_minus_one": (-2, 2),
    "log": (0.01, 100),
    "log_plus_one": (-0.9, 5),
    "logistic": (-20, 20),
    "sqrt": (0, 100),
    "rsqrt": (0.01, 100),
    "cbrt": (-100, 100),
    "sine": (-100, 100),
    "cosine": (-100, 100),
    "tan": (-100, 100),
    "tanh": (-5, 5),
}
CHLO = {
    "acos": (-1, 1),
    "acosh": (1, 100),
    "asin": (-1, 1),
    "asinh": (-20, 20),
    "atan": (-20, 20),
    "atanh": (-1, 1),
    "cosh": (-10, 10),
    "sinh": (-10, 10),
    "erf": (-4, 4),
    "erfc": (-4, 10),
    "erf_inv": (-1, 1),
    "lgamma": (-5, 50),
    "digamma": (-5, 50),
    "bessel_i1e": (-30, 30),
}
COUNT = 1000
MODULES = (element_functions, powers_and_angles, special_functions)


def function_of(name: str) -> Callable[[Element], Element]:
    return next(vars(module)[name] for module in MODULES if name in vars(module))


def samples(low: float, high: float) -> np.ndarray:
    """Evenly, and towards 0."""
    random = np.random.default_rng(5)
    small = np.exp(random.uniform(-20, 0, COUNT // 5)) * np.sign(random.uniform(-1, 1, COUNT // 5))
    numbers = np.concatenate([random.uniform(low, high, COUNT), small])
    return numbers[(numbers >= low) & (numbers <= high)]


def row(operation: str, low: float, high: float) -> str:
    x = samples(low, high)
    type_ = f"tensor<{x.size}xf64>"
    types = type_ if operation.startswith("stablehlo") else f"{type_} -> {type_}"
    text = (
        f"func.func @main(%x: {type_}) -> {type_} {{ %y = {operation} %x : {types}\n return %y : {type_} }}"
    )
    program = hlokit.load(text)
    function = function_of(operation.partition(".")[2])
    exact = np.array([float(function(Element(F64, float(number)))) for number in x])
    plain = ulp_distance(np.asarray(program(x)), exact, F64)
    reversed_ = ulp_distance(np.array(program(x[::-1].copy()[::-1])), exact, F64)
    counts = [f"{int((d > 0).sum())} | {int(d.max())}" for d in (plain, reversed_)]
    return f"| `{operation}` | {x.size} | {counts[0]} | {counts[1]} |"


if __name__ == "__main__":
    for dialect, functions in (("stablehlo", STABLEHLO), ("chlo", CHLO)):
        for name, (low, high) in functions.items():
            print(row(f"{dialect}.{name}", low, high), flush=True)
