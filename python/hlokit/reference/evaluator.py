"""Evaluates functions: a table from SSA values to values, filled operation by operation.

Source: spec "Execution".
"""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from hlokit.children import stacks
from hlokit.children.stacks import TooDeepError
from hlokit.errors import (
    MOST_FRAMES,
    MOST_FRAMES_OF_RECURSION,
    ArgumentError,
    EvaluationError,
    Frame,
    HlokitError,
    InternalError,
    UnsupportedError,
    lacks_memory,
    too_deep,
)
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import entry_name, functions, location_of, signature, symbol
from hlokit.operations.lookup import traits_of
from hlokit.reference.bodies import Bodies, Body, Step
from hlokit.reference.model.calls import Call, Values
from hlokit.reference.model.comparators import KeyComparison
from hlokit.reference.model.execution import Execution
from hlokit.reference.model.grid import (
    Communication,
    Process,
    ProcessGrid,
    ProcessId,
    StoppedError,
    run_processes,
)
from hlokit.reference.model.tensors import Tensors, Value, as_tensor, with_element_type
from hlokit.reference.observed import Observed
from hlokit.reference.operations import row_of, row_of_encoded
from hlokit.reference.stablehlo.quantized import adapted
from hlokit.values.quantized import QuantizedType
from hlokit.values.tensor import Tensor, Tuple
from hlokit.values.types import OpaqueType, TensorType, ValueType

_Table = ChainMap[ir.Value, Value]


def evaluate(function: ir.Operation, arguments: Sequence[Value], process: Process | None = None) -> Values:
    """The results of a function of a module on arguments of its types.

    Raises:
      EvaluationError: the program fails at run time.
      UnsupportedError: the program reaches an operation that the reference lacks.
    """
    return _Evaluation(process or Process.alone()).function(function, arguments)


def evaluate_parallel(
    grid_of_functions: Sequence[Sequence[ir.Operation]],
    arguments: Sequence[Sequence[Value]],
    infeed: Sequence[Values] = (),
    execution: Execution | None = None,
) -> list[Values]:
    """The results of processes that run concurrently, in order of replica, then partition.

    Args:
      grid_of_functions: the function of each process, one row for each replica.
      arguments: the arguments of each process, in the same order.
      infeed: the entries of the infeed of each process.
      execution: the run of these processes.
    """
    grid = ProcessGrid(len(grid_of_functions), len(grid_of_functions[0]))
    arguments_of = dict(zip(grid.process_ids, arguments, strict=True))
    shared = execution or Execution()

    def make(id_: ProcessId, communication: Communication) -> Callable[[], Values]:
        function = grid_of_functions[id_.replica][id_.partition]
        name = function.attributes["sym_name"].value
        process = Process(id_, grid, communication, shared, name, iter(infeed))
        return partial(evaluate, function, arguments_of[id_], process)

    return run_processes(grid, make)


def run(
    module: ir.Module,
    arguments: Sequence[Value] = (),
    *,
    entry: str | None = None,
    execution: Execution | None = None,
    filename: str = "-",
    observed: Observed | None = None,
) -> Values:
    """The results of a module's entry function, in one process.

    Args:
      entry: the name of the function; by default `main`, or the only function.
      execution: receives checks, output and probes of the run.
      filename: the file name in locations within the program's own file.
      observed: the module's blocks, for an observer.

    Raises:
      ArgumentError: there is no such function, or the arguments do not fit the function.
      EvaluationError, UnsupportedError: as `evaluate`.
    """
    all_functions = functions(module)
    function = all_functions[entry_name(tuple(all_functions), entry)]
    types, _ = signature(function)
    if len(types) != len(arguments):
        raise ArgumentError(f"arguments must be {len(types)}, got {len(arguments)}")
    for index, (value, type_) in enumerate(zip(arguments, types, strict=True)):
        if not _fits(value, type_):
            raise ArgumentError(f"argument {index} must be a {type_}, got a {value.type}")
    process = Process.alone(execution)
    return _Evaluation(process, filename, observed=observed).function(function, arguments)


