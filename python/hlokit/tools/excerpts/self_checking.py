"""Self-checking programs, made from a run: `hlokit make-test`.

Arguments are constants, and each result is compared with the result of the run: integers, and results of
operations that only move values, bit by bit; other floats within the difference that `hlokit diff` allows
(`tools.bounds.libraries`), in units in the last place if these are few, otherwise as an absolute
tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.display.shown import Shown
from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import ArgumentError, for_callers
from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import Style, print_module, write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions
from hlokit.mlir.queries.types import to_mlir_type
from hlokit.operations.lookup import traits_of
from hlokit.programs.loading import as_program
from hlokit.programs.program import Program
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.flow.disturbed import disturbed_runs, spread
from hlokit.tools.diff.flow.following import OutsideAppliedRegions
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.diff.instrumented.values import SLACK
from hlokit.tools.diff.isolation.specimens import NOT_ALONE, NOT_ALONE_DIALECTS
from hlokit.tools.excerpts.build import add_main, constant, graph_module, place_nodes
from hlokit.tools.excerpts.graph import Graph, Node
from hlokit.tools.numerics.deviations import unit_in_last_place
from hlokit.tools.recording.places import CONTROL_FLOW
from hlokit.values.element_types import Kind, element_type_of
from hlokit.values.types import TensorType

# Tests of single operations omit operations with larger values.
LARGEST = 4096
# From this number of units in the last place on, the check is an absolute tolerance.
_MOST_ULP = 1 << 12
_CONSTANT = "stablehlo.constant"
_SEPARATOR = "\n// -----\n\n"


@dataclass(frozen=True, slots=True, repr=False)
class SelfChecking(Shown):
    """Self-checking programs.

    Attributes:
      text: MLIR for `hlokit run`; several programs: `stablehlo-translate --interpret --split-input-file`.
      programs: the number of programs.
      left_out: the reasons why operations of the run have no program, each with the number of operations.
    """

    text: str
    programs: int
    left_out: dict[str, int]

    def __str__(self) -> str:
        count = f"{self.programs:,} self-checking program{'' if self.programs == 1 else 's'}"
        lines = [f"{count}, {len(self.text):,} characters: write `text` to a file, for hlokit run"]
        lines += [f"left out: {reason} ({number:,})" for reason, number in self.left_out.items()]
        return "\n  ".join(lines)


@for_callers
def make_test(
    program: Any,
    *arguments: Any,
    per_operation: bool = False,
    function: str | None = None,
    largest: int = LARGEST,
    **keywords: Any,
) -> SelfChecking:
    """A self-checking program, made from a run.

        Path("test.mlir").write_text(hlokit.make_test("model.mlirbc", x).text)

    Args:
      program: a `Program`, or what `hlokit.load` takes.
      arguments, keywords: as in `Program.__call__`.
      per_operation: a program for each distinct operation of the run, on the operands of its first
        evaluation.
      function: name of the function; the entry function by default.
      largest: the largest number of elements of a value; operations with larger values get no program.

    Raises:
      ArgumentError: the arguments do not fit, or a result is not a tensor.
      EvaluationError: the program traps.
    """
    subject = as_program(program, arguments, keywords)
    signature, values = subject.bound(arguments, keywords, function)
    if subject.grid != (1, 1):
        raise ArgumentError("make-test: the program is for several processes")
    if per_operation:
        return _of_operations(subject, values, signature.name, largest)
    for type_ in (*signature.inputs, *signature.outputs):
        if not isinstance(type_, TensorType):
            raise ArgumentError(f"make-test: the function must take and return tensors, got {type_}")
    return SelfChecking(_of_program(subject, values, signature.name), 1, {})


# A whole program --------------------------------------------------------------------------------------


def _of_program(program: Program, values: Sequence[Value], name: str) -> str:
    context = run_context.RunContext(write=_drop)
    results = program.runs.evaluate(list(values), name, context=context)
    disturbed = list(disturbed_runs(TripCounts(program, values, name).disturbed))
    module = parse_bytecode(None, write_bytecode(program.module), "-", is_trusted=True)
    module.context.allow_unregistered_dialects = True
    with module.context, ir.Location.unknown():
        called = "tested" if name == "main" else name
        while called != name and called in functions(module):
            called += "_"
        old = functions(module).get("main")
        if name != "main" and old is not None:
            raise ArgumentError("make-test: the program must have no other function named @main")
        if called != name:
            ir.SymbolTable.replace_all_symbol_uses(name, called, module.operation)
            ir.SymbolTable.set_symbol_name(functions(module)[name], called)
        tested = functions(module)[called]
        tested.attributes["sym_visibility"] = ir.StringAttr.get("private")
        block = add_main(ir.InsertionPoint.at_block_begin(module.body), [], [])
        signature = program.signature(name)
        arguments = [
            _argument(block, np.asarray(value), type_)
            for value, type_ in zip(values, signature.inputs, strict=True)
            if isinstance(type_, TensorType)
        ]
        type_ = ir.FunctionType(tested.attributes["function_type"].value)
        call = ir.Operation.create(
            "func.call",
            list(type_.results),
            arguments,
            {"callee": ir.FlatSymbolRefAttr.get(called)},
            ip=ir.InsertionPoint(block),
        )
        for index, (value, result) in enumerate(zip(results, call.results, strict=True)):
            declared = signature.outputs[index]
            assert isinstance(declared, TensorType)
            array = np.asarray(value)
            type_of_array = TensorType(array.shape, declared.element_type)
            error = _error(array, [run[index] for run in disturbed], type_of_array)
            _check(block, result, array, type_of_array, error)
        ir.Operation.create("func.return", ip=ir.InsertionPoint(block))
    return print_module(module, Style())


def _argument(block: ir.Block, array: Any, declared: TensorType) -> ir.Value:
    """A constant of the type of a parameter, which may have open dimensions."""
    value = constant(block, array, TensorType(array.shape, declared.element_type))
    type_ = to_mlir_type(declared)
    return value if value.type == type_ else _converted(block, value, type_)


def _converted(block: ir.Block, value: ir.Value, type_: ir.Type) -> ir.Value:
    """A value as one of a type that leaves other dimensions open."""
    point = ir.InsertionPoint(block)
    return ir.Operation.create("stablehlo.bitcast_convert", [type_], [value], ip=point).results[0]


def _error(array: Any, disturbed: Sequence[Any], type_: TensorType) -> Any:
    """The allowed error of a result: some units in the last place of each element if these cover the
    disturbed runs, otherwise one absolute error for all elements."""
    absolute = SLACK * spread(array, disturbed)
    if type_.element_type.kind is not Kind.FLOAT or not math.isfinite(absolute):
        return absolute
    with np.errstate(all="ignore"):
        wide = array.astype(np.float64)
        units = unit_in_last_place(np.where(np.isfinite(wide), np.abs(wide), 1.0), type_.element_type)
        apart = [np.nan_to_num(np.abs(np.asarray(run, np.float64) - wide)) / units for run in disturbed]
    most = SLACK * max([float(distances.max(initial=0.0)) for distances in apart], default=0.0)
    return most * units if most <= _MOST_ULP else absolute


# Operations -------------------------------------------------------------------------------------------


class _Kinds(OutsideAppliedRegions):
    """An observer that stores the first evaluation of each distinct operation."""

    def __init__(self, largest: int) -> None:
        super().__init__()
        self.evaluations: dict[Any, tuple[Step, list[Any], list[Any]]] = {}
        self.left_out: dict[str, int] = {}
        self.is_over = False
        self._obstacles: set[tuple[int, str]] = set()
        self._largest = largest

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        is_outside = self.leave(step)
        if self.is_over or not is_outside or traits_of(step.name).terminator or step.name == _CONSTANT:
            return
        why = self._obstacle(step, operands, results)
        if why:
            if (id(step), why) not in self._obstacles:
                self._obstacles.add((id(step), why))
                self.left_out[f"{step.name}: {why}"] = self.left_out.get(f"{step.name}: {why}", 0) + 1
            return
        inputs, outputs = [np.array(value) for value in operands], [np.array(value) for value in results]
        # A kernel that returns its operand may be that of operations of several types.
        types = tuple(map(str, (*step.operand_types, *step.result_types)))
        key = (id(step.kernel), types, tuple([array.shape for array in inputs]))
        self.evaluations.setdefault(key, (step, inputs, outputs))

    def _obstacle(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> str:
        """The reason why an operation gets no program; "" if it gets one."""
        if step.name in CONTROL_FLOW:
            return "control flow; the operations in it get programs"
        if step.name in NOT_ALONE or step.name.startswith(NOT_ALONE_DIALECTS):
            return "depends on more than its operands"
        if not results:
            return "has no results"
        values = (*operands, *results)
        if any(isinstance(value, tuple) or np.asarray(value).dtype.kind == "O" for value in values):
            return "has operands or results that are not tensors"
        if max(np.size(value) for value in values) > self._largest:
            return f"more than {self._largest} elements"
        return ""


def _of_operations(program: Program, values: Sequence[Value], name: str, largest: int) -> SelfChecking:
    kinds = _Kinds(largest)
    program.runs.evaluate(list(values), name, observer=kinds, context=run_context.RunContext(write=_drop))
    kinds.is_over = True  # bounds evaluate kernels again, and the operations in their regions
    texts: list[str] = []
    used: dict[str, int] = {}
    for step, operands, results in kinds.evaluations.values():
        kind = step.name.partition(".")[2]
        number = used[kind] = used.get(kind, -1) + 1
        texts.append(_operation_test(program, step, operands, results, f"{kind}_{number}"))
    return SelfChecking(_SEPARATOR.join(texts), len(texts), kinds.left_out)


def _operation_test(
    program: Program, step: Step, operands: Sequence[Any], results: Sequence[Any], name: str
) -> str:
    operation = operation_of(step)
    types = types_of(step, operands, results)
    evaluated = Evaluated(operation, step.kernel.function, operands, results)
    errors = [
        allowance(evaluated, index, types[len(operands) + index]).error for index in range(len(results))
    ]
    return checked_graph(graph_of_one(program, operation, types, operands), results, errors, name)


def types_of(step: Step, operands: Sequence[Any], results: Sequence[Any]) -> list[TensorType]:
    """The types of operands, including captured values, and of results, with the shapes in the run."""
    declared = [*step.operand_types, *[None] * (len(operands) - len(step.operand_types)), *step.result_types]
    types: list[TensorType] = []
    for array, type_ in zip([*operands, *results], declared, strict=True):
        is_tensor = isinstance(type_, TensorType)
        element_type = type_.element_type if is_tensor else element_type_of(array.dtype)
        types.append(TensorType(array.shape, element_type))
    return types


def graph_of_one(
    program: Program, operation: ir.Operation, types: Sequence[TensorType], operands: Sequence[Any]
) -> Graph:
    """The graph of one operation on constants.

    Args:
      program: the program that contains the operation.
      types: types of operands, captured values last, then of results.
    """
    results = tuple(range(len(operands), len(types)))
    node = Node(operation, tuple(range(len(operands))), results)
    return Graph((node,), results, dict(enumerate(types)), dict(enumerate(operands)), program)


def checked_graph(graph: Graph, expected: Sequence[Any], errors: Sequence[Any], name: str = "main") -> str:
    """A program of a graph on constants, whose results are compared with others.

    Args:
      errors: the allowed absolute error of each result.
    """
    graph.nodes[0].operation.context.allow_unregistered_dialects = True
    with graph_module(graph) as (module, point):
        block = add_main(point, [], [], name)
        environment = {
            number: constant(block, graph.arrays[number], graph.types[number]) for number in graph.arguments
        }
        place_nodes(graph, block, environment)
        for result, array, error in zip(graph.results, expected, errors, strict=True):
            type_ = graph.types[result]
            assert isinstance(type_, TensorType), "other values are not compared"
            _check(block, environment[result], array, type_, error)
        ir.Operation.create("func.return", ip=ir.InsertionPoint(block))
        return print_module(module, Style())


def _check(block: ir.Block, result: ir.Value, array: Any, type_: TensorType, error: Any) -> None:
    """Compare a result with a constant, by the rule of its type."""
    point = ir.InsertionPoint(block)
    if type_.element_type.kind is Kind.QUANTIZED:  # compared as storage integers
        type_ = TensorType(type_.shape, type_.element_type.stored)
        stored = [to_mlir_type(type_)]
        result = ir.Operation.create("stablehlo.bitcast_convert", stored, [result], ip=point).results[0]
    mlir_type = to_mlir_type(type_)
    if str(result.type) != str(type_):
        result = _converted(block, result, mlir_type)
    element_type = type_.element_type
    is_inexact = element_type.kind.is_inexact
    if not is_inexact or (not np.any(error) and not _has_nan(array)):
        value = elements_attribute(array, type_, mlir_type)
        ir.Operation.create("check.expect_eq_const", operands=[result], attributes={"value": value}, ip=point)
        return
    units = _units(array, error, type_)
    if element_type.kind is Kind.FLOAT and units <= _MOST_ULP:
        expected = constant(block, array, type_)
        ui64 = ir.IntegerType.get_unsigned(64)
        limits: dict[str, ir.Attribute] = {
            "max_ulp_difference": ir.IntegerAttr.get(ui64, units),
            "min_ulp_difference": ir.IntegerAttr.get(ui64, 0),
        }
        ir.Operation.create("check.expect_close", operands=[result, expected], attributes=limits, ip=point)
        return
    finite = np.asarray(error, np.float64)[np.isfinite(error)]
    tolerance = ir.FloatAttr.get(ir.F64Type.get(), float(finite.max(initial=0.0)))
    attributes = {"value": elements_attribute(array, type_, mlir_type), "tolerance": tolerance}
    ir.Operation.create("check.expect_almost_eq_const", operands=[result], attributes=attributes, ip=point)


def _units(array: Any, error: Any, type_: TensorType) -> int:
    if type_.element_type.kind is not Kind.FLOAT or not array.size:
        return 0
    with np.errstate(all="ignore"):
        magnitudes = np.abs(array.astype(np.float64))
        units = unit_in_last_place(np.where(np.isfinite(magnitudes), magnitudes, 1.0), type_.element_type)
        shares = np.broadcast_to(np.asarray(error, np.float64), array.shape) / units
    largest = float(np.nanmax(shares))
    return int(np.ceil(largest)) if np.isfinite(largest) else _MOST_ULP + 1


def _has_nan(array: Any) -> bool:
    return bool(np.isnan(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)).any())


def _drop(text: str) -> None:
    del text
