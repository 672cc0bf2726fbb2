"""Queries on a parsed module."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from hlokit.errors import ArgumentError, Diagnostic, VerificationError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.values.types import ValueType

# The attributes with the names of functions that an operation calls.
_CALLEES = ("callee", "decomposition", "called_computations")
# The largest number of functions in a message.
_MOST_LISTED = 10


def functions(module: ir.Module) -> dict[str, ir.Operation]:
    """The functions of a module by name, in program order."""
    # The bindings know the body of a module only after some of their modules have been imported.
    return {
        view.attributes["sym_name"].value: view.operation
        for view in module.operation.regions[0].blocks[0].operations
        if view.operation.name == "func.func"
    }


def has_body(function: ir.Operation) -> bool:
    """Whether a function has a body."""
    return bool(len(function.regions[0].blocks))


def entry_name(names: Sequence[str], function: str | None) -> str:
    """The name of the function that a call evaluates: the named function, or `main`, or the only function.

    Raises:
      ArgumentError: there is no such function.
    """
    wanted = "main" if function is None else function
    if wanted in names:
        return wanted
    if function is None and len(names) == 1:
        return names[0]
    if wanted.startswith("@") and wanted[1:] in names:  # the form in MLIR text
        return wanted[1:]
    choice = ""
    if function is None and names:
        from shlex import quote  # few programs lack the function

        choice = f": --function={quote(names[0])}, or function=, runs one"
    raise ArgumentError(f"module must have entry func with name {wanted}{_choices(wanted, names)}{choice}")


def _choices(wanted: str, names: Sequence[str]) -> str:
    """The end of a message: the functions that the module has."""
    from hlokit.display.suggestions import did_you_mean  # few functions are missing

    if suggestion := did_you_mean(wanted, names):
        return suggestion
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return f"; it has {', '.join(names[:_MOST_LISTED])}{more}" if names else "; it has no functions"


def symbol(operation: ir.Operation, name: str) -> ir.Operation | None:
    """The operation of the outermost module of `operation` that has a name."""
    module = operation
    while module.parent is not None:
        module = module.parent
    for view in module.regions[0].blocks[0].operations:
        attributes = view.operation.attributes
        if "sym_name" in attributes and attributes["sym_name"].value == name:
            return view.operation
    return None


def called_functions(operation: ir.Operation) -> dict[str, ir.Operation]:
    """The functions, by name, that an operation and its nested operations call, directly or indirectly."""
    callees: dict[str, ir.Operation] = {}
    paths = [iter(callee_names(operation))]  # the names that are left, of the operation and of each caller
    while paths:
        name = next(paths[-1], None)
        if name is None:
            paths.pop()
        elif name not in callees and (function := symbol(operation, name)) is not None:
            callees[name] = function
            paths.append(iter(callee_names(function)))
    return callees


def callee_names(operation: ir.Operation) -> dict[str, None]:
    """The names of functions that an operation and its nested operations call directly, in order."""
    names: dict[str, None] = {}

    def visit(inner: ir.Operation) -> None:
        attributes = inner.attributes
        for key in _CALLEES:
            if key in attributes:
                words = str(attributes[key]).strip("[]").split(",")
                names.update(dict.fromkeys(word.strip().removeprefix("@").strip('"') for word in words))

    walk(operation, visit)
    names.pop("", None)
    return names


def function_places(module: ir.Module) -> dict[str, int]:
    """The functions of a module with their positions in its body."""
    return {
        view.attributes["sym_name"].value: position
        for position, view in enumerate(module.body.operations)
        if view.operation.name == "func.func"
    }


def is_private(function: ir.Operation) -> bool:
    """Whether only its module calls a function."""
    attributes = function.attributes
    return "sym_visibility" in attributes and attributes["sym_visibility"].value == "private"


def signature(
    function: ir.Operation, type_of: Callable[[ir.Type], ValueType] = value_type
) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]]:
    """Input and output types of a function."""
    type_ = ir.FunctionType(function.attributes["function_type"].value)
    return tuple([type_of(input_) for input_ in type_.inputs]), tuple([type_of(out) for out in type_.results])


_NAME_LOCATION = r'loc\("((?:[^"\\]|\\.)*)"(?!:\d)'
# Where text without another location has an argument; its name there, if it is no number.
_TEXT_LOCATION = r'loc\("-":(\d+):(\d+)\)'
_TEXT_NAME = r"%([A-Za-z_$.-][\w$.-]*)"


def parameter_names(function: ir.Operation, text: str = "") -> tuple[str | None, ...]:
    """Names of a function's parameters: JAX's attribute `jax.arg_info`, the name in the location, or `%name`.

    Args:
      text: the text of the module; "" if it was no text.
    """
    if not function.regions[0].blocks:  # a declaration
        return (None,) * len(signature(function)[0])
    dictionaries: Any = function.attributes["arg_attrs"] if "arg_attrs" in function.attributes else None  # noqa: SIM401 # no dict
    names: list[str | None] = []
    lines = text.split("\n")
    for index, argument in enumerate(function.regions[0].blocks[0].arguments):
        named: Any = dictionaries[index] if dictionaries is not None else ()
        if "jax.arg_info" in named:
            names.append(named["jax.arg_info"].value)
        else:
            location = str(argument.location)
            name = re.match(_NAME_LOCATION, location)
            names.append(_name_in_text(location, lines) if name is None else name[1])
    return tuple(names)


def _name_in_text(location: str, lines: Sequence[str]) -> str | None:
    position = re.fullmatch(_TEXT_LOCATION, location)
    if position is None or int(position[1]) > len(lines):
        return None
    line = lines[int(position[1]) - 1].encode(errors="replace")  # MLIR's columns count bytes
    name = re.match(_TEXT_NAME, line[int(position[2]) - 1 :].decode(errors="replace"))
    return None if name is None else name[1]


def location_of(operation: ir.Operation, filename: str = "-") -> str:
    """The location of an operation in MLIR's spelling. (MLIR does not know the program's file name.)"""
    return in_file(str(operation.location), filename)


def in_file(location: str, filename: str) -> str:
    """A location in MLIR's spelling with the program's file name, which MLIR does not know."""
    if filename == "-":
        return location
    escaped = filename.replace("\\", "\\5C").replace('"', "\\22")
    return location.replace('"-":', f'"{escaped}":')


def process_grid(module: ir.Module, filename: str = "-") -> tuple[int, int] | None:
    """The attributes `mhlo.num_replicas` and `mhlo.num_partitions`, 1 for a missing one; None if both are
    missing.

    Raises:
      VerificationError: one of the attributes is not a positive integer.
    """
    attributes = module.operation.attributes
    names = ("mhlo.num_replicas", "mhlo.num_partitions")
    if not any(name in attributes for name in names):
        return None
    replicas, partitions = (
        _count(attributes[name], name, filename) if name in attributes else 1 for name in names
    )
    return replicas, partitions


def _count(attribute: ir.Attribute, name: str, filename: str) -> int:
    if not isinstance(attribute, ir.IntegerAttr) or attribute.value < 1:
        message = f"module attribute {name} must be a positive integer, got {attribute}"
        raise VerificationError((Diagnostic("error", message, filename),))
    return attribute.value


def needed_grid(module: ir.Module, filename: str = "-") -> tuple[int, int]:
    """The process grid that a program requires: `process_grid` if an operation depends on processes.

    A program that creates grids itself requires one process.
    """
    stated = process_grid(module, filename)
    if stated is None or stated == (1, 1):
        return (1, 1)
    names = _operations(module)
    is_needed = any(
        (traits_of(name).collective or traits_of(name).channel or traits_of(name).process_id)
        for name in names
    )
    return stated if is_needed and not any(traits_of(name).makes_grid for name in names) else (1, 1)


def makes_grids(module: ir.Module) -> bool:
    """Whether an operation runs a part of the program on its own process grid."""
    return any(traits_of(name).makes_grid for name in _operations(module))


def _operations(module: ir.Module) -> set[str]:
    names: set[str] = set()
    walk(module.operation, lambda operation: names.add(operation.name))
    return names


def attributes_of(operation: ir.Operation) -> dict[str, ir.Attribute]:
    """Attributes by name, except dense attributes with complex elements: the bindings have no class for such
    attributes.

    No operation defines such an attribute. Reading one by its index aborts the process.
    """
    attributes: dict[str, ir.Attribute] = {}
    for name in operation.attributes.keys():  # noqa: SIM118 # iterating gives attributes in some versions
        with suppress(TypeError):
            attributes[name] = operation.attributes[name]
    return attributes


def walk(operation: ir.Operation, visit: Callable[[ir.Operation], None]) -> None:
    """Visit an operation and all operations within it."""

    def visit_and_go_on(inner: ir.Operation) -> ir.WalkResult:
        visit(inner)
        return ir.WalkResult.ADVANCE

    operation.walk(visit_and_go_on)


def operations_within(operation: ir.Operation, *, outer_first: bool = False) -> list[ir.Operation]:
    """An operation and all operations within it: each one after those within it, or before them."""
    operations: list[ir.Operation] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        operations.append(inner)
        return ir.WalkResult.ADVANCE

    operation.walk(visit, ir.WalkOrder.PRE_ORDER if outer_first else ir.WalkOrder.POST_ORDER)
    return operations


def used_values(operation: ir.Operation) -> list[ir.Value]:
    """The operands of an operation and of the operations in its regions."""
    values = list(operation.operands)
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                values += used_values(view.operation)
    return values


def any_within(operation: ir.Operation, test: Callable[[ir.Operation], bool]) -> bool:
    """Whether a test holds for an operation or for one of the operations within it."""
    passed: list[ir.Operation] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        if not test(inner.operation):
            return ir.WalkResult.ADVANCE
        passed.append(inner.operation)
        return ir.WalkResult.INTERRUPT

    operation.walk(visit)
    return bool(passed)
