"""State vectors of complex<f32>: circuits of qujax."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import qujax

from benchmarks.libraries.registry import Traced, export


def _ansatz(qubits: int, layers: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Gates, their qubits, and the indices of their parameters."""
    gates: list[Any] = []
    places: list[list[int]] = []
    parameters: list[list[int]] = []
    for _ in range(layers):
        for name in ("Ry", "Rz"):
            for qubit in range(qubits):
                gates.append(name)
                places.append([qubit])
                parameters.append([sum(map(len, parameters))])
        for qubit in range(qubits - 1):
            gates.append("CX")
            places.append([qubit, qubit + 1])
            parameters.append([])
    return gates, places, parameters


def _energy(qubits: int, layers: int) -> tuple[Any, int]:
    ansatz = _ansatz(qubits, layers)
    circuit = qujax.get_params_to_statetensor_func(*ansatz)
    pairs = [[i, i + 1] for i in range(qubits - 1)]
    names = [["Z", "Z"]] * len(pairs) + [["X"]] * qubits
    measured = qujax.get_statetensor_to_expectation_func(
        names, [*pairs, *([i] for i in range(qubits))], jnp.ones(len(names))
    )
    return lambda angles: measured(circuit(angles)), sum(map(len, ansatz[2]))


@export("quantum/circuit", "qujax", "energy of 8 qubits after 3 layers of rotations and CX")
def circuit() -> Traced:
    energy, count = _energy(8, 3)
    return energy, (np.random.default_rng(0).uniform(0, 2, count).astype(np.float32),)


@export("quantum/gradient", "qujax", "gradient of the energy of 6 qubits, 10 steps of descent")
def gradient() -> Traced:
    energy, count = _energy(6, 2)

    def descend(angles: Any) -> Any:
        def step(angles: Any, _: Any) -> Any:
            value, slope = jax.value_and_grad(energy)(angles)
            return angles - 0.05 * slope, value

        return jax.lax.scan(step, angles, None, length=10)

    return descend, (np.random.default_rng(1).uniform(0, 2, count).astype(np.float32),)
