"""`hlokit.equal`: pairs of programs that mean the same, and pairs that do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.tools.equal import comparing
from hlokit.tools.equal.comparing import Question, all_identities, decide
from hlokit.tools.equal.rules.constants import ROUNDED_CONSTANTS
from hlokit.tools.equal.sides import WholeProgram, paired

X = np.random.default_rng(0).normal(size=(6, 6)).astype(np.float32)
Function = Callable[[Any], Any]


def softmax(x: Any) -> Any:
    return jnp.exp(x) / jnp.exp(x).sum(-1, keepdims=True)


# Two functions, and the identities that their equality needs.
EQUAL: dict[str, tuple[Function, Function, tuple[str, ...]]] = {
    "order of a sum": (lambda x: x.sum(), lambda x: x[::-1].sum(0).sum(), ()),
    "distributivity": (lambda x: (x + 1) * x.T, lambda x: x * x.T + x.T, ()),
    "products of matrices": (lambda x: (x @ x) @ x, lambda x: x @ (x @ x), ()),
    "einsum": (lambda x: jnp.einsum("ij,kj->ik", x, x), lambda x: x @ x.T, ()),
    "halves": (lambda x: x / 2, lambda x: 0.5 * x, ()),
    "reciprocals": (lambda x: x / (x + 1), lambda x: x * (1 / (x + 1)), ()),
    "powers": (lambda x: x**3, lambda x: x * x * x, ()),
    "variance": (lambda x: jnp.var(x, -1), lambda x: (x * x).mean(-1) - x.mean(-1) ** 2, ()),
    "values at 0 and 1": (lambda x: x * lax.cos(x - x) + lax.log(lax.full((), 1.0)), lambda x: x, ()),
    "select over booleans": (lambda x: jnp.where(x > 0, x, 0), lambda x: x * (x > 0), ()),
    "max by select": (lambda x: jnp.maximum(x, 0), lambda x: jnp.where(x < 0, 0, x), ()),
    "sorting": (lambda x: jnp.sort(x, -1)[:, -1], lambda x: x.max(-1), ()),
    "scan": (lambda x: lax.scan(lambda c, y: (c + y, c), X[0] * 0, x)[0], lambda x: x.sum(0), ()),
    "cumsum": (lambda x: jnp.cumsum(x, 0)[-1], lambda x: x.sum(0), ()),
    "gather": (lambda x: x[jnp.array([1, 0, 5])], lambda x: jnp.eye(6)[jnp.array([1, 0, 5])] @ x, ()),
    "scatter": (lambda x: jnp.zeros(3).at[jnp.arange(6) % 3].add(x[0]), lambda x: x[0, :3] + x[0, 3:], ()),
    "narrow floats": (lambda x: x.astype(jnp.bfloat16).astype(jnp.float32), lambda x: x, ()),
    "complex": (lambda x: ((x + 1j * x.T) * 1j).real, lambda x: -x.T, ()),
    "convolution": (
        lambda x: lax.conv(x[None, None], x[None, None, :2, :2], (1, 1), "VALID")[0, 0],
        lambda x: sum(x[i : i + 5, j : j + 5] * x[i, j] for i in range(2) for j in range(2)),
        (),
    ),
    "rematerialised": (
        jax.grad(lambda x: jnp.sin(jnp.tanh(x)).sum()),
        jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.tanh(x)).sum())),
        (),
    ),
    "rsqrt": (lambda x: lax.rsqrt(x * x + 1), lambda x: 1 / jnp.sqrt(x * x + 1), ("rsqrt by sqrt",)),
    "tanh": (jnp.tanh, lambda x: 2 / (1 + jnp.exp(-2 * x)) - 1, ("tanh by exponential",)),
    "expm1": (jnp.expm1, lambda x: jnp.exp(x) - 1, ("exponential minus one",)),
    "log1p": (lambda x: jnp.log1p(x * x), lambda x: jnp.log(1 + x * x), ("log plus one",)),
    "tan": (lax.tan, lambda x: jnp.sin(x) / jnp.cos(x), ("tan by sine and cosine",)),
    "folded constants": (
        lambda x: x + lax.sqrt(lax.full((), 3.0)) / 7,
        lambda x: x + np.float32(3**0.5 / 7),
        ("rounded constants",),
    ),
    "roots of squares": (lambda x: x / lax.sqrt(lax.full((), 16.0)), lambda x: x / 4, ()),
    "constants folded in several steps": (
        lambda x: x * lax.sin(1e4 * lax.sqrt(lax.full((3, 6, 6), 3.0))),
        lambda x: x * np.full((3, 6, 6), np.sin(np.float32(1e4) * np.sqrt(np.float32(3)))),
        ("rounded constants",),
    ),
    "constants that are only moved": (  # beside a number that rounds to one of them
        lambda x: x * 2 + lax.sqrt(lax.full((6, 6), 3.0)) * lax.sqrt(lax.full((6, 6), 4 / 3)),
        lambda x: x * lax.full((6, 6), 2.0) + np.sqrt(np.float32(3)) * np.sqrt(np.float32(4 / 3)),
        ("rounded constants",),
    ),
    "constants one after the other": (  # which XLA multiplies
        lambda x: lax.sin(x * 0.8) * 0.7978846 * 0.044715,
        lambda x: lax.sin(x * 0.8) * (np.float32(0.7978846) * np.float32(0.044715)),
        ("rounded constants",),
    ),
    "reciprocals of long constants": (
        lambda x: x / np.float32(2.3025851),
        lambda x: x * (1 / np.float32(2.3025851)),
        ("rounded constants",),
    ),
    "rounded reciprocals": (lambda x: x / 3, lambda x: x * np.float32(1 / 3), ("rounded constants",)),
    "exp of a sum": (
        lambda x: jnp.exp(x + x.T),
        lambda x: jnp.exp(x) * jnp.exp(x.T),
        ("exponential of a sum",),
    ),
    "softmax shift": (jax.nn.softmax, softmax, ("exponential of a sum",)),
    "two softmaxes": (
        lambda x: jax.nn.softmax(jax.nn.softmax(x) @ x),
        lambda x: softmax(softmax(x) @ x),
        ("exponential of a sum",),
    ),
    "gradient of softmax": (
        jax.grad(lambda x: (jax.nn.softmax(x) ** 2).sum()),
        jax.grad(lambda x: (softmax(x) ** 2).sum()),
        ("exponential of a sum",),
    ),
    "log-sum-exp": (
        lambda x: jax.nn.logsumexp(x, -1),
        lambda x: jnp.log(jnp.exp(x).sum(-1)),
        ("exponential of a sum", "logarithm of shifted exponentials"),
    ),
    "odd and even": (
        lambda x: jnp.sin(x - x.T) * jnp.cos(x - x.T) + lax.erf(-x),
        lambda x: -jnp.sin(x.T - x) * jnp.cos(x.T - x) - lax.erf(x),
        ("odd and even functions",),
    ),
    "softplus": (
        jax.nn.softplus,
        lambda x: jnp.log(1 + jnp.exp(x)),
        ("exponential of a sum", "log plus one", "logarithm of a product"),
    ),
    "a constant of two, with the other sign": (
        lambda x: (x * x + lax.log(lax.full((), 5.0))) / -2,
        lambda x: -0.5 * x * x - np.log(np.float32(5)) / np.float32(2),
        ("rounded constants",),
    ),
    "log of a quotient": (
        lambda x: jnp.log(jnp.sqrt(1 + x * x) / (2 + x * x)),
        lambda x: jnp.log(1 + x * x) / 2 - jnp.log(2 + x * x),
        ("logarithm of a product",),
    ),
}

DIFFERENT: dict[str, tuple[Function, Function]] = {
    "epsilon": (lambda x: lax.rsqrt(x * x + 1e-5), lambda x: lax.rsqrt(x * x + 2e-5)),
    "last bit of a constant": (lambda x: x * 0.1, lambda x: x * np.nextafter(np.float32(0.1), np.float32(1))),
    "softmax along another axis": (lambda x: jax.nn.softmax(x, -1), lambda x: jax.nn.softmax(x, 0)),
    "sum of exponentials": (lambda x: jnp.exp(x).sum(), lambda x: jnp.exp(x.sum())),
    "shift of log-sum-exp": (lambda x: jax.nn.logsumexp(x, -1), lambda x: jnp.log(jnp.exp(x - 1).sum(-1))),
    "log of a quotient": (lambda x: jnp.log(x * x / 3), lambda x: jnp.log(x * x) + jnp.log(3.0)),
    "odd and even": (lambda x: jnp.sin(-x), jnp.sin),
    "softplus": (jax.nn.softplus, lambda x: x + jnp.log1p(jnp.exp(x))),
    "transpose": (lambda x: x @ x.T, lambda x: x.T @ x),
    "power of two": (lambda x: x * 2.0**30, lambda x: x * 2.0**29),
    "half of a sum": (lambda x: x[:, :3].sum(-1), lambda x: x[:, 3:].sum(-1)),
    "order of operands": (lambda x: x - x.T, lambda x: x.T - x),
    "mask": (jnp.tril, lambda x: jnp.tril(x, -1)),
    "integers": (lambda x: jnp.argmax(x, -1), lambda x: jnp.argmin(x, -1)),
}


@pytest.mark.parametrize("name", EQUAL)
def test_functions_that_mean_the_same(name: str) -> None:
    one, other, identities = EQUAL[name]
    verdict = hlokit.equal(one, other, X, runs=1)
    assert (verdict.status, verdict.identities) == ("equal", identities)
    assert verdict.error is not None and verdict.error < 1e-5


@pytest.mark.parametrize(
    "dtype",
    [
        pytest.param(np.float32, marks=pytest.mark.deep),
        jnp.bfloat16,
        pytest.param(jnp.float8_e4m3fn, marks=pytest.mark.deep),
    ],
)
def test_functions_that_differ(dtype: Any) -> None:
    same: list[str] = []
    for name, (one, other) in DIFFERENT.items():
        if dtype != np.float32 and name == "last bit of a constant":
            continue
        program, changed = (_in(function, dtype) for function in (one, other))
        verdict = hlokit.equal(program, changed, X.astype(dtype), runs=1)
        if verdict.status != "differs" or not verdict.operation:
            same.append(f"{name}: {verdict}")
    assert same == []


def _in(function: Function, dtype: Any) -> Function:
    """The function in a narrow type; f8 has few functions in JAX, so its constants alone are narrow."""
    if dtype != jnp.float8_e4m3fn:
        return function
    return lambda x: function(x.astype(jnp.bfloat16))


# Operations that JAX expands, functions of JAX, and the identities that their equality needs.
_EXPONENTIAL = "exponential of a sum"
_HYPERBOLIC = "hyperbolic functions by exponential"
FUNCTIONS: dict[str, tuple[Function, tuple[str, ...]]] = {
    "chlo.cosh": (lambda x: (jnp.exp(x) + 1 / jnp.exp(x)) / 2, (_EXPONENTIAL, _HYPERBOLIC)),
    "chlo.sinh": (lambda x: (jnp.exp(x) - 1 / jnp.exp(x)) / 2, (_EXPONENTIAL, _HYPERBOLIC)),
    "stablehlo.logistic": (
        lambda x: jnp.exp(x) / (1 + jnp.exp(x)),
        (_EXPONENTIAL, "logistic by exponential"),
    ),
    "chlo.erfc": (lambda x: 1 - lax.erf(x), ("erfc by erf",)),
}


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_functions_by_others(operation: str) -> None:
    function, identities = FUNCTIONS[operation]
    suffix = " -> tensor<4xf32>" if operation.startswith("chlo") else ""
    direct = (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        f"%y = {operation} %x : tensor<4xf32>{suffix}\nreturn %y : tensor<4xf32> }}"
    )
    other = jax.jit(function).lower(X[0, :4]).as_text()
    verdict = hlokit.equal(direct, other)
    assert (verdict.status, verdict.identities) == ("equal", identities)


def test_outfeeds_are_compared() -> None:
    text = (
        "func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) -> !stablehlo.token {{\n"
        "%y = stablehlo.add %x, %x : tensor<2xf32>\n"
        '%r = "stablehlo.outfeed"({operand}, %t) {{outfeed_config = ""}} : '
        "(tensor<2xf32>, !stablehlo.token) -> !stablehlo.token\n"
        "return %r : !stablehlo.token }}"
    )
    program, other = text.format(operand="%y"), text.format(operand="%x")
    assert hlokit.equal(program, program).is_equal
    verdict = hlokit.equal(program, other)
    assert verdict.status == "differs" and "outfeed" in str(verdict)


def test_quantized_arguments_have_one_type() -> None:
    text = "func.func @main(%x: tensor<4x{0}>) -> tensor<4x{0}> {{ return %x : tensor<4x{0}> }}"
    program = text.format("!quant.uniform<i8:f32, 0.1>")
    assert hlokit.equal(program, program).is_equal
    for other in ("!quant.uniform<i8:f32, 0.2>", "i8"):
        with pytest.raises(hlokit.ArgumentError, match="must have one type"):
            hlokit.equal(program, text.format(other))


def test_every_identity_is_needed_by_a_test() -> None:
    rows = (*EQUAL.values(), *FUNCTIONS.values())
    assert all_identities() == {identity for row in rows for identity in row[-1]}


def test_top_k_has_the_first_of_equal_numbers_first() -> None:
    """As the stable sort does, to which JAX's exports expand it, whatever rounding makes of the floats."""

    def first_of_two(x: Any) -> Any:
        return lax.top_k(jnp.stack([x / x.T * X, x * X / x.T], -1), 1)[1]

    direct = jax.jit(first_of_two).lower(X).as_text()
    assert "chlo.top_k" in direct
    assert hlokit.equal(direct, first_of_two, X).is_equal


