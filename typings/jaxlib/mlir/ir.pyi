"""What hlokit uses of the bindings of MLIR's objects: contexts, operations, values, types and attributes.

The bindings return a type or an attribute as an object of its own class, such as `StringAttr`, which only
the program decides: such results are Any. (jaxlib's own stub has the base class, generic values without a
parameter, and names that it does not define.) Properties are written as attributes.
"""

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, Protocol, Self, overload

import numpy as np
import numpy.typing as npt

class _ContextManager:
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class _Writer(Protocol):
    def write(self, data: bytes, /) -> object: ...

# Contexts, diagnostics and locations

class MLIRError(Exception):
    message: str
    error_diagnostics: list[DiagnosticInfo]

class DiagnosticSeverity(enum.Enum):
    ERROR = 0
    WARNING = 1
    NOTE = 2
    REMARK = 3

class Diagnostic:
    severity: DiagnosticSeverity

class DiagnosticInfo:
    def __init__(self, diagnostic: Diagnostic) -> None: ...
    severity: DiagnosticSeverity
    location: Location
    message: str
    notes: Sequence[DiagnosticInfo]

class DiagnosticHandler:
    def detach(self) -> None: ...

class DialectRegistry: ...

class Context(_ContextManager):
    allow_unregistered_dialects: bool
    emit_error_diagnostics: bool
    dialects: Mapping[str, object]
    def append_dialect_registry(self, registry: DialectRegistry) -> None: ...
    def load_all_available_dialects(self) -> None: ...
    def enable_multithreading(self, enable: bool) -> None: ...
    def get_dialect_descriptor(self, dialect_name: str) -> object: ...
    def is_registered_operation(self, operation_name: str) -> bool: ...
    def attach_diagnostic_handler(self, callback: Callable[[Diagnostic], bool]) -> DiagnosticHandler: ...

class Location(_ContextManager):
    @staticmethod
    def unknown(context: Context | None = None) -> Location: ...
    @staticmethod
    def name(name: str, childLoc: Location | None = None, context: Context | None = None) -> Location: ...
    @staticmethod
    def callsite(
        callee: Location, frames: Sequence[Location], context: Context | None = None
    ) -> Location: ...
    def emit_error(self, message: str) -> None: ...

# Modules, operations, regions and blocks

class WalkOrder(enum.Enum):
    PRE_ORDER = 0
    POST_ORDER = 1

class WalkResult(enum.Enum):
    ADVANCE = 0
    INTERRUPT = 1
    SKIP = 2

class Module:
    @staticmethod
    def parse(asm: str | bytes, context: Context | None = None) -> Module: ...
    @staticmethod
    def create(loc: Location | None = None) -> Module: ...
    context: Context
    operation: Operation
    body: Block

class _OperationBase:
    location: Location
    context: Context
    name: str
    operation: Operation
    opview: OpView
    attributes: OpAttributeMap
    operands: OpOperandList
    results: Sequence[OpResult]
    regions: Sequence[Region]
    parent: Operation | None
    def print(
        self,
        *,
        file: object,
        large_elements_limit: int | None = None,
        enable_debug_info: bool = False,
        use_local_scope: bool = False,
        assume_verified: bool = False,
    ) -> None: ...
    def get_asm(
        self,
        *,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        pretty_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        assume_verified: bool = False,
        skip_regions: bool = False,
    ) -> str: ...
    def write_bytecode(self, file: _Writer, desired_version: int | None = None) -> None: ...
    def verify(self) -> bool: ...
    def move_before(self, other: _OperationBase) -> None: ...
    def move_after(self, other: _OperationBase) -> None: ...
    def clone(self, ip: InsertionPoint | Literal[False] | None = None) -> Operation: ...
    def erase(self) -> None: ...
    def walk(
        self,
        callback: Callable[[Operation], WalkResult],
        walk_order: WalkOrder = ...,
    ) -> None: ...

