"""Restores Shardy's operations in programs that encode them as custom calls, such as older exports of JAX.

Source: XLA's documentation of Shardy, round trips; the names are XLA's. The module's frontend attribute
`xla.sdy.meshes` contains meshes, `xla.sdy.sharding` shardings. A `shard_map` is a call of a function whose
name contains `xla.sdy.manual_computation_body`, with operands from `xla.sdy.GlobalToLocalShape`, and results
that go to `xla.sdy.LocalToGlobalShape`; either custom call is absent if there are no operands or results.
"""

from __future__ import annotations

from hlokit.errors import UnsupportedError
from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.provider.diagnostics import collected
from hlokit.mlir.queries.module import functions, walk

_FRONTEND = "mhlo.frontend_attributes"
_BODY = "xla.sdy.manual_computation_body"
TO_LOCAL, TO_GLOBAL = "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"
_SHARDINGS = ("xla.sdy.in_shardings", "xla.sdy.out_shardings")
_AXES = "xla.sdy.manual_axes"


def target_of(operation: ir.Operation) -> str:
    """The target of a custom call; "" for other operations."""
    if operation.name != "stablehlo.custom_call":
        return ""
    return str(operation.attributes["call_target_name"].value)


def import_round_trip(module: ir.Module) -> None:
    """Turn custom calls and frontend attributes into Shardy's operations and attributes, in place.

    Raises:
      UnsupportedError: custom calls and attributes are inconsistent.
    """
    attributes = module.operation.attributes
    if _FRONTEND in attributes and "xla.sdy.meshes" in attributes[_FRONTEND]:
        with collected(module.context) as diagnostics:
            try:
                passes = "builtin.module(xla-sdy-round-trip-import-shardy-attrs)"
                passmanager.PassManager.parse(passes, module.context).run(module.operation)
            except (ValueError, ir.MLIRError) as error:
                reason = "; ".join(item.message for item in diagnostics) or str(error).splitlines()[0]
                raise UnsupportedError(f"shardings in frontend attributes cannot be read: {reason}") from None
    _constrain(module)
    all_functions = functions(module)
    used: set[str] = set()
    for function in list(all_functions.values()):
        for call in _calls(function):
            used.add(call.attributes["callee"].value)
            _import_shard_map(call, all_functions)
    for name in used:
        all_functions[name].erase()


def _constrain(module: ir.Module) -> None:
    """Convert `Sharding` and `xla.sdy.FuncResultSharding` with a sharding to constraints."""
    operations: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if target_of(operation) in ("Sharding", "xla.sdy.FuncResultSharding"):
            operations.append(operation)

    walk(module.operation, visit)
    for operation in operations:
        (operand,) = operation.operands
        if target_of(operation) == "Sharding" and "sdy.sharding" in operation.attributes:
            text = str(operation.attributes["sdy.sharding"])
            inner = text[text.index("[") + 1 : text.rindex("]")]
            constraint = ir.Operation.create(
                "sdy.sharding_constraint",
                [operand.type],
                [operand],
                {"sharding": ir.Attribute.parse(f"#sdy.sharding{inner}", module.context)},
                loc=operation.location,
                ip=ir.InsertionPoint(operation),
            )
            operation.results[0].replace_all_uses_with(constraint.results[0])
            operation.erase()
        elif target_of(operation) == "xla.sdy.FuncResultSharding":
            operation.results[0].replace_all_uses_with(operand)
            operation.erase()


def _calls(function: ir.Operation) -> list[ir.Operation]:
    calls: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name == "func.call" and _BODY in operation.attributes["callee"].value:
            calls.append(operation)

    walk(function, visit)
    return calls


def _import_shard_map(call: ir.Operation, all_functions: dict[str, ir.Operation]) -> None:
    name = call.attributes["callee"].value
    if name not in all_functions:
        raise UnsupportedError(f"the program has no function {name}, the body of a shard_map")
    into = call.operands[0].owner if len(call.operands) else None
    uses = list(call.results[0].uses) if len(call.results) else []
    after = uses[0].owner if len(uses) == 1 else None
    if (into is not None and TO_LOCAL not in target_of(into)) or (
        len(call.results) and (after is None or TO_GLOBAL not in target_of(after.operation))
    ):
        raise UnsupportedError(f"the call of {name} must be between {TO_LOCAL} and {TO_GLOBAL}")
    texts: dict[str, str] = {}
    for operation in (call, into, None if after is None else after.operation):
        if operation is not None and _FRONTEND in operation.attributes:
            frontend = operation.attributes[_FRONTEND]
            texts |= {key: frontend[key].value for key in (*_SHARDINGS, _AXES) if key in frontend}
    empty = "#sdy.sharding_per_value<[]>"
    attributes = {
        "in_shardings": _attribute(texts.get(_SHARDINGS[0], empty), call.context),
        "out_shardings": _attribute(texts.get(_SHARDINGS[1], empty), call.context),
        "manual_axes": _attribute(texts.get(_AXES, "#sdy<manual_axes{}>"), call.context),
    }
    end = call if after is None else after.operation
    computation = ir.Operation.create(
        "sdy.manual_computation",
        [] if after is None else [result.type for result in after.operation.results],
        [] if into is None else list(into.operands),
        attributes,
        regions=1,
        loc=call.location,
        ip=ir.InsertionPoint(end),
    )
    # A body that is called twice is copied.
    body = all_functions[name].clone(ir.InsertionPoint(all_functions[name]))
    body.regions[0].blocks[0].append_to(computation.regions[0])
    body.erase()
    block = computation.regions[0].blocks[0]
    returned = block.operations[len(block.operations) - 1].operation
    ir.Operation.create(
        "sdy.return", [], list(returned.operands), loc=returned.location, ip=ir.InsertionPoint(returned)
    )
    returned.erase()
    for old, new in zip([] if after is None else after.operation.results, computation.results, strict=True):
        old.replace_all_uses_with(new)
    for operation in (None if after is None else after.operation, call, into):
        if operation is not None:
            operation.erase()


def _attribute(text: str, context: ir.Context) -> ir.Attribute:
    """An attribute parsed from the text in a string; quotes may be escaped twice."""
    try:
        return ir.Attribute.parse(text.replace('\\"', '"').replace("\\22", '"'), context)
    except (ValueError, ir.MLIRError):
        raise UnsupportedError(f"a sharding in frontend attributes cannot be read: {text[:200]}") from None
