"""Programs, all configurations of their runs, and the hashes of their results."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.case import LIBRARY
from benchmarks.measure import build
from benchmarks.programs import CASES
from tests.generate import PROFILES, generate

WORKER = Path(__file__).with_name("worker.py")
KEPT = Path(__file__).with_name("hashes.json")

FIRST_SEED = 7_000_000


class Configuration(NamedTuple):
    """A configuration: an environment and kinds of runs that must not change results."""

    environment: dict[str, str]
    kinds: str


# Slow kinds of runs are in the configurations in which they find most differences.
LARGE = {
    "two threads": Configuration({"HLOKIT_THREADS": "2"}, "runs,layouts,observed"),
    "one thread": Configuration({"HLOKIT_THREADS": "1"}, "runs,layouts"),
    "nothing fast": Configuration({"HLOKIT_DISABLE": "all"}, "layouts"),
    "baseline instructions": Configuration({"HLOKIT_CPU": "baseline"}, "runs,layouts"),
}
# For programs of libraries. Some of these programs run for seconds without native programs.
LONG = {
    "two threads": Configuration({"HLOKIT_THREADS": "2"}, "runs"),
    "baseline instructions": Configuration({"HLOKIT_CPU": "baseline", "HLOKIT_THREADS": "1"}, "runs,layouts"),
}
_ALL = "runs,layouts,observed,thresholds"
SMALL = {name: Configuration(environment, _ALL) for name, (environment, _) in LARGE.items()} | {
    "reference": Configuration({}, "reference")
}
Hashes = dict[str, dict[str, str]]  # by program, then by kind of run


def hashes_of(files: dict[str, Path], configuration: Configuration) -> Hashes:
    """The hashes of programs by name, in a separate process."""
    listed = next(iter(files.values())).parent / "files.json"
    listed.write_text(json.dumps([str(path) for path in files.values()]))
    done = subprocess.run(
        [sys.executable, str(WORKER), str(listed), configuration.kinds],
        env={**os.environ, "OMP_NUM_THREADS": "1", **configuration.environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    names = {path.name: name for name, path in files.items()}
    return {names[file]: found for file, found in map(json.loads, done.stdout.splitlines())}


def random_programs(directory: Path, count: int, first_seed: int = FIRST_SEED) -> dict[str, Path]:
    """Random programs of several profiles, as files."""
    files: dict[str, Path] = {}
    for seed in range(first_seed, first_seed + count):
        profile = list(PROFILES)[seed % len(PROFILES)]
        program = generate(seed, profile)
        files[f"{profile} {seed}"] = path = directory / f"{seed}.random"
        path.write_bytes(pickle.dumps((program.text, list(program.arguments))))
    return files


def benchmark_programs(directory: Path, *, of_libraries: bool, only_quick: bool = False) -> dict[str, Path]:
    """The programs that the benchmarks run, as files: those of libraries, or all others."""
    cases = [
        case
        for case in CASES
        if (case.kind == LIBRARY) == of_libraries and not case.plan_only and (case.is_quick or not only_quick)
    ]
    files: dict[str, Path] = {}
    for name, file in build(cases, str(directory)).items():
        program = pickle.loads(Path(file).read_bytes())
        files[name] = path = Path(file)
        path.write_bytes(pickle.dumps((program.source, list(program.arguments))))
    return files


def all_hashes(files: dict[str, Path], configurations: dict[str, Configuration]) -> Hashes:
    """All hashes of each program, by configuration and kind of run."""
    found: Hashes = {name: {} for name in files}
    for name, configuration in configurations.items():
        for program, hashes in hashes_of(files, configuration).items():
            found[program].update({f"{name}, {run}": value for run, value in hashes.items()})
    return found


def differing(hashes: Hashes) -> Hashes:
    """The programs that have more than one hash, or an error."""
    return {
        name: found
        for name, found in hashes.items()
        if len(set(found.values())) != 1 or any(run.endswith(", error") for run in found)
    }
