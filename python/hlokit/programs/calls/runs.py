"""`Runs`: the evaluation of a program's functions, by planners, the reference or XLA:CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.interpreter.settings import Settings, Variant
from hlokit.engine.interpreter.tiers import observed_by, timed_by
from hlokit.engine.native.lowerings.escapes import holds_operands
from hlokit.engine.plan.block import Block, Tiers
from hlokit.engine.plan.evaluate import evaluate, guarded, save_compiled, settled
from hlokit.engine.plan.executors import Observer
from hlokit.engine.plan.plan import Plan
from hlokit.errors import ArgumentError, EvaluationError, InternalError, UnsupportedError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries import module as queries
from hlokit.programs.calls.arguments import Signature
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType, TupleType, ValueType

if TYPE_CHECKING:
    from hlokit.mlir.xla import Executable
    from hlokit.programs.calls.arguments import Calling
    from hlokit.programs.calls.sizes import StaticPrograms

# A program runs on hlokit's kernels, or on XLA:CPU, which compiles the program first.
Backend = Literal["numpy", "xla"]
BACKENDS: tuple[Backend, ...] = ("numpy", "xla")
# How sums accumulate: as docs/concepts/summation.md says, in f64 or with compensation, one by one as in the
# C++ interpreter (all sums, or products of wide types only), or by halves, so that the number of devices does
# not matter.
Precision = Literal["default", "high", "products", "sequential", "pairwise"]
PRECISIONS: tuple[Precision, ...] = ("default", "high", "products", "sequential", "pairwise")
# The evaluation of a program: by the tiers that its blocks choose, or entirely by the reference.
TierName = Literal["default", "reference"]
TIERS: tuple[TierName, ...] = ("default", "reference")
_ONE_PROCESS = "backend xla runs a single process, not a grid"


class Runs:
    """The plans and executables of one module, made on first use.

    Values are operands of kernels: NumPy arrays that fit the function's types, and tuples of values.
    """

    def __init__(
        self,
        module: ir.Module,
        filename: str,
        calling: Calling | None,
        backend: Backend,
        thresholds: Thresholds,
    ) -> None:
        self.backend: Backend = backend
        self._module = module
        self._filename = filename
        self._calling = calling
        self._thresholds = thresholds
        self._planner = self._new_planner()
        # Of other precisions, made on first use.
        self._planners: dict[Precision, Planner] = {}
        self._static: StaticPrograms | None = None
        self._settled: dict[str, Callable[..., Any] | None] = {}
        self._executables: dict[str, Executable] = {}

    def forget(self) -> None:
        """Drop all plans: plans refer to their planner, and would live until the next garbage collection."""
        self._settled.clear()
        for planner in (self._planner, *self._planners.values()):
            planner.forget()
        if self._static is not None:
            self._static.forget()

    def block(self, function: str) -> Block:
        """The block that evaluates unobserved runs of a function."""
        return self._planner.function(function)

    def types(self, function: str) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]] | None:
        """Input and output types of a function; None if there is no such function."""
        types = self._planner.signature(function)
        if types is None and (operation := queries.functions(self._module).get(function)) is not None:
            types = queries.signature(operation)
        return types

    def signature(self, function: str) -> Signature | None:
        """The signature of a function; None if there is no such function."""
        types = self.types(function)
        if types is None:
            return None
        if not types[0] or str(types[0][0]) != "tensor<i32>":
            return Signature(function, *types)
        from hlokit.mlir.platforms import takes_platform  # few functions may

        return Signature(function, *types, takes_platform(queries.functions(self._module)[function]))

    def settled(self, function: str) -> Callable[..., Any] | None:
        """Evaluates a function as `evaluate` without options does, in a fraction of its time.

        It takes values that fit the function's types, and returns a tuple, or the value if there is one. None
        for a function that later runs compile further, that calls others, that returns tuples, or in a module
        that runs users' code or communicates, for which the context of its caller matters.
        """
        block = self._planner.function(function)
        if block.is_settled and function not in self._settled:
            is_alone = (
                self.backend == "numpy"
                and not self._planner.is_dynamic
                and not any(isinstance(type_, TupleType) for type_ in block.output_types)
                # Of the module: blocks in loops of earlier processes need no plans for that.
                and not any(map(holds_operands, self._planner.operation_names))
            )
            self._settled[function] = settled(block) if is_alone else None
        return self._settled.get(function)

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
        """Evaluate a function in one process.

        Raises:
          ArgumentError: there is no such precision or tier.
          EvaluationError: the program fails at run time.
          UnsupportedError: the program reaches an operation or type that hlokit does not evaluate, or
            backend, tier, precision and observers cannot be combined.
          VerificationError: the evaluation fails because the program violates the specification.
        """
        is_default = observer is None is context and precision == "default" == tier
        if is_default and (direct := self._settled.get(function)) is not None:
            try:
                results = direct(*values)
            except InternalError:
                self._require_valid()
                raise
            return cast("tuple[Value, ...]", results if isinstance(results, tuple) else (results,))
        if tier not in TIERS:
            raise ArgumentError(f"tier must be {' or '.join(TIERS)}, got {tier}")
        _check_precision(precision)
        one = _one_observer(observer)
        if tier == "reference":
            if precision != "default" or self.backend != "numpy":
                raise UnsupportedError("the reference has no other precision or backend")
            return self._reference(values, function, one, context or run_context.RunContext())
        if self.backend == "xla":
            if precision != "default":
                raise UnsupportedError(f"backend xla has no precision {precision}")
            if one is not None:
                raise UnsupportedError("backend xla runs a program as a whole: it has no steps to observe")
            return self._compiled(values, function)
        planner = self._planner_for(observer, precision)
        is_plain = planner is self._planner and function == "main"
        if is_plain and self._static is not None:
            planner = self._static.planner(values) or planner
        results = self._run(planner.function(function), values, context or run_context.RunContext())
        if is_plain and planner is self._planner and planner.is_dynamic:
            self._static_programs().count(values)
        if is_default:
            self.settled(function)  # for the next call
        return results

    def evaluate_variant(
        self,
        values: Sequence[Value],
        function: str,
        variant: Variant,
        context: run_context.RunContext,
    ) -> tuple[Value, ...]:
        """Evaluate a function of a variant of the program, once, in one process."""
        planner = self.planner(variant=variant)
        try:
            return self._run(planner.function(function), values, context)
        finally:
            planner.forget()

    def timed(
        self, function: str, observer: Observer, planned: Callable[[Plan], Plan]
    ) -> Callable[[Sequence[Value]], object]:
        """A function that evaluates as unobserved runs do, from the first run on. It calls an observer before
        and after each step that is left after all rewrites.

        Args:
          planned: called with each plan before its rewrites; returns the plan.
        """
        planner = self._new_planner(timed_by(observer, planned, self._thresholds))

        return lambda values: self._run(planner.function(function), values, run_context.RunContext())

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
        """Evaluate a function on every process of a grid.

        Args:
          values: for each process its arguments; processes in order of replica, then partition.
          grid: (num_replicas, num_partitions).
          infeed: for each process the entries of its infeed.

        Raises:
          ArgumentError, EvaluationError, UnsupportedError: as `evaluate`.
        """
        # Imports are inside functions because few programs need these modules.
        from hlokit.engine.contract.process import ProcessRun
        from hlokit.engine.grid.threads import run_processes

        _check_precision(precision)
        if self.backend == "xla":
            raise UnsupportedError(_ONE_PROCESS)
        block = self._planner_for(observer, precision).function(function)
        feeds = infeed or [()] * len(values)
        runs = [ProcessRun(block, *inputs) for inputs in zip(values, feeds, strict=True)]
        with run_context.use(context or run_context.RunContext()):
            try:
                evaluated = guarded(run_processes, *grid, runs)
            except InternalError:
                self._require_valid()
                raise
        save_compiled(block)
        return [(returned,) for returned in evaluated] if len(block.plan.outputs) == 1 else evaluated

    def _run(
        self, block: Block, values: Sequence[Value], context: run_context.RunContext
    ) -> tuple[Value, ...]:
        with run_context.use(context):
            try:
                results = evaluate(block, values)
            except InternalError:
                self._require_valid()
                raise
        if context.process is not None:
            context.process.require_all_received()
        return results

    def _require_valid(self) -> None:
        """Blame the program if it violates a rule of the specification that the bindings do not enforce."""
        from hlokit.constraints.strict import require_valid  # few runs fail

        require_valid(self._module, self._filename)

    def _reference(
        self,
        values: Sequence[Value],
        function: str,
        observer: Observer | None,
        context: run_context.RunContext,
    ) -> tuple[Value, ...]:
        from hlokit.reference.arrays import run_on_arrays
        from hlokit.reference.model.execution import Execution

        if queries.needed_grid(self._module, self._filename) != (1, 1):
            raise UnsupportedError("the reference tier runs one process; see reference.evaluate_parallel")
        execution = Execution(write=context.write)
        try:
            return run_on_arrays(
                self._module,
                function,
                values,
                execution=execution,
                filename=self._filename,
                observer=observer,
            )
        except InternalError:
            self._require_valid()
            raise
        finally:
            context.checks += execution.checks

    def _compiled(self, values: Sequence[Value], function: str) -> tuple[Value, ...]:
        from hlokit.mlir.xla import Executable

        executable = self._executables.get(function)
        if executable is None:
            if queries.needed_grid(self._module, self._filename) != (1, 1):
                raise UnsupportedError(_ONE_PROCESS)
            executable = self._executables[function] = Executable(self._module, function)
        results = tuple(executable.run(executable.put(values)))
        types = self.types(function)
        assert types is not None
        for index, (result, type_) in enumerate(zip(results, types[1], strict=True)):
            assert isinstance(type_, TensorType), "an executable returns tensors"
            if (result.dtype, result.shape) != (type_.element_type.dtype, type_.dims):
                returned = TensorType(result.shape, element_type_of(result.dtype))
                raise EvaluationError(f"XLA returned {returned} as result {index}, the program says {type_}")
        return results

    def _planner_for(self, observer: Observer | Sequence[Observer] | None, precision: Precision) -> Planner:
        """The planner of a run. An observed run has its own plans, and leaves none behind."""
        one = _one_observer(observer)
        if one is not None:
            return self._new_planner(observed_by(one), precision)
        if precision == "default":
            return self._planner
        if precision not in self._planners:
            self._planners[precision] = self._new_planner(None, precision)
        return self._planners[precision]

    def _static_programs(self) -> StaticPrograms:
        if self._static is None:
            from hlokit.programs.calls.sizes import StaticPrograms  # few programs have unknown sizes

            types = self.types("main")
            assert types is not None
            self._static = StaticPrograms(
                self._module, types[0], lambda module: Planner(module, self._settings())
            )
        return self._static

    def planner(self, tiers: Tiers | None = None, variant: Variant | None = None) -> Planner:
        """A new planner: with other tiers, or of a variant of the program."""
        settings = self._settings(tiers)
        return Planner(self._module, settings if variant is None else settings._replace(variant=variant))

    def _new_planner(self, tiers: Tiers | None = None, precision: Precision = "default") -> Planner:
        return Planner(self._module, self._settings(tiers, precision))

    def _settings(self, tiers: Tiers | None = None, precision: Precision = "default") -> Settings:
        settings = Settings(
            tiers=tiers,
            is_precise=precision == "high",
            filename=self._filename,
            thresholds=self._thresholds,
            callbacks=() if self._calling is None else tuple(self._calling.callbacks),
        )
        if precision not in ("default", "high"):
            from hlokit.tools.numerics.sequential import VARIANTS  # few runs need it

            settings = settings._replace(variant=VARIANTS[precision])
        return settings


def _check_precision(precision: str) -> None:
    if precision not in PRECISIONS:
        raise ArgumentError(f"precision must be one of {', '.join(PRECISIONS)}, got {precision}")


def _one_observer(observer: Observer | Sequence[Observer] | None) -> Observer | None:
    if observer is None:
        return None
    from hlokit.engine.observe.observers import as_observer

    return as_observer(observer)
