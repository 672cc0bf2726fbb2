"""`interpreter-instrument-with-probe`: adds a probe after each operation with tensor results.

Probes are named `probe1`, `probe2`, ... in program order; operations in a region come before the operation
that has the region. With `useDebugInfo`, an operation at a named location `loc("name@rest")` names its probes
`name.1`, `name.2`, ... Each result has a number. The interpreter writes the values at a probe to a file.
"""

from __future__ import annotations

import re
from itertools import count

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.passes.framework.building import Value
from hlokit.passes.framework.registry import Option, Options, Pass

_NAMED = re.compile(r'loc\("((?:[^"\\]|\\.)*)"[()]')
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)", re.DOTALL)
_PROBED_ELEMENTS = (ir.IntegerType, ir.FloatType, ir.ComplexType)


def _run(module: ir.Operation, options: Options) -> None:
    uses_names = options.switch("useDebugInfo")
    operations: list[ir.Operation] = []
    walk(module, operations.append)
    number = count(1)
    for operation in operations:
        if operation.name == "stablehlo.constant":
            continue
        name = location_name(operation.location) if uses_names else None
        prefix = "probe" if name is None else f"{name.partition('@')[0]}."
        for result in list(operation.results):
            if _is_probed(result.type.maybe_downcast()):
                _probe(operation, result, f"{prefix}{next(number)}")


def location_name(location: ir.Location) -> str | None:
    """The name of a location `loc("name")` or `loc("name"(...))`; None for any other location."""
    # The bindings do not expose the parts of locations.
    match = _NAMED.match(str(location))
    if match is None:
        return None

    def character(escape: re.Match[bytes]) -> bytes:
        return bytes.fromhex(escape[1].decode()) if len(escape[1]) == 2 else escape[1]

    return _ESCAPE.sub(character, match[1].encode()).decode(errors="replace")


def _is_probed(type_: ir.Type) -> bool:
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return False
    return isinstance(type_.element_type.maybe_downcast(), _PROBED_ELEMENTS)


def _probe(operation: ir.Operation, value: Value, name: str) -> None:
    with operation.location:
        probe = ir.Operation.create(
            "interpreter.probe",
            [value.type],
            [value],
            {"probe_id": ir.StringAttr.get(name)},
            ip=ir.InsertionPoint.after(operation),
        )
    value.replace_all_uses_except(probe.results[0], probe)


PASS = Pass(
    "interpreter-instrument-with-probe",
    "add an interpreter.probe after each operation with tensor results",
    _run,
    options=(Option("useDebugInfo", "name probes after named locations", "false"),),
)
