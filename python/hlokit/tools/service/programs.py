"""Programs in requests of `hlokit serve`: evaluation, serialization, building from operations."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any, cast

from hlokit.errors import ArgumentError
from hlokit.mlir.argument_list import read_argument_list
from hlokit.mlir.printing import Style, print_module
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.provider.diagnostics import read_error
from hlokit.mlir.queries.types import to_mlir_type
from hlokit.mlir.text.nesting import require_shallow
from hlokit.programs.loading import load_bytes
from hlokit.programs.program import Program
from hlokit.tools.service.attributes import attribute
from hlokit.tools.service.contexts import shared_context
from hlokit.tools.service.inference import IN_HALVES, complete_attributes, infer
from hlokit.tools.service.json_values import as_json, from_json
from hlokit.tools.service.operations import find_operation
from hlokit.tools.service.regions import fill_region, region_texts
from hlokit.tools.service.spelling import type_text
from hlokit.values.types import ValueType

Json = dict[str, Any]


def _program(params: Mapping[str, Any]) -> Program:
    text, encoded = params.get("text"), params.get("artifact")
    if (text is None) == (encoded is None):
        raise ArgumentError("a program must be given as text, or as artifact in base64")
    name = params.get("filename") or "-"
    if text is not None:
        return load_bytes(str(text).encode(errors="surrogatepass"), name)
    try:
        return load_bytes(base64.b64decode(str(encoded), validate=True), name)
    except (binascii.Error, ValueError) as error:
        raise ArgumentError(f"artifact must be base64: {error}") from None


def evaluate(params: Mapping[str, Any]) -> Json:
    """The method `evaluate`: the results of a function."""
    program = _program(params)
    signature = program.signature(params.get("function"))
    items: Sequence[Any] = params.get("arguments") or ()
    arguments = [_argument(item, type_) for item, type_ in zip(items, signature.inputs, strict=False)]
    values = signature.values([*arguments, *items[len(arguments) :]])
    results = program.runs.evaluate(values, signature.name)
    return {"results": [as_json(*item) for item in zip(results, signature.outputs, strict=True)]}


def _argument(item: Any, type_: ValueType) -> Any:
    if isinstance(item, str):
        (array,) = read_argument_list(make_context(), f"[{item}]")
        return array
    return from_json(item, type_)


def serialize(params: Mapping[str, Any]) -> Json:
    """The method `serialize`: a portable artifact in base64."""
    artifact = _program(params).serialize(params.get("target") or "current")
    return {"artifact": base64.b64encode(artifact).decode()}


def build(params: Mapping[str, Any]) -> Json:
    """The method `build`: a function from operations with named operands, and the types of all values."""
    inputs: Mapping[str, Any] = params["inputs"]
    operations: Sequence[Mapping[str, Any]] = params["operations"]
    outputs: Sequence[str] = params["outputs"]
    with shared_context(len(str(params))) as context, context, ir.Location.unknown(context):
        module = ir.Module.create()
        types = [_type(context, type_text(text, name), name) for name, text in inputs.items()]
        function = _Function(
            context, module, str(params.get("name") or "main"), dict(zip(inputs, types, strict=True))
        )
        for index, operation in enumerate(operations):
            function.add(operation, f"operations[{index}]")
        function.finish(outputs)
        try:
            module.operation.verify()
        except ir.MLIRError as error:
            raise read_error(error, "the function") from None
        text = print_module(module, Style())
    return {"text": text, "types": {name: str(value.type) for name, value in function.values.items()}}


def _type(context: ir.Context, text: str, name: str) -> ir.Type:
    require_shallow(text, name)
    try:
        return ir.Type.parse(text, context)
    except ir.MLIRError:
        raise ArgumentError(f"inputs: {name} must have a type, got '{text[:200]}'") from None


class _Function:
    """A function under construction, with its values by name."""

    def __init__(self, context: ir.Context, module: ir.Module, name: str, inputs: dict[str, ir.Type]) -> None:
        self._context = context
        types = list(inputs.values())
        self._operation: Any = ir.Operation.create(
            "func.func",
            regions=1,
            attributes={
                "sym_name": ir.StringAttr.get(name),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
            },
            ip=ir.InsertionPoint(module.body),
        )
        self._types = types
        self._block: Any = self._operation.regions[0].blocks.append(*types)
        self.values: dict[str, Any] = dict(zip(inputs, self._block.arguments, strict=True))

    def add(self, entry: Mapping[str, Any], what: str) -> None:
        """Add an operation at the end.

        Raises:
          ArgumentError, VerificationError: the operation is invalid, or names an unknown value.
        """
        keys = ("attributes", "name", "op", "operands", "regions", "results")
        unknown = [key for key in entry if key not in keys]
        if unknown or not isinstance(entry.get("op"), str) or not isinstance(entry.get("name"), str | list):
            raise ArgumentError(
                f"{what}: must have op, name (or a list of them), and may have {', '.join(keys)}"
            )
        info = find_operation(entry["op"])
        operands = [self._value(name, what) for name in entry.get("operands") or ()]
        spelled = [str(value.type) for value in operands]
        try:
            types = infer(
                info.name,
                spelled,
                entry.get("attributes"),
                entry.get("regions"),
                result_types=entry.get("results"),
            )
        except ArgumentError as error:
            raise ArgumentError(f"{what}: {error}") from None
        names = cast("list[str]", [entry["name"]] if isinstance(entry["name"], str) else entry["name"])
        if len(names) != len(types):
            raise ArgumentError(f"{what}: {info.name} has {len(types)} results, got {len(names)} names")
        if info.name in IN_HALVES:
            raise ArgumentError(f"{what}: {info.name} cannot be built")
        attributes = complete_attributes(info, spelled, dict(entry.get("attributes") or {}))
        texts = region_texts(info, spelled, entry.get("regions") or ())
        operation: Any = ir.Operation.create(
            info.name,
            results=[to_mlir_type(type_, self._context) for type_ in types],
            operands=operands,
            attributes={
                key: attribute(self._context, info.name, key, value) for key, value in attributes.items()
            },
            regions=len(texts),
            ip=ir.InsertionPoint(self._block),
        )
        for number, (region, text) in enumerate(zip(operation.regions, texts, strict=True)):
            fill_region(self._context, region, text, f"{info.name}, region {number}")
        for name, value in zip(names, operation.results, strict=True):
            if name in self.values:
                raise ArgumentError(f"{what}: there is a value {name} already")
            self.values[name] = value

    def _value(self, name: Any, what: str) -> Any:
        if name not in self.values:
            raise ArgumentError(
                f"{what}: there is no value {str(name)[:100]}; there are {', '.join(self.values)[:500]}"
            )
        return self.values[name]

    def finish(self, outputs: Sequence[str]) -> None:
        """Return the values of these names."""
        values = [self._value(name, "outputs") for name in outputs]
        ir.Operation.create("func.return", operands=values, ip=ir.InsertionPoint(self._block))
        results = [value.type for value in values]
        self._operation.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get(self._types, results)
        )