class Operation(_OperationBase):
    @staticmethod
    def create(
        name: str,
        results: Sequence[Type] | None = None,
        operands: Sequence[Value] | None = None,
        attributes: dict[str, Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int = 0,
        loc: Location | None = None,
        ip: InsertionPoint | Literal[False] | None = None,
        infer_type: bool = False,
    ) -> Operation: ...
    @staticmethod
    def parse(source: str, *, source_name: str = "", context: Context | None = None) -> OpView: ...
    block: Block

class OpView(_OperationBase):
    OPERATION_NAME: ClassVar[str]

class OpAttributeMap:
    def __contains__(self, name: str) -> bool: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...
    @overload
    def __getitem__(self, name: int) -> NamedAttribute: ...
    def __setitem__(self, name: str, attr: Attribute) -> None: ...
    def __delitem__(self, name: str) -> None: ...
    def __iter__(self) -> Iterator[str]: ...
    def get(self, key: str, default: object | None = None) -> Any: ...
    def keys(self) -> list[str]: ...
    def items(self) -> list[tuple[str, Any]]: ...

class OpOperandList(Sequence[Value]):
    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> OpOperandList: ...
    def __len__(self) -> int: ...
    def __setitem__(self, index: int, value: Value) -> None: ...

class Region:
    blocks: BlockList
    owner: OpView
    def __iter__(self) -> Iterator[Block]: ...

class BlockList:
    def __getitem__(self, index: int) -> Block: ...
    def __iter__(self) -> Iterator[Block]: ...
    def __len__(self) -> int: ...
    def append(self, *args: Type, arg_locs: Sequence[Location] | None = None) -> Block: ...

class Block:
    @staticmethod
    def create_at_start(
        parent: Region, arg_types: Sequence[Type] = ..., arg_locs: Sequence[Location] | None = None
    ) -> Block: ...
    def __iter__(self) -> Iterator[OpView]: ...
    owner: OpView
    arguments: Sequence[BlockArgument]
    operations: OperationList
    def add_argument(self, type: Type, loc: Location) -> BlockArgument: ...
    def erase_argument(self, index: int) -> None: ...
    def append(self, operation: _OperationBase) -> None: ...
    def append_to(self, region: Region) -> None: ...

class OperationList:
    def __getitem__(self, index: int) -> OpView: ...
    def __iter__(self) -> Iterator[OpView]: ...
    def __len__(self) -> int: ...

class InsertionPoint(_ContextManager):
    def __init__(self, before: Block | _OperationBase) -> None: ...
    @staticmethod
    def at_block_begin(block: Block) -> InsertionPoint: ...
    @staticmethod
    def after(operation: _OperationBase) -> InsertionPoint: ...

class SymbolTable:
    def __init__(self, operation: _OperationBase) -> None: ...
    def insert(self, operation: _OperationBase) -> StringAttr: ...
    @staticmethod
    def set_symbol_name(symbol: _OperationBase, name: str) -> None: ...
    @staticmethod
    def replace_all_symbol_uses(old_symbol: str, new_symbol: str, from_op: _OperationBase) -> None: ...

# Values

class OpOperand:
    owner: OpView
    operand_number: int

class AsmState:
    def __init__(self, op: Operation, use_local_scope: bool = False) -> None: ...

class Value:
    def __init__(self, value: Value) -> None: ...
    context: Context
    owner: Any  # the operation of a result, the block of an argument
    type: Any
    uses: Iterator[OpOperand]
    location: Location
    @overload
    def get_name(self, use_local_scope: bool = False, use_name_loc_as_prefix: bool = False) -> str: ...
    @overload
    def get_name(self, state: AsmState) -> str: ...
    def set_type(self, type: Type) -> None: ...
    def replace_all_uses_with(self, value: Value, /) -> None: ...
    def replace_all_uses_except(self, with_: Value, exceptions: Operation | Sequence[Operation]) -> None: ...

class BlockArgument(Value):
    owner: Block
    arg_number: int
    def set_location(self, loc: Location) -> None: ...

class OpResult(Value):
    owner: OpView
    result_number: int

# Types

class Type:
    def __init__(self, type_: Type) -> None: ...
    def maybe_downcast(self) -> Any: ...
    @staticmethod
    def parse(asm: str, context: Context | None = None) -> Any: ...
    context: Context

class IndexType(Type):
    @staticmethod
    def get(context: Context | None = None) -> IndexType: ...

class IntegerType(Type):
    width: int
    is_unsigned: bool
    @staticmethod
    def get_signless(width: int, context: Context | None = None) -> IntegerType: ...
    @staticmethod
    def get_unsigned(width: int, context: Context | None = None) -> IntegerType: ...

class FloatType(Type): ...

class F64Type(FloatType):
    @staticmethod
    def get(context: Context | None = None) -> F64Type: ...

class ComplexType(Type):
    element_type: Any

class ShapedType(Type):
    element_type: Any
    rank: int
    has_static_shape: bool
    shape: list[int]
    @staticmethod
    def get_dynamic_size() -> int: ...

class RankedTensorType(ShapedType):
    @staticmethod
    def get(
        shape: Sequence[int],
        element_type: Type,
        encoding: Attribute | None = None,
        loc: Location | None = None,
    ) -> RankedTensorType: ...
    encoding: Any

class UnrankedTensorType(ShapedType): ...
class MemRefType(ShapedType): ...

class TupleType(Type):
    def get_type(self, pos: int) -> Any: ...
    num_types: int

class FunctionType(Type):
    @staticmethod
    def get(
        inputs: Sequence[Type], results: Sequence[Type], context: Context | None = None
    ) -> FunctionType: ...
    inputs: list[Any]
    results: list[Any]

# Attributes

class Attribute:
    context: Context
    def __init__(self, attribute: Attribute) -> None: ...
    @staticmethod
    def parse(asm: str, context: Context | None = None) -> Any: ...
    type: Any

class NamedAttribute:
    name: str
    attr: Any

class UnitAttr(Attribute): ...

class BoolAttr(Attribute):
    @staticmethod
    def get(value: bool, context: Context | None = None) -> BoolAttr: ...
    value: bool

class IntegerAttr(Attribute):
    @staticmethod
    def get(type: Type, value: int) -> IntegerAttr: ...
    value: int

class FloatAttr(Attribute):
    @staticmethod
    def get(type: Type, value: float, loc: Location | None = None) -> FloatAttr: ...
    value: float

class StringAttr(Attribute):
    @staticmethod
    def get(value: str | bytes, context: Context | None = None) -> StringAttr: ...
    value: str
    value_bytes: bytes

class TypeAttr(Attribute):
    @staticmethod
    def get(value: Type, context: Context | None = None) -> TypeAttr: ...
    value: Any

class FlatSymbolRefAttr(Attribute):
    @staticmethod
    def get(value: str, context: Context | None = None) -> FlatSymbolRefAttr: ...
    value: str

class SymbolRefAttr(Attribute): ...

class ArrayAttr(Attribute):
    @staticmethod
    def get(attributes: Sequence[Attribute], context: Context | None = None) -> ArrayAttr: ...
    def __getitem__(self, index: int, /) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...

class OpaqueAttr(Attribute): ...

class DictAttr(Attribute):
    @staticmethod
    def get(value: dict[str, Attribute] = ..., context: Context | None = None) -> DictAttr: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, name: str, /) -> Any: ...
    @overload
    def __getitem__(self, index: int, /) -> NamedAttribute: ...

