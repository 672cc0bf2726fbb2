"""The readers of bytecode under AddressSanitizer and UndefinedBehaviorSanitizer, on mutants of real bytecode."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.unit.lib.building import FUZZERS, SANITIZE, build, needs_compiler, room, rounds, run
from tests.unit.lib.fuzzers.campaign import unpack
from tests.unit.lib.readers.samples import SAMPLE, VERSIONS, artifacts, to_bytecode

pytestmark = pytest.mark.deep


@needs_compiler
def test_mutants_do_no_harm(tmp_path: Path) -> None:
    sources = [*room("bytecode", "artifacts"), FUZZERS / "fuzz_bytecode.cpp", FUZZERS / "mutate.cpp"]
    program = build(sources, tmp_path / "mutate", ["-g", "-O1"])
    for version in VERSIONS:
        (tmp_path / f"v{version}.mlirbc").write_bytes(to_bytecode(SAMPLE, version))
    for name, data in artifacts().items():
        (tmp_path / f"artifact{name}.mlirbc").write_bytes(data)

    run(program, rounds(20_000), "1", *sorted(tmp_path.glob("*.mlirbc")), *unpack(tmp_path / "corpus"))


@needs_compiler
@pytest.mark.skipif(
    sys.platform != "linux" or not any("address" in flag for flag in SANITIZE), reason="needs LeakSanitizer"
)
def test_a_leak_ends_a_program(tmp_path: Path) -> None:
    """The leak check works on this machine; in containers that forbid tracing it does not."""
    source = tmp_path / "leak.cpp"
    source.write_text("int main() { int* volatile lost = new int; lost = nullptr; return lost != nullptr; }")
    with pytest.raises(AssertionError, match="LeakSanitizer: detected memory leaks"):
        run(build([source], tmp_path / "leak"))
