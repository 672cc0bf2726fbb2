"""What the specification and the bindings' verifier allow, but no program can run: refused when it is read.

Most attributes of this kind have no meaning: lengths of -1, groups that are no lists. The checks run on every
program that has such operations (the trait `may_not_run`), so they only read attributes and types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from hlokit.constraints.checks import Check, UnknownTypeError
from hlokit.constraints.reading import operand_types, result_types
from hlokit.constraints.transfers import pair_shape
from hlokit.errors import Diagnostic, UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.replica_groups import InvalidGroupsError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import operations_within
from hlokit.operations.lookup import having

_MAY_NOT_RUN = having(lambda traits: traits.may_not_run)
# Padding beyond this would leave the range of sizes, which are 64 bits wide, when it is added to one.
_MOST_PADDING = 1 << 61


def _groups(op: ir.Operation) -> str | None:
    """Process groups are lists of ids, or axes of a mesh."""
    try:
        Attributes(op).replica_groups()
    except InvalidGroupsError as error:
        return str(error)
    except UnsupportedError:  # a mesh of another dialect: a run that needs it fails
        return None
    return None


def _fft_length(op: ir.Operation) -> str | None:
    """Lengths are those of the last dimensions of the side with as many elements as the transform."""
    lengths = Attributes(op).ints("fft_length")
    if any(length < 0 for length in lengths):
        return f"fft_length must not be negative, got {list(lengths)}"
    is_inverse_real = Attributes(op).enum("fft_type") == "IRFFT"
    type_ = result_types(op)[0] if is_inverse_real else operand_types(op)[0]
    if type_.shape is None or type_.rank < len(lengths):
        return None
    sizes = type_.dims[type_.rank - len(lengths) :]
    if all(size in (-1, length) for size, length in zip(sizes, lengths, strict=True)):
        return None
    name = "result" if is_inverse_real else "operand"
    return (
        f"fft_length must be the sizes of the last dimensions of {name}, {list(sizes)}, got {list(lengths)}"
    )


def _windows(op: ir.Operation) -> str | None:
    """The bindings take an empty array for an absent one, and add any padding to sizes."""
    type_ = operand_types(op)[0]
    for name in ("window_strides", "base_dilations", "window_dilations"):
        if name in op.attributes and type_.shape is not None:
            array: Any = op.attributes[name]
            if len(array) != type_.rank:
                return f"{name} must have size {type_.rank}, got {len(array)}"
    return _padding(op)


def _padding(op: ir.Operation) -> str | None:
    for name in ("padding", "edge_padding_low", "edge_padding_high", "interior_padding"):
        values = Attributes(op).ints(name, ())
        if any(abs(value) > _MOST_PADDING for value in values):
            return f"{name} must be from -2^61 to 2^61, got {list(values)}"
    return None


def _state(op: ir.Operation) -> str | None:
    state, output = operand_types(op)[0].element_type, result_types(op)[0].element_type
    if not (state.kind.is_integer and state.width == 64):  # signed integers are those of older programs
        return f"initial_state must have element type ui64, got {state}"
    return None if output == state else f"output_state must have element type {state}, got {output}"


def _index_select(op: ir.Operation) -> str | None:
    """Negative numbers count from the end of the dimensions of `operand` and of `index`."""
    operand, index = operand_types(op)[:2]
    dim, batch_dims = Attributes(op).int_("dim"), Attributes(op).int_("batch_dims")
    if operand.shape is not None and not -operand.rank <= dim < operand.rank:
        return f"dim must be from {-operand.rank} to {operand.rank - 1}, got {dim}"
    if index.shape is not None and not -index.rank <= batch_dims <= index.rank:
        return f"batch_dims must be from {-index.rank} to {index.rank}, the rank of index, got {batch_dims}"
    return None


def _broadcast_dimensions(op: ir.Operation) -> str | None:
    """The operand of lower rank has one of the result's dimensions for each of its own, in order."""
    types = operand_types(op)
    if any(type_.shape is None for type_ in types):
        return None
    lower, rank = sorted(type_.rank for type_ in types)
    dimensions = Attributes(op).ints("broadcast_dimensions")
    is_increasing = list(dimensions) == sorted(set(dimensions))
    if lower == rank or (len(dimensions) == lower and is_increasing and set(dimensions) <= set(range(rank))):
        return None
    return f"broadcast_dimensions must be {lower} increasing numbers below {rank}, got {list(dimensions)}"


# By an attribute of the operations that `may_not_run`.
_CHECKS: Mapping[str, Check] = {
    "replica_groups": _groups,
    "fft_length": _fft_length,
    "window_dimensions": _windows,
    "rng_algorithm": _state,
    "batch_dims": _index_select,
    "broadcast_dimensions": _broadcast_dimensions,
    "source_target_pairs": pair_shape,
}


def violations(module: ir.Module, filename: str = "-") -> list[Diagnostic]:
    """Errors of operations that no run can evaluate; [] if there are none."""
    return [
        diagnostic("error", f"'{operation.name}' op {message}", str(operation.location), filename)
        for operation in operations_within(module.operation)
        if operation.name in _MAY_NOT_RUN
        for message in _messages(operation)
    ]


def _messages(operation: ir.Operation) -> Iterator[str]:
    for attribute, check in _CHECKS.items():
        if attribute in operation.attributes:
            with suppress(UnknownTypeError):
                message = check(operation)
                if message is not None:
                    yield message
