"""Reads and writes meshes and shardings in the attributes of a module."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hlokit.errors import ArgumentError, UnsupportedError
from hlokit.mlir.conversion.meshes import device_count
from hlokit.mlir.provider.bindings import ir, sdy
from hlokit.mlir.queries.module import any_within, functions, process_grid, walk
from hlokit.tools.shard.notation.gspmd import Tiling, as_sharding, mesh_of, parse_tiling, parse_tilings
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import AxisRef, Sharding

SDY = "sdy.sharding"
GSPMD = "mhlo.sharding"
PARTITIONS = "mhlo.num_partitions"
_NAME = re.compile(r'^loc\("((?:[^"\\]|\\.)*)"')


def entry(module: ir.Module) -> ir.Operation:
    """The function that is sharded: `main`, or the only public one.

    Raises:
      UnsupportedError: there is no such function, it is a declaration only, or it takes or returns no tensors
        of static shape.
    """
    by_name = functions(module)
    if "main" not in by_name and len(by_name) != 1:
        raise UnsupportedError(f"a program must have the function main, got {', '.join(by_name) or 'none'}")
    main = by_name.get("main") or next(iter(by_name.values()))
    if not main.regions[0].blocks:
        raise UnsupportedError(f"there is no function @{main.attributes['sym_name'].value} with a body")
    type_ = ir.FunctionType(main.attributes["function_type"].value)
    for type_of_value in (*type_.inputs, *type_.results):
        if not isinstance(type_of_value, ir.RankedTensorType) or not type_of_value.has_static_shape:
            raise UnsupportedError(f"only tensors of static shape can be sharded, got {type_of_value}")
    return main


def shapes(types: Sequence[ir.Type]) -> list[tuple[int, ...]]:
    return [tuple(ir.RankedTensorType(type_).shape) for type_ in types]


def function_types(main: ir.Operation) -> tuple[list[ir.Type], list[ir.Type]]:
    """Types of inputs and results."""
    type_ = ir.FunctionType(main.attributes["function_type"].value)
    return list(type_.inputs), list(type_.results)


def argument_names(main: ir.Operation) -> list[str]:
    """The front end's names of the parameters; `arg0`, `arg1`, ... for parameters without a name."""
    names: list[str] = []
    for index, argument in enumerate(main.regions[0].blocks[0].arguments):
        match = _NAME.match(str(argument.location))
        is_name = match is not None and not re.match(r'^loc\("[^"]*":\d', str(argument.location))
        names.append(match[1].replace('\\"', '"') if match is not None and is_name else f"arg{index}")
    return names


def result_names(main: ir.Operation) -> list[str]:
    """JAX's names of the results; `result0`, ... for results without a name."""
    dictionaries = value_attributes(main, "res_attrs", len(function_types(main)[1]))
    return [
        attributes["jax.result_info"].value
        if attributes.get("jax.result_info") is not None
        else f"result{index}"
        for index, attributes in enumerate(dictionaries)
    ]


def value_attributes(main: ir.Operation, name: str, count: int) -> list[dict[str, Any]]:
    """`arg_attrs` or `res_attrs` of a function, one dictionary per value."""
    if name not in main.attributes:
        return [{} for _ in range(count)]
    return [
        {entry.name: entry.attr for entry in (dictionary[i] for i in range(len(dictionary)))}
        for dictionary in main.attributes[name]
    ]


def set_value_attributes(main: ir.Operation, name: str, values: Sequence[dict[str, Any]]) -> None:
    context = main.context
    main.attributes[name] = ir.ArrayAttr.get(
        [ir.DictAttr.get(dictionary, context) for dictionary in values], context
    )


# Meshes ------------------------------------------------------------------------------------------------


def meshes_of(module: ir.Module) -> dict[str, Mesh]:
    """The meshes of a module by name, except meshes of one device, which mark unsplit values."""
    meshes: dict[str, Mesh] = {}
    for view in module.body.operations:
        if view.operation.name == "sdy.mesh":
            mesh = read_mesh(view.operation.attributes["mesh"])
            if mesh.axes:
                meshes[view.operation.attributes["sym_name"].value] = mesh
    return meshes


