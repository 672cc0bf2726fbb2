"""Measurements as Markdown and JSON, and the measurements that miss the targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from tools.accuracy import exhaustive, pairs
from tools.accuracy.exhaustive import Record
from tools.accuracy.implementations import INTERPRETER, XLA
from tools.accuracy.measure import Measurement
from tools.accuracy.plot import file_name
from tools.accuracy.run import HLOKIT
from tools.accuracy.versions import machine, versions

NARROW_TARGET, F64_TARGET, COMPLEX_TARGET = 0.501, 1.0, 2.0

# The page shows plots of this type.
SHOWN = "f32"

_HOW_TO_READ = """## How to read this

An error is |result - exact| in units in the last place (ULP) of the exact result: rounding to the nearest
value has errors of at most 0.5. *max* is the largest and *mean* the average error of all finite results;
*not nearest* counts results that are not the nearest value of the type (types narrower than f64);
*wrong* counts results that are a NaN, an infinity or a zero of the wrong sign
although IEEE 754 and Annex F of C99 require another result, or the reverse. Functions of one operand are
measured for all values of types of up to 16 bits, functions of two operands for all pairs of values of types
of up to 8 bits; see *inputs*. Pairs of values of 16 bits are samples from all pairs of signs and exponents.

The inputs of wider types are drawn, the same in every run, from: zeros, infinities, NaN, the ends of the
normal and subnormal ranges; the neighbours of points where a function is difficult (overflow thresholds,
roots, poles, multiples of pi/2); all exponents; the ranges where a function varies; pairs whose sum nearly
cancels, and powers of bases near 1. Complex inputs: pairs of zeros and small numbers of both signs (both
sides of all branch cuts), the plane around 0, the unit circle, both axes' surroundings, all exponents.

The errors of the parts of a complex result are measured separately: *max* is the error of the worse part in
ULP of this part, *conditioned* the error in ULP of the larger of the part and its change under relative
changes of the operands' parts. If a part nearly vanishes by cancellation, only the latter can be small. A
part that overflows must have the sign of the exact part, except if relative changes of the operands by 2 ULP
may change the sign; *Targets* states the number of these results.

The reference is longdouble first, whose own error is below 2**-38 ULP of f32 and 2**-9 ULP of f64. mpmath,
with doubled precision until nothing changes, recomputes the worst results until it has confirmed the worst
one, and some random results, which decide whether longdouble is trusted. mpmath computes
all results of complex<f64> and of special functions of f64, whose samples are therefore fewer.

hlokit's targets: types narrower than f64 at most 0.501 ULP, f64 1 ULP, complex types 2 ULP conditioned, no
wrong zeros, infinities or NaN; sums and dot products no worse than pairwise summation. XLA:CPU and the
interpreter of jaxlib's MLIR bindings (eval_module; chlo operations through chlo-legalize-to-stablehlo) run
the same programs and inputs. XLA:CPU flushes subnormal numbers to zero in many operations, an error of up to
2**24 ULP of f32; *of normals* is the largest error of results without subnormal operands and results.
A dash means that the implementation does not evaluate the operation.
"""

_PLOTS = """The plots are those of f32; `python -m tools.accuracy --plots=DIR` makes one for each function and
each type of 16 bits and more, complex ones included. A curve is the largest error in each of 240 intervals of
inputs, which grow with the input's size, cut off at 4 ULP. Functions of two operands, and of complex
numbers, have a map for each implementation: the largest error in each of 40 x 40 cells."""


def missed(found: Sequence[Measurement], records: Sequence[Record] = ()) -> list[str]:
    """The targets that hlokit misses, one sentence each."""
    sentences: list[str] = []
    for one in found:
        if one.implementation != HLOKIT:
            continue
        error, limit = error_and_limit(one)
        if error > limit:
            sentences.append(f"{one.op} {one.type_name}: {error:.6g} {unit(one)} at {one.worst}")
        if one.special:
            sentences.append(f"{one.op} {one.type_name}: {one.special} wrong, {one.first_special}")
    for record in records:
        if record.is_missed:
            sentences.append(f"{record}; {record.errors.first_special or record.worst}")
    return sentences


def error_and_limit(one: Measurement) -> tuple[float, float]:
    """The relevant error, and its limit."""
    error = one.largest if one.conditioned is None else one.conditioned
    return error, target(one.type_name) if one.bound is None else one.bound


def unit(one: Measurement) -> str:
    """The unit of errors: ULP, or the unit roundoff times the scale of a sum."""
    return "ULP" if one.bound is None else "u scale"


def target(type_name: str) -> float:
    """hlokit's target for the error, in ULP."""
    if type_name.startswith("complex"):
        return COMPLEX_TARGET
    return F64_TARGET if type_name == "f64" else NARROW_TARGET


