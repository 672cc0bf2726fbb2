"""The one change that makes a program the other one, apart from inlining, repeated operations and unused
values.

Candidates come from the terms of both programs, from the results backwards. Each is tried: the changed
program must have the terms of the other one. No program runs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, has_body
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.equivalence.structure import (
    Change,
    Structure,
    callee_of,
    described_other,
)
from hlokit.tools.diff.equivalence.terms import Numbering, Operand, Read, Term, Terms, TermValue, TooLarge
from hlokit.tools.diff.equivalence.trials import MOST_TRIED, changed_module
from hlokit.tools.diff.flow.value_sources import described, source_of
from hlokit.tools.recording.places import Operations


class _Skipped(NamedTuple):
    """An operation that one of the programs lacks: its readers read an operand of it instead.

    Attributes:
      number, position: the operation, and the operand.
      is_ours: whether the first program has the operation.
      change: the change of the first program.
    """

    number: int
    position: int
    is_ours: bool
    change: Change


_Candidate = Change | _Skipped
# Other values that operations may read, and the reading operations of the other program: by operation and
# operand.
_Rewired = dict[int, dict[int, tuple[ir.Value, int]]]


def with_single_change(structure: Structure, function: str, other_function: str) -> Structure:
    """A structure with the one change between two programs, if there is one; otherwise the same structure."""
    numbering = Numbering()
    try:
        ours = Terms(structure.ours, function, numbering)
        theirs = Terms(structure.theirs, other_function, numbering)
    except TooLarge:
        return structure
    search = _Search(ours, theirs, function, other_function, numbering)
    change: Change | None = None
    for candidate in islice(search.candidates(), MOST_TRIED):
        changed = search.changed(candidate)
        if changed is None:
            continue
        is_exact = search.has_same_functions(candidate, changed)
        if change is None or is_exact:
            change = candidate.change if isinstance(candidate, _Skipped) else candidate
        if is_exact:
            break
    return (
        structure
        if change is None
        else structure._replace(changes=(change,), is_same=False, is_explained=True)
    )


class _Search:
    def __init__(
        self, ours: Terms, theirs: Terms, function: str, other_function: str, numbering: Numbering
    ) -> None:
        self._ours = ours
        self._theirs = theirs
        self._names = function, other_function
        self._numbering = numbering
        self._returned = ours.returned, theirs.returned
        counts = [Counter(one.name for one in terms.operations.all) for terms in (ours, theirs)]
        more, less = counts[0] - counts[1], counts[1] - counts[0]
        self._has_one_more = more.total() + less.total() == 1

    def candidates(self) -> Iterator[_Candidate]:
        """Changes, each of which may be the only one."""
        waiting = [(self._ours.results, self._theirs.results)]
        reached: set[tuple[int, TermValue]] = set()
        rewired: _Rewired = defaultdict(dict)
        for mine, its in waiting:  # which grows
            pairs = [(one, two) for one, two in zip(mine, its, strict=False) if one.value != two.value]
            own_reads: _Rewired = defaultdict(dict)
            for one, two in pairs:
                self._read_otherwise(one, two, own_reads)
            for number, reads in own_reads.items():
                rewired[number].update(reads)
            yield from self._ordered(pairs, own_reads)
            for one, two in pairs:
                yield from self._other_callees(one)
                term, other = one.term, two.term
                if term is None or other is None or (term.number, two.value) in reached:
                    continue
                reached.add((term.number, two.value))
                if len(term.operands) != len(other.operands) or len(term.regions) != len(other.regions):
                    continue
                if term.head == other.head:
                    waiting.append((term.operands, other.operands))
                    waiting += zip(term.regions, other.regions, strict=True)
                else:
                    yield self._other_kind(term, other)
        yield from [self._other_reads(number, reads) for number, reads in rewired.items() if len(reads) > 1]

    def _ordered(self, pairs: Sequence[tuple[Operand, Operand]], reads: _Rewired) -> Iterator[_Candidate]:
        """The changes of operations that read other values. Several may make the programs the same: the most
        plausible ones come first."""
        skipped = [candidate for one, two in pairs for candidate in self._skipped(one, two)]
        sources = [
            self._other_kind(one.term, two.term)
            for one, two in pairs
            if one.term is not None and two.term is not None and _are_sources(one.term, two.term)
        ]
        handing_on = [self._other_reads(number, reads[number]) for number in reads if self._hands_on(number)]
        others = [self._other_reads(number, reads[number]) for number in reads if not self._hands_on(number)]
        if self._has_one_more:  # no pass removed unused operations
            yield from skipped
        yield from (*handing_on, *sources, *skipped, *others)

    def _hands_on(self, number: int) -> bool:
        traits = traits_of(self._ours.operations.all[number].name)
        return traits.control or traits.terminator

    def _other_callees(self, one: Operand) -> Iterator[Change]:
        """Calls of other functions of the same type, of the calls that hand a value on or compute it."""
        operations = self._ours.operations
        named = functions(operations.module)
        calls = [read.scope.call for read in one.reads if read.scope.call is not None]
        if one.term is not None and callee_of(operations.all[one.term.number]):  # a composite
            calls.append(one.term.number)
        for call in calls:
            callee = callee_of(operations.all[call])
            type_ = str(named[callee].attributes["function_type"])
            for name, function in named.items():
                if (
                    name != callee
                    and has_body(function)
                    and str(function.attributes["function_type"]) == type_
                ):
                    note = f"@{name} is called in the other program"
                    yield Change(call, -1, note, (), True, f"@{callee}", f"@{name}", name)

    def _other_kind(self, term: Term, other: Term) -> Change:
        note = described_other(
            self._ours.operations.all[term.number], self._theirs.operations.all[other.number]
        )
        return Change(term.number, other.number, note)

    def _read_otherwise(self, one: Operand, two: Operand, rewired: _Rewired) -> None:
        """Collect reads of an operand that may read the other program's value: the innermost ones first."""
        for read in reversed(one.reads):
            value = read.scope.value(two.value)
            if value is not None:
                rewired[read.number][read.position] = value, self._counterpart(one, two, read)

    def _other_reads(self, number: int, reads: Mapping[int, tuple[ir.Value, int]]) -> Change:
        """An operation that reads other values of the first program."""
        operations = self._ours.operations
        operation = operations.all[number]
        notes = [
            f"operand {position} is {described(operations, operation.operands[position])} here, "
            f"{described(operations, value)} in the other program"
            for position, (value, _) in reads.items()
        ]
        position, (value, there) = next(iter(reads.items()))
        return Change(
            number,
            there,
            "; ".join(notes),
            tuple([(position, source_of(operations, value)) for position, (value, _) in reads.items()]),
            True,
            described(operations, operation.operands[position]),
            described(operations, value),
        )

    def _counterpart(self, one: Operand, two: Operand, read: Read) -> int:
        """The operation of the other program that reads as another one does; -1 if there is none."""
        if read is one.reads[0]:
            return two.reads[0].number
        if len(one.reads) == len(two.reads):
            return two.reads[one.reads.index(read)].number
        return -1

    def _skipped(self, one: Operand, two: Operand) -> Iterator[_Skipped]:
        """Operations without which the programs may be the same."""
        ours, theirs = self._ours.operations, self._theirs.operations
        if one.term is not None and one.value[0] not in self._theirs.numbers:
            number = one.term.number
            for position in _positions(one.term, two):
                reads = described(ours, ours.all[number].operands[position])
                note = f"left out in the other program, which reads {reads} instead"
                yield _Skipped(number, position, True, Change(number, -1, note, is_wiring=True))
        if two.term is not None and two.value[0] not in self._ours.numbers:
            number = two.term.number
            for position in _positions(two.term, one):
                added = described(theirs, theirs.all[number].results[0])
                note = f"the other program has one operation more: {added}"
                change = Change(one.reads[-1].number, -1, note, is_wiring=True)
                yield _Skipped(number, position, False, change)

    def changed(self, candidate: _Candidate) -> Operations | None:
        """The changed program, if the change makes both programs the same."""
        index = _changes_other(candidate)
        operations = (self._ours, self._theirs)[index].operations
        if isinstance(candidate, _Skipped):
            module = _without(operations, candidate)
        else:
            module = changed_module(operations.module, self._theirs.operations, candidate)
        if module is None:
            return None
        changed = Operations(module)
        is_right = self._returned_by(changed, self._names[index]) == self._returned[1 - index]
        return changed if is_right else None

    def has_same_functions(self, candidate: _Candidate, changed: Operations) -> bool:
        """Whether functions that both programs have still, by their names, are the same after the change: a
        function that is called once may be changed, or its call."""
        other = (self._theirs, self._ours)[_changes_other(candidate)].operations
        mine, its = functions(changed.module), functions(other.module)
        return all(
            self._returned_by(changed, name) == self._returned_by(other, name)
            for name in mine.keys() & its.keys()
            if has_body(mine[name]) and has_body(its[name]) and name not in self._names
        )

    def _returned_by(self, operations: Operations, function: str) -> tuple[TermValue, ...] | None:
        try:
            return Terms(operations, function, self._numbering).returned
        except TooLarge:
            return None


def _changes_other(candidate: _Candidate) -> bool:
    """Whether the second program is changed, which has one operation more."""
    return isinstance(candidate, _Skipped) and not candidate.is_ours


def _are_sources(*terms: Term) -> bool:
    """Whether no term has operands: constants, for instance."""
    return not any(term.operands or term.regions for term in terms)


def _positions(term: Term, operand: Operand) -> list[int]:
    """The operands of a term that are a value."""
    return [position for position, own in enumerate(term.operands) if own.value == operand.value]


def _without(operations: Operations, skipped: _Skipped) -> Any | None:
    """A module whose operations read an operand of an operation instead of its result."""
    module: Any = operations.module.operation.clone(ip=False)
    with operations.module.context:
        operation = Operations(module).all[skipped.number]
        if len(operation.results) != 1:
            return None
        source = operation.operands[skipped.position]
        if str(source.type) != str(operation.results[0].type):
            return None
        operation.results[0].replace_all_uses_with(source)
    return module
