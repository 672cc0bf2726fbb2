"""Partitioning by XLA's SPMD partitioner, on simulated CPU devices, in a child process.

XLA compiles the program for as many CPU devices as the mesh has, and writes the module after its pass
`spmd-partitioning` to a directory. jaxlib's converter turns the module into StableHLO; this file rewrites the
operations of MHLO that the converter leaves.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hlokit.engine.plan.locations import source_position
from hlokit.errors import UnsupportedError
from hlokit.mlir.mhlo import replace_mhlo
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir, make_batches_partitionable, register_mhlo, xla_modules
from hlokit.mlir.provider.diagnostics import errors_collected
from hlokit.mlir.queries.module import any_within, walk
from hlokit.tools.shard.notation.annotations import (
    GSPMD,
    PARTITIONS,
    SDY,
    argument_names,
    entry,
    function_types,
    shapes,
    value_attributes,
)
from hlokit.tools.shard.notation.gspmd import Tiling, parse_tiling, parse_tilings
from hlokit.tools.shard.notation.layout import Layout, spec_text
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.partitioners import chlo
from hlokit.tools.shard.partitioners.answers import Answer, Refusal
from hlokit.tools.shard.partitioners.hlo_groups import restore_groups
from hlokit.tools.shard.partitioners.hlo_shardings import shardings_in
from hlokit.tools.shard.partitioners.preparation import INLINING
from hlokit.tools.shard.partitioners.refusal import Refused
from hlokit.tools.shard.partitioners.shardy import prepared, run
from hlokit.tools.shard.partitioners.tracks import Tracks
from hlokit.tools.shard.partitioners.xla_reshards import reshards_of

_PASS = "spmd-partitioning"
# The location of an operation of HLO without metadata: `all-gather.3`.
_OF_XLA = re.compile(r'loc\("[a-z][a-z\-]*(?:\.[\w.]+)?"\)')


def set_flags(devices: int, directory: str) -> None:
    """Set the number of simulated devices and XLA's output directory in the environment, before XLA is
    loaded."""
    flags = (
        f"--xla_force_host_platform_device_count={devices}",
        f"--xla_dump_to={directory}",
        f"--xla_dump_hlo_pass_re=^{_PASS}$",
        "--xla_dump_hlo_as_proto",
        # The compiled program does not run.
        "--xla_backend_optimization_level=0",
        "--xla_llvm_disable_expensive_passes=true",
    )
    os.environ["XLA_FLAGS"] = " ".join(flags)


def partition(module: ir.Module, mesh: Mesh, directory: str, began: Callable[[str], None]) -> Answer:
    """The program for each device.

    Raises:
      Refused: XLA cannot compile the program, or the result cannot be read.
    """
    prepared(module, "xla", began)
    tracks = Tracks(module)
    constrained = {(tracks.source_of(number), spec) for number, spec in tracks.constrained(module)}
    chlo.encode_for_xla(module)
    main = entry(module)
    inputs, outputs = map(shapes, function_types(main))
    began("compilation")
    client, jax, hlo = xla_modules()
    make_batches_partitionable(chlo.TARGET)
    options = client.CompileOptions()
    options.num_replicas, options.num_partitions = 1, mesh.count
    build = options.executable_build_options
    build.num_replicas, build.num_partitions = 1, mesh.count
    build.use_spmd_partitioning = True
    build.use_shardy_partitioner = not _has_gspmd(module)
    # XLA may choose the shardings that the program leaves open.
    build.allow_spmd_sharding_propagation_to_parameters = _open(main, "arg_attrs", len(inputs))
    build.allow_spmd_sharding_propagation_to_output = _open(main, "res_attrs", len(outputs))
    build.device_assignment = client.DeviceAssignment.create(np.arange(mesh.count).reshape(1, -1))
    for old in Path(directory).glob("*.pb"):  # a new process reuses the names
        old.unlink()
    cpu = client.make_cpu_client()
    try:
        devices = client.DeviceList(tuple(cpu.local_devices()))
        cpu.compile_and_load(write_bytecode(module), devices, options)
    except jax.JaxRuntimeError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        if not _written(directory):
            raise Refused(Refusal("compilation", lines[0] if lines else "no reason given")) from None
    written = _written(directory)
    if not written:
        raise Refused(Refusal("compilation", f"XLA wrote no module after its pass {_PASS}"))
    began("conversion to StableHLO")
    proto = _field_1(written[0].read_bytes())
    try:
        data = jax.mlir.hlo_to_stablehlo(proto)
        text = hlo.HloModule.from_serialized_hlo_module_proto(proto).to_string()
        planned = [
            hlo.HloModule.from_serialized_hlo_module_proto(_field_1(path.read_bytes())).to_string()
            for path in _written(directory, "before")[:1]
        ]
    except (jax.JaxRuntimeError, ValueError) as error:
        raise Refused(Refusal("conversion to StableHLO", str(error).splitlines()[0])) from None
    program = _parsed(data, module.context)
    layouts = (
        _layouts(program, "mhlo.spmd_parameters_shardings", inputs, mesh),
        _layouts(program, "mhlo.spmd_output_sharding", outputs, mesh),
    )
    chlo.decode_from_xla(program)
    _clean(program, mesh)
    restore_groups(program, text)
    run(program, INLINING, "inlining of calls", began)
    _check_layouts(program, layouts)
    shardings = shardings_in(planned[0]) if planned else {}
    traced = tracks.followed(program, shardings, mesh)
    tracks.restore(program)
    _name_sources(program)
    specs = (
        [spec_text(layout, mesh) for layout in layouts[0]],
        [spec_text(layout, mesh) for layout in layouts[1]],
    )
    is_given = [not is_open for is_open in _open(main, "res_attrs", len(outputs))]
    value_layouts = tracks.layouts(program, traced, mesh)
    value_layouts |= dict(zip(entry(program).regions[0].blocks[0].arguments, layouts[0], strict=True))
    reshards = reshards_of(program, mesh, is_given, value_layouts, argument_names(main), constrained)
    kept = tracks.kept(shardings)
    return Answer(write_bytecode(program), *layouts, specs, reshards, kept, traced=traced)


def _name_sources(program: ir.Module) -> None:
    """Give operations that XLA inserted, whose locations are only XLA's names, the line of their operand."""

    def visit(operation: ir.Operation) -> None:
        if len(operation.operands) and _OF_XLA.fullmatch(str(operation.location)):
            value = operation.operands[0]
            source = value.location
            if source_position(str(source)) is not None:
                operation.location = source

    walk(program.operation, visit)


