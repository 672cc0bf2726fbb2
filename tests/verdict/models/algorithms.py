"""Algorithms: searches, machines of states, bits, tables."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.verdict.models import Traced, model, normal


@model()
def beam_search() -> Traced:
    """The best sequences of a small language model, traced back from the last step."""
    beams, words = 3, 5

    def search(start: Any, table: Any, bonus: Any) -> Any:
        def step(state: Any, n: Any) -> Any:
            scores, tokens, is_done = state
            rows = jax.nn.log_softmax(table[tokens] + bonus * (n % 2), axis=-1)
            stay = jnp.full(words, -jnp.inf).at[0].set(0.0)
            total = (scores[:, None] + jnp.where(is_done[:, None], stay, rows)).reshape(-1)
            scores, flat = jax.lax.top_k(total, beams)
            parent, tokens = flat // words, flat % words
            is_done = is_done[parent] | (tokens == 0)
            return (scores, tokens, is_done), (parent, tokens)

        first = jnp.array([0, -jnp.inf, -jnp.inf]), jnp.full(beams, start), jnp.zeros(beams, bool)
        (scores, _, is_done), (parents, tokens) = jax.lax.scan(step, first, jnp.arange(6))

        def back(beam: Any, row: Any) -> Any:
            parent, token = row
            return parent[beam], token[beam]

        _, sequences = jax.lax.scan(back, jnp.arange(beams), (parents, tokens), reverse=True)
        return sequences.T, scores / jnp.where(is_done, 2.0, 3.0)

    return search, (np.int32(2), normal(words, words, seed=6), normal(words, seed=7, scale=0.3))


@model()
def machine() -> Traced:
    """A machine of four instructions and a conditional jump, which runs a small program."""

    def run(code: Any, registers: Any, scale: Any) -> Any:
        def add(r: Any, x: Any) -> Any:
            return r.at[x[1]].set(r[x[1]] + r[x[2]])

        def less(r: Any, x: Any) -> Any:
            return r.at[x[1]].set(r[x[1]] - r[x[2]] * scale)

        def wave(r: Any, x: Any) -> Any:
            return r.at[x[1]].set(jnp.sin(r[x[2]]))

        def swap(r: Any, x: Any) -> Any:
            return r.at[x[1]].set(r[x[2]]).at[x[2]].set(r[x[1]])

        def step(state: Any, n: Any) -> Any:
            at, r = state
            x = code[at]
            r = jax.lax.switch(x[0], (add, less, wave, swap), r, x)
            at = jax.lax.cond(r[0] > r[3], lambda: (at + 3) % code.shape[0], lambda: (at + 1) % code.shape[0])
            r = jax.lax.cond(jnp.abs(r).max() > 4, lambda r: r * 0.5, lambda r: r + 0.01, r)
            return (at, r), (at, r.sum())

        return jax.lax.scan(step, (jnp.int32(0), registers), jnp.arange(10))

    code = np.array([[0, 1, 2], [2, 0, 1], [3, 2, 3], [1, 3, 0], [0, 0, 2]], np.int32)
    return run, (code, np.array([0.5, 1.5, -0.7, 0.2], np.float32), np.float32(0.6))


@model()
def alignment() -> Traced:
    """Edit distances of words by a table, a Viterbi path, and hashes of bits."""

    def distances(a: Any, b: Any, emission: Any, transition: Any) -> Any:
        def row(above: Any, letter: Any) -> Any:
            def cell(left: Any, x: Any) -> Any:
                diagonal, up, other = x
                best = jnp.minimum(jnp.minimum(left, up) + 1, diagonal + jnp.where(other == letter, 0, 2))
                return best, best

            _, cells = jax.lax.scan(cell, above[0] + 1, (above[:-1], above[1:], b))
            new = jnp.concatenate([above[:1] + 1, cells])
            return new, new

        last, _ = jax.lax.scan(row, jnp.arange(b.size + 1), a)

        def viterbi(score: Any, seen: Any) -> Any:
            through = score[:, None] + transition
            return through.max(0) + emission[:, seen], through.argmax(0)

        score, back = jax.lax.scan(viterbi, emission[:, 0], a % 3)
        _, path = jax.lax.scan(lambda s, row: (row[s], s), score.argmax(), back, reverse=True)
        bits = a.astype(jnp.uint32) * jnp.uint32(2654435761)
        mixed = (bits ^ (bits >> 15)) * jnp.uint32(2246822519)
        rotated = (mixed << 13) | (mixed >> 19)
        return last[-1], score, path, rotated, jax.lax.population_count(rotated), jax.lax.clz(mixed)

    words = np.array([3, 1, 4, 1, 5, 9], np.int32), np.array([2, 1, 4, 5, 9], np.int32)
    return distances, (*words, normal(4, 3, seed=1), normal(4, 4, seed=2))
