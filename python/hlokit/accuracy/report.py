"""Measurements as Markdown and JSON, and which of them miss the targets."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hlokit.accuracy.implementations import INTERPRETER, XLA
from hlokit.accuracy.measure import Measurement
from hlokit.accuracy.plot import file_name
from hlokit.accuracy.run import HLOKIT

NARROW_TARGET, F64_TARGET, COMPLEX_TARGET = 0.501, 1.0, 2.0

# Why a target is missed, by operation and type: documented exceptions, with what they reach instead.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("stablehlo.atan2", "complex<f32>"): "close to a branch cut it may take the other side, which is pi off",
    ("stablehlo.atan2", "complex<f64>"): "close to a branch cut it may take the other side, which is pi off",
}

# The plots that the page shows.
SHOWN = (
    ("stablehlo.exponential", "f32"),
    ("stablehlo.sine", "f32"),
    ("stablehlo.tanh", "f32"),
    ("stablehlo.log_plus_one", "f64"),
    ("chlo.lgamma", "f64"),
)

# Why zeros, infinities or NaN are wrong.
SPECIAL_EXCEPTIONS: dict[tuple[str, str], str] = {
    (
        "stablehlo.power",
        type_name,
    ): "where it overflows and its angle is beyond 2**53, infinities may have any sign"
    for type_name in ("complex<f32>", "complex<f64>")
}

_HOW_TO_READ = """## How to read this

An error is |result - exact| in units in the last place (ULP) of the exact result: 0.5 is what rounding to
the nearest value makes at worst. *max* is the largest and *mean* the average error of all finite results;
*not nearest* counts results that are not the nearest value of the type (types narrower than f64, where
hlokit should have none); *wrong* counts results that are a NaN, an infinity or a zero of the wrong sign
where that is not what IEEE 754 and Annex F of C99 demand, or the reverse. All values of a type of up to 16
bits are inputs of functions of one operand, and all pairs of values of a type of up to 8 bits of those of
two operands; *inputs* tells.

The inputs of wider types are drawn, the same in every run, from: zeros, infinities, NaN, the ends of the
normal and subnormal ranges; the neighbours of points where a function is difficult (overflow thresholds,
roots, poles, multiples of pi/2); all exponents; the ranges where a function varies; pairs whose sum nearly
cancels, and powers of bases near 1. Complex inputs: pairs of zeros and small numbers of both signs (both
sides of all branch cuts), the plane around 0, the unit circle, both axes' surroundings, all exponents.

For a complex result, the errors of its parts are measured one by one: *max* is of the worse part, in ULP of
that part alone, *conditioned* in ULP of the larger of the part and of what relative changes of the
operands' parts change it by. Where a part nearly vanishes beside the other by cancellation, only the latter
can be small.

The exact results: longdouble first, whose own error is below 2**-38 ULP of f32 and 2**-9 ULP of f64; then
mpmath, at twice the precision until nothing changes, for the worst results until the worst is one that
mpmath has confirmed, and for some at random, which decide on whether longdouble is trusted. mpmath computes
all results of complex<f64> and of special functions of f64, whose samples are therefore fewer.

