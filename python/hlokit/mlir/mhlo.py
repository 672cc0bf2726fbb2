"""Operations of MHLO, XLA's own dialect, as operations of StableHLO and CHLO.

XLA's converter of HLO leaves operations of MHLO that StableHLO lacks: functions that CHLO has, and operations
that XLA's passes make (fusions, bitcasts, asynchronous calls).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from types import MappingProxyType
from typing import Any

from hlokit.errors import UnsupportedError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of, location_of, operations_within
from hlokit.operations.lookup import successor_of_mhlo

MHLO = "mhlo."
# The dimensions that MHLO's ragged_dot has in an attribute of their own.
_DOT = re.compile(r"\bdot_dimension_numbers\s*=\s*(?:#mhlo\.dot)?<([^<>]*)>")


def ragged_dimensions(text: str) -> str:
    """The fields of `#chlo.ragged_dot` from those of `#mhlo.ragged_dot`."""
    return _DOT.sub(r"\1", text)


def replace_mhlo(module: ir.Module) -> None:
    """Replace the operations of MHLO in a module, and tuples of results of custom calls by their elements.

    Raises:
      UnsupportedError: an operation has no successor; the message names the operation and its location.
      ir.MLIRError: the module is invalid.
    """
    for operation in operations_within(module.operation):
        if operation.name.startswith(MHLO):
            _REWRITES.get(operation.name.removeprefix(MHLO), _rename)(operation)
    calls: list[ir.Operation] = []
    for operation in operations_within(module.operation):
        if operation.name.startswith(MHLO):
            raise _unsupported(operation, "which has no end in its computation")
        if operation.name == "stablehlo.custom_call":
            calls.append(operation)
    for call in calls:
        _without_tuple(call)
    module.operation.verify()


def _without_tuple(call: ir.Operation) -> None:
    """A call with a result for each element of its tuple, of which only elements are used: of a result, the
    comparison with another side knows how right calls may differ."""
    tuple_ = call.results[0].type if len(call.results) == 1 else None
    if not isinstance(tuple_, ir.TupleType):
        return
    types = [tuple_.get_type(index) for index in range(tuple_.num_types)]
    elements = [use.owner.operation for use in call.results[0].uses]
    if any(element.name != "stablehlo.get_tuple_element" for element in elements) or any(
        isinstance(type_, ir.TupleType) for type_ in types
    ):
        return
    parts = _create(call, call.name, types, list(call.operands), attributes_of(call))
    for element in elements:
        _replace(element, [parts.results[int(element.attributes["index"])]])
    call.erase()


def _unsupported(operation: ir.Operation, reason: str) -> UnsupportedError:
    return UnsupportedError(f"the program contains {operation.name}, {reason} ({location_of(operation)})")


def _replace(operation: ir.Operation, values: Any) -> None:
    """Replace the results of an operation by other values, and erase the operation."""
    for result, value in zip(operation.results, values, strict=True):
        result.replace_all_uses_with(value)
    operation.erase()


def _create(
    before: ir.Operation,
    name: str,
    types: list[ir.Type],
    operands: list[ir.Value],
    attributes: dict[str, ir.Attribute],
    regions: int = 0,
) -> ir.Operation:
    """A new operation before another one, with its location."""
    return ir.Operation.create(
        name, types, operands, attributes, None, regions, before.location, ir.InsertionPoint(before)
    )


def _parsed(operation: ir.Operation, text: str) -> ir.Attribute:
    return ir.Attribute.parse(text, operation.context)


def _rename(operation: ir.Operation) -> None:
    """The operation of StableHLO or CHLO with the same operands, attributes and regions."""
    mnemonic = operation.name.removeprefix(MHLO)
    name = successor_of_mhlo(mnemonic)
    if name is None:
        raise _unsupported(operation, _REASONS.get(mnemonic, "which StableHLO and CHLO lack"))
    prefix = f"#{name.partition('.')[0]}"
    attributes = {key: _renamed(value, prefix) for key, value in attributes_of(operation).items()}
    types = [result.type for result in operation.results]
    renamed = _create(operation, name, types, list(operation.operands), attributes, len(operation.regions))
    for old, new in zip(operation.regions, renamed.regions, strict=True):
        for block in list(old.blocks):
            block.append_to(new)
    _replace(operation, renamed.results)


def _renamed(attribute: ir.Attribute, prefix: str) -> ir.Attribute:
    text = str(attribute)
    if "#mhlo" not in text:
        return attribute
    return ir.Attribute.parse(ragged_dimensions(text).replace("#mhlo", prefix), attribute.context)


def _same(operation: ir.Operation) -> None:
    """results = operands; a token, which only orders operations, may follow."""
    _replace(operation, list(operation.operands)[: len(operation.results)])


def _top_k(operation: ir.Operation) -> None:
    """`chlo.top_k`, or for the least elements the custom call of this name, which JAX exports."""
    attributes = operation.attributes
    if "largest" not in attributes or attributes["largest"].value:
        if "largest" in attributes:
            del attributes["largest"]
        _rename(operation)
        return
    flags = f"{{k = {attributes['k'].value} : i64, largest = false}}"
    texts = {"call_target_name": '"mhlo.topk"', "mhlo.attributes": flags, "mhlo.version": "1 : i64"}
    call = _create(
        operation,
        "stablehlo.custom_call",
        [result.type for result in operation.results],
        list(operation.operands),
        {key: _parsed(operation, text) for key, text in texts.items()},
    )
    _replace(operation, call.results)


def _inlined(fusion: ir.Operation) -> None:
    """The operations of the fused computation in place of the fusion."""
    _replace_by_block(fusion, fusion.regions[0].blocks[0])


def _replace_by_block(operation: ir.Operation, block: ir.Block) -> None:
    """Replace an operation by those of a block, whose arguments are the operands."""
    for argument, operand in zip(block.arguments, operation.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, returned = [view.operation for view in block.operations]
    for moved in body:
        moved.move_before(operation)
    _replace(operation, list(returned.operands))


def _rounded_at_random(operation: ir.Operation) -> None:
    """Conversion to integers, away from 0 where the fraction exceeds the random bits over 2 to their number.

    StableHLO's conversion saturates, and gives 0 for NaN, as XLA does.
    """
    floats, bits = (ir.RankedTensorType(value.type) for value in operation.operands)
    integers = ir.RankedTensorType(operation.results[0].type)
    element = integers.element_type
    if not isinstance(element, ir.IntegerType) or element.is_unsigned:
        raise _unsupported(
            operation, f"which XLA defines for results of signed integers only, got {integers}"
        )
    wide = ir.RankedTensorType.get(floats.shape, ir.F64Type.get(operation.context), loc=operation.location)
    flags = str(wide).replace("f64", "i1")
    module = ir.Module.parse(
        f"""func.func @main(%x: {floats}, %random: {bits}) -> {integers} {{
          %wide = stablehlo.convert %x : ({floats}) -> {wide}
          %size = stablehlo.abs %wide : {wide}
          %whole = stablehlo.floor %size : {wide}
          %fraction = stablehlo.subtract %size, %whole : {wide}
          %count = stablehlo.constant dense<{2.0**bits.element_type.width}> : {wide}
          %scaled = stablehlo.multiply %fraction, %count : {wide}
          %limit = stablehlo.convert %scaled : ({wide}) -> {bits}
          %is_up = stablehlo.compare LT, %random, %limit, UNSIGNED : ({bits}, {bits}) -> {flags}
          %up = stablehlo.convert %is_up : ({flags}) -> {wide}
          %rounded = stablehlo.add %whole, %up : {wide}
          %sign = stablehlo.sign %wide : {wide}
          %signed = stablehlo.multiply %sign, %rounded : {wide}
          %result = stablehlo.convert %signed : ({wide}) -> {integers}
          return %result : {integers}
        }}""",
        operation.context,
    )
    _replace_by_block(operation, module.body.operations[0].regions[0].blocks[0])


def _finished(done: ir.Operation) -> None:
    """A call of the computation where it starts; its results where it is done."""
    start = done.operands[0].owner
    if isinstance(start, ir.Block) or start.name != "mhlo.async_start":
        raise _unsupported(done, "whose start is in another computation")
    types = [result.type for result in done.results]
    callee = {"callee": start.attributes["called_computation"]}
    call = _create(start.operation, "func.call", types, list(start.operands), callee)
    _replace(done, call.results)
    if not list(start.operation.results[0].uses):
        start.operation.erase()


def _exchanged(operation: ir.Operation) -> None:
    """all_to_all of an operand for each process of a group: the operands as one tensor, with the processes
    along a new first dimension."""
    attributes = attributes_of(operation)
    if "split_dimension" in attributes:
        _rename(operation)
        return
    operands, count = list(operation.operands), len(operation.operands)
    type_ = ir.RankedTensorType(operands[0].type)
    element, part = type_.element_type, [1, *type_.shape]
    rows = [_unary(operation, "stablehlo.reshape", operand, part, element) for operand in operands]
    joined = ir.RankedTensorType.get([count, *type_.shape], element, loc=operation.location)
    dimension, size = (_parsed(operation, f"{number} : i64") for number in (0, count))
    stacked = _create(operation, "stablehlo.concatenate", [joined], rows, {"dimension": dimension})
    numbers = {"split_dimension": dimension, "concat_dimension": dimension, "split_count": size}
    numbers |= {key: _renamed(value, "#stablehlo") for key, value in attributes.items()}
    received = _create(operation, "stablehlo.all_to_all", [joined], list(stacked.results), numbers)
    results: list[ir.Value] = []
    for index in range(count):
        bounds = {
            "start_indices": [index, *[0] * type_.rank],
            "limit_indices": [index + 1, *type_.shape],
            "strides": [1] * (type_.rank + 1),
        }
        arrays = {key: _array(operation, numbers) for key, numbers in bounds.items()}
        row = ir.RankedTensorType.get(part, element, loc=operation.location)
        slice_ = _create(operation, "stablehlo.slice", [row], list(received.results), arrays)
        results.append(_reshaped(operation, slice_.results[0], list(type_.shape)))
    _replace(operation, results)


def _array(operation: ir.Operation, numbers: list[int]) -> ir.Attribute:
    return _parsed(operation, f"array<i64: {', '.join(map(str, numbers))}>")


def _bitcast(operation: ir.Operation) -> None:
    """The same memory with another shape, layout or element type.

    A layout lists dimensions from the fastest to the slowest. In memory order, both shapes are row-major.
    """
    source, target = (
        ir.RankedTensorType(value.type) for value in (operation.operands[0], operation.results[0])
    )
    in_memory = _order(operation, "source_layout", source.rank)
    value = _transposed(operation, operation.operands[0], in_memory)
    order = _order(operation, "result_layout", target.rank)
    value = _reinterpreted(operation, value, [target.shape[axis] for axis in order], target.element_type)
    _replace(operation, [_transposed(operation, value, [order.index(axis) for axis in range(target.rank)])])


def _order(operation: ir.Operation, name: str, rank: int) -> list[int]:
    """The dimensions from the slowest to the fastest."""
    if name not in operation.attributes:
        return list(range(rank))
    return [int(axis) for axis in ir.DenseIntElementsAttr(operation.attributes[name])][::-1]


def _unary(before: ir.Operation, name: str, value: ir.Value, shape: list[int], element: ir.Type) -> ir.Value:
    type_ = ir.RankedTensorType.get(shape, element, loc=before.location)
    return _create(before, name, [type_], [value], {}).results[0]


def _transposed(before: ir.Operation, value: ir.Value, permutation: list[int]) -> ir.Value:
    if permutation == sorted(permutation):
        return value
    type_ = ir.RankedTensorType(value.type)
    shape = [type_.shape[axis] for axis in permutation]
    attribute = _array(before, permutation)
    result = ir.RankedTensorType.get(shape, type_.element_type, loc=before.location)
    return _create(before, "stablehlo.transpose", [result], [value], {"permutation": attribute}).results[0]


def _reinterpreted(before: ir.Operation, value: ir.Value, shape: list[int], element: ir.Type) -> ir.Value:
    """The bytes of a row-major array as an array of another shape and element type."""
    type_ = ir.RankedTensorType(value.type)
    if type_.element_type != element:
        old, new = prod(type_.shape), prod(shape)
        # XLA stores a boolean in a byte, StableHLO gives it one bit.
        booleans = ir.IntegerType.get_signless(1, before.context) in (type_.element_type, element)
        name = "stablehlo.convert" if booleans else "stablehlo.bitcast_convert"
        value = _reshaped(before, value, _grouped(old, new))
        value = _unary(before, name, value, _grouped(new, old), element)
    return _reshaped(before, value, shape)


def _grouped(count: int, other: int) -> list[int]:
    """The shape of `count` elements that have the bytes of `other` elements."""
    return [count] if count <= other else [other, count // other]


def _reshaped(before: ir.Operation, value: ir.Value, shape: list[int]) -> ir.Value:
    type_ = ir.RankedTensorType(value.type)
    if list(type_.shape) == shape:
        return value
    return _unary(before, "stablehlo.reshape", value, shape, type_.element_type)


# Rewrites of operations by names without dialect. All other operations keep their operands and regions.
_REWRITES: MappingProxyType[str, Callable[[ir.Operation], None]] = MappingProxyType(
    {
        "add_dependency": _same,
        "all_to_all": _exchanged,
        "async_done": _finished,
        "async_start": lambda _: None,  # async_done replaces it
        "async_update": _same,
        "bitcast": _bitcast,
        "copy": _same,
        "domain": _same,
        "fusion": _inlined,
        "stochastic_convert": _rounded_at_random,
        "topk": _top_k,
    }
)
# Why other operations have no successor.
_REASONS: MappingProxyType[str, str] = MappingProxyType(
    {
        "xla.rng_get_and_update_state": "the state of random numbers that an executable of XLA keeps from "
        "run to run: take the HLO before XLA's optimization, which has `rng` in its place",
    }
)
