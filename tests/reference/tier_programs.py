"""Programs of every element-wise operation of the table in every place where it may be evaluated, and their tiers.

Each operation stands in the function itself, where it is fused, or part of straight-line code; in a loop,
which becomes a native program; and in the region of a `map`. The results are compared with the reference, so
that the tests find a kernel, an opcode or generated code that differs in one of the places.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.errors import InternalError, ParseError, UnsupportedError, VerificationError
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.cards.probes import Probe
from hlokit.operations.lookup import having, traits_of
from hlokit.values.element_types import ELEMENT_TYPES, Kind
from reference.evaluating import results
from reference.special_values import picked
from tests.generate.same import same

Array = npt.NDArray[Any]

SIZE = 24
# Types that native programs have, and some that they have not.
TYPES = (
    *("f32", "bf16", "f64", "i32", "i8", "i64", "i16", "ui32", "ui8", "ui64", "ui16", "i1", "complex<f32>"),
    *("f16", "i4", "f8E4M3FN", "complex<f64>"),
)
# Small arrays are fused, or are parts of straight-line code; loops become native after a turn.
THRESHOLDS = {
    "straight lines": DEFAULTS._replace(loop_first_iterations=1, straight_line_cost=0.0),
    "fusion": DEFAULTS._replace(loop_first_iterations=1, fusion_elements=1, fusion_work=0),
    "generated code": DEFAULTS._replace(straight_line_elements=0),
}
_TURNS = 3


def probes_of(name: str) -> tuple[Probe, ...]:
    """The tiny programs in the card of an operation."""
    card = card_of(name)
    assert card is not None and not isinstance(card.probes, Without), name
    return card.probes


Applied = tuple[str, str, tuple[str, ...], str]  # name, attributes, types of operands, type of the result


@cache
def applied_to(type_: str) -> tuple[Applied, ...]:
    """The element-wise operations that verify for a type: operands are tensors of so many elements."""
    return tuple(_applied_to(type_))


def _applied_to(type_: str) -> Iterator[Applied]:
    for name in sorted(having(lambda traits: traits.elementwise)):
        for row in probes_of(name):
            if isinstance(row, str):
                continue
            operands, result = row[0].replace("2x", "").replace("$", type_).split(" -> ")
            for attributes in _variants(row[1]):
                yield from _if_it_verifies((name, attributes, tuple(operands.split(", ")), result))


def _variants(attributes: str) -> list[str]:
    """The attributes of a probe, and those of other comparisons."""
    usual = "_direction EQ>"
    if usual not in attributes:
        return [attributes]
    directions = [attributes.replace(usual, f"_direction {each}>") for each in ("NE", "LT", "LE", "GT", "GE")]
    total = "compare_type = #stablehlo<comparison_type TOTALORDER>"
    return [
        attributes,
        *directions,
        *(f"{{{total}, {each[1:]}" for each in directions if "#stablehlo" in each),
    ]


def _if_it_verifies(found: Applied) -> Iterator[Applied]:
    text = _function([f"%r = {spelled(found, range(9))}"], dict(enumerate(found[2])), [("%r", found[3])])
    arguments = [np.ones(SIZE, ELEMENT_TYPES[kind].dtype) for kind in found[2]]
    try:
        hlokit.load(text)(*arguments)
    except (ParseError, VerificationError, UnsupportedError, InternalError):
        return
    yield found


def spelled(applied: Applied, operands: Any, size: str = f"{SIZE}x") -> str:
    name, attributes, types, result = applied
    used = ", ".join(f"%{operand}" for operand, _ in zip(operands, types, strict=False))
    shaped = ", ".join(f"tensor<{size}{type_}>" for type_ in types)
    return f'"{name}"({used}) {attributes} : ({shaped}) -> tensor<{size}{result}>'


def _function(
    lines: list[str], arguments: dict[int, str], returned: list[tuple[str, str]], size: str = f"{SIZE}x"
) -> str:
    taken = ", ".join(f"%{name}: tensor<{size}{type_}>" for name, type_ in arguments.items())
    types = ", ".join(f"tensor<{size}{type_}>" for _, type_ in returned)
    values, body = ", ".join(value for value, _ in returned), "\n".join(lines)
    return f"func.func @main({taken}) -> ({types}) {{\n{body}\nreturn {values} : {types}\n}}"


@cache
def program(type_: str) -> tuple[str, tuple[Array, ...], tuple[str, ...]]:
    """A program of all operations on a type, and its arguments: three of each type that is an operand.

    Returns:
      Its text, its arguments, and the names of its results.
    """
    operations = applied_to(type_)
    kinds, arguments = _kinds(type_)
    lines = [f"%{name} = stablehlo.constant dense<{value}> : tensor<i32>" for name, value in _COUNTS.items()]
    returned: dict[str, tuple[str, str]] = {}
    for number, operation in enumerate(operations):
        places = [3 * kinds.index(kind) + index % 3 for index, kind in enumerate(operation[2])]
        lines.append(f"%plain{number} = {spelled(operation, places)}")
        lines += _loop(number, operation, places)
        lines += _map(number, operation, arguments)
        name = f"{operation[0]} {operation[1]}".strip()
        returned[f"{name} plain {number}"] = f"%plain{number}", operation[3]
        returned[f"{name} map {number}"] = f"%map{number}", operation[3]
        returned[f"{name} loop {number}"] = f"%loop{number}#1", operation[3]
        if _is_order_free(operation):
            lines += _reduce(number, operation)
            returned[f"{name} reduce {number}"] = f"%reduce{number}", operation[3]
    values = picked(tuple(arguments.values()), SIZE)
    return _function(lines, arguments, list(returned.values())), tuple(values), tuple(returned)


def _kinds(type_: str) -> tuple[list[str], dict[int, str]]:
    """The types of all operands, and arguments: three of each."""
    kinds = list(dict.fromkeys([type_, *(kind for each in applied_to(type_) for kind in each[2])]))
    return kinds, dict(enumerate(kind for kind in kinds for _ in range(3)))


_COUNTS = {"zero": 0, "one": 1, "turns": _TURNS}


def _loop(number: int, operation: Applied, places: list[int]) -> list[str]:
    result = f"tensor<{SIZE}x{operation[3]}>"
    return [
        f'%loop{number}:2 = "stablehlo.while"(%zero, %plain{number}) ({{',
        f"^bb0(%i: tensor<i32>, %x: {result}):",
        "%p = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "stablehlo.return %p : tensor<i1>}, {",
        f"^bb0(%i: tensor<i32>, %x: {result}):",
        "%j = stablehlo.add %i, %one : tensor<i32>",
        f"%y = {spelled(operation, places)}",
        f"stablehlo.return %j, %y : tensor<i32>, {result}",
        f"}}) : (tensor<i32>, {result}) -> (tensor<i32>, {result})",
    ]


def _is_order_free(operation: Applied) -> bool:
    """Whether a reduction by the operation gives the same in any order."""
    name, _, operands, result = operation
    is_exact = traits_of(name).exact or ELEMENT_TYPES[result].kind not in (Kind.FLOAT, Kind.COMPLEX)
    return is_exact and traits_of(name).commutative and set(operands) == {result}


def _reduce(number: int, operation: Applied) -> list[str]:
    """A row of results, all alike, so that it has the shape of others. NaNs would hide all other values."""
    row, scalar = f"tensor<{SIZE}x{operation[3]}>", f"tensor<{operation[3]}>"
    truth = f"tensor<{SIZE}xi1>"
    return [
        f"%cut{number} = stablehlo.slice %1 [1:2] : ({row}) -> tensor<1x{operation[3]}>",
        f"%init{number} = stablehlo.reshape %cut{number} : (tensor<1x{operation[3]}>) -> {scalar}",
        f"%fill{number} = stablehlo.broadcast_in_dim %init{number}, dims = [] : ({scalar}) -> {row}",
        f"%number{number} = stablehlo.compare EQ, %0, %0 : ({row}, {row}) -> {truth}",
        f"%numbers{number} = stablehlo.select %number{number}, %0, %fill{number} : {truth}, {row}",
        f'%reduced{number} = "stablehlo.reduce"(%numbers{number}, %init{number}) ({{',
        f"^bb0(%a0: {scalar}, %a1: {scalar}):",
        f"%y = {spelled(operation, ['a0', 'a1'], '')}",
        f"stablehlo.return %y : {scalar}",
        f"}}) {{dimensions = array<i64: 0>}} : ({row}, {scalar}) -> {scalar}",
        f"%reduce{number} = stablehlo.broadcast_in_dim %reduced{number}, dims = [] : ({scalar}) -> {row}",
    ]


def _map(number: int, operation: Applied, arguments: dict[int, str]) -> list[str]:
    """The operands of the region are the first arguments of their types."""
    kinds = list(arguments.values())
    places = [kinds.index(kind) + index % 3 for index, kind in enumerate(operation[2])]
    used = ", ".join(f"%{place}" for place in places)
    inner = ", ".join(f"%a{index}: tensor<{kind}>" for index, kind in enumerate(operation[2]))
    types = ", ".join(f"tensor<{SIZE}x{kind}>" for kind in operation[2])
    return [
        f'%map{number} = "stablehlo.map"({used}) ({{',
        f"^bb0({inner}):",
        f"%y = {spelled(operation, [f'a{index}' for index in range(9)], '')}",
        f"stablehlo.return %y : tensor<{operation[3]}>",
        f"}}) {{dimensions = array<i64: 0>}} : ({types}) -> tensor<{SIZE}x{operation[3]}>",
    ]


@cache
def scalar_program(type_: str) -> tuple[str, tuple[Array, ...]]:
    """The same operations on tensors of rank 0; arguments are the elements of those of `program`."""
    operations = applied_to(type_)
    kinds, arguments = _kinds(type_)
    lines: list[str] = []
    for number, operation in enumerate(operations):
        places = [3 * kinds.index(kind) + index % 3 for index, kind in enumerate(operation[2])]
        lines.append(f"%r{number} = {spelled(operation, places, '')}")
    returned = [(f"%r{number}", operation[3]) for number, operation in enumerate(operations)]
    return _function(lines, arguments, returned, ""), program(type_)[1]


@cache
def expected(type_: str) -> list[Array]:
    """The results of the reference."""
    text, arguments, _ = program(type_)
    return results(text, *arguments)


@cache
def expected_scalars(type_: str) -> list[list[Array]]:
    """The results of the reference for the first elements of the arguments."""
    text, arguments = scalar_program(type_)
    return [results(text, *[each[index] for each in arguments]) for index in range(_SCALARS)]


_SCALARS = 6
_RUNS: dict[str, dict[str, Any]] = {
    **{f"run {number}": {} for number in (1, 2, 3)},
    "observed run": {"observer": hlokit.Trace(lambda _: None)},
}


def differences(type_: str) -> Iterator[str]:
    """The differences of runs of all tiers: operation, place, tier."""
    text, arguments, names = program(type_)
    for thresholds, limits in THRESHOLDS.items():
        loaded = hlokit.load(text).with_thresholds(limits)
        for run, options in _RUNS.items():
            made = loaded(*arguments, **options)
            for name, ours, theirs in zip(names, made, expected(type_), strict=True):
                if not same(ours, theirs):
                    yield f"{name} of {type_}, {thresholds}, {run}"
    text, arguments = scalar_program(type_)
    names = [each[0] for each in applied_to(type_)]
    loaded = hlokit.load(text).with_thresholds(THRESHOLDS["generated code"])
    for index, expected_results in enumerate(expected_scalars(type_)):
        scalars = [each[index] for each in arguments]
        made = loaded(*scalars)
        for name, ours, theirs in zip(names, made, expected_results, strict=True):
            if not same(ours, theirs):
                yield f"{name} of {type_}, scalars {scalars}, run {index + 1}"