class _Evaluation:
    """The evaluation of one module by one process."""

    def __init__(
        self,
        process: Process,
        filename: str = "-",
        bodies: Bodies | None = None,
        observed: Observed | None = None,
    ) -> None:
        self._process = process
        self._filename = filename
        self._observed = observed
        self.bodies = bodies or Bodies()
        # The number of functions and regions that are active.
        self.level = 0

    @property
    def is_observed(self) -> bool:
        return self._observed is not None

    def function(self, function: ir.Operation, arguments: Sequence[Value]) -> Values:
        name = function.attributes["sym_name"].value
        if not function.regions[0].blocks:
            raise UnsupportedError(f"there is no function @{name} with a body")
        return _Region(self, function.regions[0], ChainMap(), name)(*arguments)

    def block(self, body: Body, arguments: Sequence[Value], outside: _Table, name: str) -> Values:
        """The values that a block returns. `outside` contains the values that the block may capture."""
        table = self.table(body, arguments, outside, name)
        return tuple([table[operand] for operand in body.steps[-1].operands])

    def table(self, body: Body, arguments: Sequence[Value], outside: _Table, name: str) -> _Table:
        """The values of a block."""
        table: _Table = outside.new_child()
        table.update(zip(body.arguments, arguments, strict=True))
        observed = None if self._observed is None else self._observed.block(body, name)
        if observed is not None:
            observed.enter(table)
        for position, step in enumerate(body.steps):
            operands = tuple([table[operand] for operand in step.operands])
            if traits_of(step.name).terminator:
                if observed is not None:
                    observed.leave()
                return table
            evaluate = partial(self._results, step, operands, table, name)
            try:
                results = evaluate() if observed is None else observed.run(position, table, evaluate)
            except (EvaluationError, UnsupportedError, InternalError) as error:
                inner = error.frames
                most = MOST_FRAMES_OF_RECURSION if isinstance(error, TooDeepError) else MOST_FRAMES
                if len(inner) >= most:
                    half = most // 2
                    inner = (*inner[: half - 1], *inner[-half:])
                error.frames = (self._frame(step, name), *inner)
                raise
            table.update(zip(step.results, results, strict=True))
        raise InternalError("a block must end in a return")

    def _results(self, step: Step, operands: Values, table: _Table, function_name: str) -> Values:
        """The results of one operation, checked against its stated types."""
        row = row_of(step.name)
        if row is None:
            raise UnsupportedError(f"the reference does not evaluate {step.name}")
        call = Call(
            step.name,
            operands,
            step.operand_types,
            step.result_types,
            step.attributes,
            tuple([_Region(self, region, table, function_name) for region in step.regions]),
            self._process,
            partial(self._named_function, step.operation),
            row_of_encoded,
        )
        if step.types is not None:
            step.types.require_operands(operands)
        results = _without_python_errors(adapted(call, row), call)
        results = cast("tuple[Any, ...]", results if isinstance(results, tuple) else (results,))
        for index, (value, type_) in enumerate(zip(results, call.result_types, strict=True)):
            if not _fits(value, type_):
                raise EvaluationError(f"result {index} must be a {type_}, got a {value.type}")
        return results

    def _named_function(self, user: ir.Operation, name: str) -> _Function:
        callee = symbol(user, name)
        if callee is None or callee.name != "func.func":
            raise UnsupportedError(f"there is no function @{name} with a body")
        return _Function(self, callee)

    def on(self, process: Process) -> _Evaluation:
        return _Evaluation(process, self._filename, self.bodies, self._observed)

    def _frame(self, step: Step, function_name: str) -> Frame:
        location = location_of(step.operation, self._filename)
        return Frame(step.name, function_name, location, tuple(map(str, step.operand_types)))


