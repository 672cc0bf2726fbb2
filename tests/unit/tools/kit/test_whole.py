"""hlokit passes its own kit, and no case is lost."""

from __future__ import annotations

from collections import Counter

import pytest

from hlokit.operations.cards import cards
from hlokit.tools.kit import subjects
from hlokit.tools.kit.cases import cases
from hlokit.tools.kit.recipes import TYPES, recipes
from hlokit.tools.kit.running import Running
from hlokit.tools.kit.subjects import Alone
from hlokit.values.element_types import ELEMENT_TYPES, Kind
from unit.tools.kit.sides import OwnSide

pytestmark = pytest.mark.deep
_SHIFTS = {f"chlo.broadcast_shift_{name}" for name in ("left", "right_arithmetic", "right_logical")}
_OF_FLOATS = {f"chlo.broadcast_{name}" for name in ("next_after", "polygamma")}
_OF_NUMBERS = {f"chlo.broadcast_{name}" for name in ("divide", "power", "remainder", "subtract")}
_INTEGERS = {*_OF_FLOATS, "chlo.broadcast_atan2"}
# What the verifier accepts although nothing defines it: `bitcast_convert` of other sizes, `custom_call` of
# functions that the type does not have; the mesh of an `all_reduce` has no quantized types in hlokit.
MEANINGLESS = {
    Kind.BOOL: {*_SHIFTS, *_OF_NUMBERS, *_INTEGERS, "stablehlo.custom_call"},
    Kind.SIGNED: {*_INTEGERS, "stablehlo.custom_call"},
    Kind.UNSIGNED: {*_INTEGERS, "stablehlo.custom_call"},
    Kind.FLOAT: _SHIFTS,
    Kind.COMPLEX: {
        *(*_SHIFTS, *_OF_FLOATS, "chlo.broadcast_remainder", "stablehlo.remainder"),
        *("chlo.bessel_i1e", "chlo.top_k", "stablehlo.custom_call"),
    },
    Kind.QUANTIZED: {*_SHIFTS, *_OF_FLOATS, "stablehlo.all_reduce", "stablehlo.custom_call"},
}


def test_types_have_expectations() -> None:
    assert {kind_of(type_) for type_ in TYPES} == set(MEANINGLESS)
    assert set().union(*MEANINGLESS.values()) <= {card.name for card in cards()}


@pytest.mark.parametrize("type_", TYPES)
def test_every_case_passes(type_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: set[str] = set()
    judged = subjects._is_meaningless

    def recorded(alone: Alone) -> bool:
        is_refused = judged(alone)
        if is_refused:
            refused.add(alone.subject.operation)
        return is_refused

    monkeypatch.setattr(subjects, "_is_meaningless", recorded)
    outcomes = list(Running(OwnSide()).run(cases(recipes(types=[type_]))))
    assert len(outcomes) > 1000
    assert [outcome.id for outcome in outcomes if outcome.verdict != "passed"] == []
    assert Counter(outcome.verdict for outcome in outcomes) == {"passed": len(outcomes)}
    assert refused - {"stablehlo.bitcast_convert"} == MEANINGLESS[kind_of(type_)]


def kind_of(type_: str) -> Kind:
    element = ELEMENT_TYPES.get(TYPES[type_])
    return Kind.QUANTIZED if element is None else element.kind
