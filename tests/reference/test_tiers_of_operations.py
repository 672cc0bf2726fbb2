"""Every element-wise operation of the table gives the reference's bytes in every tier and place."""

from __future__ import annotations

import pytest

from hlokit.operations.lookup import having
from reference.tier_programs import TYPES, applied_to, differences


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.sample("f32", "bf16", "i32", "i1", "complex<f32>", "f8E4M3FN")
def test_every_tier_agrees_with_the_reference(type_: str) -> None:
    assert list(differences(type_)) == []


def test_every_elementwise_operation_is_there() -> None:
    applied = {name for type_ in TYPES for name, *_ in applied_to(type_)}
    left_out = {
        name
        for name in having(lambda traits: traits.elementwise)
        if name.endswith(("zeta", "polygamma", "_asin_acos_kernel"))
    }
    assert applied | left_out == having(lambda traits: traits.elementwise)
