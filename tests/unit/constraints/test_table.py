"""Malformed tables of constraints are errors."""

from __future__ import annotations

from typing import Any

import pytest

from hlokit.constraints import table


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"enforced": "ods"}, "f.toml: add C1: must have a rule"),
        ({"rule": "r", "enforced": "always"}, "enforced must be one of"),
        ({"rule": "r", "enforced": "ods", "why": "n"}, "keys must be among"),
        ({"rule": "r", "enforced": "dynamic"}, "dynamic must be explained by a note"),
        ({"rule": "r", "enforced": "strict"}, "strict must be explained by a note"),
        ({"rule": "r", "enforced": "ods", "strict": ["s"]}, "ods must be explained by a note"),
    ],
)
def test_malformed_entries(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        table.constraint("add", "C1", entry, "f")


def test_tests_are_named_after_the_constraint_unless_said_otherwise() -> None:
    rule = {"rule": "r"}
    assert table.constraint("add", "C1", rule | {"enforced": "verifier"}, "f").tests == ("add_c1",)
    assert table.constraint("add", "C1", rule | {"enforced": "ods"}, "f").tests == ()
    assert table.constraint("add", "C1", rule | {"enforced": "verifier", "tests": ["t"]}, "f").tests == ("t",)
    strict = table.constraint("add", "C1", rule | {"enforced": "strict", "note": "n"}, "f")
    assert (strict.tests, strict.strict) == ((), ("add_c1",))
    both = table.constraint("add", "C1", rule | {"enforced": "verifier", "strict": ["s"], "note": "n"}, "f")
    assert (both.tests, both.strict) == (("add_c1",), ("s",))
