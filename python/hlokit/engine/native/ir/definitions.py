"""Definitions of registers, in which the peephole optimisation finds patterns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hlokit.engine.native.ir.target import signature

# The name of the operation that defines a register, and its operands. Their types follow from the registers.
Definition = tuple[str, tuple[int, ...]]
_NONE: Definition = ("", ())


class Definitions:
    """What defines registers.

    Attributes:
      constants: values of the scalar registers that are constants.
    """

    def __init__(self, constants: dict[int, Any]) -> None:
        self.constants = constants
        self._definitions: dict[int, Definition] = {}

    def define(self, register: int, number: int, operands: tuple[int, ...]) -> None:
        """Record the definition of a register, which must be its only one."""
        self._definitions[register] = signature(number)[0], operands

    def definition(self, register: int) -> Definition:
        """The definition of a register; the operation "" if it has none."""
        return self._definitions.get(register, _NONE)

    def operands(self, register: int, name: str) -> tuple[int, ...]:
        """The operands, if this operation defines the register; else nothing."""
        operation, operands = self._definitions.get(register, _NONE)
        return operands if operation == name else ()

    def orders(self, register: int, name: str) -> Iterable[Sequence[int]]:
        """Both orders of the operands, if this binary operation defines the register; else nothing."""
        operands = self.operands(register, name)
        return (operands, operands[::-1]) if operands else ()

    def relates(self, register: int, name: str, operand: int, number: int) -> bool:
        """Whether a register is defined by this operation on `operand` and a constant."""
        operands = self.operands(register, name)
        return operands[:1] == (operand,) and self.constants.get(operands[1]) == number
