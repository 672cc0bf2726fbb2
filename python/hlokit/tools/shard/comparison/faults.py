"""Finds the operation at which a partitioner fails: the first wrong value, crash or refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from hlokit.engine.plan.locations import source_position, source_text
from hlokit.errors import HlokitError
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import in_file, location_of, walk
from hlokit.programs.program import Program
from hlokit.tools.shard.notation.annotations import (
    entry,
    result_names,
    set_value_attributes,
    value_attributes,
)
from hlokit.tools.shard.partitioners.answers import Answer
from hlokit.tools.shard.partitioners.partition import PartitionerFailed, Request, Workers
from hlokit.tools.shard.partitioners.preparation import prepare

# The time limit of one candidate program, in seconds.
_TIME_LIMIT = 60.0


def described(operation: ir.Operation, filename: str) -> str:
    """An operation for display: its name, and its line in the source."""
    where = source_text(location_of(operation, filename))
    return f"{operation.name} ({where})" if where else operation.name


def _body(module: ir.Module) -> list[ir.Operation]:
    return [view.operation for view in entry(module).regions[0].blocks[0].operations]


def _copy(asked: Request) -> ir.Module:
    """The program with calls inlined."""
    module = parse_bytecode(None, write_bytecode(asked.whole.module), is_trusted=True)
    prepare(module, "shardy")
    return module


def _return(module: ir.Module, values: Sequence[ir.Value], *, adds: bool = False) -> None:
    """Let the entry function return other values, or additional ones."""
    main = entry(module)
    end = _body(module)[-1]
    attributes = value_attributes(main, "res_attrs", len(end.operands)) if adds else []
    attributes += [{} for _ in values]
    values = [*(end.operands if adds else ()), *values]
    ir.Operation.create("func.return", [], list(values), loc=end.location, ip=ir.InsertionPoint(end))
    end.erase()
    type_ = ir.FunctionType(main.attributes["function_type"].value)
    changed = ir.FunctionType.get(type_.inputs, [value.type for value in values], context=module.context)
    main.attributes["function_type"] = ir.TypeAttr.get(changed, context=module.context)
    set_value_attributes(main, "res_attrs", attributes)


def _tried(module: ir.Module, asked: Request) -> Request:
    return Request(Program(module, asked.whole.filename), asked.mesh, asked.names, ())


def refused_at(asked: Request, partitioner: str, location: str, reason: str) -> str:
    """The operation that the partitioner rejects: the operation at a location, or the last operation of the
    shortest prefix of the program that the partitioner rejects; the location if neither is found.

    Args:
      location: `"file":line:column` of the partitioner's message; "" if the message has no location.
      reason: the message. Among several operations at the location, it selects the one that it names, or else
        one with regions, to which messages of MLIR refer without a name.
    """
    position = source_position(location)
    here: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if source_position(str(operation.location)) == position:
            here.append(operation)

    if position is not None:
        whole = asked.prepared(partitioner)
        walk(whole.module.operation, visit)
    filename = asked.whole.filename
    named = [operation for operation in here if f"'{operation.name}'" in reason]
    here = named or [operation for operation in here if len(operation.regions)] or here
    if len({operation.name for operation in here}) == 1:
        return described(here[0], filename)
    return first_failing(asked, partitioner, "refused") or source_text(in_file(location, filename))


def first_failing(asked: Request, partitioner: str, kind: str) -> str:
    """The first operation with which the partitioner fails; "" if no prefix of the program makes it fail.

    The search bisects over prefixes of the program.

    Args:
      kind: the kind of failure, see `PartitionerFailed`.
    """
    module = _copy(asked)
    body = _body(module)[:-1]
    # The partitioner fails with the operations before `high`, and not with those before `low`.
    low, high = 0, len(body)
    if not body or not _fails(asked, partitioner, high, kind):
        return ""
    while high - low > 1:
        middle = (low + high) // 2
        if _fails(asked, partitioner, middle, kind):
            high = middle
        else:
            low = middle
    return described(body[high - 1], asked.whole.filename)


def _fails(asked: Request, partitioner: str, count: int, kind: str) -> bool:
    """Whether the partitioner fails with the first operations."""
    module = _copy(asked)
    *body, _ = _body(module)
    unused = [
        result
        for operation in body[:count]
        for result in operation.results
        if all(use.owner.operation in body[count:] for use in result.uses)
        or not any(use.owner.operation in body[:count] for use in result.uses)
    ]
    _return(module, [value for value in unused if isinstance(value.type, ir.RankedTensorType)])
    for operation in reversed(body[count:]):
        operation.erase()
    with Workers(_TIME_LIMIT) as workers:
        try:
            workers.ask(_tried(module, asked).question(partitioner))
        except PartitionerFailed as failure:
            return failure.kind == kind
    return False


def first_wrong(
    asked: Request,
    partitioner: str,
    values: Sequence[Any],
    check: Callable[[Request, Answer, Sequence[Any]], Sequence[bool]],
) -> str:
    """The first operation of the entry function with a wrong value if all values become results; "" if all
    values are right, or if the partitioner rejects this program.

    Args:
      check: returns for each result of a partitioned program whether it is right.
    """
    module = _copy(asked)
    *body, end = _body(module)
    count = len(end.operands)
    names = result_names(entry(module))
    places: list[ir.Operation] = []
    results: list[ir.Value] = []
    for operation in body:
        for result in operation.results:
            if isinstance(result.type, ir.RankedTensorType):
                places.append(operation)
                results.append(result)
    _return(module, results, adds=True)
    numbers = tuple(str(i) for i in range(count + len(results)))
    tried = Request(Program(module, asked.whole.filename), asked.mesh, asked.names, numbers)
    with suppress(HlokitError), Workers(_TIME_LIMIT) as workers:
        answer = workers.ask(tried.question(partitioner))
        wrong = [not is_right for is_right in check(tried, answer, values)]
        if any(wrong[count:]):
            return described(places[wrong.index(True, count) - count], asked.whole.filename)
        if any(wrong):
            return f"the reshard of {names[wrong.index(True)]} to {answer.specs[1][wrong.index(True)]}"
    return ""
