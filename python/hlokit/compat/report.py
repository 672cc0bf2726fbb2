"""The versions that can hold a program, and the requirements that the other versions do not meet."""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.compat.requirements import Requirement, current_version, requirements
from hlokit.compat.versions import bytecode_version, opsets
from hlokit.mlir.portable import Version
from hlokit.mlir.provider.bindings import ir


@dataclass(frozen=True, slots=True)
class Row:
    """One version; `missing` is empty if this version can hold the program."""

    version: Version
    bytecode_version: int
    missing: tuple[Requirement, ...]


def compatibility(module: ir.Module, *, allow_other_dialects: bool = False) -> list[Row]:
    """A row for every version that the bindings write, newest first. The module does not change."""
    needed = requirements(module, allow_other_dialects=allow_other_dialects)
    rows: list[Row] = []
    for version in reversed(opsets(current_version())):
        missing = tuple(item for item in needed if item.since is None or item.since > version)
        rows.append(Row(version, bytecode_version(version), missing))
    return rows
