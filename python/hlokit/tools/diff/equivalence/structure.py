"""Programs of the same structure: the same operations in the same order, apart from some changes.

Two modules are walked side by side. At each position, the operations may differ in name, attributes, callee
or constant, and in the values that they read. `return` reads the values that it hands on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of, functions, has_body
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.equivalence.gaps import find_gap
from hlokit.tools.diff.flow.digests import CONSTANT, constant_of, digest_of
from hlokit.tools.diff.flow.value_sources import Source, described, source_of
from hlokit.tools.recording.places import Operations, defining_operation

# The attributes that name the function whose results an operation returns.
_CALLEES = ("callee", "decomposition")


# A value that only the second program has.
ADDED = Source(-1, None, 0)


class Change(NamedTuple):
    """A difference between the operations at one position.

    Attributes:
      number, there: the operation in the first program and in the second; -1 if it has no counterpart.
      note: the difference in words.
      operands: operands that have another source in the second program: the position, and that source, as a
        value of the first program.
      is_wiring: whether only operands, or the callee, differ.
      here_reads, there_reads: the value that the first of these operands is, in words; or the callee.
      callee: the function that a call calls in the second program, if the call has no counterpart there.
    """

    number: int
    there: int
    note: str
    operands: tuple[tuple[int, Source], ...] = ()
    is_wiring: bool = False
    here_reads: str = ""
    there_reads: str = ""
    callee: str = ""


class Structure(NamedTuple):
    """The common structure of two programs.

    Attributes:
      ours, theirs: the operations of both.
      changes: the differences, in the order of the walk.
      pairs: corresponding operations, by number.
      is_same: whether all operations that the entry function can reach correspond.
      is_explained: whether otherwise one change alone makes the programs the same, apart from inlining,
        repeated operations and unused values.
    """

    ours: Operations
    theirs: Operations
    changes: tuple[Change, ...]
    pairs: dict[int, int]
    is_same: bool
    is_explained: bool = False

    @property
    def told(self) -> tuple[str, ...]:
        """The differences for people; none between programs of different structure."""
        return tuple(map(self._told, self.changes)) if self.is_same or self.is_explained else ()

    def _told(self, change: Change) -> str:
        where = self.ours.source(change.number)
        name = self.ours.all[change.number].name
        return f"{where} ({name}: {change.note})" if where else f"{name}: {change.note}"


def compare_structure(ours: Operations, theirs: Operations, function: str, other_function: str) -> Structure:
    """Walk two programs side by side, from their entry functions on."""
    return _Walk(ours, theirs).run(function, other_function)


class _Walk:
    def __init__(self, ours: Operations, theirs: Operations) -> None:
        self._ours = ours
        self._theirs = theirs
        self._functions = functions(ours.module), functions(theirs.module)
        self._partners: dict[str, str] = {}
        self._waiting: list[tuple[str, str]] = []
        self._values: dict[ir.Value, ir.Value] = {}  # of the second program in the first
        self._changes: list[Change] = []
        self._pairs: dict[int, int] = {}
        self._is_same = True
        # The operation that only one of the programs has, and what is read instead of one that was left out.
        self._left_out: ir.Operation | None = None
        self._added: ir.Operation | None = None
        self._instead: dict[ir.Value, ir.Value] = {}

    def run(self, function: str, other_function: str) -> Structure:
        self._are_partners(function, other_function)
        while self._waiting:
            mine, its = (
                named[name] for named, name in zip(self._functions, self._waiting.pop(0), strict=True)
            )
            self._pair(mine, its)
            if has_body(mine) and has_body(its):
                self._regions(mine, its)
            elif has_body(mine) != has_body(its):
                self._is_same = False
        if self._has_gap:
            self._changes = self._gap_alone()
        self._changes.sort(key=lambda change: change.number)
        return Structure(self._ours, self._theirs, tuple(self._changes), self._pairs, self._is_same)

    def _are_partners(self, name: str, other: str) -> bool:
        """Whether two functions correspond: those that calls at the same position call first, unless both
        programs have both names."""
        if name not in self._partners:
            mine, its = self._functions
            if name != other and name in its and other in mine:
                return False
            if name not in mine or other not in its:
                return name == other
            self._partners[name] = other
            self._waiting.append((name, other))
        return self._partners[name] == other

    def _pair(self, mine: ir.Operation, its: ir.Operation) -> None:
        self._pairs[self._ours.number_within(mine)] = self._theirs.number_within(its)

    def _regions(self, mine: ir.Operation, its: ir.Operation) -> None:
        for region, other in zip(mine.regions, its.regions, strict=True):
            for block, other_block in zip(region.blocks, other.blocks, strict=False):
                self._block(block, other_block)

    def _block(self, block: ir.Block, other: ir.Block) -> None:
        mine = [view.operation for view in block.operations]
        its = [view.operation for view in other.operations]
        arguments = list(zip(block.arguments, other.arguments, strict=False))
        alike = len(mine) == len(its) and len(block.arguments) == len(other.arguments)
        self._values.update((argument, own) for own, argument in arguments)
        if not alike or not all(map(_may_correspond, mine, its)):
            gap = None if self._has_gap else find_gap(mine, its, self._values)
            if gap is None:
                self._is_same = False
                return
            if gap.is_left_out:
                self._left_out = mine.pop(gap.position)
            else:
                self._added = its.pop(gap.position)
        for one, two in zip(mine, its, strict=True):
            self._pair(one, two)
            self._values.update(zip(two.results, one.results, strict=True))
            change = self._change(one, two)
            if change is not None:
                self._changes.append(change)
            self._regions(one, two)

    @property
    def _has_gap(self) -> bool:
        return self._left_out is not None or self._added is not None

    def _gap_alone(self) -> list[Change]:
        """The change of programs of which one has one operation more; other changes are another structure."""
        reading = [change for change in self._changes if ADDED in [source for _, source in change.operands]]
        if len(reading) != len(self._changes):
            self._is_same = False
            return []
        if self._left_out is None:
            return reading[:1]
        return [self._without(self._left_out)] if self._instead else []

    def _without(self, left_out: ir.Operation) -> Change:
        """The change of a program that lacks an operation."""
        number = self._ours.number_within(left_out)
        there = self._pairs[self._ours.number_within(left_out.parent.operation)]  # pyright: ignore[reportOptionalMemberAccess] # in a block
        instead = [described(self._ours, value) for value in self._instead.values()]
        reads = f", which reads {instead[0]} instead" if instead else ""
        return Change(number, there, f"left out in the other program{reads}", is_wiring=True)

    def _change(self, mine: ir.Operation, its: ir.Operation) -> Change | None:
        number, there = self._ours.number_within(mine), self._theirs.number_within(its)
        if mine.name == its.name == CONSTANT:
            a, b = constant_of(mine), constant_of(its)
            if a is None or b is None or digest_of(a) == digest_of(b):
                return None
            return Change(number, there, "another constant in the other program")
        notes = [] if mine.name == its.name else [f"{its.name} in the other program"]
        callees = self._other_callee(mine, its)
        notes += [note for note in (callees, None if notes else _other_attribute(mine, its)) if note]
        is_wiring = notes == [callees]
        operands = tuple(self._other_operands(mine, its))
        if mine.name == its.name and traits_of(mine.name).commutative and self._are_exchanged(mine, its):
            operands = ()
        if not notes and not operands:
            return None
        here_reads, there_reads = "", ""
        if operands:
            here_reads = described(self._ours, mine.operands[operands[0][0]])
            there_reads = described(self._theirs, its.operands[operands[0][0]])
            notes += [
                f"operand {position} is {described(self._ours, mine.operands[position])} here, "
                f"{described(self._theirs, its.operands[position])} in the other program"
                for position, _ in operands
            ]
        elif callees:
            here_reads, there_reads = (f"@{callee_of(call)}" for call in (mine, its))
        is_wiring = is_wiring or (bool(operands) and len(notes) == len(operands))
        return Change(number, there, "; ".join(notes), operands, is_wiring, here_reads, there_reads)

    def _other_callee(self, mine: ir.Operation, its: ir.Operation) -> str:
        """The difference of two calls in words; "" if they call corresponding functions."""
        name, other = callee_of(mine), callee_of(its)
        if not name or not other or self._are_partners(name, other):
            return ""
        return f"@{other} is called in the other program"

    def _other_operands(self, mine: ir.Operation, its: ir.Operation) -> Iterator[tuple[int, Source]]:
        for position, (one, two) in enumerate(zip(mine.operands, its.operands, strict=True)):
            counterpart = self._values.get(two)
            if counterpart is None:
                if self._added is not None and two in list(self._added.results):
                    yield position, ADDED
                continue
            is_left_out = self._left_out is not None and one in list(self._left_out.results)
            own = self._instead.setdefault(one, counterpart) if is_left_out else one
            if counterpart != own and not _same_constants(own, counterpart):
                yield position, source_of(self._ours, counterpart)

    def _are_exchanged(self, mine: ir.Operation, its: ir.Operation) -> bool:
        counterparts = [self._values.get(value) for value in its.operands]
        exchanged = list(mine.operands)[::-1]
        # The bindings compare values with values only, not with None.
        return all(
            own is not None and own == other for own, other in zip(counterparts, exchanged, strict=True)
        )


def callee_of(operation: ir.Operation) -> str:
    """The name of the function that an operation calls; "" if it calls none."""
    attributes = operation.attributes
    return next((attributes[name].value for name in _CALLEES if name in attributes), "")


def set_callee(operation: ir.Operation, callee: str) -> None:
    """Let an operation call another function."""
    attribute = next(name for name in _CALLEES if name in operation.attributes)
    operation.attributes[attribute] = ir.FlatSymbolRefAttr.get(callee)


def _may_correspond(mine: ir.Operation, its: ir.Operation) -> bool:
    """Whether one operation may have been changed into the other."""
    return (
        [str(result.type) for result in mine.results] == [str(result.type) for result in its.results]
        and len(mine.operands) == len(its.operands)
        and len(mine.regions) == len(its.regions)
        and (mine.name == its.name or not (len(mine.regions) or CONSTANT in (mine.name, its.name)))
    )


def described_other(mine: ir.Operation, its: ir.Operation) -> str:
    """The difference of the kind of two operations, in words."""
    if mine.name == its.name == CONSTANT:
        return "another constant in the other program"
    return f"{its.name} in the other program" if mine.name != its.name else _other_attribute(mine, its)


def _other_attribute(mine: ir.Operation, its: ir.Operation) -> str:
    """The first attribute that differs, in words. Attributes of other dialects are annotations, except those
    of custom calls."""
    one, other = attributes_of(mine), attributes_of(its)
    for name in sorted({*one, *other}):
        if name in _CALLEES or ("." in name and not traits_of(mine.name).foreign):
            continue
        if str(one.get(name)) != str(other.get(name)):
            return f"attribute {name}: {_short(one.get(name))} and {_short(other.get(name))}"
    return ""


def _short(attribute: ir.Attribute | None) -> str:
    text = str(attribute)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _same_constants(one: ir.Value, other: ir.Value) -> bool:
    sources = [defining_operation(value) for value in (one, other)]
    if any(source is None or source.name != CONSTANT for source in sources):
        return False
    a, b = (constant_of(source) for source in sources if source is not None)
    return a is not None and b is not None and digest_of(a) == digest_of(b)
