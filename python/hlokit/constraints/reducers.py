"""Strict checks of operations whose operands and results are variadic and that have a reducing region.

The bindings compare element types only up to the precision of floats there, and integers only by width.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings' regions are partly untyped)

from __future__ import annotations

from hlokit.constraints.checks import Check
from hlokit.constraints.reading import different_element_type, is_promotable, tensor
from hlokit.mlir.bindings import ir


def same_element_types(name: str, first: int, of_name: str, of_first: int, count: int) -> Check:
    """`count` operands from `first` must have the element types of those from `of_first`.

    Args:
      count: how many; 0 for as many as there are results.
    """

    def check(op: ir.Operation) -> str | None:
        variadic = not count
        number = count or len(op.results)
        starts = first if first >= 0 else len(op.operands) + first * number
        for i in range(number):
            suffix = f"[{i}]" if variadic else ""
            value, of = op.operands[starts + i], op.operands[of_first + i]
            message = different_element_type(name + suffix, value, of_name + suffix, of)
            if message is not None:
                return message
        return None

    return check


def reducer(name: str, region: int) -> Check:
    """A region must take two scalars of each type that it returns, to which its inputs can be promoted."""

    def check(op: ir.Operation) -> str | None:
        block = op.regions[region].blocks[0]
        terminator = block.operations[len(block.operations) - 1]
        arguments = [tensor(argument) for argument in block.arguments]
        results = [tensor(value) for value in terminator.operands]
        for type_ in (*arguments, *results):
            if type_.shape is not None and type_.rank:
                return f"{name} must take and return tensors of rank 0, got rank {type_.rank}"
        got = [type_.element_type for type_ in arguments]
        returned = [type_.element_type for type_ in results]
        if got != [*returned, *returned]:
            types = ", ".join(map(str, returned))
            takes = ", ".join(map(str, got))
            return f"{name} must take {types} and {types}, and return {types}, got {takes} -> {types}"
        for operand, type_ in zip(op.operands, returned, strict=False):
            from_ = tensor(operand).element_type
            if not is_promotable(from_, type_):
                return f"{name} must have a type that {from_} can be promoted to, got {type_}"
        return None

    return check
