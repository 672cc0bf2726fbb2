"""Train a small GPT on the text of Python's own reference manual, and export its generator.

The text is the prose of `pydoc_data.topics`, which every Python carries (it is what
`help("try")` prints): about 210,000 characters, one paragraph a line. Tokens are characters.

The exported program is not one step but the whole generator: it reads the prompt in parallel,
then draws one character per turn of a `while` loop, with a key-value cache.

    main(prompt: i32[256], length: i32, key: ui32[2], temperature: f32, count: i32)
      -> (tokens: i32[256], end: i32)

It continues the first `length` tokens of `prompt` by at most `count` tokens, until a line ends
or the buffer is full; `end` is the number of valid tokens. Temperature 0 always takes the
likeliest character. Every position draws from its own fold of the key, so generating 100
tokens in one call or in ten gives the same text.

Writes models/gpt.mlirbc        weights in bf16, arithmetic in f32
       models/gpt.npz           the arguments of a call, and the characters that the tokens stand for
       models/gpt_expected.npz  some calls, and XLA's results
"""

from __future__ import annotations

import functools
import pydoc_data.topics
import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from common import adam_init, adam_update, export_model, save
from jax import lax

LAYERS, HEADS, WIDTH, BLOCK = 3, 4, 128, 256
STEPS, BATCH, RATE = 2000, 8, 3e-3
LINE_END = 0  # the token of "\n", the smallest character of the text

# (prompt, temperature): the beginnings of the paragraphs that it is asked to write.
SAMPLES = [
    ("If the class", 0.0),
    ("The value of", 0.5),
    ("When a function", 0.6),
    ("A string", 0.7),
]
# XLA's results are kept of those keys with which no character won by less than this. Rounding
# moves the scores by about 1e-5, so another order of summation draws the same characters.
MARGIN = 2e-3


def corpus() -> str:
    """The manual's paragraphs of prose, each once, one a line."""
    paragraphs: dict[str, None] = {}
    plain = str.maketrans("\u201c\u201d\u2018\u2019\u2013", "\"\"''-", "*")  # quotes and a dash
    for _, page in sorted(pydoc_data.topics.topics.items()):
        for paragraph in re.split(r"\n\s*\n", page):
            if "::=" in paragraph or ">>>" in paragraph:
                continue
            text = re.sub(r"\s*\[\d+\]", "", " ".join(paragraph.split())).translate(plain)
            if len(text) >= 50 and re.fullmatch(r"[\w .,;:'\"()\[\]=-]*[.:]", text, re.ASCII):
                paragraphs[text] = None
    return "\n" + "\n".join(paragraphs) + "\n"