def _open(main: ir.Operation, key: str, count: int) -> list[bool]:
    """For each parameter or result, whether it has no sharding."""
    values = value_attributes(main, key, count)
    return [not ({SDY, GSPMD} & set(attributes)) for attributes in values] or [True]


def _written(directory: str, when: str = "after") -> list[Path]:
    """The modules before or after the pass, that of the newest compilation first."""
    paths = Path(directory).glob(f"*.{when}_{_PASS}.*.pb")
    return sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _field_1(message: bytes) -> bytes:
    """The first field of a protocol buffer, a string of bytes: the module of an `HloProto`."""
    if not message or message[0] != 0x0A:
        raise Refused(Refusal("conversion to StableHLO", "XLA's file is not an HloProto"))
    size = shift = 0
    position = 1
    while True:
        byte = message[position]
        position += 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return message[position : position + size]


def _has_gspmd(module: ir.Module) -> bool:
    def is_sharded(operation: ir.Operation) -> bool:
        attributes = operation.attributes
        if "mhlo.sharding" in attributes:
            return True
        keys = ("arg_attrs", "res_attrs") if operation.name == "func.func" else ()
        return any("mhlo.sharding" in str(attributes[key]) for key in keys if key in attributes)

    return any_within(module.operation, is_sharded)


def _parsed(data: bytes, context: ir.Context) -> ir.Module:
    """The program for each device as XLA converts it to StableHLO."""
    register_mhlo(context)
    with errors_collected(context) as errors:
        try:
            return ir.Module.parse(data, context)
        except ir.MLIRError:
            reason = errors[0].message if errors else "no reason given"
            raise Refused(Refusal("conversion to StableHLO", reason)) from None


def _layouts(program: ir.Module, name: str, shapes: Sequence[tuple[int, ...]], mesh: Mesh) -> list[Layout]:
    """The layouts of values of these shapes, from an attribute of XLA; without it, all are replicated."""
    tilings = tilings_of(program.operation.attributes, name, len(shapes))
    return [tiling.layout(shape, mesh.count) for tiling, shape in zip(tilings, shapes, strict=True)]


def _clean(program: ir.Module, mesh: Mesh) -> None:
    """Replace XLA's attributes of the module by those of a program for a grid, and MHLO's operations."""
    attributes = program.operation.attributes
    for name in [attributes[i].name for i in range(len(attributes))]:
        if name.startswith("mhlo.") or name == "sym_name":
            del attributes[name]
    i32 = ir.IntegerType.get_signless(32, program.context)
    attributes["mhlo.num_replicas"] = ir.IntegerAttr.get(i32, 1)
    attributes[PARTITIONS] = ir.IntegerAttr.get(i32, mesh.count)
    try:
        replace_mhlo(program)
    except UnsupportedError as error:
        raise Refused(Refusal("conversion to StableHLO", error.message)) from None


def tilings_of(attributes: Any, name: str, count: int) -> list[Tiling]:
    """The shardings of `count` values, from an attribute of XLA; without it, all are replicated."""
    if name not in attributes:
        return [Tiling("replicated")] * count
    attribute = attributes[name]
    if isinstance(attribute, ir.StringAttr):
        texts = parse_tilings(attribute.value)
    else:
        texts: list[str] = [attribute[i].value for i in range(len(attribute))]
    if len(texts) == 1 and count != 1:
        texts = texts * count
    return [parse_tiling(text) for text in texts]


def _check_layouts(program: ir.Module, layouts: tuple[list[Layout], list[Layout]]) -> None:
    """Raise if the program for a device takes or returns other pieces than its shardings state."""
    types = function_types(entry(program))
    for value_types, listed, what in zip(types, layouts, ("parameter", "result"), strict=True):
        for index, (shape, layout) in enumerate(zip(shapes(value_types), listed, strict=True)):
            if tuple(shape) != layout.piece_shape:
                reason = f"{what} {index} should have the shape {layout.piece_shape}, and has {tuple(shape)}"
                raise Refused(Refusal("conversion to StableHLO", reason))
