"""The table of constraints: a TOML file per family of operations, an entry per label of the specification."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

Enforced = Literal[
    "verifier",  # the bindings' verifier or type inference enforces it
    "ods",  # code that the bindings generate from ODS enforces it: types of operands, attributes and results
    "syntax",  # MLIR cannot spell a program that violates it
    "strict",  # hlokit's strict verifier enforces it: the bindings accept violations
    "dynamic",  # the program's evaluation enforces it
    "unchecked",  # nothing enforces it
]
ENFORCED: tuple[Enforced, ...] = get_args(Enforced)
_KEYS = frozenset({"rule", "enforced", "tests", "strict", "note", "since"})
# Kinds that have a negative test of the standard name, unless the entry names other tests.
_TESTED = frozenset({"verifier", "strict"})
# Exceptional kinds: their entries must explain them.
_EXPLAINED = frozenset({"syntax", "dynamic", "strict", "unchecked"})


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint of an operation.

    Attributes:
      op: the mnemonic, without the dialect.
      label: the specification's label, such as C3.
      rule: the constraint in one line, in hlokit's words.
      tests: names of negative test functions, or paths of tests for constraints of the evaluation.
      strict: names of test functions that the bindings accept and only the strict verifier rejects.
      note: why the constraint is enforced this way, or which part of it is not enforced.
      since: the StableHLO version of the first bindings that enforce it.
      family: the name of the TOML file, without its suffix.
    """

    op: str
    label: str
    rule: str
    enforced: Enforced
    tests: tuple[str, ...]
    strict: tuple[str, ...]
    note: str
    since: str
    family: str


@cache
def load() -> dict[str, dict[str, Constraint]]:
    """Constraints by mnemonic and label. Operations without labels have an empty table.

    Raises:
      ValueError: a table is malformed.
    """
    rows: dict[str, dict[str, Constraint]] = {}
    tables = (
        file for file in (files("hlokit.constraints") / "rows").iterdir() if file.name.endswith(".toml")
    )
    for file in sorted(tables, key=lambda file: file.name):
        family = file.name.removesuffix(".toml")
        for op, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if op in rows:
                raise ValueError(f"{file.name}: {op} must be in one table only")
            rows[op] = {label: constraint(op, label, entry, family) for label, entry in entries.items()}
    return rows


def constraints() -> tuple[Constraint, ...]:
    """All constraints, in the order of the tables."""
    return tuple(constraint for labels in load().values() for constraint in labels.values())


def constraint(op: str, label: str, entry: dict[str, Any], family: str) -> Constraint:
    """An entry of a table.

    Raises:
      ValueError: the entry is malformed.
    """
    where = f"{family}.toml: {op} {label}"
    if unknown := entry.keys() - _KEYS:
        raise ValueError(f"{where}: keys must be among {sorted(_KEYS)}, got {sorted(unknown)}")
    rule, enforced = entry.get("rule", ""), entry.get("enforced")
    if not rule:
        raise ValueError(f"{where}: must have a rule")
    if enforced not in ENFORCED:
        raise ValueError(f"{where}: enforced must be one of {ENFORCED}, got {enforced!r}")
    note = entry.get("note", "")
    if (enforced in _EXPLAINED or "strict" in entry) and not note:
        raise ValueError(f"{where}: {enforced} must be explained by a note")
    default = (f"{op}_{label.lower()}",) if enforced in _TESTED else ()
    tests, strict = tuple(entry.get("tests", default)), tuple(entry.get("strict", ()))
    if enforced == "strict":
        tests, strict = (), (*tests, *strict)
    return Constraint(op, label, rule, enforced, tests, strict, note, entry.get("since", ""), family)
