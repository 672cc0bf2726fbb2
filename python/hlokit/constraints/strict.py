"""The strict verifier: constraints of the specification that the bindings do not enforce."""

from __future__ import annotations

from collections.abc import Container, Mapping
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
from hlokit.errors import Diagnostic, VerificationError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import walk

# Labels by mnemonic.
Labels = Mapping[str, Container[str]]

# Operations that violate one of these constraints have no results, so that no run can evaluate them.
WITHOUT_RESULTS: Labels = {
    "bitcast_convert": ("C1",),
    "convolution": ("C2", "C5", "C7", "C9"),
    "dynamic_conv": ("C2", "C3", "C5", "C6", "C7", "C8", "C9", "C25", "C26"),
    "reduce": ("C3",),
    "reduce_window": ("C1",),
    "scatter": ("C5",),
}
# Runs accept these violations, as XLA does, and the results depend on them.
DECISIVE: Labels = {"compare": ("C3",)}

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


def check(module: ir.Module, filename: str = "-", *, only: Labels | None = None) -> list[Diagnostic]:
    """The violations of the specification in a module that the bindings have verified; [] if there are none.

    Args:
      module: a valid module. Operations of dialects other than StableHLO are not checked.
      filename: the file name in diagnostics whose location names no file.
      only: the constraints to check; by default all.

    Returns:
      One error for each violated constraint: `'stablehlo.rng' op shape must ..., got ... (C3)`.
    """
    diagnostics: list[Diagnostic] = []
    table: Mapping[str, Mapping[str, Check]] = checks()

    def visit(operation: ir.Operation) -> None:
        mnemonic = operation.name.removeprefix(_DIALECT)
        of_op = table.get(mnemonic)
        if of_op is None or not operation.name.startswith(_DIALECT):
            return
        chosen = of_op if only is None else only.get(mnemonic, ())
        for label, violation in of_op.items():
            if label not in chosen:
                continue
            try:
                message = violation(operation)
            except UnknownTypeError:
                continue
            if message is not None:
                text = f"'{operation.name}' op {message} ({label})"
                diagnostics.append(diagnostic("error", text, str(operation.location), filename))

    walk(module.operation, visit)
    return diagnostics


def require_valid(module: ir.Module, filename: str = "-") -> None:
    """Raise an error that lists the violations of the specification, if there are any: what fails in a module
    that violates it is no defect of hlokit.

    Raises:
      VerificationError: the module violates the specification.
    """
    if violations := check(module, filename):
        raise VerificationError(tuple(violations))
