"""An extension of Model Explorer: `model-explorer --extensions=hlokit.clients.model_explorer model.mlirbc`.

Model Explorer (`ai-edge-model-explorer`, the extra `explorer`) imports `main.py`, whose adapter reads all
inputs of `hlokit.load`: MLIR text and bytecode, portable artifacts, `jax.export` blobs. Node data of a run:
`hlokit view FILE ARGUMENT... --format=node-data -o time.json`, or `node_data` here.
"""

from __future__ import annotations

from typing import Any

from hlokit.programs.program import Program
from hlokit.tools.tracing.run_trace import RunTrace
from hlokit.tools.view import model_explorer
from hlokit.tools.view.overlay import run_overlay


def graphs(program: Program) -> list[dict[str, Any]]:
    """The graphs of a program, one per function, in Model Explorer's JSON format."""
    return model_explorer.graphs(program.listing)


def node_data(trace: RunTrace, measure: str = "time (us)") -> dict[str, Any]:
    """The data of a run for each node, in the format of node data files.

    Args:
      measure: `time (us)`, `bytes`, `NaN` or `runs`.
    """
    return model_explorer.node_data(trace.listing, run_overlay(trace), measure)
