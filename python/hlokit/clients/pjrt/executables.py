"""Compiled programs as the PJRT plugin runs them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import hlokit
from hlokit.clients.pjrt.callbacks import registered_callbacks
from hlokit.clients.pjrt.compile_options import assignment_message, read_options, require_known
from hlokit.clients.pjrt.devices import pieces_of
from hlokit.clients.pjrt.element_types import TOKEN, number_of
from hlokit.clients.pjrt.hlo import hlo_module, proto_of
from hlokit.clients.pjrt.options import PLAIN, Options, current
from hlokit.clients.pjrt.propagation import leaves_results_open, propagated
from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError, UnsupportedError
from hlokit.files.formats import is_bytecode
from hlokit.files.reading import NO_FILE
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions
from hlokit.programs.calls.arguments import as_results
from hlokit.programs.importers.protobuf import parts
from hlokit.programs.loading import complete, load_bytes
from hlokit.programs.program import Program
from hlokit.tools.shard.notation.annotations import value_attributes
from hlokit.tools.shard.notation.layout import Layout
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, TokenType, ValueType

if TYPE_CHECKING:
    from hlokit.clients.pjrt.watched import WatchedRuns
    from hlokit.tools.shard.cost_model.costs import Costs

_MAGIC = b"hlokit executable\n"
# Attributes of a parameter that the caller gives up.
_DONATIONS = frozenset({"tf.aliasing_output", "jax.buffer_donor"})
# The attribute of a result that is to be in a kind of memory.
_MEMORY_KIND = "mhlo.memory_kind"
# Stands for tokens.
_TOKEN = np.zeros(0, bool)


class Executable:
    """A program with the devices that it runs on. The extension reads the attributes once.

    Attributes:
      name: the name of the module.
      fingerprint: equal for the same program, options and version of hlokit.
      replicas, partitions, devices: see `CompileOptions`.
      has_effects: whether the program calls Python functions.
      donated: for each parameter, whether the caller gives it up.
      output_types, output_shapes: PJRT's number of the element type, and the shape, of each result on a
        device.
      output_memory_kinds: the kind of memory that each result is asked to be in.
      input_types, input_shapes: of the parameters, in the same way; None for types of no static tensor.
      direct: the program as a function of values of these types, which gives the values of its results; None
        until it is compiled, and for programs with other types, effects or several devices.
      compile_options: the serialized options.
    """

    def __init__(self, program: Program, code: bytes, form: str, options: bytes) -> None:
        self._code, self._form = code, form
        self._hlo: bytes | None = None
        self._watched_runs: WatchedRuns | None = None
        self._program = program
        self._runs = program.runs
        self._signature = program.signature()
        self.compile_options = options
        self._options = read_options(options)
        require_known(options)
        self.replicas, self.partitions = self._options.replicas, self._options.partitions
        self.devices = self._options.devices
        self.has_effects = program.calling is not None
        module = program.module.operation
        self.name: str = module.attributes["sym_name"].value if "sym_name" in module.attributes else "main"
        self.fingerprint = hashlib.sha256(
            b"\0".join((hlokit.__version__.encode(), code, options))
        ).hexdigest()
        function = functions(program.module)[self._signature.name]
        self.donated = _donated(function, len(self._signature.inputs))
        count = self.replicas * self.partitions
        self._pieces = None
        if self.partitions > 1:
            shardings = program.module
            if leaves_results_open(shardings, self._signature.name):
                shardings = propagated(shardings)
            self._pieces = pieces_of(shardings, self._signature, count)
        self.output_types = [_number(type_) for type_ in self._signature.outputs]
        self._has_tokens = TOKEN in self.output_types
        shapes = [_shape(type_) for type_ in self._signature.outputs]
        if self._pieces is not None:
            shapes = [self._pieces.piece_shape(number, shape) for number, shape in enumerate(shapes)]
        self.output_shapes = shapes
        self.output_memory_kinds = _memory_kinds(function, len(shapes))
        self.direct: Callable[..., Any] | None = None
        self.input_types = [_number_of_static(type_) for type_ in self._signature.inputs]
        self.input_shapes = [
            () if number is None else _shape(type_)
            for type_, number in zip(self._signature.inputs, self.input_types, strict=True)
        ]
        is_static = not self._has_tokens and None not in self.input_types
        self._may_be_direct = is_static and not self.has_effects and len(self.devices) == 1

    @classmethod
    def compiled(cls, code: bytes, form: str, options: bytes) -> Executable:
        """See `host.compile_program`."""
        if form == "hlo_with_config":
            code, form = bytes(next(parts(memoryview(code), 1), b"")), "hlo"
        if form != "mlir" or not is_bytecode(code):
            return cls(load_bytes(code), code, form, options)
        # The bindings of this process wrote the bytes.
        module = parse_bytecode(None, code, is_trusted=True)
        complete(module, code, NO_FILE)
        program = Program(module, calling=registered_callbacks(module))
        return cls(program, code, form, options)

    @classmethod
    def deserialized(cls, data: bytes, options: bytes | None) -> Executable:
        """See `host.deserialize`."""
        header, _, rest = data.removeprefix(_MAGIC).partition(b"\n")
        if not data.startswith(_MAGIC):
            raise ArgumentError("an executable must begin with hlokit's header, got other bytes")
        fields = json.loads(header)
        if fields["version"] != hlokit.__version__:
            raise ArgumentError(
                f"an executable must be of hlokit {hlokit.__version__}, got one of {fields['version']}"
            )
        size = fields["code"]
        return cls.compiled(rest[:size], fields["format"], rest[size:] if options is None else options)

    def serialize(self) -> bytes:
        """The program and its options.

        Raises:
          UnsupportedError: the program calls Python functions, which only this process has.
        """
        if self._program.calling is not None:
            raise UnsupportedError("an executable that calls Python functions cannot be serialized")
        header = {"version": hlokit.__version__, "format": self._form, "code": len(self._code)}
        return _MAGIC + json.dumps(header).encode() + b"\n" + self._code + self.compile_options

    def execute(self, arguments: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        """The results on each device, for the arguments on each device.

        Raises:
          HlokitError: as `Program.__call__`.
        """
        if self._pieces is not None:
            return self._pieces.cut(self._run(self._pieces.joined(arguments)))
        if len(arguments) == 1:
            return [self._run(arguments[0])]
        rows = [self._signature.values(row) for row in arguments]
        grid = self.replicas, self.partitions
        results = self._runs.evaluate_parallel(rows, self._signature.name, grid)
        return [self.arrays(row, values) for row, values in zip(results, rows, strict=True)]

    def _run(self, arguments: Sequence[Any]) -> Sequence[Any]:
        values = self._signature.values(arguments)
        options = current()
        if options is PLAIN:
            results = self._runs.evaluate(values, self._signature.name)
            if self._may_be_direct:
                self.direct = self._runs.settled(self._signature.name)
            return self.arrays(results, values)
        return self.arrays(self._watched(options, values), values)

    def _watched(self, options: Options, values: Sequence[Value]) -> Sequence[Value]:
        if self._watched_runs is None:
            from hlokit.clients.pjrt.watched import WatchedRuns  # most processes watch no run

            is_checkable = not self.has_effects and self._pieces is None
            self._watched_runs = WatchedRuns(self._program, self.name, is_checkable)
        return self._watched_runs.run(values, options)

    def arrays(self, results: Sequence[Value], values: Sequence[Value]) -> Sequence[Any]:
        """Results as arrays that share no memory with the arguments."""
        arrays = as_results(results, self._signature.outputs, values)
        if self._has_tokens:
            arrays = tuple([_TOKEN if isinstance(array, Token) else array for array in arrays])
        return arrays

    def costs(self) -> dict[str, float]:
        """Estimates, by XLA's names: those of the whole program, on however many devices it runs."""
        inputs, outputs, *_ = self.memory()
        return {"flops": float(self._costs().flops), "bytes accessed": float(inputs + outputs)}

    def memory(self) -> tuple[int, int, int, int]:
        """Bytes of arguments, results, arguments that are given up, and of other values at their peak."""
        sizes = [_size(type_) for type_ in self._signature.inputs]
        results = sum(map(_size, self._signature.outputs))
        aliased = sum(size for size, is_donated in zip(sizes, self.donated, strict=True) if is_donated)
        return sum(sizes), results, aliased, max(self._costs().peak - sum(sizes) - results, 0)

    def _costs(self) -> Costs:
        from hlokit.tools.shard.cost_model.costs import costs_of  # few callers ask for costs

        module = self._program.module
        return costs_of(module, functions(module)[self._signature.name])

    def device_assignment(self) -> bytes:
        """The devices as a `DeviceAssignmentProto`."""
        return assignment_message(self._options)

    def optimized_program(self) -> bytes:
        """The program as an HLO module: what frameworks print and read shardings from."""
        if self._hlo is None:  # frameworks ask many times
            inputs: Sequence[Layout | None] = [None] * len(self._signature.inputs)
            outputs: Sequence[Layout | None] = [None] * len(self._signature.outputs)
            if self._pieces is not None:
                inputs, outputs = self._pieces.inputs, self._pieces.outputs
            proto = self._code if self._form == "hlo" else proto_of(self._code)
            self._hlo = hlo_module(proto, inputs, outputs)
        return self._hlo


