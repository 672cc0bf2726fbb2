"""`stablehlo-aggressive-folder`: operations whose operands are constants become constants.

The interpreter evaluates the operations, so the pass folds every supported operation without side effects, to
the results of a run. `operations` selects the operations; `evaluation` folds them; `branches`, `reductions`
and `shapes` are patterns for results that are known without evaluation; `constants` reads and builds
constants.
"""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.passes.folding import branches, reductions, shapes
from hlokit.passes.folding.evaluation import Evaluation
from hlokit.passes.folding.operations import foldable_operations
from hlokit.passes.framework.registry import Option, Options, Pass
from hlokit.passes.framework.rewriting import Pattern, apply_patterns

OPTIONS = (
    Option(
        "assume-no-undeclared-side-effects",
        "drop loops that never run although they contain operations that declare neither the presence "
        "nor the absence of side effects, such as calls",
        "false",
    ),
    Option(
        "fold-op-element-limit",
        "the largest number of elements in results that are folded into constants; no limit applies if all "
        "elements are the same, or if the results take no more memory than the constants that they replace",
        "65536",
    ),
    Option(
        "optimize-float",
        "also fold operations on floats, which other implementations may round differently",
        "true",
    ),
)


def folder_patterns(options: Options, benefit: int = 1) -> list[tuple[str, Pattern, int]]:
    """The patterns: name of the root operation, pattern, benefit."""
    limit = options.number("fold-op-element-limit")
    evaluation = Evaluation(None if limit < 0 else limit, options.switch("optimize-float"))
    patterns = [
        *branches.patterns(evaluation, options.switch("assume-no-undeclared-side-effects")),
        *reductions.PATTERNS,
        *shapes.PATTERNS,
    ]
    return [
        *((name, pattern, benefit) for name, pattern in patterns),
        *((name, evaluation.fold, benefit) for name in foldable_operations()),
    ]


def _run(function: ir.Operation, options: Options) -> None:
    apply_patterns(function, folder_patterns(options))


PASS = Pass(
    "stablehlo-aggressive-folder",
    "fold operations whose operands are constants, evaluated by hlokit's interpreter",
    _run,
    anchor="func.func",
    options=OPTIONS,
)
