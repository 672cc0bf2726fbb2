"""Programs of one operation with changed attributes: what passes the verifier runs, or fails with a clear error.

    python -m tests.fuzz.attributes --programs 5000 [--seed N]

The operations are the valid ones of `tests/verify`. An attribute's integers change to others, lists become longer,
shorter or empty, element types are exchanged. A finding is an internal error, or the death of the
process.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

import hlokit
from hlokit.errors import HlokitError, InternalError
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

SOURCE = Path(__file__).parents[1] / "verify/ops_stablehlo.mlir"
_FUNCTION = re.compile(r"^func\.func .*?^\}", re.MULTILINE | re.DOTALL)
_ARRAY = re.compile(r"(array<i64)(?:: ([-\d, ]*))?>|(dense<)([-\d, \[\]]+)(> : tensor<)([\dx]*)(i64>)")
_NUMBER = re.compile(r"(?<![\w.<x%@:-])-?\d+(?=[],>]| : i\d)")
_TYPES = ("i1", "i8", "i32", "i64", "ui64", "bf16", "f32", "f64", "complex<f32>")
_NUMBERS = (-(2**63), -(2**31), -5, -1, 0, 1, 2, 3, 7, 100, 2**31, 2**62, 2**63 - 1)
BYTES, SECONDS = 2 << 30, 20


@cache
def functions() -> tuple[str, ...]:
    """The valid programs, each with one operation. Loops are left out: they may become endless."""
    text = SOURCE.read_text().split("\n// -----", 1)[0]
    return tuple([function for function in _FUNCTION.findall(text) if "stablehlo.while" not in function])


def mutant(chance: Random) -> str:
    """A program with changed attributes."""
    text = chance.choice(functions())
    if chance.random() < 0.2:
        one, other = chance.sample(_TYPES, 2)
        text = re.sub(rf"(?<=[x<]){one}(?=>)", other, text)
    for _ in range(chance.randint(1, 2)):
        places = [*_ARRAY.finditer(text), *_NUMBER.finditer(text)]
        if not places:
            break
        place = chance.choice(places)
        text = text[: place.start()] + _changed(chance, place) + text[place.end() :]
    return text


def _changed(chance: Random, place: re.Match[str]) -> str:
    if place.re is _NUMBER:
        return str(chance.choice(_NUMBERS))
    if place[1]:
        values = _list(chance, [int(value) for value in (place[2] or "").split(",") if value.strip()])
        return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"
    sizes = place[6].rstrip("x").split("x") if place[6] else []
    if chance.random() < 0.5:
        return f"dense<{chance.choice(_NUMBERS)}> : tensor<{place[6]}i64>"
    sizes = chance.choice([[], ["1"], sizes[:-1], [*sizes, "1"], [*sizes[:-1], "3"], ["0", "2"]])
    return f"dense<{chance.choice(_NUMBERS)}> : tensor<{''.join(f'{size}x' for size in sizes)}i64>"


def _list(chance: Random, values: list[int]) -> list[int]:
    match chance.randrange(4):
        case 0:
            return []
        case 1:
            return [*values, chance.choice(_NUMBERS)]
        case 2:
            return values[:-1]
        case _:
            place = chance.randrange(len(values) + 1)
            return [*values[:place], chance.choice(_NUMBERS), *values[place + 1 :]]


def internal_error(text: str) -> str | None:
    """The internal error of a program, empty if it runs or fails clearly; None if it is refused."""
    try:
        program = hlokit.load(text)
    except InternalError as error:
        return str(error)
    except HlokitError:
        return None
    try:
        arguments = [_argument(type_) for type_ in program.signature().inputs]
        for tier in ("default", "default", "reference"):
            try:
                program(*arguments, **({"tier": tier} if tier == "reference" else {}))
            except InternalError as error:
                return f"{tier}: {error}"
            except (HlokitError, MemoryError):
                continue
    except (HlokitError, NotImplementedError):
        return ""
    return ""


def _argument(type_: object) -> object:
    if not isinstance(type_, TensorType) or type_.element_type.kind is Kind.QUANTIZED:
        raise NotImplementedError
    shape = tuple(3 if size < 0 else size for size in type_.shape or ())
    return np.zeros(shape, type_.element_type.dtype)


def run(first: int, count: int) -> Counter[str]:
    """Run programs in a child process; print what fails."""
    counts: Counter[str] = Counter()
    for seed in range(first, first + count):
        text = mutant(Random(seed))
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            outcome = internal_error(text)
            os.write(writing, ("refused" if outcome is None else outcome or "fine").encode()[:4000])
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as answers:
            outcome = answers.read().decode(errors="replace")
        os.waitpid(child, 0)
        outcome = outcome or "died"
        counts[outcome if outcome in ("refused", "fine", "died") else "internal error"] += 1
        if outcome not in ("refused", "fine"):
            print(f"seed {seed}: {outcome}\n{text}\n", flush=True)
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.attributes", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    counts = run(options.seed, options.programs)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return int(bool(counts["died"] or counts["internal error"]))


if __name__ == "__main__":
    sys.exit(main())
