"""The types of strict checks and of tables of checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from hlokit.mlir.provider.bindings import ir


class UnknownTypeError(Exception):
    """An operand has a type of another dialect, which the bindings accept, so that the check does not
    apply."""


# A check returns the violation of a constraint, without the operation's name and the label. It returns None
# if the operation satisfies the constraint or if dynamic dimensions or ranks leave the question open. The
# bindings' verifier has already accepted the operation.
Check: TypeAlias = Callable[[ir.Operation], str | None]
# Checks by mnemonic and label.
Checks: TypeAlias = Mapping[str, Mapping[str, Check]]
