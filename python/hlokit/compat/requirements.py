"""The requirements of a program: each operation, type and attribute with the version that introduced it.

The bindings only report that some operation of a program cannot be converted. Therefore hlokit converts each
distinct operation by itself, to the oldest version first. If the conversion fails, hlokit tries the
operation's types, then its attributes, then the previous version of the operation without each of its
attributes.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hlokit.compat.modules import run_passes
from hlokit.compat.scratch import (
    children,
    converts_alone,
    legalization,
    lowest,
    operations_of,
    source,
    used,
)
from hlokit.compat.spelling import elided, shown, shown_type, source_name, types_in
from hlokit.compat.unportable import unportable_operations
from hlokit.compat.versions import MINIMUM, news_of, opsets
from hlokit.errors import InternalError
from hlokit.mlir.portable import Version, parse_version
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import collected
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.mlir.queries.copies import append_copy, copy_module
from hlokit.mlir.queries.module import attributes_of

Kind = Literal["operation", "type", "attribute"]
Attributes = dict[str, ir.Attribute]

_PORTABLE_DIALECTS = ("stablehlo", "func", "builtin", "vhlo")
_FUNCTION = "vhlo.func_v1"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_VERSIONED_NAME = re.compile(r"(.*_v)(\d+)")


@dataclass(frozen=True, slots=True)
class Requirement:
    """An operation, type or attribute that a consumer must support.

    Attributes:
      name: the name of the operation, type or attribute in messages.
      operation: the operation itself, or the operation of the type or attribute.
      since: the first version that supports the part; None if no portable artifact can contain it.
      location: the location in MLIR's syntax.
      reason: an explanation, or empty.
      dialect: the other dialect to which it belongs, if that is the only obstacle: see
        `allow_other_dialects`.
    """

    kind: Kind
    name: str
    operation: str
    since: Version | None
    location: str
    reason: str = ""
    dialect: str = ""

    def __str__(self) -> str:
        owner = "" if self.kind == "operation" else f" of operation '{self.operation}'"
        thing = f"{self.kind} '{self.name}'{owner}"
        if self.since is None:
            return f"{thing} has no portable form{': ' * bool(self.reason)}{self.reason}"
        return f"{thing} needs StableHLO {self.since}{f' ({self.reason})' * bool(self.reason)}"


@dataclass(frozen=True, slots=True)
class _Part:
    """A type or attribute of an operation, or the operation itself."""

    kind: Kind
    name: str
    since: Version | None
    attribute: str | None = None


def current_version() -> Version:
    """The newest version that the bindings support."""
    version = parse_version(stablehlo_version())
    if version is None:
        raise InternalError(f"the bindings have version {stablehlo_version()}")
    return version


def lowest_version(requirements: Iterable[Requirement]) -> Version | None:
    """The oldest version that meets all requirements; None if no version does."""
    lowest = MINIMUM
    for requirement in requirements:
        if requirement.since is None:
            return None
        lowest = max(lowest, requirement.since)
    return lowest


def other_dialects(requirements: Iterable[Requirement]) -> tuple[str, ...]:
    """The dialects that are the only obstacle for all versions; () if there are other obstacles, or none."""
    missing = [requirement.dialect for requirement in requirements if requirement.since is None]
    return tuple(sorted(set(missing))) if all(missing) else ()


def requirements(module: ir.Module, *, allow_other_dialects: bool = False) -> list[Requirement]:
    """All parts of a program that at least one version lacks, in program order.

    The module does not change.
    """
    context = module.context
    unportable = unportable_operations(module)
    if unportable:
        return [
            Requirement("type", type_, operation.name, None, str(operation.location))
            for operation, type_ in unportable
        ]
    with collected(context), context, ir.Location.unknown():
        versioned = copy_module(module)
        if not run_passes(versioned.operation, legalization(allow_other_dialects)):
            return list(_unportable(module, allow_other_dialects))
        return list(_Analysis(context).of_module(versioned))


def _unportable(module: ir.Module, allow_other_dialects: bool) -> Iterator[Requirement]:
    """The operations of a module that cannot be converted to VHLO at all."""
    has_culprit = False
    for operation in operations_of(module.operation):
        name, location = operation.name, str(operation.location)
        dialect = name.partition(".")[0]
        if dialect not in _PORTABLE_DIALECTS:
            if not allow_other_dialects:
                has_culprit = True
                yield Requirement(
                    "operation", name, name, None, location, _no_portable_form(dialect), dialect
                )
            continue
        if not converts_alone(operation, allow_other_dialects):
            has_culprit = True
            culprits = [] if allow_other_dialects else list(_attributes_of_other_dialects(operation))
            for spelled, owner in culprits:
                yield Requirement("attribute", spelled, name, None, location, _no_portable_form(owner), owner)
            if not culprits:
                reason = "one of its attributes, types or operands cannot be converted"
                yield Requirement("operation", name, name, None, location, reason)
    if not has_culprit:
        reason = "its operations cannot be converted together"
        yield Requirement("operation", "builtin.module", "builtin.module", None, "unknown", reason)


def _no_portable_form(dialect: str) -> str:
    return f"'{dialect}' is not one of the dialects {', '.join(_PORTABLE_DIALECTS[:2])}"


# The dialect of an attribute or type, if its text names one.
_DIALECT = re.compile(r"(?<![\w\"])[#!]([A-Za-z_]\w*)[.<]")


def _attributes_of_other_dialects(operation: ir.Operation) -> Iterator[tuple[str, str]]:
    """Attributes of other dialects, including those of arguments and results, each with its dialect."""
    for name, attribute in _innermost(attributes_of(operation)):
        for dialect in _DIALECT.findall(_STRING.sub('""', elided(name, attribute))):
            if dialect not in _PORTABLE_DIALECTS:
                yield shown(name, attribute), dialect
                break


def _innermost(attributes: Mapping[str, ir.Attribute]) -> Iterator[tuple[str, ir.Attribute]]:
    """Attributes; dictionaries and lists of dictionaries are replaced by their entries."""
    for name, attribute in attributes.items():
        parts: list[Any] = list(attribute) if isinstance(attribute, ir.ArrayAttr) else [attribute]
        if parts and all(isinstance(part, ir.DictAttr) for part in parts):
            for part in parts:
                yield from _innermost({inner.name: inner.attr for inner in part})
        else:
            yield name, attribute


class _Analysis:
    """Finds the version that introduced each part of a VHLO program."""

    def __init__(self, context: ir.Context) -> None:
        self._context = context
        self._opsets = opsets(current_version())
        self._requirements: dict[int, tuple[Requirement, ...]] = {}
        # Kinds of operations by number, so that operations in regions are analysed once, at any depth.
        self._kinds: dict[Hashable, int] = {}
        self._kind_of: dict[ir.Operation, int] = {}
        self._within: dict[int, Version | None] = {}
        self._types: dict[Hashable, Version | None] = {}
        self._attributes: dict[Hashable, Version | None] = {}

    def of_module(self, module: ir.Module) -> Iterator[Requirement]:
        for operation in operations_of(module.operation):
            name = operation.name
            if not name.startswith("vhlo."):
                continue
            for requirement in self._of_kind(operation):
                yield Requirement(
                    requirement.kind,
                    requirement.name,
                    requirement.operation,
                    requirement.since,
                    str(operation.location),
                    requirement.reason,
                )

    def _of_kind(self, operation: ir.Operation) -> tuple[Requirement, ...]:
        """The requirements of an operation, computed once for all equal operations."""
        kind = self._kind(operation)
        if kind not in self._requirements:
            self._requirements[kind] = tuple(self._of_operation(operation))
        return self._requirements[kind]

    def _kind(self, operation: ir.Operation) -> int:
        """The number of an operation's kind, which includes the operations in its regions."""
        number = self._kind_of.get(operation)
        if number is None:
            key: Hashable = (
                operation.name,
                # The elements of a constant have no requirements beyond its type.
                None if operation.name == "vhlo.constant_v1" else _without_names(attributes_of(operation)),
                tuple(value.type for value in operation.operands),
                tuple(value.type for value in operation.results),
                # The types in a reduction's region show whether its accumulator is wider.
                tuple(map(self._kind, children(operation))) if operation.name != _FUNCTION else (),
            )
            number = self._kind_of[operation] = self._kinds.setdefault(key, len(self._kinds))
        return number

    def _lowest_within(self, operation: ir.Operation) -> Version | None:
        """The oldest version that can hold an operation and the operations in its regions; None if no version
        can."""
        kind = self._kind(operation)
        if kind not in self._within:
            versions = [lowest_version(self._of_kind(operation))]
            versions += [self._lowest_within(inner) for inner in children(operation)]
            possible = [version for version in versions if version is not None]
            self._within[kind] = max(possible) if len(possible) == len(versions) else None
        return self._within[kind]

    def _of_operation(self, operation: ir.Operation) -> Iterator[Requirement]:
        name = source_name(operation.name)
        since = self._lowest_of_operation(operation)
        if since == MINIMUM:
            return
        # A part that is newer than the operation disappears in the conversion: a default value, for instance.
        parts = [part for part in self._of_parts(operation) if not _is_newer(part.since, since)]
        if all(part.since != since for part in parts):
            culprit = self._culprit(operation, since)
            parts = [part for part in parts if part.attribute != culprit]
            spelled = name if culprit is None else shown(culprit, attributes_of(operation)[culprit])
            parts.append(_Part("operation" if culprit is None else "attribute", spelled, since, culprit))
        for part in parts:
            yield Requirement(part.kind, part.name, name, part.since, "", _news(part.since))

    def _of_parts(self, operation: ir.Operation) -> Iterator[_Part]:
        """Types and attributes that at least one version lacks."""
        seen: set[str] = set()
        values = (*operation.operands, *operation.results)
        for type_ in dict.fromkeys(value.type for value in values):
            for spelling, version in self._of_type(str(type_)):
                if spelling not in seen:
                    seen.add(spelling)
                    yield _Part("type", spelling, version)
        if operation.name == "vhlo.constant_v1":
            return
        for name, attribute in attributes_of(operation).items():
            version = self._lowest_of_attribute(attribute)
            if version == MINIMUM:
                continue
            types = list(self._of_types_in(elided(name, attribute)))
            for spelling, since in types:
                if spelling not in seen:
                    seen.add(spelling)
                    yield _Part("type", spelling, since)
            if not types:
                yield _Part("attribute", shown(name, attribute), version, name)

    def _of_type(self, text: str) -> Iterator[tuple[str, Version | None]]:
        """The innermost types in a type that at least one version lacks."""
        version = self._lowest_of_type(text)
        if version == MINIMUM:
            return
        inner = list(self._of_types_in(text[1:]))
        yield from inner or [(shown_type(text), version)]

    def _of_types_in(self, text: str) -> Iterator[tuple[str, Version | None]]:
        for type_ in types_in(text):
            yield from self._of_type(type_)

    def _culprit(self, operation: ir.Operation, since: Version | None) -> str | None:
        """The name of the attribute without which the previous version of the operation suffices."""
        match = _VERSIONED_NAME.fullmatch(operation.name)
        if match is None or match[2] == "1":
            return None
        before = f"{match[1]}{int(match[2]) - 1}"
        attributes = attributes_of(operation)
        for left_out in attributes:
            rest = {name: value for name, value in attributes.items() if name != left_out}
            if self._suffices(operation, before, rest, since):
                return left_out
        return None

    def _suffices(
        self, operation: ir.Operation, name: str, attributes: Attributes, since: Version | None
    ) -> bool:
        types = [value.type for value in operation.operands]
        results = [value.type for value in operation.results]

        def build(block: ir.Block) -> None:
            operands = list(source(block, types).results)
            regions = len(operation.regions)
            block.append(ir.Operation.create(name, results, operands, attributes, regions=regions))

        version = lowest(build, self._opsets)
        return version is not None and (since is None or version < since)

    def _lowest_of_operation(self, operation: ir.Operation) -> Version | None:
        is_function = operation.name == _FUNCTION
        is_constant = operation.name == "vhlo.constant_v1"
        if is_constant:
            return self._lowest_of_type(str(operation.results[0].type))
        nested = MINIMUM
        for inner in () if is_function else children(operation):
            # Requirements of nested operations are reported at those operations.
            version = self._lowest_within(inner)
            if version is None:
                return MINIMUM
            nested = max(nested, version)

        def build(block: ir.Block) -> None:
            if is_function:
                block.append(
                    ir.Operation.create(operation.name, attributes=attributes_of(operation), regions=1)
                )
                return
            values = source(block, [value.type for value in used(operation)]).results
            append_copy(block, operation, list(values))

        own = lowest(build, self._opsets)
        return MINIMUM if own == nested else own

    def _lowest_of_type(self, text: str) -> Version | None:
        if text not in self._types:
            # MLIR prints empty tuples but cannot parse them. Empty tuples have the requirements of a token.
            spelled = text.replace("!vhlo.tuple_v1<>", "!vhlo.token_v1")
            try:
                type_ = ir.Type.parse(spelled, self._context)
            except ir.MLIRError:
                # The type contains a type of another dialect, which every version accepts. The operation is
                # tried as well.
                return MINIMUM

            def build(block: ir.Block) -> None:
                operands = list(source(block, [type_]).results)
                block.append(ir.Operation.create("vhlo.return_v1", operands=operands))

            self._types[text] = lowest(build, self._opsets)
        return self._types[text]

    def _lowest_of_attribute(self, attribute: ir.Attribute) -> Version | None:
        if attribute not in self._attributes:

            def build(block: ir.Block) -> None:
                block.append(ir.Operation.create("vhlo.return_v1", attributes={"probe": attribute}))

            self._attributes[attribute] = lowest(build, self._opsets)
        return self._attributes[attribute]


# The attributes that name functions: every version accepts any name.
_NAMES = ("sym_name", "callee", "decomposition")


def _without_names(attributes: Attributes) -> Hashable:
    """Attributes as a key, which operations share that differ in the names of functions only."""
    return tuple([(name, value) for name, value in attributes.items() if name not in _NAMES])


def _is_newer(version: Version | None, other: Version | None) -> bool:
    return other is not None and (version is None or version > other)


def _news(version: Version | None) -> str:
    return "" if version is None else news_of(version)