def test_bits_of_floats_are_inconclusive() -> None:
    def one(x: Any) -> Any:
        return lax.bitcast_convert_type(x * 3 / 3, jnp.int32)

    def other(x: Any) -> Any:
        return lax.bitcast_convert_type(x * 1.0000001, jnp.int32)

    assert hlokit.equal(one, one, X).is_equal
    verdict = hlokit.equal(one, other, X)
    assert verdict.status == "inconclusive"
    assert [reason.operation for reason in verdict.reasons] == ["stablehlo.bitcast_convert"] * 2
    assert "takes the bits of floats" in str(verdict)


def test_what_rounding_of_constants_explains_is_inconclusive() -> None:
    """A folder rounded several times: too far for `rounded constants`, and the exponential enlarges it."""
    program = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n{}\nreturn %y : tensor<4xf32> }}"
    computed = """%two = stablehlo.constant dense<2.0> : tensor<4xf32>
    %c = stablehlo.log %two : tensor<4xf32>
    %d = stablehlo.multiply %x, %c : tensor<4xf32>
    %y = stablehlo.exponential %d : tensor<4xf32>"""
    log = np.log(np.float32(2))
    x = np.array([90, 100, 110, 120], np.float32)
    for units, status in ((6, "inconclusive"), (600, "differs")):
        folded = log + units * np.spacing(log)
        text = computed.replace("stablehlo.log %two :", f"stablehlo.constant dense<{folded:.9e}> :").replace(
            "%two = stablehlo.constant dense<2.0> : tensor<4xf32>\n", ""
        )
        verdict = hlokit.equal(program.format(computed), program.format(text), x, runs=1)
        assert verdict.status == status, verdict


