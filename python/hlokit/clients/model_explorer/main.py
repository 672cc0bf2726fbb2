"""The adapter that Model Explorer loads. No other module imports this file."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hlokit.clients.model_explorer import graphs
from hlokit.programs.loading import load

explorer: Any = import_module("model_explorer")


class HlokitAdapter(explorer.Adapter):
    """StableHLO and VHLO programs, nested by source scope and region."""

    metadata = explorer.AdapterMetadata(
        id="hlokit",
        name="hlokit: StableHLO and VHLO",
        description="MLIR, portable artifacts, jax.export blobs; nested by source scope and region",
        source_repo="",
        fileExts=["mlir", "mlirbc", "vhlo", "jaxexport"],
    )

    def convert(self, model_path: str, settings: dict[str, Any]) -> Any:
        """The graphs of a file."""
        del settings
        return {"graphs": [_graph(graph) for graph in graphs(load(model_path))]}


def _graph(graph: dict[str, Any]) -> Any:
    builder = explorer.graph_builder
    nodes = [
        builder.GraphNode(
            **{
                **node,
                "attrs": [builder.KeyValue(**pair) for pair in node["attrs"]],
                "incomingEdges": [builder.IncomingEdge(**edge) for edge in node["incomingEdges"]],
                "outputsMetadata": [
                    builder.MetadataItem(
                        id=item["id"], attrs=[builder.KeyValue(**pair) for pair in item["attrs"]]
                    )
                    for item in node["outputsMetadata"]
                ],
            }
        )
        for node in graph["nodes"]
    ]
    return builder.Graph(id=graph["id"], nodes=nodes)
