"""Operations of CHLO as custom calls that partitioners split, and back.

Shardy converts operations of StableHLO only, and XLA replaces functions by approximations, whose bits differ.
As a custom call an operation stays one operation. The call says which dimensions of operands and results are
split together: to Shardy by a sharding rule, and to XLA by the number of leading dimensions that are batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import any_within, attributes_of, operations_within
from hlokit.operations.lookup import traits_of
from hlokit.passes.pipeline import parse_pipeline, run_pipeline

TARGET = "hlokit.chlo"
_CALL, _RESHAPE = "stablehlo.custom_call", "stablehlo.reshape"
_RULE, _FRONTEND = "sdy.sharding_rule", "mhlo.frontend_attributes"
_BATCHES = "num_batch_dims"
_NAME = "hlokit.name"
_LEGALIZATION = "builtin.module(func.func(chlo-legalize-to-stablehlo))"
_LETTERS = ascii_lowercase[ascii_lowercase.index("i") :]  # Shardy calls factors i to z, z_1, z_2, ...


def legalize_others(module: ir.Module) -> None:
    """Legalise CHLO's operations that cannot be such custom calls for Shardy to StableHLO, in place.

    Raises:
      PassError, VerificationError: the pass failed.
    """
    if any_within(module.operation, lambda operation: _is_chlo(operation) and not _splits(operation)):
        encode_for_shardy(module)
        run_pipeline(module, parse_pipeline(_LEGALIZATION), verify_each=True)
        decode_from_shardy(module)


def encode_for_shardy(module: ir.Module) -> None:
    """Replace operations of CHLO by custom calls with a sharding rule, in place."""
    for operation in operations_within(module.operation):
        if _splits(operation):
            _replace(operation, _CALL, _call_attributes(operation, {}))
    write_rules(module)


def encode_for_xla(module: ir.Module) -> None:
    """Replace operations of CHLO by custom calls with batches, in place.

    XLA does not split all dimensions of a custom call, so those of an elementwise operation get another one.
    """
    for operation in operations_within(module.operation):
        if not _splits(operation):
            continue
        values = [*operation.operands, *operation.results]
        lanes = traits_of(operation.name).lanes
        leading = {tuple(_shape(value)[:-1] if lanes else _shape(value)) for value in values}
        if len(leading) > 1:
            continue
        operands = [
            value if lanes else _reshaped(value, _longer(value), operation) for value in operation.operands
        ]
        types = [result.type if lanes else _longer(result) for result in operation.results]
        batches = ir.StringAttr.get(str(len(leading.pop())), operation.context)
        frontend = _entries(attributes_of(operation).get(_FRONTEND)) | {_BATCHES: batches}
        attributes = {
            _FRONTEND: ir.DictAttr.get(frontend, operation.context),
            "operand_layouts": _layouts([value.type for value in operands]),
            "result_layouts": _layouts(types),
        }
        _replace(operation, _CALL, _call_attributes(operation, attributes), operands, types)
    write_rules(module)


def _call_attributes(operation: ir.Operation, more: dict[str, ir.Attribute]) -> dict[str, ir.Attribute]:
    """The attributes of the custom call that stands for an operation."""
    context, attributes = operation.context, attributes_of(operation)
    own = {name: value for name, value in attributes.items() if "." not in name}
    others = {name: value for name, value in attributes.items() if name not in own}
    own[_NAME] = ir.StringAttr.get(operation.name, context)
    return {
        **others,
        "call_target_name": ir.StringAttr.get(TARGET, context),
        "backend_config": ir.StringAttr.get(str(ir.DictAttr.get(own, context)), context),
        **more,
    }


def write_rules(module: ir.Module) -> None:
    """Write the sharding rules of the custom calls. Shardy's propagation removes them."""
    for operation in operations_within(module.operation):
        if is_encoded(operation):
            operation.attributes[_RULE] = ir.Attribute.parse(_rule(operation), operation.context)


def decode_from_shardy(module: ir.Module) -> None:
    """Replace the custom calls by the operations they stand for, in place."""
    for operation in operations_within(module.operation):
        if is_encoded(operation):
            _replace(operation, name_of(operation), _decoded_attributes(operation))


