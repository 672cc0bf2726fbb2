"""Makes NaNs canonical in plans, after steps whose results are operands of operations that distinguish NaNs.

The traits of each operation say what it does with the bits of NaNs (`engine.contract.nan_bits`). Blocks are
planned separately, so computed values that enter or leave a block are canonical; when blocks are inlined,
native programs drop the redundant instructions (`native.ir.canonical_nans`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hlokit.engine.contract.canonical_nan import canonical_nan, with_canonical_nans
from hlokit.engine.contract.nan_bits import BLIND, CANONICAL_NAN, COMPUTES, EFFECTS, KEEPS, MOVES
from hlokit.engine.contract.registry import Kernel
from hlokit.engine.plan.plan import Step
from hlokit.operations.lookup import traits_of
from hlokit.operations.traits import Nans
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

if TYPE_CHECKING:
    from hlokit.engine.plan.block import Block
    from hlokit.mlir.conversion.attributes import Attributes


def nan_bits(
    name: str,
    operand_types: Sequence[ValueType],
    result_types: Sequence[ValueType],
    attributes: Attributes,
    regions: Sequence[Block],
) -> int:
    """The effect of an operation on the bits of NaNs: `BLIND`, `COMPUTES`, `MOVES` or `KEEPS`."""
    nans = traits_of(name).nans
    match nans:
        case Nans.BY_TYPE:
            effect = _by_type(name, operand_types[0], result_types[0])
        case Nans.BY_COMPARISON:
            effect = KEEPS if attributes.enum("compare_type", "NOTYPE") == "TOTALORDER" else BLIND
        case Nans.BY_BODY:
            effect = _by_body(name, operand_types, result_types, regions[0])
        case Nans.BY_TARGET:
            encoded = attributes.string("call_target_name").removeprefix("mhlo.")
            effect = COMPUTES if traits_of(f"chlo.{encoded}").encoded or encoded == "tan" else KEEPS
        case _:
            effect = EFFECTS.get(nans, KEEPS)
    if effect == COMPUTES and not any(map(canonical_nan, result_types)):
        return BLIND
    return effect


def _by_type(name: str, operand: ValueType, result: ValueType) -> int:
    """The effect of `abs`, `sign` or `convert`."""
    if not isinstance(operand, TensorType) or not isinstance(result, TensorType):
        return KEEPS
    from_, to = operand.element_type, result.element_type
    match name:
        case "stablehlo.convert":
            if to in (from_, from_.part):
                return MOVES
            return COMPUTES if from_.kind.is_inexact or to.width < 16 else BLIND
        case "stablehlo.sign":
            return COMPUTES if from_.kind is Kind.COMPLEX else MOVES
        case _:
            return COMPUTES if from_.kind is Kind.COMPLEX else KEEPS


def _by_body(
    name: str, operand_types: Sequence[ValueType], result_types: Sequence[ValueType], body: Block
) -> int:
    """The effect of a reduction: a computing body is called, or replaced by an equivalent loop."""
    operand, result = operand_types[0], result_types[0]
    if len(result_types) > 1 or body.binary is None or traits_of(body.binary).nans is not Nans.ONE:
        return KEEPS
    if name == "stablehlo.reduce" and isinstance(operand, TensorType) and isinstance(result, TensorType):
        # Without elements the result is the initial value. Kernels for dynamic shapes make computed NaNs
        # canonical themselves.
        may_keep = not operand.is_static or (operand.size == 0 and result.size > 0)
        return KEEPS if may_keep else COMPUTES
    return COMPUTES


def with_canonical_steps(
    steps: Sequence[Step], demanded: Iterable[tuple[int, int]], slot_types: list[ValueType]
) -> list[Step]:
    """The steps, with additional steps that make the NaNs of a slot canonical.

    Args:
      demanded: pairs (step, slot), the last step first.
      slot_types: receives the types of new slots, which contain the values before their NaNs become
        canonical.
    """
    changed = list(steps)
    for index, slot in demanded:
        type_ = slot_types[slot]
        kernel = canonical_nan(type_)
        if kernel is None:
            continue
        step, fresh = changed[index], len(slot_types)
        slot_types.append(type_)
        results = tuple([fresh if result == slot else result for result in step.results])
        changed[index] = step._replace(results=results)
        types = step.result_types if len(step.result_types) == 1 else (type_,)  # shared by steps of a kind
        canonical = Step(CANONICAL_NAN, kernel, (fresh,), (slot,), types, types, step.origin, step.position)
        changed.insert(index + 1, canonical)
    return changed


def with_canonical_results(kernel: Kernel, types: tuple[ValueType, ...]) -> Kernel:
    """The kernel of a computing operation, with canonical NaNs in its results."""
    return kernel._replace(function=with_canonical_nans(kernel.function, types), source=None, in_place=None)
