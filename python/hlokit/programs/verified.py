"""`VerifiedModule`: the functions of a program, its process grid, its text and its portable artifact."""

from __future__ import annotations

from hlokit.errors import Diagnostics, for_callers
from hlokit.mlir.parse import verify_module
from hlokit.mlir.provider.bindings import import_classes, ir
from hlokit.mlir.provider.context import CONTEXTS
from hlokit.mlir.queries import module as queries


class VerifiedModule:
    """A verified StableHLO module: the parts of a program that no run changes.

    Args:
      source: the text that the module was parsed from; "" for other modules.
    """

    def __init__(self, module: ir.Module, filename: str = "-", source: str = "") -> None:
        self._module = module
        self._filename = filename
        self._source = source
        self._parameter_names: dict[str | None, tuple[str | None, ...]] = {}

    @property
    def stated_grid(self) -> tuple[int, int] | None:
        """The module's attributes `mhlo.num_replicas` and `mhlo.num_partitions`, None without them."""
        return queries.process_grid(self._module, self._filename)

    @property
    @for_callers
    def grid(self) -> tuple[int, int]:
        """The process grid that the program is written for: (num_replicas, num_partitions).

        The grid is `stated_grid` if an operation of the program depends on processes. Other programs, and
        programs that create a grid themselves, are for one process.
        """
        return queries.needed_grid(self._module, self._filename)

    @property
    def source(self) -> str:
        """The text that the program was read from; "" if it was no text."""
        return self._source

    @property
    def is_text(self) -> bool:
        """Whether the program was read from MLIR text, so that its locations name lines of that text."""
        return bool(self._source)

    @property
    def makes_grid(self) -> bool:
        """Whether the program creates process grids itself, for parts of a run."""
        return queries.makes_grids(self._module)

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions, in program order."""
        return tuple(queries.functions(self._module))

    @for_callers
    def entry(self, function: str | None = None) -> str:
        """The name of the function that a call evaluates.

        Raises:
          ArgumentError: there is no such function.
        """
        return queries.entry_name(self.functions, function)

    @for_callers
    def parameter_names(self, function: str | None = None) -> tuple[str | None, ...]:
        """Names of a function's parameters; None for parameters without a name.

        JAX's names are paths in its pytrees: `params['w']`. In MLIR text, `%x` has the name `x`.

        Raises:
          ArgumentError: there is no such function.
        """
        names = self._parameter_names.get(function)
        if names is None:
            operation = queries.functions(self._module)[self.entry(function)]
            names = self._parameter_names[function] = queries.parameter_names(operation, self._source)
        return names

    @for_callers
    def verify(self) -> Diagnostics:
        """Verify the module again; [] if it is valid, as every loaded module is."""
        return Diagnostics(verify_module(self._module, self._filename))

    @for_callers
    def text(self, *, debug_info: bool = False, elide_larger_than: int | None = None) -> str:
        """The module as MLIR text.

        Args:
          debug_info: print locations.
          elide_larger_than: print constants of more elements as `dense_resource<__elided__>`.
        """
        from hlokit.mlir.printing import Style, print_module

        return print_module(self._module, Style(debug_info=debug_info, largest_elements=elide_larger_than))

    @for_callers
    def serialize(
        self, target: str = "current", *, allow_other_dialects: bool = False, strip_debug_info: bool = False
    ) -> bytes:
        """The program as a portable artifact.

        Args:
          target: the StableHLO version of its readers, `X.Y.Z`; or `current`, the newest; `WEEK_4` or
            `WEEK_12`, the version of 4 or 12 weeks ago; `MAX`, the oldest version; `min`, the oldest version
            that can hold this program.
          allow_other_dialects: accept operations of other dialects, whose compatibility no version
            guarantees.
          strip_debug_info: leave out locations.

        Raises:
          VersionError: there is no such target, or the target cannot hold the program. The message names the
            operations, types and attributes that the target lacks, and a target that can hold the program.
        """
        from hlokit.compat.serialize import serialize

        return serialize(
            self._module,
            target,
            allow_other_dialects=allow_other_dialects,
            strip_debug_info=strip_debug_info,
            filename=self._filename,
        )

    @property
    def filename(self) -> str:
        """The name of the program's file in locations and messages; `-` without a file."""
        return self._filename

    @property
    def module(self) -> ir.Module:
        """The MLIR module, for use with the bindings."""
        import_classes()
        CONTEXTS.withhold(self._module.context)
        return self._module
