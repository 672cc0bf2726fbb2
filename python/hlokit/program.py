"""Programs: look at them, call them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hlokit import jax_interop
from hlokit.arguments import Signature, as_results, as_values
from hlokit.errors import ArgumentError, Diagnostic, UnsupportedError
from hlokit.interpreter import context as run_context
from hlokit.interpreter import switches
from hlokit.interpreter.evaluate import evaluate, guarded
from hlokit.interpreter.memory import keep_memory
from hlokit.interpreter.plan import Planner
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import Observer
from hlokit.mlir.bindings import import_classes, ir
from hlokit.mlir.context import withhold
from hlokit.mlir.module import DEPEND_ON_PROCESSES, MAKE_GRIDS, process_grid, walk
from hlokit.mlir.module import functions as module_functions
from hlokit.mlir.module import signature as module_signature
from hlokit.mlir.parse import parse_bytecode, verify_module
from hlokit.values.bits import in_words

if TYPE_CHECKING:
    from hlokit.mlir.xla import Executable
    from hlokit.unsupported import Unsupported

# What runs a program: hlokit's kernels, or XLA:CPU, which compiles it first.
Backend = Literal["numpy", "xla"]
BACKENDS: tuple[Backend, ...] = ("numpy", "xla")

Precision = Literal["default", "high"]
PRECISIONS: tuple[Precision, ...] = ("default", "high")

_ONE_PROCESS = "backend xla runs one process by itself, not a grid"


class Program:
    """A verified StableHLO module that can be called.

        program = hlokit.load("model.mlirbc")
        logits = program(images)

    Calling takes NumPy or JAX arrays, or Python scalars and lists, by position, and evaluates the entry
    function: `main`, or the only one. It gives a NumPy array, or a tuple of arrays if there are none or
    several results. A program from JAX takes and gives the pytrees of the JAX function instead.

    With the backend `xla`, XLA:CPU compiles a function when it is first called, and that is what runs: the
    same arguments, results and exceptions, the numbers and limits of XLA.
    """

    def __init__(
        self,
        module: ir.Module,
        filename: str = "-",
        calling: jax_interop.Calling | None = None,
        *,
        backend: Backend = "numpy",
    ) -> None:
        switches.check()
        keep_memory()
        if backend not in BACKENDS:
            raise ArgumentError(f"backend must be one of {', '.join(BACKENDS)}, got {backend}")
        self._module = module
        self._filename = filename
        self._calling = calling
        self._planner = Planner(module, filename=filename)
        self._precise_planner: Planner | None = None
        self._signatures: dict[str | None, Signature] = {}
        self._executables: dict[str, Executable] | None = {} if backend == "xla" else None

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
        **keywords: Any,
    ) -> Any:
        """Evaluate a function.

        Args:
          arguments: one a parameter, of the parameter's shape and dtype.
          function: name of the function; the entry function by default.
          observer: is told about each step; there may be several.
          precision: "high" accumulates sums and products of many values in f64, those of f64 with
            compensation (docs/api.md says where).
          keywords: those of the JAX function that the program comes from.

        Raises:
          ArgumentError: the arguments do not fit, or there is no such function or precision.
          EvaluationError: the program trapped.
          UnsupportedError: it reached something that hlokit does not evaluate.
        """
        calling = self._calling if function is None else None
        if calling is not None:
            arguments = calling.flatten(arguments, keywords)
        elif keywords:
            raise ArgumentError(f"parameters have no names here, got {', '.join(keywords)}")
        signature = self.signature(function)
        values = as_values(arguments, signature.inputs, signature.name)
        evaluated = self.evaluate(values, signature.name, observer=observer, precision=precision)
        results = as_results(evaluated, signature.outputs, values)
        if calling is not None:
            return calling.unflatten(results)
        return results[0] if len(results) == 1 else results

    def evaluate(
        self,
        values: Sequence[Value],
        function: str,
        *,
        observer: Observer | Sequence[Observer] | None = None,
        context: run_context.RunContext | None = None,
        precision: Precision = "default",
    ) -> tuple[Value, ...]:
        """Evaluate a function on values that fit its signature, as they are; see `__call__`."""
        if self._executables is not None:
            if precision != "default":
                raise UnsupportedError(f"backend xla has no precision {precision}")
            return self._run_compiled(self._executables, values, function, observer)
        planner = self._planner_for(observer, precision)
        context = context or run_context.RunContext()
        with run_context.use(context):
            results = evaluate(planner.function(function), values)
        if context.process is not None:
            context.process.require_no_mail()
        return results

    def with_backend(self, backend: Backend) -> Program:
        """The same program, run by another backend (`load` names them)."""
        return Program(self._module, self._filename, self._calling, backend=backend)

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
        """Plans of their own for a run that is observed, so that observing leaves nothing behind."""
        if precision not in PRECISIONS:
            raise ArgumentError(f"precision must be {' or '.join(PRECISIONS)}, got {precision}")
        one = _one_observer(observer)
        if one is None:
            if precision == "default":
                return self._planner
            if self._precise_planner is None:
                self._precise_planner = Planner(self._module, is_precise=True, filename=self._filename)
            return self._precise_planner
        return Planner(self._module, one, is_precise=precision == "high", filename=self._filename)

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
        the same number of arguments; a rank looks at those of its own process only, may give None for
        others, and hears of its own process's steps and outfeed only. All get the results of all.

        Args:
          arguments: for each process what `__call__` takes; processes in order of replica, then partition.
          num_replicas, num_partitions: the grid; by default what the module's attributes
            `mhlo.num_replicas` and `mhlo.num_partitions` say, or as many replicas as there are arguments.
          function: name of the function; the entry function by default.
          infeed: for each process the entries of its infeed, each one a sequence of arrays.
          outfeed: called with (replica, partition) and the arrays that a process writes to its outfeed.
          observer: is told about each step of every process; there may be several.
          engine: what processes are.
          precision: as in `__call__`.

        Returns:
          For each process what `__call__` gives.

        Raises:
          ArgumentError: the arguments or the grid do not fit, or there is no such function.
          EvaluationError: a process trapped, or processes wait for each other in vain.
          UnsupportedError: one reached something that hlokit does not evaluate.
        """
        context = run_context.RunContext()
        options = (num_replicas, num_partitions, function, infeed, outfeed, observer, context, precision)
        if engine == "mpi":
            from hlokit.interpreter.mpi_engine import mpi_engine  # needs mpi4py

            ranks = context.engine = mpi_engine()
            return ranks.together(lambda: self._run_parallel(arguments, ranks.rank, *options))
        if engine != "threads":
            raise ArgumentError(f"engine must be threads or mpi, got {engine}")
        return self._run_parallel(arguments, None, *options)

    def _run_parallel(
        self,
        arguments: Sequence[Sequence[Any]],
        own: int | None,
        num_replicas: int | None,
        num_partitions: int | None,
        function: str | None,
        infeed: Sequence[Iterable[Sequence[Any]]] | None,
        outfeed: Callable[[tuple[int, int], tuple[Any, ...]], object] | None,
        observer: Observer | Sequence[Observer] | None,
        context: run_context.RunContext,
        precision: Precision,
    ) -> list[Any]:
        """`run_parallel`, of which the process with the number `own` is here, or all."""
        from hlokit.interpreter.process_groups import grid_of

        calling = self._calling if function is None else None
        grid = grid_of(len(arguments), self.stated_grid, num_replicas, num_partitions)
        signature = self.signature(function)
        here = range(len(arguments)) if own is None else [own]
        values: list[list[Value]] = [[] for _ in arguments]
        feeds: list[list[tuple[Value, ...]]] = [[] for _ in arguments]
        if infeed is not None and len(infeed) != len(values):
            raise ArgumentError(f"infeed must be given for {len(values)} processes, got {len(infeed)}")
        for number in here:
            if number >= len(arguments):
                continue  # the engine says so
            given = arguments[number]
            flat = given if calling is None else calling.flatten(tuple(given))
            values[number] = as_values(flat, signature.inputs, signature.name)
            if infeed is not None:
                feeds[number] = [
                    tuple(in_words(np.asarray(item)) for item in entry) for entry in infeed[number]
                ]
        if outfeed is not None:
            context.outfeed = lambda id_, arrays: outfeed(id_, tuple(map(np.array, arrays)))
        evaluated = self.evaluate_parallel(
            values,
            signature.name,
            grid,
            infeed=feeds,
            observer=observer,
            context=context,
            precision=precision,
        )
        count = len(signature.outputs)
        taken = [value for given in values for value in given]
        taken += [array for feed in feeds for entry in feed for array in entry]
        results = as_results(
            [value for returned in evaluated for value in returned], signature.outputs * len(values), taken
        )
        each = [results[i : i + count] for i in range(0, len(results), count)] or [()] * len(values)
        if calling is not None:
            return [calling.unflatten(returned) for returned in each]
        return [returned[0] if count == 1 else returned for returned in each]

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
        """Evaluate a function on every process of a grid on values, as they are; see `run_parallel`."""
        from hlokit.interpreter.process import ProcessRun
        from hlokit.interpreter.processes import run_processes

        if self._executables is not None:
            raise UnsupportedError(_ONE_PROCESS)
        planner = self._planner_for(observer, precision)
        block = planner.function(function)
        feeds = infeed or [()] * len(values)
        runs = [ProcessRun(block, given, feed) for given, feed in zip(values, feeds, strict=True)]
        with run_context.use(context or run_context.RunContext()):
            evaluated = guarded(run_processes, *grid, runs)
        is_single = len(block.plan.outputs) == 1
        return [(returned,) if is_single else returned for returned in evaluated]

    @property
    def stated_grid(self) -> tuple[int, int] | None:
        """The module's attributes `mhlo.num_replicas` and `mhlo.num_partitions`, None without them."""
        return process_grid(self._module)

    @property
    def grid(self) -> tuple[int, int]:
        """The process grid that the program is written for: (num_replicas, num_partitions).

        It is `stated_grid` if an operation of the program depends on processes; other programs, and those
        that make a grid themselves, are for one process.
        """
        stated = self.stated_grid
        if stated is None or stated == (1, 1):
            return (1, 1)
        return (1, 1) if self.makes_grid or not self._operations() & DEPEND_ON_PROCESSES else stated

    @property
    def makes_grid(self) -> bool:
        """The program runs parts of itself on process grids of its own."""
        return not self._operations().isdisjoint(MAKE_GRIDS)

    def _operations(self) -> set[str]:
        names: set[str] = set()
        walk(self._module.operation, lambda operation: names.add(operation.name))
        return names

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
        raise ArgumentError(f"module must have entry func with name {wanted}")

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

    def verify(self) -> list[Diagnostic]:
        """Verify the module again; [] if it is valid, as a loaded one is."""
        return verify_module(self._module, self._filename)

    def text(self, *, debug_info: bool = False, elide_larger_than: int | None = None) -> str:
        """The module as MLIR text.

        Args:
          debug_info: print locations.
          elide_larger_than: constants of more elements are printed as `dense_resource<__elided__>`.
        """
        from hlokit.mlir.printing import Style, print_module

        style = Style(debug_info=debug_info, largest_elements=elide_larger_than)
        return print_module(self._module, style)

    def serialize(
        self, target: str = "current", *, allow_other_dialects: bool = False, strip_debug_info: bool = False
    ) -> bytes:
        """The program as a portable artifact.

        Args:
          target: the StableHLO version of its readers, `X.Y.Z`; or `current`, the newest; `WEEK_4` or
            `WEEK_12`, what readers had weeks ago; `MAX`, the oldest of all; `min`, the oldest that can
            hold this program.
          allow_other_dialects: let operations of other dialects pass, about which nothing is promised.
          strip_debug_info: leave out locations.

        Raises:
          VersionError: there is no such target, or it cannot hold the program. Says what stands in the
            way, and which target would do.
        """
        from hlokit.compat.serialize import serialize

        return serialize(
            self._module,
            target,
            allow_other_dialects=allow_other_dialects,
            strip_debug_info=strip_debug_info,
            filename=self._filename,
        )

    def unsupported(self) -> list[Unsupported]:
        """All operations that hlokit could not evaluate if the program reached them."""
        from hlokit.unsupported import find_unsupported

        return find_unsupported(self._module, self._filename)

    @property
    def module(self) -> ir.Module:
        """The MLIR module, for use with the bindings."""
        import_classes()
        withhold(self._module.context)
        return self._module

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        from hlokit.mlir.printing import write_bytecode

        backend = "numpy" if self._executables is None else "xla"
        return _restored, (write_bytecode(self._module), self._filename, self._calling, backend)

    def __repr__(self) -> str:
        return f"<hlokit.Program {', '.join(str(self.signature(name)) for name in self.functions[:1])}>"

    def __str__(self) -> str:
        return self.text(elide_larger_than=16)


def _restored(data: bytes, filename: str, calling: jax_interop.Calling | None, backend: Backend) -> Program:
    """A pickled or copied program."""
    return Program(parse_bytecode(None, data, filename), filename, calling, backend=backend)


def _one_observer(observer: Observer | Sequence[Observer] | None) -> Observer | None:
    if observer is None:
        return None
    from hlokit.interpreter.observers import as_observer

    return as_observer(observer)
