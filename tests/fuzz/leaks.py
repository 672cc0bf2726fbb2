"""Memory that the extensions lose: loads, runs and errors of random programs under LeakSanitizer.

    python -m tests.fuzz.leaks [--rounds 100] [--seed N] [--jobs 2] [--build DIRECTORY]

LeakSanitizer's library is loaded before a process with Python, which then uses hlokit (`leaks_worker.py`); the
leak check runs while everything in use is still reachable. It needs no special extensions. `--build` takes a
directory with extensions that AddressSanitizer instruments (docs/fuzzing.md has the command), which also finds
reads and writes outside of arrays.

A finding is a leak whose stack has a frame of an extension of hlokit, an object of the extensions that nanobind
reports as leaked, an error of AddressSanitizer, and any other leak that is not in `KNOWN`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Leaks of other libraries: a file and a function on the stack -> the reason.
KNOWN = {
    "libjax_common.so": "the bindings keep names of types that they make when they are imported",
}
_EXTENSION = re.compile(r"/hlokit/_(kernels|bytecode)\.")
_LEAK = re.compile(r"^(?:Direct|Indirect) leak of .*?(?=^$)", re.MULTILINE | re.DOTALL)
_NANOBIND = re.compile(r"leaked (?:instance|type|function).*hlokit.*")


def library(name: str) -> Path | None:
    """A library of the compiler, `liblsan.so` or `libasan.so`; None if it is missing."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    found = subprocess.run(
        [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    return Path(found) if os.path.isabs(found) else None


def report(rounds: int, seed: int, *, build: Path | None = None, planted: bool = False) -> str:
    """The output of the sanitizer and of nanobind for a process of `rounds` rounds.

    Raises:
      RuntimeError: the process failed, or did not reach the check.
    """
    names = ("liblsan.so",) if build is None else ("libasan.so", "libstdc++.so")
    options = "detect_leaks=1:leak_check_at_exit=0:exitcode=0:symbolize=0"
    options += ":fast_unwind_on_malloc=0:malloc_context_size=16"
    variables = {
        "LD_PRELOAD": " ".join(str(library(name)) for name in names),
        "LSAN_OPTIONS": options,
        "ASAN_OPTIONS": options,
        # Python's own allocator keeps objects in memory that LeakSanitizer does not search.
        "PYTHONMALLOC": "malloc",
    }
    program = [sys.executable, "-m", "tests.fuzz.leaks_worker"]
    if build is not None:
        # Without .pth files, of which one leads to the editable installation.
        program.insert(1, "-S")
        variables["PYTHONPATH"] = os.pathsep.join([str(build), sysconfig.get_path("purelib"), str(ROOT)])
    done = subprocess.run(
        [*program, str(rounds), str(seed), *(["planted"] if planted else [])],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0 or "checked" not in done.stdout:
        raise RuntimeError(f"status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stderr


def findings(said: str) -> Iterator[str]:
    """The findings in a report."""
    for leak in _LEAK.findall(said + "\n"):
        if _EXTENSION.search(leak) or not any(known in leak for known in KNOWN):
            yield leak
    yield from _NANOBIND.findall(said)
    if "ERROR: AddressSanitizer" in said:
        yield said


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; the exit status is 1 if there are findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.leaks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", type=Path)
    given = parser.parse_args(arguments)
    each = -(-given.rounds // given.jobs)
    seeds = range(given.seed, given.seed + given.rounds, each)
    with ThreadPoolExecutor(given.jobs) as pool:
        reports = pool.map(lambda seed: report(each, seed, build=given.build), seeds)
        found = [finding for said in reports for finding in findings(said)]
    print(*found, f"{len(seeds) * each} rounds, {len(found)} findings", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