class DenseBoolArrayAttr(Attribute):
    def __iter__(self) -> Iterator[bool]: ...

class _DenseIntegers(Attribute):
    @classmethod
    def get(cls, values: Sequence[int], context: Context | None = None) -> Self: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...

class DenseI32ArrayAttr(_DenseIntegers): ...
class DenseI64ArrayAttr(_DenseIntegers): ...

class _DenseFloats(Attribute):
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[float]: ...

class DenseF32ArrayAttr(_DenseFloats): ...
class DenseF64ArrayAttr(_DenseFloats): ...

class DenseElementsAttr(Attribute):
    @staticmethod
    def get(
        array: npt.NDArray[Any] | np.generic,
        signless: bool = True,
        type: Type | None = None,
        shape: Sequence[int] | None = None,
        context: Context | None = None,
    ) -> DenseElementsAttr: ...
    @staticmethod
    def get_splat(shaped_type: Type, element_attr: Attribute) -> DenseElementsAttr: ...
    is_splat: bool
    def get_splat_value(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...

class DenseIntElementsAttr(DenseElementsAttr): ...

# Interfaces of operations

class Speculatability(enum.Enum):
    NotSpeculatable = 0
    Speculatable = 1
    RecursivelySpeculatable = 2

class ConditionallySpeculatable:
    def __init__(self, object: _OperationBase, context: Context | None = None) -> None: ...
    def getSpeculatability(self) -> Speculatability: ...

class InferShapedTypeOpInterface:
    def __init__(self, object: _OperationBase, context: Context | None = None) -> None: ...

class InferTypeOpInterface:
    def __init__(self, object: _OperationBase | type, context: Context | None = None) -> None: ...
