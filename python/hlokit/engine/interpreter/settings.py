"""Settings of planners."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.plan.block import Tiers
from hlokit.engine.plan.plan import Plan
from hlokit.values.types import ValueType

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


class Variant:
    """The types of values and the kernels of operations. This class follows the program; a subclass plans a
    variant of the program, for instance in wider types."""

    def value_type(self, type_: ValueType) -> ValueType:
        """The type of the values of a type of the program."""
        return type_

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        """Bind an operation.

        Args:
          bind: the bind function for the types of the operation.

        Raises:
          HlokitError: the program cannot reach the operation; its kernel raises the same error.
        """
        return bind(operation)

    def plan(self, plan: Plan, block: ir.Block) -> Plan:
        """The plan of a block."""
        del block
        return plan


class Settings(NamedTuple):
    """What a planner needs beyond the module.

    Attributes:
      tiers: the tiers of all blocks; None for those of blocks without an observer.
      limit: bytes of the largest value; None for the memory of this machine.
      is_precise: see `Operation`.
      filename: the file name in locations within the program's own file.
      thresholds: sizes above which fast paths are faster.
      callbacks: see `Operation`.
      variant: the types of values and the kernels of operations.
    """

    tiers: Tiers | None = None
    limit: int | None = None
    is_precise: bool = False
    filename: str = "-"
    thresholds: Thresholds = DEFAULTS
    callbacks: tuple[Callable[..., Any], ...] = ()
    variant: Variant = Variant()
