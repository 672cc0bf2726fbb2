"""The table of constraints: a TOML file per family of operations, an entry per label of the specification."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

Enforced = Literal[
    "verifier",  # by the bindings' verifier or type inference
    "ods",  # by what the bindings generate from ODS: types of operands, attributes and results
    "syntax",  # MLIR cannot spell a program that violates it
    "strict",  # by hlokit's strict verifier: the bindings accept such programs
    "dynamic",  # when the program runs
    "unchecked",  # by nobody
]
ENFORCED: tuple[Enforced, ...] = get_args(Enforced)
_KEYS = frozenset({"rule", "enforced", "tests", "strict", "note", "since"})
# Kinds that a negative test shows unless the entry names others.
_TESTED = frozenset({"verifier", "strict"})
# Kinds that are exceptions, so that the entry has to say why.
_EXPLAINED = frozenset({"syntax", "dynamic", "strict", "unchecked"})


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint of an operation.

    Attributes:
      op: the mnemonic, without the dialect.
      label: the specification's, such as C3.
      rule: one line, in hlokit's words.
      tests: names of negative test functions; for what shows only at run time, paths of tests.
      strict: names of test functions that the bindings accept and only the strict verifier refuses.
      note: why it is enforced this way, or which part of it is not.
      since: the StableHLO version of the first bindings that enforce it.
      family: the file of the table, without its suffix.
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

    @property
    def test_name(self) -> str:
        """The name of its negative test if there is only one."""
        return f"{self.op}_{self.label.lower()}"


@cache
def load() -> dict[str, dict[str, Constraint]]:
    """Constraints by mnemonic and label. Operations without labels have an empty table.

    Raises:
      ValueError: a table is malformed.
    """
    found: dict[str, dict[str, Constraint]] = {}
    tables = (file for file in files("hlokit.constraints").iterdir() if file.name.endswith(".toml"))
    for file in sorted(tables, key=lambda file: file.name):
        family = file.name.removesuffix(".toml")
        for op, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if op in found:
                raise ValueError(f"{file.name}: {op} must stand in one table only")
            found[op] = {label: constraint(op, label, entry, family) for label, entry in entries.items()}
    return found


def constraints() -> tuple[Constraint, ...]:
    """All constraints, as they stand in the tables."""
    return tuple(constraint for labels in load().values() for constraint in labels.values())


def constraint(op: str, label: str, entry: dict[str, Any], family: str) -> Constraint:
    """An entry of a table.

    Raises:
      ValueError: it is malformed.
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
