"""Modules of isolated operations: each gets its operands as arguments, and returns its results.

Many operations share a module, since compiling a module costs more than running the operations. No operation
reads the result of another. The module includes regions and the functions that the regions call. An operand
that determines the shape of a result is a constant in the module, as in the program; so is a constant that a
region captures, because some compilers reject regions that capture anything else. Operands that are the same
value in the program become one argument, because some compilers fail only in this case.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.mlir.conversion.elements import append_constant
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.copies import append_copy
from hlokit.mlir.queries.module import called_functions
from hlokit.mlir.queries.structure import captured_values
from hlokit.mlir.queries.types import to_mlir_type
from hlokit.operations.lookup import traits_of
from hlokit.tools.recording.places import defining_operation
from hlokit.values.types import TensorType


@dataclass(frozen=True, slots=True)
class Specimen:
    """An operation to isolate.

    Attributes:
      operation: operation of the bindings, which is not modified.
      operand_types, result_types: types in this evaluation; captured values follow the operands.
      fixed: operands that become constants of the module, by position.
      firsts: for each operand, the position of the first operand that is the same value of the program.
    """

    operation: ir.Operation
    operand_types: tuple[TensorType, ...]
    result_types: tuple[TensorType, ...]
    fixed: dict[int, Any]
    firsts: tuple[int, ...]

    @property
    def arguments(self) -> list[int]:
        """Positions of the operands that are arguments: each value once."""
        return [
            position
            for position, first in enumerate(self.firsts)
            if position == first and position not in self.fixed
        ]


def first_positions(values: Sequence[int], fixed: Sequence[int]) -> tuple[int, ...]:
    """For each operand, the position of the first one that is the same value; fixed operands stay separate.

    Args:
      values: a number for each operand, which the operands of one value share.
    """
    firsts: dict[int, int] = {}
    return tuple(
        [
            position if position in fixed else firsts.setdefault(value, position)
            for position, value in enumerate(values)
        ]
    )


def fixed_operands(operation: ir.Operation) -> tuple[int, ...]:
    """Positions of operands that are compiled into the module; captured values follow the operands."""
    sizes = list(traits_of(operation.name).sizes)
    count = len(operation.operands)
    for number, value in enumerate(captured_values(operation.regions)):
        source = defining_operation(value)
        if source is not None and source.name == "stablehlo.constant":
            sizes.append(count + number)
    return tuple(sizes)


def module_of(specimens: Sequence[Specimen]) -> bytes:
    """A module, as bytecode, whose `main` contains the operations.

    Its parameters are the arguments of the operations in order; its results are the operations' results in
    order.
    """
    context = specimens[0].operation.context
    with context, ir.Location.unknown():
        module = ir.Module.create()
        inputs = [
            to_mlir_type(specimen.operand_types[n]) for specimen in specimens for n in specimen.arguments
        ]
        outputs = [to_mlir_type(type_) for specimen in specimens for type_ in specimen.result_types]
        function = ir.Operation.create(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get("main"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs)),
            },
            regions=1,
            ip=ir.InsertionPoint(module.body),
        )
        block = ir.Block.create_at_start(function.regions[0], inputs)
        results: list[ir.Value] = []
        called: dict[str, ir.Operation] = {}
        position = 0
        for specimen in specimens:
            count = len(specimen.arguments)
            arguments = list(block.arguments)[position : position + count]
            position += count
            results += _place(block, specimen, arguments)
            called |= called_functions(specimen.operation)
        ir.Operation.create("func.return", operands=results, ip=ir.InsertionPoint(block))
        for callee in called.values():
            clone = callee.clone(ip=False)
            clone.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
            module.body.append(clone)
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def _place(block: ir.Block, specimen: Specimen, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    rest = iter(arguments)
    operands: list[ir.Value] = []
    for position, type_ in enumerate(specimen.operand_types):
        value, first = specimen.fixed.get(position), specimen.firsts[position]
        if value is not None:
            operands.append(append_constant(block, np.asarray(value), type_))
        else:
            operands.append(next(rest) if first == position else operands[first])
    clone = append_copy(block, specimen.operation, operands)
    for result, type_ in zip(clone.results, specimen.result_types, strict=True):
        if str(result.type) != str(type_):
            result.set_type(to_mlir_type(type_))
    return list(clone.results)
