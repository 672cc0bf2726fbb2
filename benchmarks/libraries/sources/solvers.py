"""Solvers, optimizers, filters: lineax, optimistix, jaxopt, dynamax, tinygp, ott, evosax."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jaxopt
import lineax as lx
import numpy as np
import optimistix as optx
import tinygp
from dynamax.hidden_markov_model import GaussianHMM
from dynamax.linear_gaussian_ssm import LinearGaussianSSM
from evosax.algorithms import SNES
from ott.geometry import pointcloud
from ott.problems.linear import linear_problem
from ott.solvers.linear import sinkhorn

from benchmarks.libraries.registry import Traced, export


def _normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@export("solvers/direct", "lineax", "12 unknowns: LU, QR, Cholesky, tridiagonal and SVD in 16 systems")
def direct() -> Traced:
    def solve(matrix: Any, vector: Any) -> Any:
        general = lx.MatrixLinearOperator(matrix)
        positive = lx.MatrixLinearOperator(matrix @ matrix.T + jnp.eye(12), lx.positive_semidefinite_tag)
        tall = lx.MatrixLinearOperator(jnp.concatenate([matrix, matrix * 0.5 + 1.0]))
        band = lx.TridiagonalLinearOperator(jnp.diag(matrix) + 5, jnp.diag(matrix, 1), jnp.diag(matrix, -1))
        return (
            lx.linear_solve(general, vector, lx.LU()).value,
            lx.linear_solve(tall, jnp.concatenate([vector, vector]), lx.QR()).value,
            lx.linear_solve(positive, vector, lx.Cholesky()).value,
            lx.linear_solve(band, vector, lx.Tridiagonal()).value,
            lx.linear_solve(tall, jnp.concatenate([vector, vector]), lx.SVD()).value,
        )

    return jax.vmap(solve), (_normal(16, 12, 12) + 4 * np.eye(12, dtype=np.float32), _normal(16, 12, seed=1))


@export("solvers/krylov", "lineax", "30 unknowns by conjugate gradients and GMRES")
def krylov() -> Traced:
    def solve(matrix: Any, vector: Any) -> Any:
        positive = lx.MatrixLinearOperator(matrix @ matrix.T / 30 + jnp.eye(30), lx.positive_semidefinite_tag)
        general = lx.MatrixLinearOperator(matrix + 15 * jnp.eye(30))
        return (
            lx.linear_solve(positive, vector, lx.CG(1e-4, 1e-4)).value,
            lx.linear_solve(general, vector, lx.GMRES(1e-4, 1e-4)).value,
        )

    return solve, (_normal(30, 30), _normal(30, seed=1))


@export("solvers/levenberg", "optimistix", "Levenberg-Marquardt: an oscillation fitted to 50 points")
def levenberg() -> Traced:
    times = np.linspace(0, 3, 50).astype(np.float32)

    def residuals(parameters: Any, wanted: Any) -> Any:
        size, decay, rate, shift = parameters
        return size * jnp.exp(-decay * times) * jnp.cos(rate * times) + shift - wanted

    def fit(start: Any, wanted: Any) -> Any:
        solver = optx.LevenbergMarquardt(rtol=1e-4, atol=1e-4)
        found = optx.least_squares(residuals, solver, start, wanted, max_steps=50)
        return found.value, found.stats["num_steps"]

    wanted = residuals((2.0, 0.7, 4.0, 0.3), np.float32(0)) + 0.05 * _normal(50)
    return fit, (np.array([1.5, 0.5, 3.8, 0.0], np.float32), np.asarray(wanted, np.float32))


@export("solvers/minimise", "optimistix", "BFGS, Nelder-Mead and Newton on Rosenbrock's function")
def minimise() -> Traced:
    def rosenbrock(x: Any, _: Any) -> Any:
        return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    def run(start: Any) -> Any:
        options: Any = {"max_steps": 400, "throw": False}
        return (
            rosenbrock(optx.minimise(rosenbrock, optx.BFGS(1e-3, 1e-3), start, **options).value, None),
            rosenbrock(optx.minimise(rosenbrock, optx.NelderMead(1e-2, 1e-2), start, **options).value, None),
            optx.root_find(
                lambda x, _: x**3 + jnp.roll(x, 1) - 1.0, optx.Newton(1e-4, 1e-4), start, **options
            ).value,
        )

    return run, (np.array([0.8, 1.2, 0.9, 1.1], np.float32),)


@export("solvers/lbfgs", "jaxopt", "L-BFGS and projected gradients on a logistic regression")
def lbfgs() -> Traced:
    def loss(weights: Any, features: Any, labels: Any) -> Any:
        return jnp.mean(jnp.logaddexp(0.0, -labels * (features @ weights))) + 0.01 * jnp.sum(weights**2)

    def run(features: Any, labels: Any) -> Any:
        start = jnp.full(10, 0.1)
        free = jaxopt.LBFGS(loss, maxiter=15, tol=1e-3).run(start, features, labels)
        inside = jaxopt.ProjectedGradient(
            loss, jaxopt.projection.projection_simplex, maxiter=15, tol=1e-3
        ).run(start, 1.0, features, labels)
        return free.params, inside.params

    return run, (_normal(200, 10), np.sign(_normal(200, seed=1)))


@export("solvers/quadratic", "jaxopt", "OSQP: a quadratic program of 6 variables and 8 constraints")
def quadratic() -> Traced:
    def run(square: Any, linear: Any, bounds: Any, limits: Any) -> Any:
        solver = jaxopt.OSQP(maxiter=100, tol=1e-3)
        return solver.run(
            params_obj=(square @ square.T + jnp.eye(6), linear), params_ineq=(bounds, limits)
        ).params.primal

    return run, (_normal(6, 6), _normal(6, seed=1), _normal(8, 6, seed=2), np.ones(8, np.float32))


@export("solvers/kalman", "dynamax", "Kalman smoother of 4 states, 2 observations, 40 times")
def kalman() -> Traced:
    model = LinearGaussianSSM(4, 2)
    dynamics = np.eye(4, dtype=np.float32) + 0.1 * np.eye(4, k=2, dtype=np.float32)
    parameters, _ = model.initialize(
        jax.random.key(0), dynamics_weights=jnp.asarray(dynamics), emission_weights=jnp.eye(2, 4)
    )

    def run(parameters: Any, observed: Any) -> Any:
        found = model.smoother(parameters, observed)
        return found.marginal_loglik, found.smoothed_means, found.smoothed_covariances

    return run, (parameters, _normal(40, 2).cumsum(0))


@export("solvers/markov", "dynamax", "hidden Markov model of 4 states: Baum-Welch and Viterbi over 100 times")
def markov() -> Traced:
    model = GaussianHMM(4, 2)
    parameters, properties = model.initialize(jax.random.key(0), method="prior")

    def run(parameters: Any, observed: Any) -> Any:
        statistics, likelihood = model.e_step(parameters, observed)
        state = model.initialize_m_step_state(parameters, properties)
        batch = jax.tree.map(lambda x: x[None], statistics)
        better, _ = model.m_step(parameters, properties, batch, state)
        return likelihood, better, model.most_likely_states(parameters, observed)

    return run, (parameters, _normal(100, 2))


@export("solvers/process", "tinygp", "Gaussian process: likelihood, gradients and predictions of 40 points")
def process() -> Traced:
    def run(scales: Any, x: Any, y: Any, where: Any) -> Any:
        def build(scales: Any) -> Any:
            kernel = jnp.exp(scales[0]) * tinygp.kernels.Matern52(jnp.exp(scales[1]))
            return tinygp.GaussianProcess(kernel, x, diag=jnp.exp(scales[2]))

        value, slope = jax.value_and_grad(lambda scales: -build(scales).log_probability(y))(scales)
        _, found = build(scales).condition(y, where)
        return value, slope, found.loc, found.variance

    x = np.sort(np.random.default_rng(1).uniform(0, 5, 40)).astype(np.float32)
    return run, (
        np.array([0.1, 0.0, -2.0], np.float32),
        x,
        np.sin(x),
        np.linspace(0, 5, 30).astype(np.float32),
    )


@export("solvers/transport", "ott-jax", "Sinkhorn's iterations between 50 and 60 points")
def transport() -> Traced:
    def run(x: Any, y: Any) -> Any:
        geometry = pointcloud.PointCloud(x, y, epsilon=0.2)
        problem = linear_problem.LinearProblem(geometry)
        found = sinkhorn.Sinkhorn(max_iterations=200, threshold=1e-3)(problem)
        return found.f, found.g, found.reg_ot_cost

    return run, (_normal(50, 2), _normal(60, 2, seed=1))


@export("solvers/evolution", "evosax", "SNES: 5 generations of 16 in 8 dimensions")
def evolution() -> Traced:
    strategy = SNES(population_size=16, solution=jnp.zeros(8))
    parameters = strategy.default_params

    def run(key: Any, start: Any) -> Any:
        key = jax.random.wrap_key_data(key)
        state = strategy.init(key, start, parameters)

        def generation(state: Any, key: Any) -> Any:
            asking, telling = jax.random.split(key)
            population, state = strategy.ask(asking, state, parameters)
            fitness = jnp.sum((population - 1.0) ** 2, -1)
            state, _ = strategy.tell(telling, population, fitness, state, parameters)
            return state, jnp.min(fitness)

        state, best = jax.lax.scan(generation, state, jax.random.split(key, 5))
        return best, state.mean

    return run, (np.array([0, 5], np.uint32), np.full(8, 0.3, np.float32))
