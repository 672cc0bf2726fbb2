"""`Program`: what users look at and call. Arguments and results of parallel calls: `parallel.py`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from hlokit.arguments import Signature, as_results, as_values
from hlokit.contract import run_context, switches
from hlokit.contract.registry import Value
from hlokit.contract.threads import thread_count
from hlokit.contract.thresholds import DEFAULTS, Thresholds
from hlokit.errors import ArgumentError, Diagnostics, UnsupportedError, did_you_mean
from hlokit.interpreter.memory import keep_memory
from hlokit.interpreter.planner import Planner
from hlokit.mlir.bindings import import_classes, ir
from hlokit.mlir.context import withhold
from hlokit.mlir.module import functions as module_functions
from hlokit.mlir.module import makes_grids, needed_grid, process_grid
from hlokit.mlir.module import parameter_names as module_parameter_names
from hlokit.mlir.module import signature as module_signature
from hlokit.mlir.parse import parse_bytecode, verify_module
from hlokit.plan.evaluate import evaluate, guarded
from hlokit.plan.executors import Observer

if TYPE_CHECKING:
    from hlokit.arguments import Calling
    from hlokit.mlir.xla import Executable
    from hlokit.numerics.shadow import Shadow
    from hlokit.tracing.listings import ProgramListing
    from hlokit.tracing.run_trace import RunTrace
    from hlokit.unsupported import Unsupported
    from hlokit.view.page import Findings
    from hlokit.view.viewing import Page

# A program runs on hlokit's kernels, or on XLA:CPU, which compiles the program first.
Backend = Literal["numpy", "xla"]
BACKENDS: tuple[Backend, ...] = ("numpy", "xla")
Precision = Literal["default", "high"]
PRECISIONS: tuple[Precision, ...] = ("default", "high")
# How a program is evaluated: by the tiers that its blocks choose, or all of it by the reference.
TierName = Literal["default", "reference"]
TIERS: tuple[TierName, ...] = ("default", "reference")
# Functions that a message lists.
_MOST_LISTED = 10
_ONE_PROCESS = "backend xla runs one process by itself, not a grid"


class Program:
    """A verified StableHLO module that can be called.

        program = hlokit.load("model.mlirbc")
        logits = program(images)

    Calling takes NumPy or JAX arrays, or Python scalars and lists, by position, and evaluates the entry
    function: `main`, or the only one. A call gives a NumPy array, or a tuple of arrays if there are none or
    several results. A program from JAX takes and gives the pytrees of the JAX function instead.

    With the backend `xla`, XLA:CPU compiles a function when it is first called, and runs it: the same
    arguments, results and exceptions, the numbers and limits of XLA.
    """

    def __init__(
        self,
        module: ir.Module,
        filename: str = "-",
        calling: Calling | None = None,
        *,
        backend: Backend = "numpy",
        thresholds: Thresholds = DEFAULTS,
    ) -> None:
        switches.check()
        thread_count()  # raises now, not in the middle of a run
        keep_memory()
        if backend not in BACKENDS:
            raise ArgumentError(f"backend must be one of {', '.join(BACKENDS)}, got {backend}")
        self._module = module
        self._filename = filename
        self._calling = calling
        self._thresholds = thresholds
        self._planner = self._new_planner()
        self._precise_planner: Planner | None = None
        self._signatures: dict[str | None, Signature] = {}
        self._executables: dict[str, Executable] | None = {} if backend == "xla" else None
        self._listing: ProgramListing | None = None

    def __del__(self) -> None:
        # Plans refer to their planner. Without this a program would stay until garbage is collected.
        for planner in (getattr(self, "_planner", None), getattr(self, "_precise_planner", None)):
            if planner is not None:
                planner.forget()

    def __call__(
        self,
        *arguments: Any,
        function: str | None = None,
        observer: Observer | Sequence[Observer] | None = None,
        precision: Precision = "default",
        tier: TierName = "default",
        **keywords: Any,
    ) -> Any:
        """Evaluate a function.

        Args:
          arguments: one a parameter, of the parameter's shape and dtype.
          function: name of the function; the entry function by default.
          observer: is told about each step; a sequence is several observers.
          precision: "high" accumulates sums and products of many values in f64, those of f64 with
            compensation (docs/api.md says where).
          tier: "reference" evaluates operation by operation, as `hlokit.reference` defines them: slow.
          keywords: those of the JAX function that the program comes from.

        Raises:
          ArgumentError: the arguments do not fit, or there is no such function or precision.
          EvaluationError: the program trapped.
          UnsupportedError: the program reached something that hlokit does not evaluate.
        """
        calling = self._calling if function is None else None
        if calling is not None:
            arguments = calling.flatten(arguments, keywords)
        elif keywords:
            raise ArgumentError(f"parameters have no names here, got {', '.join(keywords)}")
        signature = self.signature(function)
        values = as_values(arguments, signature.inputs, signature.name)
        evaluated = self.evaluate(values, signature.name, observer=observer, precision=precision, tier=tier)
        results = as_results(evaluated, signature.outputs, values)
        if calling is not None:
            return calling.unflatten(results)
        return results[0] if len(results) == 1 else results

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
        """Evaluate a function, and keep what each operation computed: a table to look at (docs/view.md).

        Args:
          arguments, function, precision, keywords: as in `__call__`.
          keep: bytes of values to keep; of what comes after, summaries.
          histograms: also count the elements of each first result in bins.
          observer: is told about each step, too.
          raises: if false, an error of the run ends the trace and is its attribute `error`.

        Raises:
          ArgumentError, EvaluationError, UnsupportedError: as `__call__`.
        """
        from hlokit.tracing.run import trace

        others = tuple(observer) if isinstance(observer, Sequence) else (observer,)

        def call(collector: Observer) -> Any:
            observers = (collector, *others)
            return self(*arguments, function=function, precision=precision, observer=observers, **keywords)

        return trace(self.listing, call, keep=keep, histograms=histograms, raises=raises)

    def view(
        self,
        *arguments: Any,
        function: str | None = None,
        shadow: bool = False,
        diff: Findings | None = None,
        to: str | os.PathLike[str] | None = None,
        **keywords: Any,
    ) -> Page:
        """The program on a page of HTML: text, graph, and with arguments a run laid over both (docs/view.md).

        Args:
          arguments, function, keywords: as in `__call__`. Without arguments nothing runs, unless the function
            takes none. A run that fails is shown up to its error.
          shadow: also compute in more precision, and show errors in ULP.
          diff: what `hlokit.diff` gave, to be shown.
          to: file for the page.

        Raises:
          ArgumentError: the arguments do not fit, or there is no such function.
        """
        from hlokit.view.page import Reports, page
        from hlokit.view.viewing import Page

        entry = self.entry(function)
        trace, records, texts = None, [], list[tuple[str, str]]()
        if arguments or keywords or not self.signature(entry).inputs:
            observer = self._shadow() if shadow else None
            trace = self.trace(
                *arguments,
                function=function,
                keep=0,
                histograms=True,
                observer=() if observer is None else observer,
                raises=False,
                **keywords,
            )
            if observer is not None:
                report = observer.report()
                records = report.records
                texts.append(("Shadow", report.table(100)))
        findings = () if diff is None else diff.findings
        if diff is not None:
            texts.append(("Difference", str(diff)))
        title = "program" if self._filename == "-" else os.path.basename(self._filename)
        made = Page(
            page(
                self.listing,
                title,
                entry=entry,
                filename=self._filename,
                trace=trace,
                reports=Reports(records, findings, texts),
            )
        )
        if to is not None:
            made.save(to)
        return made

    def _shadow(self) -> Shadow:
        from hlokit.numerics.shadow import Shadow

        return Shadow(self)

    @property
    def listing(self) -> ProgramListing:
        """The program as printed lines, with its operations and values."""
        if self._listing is None:
            from hlokit.tracing.listings import ProgramListing

            self._listing = ProgramListing(self._module, self._filename)
        return self._listing

    def evaluate(
        self,
        values: Sequence[Value],
        function: str,
        *,
        observer: Observer | Sequence[Observer] | None = None,
        context: run_context.RunContext | None = None,
        precision: Precision = "default",
        tier: TierName = "default",
    ) -> tuple[Value, ...]:
        """Evaluate a function on values that fit the function's signature, unconverted; see `__call__`."""
        if tier not in TIERS:
            raise ArgumentError(f"tier must be {' or '.join(TIERS)}, got {tier}")
        if tier == "reference":
            if precision != "default" or self._executables is not None or _one_observer(observer) is not None:
                raise UnsupportedError("the reference has no other precision or backend, and no observers")
            return self._run_reference(values, function, context or run_context.RunContext())
        if self._executables is not None:
            if precision != "default":
                raise UnsupportedError(f"backend xla has no precision {precision}")
            return self._run_compiled(self._executables, values, function, observer)
        planner = self._planner_for(observer, precision)
        context = context or run_context.RunContext()
        with run_context.use(context):
            results = evaluate(planner.function(function), values)
        if context.process is not None:
            context.process.require_all_received()
        return results

    def _run_reference(
        self, values: Sequence[Value], function: str, context: run_context.RunContext
    ) -> tuple[Value, ...]:
        from hlokit.reference.arrays import run_on_arrays
        from hlokit.reference.model.execution import Execution

        if self.grid != (1, 1):
            raise UnsupportedError("the reference tier runs one process; see reference.evaluate_parallel")
        execution = Execution(write=context.write)
        types = self.signature(function).inputs
        try:
            return run_on_arrays(
                self._module, function, values, types, execution=execution, filename=self._filename
            )
        finally:
            context.checks += execution.checks

    def with_backend(self, backend: Backend) -> Program:
        """The same program, run by another backend (`load` names them)."""
        return Program(
            self._module, self._filename, self._calling, backend=backend, thresholds=self._thresholds
        )

    def with_thresholds(self, thresholds: Thresholds) -> Program:
        """The same program, planned by other thresholds: for tests and measurements."""
        backend: Backend = "numpy" if self._executables is None else "xla"
        return Program(self._module, self._filename, self._calling, backend=backend, thresholds=thresholds)

    def _run_compiled(
        self,
        executables: dict[str, Executable],
        values: Sequence[Value],
        function: str,
        observer: Observer | Sequence[Observer] | None,
    ) -> tuple[Value, ...]:
        from hlokit.mlir.xla import Executable  # this and other imports in functions: what few programs need

        if _one_observer(observer) is not None:
            raise UnsupportedError("backend xla runs a program as a whole: it tells observers of no steps")
        executable = executables.get(function)
        if executable is None:
            if self.grid != (1, 1):
                raise UnsupportedError(_ONE_PROCESS)
            executable = executables[function] = Executable(self._module, function)
        return tuple(executable.run(executable.put(values)))

    def _planner_for(
        self, observer: Observer | Sequence[Observer] | None, precision: Precision = "default"
    ) -> Planner:
        """The planner of a run. An observed run has plans of its own, so that nothing of it stays."""
        if precision not in PRECISIONS:
            raise ArgumentError(f"precision must be {' or '.join(PRECISIONS)}, got {precision}")
        one = _one_observer(observer)
        if one is None:
            if precision == "default":
                return self._planner
            if self._precise_planner is None:
                self._precise_planner = self._new_planner(is_precise=True)
            return self._precise_planner
        return self._new_planner(one, is_precise=precision == "high")

    def _new_planner(self, observer: Observer | None = None, *, is_precise: bool = False) -> Planner:
        return Planner(
            self._module,
            observer,
            is_precise=is_precise,
            filename=self._filename,
            thresholds=self._thresholds,
            callbacks=() if self._calling is None else self._calling.callbacks,
        )

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
        """Evaluate a function on every process of a grid, each on a thread of its own.

            sums = program.run_parallel([(x0,), (x1,)])

        On the engine `mpi` (needs the extra `mpi`) each process is a rank of MPI. All ranks call this, with
        the same number of arguments; a rank looks at the arguments of its own process only, may give None for
        others, and hears of its own process's steps and outfeed only. All ranks get all results.

        Args:
          arguments: for each process what `__call__` takes; processes in order of replica, then partition.
          num_replicas, num_partitions: the grid; by default what the module's attributes
            `mhlo.num_replicas` and `mhlo.num_partitions` say, or one replica for each item of `arguments`.
          function: name of the function; the entry function by default.
          infeed: for each process the entries of its infeed, each one a sequence of arrays.
          outfeed: called with (replica, partition) and the arrays that a process writes to its outfeed.
          observer: is told about each step of every process; a sequence is several observers.
          engine: processes are threads, or ranks of MPI.
          precision: as in `__call__`.

        Returns:
          For each process what `__call__` gives.

        Raises:
          ArgumentError: the arguments or the grid do not fit, or there is no such function.
          EvaluationError: a process trapped, or processes wait for each other in vain.
          UnsupportedError: a process reached something that hlokit does not evaluate.
        """
        from hlokit.contract.process_groups import grid_of
        from hlokit.parallel import ParallelCall, own_copies

        context = run_context.RunContext()

        def run(own: int | None) -> list[Any]:
            """Run all processes, or the one with the number `own`, which is here."""
            grid = grid_of(len(arguments), self.stated_grid, num_replicas, num_partitions)
            calling = self._calling if function is None else None
            call = ParallelCall(self.signature(function), len(arguments), own, calling)
            feeds, values = call.feeds(infeed), call.values(arguments)
            if outfeed is not None:
                context.outfeed = own_copies(outfeed)
            name = call.signature.name
            evaluated = self.evaluate_parallel(
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
        from hlokit.grid.mpi.engine import mpi_engine  # needs mpi4py

        ranks = context.engine = mpi_engine()
        return ranks.session(lambda: run(ranks.rank))

    def evaluate_parallel(
        self,
        values: Sequence[Sequence[Value]],
        function: str,
        grid: tuple[int, int],
        *,
        infeed: Sequence[Iterable[tuple[Value, ...]]] | None = None,
        observer: Observer | Sequence[Observer] | None = None,
        context: run_context.RunContext | None = None,
        precision: Precision = "default",
    ) -> list[tuple[Value, ...]]:
        """Evaluate a function on every process of a grid on values, unconverted; see `run_parallel`."""
        from hlokit.contract.process import ProcessRun
        from hlokit.grid.threads import run_processes

        if self._executables is not None:
            raise UnsupportedError(_ONE_PROCESS)
        planner = self._planner_for(observer, precision)
        block = planner.function(function)
        feeds = infeed or [()] * len(values)
        runs = [ProcessRun(block, *given) for given in zip(values, feeds, strict=True)]
        with run_context.use(context or run_context.RunContext()):
            evaluated = guarded(run_processes, *grid, runs)
        return [(returned,) for returned in evaluated] if len(block.plan.outputs) == 1 else evaluated

    @property
    def stated_grid(self) -> tuple[int, int] | None:
        """The module's attributes `mhlo.num_replicas` and `mhlo.num_partitions`, None without them."""
        return process_grid(self._module, self._filename)

    @property
    def grid(self) -> tuple[int, int]:
        """The process grid that the program is written for: (num_replicas, num_partitions).

        This is `stated_grid` if an operation of the program depends on processes; other programs, and
        programs that make a grid themselves, are for one process.
        """
        return needed_grid(self._module, self._filename)

    @property
    def makes_grid(self) -> bool:
        """The program runs parts of itself on process grids of its own."""
        return makes_grids(self._module)

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions, in program order."""
        return tuple(module_functions(self._module))

    def entry(self, function: str | None = None) -> str:
        """The name of the function that a call evaluates.

        Raises:
          ArgumentError: there is no such function.
        """
        names = self.functions
        wanted = "main" if function is None else function
        if wanted in names:
            return wanted
        if function is None and len(names) == 1:
            return names[0]
        if wanted.startswith("@") and wanted[1:] in names:  # as MLIR spells it
            return wanted[1:]
        raise ArgumentError(f"module must have entry func with name {wanted}{_choices(wanted, names)}")

    def signature(self, function: str | None = None) -> Signature:
        """Types of a function, the entry function by default."""
        known = self._signatures.get(function)
        if known is None:
            name = "main" if function is None else function
            types = self._planner.signature(name)
            if types is None:
                name = self.entry(function)
                types = module_signature(module_functions(self._module)[name])
            known = Signature(name, *types)
            self._signatures[function] = known
        return known

    def parameter_names(self, function: str | None = None) -> tuple[str | None, ...]:
        """Names of a function's parameters, as the program's maker wrote them down; None for those without.

        JAX's are paths in its pytrees: `params['w']`.
        """
        return module_parameter_names(module_functions(self._module)[self.entry(function)])

    def verify(self) -> Diagnostics:
        """Verify the module again; [] if it is valid, as a loaded module is."""
        return Diagnostics(verify_module(self._module, self._filename))

    def text(self, *, debug_info: bool = False, elide_larger_than: int | None = None) -> str:
        """The module as MLIR text.

        Args:
          debug_info: print locations.
          elide_larger_than: constants of more elements are printed as `dense_resource<__elided__>`.
        """
        from hlokit.mlir.printing import Style, print_module

        return print_module(self._module, Style(debug_info=debug_info, largest_elements=elide_larger_than))

    def serialize(
        self, target: str = "current", *, allow_other_dialects: bool = False, strip_debug_info: bool = False
    ) -> bytes:
        """The program as a portable artifact.

        Args:
          target: the StableHLO version of its readers, `X.Y.Z`; or `current`, the newest; `WEEK_4` or
            `WEEK_12`, what readers had weeks ago; `MAX`, the oldest of all; `min`, the oldest that can
            hold this program.
          allow_other_dialects: let operations of other dialects pass, for which versions promise nothing.
          strip_debug_info: leave out locations.

        Raises:
          VersionError: there is no such target, or the target cannot hold the program. The message says what
            stands in the way, and which target would do.
        """
        from hlokit.compat.serialize import serialize

        return serialize(
            self._module,
            target,
            allow_other_dialects=allow_other_dialects,
            strip_debug_info=strip_debug_info,
            filename=self._filename,
        )

    def shard(
        self, mesh: Any = None, in_shardings: Any = None, out_shardings: Any = None, **options: Any
    ) -> Any:
        """The program partitioned for the devices of a mesh, without devices: `hlokit.shard`, which see."""
        # The room of shardings stands above this one.
        return import_module("hlokit.sharding.sharded").shard(
            self, mesh, in_shardings, out_shardings, **options
        )

    @property
    def calling(self) -> Calling | None:
        """How pytrees of JAX become flat arguments; None for programs that take flat arguments."""
        return self._calling

    def unsupported(self) -> list[Unsupported]:
        """All operations that hlokit could not evaluate if the program reached them."""
        from hlokit.unsupported import find_unsupported

        has_callbacks = self._calling is not None and bool(self._calling.callbacks)
        return find_unsupported(self._module, self._filename, has_callbacks=has_callbacks)

    @property
    def filename(self) -> str:
        """What the program's file is called in locations and messages; `-` for none."""
        return self._filename

    @property
    def module(self) -> ir.Module:
        """The MLIR module, for use with the bindings."""
        import_classes()
        withhold(self._module.context)
        return self._module

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        from hlokit.mlir.printing import write_bytecode

        backend = "numpy" if self._executables is None else "xla"
        calling = None if self._calling is None else self._calling.without_callbacks()
        return _restored, (write_bytecode(self._module), self._filename, calling, backend)

    def __repr__(self) -> str:
        return f"<hlokit.Program {', '.join(str(self.signature(name)) for name in self.functions[:1])}>"

    def __str__(self) -> str:
        return self.text(elide_larger_than=16)

    def _repr_html_(self) -> str:
        from hlokit.tracing.program_html import program_html

        signatures = [str(self.signature(name)) for name in self.functions[:1]]
        return program_html(self.listing, self._filename, signatures)


def _choices(wanted: str, names: Sequence[str]) -> str:
    """What a message adds about the functions that there are."""
    if suggestion := did_you_mean(wanted, names):
        return suggestion
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return f"; it has {', '.join(names[:_MOST_LISTED])}{more}" if names else "; it has no functions"


def _restored(data: bytes, filename: str, calling: Calling | None, backend: Backend) -> Program:
    """A pickled or copied program."""
    return Program(parse_bytecode(None, data, filename), filename, calling, backend=backend)


def _one_observer(observer: Observer | Sequence[Observer] | None) -> Observer | None:
    if observer is None:
        return None
    from hlokit.observe.observers import as_observer

    return as_observer(observer)
