"""All inputs of functions of one f32, and of two numbers of 16 bits: in chunks, with a file to resume from.

The file is JSON: a record for each function and type, with the versions that it applies to. Incomplete
records are continued; records of other versions start again. docs/accuracy.md shows the records of
docs/accuracy/exhaustive.json.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's views have no types)

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from hlokit.values.element_types import BF16, F16, F32
from hlokit.values.float_format import float_format
from tools.accuracy import pairs
from tools.accuracy.functions import FUNCTIONS, Function
from tools.accuracy.implementations import elementwise_text, hlokit
from tools.accuracy.screen import Chunk, Screen
from tools.accuracy.versions import versions

Array = Any

INPUTS = 1 << 32
_CHUNK = 1 << 22
# The number of elements at a time: their temporaries fit into the processor's cache.
_PIECE = 1 << 15
# Input number n of a function of one f32 has the bits n * _SPREAD modulo 2**32: any number of first inputs is
# spread over all exponents and mantissas.
_SPREAD = 0x9E3779B1
# Functions whose f64 result is exact, even at the midpoint of two f32 numbers.
_EXACT_IN_F64 = ("square",)
# The seconds between two updates of the file.
_SAVED_EVERY = 20.0


@dataclass(slots=True)
class Record:
    """The errors of an operation over all inputs.

    Attributes:
      op, type_name: identify the operation and type.
      done: the number of evaluated inputs: the first ones of a fixed order, which spreads those of one f32.
      errors: the errors over these inputs.
      seconds: processor time, including hlokit's own evaluation.
      date: the day of the last evaluation.
      versions: the versions of everything that affects the numbers.
    """

    op: str
    type_name: str
    done: int = 0
    errors: Chunk = field(default_factory=Chunk)
    seconds: float = 0.0
    date: str = ""
    versions: dict[str, str] = field(default_factory=versions)

    @property
    def key(self) -> str:
        return f"{self.op} {self.type_name}"

    @property
    def is_whole(self) -> bool:
        return self.done == INPUTS

    @property
    def worst(self) -> str:
        """The operands of the largest error."""
        if self.errors.largest == 0:
            return ""
        if self.type_name == "f32":
            return repr(float(np.uint32(self.errors.worst).view(np.float32)))
        return pairs.operands_text(self.type_name, self.errors.worst)

    @property
    def is_missed(self) -> bool:
        """Whether hlokit misses its target."""
        return self.errors.largest > 0.501 or self.errors.special > 0

    def __str__(self) -> str:
        errors = self.errors
        return (
            f"{self.key}, {'all' if self.is_whole else f'{self.done / INPUTS:.1%} of'} inputs: at most "
            f"{errors.largest:.9f} ULP, {errors.misrounded} not nearest, "
            f"{errors.special} wrong zeros, infinities or NaN"
        )


def unary() -> tuple[Function, ...]:
    """The functions of one float."""
    return tuple(f for f in FUNCTIONS if f.operands == 1 and f.takes_float)


def keys() -> Iterator[tuple[str, str]]:
    """Operations and types of all possible records."""
    for function in unary():
        yield function.name, "f32"
    for type_ in (F16, BF16):
        for name in pairs.OPERATIONS:
            yield name, type_.name


def read(path: Path | None) -> dict[str, Record]:
    """The records of a file; empty if the file does not exist."""
    if path is None or not path.exists():
        return {}
    records: list[Record] = []
    for stored in json.loads(path.read_text()):
        stored["errors"] = Chunk(**stored["errors"])
        records.append(Record(**stored))
    return {record.key: record for record in records}


def write(path: Path | None, records: dict[str, Record]) -> None:
    """Store records through a temporary file, so that an interruption leaves the old file intact."""
    if path is None:
        return
    beside = path.with_suffix(".partial")
    beside.write_text(json.dumps([asdict(record) for record in records.values()], indent=1) + "\n")
    beside.replace(path)


def run(
    chosen: Sequence[tuple[str, str]],
    path: Path | None,
    progress: Callable[[Record], None],
    *,
    inputs: int = INPUTS,
    chunk: int = _CHUNK,
) -> Iterator[Record]:
    """Evaluate all inputs of operations; yields a record of each that the file does not have yet.

    Args:
      path: the file to resume from.
      inputs: the number of inputs to stop at, for tests.
    """
    records = read(path)
    for op, type_name in chosen:
        record = records.get(f"{op} {type_name}")
        if record is None or record.versions != versions():
            record = Record(op, type_name)
        records[record.key] = record
        evaluate = _functions(op) if type_name == "f32" else pairs.evaluation(op, type_name)
        saved = time.monotonic()
        while record.done < inputs:
            start = time.process_time()
            _add(record.errors, evaluate(record.done, min(chunk, inputs - record.done)))
            record.done += min(chunk, inputs - record.done)
            record.seconds = round(record.seconds + time.process_time() - start, 3)
            record.date = f"{datetime.now(UTC):%Y-%m-%d}"
            if time.monotonic() - saved > _SAVED_EVERY:
                write(path, records)
                saved = time.monotonic()
            progress(record)
        write(path, records)
        yield record


def _functions(op: str) -> Callable[[int, int], Chunk]:
    (function,) = [f for f in unary() if f.name == op]
    screen = screen_of(function)

    def evaluate(start: int, count: int) -> Chunk:
        numbers = np.arange(start, start + count, dtype=np.int64).astype(np.uint32)
        operand = (numbers * np.uint32(_SPREAD)).view(np.float32)
        results = hlokit(elementwise_text(function.name, (operand,), F32), (operand,))
        errors = judge(screen, start, operand, results)
        errors.worst = errors.worst * _SPREAD % INPUTS
        return errors

    return evaluate


def screen_of(function: Function) -> Screen:
    """The screen for results of a function of one f32."""
    assert function.quick is not None
    is_exact = function.short_name in _EXACT_IN_F64
    return Screen(
        float_format(F32),
        function.quick,
        None if is_exact else function.exact,
        function.name,
        function.cost,
        function.trusted,
    )


def judge(screen: Screen, start: int, operand: Array, results: Array) -> Chunk:
    """Compare results for consecutive f32 operands, of which the first has these bits."""
    found = Chunk(count=operand.size)
    with np.errstate(all="ignore"):
        for first in range(0, operand.size, _PIECE):
            piece = slice(first, first + _PIECE)
            wide = operand[piece].astype(np.float64)
            screen.compare(found, start + first, (wide,), results[piece].astype(np.float64))
        screen.check(found, (operand.astype(np.float64),), start)
    return found


def _add(total: Chunk, part: Chunk) -> None:
    if part.largest > total.largest:
        total.largest, total.worst = part.largest, part.worst
    total.count += part.count
    total.misrounded += part.misrounded
    total.special += part.special
    total.first_special = total.first_special or part.first_special
    total.decided += part.decided
    total.reference = max(total.reference, part.reference)


def rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """The records as plain values, for JSON."""
    return [{**asdict(record), "worst": record.worst} for record in records]
