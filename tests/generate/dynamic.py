"""Programs with unknown dimensions: one operation of a program, as a function of its operands.

Some sizes in the types of operands and results are unknown, or have a bound. Arguments have the sizes of the
program, or other sizes, so that operands disagree with each other, or with the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from jaxlib.mlir import ir

import hlokit
from hlokit.engine.contract import run_context
from hlokit.engine.interpreter.planner import operation_of
from hlokit.errors import EvaluationError, ParseError, UnsupportedError, VerificationError
from hlokit.mlir.queries.copies import append_copy
from hlokit.mlir.queries.structure import captured_values
from hlokit.operations.lookup import traits_of
from hlokit.values.types import TensorType

UNKNOWN = ir.ShapedType.get_dynamic_size()
# Operations that other functions, processes or the order of evaluation affect.
_EXCLUDED = ("func.", "check.", "interpreter.", "stablehlo.composite", "stablehlo.constant", "stablehlo.rng")
_TURNS = 12


@dataclass(frozen=True)
class Applied:
    """An operation of a program, and the values of its operands and of what its regions capture.

    Operations die with their program.
    """

    operation: ir.Operation
    operands: tuple[Any, ...]
    program: hlokit.Program


@dataclass(frozen=True)
class DynamicProgram:
    """A program of one operation.

    Attributes:
      name: the operation.
      text: the program.
      arguments: its arguments.
      applied: the operation and its operands in the program that it comes from.
      is_changed: whether the arguments are not those of the program that the operation comes from.
      is_loop: whether the operation runs in each iteration of a loop.
    """

    name: str
    text: str
    arguments: tuple[Any, ...]
    applied: Applied
    is_loop: bool
    is_changed: bool


class _Values:
    """An observer that keeps the operations outside of regions, with their operands."""

    def __init__(self, program: hlokit.Program) -> None:
        self._program = program
        self.applied: list[Applied] = []

    def before(self, plan: Any, step: Any, operands: Sequence[Any]) -> None:
        pass

    def after(self, plan: Any, step: Any, operands: Sequence[Any], results: Sequence[Any]) -> None:
        operation = operation_of(step)
        assert operation.parent is not None
        is_outside = operation.parent.name == "func.func" and run_context.current().process is None
        has_types = all(map(_has_type, step.operand_types, operands))  # regions may apply functions to arrays
        if is_outside and has_types and not operation.name.startswith(_EXCLUDED):
            self.applied.append(Applied(operation, tuple(operands), self._program))


def _has_type(type_: Any, value: Any) -> bool:
    return isinstance(type_, TensorType) and type_.shape == np.shape(value)


def operations_of(text: str, *arguments: Any) -> list[Applied]:
    """The operations on arrays in a program's functions that take these arguments, with their operands."""
    try:
        program = hlokit.load(text)
    except VerificationError:  # tests/interpret has some
        return []
    values = _Values(program)
    for function in program.functions:
        if len(program.signature(function).inputs) == len(arguments):
            with suppress(EvaluationError, UnsupportedError):  # of processes that run alone
                program(*arguments, function=function, observer=values)
    return [applied for applied in values.applied if all(map(_is_tensor, _types(applied.operation)))]


def _types(operation: ir.Operation) -> list[ir.Type]:
    values = (*operation.operands, *captured_values(operation.regions), *operation.results)
    return [value.type for value in values]


def _is_tensor(type_: ir.Type) -> bool:
    return isinstance(type_.maybe_downcast(), ir.RankedTensorType) and "!quant" not in str(type_)