def as_json(found: Sequence[Measurement], records: Sequence[Record] = ()) -> dict[str, Any]:
    """Everything, with versions."""
    fields = [name for name in Measurement.__slots__ if name not in ("curve", "cells")]
    return {
        "versions": versions(),
        "measurements": [{name: getattr(one, name) for name in fields} for one in found],
        "exhaustive": exhaustive.rows(records),
    }


def as_markdown(
    found: Sequence[Measurement], command: str, plots: str | None = None, records: Sequence[Record] = ()
) -> str:
    """The page.

    Args:
      command: the command that made the page.
      plots: the directory of the plots, relative to the page's; without it, the page shows no plots.
      records: the errors of operations over all inputs.
    """
    by_key: dict[tuple[str, str], dict[str, Measurement]] = {}
    for one in found:
        if one.op != "convert":
            by_key.setdefault((one.op, one.type_name), {})[one.implementation] = one
    parts = [
        "# Accuracy",
        f"Made by `{command}` on {datetime.now(UTC):%Y-%m-%d}.",
        f"Machine: {machine()}. "
        + "Versions: "
        + ", ".join(f"{name} {text}" for name, text in versions().items())
        + ".",
        _HOW_TO_READ.strip(),
        *_summary(found, records),
        *_exhaustive(records),
        *_functions(by_key, plots),
        *_sums(by_key),
        *_conversions(found),
    ]
    return "\n\n".join(parts) + "\n"


def _summary(found: Sequence[Measurement], records: Sequence[Record]) -> list[str]:
    own = [one for one in found if one.implementation == HLOKIT]
    sentences = missed(found, records)
    kept = "hlokit meets all of its targets here."
    lines = ["## Targets", kept if not sentences else "hlokit misses its targets here:"]
    if sentences:
        lines.append("\n".join(f"- {sentence}" for sentence in sentences))
    lines.append(
        "\n".join(["| | target | results | at most | by |", "|---|---|---|---|---|", *_classes(own)])
    )
    undetermined = [one for one in own if one.undetermined]
    if undetermined:
        each = ", ".join(f"{one.undetermined} of {one.op} of {one.type_name}" for one in undetermined)
        lines.append(f"Complex results that overflow with signs that their conditioning leaves open: {each}.")
    return lines


def _classes(own: Sequence[Measurement]) -> Iterator[str]:
    """The worst result of each class of operations and types that has a target."""
    classes: dict[tuple[str, str], list[Measurement]] = {}
    for one in own:
        if one.bound is not None:
            key = (f"{one.op.partition(' ')[0].rstrip(',')} of {one.type_name}", "the bound below")
        elif one.type_name.startswith("complex"):
            key = ("functions of complex numbers", f"{COMPLEX_TARGET:g} ULP, conditioned")
        elif one.type_name == "f64":
            key = ("functions of f64, conversions to it", f"{F64_TARGET:g} ULP")
        else:
            key = ("narrower types: functions, sums, conversions", f"{NARROW_TARGET:g} ULP")
        classes.setdefault(key, []).append(one)
    for (name, limit), those in classes.items():
        worst = max(those, key=_share)
        error, bound = error_and_limit(worst)
        measured = f"{_number(error)} {unit(worst)}" + (
            "" if worst.bound is None else f" of {_number(bound)}"
        )
        where = f"`{worst.op}` of {worst.type_name}"
        yield f"| {name} | {limit} | {sum(one.count for one in those)} | {measured} | {where} |"
    misrounded, special = sum(one.misrounded or 0 for one in own), sum(one.special for one in own)
    yield f"| narrower types: results that are not nearest | 0 | | {misrounded} | |"
    yield f"| zeros, infinities, NaN that are wrong | 0 | | {special} | |"


def _share(one: Measurement) -> float:
    error, limit = error_and_limit(one)
    return error / limit


def _exhaustive(records: Sequence[Record]) -> list[str]:
    if not records:
        return []
    whole = [record for record in records if record.is_whole]
    parts = [
        "## All inputs",
        "`python -m tools.accuracy --exhaustive --output=FILE` evaluates all 2**32 inputs of functions of "
        "one f32, or with `--inputs=N` only N, spread over all exponents and mantissas, "
        "and all 2**32 pairs of f16 and of bf16. f64 determines the nearest value, except where the exact "
        "value may lie on the other side of the midpoint of two values: there mpmath decides (*decided*). "
        "*error of f64* is the error, in ULP of f64, of the f64 function that judges the results, where "
        "mpmath has checked it; the limit is 16, and 4096 for lgamma and digamma. For sums, products, "
        "quotients, remainders and similar operations on numbers of 16 bits, f64 alone is exact enough.",
    ]
    parts.append("\n".join(record_rows(records)))
    measured = sum(record.seconds for record in records)
    parts.append(
        f"{len(whole)} of {len(records)} are complete; together they took {measured / 60:.0f} minutes of "
        "processor time, with hlokit's own evaluation."
    )
    return parts


