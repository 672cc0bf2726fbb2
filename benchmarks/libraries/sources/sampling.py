"""Bayesian inference: Hamiltonian Monte Carlo, NUTS, particles, variational inference (blackjax, numpyro)."""

from __future__ import annotations

from typing import Any

import blackjax
import distrax
import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal
from numpyro.infer.hmc import hmc as numpyro_hmc
from numpyro.infer.util import initialize_model

from benchmarks.libraries.registry import Traced, export

_KEY = np.array([0, 7], np.uint32)


def _data() -> tuple[Any, Any]:
    generator = np.random.default_rng(2)
    features = generator.normal(size=(100, 4)).astype(np.float32)
    labels = (features @ np.array([1.0, -2.0, 0.5, 0.0]) + generator.normal(size=100) > 0).astype(np.float32)
    return features, labels


def _log_density(weights: Any, features: Any, labels: Any) -> Any:
    logits = features @ weights
    likelihood = jnp.sum(labels * jax.nn.log_sigmoid(logits) + (1 - labels) * jax.nn.log_sigmoid(-logits))
    return likelihood - 0.5 * jnp.sum(weights**2)


def _chain(algorithm: Any, start: Any, key: Any, steps: int) -> Any:
    def step(state: Any, key: Any) -> Any:
        state, _ = algorithm.step(key, state)
        return state, state.position

    keys = jax.random.split(jax.random.wrap_key_data(key), steps)
    return jax.lax.scan(step, algorithm.init(start), keys)[1]


@export("sampling/hmc", "blackjax", "HMC of a logistic regression, 50 transitions of 10 steps")
def hmc() -> Traced:
    def run(start: Any, key: Any, features: Any, labels: Any) -> Any:
        algorithm = blackjax.hmc(
            lambda w: _log_density(w, features, labels), 0.1, jnp.ones(4), num_integration_steps=10
        )
        return _chain(algorithm, start, key, 50)

    return run, (np.zeros(4, np.float32), _KEY, *_data())


@export("sampling/nuts", "blackjax", "NUTS of a logistic regression, 20 transitions")
def nuts() -> Traced:
    def run(start: Any, key: Any, features: Any, labels: Any) -> Any:
        algorithm = blackjax.nuts(lambda w: _log_density(w, features, labels), 0.1, jnp.ones(4))
        return _chain(algorithm, start, key, 20)

    return run, (np.zeros(4, np.float32), _KEY, *_data())


@export("sampling/smc", "blackjax", "tempered particles: 200 particles, 8 temperatures")
def smc() -> Traced:
    def run(particles: Any, key: Any) -> Any:
        def likelihood(x: Any) -> Any:
            return jax.scipy.special.logsumexp(-2.0 * jnp.sum((x - jnp.array([[2.0, 2], [-2, -2]])) ** 2, -1))

        kernel = blackjax.tempered_smc(
            lambda x: -0.05 * jnp.sum(x**2), likelihood, blackjax.hmc.build_kernel(), blackjax.hmc.init,
            {"step_size": jnp.full(1, 0.1), "inverse_mass_matrix": jnp.ones((1, 2)),
             "num_integration_steps": jnp.full(1, 3)},
            blackjax.smc.resampling.systematic, num_mcmc_steps=2,
        )  # fmt: skip

        def step(state: Any, inputs: Any) -> Any:
            key, temperature = inputs
            state, info = kernel.step(key, state, tempering_param=temperature)
            return state, info.log_likelihood_increment

        keys = jax.random.split(jax.random.wrap_key_data(key), 8)
        state, increments = jax.lax.scan(step, kernel.init(particles), (keys, jnp.linspace(0.125, 1.0, 8)))
        return state.particles, increments

    return run, (np.random.default_rng(3).normal(size=(200, 2)).astype(np.float32), _KEY)


def _eight_schools(deviations: Any, effects: Any = None) -> None:
    mean = numpyro.sample("mean", dist.Normal(0, 5))
    spread = numpyro.sample("spread", dist.HalfCauchy(5))
    with numpyro.plate("school", deviations.shape[0]):
        standard = numpyro.sample("standard", dist.Normal(0, 1))
        numpyro.sample("observed", dist.Normal(mean + spread * standard, deviations), obs=effects)


