"""Graph networks (jraph) and equivariant networks (e3nn)."""

from __future__ import annotations

from typing import Any

import e3nn_jax as e3nn
import jax
import jax.numpy as jnp
import jraph
import numpy as np

from benchmarks.libraries.registry import Traced, export


def _graph(nodes: int, edges: int, features: int) -> jraph.GraphsTuple:
    generator = np.random.default_rng(0)
    return jraph.GraphsTuple(
        nodes=generator.normal(size=(nodes, features)).astype(np.float32),
        edges=generator.normal(size=(edges, 4)).astype(np.float32),
        senders=generator.integers(0, nodes, edges).astype(np.int32),
        receivers=generator.integers(0, nodes, edges).astype(np.int32),
        n_node=np.array([nodes // 2, nodes - nodes // 2], np.int32),
        n_edge=np.array([edges // 2, edges - edges // 2], np.int32),
        globals=np.zeros((2, 3), np.float32),
    )


def _weights(*shapes: tuple[int, int]) -> list[Any]:
    generator = np.random.default_rng(1)
    return [(generator.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32) for shape in shapes]


@export("graphs/network", "jraph", "graph network of 3 rounds, gradients, 60 nodes and 200 edges")
def network() -> Traced:
    def layer(first: Any, second: Any) -> Any:
        return jax.nn.relu(jnp.concatenate(second, -1) @ first)

    def predict(weights: Any, graph: Any) -> Any:
        for start in range(0, 9, 3):
            edge, node, whole = weights[start : start + 3]
            graph = jraph.GraphNetwork(
                update_edge_fn=lambda *given, w=edge: layer(w, given),
                update_node_fn=lambda *given, w=node: layer(w, given),
                update_global_fn=lambda *given, w=whole: layer(w, given),
            )(graph)
        return jnp.sum(graph.globals**2)

    shapes: list[tuple[int, int]] = []
    node, edge, whole = 8, 4, 3
    for _ in range(3):
        shapes += [(edge + 2 * node + whole, 16), (node + 2 * 16 + whole, 16), (16 + 16 + whole, 8)]
        node, edge, whole = 16, 16, 8
    return jax.value_and_grad(predict), (_weights(*shapes), _graph(60, 200, 8))


@export("graphs/attention", "jraph", "graph attention and convolution, 100 nodes and 400 edges")
def attention() -> Traced:
    def run(weights: Any, graph: Any) -> Any:
        def logits(sent: Any, received: Any, _: Any) -> Any:
            return jax.nn.leaky_relu(jnp.concatenate([sent, received], -1) @ weights[1])

        attended = jraph.GAT(lambda nodes: nodes @ weights[0], logits)(graph._replace(edges=None))
        convolved = jraph.GraphConvolution(lambda nodes: nodes @ weights[2], add_self_edges=True)
        return convolved(attended._replace(nodes=jax.nn.relu(attended.nodes))).nodes

    return run, (_weights((8, 16), (32, 1), (16, 4)), _graph(100, 400, 8))


@export(
    "graphs/equivariant", "e3nn-jax", "equivariant convolution up to degree 2, energy and forces of 12 atoms"
)
def equivariant() -> Traced:
    atoms = 12
    generator = np.random.default_rng(2)
    positions = generator.normal(size=(atoms, 3)).astype(np.float32) * 1.5
    senders, receivers = (index.astype(np.int32) for index in np.nonzero(~np.eye(atoms, dtype=bool)))
    hidden = e3nn.Irreps("4x0e + 4x1o + 2x2e")

    def energy(positions: Any, weights: Any) -> Any:
        vectors = positions[receivers] - positions[senders]
        harmonics = e3nn.spherical_harmonics("0e + 1o + 2e", vectors, normalize=True)
        radial = e3nn.bessel(jnp.linalg.norm(vectors, axis=-1), 6, 5.0) @ weights[0]
        nodes = e3nn.IrrepsArray(hidden, jnp.tile(weights[1], (atoms, 1)))
        for mix in weights[2:]:
            messages = e3nn.tensor_product(nodes[senders], harmonics, filter_ir_out=hidden)
            messages = messages * (radial @ mix)[:, :1]
            gathered = e3nn.scatter_sum(messages, dst=receivers, output_size=atoms) / np.sqrt(atoms)
            gathered = gathered.regroup()
            kept = [
                (mul_ir, chunk[:, : mul_ir.mul] if (chunk := part) is not None else None)
                for mul_ir, part in zip(gathered.irreps, gathered.chunks, strict=True)
            ]
            scalars = kept[0][1][..., 0] if kept[0][1] is not None else 0.0
            parts = [
                nodes.chunks[i]
                + 0.3 * chunk[:, : nodes.irreps[i].mul] * jnp.mean(jnp.tanh(scalars), -1)[:, None, None]
                for i, (_, chunk) in enumerate(kept[: len(nodes.irreps)])
            ]
            nodes = e3nn.from_chunks(hidden, parts, (atoms,), jnp.float32)
        return jnp.sum(e3nn.norm(nodes, squared=True).array)

    weights = [
        *_weights((6, 8)),
        generator.normal(size=hidden.dim).astype(np.float32),
        *_weights((8, 4), (8, 4)),
    ]
    return jax.value_and_grad(energy), (positions, weights)


@export("graphs/wigner", "e3nn-jax", "Wigner matrices and rotated features of 64 rotations")
def wigner() -> Traced:
    irreps = e3nn.Irreps("2x0e + 2x1o + 1x2e + 1x3o")

    def run(angles: Any, features: Any) -> Any:
        def rotated(angle: Any, feature: Any) -> Any:
            array = e3nn.IrrepsArray(irreps, feature)
            turned = array.transform_by_angles(angle[0], angle[1], angle[2])
            return e3nn.tensor_product(turned, turned, filter_ir_out=["0e", "1o"]).array

        return jax.vmap(rotated)(angles, features)

    generator = np.random.default_rng(4)
    return run, (
        generator.uniform(0, 3, (64, 3)).astype(np.float32),
        generator.normal(size=(64, irreps.dim)).astype(np.float32),
    )