@pytest.mark.parametrize(("type_", "runs"), [("i32", 3), ("f32", 9)])
def test_no_run_tries_what_changes_nothing(monkeypatch: pytest.MonkeyPatch, type_: str, runs: int) -> None:
    """Integers obey no identity of functions, and a constant of both programs is no rounding of another one."""
    count = 0
    run = comparing._run_planned  # pyright: ignore[reportPrivateUsage] # each pair of runs

    def counted(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        return run(*arguments)

    monkeypatch.setattr(comparing, "_run_planned", counted)
    text = f"""func.func @main(%x: tensor<4x{type_}>) -> tensor<4x{type_}> {{
      %c = stablehlo.constant dense<3> : tensor<4x{type_}>
      %y = stablehlo.add %x, %c : tensor<4x{type_}>
      return %y : tensor<4x{type_}> }}""".replace("dense<3>", "dense<3>" if type_ == "i32" else "dense<3.0>")
    x = np.arange(4).astype(type_.replace("i", "int").replace("f", "float"))
    assert hlokit.equal(text, text.replace("add", "multiply"), x).status == "differs"
    assert count == runs


def test_a_constant_may_have_two_meanings() -> None:
    """2 / 20 is rounded to a constant that the program has already."""

    def computed(x: Any) -> Any:
        return lax.sin(x / 20 * 2) + 0.1

    verdict = hlokit.equal(computed, lambda x: lax.sin(x * 0.1) + 0.1, X)
    assert verdict.is_equal and verdict.identities == (ROUNDED_CONSTANTS,)
    for wrong in (lambda x: lax.sin(x * 0.1) + 0.2, lambda x: lax.sin(x * 0.1) * 0.1):
        assert hlokit.equal(computed, wrong, X).status == "differs"
    assert hlokit.equal(computed, lambda x: lax.sin(x * 0.10001) + 0.1, X).status == "differs"


def test_floats_of_rounding_errors_alone_may_differ() -> None:
    """As those of gradients that are 0 but for the rounding errors of the program's constants."""

    def one(x: Any) -> Any:
        return x * 0.3 * 0.7 * 0.9 - x * 0.9 * 0.7 * 0.3 + x * 1e-25

    def other(x: Any) -> Any:
        return x * 0.7 * 0.9 * 0.3 - x * 0.3 * 0.9 * 0.7 + x * 1e-25

    assert hlokit.equal(one, other, X).is_equal
    assert hlokit.equal(one, lambda x: other(x) + x * 1e-25, X).status == "differs"
    assert hlokit.equal(lambda x: x * 0.1, lambda x: x * 0.1 * 2.0**61, X).status == "inconclusive"

    def chaos(x: Any) -> Any:  # rounding errors of 3.9 change results altogether
        return lax.fori_loop(0, 60, lambda _, y: 3.9 * y * (1 - y), lax.logistic(x))

    verdict = hlokit.equal(chaos, lambda x: chaos(x) * 2.0**61, X, runs=1)
    assert verdict.status == "inconclusive", verdict


@pytest.mark.parametrize("results", ["({})", "tuple<{}>"])
def test_a_call_of_xla_that_takes_the_greatest_elements_is_known(results: str) -> None:
    """Not one that takes the least ones."""
    program = """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {{
      {} {{mhlo.attributes = {{largest = {}}}}} : (tensor<4x4xf32>) -> {}
      {} return %0 : tensor<4x2xf32> }}"""
    types = results.format("tensor<4x2xf32>, tensor<4x2xi32>")
    item = f"%0 = stablehlo.get_tuple_element %t[0] : ({types}) -> tensor<4x2xf32>"
    name, item = ("%t =", item) if results.startswith("tuple") else ("%0, %1 =", "")
    call = f"{name} stablehlo.custom_call @TopK(%x)"
    x = X[:4, :4]
    for largest, is_equal in (("true", True), ("false", False)):
        verdict = hlokit.equal(lambda x: lax.top_k(x, 2)[0], program.format(call, largest, types, item), x)
        assert verdict.is_equal == is_equal


def test_the_configuration_of_a_call_has_two_names() -> None:
    def solved(attributes: str) -> str:
        call = f"%y, %t = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) {{{attributes}}}"
        types = "(tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)"
        return f"func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{ {call} : {types} return %y : tensor<4x4xf32> }}"

    old, new = "mhlo.backend_config = {}", "api_version = 4 : i32, backend_config = {}"
    assert hlokit.equal(solved(old), solved(new), X[:4, :4]).is_equal
    other = "api_version = 4 : i32, backend_config = {a = 1 : i32}"
    assert hlokit.equal(solved(old), solved(other), X[:4, :4]).status == "inconclusive"


def test_one_run_is_enough_for_arguments_of_the_caller() -> None:
    """Unless the numbers have a high degree, or each run draws its own arguments."""

    def often(x: Any) -> Any:
        return lax.fori_loop(0, 30, lambda _, y: y * y, x)

    for arguments, function, runs in (((X,), jnp.tanh, 1), ((X,), often, 2)):
        assert hlokit.equal(function, function, *arguments).runs == runs
    text = jax.jit(jnp.tanh).lower(X).as_text()
    assert hlokit.equal(text, text).runs == 2
    assert hlokit.equal(text, text, X, runs=3).runs == 3


def test_unknown_identities_of_functions_are_inconclusive() -> None:
    """Functions whose floats agree to the last digits; polynomials that do so are known to differ."""
    pairs: list[tuple[Function, Function]] = [
        (lambda x: lax.sqrt(x * x), abs),
        (lambda x: jnp.sin(2 * x), lambda x: 2 * jnp.sin(x) * jnp.cos(x)),
        (lambda x: abs(lax.complex(x, x.T)) ** 2, lambda x: x * x + x.T * x.T),
    ]
    for one, other in pairs:
        verdict = hlokit.equal(one, other, X)
        assert verdict.status == "inconclusive" and "may obey an identity" in str(verdict)
    assert hlokit.equal(lambda x: x + 1e-30 * x * x, lambda x: x + 2e-30 * x * x, X).status == "differs"


def test_attributes_belong_to_functions_of_whole_arrays() -> None:
    """Also where the operands are equal, and a call has the same operands as another one."""
    text = """
    func.func @main(%x: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
      %0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
      return %0 : tensor<4x4xcomplex<f32>>
    }"""
    assert hlokit.equal(text, text).is_equal
    assert hlokit.equal(text, text.replace("type = FFT", "type = IFFT")).status == "differs"
    call = """
    func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = "stablehlo.cholesky"(%x) {lower = true} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }"""
    assert hlokit.equal(call, call).is_equal
    assert hlokit.equal(call, call.replace("lower = true", "lower = false")).status == "differs"


def test_a_factor_that_is_1_in_the_field_is_seen() -> None:
    verdict = hlokit.equal(lambda x: x, lambda x: x * 2.0**61, X)
    assert verdict.status == "inconclusive" and "other floats" in str(verdict)
    verdict = hlokit.equal(jnp.tanh, lambda x: jnp.tanh(x * 2.0**61), X)
    assert verdict.status == "inconclusive" and "other floats" in str(verdict)
    assert hlokit.equal(lambda x: x - x, lambda x: 1e-9 * (x.T - x.T), X).is_equal


def test_results_that_are_nan_are_told() -> None:
    verdict = hlokit.equal(jnp.log, jnp.log, -abs(X))
    assert verdict.is_equal and "36 NaN" in str(verdict)


def test_a_verdict_on_known_numbers_says_so() -> None:
    for known in (np.zeros((2, 2), np.float32), np.arange(4, dtype=np.int32)):
        verdict = hlokit.equal(lambda x: x + x, lambda x: 2 * x, known)
        assert verdict.is_equal and verdict.error is None
        assert "on these arguments alone" in str(verdict)


def test_degrees_beyond_a_bound_are_told() -> None:
    for count in (70, 2000):  # 2^2000 is no float

        def square_often(x: Any, count: int = count) -> Any:
            return lax.fori_loop(0, count, lambda _, y: y * y, x)

        verdict = hlokit.equal(square_often, square_often, X, runs=1)
        assert verdict.error is None and "no proof: the degree is too high" in str(verdict)


def test_arguments_and_results_may_be_in_another_order() -> None:
    one = "func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) { %0 = stablehlo.subtract %a, %b : tensor<3xf32> return %0, %a : tensor<3xf32>, tensor<3xf32> }"
    other = one.replace("%a: tensor<3xf32>, %b", "%b: tensor<3xf32>, %a").replace(
        "return %0, %a", "return %a, %0"
    )
    assert hlokit.equal(one, other).status == "differs"
    pairs = {0: 1, 1: 0}
    assert hlokit.equal(one, other, map={"arguments": pairs, "results": pairs}).is_equal
    for wrong in ({"arguments": {0: 2}}, {"results": {0: 1, 1: 1}}):
        with pytest.raises(hlokit.ArgumentError, match="must name each"):
            hlokit.equal(one, other, map=wrong)


def test_types_must_fit_apart_from_the_precision_of_floats() -> None:
    text = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> { return %a : tensor<3xf32> }"
    assert hlokit.equal(text, text.replace("f32", "bf16")).is_equal
    for wrong in ("i32", "complex<f32>"):
        with pytest.raises(hlokit.ArgumentError, match="must have one type"):
            hlokit.equal(text, text.replace("f32", wrong))
    with pytest.raises(hlokit.ArgumentError, match="must be at least 1, got 0"):
        hlokit.equal(text, text, runs=0)
    with pytest.raises(hlokit.ArgumentError, match="example arguments"):
        hlokit.equal(jnp.sin, jnp.sin)


def test_functions_of_jax_have_all_arguments_used_or_not() -> None:
    def second(x: Any, y: Any) -> Any:
        return y + 0 * x

    assert hlokit.equal(second, lambda x, y: y, X, 2 * X).is_equal
    assert hlokit.equal(second, lambda x, y: x, X, 2 * X).status == "differs"


def test_assert_equal_meaning() -> None:
    from hlokit.testing import assert_equal_meaning

    assert assert_equal_meaning(jax.nn.softmax, softmax, X).identities == ("exponential of a sum",)
    with pytest.raises(AssertionError, match="differs in meaning"):
        assert_equal_meaning(jnp.sin, jnp.cos, X)


def test_programs_for_several_processes() -> None:
    text = """
    module attributes {mhlo.num_replicas = 2 : i32} { func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %1 = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %1 : tensor<f32>
      }) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32> } }"""
    assert hlokit.equal(text, text).is_equal
    for fault in (
        text.replace("[[0, 1]]> : tensor<1x2xi64>", "[[0], [1]]> : tensor<2x1xi64>"),
        text.replace("stablehlo.add", "stablehlo.maximum"),
    ):
        assert hlokit.equal(text, fault).status == "differs"


def test_processes_that_count_themselves() -> None:
    """Regression: a sum of constants of all processes was computed once more by one of them, without end."""
    text = """
    module attributes {mhlo.num_replicas = 2 : i32} { func.func @main(%a: tensor<f32>) -> tensor<f32> {
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %sum = "stablehlo.all_reduce"(%one) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %1 = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %1 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %0 = stablehlo.multiply %a, %sum : tensor<f32>
      return %0 : tensor<f32> } }"""
    assert hlokit.equal(text, text.replace("multiply %a, %sum", "add %a, %a")).is_equal
    assert hlokit.equal(text, text.replace("multiply %a", "divide %a")).status == "differs"


@pytest.mark.filterwarnings("error")
def test_reciprocals_of_subnormal_constants_warn_nobody() -> None:
    """Regression: a constant whose reciprocal is infinite printed a warning of NumPy."""
    program = """func.func @main() -> tensor<f64> {
      %0 = stablehlo.constant dense<4.9406564584124654e-324> : tensor<f64>
      %1 = stablehlo.CALL %0 : tensor<f64>
      return %1 : tensor<f64>
    }"""
    first, second = [hlokit.load(program.replace("CALL", name)) for name in ("ceil", "floor")]
    assert hlokit.equal(first, second).status != "equal"


def test_calls_with_other_attributes_or_python_functions_differ() -> None:
    row = np.array([1, 2, 3], np.float32)
    greatest, least = (
        "func.func @main(%x: tensor<3xf32>) -> tensor<2xf32> { %r, %i = stablehlo.custom_call @mhlo.topk(%x) "
        f"{{mhlo.attributes = {{k = 2 : i64, largest = {largest}}}, mhlo.version = 1 : i64}} : "
        "(tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>) return %r : tensor<2xf32> }"
        for largest in ("true", "false")
    )
    assert hlokit.equal(greatest, greatest, row).is_equal
    assert not hlokit.equal(greatest, least, row).is_equal
    twice, squared = (
        lambda x, called=called: jax.pure_callback(called, jax.ShapeDtypeStruct((3,), jnp.float32), x)
        for called in (lambda x: np.asarray(x) * 2, lambda x: np.asarray(x) ** 2)
    )
    assert not hlokit.equal(twice, squared, row).is_equal


@pytest.mark.parametrize(("iterations", "status"), [(2, "equal"), (3, "differs"), (None, "differs")])
def test_first_iterations_of_loops(iterations: int | None, status: str) -> None:
    """Programs that differ in the third iteration alone, of a loop around another one."""

    def third(factor: float) -> Function:
        def step(i: Any, x: Any) -> Any:
            return lax.fori_loop(0, 2, lambda _, y: y + 1, x) * jnp.where(i == 2, factor, 1.0)

        return lambda x: lax.fori_loop(0, 5, step, x)

    one, other = [WholeProgram(hlokit.from_jax(jax.jit(third(factor)), X), "main") for factor in (2.0, 3.0)]
    question = Question(one, other, paired(one, other), [X], runs=1, iterations=iterations)
    assert decide(question).status == status