@export("sampling/eight_schools", "numpyro", "NUTS of eight schools, 10 steps of adaptation")
def eight_schools() -> Traced:
    deviations = np.array([15, 10, 16, 11, 9, 11, 10, 18], np.float32)
    effects = np.array([28, 8, -3, 7, -1, 1, 18, 12], np.float32)
    info = initialize_model(jax.random.key(4), _eight_schools, model_args=(deviations, effects))
    initialize, sample = numpyro_hmc(info.potential_fn, algo="NUTS")
    start = initialize(info.param_info, num_warmup=100, max_tree_depth=6, rng_key=jax.random.PRNGKey(5))

    def run(state: Any) -> Any:
        states = jax.lax.scan(lambda state, _: (sample(state), state.z), state, None, length=10)
        return states[0].z, states[1]

    return run, (start,)


@export("sampling/svi", "numpyro", "variational inference of a Poisson regression, 20 steps of Adam")
def svi() -> Traced:
    features, _ = _data()
    counts = np.random.default_rng(5).poisson(np.exp(features @ [0.3, 0.1, -0.4, 0.2])).astype(np.int32)

    def model(features: Any, counts: Any) -> None:
        weights = numpyro.sample("weights", dist.Normal(0, 1).expand([4]).to_event(1))
        shape = numpyro.sample("shape", dist.Gamma(2.0, 1.0))
        with numpyro.plate("data", features.shape[0]):
            numpyro.sample(
                "counts", dist.GammaPoisson(shape, shape / jnp.exp(features @ weights)), obs=counts
            )

    inference = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.01), Trace_ELBO(num_particles=4))
    state = inference.init(jax.random.PRNGKey(6), features, counts)

    def run(state: Any, features: Any, counts: Any) -> Any:
        state, losses = jax.lax.scan(
            lambda state, _: inference.update(state, features, counts), state, None, length=20
        )
        return inference.get_params(state), losses

    return run, (state, features, counts)


@export("sampling/random", "numpyro", "draws of gamma, beta, Dirichlet, Poisson and von Mises")
def random() -> Traced:
    def draw(key: Any) -> Any:
        keys = jax.random.split(jax.random.wrap_key_data(key), 6)
        return (
            dist.Gamma(jnp.array([0.5, 2.0, 9.0]), 1.5).sample(keys[0], (64,)),
            dist.Beta(0.5, 2.0).sample(keys[1], (64,)),
            dist.Dirichlet(jnp.array([0.5, 1.0, 2.0])).sample(keys[2], (32,)),
            dist.Poisson(jnp.array([0.7, 20.0])).sample(keys[3], (64,)),
            dist.VonMises(0.3, 4.0).sample(keys[4], (64,)),
            jax.random.permutation(keys[5], 500),
        )

    return draw, (_KEY,)


@export("sampling/flow", "distrax", "masked coupling flow of 6 layers: densities and samples of 64 points")
def flow() -> Traced:
    width, layers = 4, 6
    generator = np.random.default_rng(7)
    weights = [
        (
            (generator.normal(size=(width, 32)) * 0.5).astype(np.float32),
            (generator.normal(size=(32, 2 * width)) * 0.2).astype(np.float32),
        )
        for _ in range(layers)
    ]

    def model(weights: Any) -> Any:
        parts: list[Any] = []
        mask = jnp.arange(width) % 2 == 0
        for first, second in weights:

            def conditioner(x: Any, first: Any = first, second: Any = second) -> Any:
                return jnp.tanh(x @ first) @ second

            def bijector(given: Any) -> Any:
                shift, scale = jnp.split(given, 2, -1)
                return distrax.ScalarAffine(shift=shift, log_scale=jnp.tanh(scale))

            parts.append(distrax.MaskedCoupling(mask, conditioner, bijector))
            mask = ~mask
        base = distrax.MultivariateNormalDiag(jnp.zeros(width), jnp.ones(width))
        return distrax.Transformed(base, distrax.Inverse(distrax.Chain(parts)))

    def run(weights: Any, points: Any, key: Any) -> Any:
        found = model(weights)
        return found.log_prob(points), found.sample(seed=jax.random.wrap_key_data(key), sample_shape=(64,))

    return run, (weights, generator.normal(size=(64, width)).astype(np.float32), _KEY)