def function_of(
    operation: ir.Operation, operands: Sequence[ir.Type], results: Sequence[ir.Type]
) -> str | None:
    """The text of a function of an operation with other types; None if the verifier rejects the types."""
    with operation.context, ir.Location.unknown():
        module = ir.Module.create()
        kind = ir.FunctionType.get(list(operands), list(results))
        attributes = {"sym_name": ir.StringAttr.get("main"), "function_type": ir.TypeAttr.get(kind)}
        function = ir.Operation.create("func.func", attributes=attributes, regions=1)
        module.body.append(function)
        block = ir.Block.create_at_start(function.regions[0], list(operands))
        copied = append_copy(block, operation, list(block.arguments))
        for result, type_ in zip(copied.results, results, strict=True):
            result.set_type(type_)
        block.append(ir.Operation.create("func.return", operands=list(copied.results)))
        text = function.get_asm(print_generic_op_form=True)
    try:
        hlokit.load(text)
    except (ParseError, VerificationError):
        return None
    return text


def with_shape(type_: ir.Type, shape: Sequence[int]) -> ir.Type:
    """A tensor type with other, static sizes."""
    return ir.RankedTensorType.get(list(shape), ir.ShapedType(type_).element_type)


def static_text(program: DynamicProgram, results: Sequence[Any]) -> str | None:
    """The same operation with the types of its arguments and of these results; None if these are invalid."""
    operation = program.applied.operation
    types = _types(operation)
    shapes = [np.shape(value) for value in (*program.arguments, *results)]
    with operation.context, ir.Location.unknown():
        static = [with_shape(type_, shape) for type_, shape in zip(types, shapes, strict=True)]
    count = len(program.arguments)
    return function_of(operation, static[:count], static[count:])


def text_with_unknown_results(program: DynamicProgram) -> str | None:
    """The same operation with the types of its arguments, and nothing known of its results; None if that is
    invalid."""
    operation = program.applied.operation
    types, count = _types(operation), len(program.arguments)
    with operation.context, ir.Location.unknown():
        operands = [
            with_shape(type_, np.shape(value)) for type_, value in zip(types, program.arguments, strict=False)
        ]
        results = [with_shape(type_, [UNKNOWN] * ir.ShapedType(type_).rank) for type_ in types[count:]]
    return function_of(operation, operands, results)


def dynamic_program(random: Random, applied: Applied, *, wrong: bool) -> DynamicProgram | None:
    """A program of an operation with some unknown sizes; None if the types that were drawn are invalid.

    Args:
      wrong: whether some arguments have other sizes, or are other sizes.
    """
    operation = applied.operation
    count = len(applied.operands)
    with operation.context, ir.Location.unknown():
        types = _dynamic_types(random, _types(operation))
    text = function_of(operation, types[:count], types[count:])
    if text is None:
        return None
    arguments = applied.operands
    if wrong:
        arguments = _with_other_numbers(random, operation, arguments)
        victims = [index for index, type_ in enumerate(types[:count]) if "?" in str(type_)]
        chosen = {index for index in victims if random.random() < 0.5}
        arguments = tuple(
            _resized(random, argument, type_) if index in chosen else argument
            for index, (argument, type_) in enumerate(zip(arguments, types, strict=False))
        )
    is_loop = bool(operation.results) and random.random() < 0.25
    if is_loop:
        text = _in_loop(text, list(map(str, types[:count])), list(map(str, types[count:])))
    is_changed = any(one is not other for one, other in zip(arguments, applied.operands, strict=True))
    return DynamicProgram(operation.name, text, arguments, applied, is_loop, is_changed)


def _dynamic_types(random: Random, types: Sequence[ir.Type]) -> list[ir.Type]:
    """The types with unknown sizes: each on its own, all, or the same in types of one shape."""
    match random.randrange(4):
        case 0:
            return [with_shape(type_, [UNKNOWN] * ir.ShapedType(type_).rank) for type_ in types]
        case 1:
            seed = random.random()
            return [
                _with_unknown_sizes(Random(f"{seed} {ir.ShapedType(type_).shape}"), type_) for type_ in types
            ]
        case _:
            return [_with_unknown_sizes(random, type_) for type_ in types]


