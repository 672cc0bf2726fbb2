"""Write docs/passes.md: the passes of hlokit, from their table.

python docs/make_passes.py
"""

from __future__ import annotations

from pathlib import Path

from hlokit.passes import PASSES
from hlokit.passes.registry import Pass

PAGE = Path(__file__).parent / "passes.md"

HEAD = """# Passes

`stablehlo-opt` has a flag for every pass of the MLIR bindings (`stablehlo-opt --list-passes`), and for those below, which
the bindings lack and hlokit adds. All of them may stand in one pipeline; nested anchors and options work as in
the MLIR tools:

    stablehlo-opt --stablehlo-aggressive-folder=fold-op-element-limit=100 --cse model.mlir
    stablehlo-opt --pass-pipeline='builtin.module(inline,func.func(stablehlo-aggressive-simplification))' model.mlir

This page is generated: `python docs/make_passes.py`.
"""

TAIL = """
## How they are made

A pass is a function that changes one operation in place, a `Pass` in a file of its own under `python/hlokit/passes/`, and a
line in `python/hlokit/passes/__init__.py`. Rewriting passes give patterns to MLIR's own greedy driver
(`python/hlokit/passes/rewriting.py`), which also folds constants, and drops what nothing uses. What a pass cannot do raises
`PassError` with the position of the operation. `python/hlokit/passes/pipeline.py` runs pipelines and verifies after each pass.

- The folder asks the interpreter: an operation whose operands are constants is planned and evaluated like any other, so
  folding computes what running would. It leaves what is random, has side effects, or would trap.
- The simplifier has a file for each family of patterns. Identities that would change NaN, infinities or the sign
  of a zero are left out for floats, unless upstream's pass of the same name has them on purpose; each such pattern says so.
- `hlo-test-infer` asks the bindings for types. Shapes at run time, which the bindings do not give, come from
  `python/hlokit/passes/reify.py`, a table by operation.
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


if __name__ == "__main__":
    PAGE.write_text(page())
