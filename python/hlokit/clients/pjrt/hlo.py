"""The program of an executable as an HLO module, from which JAX reads shardings, and prints text.

Source: xla/service/hlo.proto (HloModuleProto) and xla/xla_data.proto (OpSharding).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from hlokit.clients.pjrt.messages import bytes_field, field, packed_field
from hlokit.errors import UnsupportedError
from hlokit.mlir.provider.bindings import xla_modules
from hlokit.programs.importers.protobuf import parts
from hlokit.tools.shard.notation.layout import Layout

# HloModuleProtoWithConfig, HloModuleConfigProto and HloModuleProto.
_MODULE, _CONFIG = 1, 2
_ENTRY_LAYOUT = 1
_PROGRAM_SHAPE, _OUTPUT_SHARDING, _PARAMETER_SHARDING = 4, 12, 14
# OpSharding.
_KIND, _TILES, _DEVICES, _PARTS, _GROUPS = 1, 3, 4, 5, 8
_REPLICATED, _TUPLE, _OTHER, _UNREDUCED = 0, 2, 3, 6


def hlo_module(proto: bytes, inputs: Sequence[Layout | None], outputs: Sequence[Layout | None]) -> bytes:
    """A program as an HloModuleProtoWithConfig, with the shardings of its parameters and results."""
    shape = bytes(next(parts(memoryview(proto), _PROGRAM_SHAPE)))
    proto += _shardings(inputs, outputs)
    return bytes_field(_MODULE, proto) + bytes_field(_CONFIG, bytes_field(_ENTRY_LAYOUT, shape))


def proto_of(code: bytes) -> bytes:
    """An MLIR module as an HloModuleProto.

    Raises:
      UnsupportedError: XLA cannot convert the program.
    """
    _, jax, _ = xla_modules()
    try:
        computation = jax.mlir.mlir_module_to_xla_computation(code, False, False)
    except (RuntimeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise UnsupportedError(f"the program has no form in HLO: {reason}") from None
    return computation.as_serialized_hlo_module_proto()


def _shardings(inputs: Sequence[Layout | None], outputs: Sequence[Layout | None]) -> bytes:
    """The fields with shardings."""
    results = list(map(op_sharding, outputs or (None,)))  # an empty tuple has one sharding
    whole = results[0]
    if len(outputs) != 1:
        whole = field(_KIND, _TUPLE) + b"".join(bytes_field(_PARTS, result) for result in results)
    parameters = b"".join(bytes_field(_PARAMETER_SHARDING, op_sharding(layout)) for layout in inputs)
    return bytes_field(_OUTPUT_SHARDING, whole) + parameters


def op_sharding(layout: Layout | None) -> bytes:
    """A layout as an OpSharding: tiles, and beside them the terms of a sum, and copies."""
    if layout is None:
        return field(_KIND, _REPLICATED)
    terms = layout.terms or (0,) * len(layout.pieces)
    order = sorted(range(len(layout.pieces)), key=lambda device: (layout.pieces[device], terms[device]))
    count = max(terms) + 1
    copies = len(order) // (prod(layout.counts) * count)
    groups = [(size, kind) for size, kind in ((count, _UNREDUCED), (copies, _REPLICATED)) if size > 1]
    tiles = (*layout.counts, *[size for size, _ in groups])
    message = field(_KIND, _OTHER) + packed_field(_TILES, tiles) + packed_field(_DEVICES, order)
    return message + packed_field(_GROUPS, [kind for _, kind in groups]) if groups else message
