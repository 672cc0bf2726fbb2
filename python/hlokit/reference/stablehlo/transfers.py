"""Transfers between processes, infeed and outfeed; and the interpreter dialect.

Source: spec "Point-to-point communication", "Streaming communication"; the definition of the interpreter
dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.attributes import plain
from hlokit.reference.model.calls import Call, Values
from hlokit.reference.model.grid import Communication, Process, ProcessGrid, ProcessId, run_processes
from hlokit.reference.model.tensors import Value
from hlokit.reference.stablehlo.collectives import channel_id, groups_across_one
from hlokit.reference.stablehlo.quantized import zeros
from hlokit.values.tensor import Token
from hlokit.values.text import format_value
from hlokit.values.types import ValueType


def send(call: Call) -> Token:
    """spec "send": sends the inputs on channel `channel_id`, to the target of this process if there are pairs

    `send` does not wait for the receiver. If there are pairs, a process that is no source sends nothing.
    """
    inputs, process = call.operands[:-1], call.process
    for source, target in _connections(call):
        if source in (None, process.id):
            process.communication.send((channel_id(call), source, target), inputs)
    return Token()


def recv(call: Call) -> Values:
    """spec "recv": results = the values sent on channel `channel_id`, by the source of this process if there
    are pairs, and a token

    If there are pairs, a process that is no target receives zeros.
    """
    process, channel = call.process, channel_id(call)
    for source, target in _connections(call):
        if target in (None, process.id):
            values = process.communication.receive(process.id, (channel, source, target))
            return _received(values, call.result_types[:-1], f"channel {channel}")
    types = [call.result(i) for i in range(len(call.result_types) - 1)]
    return (*[zeros(type_.element_type, type_.dims) for type_ in types], Token())


def _connections(call: Call) -> Sequence[tuple[ProcessId | None, ProcessId | None]]:
    """(source, target) of each connection of a channel; (None, None) if there are no pairs."""
    attributes = call.attributes
    pairs = attributes.pairs("source_target_pairs", ())
    if not pairs or attributes.bool_("is_host_transfer", False):
        return [(None, None)]
    return [(source, target) for source, target in groups_across_one(call, pairs)]


def infeed(call: Call) -> Values:
    """spec "infeed": results = the next entry of this process's infeed, and a token"""
    types = call.result_types[:-1]
    values = next(call.process.infeed, None) if types else ()
    if values is None:
        raise EvaluationError("the infeed has no more values")
    return _received(values, types, "the infeed")


def outfeed(call: Call) -> Token:
    """spec "outfeed": appends the inputs to this process's outfeed"""
    call.process.execution.outfeed.append((call.process.id, call.operands[:-1]))
    return Token()


def _received(values: Values, types: Sequence[ValueType], source: str) -> Values:
    """The received values and a token."""
    if len(values) != len(types):
        raise EvaluationError(f"{source} must give {len(types)} values, got {len(values)}")
    return (*values, Token())


# The interpreter dialect ------------------------------------------------------------------------------


def run_parallel(call: Call) -> Values:
    """interpreter.run_parallel: programs[replica][partition] on a grid of processes

    Operands are the arguments of process (0, 0), then of (0, 1) and so on; results have the same order. Each
    process reads the results of the functions `infeed`, one after the other, from its infeed.
    """
    attributes = call.attributes
    names = cast("list[list[str]]", attributes.read("programs", plain))
    feeds = cast("list[str]", attributes.read("infeed", plain)) if "infeed" in attributes else []
    entries = [call.function(name)() for name in feeds]
    functions = [[call.function(name) for name in row] for row in names]
    grid, operands = ProcessGrid(len(names), len(names[0])), iter(call.operands)
    arguments = {
        id_: [next(operands) for _ in functions[id_.replica][id_.partition].argument_types]
        for id_ in grid.process_ids
    }

    def make(id_: ProcessId, communication: Communication) -> Callable[[], Values]:
        program = names[id_.replica][id_.partition]
        process = Process(id_, grid, communication, call.process.execution, program, iter(entries))
        return partial(functions[id_.replica][id_.partition].on(process), *arguments[id_])

    return tuple([value for values in run_processes(grid, make) for value in values])


def print_(call: Call) -> tuple[()]:
    """interpreter.print: print `%name = value`"""
    shown = format_value(call.operands[0], call.operand_types[0])
    call.process.execution.write(f"{call.attributes.operand_name(0)} = {shown}\n")
    return ()


def probe(call: Call) -> Value:
    """interpreter.probe: result = operand, which is stored under `probe_id`"""
    stored = call.process.execution.probes.setdefault(call.attributes.string("probe_id"), [])
    stored.append(call.tensor())
    return call.tensor()
