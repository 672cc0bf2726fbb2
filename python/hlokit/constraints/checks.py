"""What a file of strict checks is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from hlokit.mlir.bindings import ir


class UnknownTypeError(Exception):
    """A check meets a type that is not StableHLO's but that the bindings let pass: it has nothing to say."""


# What is wrong with an operation, without its name or the label; None if nothing is, or if it cannot be
# known: dimensions and ranks may be dynamic. The bindings' verifier has passed the operation before.
Check: TypeAlias = Callable[[ir.Operation], str | None]
# By mnemonic and label.
Checks: TypeAlias = Mapping[str, Mapping[str, Check]]
