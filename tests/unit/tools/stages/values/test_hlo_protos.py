"""Reading HLO modules: ids in any encoding, and damaged ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlokit.programs.importers.protobuf import MalformedMessage, encoded
from hlokit.tools.stages.values.hlo_protos import Instruction, Reader
from tests.unit.lib.building import FUZZERS, LIBRARY, build, needs_compiler, rounds, run

NAME, OPCODE, SHAPE, ID, OPERANDS, CONTROL, CALLED, SIDE_EFFECT = 1, 2, 3, 35, 36, 37, 38, 65
SCALAR = encoded(2, 11)


def instruction(*fields: bytes, name: bytes = b"x", opcode: bytes = b"add") -> bytes:
    return b"".join([encoded(NAME, name), encoded(OPCODE, opcode), encoded(SHAPE, SCALAR), *fields])


def read(*instructions: bytes) -> list[Instruction]:
    """The instructions of a module of one computation."""
    parts = [encoded(2, data) for data in instructions]
    computation = encoded(1, b"main") + b"".join(parts) + encoded(5, 7) + encoded(6, 1)
    module = Reader().module(encoded(1, b"m") + encoded(2, b"main") + encoded(3, computation) + encoded(6, 7))
    assert module is not None
    assert module.computations[7].root == 1
    return list(module.computations[7].instructions.values())


def test_ids_may_be_packed_or_not() -> None:
    large = 1 << 32 | 5
    packed = encoded(ID, large) + encoded(OPERANDS, b"\x01\x85\x80\x80\x80\x10") + encoded(CALLED, 3)
    single = encoded(ID, 2) + encoded(OPERANDS, 1) + encoded(OPERANDS, large) + encoded(CONTROL, 1)
    first, second = read(instruction(packed), instruction(single, encoded(SIDE_EFFECT, 1), name=b"y" * 200))
    assert (first.id, first.operands, first.called, first.kind) == (large, (1, large), (3,), 0)
    assert (second.id, second.operands, second.called, second.name) == (2, (1, large), (), b"y" * 200)
    assert (first.has_effects, second.has_effects) == (False, True)
    assert (second.opcode, second.shape) == ("add", SCALAR)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (instruction(encoded(ID, 1), encoded(OPCODE, b"add")), "order of their numbers"),
        (
            instruction(encoded(ID, 1), encoded(SIDE_EFFECT, 1), encoded(OPCODE, b"add")),
            "order of their numbers",
        ),
        (instruction(encoded(ID, 1) + encoded(OPERANDS, b"\x80")), "a number is cut off"),
        (instruction(encoded(ID, 1))[:-1], "a number is cut off"),
        (instruction(b"\x98\x02" + b"\xff" * 10), "a number is too long"),
        (b"\x0a\x05x", "a field is longer than its message"),
        (b"\x0b", "a field has the wire type 3"),
        (b"\x02\x00", "a field has the number 0"),
    ],
)
def test_damaged_instructions(data: bytes, reason: str) -> None:
    with pytest.raises(MalformedMessage, match=reason):
        read(data)


@needs_compiler
@pytest.mark.deep
def test_damaged_computations_do_no_harm(tmp_path: Path) -> None:
    packed = instruction(
        encoded(ID, 1 << 40) + encoded(OPERANDS, b"\x01\x85\x80\x80\x80\x10") + encoded(CALLED, 3)
    )
    single = instruction(encoded(ID, 2) + encoded(OPERANDS, 1) + encoded(SIDE_EFFECT, 1), name=b"y" * 200)
    computation = tmp_path / "computation"
    computation.write_bytes(encoded(2, packed) + encoded(2, single) + encoded(5, 7) + encoded(6, 1))
    sources = [LIBRARY / "bytecode" / "hlo.cpp", FUZZERS / "fuzz_hlo.cpp", FUZZERS / "mutate.cpp"]
    run(build(sources, tmp_path / "mutate", ["-O1"]), rounds(200_000), "1", computation)
