"""A file of lib/ includes only from rooms below its own: the order in docs/architecture.md."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "lib"

# The rooms from the lowest to the highest. Rooms of one line may not include each other.
ORDER = """
    support bytecode text
    artifacts kernels/elements
    kernels/matmul kernels/fft kernels/random kernels/regions kernels/copies kernels/functions kernels/nans
    kernels/linalg kernels/complex
    vm
    vm/pointwise
    vm/scalars
    vm/loop vm/fused vm/regions vm/exact
    python
    python/bytecode python/kernels
    python/pjrt
"""
RANKS = {room: rank for rank, line in enumerate(ORDER.strip().split("\n")) for room in line.split()}
# The extension module without kernels consists of these rooms.
THIN = {"bytecode", "text", "artifacts", "python", "python/bytecode"}

FILES = sorted(path for path in LIBRARY.rglob("*") if path.is_file() and "vendored" not in path.parts)
NAMES = [path.relative_to(LIBRARY).as_posix() for path in FILES]
INCLUDES = {
    name: re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)
    for name, path in zip(NAMES, FILES, strict=True)
}


def room_of(name: str) -> str:
    """The room of a file; kernels/copies.h and .cpp are a room of their own."""
    room = name.rpartition("/")[0]
    return room if room in RANKS else name.partition(".")[0]


def test_every_file_is_in_a_room() -> None:
    assert {room_of(name) for name in NAMES} == set(RANKS)


def points_down(name: str, included: str) -> bool:
    """Whether a file may include another file: one of its own room or of a lower room."""
    own, room = room_of(name), room_of(included)
    return room == own or RANKS[room] < RANKS[own]


def test_includes_are_relative_to_lib() -> None:
    includes = [(name, included) for name in NAMES for included in INCLUDES[name]]
    assert [f"{name} includes {included}" for name, included in includes if included not in INCLUDES] == []


def test_includes_point_down() -> None:
    includes = [(name, included) for name in NAMES for included in INCLUDES[name] if included in INCLUDES]
    assert len(includes) > 200
    assert [
        f"{name} includes {included}" for name, included in includes if not points_down(name, included)
    ] == []
    assert not points_down("support/cpu.h", "vm/verifier.h")


def cycle_in(includes: dict[str, list[str]]) -> str:
    """A cycle of includes as text; empty if there is none."""
    try:
        TopologicalSorter(includes).prepare()
    except CycleError as error:
        return " -> ".join(error.args[1])
    return ""


def test_files_form_no_cycle_of_includes() -> None:
    assert cycle_in(INCLUDES) == ""
    assert "vm/verifier.h" in cycle_in(
        {**INCLUDES, "support/cpu.h": ["vm/verifier.h"], "vm/verifier.h": ["support/cpu.h"]}
    )


def test_readers_of_bytecode_know_no_kernels() -> None:
    for name in NAMES:
        if room_of(name) in THIN:
            assert {room_of(included) for included in INCLUDES[name]} <= THIN, name


def test_rooms_are_small() -> None:
    for room in RANKS:
        assert sum(room_of(name) == room for name in NAMES) <= 20, room


def test_one_file_asks_the_processor() -> None:
    asks = re.compile(r"__builtin_cpu|cpuid|getauxval|getenv\(\"HLOKIT_CPU")
    assert [name for name, path in zip(NAMES, FILES, strict=True) if asks.search(path.read_text())] == [
        "support/cpu.cpp"
    ]


def test_cmake_compiles_every_file() -> None:
    listed = re.findall(r"\blib/(\S+\.cpp)\b", (ROOT / "CMakeLists.txt").read_text())
    assert sorted(set(listed)) == [name for name in NAMES if name.endswith(".cpp")]
