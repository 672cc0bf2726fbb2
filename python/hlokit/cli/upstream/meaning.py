"""`--check-meaning`: whether each pass of `stablehlo-opt` keeps the meaning of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hlokit.cli.frame.flags import Flag
from hlokit.errors import ArgumentError, Diagnostic, HlokitError, PassError
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

CHECK_MEANING = Flag(
    "check-meaning",
    "fail after a pass that changes what the program means over exact arithmetic, with the arguments of an "
    ".npz file (default: random ones; docs/equal.md)",
    "FILE",
    default="",
)


class MeaningCheck:
    """Compares a program before and after each pass.

    Args:
      path: a file of arguments; "" for examples.
      text: the text of the program, which has the names of the parameters; "" if it is no text.
    """

    def __init__(self, path: str, filename: str, text: str = "") -> None:
        self._path, self._filename, self._text = path, filename, text
        self._before: Program | None = None

    def start(self, module: ir.Module) -> None:
        """Begin with the program before the first pass.

        Raises:
          ArgumentError: the file of arguments cannot be read, or does not fit the program.
        """
        self._before = self._program(module)
        if self._before is not None and self._path:
            for function in _compared(self._before, self._before)[:1]:
                self._before.signature(function).values(self._arguments(self._before, function))

    def after(self, stage: str, module: ir.Module, tell: Callable[[Diagnostic], None]) -> None:
        """Compare the program with that before a pass.

        Args:
          tell: receives a warning if the programs cannot be compared.

        Raises:
          PassError: the pass has changed the meaning.
        """
        before, self._before = self._before, self._program(module)
        if before is None or self._before is None:
            self._warn(stage, "the program does not run", tell)
            return
        for function in _compared(before, self._before):
            self._compare(stage, function, (before, self._before), tell)

    def _compare(
        self,
        stage: str,
        function: str,
        programs: tuple[Program, Program],
        tell: Callable[[Diagnostic], None],
    ) -> None:
        from hlokit.tools.equal.comparing import equal

        try:
            verdict = equal(*programs, *self._arguments(programs[0], function), function=function)
        except HlokitError as error:
            self._warn(stage, str(error).partition("\n")[0], tell)
            return
        if verdict.status == "differs":
            message = f"{stage} must keep the meaning of @{function}, got {verdict}"
            raise PassError((Diagnostic("error", message, self._filename),))
        if not verdict.is_equal:
            self._warn(stage, str(verdict), tell)

    def _arguments(self, program: Program, function: str) -> Sequence[Any]:
        if not self._path:
            return []
        from hlokit.cli.streams.programs import arguments_of  # which most runs of stablehlo-opt do not need

        return arguments_of(program, function, [self._path])

    def _warn(self, stage: str, reason: str, tell: Callable[[Diagnostic], None]) -> None:
        tell(Diagnostic("warning", f"{stage}: the meaning was not compared: {reason}", self._filename))

    def _program(self, module: ir.Module) -> Program | None:
        """A copy of a module as a program; None if it does not run, such as one of VHLO."""
        try:
            copy = parse_bytecode(None, write_bytecode(module), self._filename)
            return Program(copy, self._filename, source=self._text)
        except HlokitError:
            return None


def _compared(before: Program, after: Program) -> list[str]:
    """The functions to compare: the entry function, or all that both programs have."""
    common = [name for name in before.functions if name in after.functions]
    try:
        entry = before.entry()
    except ArgumentError:
        return common
    return [entry] if entry in common else common
