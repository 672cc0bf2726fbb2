"""What a program is, at a glance: who wrote it, what it takes and returns, how much it holds and computes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from hlokit.compat.info import inspect_file
from hlokit.display.html import short_bytes
from hlokit.engine.observe.summaries import Summary
from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, has_body
from hlokit.mlir.queries.types import value_type
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.cost_model.costs import Costs, costs_of
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.values.types import TensorType, ValueType

# The printer elides arrays of more than 8 numbers, unless they are all the same.
_ARRAY = " dense_resource<"
_MOST_WEIGHTS = 12
# JAX writes this attribute into its modules, and others that begin with `jax.` into signatures.
_JAX = "jax.uses_shape_polymorphism"


class Parameter(NamedTuple):
    """An input or output of a function, with the range of its value in a run."""

    name: str
    type_: ValueType
    summary: Summary | None = None

    def as_data(self) -> list[Any]:
        size = self.type_.nbytes if isinstance(self.type_, TensorType) and self.type_.is_static else None
        return [self.name, str(self.type_), size, None if self.summary is None else as_numbers(self.summary)]


def as_numbers(summary: Summary) -> list[Any]:
    """`[minimum, maximum, mean, NaN, infinite]` of a value."""
    return [summary.minimum, summary.maximum, summary.mean, summary.nan, summary.infinite]


def overview(
    listing: ProgramListing,
    entry: str,
    filename: str,
    flops: Mapping[int, int],
    parameters: tuple[Sequence[Parameter], Sequence[Parameter]],
) -> dict[str, Any]:
    """The facts of a program as plain values.

    Args:
      flops: of one evaluation of each operation.
      parameters: the inputs and outputs of the entry function.
    """
    inputs, outputs = parameters
    costs = _costs(listing.module, entry, filename)
    counts = Counter(op.name for op in listing.ops if op.label)
    work = Counter[str]()
    for number, count in flops.items():
        work[listing.ops[number].name] += count
    weights = _weights(listing)
    return {
        "producer": producer(listing.module, filename),
        "functions": sum(1 for _ in listing.functions),
        "inputs": [parameter.as_data() for parameter in inputs],
        "outputs": [parameter.as_data() for parameter in outputs],
        "weights": {
            "constants": len(weights),
            "elements": sum(type_.size for _, type_ in weights),
            "bytes": sum(type_.nbytes for _, type_ in weights),
            "largest": [
                [number, str(type_), type_.nbytes]
                for number, type_ in sorted(weights, key=lambda weight: -weight[1].nbytes)[:_MOST_WEIGHTS]
            ],
        },
        "flops": None if costs is None else costs.flops,
        "peak": None if costs is None else costs.peak,
        "kinds": [[name, count, work[name]] for name, count in counts.most_common()],
    }


def flops_of(listing: ProgramListing) -> dict[int, int]:
    """The arithmetic operations of one evaluation of each operation, where they are known."""
    flops: dict[int, int] = {}
    for number, operation in listing.operations().items():
        if number < 0:
            continue
        card = card_of(operation.name)
        if card is None or isinstance(card.flops, Without):
            continue
        with suppress(HlokitError):
            count = card.flops(operation)
            if count > 0:  # an unknown dimension is a negative number
                flops[number] = count
    return flops


def producer(module: ir.Module, filename: str) -> str:
    """Who wrote a program, as far as the file and the module say."""
    entries = list(functions(module).values())[:1]
    is_jax = _JAX in module.operation.attributes or any("jax." in str(entry.attributes) for entry in entries)
    parts = ["JAX"] if is_jax else []
    if filename != "-" and os.path.isfile(filename):
        with suppress(HlokitError):
            info = inspect_file(filename)
            if info is None:
                parts.append(f"{short_bytes(os.path.getsize(filename))} of text")
            else:
                parts.append(f"{info.kind} of {info.producer}" if info.producer else info.kind)
                parts.append(short_bytes(info.size))
    return ", ".join(parts)


def _costs(module: ir.Module, entry: str, filename: str) -> Costs | None:
    """The static costs; None for a declaration, and if the program is too deep or uses what has no costs."""
    function = functions(module)[entry]
    if not has_body(function):
        return None
    try:
        return costs_of(module, function, filename)
    except (HlokitError, RecursionError):
        return None


def _weights(listing: ProgramListing) -> list[tuple[int, TensorType]]:
    """The constants that are arrays of different numbers."""
    weights: list[tuple[int, TensorType]] = []
    for number, operation in listing.operations().items():
        if number < 0 or not traits_of(operation.name).constant:
            continue
        type_ = value_type(operation.results[0].type)
        if _ARRAY in listing.lines[listing.ops[number].line] and isinstance(type_, TensorType):
            weights.append((number, type_))
    return weights
