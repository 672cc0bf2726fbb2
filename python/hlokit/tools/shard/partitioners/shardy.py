"""Partitioning by Shardy's pipelines in the bindings, in a child process, because they may crash.

hlokit first inlines calls, because the pipelines lose shardings at calls. The pipelines cannot split a
dimension into unequal pieces, so hlokit removes axes that do not divide a dimension after the propagation:
values stay whole along these axes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import prod

from hlokit.errors import PassError, VerificationError
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.mlir.queries.types import value_type
from hlokit.passes.pipeline import parse_pipeline, run_pipeline
from hlokit.tools.shard.notation.annotations import (
    SDY,
    argument_names,
    entry,
    function_types,
    put_mesh,
    read_sharding,
    set_value_attributes,
    shapes,
    sharding_attribute,
    shardings_of,
    signature_shardings,
    value_attributes,
)
from hlokit.tools.shard.notation.layout import layout_of
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import Sharding
from hlokit.tools.shard.partitioners import chlo
from hlokit.tools.shard.partitioners.answers import SMALL, Answer, Kept, Refusal, Reshard, Stated
from hlokit.tools.shard.partitioners.preparation import prepare
from hlokit.tools.shard.partitioners.refusal import Refused
from hlokit.tools.shard.partitioners.tracks import Tracks, number_of
from hlokit.values.types import TensorType

_RESHARDS = "builtin.module(func.func(sdy-insert-explicit-reshards{enable-full-version=true}))"
_COLLECTIVES = "builtin.module(func.func(sdy-reshard-to-collectives))"
_LOCAL = "builtin.module(sdy-convert-global-to-local)"


def partition(module: ir.Module, mesh: Mesh, began: Callable[[str], None]) -> Answer:
    """The program for each device. Modifies the module.

    Args:
      began: called with each stage that begins.

    Raises:
      Refused: a stage failed.
    """
    prepared(module, "shardy", began)
    tracks = Tracks(module)
    chlo.encode_for_shardy(module)
    main = entry(module)
    is_given = [sharding is not None for sharding in signature_shardings(main)[1]]
    constrained = tracks.constrained(module)
    run(module, "builtin.module(sdy-propagation-pipeline)", "propagation", began)
    notes = make_divisible(module, mesh)
    began("reading of shardings")
    requested = {_key(operation) for operation in _all(module, "sdy.reshard")}
    kept = list(_kept(module, tracks))
    planned = _planned(module)
    is_manual = bool(_all(module, "sdy.manual_computation"))
    chlo.write_rules(module)
    run(module, _RESHARDS, "insertion of reshards", began)
    reshards = list(_reshards(module, requested, constrained, is_given, tracks))
    run(module, _COLLECTIVES, "choice of collectives", began)
    inputs, outputs = function_types(main)
    ins, outs = signature_shardings(main)
    layouts = [
        [
            layout_of((sharding or Sharding(())).of_rank(len(shape)), mesh, shape)
            for sharding, shape in zip(shardings, shapes(types), strict=True)
        ]
        for shardings, types in ((ins, inputs), (outs, outputs))
    ]
    run(module, _LOCAL, "conversion to one device", began)
    began("reading of the result")
    # In a shard_map, shardings apply to pieces.
    stated = [] if is_manual else list(_stated(module))
    chlo.decode_from_shardy(module)
    traced = tracks.followed(module, planned, mesh)
    _clean(module)
    tracks.restore(module)
    return Answer(
        write_bytecode(module),
        layouts[0],
        layouts[1],
        (
            [
                str((sharding or Sharding(())).of_rank(len(shape)))
                for sharding, shape in zip(ins, shapes(inputs), strict=True)
            ],
            [
                str((sharding or Sharding(())).of_rank(len(shape)))
                for sharding, shape in zip(outs, shapes(outputs), strict=True)
            ],
        ),
        reshards,
        kept,
        notes,
        stated,
        traced,
    )


def run(module: ir.Module, pipeline: str, stage: str, began: Callable[[str], None]) -> None:
    """Run passes in place, as one stage of the partitioning.

    Args:
      began: called with the name of the stage.

    Raises:
      Refused: the passes failed.
    """
    began(stage)
    with _refusal_in(stage):
        run_pipeline(module, parse_pipeline(pipeline), verify_each=True)


def prepared(module: ir.Module, partitioner: str, began: Callable[[str], None]) -> None:
    """Inline calls in place, as the first stage of the partitioning.

    Raises:
      Refused: the passes failed.
    """
    stage = "inlining of calls"
    began(stage)
    with _refusal_in(stage):
        prepare(module, partitioner)


@contextmanager
def _refusal_in(stage: str) -> Generator[None]:
    try:
        yield
    except (PassError, VerificationError) as error:
        first = next((item for item in error.diagnostics if item.severity == "error"), error.diagnostics[0])
        location = f'"{first.file}":{first.line}:{first.column}' if first.line else ""
        raise Refused(Refusal(stage, first.message, location)) from None


def _all(module: ir.Module, *names: str) -> list[ir.Operation]:
    operations: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name in names:
            operations.append(operation)

    walk(module.operation, visit)
    return operations


def _key(operation: ir.Operation) -> tuple[str, str]:
    return str(operation.location), str(operation.attributes["sharding"])


# Dimensions that axes do not divide ---------------------------------------------------------------------


def _divisible(sharding: Sharding, mesh: Mesh, shape: Sequence[int]) -> Sharding:
    """The sharding without the least significant axes that do not divide a dimension."""
    dimensions = [list(axes) for axes in sharding.dimensions]
    for axes, size in zip(dimensions, shape, strict=True):
        while size % prod(axis.count(mesh) for axis in axes):
            axes.pop()
    return replace(sharding, dimensions=tuple(map(tuple, dimensions)))


def make_divisible(module: ir.Module, mesh: Mesh) -> list[str]:
    """Remove axes that do not divide dimensions of values. Returns notes about the changes."""
    divisor = _Divisor(module, mesh)
    divisor.change_signature(entry(module))
    walk(module.operation, divisor.change_operation)
    return divisor.notes


class _Divisor:
    """Removes axes that do not divide dimensions of values of a module.

    Attributes:
      notes: what changed.
    """

    def __init__(self, module: ir.Module, mesh: Mesh) -> None:
        self._context, self._mesh, self._mesh_name = module.context, mesh, put_mesh(module, mesh)
        self.notes: list[str] = []

    def change_signature(self, main: ir.Operation) -> None:
        for key, types in zip(("arg_attrs", "res_attrs"), function_types(main), strict=True):
            values = value_attributes(main, key, len(types))
            fitting = [
                self._fitting(attributes[SDY], type_, f"{key[:3]}{index}") if SDY in attributes else None
                for index, (attributes, type_) in enumerate(zip(values, types, strict=True))
            ]
            if any(attribute is not None for attribute in fitting):
                for attributes, attribute in zip(values, fitting, strict=True):
                    attributes.update({} if attribute is None else {SDY: attribute})
                set_value_attributes(main, key, values)

    def change_operation(self, operation: ir.Operation) -> None:
        if operation.name == "sdy.reshard":
            new = self._fitting(operation.attributes["sharding"], operation.results[0].type, operation.name)
            if new is not None:
                operation.attributes["sharding"] = new
        elif operation.name != "func.func" and SDY in operation.attributes and len(operation.results):
            self._change_results(operation)

    def _change_results(self, operation: ir.Operation) -> None:
        shardings = shardings_of(operation) or []
        if len(shardings) != len(operation.results):
            return
        attributes = [sharding_attribute(sharding, self._mesh_name, self._context) for sharding in shardings]
        fitting = [
            self._fitting(attribute, result.type, chlo.name_of(operation))
            for attribute, result in zip(attributes, operation.results, strict=True)
        ]
        if any(attribute is not None for attribute in fitting):
            listed = ", ".join(
                str(new or old).removeprefix("#sdy.sharding")
                for new, old in zip(fitting, attributes, strict=True)
            )
            text = f"#sdy.sharding_per_value<[{listed}]>"
            operation.attributes[SDY] = ir.Attribute.parse(text, self._context)

    def _fitting(self, attribute: ir.Attribute, type_: ir.Type, what: str) -> ir.Attribute | None:
        """The sharding of a value without axes that do not divide it; None if nothing changes."""
        if not isinstance(type_, ir.RankedTensorType):
            return None
        sharding = read_sharding(attribute)
        if len(sharding.dimensions) != type_.rank:  # the sharding of a value on a single device
            return None
        fitting = _divisible(sharding, self._mesh, type_.shape)
        if fitting == sharding:
            return None
        self.notes.append(f"{what}: {type_} cannot be split as {sharding}, and is split as {fitting}")
        return sharding_attribute(fitting, self._mesh_name, self._context)


# Notes -------------------------------------------------------------------------------------


def _bytes(type_: ir.Type) -> int:
    tensor = value_type(type_)
    return tensor.nbytes if isinstance(tensor, TensorType) else 0


def _sharding(value: ir.Value) -> Sharding | None:
    owner = value.owner
    if isinstance(owner, ir.Block):
        parent = owner.owner
        if parent.operation.name != "func.func":
            return None
        return signature_shardings(parent.operation)[0][ir.BlockArgument(value).arg_number]
    operation = owner if isinstance(owner, ir.Operation) else owner.operation
    for name in ("sharding", "out_sharding"):  # attributes of a reshard, and of a sum that Shardy inserted
        if operation.name.startswith("sdy.") and name in operation.attributes:
            return read_sharding(operation.attributes[name])
    shardings = shardings_of(operation)
    return None if shardings is None else shardings[ir.OpResult(value).result_number]


def _what(value: ir.Value) -> str:
    owner = value.owner
    while not isinstance(owner, ir.Block) and owner.operation.name.startswith("sdy."):
        if not len(owner.operation.operands):
            break
        value = owner.operation.operands[0]
        owner = value.owner
    if isinstance(owner, ir.Block):
        parent = owner.owner.operation
        number = ir.BlockArgument(value).arg_number
        return (
            f"parameter {argument_names(parent)[number]}"
            if parent.name == "func.func"
            else "a region's parameter"
        )
    return chlo.name_of(owner if isinstance(owner, ir.Operation) else owner.operation)


def _kept(module: ir.Module, tracks: Tracks) -> Iterator[Kept]:
    values: list[Kept] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name in ("func.func", "builtin.module") or operation.name.startswith("sdy."):
            return
        for result in operation.results:
            size = _bytes(result.type)
            if size >= SMALL:
                sharding = _sharding(result)
                if sharding is None or not (sharding.is_split or sharding.unreduced):
                    values.append(Kept(chlo.name_of(operation), tracks.location(operation), size))

    # In a shard_map, values are pieces.
    manual = [body for body in _all(module, "sdy.manual_computation")]
    walk(module.operation, visit)
    if not manual:
        yield from sorted(values, key=lambda kept: -kept.bytes)


def _reshards(
    module: ir.Module,
    requested: set[tuple[str, str]],
    constrained: set[tuple[int, str]],
    is_given: Sequence[bool],
    tracks: Tracks,
) -> Iterator[Reshard]:
    for operation in _all(module, "sdy.reshard"):
        (operand,) = operation.operands
        after = read_sharding(operation.attributes["sharding"])
        before = _sharding(operand) or Sharding(((),) * len(after.dimensions))
        if before.dimensions == after.dimensions and before.unreduced == after.unreduced:
            continue
        number = None if isinstance(operand.owner, ir.Block) else number_of(operand.owner)
        is_requested = _key(operation) in requested or (number, str(after)) in constrained
        for use in operation.results[0].uses:
            if use.owner.operation.name == "func.return":
                is_requested = is_requested or is_given[use.operand_number]
        yield Reshard(
            _what(operand),
            str(before),
            str(after),
            tracks.location(operation),
            _bytes(operand.type),
            is_requested,
        )


def _planned(module: ir.Module) -> dict[int, list[Sharding]]:
    """The shardings of all results, by the number of the operation; no sharding means an unsplit value."""
    by_number: dict[int, list[Sharding]] = {}

    def visit(operation: ir.Operation) -> None:
        number = number_of(operation)
        if number is not None and len(operation.results):
            shardings = shardings_of(operation) or [Sharding(())] * len(operation.results)
            if not any(sharding.unreduced for sharding in shardings):
                by_number[number] = shardings

    walk(module.operation, visit)
    return by_number


def _stated(module: ir.Module) -> Iterator[Stated]:
    """The shardings of the values of a program for a device."""
    operations: list[ir.Operation] = []
    walk(module.operation, operations.append)
    for number, operation in enumerate(operations):
        if operation.name == "func.func" or SDY not in operation.attributes:
            continue
        shardings = shardings_of(operation) or []
        for index, (sharding, result) in enumerate(zip(shardings, operation.results, strict=False)):
            if isinstance(result.type, ir.RankedTensorType):
                yield Stated(number, index, sharding, tuple(result.type.shape))


def _clean(module: ir.Module) -> None:
    """Remove attributes of the whole program from the program for a device."""

    def visit(operation: ir.Operation) -> None:
        for name in (SDY, "mhlo.sharding", "sdy.sharding_rule"):
            if name in operation.attributes:
                del operation.attributes[name]
        if operation.name == "func.func":
            types = function_types(operation)
            for key, value_types in zip(("arg_attrs", "res_attrs"), types, strict=True):
                if key in operation.attributes:
                    values = value_attributes(operation, key, len(value_types))
                    for attributes in values:
                        for name in (SDY, "mhlo.sharding"):
                            attributes.pop(name, None)
                    set_value_attributes(operation, key, values)

    walk(module.operation, visit)
    left = sorted({op.name for op in _sharding_operations(module)})
    if left:
        raise Refused(Refusal("conversion to one device", f"Shardy did not convert {', '.join(left)}"))


def _sharding_operations(module: ir.Module) -> list[ir.Operation]:
    operations: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name.startswith("sdy.") and operation.name != "sdy.mesh":
            operations.append(operation)

    walk(module.operation, visit)
    return operations
