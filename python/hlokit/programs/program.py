"""`Program`, the callable object of the API.

`verified.py` defines the parts of a program that do not run, `callable_module.py` what its functions take;
`parallel.py` converts arguments and results of parallel calls.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from hlokit.engine.contract import run_context, switches
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.interpreter.memory import keep_memory
from hlokit.engine.plan.executors import Observer
from hlokit.errors import (
    KINDS_OF_MISUSE,
    ArgumentError,
    HlokitError,
    error_for_caller,
    for_callers,
)
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.programs.callable_module import CallableModule
from hlokit.programs.calls.arguments import as_results
from hlokit.programs.calls.runs import BACKENDS, Backend, Precision, Runs, TierName

if TYPE_CHECKING:
    from hlokit.engine.interpreter.unsupported import Unsupported
    from hlokit.programs.calls.arguments import Calling
    from hlokit.tools.tracing.listings import ProgramListing
    from hlokit.tools.tracing.run_trace import RunTrace
    from hlokit.tools.view.page import Findings
    from hlokit.tools.view.viewing import Page


class Program(CallableModule):
    """A verified StableHLO module that can be called.

        program = hlokit.load("model.mlirbc")
        logits = program(images)

    A call takes NumPy or JAX arrays, or Python scalars and lists, by position, and evaluates the entry
    function: `main`, or the only one. The call returns a NumPy array, or a tuple of arrays if there are none
    or several results. A program from JAX takes and returns the pytrees of the JAX function instead.

    With the backend `xla`, XLA:CPU compiles a function at the first call, and runs the compiled code. The
    types of arguments, results and exceptions are the same; numbers and limits are XLA's.
    """

    def __init__(
        self,
        module: ir.Module,
        filename: str = "-",
        calling: Calling | None = None,
        *,
        backend: Backend = "numpy",
        thresholds: Thresholds = DEFAULTS,
        source: str = "",
    ) -> None:
        if not hasattr(module, "operation"):
            raise ArgumentError(
                f"Program: module must be an ir.Module, got {module!r:.80}: hlokit.load reads others"
            )
        switches.check()
        thread_count()  # raises an error now, not in the middle of a run
        keep_memory()
        if backend not in BACKENDS:
            raise ArgumentError(f"backend must be one of {', '.join(BACKENDS)}, got {backend}")
        runs = Runs(module, filename, calling, backend, thresholds)
        super().__init__(module, filename, source, calling, runs)
        self._thresholds = thresholds
        self._listing: ProgramListing | None = None
        if "ipykernel" in sys.modules:
            from hlokit.tools.tracing.progress import watch_notebook

            watch_notebook()

    if not TYPE_CHECKING:  # type checkers know the attributes

        def __getattr__(self, name: str) -> Any:
            from hlokit.display.elsewhere import PROGRAM, hint

            names = () if name.startswith("_") else dir(type(self))
            raise AttributeError(
                f"a program has no attribute {name}{hint(name, PROGRAM, names)}", name=name, obj=self
            )

    def __del__(self) -> None:
        if (runs := getattr(self, "_runs", None)) is not None:  # None if the constructor has raised
            runs.forget()

    def __call__(
        self,
        /,  # a parameter may have this name
        *arguments: Any,
        function: str | None = None,
        observer: Observer | Sequence[Observer] | None = None,
        precision: Precision = "default",
        tier: TierName = "default",
        **keywords: Any,
    ) -> Any:
        """Evaluate a function.

        Args:
          arguments: one for each parameter: an array of the parameter's shape and dtype, or a Python number
            or list of numbers, which hlokit converts to that dtype; a tuple for a tuple. Values of a
            quantized type are arrays of its storage integers.
          function: name of the function; the entry function by default.
          observer: called before and after each step; a sequence is several observers.
          precision: "high" accumulates sums and products of many values in f64, those of f64 with
            compensation; "sequential" accumulates one by one, each step rounded, as the C++ interpreter does:
            slow, for comparisons; "products" does so for the products that it computes as accurately;
            "pairwise" has sums that do not depend on the number of devices that share
            their terms (docs/numerics.md lists the operations).
          tier: "reference" evaluates each operation as `hlokit.reference` defines it: slow.
          keywords: arguments by name: of the JAX function from which the program comes, or of parameters
            (`parameter_names`).

        Returns:
          An array of the result's shape and dtype; a tuple of arrays if there are none or several results; a
          pytree for a program from JAX.

        Raises:
          ArgumentError: the arguments do not fit, or there is no such function or precision.
          EvaluationError: the program fails at run time.
          UnsupportedError: the program reaches an operation or type that hlokit does not evaluate.
        """
        try:  # not `for_callers`, which takes as long as a kernel on a few numbers
            calling = self._calling if function is None else None
            signature, values = self.bound(arguments, keywords, function)
            evaluated = self._runs.evaluate(
                values, signature.name, observer=observer, precision=precision, tier=tier
            )
            results = as_results(evaluated, signature.outputs, values)
            if calling is not None:
                return calling.unflatten(results)
            return results[0] if len(results) == 1 else results
        except (HlokitError, *KINDS_OF_MISUSE) as error:
            options = {"function": function, "observer": observer, "precision": precision, "tier": tier}
            other = error_for_caller(error, Program.__call__, (self, *arguments), {**options, **keywords})
            if other is not None:
                raise other from None
            raise

    @for_callers
    def trace(
        self,
        *arguments: Any,
        function: str | None = None,
        precision: Precision = "default",
        keep: int = 1 << 28,
        histograms: bool = False,
        observer: Observer | Sequence[Observer] = (),
        raises: bool = True,
        **keywords: Any,
    ) -> RunTrace:
        """Evaluate a function, and store the results of each operation in a table (docs/view.md).

        Args:
          arguments, function, precision, keywords: as in `__call__`.
          keep: bytes of values to store; later values are stored as summaries.
          histograms: also count the elements of the first result of each operation in bins.
          observer: also called before and after each step.
          raises: if false, an error of the run ends the trace and is its attribute `error`.

        Raises:
          ArgumentError, EvaluationError, UnsupportedError: as `__call__`.
        """
        from hlokit.tools.tracing.run import trace

        others = tuple(observer) if isinstance(observer, Sequence) else (observer,)

        def call(collector: Observer) -> Any:
            observers = (collector, *others)
            return self(*arguments, function=function, precision=precision, observer=observers, **keywords)

        return trace(self.listing, call, keep=keep, histograms=histograms, raises=raises)

    @for_callers
    def view(
        self,
        *arguments: Any,
        function: str | None = None,
        shadow: bool = False,
        diff: Findings | None = None,
        to: str | os.PathLike[str] | None = None,
        **keywords: Any,
    ) -> Page:
        """The program on a page of HTML: text and graph, and with arguments the figures of a run
        (docs/view.md).

        Args:
          arguments, function, keywords: as in `__call__`. Without arguments nothing runs, unless the function
            has no parameters. The page shows a failed run up to its error.
          shadow: also compute in higher precision, and show errors in ULP.
          diff: a report of `hlokit.diff` to show.
          to: file for the page.

        Raises:
          ArgumentError: the arguments do not fit, or there is no such function.
        """
        from hlokit.tools.view.viewing import view

        page = view(self, arguments, keywords, function=function, shadow=shadow, diff=diff)
        if to is not None:
            page.save(to)
        return page

    @property
    def listing(self) -> ProgramListing:
        """The program as printed lines, with its operations and values."""
        if self._listing is None:
            from hlokit.tools.tracing.listings import ProgramListing

            self._listing = ProgramListing(self._module, self._filename)
        return self._listing

    @property
    def runs(self) -> Runs:
        """The evaluation of functions on values that fit their types, without conversion."""
        return self._runs

    @for_callers
    def with_backend(self, backend: Backend) -> Program:
        """The same program, run by another backend; `load` lists the backends.

        Raises:
          ArgumentError: there is no such backend.
        """
        return self._copy(backend, self._thresholds)

    def with_thresholds(self, thresholds: Thresholds) -> Program:
        """The same program, planned with other thresholds: for tests and measurements."""
        return self._copy(self._runs.backend, thresholds)

    def _copy(self, backend: Backend, thresholds: Thresholds) -> Program:
        return Program(
            self._module,
            self._filename,
            self._calling,
            backend=backend,
            thresholds=thresholds,
            source=self._source,
        )

    @for_callers
    def run_parallel(
        self,
        arguments: Sequence[Sequence[Any]],
        *,
        num_replicas: int | None = None,
        num_partitions: int | None = None,
        function: str | None = None,
        infeed: Sequence[Iterable[Sequence[Any]]] | None = None,
        outfeed: Callable[[tuple[int, int], tuple[Any, ...]], object] | None = None,
        observer: Observer | Sequence[Observer] | None = None,
        engine: Literal["threads", "mpi"] = "threads",
        precision: Precision = "default",
    ) -> list[Any]:
        """Evaluate a function on every process of a grid, each on its own thread.

            sums = program.run_parallel([(x0,), (x1,)])

        With the engine `mpi` (extra `mpi`), each process is a rank of MPI. All ranks call this method, with
        the same number of arguments. A rank uses only the arguments of its own process and may pass None for
        the others; its observer and outfeed receive only the steps and values of its own process. All ranks
        receive all results.

        Args:
          arguments: for each process the arguments of `__call__`; processes in order of replica, then
            partition.
          num_replicas, num_partitions: the grid; by default the module's attributes `mhlo.num_replicas` and
            `mhlo.num_partitions`, or one replica for each item of `arguments`.
          function: name of the function; the entry function by default.
          infeed: for each process the entries of its infeed, each one a sequence of arrays.
          outfeed: called with (replica, partition) and the arrays that a process writes to its outfeed.
          observer: called before and after each step of every process; a sequence is several observers.
          engine: processes are threads, or ranks of MPI.
          precision: as in `__call__`.

        Returns:
          The result of `__call__` for each process.

        Raises:
          ArgumentError: the arguments or the grid do not fit, or there is no such function.
          EvaluationError: a process fails at run time, or the processes are in a deadlock.
          UnsupportedError: a process reaches an operation or type that hlokit does not evaluate.
        """
        from hlokit.engine.contract.process_groups import grid_of
        from hlokit.programs.calls.parallel import ParallelCall, own_copies

        context = run_context.RunContext()

        def run(own: int | None) -> list[Any]:
            """Run all processes, or only the process with the number `own`, which runs here."""
            grid = grid_of(len(arguments), self.stated_grid, num_replicas, num_partitions)
            calling = self._calling if function is None else None
            call = ParallelCall(self.signature(function), len(arguments), own, calling, self.parameter_names)
            feeds, values = call.feeds(infeed), call.values(arguments)
            if outfeed is not None:
                context.outfeed = own_copies(outfeed)
            name = call.signature.name
            evaluated = self._runs.evaluate_parallel(
                values,
                name,
                grid,
                infeed=feeds,
                observer=observer,
                context=context,
                precision=precision,
            )
            return call.results(evaluated, values, feeds)

        if engine == "threads":
            return run(None)
        if engine != "mpi":
            raise ArgumentError(f"engine must be threads or mpi, got {engine}")
        from hlokit.engine.grid.mpi.engine import mpi_engine  # requires mpi4py

        ranks = context.engine = mpi_engine()
        return ranks.session(lambda: run(ranks.rank))

    @for_callers
    def unsupported(self) -> list[Unsupported]:
        """All operations that hlokit could not evaluate if the program reached them, in program order."""
        from hlokit.engine.interpreter.unsupported import find_unsupported

        has_callbacks = self._calling is not None and bool(self._calling.callbacks)
        return find_unsupported(self._module, self._filename, has_callbacks=has_callbacks)

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        from hlokit.mlir.printing import write_bytecode

        calling = None if self._calling is None else self._calling.without_callbacks()
        data = write_bytecode(self._module)
        return _restored, (data, self._filename, calling, self._runs.backend, self._source)

    def __repr__(self) -> str:
        return f"<hlokit.Program {', '.join(str(self.signature(name)) for name in self.functions[:1])}>"

    def __str__(self) -> str:
        return self.text(elide_larger_than=16)

    def _repr_html_(self) -> str:
        from hlokit.tools.tracing.program_html import program_html

        signatures = [str(self.signature(name)) for name in self.functions[:1]]
        return program_html(self.listing, self._filename, signatures)


def _restored(data: bytes, filename: str, calling: Calling | None, backend: Backend, source: str) -> Program:
    """A pickled or copied program."""
    return Program(parse_bytecode(None, data, filename), filename, calling, backend=backend, source=source)