def read_mesh(attribute: ir.Attribute) -> Mesh:
    mesh = sdy.MeshAttr(attribute)
    ids = tuple(int(device) for device in mesh.device_ids)
    axes = tuple((str(axis.name), int(axis.size)) for axis in map(sdy.MeshAxisAttr, mesh.axes))
    count = device_count(size for _, size in axes)
    return Mesh(axes) if ids == tuple(range(count)) else Mesh(axes, ids)


def put_mesh(module: ir.Module, mesh: Mesh) -> str:
    """The name of a mesh in a module; adds a missing mesh to the module."""
    for name, existing in meshes_of(module).items():
        if existing == mesh:
            return name
    name = "mesh"
    while name in {
        view.operation.attributes["sym_name"].value
        for view in module.body.operations
        if "sym_name" in view.operation.attributes
    }:
        name += "_"
    addition = ir.Module.parse(f"sdy.mesh @{name} = {mesh.sdy()}", module.context)
    first = module.body.operations[0].operation
    addition.body.operations[0].operation.move_before(first)
    return name


# Shardings of Shardy's dialect ----------------------------------------------------------------------------


def read_sharding(attribute: ir.Attribute) -> Sharding:
    """A `#sdy.sharding` attribute."""
    tensor = sdy.TensorShardingAttr(attribute)
    dimensions = [sdy.DimensionShardingAttr(dimension) for dimension in tensor.dimension_shardings]
    return Sharding(
        tuple(tuple(map(_read_axis, dimension.axes)) for dimension in dimensions),
        tuple(not dimension.is_closed for dimension in dimensions),
        tuple(map(_read_axis, tensor.unreduced_axes)),
        tuple(map(_read_axis, tensor.replicated_axes)),
    )


def _read_axis(attribute: ir.Attribute) -> AxisRef:
    axis = sdy.AxisRefAttr(attribute)
    if axis.sub_axis_info is None:
        return AxisRef(axis.name)
    info = sdy.SubAxisInfoAttr(axis.sub_axis_info)
    return AxisRef(axis.name, info.pre_size, info.size)


def sharding_attribute(sharding: Sharding, mesh: str, context: ir.Context) -> ir.Attribute:
    return ir.Attribute.parse(sharding.sdy(mesh), context)


def shardings_of(operation: ir.Operation) -> list[Sharding] | None:
    """The shardings of an operation's results; None without shardings."""
    if SDY not in operation.attributes:
        return None
    attribute = operation.attributes[SDY]
    per_value = sdy.TensorShardingPerValueAttr
    if per_value.isinstance(attribute):
        return [read_sharding(sharding) for sharding in per_value(attribute).shardings]
    return [read_sharding(attribute)]


def signature_shardings(main: ir.Operation) -> tuple[list[Sharding | None], list[Sharding | None]]:
    """The shardings of a function's parameters and results."""
    inputs, outputs = function_types(main)
    arguments = value_attributes(main, "arg_attrs", len(inputs))
    results = value_attributes(main, "res_attrs", len(outputs))
    ins = [read_sharding(attributes[SDY]) if SDY in attributes else None for attributes in arguments]
    return ins, [read_sharding(attributes[SDY]) if SDY in attributes else None for attributes in results]


def annotate(
    module: ir.Module, mesh: Mesh, ins: Sequence[Sharding | None], outs: Sequence[Sharding | None]
) -> None:
    """Write shardings of the entry function's parameters and results; None keeps the existing sharding."""
    main = entry(module)
    name = put_mesh(module, mesh) if any(sharding is not None for sharding in (*ins, *outs)) else ""
    for key, shardings in (("arg_attrs", ins), ("res_attrs", outs)):
        values = value_attributes(main, key, len(shardings))
        for attributes, sharding in zip(values, shardings, strict=True):
            if sharding is not None:
                attributes[SDY] = sharding_attribute(sharding, name, module.context)
                attributes.pop(GSPMD, None)
        if any(values):
            set_value_attributes(main, key, values)
    i32 = ir.IntegerType.get_signless(32, module.context)
    module.operation.attributes[PARTITIONS] = ir.IntegerAttr.get(i32, mesh.count)
    module.operation.attributes["mhlo.num_replicas"] = ir.IntegerAttr.get(i32, 1)


