"""`Sharded`: a program for each device, run on the process grid as if it were the whole program."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from hlokit.display.misuse import shown
from hlokit.engine.contract.run_context import RunContext
from hlokit.errors import ArgumentError, for_callers
from hlokit.programs.calls.arguments import Signature, as_results, as_values
from hlokit.programs.calls.runs import Precision
from hlokit.programs.loading import as_program
from hlokit.programs.program import Program
from hlokit.tools.shard.comparison.checked import Check
from hlokit.tools.shard.comparison.checking import Compared, compare
from hlokit.tools.shard.comparison.exact import ShardedSide, equal_results
from hlokit.tools.shard.notation.layout import Layout
from hlokit.tools.shard.partitioners.answers import Answer
from hlokit.tools.shard.partitioners.partition import (
    PARTITIONERS,
    Partitioned,
    PartitionerFailed,
    Request,
    Workers,
    request,
)

if TYPE_CHECKING:
    from hlokit.engine.grid.mpi.engine import MpiEngine
    from hlokit.engine.plan.executors import Observer
    from hlokit.tools.bounds.reordered import Others
    from hlokit.tools.shard.cost_model.estimates import Machine
    from hlokit.tools.shard.reports.report import Report
    from hlokit.tools.view.viewing import Page

Array = npt.NDArray[Any]
T = TypeVar("T")


class Sharded(Partitioned):
    """A program for each device of a mesh, which runs as if it were the whole program.

    sharded = hlokit.shard(program, "data=2,model=4", in_shardings={"x": "P('data')"})
    sharded.check(x, w).require()
    print(sharded.report())

    Args:
      ranks: runs devices on ranks of MPI, all of which make the same calls; None for threads.
    """

    def __init__(
        self, asked: Request, answer: Answer, partitioner: str, ranks: MpiEngine | None = None
    ) -> None:
        super().__init__(asked, answer, partitioner)
        self._ranks = ranks
        self.precision: Precision = "default"  # of all runs; see `Program.__call__`

    @for_callers
    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """The results of the whole program: arguments are cut, and results are joined.

        Args:
          arguments, keywords: arguments of the whole program.

        Returns:
          As `Program.__call__` of the whole program.

        Raises:
          ArgumentError: the arguments do not fit.
        """
        signature, values = self._values(arguments, keywords)
        pairs = zip(self.outputs, self._run(values), strict=True)
        joined = [layout.joined(pieces) for layout, pieces in pairs]
        results = as_results(joined, signature.outputs, values)
        if self.whole.calling is not None:
            return self.whole.calling.unflatten(results)
        return results[0] if len(results) == 1 else results

    def _values(
        self, arguments: Sequence[Any], keywords: dict[str, Any] | None = None
    ) -> tuple[Signature, list[Any]]:
        return self.whole.bound(arguments, keywords or {})

    def _run(
        self, values: Sequence[Any], precision: Precision | None = None, observer: Observer | None = None
    ) -> list[list[Array]]:
        """The pieces of each result, one for each device."""
        count = self.mesh.count
        cut = [layout.cut(np.asarray(value)) for layout, value in zip(self.inputs, values, strict=True)]
        per_device = [[pieces[device] for pieces in cut] for device in range(count)]
        name = self.program.entry()
        context, own = RunContext(engine=self._ranks), precision or self.precision

        def run() -> list[tuple[Any, ...]]:
            return self.program.runs.evaluate_parallel(
                per_device, name, (1, count), observer=observer, context=context, precision=own
            )

        returned = run() if self._ranks is None else self._ranks.session(run)
        return [[np.asarray(results[index]) for results in returned] for index in range(len(self.outputs))]

    def exact_side(self) -> ShardedSide:
        """This program as a side of `hlokit.equal`."""
        return ShardedSide(self.whole, self.program, self.inputs, self.outputs, self.mesh.count)

    @for_callers
    def check(self, *arguments: Any, locate: bool = True, **keywords: Any) -> Check:
        """Run both programs and compare the results.

        Args:
          arguments, keywords: arguments of the whole program.
          locate: if a result is wrong, find the first operation with a wrong value.

        Raises:
          ArgumentError: the arguments do not fit.
        """
        return self.check_values(self._values(arguments, keywords)[1], locate=locate)

    @for_callers
    def check_values(self, values: Sequence[Any], *, locate: bool = True) -> Check:
        """As `check`, with flat arguments, one per parameter."""
        checking = _Checking(self, self._run, values, has_all_values=self._ranks is None)
        compared = checking.compared()
        check = Check(compared, self.partitioner, open=checking.reasons(compared))
        if check.is_right or not locate:
            return check
        from hlokit.tools.shard.comparison.faults import first_wrong

        find = partial(first_wrong, self.request, self.partitioner, checking.values, self._are_right)
        return replace(check, operation=_once(self._ranks, find))

    def _are_right(self, asked: Request, answer: Answer, values: Sequence[Any]) -> list[bool]:
        check = Sharded(asked, answer, self.partitioner).check_values(values, locate=False)
        return [comparison.is_right and comparison.disagree is None for comparison in check.compared]

    @for_callers
    def report(self, machine: Machine | None = None) -> Report:
        """Memory, FLOPs and traffic of each device."""
        from hlokit.tools.shard.reports.report import report

        if machine is not None and not hasattr(machine, "bandwidth"):
            raise ArgumentError(f"machine must be a Machine(bandwidth=...), got {shown(machine)}")
        return report(self, machine)

    @for_callers
    def view(
        self,
        *arguments: Any,
        machine: Machine | None = None,
        to: str | os.PathLike[str] | None = None,
        **keywords: Any,
    ) -> Page:
        """The program of a device as an HTML page with the pieces on each device and the data of each
        collective (docs/view.md).

        Args:
          arguments, keywords: arguments of the whole program. With arguments, all devices run, the results
            are compared with the results of the whole program, and the page shows the run.
          machine: the assumptions for times.
          to: file for the page.

        Raises:
          ArgumentError: the arguments do not fit.
        """
        is_run = bool(arguments or keywords) or not self.inputs
        page = self.view_values(self._values(arguments, keywords)[1] if is_run else None, machine)
        if to is not None:
            page.save(to)
        return page

    def view_values(
        self, values: Sequence[Any] | None, machine: Machine | None = None, check: Check | None = None
    ) -> Page:
        """As `view`, with flat arguments, and with a finished comparison if there is one. Without arguments,
        nothing runs."""
        from hlokit.tools.shard.reports.viewing import sharded_page
        from hlokit.tools.tracing.run import trace

        if values is None:
            return sharded_page(self, self.report(machine))
        check = check or self.check_values(values)
        listing = self.program.listing
        run = trace(listing, lambda collector: self._run(values, observer=collector), keep=0, raises=False)
        return sharded_page(self, self.report(machine), str(check), run)

    def _repr_html_(self) -> str:
        from hlokit.tools.shard.reports.drawing import drawing

        return drawing(self)

    def __repr__(self) -> str:
        ins = ", ".join(f"{name}: {spec}" for name, spec in zip(self.names, self.specs[0], strict=True))
        return f"<hlokit.Sharded over {self.mesh} by {self.partitioner}: {ins[:200]}>"


class _Checking:
    """The comparison of the results of a sharded run with those of the whole program.

    Args:
      run: returns the pieces of each result; arguments as of `Sharded._run`.
      values: flat arguments of the whole program.
      has_all_values: whether this process knows the values of all devices; a rank knows those of its own.
    """

    def __init__(
        self,
        sharded: Sharded,
        run: Callable[..., list[list[Array]]],
        values: Sequence[Any],
        *,
        has_all_values: bool,
    ) -> None:
        self._sharded, self._run, self._has_all_values = sharded, run, has_all_values
        self._whole = sharded.whole
        self._name = self._whole.entry()
        self.values = as_values(values, self._whole.signature().inputs, self._name)
        self._open: list[str] = []
        self._widths: dict[str, float] = {}

    def compared(self) -> tuple[Compared, ...]:
        run = partial(self._whole.runs.evaluate, precision=self._sharded.precision)
        expected = list(map(np.asarray, run(self.values, self._name)))
        pieces = self._run(self.values)
        proofs: list[Callable[[], list[Array]]] = [partial(self._radii, self._whole, None)]
        if self._has_all_values:
            proofs.insert(0, self._radii_step_by_step)
        compared = compare(self._sharded.results, expected, self._joined(pieces), self._precise, proofs)
        exact: list[bool | None] = [None] * len(compared)
        if self._has_all_values and not all(comparison.is_same for comparison in compared):
            exact = equal_results(self._sharded.exact_side(), self.values)
        rows = zip(compared, map(Layout.disagreement, self._sharded.outputs, pieces), exact, strict=True)
        return tuple([replace(row, disagree=two, is_equal=equal) for row, two, equal in rows])

    def reasons(self, compared: Sequence[Compared]) -> tuple[str, ...]:
        """The reasons for which results have no proven bound."""
        too_wide = [
            f"{comparison.name}: {self._widths[comparison.name]:.3g} is too wide to distinguish right "
            "results from wrong ones"
            for comparison in compared
            if comparison.name in self._widths and not comparison.is_same and not comparison.is_proven
        ]
        return (*self._open, *too_wide)

    def _joined(self, pieces: Sequence[list[Array]]) -> list[Array]:
        outputs = self._sharded.outputs
        return [layout.joined(result_pieces) for layout, result_pieces in zip(outputs, pieces, strict=True)]

    def _precise(self) -> tuple[list[Array], list[Array]]:
        results = self._whole.runs.evaluate(self.values, self._name, precision="high")
        return [np.asarray(value) for value in results], self._joined(self._run(self.values, "high"))

    def _radii(self, whole: Program, others: Others | None) -> list[Array]:
        """The allowed difference of each element of the results."""
        from hlokit.tools.bounds.reordered import Bounds

        bounds = Bounds(whole, self._sharded.mesh.count, others)
        results = whole.runs.evaluate(self.values, self._name, observer=bounds)
        radii = [bounds.radius(result) for result in results]
        for name, radius in zip(self._sharded.results, radii, strict=True):
            widest = float(radius.max(initial=0))
            if np.isfinite(widest):
                self._widths[name] = widest
        self._open += [reason for reason in bounds.open if reason not in self._open]
        return radii

    def _radii_step_by_step(self) -> list[Array]:
        """As `_radii`, also from the values that each device computes."""
        from hlokit.tools.shard.comparison.counterparts import Counterparts, Pieces

        sharded = self._sharded
        pieces = Pieces(sharded.program.module, sharded.traced, sharded.mesh)
        self._run(self.values, observer=pieces)
        whole = sharded.request.prepared(sharded.partitioner)
        return self._radii(whole, Counterparts(whole.module, pieces))


@for_callers
def shard(
    program: Any,
    mesh: Any = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
    *,
    partitioner: str = "shardy",
    workers: Workers | None = None,
    engine: str = "threads",
) -> Sharded:
    """Partition a program for the devices of a mesh, without devices.

        sharded = hlokit.shard(program, "data=2,model=4", {"x": "P('data')"})

    Partitioning runs in a child process, because partitioners can crash.

    Args:
      program: a `Program`, or what `hlokit.load` takes.
      mesh: text such as `data=2,model=4`, a dict of sizes, a `jax.sharding.Mesh`, or None: the program's own.
      in_shardings, out_shardings: shardings of parameters and results: a mapping by name or number; one for
        all; one for each, for programs from JAX as pytrees. Each is text such as `P('data', None)`, a
        `PartitionSpec` or a `NamedSharding`; None leaves the sharding to the program and the partitioner.
      partitioner: `shardy` or `xla`.
      workers: child processes to reuse.
      engine: `threads`, or `mpi`: devices run on ranks of MPI. In that case all ranks make the same calls
        with the whole arguments, and receive the whole results; one rank partitions the program.

    Raises:
      ArgumentError: mesh, shardings and program do not fit each other.
      PartitionerFailed: the partitioner rejected the program, or crashed.
    """
    if partitioner not in PARTITIONERS:
        raise ArgumentError(f"partitioner must be {' or '.join(PARTITIONERS)}, got {partitioner}")
    if engine not in ("threads", "mpi"):
        raise ArgumentError(f"engine must be threads or mpi, got {engine}")
    ranks = None
    if engine == "mpi":
        from hlokit.engine.grid.mpi.engine import mpi_engine  # requires mpi4py

        ranks = mpi_engine()
    asked = request(as_program(program, (), {}), mesh, in_shardings, out_shardings, partitioner=partitioner)
    count = asked.mesh.count
    if ranks is not None and ranks.size != count:
        what = f"the {count} devices of the mesh {asked.mesh} must run on {count} ranks"
        raise ArgumentError(f"{what}, got {ranks.size}: mpiexec -n {count}")
    return Sharded(asked, _once(ranks, partial(_answer, asked, partitioner, workers)), partitioner, ranks)


def _once(ranks: MpiEngine | None, make: Callable[[], T]) -> T:
    """The result of a function, which one rank calls for all ranks."""
    return make() if ranks is None else ranks.session(lambda: ranks.broadcast(make))


def _answer(asked: Request, partitioner: str, workers: Workers | None) -> Answer:
    with Workers() as own:
        try:
            return (workers or own).ask(asked.question(partitioner))
        except PartitionerFailed as failure:
            from hlokit.tools.shard.comparison.faults import first_failing, refused_at

            match failure.kind:
                case "crash":
                    operation = first_failing(asked, partitioner, "crash")
                case "refused":
                    operation = refused_at(asked, partitioner, failure.operation, failure.reason)
                case _:
                    raise
            raise PartitionerFailed(
                partitioner, failure.kind, failure.stage, failure.reason, operation
            ) from None
