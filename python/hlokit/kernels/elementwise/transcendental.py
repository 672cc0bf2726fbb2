"""Functions that native kernels compute: exponentials, logarithms, powers, roots, angles, special functions.

The card of an operation names one of the bind functions; the operation's opcode selects the native kernel.
"""

from __future__ import annotations

from typing import Any

from hlokit.engine.contract.registry import Constant, Kernel, Operation
from hlokit.kernels.elementwise import integer_functions
from hlokit.kernels.elementwise.kernel_factories import KernelFactory, complex_native, elementwise, integer
from hlokit.kernels.elementwise.single_rounding import native_function
from hlokit.operations.lookup import opcode_name


def real_function(operation: Operation) -> Kernel | Constant:
    """A function of floats."""
    return elementwise(float_=_of_floats(operation))(operation)


def function(operation: Operation) -> Kernel | Constant:
    """A function of floats and complex numbers."""
    return elementwise(float_=_of_floats(operation), complex_=_of_complex(operation))(operation)


def complex_function(operation: Operation) -> Kernel | Constant:
    """A function of complex numbers."""
    return elementwise(complex_=_of_complex(operation))(operation)


def power(operation: Operation) -> Kernel | Constant:
    """Powers of floats, complex numbers and integers."""
    return elementwise(
        integer=integer(integer_functions.power, fast_path=_power_of_scalars),
        float_=_of_floats(operation),
        complex_=_of_complex(operation),
    )(operation)


def _power_of_scalars(lhs: Any, rhs: Any) -> Any:
    return lhs**rhs if rhs >= 0 else None


def _name(operation: Operation) -> str:
    name = opcode_name(operation.name)
    assert name is not None, "the card of a function names its opcode"
    return name


def _of_floats(operation: Operation) -> KernelFactory:
    return native_function(_name(operation), operands=len(operation.operand_types))


def _of_complex(operation: Operation) -> KernelFactory:
    return complex_native(_name(operation), operands=len(operation.operand_types))
