"""The page reference/passes.md: the passes of hlokit, from their table."""

from __future__ import annotations

from hlokit.passes.framework.registry import Pass
from hlokit.passes.table import PASSES

HEAD = """# Passes

The passes that hlokit adds to those of jaxlib's MLIR bindings. `stablehlo-opt` has a flag for every pass of both kinds
(`stablehlo-opt --list-passes`). A pipeline may combine all passes; nested anchors and options work as in the MLIR tools:

    stablehlo-opt --stablehlo-aggressive-folder=fold-op-element-limit=100 --cse model.mlir
    stablehlo-opt --pass-pipeline='builtin.module(inline,func.func(stablehlo-aggressive-simplification))' model.mlir
"""

TAIL = """
## Implementation

A pass is a function that changes one operation in place. Each pass has a `Pass` in its own file under
`python/hlokit/passes/`, and a line in `python/hlokit/passes/__init__.py`. Rewriting passes use patterns with MLIR's
greedy driver (`python/hlokit/passes/framework/rewriting.py`), which also folds constants and removes dead code. A pass
that fails raises `PassError` with the position of the operation. `python/hlokit/passes/pipeline.py` runs pipelines and
verifies the module after each pass.

- The folder uses the interpreter: it plans and evaluates an operation with constant operands like any other, so folding
  gives exactly the results of a run. The folder skips operations that are random, have side effects, or would fail.
- The simplifier has a file for each family of patterns. For floats, the simplifier omits identities that would change
  NaN, infinities or the sign of a zero, unless upstream's pass of the same name applies them deliberately; each such
  pattern states this.
- `hlo-test-infer` takes types from the bindings. The bindings do not provide shapes at run time;
  `python/hlokit/passes/rules/shapes.py`, which the cards of operations name, computes them.
"""


def page() -> str:
    """The text of the page."""
    return HEAD + "".join(_section(PASSES[name]) for name in sorted(PASSES)) + TAIL


def _section(entry: Pass) -> str:
    where = "each function" if entry.anchor == "func.func" else "the module"
    text = f"\n## {entry.name}\n\nRuns on {where}: {entry.summary}.\n"
    if entry.options:
        rows = "".join(
            f"| `{option.name}` | {f'`{option.default}`' if option.default else ''} | {option.help} |\n"
            for option in entry.options
        )
        text += f"\n| option | default | meaning |\n|---|---|---|\n{rows}"
    return text