hlokit's targets: types narrower than f64 at most 0.501 ULP, f64 1 ULP, complex types 2 ULP conditioned, no
wrong zeros, infinities or NaN; sums and dot products no worse than pairwise summation. XLA:CPU and the
interpreter of the bindings (eval_module; chlo operations by way of chlo-legalize-to-stablehlo) get the same
programs and inputs. XLA:CPU flushes subnormal numbers to zero in many operations: that is an error of up to
2**24 ULP of f32; *of normals* is the largest error where neither operands nor the result are subnormal.
A dash: the implementation does not evaluate the operation.
"""


def missed(found: Sequence[Measurement]) -> list[str]:
    """What hlokit promises and does not keep, a sentence each."""
    sentences: list[str] = []
    for one in found:
        if one.implementation != HLOKIT or (one.op, one.type_name) in EXCEPTIONS:
            continue
        error = one.conditioned if one.conditioned is not None else one.largest
        limit = one.bound if one.bound is not None else target(one.type_name)
        if error > limit:
            sentences.append(f"{one.op} {one.type_name}: {error:.6g} ULP at {one.worst}")
        if one.special and (one.op, one.type_name) not in SPECIAL_EXCEPTIONS:
            sentences.append(f"{one.op} {one.type_name}: {one.special} wrong, {one.first_special}")
    return sentences


def target(type_name: str) -> float:
    """The error that hlokit promises, in ULP."""
    if type_name.startswith("complex"):
        return COMPLEX_TARGET
    return F64_TARGET if type_name == "f64" else NARROW_TARGET


def as_json(found: Sequence[Measurement]) -> dict[str, Any]:
    """Everything, with versions."""
    fields = [name for name in Measurement.__slots__ if name != "curve"]
    return {
        "versions": versions(),
        "measurements": [{name: getattr(one, name) for name in fields} for one in found],
    }


def versions() -> dict[str, str]:
    """Of all that has a part in the numbers."""
    found = {"python": platform.python_version()}
    for name in ("hlokit", "jaxlib", "jax", "numpy", "ml_dtypes", "mpmath"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def machine() -> str:
    """The processor and the system."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    libc = " ".join(part for part in platform.libc_ver() if part)
    return ", ".join(filter(None, (models[0] if models else "", platform.machine(), platform.system(), libc)))


def as_markdown(found: Sequence[Measurement], command: str, plots: str | None = None) -> str:
    """The page.

    Args:
      command: what made it.
      plots: the directory of the plots, from the page's; without it, none are shown.
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
        *_summary(found),
        *([] if plots is None else _plots(by_key, plots)),
        *_functions(by_key),
        *_sums(by_key),
        *_conversions(found),
    ]
    return "\n\n".join(parts) + "\n"


def _summary(found: Sequence[Measurement]) -> list[str]:
    sentences = missed(found)
    kept = "hlokit keeps all of its targets here, with the exceptions below."
    lines = ["## Targets", kept if not sentences else "hlokit misses its targets here:"]
    if sentences:
        lines.append("\n".join(f"- {sentence}" for sentence in sentences))
    exceptions = [*EXCEPTIONS.items(), *SPECIAL_EXCEPTIONS.items()]
    lines.append(
        "Exceptions:\n\n" + "\n".join(f"- {op} of {type_}: {why}." for (op, type_), why in exceptions)
    )
    return lines


def _plots(by_key: dict[tuple[str, str], dict[str, Measurement]], directory: str) -> list[str]:
    shown = [key for key in SHOWN if key in by_key]
    images = [f"![{op} of {type_name}]({directory}/{file_name(op, type_name)})" for op, type_name in shown]
    return [
        "## Errors over inputs",
        "The largest error in each of 240 stretches of inputs, which grow with the input's size, cut off at "
        "4 ULP. `hlokit accuracy --plots=DIR` makes them for all functions of one float.",
        *images,
    ]


def _number(value: float) -> str:
    return f"{value:.4f}" if value < 1000 else f"{value:.2g}"


def _functions(by_key: dict[tuple[str, str], dict[str, Measurement]]) -> list[str]:
    parts = ["## Element-wise operations"]
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
        unit = "ULP" if own.bound is None else "u scale"
        bound = NARROW_TARGET if own.bound is None else own.bound
        cells = [op, type_name, unit, _number(bound), _number(own.largest), _number(own.mean)]
        for name in (XLA, INTERPRETER):
            other = one.get(name)
            cells.append("-" if other is None else _number(other.largest))
        rows.append(f"| {' | '.join(cells)} |")
    if len(rows) == 2:
        return []
    return [
        "## Sums, dot products, transforms",
        "Rows of 1000 numbers, half of them of one sign, half of both; exact sums are those of rational "
        "numbers. Where results are rounded once, errors are in ULP. Else the unit is the unit roundoff u "
        "times a scale: the sum of the magnitudes of the terms, the product, or the root mean square of a "
        "transform; the bound "
        "is that of pairwise summation, of one rounding for each factor, or 4 log2(n) for transforms.",
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
