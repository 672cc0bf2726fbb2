"""The strict verifier: constraints of the specification that the bindings do not enforce."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hlokit.constraints import (
    collectives,
    contraction,
    control_flow,
    convolution,
    dynamic,
    elementwise,
    gather_scatter,
    reductions,
    transfers,
)
from hlokit.constraints.checks import Check, Checks, UnknownTypeError
from hlokit.errors import Diagnostic
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import walk

_DIALECT = "stablehlo."
_FAMILIES: tuple[Checks, ...] = (
    collectives.CHECKS,
    contraction.CHECKS,
    control_flow.CHECKS,
    convolution.CHECKS,
    dynamic.CHECKS,
    elementwise.CHECKS,
    gather_scatter.CHECKS,
    reductions.CHECKS,
    transfers.CHECKS,
)


@cache
def checks() -> dict[str, dict[str, Check]]:
    """All strict checks, by mnemonic and label."""
    table: dict[str, dict[str, Check]] = {}
    for family in _FAMILIES:
        for op, of_op in family.items():
            table.setdefault(op, {}).update(of_op)
    return table


def check(module: ir.Module, filename: str = "-", *, only: str | None = None) -> list[Diagnostic]:
    """The violations of the specification in a module that the bindings have verified; [] if there are none.

    Args:
      module: a valid module. Operations of dialects other than StableHLO are not checked.
      filename: the file name in diagnostics whose location names no file.
      only: the mnemonic of the operations to check; by default all.

    Returns:
      One error for each violated constraint: `'stablehlo.rng' op shape must ..., got ... (C3)`.
    """
    diagnostics: list[Diagnostic] = []
    table: Mapping[str, Mapping[str, Check]] = checks()

    def visit(operation: ir.Operation) -> None:
        mnemonic = operation.name.removeprefix(_DIALECT)
        of_op = table.get(mnemonic)
        if of_op is None or not operation.name.startswith(_DIALECT) or only not in (None, mnemonic):
            return
        for label, violation in of_op.items():
            try:
                message = violation(operation)
            except UnknownTypeError:
                continue
            if message is not None:
                text = f"'{operation.name}' op {message} ({label})"
                diagnostics.append(diagnostic("error", text, str(operation.location), filename))

    walk(module.operation, visit)
    return diagnostics
