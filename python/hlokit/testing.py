"""For authors of libraries: compare the results of a JAX function in JAX and in hlokit, or two functions'
meanings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError, for_callers
from hlokit.programs.loading import from_jax
from hlokit.tools.equal.comparing import equal
from hlokit.tools.equal.verdict import Verdict


@for_callers
def assert_same(
    function: Callable[..., Any],
    *arguments: Any,
    rtol: float = 1e-5,
    atol: float = 1e-6,
    **keywords: Any,
) -> Any:
    """Assert that JAX and hlokit give the same results for a JAX function.

        hlokit.testing.assert_same(jax.nn.gelu, x)

    Args:
      function: any function that `jax.jit` takes.
      arguments, keywords: arrays, or pytrees of arrays.
      rtol, atol: the tolerance of floats: `|actual - expected| <= atol + rtol * |expected|`. NaNs are
        equal. Integers and booleans must be equal.

    Returns:
      hlokit's results, in the structure of the function's results.

    Raises:
      AssertionError: the structure, a shape, a dtype or a value differs; the message names the place.
      ArgumentError: JAX is not installed.
    """
    __tracebackhide__ = True
    try:
        import jax
    except ImportError as error:
        raise ArgumentError("assert_same needs JAX: pip install hlokit[jax]") from error
    actual: Any = from_jax(function, *arguments, **keywords)(*arguments, **keywords)
    expected: Any = jax.jit(function)(*arguments, **keywords)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] # JAX
    tools: Any = jax.tree_util
    tree: Any = tools.tree_structure(expected)
    assert tools.tree_structure(actual) == tree, f"results must have the structure {tree}"
    paths: list[Any] = tools.tree_flatten_with_path(expected)[0]
    for (path, wanted), value in zip(paths, tools.tree_leaves(actual), strict=True):
        _assert_close(value, wanted, f"result{tools.keystr(path)}", rtol, atol)
    return actual


def assert_equal_meaning(one: Any, other: Any, *examples: Any, runs: int = 2) -> Verdict:
    """Assert that two functions mean the same over exact arithmetic, without tolerance (docs/equal.md).

        hlokit.testing.assert_equal_meaning(jax.nn.softmax, my_softmax, x)

    Args:
      one, other: functions of JAX, programs, or files.
      examples: arguments of both.
      runs: the number of runs, each on other unknown numbers.

    Returns:
      The verdict, which has the identities of functions that the comparison assumed.

    Raises:
      AssertionError: the functions differ, or their equality is not decided; the message has the reason.
      ArgumentError: the functions take or return other types, or JAX is not installed.
    """
    __tracebackhide__ = True
    verdict = equal(one, other, *examples, runs=runs)
    assert verdict.is_equal, str(verdict)
    return verdict


def _assert_close(actual: Any, expected: Any, name: str, rtol: float, atol: float) -> None:
    __tracebackhide__ = True
    wanted = np.asarray(expected)
    assert (actual.shape, actual.dtype) == (wanted.shape, wanted.dtype), (
        f"{name} must be {wanted.dtype} of shape {wanted.shape}, got {actual.dtype} of {actual.shape}"
    )
    if wanted.dtype.kind in "biu":
        np.testing.assert_array_equal(actual, wanted, err_msg=name)
        return
    wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(
        actual.astype(wide), wanted.astype(wide), rtol=rtol, atol=atol, equal_nan=True, err_msg=name
    )
