"""Regions of an operation: MLIR text, or the name of a reducer's or comparator's computation."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence

from hlokit.errors import ArgumentError, Diagnostic, ParseError, VerificationError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import errors_collected, raw_diagnostic
from hlokit.mlir.queries.module import walk
from hlokit.mlir.text.nesting import require_shallow
from hlokit.operations.lookup import traits_of
from hlokit.tools.service.operations import OperationInfo, find_operation

_NAME = re.compile(r"[\w.\-]+")
_DIRECTIONS = ("EQ", "NE", "GE", "GT", "LE", "LT")
_HOLDER = "hlokit.region"
_TERMINATOR = "stablehlo.return"
_ELEMENT_TYPE = re.compile(r"tensor<(?:(?:\d+|\?)x)*(?P<element>.*?)(?:, #.*)?>|tensor<\*x(?P<unranked>.*)>")


def region_texts(info: OperationInfo, types: Sequence[str], regions: Sequence[str]) -> list[str]:
    """The regions as MLIR text.

    Args:
      types: types of the operands.
      regions: each as text, from `^bb0(...)` or the first operation on, or as the name of its computation: an
        operation (`add`) for reducers, a direction of comparison (`LT`) for comparators.

    Raises:
      ArgumentError: a name is unknown, or a region of this operation cannot be given by a name.
    """
    return [
        _named(info, types, number, region.strip()) if _NAME.fullmatch(region.strip()) else region
        for number, region in enumerate(regions)
    ]


def _named(info: OperationInfo, types: Sequence[str], number: int, name: str) -> str:
    arguments = _arguments(info, types, number)
    if not arguments:
        raise ArgumentError(f"{info.name}: region {number} must be MLIR text, got the name '{name}'")
    header = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(arguments))
    if name in _DIRECTIONS:
        type_ = arguments[0]
        attribute = f"{{comparison_direction = #stablehlo<comparison_direction {name}>}}"
        steps = f'%r = "stablehlo.compare"(%0, %1) {attribute} : ({type_}, {type_}) -> tensor<i1>'
        returned, returned_types = "%r", "tensor<i1>"
    else:
        step = find_operation(name)
        groups = _groups(info, len(arguments), len(step.operands))
        steps = "\n".join(
            f'%r{index} = "{step.name}"({", ".join(f"%{position}" for position in places)}) : '
            f"({', '.join(arguments[position] for position in places)}) -> {arguments[places[0]]}"
            for index, places in enumerate(groups)
        )
        returned = ", ".join(f"%r{index}" for index in range(len(groups)))
        returned_types = ", ".join(arguments[places[0]] for places in groups)
    return f'^bb0({header}):\n{steps}\n"{_TERMINATOR}"({returned}) : ({returned_types}) -> ()'


def _groups(info: OperationInfo, argument_count: int, operand_count: int) -> list[list[int]]:
    """The block arguments of each application of the computation: the two values that it combines for each
    operand."""
    if info.name == "stablehlo.map" or argument_count == operand_count:
        return [list(range(argument_count))]
    half = argument_count // 2
    return [[index, half + index] for index in range(half)]


def _arguments(info: OperationInfo, types: Sequence[str], number: int) -> list[str] | None:
    """The types of a region's block arguments; None if these are not scalars of the operands' types."""
    scalars = [_scalar(type_) for type_ in types]
    half = len(scalars) // 2
    match info.name.partition(".")[2]:
        case "reduce" | "reduce_window":
            return scalars[half:] * 2
        case _ if traits_of(info.name).collective:
            return scalars[:1] * 2
        case "scatter":
            # Inputs, indices, and one update per input.
            return scalars[half + 1 :] * 2
        case "select_and_scatter":
            return scalars[:1] * 2 if number == 0 else scalars[2:] * 2
        case "sort":
            return [scalar for scalar in scalars for _ in range(2)]
        case "map":
            return scalars
        case _:
            return None


def _scalar(type_: str) -> str:
    match = _ELEMENT_TYPE.fullmatch(type_)
    if match is None:
        raise ArgumentError(f"the operands of a region with a name must be tensors, got {type_}")
    return f"tensor<{match['element'] or match['unranked']}>"


def fill_region(context: ir.Context, region: ir.Region, text: str, name: str) -> None:
    """Parse the text of a region, and move its blocks into an empty region.

    Args:
      name: the name in messages.

    Raises:
      ParseError: the text is not MLIR, is more than one region, or has operations that no dialect defines.
      VerificationError: an operation in the region is invalid.
    """
    require_shallow(text, name)
    # The text begins on a new line, so positions are off by one line, which `_shifted` corrects.
    module = None
    with errors_collected(context) as problems, contextlib.suppress(ir.MLIRError):
        module = ir.Module.parse(f'"{_HOLDER}"() ({{\n{text}\n}}) : () -> ()', context)
    if module is None or problems:
        raise ParseError(tuple(_shifted(raw_diagnostic(item, name)) for item in problems))
    blocks = _blocks(module, name)
    _require_known_operations(context, module, name)
    for block in blocks:
        block.append_to(region)


def _blocks(module: ir.Module, name: str) -> list[ir.Block]:
    operations = list(module.body.operations)
    is_one = len(operations) == 1 and operations[0].operation.name == _HOLDER
    regions = list(operations[0].operation.regions) if is_one else []
    blocks = [block for region in regions for block in region.blocks]
    if len(regions) != 1 or len(blocks) != 1:
        raise ParseError((Diagnostic("error", "a region must be one block of operations", name),))
    steps = list(blocks[0].operations)
    if not steps or steps[-1].operation.name != _TERMINATOR:
        last = steps[-1].operation.name if steps else "nothing"
        message = f"a region must end with {_TERMINATOR}, got {last}"
        raise VerificationError((Diagnostic("error", message, name),))
    return blocks


def _require_known_operations(context: ir.Context, module: ir.Module, name: str) -> None:
    unknown: set[str] = set()

    def visit(operation: ir.Operation) -> None:
        if not context.is_registered_operation(operation.name) and operation.name != _HOLDER:
            unknown.add(operation.name)

    walk(module.operation, visit)
    if unknown:
        message = f"operation '{min(unknown)}' is unknown"
        raise ParseError((Diagnostic("error", message, name),))


def _shifted(diagnostic: Diagnostic) -> Diagnostic:
    return diagnostic._replace(
        line=max(0, diagnostic.line - 1),
        notes=tuple(map(_shifted, diagnostic.notes)),
    )
