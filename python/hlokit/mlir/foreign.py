"""Attributes of dialects that the bindings lack.

They say nothing about values, but other implementations refuse programs that hold them.
"""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of, operations_within

# What the bindings and XLA say of an attribute or type that no dialect of theirs defines.
UNREGISTERED = "created with unregistered dialect"


def without_foreign_attributes(module: ir.Operation) -> ir.Operation:
    """A copy of a module without the attributes that no dialect defines."""
    copied = module.clone().operation
    for operation in operations_within(copied):
        for name, value in attributes_of(operation).items():
            kept = _without_foreign(value)
            if kept is None:
                del operation.attributes[name]
            elif kept != value:
                operation.attributes[name] = kept
    return copied


def _without_foreign(attribute: ir.Attribute) -> ir.Attribute | None:
    """An attribute without foreign attributes in it; None if nothing is left."""
    if isinstance(attribute, ir.OpaqueAttr):
        return None
    if isinstance(attribute, ir.DictAttr):
        entries = [attribute[index] for index in range(len(attribute))]
        values = {entry.name: _without_foreign(entry.attr) for entry in entries}
        kept = {name: value for name, value in values.items() if value is not None}
        return ir.DictAttr.get(kept, attribute.context)
    if isinstance(attribute, ir.ArrayAttr):
        items = [_without_foreign(item) for item in attribute]
        whole = [item for item in items if item is not None]
        return ir.ArrayAttr.get(whole, attribute.context) if len(whole) == len(items) else None
    return attribute
