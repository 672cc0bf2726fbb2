"""`hlokit.prove`: pairs of programs that are equal for all arguments, and counterexamples for others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.cli import main
from hlokit.operations.cards import cards
from hlokit.tools.equal.proofs import search
from hlokit.tools.equal.proofs.bit_vectors import BitProgram
from hlokit.tools.equal.rules.bit_formulas import BitFormula
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType
from tests.generate import generate

INTEGERS = np.arange(6, dtype=np.int32).reshape(2, 3)
N = np.int32(1)
FLOATS = np.ones((2, 3), np.float32)
F8 = np.ones(4, ml_dtypes.float8_e4m3fn)
needs_z3 = pytest.mark.deep  # `make test` does not install it


def average(x: Any, y: Any) -> Any:
    return (x & y) + ((x ^ y) >> 1)


def sum_of_range(n: Any) -> Any:
    return lax.while_loop(lambda c: c[0] < (n & 3), lambda c: (c[0] + 1, c[1] + c[0]), (0, 0))[1]


def twice(x: Any) -> Any:
    return lax.cond(x[0, 0] > 3, lambda y: y * 2, lambda y: y << 1, x)


def taken(x: Any, n: Any) -> Any:
    return jnp.where(n < 0, x[0][jnp.maximum(n + 3, 0)], x[0][jnp.minimum(n, 2)])


def scattered(x: Any, n: Any) -> Any:
    place = jnp.where(n < 0, n + 3, n)
    return jnp.where((jnp.arange(3) == place) & (jnp.arange(2) == 0)[:, None], 7, x)


def first_greatest(x: Any) -> Any:
    a, b, c = x.T
    return jnp.where(a >= b, jnp.where(a >= c, 0, 2), jnp.where(b >= c, 1, 2))


# Two functions, their arguments, and a part of what `how` says.
EQUAL: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...], str]] = {
    "average": (
        average,
        lambda x, y: (x | y) - ((x ^ y) >> 1) - ((x ^ y) & 1),
        (INTEGERS, INTEGERS),
        "each element alone",
    ),
    "absolute": (jnp.abs, lambda x: jnp.where(x < 0, -x, x), (INTEGERS,), "1 path"),
    "division": (lambda x: lax.div(x, x * 0), lambda x: x * 0 - 1, (INTEGERS,), "1 path"),
    "order of a sum": (lambda x: x.sum(0), lambda x: x[1] + x[0], (INTEGERS,), "1 path"),
    "product": (lambda x: x @ x.T, lambda x: jnp.einsum("kj,ij->ik", x, x), (INTEGERS,), "1 path"),
    "branch": (twice, lambda x: x + x, (INTEGERS,), "2 paths"),
    "loop": (sum_of_range, lambda n: (n & 3) * ((n & 3) - 1) // 2, (N,), "4 paths"),
    "index": (lambda x, n: x[0][n], taken, (INTEGERS, N), "paths"),
    "scatter": (lambda x, n: x.at[0, n].set(7, mode="drop"), scattered, (INTEGERS, N), "paths"),
    "sort": (lambda x: jnp.sort(x[:1], -1)[:, -1], lambda x: x[:1].max(-1), (INTEGERS,), "paths"),
    "argmax": (lambda x: jnp.argmax(x, -1), first_greatest, (INTEGERS,), "1 path"),
    "bits": (
        lambda x: lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.uint8), jnp.int32),
        lambda x: x,
        (INTEGERS,),
        "1 path",
    ),
    "floats moved": (lambda x: jnp.sin(x).T, lambda x: jnp.sin(x.T), (FLOATS,), "of stablehlo.sine, only"),
    "floats added": (lambda x: x + x[0], lambda x: x[0] + x, (FLOATS,), "of stablehlo.add, only"),
    "whole arrays": (
        lambda x: jnp.fft.fft(x[::-1]),
        lambda x: jnp.fft.fft(lax.rev(x, (0,))),
        (FLOATS,),
        "fft",
    ),
}
# Two functions that differ for some arguments.
DIFFERENT: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] = {
    "an overflow": (average, lambda x, y: (x + y) >> 1, (INTEGERS, INTEGERS)),
    "one of 2^32": (lambda x: x + 1 > x, lambda x: x * 0 == 0, (INTEGERS,)),
    "a bound": (lambda x: jnp.where(x > 1000, x, 0), lambda x: jnp.where(x >= 1000, x, 0), (INTEGERS,)),
    "a path": (twice, lambda x: jnp.where(x[0, 0] == 12345, x, x + x), (INTEGERS,)),
}


@needs_z3
def test_programs_that_are_equal_for_all_arguments() -> None:
    for name, (one, other, arguments, how) in EQUAL.items():
        proof = hlokit.prove(one, other, *arguments)
        assert proof.status == "proved" and how in proof.how, f"{name}: {proof}"


@needs_z3
def test_counterexamples_were_run() -> None:
    for name, (one, other, arguments) in DIFFERENT.items():
        proof = hlokit.prove(one, other, *arguments)
        assert proof.status == "differs" and proof.results, f"{name}: {proof}"
        results = [hlokit.from_jax(jax.jit(side), *arguments)(*proof.arguments) for side in (one, other)]
        assert not np.array_equal(*results), name


@needs_z3
def test_what_z3_cannot_know_is_inconclusive(monkeypatch: pytest.MonkeyPatch) -> None:
    for one, other in (
        (lambda x: x * 2, lambda x: x + x),
        (lambda x: jnp.exp(x - x), jnp.ones_like),
    ):
        proof = hlokit.prove(one, other, FLOATS)
        assert proof.status in ("inconclusive", "differs"), proof

    def counted(n: Any) -> Any:
        return lax.while_loop(lambda c: c < n, lambda c: c + 1, 0)

    monkeypatch.setattr(search, "_MOST_PATHS", 5)
    proof = hlokit.prove(lambda n: counted(n & 15), lambda n: n & 15, N)
    assert str(proof) == "inconclusive: there are more than 5 paths"
    proof = hlokit.prove(counted, lambda n: jnp.maximum(n, 0), np.int32(10**9), seconds=1)
    assert str(proof) == "inconclusive: the time is over"


def test_narrow_types_are_tried_on_all_arguments() -> None:
    proof = hlokit.prove(lambda x: x * 2, lambda x: x + x, F8)
    assert proof.status == "proved" and "all 256 elements" in proof.how
    proof = hlokit.prove(lambda x: x * 2, lambda x: jnp.where(x == 448, x, x + x), F8)
    assert proof.status == "differs" and 448 in proof.arguments[0].astype(np.float32)
    pair = np.zeros(2, ml_dtypes.int4)
    assert "all 256 arguments" in hlokit.prove(lax.sort, lambda x: lax.sort(x[::-1]), pair).how
    assert hlokit.prove(lax.sort, lambda x: x, pair).status == "differs"


def test_types_must_be_equal() -> None:
    with pytest.raises(hlokit.ArgumentError, match="must have the same types to be proved equal"):
        hlokit.prove(lambda x: x, lambda x: x.astype(jnp.float32), np.ones(2, jnp.bfloat16))
    text = "func.func @main(%x: !stablehlo.token) -> !stablehlo.token { return %x : !stablehlo.token }"
    with pytest.raises(hlokit.ArgumentError):
        hlokit.prove(text, text)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {{ %y = stablehlo.{} %x, %x : tensor<4xi8> return %y : tensor<4xi8> }}"
    files = []
    for name in ("add", "xor", "subtract"):
        files.append(tmp_path / f"{name}.mlir")
        files[-1].write_text(text.format(name))
    add, xor, subtract = map(str, files)
    assert main.main(["equal", xor, subtract, "--prove"]) == 0
    assert "all 256 elements of arguments" in capsys.readouterr().out
    example = tmp_path / "x.npz"
    assert main.main(["equal", add, xor, "--prove", "--json", f"--counterexample={example}"]) == 1
    assert json.loads(capsys.readouterr().out)["status"] == "differs" and example.exists()
    assert main.main(["equal", add, xor, "--prove", "--runs=2"]) == 2
    assert "--runs does not go with --prove" in capsys.readouterr().err


@needs_z3
def test_runs_on_bit_vectors_have_the_results_of_the_program() -> None:
    """Of random programs; a program is equal to itself."""
    proved = 0
    for seed in range(60):
        program = generate(seed, "anything")
        try:
            proof = hlokit.prove(program.text, program.text, *program.arguments, seconds=2)
        except hlokit.ArgumentError:
            continue  # too large
        assert proof.status != "differs" and "other results" not in proof.how, f"seed {seed}: {proof}"
        proved += proof.is_equal
    assert proved > 30


# Formulas against the reference --------------------------------------------------------------------------

ATTRIBUTES = {
    "stablehlo.compare": [
        f"{{comparison_direction = #stablehlo<comparison_direction {direction}>}}"
        for direction in ("EQ", "NE", "LT", "LE", "GT", "GE")
    ]
}
OPERANDS = {"stablehlo.clamp": 3, "stablehlo.select": 3}


def texts_of(name: str, element: str, size: int, count: int) -> list[str]:
    """Functions of one operation on integers."""
    operand = f"tensor<{size}x{element}>"
    operands = [operand] * count
    results = [operand]
    if name == "stablehlo.select":
        operands[0] = f"tensor<{size}xi1>"
    elif name == "stablehlo.compare":
        results = [f"tensor<{size}xi1>"]
    elif name == "stablehlo.convert":
        results = [f"tensor<{size}x{other}>" for other in ("i1", "i2", "ui4", "i8", "ui16", "i32")]
    arguments = ", ".join(f"%{n}: {type_}" for n, type_ in enumerate(operands))
    names = ", ".join(f"%{n}" for n in range(count))
    return [
        f'func.func @main({arguments}) -> {result} {{ %r = "{name}"({names}) {attributes} : '
        f"({', '.join(operands)}) -> {result} return %r : {result} }}"
        for result in results
        for attributes in ATTRIBUTES.get(name, [""])
    ]


def values_for(types: list[TensorType], seed: int) -> list[Any]:
    """Numbers that matter, and random ones."""
    random = np.random.default_rng(seed)
    values: list[Any] = []
    for type_ in types:
        element, size = type_.element_type, type_.size
        ones = (1 << element.width) - 1
        special = [0, 1, ones, ones >> 1, (ones >> 1) + 1, element.width & ones, (element.width - 1) & ones]
        drawn = random.integers(0, ones, size, dtype=np.uint64, endpoint=True)
        codes = np.where(random.random(size) < 0.6, random.choice(np.array(special, np.uint64), size), drawn)
        values.append(codes.astype(element.bits_dtype).view(element.dtype))
    return values


@needs_z3
def test_formulas_are_those_of_the_reference() -> None:
    from hlokit.tools.equal.rules.terms import Terms

    names = {card.name for card in cards() if isinstance(card.bits, BitFormula)} - {
        "stablehlo.complex",
        "stablehlo.real",
        "stablehlo.imag",
    }
    tried: set[str] = set()
    wrong: list[str] = []
    for name in sorted(name for name in names if name.startswith("stablehlo.")):
        for element in ("i1", "i2", "ui2", "i4", "ui4", "i8", "ui8", "i32", "ui64"):
            for count in {OPERANDS.get(name, 2), 1} if name not in OPERANDS else {OPERANDS[name]}:
                for text in texts_of(name, element, 24, count):
                    try:
                        program = hlokit.load(text)
                    except hlokit.HlokitError:
                        continue
                    tried.add(name)
                    types: Any = program.signature().inputs
                    values = values_for(types, len(tried))
                    terms = Terms()
                    arguments = [
                        terms.variables(value, type_, f"x{n}")
                        for n, (value, type_) in enumerate(zip(values, types, strict=True))
                    ]
                    (result,) = BitProgram(program, "main", terms).run(arguments)
                    expected = program.runs.evaluate(values, "main", tier="reference")[0]
                    if name != "stablehlo.power" and terms.uninterpreted:
                        wrong.append(f"{name} {element}: no formula")
                    wrong += differences(terms, result, expected, arguments, f"{name} {element}")
    assert wrong == []
    assert tried == {name for name in names if name.startswith("stablehlo.")}


def differences(terms: Any, result: Any, expected: Any, arguments: list[Any], what: str) -> list[str]:
    """Elements whose term, with the arguments' values, is not what the reference returns."""
    z3 = terms.z3
    known: list[tuple[Any, Any]] = []
    for argument in arguments:
        constants = terms.constants(argument["value"], TensorType(argument.shape, _element(argument)))
        for variable, constant in zip(argument["term"].tolist(), constants["term"].tolist(), strict=True):
            width = _element(argument).width
            known.append((terms.term(variable, width), terms.term(constant, width)))
    type_ = TensorType(result.shape, _element(result))
    there = terms.constants(expected, type_)
    wrong: list[str] = []
    for number, constant in zip(result["term"].tolist(), there["term"].tolist(), strict=True):
        width = type_.element_type.width
        value = z3.simplify(z3.substitute(terms.term(number, width), *known))
        if z3.is_bv_value(value) and value.as_long() != terms.term(constant, width).as_long():
            wrong.append(f"{what}: {value} instead of {terms.term(constant, width)}")
    return wrong


def _element(array: Any) -> Any:
    dtype = array.dtype["value"]
    return next(type_ for type_ in ELEMENT_TYPES.values() if type_.dtype == dtype)


def test_integer_functions_have_formulas() -> None:
    """Elementwise operations on integers, but for those that have no value fixed by bits."""
    without: set[str] = set()
    for card in cards():
        if not card.traits.elementwise or isinstance(card.bits, BitFormula) or "." not in card.name:
            continue
        for count in (1, 2):
            operand = "tensor<2xi8>"
            names = ", ".join(f"%{n}" for n in range(count))
            arguments = ", ".join(f"%{n}: {operand}" for n in range(count))
            text = (
                f'func.func @main({arguments}) -> {operand} {{ %r = "{card.name}"({names}) : '
                f"({', '.join([operand] * count)}) -> {operand} return %r : {operand} }}"
            )
            try:
                program = hlokit.load(text)
                program.runs.evaluate([np.ones(2, np.int8)] * count, "main", tier="reference")
            except hlokit.HlokitError:
                continue  # of floats only
            without.add(card.name)
    assert without == {"chlo.broadcast_next_after"}  # of floats, which the verifier does not check
