"""Tuples, calls, and tensors without elements."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir, stablehlo_operations
from hlokit.mlir.queries.module import attributes_of
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.effects import is_pure
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    build,
    by_value,
    defining_op,
    int_,
    is_quantized,
    is_used,
    splat_constant,
    static_shape,
)

_BACKEND_CONFIG = "mhlo.backend_config"
_ORIGINAL, _TYPED_FFI = 1, 4


def _element_of_tuple(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """get_tuple_element(tuple(x, y), 1) -> y"""
    inner = defining_op(operation.operands[0], "stablehlo.tuple")
    if inner is None:
        return False
    element = inner.operands[int_(operation, "index")]
    if element.type != operation.results[0].type:
        return False
    rewriter.replace(operation, [element])
    return True


def _tuple_of_elements(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """tuple(get_tuple_element(t, 0), get_tuple_element(t, 1), ...) -> t"""
    source: Value | None = None
    for index, operand in enumerate(operation.operands):
        element = defining_op(operand, "stablehlo.get_tuple_element")
        if element is None or int_(element, "index") != index:
            return False
        if source is not None and element.operands[0] != source:
            return False
        source = element.operands[0]
    return source is not None and by_value(operation, rewriter, source)


def _custom_call_to_ffi(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """custom_call with the attribute mhlo.backend_config -> custom_call of the typed FFI with
    backend_config"""
    attributes = attributes_of(operation)
    config = attributes.pop(_BACKEND_CONFIG, None)
    if not isinstance(config, ir.DictAttr):
        return False
    if "api_version" in attributes and int_(operation, "api_version") != _ORIGINAL:
        return False
    old = attributes.get("backend_config")
    if old is not None and (not isinstance(old, ir.StringAttr) or old.value):
        return False
    attributes["backend_config"] = config
    attributes["api_version"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), _TYPED_FFI)
    types = [result.type for result in operation.results]
    new = build(operation.name, types, operation.operands, attributes)
    rewriter.replace(operation, new.results)
    return True


def _composite_unused(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """composite(x) -> nothing, if the results have no uses and its decomposition is pure"""
    if any(map(is_used, operation.results)):
        return False
    decomposition = _function(operation, operation.attributes["decomposition"].value)
    if decomposition is None or not len(decomposition.regions[0].blocks):
        return False
    operations = [view.operation for view in decomposition.regions[0].blocks[0].operations]
    if not all(is_pure(inner) for inner in operations[:-1]):
        return False
    rewriter.erase(operation)
    return True


def _function(operation: ir.Operation, name: str) -> ir.Operation | None:
    """A function in the module of an operation."""
    module = operation
    while module.name != "builtin.module":
        if module.parent is None:
            return None
        module = module.parent.operation
    for view in module.regions[0].blocks[0].operations:
        if view.operation.name == "func.func" and view.operation.attributes["sym_name"].value == name:
            return view.operation
    return None


def _is_empty(value: Value) -> bool:
    sizes = static_shape(value)
    return sizes is not None and 0 in sizes and not is_quantized(value)


def _without_elements(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """op(x) -> an empty constant, for each result and operand without elements"""
    del rewriter
    results = [result for result in operation.results if _is_empty(result) and is_used(result)]
    operands = [
        i
        for i, operand in enumerate(operation.operands)
        if _is_empty(operand) and defining_op(operand, "stablehlo.constant") is None
    ]
    if not (results or operands) or not is_pure(operation):
        return False
    for result in results:
        result.replace_all_uses_with(splat_constant(result.type, 0))
    for i in operands:
        operation.operands[i] = splat_constant(operation.operands[i].type, 0)
    return True


def _operation_names() -> list[str]:
    members = vars(stablehlo_operations()).values()
    views = [view for view in members if isinstance(view, type) and issubclass(view, ir.OpView)]
    names = {str(view.OPERATION_NAME) for view in views if hasattr(view, "OPERATION_NAME")}
    return sorted(name for name in names if name.startswith("stablehlo.") and name != "stablehlo.constant")


PATTERNS: tuple[Entry, ...] = (
    ("stablehlo.get_tuple_element", _element_of_tuple, 1),
    ("stablehlo.tuple", _tuple_of_elements, 1),
    ("stablehlo.custom_call", _custom_call_to_ffi, 1),
    ("stablehlo.composite", _composite_unused, 1),
    *((name, _without_elements, 1) for name in _operation_names()),
)
