"""Programs and planted faults for `hlokit.equal`, each fault one change of the text of a program.

An independent oracle says whether a fault changes the meaning: the same text in f64 on random arguments. Faults
of rounding size, such as a changed epsilon in bf16, are visible there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import hlokit
from hlokit.tools.equal.sides import Side
from hlokit.tools.equal.verdict import Verdict

TYPES: dict[str, Any] = {"f32": jnp.float32, "bf16": jnp.bfloat16, "f8": jnp.float8_e4m3fn}
_FLOATS = r"(?<=[x<])(?:f32|bf16|f8E4M3FN)(?=[,>])"
_INFINITIES = {"0xFF800000": "0xFFF0000000000000", "0xFF80": "0xFFF0000000000000"}


class Case(NamedTuple):
    """A program, and arguments.

    Attributes:
      text: of the program; of a sharded one, that of each device.
      count: the number of devices.
      sharded: a sharded program, and the whole one.
    """

    name: str
    text: str
    arguments: tuple[Any, ...]
    count: int = 1
    sharded: hlokit.Sharded | None = None


class Fault(NamedTuple):
    """The text of a program with one fault."""

    kind: str
    case: Case
    text: str

    def verdict(self) -> Verdict:
        """That of hlokit; of a sharded program, compared with the whole one."""
        if self.case.sharded is None:
            return hlokit.equal(self.case.text, self.text, *self.case.arguments, runs=1)
        return hlokit.equal(self.case.sharded.whole, self, *self.case.arguments, runs=1)

    def exact_side(self) -> Side:
        """The sharded program, with the fault."""
        assert self.case.sharded is not None, "programs of one device are compared as text"
        return replace(self.case.sharded.exact_side(), program=hlokit.load(self.text))


# Programs --------------------------------------------------------------------------------------------


def _norm(x: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)


def _attention(x: Any, q: Any, k: Any, v: Any) -> Any:
    scores = (x @ q) @ (x @ k).T * 0.25
    mask = jnp.tril(jnp.ones(scores.shape, bool))
    return jax.nn.softmax(jnp.where(mask, scores, -30.0), -1) @ (x @ v)


def _block(x: Any, q: Any, k: Any, v: Any, w1: Any, w2: Any) -> Any:
    x = x + _attention(_norm(x), q, k, v)
    return x + jnp.tanh(_norm(x) @ w1) @ w2


def _loss(*arguments: Any) -> Any:
    return (_block(*arguments) ** 2).mean()


def _pooled(image: Any, kernel: Any) -> Any:
    dimensions = ("NHWC", "HWIO", "NHWC")
    features = lax.conv_general_dilated(image, kernel, (1, 1), "SAME", dimension_numbers=dimensions)
    return lax.reduce_window(features, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").mean((1, 2))


def _recurrent(x: Any, w: Any) -> Any:
    return lax.scan(lambda h, y: (jnp.tanh(h @ w + y), h - 2 * y), x[0], x)


def _stencil(x: Any) -> Any:
    padded = jnp.pad(x, ((1, 1), (1, 1)))
    return padded[:-2, 1:-1] - 4 * x + padded[2:, 1:-1] / (1e-4 + padded[1:-1, :-2] ** 2) + padded[1:-1, 2:]


def _adam(p: Any, g: Any, m: Any, v: Any) -> Any:
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 0.001 * (m / (1 - 0.9)) / (jnp.sqrt(v / (1 - 0.999)) + 1e-8), m, v


_MATRICES = ((8, 8),) * 6
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "block": (_block, _MATRICES),
    "gradients": (jax.grad(_loss, argnums=(0, 1, 4)), _MATRICES),
    "convolution": (_pooled, ((2, 6, 6, 3), (3, 3, 3, 4))),
    "recurrent": (_recurrent, ((5, 6, 6), (6, 6))),
    "stencil": (_stencil, ((6, 6),)),
    "optimizer": (_adam, ((4, 4),) * 4),
}


def whole(name: str, type_: str) -> Case:
    """A program on one device."""
    function, shapes = PROGRAMS[name]
    arguments = _arguments(shapes, type_)

    def narrow(*values: Any) -> Any:
        wide = jnp.bfloat16 if type_ == "f8" else TYPES[type_]
        results = function(*[value.astype(wide) for value in values])
        return jax.tree.map(lambda result: result.astype(TYPES[type_]), results)

    text = jax.jit(narrow, keep_unused=True).lower(*arguments).as_text()
    return Case(f"{name} {type_}", text, arguments)


def _arguments(shapes: tuple[tuple[int, ...], ...], type_: str) -> tuple[Any, ...]:
    generator = np.random.default_rng(0)
    return tuple([abs(generator.normal(size=shape)).astype(TYPES[type_]) for shape in shapes])


# The argument that axis `x` of 4 devices divides, and its dimension; the partitioner divides the rest.
SHARDINGS: dict[str, tuple[str, dict[int, str]]] = {
    "features": ("block", {4: "P(None, 'x')", 5: "P('x', None)"}),
    "heads": ("block", {1: "P(None, 'x')", 2: "P(None, 'x')", 3: "P(None, 'x')"}),
    "rows": ("gradients", {0: "P('x', None)"}),
    "columns": ("gradients", {0: "P(None, 'x')", 4: "P(None, 'x')"}),
}


def sharded(name: str, type_: str) -> Case:
    """The program of each of 4 devices."""
    program, shardings = SHARDINGS[name]
    case = whole(program, type_)
    result = hlokit.shard(hlokit.load(case.text), "x=4", dict(shardings))
    return Case(f"{program} by {name} {type_}", result.program.text(), case.arguments, 4, result)


HALO = """
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<4x3xTYPE>) -> tensor<4x3xTYPE> {
  %first = stablehlo.slice %x [0:1, 0:3] : (tensor<4x3xTYPE>) -> tensor<1x3xTYPE>
  %last = stablehlo.slice %x [3:4, 0:3] : (tensor<4x3xTYPE>) -> tensor<1x3xTYPE>
  %below = "stablehlo.collective_permute"(%first) <{source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [0, 3]]> : tensor<4x2xi64>}> : (tensor<1x3xTYPE>) -> tensor<1x3xTYPE>
  %above = "stablehlo.collective_permute"(%last) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x3xTYPE>) -> tensor<1x3xTYPE>
  %padded = stablehlo.concatenate %above, %x, %below, dim = 0 : (tensor<1x3xTYPE>, tensor<4x3xTYPE>, tensor<1x3xTYPE>) -> tensor<6x3xTYPE>
  %0 = stablehlo.slice %padded [0:4, 0:3] : (tensor<6x3xTYPE>) -> tensor<4x3xTYPE>
  %1 = stablehlo.slice %padded [1:5, 0:3] : (tensor<6x3xTYPE>) -> tensor<4x3xTYPE>
  %2 = stablehlo.slice %padded [2:6, 0:3] : (tensor<6x3xTYPE>) -> tensor<4x3xTYPE>
  %3 = stablehlo.subtract %0, %1 : tensor<4x3xTYPE>
  %4 = stablehlo.subtract %2, %1 : tensor<4x3xTYPE>
  %5 = stablehlo.multiply %3, %4 : tensor<4x3xTYPE>
  %6 = stablehlo.subtract %5, %3 : tensor<4x3xTYPE>
  return %6 : tensor<4x3xTYPE>
} }"""


def halo(type_: str) -> Case:
    """A stencil whose rows 4 devices exchange."""
    name = {"f8": "f8E4M3FN"}.get(type_, type_)
    return Case(f"halo {type_}", HALO.replace("TYPE", name), _arguments(((4, 3),) * 4, type_), 4)


# Faults ----------------------------------------------------------------------------------------------

_ALL_REDUCE = re.compile(
    r'(%\w+) = ("stablehlo\.all_reduce"\()(%\w+)(\).*?\n\s*\}\) : \((tensor<[^>]*>)\) -> tensor<[^>]*>)', re.S
)
_GROUP = re.compile(
    r'(all_reduce"\(%\w+\) <\{.*?replica_groups = )dense<\[\[0, 1, 2, 3\]\]> : tensor<1x4xi64>'
)
_MASKS = {"GE": "GT", "GT": "GE", "LT": "LE", "LE": "LT", "EQ": "NE", "NE": "EQ"}


def _missing(match: re.Match[str]) -> str:
    return f"{match[1]} = stablehlo.reshape {match[3]} : ({match[5]}) -> {match[5]}"


def _doubled(match: re.Match[str]) -> str:
    return f"%once_{match[1][1:]} = {match[2]}{match[3]}{match[4]}\n{match[1]} = {match[2]}%once_{match[1][1:]}{match[4]}"


def _other_group(match: re.Match[str]) -> str:
    return f"{match[1]}dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"


def _moved(match: re.Match[str]) -> str:
    start, end = int(match[1]), int(match[2])
    step = 1 if start == 0 else -1
    return match[0].replace(f"{start}:{end}", f"{start + step}:{end + step}", 1)


def _other_pairs(match: re.Match[str]) -> str:
    """From the device after the next one, or from the device itself."""
    pairs = re.findall(r"\[(\d), (\d)\]", match[0])
    return "dense<[" + ", ".join(f"[{source}, {(int(target) + 1) % 4}]" for source, target in pairs) + "]>"


def _swapped(match: re.Match[str]) -> str:
    return f"{match[1]} {match[3]}, {match[2]}"


def _other_axis(match: re.Match[str]) -> str:
    return f"{match[1]}{1 - int(match[2])}{match[3]}"


def _other_mask(match: re.Match[str]) -> str:
    return f"compare {_MASKS[match[1]]},"


def _twice(match: re.Match[str]) -> str:
    return f"dense<{2 * float(match[1]):.9e}>"


# The kind of a fault, where it is in a text, and what stands there instead.
Rule = tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]]
RULES: tuple[Rule, ...] = (
    ("missing all_reduce", _ALL_REDUCE, _missing),
    ("doubled all_reduce", _ALL_REDUCE, _doubled),
    ("wrong group", _GROUP, _other_group),
    ("halo off by one", re.compile(r"\[(\d+):(\d+)(?:, \d+:\d+)*\]"), _moved),
    (
        "halo off by one",
        re.compile(r"dense<\[\[\d, \d\](?:, \[\d, \d\]){3}\]>(?= : tensor<4x2)"),
        _other_pairs,
    ),
    (
        "wrong axis",
        re.compile(r"(across dimensions = \[|iota dim = |dims = \[)([01])(\]|)(?=[^,])"),
        _other_axis,
    ),
    ("epsilon changed by 2", re.compile(r"dense<(\d\.\d+E-0?[2-9]\d*)>(?= : tensor<[^>]*f)", re.I), _twice),
    (
        "swapped operands",
        re.compile(r"(stablehlo\.(?:subtract|divide|dot_general)) (%\w+), (%\w+)"),
        _swapped,
    ),
    ("wrong mask", re.compile(r"compare +(GE|GT|LT|LE|EQ|NE),"), _other_mask),
)
_STEP = re.compile(r"(%\w+) = stablehlo\.\w+ (%\w+)(?:, %\w+)? : tensor<[^>]*f[^>]*>\n")


def faults(case: Case, most: int) -> Iterator[Fault]:
    """Texts that load, at most so many of each rule, at places that are spread over the program."""
    for kind, pattern, change in RULES:
        places = list(pattern.finditer(case.text))
        for match in places[:: max(len(places) // most, 1)][:most]:
            text = case.text[: match.start()] + change(match) + case.text[match.end() :]
            yield from _loaded(Fault(kind, case, text))
    steps = list(_STEP.finditer(case.text))
    for match in steps[:: max(len(steps) // most, 1)][:most]:
        rest = re.sub(rf"{match[1]}(?![\w#])", match[2], case.text[match.end() :], count=1)
        yield from _loaded(Fault("stale value", case, case.text[: match.end()] + rest))


def _loaded(fault: Fault) -> Iterator[Fault]:
    try:
        hlokit.load(fault.text)
    except hlokit.HlokitError:  # types do not fit
        return
    if fault.text != fault.case.text:
        yield fault


# The oracle ------------------------------------------------------------------------------------------


def changes_meaning(fault: Fault) -> bool:
    """Whether results in f64 differ by more than rounding, for random arguments.

    Raises:
      AssertionError: the difference is neither rounding nor clear.
    """
    largest = 0.0
    for seed in range(3):
        here, there = (_in_f64(text, fault.case.count, seed) for text in (fault.case.text, fault.text))
        for one, other in zip(here, there, strict=True):
            is_same = (one == other) | (np.isnan(one) & np.isnan(other))
            gap = np.where(is_same, 0.0, np.nan_to_num(np.abs(one - other), nan=np.inf))
            largest = max(largest, float(gap.max() / (np.nanmax(np.abs(one)) + 1e-300)))
    assert largest < 1e-13 or largest > 1e-11, largest
    return largest > 1e-11


def _in_f64(text: str, count: int, seed: int) -> list[Any]:
    """The results of a program whose floats are f64, of all processes."""
    wide = re.sub("0x[0-9A-F]+", lambda match: _INFINITIES.get(match[0], match[0]), text)
    program = hlokit.load(re.sub(_FLOATS, "f64", wide))
    drawn = [[abs(value) for value in program.example_inputs(seed * count + n)] for n in range(count)]
    grid = {"num_replicas": 4} if "num_replicas = 4" in text else {"num_partitions": count}
    results = program.run_parallel(drawn, **grid) if count > 1 else program.runs.evaluate(drawn[0], "main")
    leaves: Any = jax.tree.leaves(list(results))
    return [np.asarray(leaf) for leaf in leaves]
