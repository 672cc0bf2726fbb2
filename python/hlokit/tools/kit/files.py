"""Cases as files: self-checking programs, programs with inputs for runners elsewhere, and their results.

kit.json                      the version, and for each case: id, rule, files
stablehlo.add/f32/X.mlir      checks itself: `stablehlo-translate --interpret`
stablehlo.add/f32/X.run.mlir  the function `main` of the inputs
stablehlo.add/f32/X.in.npz    input_0, input_1, ...
stablehlo.add/f32/X.out.npz   written by a runner: result_0, result_1, ...
stablehlo.add/f32/X.txt       written by a runner instead: `unsupported: REASON` or `error: REASON`
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hlokit.display.printable import printable_line
from hlokit.errors import ArgumentError
from hlokit.files.arrays import read_archive
from hlokit.files.reading import read_regular
from hlokit.tools.kit.cases import Case, Unevaluated
from hlokit.tools.kit.checks import self_checking
from hlokit.tools.kit.judging import Outcome, judge, not_run, rule_of
from hlokit.tools.kit.recipes import VERSION
from hlokit.tools.kit.reduced import shown
from hlokit.values.bits import restored, storable

INDEX = "kit.json"


def write_kit(folder: Path, cases: Iterable[Case | Unevaluated]) -> int:
    """Write cases to a folder; the number of cases.

    Raises:
      ArgumentError: the folder cannot be written.
    """
    index: list[dict[str, str]] = []
    try:
        for case in cases:
            if isinstance(case, Unevaluated):
                index.append({"id": case.id, "rule": "none", "words": case.reason})
                continue
            path = folder / f"{case.id}.mlir"
            path.parent.mkdir(parents=True, exist_ok=True)
            rule, words = rule_of(case)
            path.write_text(self_checking(case, rule, words), encoding="utf-8")
            path.with_suffix(".run.mlir").write_text(case.text, encoding="utf-8")
            arrays: dict[str, Any] = {f"input_{n}": storable(value) for n, value in enumerate(case.inputs)}
            np.savez(path.with_suffix(".in.npz"), **arrays)
            index.append({"id": case.id, "rule": rule, "words": words})
        document = {"kit": VERSION, "cases": index}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / INDEX).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise _cannot("write", folder, error) from None
    return len(index)


def written_ids(folder: Path) -> frozenset[str]:
    """The ids of the cases in a folder.

    Raises:
      ArgumentError: there is no kit, or it has another version.
    """
    try:
        document = json.loads(read_regular(str(folder / INDEX)))
        version, ids = document["kit"], frozenset(case["id"] for case in document["cases"])
    except OSError as error:
        raise _cannot("read", folder, error) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ArgumentError(f"--read: '{folder / INDEX}' must be an index of a kit") from None
    if version != VERSION:
        raise ArgumentError(f"--read: the kit must have version {VERSION}, got {version}")
    return ids


def read_results(folder: Path, cases: Iterable[Case | Unevaluated]) -> Iterator[Outcome]:
    """The outcomes of the cases of a folder that a runner has evaluated."""
    shown_kinds: set[tuple[str, str]] = set()
    for case in cases:
        if isinstance(case, Unevaluated):
            yield not_run(case)
            continue
        outcome = _read(folder, case)
        kind = (case.operation, case.type_)
        if outcome.verdict == "failed" and kind not in shown_kinds:
            shown_kinds.add(kind)
            outcome = replace(outcome, program=shown(case, outcome.reason))
        yield outcome


def _read(folder: Path, case: Case) -> Outcome:
    path = folder / f"{case.id}.mlir"
    status = path.with_suffix(".txt")
    if path.with_suffix(".out.npz").exists():
        return _judged(case, path.with_suffix(".out.npz"))
    if not status.exists():
        return Outcome(case.id, "not run", "the runner wrote no results")
    try:
        kind, _, reason = read_regular(str(status)).decode(errors="replace").strip().partition(": ")
    except OSError as error:
        return Outcome(case.id, "failed", f"the results cannot be read: {error.strerror}")
    verdict = "unsupported" if kind == "unsupported" else "failed"
    return Outcome(case.id, verdict, printable_line(reason or kind or "the runner gave no reason"))


def _judged(case: Case, path: Path) -> Outcome:
    names = [f"result_{number}" for number in range(len(case.expected))]
    try:
        arrays = read_archive(str(path), names)
        results = [
            restored(arrays[name], type_.element_type.stored.dtype)
            for name, type_ in zip(names, case.alone.types, strict=True)
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Outcome(case.id, "failed", f"the results cannot be read: {error}")
    return judge(case, results)


def _cannot(what: str, folder: Path, error: OSError) -> ArgumentError:
    return ArgumentError(f"cannot {what} the kit in '{folder}': {(error.strerror or str(error)).lower()}")
