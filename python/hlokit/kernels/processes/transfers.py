"""send and recv, infeed and outfeed, async_start and async_done."""

from __future__ import annotations

import numpy as np

from hlokit.engine.contract.process import Values
from hlokit.engine.contract.process_groups import GroupMode, ReplicaGroups
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.run_context import current
from hlokit.engine.grid.threads import current_process
from hlokit.errors import EvaluationError
from hlokit.kernels.processes.collectives import channel_id
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, ValueType


def send(operation: Operation) -> Kernel:
    """spec "send": inputs go to channel `channel_id`; with pairs, to the target of this process.

    The process does not wait for the receiver. A process that is not a source sends nothing.
    """
    channel, pairs = channel_id(operation), _pairs(operation)

    def kernel(*operands: Value) -> Token:
        *inputs, _ = operands
        process = current_process()
        if pairs is None:
            process.send(channel, None, tuple(inputs))
            return Token()
        for source, target in process.groups(pairs):
            if source == process.id:
                process.send(channel, target, tuple(inputs))
        return Token()

    return Kernel(kernel)


def recv(operation: Operation) -> Kernel:
    """spec "recv": results = the values sent to channel `channel_id`, and a token.

    With pairs, the source of this process sends the values; a process that is not a target receives zeros.
    """
    channel, pairs = channel_id(operation), _pairs(operation)
    types = operation.result_types[:-1]
    tensors = [operation.result(i) for i in range(len(types))]
    zeros = tuple([np.zeros(type_.dims, type_.element_type.dtype) for type_ in tensors if type_.is_static])

    def receive() -> Values:
        process = current_process()
        if pairs is None:
            return process.receive(channel, None)
        for source, target in process.groups(pairs):
            if target == process.id:
                return process.receive(channel, source)
        return zeros

    def kernel(token: Value) -> Value:
        return _payload(receive(), types, f"channel {channel}")

    return Kernel(kernel)


def _pairs(operation: Operation) -> ReplicaGroups | None:
    """The pairs of a channel between devices; None for a channel that is a single connection, as between
    hosts.
    """
    attributes = operation.attributes
    pairs = attributes.pairs("source_target_pairs", ())
    if not pairs or attributes.bool_("is_host_transfer", False):
        return None
    mode = GroupMode.CROSS_PARTITION if channel_id(operation) > 0 else GroupMode.CROSS_REPLICA
    return ReplicaGroups(mode, pairs, "source_target_pairs")


def infeed(operation: Operation) -> Kernel:
    """spec "infeed": results = the next entry of this process's infeed, and a token."""
    types = operation.result_types[:-1]

    def kernel(token: Value) -> Value:
        values = current_process().next_infeed() if types else ()
        if values is None:
            raise EvaluationError("the infeed has no more values")
        return _payload(values, types, "the infeed")

    return Kernel(kernel)


def _payload(values: Values, types: tuple[ValueType, ...], source: str) -> Value:
    """Values from outside the process, checked against the operation's types, and a token."""
    if len(values) != len(types):
        raise EvaluationError(f"{source} must give {len(types)} values, got {len(values)}")
    for value, type_ in zip(values, types, strict=True):
        if not isinstance(type_, TensorType):
            continue
        if value.dtype != type_.element_type.dtype or not type_.admits(value.shape):
            raise EvaluationError(f"{source} must give a {type_}, got {value.dtype} of shape {value.shape}")
    return (*values, Token()) if values else Token()


def outfeed(operation: Operation) -> Kernel:
    """spec "outfeed": inputs go to this process's outfeed."""

    def kernel(*operands: Value) -> Token:
        *inputs, _ = operands
        current().outfeed(current_process().id, tuple(inputs))
        return Token()

    return Kernel(kernel)


def async_start(operation: Operation) -> Kernel:
    """spec "async_start": result = a future of body(operands...). The body runs immediately."""
    (body,) = operation.regions
    if body.argument_types:
        return Kernel(body)
    # In the spec's example, the body captures the operands.
    count = len(operation.operand_types)

    def async_body(*values: Value) -> Value:
        return body(*values[count:])

    return Kernel(async_body)


def async_done(operation: Operation) -> Kernel:
    """spec "async_done": result = the value of a future."""
    return Kernel(_value_of_future, source="{0}")


def _value_of_future(future: Value) -> Value:
    return future
