"""The list of cases: ids stay, and every operation that can stand alone has cases."""

from __future__ import annotations

import hashlib
from itertools import islice

import numpy as np
import pytest

from hlokit.errors import ArgumentError
from hlokit.operations.cards import cards
from hlokit.tools.kit.cases import cases
from hlokit.tools.kit.recipes import PLACES, VERSION, operations, recipes
from hlokit.tools.kit.sample import ordered, seconds_of
from hlokit.tools.kit.values import bits_of, matter, moderate, pairs
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.quantized import QuantizedType

# Whoever changes ids or what they mean raises the version.
IDS = {5: "30d29c1b46fbb9db"}


def test_ids_stay() -> None:
    ids = "\n".join(recipe.id for recipe in recipes(types=["f32", "i8"]))
    assert hashlib.sha256(ids.encode()).hexdigest()[:16] == IDS[VERSION]


def test_operations_without_cases() -> None:
    """Constants are in other cases, random numbers are open, and these bindings lack `collective_reduce`."""
    names = {card.name for card in cards() if card.name.startswith(("stablehlo.", "chlo."))}
    assert names - set(operations()) == {
        *("stablehlo.constant", "chlo.constant", "stablehlo.return", "chlo.return", "stablehlo.rng"),
        *("stablehlo.after_all", "stablehlo.create_token"),
        *("stablehlo.collective_reduce", "stablehlo.cross-replica-sum"),
    }


def test_a_sample_begins_with_all_operations() -> None:
    """And with types and variants that the verifier accepts: transforms of complex numbers come late."""
    names = ["stablehlo.add", "stablehlo.sort", "stablehlo.fft", "stablehlo.convolution"]
    chosen = [case.recipe for case in islice(ordered(recipes(names)), 34)]
    assert {recipe.subject.operation for recipe in chosen[:4]} == set(names)
    assert {recipe.subject.type_ for recipe in chosen[:4]} == {"f32"}
    for name in names[1:]:
        own = [recipe.subject for recipe in chosen if recipe.subject.operation == name]
        assert len(own) >= 6 and len({subject.variant.name for subject in own}) >= 5, own
        assert len({subject.type_ for subject in own}) >= 3
    # Elementwise operations soon have many types, others many variants.
    assert len({recipe.subject.type_ for recipe in chosen if recipe.subject.operation == names[0]}) >= 3


def test_budgets() -> None:
    assert (seconds_of("60s"), seconds_of("5m"), seconds_of("7")) == (60, 300, 7)
    for text in ("0s", "s", "-1", "1h", "9" * 30 + "s"):
        with pytest.raises(ArgumentError, match="a budget must be seconds or minutes"):
            seconds_of(text)


def test_values_that_matter() -> None:
    f32, i8, f8 = (ELEMENT_TYPES[name] for name in ("f32", "i8", "f8E4M3FN"))
    floats = matter(f32).tolist()
    assert {float("inf"), 1.0, 0.5, 2.0**-149, float(np.finfo(np.float32).max)} <= set(floats)
    assert sum(np.signbit(matter(f32)) & (matter(f32) == 0)) == 1
    assert sorted(matter(i8).tolist()) == list(range(-128, 128))
    assert len(np.unique(matter(f8).view(np.uint8))) == 256
    quantized = QuantizedType.make(ELEMENT_TYPES["i32"], f32, (0.5,), (1,))
    assert -(2**31) in matter(quantized).tolist()
    assert moderate(quantized, 100, bits_of("x")).min() < 0


def test_operands_are_pairs_of_values_that_matter() -> None:
    f32 = ELEMENT_TYPES["f32"]
    lhs, rhs = pairs([f32, f32], "stablehlo.add", bits_of("x"))
    both = {(float(a), float(b)) for a, b in zip(lhs, rhs, strict=True)}
    assert {(float("inf"), -float("inf")), (1.0, 0.0), (0.0, 1.0), (1.0, -1.0)} <= both
    again = pairs([f32, f32], "stablehlo.add", bits_of("x"))
    assert lhs.tobytes() == again[0].tobytes()


def test_types_that_the_verifier_refuses_have_no_cases() -> None:
    assert list(cases(recipes(["and", "broadcast_shift_left"], ["f32"]))) == []
    # Another probe is an alternative.
    assert [case.id for case in cases(recipes(["imag"], ["complex-f32"]))] == [
        f"stablehlo.imag/complex-f32/probe-1.values.{place}" for place in PLACES
    ]
    assert [case.id for case in cases(recipes(["popcnt"], ["ui8"]))][:2] == [
        "stablehlo.popcnt/ui8/plain.values.alone",
        "stablehlo.popcnt/ui8/plain.values.fused",
    ]
