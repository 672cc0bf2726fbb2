"""A campaign against the validator of artifacts: accepted artifacts must not harm the bindings.

    python -m tests.unit.compat.campaign --accepted 20000 --seed 1 [--directory DIRECTORY] [ARTIFACT ...]

Makes mutants of artifacts (default: the fixtures of all versions), asks `validate` of each, and has a child
process read, print and verify those that it accepts. An artifact that kills the child, keeps it busy for too
long, or raises an unexpected exception is written to DIRECTORY; then the exit status is 1.
"""

from __future__ import annotations

import argparse
import mmap
import os
import random
import resource
import select
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from hlokit import _bytecode
from hlokit.errors import HlokitError
from hlokit.mlir import parse
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.mlir.queries.module import functions, signature

from .mutants import mutants

FIXTURES = Path(__file__).parents[2] / "vhlo"
_BATCH = 200
_SECONDS = 20.0
_MEMORY = 4 << 30


@dataclass
class Outcome:
    """The number of mutants, and their failures."""

    made: int = 0
    accepted: int = 0
    harmful: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])


def reader_version() -> int:
    """The version of the bindings in the validator's form."""
    major, minor, _ = map(int, stablehlo_version().split("."))
    return 1000 * major + minor


def is_validated(data: bytes, reader: int) -> bool:
    try:
        _bytecode.Bytecode(data).validate(reader)
    except _bytecode.BytecodeError:
        return False
    return True


def run(seeds: Sequence[bytes], accepted: int, seed: int, seconds: float = float("inf")) -> Outcome:
    """Read accepted mutants of the seeds, up to a number or a time."""
    reader = reader_version()
    chance = random.Random(seed)
    outcome = Outcome()
    end = time.monotonic() + seconds

    def next_accepted():
        for mutant in mutants(seeds, chance):
            outcome.made += 1
            if is_validated(mutant, reader):
                yield mutant

    source = next_accepted()
    while outcome.accepted < accepted and time.monotonic() < end:
        batch = list(islice(source, min(_BATCH, accepted - outcome.accepted)))
        outcome.harmful += _read(batch)
        outcome.accepted += len(batch)
    return outcome


def _read(batch: Sequence[bytes]) -> list[tuple[str, bytes]]:
    """Read each artifact in a child process; note an artifact that kills the child, and continue with a new
    child."""
    harmful: list[tuple[str, bytes]] = []
    progress = mmap.mmap(-1, 8)
    start = 0
    while start < len(batch):
        life, childs = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _work(batch, start, progress)
                os._exit(0)
            except BaseException as error:  # the child's end, whatever it is
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
                os._exit(1)
        os.close(childs)
        how = _wait(child, life, progress)
        os.close(life)
        if how is None:
            break
        (at,) = struct.unpack("q", progress[:8])
        harmful.append((how, batch[at]))
        start = at + 1
    return harmful


def _work(batch: Sequence[bytes], start: int, progress: mmap.mmap) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY, used + _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    context = make_context()
    for at in range(start, len(batch)):
        progress[:8] = struct.pack("q", at)
        try:
            module = parse.parse_bytecode(context, batch[at], is_trusted=True)
        except HlokitError:
            continue
        for function in functions(module).values():
            try:
                signature(function)
            except HlokitError:
                continue
        module.operation.get_asm(large_elements_limit=16, enable_debug_info=True)
        module.operation.verify()


def _wait(child: int, life: int, progress: mmap.mmap) -> str | None:
    """The failure of the child; None if it succeeded."""
    before = None
    while True:
        now = progress[:8]
        if select.select([life], [], [], _SECONDS)[0]:
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            return None if code == 0 else "raises" if code > 0 else signal.Signals(-code).name
        if now == before:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "hangs"
        before = now


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.unit.compat.campaign", description=__doc__)
    parser.add_argument("--accepted", type=int, default=20_000, help="number of accepted mutants")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--directory", type=Path, help="for harmful artifacts (default: a new one)")
    parser.add_argument("artifacts", nargs="*", type=Path)
    options = parser.parse_args()
    files = options.artifacts or sorted(FIXTURES.glob("*.bc"))
    reader = reader_version()
    seeds = [data for data in map(Path.read_bytes, files) if is_validated(data, reader)]
    outcome = run(seeds, options.accepted, options.seed, options.seconds)
    print(
        f"StableHLO {stablehlo_version()}: {outcome.made} mutants of {len(seeds)} artifacts, "
        f"{outcome.accepted} accepted, {len(outcome.harmful)} did harm"
    )
    if outcome.harmful:
        directory = options.directory or Path(tempfile.mkdtemp(prefix="hlokit-harm-"))
        directory.mkdir(parents=True, exist_ok=True)
        for number, (how, data) in enumerate(outcome.harmful):
            (directory / f"{options.seed}-{number}-{how}.mlirbc").write_bytes(data)
        print(f"harmful artifacts are in {directory}")
    return 1 if outcome.harmful else 0


if __name__ == "__main__":
    raise SystemExit(main())
