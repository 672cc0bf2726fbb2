"""Which operations can be isolated, and specimens of their evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.operations.lookup import having, traits_of
from hlokit.tools.backends.side import Array
from hlokit.tools.diff.isolation.batches import Specimen, first_positions, fixed_operands, module_of
from hlokit.values.element_types import Kind, element_type_of
from hlokit.values.types import TensorType, ValueType

# Operations that depend on more than their operands, or have side effects.
NOT_ALONE = having(
    lambda traits: (
        traits.collective
        or traits.process_id
        or traits.channel
        or traits.feed
        or traits.asynchronous
        or traits.ordering
        or traits.random
        or traits.tuples
    )
)
NOT_ALONE_DIALECTS = ("check.", "interpreter.", "shape.", "tensor.", "arith.")


def is_alone(step: Step) -> bool:
    """Whether an operation can be isolated."""
    types = (*step.operand_types, *step.result_types)
    if not step.result_types or not all(isinstance(type_, TensorType) for type_ in types):
        return False
    return step.name not in NOT_ALONE and not step.name.startswith(NOT_ALONE_DIALECTS)


def module_of_step(
    step: Step, operands: Sequence[Value], results: Sequence[Value]
) -> tuple[bytes, list[int]]:
    """A module of one isolated operation, and the positions of the operands that are its arguments."""
    inputs, outputs = list(map(np.asarray, operands)), list(map(np.asarray, results))
    specimen = specimen_of(step, positions_of(step), inputs, outputs)
    return module_of([specimen]), specimen.arguments


class Positions(NamedTuple):
    """See `fixed_operands` and `first_positions`."""

    fixed: tuple[int, ...]
    firsts: tuple[int, ...]


def positions_of(step: Step) -> Positions:
    operation = operation_of(step)
    has_fixed = len(operation.regions) > 0 or traits_of(step.name).sizes != ()
    fixed = fixed_operands(operation) if has_fixed and is_alone(step) else ()
    return Positions(fixed, first_positions(step.operands, fixed))


def specimen_of(
    step: Step, positions: Positions, operands: Sequence[Array], results: Sequence[Array]
) -> Specimen:
    declared = list(step.operand_types)
    operand_types = [
        _type_of(array, declared[n] if n < len(declared) else None) for n, array in enumerate(operands)
    ]
    result_types = [_type_of(array, type_) for array, type_ in zip(results, step.result_types, strict=True)]
    constants = {position: operands[position] for position in positions.fixed}
    return Specimen(
        operation_of(step), tuple(operand_types), tuple(result_types), constants, positions.firsts
    )


def _type_of(array: Array, declared: ValueType | None) -> TensorType:
    """The type of a value: the program's type, with the array's own shape."""
    if isinstance(declared, TensorType) and (
        declared.element_type.kind is Kind.QUANTIZED or declared.element_type.dtype == array.dtype
    ):
        return TensorType(array.shape, declared.element_type)
    return TensorType(array.shape, element_type_of(array.dtype))