def decode_from_xla(module: ir.Module) -> None:
    """Replace the custom calls by the operations they stand for, without more dimensions, in place."""
    for operation in operations_within(module.operation):
        if is_encoded(operation):
            _open_tuple(operation)
    for operation in operations_within(module.operation):
        if not is_encoded(operation):
            continue
        name = name_of(operation)
        if traits_of(name).lanes:
            _replace(operation, name, _decoded_attributes(operation))
            continue
        operands = [_reshaped(value, _shorter(value), operation) for value in operation.operands]
        types = [_shorter(result) for result in operation.results]
        owners = (value.owner for value in operation.operands)
        longer = {owner.operation for owner in owners if not isinstance(owner, ir.Block)}
        for shorter in _replace(operation, name, _decoded_attributes(operation), operands, types):
            _skip_reshapes(shorter)
        for owner in longer:
            _erase_unused(owner)


def is_encoded(operation: ir.Operation) -> bool:
    """Whether a custom call stands for an operation of CHLO."""
    return operation.name == _CALL and ir.StringAttr(operation.attributes["call_target_name"]).value == TARGET


def name_of(operation: ir.Operation) -> str:
    """The name of an operation in the program, before `encode`."""
    if not is_encoded(operation):
        return operation.name
    return str(ir.StringAttr(_own_attributes(operation)[_NAME]).value)


def _is_chlo(operation: ir.Operation) -> bool:
    return operation.name.startswith("chlo.")


def _splits(operation: ir.Operation) -> bool:
    traits = traits_of(operation.name)
    if not _is_chlo(operation) or not (traits.elementwise or traits.same_shape or traits.lanes):
        return False
    values = [*operation.operands, *operation.results]
    are_tensors = all(isinstance(value.type, ir.RankedTensorType) for value in values)
    return are_tensors and len(attributes_of(operation)) == len(operation.attributes)


def _own_attributes(operation: ir.Operation) -> dict[str, ir.Attribute]:
    """The attributes of the operation of CHLO, with its name, in a custom call."""
    text = ir.StringAttr(operation.attributes["backend_config"]).value
    return _entries(ir.Attribute.parse(text, operation.context))


def _entries(attribute: ir.Attribute | None) -> dict[str, ir.Attribute]:
    if attribute is None:
        return {}
    dictionary = ir.DictAttr(attribute)
    return {entry.name: entry.attr for entry in (dictionary[i] for i in range(len(dictionary)))}


def _decoded_attributes(operation: ir.Operation) -> dict[str, ir.Attribute]:
    attributes = {name: value for name, value in attributes_of(operation).items() if "." in name}
    attributes.pop(_RULE, None)
    frontend = _entries(attributes.pop(_FRONTEND, None))
    frontend.pop(_BATCHES, None)
    if frontend:
        attributes[_FRONTEND] = ir.DictAttr.get(frontend, operation.context)
    own = _own_attributes(operation)
    del own[_NAME]
    return attributes | own


def _replace(
    operation: ir.Operation,
    name: str,
    attributes: dict[str, ir.Attribute],
    operands: Sequence[ir.Value] | None = None,
    types: Sequence[ir.Type] | None = None,
) -> Sequence[ir.Value]:
    """Put another operation in the place of one, with reshapes of results that have other shapes.

    Returns:
      The results of the new operation.
    """
    old = list(operation.results)
    replacement = ir.Operation.create(
        name,
        [result.type for result in old] if types is None else types,
        list(operation.operands) if operands is None else operands,
        attributes,
        loc=operation.location,
        ip=ir.InsertionPoint(operation),
    )
    new = list(replacement.results)
    for before, after in zip(old, new, strict=True):
        before.replace_all_uses_with(_reshaped(after, before.type, operation))
    operation.erase()
    return new


def _reshaped(value: ir.Value, type_: ir.Type, before: ir.Operation) -> ir.Value:
    """A value with another shape, by a reshape before an operation; the operand of an opposite reshape."""
    if value.type == type_:
        return value
    owner = value.owner
    if not isinstance(owner, ir.Block) and owner.operation.name == _RESHAPE:
        source = owner.operation.operands[0]
        if source.type == type_:
            return source
    position = ir.InsertionPoint(before)
    return ir.Operation.create(_RESHAPE, [type_], [value], loc=before.location, ip=position).results[0]


def _skip_reshapes(value: ir.Value) -> None:
    """Let the uses of a reshape back from a longer shape use the value itself."""
    for longer in [use.owner.operation for use in value.uses if use.owner.operation.name == _RESHAPE]:
        uses = [use.owner.operation for use in longer.results[0].uses]
        for shorter in uses:
            if shorter.name == _RESHAPE and shorter.results[0].type == value.type:
                shorter.results[0].replace_all_uses_with(value)
                shorter.erase()
        _erase_unused(longer)