def _donated(function: ir.Operation, count: int) -> list[bool]:
    return [not _DONATIONS.isdisjoint(names) for names in value_attributes(function, "arg_attrs", count)]


def _memory_kinds(function: ir.Operation, count: int) -> list[str]:
    kinds = [attributes.get(_MEMORY_KIND) for attributes in value_attributes(function, "res_attrs", count)]
    return ["device" if kind is None else kind.value for kind in kinds]


def _number(type_: ValueType) -> int:
    if isinstance(type_, TokenType):
        return TOKEN
    number = number_of(type_.element_type) if isinstance(type_, TensorType) else None
    if number is None:
        raise UnsupportedError(f"results of a program must have element types of PJRT, got {type_}")
    return number


def _number_of_static(type_: ValueType) -> int | None:
    return number_of(type_.element_type) if isinstance(type_, TensorType) and type_.is_static else None


def _shape(type_: ValueType) -> tuple[int, ...]:
    if isinstance(type_, TokenType):
        return (0,)
    if not isinstance(type_, TensorType) or type_.shape is None or any(size < 0 for size in type_.shape):
        raise UnsupportedError(f"results of a program must have static shapes, got {type_}")
    return type_.shape


def _size(type_: ValueType) -> int:
    if not isinstance(type_, TensorType) or type_.shape is None:
        return 0
    size = type_.element_type.dtype.itemsize
    for extent in type_.shape:
        size *= extent
    return size
