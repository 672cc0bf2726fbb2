"""Result types of an operation, from the types of its operands, its attributes and its regions.

The bindings' inference assumes that an operation has all required operands, attributes and regions, and can
crash the process if one is missing. Therefore hlokit first builds the operation with results of any type, and
verifies it: the verifier checks operands, attributes and regions, in this order, before it checks or infers
types.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hlokit.display.suggestions import SUGGESTS
from hlokit.errors import ArgumentError, Diagnostic, InternalError, VerificationError, for_callers
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import collected, errors_collected, raw_diagnostic, read_error
from hlokit.mlir.queries.types import to_mlir_type, value_type
from hlokit.mlir.text.lexer import token_at
from hlokit.mlir.text.nesting import require_shallow
from hlokit.tools.service.attributes import attribute, wrong_kind
from hlokit.tools.service.contexts import shared_context
from hlokit.tools.service.guards import require_harmless, require_harmless_results
from hlokit.tools.service.operations import OperationInfo, find_operation, operations_without_inference
from hlokit.tools.service.regions import fill_region, region_texts
from hlokit.tools.service.result_types import ResultTypes
from hlokit.tools.service.spelling import type_text
from hlokit.values.element_types import I1
from hlokit.values.types import TensorType, ValueType

# The operands determine the shape of the results, but not the element type: the default is that of `lhs`.
CONTRACTIONS = ("chlo.ragged_dot", "stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general")
# The operands are two groups of one size, which an attribute must state.
IN_HALVES = ("chlo.scan",)
SEGMENTS = "operandSegmentSizes"

# Messages of the verifier about the parts of an operation. Any other message means that the parts are valid.
_OF_PARTS = re.compile(
    r"requires (?:zero|a single|one|\d+) (?:operands?|regions?|results?|successors?)"
    r"|expected \d+ (?:or more )?(?:operands|regions|successors)"
    r"|requires attribute |attribute '|operand #|operand group|region #|operand count|'?operandSegmentSizes"
    r"|expected a value for|result group|result count|'?resultSegmentSizes"
)
_RESULT_COUNT = re.compile(r"requires one result|expected (\d+) (?:or more )?results")
_RESULT_TYPE = re.compile(r"result #(\d+) must be")
_PREFIX = re.compile(r"^'[\w.\-]+' op ")
_INFERRED_TYPES = re.compile(r"inferred type\(s\) (.*) are incompatible with return type\(s\)")
_INFERRED_SHAPE = re.compile(r"inferred shape '\[(.*)\]' is incompatible with return type")
_QUOTED = re.compile(r"'([^']*)'")
# A type of each kind that operations require of a result; the first types fit most operations. A blank stands
# for the dimensions of a rank that no contraction or reduction of the operands has.
_ELEMENT_TYPES = ("f32", "i32", "i1", "complex<f32>", "ui32", "i64", "!quant.uniform<i8:f32, 1.0>")
_SAMPLES = (
    *(f"tensor< {element_type}>" for element_type in _ELEMENT_TYPES),
    *("!stablehlo.token", "tuple<>", "!stablehlo.future<tensor<f32>>"),
    *(f"tensor<9x{element_type}>" for element_type in _ELEMENT_TYPES),
    *(f"tensor<{element_type}>" for element_type in _ELEMENT_TYPES),
)
# The result types that an operation accepts, as indices of `_SAMPLES`: determined once for each operation.
_ACCEPTED: dict[str, list[int]] = {}


@dataclass(frozen=True, slots=True)
class _Request:
    """An operation without its results."""

    info: OperationInfo
    types: tuple[str, ...]
    attributes: Mapping[str, Any]
    regions: tuple[str, ...]


@for_callers
def infer(
    operation: str,
    operand_types: Sequence[Any] = (),
    attributes: Mapping[str, Any] | None = None,
    regions: Sequence[str] | None = None,
    *,
    result_types: Sequence[Any] | None = None,
) -> tuple[ValueType, ...]:
    """The result types of a StableHLO or CHLO operation, after verification with these types.

        hlokit.infer("stablehlo.transpose", ["tensor<2x?xf32>"], {"permutation": [1, 0]})

    Args:
      operation: the name; the prefix `stablehlo.` is optional.
      operand_types: MLIR text, types of hlokit, or objects with a shape and a dtype.
      attributes: by name, as MLIR text or as Python values (docs/service.md lists the kinds).
      regions: MLIR text from `^bb0(...)` on, or the name of the computation of a reducer (`"add"`) or a
        comparator (`"LT"`).
      result_types: required for operations that infer nothing; other operations are verified with these
        types. For contractions, `tensor<*xf32>` gives only the element type.

    Returns:
      One type per result; `str` gives MLIR's syntax.

    Raises:
      ArgumentError: there is no such operation; an operand, attribute or region that the operation must have
        is missing; or the operation infers nothing.
      ParseError: a region is not MLIR.
      VerificationError: the operation is invalid.
    """
    if isinstance(operand_types, str):
        raise ArgumentError(f"infer: operand_types must be a list of types, got '{operand_types}'")
    info = find_operation(operation)
    types = tuple(type_text(type_, f"{info.name}: operand {i}") for i, type_ in enumerate(operand_types))
    request = _Request(
        info,
        types,
        complete_attributes(info, types, dict(attributes or {})),
        tuple(region_texts(info, types, regions or ())),
    )
    wanted = None
    if result_types is not None:
        wanted = [type_text(type_, f"{info.name}: result {i}") for i, type_ in enumerate(result_types)]
    with shared_context(_size(request)) as context, context, ir.Location.unknown(context):
        return ResultTypes(map(value_type, _inferred(_Draft(context, request), wanted)))


def _inferred(draft: _Draft, wanted: Sequence[str] | None) -> list[ir.Type]:
    info = draft.request.info
    has_unknown_shape = info.name in CONTRACTIONS and (
        wanted is None or (len(wanted) == 1 and wanted[0].startswith("tensor<*x"))
    )
    if wanted is not None and not has_unknown_shape:
        return draft.verified([draft.type(text, f"result {i}") for i, text in enumerate(wanted)])
    if not info.infers and not has_unknown_shape:
        if info.name == "stablehlo.return":
            return draft.verified([])
        raise ArgumentError(
            f"{info.name} infers nothing: its result types must be given (result_types). Other operations "
            f"that infer nothing: {', '.join(_others(info.name))}"
        )
    messages = draft.probe()
    if has_unknown_shape:
        return draft.verified([_contracted(draft, messages, wanted)])
    if draft.request.regions:
        return draft.verified(_types_in_messages(draft, messages))
    return draft.inferred()


def _others(name: str) -> list[str]:
    return [
        other
        for other in operations_without_inference()
        if other not in (name, "stablehlo.return", *CONTRACTIONS)
    ]


def _contracted(draft: _Draft, messages: tuple[Diagnostic, ...], wanted: Sequence[str] | None) -> ir.Type:
    for diagnostic in messages:
        match = _INFERRED_SHAPE.search(diagnostic.message)
        if match is not None:
            dimensions = "".join(f"{size.strip()}x" for size in match[1].split(",") if size.strip())
            element_type = (
                draft.lhs_element_type() if wanted is None else wanted[0].removeprefix("tensor<*x")[:-1]
            )
            return draft.type(f"tensor<{dimensions}{element_type}>", "the result")
    raise draft.error(messages)


def _types_in_messages(draft: _Draft, messages: tuple[Diagnostic, ...]) -> list[ir.Type]:
    """The types in the verifier's messages, because no interface infers types of operations with regions."""
    if not messages:
        return [result.type for result in draft.last.results]
    for diagnostic in messages:
        match = _INFERRED_TYPES.search(diagnostic.message)
        if match is not None:
            return [draft.type(text, "the result") for text in _QUOTED.findall(match[1])]
    raise draft.error(messages)


