"""HLO before and after XLA's optimization, as text and as protocol buffers, against JAX and NumPy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hlokit

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax

X = np.random.default_rng(0).uniform(-0.9, 0.9, (4, 6)).astype(np.float32)


def forms(function: Any, *arguments: Any) -> dict[str, Any]:
    """The HLO of a function of JAX before and after optimization."""
    lowered = jax.jit(function).lower(*arguments)
    compiled = lowered.compile()
    return {
        "text": lowered.as_text("hlo"),
        "proto": lowered.compiler_ir("hlo").as_serialized_hlo_module_proto(),
        "optimized text": compiled.as_text(),
        "optimized proto": compiled.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto(),
    }


def entry(body: str, functions: str = "") -> str:
    return f"HloModule m\n{functions}\nENTRY main {{\n{body}\n}}\n"


PROGRAMS = {
    "fused": lambda x: jax.nn.softmax(jax.nn.gelu(x @ x.T)),
    "loop": lambda x: lax.scan(lambda c, y: (c * 0.9 + y, jnp.sin(c)), jnp.zeros(6), x),
    "top k": lambda x: lax.top_k(x, 3),
    "layouts": lambda x: (x.reshape(2, 2, 6).transpose(2, 0, 1).reshape(6, 4) @ x).T[::-1],
    "bits": lambda x: lax.bitcast_convert_type(x, jnp.uint8) >> 3,
    "ragged": lambda x: lax.ragged_dot(x, jnp.ones((2, 6, 3)), jnp.array([1, 3])),
    "functions": lambda x: lax.acos(x) + jnp.sinh(x) + jax.scipy.special.erf(x) + lax.atanh(x),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_jax(name: str) -> None:
    expected = [np.asarray(leaf) for leaf in jax.tree.leaves(jax.jit(PROGRAMS[name])(X))]
    for form, source in forms(PROGRAMS[name], X).items():
        results = jax.tree.leaves(hlokit.load(source)(X))
        for result, value in zip(results, expected, strict=True):
            np.testing.assert_allclose(result, value, rtol=1e-4, atol=1e-5, err_msg=form)


UNARY = {
    "acos": np.arccos, "acosh": lambda x: np.arccosh(x + 2), "asin": np.arcsin, "asinh": np.arcsinh,
    "atanh": np.arctanh, "copy": lambda x: x, "cosh": np.cosh, "erf": jax.scipy.special.erf, "sinh": np.sinh,
    "cbrt": np.cbrt, "tan": np.tan, "exponential-minus-one": np.expm1, "round-nearest-even": np.rint,
}  # fmt: skip


@pytest.mark.parametrize("opcode", UNARY)
def test_functions(opcode: str) -> None:
    shift = 2 if opcode == "acosh" else 0
    text = entry(f"  p = f32[4,6] parameter(0)\n  ROOT r = f32[4,6] {opcode}(p)")
    result = hlokit.load(text)(X + np.float32(shift))
    np.testing.assert_allclose(result, UNARY[opcode](X.astype(np.float64)), rtol=1e-6, atol=1e-7)


def in_memory(array: npt.NDArray[Any], layout: tuple[int, ...]) -> npt.NDArray[Any]:
    """The elements in the order of a layout, which lists dimensions from the fastest to the slowest."""
    return np.ascontiguousarray(array.transpose(layout[::-1])).reshape(-1)


@pytest.mark.parametrize(
    ("source", "target", "layout", "new_layout", "dtype"),
    [
        ((4, 6), (6, 4), (1, 0), (0, 1), "f32"),
        ((4, 6), (2, 12), (0, 1), (1, 0), "f32"),
        ((2, 3, 4), (4, 6), (0, 2, 1), (0, 1), "f32"),
        ((24,), (3, 2, 4), (0,), (2, 0, 1), "s32"),
        ((4, 6), (4, 6, 4), (1, 0), (2, 1, 0), "u8"),
        ((4, 6), (4, 3), (1, 0), (1, 0), "f64"),
    ],
)
def test_bitcasts(source: Any, target: Any, layout: Any, new_layout: Any, dtype: str) -> None:
    operand = np.arange(1, 25, dtype=np.float32).reshape(source)
    shapes = [
        f"{name}[{','.join(map(str, shape))}]{{{','.join(map(str, order))}}}"
        for name, shape, order in (("f32", source, layout), (dtype, target, new_layout))
    ]
    text = entry(f"  p = {shapes[0]} parameter(0)\n  ROOT r = {shapes[1]} bitcast(p)")
    result = hlokit.load(text)(operand)
    assert result.shape == target
    bytes_ = in_memory(operand, layout).tobytes()
    assert in_memory(result, new_layout).tobytes() == bytes_


def test_bitcast_of_booleans() -> None:
    text = entry("  p = pred[4] parameter(0)\n  ROOT r = u8[2,2] bitcast(p)")
    result = hlokit.load(text)(np.array([True, False, True, True]))
    assert (result.dtype, result.tolist()) == (np.uint8, [[1, 0], [1, 1]])


DOUBLED = "f { a = f32[3] parameter(0)\n ROOT b = f32[3] add(a,a) }"
BUNDLE = "((f32[3]), f32[3], s32[])"


@pytest.mark.parametrize(
    ("body", "factor"),
    [
        ("ROOT r = f32[3] fusion(p), kind=kLoop, calls=f", 2),
        (f"s = {BUNDLE} async-start(p), calls=f\n u = {BUNDLE} async-update(s)\n ROOT r = f32[3] async-done(u)", 2),
        (f"s = {BUNDLE} negate-start(p)\n ROOT r = f32[3] negate-done(s)", -1),
        (f"s = {BUNDLE} async-start(p), calls=f\n d = f32[3] async-done(s)\n e = f32[3] async-done(s)\n ROOT r = f32[3] add(d, e)", 4),
        ("s = (f32[3], f32[3], u32[]) copy-start(p)\n ROOT r = f32[3] copy-done(s)", 1),
        ("t = token[] after-all()\n ROOT r = f32[3] add-dependency(p, t)", 1),
        ('ROOT r = f32[3] domain(p), domain={kind="sharding", entry={maximal device=0}, exit={maximal device=1}}', 1),
        ("q = f32[3] copy(p)\n ROOT r = f32[3] call(q), to_apply=f", 2),
    ],
)  # fmt: skip
def test_instructions_of_passes(body: str, factor: int) -> None:
    program = hlokit.load(entry(f" p = f32[3] parameter(0)\n {body}", DOUBLED))
    np.testing.assert_array_equal(program(X[0, :3]), factor * X[0, :3])


def test_greatest_and_least_elements() -> None:
    for largest in ("true", "false"):
        text = entry(f" p = f32[6] parameter(0)\n ROOT r = (f32[2], s32[2]) topk(p), k=2, largest={largest}")
        values, indices = hlokit.load(text)(X[0])
        order = np.argsort(X[0])[::-1] if largest == "true" else np.argsort(X[0])
        assert indices.tolist() == order[:2].tolist()
        np.testing.assert_array_equal(values, X[0][indices])


def test_running_sums() -> None:
    function = "f { a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] add(a,b)\n ROOT t = (f32[], f32[]) tuple(c,c) }"
    body = " p = f32[6] parameter(0)\n i = f32[] constant(0)\n ROOT r = (f32[6], f32[]) scan(p, i), dimensions={0}, to_apply=f, num_carries=1"
    sums, last = hlokit.load(entry(body, function))(X[0])
    np.testing.assert_allclose(sums, np.cumsum(X[0], dtype=np.float64), rtol=1e-5)
    assert last == sums[-1]


def test_text_after_comments() -> None:
    text = entry("  p = f32[4,6] parameter(0)\n  ROOT r = f32[4,6] negate(p)")
    for comment in ("// RUN: tool %s\n\n", "/* a\n * comment */ // another\n", "\n \t"):
        np.testing.assert_array_equal(hlokit.load(comment + text)(X), -X)
    with pytest.raises(hlokit.ParseError, match=r"custom op|expected"):
        hlokit.load(f"func.func @f() {{ return }}\n// HloModule m\n{text}")


@pytest.mark.parametrize(
    "header", ["ENTRY e {", "e {", "ENTRY %e (p: f32[4,6]) -> f32[4,6] {", "%e.1 { // why\n"]
)
@pytest.mark.parametrize("comment", ["", "// RUN: tool %s\n\n"])
def test_text_without_header(header: str, comment: str) -> None:
    text = f"{comment}{header}\n  p = f32[4,6] parameter(0)\n  ROOT r = f32[4,6] negate(p)\n}}"
    np.testing.assert_array_equal(hlokit.load(text)(X), -X)
    np.testing.assert_array_equal(hlokit.load(text.encode())(X), -X)


def test_function_before_entry_without_header() -> None:
    function = "f {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n"
    body = "  p = f32[4,6] parameter(0)\n  z = f32[] constant(0)\n"
    text = f"{function}ENTRY e {{\n{body}  ROOT r = f32[4] reduce(p, z), dimensions={{1}}, to_apply=f\n}}"
    np.testing.assert_allclose(hlokit.load(text)(X), X.sum(1), rtol=1e-6)


@pytest.mark.parametrize(("source", "bits"), [("f16", "u2"), ("f32", "u4"), ("f64", "u8")])
def test_conversion_rounded_at_random(source: str, bits: str) -> None:
    """Away from 0 if the fraction exceeds the random bits; results saturate, NaN becomes 0."""
    dtype = np.dtype(source.replace("f16", "f2").replace("f32", "f4").replace("f64", "f8"))
    width = 8 * dtype.itemsize
    special = [0.25, -0.25, 1.5, -1.5, -2.0, 127.5, -128.5, 1e4, -1e4, np.inf, -np.inf, -0.0]
    x = np.repeat(np.array(special, dtype), 4)
    at = 2**width // 4
    random = np.array([0, at - 1, at, 2**width - 1] * len(special), bits)
    fractions = [int(Fraction(float(abs(v) % 1)) * 2**width) if np.isfinite(v) else 0 for v in x]
    away = [int(r) < fraction for r, fraction in zip(random, fractions, strict=True)]
    expected = np.clip(np.copysign(np.trunc(np.abs(x)).astype("f8") + away, x), -128, 127).astype("i1")
    body = f" p = {source}[48] parameter(0)\n q = u{width}[48] parameter(1)\n"
    program = hlokit.load(entry(body + " ROOT r = s8[48] stochastic-convert(p, q)"))
    np.testing.assert_array_equal(program(x, random), expected)
    np.testing.assert_array_equal(program(np.full(48, np.nan, dtype), random), np.zeros(48))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (entry("  c = f32[20] constant({...})\n  ROOT r = f32[20] negate(c)"), r":4:15: error: .*lacks the values"),
        (entry("  ROOT r = u64[2] rng-get-and-update-state(), delta=2"), r"error: .*mhlo.xla.rng_get_and_update_state, the state of random numbers"),
        (entry("  p = f32[3] parameter(0)\n  q = u32[3] parameter(1)\n  ROOT r = bf16[3] stochastic-convert(p, q)"), r"stochastic_convert, .* signed integers only, got tensor<3xbf16>"),
        (entry("  p = f8e4m3fn[4,64] parameter(0)\n  s = f8e8m0fnu[4,2] parameter(1)\n  ROOT r = f32[4,4] scaled-dot(p, p, s, s), lhs_contracting_dims={1}, rhs_contracting_dims={1}"), r"does not know the instruction r \(scaled-dot\)"),
        (entry(f"  p = f32[3] parameter(0)\n s = {BUNDLE} async-start(p), calls=f\n ROOT r = f32[3] negate(p)", DOUBLED), r"mhlo.async_start, which has no end"),
        (entry("  p = f32[4] parameter(0)\n  ROOT r = f32[5] bitcast(p)"), r"invalid program: number of output elements"),
    ],
    ids=["elided", "state", "rounded to floats", "scaled", "never done", "sizes"],
)  # fmt: skip
def test_refused(text: str, message: str) -> None:
    with pytest.raises(hlokit.ParseError, match=message):
        hlokit.load(text, filename="f.hlo")


def test_calls_have_results_instead_of_a_tuple() -> None:
    """So that `hlokit diff` judges each, by what is known of the call."""
    body = """  p = f32[3,3] parameter(0)
  c = (f32[3,3], s32[]) custom-call(p), custom_call_target="f"
  g = f32[3,3] get-tuple-element(c), index=0
  i = s32[] get-tuple-element(c), index=1
  ROOT t = (f32[3,3], s32[]) tuple(g, i)"""
    program = hlokit.load(entry(body).encode()).text()
    assert "%0:2 = stablehlo.custom_call @f" in program and "tuple" not in program


def test_exchange_of_operands() -> None:
    """all-to-all of a tuple: process i receives operand i of each process."""
    text = entry(
        " p = f32[3] parameter(0)\n q = f32[3] parameter(1)\n"
        " ROOT r = (f32[3], f32[3]) all-to-all(p, q), replica_groups={{0,1}}"
    )
    rows = X.reshape(-1, 3)[:4]
    results = hlokit.load(text).run_parallel([rows[:2], rows[2:]], num_replicas=2)
    for process, received in enumerate(results):
        np.testing.assert_array_equal(received, rows[[process, 2 + process]])
