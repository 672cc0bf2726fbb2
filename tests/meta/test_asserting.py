"""`--count-assertions` finds tests that execute no assertion."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from _pytest.assertion import rewrite

from asserting import Assertions


def outcome(test: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> str:
    """The message that the plugin gives for a test; empty if the test executes an assertion."""
    with monkeypatch.context() as patch:
        plugin = Assertions()
        patch.setattr(rewrite, "_check_if_assertion_pass_impl", plugin.assertion_holds)
        call = plugin.pytest_runtest_call()
        next(call)
        test()
        try:
            call.send(None)
        except StopIteration:
            return ""
        except pytest.fail.Exception as error:
            return str(error)
    return "the plugin waits"


def asserting(values: list[int]) -> None:
    for value in values:
        assert value


def test_a_test_without_an_assertion_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    messages = [outcome(lambda: asserting([]), monkeypatch), outcome(lambda: asserting([1]), monkeypatch)]
    assert messages == ["the test executed no assertion", ""]
