"""The types that an operation has at run time, where the program leaves dimensions unknown.

The bindings' verifier accepts an operation whose unknown dimensions may agree. When the sizes are known, the
same verifier decides whether they do agree, on a copy of the operation with static types: the rules of an
operation are written nowhere else.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from hlokit.children.lifetimes import LockOfProcess
from hlokit.errors import EvaluationError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.copies import append_copy
from hlokit.mlir.queries.structure import captured_values
from hlokit.operations.lookup import traits_of
from hlokit.values.types import TensorType, ValueType, require_types

_Shapes = tuple[tuple[int, ...], ...]

# The copies of a context are changed and verified by one thread at a time.
_VERIFYING = LockOfProcess(threading.RLock)
_UNKNOWN = str(ir.ShapedType.get_dynamic_size())
# The largest number of combinations of shapes that an operation remembers.
_REMEMBERED = 1024


def is_dynamic(types: Sequence[ValueType]) -> bool:
    """Whether the size of a dimension is unknown in one of these types."""
    return any(isinstance(type_, TensorType) and not type_.is_static for type_ in types)


class RunTimeTypes:
    """The check of one operation on the shapes of its operands and results.

    Args:
      operand_types, result_types: the types in the program.
    """

    def __init__(
        self,
        operation: ir.Operation,
        operand_types: Sequence[ValueType],
        result_types: Sequence[ValueType],
    ) -> None:
        self._result_types = result_types
        self._dynamic = [index for index, type_ in enumerate(operand_types) if is_dynamic([type_])]
        self._stated = [index for index, type_ in enumerate(result_types) if _states_sizes(type_)]
        self._valid: set[_Shapes] = set()
        self._fitting: set[_Shapes] = set()
        if self._dynamic:
            self._copy = _Copy(operation)

    def require_operands(self, operands: Sequence[Any]) -> None:
        """Check the operands. Values that the regions capture may follow.

        Raises:
          EvaluationError: the shapes violate a rule of the operation.
        """
        if not self._dynamic:
            return
        shapes = tuple([operands[index].shape for index in self._dynamic])
        if shapes not in self._valid:
            self._copy.verify(dict(zip(self._dynamic, shapes, strict=True)))
            _remember(self._valid, shapes)

    def require_results(self, results: Sequence[Any]) -> None:
        """Check the results.

        Raises:
          EvaluationError: the shape of a result is not of the type in the program.
        """
        if not self._stated:
            return
        shapes = tuple([results[index].shape for index in self._stated])
        if shapes not in self._fitting:
            require_types(results, self._result_types, "result")
            _remember(self._fitting, shapes)


def _states_sizes(type_: ValueType) -> bool:
    """Whether a shape of the right rank may contradict a type."""
    if not isinstance(type_, TensorType) or type_.shape is None:
        return False
    return type_.bounds is not None or max(type_.shape, default=-1) >= 0


def _remember(memory: set[_Shapes], shapes: _Shapes) -> None:
    if len(memory) >= _REMEMBERED:
        memory.clear()
    memory.add(shapes)


class _Copy:
    """A copy of an operation, whose operands are arguments of a block of its own."""

    def __init__(self, operation: ir.Operation) -> None:
        captured = captured_values(operation.regions)
        types = [value.type for value in (*operation.operands, *captured)]
        with _VERIFYING, operation.context, operation.location:
            self._module = ir.Operation.create("builtin.module", regions=1)  # keeps the copy alive
            block = ir.Block.create_at_start(self._module.regions[0], types)
            self._arguments = list(block.arguments)
            self._operation = append_copy(block, operation, self._arguments)
            # The verifier of interpreter.run_parallel looks for functions of the module, and that of
            # custom_call wants operands and results that alias each other to have equal types.
            self._is_verifiable = not (traits_of(operation.name).foreign or self._violated_rule())
        # Whether the operation may hand on its operands.
        self._has_types_of_operands = types == [result.type for result in operation.results]

    def verify(self, shapes: dict[int, tuple[int, ...]]) -> None:
        """Verify the operation with operands of these shapes, by position."""
        if not self._is_verifiable:
            return
        with _VERIFYING, self._operation.context, self._operation.location:
            for index, shape in shapes.items():
                argument = self._arguments[index]
                element_type = ir.ShapedType(argument.type).element_type
                argument.set_type(ir.RankedTensorType.get(shape, element_type))
            violated = self._violated_rule()
            if violated and not (self._has_types_of_operands and self._is_valid_with_equal_types()):
                raise EvaluationError(f"{self._types()}: {violated}")

    def _violated_rule(self) -> str:
        """The rule that the types violate, in the words of the verifier; "" for valid types."""
        try:
            self._operation.verify()
        except ir.MLIRError as error:
            diagnostics = error.error_diagnostics
            message = diagnostics[0].message if diagnostics else error.message
            # The verifier of broadcast_in_dim compares an unknown size of the result as if it were known.
            return "" if _UNKNOWN in message else message.removeprefix(f"'{self._operation.name}' op ")
        return ""

    def _is_valid_with_equal_types(self) -> bool:
        """Whether the operation is valid if its results have the static types of its operands, too:
        optimization_barrier accepts no less precise types."""
        results = list(self._operation.results)
        types = [result.type for result in results]
        for argument, result in zip(self._arguments, results, strict=True):
            result.set_type(argument.type)
        is_valid = not self._violated_rule()
        for type_, result in zip(types, results, strict=True):
            result.set_type(type_)
        return is_valid

    def _types(self) -> str:
        operands = ", ".join([str(operand.type) for operand in self._operation.operands])
        results = ", ".join([str(result.type) for result in self._operation.results])
        return f"types at run time must be valid, got ({operands}) -> ({results})"
