"""`--mlir-print-ir-...`: the program before and after passes of `stablehlo-opt`."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlokit.cli.frame.flags import Flag, Values
from hlokit.mlir.printing import Style, print_module

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

FLAGS = (
    Flag("mlir-print-ir-before-all", "print the program to the standard error before each pass"),
    Flag("mlir-print-ir-after-all", "print the program to the standard error after each pass"),
    Flag("mlir-print-ir-before", "print it before these passes", "PASSES", repeatable=True),
    Flag("mlir-print-ir-after", "print it after these passes", "PASSES", repeatable=True),
    Flag("mlir-print-ir-after-change", "print it after passes only if they changed it"),
    Flag("mlir-print-ir-after-failure", "print it only after a pass that failed"),
    Flag("mlir-print-ir-module-scope", "accepted: the whole program is printed anyway"),
)


class Dumps:
    """Prints the program before and after passes, as the command line requests."""

    def __init__(self, values: Values, style: Style) -> None:
        self._style = style
        self._before = _Selection(values.mlir_print_ir_before_all, values.mlir_print_ir_before)
        self._after = _Selection(values.mlir_print_ir_after_all, values.mlir_print_ir_after)
        self._of_changes: bool = values.mlir_print_ir_after_change
        self._of_failures: bool = values.mlir_print_ir_after_failure
        self._previous = ""

    def before(self, stage: str, module: ir.Module) -> None:
        if self._before.has(stage):
            _write(f"Before {stage}", self._text(module))
        if self._of_changes and self._after.has(stage):
            self._previous = self._text(module)

    def after(self, stage: str, module: ir.Module) -> None:
        if self._of_failures or not self._after.has(stage):
            return
        text = self._text(module)
        if not self._of_changes or text != self._previous:
            _write(f"After {stage}", text)

    def failed(self, stage: str, module: ir.Module) -> None:
        if self._of_failures or self._after.has(stage):
            _write(f"After {stage} Failed", self._text(module))

    def _text(self, module: ir.Module) -> str:
        return print_module(module, self._style)


class _Selection:
    """The stages that a flag selects: all stages, or stages with a pass that the flag names."""

    def __init__(self, is_all: bool, texts: Sequence[str]) -> None:
        passes = [name for text in texts for name in text.split(",") if name]
        either = "|".join(map(re.escape, passes))
        self._pattern = re.compile(rf"(?<![\w-])({either})(?![\w-])" if passes else r"(?!)")
        self._is_all = is_all

    def has(self, stage: str) -> bool:
        return self._is_all or self._pattern.search(stage) is not None


def _write(when: str, text: str) -> None:
    sys.stderr.write(f"// -----// IR Dump {when} //----- //\n{text}\n")
