"""Faults planted in the dumps of right compilations: `hlokit passes` names the stage of each.

A fault changes one random snapshot: operands of an operation or of a fusion are exchanged, a constant moves, or
the layout of a bitcast is another one. Whether it shows is decided by evaluating the snapshot as a whole program.

    python -m tests.fuzz.stages --count=60 --seed=1
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hlokit
from benchmarks.libraries import ARTIFACTS
from benchmarks.libraries.arguments import read
from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import xla_modules
from hlokit.programs.importers.hlo import module_proto
from hlokit.programs.program import Program
from hlokit.tools.stages.compilers import compiled
from hlokit.tools.stages.dumps import read_folder
from hlokit.tools.stages.report import StagesReport
from hlokit.tools.stages.run import certify_dumps
from hlokit.tools.stages.settings import DEFAULTS, Settings
from hlokit.tools.stages.snapshots import Snapshot

MODELS = Path(__file__).parents[2] / "examples" / "models"
SMALL = """
func.func @main(%x: tensor<4x6xf32>, %y: tensor<6x4xf32>) -> (tensor<4xf32>, tensor<4x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<4x6xf32>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %e = stablehlo.exponential %x : tensor<4x6xf32>
  %p = stablehlo.add %e, %half : tensor<4x6xf32>
  %q = stablehlo.divide %t, %p : tensor<4x6xf32>
  %d = stablehlo.subtract %q, %x : tensor<4x6xf32>
  %dot = stablehlo.dot_general %d, %y, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %r = stablehlo.reduce(%dot init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r, %d : tensor<4xf32>, tensor<4x6xf32>
}
"""
FAULTS = {
    "operands": (re.compile(r" (subtract|divide|power|atan2|dot)\((%[^ ,]+), (%[^ ,)]+)\)"), r" \1(\3, \2)"),
    "constant": (re.compile(r"(\bf32\[\]) constant\((-?\d[\d.e-]*)\)"), r"\1 constant(0.625)"),
    "bitcast": (re.compile(r"(\w+\[\d+,\d+\])\{(\d),(\d)\} bitcast\("), r"\1{\3,\2} bitcast("),
    "fusion": (re.compile(r" fusion\((%[^ ,]+), (%[^ ,)]+)"), r" fusion(\2, \1"),
}
# A difference that no rounding explains.
_CLEAR = 1e-2


class Subject(NamedTuple):
    """A program with its arguments, and the folder of its dumps."""

    program: Program
    arguments: Sequence[Any]
    folder: Path


class Outcome(NamedTuple):
    """What became of a fault: `named`, `quiet` (it changes no result), `small`, `NOT COMPARED` (perhaps for
    lack of time), `MISSED` or `WRONG`."""

    verdict: str
    text: str


def small(folder: Path) -> Subject:
    """A small program."""
    return _compiled(hlokit.load(SMALL), None, folder)


def model(name: str, folder: Path) -> Subject:
    """One of the example models, or, with a folder in its name, of the programs of libraries."""
    if "/" in name:
        program = hlokit.load((ARTIFACTS / f"{name}.mlir.bc").read_bytes())
        return _compiled(program, read(ARTIFACTS / f"{name}.zip"), folder)
    arrays = np.load(MODELS / f"{name}.npz")
    return _compiled(hlokit.load(MODELS / f"{name}.mlirbc"), [arrays[key] for key in arrays.files], folder)


def _compiled(program: Program, arguments: Sequence[Any] | None, folder: Path) -> Subject:
    signature = program.signature()
    count = len(signature.inputs)
    chosen = program.example_inputs() if arguments is None or len(arguments) < count else arguments[:count]
    folder.mkdir()
    compiled("xla", program, signature.name, signature.values(chosen), str(folder), 300)
    return Subject(program, chosen, folder)


def plant(rng: random.Random, subject: Subject, folder: Path) -> tuple[int, str, bytes]:
    """Plant a fault in a copy of the dumps: the number of its snapshot, its kind, and the right snapshot."""
    snapshots = read_folder(str(subject.folder))
    while True:
        number = rng.randrange(1, len(snapshots))
        kind = rng.choice(list(FAULTS))
        right = snapshots[number].read()
        faulty = _with_fault(rng, right, kind)
        if faulty is not None:
            break
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(subject.folder, folder)
    (folder / snapshots[number].source).write_bytes(faulty)
    return number, kind, right


def _with_fault(rng: random.Random, data: bytes, kind: str) -> bytes | None:
    """A proto with a fault; None if there is no such operation, or the program becomes invalid."""
    hlo = xla_modules()[2]
    options = hlo.HloPrintOptions()
    options.print_large_constants = True
    message = module_proto(data)
    assert message is not None
    text: str = hlo.HloModule.from_serialized_hlo_module_proto(bytes(message)).to_string(options)
    pattern, new = FAULTS[kind]
    matches = list(pattern.finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    changed = text[: match.start()] + match.expand(new) + text[match.end() :]
    if changed == text:
        return None
    try:
        proto: bytes = hlo.hlo_module_from_text(changed).as_serialized_hlo_module_proto()
        hlokit.load(proto)
    except (RuntimeError, ValueError, HlokitError):
        return None
    return proto


def tried(rng: random.Random, subject: Subject, folder: Path, settings: Settings = DEFAULTS) -> Outcome:
    """Plant a fault, and judge the report."""
    number, kind, right = plant(rng, subject, folder)
    snapshot = read_folder(str(folder))[number]
    difference = _difference(subject, right, snapshot)
    settings = settings._replace(stops=True)
    report = certify_dumps(str(folder), subject.program, *subject.arguments, settings=settings)
    return Outcome(_verdict(report, number, difference), f"{kind} in {snapshot.source}, off by {difference}")


def _difference(subject: Subject, right: bytes, snapshot: Snapshot) -> float:
    """The relative difference that a fault makes in the results of the whole program."""
    pairs = zip(*[_results(data, subject.arguments) for data in (right, snapshot.read())], strict=True)
    return max([_relative(first, second) for first, second in pairs], default=0.0)


def _results(data: bytes, arguments: Sequence[Any]) -> list[Any]:
    results = hlokit.load(data)(*arguments)
    return [np.asarray(result) for result in (results if isinstance(results, tuple) else (results,))]


def _relative(first: Any, second: Any) -> float:
    if first.tobytes() == second.tobytes():
        return 0.0
    first, second = first.astype(np.float64), second.astype(np.float64)
    if not np.array_equal(np.isfinite(first), np.isfinite(second)):
        return np.inf
    finite = np.isfinite(first)
    scale = np.abs(first[finite]).max(initial=1e-30)
    return float(np.abs(first - second)[finite].max(initial=0.0) / scale)


def _verdict(report: StagesReport, number: int, difference: float) -> str:
    if report.first is not None:
        return "named" if report.stages.index(report.first) == number else "WRONG"
    if report.stages[number].verdict == "unknown":
        return "NOT COMPARED"
    if difference > _CLEAR:
        return "MISSED"
    return "small" if difference else "quiet"


def main() -> int:
    """Run a campaign; the exit status is 1 if a fault was not named, or named at another stage."""
    parser = argparse.ArgumentParser(description="Plant faults in dumps of XLA.")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-limit", type=float, default=DEFAULTS.time_limit, help="seconds, see Settings")
    parser.add_argument(
        "--models",
        default="digits,train_step",
        help="example models besides a small program, also of libraries: graphs/attention",
    )
    flags = parser.parse_args()
    rng = random.Random(flags.seed)
    settings = Settings(time_limit=flags.time_limit)
    verdicts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        subjects = [small(folder / "small")]
        for name in filter(None, flags.models.split(",")):
            subjects.append(model(name, folder / name.replace("/", "_")))
        for subject in subjects:
            report = certify_dumps(
                str(subject.folder), subject.program, *subject.arguments, settings=settings
            )
            print(subject.folder.name, report.headline, flush=True)
            verdicts["ACCUSED"] += report.status != 0
        for _ in range(flags.count):
            outcome = tried(rng, rng.choice(subjects), folder / "planted", settings)
            verdicts[outcome.verdict] += 1
            print(*outcome, flush=True)
    print(dict(verdicts))
    return int(any(verdicts[bad] for bad in ("ACCUSED", "NOT COMPARED", "MISSED", "WRONG")))


if __name__ == "__main__":
    sys.exit(main())
