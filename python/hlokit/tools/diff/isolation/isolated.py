"""Isolated operations: the other side evaluates each on hlokit's operands, so that no error accumulates.

A `Sampler` observes a run of hlokit and stores operands and results of operations. Equal operations (of one
kernel) are compiled once. Of an operation in a loop, the sampler stores the first iterations, then the
iterations whose numbers are powers of two. When the stored values take too much memory, the sampler compares
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.tools.backends.side import Array, Side, SideFailed
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.comparing.explanations import Explainer
from hlokit.tools.diff.comparing.findings import Finding, Progress, ResultAt, finding, silent
from hlokit.tools.diff.comparing.verdicts import Comparison, compare
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.diff.isolation.batches import Specimen, module_of
from hlokit.tools.diff.isolation.specimens import Positions, is_alone, positions_of, specimen_of
from hlokit.tools.recording.places import CONTROL_FLOW, Operations, Place, Tracker
from hlokit.values.types import TensorType

_LIFTED_ELEMENTS = 4096
_FIRST_ITERATIONS = 4
# Bytes of stored operands and results from which the sampler compares them.
CHUNK = 1 << 28
# A module contains several copies of a small operation instead of running many times.
_SMALL, _RUNS, _MOST_COPIES = 1024, 32, 64
# The number of operations that may time out.
_MOST_TIME_OUTS = 3
# A module may take a half of the limit of the search. After the first that takes longer, the search for the
# operation that does has smaller ones.
_SHARE, _SMALL_SHARE, _LEAST_SECONDS = 1 / 2, 1 / 16, 3.0


@dataclass(slots=True)
class _Sample:
    """One stored evaluation."""

    order: int
    place: Place
    operands: list[Any]
    results: list[Any]


@dataclass(slots=True)
class _Kind:
    """Operations that are equal, and their evaluations."""

    step: Step
    specimen: Specimen
    lifted: bool
    samples: list[_Sample] = field(default_factory=list[_Sample])

    @property
    def is_small(self) -> bool:
        sizes = [type_.size for type_ in (*self.specimen.operand_types, *self.specimen.result_types)]
        return not self.specimen.operation.regions and max(sizes, default=0) <= _SMALL


@dataclass(frozen=True, slots=True)
class _Shared:
    """The properties that all evaluations of a step share.

    Attributes:
      step: the step, whose identity is the key, so the step must stay alive.
      is_alone: whether the operation can be isolated.
      key: a number that equal operations share.
      positions: of its operands.
    """

    step: Step
    is_alone: bool
    key: int
    positions: Positions


@dataclass(slots=True)
class _Slot:
    """An operation of a module, and the evaluations that it repeats."""

    kind: _Kind
    samples: list[_Sample]


class Sampler(Tracker):
    """An observer that lets the other side evaluate each observed operation in isolation.

    Attributes:
      findings: results that are not exactly the same.
      exact: the number of results that are exactly the same.
      skipped: the number of evaluations that could not be isolated, by operation.

    Args:
      side: the other side.
      wanted: numbers of the operations to compare; None for all.
      shares: whether equal operations are compiled once.
    """

    def __init__(
        self,
        operations: Operations,
        side: Side,
        wanted: frozenset[int] | None = None,
        progress: Progress = silent,
        chunk: int = CHUNK,
        shares: bool = True,
    ) -> None:
        super().__init__(operations)
        self.findings: list[Finding] = []
        self.exact = 0
        self.skipped = Counter[str]()
        self.evaluated = 0
        self._side = side
        self._wanted = wanted
        self._progress = progress
        self._chunk = chunk
        self._shares = shares
        self._kinds: dict[Any, _Kind] = {}
        self._counts: dict[Place, int] = {}
        self._steps: dict[int, _Shared] = {}
        self._keys: dict[tuple[Any, ...], int] = {}
        self._bytes = 0
        self._suspects: set[str] = set()
        self._time_outs = 0
        self._share = _SHARE
        self._compared = 0
        self._explainer = Explainer()

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        place, lifted = self.leave()
        if step.name in CONTROL_FLOW:
            return
        order = self.evaluated
        self.evaluated += 1
        if self._wanted is not None and place[-1] not in self._wanted:
            return
        if not self._is_sampled(place):
            return
        shared = self._shared(step)
        sampled = self._sampled(shared, step, operands, results, lifted) if shared.is_alone else None
        if sampled is None:
            self.skipped[step.name] += 1
            return
        key, inputs, outputs = sampled
        if not self._shares:
            key = (place[-1], key)
        kind = self._kinds.get(key)
        if kind is None:
            specimen = specimen_of(step, shared.positions, inputs, outputs)
            kind = self._kinds[key] = _Kind(step, specimen, lifted)
        kind.samples.append(_Sample(order, place, inputs, outputs))
        self._bytes += sum(value.nbytes for value in (*inputs, *outputs))
        if self._bytes > self._chunk:
            self.flush()

    def _is_sampled(self, place: Place) -> bool:
        """Whether an evaluation is stored: the first iterations, and then increasingly few."""
        site = place[::2]
        count = self._counts[site] = self._counts.get(site, 0) + 1
        return count <= _FIRST_ITERATIONS or count & (count - 1) == 0

    def _sampled(
        self, shared: _Shared, step: Step, operands: Sequence[Value], results: Sequence[Value], lifted: bool
    ) -> tuple[Any, list[Any], list[Any]] | None:
        """The key of the kind, operands and results; None if this evaluation cannot be isolated."""
        inputs, outputs = list(map(np.asarray, operands)), list(map(np.asarray, results))
        if any([array.dtype.kind == "O" for array in (*inputs, *outputs)]):
            return None
        if lifted:
            if not step.kernel.pointwise or step.kernel.regions or traits_of(step.name).ranked:
                return None
            arrays = np.broadcast_arrays(*inputs, *outputs)
            # Copies, because the operation of a region may later overwrite the memory of the region's values.
            arrays = [
                np.array(array.reshape(-1)[:_LIFTED_ELEMENTS] if array.ndim else array) for array in arrays
            ]
            inputs, outputs = list(arrays[: len(inputs)]), list(arrays[len(inputs) :])
        fixed = tuple([inputs[position].tobytes() for position in shared.positions.fixed])
        shapes = tuple([array.shape for array in inputs])
        return (shared.key, shapes, fixed), inputs, outputs

    def _shared(self, step: Step) -> _Shared:
        """The properties that all evaluations of a step share."""
        shared = self._steps.get(id(step))
        if shared is None:
            types = (*step.operand_types, *step.result_types)
            elements = [type_.element_type for type_ in types if isinstance(type_, TensorType)]
            positions = positions_of(step)
            # A kernel that returns its operand may be that of operations of several types.
            key = self._keys.setdefault((id(step.kernel), *elements, positions.firsts), len(self._keys))
            shared = _Shared(step, is_alone(step), key, positions)
            self._steps[id(step)] = shared
        return shared

    @property
    def kinds(self) -> int:
        """The number of kinds of operations so far."""
        return len(self._kinds)

    @property
    def in_loops(self) -> int:
        """The number of operations in loops so far."""
        names = [operation.name for operation in self.operations.all]
        sites = [site for site in self._counts if any([names[n] == "stablehlo.while" for n in site[:-1]])]
        return len({site[-1] for site in sites})

    def only(self, numbers: frozenset[int]) -> None:
        """Drop the stored evaluations of all other operations."""
        for kind in self._kinds.values():
            kind.samples = [sample for sample in kind.samples if sample.place[-1] in numbers]

    def flush(self) -> None:
        """Compare the stored evaluations."""
        slots: list[_Slot] = []
        for kind in self._kinds.values():
            samples, kind.samples = kind.samples, []
            copies = min(-(-len(samples) // _RUNS), _MOST_COPIES) if kind.is_small else min(1, len(samples))
            slots += [_Slot(kind, samples[start::copies]) for start in range(copies)]
        self._bytes = 0
        slots.sort(key=lambda slot: len(slot.samples))
        self._compare_all(slots)

    def finish(self) -> None:
        """Compare the remaining evaluations, and sort the findings in the order of the run."""
        self.flush()
        self.findings.sort(key=lambda difference: (difference.order, difference.result))

    # The other side -------------------------------------------------------------------------------

    def _compare_all(self, slots: Sequence[_Slot]) -> None:
        total = self._compared + len(slots)
        size = self._side.batch
        for start in range(0, len(slots), size):
            batch = slots[start : start + size]
            self._progress("operations", self._compared, total)
            suspects = [slot for slot in batch if slot.kind.step.name in self._suspects]
            self._try([slot for slot in batch if slot.kind.step.name not in self._suspects])
            for slot in suspects:
                self._try([slot])
            self._compared += len(batch)
        self._progress("operations", self._compared, total)

    def _try(self, slots: Sequence[_Slot]) -> None:
        """Evaluate operations in one module, or in two halves if the module fails."""
        if not slots:
            return
        if self._time_outs >= _MOST_TIME_OUTS:
            self._failed(slots, SideFailed("time-out", "not tried: other operations took too long"))
            return
        try:
            by_slot = self._results(slots)
        except SideFailed as failure:
            if failure.kind == "time-out":
                self._share = _SMALL_SHARE
            if len(slots) > 1:
                middle = len(slots) // 2
                self._try(slots[:middle])
                self._try(slots[middle:])
                return
            self._suspects.add(slots[0].kind.step.name)
            self._time_outs += failure.kind == "time-out"
            self._failed(slots, failure)
            return
        for slot, results in zip(slots, by_slot, strict=True):
            for sample, sample_results in zip(slot.samples, results, strict=True):
                self._judge(slot.kind, sample, sample_results)

    def _results(self, slots: Sequence[_Slot]) -> list[list[list[Array]]]:
        """The results of each slot for each of its samples."""
        module = module_of([slot.kind.specimen for slot in slots])
        runs = max(len(slot.samples) for slot in slots)
        inputs: list[list[Array]] = []
        for run in range(runs):
            arguments: list[Array] = []
            for slot in slots:
                sample = slot.samples[min(run, len(slot.samples) - 1)]
                arguments += [sample.operands[position] for position in slot.kind.specimen.arguments]
            inputs.append(arguments)
        by_run = limited(
            lambda: self._side.run_each(module, inputs), self._side.name, self._share, _LEAST_SECONDS
        )
        by_slot: list[list[list[Array]]] = []
        position = 0
        for slot in slots:
            count = len(slot.kind.specimen.result_types)
            by_slot.append(
                [run_results[position : position + count] for run_results in by_run[: len(slot.samples)]]
            )
            position += count
        return by_slot

    def _failed(self, slots: Sequence[_Slot], failure: SideFailed) -> None:
        comparison = Comparison(failure.kind, note=failure.reason)
        for slot in slots:
            for sample in slot.samples:
                self._record(slot.kind, sample, 0, comparison)

    def _judge(self, kind: _Kind, sample: _Sample, results: Sequence[Array]) -> None:
        specimen = kind.specimen
        evaluated = Evaluated(
            specimen.operation, kind.step.kernel.function, sample.operands, sample.results, results
        )
        for index, (mine, theirs) in enumerate(zip(sample.results, results, strict=True)):
            type_ = specimen.result_types[index]
            comparison = compare(
                mine,
                theirs,
                type_.element_type,
                lambda index=index, type_=type_: allowance(evaluated, index, type_),
            )
            if comparison.verdict == "exact":
                self.exact += 1
                continue
            comparison = self._explainer.explained(comparison, evaluated, index, type_)
            self._record(kind, sample, index, comparison)

    def _record(self, kind: _Kind, sample: _Sample, index: int, comparison: Comparison) -> None:
        types = kind.specimen.operand_types
        self.findings.append(
            finding(
                ResultAt(
                    self.operations,
                    sample.place,
                    sample.order,
                    index,
                    str(kind.specimen.result_types[index]),
                ),
                comparison,
                list(zip(sample.operands, types, strict=True)),
            )
        )
