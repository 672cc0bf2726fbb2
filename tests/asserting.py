"""Counts the assertions that a test executes: a test that executes none fails (`--count-assertions`, which
pyproject.toml gives to every run).

A loop over nothing, or a condition around all assertions, would let a test pass that compares nothing. Counted are
`assert` statements that hold, checks of `numpy.testing`, and `pytest.raises`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest
from _pytest.assertion import rewrite

_rewritten = rewrite.AssertionRewriter.visit_Assert


def _counted_statement(rewriter: rewrite.AssertionRewriter, statement: ast.Assert) -> list[ast.stmt]:
    """What pytest makes of an assertion, and a call that says that it holds.

    pytest's own hook for assertions that hold (`enable_assertion_pass_hook`) has every module parsed by a tokenizer in
    Python, and every explanation compiled twice: a third of the time to rewrite the tests.
    """
    holds = ast.Expr(rewriter.helper("_check_if_assertion_pass_impl"))
    for node in ast.walk(holds):
        ast.copy_location(node, statement)
    return [*_rewritten(rewriter, statement), holds]


class Assertions:
    """The plugin of pytest, registered by `--count-assertions`."""

    def __init__(self) -> None:
        self._count = 0

    def pytest_configure(self) -> None:
        rewrite.AssertionRewriter.visit_Assert = _counted_statement
        rewrite._check_if_assertion_pass_impl = self.assertion_holds
        for module, name in (
            *((np.testing, name) for name in dir(np.testing) if name.startswith("assert_")),
            *((pytest, name) for name in ("raises", "warns")),
        ):
            setattr(module, name, self._counted(getattr(module, name)))

    def _counted(self, check: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            self._count += 1
            return check(*arguments, **options)

        return counted

    def assertion_holds(self) -> None:
        self._count += 1

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        self._count = 0
        result = yield
        if self._count == 0:
            pytest.fail("the test executed no assertion")
        return result
