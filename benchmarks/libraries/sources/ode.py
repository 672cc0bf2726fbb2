"""Differential equations: adaptive, implicit and stochastic solvers, and gradients through them (diffrax)."""

from __future__ import annotations

from typing import Any

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import optimistix

from benchmarks.libraries.registry import Traced, export


@export("ode/tsit5", "diffrax", "Lotka-Volterra, Tsit5 with adaptive steps")
def tsit5() -> Traced:
    def field(_: Any, y: Any, rates: Any) -> Any:
        prey, predators = y
        a, b, c, d = rates
        return a * prey - b * prey * predators, d * prey * predators - c * predators

    def solve(start: Any, rates: Any) -> Any:
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Tsit5(), 0.0, 30.0, 0.1, start, rates,
            stepsize_controller=diffrax.PIDController(rtol=1e-5, atol=1e-6),
            saveat=diffrax.SaveAt(ts=jnp.linspace(0.0, 30.0, 50)),
        )  # fmt: skip
        return solution.ys

    return solve, ((np.float32(10.0), np.float32(10.0)), np.array([0.1, 0.02, 0.4, 0.02], np.float32))


@export("ode/kvaerno5", "diffrax", "Robertson's reactions, Kvaerno5 with Newton's method")
def kvaerno5() -> Traced:
    def field(_: Any, y: Any, rates: Any) -> Any:
        k1, k2, k3 = rates
        f0 = -k1 * y[0] + k3 * y[1] * y[2]
        f1 = k1 * y[0] - k2 * y[1] ** 2 - k3 * y[1] * y[2]
        return jnp.stack([f0, f1, k2 * y[1] ** 2])

    def solve(start: Any, rates: Any) -> Any:
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Kvaerno5(), 0.0, 100.0, 2e-4, start, rates,
            stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-6),
            saveat=diffrax.SaveAt(ts=jnp.array([0.0, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0])),
        )  # fmt: skip
        return solution.ys

    return solve, (np.array([1.0, 0.0, 0.0], np.float32), np.array([0.04, 3e7, 1e4], np.float32))


class _Field(eqx.Module):
    network: eqx.nn.MLP

    def __call__(self, _: Any, y: Any, __: Any) -> Any:
        return self.network(y)


@export("ode/neural", "diffrax", "neural ODE of 2 features, a step of Adam on 16 trajectories")
def neural() -> Traced:
    field = _Field(eqx.nn.MLP(2, 2, 32, 2, activation=jax.nn.softplus, key=jax.random.key(0)))
    weights, static = eqx.partition(field, eqx.is_array)
    optimizer = optax.adam(1e-3)
    times = np.linspace(0.0, 2.0, 10).astype(np.float32)

    def trajectory(model: Any, start: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(model), diffrax.Tsit5(), times[0], times[-1], 0.2, start,
            stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-4),
            saveat=diffrax.SaveAt(ts=jnp.asarray(times)), max_steps=64,
        ).ys  # fmt: skip

    def step(weights: Any, state: Any, starts: Any, wanted: Any) -> Any:
        def loss(weights: Any) -> Any:
            found = jax.vmap(lambda start: trajectory(eqx.combine(weights, static), start))(starts)
            return jnp.mean((found - wanted) ** 2)

        value, gradient = jax.value_and_grad(loss)(weights)
        updates, state = optimizer.update(gradient, state, weights)
        return value, optax.apply_updates(weights, updates), state

    generator = np.random.default_rng(0)
    starts = generator.normal(size=(16, 2)).astype(np.float32)
    wanted = generator.normal(size=(16, 10, 2)).astype(np.float32)
    return step, (weights, optimizer.init(weights), starts, wanted)


@export("ode/stochastic", "diffrax", "stochastic pendulums: 32 Brownian trees, Heun steps")
def stochastic() -> Traced:
    def solve(start: Any, key: Any) -> Any:
        path = diffrax.VirtualBrownianTree(0.0, 2.0, tol=1e-2, shape=(2,), key=jax.random.wrap_key_data(key))
        terms = diffrax.MultiTerm(
            diffrax.ODETerm(lambda _, y, __: jnp.stack([y[1], -jnp.sin(y[0]) - 0.1 * y[1]])),
            diffrax.ControlTerm(lambda _, y, __: 0.1 * jnp.eye(2), path),
        )
        return diffrax.diffeqsolve(terms, diffrax.EulerHeun(), 0.0, 2.0, 0.05, start).ys

    starts = np.random.default_rng(1).normal(size=(32, 2)).astype(np.float32)
    keys = np.asarray(jax.random.key_data(jax.random.split(jax.random.key(1), 32)))
    return jax.vmap(solve), (starts, keys)


@export("ode/implicit", "diffrax", "heat equation on 24 points, implicit Euler steps")
def implicit() -> Traced:
    def solve(start: Any, conductivity: Any) -> Any:
        def field(_: Any, y: Any, __: Any) -> Any:
            return conductivity * (jnp.roll(y, 1) - 2 * y + jnp.roll(y, -1)) * 24.0**2

        finder = diffrax.VeryChord(rtol=1e-4, atol=1e-5, norm=optimistix.max_norm)
        return diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.ImplicitEuler(finder), 0.0, 0.2, 0.02, start
        ).ys

    return solve, (np.sin(np.linspace(0, 6, 24)).astype(np.float32), np.float32(0.01))
