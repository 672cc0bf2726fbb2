"""Random operations with unknown dimensions, on arguments of right and wrong sizes.

    python -m tests.fuzz.shapes --programs 10000 [--seed N] [--oracle-every 50]

All tiers and the reference must agree: on a value, which is also that of the operation with static types, or on
an `EvaluationError`, where no static types are valid.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import hlokit
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.mlir.text.split import split_input
from hlokit.operations.lookup import traits_of
from hlokit.values.types import TensorType
from tests import oracles
from tests.generate import generate
from tests.generate.dynamic import (
    DynamicProgram,
    dynamic_program,
    operations_of,
    static_text,
    text_with_unknown_results,
)
from tests.generate.same import listed, same

INTERPRET = Path(__file__).parents[1] / "interpret"
Outcome = list[Any] | Exception


class _Nothing:
    """An observer, for observed runs."""

    def before(self, plan: Any, step: Any, operands: Any) -> None: ...

    def after(self, plan: Any, step: Any, operands: Any, results: Any) -> None: ...


def _outcome(call: Callable[[], Any]) -> Outcome:
    try:
        return listed(call())
    except Exception as error:  # any exception is an outcome
        return error


def outcomes(text: str, arguments: tuple[Any, ...]) -> dict[str, Outcome]:
    """The results, or the error, of each tier."""
    program = hlokit.load(text)
    runs = {
        f"run {number}": _outcome(lambda: program(*arguments)) for number in (1, 2, 3, 4)
    }  # the later ones are compiled
    runs["observed"] = _outcome(lambda: program(*arguments, observer=_Nothing()))
    runs["reference"] = _outcome(lambda: program(*arguments, tier="reference"))
    return runs


def judge(program: DynamicProgram, *, with_oracle: bool = False) -> tuple[str, str]:
    """The outcome (`value`, `error` or `unsupported`), and what is wrong with it; "" if nothing is."""
    runs = outcomes(program.text, program.arguments)
    errors = {name: run for name, run in runs.items() if isinstance(run, Exception)}
    if any(isinstance(error, UnsupportedError) for error in errors.values()):
        return "unsupported", ""
    for name, error in errors.items():
        if not isinstance(error, EvaluationError):
            return "error", f"{name}: {type(error).__name__}: {error}"
    if errors and len(errors) < len(runs):
        return "error", f"only some runs fail: {errors}"
    if errors:
        return "error", _why_refused(program)
    first, of_reference = runs["run 1"], runs.pop("reference")
    assert isinstance(first, list)
    assert isinstance(of_reference, list)
    for name, run in runs.items():
        if not _are_same(first, run):
            return "value", f"run 1 and {name} differ: {first} {run}"
    shapes, others = ([np.shape(value) for value in values] for values in (first, of_reference))
    if shapes != others:
        return "value", f"shapes are {shapes}, those of the reference {others}"
    static = static_text(program, first)
    if static is None:
        # The types within regions of control flow are not those of the arguments.
        return "value", "" if traits_of(program.name).control else f"no static types are valid, got {shapes}"
    expected = outcomes(static, program.arguments)
    if not _are_same(first, expected["run 1"]):
        return "value", "the value differs from that of static types"
    if not _are_same(of_reference, expected["reference"]):
        return "value", "the reference's value differs from that of static types"
    return "value", _differs_from_xla(static, program, first) if with_oracle else ""


def _are_same(one: Outcome, two: Outcome) -> bool:
    if isinstance(one, Exception) or isinstance(two, Exception):
        return False
    return len(one) == len(two) and all(map(same, one, two))


def _why_refused(program: DynamicProgram) -> str:
    """What is wrong with an error, if it is: the sizes fit, or nothing but the type of a result is against
    them."""
    error = _outcome(lambda: hlokit.load(program.text)(*program.arguments))
    if "must follow from" in str(error):
        return ""  # sizes of a result that no operand has
    if not program.is_changed:
        return f"the right sizes are refused: {error}"
    text = text_with_unknown_results(program)
    outcome = _outcome(lambda: hlokit.load(text)(*program.arguments)) if text is not None else ValueError()
    if isinstance(outcome, Exception):
        return ""
    types = hlokit.load(program.text).signature().outputs
    fits = [
        isinstance(type_, TensorType) and type_.admits(np.shape(value))
        for type_, value in zip(types, outcome, strict=True)
    ]
    if all(fits):
        return f"sizes are refused that give {[np.shape(value) for value in outcome]}"
    return ""


def _differs_from_xla(static: str, program: DynamicProgram, ours: list[Any]) -> str:
    try:
        theirs = oracles.xla(static, *map(np.asarray, program.arguments))
    except oracles.OracleError:
        return ""
    shapes = [np.shape(value) for value in ours], [value.shape for value in theirs]
    return "" if shapes[0] == shapes[1] else f"shapes are {shapes[0]}, XLA has {shapes[1]}"


@cache
def _texts() -> list[str]:
    """The programs of tests/interpret, which have every operation."""
    files = sorted(INTERPRET.rglob("*.mlir"))
    return [text for file in files for text in split_input(file.read_text()) if text.strip()]


def programs(seed: int, count: int) -> Iterator[tuple[int, DynamicProgram]]:
    """Programs with unknown dimensions, with their seeds: of operations of random programs, and of those in
    tests/interpret."""
    texts, made = _texts(), 0
    while made < count:
        random = Random(seed)
        if random.random() < 0.25:
            program = generate(seed, "oracles")
            operations = operations_of(program.text, *program.arguments)
            operations = random.sample(operations, min(4, len(operations)))
        else:
            operations = operations_of(random.choice(texts))
        for applied in operations:
            program = dynamic_program(random, applied, wrong=random.random() < 0.7)
            if program is not None and made < count:
                made += 1
                yield seed, program
        seed += 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.shapes", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="number of programs")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first source program")
    parser.add_argument("--oracle-every", type=int, default=50, help="compare every Nth program with XLA")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    operations: Counter[str] = Counter()
    start = time.monotonic()
    for number, (seed, program) in enumerate(programs(options.seed, options.programs)):
        outcome, wrong = judge(program, with_oracle=number % options.oracle_every == 0)
        counts[outcome] += 1
        operations[program.name] += 1
        if wrong:
            counts["WRONG"] += 1
            shapes = [np.shape(argument) for argument in program.arguments]
            print(f"WRONG, seed {seed}: {program.name} {shapes}\n{wrong}\n{program.text}\n", flush=True)
    print(f"{options.programs} programs, seeds from {options.seed}, {time.monotonic() - start:.0f} s")
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    print(", ".join(f"{name} {count}" for name, count in operations.most_common()))
    return int(counts["WRONG"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