def _erase_unused(operation: ir.Operation) -> None:
    if operation.name == _RESHAPE and next(iter(operation.results[0].uses), None) is None:
        operation.erase()


def _open_tuple(operation: ir.Operation) -> None:
    """Replace a custom call that returns a tuple by one that returns the items."""
    (result, *others) = operation.results
    if others or not isinstance(result.type, ir.TupleType):
        return
    types = [result.type.get_type(index) for index in range(result.type.num_types)]
    items = [use.owner.operation for use in result.uses]
    attributes = {name: value for name, value in attributes_of(operation).items() if "layouts" not in name}
    call = ir.Operation.create(
        _CALL,
        types,
        list(operation.operands),
        attributes,
        loc=operation.location,
        ip=ir.InsertionPoint(operation),
    )
    for item in items:
        index = ir.IntegerAttr(item.attributes["index"]).value
        item.results[0].replace_all_uses_with(call.results[index])
        item.erase()
    operation.erase()


def _longer(value: ir.Value) -> ir.Type:
    return _with_shape(value, [*_shape(value), 1])


def _shorter(value: ir.Value) -> ir.Type:
    return _with_shape(value, _shape(value)[:-1])


def _with_shape(value: ir.Value, shape: Sequence[int]) -> ir.Type:
    element_type = ir.RankedTensorType(value.type).element_type
    return ir.RankedTensorType.get(shape, element_type, loc=ir.Location.unknown(value.context))


def _layouts(types: Sequence[ir.Type]) -> ir.Attribute:
    """The layouts of arrays in row-major order, without which XLA splits no custom call."""
    orders = [range(ir.RankedTensorType(type_).rank)[::-1] for type_ in types]
    texts = (f"dense<{list(order)}> : tensor<{len(order)}xindex>" for order in orders)
    return ir.Attribute.parse(f"[{', '.join(texts)}]", types[0].context)


# Sharding rules ------------------------------------------------------------------------------------------


class _Factors:
    """The factors of a rule: one for each dimension of the first result, and others as they are needed."""

    def __init__(self, operation: ir.Operation) -> None:
        self._result = _shape(operation.results[0])
        self._lanes = traits_of(name_of(operation)).lanes
        self._last = len(self._result) - 1
        self.sizes = list(self._result)

    def listed(self, shape: Sequence[int], dimensions: Sequence[int]) -> str:
        """The factors of a value whose dimensions belong to these dimensions of the result."""
        letters: list[str] = []
        for size, dimension in zip(shape, dimensions, strict=True):
            if size == self._result[dimension]:
                letters.append(_letter(dimension))
            else:  # a broadcast dimension, or the lane of an operand
                letters.append(_letter(len(self.sizes)))
                self.sizes.append(size)
        return f"[{', '.join(letters)}]"

    def whole(self) -> str:
        """The factors that must not be split: those of lanes."""
        if not self._lanes:
            return ""
        factors = [self._last, *range(len(self._result), len(self.sizes))]
        return f" need_replication={{{', '.join(map(_letter, factors))}}}"


def _rule(operation: ir.Operation) -> str:
    factors = _Factors(operation)
    operands = ", ".join(
        factors.listed(_shape(operand), _dimensions(operation, number))
        for number, operand in enumerate(operation.operands)
    )
    results = ", ".join(
        factors.listed(_shape(result), range(len(_shape(result)))) for result in operation.results
    )
    sizes = ", ".join(f"{_letter(factor)}={size}" for factor, size in enumerate(factors.sizes))
    return f"#sdy.op_sharding_rule<({operands})->({results}) {{{sizes}}}{factors.whole()}>"


def _dimensions(operation: ir.Operation, operand: int) -> Sequence[int]:
    """The dimensions of the result to which those of an operand belong."""
    rank, of_result = len(_shape(operation.operands[operand])), len(_shape(operation.results[0]))
    own = _own_attributes(operation)
    if rank < of_result and "broadcast_dimensions" in own:
        return list(ir.DenseI64ArrayAttr(own["broadcast_dimensions"]))
    return range(of_result - rank, of_result)


def _shape(value: ir.Value) -> list[int]:
    return list(ir.RankedTensorType(value.type).shape)


def _letter(factor: int) -> str:
    return _LETTERS[factor] if factor < len(_LETTERS) else f"z_{factor - len(_LETTERS) + 1}"
