"""The parameter with which JAX's programs for several platforms choose the code of a platform.

`jax.export` of several platforms makes a program whose first parameter is the number of the platform in the
order of the export. The export states the order; the program itself does not.
"""

from __future__ import annotations

from typing import Any

from hlokit.mlir.provider.bindings import ir

# JAX's attribute of the parameter. The value is a string.
_KEY, _PLATFORM = "jax.global_constant", "_platform_index"
PLATFORM_ATTRIBUTE = f'{{{_KEY} = "{_PLATFORM}"}}'


def takes_platform(function: ir.Operation) -> bool:
    """Whether the first parameter of a function is the number of the platform."""
    attributes = function.attributes
    dictionaries: Any = attributes["arg_attrs"] if "arg_attrs" in attributes else ()  # noqa: SIM401 # no dict
    if len(dictionaries) == 0 or _KEY not in dictionaries[0]:
        return False
    value = dictionaries[0][_KEY]
    return isinstance(value, ir.StringAttr) and value.value == _PLATFORM


def bind_platform(function: ir.Operation, number: int) -> None:
    """Turn the number of the platform into a constant; names and attributes of other parameters stay.

    A function that does not take the number stays the same.
    """
    if not takes_platform(function):
        return
    block = function.regions[0].blocks[0]
    parameter = block.arguments[0]
    with function.context, ir.Location.unknown():
        scalar = ir.RankedTensorType(parameter.type)
        value = ir.DenseElementsAttr.get_splat(scalar, ir.IntegerAttr.get(scalar.element_type, number))
        constant = ir.Operation.create(
            "stablehlo.constant",
            [scalar],
            attributes={"value": value},
            ip=ir.InsertionPoint(block.operations[0]),
        )
        parameter.replace_all_uses_with(constant.results[0])
        block.erase_argument(0)
        type_ = ir.FunctionType(function.attributes["function_type"].value)
        function.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get(type_.inputs[1:], type_.results)
        )
        dictionaries: Any = function.attributes["arg_attrs"]
        others = list(dictionaries)[1:]
        if others:
            function.attributes["arg_attrs"] = ir.ArrayAttr.get(others)
        else:
            del function.attributes["arg_attrs"]
