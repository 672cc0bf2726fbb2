"""`reconcile-unrealized-casts`: removes casts that cancel each other.

Passes that convert types put `builtin.unrealized_conversion_cast` between a value of the old type and a user
of the new type. A cast followed by the opposite cast has no effect.
"""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.passes.framework.building import Value
from hlokit.passes.framework.registry import Options, Pass

_CAST = "builtin.unrealized_conversion_cast"


def reconcile(operation: ir.Operation) -> None:
    """Replace each cast by the original values if a sequence of casts returns to their types."""
    casts: list[ir.Operation] = []

    def collect(inner: ir.Operation) -> None:
        if inner.name == _CAST:
            casts.append(inner)

    walk(operation, collect)
    for cast in casts:
        origin = _origin(cast)
        if origin is not None:
            for result, value in zip(list(cast.results), origin, strict=True):
                result.replace_all_uses_with(value)
    # Users follow the operations that they use.
    for cast in reversed(casts):
        if not any(True for result in cast.results for _ in result.uses):
            cast.erase()


def _origin(cast: ir.Operation) -> list[Value] | None:
    """The values of the same types at the beginning of a sequence of casts; None if there are none."""
    types = [result.type for result in cast.results]
    source: ir.Operation | None = cast
    while source is not None:
        values = list(source.operands)
        if [value.type for value in values] == types:
            return values
        source = _cast_of(values)
    return None


def _cast_of(values: list[Value]) -> ir.Operation | None:
    """The cast that defines exactly these values, in this order."""
    owner = values[0].owner if values else None
    if not isinstance(owner, ir.Operation | ir.OpView) or owner.operation.name != _CAST:
        return None
    return owner.operation if list(owner.results) == values else None


def _run(operation: ir.Operation, options: Options) -> None:
    reconcile(operation)


PASS = Pass(
    "reconcile-unrealized-casts", "remove unrealized_conversion_cast operations that cancel each other", _run
)
