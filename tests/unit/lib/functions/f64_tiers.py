"""Evaluates every function of f64 in all tiers and layouts of programs, which must give the same bytes.

python -m tests.unit.lib.functions.f64_tiers

Prints a hash for each function, so that tests can compare processes with other processor levels or switches.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

import hlokit

UNARY = {
    "stablehlo": (
        "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh"
    ),
    "chlo": ("acos acosh asin asinh atan atanh bessel_i1e cosh digamma erf erf_inv erfc lgamma sinh tan"),
}
BINARY = {"stablehlo": "atan2 power", "chlo": "next_after polygamma zeta"}
NAMES = {
    f"{dialect}.{name}": count
    for count, table in ((1, UNARY), (2, BINARY))
    for dialect, names in table.items()
    for name in names.split()
}
# Functions in longdouble by NumPy's passes: fewer elements, which take as long.
SLOW = ("bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma", "polygamma", "zeta")
SIZES = (0, 1, 7, 1000, 100_000)
TURNS = 60  # iterations of the loop
Array = Any


def special_values() -> Array:
    tiny, most = np.finfo(np.float64).smallest_subnormal, np.finfo(np.float64).max
    values = [
        0,
        tiny,
        3 * tiny,
        1e-310,
        2.2250738585072014e-308,
        2.0**-600,
        2.0**-54,
        2.0**-53,
        2.0**-27,
        1e-8,
    ]
    values += [
        0.1,
        0.25,
        0.5,
        0.75,
        1,
        1 + 2.0**-52,
        1 - 2.0**-53,
        1.5,
        2,
        2.5,
        3,
        7,
        19.07,
        36.8,
        300,
        708.5,
    ]
    values += [709.79, 745.14, 746.5, 1e6, 2.0**30, 1e22, 1e300, most, np.inf, np.pi, np.pi / 2]
    return np.array([*values, *[-value for value in values], np.nan])


def operands_of(name: str, count: int, size: int) -> list[Array]:
    """Special values, then ordinary numbers and numbers of random bits."""
    rng = np.random.default_rng([*map(ord, name), size])
    result: list[Array] = []
    for number in range(count):
        special = special_values()
        if count == 2:
            special = np.repeat(special, special.size) if number else np.tile(special, special.size)
        usual = rng.normal(0, 1, size) * 10.0 ** rng.integers(-3, 4, size)
        bits = rng.integers(0, 1 << 64, size, dtype=np.uint64).view(np.float64)
        values = np.concatenate(
            [special[:: 11 if count == 2 else 1], np.where(rng.random(size) < 0.9, usual, bits)]
        )
        result.append(values[:size])
    return result


def program_of(name: str, count: int, size: str, *, negations: int = 0) -> hlokit.Program:
    """A program of the function, followed by negations, which form fused code with it."""
    type_ = f"tensor<{size}f64>"
    arguments = ", ".join(f"%x{i}: {type_}" for i in range(count))
    lines = [call_of(name, count, "%x", type_, "%r0")]
    lines += [f"%r{i + 1} = stablehlo.negate %r{i} : {type_}" for i in range(negations)]
    return hlokit.load(
        f"func.func @main({arguments}) -> {type_} {{\n"
        + "\n".join(lines)
        + f"\nreturn %r{negations} : {type_}\n}}"
    )


def call_of(name: str, count: int, prefix: str, type_: str, result: str) -> str:
    operands = ", ".join(f"{prefix}{i}" for i in range(count))
    types = type_ if name.startswith("stablehlo") else f"{', '.join([type_] * count)} -> {type_}"
    return f"{result} = {name} {operands} : {types}"


def loop_of(name: str, count: int, size: int) -> hlokit.Program:
    """A loop that computes the elements one by one."""
    arguments = ", ".join(f"%a{i}: tensor<{size}xf64>" for i in range(count))
    reads = "\n".join(
        f"""%s{i} = stablehlo.dynamic_slice %a{i}, %i, sizes = [1] : (tensor<{size}xf64>, tensor<i32>) -> tensor<1xf64>
        %x{i} = stablehlo.reshape %s{i} : (tensor<1xf64>) -> tensor<f64>"""
        for i in range(count)
    )
    return hlokit.load(f"""func.func @main({arguments}) -> tensor<{size}xf64> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<{size}> : tensor<i32>
      %empty = stablehlo.constant dense<0.0> : tensor<{size}xf64>
      %r:2 = stablehlo.while(%i = %zero, %t = %empty) : tensor<i32>, tensor<{size}xf64>
      cond {{
        %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        {reads}
        {call_of(name, count, "%x", "tensor<f64>", "%y")}
        %u = stablehlo.reshape %y : (tensor<f64>) -> tensor<1xf64>
        %v = stablehlo.dynamic_update_slice %t, %u, %i : (tensor<{size}xf64>, tensor<1xf64>, tensor<i32>) -> tensor<{size}xf64>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %v : tensor<i32>, tensor<{size}xf64>
      }}
      return %r#1 : tensor<{size}xf64>
    }}""")


def tiers_of(name: str, count: int, size: int) -> tuple[bytes, list[str]]:
    """The bytes of the results, and the tiers and layouts with other bytes."""
    operands = operands_of(name, count, size)
    program = program_of(name, count, f"{size}x")
    wanted = np.asarray(program(*operands)).tobytes()
    found: dict[str, Any] = {"second run": program(*operands), "third run": program(*operands)}
    reverse = [operand[::-1].copy()[::-1] for operand in operands]
    found["reversed"] = program(*reverse)
    found["strided"] = program(*[np.repeat(operand, 3)[::3] for operand in operands])
    if size <= 1000:
        one = program_of(name, count, "")
        few = min(size, TURNS)
        scalars = [one(*[np.float64(operand[i]) for operand in operands]) for i in range(few)]
        assert np.array(scalars, np.float64).tobytes() == wanted[: 8 * few], (name, "rank 0")
        if few:
            loop = loop_of(name, count, few)
            for turn in range(2):
                result = loop(*[operand[:few] for operand in operands])
                assert np.asarray(result).tobytes() == wanted[: 8 * few], (name, "loop", turn)
    if size % 50 == 0 and size:
        square = program_of(name, count, f"{size // 50}x50x")
        shaped = [operand.reshape(-1, 50) for operand in operands]
        found["column-major"] = square(*[np.asfortranarray(operand) for operand in shaped])
    fused = program_of(name, count, f"{size}x", negations=2)
    for run in range(3):
        found[f"fused, run {run}"] = fused(*operands)
        found[f"fused, reversed operand, run {run}"] = fused(*reverse)
    return wanted, [tier for tier, result in found.items() if np.asarray(result).tobytes() != wanted]


def main() -> None:
    """Print {function: hash}, after a message about tiers and layouts that differ."""
    hashes: dict[str, str] = {}
    for name, count in NAMES.items():
        digest = hashlib.sha256()
        sizes = SIZES[:-1] if name.partition(".")[2] in SLOW else SIZES
        for size in sizes:
            wanted, others = tiers_of(name, count, size)
            assert not others, (name, size, others)
            digest.update(wanted)
        hashes[name] = digest.hexdigest()
    print(json.dumps(hashes))


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