def _with_unknown_sizes(random: Random, type_: ir.Type) -> ir.Type:
    shape = list(ir.ShapedType(type_).shape)
    if not shape or random.random() < 0.2:
        return type_
    sizes, bounds = shape.copy(), [UNKNOWN] * len(shape)
    has_bounds = random.random() < 0.2
    for index, size in enumerate(shape):
        if random.random() < 0.6:
            sizes[index] = UNKNOWN
            if has_bounds and random.random() < 0.7:
                bounds[index] = size + random.choice([0, 0, 1, 3])
    spelled = ", ".join("?" if bound == UNKNOWN else str(bound) for bound in bounds)
    is_bounded = any(bound != UNKNOWN for bound in bounds)
    encoding = ir.Attribute.parse(f"#stablehlo.bounds<{spelled}>") if is_bounded else None
    return ir.RankedTensorType.get(sizes, ir.ShapedType(type_).element_type, encoding)


def _with_other_numbers(
    random: Random, operation: ir.Operation, arguments: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The arguments, with other numbers in some of those that give shapes and other sizes."""
    changed = list(arguments)
    for index in traits_of(operation.name).sizes:
        if index < len(changed) and np.size(changed[index]) and random.random() < 0.3:
            array = np.array(changed[index])
            flat, position = array.reshape(-1), random.randrange(array.size)
            number = int(flat[position]) + random.choice([-1, 1, 2, -3])
            flat[position] = max(number, int(np.iinfo(array.dtype).min))
            changed[index] = array
    return tuple(changed)


def _resized(random: Random, argument: Any, type_: ir.Type) -> Any:
    """An argument with another size in a dimension that the type leaves unknown."""
    array = np.asarray(argument)
    ranked = ir.RankedTensorType(type_)
    bounds = _bounds(ranked)
    unknown = [index for index, size in enumerate(ranked.shape) if size == UNKNOWN]
    index = random.choice(unknown)
    size = array.shape[index]
    size = random.choice([size + 1, size - 1, 0, 1, 2 * size, size + 3])
    size = max(0, size if bounds[index] is None else min(size, bounds[index]))
    positions = np.arange(size) % max(1, array.shape[index])
    return array.take(positions, index) if array.shape[index] else _zeros(array, index, size)


def _zeros(array: Any, index: int, size: int) -> Any:
    return np.zeros((*array.shape[:index], size, *array.shape[index + 1 :]), array.dtype)


def _bounds(type_: ir.RankedTensorType) -> list[int | None]:
    if type_.encoding is None:
        return [None] * type_.rank
    spelled = str(type_.encoding).partition("<")[2].rstrip(">").split(",")
    return [None if bound.strip() == "?" else int(bound) for bound in spelled]


def _in_loop(text: str, operands: Sequence[str], results: Sequence[str]) -> str:
    """A program that calls the function in each iteration of a loop and returns its last results."""
    function = text.replace('sym_name = "main"', 'sym_name = "one"')
    arguments = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(operands))
    names = ", ".join(f"%a{index}" for index in range(len(operands)))
    call = f"func.call @one({names}) : ({', '.join(operands)}) -> ({', '.join(results)})"
    several = f":{len(results)}" if len(results) > 1 else ""

    def of(name: str) -> list[str]:
        return [f"{name}#{index}" for index in range(len(results))] if several else [name]

    states = "".join(f", %s{index} = {value}" for index, value in enumerate(of("%first")))
    returned = ", ".join(f"%r#{index + 1}" for index in range(len(results)))
    types = ", ".join(results)
    return f"""{function}
func.func @main({arguments}) -> ({types}) {{
  %first{several} = {call}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<{_TURNS}> : tensor<i32>
  %r:{len(results) + 1} = stablehlo.while(%i = %zero{states}) : tensor<i32>, {types} cond {{
    %p = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %next{several} = {call}
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, {", ".join(of("%next"))} : tensor<i32>, {types}
  }}
  return {returned} : {types}
}}
"""