@dataclass(frozen=True, slots=True)
class _Function:
    """See `calls.Function`."""

    evaluation: _Evaluation
    operation: ir.Operation

    @property
    def argument_types(self) -> tuple[ValueType, ...]:
        return signature(self.operation, self.evaluation.bodies.types.value_type)[0]

    def __call__(self, *arguments: Value) -> Values:
        return self.evaluation.function(self.operation, arguments)

    def on(self, process: Process) -> _Function:
        return _Function(self.evaluation.on(process), self.operation)


class _Region:
    """See `calls.Region`."""

    def __init__(
        self, evaluation: _Evaluation, region: ir.Region, outside: _Table, function_name: str
    ) -> None:
        self._evaluation = evaluation
        self._region = region
        self._outside = outside
        self._function_name = function_name

    @property
    def _body(self) -> Body:
        return self._evaluation.bodies.of(self._region)

    @property
    def argument_types(self) -> tuple[ValueType, ...]:
        return self._body.argument_types

    @property
    def operation(self) -> str | None:
        body = self._body
        if len(body.steps) != 2:
            return None
        only, terminator = body.steps
        is_used = only.operands in (body.arguments, body.arguments[::-1])
        return only.name if is_used and terminator.operands == only.results else None

    @property
    def is_elementwise(self) -> bool:
        inner = [traits_of(step.name) for step in self._body.steps[:-1] if not step.regions]
        is_whole = len(inner) == len(self._body.steps) - 1
        is_pure = all(traits.elementwise and not traits.random for traits in inner)
        return is_whole and is_pure and not self._evaluation.is_observed

    @property
    def key_comparisons(self) -> tuple[KeyComparison, ...] | None:
        return self._evaluation.bodies.keys_of(self._body)

    def keys(self, *arguments: Value) -> tuple[Tensors, Tensors]:
        table = self._evaluation.table(self._body, arguments, self._outside, self._function_name)
        keys = self.key_comparisons or ()
        return tuple([as_tensor(table[key.lhs]) for key in keys]), tuple(
            [as_tensor(table[key.rhs]) for key in keys]
        )

    def on(self, process: Process) -> _Region:
        return _Region(self._evaluation.on(process), self._region, self._outside, self._function_name)

    def __call__(self, *arguments: Value) -> Values:
        types = self.argument_types
        stated = [_as_stated(argument, type_) for argument, type_ in zip(arguments, types, strict=True)]
        for index, (argument, type_) in enumerate(zip(stated, types, strict=True)):
            if not _fits(argument, type_):
                raise EvaluationError(f"argument {index} must be a {type_}, got a {argument.type}")
        evaluation = self._evaluation
        evaluation.level += 1
        try:
            return stacks.call(
                evaluation.level, evaluation.block, self._body, stated, self._outside, self._function_name
            )
        finally:
            evaluation.level -= 1


def _as_stated(value: Value, type_: ValueType) -> Value:
    """An argument of a region: storage integers, which operations move, become quantized values."""
    if isinstance(type_, TensorType) and isinstance(type_.element_type, QuantizedType):
        assert isinstance(value, Tensor), "an argument of a tensor type is a tensor"
        return with_element_type(value, type_.element_type)
    return value


def _fits(value: Value, type_: ValueType) -> bool:
    """Whether a value has a type from the program, whose dimensions may be unknown or bounded."""
    if isinstance(value, Tuple) or isinstance(type_, OpaqueType):
        return True  # a future has another type than its value
    if not isinstance(value, Tensor) or not isinstance(type_, TensorType):
        return value.type == type_
    return value.element_type == type_.element_type and type_.admits(value.shape)


def _without_python_errors(row: Callable[[Call], Any], call: Call) -> Any:
    """Evaluate a row; an unexpected Python exception becomes an error of hlokit."""
    try:
        return row(call)
    except (HlokitError, StoppedError):
        raise
    except RecursionError as error:
        raise TooDeepError(too_deep(sys.getrecursionlimit())) from error
    except Exception as error:
        if lacks_memory(error):
            raise EvaluationError(f"out of memory: {error}") from error
        raise InternalError(f"{type(error).__name__}: {error}") from error
