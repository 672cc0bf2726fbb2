"""Changes of what an operation is connected to. A function changes an operation in place; false: it cannot."""

from __future__ import annotations

from random import Random
from typing import Any

from hlokit.mlir.provider.bindings import ir
from tests.verdict.faults.changes import another_kind, another_order, another_word, exchange_operands
from tests.verdict.faults.structure import are_equal, parent_of, visible_values


def another_operand(operation: Any, random: Random) -> bool:
    """One operand replaced by another value of its type that the operation can see."""
    values = visible_values(operation)
    choices = [
        (number, value)
        for number, operand in enumerate(operation.operands)
        for value in values
        if value.type == operand.type and not are_equal(value, operand)
    ]
    if not choices:
        return False
    number, value = random.choice(choices)
    operation.operands[number] = value
    return True


def other_connections(operation: Any, random: Random) -> bool:
    """Two operands exchanged, or one replaced."""
    changes = [exchange_operands, another_operand]
    random.shuffle(changes)
    return any(change(operation, random) for change in changes)


def another_callee(operation: Any, random: Random) -> bool:
    """A call of another function of the same type."""
    callee = operation.attributes["callee"].value
    module = operation
    while module.name != "builtin.module":
        module = parent_of(module)
    functions = {view.attributes["sym_name"].value: view.operation for view in module.regions[0].blocks[0]}
    type_ = functions[callee].attributes["function_type"]
    names = [
        name
        for name, function in functions.items()
        if name not in (callee, "main") and function.attributes["function_type"] == type_
    ]
    if not names:
        return False
    operation.attributes["callee"] = ir.FlatSymbolRefAttr.get(random.choice(names), operation.context)
    return True


def in_a_reducer(operation: Any, random: Random) -> bool:
    """An operation of a region that is applied to elements: kind, direction, order, operands."""
    changes = [another_kind, another_word, another_order, another_operand]
    random.shuffle(changes)
    return any(change(operation, random) for change in changes)