def has_shardings(module: ir.Module) -> bool:
    """Whether a module has a sharding."""

    def is_sharded(operation: ir.Operation) -> bool:
        if operation.name in ("sdy.manual_computation", "sdy.sharding_constraint"):
            return True
        if operation.name == "func.func":
            dictionaries = [value_attributes(operation, key, 0) for key in ("arg_attrs", "res_attrs")]
            return any(
                SDY in attributes or GSPMD in attributes
                for of_values in dictionaries
                for attributes in of_values
            )
        return SDY in operation.attributes or GSPMD in operation.attributes

    return any_within(module.operation, is_sharded)


# Shardings of HLO -------------------------------------------------------------------------------------------


def tilings_of(module: ir.Module) -> list[Tiling]:
    """All GSPMD shardings in a module."""
    texts: set[str] = set()

    def visit(operation: ir.Operation) -> None:
        if operation.name == "func.func":
            for key in ("arg_attrs", "res_attrs"):
                texts.update(
                    attributes[GSPMD].value
                    for attributes in value_attributes(operation, key, 0)
                    if GSPMD in attributes
                )
        elif GSPMD in operation.attributes:
            texts.update(parse_tilings(operation.attributes[GSPMD].value))

    walk(module.operation, visit)
    return [parse_tiling(text) for text in sorted(texts)]


def mesh_of_tilings(module: ir.Module) -> Mesh:
    """A mesh for GSPMD's shardings, of as many devices as they name; if they name none, as the module states.

    Raises:
      ArgumentError, VerificationError: there are too many devices, or no number of them.
    """
    tilings = tilings_of(module)
    _, stated = process_grid(module) or (1, 1)
    return mesh_of(tilings, max((t.devices.size for t in tilings if t.devices is not None), default=stated))


def import_gspmd(module: ir.Module, mesh: Mesh | None) -> Mesh | None:
    """Convert GSPMD shardings to Shardy's, over the given mesh or over a new mesh.

    Returns:
      The mesh; None if there are no shardings, or if there are manual shardings, whose attributes stay.
    """
    tilings = tilings_of(module)
    if not tilings or any(t.kind == "manual" or "manual" in t.subgroups for t in tilings):
        return None
    counts = {t.devices.size for t in tilings if t.devices is not None}
    if mesh is None:
        mesh = mesh_of_tilings(module)
    for count in counts:
        if count != mesh.count:
            raise ArgumentError(
                f"the program's mhlo.sharding is for {count} devices, the mesh has {mesh.count}"
            )
    name = put_mesh(module, mesh)
    for main in functions(module).values():
        types = function_types(main)
        for key, value_types in (("arg_attrs", types[0]), ("res_attrs", types[1])):
            _import_signature(main, key, value_types, mesh, name)
    operations: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name != "func.func" and GSPMD in operation.attributes:
            operations.append(operation)

    walk(module.operation, visit)
    for operation in operations:
        _import_operation(operation, mesh, name)
    return mesh


def _import_signature(main: ir.Operation, key: str, types: Sequence[ir.Type], mesh: Mesh, name: str) -> None:
    values = value_attributes(main, key, len(types))
    for index, (attributes, type_) in enumerate(zip(values, types, strict=True)):
        text = attributes.pop(GSPMD, None)
        if text is not None and SDY not in attributes:
            what = f"{key.partition('_')[0]}{index}"
            sharding = as_sharding(parse_tiling(text.value), mesh, ir.RankedTensorType(type_).rank, what)
            attributes[SDY] = sharding_attribute(sharding, name, main.context)
    if any(values) or key in main.attributes:
        set_value_attributes(main, key, values)


def _import_operation(operation: ir.Operation, mesh: Mesh, name: str) -> None:
    texts = parse_tilings(operation.attributes[GSPMD].value)
    del operation.attributes[GSPMD]
    if len(texts) != len(operation.results) or SDY in operation.attributes:
        return
    shardings: list[Any] = [
        as_sharding(parse_tiling(text), mesh, ir.RankedTensorType(result.type).rank, operation.name)
        for text, result in zip(texts, operation.results, strict=True)
    ]
    listed = ", ".join(sharding.sdy(name).removeprefix("#sdy.sharding") for sharding in shardings)
    text = f"#sdy.sharding_per_value<[{listed}]>"
    operation.attributes[SDY] = ir.Attribute.parse(text, operation.context)