def record_rows(records: Iterable[Record]) -> list[str]:
    """The table of errors over all inputs, a line for each operation and type."""
    head = (
        "| operation | type | inputs | max, ULP | at | not nearest | wrong | decided | error of f64 | date |"
    )
    rows = [head, "|---|---|---|---|---|---|---|---|---|---|"]
    for record in records:
        errors = record.errors
        inputs = "all 2**32" if record.is_whole else f"{record.done}, spread over all"
        largest = "" if "compare" in record.op else f"{errors.largest:.9f}"
        is_decided = record.type_name == "f32" or pairs.is_inexact(record.op)
        decided = [str(errors.decided), _number(errors.reference)] if is_decided else ["", ""]
        cells = (record.op, record.type_name, inputs, largest, record.worst, str(errors.misrounded))
        rows.append(f"| {' | '.join((*cells, str(errors.special), *decided, record.date))} |")
    return rows


def _number(value: float) -> str:
    return f"{value:.4f}" if value < 1000 else f"{value:.2g}"


def _functions(by_key: dict[tuple[str, str], dict[str, Measurement]], plots: str | None) -> list[str]:
    parts = ["## Element-wise operations"]
    if plots is not None:
        parts.append(_PLOTS)
    names = list(dict.fromkeys(op for op, _ in by_key if "." in op))
    for name in names:
        rows = [
            "| type | inputs | hlokit max | mean | conditioned | not nearest | wrong | worst input "
            "| XLA:CPU max | of normals | wrong | eval_module max | wrong |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        for (op, type_name), one in by_key.items():
            if op == name and HLOKIT in one:
                rows.append(_row(type_name, one))
        parts += [f"### `{name}`", "\n".join(rows)]
        if plots is not None and (name, SHOWN) in by_key:
            parts.append(f"![{name} of {SHOWN}]({plots}/{file_name(name, SHOWN)})")
    return parts if names else []


def _row(type_name: str, by_implementation: dict[str, Measurement]) -> str:
    own = by_implementation[HLOKIT]
    cells = [
        type_name,
        f"{'all ' if own.is_exhaustive else ''}{own.count}",
        _number(own.largest),
        _number(own.mean),
        "" if own.conditioned is None else _number(own.conditioned),
        "" if own.misrounded is None else str(own.misrounded),
        str(own.special),
        own.worst if own.largest > 0 else "",
    ]
    for name in (XLA, INTERPRETER):
        other = by_implementation.get(name)
        normal = [] if name == INTERPRETER else ["-" if other is None else _number(other.normal)]
        cells += ["-" if other is None else _number(other.largest), *normal]
        cells.append("-" if other is None else str(other.special))
    return f"| {' | '.join(cells)} |"


def _sums(by_key: dict[tuple[str, str], dict[str, Measurement]]) -> list[str]:
    rows = [
        "| operation | type | unit | bound | hlokit max | mean | XLA:CPU max | eval_module max |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (op, type_name), one in by_key.items():
        if "." in op or HLOKIT not in one:
            continue
        own = one[HLOKIT]
        bound = NARROW_TARGET if own.bound is None else own.bound
        cells = [op, type_name, unit(own), _number(bound), _number(own.largest), _number(own.mean)]
        for name in (XLA, INTERPRETER):
            other = one.get(name)
            cells.append("-" if other is None else _number(other.largest))
        rows.append(f"| {' | '.join(cells)} |")
    if len(rows) == 2:
        return []
    return [
        "## Sums, dot products, transforms",
        "Rows of 1000 terms, or of products of two numbers (360 in convolutions): random terms, of one sign"
        " in half of the rows and of both signs in the other half; equal terms, the worst case for a sum "
        "that is not pairwise; and terms whose second half nearly cancels the first half. Exact sums are "
        "sums of rational numbers. Errors of results that are rounded once are in ULP. For all other "
        "results the unit is the unit roundoff u times a scale: the sum of the magnitudes of the terms, the"
        " product, or the root mean square of a transform; the bound is that of pairwise summation, of one "
        "rounding for each factor, or 4 log2(n) for transforms.",
        "\n".join(rows),
    ]


def _conversions(found: Sequence[Measurement]) -> list[str]:
    converted = [one for one in found if one.op == "convert" and one.implementation == HLOKIT]
    if not converted:
        return []
    rows = ["| to | conversions | values | max, ULP | wrong |", "|---|---|---|---|---|"]
    for type_name in dict.fromkeys(one.type_name for one in converted):
        those = [one for one in converted if one.type_name == type_name]
        cells = (
            type_name,
            str(len(those)),
            str(sum(one.count for one in those)),
            _number(max(one.largest for one in those)),
            str(sum(one.special for one in those)),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return [
        "## Conversions",
        "From every float type: all values of types of up to 16 bits, and samples of f32 and f64 with all "
        "halfway points and their neighbours. The error is the distance to the nearest value, which should "
        "be 0.",
        "\n".join(rows),
    ]
