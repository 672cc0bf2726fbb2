"""Operands, attributes and regions of the operations of StableHLO and CHLO, from the bindings' classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, MappingProxyType

from hlokit.display.suggestions import SUGGESTS
from hlokit.errors import ArgumentError
from hlokit.mlir.provider.bindings import chlo_operations, ir, stablehlo_operations
from hlokit.operations.lookup import meant
from hlokit.tools.service.contexts import shared_context


@dataclass(frozen=True, slots=True)
class OperationInfo:
    """The parts of an operation by name.

    Attributes:
      operands, regions: names in order; a name that ends in `...` stands for any number.
      attributes: names, and whether the attribute is required.
      infers: whether the bindings infer the result types.
    """

    name: str
    operands: tuple[str, ...]
    attributes: Mapping[str, bool]
    regions: tuple[str, ...]
    infers: bool

    @property
    def usage(self) -> str:
        """E.g. `stablehlo.iota() {iota_dimension}`; optional attributes are in square brackets."""
        parts = [f"{self.name}({', '.join(self.operands)})"]
        required = [name for name, is_required in self.attributes.items() if is_required]
        optional = [f"[{name}]" for name, is_required in self.attributes.items() if not is_required]
        if self.attributes:
            parts.append(f"{{{', '.join(required + optional)}}}")
        if self.regions:
            parts.append(f"with regions ({', '.join(self.regions)})")
        return " ".join(parts)


@cache
def operations() -> Mapping[str, OperationInfo]:
    """Every operation of the two dialects that the bindings have, by name."""
    dialects = (stablehlo_operations(), chlo_operations())
    by_name = {info.name: info for dialect in dialects for info in _of_dialect(dialect)}
    return MappingProxyType(dict(sorted(by_name.items())))


def find_operation(name: str) -> OperationInfo:
    """The operation with this name; the prefix `stablehlo.` is optional.

    Raises:
      ArgumentError: there is no such operation.
    """
    by_name = operations()
    info = by_name.get(name) or by_name.get(f"stablehlo.{name}")
    if info is None:
        similar = meant(name)
        suggestion = f"{SUGGESTS}'{similar}'?" if similar in by_name else ""
        raise ArgumentError(
            f"the operation must be one of StableHLO or CHLO, got '{_shortened(name)}'{suggestion}"
        )
    return info


def operations_without_inference() -> list[str]:
    """Names of the operations whose result types the bindings do not infer."""
    return [name for name, info in operations().items() if not info.infers]


def _shortened(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:100]}..."


def _of_dialect(dialect: object) -> Iterator[OperationInfo]:
    for item in vars(dialect).values():
        if isinstance(item, type) and issubclass(item, ir.OpView) and hasattr(item, "OPERATION_NAME"):
            yield _read_class(item)


def _read_class(view: type) -> OperationInfo:
    parts: dict[str, list[str]] = {"operands": [], "results": [], "regions": [], "attributes": []}
    required: dict[str, bool] = {}
    for base in reversed(view.__mro__):
        for name, member in vars(base).items():
            if not isinstance(member, property) or member.fget is None or base is ir.OpView:
                continue
            code: CodeType | None = getattr(member.fget, "__code__", None)
            kind = _kind(code) if code is not None else None
            if code is None or kind is None or name in parts[kind]:
                continue
            parts[kind].append(_spelled(name, code) if kind == "operands" else name)
            if kind == "attributes":
                # The classes can delete only optional attributes.
                required[name] = member.fdel is None
    _, is_exact = getattr(view, "_ODS_REGIONS", (0, True))
    regions = [name if is_exact else f"{name}..." for name in parts["regions"]]
    name = str(getattr(view, "OPERATION_NAME"))  # noqa: B009  # the bindings' stubs do not have it
    return OperationInfo(
        name, tuple(parts["operands"]), MappingProxyType(required), tuple(regions), _infers(view)
    )


def _kind(code: CodeType) -> str | None:
    """The part of an operation that an accessor of its class reads."""
    names = code.co_names
    order = ("operands", "results", "regions", "attributes")
    # Accessors of several variadic operands also read an attribute for the sizes.
    return next((kind for kind in order if kind in names), None)


def _spelled(name: str, code: CodeType) -> str:
    import dis  # slow to import, and used only here

    opcodes = [step.opname for step in dis.get_instructions(code)]
    is_variadic = "BUILD_SLICE" in opcodes or "BINARY_SLICE" in opcodes
    if any("accessor" in used for used in code.co_names):
        # An accessor of a part that is not variadic returns the only element of a range.
        is_variadic = opcodes[-2] != "BINARY_SUBSCR"
    return f"{name.rstrip('_')}{'...' if is_variadic else ''}"


def _infers(view: type) -> bool:
    with shared_context() as context, context:
        try:
            ir.InferTypeOpInterface(view)
        except ValueError:
            return False
    return True
