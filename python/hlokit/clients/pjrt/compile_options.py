"""XLA's `CompileOptionsProto`, with which frameworks compile programs: the part that hlokit reads.

Source: xla/pjrt/proto/compile_options.proto and xla/xla_data.proto.
"""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.clients.pjrt.messages import bytes_field, field, packed_field, varints
from hlokit.errors import ArgumentError
from hlokit.programs.importers.protobuf import MalformedMessage, fields, parts

# CompileOptionsProto, ExecutableBuildOptionsProto, DeviceAssignmentProto and its ComputationDevice.
_BUILD_OPTIONS = 3
_OPTIONS_BY_NAME = 7
_REPLICAS, _PARTITIONS, _ASSIGNMENT = 4, 5, 9
_COMPUTATION_DEVICES = 3
_DEVICE_IDS = 1


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Options of a compilation.

    Attributes:
      replicas, partitions: the grid of processes.
      devices: the number of the device of each process; processes in order of replica, then partition.
    """

    replicas: int
    partitions: int
    devices: tuple[int, ...]


def read_options(data: bytes) -> CompileOptions:
    """The options in a serialized message.

    Raises:
      ArgumentError: the message is malformed, or the devices do not fit the grid.
    """
    try:
        return _read(memoryview(data))
    except MalformedMessage as error:
        raise ArgumentError(
            f"compile options must be a CompileOptionsProto, got one in which {error}"
        ) from None


def _read(data: memoryview) -> CompileOptions:
    build = next(parts(data, _BUILD_OPTIONS), memoryview(b""))
    numbers = {number: value for number, value in fields(build) if isinstance(value, int)}
    replicas, partitions = numbers.get(_REPLICAS, 0) or 1, numbers.get(_PARTITIONS, 0) or 1
    by_partition = [_device_ids(part) for part in parts(build, _ASSIGNMENT, _COMPUTATION_DEVICES)]
    if not by_partition:
        return CompileOptions(replicas, partitions, tuple(range(replicas * partitions)))
    if len(by_partition) != partitions or any(len(ids) != replicas for ids in by_partition):
        raise ArgumentError(
            f"a device assignment must have {partitions} partitions of {replicas} replicas, got "
            f"{len(by_partition)} of {len(by_partition[0])}"
        )
    devices = tuple(
        by_partition[partition][replica] for replica in range(replicas) for partition in range(partitions)
    )
    return CompileOptions(replicas, partitions, devices)


def _device_ids(message: memoryview) -> list[int]:
    """The numbers of one partition's devices, by replica: a repeated integer, packed or not."""
    ids: list[int] = []
    for number, value in fields(message):
        if number == _DEVICE_IDS:
            ids += [value] if isinstance(value, int) else varints(value)
    return ids


def require_known(data: bytes) -> None:
    """Check the options that are XLA's own, by name: they concern its passes, so that hlokit ignores them.

    Raises:
      ArgumentError: XLA has no such option, or the option has no such value.
    """
    if next(parts(memoryview(data), _OPTIONS_BY_NAME), None) is not None:
        from hlokit.mlir.xla import require_options  # few programs have options

        require_options(data)


def assignment_message(options: CompileOptions) -> bytes:
    """The devices of a grid as a `DeviceAssignmentProto`."""
    message = field(1, options.replicas) + field(2, options.partitions)
    for partition in range(options.partitions):
        ids = [
            options.devices[replica * options.partitions + partition] for replica in range(options.replicas)
        ]
        message += bytes_field(_COMPUTATION_DEVICES, packed_field(_DEVICE_IDS, ids))
    return message