def init(key: jax.Array, vocabulary: int) -> Any:
    keys = iter(jax.random.split(key, 1 + 4 * LAYERS))

    def weights(*shape: int, scale: float = 1.0) -> jax.Array:
        return scale / np.sqrt(shape[0]) * jax.random.normal(next(keys), shape)

    def norm() -> tuple[jax.Array, jax.Array]:
        return jnp.ones(WIDTH), jnp.zeros(WIDTH)

    # The positions are learnt, but from waves on, in which a shift is a rotation: attention to
    # the character before is then found in half the time.
    angles = np.arange(BLOCK)[:, None] * 1000 ** -np.linspace(0, 1, WIDTH // 2)
    shrunk = 1 / np.sqrt(2 * LAYERS)  # the branches that add to the residual stream
    return {
        "tokens": 0.1 * jax.random.normal(next(keys), (vocabulary, WIDTH)),
        "positions": jnp.asarray(0.1 * np.hstack([np.sin(angles), np.cos(angles)]), jnp.float32),
        "final": norm(),
        "layers": [
            {
                "norm1": norm(),
                "attention": weights(WIDTH, 3 * WIDTH),
                "project": weights(WIDTH, WIDTH, scale=shrunk),
                "norm2": norm(),
                "expand": weights(WIDTH, 4 * WIDTH),
                "contract": weights(4 * WIDTH, WIDTH, scale=shrunk),
            }
            for _ in range(LAYERS)
        ],
    }


def empty_cache() -> list[tuple[jax.Array, jax.Array]]:
    """Keys and values of every layer: f32[HEADS, BLOCK, WIDTH / HEADS]."""
    zeros = jnp.zeros((HEADS, BLOCK, WIDTH // HEADS))
    return [(zeros, zeros)] * LAYERS


def normalise(x: jax.Array, weights: tuple[jax.Array, jax.Array]) -> jax.Array:
    x = x - x.mean(-1, keepdims=True)
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weights[0] + weights[1]


def transformer(params: Any, tokens: jax.Array, start: Any, cache: Any) -> tuple[jax.Array, Any]:
    """Run `tokens`, i32[N], at positions start, start + 1, ...: (logits f32[N, V], new cache).

    Training and reading the prompt are N = BLOCK at position 0; generating is N = 1.
    """
    count = len(tokens)
    x = params["tokens"][tokens] + lax.dynamic_slice_in_dim(params["positions"], start, count)
    visible = jnp.arange(BLOCK)[None, :] <= start + jnp.arange(count)[:, None]
    new_cache = []
    for layer, (old_keys, old_values) in zip(params["layers"], cache, strict=True):
        qkv = (normalise(x, layer["norm1"]) @ layer["attention"]).reshape(count, 3, HEADS, -1)
        query, key, value = qkv.transpose(1, 2, 0, 3)
        keys = lax.dynamic_update_slice_in_dim(old_keys, key, start, axis=1)
        values = lax.dynamic_update_slice_in_dim(old_values, value, start, axis=1)
        new_cache.append((keys, values))
        scores = jnp.einsum("hqd,hkd->hqk", query, keys) * (WIDTH // HEADS) ** -0.5
        attention = jax.nn.softmax(jnp.where(visible, scores, -jnp.inf))
        mixed = jnp.einsum("hqk,hkd->qhd", attention, values).reshape(count, WIDTH)
        x = x + mixed @ layer["project"]
        x = x + jax.nn.gelu(normalise(x, layer["norm2"]) @ layer["expand"]) @ layer["contract"]
    return normalise(x, params["final"]) @ params["tokens"].T, new_cache


def widen(weights: Any) -> Any:
    return jax.tree.map(lambda leaf: lax.convert_element_type(leaf, jnp.float32), weights)


def noise(key: jax.Array, position: Any, shape: tuple[int, ...]) -> jax.Array:
    """The Gumbel trick: argmax(logits + temperature * noise) is categorical(logits / temperature),
    and at temperature 0 it is defined too.
    """
    return jax.random.gumbel(jax.random.fold_in(jax.random.wrap_key_data(key), position), shape)


def generate(
    weights: Any,
    prompt: jax.Array,
    length: jax.Array,
    key: jax.Array,
    temperature: jax.Array,
    count: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """The exported program: see the top of this file."""
    params = widen(weights)
    _, cache = transformer(params, prompt, 0, empty_cache())
    last = jnp.minimum(length + count, BLOCK)

    def unfinished(state: Any) -> jax.Array:
        position, tokens, _ = state
        line_goes_on = (position == length) | (tokens[position - 1] != LINE_END)
        return (position < last) & line_goes_on

    def extend(state: Any) -> Any:
        position, tokens, cache = state
        token = lax.dynamic_slice_in_dim(tokens, position - 1, 1)
        logits, cache = transformer(params, token, position - 1, cache)
        scores = logits[0] + temperature * noise(key, position, logits.shape[1:])
        drawn = jnp.argmax(scores).astype(jnp.int32)
        tokens = lax.dynamic_update_slice_in_dim(tokens, drawn[None], position, axis=0)
        return position + 1, tokens, cache

    end, tokens, _ = lax.while_loop(unfinished, extend, (length, prompt, cache))
    return tokens, end


def margin(
    weights: Any,
    *,
    tokens: np.ndarray,
    length: int,
    end: int,
    key: np.ndarray,
    temperature: float,
    **_: Any,
) -> float:
    """By how much the drawn characters won, at least. Negative: another one should have won.

    Reads the finished text in parallel, so this also checks the loop and its cache.
    """
    logits, _ = transformer(widen(weights), jnp.asarray(tokens), 0, empty_cache())
    worst = np.inf
    for position in range(length, end):
        scores = logits[position - 1]
        scores += temperature * noise(jnp.asarray(key), position, scores.shape)
        drawn = tokens[position]
        worst = min(worst, float(scores[drawn] - scores.at[drawn].set(-jnp.inf).max()))
    return worst


def loss_of(params: Any, text: jax.Array) -> jax.Array:
    """Mean cross-entropy of the next character, in nats; text is i32[B, BLOCK + 1]."""
    run = jax.vmap(lambda tokens: transformer(params, tokens, 0, empty_cache())[0])
    likelihoods = jax.nn.log_softmax(run(text[:, :-1]))
    return -jnp.take_along_axis(likelihoods, text[:, 1:, None], axis=2).mean()


@jax.jit
def train_step(params: Any, state: Any, text: jax.Array, rate: Any) -> tuple[Any, Any, jax.Array]:
    loss, grads = jax.value_and_grad(loss_of)(params, text)
    return *adam_update(grads, state, params, rate, weight_decay=0.1), loss


def train(text: np.ndarray, vocabulary: int) -> Any:
    """The parameters after STEPS steps; the last 5 % of the text are held back."""
    params = init(jax.random.key(0), vocabulary)
    state = adam_init(params)
    rng = np.random.default_rng(0)
    offsets = np.arange(BLOCK + 1)
    learned = len(text) * 95 // 100
    for step in range(STEPS + 1):
        if step % 100 == 0:
            starts = np.arange(learned, len(text) - BLOCK, BLOCK)
            held_back = jax.jit(loss_of)(params, text[starts[:, None] + offsets])
            print(f"step {step}: held-back loss {held_back:.3f}", flush=True)
        warm = min(1.0, (step + 1) / 100)
        rate = jnp.float32(RATE * warm * (0.05 + 0.95 * (1 + np.cos(np.pi * step / STEPS)) / 2))
        starts = rng.integers(0, learned - BLOCK, BATCH)
        params, state, loss = train_step(params, state, text[starts[:, None] + offsets], rate)
        if step % 100 == 0:
            print(f"          loss {loss:.3f}", flush=True)
    return params


def main() -> None:
    text = corpus()
    characters = sorted(set(text))
    index = {character: token for token, character in enumerate(characters)}
    print(f"{len(text):,} characters, {len(characters)} different")
    params = train(np.array([index[c] for c in text], np.int32), len(characters))
    weights = jax.tree.map(lambda leaf: np.asarray(leaf.astype(jnp.bfloat16)), params)
    print(f"{sum(leaf.size for leaf in jax.tree.leaves(weights)):,} parameters")

    calls: dict[str, list[Any]] = {}
    run = jax.jit(functools.partial(generate, weights))
    for prompt, temperature in SAMPLES:
        start = [index[character] for character in "\n" + prompt]
        for seed in range(20):
            call = {
                "prompt": np.pad(np.int32(start), (0, BLOCK - len(start))),
                "length": np.int32(len(start)),
                "key": np.array([0, seed], np.uint32),
                "temperature": np.float32(temperature),
                "count": np.int32(BLOCK),
            }
            call["tokens"], call["end"] = map(np.asarray, run(*call.values()))
            call["margin"] = np.float32(margin(weights, **call))
            if call["margin"] >= MARGIN:
                break
        else:
            raise SystemExit(f"{prompt!r}: every key leads to a near tie")
        print(f"\ntemperature {temperature}, key {seed}, margin {call['margin']:.4f}")
        print("".join(characters[token] for token in call["tokens"][: call["end"]]).strip())
        for name, value in call.items():
            calls.setdefault(name, []).append(value)

    def write(prompt: Any, length: Any, key: Any, temperature: Any, count: Any) -> Any:
        return generate(weights, prompt, length, key, temperature, count)

    arguments = {name: np.asarray(values[1]) for name, values in list(calls.items())[:5]}
    export_model("gpt", write, *arguments.values())
    save("gpt", **arguments, characters=np.array(characters))
    save("gpt_expected", **{name: np.stack(values) for name, values in calls.items()})


if __name__ == "__main__":
    main()