class _Draft:
    """A scratch module for verifying an operation; the module owns everything built in it."""

    def __init__(self, context: ir.Context, request: _Request) -> None:
        self.request = request
        self._context = context
        self._module = ir.Module.create()
        self._point = ir.InsertionPoint(self._module.body)
        self._attributes = self._parse_attributes()
        types = [self.type(text, f"operand {i}") for i, text in enumerate(request.types)]
        require_harmless(request.info.name, types, self._attributes)
        self._operands: list[Any] = []
        if types:
            # This operation returns values of any types without operands.
            cast = ir.Operation.create("builtin.unrealized_conversion_cast", results=types, ip=self._point)
            self._operands = list(cast.results)
        self._ranks = sum(type_.rank for type_ in types if isinstance(type_, ir.RankedTensorType))
        self.last: ir.Operation = self._module.operation

    def type(self, text: str, what: str) -> ir.Type:
        """An MLIR type.

        Raises:
          ArgumentError: the text is not a type.
        """
        name = self.request.info.name
        require_shallow(text, name)
        if token_at(re.sub(r"//.*", "", text), 0).kind == "end":
            raise ArgumentError(f"{name}: {what} must be a type, got nothing")
        # The bindings may report a type as invalid, and return it nevertheless.
        with errors_collected(self._context) as problems, contextlib.suppress(ir.MLIRError):
            parsed = ir.Type.parse(text, self._context)
            if not problems:
                return parsed
        is_shape = re.fullmatch(r"((\d+|\?)x)*[a-z]+\d+\w*", text) is not None
        problem = f" ({problems[0].message})" if problems else ""
        problem = f"{SUGGESTS}tensor<{text}>?" if is_shape else problem
        raise ArgumentError(f"{name}: {what} must be a type, got '{text[:200]}'{problem}")

    def lhs_element_type(self) -> str:
        """The element type of the first operand."""
        type_ = self._operands[0].type
        element_type = str(getattr(type_, "element_type", type_))
        if element_type.startswith("!quant"):
            raise ArgumentError(
                f"{self.request.info.name}: the result type of quantized operands must be given "
                "(result_types), for instance as tensor<*x!quant.uniform<...>>"
            )
        return element_type

    def probe(self) -> tuple[Diagnostic, ...]:
        """Verify the operation with results of some types; returns messages that are not about types.

        Raises:
          ArgumentError: a message is about operands, attributes or regions.
        """
        name = self.request.info.name
        places = _ACCEPTED.get(name, [])
        tried = 0
        while True:
            messages = self._try([self._sample(choice) for choice in places])
            message = _PREFIX.sub("", messages[0].message) if messages else ""
            count, wrong = _RESULT_COUNT.match(message), _RESULT_TYPE.match(message)
            if count is not None:
                places = [0] * int(count[1] or 1)
            elif wrong is not None:
                places = [*places]
                places[int(wrong[1])] += 1
            elif messages and _OF_PARTS.match(message):
                raise self.error(messages)
            elif message.startswith("requires the same shape for all operands and results"):
                # The verifier infers types after that check.
                return self._try_shape_of_operands(len(places)) if self.request.regions else messages
            else:
                _ACCEPTED[name] = places
                return messages
            tried += 1
            if tried > 100 or any(choice >= len(_SAMPLES) for choice in places):
                raise InternalError(f"no result type is known for {name}: {message}")

    def _sample(self, choice: int) -> ir.Type:
        text = _SAMPLES[choice].replace("< ", f"<{'1x' * (self._ranks + 1)}")
        return ir.Type.parse(text, self._context)

    def _try_shape_of_operands(self, count: int) -> tuple[Diagnostic, ...]:
        types = [value.type for value in self._operands]
        if count == 1:
            types = types[:1]
        shapes = [value_type(type_) for type_ in types]
        return self._try(
            [
                to_mlir_type(TensorType(shape.shape, I1), self._context)
                for shape in shapes
                if isinstance(shape, TensorType)
            ]
        )

    def inferred(self) -> list[ir.Type]:
        """The types that the bindings infer; only for operations that `probe` has accepted.

        Raises:
          VerificationError: the bindings infer no types, or the operation is invalid.
        """
        name = self.request.info.name
        with collected(self._context) as collected_diagnostics:
            try:
                self.last = ir.Operation.create(
                    name,
                    operands=self._operands,
                    attributes=self._attributes,
                    infer_type=True,
                    ip=self._point,
                )
            except (ir.MLIRError, ValueError) as error:
                raw = getattr(error, "error_diagnostics", None) or collected_diagnostics
                messages = tuple(raw_diagnostic(item, name) for item in raw)
                raise self.error(messages or (Diagnostic("error", str(error), name),)) from None
        self._require_valid()
        return [result.type for result in self.last.results]

    def verified(self, types: list[ir.Type]) -> list[ir.Type]:
        """The types, if the operation is valid with them.

        Raises:
          ArgumentError, VerificationError: the operation is invalid.
        """
        require_harmless_results(self.request.info.name, [value.type for value in self._operands], types)
        messages = self._try(types)
        if messages:
            raise self.error(messages)
        return types

    def _try(self, types: list[ir.Type]) -> tuple[Diagnostic, ...]:
        """The verifier's messages about the operation with these results."""
        attributes = self._attributes
        if self.request.info.name in IN_HALVES:
            carried = len(self._operands) // 2 if types else 0
            sizes = f"array<i32: {len(types) - carried}, {carried}>"
            attributes = {**attributes, "resultSegmentSizes": ir.Attribute.parse(sizes, self._context)}
        before = self.last
        name = self.request.info.name
        try:
            self.last = ir.Operation.create(
                name,
                results=types,
                operands=self._operands,
                attributes=attributes,
                regions=len(self.request.regions),
                ip=self._point,
            )
        except (ir.MLIRError, ValueError) as error:
            raise ArgumentError(f"{name}: {error}; usage: {self.request.info.usage}") from None
        self._require_attributes()
        self._fill_regions(before)
        try:
            self.last.verify()
        except ir.MLIRError as error:
            return read_error(error, name).diagnostics
        return ()

    def _fill_regions(self, before: ir.Operation) -> None:
        if before.name == self.request.info.name:
            for old, new in zip(before.regions, self.last.regions, strict=True):
                for block in list(old.blocks):
                    block.append_to(new)
            return
        for number, (region, text) in enumerate(zip(self.last.regions, self.request.regions, strict=True)):
            fill_region(self._context, region, text, f"{self.request.info.name}, region {number}")

    def _require_valid(self) -> None:
        try:
            self.last.verify()
        except ir.MLIRError as error:
            raise self.error(read_error(error, self.request.info.name).diagnostics) from None

    def _parse_attributes(self) -> dict[str, ir.Attribute]:
        name = self.request.info.name
        return {
            key: attribute(self._context, name, key, value) for key, value in self.request.attributes.items()
        }

    def _require_attributes(self) -> None:
        """Reject attributes that the operation cannot hold: the bindings would silently drop them."""
        held = self.last.attributes
        for key in self.request.attributes:
            if key not in held:
                raise wrong_kind(self.request.info.name, key, self.request.attributes[key])

    def error(self, messages: tuple[Diagnostic, ...]) -> ArgumentError | VerificationError:
        """The error for diagnostics of the verifier."""
        info = self.request.info
        first = _PREFIX.sub("", messages[0].message)
        if _OF_PARTS.match(first) or _RESULT_COUNT.match(first):
            return ArgumentError(f"{info.name}: {first}; usage: {info.usage}")
        # The notes show the scratch module.
        return VerificationError(tuple(item._replace(notes=(), line=0, column=0) for item in messages))


def complete_attributes(
    info: OperationInfo, types: Sequence[str], attributes: dict[str, Any]
) -> Mapping[str, Any]:
    """All attributes of an operation, without absent ones.

    Raises:
      ArgumentError: the operation has no such attribute.
    """
    for name in attributes:
        if name not in info.attributes and "." not in name and name != SEGMENTS:
            raise ArgumentError(f"{info.name} has no attribute {name!r}; usage: {info.usage}")
    if info.name in IN_HALVES and SEGMENTS not in attributes:
        half = len(types) // 2
        attributes[SEGMENTS] = f"array<i32: {len(types) - half}, {half}>"
    return {name: value for name, value in attributes.items() if value is not None and value is not False} | {
        name: value for name, value in attributes.items() if value is False and not _is_unit(name)
    }


def _is_unit(name: str) -> bool:
    return name in ("has_dynamic_root", "use_global_device_ids")


def _size(request: _Request) -> int:
    texts = (*request.types, *request.regions, *(item for item in request.attributes.values()))
    return sum(len(text) if isinstance(text, str) else 64 for text in texts)
