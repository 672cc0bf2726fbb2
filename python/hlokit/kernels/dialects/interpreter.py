"""The interpreter dialect: programs on a process grid, printing, probes.

Source: the dialect's definition in the StableHLO project.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from hlokit.engine.contract.process import ProcessRun, Values
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.run_context import current
from hlokit.engine.grid.threads import run_processes
from hlokit.mlir.conversion.attributes import plain
from hlokit.values.text import format_value
from hlokit.values.types import require_compatible, require_types


def run_parallel(operation: Operation) -> Kernel:
    """Run programs[replica][partition] on a process grid.

    Operands are the arguments of process (0, 0), then of (0, 1) and so on; results follow the same order.
    Each process reads the results of the functions in `infeed`, in order, from its infeed.
    """
    attributes = operation.attributes
    names = cast("list[list[str]]", attributes.read("programs", plain))
    infeed_names = cast("list[str]", attributes.read("infeed", plain)) if "infeed" in attributes else []
    functions = [operation.function(name) for row in names for name in row]
    infeed_functions = [operation.function(name) for name in infeed_names]
    replicas, partitions = len(names), len(names[0])
    is_single = len(operation.result_types) == 1
    argument_types = tuple([type_ for function in functions for type_ in function.argument_types])
    require_compatible(operation.operand_types, argument_types, "operand")

    def kernel(*operands: Value) -> Value:
        require_types(operands, argument_types, "operand")
        arguments = iter(operands)
        runs = [
            ProcessRun(
                function,
                [next(arguments) for _ in function.argument_types],
                _results_one_by_one(infeed_functions),
            )
            for function in functions
        ]
        returned = run_processes(replicas, partitions, runs)
        results = [
            value
            for function, values in zip(functions, returned, strict=True)
            for value in _all_results(function, values)
        ]
        require_compatible(
            [type_ for function in functions for type_ in function.output_types],
            operation.result_types,
            "result",
        )
        require_types(results, operation.result_types, "result")
        return results[0] if is_single else tuple(results)

    return Kernel(kernel)


def _results_one_by_one(functions: list[Region]) -> Iterator[Values]:
    for function in functions:
        yield _all_results(function, function())


def _all_results(function: Region, returned: Value) -> Values:
    return (returned,) if len(function.output_types) == 1 else returned


def print_(operation: Operation) -> Kernel:
    """Print `%name = value` in one write."""
    type_ = operation.operand()
    name = operation.attributes.operand_name(0)

    def kernel(operand: Value) -> Values:
        current().write(f"{name} = {format_value(operand, type_)}\n")
        return ()

    return Kernel(kernel)


def probe(operation: Operation) -> Kernel:
    """result = operand; the operand is stored under `probe_id` if the run collects probes."""
    type_ = operation.operand()
    probe_id = operation.attributes.string("probe_id")

    def kernel(operand: Value) -> Value:
        probes = current().probes
        if probes is not None:
            probes.store(probe_id, operand, type_)
        return operand

    return Kernel(kernel)
