"""Commands with hostile input. `python -m tests.fuzz.hostile` runs many more."""

from __future__ import annotations

import os
import resource

from tests.fuzz import hostile

COMMANDS = int(os.environ.get("HLOKIT_COMMANDS", "10"))


def test_commands_end_with_a_result_or_a_message() -> None:
    assert [said for said in hostile.judge(range(COMMANDS)) if said[1].startswith("FINDING")] == []


def test_outcomes_that_are_findings() -> None:
    idle = resource.struct_rusage((0,) * 16)
    assert hostile._judged(0, b"tensor", b"", idle) == "succeeds"
    assert hostile._judged(1, b"", b"error: no", idle) == "refuses"
    assert (
        hostile._judged(1, b"", b"error: the MLIR bindings died of SIGSEGV", idle)
        == "says that the bindings died"
    )
    assert hostile._judged(1, b"", b" ", idle) == "FINDING: fails without a message"
    assert hostile._judged(-9, b"", b"", idle) == "FINDING: ends with status -9"
    assert "internal error" in hostile._judged(1, b"", b"internal error of hlokit: x", idle)
    assert hostile._judged(0, b"\x1b[2J", b"", idle) == "FINDING: writes control characters"
    assert (
        hostile._judged(0, b"", b"", resource.struct_rusage((9.0, 2.0, *(0,) * 14))) == "FINDING: takes 11 s"
    )
    large = resource.struct_rusage((0, 0, 2 << 20, *(0,) * 13))
    assert hostile._judged(0, b"", b"", large) == "FINDING: takes 2048 MB"
