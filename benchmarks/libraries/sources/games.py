"""Games, trees and environments: pgx, mctx, gymnax, rlax."""

from __future__ import annotations

from typing import Any

import gymnax
import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pgx

from benchmarks.libraries.registry import Traced, export

_KEY = np.array([0, 11], np.uint32)


def _game(name: str, count: int, moves: int, *, has_chance: bool = False) -> Traced:
    """`moves` random legal moves in each of `count` games."""
    environment = pgx.make(name)

    def run(keys: Any) -> Any:
        keys = jax.random.wrap_key_data(keys)
        start = jax.vmap(environment.init)(keys)

        def move(carried: Any, _: Any) -> Any:
            state, keys = carried
            keys, drawn = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
            logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
            actions = jax.vmap(jax.random.categorical)(drawn, logits)
            chance = [keys] if has_chance else []
            return (jax.vmap(environment.step)(state, actions, *chance), keys), actions

        (state, _), actions = jax.lax.scan(move, (start, keys), None, length=moves)
        return actions, state.rewards, state.terminated, state.observation

    return run, (np.asarray(jax.random.key_data(jax.random.split(jax.random.key(0), count))),)


@export("games/tic_tac_toe", "pgx", "tic-tac-toe, 5 random moves in 64 games")
def tic_tac_toe() -> Traced:
    return _game("tic_tac_toe", 64, 5)


@export("games/go", "pgx", "go on 9x9, 6 random moves in 4 games")
def go() -> Traced:
    return _game("go_9x9", 4, 6)


@export("games/backgammon", "pgx", "backgammon, 4 random moves in 8 games")
def backgammon() -> Traced:
    return _game("backgammon", 8, 4, has_chance=True)


@export("games/2048", "pgx", "2048, 10 random moves in 16 games")
def tiles() -> Traced:
    return _game("2048", 16, 10, has_chance=True)


def _network(weights: Any, state: Any) -> Any:
    hidden = jnp.tanh(state @ weights[0])
    return hidden @ weights[1], (hidden @ weights[2])[..., 0], jnp.tanh(hidden @ weights[3])


def _search(policy: Any, **options: Any) -> Traced:
    generator = np.random.default_rng(1)
    shapes = ((8, 32), (32, 4), (32, 1), (32, 8))
    weights = [(generator.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32) for shape in shapes]

    def run(weights: Any, key: Any, states: Any) -> Any:
        def recurrent(weights: Any, _: Any, action: Any, state: Any) -> Any:
            state = jnp.tanh(state + 0.3 * jax.nn.one_hot(action, 8))
            logits, value, following = _network(weights, state)
            output = mctx.RecurrentFnOutput(
                reward=jnp.sum(state, -1) * 0.1, discount=jnp.full(value.shape, 0.97),
                prior_logits=logits, value=value,
            )  # fmt: skip
            return output, following

        logits, value, _ = _network(weights, states)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=states)
        found = policy(weights, jax.random.wrap_key_data(key), root, recurrent, **options)
        return found.action, found.action_weights

    return run, (weights, _KEY, generator.normal(size=(8, 8)).astype(np.float32))


@export("games/muzero", "mctx", "MuZero's tree search, 16 simulations for 8 states")
def muzero() -> Traced:
    return _search(mctx.muzero_policy, num_simulations=16)


@export("games/gumbel", "mctx", "Gumbel MuZero's tree search, 16 simulations for 8 states")
def gumbel() -> Traced:
    return _search(mctx.gumbel_muzero_policy, num_simulations=16, max_num_considered_actions=4)


@export("games/acrobot", "gymnax", "Acrobot, 50 steps of a network's policy in 8 environments")
def acrobot() -> Traced:
    environment, parameters = gymnax.make("Acrobot-v1")
    generator = np.random.default_rng(2)
    weights = [generator.normal(size=shape).astype(np.float32) * 0.4 for shape in ((6, 16), (16, 3))]

    def episode(weights: Any, key: Any) -> Any:
        key, reset = jax.random.split(jax.random.wrap_key_data(key))
        observation, state = environment.reset(reset, parameters)

        def step(carried: Any, key: Any) -> Any:
            observation, state = carried
            acting, stepping = jax.random.split(key)
            action = jax.random.categorical(acting, jnp.tanh(observation @ weights[0]) @ weights[1])
            observation, state, reward, done, *_ = environment.step(stepping, state, action, parameters)
            return (observation, state), (action, reward, done)

        _, path = jax.lax.scan(step, (observation, state), jax.random.split(key, 50))
        return path

    keys = np.asarray(jax.random.key_data(jax.random.split(jax.random.key(3), 8)))
    return jax.vmap(episode, in_axes=(None, 0)), (weights, keys)
