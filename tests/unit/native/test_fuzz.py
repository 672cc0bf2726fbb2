"""The readers of bytecode under AddressSanitizer and UndefinedBehaviorSanitizer, on mutants of real bytecode."""

from __future__ import annotations

from pathlib import Path

from .building import HERE, build, needs_compiler, room, rounds, run
from .campaign import unpack
from .samples import SAMPLE, VERSIONS, artifacts, to_bytecode


@needs_compiler
def test_mutants_do_no_harm(tmp_path: Path) -> None:
    sources = [*room("bytecode", "artifacts"), HERE / "fuzz_bytecode.cpp", HERE / "mutate.cpp"]
    program = build(sources, tmp_path / "mutate", ["-g", "-O1"])
    for version in VERSIONS:
        (tmp_path / f"v{version}.mlirbc").write_bytes(to_bytecode(SAMPLE, version))
    for name, data in artifacts().items():
        (tmp_path / f"artifact{name}.mlirbc").write_bytes(data)

    run(program, rounds(20_000), "1", *sorted(tmp_path.glob("*.mlirbc")), *unpack(tmp_path / "corpus"))
